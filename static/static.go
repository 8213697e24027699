// Package static holds what browsers download, and the games of the shelf, as files inside the
// program. It does nothing with them.
package static

import "embed"

// Files has the folders art, games, css, js and messages. The tests of the modules, in test, are
// left out.
//
//go:embed art css fonts games js messages
var Files embed.FS

//go:build race

package table_test

// raceEnabled reports whether the race detector, which slows everything down, is on.
const raceEnabled = true

package table

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain reports whether a text can be written on a note (T35): it is UTF-8 without control
// characters other than line feeds. It does not check the length.
func Plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n'
	})
}

package game

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckName returns an error unless a name for people is valid: from least to most characters
// (Unicode code points), printable, in one line and without spaces around it. Joiners are allowed
// only within an emoji, so that they cannot make different names look alike. It is for the names of
// games, pieces, people and tables.
func CheckName(name string, least, most int) error {
	n := utf8.RuneCountInString(name)
	switch {
	case n < least || n > most:
		return fmt.Errorf("it has %d characters, not %d to %d", n, least, most)
	case !utf8.ValidString(name) || !printable(name):
		return fmt.Errorf("%q has a character that cannot be printed", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("%q has spaces around it", name)
	}
	return nil
}

// joiner makes one emoji of two (U+200D).
const joiner = '\u200d'

// printable reports whether all characters of a name are visible, except joiners between the parts
// of an emoji.
func printable(name string) bool {
	last := ' '
	for i, c := range name {
		if c == joiner {
			next, n := utf8.DecodeRuneInString(name[i+utf8.RuneLen(c):])
			if !joins(last) || n == 0 || !unicode.Is(unicode.So, next) {
				return false
			}
		} else if !unicode.IsPrint(c) {
			return false
		}
		last = c
	}
	return true
}

// joins reports whether a joiner may follow c: a symbol, a skin colour, or the selector that makes
// an emoji.
func joins(c rune) bool {
	return unicode.Is(unicode.So, c) || c >= '\U0001f3fb' && c <= '\U0001f3ff' || c == '\ufe0f'
}

// IsSurface reports whether a table can have that surface.
func IsSurface(name string) bool { return slices.Contains(surfaces, name) }

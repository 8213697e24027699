package game

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckName reports what is wrong with a name that people see, of least to most characters: it is printable, in one line and
// without spaces around it. The names of games, pieces, people and tables are all of this sort.
func CheckName(name string, least, most int) error {
	n := utf8.RuneCountInString(name)
	switch {
	case n < least || n > most:
		return fmt.Errorf("it has %d characters, not %d to %d", n, least, most)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }):
		return fmt.Errorf("%q has a character that cannot be printed", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("%q has spaces around it", name)
	}
	return nil
}

// IsSurface reports whether a table can have that surface.
func IsSurface(name string) bool { return slices.Contains(surfaces, name) }

package table

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"holt/server/id"
)

// numberOfName returns the least number with which the name of a seat does not look like that of
// another seat (T53): 0, 2, 3 and so on. Seats that have ended keep their names, so that the
// history stays clear.
func (t *Table) numberOfName(who *SeatInfo) uint32 {
	named := *who
	for named.Number = 0; ; named.Number = max(2, named.Number+1) {
		if other := t.named[nameKey(&named)]; other == 0 || other == who.Seat {
			return named.Number
		}
	}
}

// nameKey returns a key that is equal for names that look the same: case, spaces, invisible
// characters and the forms of Unicode (NFKC) do not count.
func nameKey(s *SeatInfo) string {
	key := foldName(s.Nick)
	if s.Number > 0 {
		key += " (" + strconv.FormatUint(uint64(s.Number), 10) + ")"
	}
	if s.Home != "" {
		key += " " + string(HomeSign) + " " + foldName(s.Home)
	}
	return key
}

func foldName(name string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
			return -1
		default:
			return unicode.ToLower(unicode.ToUpper(r))
		}
	}, norm.NFKC.String(name))
	return strings.Join(strings.Fields(norm.NFKC.String(visible)), " ")
}

// plays reports whether somebody plays at a seat.
func (t *Table) plays(seat id.Seat) bool {
	who, ok := t.Seat(seat)
	return ok && who.Plays()
}

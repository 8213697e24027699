package zlevel

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyLevel draws a level; short and crowded ones are frequent.
func anyLevel(r *rapid.T, label string) Level {
	return Level(point + rapid.SampledFrom([]string{
		"", "0", "000", "5", "999", strings.Repeat("3", 60),
	}).Draw(r, label+" start") +
		rapid.StringMatching(`[0-9]{0,6}[1-9]`).Draw(r, label))
}

// TestSpreadBetween shows that levels spread in a gap are ascending, even and as short as possible
// (T13).
func TestSpreadBetween(t *testing.T) {
	t.Run("T13 ascending, between, and as short as possible", rapid.MakeCheck(func(r *rapid.T) {
		lo, hi := anyLevel(r, "lo"), anyLevel(r, "hi")
		if rapid.IntRange(0, 9).Draw(r, "open below") == 0 {
			lo = ""
		}
		if rapid.IntRange(0, 9).Draw(r, "open above") == 0 {
			hi = ""
		}
		n := rapid.IntRange(0, 120).Draw(r, "n")
		levels, err := SpreadBetween(lo, hi, n)
		if hi != "" && lo >= hi {
			if !errors.Is(err, ErrOrder) {
				r.Fatalf("between %q and %q: %v", lo, hi, err)
			}
			return
		}
		if err != nil || len(levels) != n {
			r.Fatalf("between %q and %q: %d levels of %d, %v", lo, hi, len(levels), n, err)
		}
		last, most := lo, 0
		for _, l := range levels {
			if _, err := Parse(string(l)); err != nil || l <= last || hi != "" && l >= hi {
				r.Fatalf("%q after %q, between %q and %q: %v", l, last, lo, hi, err)
			}
			last, most = l, max(most, l.Digits())
		}
		if least := fewestDigits(lo, hi, n); n > 0 && most > least+1 {
			r.Fatalf("%d levels between %q and %q have %d digits; %d hold that many",
				n, lo, hi, most, least)
		}
	}))
	t.Run("T13 evenly", func(t *testing.T) {
		for _, n := range []int{1, 4, 5, 9, 10, 24, 99, 100, 625, 10_000} {
			lo, hi := Stretch("0.1234567", 5)
			levels, err := SpreadBetween(lo, hi, n)
			if err != nil {
				t.Fatal(err)
			}
			for digits := 6; digits <= 9; digits++ {
				held, parts := map[string]int{}, 1
				for range digits - 5 {
					parts *= 10
				}
				for _, l := range levels {
					held[(string(l) + "00000000")[:len(point)+digits]]++
				}
				for stretch, k := range held {
					if k > n/parts+1 {
						t.Errorf("%d of %d levels begin with %s, where there are %d such stretches",
							k, n, stretch, parts)
					}
				}
			}
		}
	})
	t.Run("T13 no room", func(t *testing.T) {
		lo := Level(point + strings.Repeat("4", MaxDigits))
		hi := lo[:len(lo)-1] + "5"
		if _, err := SpreadBetween(lo, hi, 1); !errors.Is(err, ErrRoom) {
			t.Errorf("error %v", err)
		}
		for _, bad := range []Level{"0.10", "7", "0.x"} {
			_, below := SpreadBetween(bad, "", 1)
			_, above := SpreadBetween("", bad, 1)
			if !errors.Is(below, ErrForm) || !errors.Is(above, ErrForm) {
				t.Errorf("%q is a bound: %v, %v", bad, below, above)
			}
		}
	})
}

// fewestDigits returns the least number of digits with which n levels lie between lo and hi. It
// counts them.
func fewestDigits(lo, hi Level, n int) int {
	for digits := 1; ; digits++ {
		count := 0
		for z := following(lo, digits); z != "" &&
			(hi == "" || z < hi) && count < n; z = following(z, digits) {
			count++
		}
		if count >= n {
			return digits
		}
	}
}

// following returns the lowest level of n digits above z, "" if there is none. An empty z stands
// for 0.
func following(z Level, n int) Level {
	digits := []byte(strings.Repeat("0", n))
	copy(digits, strings.TrimPrefix(string(z), point))
	if !increment(digits) {
		return ""
	}
	return fromText(digits)
}

// TestStretch shows the gap of all levels that begin with the same digits (T13).
func TestStretch(t *testing.T) {
	rows := []struct {
		l      Level
		n      int
		lo, hi Level
	}{
		{"0.12345", 3, "0.123", "0.124"},
		{"0.12345", 5, "0.12345", "0.12346"},
		{"0.12345", 7, "0.12345", "0.1234501"},
		{"0.12995", 4, "0.1299", "0.13"},
		{"0.10095", 3, "0.1", "0.101"},
		{"0.00095", 3, "", "0.001"},
		{"0.99995", 3, "0.999", ""},
		{"0.5", 0, "", ""},
	}
	for _, row := range rows {
		t.Run(fmt.Sprintf("T13 %d digits of %s", row.n, row.l), func(t *testing.T) {
			if lo, hi := Stretch(row.l, row.n); lo != row.lo || hi != row.hi {
				t.Errorf("from %q to %q, want %q to %q", lo, hi, row.lo, row.hi)
			}
		})
	}
	t.Run("T13 it has what begins so, and nothing else", rapid.MakeCheck(func(r *rapid.T) {
		l, other := anyLevel(r, "l"), anyLevel(r, "other")
		n := rapid.IntRange(0, 70).Draw(r, "n")
		lo, hi := Stretch(l, n)
		start := func(l Level) string {
			return (string(l) + strings.Repeat("0", 80))[:len(point)+n]
		}
		if in := other >= lo && (hi == "" || other < hi); in != (start(other) == start(l)) {
			r.Fatalf("%q is in the stretch of %d digits of %q: %v", other, n, l, in)
		}
	}))
}

// TestDigits shows how the digits of a level are counted.
func TestDigits(t *testing.T) {
	for l, want := range map[Level]int{"": 0, "0.5": 1, "0.001": 3} {
		if got := l.Digits(); got != want {
			t.Errorf("%q has %d digits, want %d", l, got, want)
		}
	}
	if all := Spread(3); slices.ContainsFunc(all, func(l Level) bool { return l.Digits() != 1 }) {
		t.Errorf("T13 three levels are %q", all)
	}
}

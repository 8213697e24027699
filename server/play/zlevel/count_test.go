package zlevel

import (
	"errors"
	"strings"
	"testing"

	"github.com/ericlagergren/decimal"
	"pgregory.net/rapid"
)

// counted is what Above and Below promise, computed with numbers: l cut to n digits, rounded down
// or up, and one unit more or less.
func counted(l Level, above bool) (Level, bool) {
	digits := string(l[len(point):])
	end := map[bool]string{true: "9", false: "0"}[above]
	n := min(2*(len(digits)-len(strings.TrimLeft(digits, end)))+4, MaxDigits)
	x, err := number(l, 0, MaxDigits)
	if err != nil {
		return "", false
	}
	var z *decimal.Big
	if above {
		z = add(grid(down, x, n), unit(n))
	} else {
		z = exactly.Sub(new(decimal.Big), grid(up, x, n), unit(n))
	}
	if z.Sign() <= 0 || z.Cmp(decimal.New(1, 0)) >= 0 {
		return "", false
	}
	return text(z, n), true
}

// TestT13CountingByDigitsIsCountingByNumbers compares Above and Below with a computation by numbers
// (T13).
func TestT13CountingByDigitsIsCountingByNumbers(t *testing.T) {
	check := func(t interface {
		Helper()
		Fatalf(string, ...any)
	}, l Level,
	) {
		t.Helper()
		for _, above := range []bool{true, false} {
			next := map[bool]func(Level) (Level, error){true: Above, false: Below}[above]
			want, ok := counted(l, above)
			got, err := next(l)
			if got != want || ok != (err == nil) || err != nil && !errors.Is(err, ErrRoom) {
				t.Fatalf("above %v of %q: %q, %v; want %q", above, l, got, err, want)
			}
		}
	}
	t.Run("T13 at the ends", func(t *testing.T) {
		for _, n := range []int{1, 2, 3, 4, 5, 509, 510, 511, 512, MaxDigits - 1, MaxDigits} {
			for _, l := range []string{
				strings.Repeat("9", n), strings.Repeat("9", n-1) + "8",
				strings.Repeat("0", n-1) + "1", strings.Repeat("0", n-1) + "2",
			} {
				check(t, Level(point+l))
			}
		}
	})
	t.Run("T13 anywhere", rapid.MakeCheck(func(r *rapid.T) {
		end := rapid.SampledFrom([]string{"", "0", "9"}).Draw(r, "end")
		digits := strings.Repeat(end, rapid.IntRange(0, 20).Draw(r, "run")) +
			rapid.StringMatching(`[0-9]{0,60}[1-9]`).Draw(r, "digits")
		check(r, Level(point+digits))
	}))
}

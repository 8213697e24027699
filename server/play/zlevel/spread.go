package zlevel

import (
	"math/big"
	"sort"

	"github.com/ericlagergren/decimal"
)

// Spread returns n levels in ascending order, as short as they can be when spaced evenly from 0.1 to 0.9,
// ends excluded: all have the same number of digits, but for zeros at their ends. The room left below and
// above keeps Below and Above short. n is at most a million.
func Spread(n int) []Level {
	if n <= 0 {
		return nil
	}
	width, unit := 1, int64(1) // 0.1 is unit in the last of width digits
	for 8*unit < int64(n)+1 {
		width, unit = width+1, unit*10
	}
	levels := make([]Level, n)
	for i := range levels {
		levels[i] = fromInt(unit+8*unit*int64(i+1)/int64(n+1), width)
	}
	return levels
}

// SpreadBetween returns n levels in ascending order that lie strictly between lo and hi, evenly spaced and as
// short as they can be then. An empty lo stands for 0, an empty hi for 1. Of any two stretches between lo and hi
// that are equally long, one holds at most one level more than the other, but for the rounding of its ends.
//
// The error is ErrOrder if lo is not below hi, ErrRoom if some would have more than MaxDigits digits.
func SpreadBetween(lo, hi Level, n int) ([]Level, error) {
	a, err := number(lo, 0, MaxDigits)
	if err != nil {
		return nil, err
	}
	b, err := number(hi, 1, MaxDigits)
	if err != nil {
		return nil, err
	}
	if a.Cmp(b) >= 0 {
		return nil, ErrOrder
	}
	parts := big.NewInt(int64(n) + 1)
	// If there are so many grid points of some digits between, there are more of one digit more.
	digits := 1 + sort.Search(MaxDigits, func(i int) bool {
		_, gap := points(a, b, i+1)
		return gap.Cmp(parts) >= 0
	})
	if digits > MaxDigits {
		return nil, ErrRoom
	}
	first, gap := points(a, b, digits)
	levels := make([]Level, n)
	for i := range levels {
		step := new(big.Int).Mul(gap, big.NewInt(int64(i)+1))
		levels[i] = fromDigits(step.Add(step.Quo(step, parts), first).String(), digits)
	}
	return levels, nil
}

// points returns the last number of n digits up to a, in units of the last digit, and how far from it the first
// one from b on is.
func points(a, b *decimal.Big, n int) (first, gap *big.Int) {
	first = whole(grid(down, a, n), n)
	return first, new(big.Int).Sub(whole(grid(up, b, n), n), first)
}

// Stretch returns the bounds of the levels that begin with the first n digits of l: they are those from lo on and
// below hi. An empty lo stands for 0, an empty hi for 1.
func Stretch(l Level, n int) (lo, hi Level) {
	digits := make([]byte, n)
	for i := copy(digits, l[len(point):]); i < n; i++ {
		digits[i] = '0'
	}
	lo = fromText(digits)
	if increment(digits) {
		hi = fromText(digits)
	}
	return lo, hi
}

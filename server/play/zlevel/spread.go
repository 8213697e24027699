package zlevel

import (
	"math/big"
	"sort"

	"github.com/ericlagergren/decimal"
)

// Spread returns n levels in ascending order, evenly spaced between 0.1 and 0.9, without these
// ends, and as short as possible: all have the same number of digits, apart from zeros at their
// ends. The room below and above keeps the results of Below and Above short. n must be at most a
// million. For n <= 0 it returns nil.
func Spread(n int) []Level {
	if n <= 0 {
		return nil
	}
	width, unit := 1, int64(1) // 0.1 is unit in units of the last of width digits
	for 8*unit < int64(n)+1 {
		width, unit = width+1, unit*10
	}
	levels := make([]Level, n)
	for i := range levels {
		levels[i] = fromInt(unit+8*unit*int64(i+1)/int64(n+1), width)
	}
	return levels
}

// SpreadBetween returns n levels in ascending order that lie strictly between lo and hi, evenly
// spaced and as short as that allows. An empty lo stands for 0, an empty hi for 1. Of any two
// equally long intervals between lo and hi, one holds at most one level more than the other, apart
// from rounding at their ends.
//
// The error is ErrForm if lo or hi is not a level, ErrOrder if lo is not below hi, and ErrRoom if
// levels would need more than MaxDigits digits.
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
	// If enough grid points of some number of digits lie between, there are also enough of one
	// digit more.
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

// points returns the greatest number of n digits that is at most a, in units of the last digit, and
// the distance from it to the least one that is at least b.
func points(a, b *decimal.Big, n int) (first, gap *big.Int) {
	first = whole(grid(down, a, n), n)
	return first, new(big.Int).Sub(whole(grid(up, b, n), n), first)
}

// Stretch returns the bounds of the levels that begin with the first n digits of l: these levels
// are at least lo and less than hi. An empty lo stands for 0, an empty hi for 1.
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

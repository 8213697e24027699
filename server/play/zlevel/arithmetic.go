package zlevel

import (
	"math/big"
	"sort"
	"strconv"
	"strings"

	"github.com/ericlagergren/decimal"
)

// exact returns a context without a limit of digits. The library's default context rounds to 16
// digits, where neighbouring levels would become equal. In this package only grid rounds, on
// purpose.
func exact(mode decimal.RoundingMode) decimal.Context {
	return decimal.Context{Precision: decimal.UnlimitedPrecision, RoundingMode: mode}
}

var (
	exactly = exact(decimal.ToNearestEven)
	down    = exact(decimal.ToZero)              // positive numbers: to the next grid point below
	up      = exact(decimal.AwayFromZero)        // to the next grid point above
	nearest = exact(decimal.ToNearestTowardZero) // to the nearest grid point, to the lower of two
)

// number checks the form of l and returns it as a decimal. For an empty l it returns end.
func number(l Level, end int64, limit int) (*decimal.Big, error) {
	if l == "" {
		return decimal.New(end, 0), nil
	}
	if _, err := parse(string(l), limit); err != nil {
		return nil, err
	}
	z, ok := exactly.SetString(new(decimal.Big), string(l))
	if !ok {
		return nil, ErrForm
	}
	return z, nil
}

// unit returns the distance between neighbouring numbers of n digits.
func unit(n int) *decimal.Big { return decimal.New(1, n) }

// grid returns x rounded to n digits by c.
func grid(c decimal.Context, x *decimal.Big, n int) *decimal.Big {
	return c.Quantize(new(decimal.Big).Copy(x), n)
}

func add(x, y *decimal.Big) *decimal.Big { return exactly.Add(new(decimal.Big), x, y) }

// between is Between with limit in place of MaxDigits.
func between(lo, hi Level, limit int) (Level, error) {
	a, err := number(lo, 0, limit)
	if err != nil {
		return "", err
	}
	b, err := number(hi, 1, limit)
	if err != nil {
		return "", err
	}
	if a.Cmp(b) >= 0 {
		return "", ErrOrder
	}
	// If a number of n digits fits, one of n+1 digits fits, too.
	n := 1 + sort.Search(limit, func(i int) bool {
		return add(grid(down, a, i+1), unit(i+1)).Cmp(b) < 0
	})
	if n > limit {
		return "", ErrRoom
	}
	half := decimal.New(5, 1)
	middle := exactly.Mul(new(decimal.Big), add(a, b), half)
	// The nearest grid point lies between a and b, because the middle lies less than half a unit
	// beyond the first and the last one that do.
	return text(grid(nearest, middle, n), n), nil
}

// text returns the level z, which must be a number of at most n digits between 0 and 1. The library
// would write small numbers with an exponent.
func text(z *decimal.Big, n int) Level {
	return fromDigits(whole(z, n).String(), n)
}

// whole returns z, which must be a number of at most n digits, in units of the last of them.
func whole(z *decimal.Big, n int) *big.Int {
	return exactly.Mul(new(decimal.Big), z, decimal.New(1, -n)).Int(new(big.Int))
}

func fromInt(v int64, n int) Level { return fromDigits(strconv.FormatInt(v, 10), n) }

// fromDigits returns the level whose first n digits after the point end with digits. digits must be
// at most n digits and not all zero.
func fromDigits(digits string, n int) Level {
	return Level(point + strings.Repeat("0", n-len(digits)) + strings.TrimRight(digits, "0"))
}

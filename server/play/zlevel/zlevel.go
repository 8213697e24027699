// Package zlevel holds Z levels, the arbitrarily precise decimals by which pieces lie over each other
// (T13), and finds new ones between, above and below others. static/js/zlevel.js does the same in the
// browser, with identical results (docs/protocol/vectors/zlevel.json). The package knows nothing of pieces.
package zlevel

import (
	"errors"
	"strings"
)

// Level is a Z level: a decimal strictly between 0 and 1 in its only text form, `0.` and 1 to MaxDigits
// digits, the last one not `0`. Levels are ordered by their texts: compare them with <. The empty Level
// is none; to the functions of this package it is the open end of the scale.
type Level string

// Bounds (T13).
const (
	// MaxDigits is the greatest number of digits after the point.
	MaxDigits = 1024
	// RespreadDigits is the number of digits beyond which a table does not leave a level as it is.
	RespreadDigits = 512
	// ShortDigits is the greatest number of digits of the levels that it then gives out.
	ShortDigits = 64
)

const point = "0."

// Digits returns the number of digits behind the point.
func (l Level) Digits() int { return max(0, len(l)-len(point)) }

// Errors of this package.
var (
	ErrForm  = errors.New("not a Z level")
	ErrOrder = errors.New("the lower level is not below the upper one")
	ErrRoom  = errors.New("no level of so few digits is left there")
)

// Parse returns s as a Level, or ErrForm. It reads s as text: nothing that is not in the form is ever
// taken for a number, whatever its size (T13).
func Parse(s string) (Level, error) { return parse(s, MaxDigits) }

// parse is Parse with another limit, so that a test can look beyond the real one.
func parse(s string, limit int) (Level, error) {
	digits, ok := strings.CutPrefix(s, point)
	if !ok || len(digits) == 0 || len(digits) > limit || digits[len(digits)-1] == '0' {
		return "", ErrForm
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", ErrForm
		}
	}
	return Level(s), nil
}

// Between returns the shortest level that lies strictly between lo and hi; of several, the one nearest to
// their middle, and the lower of two that are equally near. An empty lo stands for 0, an empty hi for 1.
//
// Insertions into the newest gap, on whichever side, cost at most a third of a digit each: between two
// levels of at most d digits, the n-th has at most d+1 + (n-1)/3. An empty level has none.
//
// The error is ErrOrder if lo is not below hi, ErrRoom if all levels between have more than MaxDigits digits.
func Between(lo, hi Level) (Level, error) { return between(lo, hi, MaxDigits) }

// Above returns a level above hi, so that it can be brought to the front over and over. It counts: a level
// with r nines behind the point is cut to 2r+4 digits, and the last of them is incremented. So the digits
// grow with the logarithm of the number of calls: the first ten thousand have at most 6 digits when they
// start at the middle. An empty hi gives the middle of the scale.
//
// The error is ErrRoom if hi is the greatest level there is.
func Above(hi Level) (Level, error) {
	if hi == "" {
		return Between("", "")
	}
	return count(hi, '9', +1)
}

// Below returns a level below lo: it counts down as Above counts up, with zeros in place of nines. An
// empty lo gives the middle of the scale.
//
// The error is ErrRoom if lo is the smallest level there is.
func Below(lo Level) (Level, error) {
	if lo == "" {
		return Between("", "")
	}
	return count(lo, '0', -1)
}

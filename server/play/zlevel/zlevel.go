// Package zlevel holds Z levels, the decimals of arbitrary precision that order pieces on top of
// each other (T13), and finds new levels between, above and below others. static/js/sync/zlevel.js
// does the same in the browser, with identical results (docs/protocol/vectors/zlevel.json). The
// package does not know pieces.
package zlevel

import (
	"errors"
	"strings"
)

// Level is a Z level: a decimal strictly between 0 and 1 in its only text form, `0.` and 1 to
// MaxDigits digits, the last one not `0`. Levels are ordered as their texts: compare them with <.
// The empty Level is not a level. The functions of this package take it as the open end of the
// scale.
type Level string

// Bounds (T13).
const (
	// MaxDigits is the greatest number of digits after the point.
	MaxDigits = 1024
	// RespreadDigits is the greatest number of digits of a level that a table does not replace.
	RespreadDigits = 512
	// ShortDigits is the greatest number of digits of the levels that replace longer ones.
	ShortDigits = 64
)

const point = "0."

// Digits returns the number of digits after the point.
func (l Level) Digits() int { return max(0, len(l)-len(point)) }

// The errors of this package.
var (
	ErrForm  = errors.New("not a Z level")
	ErrOrder = errors.New("the lower level is not below the upper one")
	ErrRoom  = errors.New("no level of so few digits is left there")
)

// Parse returns s as a Level, or ErrForm. It checks s as text and never reads a text of another
// form as a number, whatever its size (T13).
func Parse(s string) (Level, error) { return parse(s, MaxDigits) }

// parse is Parse with another limit, for tests beyond MaxDigits.
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

// Between returns the shortest level that lies strictly between lo and hi. Of several it returns
// the one nearest to their middle, and the lower of two that are equally near. An empty lo stands
// for 0, an empty hi for 1.
//
// Repeated insertions into the newest gap, on either side, cost at most a third of a digit each:
// between two levels of at most d digits, the n-th level has at most d+1 + (n-1)/3 digits. An empty
// lo or hi counts as having no digits.
//
// The error is ErrForm if lo or hi is not a level, ErrOrder if lo is not below hi, and ErrRoom if
// all levels between have more than MaxDigits digits.
func Between(lo, hi Level) (Level, error) { return between(lo, hi, MaxDigits) }

// Above returns a level above hi, for pieces that are brought to the front again and again. It
// counts: it cuts a level with r nines after the point to 2r+4 digits and increments the last of
// them. So the number of digits grows with the logarithm of the number of calls: the first ten
// thousand results have at most 6 digits when they start at the middle. For an empty hi it returns
// the middle of the scale.
//
// The error is ErrForm if hi is not a level, and ErrRoom if it is the greatest level.
func Above(hi Level) (Level, error) {
	if hi == "" {
		return Between("", "")
	}
	return count(hi, '9', +1)
}

// Below returns a level below lo. It counts down as Above counts up, with zeros in place of nines.
// For an empty lo it returns the middle of the scale.
//
// The error is ErrForm if lo is not a level, and ErrRoom if it is the least level.
func Below(lo Level) (Level, error) {
	if lo == "" {
		return Between("", "")
	}
	return count(lo, '0', -1)
}

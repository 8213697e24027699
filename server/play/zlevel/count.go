package zlevel

import (
	"bytes"
	"strings"
)

// count returns the next level in the counter form of Above (step +1, end '9') and Below (step -1,
// end '0'). It runs whenever a piece is brought to the front or to the back, so it works on digits
// and makes no decimal.
func count(l Level, end byte, step int) (Level, error) {
	if _, err := Parse(string(l)); err != nil {
		return "", err
	}
	digits := string(l[len(point):])
	run := len(digits) - len(strings.TrimLeft(digits, string(end)))
	n := min(2*run+4, MaxDigits)
	var room [MaxDigits]byte
	next := room[:n]
	for i := copy(next, digits); i < n; i++ {
		next[i] = '0'
	}
	if step > 0 {
		if !increment(next) {
			return "", ErrRoom
		}
		// A longer level already lies above its first n digits.
	} else if len(digits) <= n {
		decrement(next)
	}
	z := fromText(next)
	if z == "" {
		return "", ErrRoom
	}
	return z, nil
}

// fromText returns the level with these digits after the point, "" if they are all zero.
func fromText(digits []byte) Level {
	digits = bytes.TrimRight(digits, "0")
	if len(digits) == 0 {
		return ""
	}
	return Level(point + string(digits))
}

// increment adds one to the last of the digits after the point. It reports false if the sum is 1.
func increment(digits []byte) bool {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return true
		}
		digits[i] = '0'
	}
	return false
}

// decrement subtracts one from the last of the digits after the point, which must not all be zero.
func decrement(digits []byte) {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '0' {
			digits[i]--
			return
		}
		digits[i] = '9'
	}
}

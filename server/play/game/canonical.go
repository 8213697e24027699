package game

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// canonical returns a value as canonical JSON (RFC 8785). Where swap has the place of a value in
// the document, its value is written instead. All numbers of v must be whole or have passed
// checkKept.
func canonical(v value, swap map[int]value) []byte {
	return appendCanonical(nil, v, swap)
}

func appendCanonical(to []byte, v value, swap map[int]value) []byte {
	if other, ok := swap[v.at]; ok {
		v = other
	}
	switch v.kind {
	case anObject:
		to = append(to, '{')
		for i, name := range slices.SortedFunc(maps.Keys(v.members), compareUnits) {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(appendText(to, name), ':')
			to = appendCanonical(to, v.members[name], swap)
		}
		return append(to, '}')
	case anArray:
		to = append(to, '[')
		for i, item := range v.items {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendCanonical(to, item, swap)
		}
		return append(to, ']')
	case aText:
		return appendText(to, v.text)
	case aNumber:
		number, _ := canonicalNumber(v.text) // checked before
		return append(to, number...)
	default: // true, false, null
		return append(to, v.kind...)
	}
}

// compareUnits compares two texts by their UTF-16 units, as RFC 8785 sorts the names of members.
func compareUnits(a, b string) int {
	if isASCII(a) && isASCII(b) {
		return strings.Compare(a, b)
	}
	return slices.CompareFunc(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)), cmp.Compare[uint16])
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c >= 0x80 })
}

// appendText writes a string with no escapes other than those that JSON needs.
func appendText(to []byte, text string) []byte {
	to = append(to, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		case c >= ' ':
			to = append(to, c)
		case strings.IndexByte(shortEscapes, c) >= 0:
			to = append(to, '\\', "btnfr"[strings.IndexByte(shortEscapes, c)])
		default:
			const digits = "0123456789abcdef"
			to = append(to, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(to, '"')
}

const shortEscapes = "\b\t\n\f\r"

// canonicalNumber writes a number as ECMAScript does. It refuses what a browser would not read as
// it stands there.
func canonicalNumber(text string) (string, error) {
	f, err := strconv.ParseFloat(text, 64)
	const most = 1 << 53
	switch {
	case err != nil:
		return "", fmt.Errorf("%s is too large", text)
	case f == 0:
		return "0", nil // also for -0
	case !strings.ContainsAny(text, ".eE") && (f >= most || f <= -most):
		return "", fmt.Errorf("%s has more than 53 bits: write it as a text", text)
	}
	b, err := json.Marshal(f) // as ECMAScript does
	return string(b), err
}

// checkKept returns the first value in v that cannot be kept as it is, and why.
func checkKept(v value) (value, error) {
	if v.halved {
		return v, errors.New("half a character, such as \\ud800 alone, cannot be kept")
	}
	if v.kind == aNumber {
		_, err := canonicalNumber(v.text)
		return v, err
	}
	for _, item := range v.items {
		if bad, err := checkKept(item); err != nil {
			return bad, err
		}
	}
	members := slices.SortedFunc(maps.Values(v.members),
		func(a, b value) int { return cmp.Compare(a.at, b.at) })
	for _, member := range members {
		if bad, err := checkKept(member); err != nil {
			return bad, err
		}
	}
	return v, nil
}

// textValue returns a value that is a text and stands in no document.
func textValue(text string) value { return value{at: nowhere, kind: aText, text: text} }

// nowhere is the place of a value that stands in no document.
const nowhere = -1

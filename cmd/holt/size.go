package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes, written in a flag as 64MiB, 1.5GiB, 500kB or 4096.
type size int64

// units are the units in which sizes are given and shown.
var units = []struct {
	name  string
	bytes float64
}{
	{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1},
}

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	number, factor := strings.TrimSpace(string(text)), 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, factor = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n >= 0) || n*factor > math.MaxInt64/2 {
		return fmt.Errorf("%q is not a size, such as 64MiB", text)
	}
	*s = size(n * factor)
	return nil
}

// String writes a size for people to read.
func (s size) String() string {
	for _, u := range units[:3] {
		if float64(s) >= u.bytes {
			return strconv.FormatFloat(math.Round(float64(s)/u.bytes*10)/10, 'f', -1, 64) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

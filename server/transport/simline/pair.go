package simline

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Pair is a line in both directions. Each direction has its own configuration, so a Pair need not
// be symmetrical, and its own random numbers, so that what happens in one direction does not depend
// on what is sent in the other.
type Pair [2]*Line

// NewPair returns a line: Pair[0] leads there, Pair[1] back. All that happens follows from seed and
// from when packets are sent.
func NewPair(there, back Config, seed uint64) Pair {
	random := func(direction uint64) *rand.Rand {
		return rand.New(rand.NewPCG(seed, direction)) //nolint:gosec // a simulation, by its seed
	}
	return Pair{New(there, random(0)), New(back, random(1))}
}

// ErrConfig says that a text does not describe a line.
var ErrConfig = errors.New("not a description of a line")

// With returns the configuration with the properties that text gives, like
// "delay=50ms,loss=5%,order". The properties have the names of the fields in lower case, "order"
// stands for InOrder and "disorder" for its contrary.
func (c Config) With(text string) (Config, error) {
	for one := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(one), "=")
		var err error
		switch name {
		case "":
		case "delay":
			c.Delay, err = duration(value)
		case "jitter":
			c.Jitter, err = duration(value)
		case "burst":
			c.Burst, err = duration(value)
		case "lateness":
			c.Lateness, err = duration(value)
		case "loss":
			c.Loss, err = share(value)
		case "duplicate":
			c.Duplicate, err = share(value)
		case "late":
			c.Late, err = share(value)
		case "rate":
			c.Rate, err = amount(value)
		case "queue":
			c.Queue, err = amount(value)
		case "order", "disorder":
			c.InOrder = name == "order"
			if value != "" {
				err = errValue
			}
		default:
			err = errValue
		}
		if err != nil {
			return c, fmt.Errorf("%w: %q", ErrConfig, one)
		}
	}
	return c, nil
}

var errValue = errors.New("no such value")

// duration reads a time from 0 to an hour.
func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > time.Hour {
		return 0, errValue
	}
	return d, nil
}

// share reads a number of percent.
func share(s string) (float64, error) {
	digits, ok := strings.CutSuffix(s, "%")
	n, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || math.IsNaN(n) || n < 0 || n > 100 {
		return 0, errValue
	}
	return n / 100, nil
}

// amount reads a number of bytes.
func amount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<30 {
		return 0, errValue
	}
	return n, nil
}

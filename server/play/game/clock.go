package game

import "fmt"

// MaxClock is the greatest time of a clock in milliseconds: 12 days (T27).
const MaxClock int32 = 1 << 30

// Clock says that the pieces of a kind are clocks (T27), and where they show their times. The zero
// Clock stands for a kind of other pieces.
type Clock struct {
	CountsUp  bool      // counts up what has passed, not down what is left
	Initial   int32     // the time of a new clock, in milliseconds, up to MaxClock
	Increment int32     // what each press adds, in milliseconds; 0 unless two sides count down
	Displays  []Display // one for each side, one or two
}

var clocks = ability{
	field: "clock", called: "a clock", old: true,
	has:  func(k *Kind) bool { return k.Clock.Sides() > 0 },
	read: func(o object, k *Kind) { k.Clock = readClock(o, *k) },
}

// Sides returns the number of sides of the clock, 0 if it is not a clock.
func (c *Clock) Sides() int { return len(c.Displays) }

// catalogClock is the form of a clock in a catalogue (docs/protocol/http.md).
type catalogClock struct {
	Counts    string    `json:"counts"`
	Initial   int32     `json:"initial"`
	Increment int32     `json:"increment"`
	Displays  []Display `json:"displays"`
}

// The names of the directions in which a clock counts.
const (
	countsDown = "down"
	countsUp   = "up"
)

// catalog returns the form of the clock in a catalogue, nil if it is not a clock.
func (c *Clock) catalog() *catalogClock {
	if c.Sides() == 0 {
		return nil
	}
	counts := countsDown
	if c.CountsUp {
		counts = countsUp
	}
	return &catalogClock{Counts: counts, Initial: c.Initial, Increment: c.Increment,
		Displays: c.Displays}
}

// readClock reads the clock of a kind, in game files and catalogues alike.
func readClock(kind object, k Kind) Clock {
	if !kind.has("clock") {
		return Clock{}
	}
	o := kind.r.object(kind.get("clock"), kind.where+": clock", "counts", "initial", "increment",
		"displays")
	c := Clock{
		CountsUp:  o.choice("counts", countsDown, countsUp) == countsUp,
		Initial:   o.integer("initial", 0, MaxClock),
		Increment: o.optional("increment", 0, MaxClock),
	}
	for i, v := range o.list("displays", 1, 2) {
		c.Displays = append(c.Displays,
			readRectangle(o.r, v, fmt.Sprintf("%s: display %d", o.where, i), k))
	}
	switch {
	case len(k.Faces) != 1:
		kind.fail(kind.get("faces"), "a clock has one face, not %d", len(k.Faces))
	case c.Increment > 0 && (c.CountsUp || c.Sides() == 1):
		o.fail(o.get("increment"), "only a clock with two sides that counts down has an increment")
	case c.Sides() == 2 && c.Displays[0].meets(c.Displays[1]):
		o.fail(o.get("displays"), "the displays overlap")
	}
	return c
}

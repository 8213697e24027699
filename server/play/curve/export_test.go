package curve

import (
	"fmt"
	"slices"
	"strings"

	"holt/server/id"
)

// What the server does not need of a curve, for tests.

// Floor returns the first instant whose data c has not forgotten.
func (c *Curve) Floor() id.Millis { return c.floor }

// EndedAt returns the latest server time that EndMotion was given, 0 if there is none.
func (c *Curve) EndedAt() id.Millis { return c.dead }

// Stretches returns the pieces of c in the order of time. They belong to c and are valid until c
// changes.
func (c *Curve) Stretches() []Stretch { return c.pieces }

// Segments returns the segments that show somewhere, each once, the oldest first. These are what is
// sent: a curve that has forgotten as much as c becomes Equal to c when they are added (K8).
func (c *Curve) Segments() []Segment {
	segments := make([]Segment, len(c.pieces))
	for i := range c.pieces {
		segments[i] = c.pieces[i].Segment
	}
	slices.SortFunc(segments, func(a, b Segment) int { return a.compare(&b) })
	return slices.Compact(segments)
}

// Equal reports whether c and o have the same data and have forgotten the same.
func (c *Curve) Equal(o *Curve) bool {
	return c.floor == o.floor && c.dead == o.dead && slices.Equal(c.pieces, o.pieces)
}

// String returns the normal form of c, for tests and people.
func (c *Curve) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "from %d, after %d:", c.floor, c.dead)
	for _, p := range c.pieces {
		fmt.Fprintf(&b, " [%d, %d) %+v", p.Start, p.End, p.Segment)
	}
	return b.String()
}

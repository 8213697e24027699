// Package curve holds curves: properties of pieces as functions of server time. They are for values
// that change by themselves, or faster than history should record: the motion of a dragged piece, a
// running clock, the cool-down of a die. Curves can be merged in any order and any number of times,
// with the same result (rules K1 to K13, docs/protocol/curve.md). static/js/parts/motion/curve.js
// does the same in the browser, with identical results (docs/protocol/vectors/curves.json).
//
// The package has no clock and does not know pieces of a table: time comes in as an argument, and
// only the owner of a curve knows what it is a property of.
package curve

import (
	"slices"
	"sort"

	"holt/server/id"
)

// MaxStretches is the greatest number of pieces of a curve that is not a recording (K11).
const MaxStretches = 64

// Stretch is a stretch of a curve on which one segment shows: the instants from Start on and before
// End.
type Stretch struct {
	Start   id.Millis
	End     id.Millis
	Segment Segment
}

// Curve is a property over time. The zero Curve has no data and is ready to use. A Curve is not
// safe for concurrent use. Clone copies it.
//
// Its state is in normal form: the pieces are in the order of time and do not overlap, and no two
// adjoining pieces have the same segment. So curves with the same meaning are Equal and have the
// same String (K8).
type Curve struct {
	floor     id.Millis // the first instant that may have data (K10)
	dead      id.Millis // segments made at this tick or before are forgotten (K12)
	pieces    []Stretch
	recording bool // without the bound of K11
}

// Recording returns a curve without data and without the bound of K11, for a replay, which forgets
// nothing.
func Recording() *Curve { return &Curve{recording: true} }

// Clone returns a curve that has the same data and shares nothing with c.
func (c *Curve) Clone() *Curve {
	d := *c
	d.pieces = slices.Clone(c.pieces)
	return &d
}

// Add merges one segment into c: at each instant that s covers, the segment with the higher version
// shows (K6). It does the same as Merge with a curve that has s alone, usually without an
// allocation. The error is that of Check, and then c does not change.
func (c *Curve) Add(s Segment) error {
	if err := s.Check(); err != nil {
		return err
	}
	start := max(s.From, c.floor)
	if s.Version.Tick <= c.dead || start >= s.To {
		return nil
	}
	// Only the pieces from first on and before last overlap with s. The others touch it at most.
	first := sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].End > start })
	last := first
	for last < len(c.pieces) && c.pieces[last].Start < s.To {
		last++
	}
	var room [4]Stretch
	middle := join(room[:0], c.pieces[first:last], []Stretch{{Start: start, End: s.To, Segment: s}})
	c.pieces = slices.Replace(c.pieces, first, last, middle...)
	c.bound()
	return nil
}

// Merge merges the data of o into c, and c also forgets what o has forgotten. Merging is
// idempotent, commutative and associative (K7), except where the bound of K11 applies. o does not
// change.
func (c *Curve) Merge(o *Curve) {
	d := o.Clone()
	d.forget(c.floor, c.dead)
	c.forget(o.floor, o.dead)
	c.pieces = join(make([]Stretch, 0, len(c.pieces)+len(d.pieces)), c.pieces, d.pieces)
	c.bound()
}

// Prune forgets the data before an instant, including data that arrives later (K10). The values at
// that instant and later do not change.
func (c *Curve) Prune(before id.Millis) { c.forget(before, 0) }

// EndMotion forgets the motion that an update recorded at server time t has ended (K12): every
// segment with a tick of t or before, however far it leads, and all data at t and before. That
// includes data that arrives later.
func (c *Curve) EndMotion(t id.Millis) {
	// No segment is that old.
	if t < 0 {
		return
	}
	t = min(t, MaxTime)
	c.forget(t+1, t)
}

// forget raises floor and dead. Both commute with merging: at each instant they forget either all
// segments, or all segments that are older than the kept ones.
func (c *Curve) forget(floor, dead id.Millis) {
	c.floor = max(c.floor, min(floor, Forever))
	c.dead = max(c.dead, dead)
	kept := c.pieces[:0]
	for _, p := range c.pieces {
		p.Start = max(p.Start, c.floor)
		if p.Start < p.End && p.Segment.Version.Tick > c.dead {
			kept = append(kept, p)
		}
	}
	c.pieces = kept
}

// bound forgets the oldest pieces beyond MaxStretches, as Prune would (K11).
func (c *Curve) bound() {
	if over := len(c.pieces) - MaxStretches; over > 0 && !c.recording {
		c.pieces = slices.Delete(c.pieces, 0, over)
		c.floor = c.pieces[0].Start
	}
}

// At returns the value at an instant. It reports false if c has no data there.
func (c *Curve) At(t id.Millis) (v Value, ok bool) {
	p := c.upTo(t)
	if p == nil || t >= p.End {
		return Value{}, false
	}
	return p.Segment.at(t), true
}

// Hold returns the value at an instant as At does. Where there is no data, it returns the value to
// which the last data before t led (K9). It reports false if there is no data before t either.
func (c *Curve) Hold(t id.Millis) (v Value, ok bool) {
	p := c.upTo(t)
	if p == nil {
		return Value{}, false
	}
	return p.Segment.at(min(t, p.End)), true
}

// upTo returns the last piece that starts at t or before, nil if there is none.
func (c *Curve) upTo(t id.Millis) *Stretch {
	lo, hi := 0, len(c.pieces)
	for lo < hi {
		if middle := int(uint(lo+hi) >> 1); c.pieces[middle].Start <= t {
			lo = middle + 1
		} else {
			hi = middle
		}
	}
	if lo == 0 {
		return nil
	}
	return &c.pieces[lo-1]
}

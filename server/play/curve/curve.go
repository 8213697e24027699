// Package curve holds curves: properties of pieces as functions of server time, for what moves by itself or
// faster than history should record: the path of a piece while somebody drags it, a running clock, the
// cool-down of a die. Curves are merged in any order, any number of times, and come out the same (rules K1 to
// K13, docs/protocol/curve.md). static/js/curve.js does the same in the browser, with identical results
// (docs/protocol/vectors/curves.json).
//
// The package knows no clock and no piece: time comes in as an argument, and what a curve is the property of is
// its owner's business.
package curve

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"holt/server/id"
)

// MaxPieces is the greatest number of pieces of a curve that is not a recording (K11).
const MaxPieces = 64

// Piece is a stretch of a curve on which one segment shows: the instants from Start on and before End.
type Piece struct {
	Start   id.Millis
	End     id.Millis
	Segment Segment
}

// Curve is a property over time. The zero Curve has no data and is ready to use. A Curve is not safe for
// concurrent use; it is copied with Clone.
//
// Its state is in normal form: pieces in the order of time that do not overlap, and none that goes on in the
// next with the same segment. So curves that mean the same are Equal and have one String (K8).
type Curve struct {
	floor     id.Millis // the first instant that may have data (K10)
	dead      id.Millis // what was made at this tick or before is dead (K12)
	pieces    []Piece
	recording bool // has no bound
}

// Recording returns a curve without data and without the bound of K11, for a replay, which forgets nothing.
func Recording() *Curve { return &Curve{recording: true} }

// Clone returns a curve that has the same data and shares nothing with c.
func (c *Curve) Clone() *Curve {
	d := *c
	d.pieces = slices.Clone(c.pieces)
	return &d
}

// Add merges one segment into c: at each instant that s covers, the segment with the higher version shows
// (K6). It is the Merge of a curve that has s alone, without an allocation in the usual case. The error is
// that of Check, and then c is as it was.
func (c *Curve) Add(s Segment) error {
	if err := s.Check(); err != nil {
		return err
	}
	start := max(s.From, c.floor)
	if s.Version.Tick <= c.dead || start >= s.To {
		return nil
	}
	// Only the pieces from first on and before last overlap with s; those outside touch it at most.
	first := sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].End > start })
	last := first
	for last < len(c.pieces) && c.pieces[last].Start < s.To {
		last++
	}
	var room [4]Piece
	middle := join(room[:0], c.pieces[first:last], []Piece{{Start: start, End: s.To, Segment: s}})
	c.pieces = slices.Replace(c.pieces, first, last, middle...)
	c.bound()
	return nil
}

// Merge merges the data of o into c, and what o has forgotten is forgotten by c, too. Merging is idempotent,
// commutative and associative (K7), unless K11 comes in. o is not changed.
func (c *Curve) Merge(o *Curve) {
	d := o.Clone()
	d.forget(c.floor, c.dead)
	c.forget(o.floor, o.dead)
	c.pieces = join(make([]Piece, 0, len(c.pieces)+len(d.pieces)), c.pieces, d.pieces)
	c.bound()
}

// Prune forgets what lies before an instant, also what has yet to arrive (K10). Later instants keep their
// values.
func (c *Curve) Prune(before id.Millis) { c.forget(before, 0) }

// After forgets what the recording of an update at server time t has ended (K12): every segment made at t or
// before, however far it leads, and all that lies at t or before. It also holds for what has yet to arrive.
func (c *Curve) After(t id.Millis) {
	if t < 0 { // no segment is as old as that
		return
	}
	t = min(t, MaxTime)
	c.forget(t+1, t)
}

// forget raises the floor and the tick of the dead. Both commute with merging: of an instant either everything
// is forgotten, or all that is older than something that is.
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

// bound drops the oldest pieces beyond MaxPieces, as Prune would (K11).
func (c *Curve) bound() {
	if over := len(c.pieces) - MaxPieces; over > 0 && !c.recording {
		c.pieces = slices.Delete(c.pieces, 0, over)
		c.floor = c.pieces[0].Start
	}
}

// At returns the value at an instant; not ok if c has no data there.
func (c *Curve) At(t id.Millis) (v Value, ok bool) {
	p := c.upTo(t)
	if p == nil || t >= p.End {
		return Value{}, false
	}
	return p.Segment.at(t), true
}

// Hold returns the value at an instant as At does, and where there is none the value to which the last data
// before it led (K9). It is not ok if there is no data before t either.
func (c *Curve) Hold(t id.Millis) (v Value, ok bool) {
	p := c.upTo(t)
	if p == nil {
		return Value{}, false
	}
	return p.Segment.at(min(t, p.End)), true
}

// upTo returns the last piece that starts at t or before, nil if there is none.
func (c *Curve) upTo(t id.Millis) *Piece {
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

// Floor returns the first instant of which c has not forgotten the data.
func (c *Curve) Floor() id.Millis { return c.floor }

// Dead returns the last server time that After was given, 0 if there is none.
func (c *Curve) Dead() id.Millis { return c.dead }

// Pieces returns the pieces of c in the order of time. They belong to c, and only until it is changed.
func (c *Curve) Pieces() []Piece { return c.pieces }

// Segments returns each segment that shows somewhere, once, the oldest first. A curve that has forgotten as
// much and to which they are added is Equal to c (K8): they are what is sent.
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

package room

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"sort"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/wire"
)

// Bounds of recorded motion that is not stored yet (K17).
const (
	storeMotionAt = 64 << 10 // bytes
	// As a room looks with every beat, it is stored after twice that at the latest.
	storeMotionAfter = beatEvery
	// While nothing can be stored, motion beyond so many bytes is not recorded.
	maxPendingMotion = 1 << 20
)

// audience says who was sent the motion of a piece: everybody, or only these seats.
type audience struct {
	everybody bool
	seats     []id.Seat
}

// recorder records the motion of a table (K17).
type recorder struct {
	on      bool
	chunk   []byte                // what is to be stored
	begun   time.Time             // when it was begun
	last    id.Millis             // the time of its last frame
	due     bool                  // it is to be stored, even if no entry is
	moving  map[id.Piece]audience // pieces with recorded motion that has not ended
	loaded  id.Millis             // when the table was loaded; 0 once AllEnded is recorded
	ended   bool                  // AllEnded is to be recorded, with the next motion or alone
	failure error                 // why the last frame was not recorded
}

// set makes the recorder do what a component says.
func (c *recorder) set(op *crdt.Op) {
	m, err := schema.Decode[componentpb.Recording](op.Data)
	c.on = err == nil && op.Kind == crdt.Put && m.GetOn()
}

// load is set for a table that was loaded at a time.
func (c *recorder) load(all *components, at id.Millis) {
	c.moving = map[id.Piece]audience{}
	if op, ok := all.replica.State(schema.TheTable, schema.Recording); ok {
		c.set(&op)
		c.loaded = at
	}
}

// record records what a frame of a tick has.
func (c *recorder) record(f wire.Recorded) {
	nothing := len(f.Segments) == 0 && len(f.Ended) == 0 && !f.AllEnded
	if nothing || len(c.chunk) > maxPendingMotion {
		return
	}
	if len(c.chunk) == 0 {
		c.begun = time.Now()
	}
	for i := range f.Segments {
		c.reached(id.Piece(f.Segments[i].ID), f.Seats)
	}
	c.chunk, c.failure = wire.AppendRecorded(c.chunk, &f)
	c.last = max(c.last, f.At)
	c.due = c.due || len(c.chunk) >= storeMotionAt
}

// reached notes to whom the motion of a piece was sent.
func (c *recorder) reached(name id.Piece, seats []id.Seat) {
	to := c.moving[name]
	to.everybody = to.everybody || len(seats) == 0
	for _, s := range seats {
		if !slices.Contains(to.seats, s) {
			to.seats = append(to.seats, s)
		}
	}
	c.moving[name] = to
}

// endsMotion reports whether an entry ends motion of its piece.
func endsMotion(e *table.Entry) bool { return relocates(e) || e.NewName != 0 }

// end records which recorded motion the entries of a tick end, for those that were sent it: for
// each seat that was sent more than everybody, with the time of its frame.
func (c *recorder) end(p *publication) {
	for i := range p.work.entries {
		e := &p.work.entries[i]
		to, moved := c.moving[e.Name]
		if !moved || !endsMotion(e) {
			continue
		}
		delete(c.moving, e.Name)
		ended := []id.Piece{e.Name}
		if to.everybody {
			c.record(wire.Recorded{At: p.now, Ended: ended})
		}
		for _, seat := range to.seats {
			if at := p.timeFor(seat); at > p.now || !to.everybody {
				c.record(wire.Recorded{At: at, Seats: []id.Seat{seat}, Ended: ended})
			}
		}
	}
}

// lookForEnd notes that entries may end motion that was recorded before the table was loaded. The
// room does not know that motion.
func (c *recorder) lookForEnd(entries []table.Entry) {
	for i := range entries {
		if c.loaded != 0 && !c.ended && endsMotion(&entries[i]) {
			c.ended, c.begun = true, time.Now()
		}
	}
}

// endAll records, once after the table was loaded, that all motion has ended. It takes the time of
// the load, because that shows nobody what goes on in a hand.
func (c *recorder) endAll() {
	if at := c.loaded; at != 0 {
		c.loaded = 0
		c.record(wire.Recorded{At: at, AllEnded: true})
	}
}

// waits reports whether there is something to store.
func (c *recorder) waits() bool { return len(c.chunk) > 0 || c.ended && c.loaded != 0 }

// beat makes what has waited for long due.
func (c *recorder) beat() {
	c.due = c.due || c.waits() && time.Since(c.begun) >= storeMotionAfter
}

// finish makes everything due.
func (c *recorder) finish() { c.due = c.waits() }

func (c *recorder) isDue() bool { return c.due }

// take returns what is to be stored now; nil if there is nothing.
func (c *recorder) take() *RecordedMotion {
	if c.ended {
		c.endAll()
	}
	if len(c.chunk) == 0 {
		return nil
	}
	m := &RecordedMotion{At: c.last, Body: c.chunk}
	c.drop()
	return m
}

// drop forgets what is not stored yet.
func (c *recorder) drop() { c.chunk, c.due = nil, false }

// recordMotion records the motion of a tick, and where published entries end motion. hands has the
// motion that only some seats see.
func (p *publication) recordMotion(hands map[id.Seat][]wire.Segment) {
	c := &p.room.recorder
	if !c.on && len(c.moving) == 0 && c.loaded == 0 {
		return
	}
	c.lookForEnd(p.work.entries)
	c.end(p)
	if !c.on {
		return
	}
	all := wire.Recorded{At: p.now, Segments: slices.Clone(p.pieces)}
	if len(all.Segments) > 0 && c.loaded != 0 {
		all.AllEnded, c.loaded = true, 0
	} else if len(hands) > 0 {
		c.endAll()
	}
	c.record(all)
	for _, seat := range slices.Sorted(maps.Keys(hands)) {
		c.record(wire.Recorded{
			At: p.timeFor(seat), Seats: []id.Seat{seat}, Segments: slices.Clone(hands[seat]),
		})
	}
	if c.failure != nil {
		p.room.log.Error("motion not recorded", "error", c.failure)
	}
}

// Replay is recorded motion as one view was sent it: where pieces were seen at any time (K17). It
// forgets nothing (K10).
type Replay struct {
	seat  id.Seat
	moves map[id.Piece][]move
}

// move is the motion of a piece from the end of the move before it on, until an update ended it.
type move struct {
	from  id.Millis
	curve *curve.Curve
}

// NewReplay returns a replay for the view of a seat; 0: that of spectators.
func NewReplay(seat id.Seat) *Replay {
	return &Replay{seat: seat, moves: map[id.Piece][]move{}}
}

// Sees reports whether the view of a seat was sent what a frame had.
func Sees(f *wire.Recorded, seat id.Seat) bool {
	return len(f.Seats) == 0 || slices.Contains(f.Seats, seat)
}

// Add adds a frame, whose order among the others does not matter between two ends of the motion of
// a piece (K7). The error wraps curve.ErrSegment if a segment breaks a bound (K4).
func (r *Replay) Add(f *wire.Recorded) error {
	if !Sees(f, r.seat) {
		return nil
	}
	ended := f.Ended
	if f.AllEnded {
		ended = slices.Collect(maps.Keys(r.moves))
	}
	for _, name := range ended {
		if len(r.moves[name]) > 0 { // otherwise its motion was dropped (K17)
			next := move{from: f.At, curve: curve.Recording()}
			next.curve.EndMotion(f.At - 1) // as S12 says
			r.moves[name] = append(r.moves[name], next)
		}
	}
	for i := range f.Segments {
		s := &f.Segments[i]
		name := id.Piece(s.ID)
		if len(r.moves[name]) == 0 {
			r.moves[name] = []move{{curve: curve.Recording()}}
		}
		all := r.moves[name]
		if err := all[len(all)-1].curve.Add(s.Curve(f.At)); err != nil {
			return fmt.Errorf("motion of piece %d at %d: %w", name, f.At, err)
		}
	}
	return nil
}

// Pieces returns the pieces with motion, in the order of their names.
func (r *Replay) Pieces() iter.Seq[id.Piece] {
	return slices.Values(slices.Sorted(maps.Keys(r.moves)))
}

// At returns where a piece was seen at an instant, as a client shows it that holds motion (K9). It
// reports false where recorded updates say where it was.
func (r *Replay) At(name id.Piece, t id.Millis) (x, y int32, ok bool) {
	all := r.moves[name]
	i := sort.Search(len(all), func(i int) bool { return all[i].from > t }) - 1
	if i < 0 {
		return 0, 0, false
	}
	v, ok := all[i].curve.Hold(t)
	return v[0], v[1], ok
}

package table

import (
	"math"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// Attached pieces: heavy ones that move, turn and rise with another one (T97).

// Bounds of what is attached.
const (
	MaxAttached      = 64 // pieces of a table that are attached to others
	MaxAttachedDepth = 8  // pieces on which one lies, each on the next
)

// Attachment says that a piece is attached to another one, by the names of both.
type Attachment struct{ Piece, To id.Piece }

// attachedTo returns for each piece what is attached to it, nil if nothing is attached to any.
func attachedTo(all []Attachment) map[id.Piece][]id.Piece {
	var attached map[id.Piece][]id.Piece
	for _, a := range all {
		if attached == nil {
			attached = map[id.Piece][]id.Piece{}
		}
		attached[a.To] = append(attached[a.To], a.Piece)
	}
	return attached
}

// keepsName reports whether a piece that is made again gets its name back, because others refer to
// it: a hand or a container, what belongs to a side of the game (T92), and what is attached to
// something or has something attached to it.
func (t *Table) keepsName(kind uint32, name id.Piece) bool {
	if t.kinds[kind].covers() || t.owned[name] != 0 || t.attached[name] != nil {
		return true
	}
	for _, names := range t.attached {
		for _, n := range names {
			if n == name {
				return true
			}
		}
	}
	return false
}

// eachAttached calls each with the pieces that are attached to p itself and lie openly on the
// table. What may lie in a hand is never attached, nor is what leaves something behind when it
// moves: a hand or a zone.
func (t *Table) eachAttached(p *piece, each func(*piece)) {
	for _, name := range t.attached[p.name] {
		q := t.names[name]
		if q == nil || q.name != name || !t.open(&q.state) || !q.state.Set.IsZero() {
			continue
		}
		if k := t.kind(q); k.Heavy && !k.Hand && !k.isZone() && !t.private(q.state.Kind) {
			each(q)
		}
	}
}

// bringAlong moves and turns what is attached to a piece that was moved or turned (T97).
func (t *Table) bringAlong(p *piece, was *State, seat id.Seat, now id.Millis) {
	s := &p.state
	if len(t.attached[p.name]) == 0 || !t.open(s) || was.In != 0 ||
		s.X == was.X && s.Y == was.Y && s.Angle == was.Angle {
		return
	}
	t.move(p, moveFrom(was, s), seat, now, MaxAttachedDepth)
}

// move moves what is attached to a piece, and what is attached to that.
func (t *Table) move(p *piece, by motion, seat id.Seat, now id.Millis, depth int) {
	if depth == 0 {
		return
	}
	t.looks += uint64(len(t.attached[p.name]))
	t.eachAttached(p, func(q *piece) {
		if q.state.Holder != 0 || t.movedItself(q) {
			return
		}
		s := q.state
		s.X, s.Y = t.Within(by.place(s.X, s.Y))
		s.Angle = (s.Angle + by.turn) % FullTurn
		if s != q.state {
			t.serve(q, OpSettle, seat, now, s)
		}
		t.move(q, by, seat, now, depth-1)
	})
}

// raiseAlong raises what is attached to a piece that has risen above it, so that the piece does not
// cover it (T97.11): directly above the piece, in its order. What lay below the piece before stays.
func (t *Table) raiseAlong(p *piece, was *State, seat id.Seat, now id.Millis) (raised []*piece) {
	s := &p.state
	from := &piece{name: p.name, state: State{Z: was.Z, ZGen: was.ZGen}}
	if len(t.attached[p.name]) == 0 || !t.open(s) || was.In != 0 || !above(p, from) {
		return nil
	}
	raised = t.covered(p, func(q *piece) bool { return above(q, from) && above(p, q) }, nil,
		MaxAttachedDepth)
	if len(raised) == 0 {
		return nil
	}
	slices.SortFunc(raised, t.byDrawing)
	levels, err := zlevel.SpreadBetween(s.Z, t.levelOver(s.Z), len(raised))
	if err != nil {
		return nil // there is no level left. A respread comes long before that (T13)
	}
	for i, q := range raised {
		s := q.state
		s.Z, s.ZGen = levels[i], zGenSelf
		t.serve(q, OpSettle, seat, now, s)
	}
	return raised
}

// covered adds to all what is attached to a piece, and to that, if is holds for it. What somebody
// holds stays, with what is attached to it.
func (t *Table) covered(p *piece, is func(*piece) bool, all []*piece, depth int) []*piece {
	if depth == 0 {
		return all
	}
	t.looks += uint64(len(t.attached[p.name]))
	t.eachAttached(p, func(q *piece) {
		if q.state.Holder != 0 {
			return
		}
		if is(q) {
			all = append(all, q)
		}
		all = t.covered(q, is, all, depth-1)
	})
	return all
}

// levelOver returns the lowest level above z of a piece on the table; "" if there is none.
func (t *Table) levelOver(z zlevel.Level) zlevel.Level {
	last := &piece{name: math.MaxUint32, state: State{Z: z, ZGen: math.MaxUint64}}
	for q := range t.heavy.upwardsFrom(last) {
		return q.state.Z
	}
	return t.light.lowest(nil)
}

// movedItself reports whether the current gesture has moved or turned a piece itself. Then the
// piece lies where its person wants it.
func (t *Table) movedItself(q *piece) bool {
	g := &t.gestures
	if g.current == nil || q.trace.gesture != g.of || q.trace.at < g.current.base {
		return false
	}
	return g.current.changes[q.trace.at-g.current.base].moved
}

// moves reports whether an entry moves or turns its piece itself: not with the one to which it is
// attached.
func (e *Entry) moves() bool {
	b, a := &e.Before, &e.After
	return e.Op != OpSettle && !e.Made && (b.X != a.X || b.Y != a.Y || b.Angle != a.Angle)
}

// motion is how a piece was moved and turned: about its place before, and then to its place now.
type motion struct {
	fromX, fromY, toX, toY float64
	cos, sin               float64
	turn                   int32 // hundredths of a degree
}

func moveFrom(was, s *State) motion {
	turn := (s.Angle - was.Angle + FullTurn) % FullTurn
	m := motion{fromX: float64(was.X), fromY: float64(was.Y), toX: float64(s.X), toY: float64(s.Y),
		turn: turn}
	m.cos, m.sin = direction(turn)
	return m
}

// place returns where a place is after the motion, at most far beyond the table.
func (m *motion) place(x, y int32) (toX, toY int32) {
	dx, dy := float64(x)-m.fromX, float64(y)-m.fromY
	return int32(math.Round(m.toX + dx*m.cos - dy*m.sin)),
		int32(math.Round(m.toY + dx*m.sin + dy*m.cos))
}

// attached weighs what follows with a piece that is moved or turned.
func (w *weighing) attached(p *piece, depth int) {
	w.along(p, depth, func(q *piece) {
		if w.t.coverer(q.state.Kind) {
			w.hands++
		}
	})
}

// raised weighs what is raised with a piece that gets another level.
func (w *weighing) raised(p *piece) {
	w.along(p, MaxAttachedDepth, func(*piece) { w.sets(1) })
}

// along counts an entry of each piece that is attached to p, and to that, and calls more for it.
func (w *weighing) along(p *piece, depth int, more func(*piece)) {
	if depth == 0 {
		return
	}
	w.Looks += len(w.t.attached[p.name])
	w.t.eachAttached(p, func(q *piece) {
		w.Entries++
		w.log(1, q)
		more(q)
		w.along(q, depth-1, more)
	})
}

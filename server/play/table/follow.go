package table

import (
	"cmp"
	"math/bits"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// follow records the server updates that follow from an update of p by a seat: its level for its
// weight (T25), what is attached to it (T97), short levels for long ones (T13), its face in the
// hand in which it lies now (T23), and what follows from its ability.
func (t *Table) follow(p *piece, was *State, seat id.Seat, now id.Millis, u *Update) {
	s := &p.state
	if s.In == 0 && (u.Has&HasZ != 0 || was.In != 0) {
		t.settle(p, now)
	}
	raised := t.raiseAlong(p, was, seat, now)
	t.shorten(p, now)
	for _, q := range raised {
		t.shorten(q, now)
	}
	t.bringAlong(p, was, seat, now)
	if u.Op == OpRelease && seat != 0 && t.giveBack(p, seat, now) {
		return
	}
	if (t.inHand(s) || t.isOnRack(s)) && comes(s, was) {
		t.faceUp(p, seat, now)
	}
	// Most pieces have no ability, and then the state before need not be copied.
	if a := t.kinds[s.Kind].ability(); a != (plain{}) {
		a.follow(t, p, done{op: u.Op, has: u.Has, was: *was, by: seat, now: now})
	}
}

// shorten gives p a short level if it has a long one, even one that the server chose (T13).
func (t *Table) shorten(p *piece, now id.Millis) {
	if p.state.Z.Digits() > zlevel.RespreadDigits {
		t.respread(p, now)
	}
}

// serve records a server update of p. What follows from a rewind belongs to it: whoever is shown
// the past gets a full state then, and no events from before that.
func (t *Table) serve(p *piece, op Op, seat id.Seat, now id.Millis, after State) {
	if t.rewinds {
		op = OpRewind
	}
	e := t.draft()
	e.At, e.Op, e.Seat, e.Server, e.Piece, e.Name, e.Before, e.After = now, op, seat, true, p.oid,
		p.name, p.state, after
	t.seal(e)
}

// faceUp turns a secret piece front up that has come into a hand, whoever dealt it (T23).
func (t *Table) faceUp(p *piece, seat id.Seat, now id.Millis) {
	if s := p.state; t.isBack(&s) {
		s.Face = 0
		t.serve(p, OpReveal, seat, now, s)
	}
}

// comes reports whether a piece comes out of a hand or a container, or into one. That includes a
// piece that is put down in its own hand if that hand got another owner while the piece was held.
func comes(s, was *State) bool { return s.In != was.In || s.Owner != was.Owner }

// turn lays a secret piece that comes out of a hand, or into one, as the server does it: front up
// in a hand, else front down.
func (t *Table) turn(s *State) {
	switch {
	case !t.kinds[s.Kind].Secret:
	case t.inHand(s), t.isOnRack(s):
		if t.isBack(s) {
			s.Face = 0
		}
	default:
		s.Face = 1
	}
}

// covers reports whether a hand or a container covers a point. It stands upright or lies on its
// side: its angle counts in quarter turns.
func (t *Table) covers(h *piece, x, y int32) bool {
	k := t.kind(h)
	w, d := k.Width, k.Height
	if quarters(h.state.Angle)%2 == 1 {
		w, d = d, w
	}
	dx, dy := 2*(x-h.state.X), 2*(y-h.state.Y)
	return dx >= -w && dx <= w && dy >= -d && dy <= d
}

// sorting returns how many looks the sorting of n pieces counts.
func sorting(n int) uint64 { return uint64(n * bits.Len(uint(n))) } //nolint:gosec // not negative

// byLooks orders pieces by what everybody sees of them when they lie front down.
func (t *Table) byLooks(a, b *piece) int {
	looks := func(p *piece) (kind uint32, face int32) {
		if k := t.kind(p); k.Secret {
			return k.Mask, 0
		}
		return p.state.Kind, p.state.Face
	}
	kindA, faceA := looks(a)
	kindB, faceB := looks(b)
	return cmp.Or(cmp.Compare(kindA, kindB), cmp.Compare(faceA, faceB),
		cmp.Compare(a.state.Value, b.state.Value))
}

// sorted returns the pieces in the order of their names. The caller must not change the slice.
func (t *Table) sorted() []*piece {
	if t.listed == nil {
		// Sorting without access to the pieces is three times as fast.
		named := make([]namedPiece, 0, len(t.pieces))
		for _, p := range t.pieces {
			named = append(named, namedPiece{p.name, p})
		}
		slices.SortFunc(named, func(a, b namedPiece) int { return cmp.Compare(a.name, b.name) })
		t.listed = make([]*piece, len(named))
		for i := range named {
			t.listed[i] = named[i].piece
		}
	}
	return t.listed
}

type namedPiece struct {
	name  id.Piece
	piece *piece
}

// bySight orders pieces by where they lie and by what everybody sees of them, then by their random
// names.
func (t *Table) bySight(a, b *piece) int {
	return cmp.Or(cmp.Compare(a.state.X, b.state.X), cmp.Compare(a.state.Y, b.state.Y),
		cmp.Compare(a.state.Angle, b.state.Angle), t.byLooks(a, b), byName(a, b))
}

func byName(a, b *piece) int { return cmp.Compare(a.name, b.name) }

// byAge orders pieces by when they were made: identifiers rise (O1).
func byAge(a, b *piece) int { return slices.Compare(a.oid[:], b.oid[:]) }

// top returns a level above all others of the weight class, p not counted.
func (t *Table) top(heavy bool, p *piece) (zlevel.Level, error) {
	if heavy {
		return zlevel.Between(t.heavy.highest(p), t.light.lowest(p))
	}
	return zlevel.Above(cmp.Or(t.light.highest(p), t.heavy.highest(p)))
}

// bottom returns a level below all others of the weight class, p not counted.
func (t *Table) bottom(heavy bool, p *piece) (zlevel.Level, error) {
	if heavy {
		return zlevel.Below(cmp.Or(t.heavy.lowest(p), t.light.lowest(p)))
	}
	return zlevel.Between(t.heavy.highest(p), t.light.lowest(p))
}

// settle corrects the level of p if it is on the wrong side of the other weight class (T25).
func (t *Table) settle(p *piece, now id.Millis) {
	over, under := t.heavy.highest(p), t.light.lowest(p)
	if t.kind(p).Heavy {
		if under == "" || p.state.Z < under {
			return
		}
	} else if p.state.Z > over {
		return
	}
	z, err := zlevel.Between(over, under)
	if err != nil {
		// This cannot happen: over lies below under, and both have at most RespreadDigits digits.
		return
	}
	s := p.state
	s.Z, s.ZGen = z, zGenSelf
	t.serve(p, OpSettle, 0, now, s)
}

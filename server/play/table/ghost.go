package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// MaxGhosts is the most ghosts of an undo that a view is shown (T63.26).
const MaxGhosts = 256

// Ghost says where a piece would lie after an undo, as a view may know it (T63.26, T63.27). It is
// comparable.
type Ghost struct {
	Piece id.Piece // the piece as it is named now; 0: the view may not know which one it is
	Into  id.Piece // the hand or the container that takes it; 0: it comes to lie at X, Y
	Goes  bool     // the gesture made it: it is removed
	X, Y  int32
	Angle int32
	// Kind has the shape of a piece that Piece does not name. It is a mask in place of a secret kind.
	Kind uint32
}

func compareGhosts(a, b Ghost) int {
	return cmp.Or(
		cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Into, b.Into), cmp.Compare(a.X, b.X),
		cmp.Compare(a.Y, b.Y), cmp.Compare(a.Angle, b.Angle), cmp.Compare(a.Kind, b.Kind),
	)
}

// Ghosts returns where the pieces of an undo would lie, as the view of a seat may know it, in an
// order that tells nothing more. Nothing may have been recorded since Undoable returned u.
func (t *Table) Ghosts(u *Undo, seat id.Seat) []Ghost {
	v := t.view(seat).seat
	var all []Ghost
	for _, c := range u.changes {
		if g, ok := t.ghost(c, v); ok {
			all = append(all, g)
		}
	}
	for _, box := range u.boxes { // that the gesture shuffled, or into which something goes back
		if !t.kind(box).Uncounted {
			all = append(all, Ghost{Into: box.name})
		}
	}
	slices.SortFunc(all, compareGhosts)
	all = slices.Compact(all)
	return all[:min(len(all), MaxGhosts)]
}

// ghost returns what the view v may know of where a piece would lie, and whether it may know
// anything.
func (t *Table) ghost(c undoing, v id.Seat) (g Ghost, ok bool) {
	b, sees := &c.before, c.p != nil && t.sees(&c.p.state, v)
	if sees {
		g.Piece = c.p.name
	}
	if c.made {
		g.Goes = sees
		return g, sees
	}
	saw := t.saw(b, v)
	in := t.names[b.In]
	if saw && (in == nil || c.p != nil && b.In == c.p.state.In) {
		g.X, g.Y, g.Angle = b.X, b.Y, b.Angle
		// A piece that was out of sight meanwhile could be another one.
		if !sees || t.find(c.was, v) != c.p {
			g.Piece, g.Kind = 0, b.Kind
			if k := &t.kinds[b.Kind]; k.Secret {
				g.Kind = k.Mask
			}
		}
		return g, true
	}
	stayed := c.after.In == b.In // nobody else knows what is done within a hand
	if in == nil || !saw && (stayed || !t.knowsWay(b, in, sees)) {
		return Ghost{}, false
	}
	g.Into = in.name
	return g, true
}

// saw reports whether the view v was shown a piece in that state when it lay so.
func (t *Table) saw(s *State, v id.Seat) bool {
	return t.open(s) || t.inHand(s) && (s.Owner == v || s.Team.Has(v))
}

// knowsWay reports whether everybody knows that a piece in that state lay in the hand or the
// container in. sees says that the view sees the piece now: it came out of a container before
// everybody's eyes.
func (t *Table) knowsWay(s *State, in *piece, sees bool) bool {
	if t.inContainer(s) {
		return sees || !t.kind(in).Uncounted
	}
	for _, h := range t.hands.all {
		if h.state.Owner == s.Owner && (h != in || t.kind(h).Uncounted) {
			return false
		}
	}
	return true
}

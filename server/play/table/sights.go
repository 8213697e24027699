package table

import (
	"iter"
	"slices"

	"holt/server/id"
)

// Sight says where a view sees a piece, and of which kind. The kind of a concealed piece is its
// mask (T22).
type Sight struct {
	Name  id.Piece
	Kind  uint32
	X, Y  int32 // centre, in table units of 0.1 mm
	Angle int32 // hundredths of a degree, clockwise
}

// Visible goes through the pieces that the view of seat sees, the uppermost first (T13): first what
// lies in the hands into which it sees, then light pieces, then heavy ones. A held piece is where
// it was taken up. The table must not change meanwhile.
func (t *Table) Visible(seat id.Seat) iter.Seq[Sight] {
	view := t.view(seat).seat
	return func(yield func(Sight) bool) {
		for _, p := range t.handful(view) {
			if !yield(t.sight(p, view)) {
				return
			}
		}
		for _, o := range []*order{&t.light, &t.heavy} {
			for p := range o.downwards(nil) {
				if t.sees(&p.state, view) && !yield(t.sight(p, view)) {
					return
				}
			}
		}
	}
}

// SightOf returns where the view of seat sees the piece that it calls, or has called, by that name
// (T21). It reports false if the name means nothing to the view.
func (t *Table) SightOf(seat id.Seat, name id.Piece) (Sight, bool) {
	view := t.view(seat).seat
	p := t.find(name, view)
	if p == nil {
		return Sight{}, false
	}
	return t.sight(p, view), true
}

// handful returns what lies in the hands into which a view sees, the uppermost first.
func (t *Table) handful(view id.Seat) []*piece {
	var all []*piece
	for _, h := range t.holds {
		for g, o := range h.orders() {
			// Where the owner is 0 it is a container.
			if g.owner == 0 || g.owner != view && !g.team.Has(view) && !t.isOpened(view, g.owner) {
				continue
			}
			all = slices.AppendSeq(all, o.downwards(nil))
		}
	}
	slices.SortFunc(all, func(a, b *piece) int {
		switch {
		case above(a, b):
			return -1
		case above(b, a):
			return 1
		default:
			return 0
		}
	})
	return all
}

func (t *Table) sight(p *piece, view id.Seat) Sight {
	m := t.mask(p.state, view)
	return Sight{Name: p.name, Kind: m.Kind, X: m.X, Y: m.Y, Angle: m.Angle}
}

package table

import (
	"cmp"
	"iter"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// hold is what lies in a hand or in a container. A viewer who sees into a hand sees either all
// pieces of a group there or none. So each group has a drawing order of its own: no level depends
// on a piece that some viewer of the group does not see (T21).
type hold struct {
	first  order            // the order of one group: see of
	of     group            // the group of first, while first is not empty
	others map[group]*order // the orders of other groups; none is empty
	counts map[uint32]int   // by sort, see Table.sortOf
	plain  int              // number of pieces that everybody would see in a hand
	native int              // number of pieces whose home this is
}

// group names the viewers of pieces in a hand. A hand has several groups while somebody holds
// pieces that belonged to its last owner or team. In a container, where nobody sees anything, the
// group is zero.
type group struct {
	owner id.Seat
	team  Team
}

// groupOf returns the group of a piece that lies in a hand or in a container.
func groupOf(s *State) group { return group{owner: s.Owner, team: s.Team} }

// nothing is the order of an empty group. It is never changed.
var nothing order

// order returns the drawing order of a group.
func (h *hold) order(g group) *order {
	switch {
	case h == nil:
		return &nothing
	case h.first.n > 0 && h.of == g:
		return &h.first
	case h.others[g] != nil:
		return h.others[g]
	default:
		return &nothing
	}
}

// orders goes through the groups that have pieces there, with their drawing orders.
func (h *hold) orders() iter.Seq2[group, *order] {
	return func(yield func(group, *order) bool) {
		if h.first.n > 0 && !yield(h.of, &h.first) {
			return
		}
		for g, o := range h.others {
			if !yield(g, o) {
				return
			}
		}
	}
}

// insert adds p to the drawing order of its group. A hand nearly always has one group, so the first
// group needs no map.
func (h *hold) insert(p *piece) {
	g := groupOf(&p.state)
	o := h.order(g)
	switch {
	case o != &nothing:
	case h.first.n == 0:
		h.of, o = g, &h.first
	default:
		if h.others == nil {
			h.others = map[group]*order{}
		}
		o = &order{}
		h.others[g] = o
	}
	o.insert(p)
}

// remove removes p from the drawing order of its group.
func (h *hold) remove(p *piece) {
	g := groupOf(&p.state)
	o := h.order(g)
	if o.remove(p); o.n == 0 && o != &h.first {
		delete(h.others, g)
	}
}

// sortOf returns the sort as which a piece is counted (T29): one more than its mask, or 0 if its
// kind is not secret.
func (t *Table) sortOf(kind uint32) uint32 {
	if k := &t.kinds[kind]; k.Secret {
		return k.Mask + 1
	}
	return 0
}

// stack returns the order in which a piece in that state is drawn, or lies.
func (t *Table) stack(s *State) *order {
	if s.In != 0 {
		return t.holds[s.In].order(groupOf(s))
	}
	if t.kinds[s.Kind].Heavy {
		return &t.heavy
	}
	return &t.light
}

func (t *Table) hold(in id.Piece) *hold {
	h := t.holds[in]
	if h == nil {
		h = &hold{counts: map[uint32]int{}}
		t.holds[in] = h
	}
	return h
}

// stackUp inserts p into the order in which it is drawn, or lies.
func (t *Table) stackUp(p *piece) {
	if in := p.state.In; in != 0 {
		t.hold(in).insert(p)
	} else {
		t.stack(&p.state).insert(p)
	}
}

// unstack removes p from the order in which it is drawn, or lies.
func (t *Table) unstack(p *piece) {
	if in := p.state.In; in != 0 {
		t.holds[in].remove(p)
	} else {
		t.stack(&p.state).remove(p)
	}
}

// Tally says how many pieces of a sort lie in a hand or a container (T29).
type Tally struct {
	Piece id.Piece // the hand or container; 0: there is nothing to publish
	Sort  uint32   // one more than the mask; 0: kinds that are not secret
	Count int
}

// tally counts a piece in that state in, or out, and returns the number to publish.
func (t *Table) tally(s *State, by int) Tally {
	if s.In == 0 || s.Gone {
		return Tally{}
	}
	h, sort := t.hold(s.In), t.sortOf(s.Kind)
	if h.counts[sort] += by; h.counts[sort] == 0 {
		delete(h.counts, sort)
	}
	if !t.private(s.Kind) {
		h.plain += by
	}
	if s.Home == s.In {
		h.native += by
	}
	n := h.counts[sort]
	if len(h.counts) == 0 {
		delete(t.holds, s.In)
	}
	if p := t.names[s.In]; p == nil || t.kind(p).Uncounted {
		return Tally{}
	}
	return Tally{Piece: s.In, Sort: sort, Count: n}
}

// Counts returns the numbers to publish of what lies in hands and containers (T29), in the order of
// their names.
func (t *Table) Counts() []Tally {
	var all []Tally
	for name, h := range t.holds {
		if p := t.names[name]; p == nil || t.kind(p).Uncounted {
			continue
		}
		for sort, n := range h.counts {
			all = append(all, Tally{Piece: name, Sort: sort, Count: n})
		}
	}
	slices.SortFunc(all, func(a, b Tally) int {
		return cmp.Or(cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Sort, b.Sort))
	})
	return all
}

// putDown gives a piece that is put down, in state s, to the hand, the container or the table where
// it lies (T23, T29). It looks for containers if into is set. level says that the update has set
// the level.
func (t *Table) putDown(s *State, was *State, into, level bool) {
	if s.Holder != 0 {
		return
	}
	t.settleIn(s)
	// The hand belongs to somebody else by now.
	if s.In != 0 && s.In == was.In && comes(s, was) {
		s.Angle = upright(t.names[s.In])
		*s = t.kinds[s.Kind].ability().moved(*s)
	}
	if into && s.In == 0 && !t.isOnRack(s) {
		if c := t.containerAt(s); c != nil {
			t.stow(s, c)
		}
	}
	t.relevel(s, was, level)
}

// relevel gives a piece that has come into another order a level there: on top, unless the update
// has set one. A piece that comes out of the sight of others gets a new level in any case (T21).
// Within a hand a piece comes into another order when its viewers change.
func (t *Table) relevel(s, was *State, level bool) {
	if s.In == was.In && (s.In == 0 || groupOf(s) == groupOf(was)) {
		return
	}
	if !level || t.inContainer(s) {
		// On an error it keeps its level, and a respread follows.
		if z, err := t.uppermost(s, nil); err == nil {
			s.Z = z
		}
	}
	s.ZGen = zGenSelf
}

// uppermost returns a level above all others of the order in which s lies, p not counted.
func (t *Table) uppermost(s *State, p *piece) (zlevel.Level, error) {
	if s.In != 0 {
		return zlevel.Above(t.stack(s).highest(p))
	}
	return t.top(t.kinds[s.Kind].Heavy, p)
}

// undermost returns a level below all others of the order in which s lies, p not counted.
func (t *Table) undermost(s *State, p *piece) (zlevel.Level, error) {
	if s.In != 0 {
		return zlevel.Below(t.stack(s).lowest(p))
	}
	return t.bottom(t.kinds[s.Kind].Heavy, p)
}

package table

import (
	"cmp"
	"slices"

	"holt/server/id"
	"holt/server/zlevel"
)

// hold is what lies in a hand or in a container: an order of its own, so that nothing about it depends on what lies
// elsewhere, or tells of it (T21).
type hold struct {
	order  order
	counts map[uint32]int // by sort
}

// sort is as what a piece is counted (T29): its mask, one more than its number, or 0.
func (t *Table) sort(kind uint32) uint32 {
	if k := &t.kinds[kind]; k.Secret {
		return k.Mask + 1
	}
	return 0
}

// stack returns the order in which a piece in that state is drawn, or lies.
func (t *Table) stack(s *State) *order {
	if s.In != 0 {
		return &t.hold(s.In).order
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

// Tally says how many pieces of a sort lie in a hand or a container (T29).
type Tally struct {
	Piece id.Piece // the hand or container; 0: there is nothing to tell
	Sort  uint32   // mask, one more than its number; 0: other kinds
	Count int
}

// tally counts a piece in that state in, or out, and returns what is to be told of it.
func (t *Table) tally(s *State, by int) Tally {
	if s.In == 0 || s.Gone {
		return Tally{}
	}
	h, sort := t.hold(s.In), t.sort(s.Kind)
	if h.counts[sort] += by; h.counts[sort] == 0 {
		delete(h.counts, sort)
	}
	n := h.counts[sort]
	if len(h.counts) == 0 {
		delete(t.holds, s.In)
	}
	if p := t.names[s.In]; p == nil || t.kinds[p.state.Kind].Uncounted {
		return Tally{}
	}
	return Tally{Piece: s.In, Sort: sort, Count: n}
}

// Holds returns what is to be told of what lies in hands and containers (T29), in the order of their names.
func (t *Table) Holds() []Tally {
	var all []Tally
	for name, h := range t.holds {
		if p := t.names[name]; p == nil || t.kinds[p.state.Kind].Uncounted {
			continue
		}
		for sort, n := range h.counts {
			all = append(all, Tally{Piece: name, Sort: sort, Count: n})
		}
	}
	slices.SortFunc(all, func(a, b Tally) int { return cmp.Or(cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Sort, b.Sort)) })
	return all
}

// settleIn gives a piece that nobody holds to the hand that it lies in, or takes it out of one (T23). It reports
// whether anything of that has changed.
func (t *Table) settleIn(s *State) bool {
	if !t.private(s.Kind) || t.inContainer(s) {
		return false
	}
	was := *s
	s.Owner, s.Team, s.In = 0, "", 0
	if h := t.handAt(&was); h != nil {
		s.Owner, s.Team, s.In = h.state.Owner, h.state.Team, h.name
		if s.In != was.In {
			s.Angle = upright(h)
		}
	}
	return *s != was
}

// upright returns how pieces are turned that come into a hand: as it is. One that kept its own angle could be told by it
// when it comes out again (T21).
func upright(hand *piece) int32 {
	return quarters(hand.state.Angle) * (FullTurn / 4)
}

// putDown says where a piece belongs that is put down where s says: to a hand, to a container if into is set, or to the
// table (T23, T29). level is set if the update has given it one.
func (t *Table) putDown(s *State, was *State, into, level bool) {
	if s.Holder != 0 {
		return
	}
	t.settleIn(s)
	if into && s.In == 0 {
		if c := t.containerAt(s); c != nil {
			t.stow(s, c)
		}
	}
	t.relevel(s, was, level)
}

// stow puts a piece into a container, on top.
func (t *Table) stow(s *State, c *piece) {
	s.X, s.Y, s.Angle, s.Holder, s.Pinned, s.Locked = 0, 0, 0, 0, false, false
	s.Owner, s.Team, s.In = 0, "", c.name
	if t.kinds[s.Kind].Secret {
		s.Face = 1
	}
	if s.Home == 0 {
		s.Home = c.name
	}
}

// relevel gives a piece that has come into another order a level there: on top, unless it has been given one. One that
// comes out of the sight of others has a new one in any case (T21).
func (t *Table) relevel(s, was *State, level bool) {
	if s.In == was.In {
		return
	}
	if !level || t.inContainer(s) {
		if z, err := t.uppermost(s, nil); err == nil { // else it keeps the one that it has, and a respread follows
			s.Z = z
		}
	}
	s.ZGen = zGenSelf
}

// uppermost returns a level above all others of the order in which s lies, p not counted.
func (t *Table) uppermost(s *State, p *piece) (zlevel.Level, error) {
	if s.In != 0 {
		return zlevel.Above(t.stack(s).highestOf(s.Owner, p))
	}
	return t.top(t.kinds[s.Kind].Heavy, p)
}

// undermost returns a level below all others of the order in which s lies, p not counted.
func (t *Table) undermost(s *State, p *piece) (zlevel.Level, error) {
	if s.In != 0 {
		return zlevel.Below(t.stack(s).lowestOf(s.Owner, p))
	}
	return t.bottom(t.kinds[s.Kind].Heavy, p)
}

// containerAt returns the uppermost container over whose place s is put and which takes it, nil if there is none.
func (t *Table) containerAt(s *State) *piece {
	var top *piece
	for _, c := range t.containers {
		if t.takes(c, s) && t.covers(c, s.X, s.Y) && (top == nil || above(c, top)) {
			top = c
		}
	}
	return top
}

// takes reports whether a container takes a piece in that state (T29).
func (t *Table) takes(c *piece, s *State) bool {
	k, of := &t.kinds[s.Kind], &t.kinds[c.state.Kind].Container
	return of.Holds && !k.Heavy && s.Set == c.state.Set && (!of.Masked || k.Secret && k.Mask == of.Takes)
}

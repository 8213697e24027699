package table

import (
	"cmp"
	"fmt"
	"slices"

	"holt/server/id"
)

// amissRanks returns which pieces of one level lie in another order than that of their ranks.
func amissRanks(t *Table) string {
	all := slices.Clone(t.sorted())
	all = slices.DeleteFunc(all, func(p *piece) bool { return t.inContainer(&p.state) })
	slices.SortFunc(all, func(a, b *piece) int {
		x, y := &a.state, &b.state
		return cmp.Or(cmp.Compare(x.In, y.In), cmp.Compare(x.Z, y.Z),
			cmp.Compare(x.ZGen, y.ZGen))
	})
	for i, p := range all[:max(len(all)-1, 0)] {
		q := all[i+1]
		if !p.state.sameLevel(&q.state) || t.stack(&p.state) != t.stack(&q.state) {
			continue
		}
		if p.trace.rank > q.trace.rank {
			return fmt.Sprintf("piece %d of level %s and rank %d lies below piece %d of rank %d",
				p.name, p.state.Z, p.trace.rank, q.name, q.trace.rank)
		}
		for _, v := range t.everyView() {
			x, y := v.mark(p.state.ZGen), v.mark(q.state.ZGen)
			if t.sees(&p.state, v.seat) && t.sees(&q.state, v.seat) &&
				(x > y || x == y && p.name > q.name) {
				return fmt.Sprintf("piece %d of level %s and version %d lies below piece %d of version %d",
					p.name, p.state.Z, x, q.name, y)
			}
		}
	}
	return ""
}

// Amiss returns what is wrong with the indexes of a table, or which piece lies where it does not
// belong though nobody holds it; "" if nothing is.
func Amiss(t *Table) string {
	homes, sets, ground := map[id.Piece]int{}, map[id.OID]int{}, map[cell]int{}
	var long lengths
	for _, p := range t.pieces {
		s := p.state
		long.count(&s, 1)
		if s.Home != 0 {
			homes[s.Home]++
		}
		if !s.Set.IsZero() {
			sets[s.Set]++
		}
		if t.grounded(&s) {
			ground[cellAt(s.X, s.Y)]++
		}
		in := []bool{
			slices.Contains(t.homes[s.Home].all(), p) == (s.Home != 0),
			slices.Contains(t.members[s.Set].all(), p) == !s.Set.IsZero(),
			slices.Contains(t.ground[cellAt(s.X, s.Y)].all(), p) == t.grounded(&s),
			slices.Contains(t.hands.all, p) == t.ownedHand(p),
			slices.Contains(t.containers.all, p) == t.kinds[s.Kind].Container.Holds,
		}
		if at := slices.Index(in, false); at >= 0 {
			return fmt.Sprintf("piece %d is in or not in index %d", p.name, at)
		}
		if s.Holder == 0 && t.settleIn(&s) {
			return fmt.Sprintf("piece %d lies as %+v, and belongs as %+v", p.name, p.state, s)
		}
		if s := &p.state; !slices.Contains(coverings(t, &t.hands, s), t.handAt(s)) &&
			t.handAt(s) != nil {
			return fmt.Sprintf("piece %d lies in a hand that is not over it", p.name)
		}
	}
	if why := amissRanks(t); why != "" {
		return why
	}
	for name, h := range t.holds {
		if why := amiss(t, name, h); why != "" {
			return why
		}
	}
	switch {
	case len(homes) != len(t.homes), len(sets) != len(t.members), len(ground) != len(t.ground):
		return fmt.Sprintf("%d, %d, %d groups instead of %d, %d, %d",
			len(t.homes), len(t.members), len(t.ground), len(homes), len(sets), len(ground))
	case long != t.lengths:
		return fmt.Sprintf("levels are counted %+v, are %+v", t.lengths, long)
	}
	return ""
}

// coverings returns all pieces of a cover that lie over a place. It looks at each.
func coverings(t *Table, c *cover, s *State) (all []*piece) {
	for _, p := range c.all {
		if t.covers(p, s.X, s.Y) {
			all = append(all, p)
		}
	}
	return all
}

// amiss returns what is wrong with the counts of what lies in a hand or a container.
func amiss(t *Table, name id.Piece, h *hold) string {
	plain, native := 0, 0
	for g, o := range h.orders() {
		all := o.all()
		if len(all) == 0 {
			return fmt.Sprintf("%d has the order of a group of which nothing lies there", name)
		}
		for _, p := range all {
			if groupOf(&p.state) != g {
				return fmt.Sprintf("%d has %d in the order of another group", name, p.name)
			}
			if !t.private(p.state.Kind) {
				plain++
			}
			if p.state.Home == name {
				native++
			}
		}
		if len(all) != o.n {
			return fmt.Sprintf("%d holds %d of a group, counted are %d", name, len(all), o.n)
		}
	}
	if plain != h.plain || native != h.native {
		return fmt.Sprintf("%d holds %d that are not private, %d at home; counted are %d, %d",
			name, plain, native, h.plain, h.native)
	}
	return ""
}

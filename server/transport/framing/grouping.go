package framing

import (
	"holt/server/id"
	"holt/server/tables/wire"
)

// grouping finds out which parts of a frame have pieces in common. Its fields are reusable memory.
type grouping struct {
	lane   map[id.Piece]int // the first part about each piece
	leader []int            // for each part one of its group; the lowest of a group has itself
	place  []int            // for each leader the index of its group
	groups [][]wire.Part
}

// of returns the groups of parts that have pieces in common, directly or by other parts, in the
// order of their first parts. Parts that are about no piece form one group. The result is valid
// until the next call. It returns false if there would be more than maxMessages groups.
func (g *grouping) of(parts []wire.Part) ([][]wire.Part, bool) {
	if g.lane == nil {
		g.lane = map[id.Piece]int{}
	}
	clear(g.lane)
	g.leader, g.place = g.leader[:0], g.place[:0]
	for i := range parts {
		g.leader, g.place = append(g.leader, i), append(g.place, 0)
		for _, piece := range parts[i].Pieces {
			g.meet(piece, i)
		}
		if len(parts[i].Pieces) == 0 {
			g.meet(0, i)
		}
	}
	return g.collect(parts)
}

// meet records that part i is about a piece; 0 stands for no piece.
func (g *grouping) meet(piece id.Piece, i int) {
	first, ok := g.lane[piece]
	if !ok {
		g.lane[piece] = i
		return
	}
	a, b := g.find(first), g.find(i)
	g.leader[max(a, b)] = min(a, b)
}

// find returns the leader of the group of part i.
func (g *grouping) find(i int) int {
	for g.leader[i] != i {
		// It halves the path, so that the next search is faster.
		g.leader[i] = g.leader[g.leader[i]]
		i = g.leader[i]
	}
	return i
}

// collect puts the parts into their groups.
func (g *grouping) collect(parts []wire.Part) ([][]wire.Part, bool) {
	n := 0
	for i := range parts {
		if g.find(i) == i {
			g.place[i] = n
			n++
		}
	}
	if n > maxMessages {
		return nil, false
	}
	for len(g.groups) < n {
		g.groups = append(g.groups, nil)
	}
	groups := g.groups[:n]
	for k := range groups {
		groups[k] = groups[k][:0]
	}
	for i := range parts {
		k := g.place[g.find(i)]
		groups[k] = append(groups[k], parts[i])
	}
	return groups, true
}

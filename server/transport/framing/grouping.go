package framing

import (
	"holt/server/id"
	"holt/server/tables/wire"
)

// grouping finds out which parts of a frame share lanes. It has nothing but storage.
type grouping struct {
	lane   map[id.Piece]int // the first part of each
	leader []int            // of each part one that it goes with, itself if it leads; the lowest of a group does
	place  []int            // of each leader which group it leads
	groups [][]wire.Part
}

// of returns the groups of parts that share lanes, directly or by others, in the order of their first ones; those that are about no
// piece go together. It is good until the next call. It reports false if there are more than maxMessages.
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

// meet notes that part i is in a lane.
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
		g.leader[i] = g.leader[g.leader[i]] // so that the way is half as long the next time
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

package bench

import (
	"testing"

	"holt/server/id"
)

// TestDeliveriesOfATrack shows how the moves of a seat are compared with those that a player
// received: each is delivered, folded into a later one, covered by a full state, missing or
// doubled.
func TestDeliveriesOfATrack(t *testing.T) {
	const me, other, third = 1, 2, 3
	recorded := func(player int, drag uint64) moved {
		return moved{player: player, drag: drag, recorded: true}
	}
	at := func(m moved, when int) moved {
		m.at = msec(when)
		return m
	}
	lost := moved{player: other, drag: 1}
	for name, row := range map[string]struct {
		moves   []moved
		got     []int
		wholeAt int
		want    deliveries
	}{
		"all arrived": {
			moves: []moved{recorded(other, 1), recorded(other, 1)}, got: []int{0, 1},
		},
		"one's own are not expected": {moves: []moved{recorded(me, 1), recorded(me, 1)}},
		"an unrecorded one is not expected": {
			moves: []moved{lost, recorded(other, 1)}, got: []int{1},
		},
		"one did not arrive": {
			moves: []moved{recorded(other, 1)}, want: deliveries{missing: 1},
		},
		"an arrival without a record": {
			moves: []moved{lost}, got: []int{0}, want: deliveries{doubled: 1},
		},
		"S10 covered by a later one": {
			moves: []moved{recorded(other, 1), recorded(other, 1), recorded(other, 1)},
			got:   []int{2}, want: deliveries{folded: 2},
		},
		"S10 not covered by an earlier one": {
			moves: []moved{recorded(other, 1), recorded(other, 1)}, got: []int{0},
			want: deliveries{missing: 1},
		},
		"S10 not covered by one of another drag": {
			moves: []moved{recorded(other, 1), recorded(other, 2)}, got: []int{1},
			want: deliveries{missing: 1},
		},
		"S10 two players of a seat in turn": {
			moves: []moved{recorded(other, 1), recorded(third, 2), recorded(other, 1)},
			got:   []int{2}, want: deliveries{folded: 1, missing: 1},
		},
		"S5 before a full state": {
			moves: []moved{at(recorded(other, 1), 9), at(recorded(other, 1), 10)}, wholeAt: 10,
			want: deliveries{covered: 1, missing: 1},
		},
		"S5 arrived later, with or without a full state": {
			moves: []moved{at(recorded(other, 1), 9), at(recorded(other, 1), 11)}, got: []int{1},
			wholeAt: 10, want: deliveries{folded: 1},
		},
		"one does not make up for another": {
			moves: []moved{lost, recorded(other, 2)}, got: []int{0},
			want: deliveries{missing: 1, doubled: 1},
		},
		"an unknown one is not counted": {},
	} {
		t.Run(name, func(t *testing.T) {
			var got numbers
			for _, n := range row.got {
				got.add(n)
			}
			var d deliveries
			d.count(&track{moves: row.moves}, me, got, msec(row.wholeAt))
			if d != row.want {
				t.Errorf("%+v, want %+v", d, row.want)
			}
		})
	}
}

// TestDeliveriesOfAll shows that deliveries are summed over all players and the seats of the
// others.
func TestDeliveriesOfAll(t *testing.T) {
	// The first two players share a seat.
	both := &track{moves: []moved{
		{player: 0, drag: 1, recorded: true}, {player: 1, drag: 2, recorded: true},
	}}
	one := &track{moves: []moved{{player: 2, drag: 3, recorded: true}}}
	all := func(n ...int) (s numbers) {
		for _, n := range n {
			s.add(n)
		}
		return s
	}
	p := &run{tracks: []*track{nil, both, one}, players: []*player{
		{index: 0, got: map[id.Seat]numbers{1: all(1), 2: all(0)}},
		{index: 1, got: map[id.Seat]numbers{1: all(0)}}, // it lacks the move of seat 2
		{index: 2, got: map[id.Seat]numbers{1: all(0, 1)}, doubled: 2},
	}}
	if d, want := p.deliveries(), (deliveries{missing: 1, doubled: 2}); d != want {
		t.Errorf("%+v, want %+v", d, want)
	}
}

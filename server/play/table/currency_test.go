package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestHeapsThatStay shows which heaps do not merge although one is released on the other (T34).
func TestHeapsThatStay(t *testing.T) {
	for _, row := range []struct {
		name string
		sets map[id.Piece]id.OID         // of the heaps that are parts of sets
		lock func(host *tab, p id.Piece) // while it is held
		gone bool
	}{
		{name: "T34.3 one that is free merges", gone: true},
		{
			name: "T34.7 one that is pinned itself",
			lock: func(host *tab, p id.Piece) { host.do(table.OpPin, p) },
		},
		{
			name: "T34.7 one that is locked itself",
			lock: func(host *tab, p id.Piece) { host.do(table.OpLock, p) },
		},
		{
			name: "T34.10 a part of a set on a heap of the table",
			sets: map[id.Piece]id.OID{worldChips: guestDie},
		},
		{
			name: "T34.10 a heap of the table on a part of a set",
			sets: map[id.Piece]id.OID{worldChipsTwo: guestDie},
		},
		{
			name: "T34.10 a part on another one of its set",
			sets: map[id.Piece]id.OID{worldChips: guestDie, worldChipsTwo: guestDie},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			places := world()
			for p, set := range row.sets {
				places[p-1].State.Set, places[p-1].State.Part = set, uint32(p)
			}
			s := serve(t, 1, places)
			ada := s.join(1)
			target := s.state(worldChipsTwo)
			ada.do(table.OpGrab, worldChips)
			if row.lock != nil {
				row.lock(ada, worldChips)
			}
			ada.do(table.OpRelease, worldChips, at(target.X, target.Y))
			one, two := s.state(worldChips), s.state(worldChipsTwo)
			value := int32(100)
			if row.gone {
				value = 200
			}
			if one.Gone != row.gone || one.Holder != 0 || two.Gone || two.Value != value {
				t.Errorf("they are %+v and %+v", one, two)
			}
		})
	}
}

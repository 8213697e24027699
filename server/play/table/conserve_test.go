package table_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// possession is what exists at a table: the total of each currency, and the number of pieces of
// each secret kind (T26, T34).
type possession map[uint32]int

// count adds a piece in a state, or subtracts it.
func (p possession) count(s *table.State, by int) {
	switch k := &kinds[s.Kind]; {
	case s.Gone, !s.Set.IsZero(): // guests: the table learns and forgets their kinds
	case k.Currency != 0:
		p[s.Kind] += by * int(s.Value)
	case k.Secret:
		p[s.Kind] += by
	}
}

// checkConserved checks that an update has neither created nor destroyed anything, unless it adds,
// copies or deletes, or takes from a supply.
func (s *server) checkConserved(entries []table.Entry) {
	s.t.Helper()
	change := possession{}
	heap := slices.ContainsFunc(entries, func(e table.Entry) bool {
		return e.Op == table.OpSplit && !e.Made
	})
	for i := range entries {
		e := &entries[i]
		if e.Op == table.OpSplit && !heap { // of a supply
			continue
		}
		if e.Who != nil || e.Set != nil || e.Fact != nil || e.Op == table.OpTake ||
			(e.Op == table.OpUndo || e.Op == table.OpRewind) && s.remakes || e.Rewound != nil ||
			e.Op == table.OpAdd || e.Op == table.OpCopy || e.Op == table.OpDelete {
			continue
		}
		if !e.Made {
			change.count(&e.Before, -1)
		}
		change.count(&e.After, +1)
	}
	for kind, n := range change {
		if n != 0 {
			s.fatalf("T26, T34: there is %+d of kind %d: %+v", n, kind, entries)
		}
	}
}

// possession returns what exists on the table and in containers.
func (s *server) possession() possession {
	all := possession{}
	for _, is := range s.truth.states {
		all.count(&is, +1)
	}
	return all
}

// TestT34Conservation shows that no card and no coin is lost or doubled. Four tabs and their links
// do 30,000 random things, everything except adding, copying and deleting, with breaks and
// restarts in between.
// Clauses: T34.12
func TestT34Conservation(t *testing.T) {
	if *seedFlag != 0 {
		conserve(t, *seedFlag)
		return
	}
	first, enough := firstSeed("steps"), max(*stepsFlag, budget(t))/10
	t.Logf("seeds from %d", first)
	var all variety
	updates := 0
	for i := uint64(0); updates < enough; i++ {
		s := conserve(t, first+i)
		updates += s.judgements
		all.add(s.variety)
	}
	for _, op := range []table.Op{
		table.OpSplit, table.OpMerge, table.OpDraw, table.OpRecall, table.OpShuffle, table.OpDeal,
	} {
		if all.ops[op] < updates/5000 {
			t.Errorf("%s was recorded %d times in %d updates: this covers little",
				op, all.ops[op], updates)
		}
	}
}

func conserve(t *testing.T, seed uint64) *server {
	t.Helper()
	s := newWorld(t, seed)
	s.run, s.closed = fmt.Sprintf("go test -run T34Conservation -seed %d", seed), true
	for _, seat := range []id.Seat{1, 2, 3, 2} {
		s.join(seat)
	}
	watcher, want := s.join(4), s.possession()
	for s.step = 1; s.step <= stepsOfOne; s.step++ {
		s.random(watcher)
	}
	s.settle()
	s.restart()
	s.settle()
	if got := s.possession(); !maps.Equal(got, want) || got[kindChip] == 0 || got[kindAce] == 0 {
		t.Errorf("%s: there is %v, at first there was %v", s.run, got, want)
	}
	return s
}

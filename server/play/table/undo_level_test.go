package table_test

import (
	"cmp"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// ofOneLevel begins a game in which a token, a counter and a coin lie on each other at one level.
// It returns their kinds from below, and what tells these of all that lies there.
func ofOneLevel(t *testing.T) (s *server, ada *tab, kindsThere func() []uint32) {
	t.Helper()
	s = newWorld(t, 1)
	ada = s.join(1)
	bob := s.join(2)
	for _, p := range []id.Piece{worldToken, worldCounter, worldCoin} {
		bob.act(table.OpMove, p, at(700, 900), z("0.9282"))
		s.settle()
	}
	return s, ada, func() (all []uint32) {
		var there []table.State
		for _, is := range s.states(0) {
			if is.X == 700 && is.Y == 900 {
				there = append(there, is)
			}
		}
		slices.SortFunc(there, func(a, b table.State) int {
			return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.ZGen, b.ZGen))
		})
		for _, is := range there {
			all = append(all, is.Kind)
		}
		return all
	}
}

// TestT63BetweenOthersOfOneLevel takes back, one after the other, that two of three pieces of one
// level were moved away, moved at their level, or deleted.
// Clauses: T63.32
func TestT63BetweenOthersOfOneLevel(t *testing.T) {
	same := []id.Piece{worldToken, worldCounter, worldCoin}
	ways := map[string]func(ada *tab, p id.Piece){
		"moved away": func(ada *tab, p id.Piece) {
			ada.act(table.OpMove, p, at(-900, 900), z("0.95"))
		},
		"moved at their level": func(ada *tab, p id.Piece) {
			ada.act(table.OpMove, p, at(-900, 900), z("0.9282"))
		},
		"deleted": func(ada *tab, p id.Piece) { ada.act(table.OpDelete, p) },
	}
	for what, away := range ways {
		for first, a := range same {
			for second, b := range same {
				s, ada, lying := ofOneLevel(t)
				want := []uint32{kindToken, kindCounter, kindCoin}
				if is := lying(); !slices.Equal(is, want) {
					t.Fatalf("they lie as %v, not as %v", is, want)
				}
				acts := []id.Piece{a, b}
				if a == b {
					acts = acts[:1]
				}
				for _, p := range acts {
					away(ada, p)
					s.settle()
				}
				for range acts {
					if !s.undo(1) {
						t.Fatal("it is not taken back")
					}
					s.settle()
					s.inOrder()
				}
				if is := lying(); !slices.Equal(is, want) {
					t.Errorf("T63.32 after piece %d and then %d were %s: they lie as %v, not as %v",
						first, second, what, is, want)
				}
			}
		}
	}
}

// TestT63RaisedDuringADrag takes back a gesture in which one piece was dragged, and another one
// raised meanwhile.
// Clauses: T63.11
func TestT63RaisedDuringADrag(t *testing.T) {
	s := newWorld(t, 1)
	ada := s.join(1)
	s.join(2)
	was := s.state(worldCounter)
	ada.act(table.OpGrab, worldToken)
	s.settle()
	ada.act(table.OpRaise, worldCounter)
	s.settle()
	ada.act(table.OpRelease, worldToken, at(700, 900))
	s.settle()
	if is := s.state(worldCounter); is.Z == was.Z {
		t.Fatal("the counter is not raised")
	}
	if !s.undo(1) {
		t.Fatal("it is not taken back")
	}
	s.settle()
	if is := s.state(worldCounter); is.Z != was.Z {
		t.Errorf("T63.11 the counter has the level %s, not %s", is.Z, was.Z)
	}
}

// TestT63HeapThatCameIntoAHandAndIntoAnother takes back that a heap was brought into a hand and
// laid on another heap there. A third one lies in that hand.
// Clauses: T63.12
func TestT63HeapThatCameIntoAHandAndIntoAnother(t *testing.T) {
	s := newWorld(t, 1)
	ada := s.join(1)
	heaps := func(in id.Piece) (all []int32) {
		for _, is := range s.states(in) {
			if is.Kind == kindChip {
				all = append(all, is.Value)
			}
		}
		slices.Sort(all)
		return all
	}
	for i, n := range []int32{40, 7} { // two heaps in the hand
		ada.act(table.OpSplit, worldChips, at(1000, 2500), amount(n))
		s.settle()
		for name, is := range s.states(0) {
			if is.Kind == kindChip && is.Value == n {
				ada.drop(name, int32(300*i), handOneY)
				s.settle()
			}
		}
	}
	onTable, inHand := heaps(0), heaps(worldHandOne)
	if !slices.Equal(inHand, []int32{7, 40}) {
		t.Fatalf("in the hand lie heaps of %v", inHand)
	}
	ada.act(table.OpGrab, worldToken)
	s.settle()
	ada.act(table.OpMove, worldChips, at(600, handOneY))
	s.settle()
	for name, is := range s.states(worldHandOne) {
		if is.Kind == kindChip && is.Value == 53 {
			ada.act(table.OpGrab, name)
			s.settle()
			ada.act(table.OpRelease, name, at(0, handOneY))
			s.settle()
		}
	}
	if is := heaps(worldHandOne); !slices.Equal(is, []int32{7, 93}) {
		t.Fatalf("in the hand lie heaps of %v", is)
	}
	ada.act(table.OpRelease, worldToken)
	s.settle()
	if !s.undo(1) {
		t.Fatal("it is not taken back")
	}
	s.settle()
	if is := heaps(0); !slices.Equal(is, onTable) {
		t.Errorf("T63.12 on the table lie heaps of %v, not of %v", is, onTable)
	}
	if is := heaps(worldHandOne); !slices.Equal(is, inHand) {
		t.Errorf("T63.12 in the hand lie heaps of %v, not of %v", is, inHand)
	}
}

// TestT63HeapThatWasSplitInAHand brings a heap into somebody's hand, who takes a part of it out
// again, or splits it there. Everybody sees that, so the first gesture cannot be taken back.
// Clauses: T63.21
func TestT63HeapThatWasSplitInAHand(t *testing.T) {
	for name, split := range map[string][]args{
		"onto the table": {amount(40), at(0, 0)},
		"taken":          {amount(40), at(0, 0), hold()},
		"in the hand":    {amount(40), at(600, handOneY)},
		"not at all":     nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := newWorld(t, 1)
			ada, bob := s.join(1), s.join(2)
			money := func() (n int32) {
				for _, in := range []id.Piece{0, worldHandOne} {
					for _, is := range s.states(in) {
						if is.Kind == kindChip {
							n += is.Value
						}
					}
				}
				return n
			}
			was := money()
			bob.act(table.OpMove, worldChips, at(0, handOneY))
			s.settle()
			for heap, is := range s.states(worldHandOne) {
				if is.Kind == kindChip && split != nil {
					ada.act(table.OpSplit, heap, split...)
					s.settle()
				}
			}
			if done := s.undo(2); done != (split == nil) {
				t.Errorf("T63.21 it is taken back: %v", done)
			}
			s.settle()
			if n := money(); n != was {
				t.Errorf("T34 there are %d, and there were %d", n, was)
			}
		})
	}
}

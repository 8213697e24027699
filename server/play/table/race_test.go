package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestRaces makes two players do something at the same moment, and delivers their updates in both
// orders. It shows that the first is recorded, that the second player is notified, and that all
// show the same in the end.
func TestRaces(t *testing.T) {
	move := func(x int32) func(*tab) {
		return func(c *tab) { c.act(table.OpMove, tokenOne, at(x, 0)) }
	}
	grab := func(c *tab) { c.act(table.OpGrab, tokenOne) }
	release := func(c *tab) { c.act(table.OpRelease, tokenOne, at(7, 7)) }
	rows := []struct {
		name     string
		before   func(ada, bob *tab)
		ada, bob func(*tab)
		adaFirst func(*table.Shown) bool // what is shown in the end if ada's update comes first
		bobFirst func(*table.Shown) bool
		// Whether she gets a reject if hers comes second, because it is up to date all the same or
		// the piece has gone.
		adaRejected bool
		bobRejected bool
	}{
		{
			name: "T6.1 both grab", ada: grab, bob: grab,
			adaFirst: func(s *table.Shown) bool { return s.Holder == 1 },
			bobFirst: func(s *table.Shown) bool { return s.Holder == 2 },
		},
		{
			name: "T6 move against move", ada: move(1), bob: move(2),
			adaFirst: func(s *table.Shown) bool { return s.X == 1 },
			bobFirst: func(s *table.Shown) bool { return s.X == 2 },
		},
		{
			name: "T20 delete against move", ada: func(c *tab) { c.act(table.OpDelete, tokenOne) },
			bob:      move(2),
			adaFirst: nil, bobFirst: func(s *table.Shown) bool { return s.X == 2 },
			bobRejected: true,
		},
		{
			name:   "T6 wrest against release",
			before: func(_, bob *tab) { bob.do(table.OpGrab, tokenOne) },
			ada:    func(c *tab) { c.act(table.OpWrest, tokenOne) }, bob: release,
			adaFirst: func(s *table.Shown) bool { return s.Holder == 1 && s.X != 7 },
			bobFirst: func(s *table.Shown) bool { return s.Holder == 0 && s.X == 7 },
		},
		{
			name: "T6 flip against move",
			ada:  func(c *tab) { c.act(table.OpFlip, tokenOne, face(2)) }, bob: move(2),
			adaFirst: func(s *table.Shown) bool { return s.Face == 2 && s.X != 2 },
			bobFirst: func(s *table.Shown) bool { return s.Face == 0 && s.X == 2 },
		},
		{
			name:     "T6 a gesture against a gesture",
			ada:      func(c *tab) { grab(c); move(1)(c); release(c) },
			bob:      func(c *tab) { grab(c); move(2)(c) },
			adaFirst: func(s *table.Shown) bool { return s.Holder == 0 && s.X == 7 },
			bobFirst: func(s *table.Shown) bool { return s.Holder == 2 && s.X == 2 },
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, bobFirst := range []bool{false, true} {
				s, ada, bob, cid := sit(t)
				if row.before != nil {
					row.before(ada, bob)
				}
				row.ada(ada)
				row.bob(bob)
				first, second, want, rejected := ada, bob, row.adaFirst, row.bobRejected
				if bobFirst {
					first, second, want, rejected = bob, ada, row.bobFirst, row.adaRejected
				}
				for len(first.up) > 0 {
					wantVerdict(t, s.receive(first), table.Recorded)
				}
				for len(second.up) > 0 {
					if out := s.receive(second); out.Verdict == table.Recorded ||
						(out.Verdict == table.Rejected) != rejected {
						t.Errorf("%s came second: outcome %+v", second, out)
					}
				}
				s.settle()
				if len(first.conflicts)+len(first.rejects) != 0 {
					t.Errorf("%s came first and has conflicts %v, rejects %v",
						first, first.conflicts, first.rejects)
				}
				if !slices.Equal(second.conflicts, []id.Piece{tokenOne}) {
					t.Errorf("%s came second and got %v", second, second.conflicts)
				}
				for _, c := range []*tab{ada, bob, cid} {
					switch k := c.pieces[tokenOne]; {
					case want == nil && k != nil:
						t.Errorf("%s still shows the piece", c)
					case want != nil && k == nil:
						t.Errorf("%s does not show the piece", c)
					case want != nil && !want(&k.is):
						t.Errorf("%s shows %+v", c, k.is)
					}
				}
			}
		})
	}
	t.Run("T14 a reject against updates sent after it", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.do(table.OpGrab, tokenOne)
		grab(ada)
		move(1)(ada)
		release(ada)
		ada.act(table.OpMove, tokenTwo, at(5, 5))
		wantVerdict(t, s.receive(ada), table.Rejected)
		bob.act(table.OpRelease, tokenOne)
		s.receive(bob)
		wantVerdict(t, s.receive(ada), table.Discarded)
		wantVerdict(t, s.receive(ada), table.Discarded)
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
		if len(ada.rejects) != 1 || len(bob.conflicts) != 0 {
			t.Errorf("rejects %v, bob's conflicts %v", ada.rejects, bob.conflicts)
		}
	})
}

package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestVersionsOfManyEntries shows that the versions of a view suffice for its last entries.
func TestVersionsOfManyEntries(t *testing.T) {
	t.Run("T21.4 2^37 entries of a view have versions of 53 bits", func(t *testing.T) {
		const entries, bits = 1 << 37, 53
		s, ada, bob, _ := sit(t)
		ada.do(table.OpGrab, tokenOne)
		im := s.table.Image()
		const left = 4
		for i := range im.Views {
			runs := im.Views[i].Runs
			last := &runs[len(runs)-1]
			last.Num = entries - 1 - left - last.N + 1
		}
		tab, err := table.Open(s.config, &im)
		if err != nil {
			t.Fatal(err)
		}
		s.table = tab
		before := s.table.VersionAt(1, s.table.Gen())
		for i := range int32(left) {
			u := ada.make(table.OpMove, tokenOne, at(i, i))
			u.Tag = s.table.VersionAt(1, s.table.Gen())
			if invalid := s.table.Check(ada.id, 1, []table.Update{u}); invalid != nil {
				t.Fatalf("entry %d: %v", i, invalid)
			}
			wantVerdict(t, s.table.Apply(ada.by(), &u, table.Inputs{Now: s.now}), table.Recorded)
			s.table.Take()
			after := s.table.VersionAt(1, s.table.Gen())
			if after <= before || after >= 1<<bits {
				t.Errorf("the version %d follows %d", after, before)
			}
			before = after
		}
		u := bob.make(table.OpMove, tokenOne, at(7, 7))
		u.Tag = s.table.VersionAt(2, s.table.Gen())
		out := s.table.Apply(bob.by(), &u, table.Inputs{Now: s.now})
		if reject := out.Reject.Piece.Version; out.Verdict != table.Rejected ||
			reject <= u.Tag || reject >= 1<<bits {
			t.Errorf("behind the last entry a reject has the version %d", reject)
		}
		if last := id.Version(entries-1) << 16; before != last {
			t.Errorf("the last entry has the version %d, want %d", before, last)
		}
	})
}

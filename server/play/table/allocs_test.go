package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestApplyAllocatesNothing shows that neither recorded nor discarded moves allocate memory, so
// they cause no garbage collection.
func TestApplyAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		stale bool
		want  table.Verdict
	}{
		{"T5 a recorded move", false, table.Recorded},
		{"T6 a discarded move", true, table.Discarded},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := table.New(configured(1))
			tab.SetUp(setUp(), 1)
			for range 2 {
				tab.Sit(table.SeatInfo{Nick: "player", Role: table.RolePlayer}, 1)
			}
			tab.Take()
			u := table.Update{
				Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY, Piece: tokenOne,
				Tag: tab.VersionAt(1, tab.Gen()),
			}
			if c.stale {
				theirs := u
				theirs.Seq = 1
				tab.Apply(table.By{Client: clientID(2), Seat: 2, Role: table.RolePlayer}, &theirs,
					table.Inputs{Now: 1})
			}
			by := table.By{Client: clientID(1), Seat: 1, Role: table.RolePlayer}
			in := table.Inputs{Now: 1, Rand: seeded(1)}
			move := func() {
				u.Seq++
				u.X = int32(u.Seq % 1000)
				if out := tab.Apply(by, &u, in); out.Verdict != c.want {
					t.Fatalf("verdict %d, want %d", out.Verdict, c.want)
				}
				if u.Seq%id.ClientSeq(64) == 0 {
					tab.Take()
				}
			}
			for range 2000 { // until all that is remembered has its memory
				move()
			}
			if n := testing.AllocsPerRun(500, move); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

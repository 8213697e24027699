package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestFindingS3ManyHands shows that moving a hand costs nothing for pieces that have nothing to do
// with it. One of 4,000 hands at one place moves 256 times, beside 5,900 chips.
func TestFindingS3ManyHands(t *testing.T) {
	const hands, chips, moves = 4000, 5900, 256
	cfg := configured(1)
	cfg.Width, cfg.Height = 200_000, 200_000
	tab := table.New(cfg)
	var places []table.Place
	for i := range hands {
		places = append(places, table.Place{
			OID: oid(uint64(i + 1)), State: table.State{Kind: kindHand, X: -90_000, Y: -90_000},
		})
	}
	for i := range chips {
		places = append(places, table.Place{OID: oid(uint64(hands + i + 1)), State: table.State{
			Kind: kindChip, X: int32(i%100) * 500, Y: int32(i/100) * 500,
		}})
	}
	tab.SetUp(places, 1)
	ada, _ := tab.Sit(table.SeatInfo{Role: table.RolePlayer}, 1)
	by := table.By{Client: clientID(1), Seat: ada, Role: table.RolePlayer}
	do := func(u table.Update) {
		t.Helper()
		u.Seq = tab.NextSeq(by.Client)
		wantVerdict(t, tab.Apply(by, &u, table.Inputs{Now: 1}), table.Recorded)
	}
	for i := range hands - 1 { // ada has one already
		do(table.Update{Op: table.OpClaim, Has: table.HasPiece, Piece: id.Piece(i + 2)})
	}
	tab.Take()
	before := tab.Looks()
	for i := range moves {
		do(table.Update{
			Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY, Piece: 1,
			Tag: tab.VersionAt(ada, tab.Gen()), X: -90_000 + int32(i%2)*30_000, Y: -90_000,
		})
	}
	if n := len(tab.Take()); n != moves {
		t.Errorf("%d entries for %d moves of an empty hand", n, moves)
	}
	if looks := tab.Looks() - before; looks > 10*moves {
		t.Errorf("%d moves of a hand look at %d pieces", moves, looks)
	}
}

package table_test

import (
	"slices"
	"testing"

	"holt/server/play/table"
)

// TestPeekAtAPiece shows when a look at the front of a single piece is rejected.
func TestPeekAtAPiece(t *testing.T) {
	cfg := configured(1)
	cfg.Kinds = slices.Clone(cfg.Kinds)
	for _, kind := range []uint32{kindAce, kindToken} {
		cfg.Kinds[kind].Peek = table.RightPlayers
	}
	for _, row := range []struct {
		name  string
		place table.State
		n     int32
		want  table.Reason
	}{
		{"T31.6 a card front down", table.State{Kind: kindAce, Face: 1}, 1, 0},
		{
			"T31.8 two, where one lies", table.State{Kind: kindAce, Face: 1}, 2,
			table.ReasonNotAllowed,
		},
		{"T31.8 a card front up", table.State{Kind: kindAce}, 1, table.ReasonNotAllowed},
		{
			"T31.8 a card in the own hand", table.State{Kind: kindAce, Face: 1, Y: handOneY}, 1,
			table.ReasonNotAllowed,
		},
		{"T31.8 what has no secret front", table.State{Kind: kindToken}, 1, table.ReasonNotAllowed},
	} {
		t.Run(row.name, func(t *testing.T) {
			tab := table.New(cfg)
			tab.SetUp([]table.Place{
				{OID: oid(1), State: table.State{Kind: kindHand, Y: handOneY}},
				{OID: oid(2), State: row.place},
			}, 1)
			seat, _ := tab.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
			by := table.By{Client: clientID(1), Seat: seat, Role: table.RoleHost}
			name := tab.All(seat, by.Client)[1].Name
			tab.Take()
			u := table.Update{
				Seq: 1, Op: table.OpPeek, Has: table.HasPiece | table.HasN, Piece: name, N: row.n,
			}
			if invalid := tab.Check(by.Client, seat, []table.Update{u}); invalid != nil {
				t.Fatal(invalid)
			}
			out := tab.Apply(by, &u,
				table.Inputs{Now: 1, OID: oid(9), Rand: seeded(1), Unproved: seeded(2)})
			if out.Reject.Reason != row.want ||
				(out.Verdict == table.Recorded) != (row.want == 0) {
				t.Fatalf("the outcome is %+v, want reason %d", out, row.want)
			}
			var shown []uint32
			for _, e := range tab.Take() {
				shown = append(shown, e.Faces...)
			}
			if want := row.want == 0; slices.Equal(shown, []uint32{kindAce}) != want ||
				!want && shown != nil {
				t.Errorf("it shows %v", shown)
			}
		})
	}
}

package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// boxed returns a table with a box that is the home of a number of pieces, of a number of kinds.
// The pieces may be notes.
func boxed(t *testing.T, pieces, kinds int, notes bool) (*table.Table, id.Seat) {
	t.Helper()
	cfg := table.Config{Width: 20_000, Height: 20_000, RandomNames: newLots(1), Sets: true}
	cfg.Kinds = append(cfg.Kinds, table.Kind{
		Width: 100, Height: 100, Faces: 1, Heavy: true, Container: table.ContainerKind{Holds: true},
	})
	for range kinds {
		cfg.Kinds = append(cfg.Kinds, table.Kind{Width: 10, Height: 10, Faces: 1, Text: notes})
	}
	tab := table.New(cfg)
	places := []table.Place{{OID: id.OID{1}}}
	for i := range pieces {
		places = append(places, table.Place{
			OID: id.OID{2, byte(i >> 8), byte(i)}, State: table.State{Kind: uint32(1 + i%kinds)},
			In: 1,
		})
	}
	tab.SetUp(places, 1)
	seat, ok := tab.Sit(table.SeatInfo{Nick: "Ada", Role: table.RoleHost}, 1)
	if !ok {
		t.Fatal("no seat")
	}
	tab.Take()
	return tab, seat
}

// TestPortable shows which boxes fit into one object and can leave the table (T40).
func TestPortable(t *testing.T) {
	for _, c := range []struct {
		name          string
		pieces, kinds int
		notes         bool
		want          table.Reason
	}{
		{"T40.12 pieces that fit into one object leave the table", 335, 1, true, 0},
		{
			"T40.12 pieces that do not fit, with the longest labels, stay", 336, 1, true,
			table.ReasonTableFull,
		},
		{"T40.12 as many kinds as an object may have", 1000, 253, false, 0},
		{"T40.12 more kinds", 1000, 254, false, table.ReasonTableFull},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab, seat := boxed(t, c.pieces, c.kinds, c.notes)
			u := table.Update{Seq: 1, Op: table.OpTake, Has: table.HasPiece, Piece: 1}
			out := tab.Apply(table.By{Client: id.Client{1}, Seat: seat, Role: table.RoleHost}, &u,
				table.Inputs{Now: 2, OID: id.OID{9}, Unproved: seeded(1)})
			if out.Reject.Reason != c.want || (out.Verdict == table.Recorded) != (c.want == 0) {
				t.Errorf("%+v", out)
			}
		})
	}
}

package wire_test

import (
	"testing"

	"pgregory.net/rapid"

	"holt/server/play/table"
	"holt/server/tables/wire"
)

// TestForExport compares ForExport of stored entries with what the entries say.
func TestForExport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := table.Entry{
			Gen: 5, At: 6, Op: table.OpMove, Server: true, Piece: [16]byte{1},
			Before: drawState(t, "before"), After: drawState(t, "after"),
		}
		want := false
		switch rapid.IntRange(0, 2).Draw(t, "about") {
		case 1:
			e, want = table.Entry{Gen: 5, Op: table.OpSeat, Who: &table.SeatInfo{
				Seat: 3, Nick: "Ada", Role: table.RolePlayer,
			}}, true
		case 2:
			e, want = table.Entry{
				Gen: 5, Op: table.OpFact, Server: true,
				Fact: rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "fact"),
			}, true
		}
		b, err := wire.EncodeEntry(&e)
		if err != nil {
			t.Fatal(err)
		}
		if got := wire.ForExport(b); got != want {
			t.Errorf("F14 %t for %s, want %t", got, e.Op, want)
		}
		if !wire.ForExport(append(b, 0xff)) {
			t.Errorf("F14 an invalid entry would not be checked: %x", b)
		}
	})
}

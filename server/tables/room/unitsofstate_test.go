package room

import (
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// TestUnitsOfState shows what a full state costs.
func TestUnitsOfState(t *testing.T) {
	t.Run("T49.7 a full state costs 16 units, one per 4 pieces and per 256 bytes", func(t *testing.T) {
		for _, pieces := range []int{0, 400, 4000} {
			var more []table.Place
			for i := range pieces {
				more = append(more, table.Place{
					OID:   id.OID{0: 0xaa, 14: byte(i >> 8), 15: byte(i)},
					State: table.State{Kind: kindToken, X: int32(i), Y: boxesY},
				})
			}
			r := newBareRoom(t, 2, more)
			n := r.table.Pieces()
			if n < pieces {
				t.Fatalf("there are %d pieces", n)
			}
			if got, want := r.unitsOfState(1), 16+n/4; got != want {
				t.Errorf("with %d pieces a state costs %d units, want %d", n, got, want)
			}
			for i := range 40 {
				op := crdt.Op{
					Kind: crdt.Put, Entity: schema.FirstRow + crdt.Entity(i),
					Component: schema.FirstColumn, Timestamp: 1,
					Data: schema.Encode(&componentpb.Text{Text: "what somebody has written into a cell"}),
				}
				if out := r.components.replica.Merge(op).Outcome; out != crdt.Applied {
					t.Fatalf("a cell is not written: %v", out)
				}
			}
			bytes := r.components.replica.Bytes()
			if bytes < 40*37 {
				t.Fatalf("the components have %d bytes", bytes)
			}
			if got, want := r.unitsOfState(1), 16+n/4+bytes/256; got != want {
				t.Errorf("with %d pieces and %d bytes a state costs %d units, want %d", n, bytes, got,
					want)
			}
		}
	})
}

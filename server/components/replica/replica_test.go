package replica

import (
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

const sheet = schema.TheSheet

func put(timestamp uint32, data string) crdt.Op {
	return crdt.Op{
		Kind: crdt.Put, Entity: sheet, Component: schema.Sheet, Timestamp: timestamp,
		Data: []byte(data),
	}
}

func encoded(ops ...crdt.Op) []byte {
	var b []byte
	for i := range ops {
		b = crdt.AppendOp(b, &ops[i])
	}
	return b
}

// TestMirror shows how frames and full states change the components of a view.
func TestMirror(t *testing.T) {
	t.Run("C17 a frame has the changes, a full state replaces all", func(t *testing.T) {
		m := New()
		var changed []uint32
		note := func(op crdt.Op) { changed = append(changed, op.Timestamp) }
		if err := m.Merge(
			encoded(put(2, "b"), put(1, "a"), put(2, "b"), put(3, "c")), note,
		); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(changed, []uint32{2, 3}) {
			t.Errorf("it reports the timestamps %v", changed)
		}
		if err := m.Full(encoded(put(1, "z"))); err != nil {
			t.Fatal(err)
		}
		if data, ok := m.Replica().Get(sheet, schema.Sheet); !ok || string(data) != "z" {
			t.Errorf("after a full state it has %q", data)
		}
	})
	t.Run("C17 an invalid message changes nothing", func(t *testing.T) {
		m := New()
		if err := m.Merge(append(encoded(put(1, "a")), 0x0a, 0xff), func(crdt.Op) {
			t.Error("it reports something")
		}); err == nil {
			t.Error("there is no error")
		}
		if len(slices.Collect(m.Replica().Ops())) > 0 {
			t.Error("it has something")
		}
	})
	t.Run("C15.6 a forgotten entity restarts", func(t *testing.T) {
		m := New()
		if m.Forget(sheet) {
			t.Error("it forgets an unknown one")
		}
		if err := m.Full(encoded(put(5, "a"))); err != nil || !m.Forget(sheet) {
			t.Errorf("it forgets nothing: %v", err)
		}
		if n := m.Replica().Timestamp(sheet, schema.Sheet); n != 0 {
			t.Errorf("the timestamp is %d", n)
		}
	})
}

// TestSheds shows after which updates a piece keeps its labels (C15).
func TestSheds(t *testing.T) {
	piece := func(change func(*holtpb.Piece)) *holtpb.Piece {
		p := &holtpb.Piece{Id: 7}
		change(p)
		return p
	}
	owned := piece(func(p *holtpb.Piece) { p.Owner = new(uint32(2)) })
	shared := piece(func(p *holtpb.Piece) { p.Team = &holtpb.Team{} })
	for _, c := range []struct {
		name  string
		piece *holtpb.Piece
		op    table.Op
		sheds bool
	}{
		{
			"C15 a moved piece keeps its labels",
			piece(func(p *holtpb.Piece) { p.X = new(int32(1)) }), table.OpMove, false,
		},
		{
			"C15.3, C15.9 one that is gone does not", piece(func(p *holtpb.Piece) { p.Gone = new(true) }),
			table.OpDelete, true,
		},
		{
			"C15.4, C15.9 nor one with a new identifier",
			piece(func(p *holtpb.Piece) { p.Renamed = new(uint32(20_000)) }), table.OpRelease, true,
		},
		{"C15.5, C15.10 nor one that comes into a hand or out of one", owned, table.OpRelease, true},
		{"C15.5, C15.10 nor one whose hand changes", shared, table.OpReveal, true},
		{"C15 a hand keeps it when it is claimed", owned, table.OpClaim, false},
		{"C15 and when it is shared", shared, table.OpShare, false},
		{"C15 a label keeps it when it is assigned", owned, table.OpAssign, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, ok := DropsLabels(c.piece, c.op)
			if ok != c.sheds || e != schema.EntityOfPiece(id.Piece(7)) {
				t.Errorf("Sheds: %d, %v", e, ok)
			}
		})
	}
}

// TestAssignedPiecesKeepLabels shows which operations change an owner or a team and keep labels.
// Clauses: C15.11
func TestAssignedPiecesKeepLabels(t *testing.T) {
	for op := table.OpMove; op < 62; op++ {
		keeps := slices.Contains([]table.Op{
			table.OpClaim, table.OpLeave, table.OpGive, table.OpShare, table.OpUnshare,
			table.OpAssign, table.OpPass,
		}, op)
		for name, p := range map[string]*holtpb.Piece{
			"owner": {Id: 7, Owner: new(uint32(2))},
			"team":  {Id: 7, Team: &holtpb.Team{Seats: []uint32{2}}},
		} {
			if _, drops := DropsLabels(p, op); drops == keeps {
				t.Errorf("operation %d with another %s drops the labels: %v", op, name, drops)
			}
		}
	}
}

// TestCovers shows that Covers says the same as merging does.
func TestCovers(t *testing.T) {
	t.Run("C2, C3, C5, C6 a covered operation changes nothing, any other does", func(t *testing.T) {
		const seed = 1
		rnd := rand.New(rand.NewPCG(seed, 0))
		covered := 0
		for range 200 {
			m := New()
			for range 100 {
				op := randomOp(rnd)
				covers := m.Covers(&op)
				if changes := m.replica.Merge(op).Outcome == crdt.Applied; changes == covers {
					t.Fatalf("seed %d: Covers says %v of %+v, merging %v",
						seed, covers, op, changes)
				}
				if covers {
					covered++
				}
			}
		}
		if covered < 2000 {
			t.Errorf("only %d were covered: too few", covered)
		}
	})
}

// randomOp draws an operation from few: on a value, on a set of 32, and on a stroke that may be
// deleted.
func randomOp(rnd *rand.Rand) crdt.Op {
	op := put(1+rnd.Uint32N(8), string(rune('a'+rnd.IntN(3))))
	switch n := rnd.IntN(50); {
	case n < 10:
		op.Kind, op.Data = crdt.Delete, nil
	case n < 35:
		op.Kind, op.Entity, op.Component, op.Timestamp = crdt.Append, schema.TheTable, schema.Ping,
			rnd.Uint32N(30)
	case n < 40:
		op.Entity, op.Component = schema.EntityOfStroke(1, 1+rnd.Uint32N(4)), schema.Stroke
	case n < 41:
		op = crdt.Op{Kind: crdt.DeleteEntity, Entity: schema.EntityOfStroke(1, 1+rnd.Uint32N(4))}
	}
	return op
}

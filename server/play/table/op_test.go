package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// state returns the state of a piece, by any name that it has had, after its latest entry.
func (s *server) state(p id.Piece) table.State {
	line := s.history[s.bearers[p]]
	return line[len(line)-1].entry.After
}

// TestT24Operations shows what each operation does to a piece, and that it does nothing else.
// Clauses: T24.6
func TestT24Operations(t *testing.T) {
	held := func(s *table.State) { s.Holder = 1 }
	placed := func(s *table.State) { s.X, s.Y, s.Angle, s.Z, s.Holder = 5, 6, 9000, "0.95", 0 }
	rows := []struct {
		name string
		// first are operations that come before.
		first  []table.Op
		op     table.Op
		with   []args
		effect func(*table.State)
		zSet   bool
	}{
		{name: "T24 grab", op: table.OpGrab, effect: held},
		{
			name: "T24 grab and raise", op: table.OpGrab, with: []args{z("0.95")},
			effect: func(s *table.State) { s.Holder, s.Z = 1, "0.95" }, zSet: true,
		},
		{
			name: "T24 grab what is held already", first: []table.Op{table.OpGrab},
			op: table.OpGrab, effect: func(*table.State) {},
		},
		{name: "T24 wrest", op: table.OpWrest, effect: held},
		{
			name: "T24 release", first: []table.Op{table.OpGrab}, op: table.OpRelease,
			effect: func(s *table.State) { s.Holder = 0 },
		},
		{
			name: "T24 release somewhere", first: []table.Op{table.OpGrab}, op: table.OpRelease,
			with: []args{at(5, 6), turned(9000), z("0.95")}, effect: placed, zSet: true,
		},
		{
			name: "T13.4, T24 move", op: table.OpMove, with: []args{at(5, 6)},
			effect: func(s *table.State) { s.X, s.Y = 5, 6 },
		},
		{
			name: "T13.2, T24 move and raise", op: table.OpMove, with: []args{at(5, 6), z("0.95")},
			effect: func(s *table.State) { s.X, s.Y, s.Z = 5, 6, "0.95" }, zSet: true,
		},
		{
			name: "T24 rotate", op: table.OpRotate, with: []args{turned(35_999)},
			effect: func(s *table.State) { s.Angle = 35_999 },
		},
		{
			name: "T24, T60.1 pivot", op: table.OpPivot, with: []args{at(5, 6), turned(9000)},
			effect: func(s *table.State) { s.X, s.Y, s.Angle = 5, 6, 9000 },
		},
		{
			name: "T24 flip", op: table.OpFlip, with: []args{face(2)},
			effect: func(s *table.State) { s.Face = 2 },
		},
		{
			name: "T13.3, T24 set the level", op: table.OpSetZ, with: []args{z("0.95")},
			effect: func(s *table.State) { s.Z = "0.95" }, zSet: true,
		},
		{
			name: "T13.3, T24 set the level that it has", first: []table.Op{table.OpSetZ},
			op: table.OpSetZ, with: []args{z("0.95")}, effect: func(*table.State) {}, zSet: true,
		},
		{name: "T24 pin", op: table.OpPin, effect: func(s *table.State) { s.Pinned = true }},
		{
			name: "T24 unpin", first: []table.Op{table.OpPin}, op: table.OpUnpin,
			effect: func(s *table.State) { s.Pinned = false },
		},
		{name: "T24 lock", op: table.OpLock, effect: func(s *table.State) { s.Locked = true }},
		{
			name: "T24 unlock", first: []table.Op{table.OpLock}, op: table.OpUnlock,
			effect: func(s *table.State) { s.Locked = false },
		},
		{name: "T24 delete", op: table.OpDelete, effect: func(s *table.State) { s.Gone = true }},
		{
			name: "T24.8 an operation that changes nothing is recorded", op: table.OpUnpin,
			effect: func(*table.State) {},
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, _, _ := sit(t)
			for _, op := range row.first {
				ada.act(op, tokenOne, pieceOps[op]...)
			}
			s.settle()
			want := s.state(tokenOne)
			row.effect(&want)
			seq := ada.act(row.op, tokenOne, row.with...)
			wantVerdict(t, s.receive(ada), table.Recorded)
			e := s.log[len(s.log)-1]
			if row.zSet {
				want.ZGen = e.Gen
			}
			if e.After != want {
				t.Errorf("after it:\n%+v, want\n%+v", e.After, want)
			}
			if e.Op != row.op || e.Seat != 1 || e.Client != ada.id || e.Seq != seq ||
				e.At != s.now || e.Made || e.Name != tokenOne {
				t.Errorf("the entry is %+v", e)
			}
			s.settle()
		})
	}
	t.Run("T24.6 copy", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.act(table.OpFlip, tokenOne, face(2))
		bob.act(table.OpRotate, tokenOne, turned(4500))
		bob.act(table.OpGrab, tokenOne)
		s.settle()
		original := s.state(tokenOne)
		ada.act(table.OpCopy, tokenOne, at(7, 8))
		s.settle()
		e := s.log[len(s.log)-1]
		want := table.State{
			Kind: kindToken, X: 7, Y: 8, Angle: 4500, Face: 2, Z: original.Z, ZGen: e.Gen,
		}
		if e.After != want || !e.Made || e.Name < table.MinRandomName || e.Name > table.MaxRandomName {
			t.Errorf("the copy is %+v, want %+v", e, want)
		}
		if s.state(tokenOne) != original {
			t.Error("the original has changed")
		}
	})
	t.Run("T24.6 add", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpAdd, 0, kind(kindToken), at(7, 8), turned(4500), face(1))
		s.settle()
		e := s.log[len(s.log)-1]
		want := table.State{
			Kind: kindToken, X: 7, Y: 8, Angle: 4500, Face: 1, Z: e.After.Z, ZGen: e.Gen,
		}
		if e.After != want || !e.Made || e.Name < table.MinRandomName || e.Name > table.MaxRandomName {
			t.Errorf("the addition is %+v, want %+v", e, want)
		}
		for p := board; p <= pieceCount; p++ {
			if s.state(p).Z >= e.After.Z {
				t.Errorf("it does not lie above piece %d", p)
			}
		}
	})
	t.Run("T24 every name of an operation is read", func(t *testing.T) {
		for op := table.OpGrab; op <= table.OpPivot; op++ {
			if op > table.OpReset && op < table.OpDraw && op != table.OpClaim {
				continue
			}
			if got, ok := table.ParseOp(op.String()); !ok || got != op {
				t.Errorf("%s is read as %s, %v", op, got, ok)
			}
		}
		for _, name := range []string{
			"", "reveal", "seat", "merge", "guest", "errand", "Grab", "unknown",
		} {
			if op, ok := table.ParseOp(name); ok {
				t.Errorf("%q is read as %s", name, op)
			}
		}
	})
}

package table_test

import (
	"fmt"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// pieceOps are the operations that name a piece, each with its other arguments.
var pieceOps = map[table.Op][]args{
	table.OpGrab: nil, table.OpWrest: nil, table.OpRelease: nil, table.OpMove: {at(0, 0)},
	table.OpRotate: {turned(9000)}, table.OpFlip: {face(0)}, table.OpRaise: nil, table.OpLower: nil,
	table.OpSetZ: {z("0.95")}, table.OpPin: nil, table.OpUnpin: nil, table.OpLock: nil,
	table.OpUnlock: nil, table.OpCopy: {at(0, 0)}, table.OpDelete: nil,
	table.OpPivot: {at(0, 0), turned(9000)},
}

// TestT14Reasons tries every operation on pieces in every condition that can prevent it (T14, T24).
// Clauses: T14.1, T14.2, T14.13, T15.4, T24.7
func TestT14Reasons(t *testing.T) {
	const no = table.Reason(0)
	type want map[table.Op]table.Reason // operations that are not listed get otherwise
	all := func(r table.Reason, but want) want {
		w := want{}
		for op := range pieceOps {
			w[op] = r
		}
		for op, r := range but {
			w[op] = r
		}
		return w
	}
	by := func(c *tab, op table.Op, p id.Piece, with ...args) {
		c.act(op, p, with...)
		c.server.settle()
	}
	rows := []struct {
		name    string
		prepare func(s *server, host, other *tab)
		player  bool // a player does it, not the host
		piece   id.Piece
		want    want
	}{
		{
			name: "T14 free", piece: tokenOne,
			want: all(no, want{table.OpRelease: table.ReasonNotHeld}),
		},
		{
			name: "T14 held by another", piece: tokenOne,
			prepare: func(_ *server, _, other *tab) { by(other, table.OpGrab, tokenOne) },
			want: all(table.ReasonHeld, want{
				table.OpWrest: no, table.OpRelease: table.ReasonNotHeld, table.OpCopy: no,
				table.OpLock: no, table.OpUnlock: no,
			}),
		},
		{
			name: "T14 held by the own seat", piece: tokenOne,
			prepare: func(_ *server, host, _ *tab) { by(host, table.OpGrab, tokenOne) },
			want:    all(no, nil),
		},
		{
			name: "T14 pinned", piece: tokenOne,
			prepare: func(_ *server, _, other *tab) { by(other, table.OpPin, tokenOne) },
			want: all(no, want{
				table.OpGrab: table.ReasonPinned, table.OpMove: table.ReasonPinned,
				table.OpRotate: table.ReasonPinned, table.OpPivot: table.ReasonPinned,
				table.OpFlip: table.ReasonPinned, table.OpDelete: table.ReasonPinned,
				table.OpRelease: table.ReasonNotHeld,
			}),
		},
		{
			name: "T14 pinned while the own seat holds it", piece: tokenOne,
			prepare: func(_ *server, host, _ *tab) {
				by(host, table.OpGrab, tokenOne)
				by(host, table.OpPin, tokenOne)
			},
			want: all(no, want{
				table.OpGrab: table.ReasonPinned, table.OpMove: table.ReasonPinned,
				table.OpRotate: table.ReasonPinned, table.OpPivot: table.ReasonPinned,
				table.OpFlip: table.ReasonPinned, table.OpDelete: table.ReasonPinned,
			}),
		},
		{
			name: "T14 locked", piece: tokenOne,
			prepare: func(_ *server, host, _ *tab) { by(host, table.OpLock, tokenOne) },
			want: all(table.ReasonLocked, want{
				table.OpRelease: table.ReasonNotHeld, table.OpCopy: no, table.OpLock: no,
				table.OpUnlock: no,
			}),
		},
		{
			name: "T14 locked while the own seat holds it", piece: tokenOne,
			prepare: func(_ *server, host, _ *tab) {
				by(host, table.OpGrab, tokenOne)
				by(host, table.OpLock, tokenOne)
			},
			want: all(table.ReasonLocked, want{
				table.OpRelease: no, table.OpCopy: no, table.OpLock: no, table.OpUnlock: no,
			}),
		},
		{
			name: "T14 locks are for hosts", piece: tokenOne, player: true,
			want: all(no, want{
				table.OpLock: table.ReasonNotAllowed, table.OpUnlock: table.ReasonNotAllowed,
				table.OpRelease: table.ReasonNotHeld,
			}),
		},
		{
			name: "T14, T23 in the hand of another", piece: cardOne,
			prepare: func(_ *server, _, other *tab) {
				by(other, table.OpMove, cardOne, at(0, handTwoY))
			},
			want: all(table.ReasonGone, nil),
		},
		{
			name: "T14 in the own hand", piece: cardOne,
			prepare: func(_ *server, host, _ *tab) {
				by(host, table.OpMove, cardOne, at(0, handOneY))
			},
			want: all(no, want{table.OpRelease: table.ReasonNotHeld}),
		},
		{
			name: "T14, T23.5 over the hand of another, still held", piece: cardOne,
			prepare: func(_ *server, host, _ *tab) {
				by(host, table.OpGrab, cardOne)
				by(host, table.OpMove, cardOne, at(0, handTwoY))
			},
			want: all(no, want{table.OpCopy: table.ReasonHidden}),
		},
		{
			name: "T14 face down", piece: cardOne,
			want: all(no,
				want{table.OpCopy: table.ReasonHidden, table.OpRelease: table.ReasonNotHeld}),
		},
		{
			name: "T14, T20.3 gone", piece: tokenOne,
			prepare: func(s *server, _, other *tab) {
				other.act(table.OpDelete, tokenOne)
				s.receive(other)
			},
			want: all(table.ReasonGone, nil),
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for op, with := range pieceOps {
				s, host, other, _ := sit(t)
				if row.prepare != nil {
					row.prepare(s, host, other)
				}
				c := host
				if row.player {
					c = other
				}
				u := c.make(op, row.piece, with...)
				out, bogus := s.apply(c, u)
				switch {
				case bogus != nil:
					t.Errorf("%s: %v", op, bogus)
				case out.Verdict == table.Recorded && row.want[op] != no:
					t.Errorf("%s is recorded, want reason %d", op, row.want[op])
				case out.Verdict == table.Rejected && out.Reject.Reason != row.want[op]:
					t.Errorf("%s is rejected for %d, want %d", op, out.Reject.Reason, row.want[op])
				case out.Verdict == table.Discarded:
					t.Errorf("%s is discarded", op)
				case out.Verdict == table.Rejected:
					checkReject(t, s, c, u, out.Reject)
				}
			}
		})
	}
}

// checkReject checks what every reject has (T14).
func checkReject(t *testing.T, s *server, c *tab, u table.Update, r table.Reject) {
	t.Helper()
	if r.Seq != u.Seq || r.Piece.Name != u.Piece {
		t.Errorf("the reject of %+v is %+v", u, r)
	}
	if r.Reason == table.ReasonHeld && r.By != 2 {
		t.Errorf("%s: held by %d, want 2", u.Op, r.By)
	}
	if r.Reason == table.ReasonGone {
		if !r.Piece.Gone {
			t.Errorf("%s: the piece is not gone: %+v", u.Op, r.Piece)
		}
		return
	}
	for _, want := range s.table.All(c.seat, c.id) {
		if want.Name == u.Piece && want != r.Piece {
			t.Errorf("%s: the reject shows\n%+v, a full state\n%+v", u.Op, r.Piece, want)
		}
	}
	if r.Piece.Version <= s.table.VersionAt(c.seat, s.table.Gen()) {
		t.Errorf("%s: the version %d is not fresh", u.Op, r.Piece.Version)
	}
	for _, other := range s.tabs {
		for _, theirs := range s.table.All(other.seat, other.id) {
			if other != c && theirs.Name == u.Piece && theirs.Version == r.Piece.Version {
				t.Errorf("%s: %s has the version of the reject", u.Op, other)
			}
		}
	}
}

// TestRefusals shows which reason a reject has, and that bad updates disturb only their sender
// (T14, T16).
func TestRefusals(t *testing.T) {
	t.Run("T14.13 off the table", func(t *testing.T) {
		for _, xy := range []args{
			at(10_001, 0), at(-10_001, 0), at(0, 10_001), at(0, -table.MaxCoordinate),
		} {
			s, ada, _, _ := sit(t)
			ada.act(table.OpGrab, tokenOne)
			s.settle()
			for op, p := range map[table.Op]id.Piece{
				table.OpMove: tokenTwo, table.OpRelease: tokenOne, table.OpCopy: tokenTwo,
				table.OpAdd: 0,
			} {
				with := []args{xy}
				if op == table.OpAdd {
					with = append(with, kind(kindToken))
				}
				out := s.must(t, ada, ada.make(op, p, with...), table.Rejected)
				if out.Reject.Reason != table.ReasonOffTable {
					t.Errorf("%s: reason %d", op, out.Reject.Reason)
				}
				ada.renew()
			}
		}
		s, ada, _, _ := sit(t)
		for _, edge := range []args{at(10_000, 10_000), at(-10_000, -10_000)} {
			s.must(t, ada, ada.make(table.OpMove, tokenOne, edge), table.Recorded)
			ada.renew()
		}
	})
	t.Run("T14.13 a full table", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		for s.table.Pieces() < table.MaxPieces {
			s.must(t, ada, ada.make(table.OpAdd, 0, kind(kindToken), at(0, 0), z("0.95")),
				table.Recorded)
		}
		for _, u := range []table.Update{
			ada.make(table.OpAdd, 0, kind(kindToken), at(0, 0)),
			ada.make(table.OpCopy, tokenOne, at(0, 0)),
		} {
			if out := s.must(
				t, ada, u, table.Rejected,
			); out.Reject.Reason != table.ReasonTableFull {
				t.Errorf("%s: reason %d", u.Op, out.Reject.Reason)
			}
		}
		ada.renew()
		s.must(t, ada, ada.make(table.OpDelete, tokenOne), table.Recorded)
		s.must(t, ada, ada.make(table.OpAdd, 0, kind(kindToken), at(0, 0)), table.Recorded)
	})
	// Clauses: T14.13, T14.14, T14.15
	t.Run("T14 of several reasons the first in the order of the rule", testFirstReason)
	t.Run("T14.4, T14.5, T14.6 an update sent after a rejected one is discarded", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.act(table.OpGrab, tokenOne)
		s.settle()
		ada.act(table.OpMove, tokenOne, at(1, 1))
		ada.act(table.OpRaise, tokenOne)
		wantVerdict(t, s.receive(ada), table.Rejected)
		bob.act(table.OpRelease, tokenOne) // now it would be allowed
		s.receive(bob)
		wantVerdict(t, s.receive(ada), table.Discarded)
		s.settle()
		if len(bob.conflicts) != 0 || len(ada.rejects) != 1 {
			t.Errorf("bob's conflicts %v, ada's rejects %d", bob.conflicts, len(ada.rejects))
		}
		ada.act(table.OpMove, tokenOne, at(2, 2))
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
	})
	t.Run("T14 a full state has the versions of the rejects", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.act(table.OpGrab, tokenOne)
		s.settle()
		ada.act(table.OpMove, tokenOne, at(1, 1))
		s.settle()
		ada.cut(true)
		s.settle()
		bob.act(table.OpRelease, tokenOne)
		s.settle()
		ada.cut(true)
		s.settle()
		ada.act(table.OpMove, tokenOne, at(2, 2))
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
	})
	t.Run("T16.1 invalid updates cost only their sender", testHostile)
}

// testFirstReason shows which reason counts when several prevent one update.
func testFirstReason(t *testing.T) {
	s, ada, _, cid := sit(t)
	move := func(want table.Reason) {
		t.Helper()
		cid.act(table.OpMove, cardOne, at(30_000, 0))
		if out := s.receive(cid); out.Reject.Reason != want {
			t.Errorf("reason %d, want %d", out.Reject.Reason, want)
		}
		s.settle()
	}
	shuffle := func(want table.Reason) {
		t.Helper()
		cid.act(table.OpShuffle, 0, pieces(cardTwo, cardOne, cardThree))
		if out := s.receive(cid); out.Reject.Reason != want {
			t.Errorf("a shuffle: reason %d, want %d", out.Reject.Reason, want)
		}
		s.settle()
	}
	move(table.ReasonOffTable)
	ada.do(table.OpGrab, cardOne)
	move(table.ReasonHeld)
	shuffle(table.ReasonHeld)
	ada.do(table.OpMove, cardOne, at(0, handOneY)) // held, so not yet in her hand
	move(table.ReasonHeld)
	ada.do(table.OpPin, cardOne)
	move(table.ReasonPinned)
	shuffle(table.ReasonPinned)
	ada.do(table.OpLock, cardOne)
	move(table.ReasonLocked)
	shuffle(table.ReasonLocked)
	ada.do(table.OpGrab, cardThree)
	shuffle(table.ReasonLocked)
	ada.do(table.OpGrab, cardTwo)
	shuffle(table.ReasonHeld)
	ada.do(table.OpUnlock, cardOne)
	ada.act(table.OpUnpin, cardOne)
	name := s.called(cardOne)
	ada.do(table.OpRelease, cardTwo)
	ada.do(table.OpRelease, cardThree)
	ada.do(table.OpRelease, cardOne)
	for range 2 { // in her hand, and then deleted
		if _, bogus := s.apply(
			cid, cid.make(table.OpShuffle, 0, pieces(cardTwo, cardThree, name)),
		); bogus != nil {
			t.Error(bogus)
		}
		shuffle(table.ReasonGone)
		move(table.ReasonGone)
		ada.do(table.OpDelete, cardOne)
	}
	cid.act(table.OpAdd, 0, kind(kindToken), at(30_000, 0))
	if out := s.receive(cid); out.Reject.Reason != table.ReasonOffTable {
		t.Errorf("an addition: reason %d", out.Reject.Reason)
	}
	s.settle()
}

// testHostile shows that the bad updates that one client sends of a piece do not disturb another
// client that moves it.
func testHostile(t *testing.T) {
	s, _, bob, mallory := sit(t)
	bob.act(table.OpGrab, tokenOne)
	s.settle()
	frames, entries := 0, len(s.log)
	for i := range 1000 {
		switch op := []table.Op{
			table.OpMove, table.OpGrab, table.OpDelete, table.OpRelease, table.OpPin,
		}[i%5]; op {
		case table.OpMove:
			_, _ = s.apply(mallory, mallory.make(op, tokenOne, at(0, 0)))
		case table.OpGrab: // stale
			u := mallory.make(op, tokenOne)
			u.Tag = markRejects + 1
			s.must(t, mallory, u, table.Discarded)
		default:
			_, _ = s.apply(mallory, mallory.make(op, tokenOne))
		}
		if len(s.log) != entries {
			t.Fatalf("a bad update was recorded: %+v", s.log[len(s.log)-1])
		}
		bob.act(table.OpMove, tokenOne, at(int32(i), 0))
		wantVerdict(t, s.receive(bob), table.Recorded)
		entries = len(s.log)
		frames += len(bob.down)
		bob.drain()
		mallory.drain()
	}
	s.settle()
	if len(bob.conflicts) != 0 || frames != 1000 {
		t.Errorf("conflicts on %v; %d frames for 1000 updates", bob.conflicts, frames)
	}
}

// TestT15Bogus shows that an invalid update is refused with its code, and changes nothing.
// Clauses: T15.1, T24.2
func TestT15Bogus(t *testing.T) {
	s, ada, _, _ := sit(t)
	s.must(t, ada, ada.make(table.OpMove, tokenOne, at(0, 0)), table.Recorded)
	set := ada.make(table.OpSet, chessClock, ms(1))
	s.must(t, ada, set, table.Recorded)
	rows := []struct {
		name, code string
		u          func() table.Update
	}{
		{
			"T15, T24.3 no operation", table.CodeUnknownOp,
			func() table.Update { return ada.make(table.OpNone, tokenOne) },
		},
		{
			"T15, T24.3 an operation of the server's", table.CodeUnknownOp,
			func() table.Update { return ada.make(table.OpReveal, tokenOne) },
		},
		{
			"T15 an unknown operation", table.CodeUnknownOp,
			func() table.Update { return ada.make(table.OpReset+1, tokenOne) },
		},
		{
			"T15 an operation beyond the last", table.CodeUnknownOp,
			func() table.Update { return ada.make(127, tokenOne) },
		},
		{
			"T15, T24.1 a missing argument", table.CodeMalformed,
			func() table.Update { return ada.make(table.OpMove, tokenOne) },
		},
		{
			"T15, T24.1 a superfluous argument", table.CodeMalformed,
			func() table.Update { return ada.make(table.OpGrab, tokenOne, at(0, 0)) },
		},
		{
			"T15, T17.1 Loose, and no grab", table.CodeMalformed,
			func() table.Update { return ada.make(table.OpWrest, tokenOne, loose()) },
		},
		{"T15, T24.1 an addition with a tag", table.CodeMalformed, func() table.Update {
			return ada.make(table.OpAdd, tokenOne, kind(kindToken), at(0, 0))
		}},
		{
			"T15 no piece", table.CodeMalformed,
			func() table.Update { return ada.make(table.OpGrab, 0) },
		},
		{
			"T15 sequence 0", table.CodeImpossible,
			func() table.Update { u := ada.make(table.OpGrab, tokenOne); u.Seq = 0; return u },
		},
		{"T15 a sequence too high", table.CodeImpossible, func() table.Update {
			u := ada.make(table.OpGrab, tokenOne)
			u.Seq = id.ClientSeqMax + 1
			return u
		}},
		{"T15 x too great", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpMove, tokenOne, at(table.MaxCoordinate+1, 0))
		}},
		{"T15 y too small", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpMove, tokenOne, at(0, -table.MaxCoordinate-1))
		}},
		{"T15 a full turn", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpRotate, tokenOne, turned(table.FullTurn))
		}},
		{
			"T15 a negative angle", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpRotate, tokenOne, turned(-1)) },
		},
		{
			"T15, T24.4 no such face", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpFlip, tokenOne, face(3)) },
		},
		{
			"T15 a negative face", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpFlip, tokenOne, face(-1)) },
		},
		{
			"T15, T24.4 a face that no card of its mask has", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpFlip, cardOne, face(6)) },
		},
		{
			"T15 no such kind", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpAdd, 0, kind(kindCount), at(0, 0)) },
		},
		{"T15 no such face of the kind", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpAdd, 0, kind(kindToken), at(0, 0), face(3))
		}},
		{
			"T15.6 a piece that never existed", table.CodeUnknownPiece,
			func() table.Update { return ada.make(table.OpGrab, pieceCount+1) },
		},
		{"T15.11 a version that was never given", table.CodeFutureTag, func() table.Update {
			u := ada.make(table.OpGrab, tokenOne)
			u.Tag = s.table.VersionAt(1, s.table.Gen()) + 65_535
			return u
		}},
		{
			"T15, T26.1 a shuffle of one", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpShuffle, 0, pieces(cardOne)) },
		},
		{"T15, T26.1 a shuffle of too many", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpShuffle, 0, pieces(make([]id.Piece, table.MaxShuffle+1)...))
		}},
		{"T15, T26.1 one piece twice", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpShuffle, 0, pieces(cardOne, cardTwo, cardOne))
		}},
		{
			"T15.6, T26 a piece that never was", table.CodeUnknownPiece,
			func() table.Update { return ada.make(table.OpShuffle, 0, pieces(cardOne, 99)) },
		},
		{
			"T15, T27.2 not a clock", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpStart, tokenOne) },
		},
		{
			"T15, T27.2 a card is not a clock", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpReset, cardOne) },
		},
		{
			"T15, T27.2 a third side", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpPress, chessClock, side(3)) },
		},
		{
			"T15, T27 side zero", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpPress, chessClock, side(0)) },
		},
		{
			"T15, T27.2 the other side of a stopwatch", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpStart, stopwatch, side(2)) },
		},
		{
			"T15, T27.3 a stopwatch is not pressed", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpPress, stopwatch, side(1)) },
		},
		{
			"T15, T27 a press of no side", table.CodeMalformed,
			func() table.Update { return ada.make(table.OpPress, chessClock) },
		},
		{
			"T15, T27 set to nothing", table.CodeMalformed,
			func() table.Update { return ada.make(table.OpSet, chessClock, increment(1)) },
		},
		{
			"T15, T27 set below zero", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpSet, chessClock, ms(-1)) },
		},
		{
			"T15, T27 set too high", table.CodeImpossible,
			func() table.Update { return ada.make(table.OpSet, chessClock, ms(curve.MaxValue+1)) },
		},
		{"T15, T27 a negative increment", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpSet, chessClock, ms(1), increment(-1))
		}},
		{"T15, T27 an increment too high", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpSet, chessClock, ms(1), increment(curve.MaxValue+1))
		}},
		{"T15, T27.4 a stopwatch has no increment", table.CodeImpossible, func() table.Update {
			return ada.make(table.OpSet, stopwatch, ms(1), increment(1))
		}},
		{
			"T10 a clock set with a sequence used for another setting", table.CodeReusedSeq,
			func() table.Update {
				u := ada.make(table.OpSet, chessClock, ms(2))
				u.Seq = set.Seq
				return u
			},
		},
		{"T10.3 a sequence that was used for something else", table.CodeReusedSeq, func() table.Update {
			u := ada.make(table.OpGrab, tokenOne)
			u.Seq = 1
			return u
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			good, bad := ada.make(table.OpGrab, tokenTwo), row.u()
			batch := []table.Update{good, bad}
			gen := s.table.Gen()
			bogus := s.table.Check(ada.id, ada.seat, batch)
			if bogus == nil {
				t.Fatalf("%+v is accepted", bad)
			}
			if bogus.Code != row.code || bogus.Index != 1 || bogus.Detail == "" ||
				!strings.Contains(bogus.Error(), bogus.Detail) {
				t.Errorf("%+v: %+v, want %s", bad, bogus, row.code)
			}
			if s.table.Gen() != gen || len(s.table.Take()) != 0 {
				t.Error("a check changed something")
			}
			if again := s.table.Check(ada.id, ada.seat, []table.Update{good}); again != nil {
				t.Errorf("the update before it is invalid by itself: %v", again)
			}
		})
	}
	// Clauses: T10.5
	t.Run("T10 a batch counts up", func(t *testing.T) {
		first, second := ada.make(table.OpGrab, tokenOne), ada.make(table.OpGrab, tokenTwo)
		wantBogus(t, s.table.Check(ada.id, ada.seat, []table.Update{second, first}),
			table.CodeDecreasingSeq)
		wantBogus(t, s.table.Check(ada.id, ada.seat, []table.Update{second, second}),
			table.CodeDecreasingSeq)
	})
	t.Run("T13.1 an invalid level is refused unread", func(t *testing.T) {
		for _, text := range []string{
			"", "0", "1", "0.", "0.0", "0.50", "1.5", ".5", "-0.5", "+0.5", "0.5e3", "NaN", "Inf",
			" 0.5", "0,5", "0." + strings.Repeat("1", zlevel.MaxDigits+1),
		} {
			if _, err := zlevel.Parse(text); err == nil {
				t.Errorf("%q is a level", fmt.Sprintf("%.20s", text))
			}
		}
	})
}

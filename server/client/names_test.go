package client

import (
	"errors"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

func holds(piece uint32, columns ...uint32) *holtpb.Event {
	h := &holtpb.Holds{Piece: piece}
	for i := 0; i < len(columns); i += 2 {
		h.Kinds = append(h.Kinds, columns[i])
		h.Counts = append(h.Counts, columns[i+1]) //nolint:gosec // pairs
	}
	return wire.HoldsEvent(h)
}

// TestNames shows that what a client keeps of a piece follows the piece to its new name (T21).
func TestNames(t *testing.T) {
	t.Run("T21 the state of a piece moves to its new identifier", func(t *testing.T) {
		r := withFull(t)
		posted := do(t, r, moveTo(1, 5, 5))
		waiting, err := r.addPending(moveTo(1, 6, 6))
		if err != nil {
			t.Fatal(err)
		}
		r.carries(1)
		e := kinds(t, r, frame(30,
			ack(uint64(posted), &holtpb.Piece{
				Id: 1, Mark: 30, Renamed: new(uint32(20_000)), Owner: new(uint32(you)),
			}),
		), Acked)
		if e[0].Piece.Name != 20_000 || e[0].Piece.Owner != you {
			t.Errorf("the ack has %+v", e[0].Piece)
		}
		if _, ok := r.shown(1); ok {
			t.Error("it is there by its old identifier, too")
		}
		shows(t, r, 20_000, 6, 6, 30)
		if sent := r.unsent(); len(sent) != 1 || sent[0].Seq != waiting || sent[0].Piece != 20_000 {
			t.Errorf("%+v is posted", sent)
		}
		if !r.carried[20_000] || r.carried[1] {
			t.Errorf("carried is %v", r.carried)
		}
	})
	t.Run("T10, T21 a posted update is retried unchanged", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, moveTo(1, 5, 5))
		kinds(t, r, frame(30, update(
			0, holtpb.Op_OP_REVEAL, &holtpb.Piece{Id: 2, Mark: 30, Renamed: new(uint32(30_000))},
		)), Updated)
		kinds(t, r, frame(31, update(0, holtpb.Op_OP_REVEAL, &holtpb.Piece{
			Id: 30_000, Mark: 31, Renamed: new(uint32(40_000)),
		})), Updated)
		other := do(t, r, moveTo(40_000, 7, 7))
		r.lost()
		r.made()
		sent := r.unsent()
		if len(sent) != 2 || sent[0].Seq != seq || sent[0].Piece != 1 || sent[1].Seq != other ||
			sent[1].Piece != 40_000 {
			t.Errorf("%+v is posted again", sent)
		}
	})
	t.Run("T10, T11, T21 a posted update of a renamed piece gets an answer", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, moveTo(1, 5, 5))
		e := kinds(t, r, frame(30, update(
			1, holtpb.Op_OP_RELEASE, &holtpb.Piece{Id: 1, Mark: 30, Renamed: new(uint32(20_000))},
		)), Updated, Conflict)
		if e[0].Was != 1 || e[0].Piece.Name != 20_000 || e[1].Seq != seq ||
			e[1].Piece.Name != 20_000 {
			t.Errorf("it reports %+v", e)
		}
	})
	t.Run("T20.2, T21 a piece that its client hides goes without a conflict", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, table.Update{
			Op: table.OpRelease, Piece: 1, Has: table.HasPiece | table.HasXY, X: 9, Y: 9,
		})
		e := kinds(t, r, frame(30,
			update(you, holtpb.Op_OP_RELEASE, &holtpb.Piece{Id: 1, Mark: 30, Gone: new(true)}),
			ack(uint64(seq), &holtpb.Piece{Id: 1, Mark: 30}), holds(2, 61, 5),
		), Updated, Acked, Counted)
		if !e[0].Piece.Gone || len(r.view().Pieces) != 1 {
			t.Errorf("it reports %+v", e)
		}
	})
}

// TestBlind shows that a blind update has no tag, displays nothing and meets no conflict (T28).
func TestBlind(t *testing.T) {
	draw := table.Update{
		Op: table.OpDraw, Piece: 2, Has: table.HasPiece | table.HasXY | table.HasHold, X: 7, Y: 7,
	}
	// Clauses: T28.1, T28.4
	t.Run("T28 a blind update has no tag, shows nothing, and has no conflict", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, draw)
		shows(t, r, 2, 50, 50, 20)
		kinds(t, r, frame(
			30, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 2, Mark: 30, X: new(int32(51))}),
		), Updated)
		kinds(t, r, frame(31, reject(99, holtpb.Reason_REASON_HELD, at(2, 31, 52, 50))))
		n, ok := r.take(seq)
		if !ok || n.update.Has&table.HasTag != 0 {
			t.Errorf("the pending update is %+v, %v", n, ok)
		}
	})
	t.Run("T10, T28.6 the ack of a draw names its piece and the server's fields", func(t *testing.T) {
		r := withFull(t)
		drawn, counted := do(t, r, draw), do(t, r,
			table.Update{Op: table.OpCount, Piece: 1, Has: table.HasPiece | table.HasN, N: 3})
		e := kinds(t, r, frame(30,
			update(you, holtpb.Op_OP_DRAW, at(20_000, 29, 7, 7)),
			&holtpb.Event{Event: &holtpb.Event_Ack{Ack: &holtpb.Ack{
				Seq: uint64(drawn), Made: 20_000,
			}}},
			ack(uint64(counted), &holtpb.Piece{Id: 1, Mark: 30, Value: new(int32(8))}),
		), Updated, Acked, Acked)
		if e[1].Made != 20_000 || e[2].Piece.Value != 8 {
			t.Errorf("it reports %+v", e)
		}
		shows(t, r, 20_000, 7, 7, 29)
	})
	t.Run("T28, S5 it is sent again after a full state, whatever became of it", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, draw)
		r.lost()
		kinds(t, r, frame(90, full(epoch, at(1, 90, 0, 0))), Synchronised)
		if sent := r.unsent(); len(sent) != 1 || sent[0].Seq != seq {
			t.Errorf("%+v is sent again", sent)
		}
	})
	t.Run("T14.9, T28 its reject names no piece", func(t *testing.T) {
		r := withFull(t)
		seq, move := do(t, r, draw), do(t, r, moveTo(2, 1, 1))
		e := kinds(t, r, frame(30, &holtpb.Event{Event: &holtpb.Event_Reject{Reject: &holtpb.Reject{
			Seq: uint64(seq), Reason: holtpb.Reason_REASON_EMPTY,
		}}}), Rejected)
		if e[0].Reason != table.ReasonEmpty || e[0].Op != table.OpDraw {
			t.Errorf("it reports %+v", e)
		}
		if _, ok := r.take(move); !ok {
			t.Error("the move is given up")
		}
	})
}

// TestHolds shows how a client counts what containers and hands hold, and that notices and faces
// are reported as they come.
func TestHolds(t *testing.T) {
	tally := func(piece id.Piece, sort uint32, n int) table.Tally {
		return table.Tally{Piece: piece, Sort: sort, Count: n}
	}
	t.Run("T29 counts are complete and replace earlier ones", func(t *testing.T) {
		r := &viewState{}
		f := full(epoch, at(1, 10, 0, 0), at(2, 20, 0, 0))
		f.GetFull().Holds = []*holtpb.Holds{
			{Piece: 2, Kinds: []uint32{0, 61}, Counts: []uint32{1, 5}},
			{Piece: 1, Kinds: []uint32{4}, Counts: []uint32{9}},
		}
		kinds(t, r, frame(20, f), Synchronised)
		if got, want := r.view().Holds, []table.Tally{
			tally(1, 4, 9), tally(2, 0, 1), tally(2, 61, 5),
		}; !slices.Equal(got, want) {
			t.Errorf("a full state has %v, want %v", got, want)
		}
		kinds(t, r, frame(21, holds(2, 61, 4), holds(1)), Counted, Counted)
		if got, want := r.view().Holds, []table.Tally{tally(2, 61, 4)}; !slices.Equal(got, want) {
			t.Errorf("then there is %v, want %v", got, want)
		}
		kinds(t, r, frame(
			22, update(1, holtpb.Op_OP_DELETE, &holtpb.Piece{Id: 2, Mark: 22, Gone: new(true)}),
		), Updated)
		if got := r.view().Holds; len(got) != 0 {
			t.Errorf("a piece that is gone holds %v", got)
		}
	})
	t.Run("S9 columns of different lengths are no frame", func(t *testing.T) {
		r := withFull(t)
		bad := wire.HoldsEvent(&holtpb.Holds{Piece: 1, Kinds: []uint32{1}})
		if _, err := r.frame(frame(21, bad), nil); !errors.Is(err, wire.ErrFrame) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("T28, T31 notices and faces are passed on as they come", func(t *testing.T) {
		r := withFull(t)
		e := kinds(t, r, frame(0,
			&holtpb.Event{Event: &holtpb.Event_Notice{Notice: &holtpb.Notice{
				By: 1, Op: holtpb.Op_OP_SHOW, Piece: 2, Count: 1, Seat: 3,
			}}},
			&holtpb.Event{Event: &holtpb.Event_Faces{Faces: &holtpb.Faces{
				By: 1, Op: holtpb.Op_OP_SHOW, Kinds: []uint32{7, 8}, Face: 1,
			}}},
		), Noticed, Saw)
		if n := e[0]; n.By != 1 || n.Op != table.OpShow || n.Piece.Name != 2 || n.Count != 1 ||
			n.To != 3 {
			t.Errorf("the notice is %+v", n)
		}
		if f := e[1]; f.By != 1 || !slices.Equal(f.Kinds, []uint32{7, 8}) || f.Piece.Face != 1 ||
			f.Piece.Name != 0 {
			t.Errorf("the faces are %+v", f)
		}
	})
}

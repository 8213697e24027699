package client

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// The epoch of most tests, and the seat of the replica.
const (
	epoch = 77
	you   = 2
)

func frame(version uint64, events ...*holtpb.Event) *holtpb.Frame {
	return &holtpb.Frame{Mark: version, Events: events}
}

// at is a piece as a full state shows it.
func at(name uint32, version uint64, x, y int32) *holtpb.Piece {
	return &holtpb.Piece{
		Id: name, Mark: version, X: new(x), Y: new(y), Z: new("0.5"), ZMark: new(uint64(1)),
	}
}

func full(epoch uint64, pieces ...*holtpb.Piece) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Full{Full: &holtpb.Full{
		Epoch: epoch, You: you, Table: &holtpb.TableInfo{Title: "Test", Width: 1000, Height: 800},
		Pieces: pieces, Seats: []*holtpb.Seat{{Id: 1, Nick: "Ada", Role: holtpb.Role_ROLE_HOST}},
	}}}
}

func update(by uint32, op holtpb.Op, p *holtpb.Piece) *holtpb.Event {
	return &holtpb.Event{
		Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p, By: by, Op: op}},
	}
}

func ack(seq uint64, p *holtpb.Piece) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Ack{Ack: &holtpb.Ack{Seq: seq, Piece: p}}}
}

func reject(seq uint64, reason holtpb.Reason, p *holtpb.Piece) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Reject{Reject: &holtpb.Reject{
		Seq: seq, Reason: reason, Piece: p, By: 1,
	}}}
}

// withFull returns a replica that has received a full state with the pieces 1 and 2, of versions 10
// and 20.
func withFull(t *testing.T) *viewState {
	t.Helper()
	r := &viewState{}
	kinds(t, r, frame(20, full(epoch, at(1, 10, 0, 0), at(2, 20, 50, 50))), Synchronised)
	return r
}

// kinds lets r process f, and checks the kinds of the events that r reports. It returns the events.
func kinds(t *testing.T, r *viewState, f *holtpb.Frame, want ...EventKind) []Event {
	t.Helper()
	events, err := r.frame(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]EventKind, len(events))
	for i := range events {
		got[i] = events[i].Kind
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the frame reported %v, want %v", got, want)
	}
	return events
}

func moveTo(name id.Piece, x, y int32) table.Update {
	return table.Update{
		Op: table.OpMove, Piece: name, Has: table.HasPiece | table.HasXY, X: x, Y: y,
	}
}

func simple(op table.Op, name id.Piece) table.Update {
	return table.Update{Op: op, Piece: name, Has: table.HasPiece}
}

// do makes an update, which must be possible, and takes it for sent.
func do(t *testing.T, r *viewState, u table.Update) id.ClientSeq {
	t.Helper()
	seq, err := r.addPending(u)
	if err != nil {
		t.Fatal(err)
	}
	r.unsent()
	return seq
}

func shows(t *testing.T, r *viewState, name id.Piece, x, y int32, version id.Version) {
	t.Helper()
	s, ok := r.shown(name)
	if !ok || s.X != x || s.Y != y || s.Version != version {
		t.Fatalf("piece %d is shown at %d, %d with version %d (%v), want %d, %d, %d",
			name, s.X, s.Y, s.Version, ok, x, y, version)
	}
}

// TestTagsAndNumbers shows which tags and sequences updates get, and which updates cannot be made.
func TestTagsAndNumbers(t *testing.T) {
	t.Run("T7.1, T7.2 the tag is the last version given for the piece", func(t *testing.T) {
		r := withFull(t)
		tag := func(name id.Piece, want id.Version) {
			t.Helper()
			seq := do(t, r, moveTo(name, 1, 1))
			n, _ := r.take(seq)
			if n.update.Tag != want || n.update.Has&table.HasTag == 0 {
				t.Fatalf("an update of piece %d is tagged %d, want %d", name, n.update.Tag, want)
			}
		}
		tag(1, 10)
		tag(2, 20) // the version of the full state
		kinds(t, r, frame(
			30, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 2, Mark: 30, X: new(int32(5))}),
		), Updated)
		tag(1, 10) // the version of the piece, not that of the frame
		tag(2, 30)
		seq := do(t, r, moveTo(1, 2, 2))
		kinds(t, r, frame(40, ack(uint64(seq), &holtpb.Piece{Id: 1, Mark: 40})), Acked)
		tag(1, 40)
		kinds(t, r, frame(40, reject(99, holtpb.Reason_REASON_PINNED, at(1, 41, 0, 0))))
		tag(1, 41)
	})
	t.Run("T10.1 updates are numbered from 1, strictly rising", func(t *testing.T) {
		r := withFull(t)
		for want := id.ClientSeq(1); want <= 3; want++ {
			if seq := do(t, r, moveTo(1, 1, 1)); seq != want {
				t.Fatalf("sequence %d, want %d", seq, want)
			}
		}
		kinds(t, r, frame(20, full(epoch, at(1, 10, 0, 0))), Synchronised)
		if seq := do(t, r, moveTo(1, 1, 1)); seq != 4 {
			t.Fatalf("sequence %d after a new full state, want 4", seq)
		}
	})
	t.Run("S5 no update is possible before the full state", func(t *testing.T) {
		if _, err := (&viewState{}).addPending(moveTo(1, 1, 1)); !errors.Is(err, ErrNotSynchronised) {
			t.Fatal(err)
		}
	})
	t.Run("pending updates are bounded", func(t *testing.T) {
		r := withFull(t)
		for range maxPending {
			do(t, r, moveTo(1, 1, 1))
		}
		if _, err := r.addPending(moveTo(1, 1, 1)); !errors.Is(err, ErrTooMany) {
			t.Fatal(err)
		}
	})
	t.Run("a batch is no larger than the server takes", func(t *testing.T) {
		r := withFull(t)
		long := moveTo(1, -1_000_000, -1_000_000)
		long.Has, long.Z = long.Has|table.HasZ,
			zlevel.Level("0."+strings.Repeat("7", zlevel.MaxDigits))
		for range maxPending {
			if _, err := r.addPending(long); err != nil {
				t.Fatal(err)
			}
		}
		sent := 0
		for us := r.unsent(); len(us) > 0; us = r.unsent() {
			sent += len(us)
			body := wire.AppendBatch(nil,
				wire.Batch{Client: id.Client{1}, Epoch: epoch, Updates: us})
			if len(body) > wire.MaxBatchBytes {
				t.Fatalf("a batch of %d updates has %d bytes", len(us), len(body))
			}
		}
		if sent != maxPending {
			t.Fatalf("%d updates were sent, want %d", sent, maxPending)
		}
	})
	t.Run("an unknown piece cannot be changed", func(t *testing.T) {
		if _, err := withFull(t).addPending(moveTo(3, 1, 1)); !errors.Is(err, ErrGone) {
			t.Fatal(err)
		}
	})
}

// TestOutcomes shows what acks, server updates, conflicts and rejects do to the pending updates.
func TestOutcomes(t *testing.T) {
	// Clauses: T9.1, T9.2
	t.Run("T9 its own update is shown at once, and a server update over it", func(t *testing.T) {
		r := withFull(t)
		do(t, r, moveTo(1, 7, 8))
		shows(t, r, 1, 7, 8, 10)
		kinds(t, r, frame(
			30, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))}),
		), Updated, Conflict)
		shows(t, r, 1, 3, 0, 30)
	})
	t.Run("T10 an ack records the effect and what the server filled in", func(t *testing.T) {
		r := withFull(t)
		u := simple(table.OpGrab, 1)
		u.Has, u.Z = u.Has|table.HasZ, "0.75"
		seq := do(t, r, u)
		kinds(t, r,
			frame(30, ack(uint64(seq), &holtpb.Piece{Id: 1, Mark: 30, ZMark: new(uint64(30))})),
			Acked)
		want := table.Shown{Name: 1, Version: 30, Z: "0.75", ZVersion: 30, Holder: you}
		if got, _ := r.shown(1); got != want {
			t.Fatal(cmp.Diff(want, got))
		}
	})
	t.Run("T11.3 the ack of an earlier update leaves the later one pending", func(t *testing.T) {
		r := withFull(t)
		first := do(t, r, moveTo(1, 1, 1))
		do(t, r, moveTo(1, 2, 2))
		kinds(t, r, frame(30, ack(uint64(first), &holtpb.Piece{Id: 1, Mark: 30})), Acked)
		shows(t, r, 1, 2, 2, 30)
		if len(r.pending) != 1 {
			t.Fatalf("%d pending, want 1", len(r.pending))
		}
	})
	t.Run("T11.4 a server update is a conflict for its own piece only", func(t *testing.T) {
		r := withFull(t)
		other := do(t, r, moveTo(2, 1, 1))
		first, second := do(t, r, moveTo(1, 1, 1)), do(t, r, moveTo(1, 2, 2))
		events := kinds(t, r, frame(
			30, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))}),
		), Updated, Conflict, Conflict)
		if events[1].Seq != first || events[2].Seq != second || r.lowest() != other {
			t.Fatalf("conflicts of %d and %d, still waiting for %d",
				events[1].Seq, events[2].Seq, r.lowest())
		}
	})
	t.Run("T14.7 a reject drops the updates sent after it", func(t *testing.T) {
		r := withFull(t)
		first, second := do(t, r, moveTo(1, 1, 1)), do(t, r, moveTo(1, 2, 2))
		do(t, r, moveTo(2, 3, 3))
		events := kinds(t, r,
			frame(20, reject(uint64(first), holtpb.Reason_REASON_HELD, at(1, 11, 0, 0))), Rejected,
			Dropped)
		if e := events[0]; e.Seq != first || e.Reason != table.ReasonHeld || e.By != 1 ||
			e.Piece.Version != 11 {
			t.Fatalf("%+v", e)
		}
		if events[1].Seq != second || len(r.pending) != 1 {
			t.Fatalf("dropped %d, %d pending", events[1].Seq, len(r.pending))
		}
		shows(t, r, 1, 0, 0, 11)
	})
	t.Run("T15.15 only a refused batch is given up", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, moveTo(1, 1, 1))
		later := do(t, r, moveTo(1, 2, 2))
		why := &Problem{Status: 422, Code: "impossible-value"}
		events := r.refuse([]table.Update{{Seq: seq}}, why, nil)
		if len(events) != 1 || events[0].Kind != Refused || events[0].Seq != seq ||
			!errors.Is(events[0].Err, why) || r.lowest() != later {
			t.Fatalf("%+v, waiting for %d", events, r.lowest())
		}
	})
	t.Run("T20 one's own deletion as a server update is not a conflict", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, simple(table.OpDelete, 1))
		gone := update(you, holtpb.Op_OP_DELETE, &holtpb.Piece{Id: 1, Mark: 30, Gone: new(true)})
		kinds(t, r, frame(30, gone, ack(uint64(seq), &holtpb.Piece{Id: 1, Mark: 30})), Updated,
			Acked)
		if _, ok := r.shown(1); ok {
			t.Fatal("the piece is still there")
		}
	})
	t.Run("an update of an unknown piece brings it", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, table.Update{Op: table.OpAdd, Has: table.HasKind | table.HasXY, X: 4, Y: 4})
		events := kinds(t, r, frame(30, update(you, holtpb.Op_OP_ADD, at(9, 30, 4, 4)),
			&holtpb.Event{Event: &holtpb.Event_Ack{Ack: &holtpb.Ack{
				Seq: uint64(seq), Made: 9, Piece: &holtpb.Piece{Id: 9, Mark: 30},
			}}}), Updated, Acked)
		if events[1].Made != 9 {
			t.Fatalf("made %d, want 9", events[1].Made)
		}
		shows(t, r, 9, 4, 4, 30)
	})
	t.Run("an unknown ack asks for the full state", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(30, ack(5, &holtpb.Piece{Id: 1, Mark: 30})))
		if !r.resync {
			t.Fatal("it goes on without knowing the recorded update")
		}
	})
}

// TestShuffled shows that a shuffle is reported, and that what it changes is an ordinary server
// update (T26).
func TestShuffled(t *testing.T) {
	shuffled := func(pieces ...uint32) *holtpb.Event {
		return &holtpb.Event{
			Event: &holtpb.Event_Shuffled{Shuffled: &holtpb.Shuffled{By: 1, Pieces: pieces}},
		}
	}
	t.Run("T26 a shuffle names the displayed pieces, and changes nothing itself", func(t *testing.T) {
		r := withFull(t)
		do(t, r, moveTo(1, 7, 8))
		want := r.view()
		events := kinds(t, r, frame(20, shuffled(2, 9, 1)), Shuffled)
		if e := events[0]; e.By != 1 || !slices.Equal(e.Pieces, []id.Piece{2, 1}) {
			t.Errorf("got %+v", e)
		}
		if diff := cmp.Diff(want, r.view()); diff != "" || len(r.pending) != 1 {
			t.Errorf("%d pending, and the view has changed: %s", len(r.pending), diff)
		}
	})
	t.Run("T26 a shuffle's updates come before it, and are conflicts", func(t *testing.T) {
		r := withFull(t)
		do(t, r, moveTo(1, 7, 8))
		kinds(t, r, frame(30, update(
			1, holtpb.Op_OP_SHUFFLE, &holtpb.Piece{Id: 1, Mark: 30, Face: new(uint32(1))},
		), shuffled(1, 2)), Updated, Shuffled, Conflict)
		shows(t, r, 1, 0, 0, 30)
	})
}

// TestLooseGrabs shows that a Loose grab survives server updates, and that other updates of its
// piece wait for the answer (T17).
func TestLooseGrabs(t *testing.T) {
	loose := simple(table.OpGrab, 1)
	loose.Has |= table.HasLoose
	// Clauses: T17.8, T17.9
	t.Run("T17 a Loose grab stays shown over a server update, no conflict", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, loose)
		kinds(t, r, frame(
			30, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))}),
		), Updated)
		if s, _ := r.shown(1); s.Holder != you || s.X != 3 {
			t.Fatalf("%+v", s)
		}
		honoured := update(you, holtpb.Op_OP_GRAB,
			&holtpb.Piece{Id: 1, Mark: 40, Holder: new(uint32(you))})
		kinds(t, r, frame(40, honoured, ack(uint64(seq), &holtpb.Piece{Id: 1, Mark: 40})), Updated,
			Acked)
		shows(t, r, 1, 3, 0, 40)
	})
	t.Run("T17.10 other updates of the piece wait for the answer", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, loose)
		if _, err := r.addPending(moveTo(1, 1, 1)); !errors.Is(err, ErrLoose) {
			t.Fatal(err)
		}
		do(t, r, moveTo(2, 1, 1))
		kinds(t, r,
			frame(30, reject(uint64(seq), holtpb.Reason_REASON_STALE_LOOSE, at(1, 30, 0, 0))),
			Rejected)
		do(t, r, moveTo(1, 1, 1))
	})
}

// TestNewFullState shows what becomes of each pending update when a full state arrives (S5).
func TestNewFullState(t *testing.T) {
	t.Run("S5.17 an update acknowledged in the full state is not applied again", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, moveTo(1, 7, 7))
		// Recorded as version 30; then somebody else moved the piece, as version 40.
		kinds(t, r, frame(40, full(epoch, at(1, 40, 9, 9), at(2, 20, 50, 50)),
			ack(uint64(seq), &holtpb.Piece{Id: 1, Mark: 30})), Synchronised, Acked)
		shows(t, r, 1, 9, 9, 40)
	})
	t.Run("S5.26 an up-to-date update is sent again with its sequence and tag", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, moveTo(1, 7, 7))
		kinds(t, r, frame(20, full(epoch, at(1, 10, 0, 0), at(2, 20, 50, 50))), Synchronised)
		shows(t, r, 1, 7, 7, 10)
		us := r.unsent()
		if len(us) != 1 || us[0].Seq != seq || us[0].Tag != 10 {
			t.Fatalf("sent again: %+v", us)
		}
		if us := r.unsent(); len(us) != 0 {
			t.Fatalf("sent twice on one stream: %+v", us)
		}
	})
	t.Run("S5 an update after a recorded one of ours is up to date", func(t *testing.T) {
		r := withFull(t)
		first, second := do(t, r, moveTo(1, 7, 7)), do(t, r, moveTo(1, 8, 8))
		kinds(t, r, frame(
			30, full(epoch, at(1, 10, 7, 7)), ack(uint64(first), &holtpb.Piece{Id: 1, Mark: 30}),
		), Synchronised, Acked)
		us := r.unsent()
		if len(us) != 1 || us[0].Seq != second || us[0].Tag != 10 {
			t.Fatalf("sent again: %+v", us)
		}
	})
	t.Run("S5 an ack after the full state does not hide another's update", func(t *testing.T) {
		r := withFull(t)
		first, second := do(t, r, moveTo(1, 7, 7)), do(t, r, moveTo(1, 8, 8))
		got := kinds(t, r, frame(
			30, full(epoch, at(1, 35, 9, 9)), ack(uint64(first), &holtpb.Piece{Id: 1, Mark: 30}),
		), Synchronised, Acked, Conflict)
		if us := r.unsent(); len(us) != 0 || got[2].Seq != second {
			t.Fatalf("%+v; sent again: %+v", got, us)
		}
	})
	t.Run("T21 an ack with a new identifier names the same piece", func(t *testing.T) {
		r := withFull(t)
		first, second := do(t, r, moveTo(1, 7, 7)), do(t, r, moveTo(1, 8, 8))
		kinds(t, r, frame(30, full(epoch, at(9001, 10, 7, 7)),
			ack(uint64(first), &holtpb.Piece{Id: 9001, Mark: 30})), Synchronised, Acked)
		shows(t, r, 9001, 8, 8, 30)
		if us := r.unsent(); len(us) != 1 || us[0].Seq != second || us[0].Piece != 1 {
			t.Fatalf("sent again: %+v", us)
		}
	})
	t.Run("S5.22 a faster update of somebody else is a conflict", func(t *testing.T) {
		r := withFull(t)
		do(t, r, moveTo(1, 7, 7))
		do(t, r, moveTo(2, 7, 7))
		// Piece 2 is gone.
		kinds(t, r, frame(40, full(epoch, at(1, 40, 9, 9))), Synchronised, Conflict, Conflict)
		if len(r.unsent()) != 0 {
			t.Fatal("sent again")
		}
	})
	t.Run("S5 a Loose grab and an addition are always sent again", func(t *testing.T) {
		r := withFull(t)
		loose := simple(table.OpGrab, 1)
		loose.Has |= table.HasLoose
		do(t, r, loose)
		do(t, r, table.Update{Op: table.OpAdd, Has: table.HasKind | table.HasXY})
		kinds(t, r, frame(40, full(epoch, at(1, 40, 9, 9))), Synchronised)
		if us := r.unsent(); len(us) != 2 || us[0].Tag != 10 {
			t.Fatalf("sent again: %+v", us)
		}
	})
	t.Run("T19 nothing of the old epoch is sent in another one", func(t *testing.T) {
		r := withFull(t)
		do(t, r, moveTo(1, 7, 7))
		do(t, r, table.Update{Op: table.OpAdd, Has: table.HasKind | table.HasXY})
		kinds(t, r, frame(20, full(epoch+1, at(1, 10, 0, 0))), Synchronised, Conflict, Conflict)
		if len(r.unsent()) != 0 || r.epoch != epoch+1 {
			t.Fatal("the old epoch goes on")
		}
	})
	t.Run("S5.23 an ack never lowers the version of a piece", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(20, ack(3, &holtpb.Piece{Id: 1, Mark: 5, Face: new(uint32(1))})))
		shows(t, r, 1, 0, 0, 10)
		if s, _ := r.shown(1); s.Face != 0 || r.resync {
			t.Fatalf("%+v", s)
		}
	})
	t.Run("S3.4 unknown events are skipped", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(50, &holtpb.Event{}))
		if r.version != 50 {
			t.Fatalf("version %d, want 50", r.version)
		}
	})
}

// TestView shows that the view has the displayed state.
func TestView(t *testing.T) {
	r := withFull(t)
	do(t, r, moveTo(2, 60, 60))
	want := View{
		Epoch: epoch, Version: 20, You: you, Info: Info{Title: "Test", Width: 1000, Height: 800},
		Seats: []SeatInfo{{SeatInfo: table.SeatInfo{Seat: 1, Nick: "Ada", Role: table.RoleHost}}},
		Pieces: []table.Shown{
			{Name: 1, Version: 10, Z: "0.5", ZVersion: 1},
			{Name: 2, Version: 20, X: 60, Y: 60, Z: "0.5", ZVersion: 1},
		},
	}
	if diff := cmp.Diff(want, r.view()); diff != "" {
		t.Fatal(diff)
	}
}

// TestClocks shows that a clock is displayed as acks and server updates say, and that a press alone
// does not change it (T27).
func TestClocks(t *testing.T) {
	stands := &holtpb.Clock{Left1: 300_000, Left2: 300_000, Initial: 300_000, Increment: 2000}
	runs := &holtpb.Clock{
		Running: 2, Since: 5000, Left1: 301_000, Left2: 300_000, Initial: 300_000, Increment: 2000,
	}
	clock := at(3, 30, 0, 0)
	clock.Clock = stands
	r := &viewState{}
	kinds(t, r, frame(30, full(epoch, at(1, 10, 0, 0), clock)), Synchronised)
	want := func(c *holtpb.Clock) {
		t.Helper()
		p, _ := r.shown(3)
		got := table.Shown{Name: 3}
		overlay(&got, &holtpb.Piece{Clock: c})
		if !p.IsClock || p.Clock != got.Clock {
			t.Errorf("it is displayed as %+v, want %+v", p, got.Clock)
		}
	}
	want(stands)
	if p, _ := r.shown(1); p.IsClock {
		t.Errorf("piece 1 is displayed as a clock: %+v", p)
	}
	t.Run("T27.7 the effect of a press comes with its ack", func(t *testing.T) {
		do(t, r,
			table.Update{Op: table.OpPress, Piece: 3, Has: table.HasPiece | table.HasSide, Side: 1})
		want(stands)
		kinds(t, r, frame(31, ack(1, &holtpb.Piece{Id: 3, Mark: 31, Clock: runs})), Acked)
		want(runs)
	})
	t.Run("T27 other players' presses are shown", func(t *testing.T) {
		kinds(t, r,
			frame(32, update(1, holtpb.Op_OP_RESET, &holtpb.Piece{Id: 3, Mark: 32, Clock: stands})),
			Updated)
		want(stands)
	})
}

// TestCurves shows that a client keeps the curves of a piece until others come (K16).
func TestCurves(t *testing.T) {
	curves := func(from uint64, property, start int32) *holtpb.Curves {
		return &holtpb.Curves{From: from, Curves: []*holtpb.Curve{{
			Property: holtpb.Property(property), Start: start, Rate: -1, Max: 1200,
		}}}
	}
	die := at(3, 30, 0, 0)
	die.Curves = curves(5000, 1, 1200)
	r := &viewState{}
	kinds(t, r, frame(30, full(epoch, at(1, 10, 0, 0), die)), Synchronised)
	want := func(from id.Millis, n int) {
		t.Helper()
		p, _ := r.shown(3)
		if all := slices.Collect(p.Curves.All()); p.Curves.From != from || len(all) != n {
			t.Errorf("the curves are %+v, want %d from %d on", p.Curves, n, from)
		}
	}
	want(5000, 1)
	for _, c := range []struct {
		name   string
		curves *holtpb.Curves
		from   id.Millis
		n      int
	}{
		{"K16.8 an update without curves", nil, 5000, 1},
		{"K16.7 an update with others", curves(6000, 1, 1200), 6000, 1},
		{"K16.9 one beyond the bounds", curves(7000, 1, 1201), 6000, 1},
		{"K16.9 one that begins too late", curves(1<<48, 1, 1200), 6000, 1},
		{"K16.7 an empty one", &holtpb.Curves{}, 0, 0},
		{"K16.9 one of an unknown property", curves(8000, 77, 1200), 8000, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _ := r.shown(3)
			mark := uint64(p.Version) + 1
			kinds(t, r, frame(mark, update(1, holtpb.Op_OP_ROLL,
				&holtpb.Piece{Id: 3, Mark: mark, Curves: c.curves})), Updated)
			want(c.from, c.n)
		})
	}
	t.Run("K16.7 in an ack, and in a document", func(t *testing.T) {
		do(t, r, table.Update{Op: table.OpRoll, Piece: 3, Has: table.HasPiece})
		p, _ := r.shown(3)
		mark := uint64(p.Version) + 1
		kinds(t, r, frame(mark, ack(1, &holtpb.Piece{Id: 3, Mark: mark, Curves: curves(9000, 1, 7)})),
			Acked)
		want(9000, 1)
		p, _ = r.shown(3)
		document := pieceDocumentOf(&p)
		if back := document.piece(); back.Curves != p.Curves {
			t.Errorf("a document gives back %+v, want %+v", back.Curves, p.Curves)
		}
	})
}

// TestSaving shows that a client reports whenever the server becomes able or unable to save (S19).
func TestSaving(t *testing.T) {
	t.Run("S19.6 a full state without a saving fault says that saving works", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(20, wire.SavingEvent("its disk is full")), Saving)
		kinds(t, r, frame(20, full(epoch, at(1, 10, 0, 0), at(2, 20, 50, 50))), Synchronised, Saving)
		kinds(t, r, frame(20, full(epoch, at(1, 10, 0, 0), at(2, 20, 50, 50)),
			wire.SavingEvent("its disk is full")), Synchronised, Saving)
		kinds(t, r, frame(20, wire.SavingEvent("its disk is full")))
	})
}

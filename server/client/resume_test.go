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

func resumed(seats ...*holtpb.Seat) *holtpb.Event {
	if len(seats) == 0 {
		seats = []*holtpb.Seat{{Id: 1, Nick: "Ada", Role: holtpb.Role_ROLE_HOST}}
	}
	return &holtpb.Event{Event: &holtpb.Event_Resumed{Resumed: &holtpb.Resumed{Seats: seats}}}
}

// sent returns the sequences of the updates that the replica sends now.
func sent(r *viewState) []id.ClientSeq {
	var seqs []id.ClientSeq
	for _, u := range r.unsent() {
		seqs = append(seqs, u.Seq)
	}
	return seqs
}

// TestResumed shows that a resumed stream keeps all that the client knows, and what becomes of
// pending updates (S5).
func TestResumed(t *testing.T) {
	t.Run("S5.11, S5.14 all that is known stays, and missed frames are processed", func(t *testing.T) {
		r := withFull(t)
		r.lost()
		missed := update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 2, Mark: 30, X: new(int32(3))})
		kinds(t, r, frame(30, resumed(), missed), Resumed, Updated)
		shows(t, r, 1, 0, 0, 10)
		shows(t, r, 2, 3, 50, 30)
		if v := r.view(); v.Version != 30 || v.Epoch != epoch || v.Info.Title != "Test" {
			t.Errorf("%+v", v)
		}
	})
	t.Run("S5.12 the seats are those listed, and changes are reported", func(t *testing.T) {
		r := withFull(t)
		ada := &holtpb.Seat{
			Id: 1, Nick: "Ada", Role: holtpb.Role_ROLE_HOST,
			Presence: holtpb.Presence_PRESENCE_LOST,
		}
		ben := &holtpb.Seat{Id: 2, Nick: "Ben", Role: holtpb.Role_ROLE_PLAYER}
		events := kinds(t, r, frame(20, resumed(ada, ben)), Resumed, SeatChanged, SeatChanged)
		if events[1].By != 1 || events[2].By != 2 ||
			r.seats[1].Presence != holtpb.Presence_PRESENCE_LOST {
			t.Errorf("%+v; %+v", events, r.seats)
		}
		kinds(t, r, frame(20, resumed(ada)), Resumed)
		if len(r.seats) != 1 {
			t.Errorf("%+v", r.seats)
		}
	})
	// Clauses: S5.26
	t.Run("S5 a pending update waits for the next stream, and is sent unchanged", func(t *testing.T) {
		r := withFull(t)
		first := do(t, r, moveTo(1, 7, 7))
		r.lost()
		later, err := r.addPending(moveTo(2, 8, 8))
		if err != nil {
			t.Fatal(err)
		}
		if us := r.unsent(); len(us) != 0 {
			t.Fatalf("sent without a stream: %+v", us)
		}
		kinds(t, r, frame(20, resumed()), Resumed)
		us := r.unsent()
		if len(us) != 2 || us[0].Seq != first || us[0].Tag != 10 || us[1].Seq != later ||
			us[1].Tag != 20 {
			t.Fatalf("sent: %+v", us)
		}
		shows(t, r, 1, 7, 7, 10)
		shows(t, r, 2, 8, 8, 20)
	})
	t.Run("S5 an update acknowledged meanwhile is done, despite repetition", func(t *testing.T) {
		r := withFull(t)
		u := simple(table.OpGrab, 1)
		u.Has, u.Z = u.Has|table.HasZ, "0.75"
		one, two := do(t, r, u), do(t, r, moveTo(1, 7, 7))
		three := do(t, r, table.Update{
			Op: table.OpRotate, Piece: 1, Has: table.HasPiece | table.HasAngle, Angle: 900,
		})
		r.lost()
		ackOne := ack(uint64(one), &holtpb.Piece{Id: 1, Mark: 30, ZMark: new(uint64(30))})
		again := []*holtpb.Event{
			ack(uint64(one), &holtpb.Piece{Id: 1, Mark: 30}),
			ack(uint64(two), &holtpb.Piece{Id: 1, Mark: 40}),
		}
		kinds(t, r, frame(40, append([]*holtpb.Event{resumed(), ackOne, again[1]}, again...)...),
			Resumed, Acked, Acked)
		shows(t, r, 1, 7, 7, 40)
		if s, _ := r.shown(1); s.Z != "0.75" || s.ZVersion != 30 || s.Holder != you || r.resync {
			t.Errorf("%+v", s)
		}
		if got := sent(r); !slices.Equal(got, []id.ClientSeq{three}) {
			t.Errorf("sent again: %v", got)
		}
	})
	t.Run("S5, T11 an update by somebody else meanwhile is a conflict", func(t *testing.T) {
		r := withFull(t)
		seq := do(t, r, moveTo(1, 7, 7))
		r.lost()
		wrest := update(1, holtpb.Op_OP_WREST,
			&holtpb.Piece{Id: 1, Mark: 30, Holder: new(uint32(1))})
		events := kinds(t, r, frame(30, resumed(), wrest), Resumed, Updated, Conflict)
		if events[2].Seq != seq || len(sent(r)) != 0 {
			t.Errorf("%+v", events[2])
		}
	})
	t.Run("S4.4 a frame without a version leaves it as it was", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(0))
		if r.version != 20 {
			t.Fatalf("version %d, want 20", r.version)
		}
		kinds(t, r, frame(21))
		if r.version != 21 {
			t.Fatalf("version %d, want 21", r.version)
		}
	})
	t.Run("S5 after a doubt only the full state synchronises again", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(30, ack(5, &holtpb.Piece{Id: 1, Mark: 30})))
		kinds(t, r, frame(40, update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 2, Mark: 40})),
			Updated)
		if !r.needsFull {
			t.Fatal("the next stream would resume, and the recorded update stay unknown")
		}
		kinds(t, r, frame(40, full(epoch, at(1, 30, 1, 1))), Synchronised)
		if r.needsFull {
			t.Fatal("the full state has not made it sure")
		}
	})
	t.Run("S3 a stream that does not begin with the full state is given up", func(t *testing.T) {
		for _, e := range []*holtpb.Event{
			resumed(), ack(1, at(1, 1, 0, 0)), update(1, holtpb.Op_OP_ADD, at(1, 1, 0, 0)),
		} {
			if _, err := (&viewState{}).frame(frame(1, e), nil); !errors.Is(err, wire.ErrFrame) {
				t.Errorf("%v: %v", e, err)
			}
		}
	})
}

// TestKnownAhead shows that updates which a stream by datagrams repeats change nothing (D35).
func TestKnownAhead(t *testing.T) {
	t.Run("D35.3 a repeated update changes nothing and is not a conflict", func(t *testing.T) {
		r := withFull(t)
		moved := update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))})
		kinds(t, r, frame(0, moved), Updated) // before a frame with its version
		do(t, r, moveTo(1, 9, 9))
		r.lost()
		kinds(t, r, frame(40, resumed(), moved, update(
			1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 2, Mark: 40, X: new(int32(7))},
		)), Resumed, Updated)
		shows(t, r, 1, 9, 9, 30)
		shows(t, r, 2, 7, 50, 40)
		if len(r.pending) != 1 || r.pending[0].update.Tag != 30 {
			t.Errorf("pending are %+v", r.pending)
		}
	})
	t.Run("D35 an unknown update of the same piece is reported", func(t *testing.T) {
		r := withFull(t)
		first := update(1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 30, X: new(int32(3))})
		kinds(t, r, frame(0, first), Updated)
		r.lost()
		kinds(t, r, frame(40, resumed(), first, update(
			1, holtpb.Op_OP_MOVE, &holtpb.Piece{Id: 1, Mark: 40, Y: new(int32(8))},
		)), Resumed, Updated)
		shows(t, r, 1, 3, 8, 40)
	})
}

// TestRepeatedRejects shows that a repeated reject ends its own update only, and that its version
// stays the tag (T14).
func TestRepeatedRejects(t *testing.T) {
	t.Run("T14.8 a reject with a known version only ends its own update", func(t *testing.T) {
		r := withFull(t)
		do(t, r, moveTo(1, 7, 7))
		kinds(t, r, frame(30, reject(99, holtpb.Reason_REASON_PINNED, at(1, 30, 3, 3))), Dropped)
		two := do(t, r, moveTo(1, 8, 8))
		three := do(t, r, moveTo(1, 9, 9))
		kinds(t, r, frame(30, reject(uint64(two), holtpb.Reason_REASON_HELD, at(1, 30, 5, 5))),
			Rejected)
		shows(t, r, 1, 9, 9, 30)
		if len(r.pending) != 1 || r.lowest() != three {
			t.Errorf("%d pending from %d on", len(r.pending), r.lowest())
		}
		kinds(t, r, frame(30, reject(uint64(three), holtpb.Reason_REASON_HELD, at(1, 30, 5, 5))),
			Rejected)
		shows(t, r, 1, 3, 3, 30)
	})
	t.Run("T14, T12 the version of a reject stays the tag after a server restart", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(20, reject(99, holtpb.Reason_REASON_PINNED, at(1, 11, 0, 0))))
		seq := do(t, r, moveTo(1, 7, 7))
		kinds(t, r, frame(20, full(epoch, at(1, 10, 0, 0))), Synchronised)
		us := r.unsent()
		if len(us) != 1 || us[0].Seq != seq || us[0].Tag != 11 {
			t.Fatalf("sent again: %+v", us)
		}
		if next := do(t, r, moveTo(1, 8, 8)); r.pending[1].update.Tag != 11 {
			t.Fatalf("update %d is tagged %d", next, r.pending[1].update.Tag)
		}
	})
	t.Run("T19 but not in another epoch", func(t *testing.T) {
		r := withFull(t)
		kinds(t, r, frame(20, reject(99, holtpb.Reason_REASON_PINNED, at(1, 11, 0, 0))))
		kinds(t, r, frame(5, full(epoch+1, at(1, 5, 0, 0))), Synchronised)
		shows(t, r, 1, 0, 0, 5)
		if r.version != 5 {
			t.Errorf("version %d, want 5", r.version)
		}
	})
	// Clauses: S5.18
	t.Run("S5 an update before an acked one of its piece is over without an ack", func(t *testing.T) {
		r := withFull(t)
		lost := do(t, r, moveTo(1, 7, 7))
		other := do(t, r, moveTo(2, 7, 7))
		loose := simple(table.OpGrab, 1)
		loose.Has |= table.HasLoose
		grab := do(t, r, loose)
		// The server rejected the move, and the reject was lost. It honoured the Loose grab by an
		// update of its own.
		events := kinds(t, r, frame(40, full(epoch, at(1, 10, 0, 0), at(2, 20, 50, 50)),
			&holtpb.Event{Event: &holtpb.Event_Ack{Ack: &holtpb.Ack{Seq: uint64(grab)}}}), Synchronised,
			Acked, Conflict)
		if events[2].Seq != lost || r.lowest() != other || len(r.pending) != 1 {
			t.Errorf("conflict of %d; %d pending from %d on",
				events[2].Seq, len(r.pending), r.lowest())
		}
	})
}

func paths(ids ...uint32) *holtpb.Paths {
	p := &holtpb.Paths{Lag: 18, Span: 50, Ids: ids}
	for range ids {
		p.X, p.Y, p.Dx, p.Dy = append(p.X, 100), append(p.Y, 200), append(p.Dx, -30),
			append(p.Dy, 0)
	}
	return p
}

func motions(ids ...uint32) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Motions{Motions: paths(ids...)}}
}

// TestMotion shows which motion and which cursors a client reports, and that malformed ones are
// refused.
func TestMotion(t *testing.T) {
	const now = 1_780_000_000_123
	at := func(events ...*holtpb.Event) *holtpb.Frame {
		return &holtpb.Frame{Time: now, Events: events}
	}
	t.Run("S12, S13 motion is reported with the time of the frame", func(t *testing.T) {
		r := withFull(t)
		cursor := &holtpb.Event{Event: &holtpb.Event_Cursors{Cursors: paths(1)}}
		events := kinds(t, r, at(motions(1, 1), cursor), Moved, Pointed)
		want := wire.Segment{ID: 2, From: now - 18, Span: 50, X0: 70, Y0: 200, X1: 100, Y1: 200}
		if e := events[0]; e.Time != now || len(e.Segments) != 2 || e.Segments[1] != want {
			t.Errorf("%+v", e)
		}
		if e := events[1]; e.Time != now || len(e.Segments) != 1 || e.Segments[0].ID != 1 {
			t.Errorf("%+v", e)
		}
	})
	t.Run("S12.22 a client's own motion is not reported to it", func(t *testing.T) {
		r := withFull(t)
		r.carries(1)
		do(t, r, simple(table.OpGrab, 1))
		if e := kinds(t, r, at(motions(1, 1)), Moved); len(e[0].Segments) != 1 ||
			e[0].Segments[0].ID != 2 {
			t.Errorf("%+v", e)
		}
		kinds(t, r, at(motions(1)))
		do(t, r, simple(table.OpRelease, 1))
		kinds(t, r, at(motions(1)), Moved)
		do(t, r, simple(table.OpGrab, 1)) // the client does not send where it carries this one
		kinds(t, r, at(motions(1)), Moved)
	})
	t.Run("S13.8 one's own cursor is not reported", func(t *testing.T) {
		kinds(t, withFull(t), at(&holtpb.Event{Event: &holtpb.Event_Cursors{Cursors: paths(you)}}))
	})
	t.Run("S12 columns of unequal length are no frame", func(t *testing.T) {
		bad := paths(1, 1)
		bad.X = bad.X[:1]
		for _, e := range []*holtpb.Event{
			{Event: &holtpb.Event_Motions{Motions: bad}},
			{Event: &holtpb.Event_Cursors{Cursors: bad}},
		} {
			if _, err := withFull(t).frame(at(e), nil); !errors.Is(err, wire.ErrFrame) {
				t.Errorf("%v", err)
			}
		}
	})
}

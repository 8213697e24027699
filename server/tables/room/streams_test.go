package room_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// resync is the message that asks for a full state (S9).
func resync(t *testing.T) []byte {
	t.Helper()
	b, err := wire.EncodeUp(wire.ResyncUp())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func online(events []*holtpb.Event) []bool {
	var all []bool
	for _, e := range events {
		if s := e.GetSeat(); s != nil {
			all = append(all, s.GetPresence() == holtpb.Presence_PRESENCE_HERE)
		}
	}
	return all
}

func TestStreams(t *testing.T) {
	// Clauses: S4.5, S5.6, S18.1
	in(t).Run("S4, S5, S18 the full state and requested acks come first", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		first := ada.frames()
		if len(first) != 1 || len(first[0].GetEvents()) != 1 {
			t.Fatalf("the first frames are %v", first)
		}
		f := first[0].GetEvents()[0].GetFull()
		if f.GetYou() != 1 || len(f.GetPieces()) != 4 || len(f.GetSeats()) != 1 ||
			f.GetSeats()[0].GetPresence() != holtpb.Presence_PRESENCE_HERE ||
			f.GetTable().GetTitle() != "Test" || f.GetEpoch() == 0 {
			t.Errorf("the full state is %v", f)
		}
		if first[0].GetMark() == 0 ||
			first[0].GetTime() != uint64(time.Now().Add(-tick).UnixMilli()) {
			t.Errorf("version %d, time %d", first[0].GetMark(), first[0].GetTime())
		}
		ada.mustSend(ada.move(tokenOne, 1, 1), ada.move(tokenTwo, 2, 2), ada.move(tokenOne, 3, 3))
		ada.cut()
		ada.reopen(2)
		if got := acks(ada.events()); !slices.Equal(got, []uint64{2, 3}) {
			t.Errorf("acks from 2 on: %v", got)
		}
		ada.cut()
		ada.reopen(0)
		if got := acks(ada.events()); len(got) != 0 {
			t.Errorf("acks that nobody requested: %v", got)
		}
	})
	in(t).Run("S4.2, S4.3 an ack comes after the updates before it", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		release := r.store.block()
		one, two := ada.post(ada.move(tokenOne, 1, 1)), bob.post(bob.move(tokenTwo, 1, 1))
		three := ada.post(ada.move(tokenOne, 2, 2))
		release()
		if err := errors.Join(<-one, <-two, <-three); err != nil {
			t.Fatal(err)
		}
		frames := ada.frames()
		events := frames[1].GetEvents()
		if len(frames) != 2 || len(events) != 2 ||
			events[0].GetUpdate().GetPiece().GetId() != uint32(tokenTwo) ||
			events[1].GetAck().GetSeq() != 2 {
			t.Errorf("frames %v", frames)
		}
		if version := events[1].GetAck().GetPiece().GetMark(); version != frames[1].GetMark() {
			t.Errorf("the frame is complete up to %d, its ack has %d", frames[1].GetMark(), version)
		}
	})
	in(t).Run("T14.3, T16 a reject goes to its sender alone", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		ada.events()
		bob.events()
		bob.mustSend(bob.move(tokenOne, 1, 1))
		events := bob.events()
		if len(events) != 1 || events[0].GetReject().GetReason() != holtpb.Reason_REASON_HELD ||
			events[0].GetReject().GetBy() != 1 {
			t.Errorf("bob gets %v", events)
		}
		if told := ada.frames(); len(told) != 0 {
			t.Errorf("ada gets %v", told)
		}
		bob.cut()
		bob.reopen(0)
		full := bob.events()[0].GetFull().GetPieces()[tokenOne-1]
		if want := events[0].GetReject().GetPiece(); !proto.Equal(full, want) {
			t.Errorf("the full state has %v, the reject had %v", full, want)
		}
	})
	in(t).Run(
		"T14.11, T14.12, T21 with all versions for rejects used up, only the sender's view gets new ones",
		testRenew)
	in(t).Run("S8.1 a second stream of a client takes over", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		old := ada.line
		old.stall() // half open: it takes nothing
		ada.mustSend(ada.move(tokenOne, 1, 1))
		ada.reopen(1)
		if got := acks(ada.events()); !slices.Equal(got, []uint64{1}) {
			t.Errorf("acks %v", got)
		}
		if old.code != stream.CodeTakenOver {
			t.Errorf("the old stream was closed with %d", old.code)
		}
		if seen := online(bob.events()); len(seen) != 0 {
			t.Errorf("bob sees her come and go: %v", seen)
		}
		ada.mustSend(ada.move(tokenOne, 2, 2))
		if got := acks(ada.events()); !slices.Equal(got, []uint64{2}) {
			t.Errorf("acks %v", got)
		}
	})
	// Clauses: S7.1, S7.5
	in(t).Run("S7 a client that does not read gets one full state", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		release := bob.line.stall()
		for i := range 12 { // long levels make large frames
			var batch []table.Update
			for j := range 250 {
				u := ada.move(tokenOne, int32(ada.seq%1000), 0)
				u.Z, u.Has = zlevel.Level("0."+strings.Repeat("9", 500)+string(rune('1'+(i+j)%9))),
					u.Has|table.HasZ
				batch = append(batch, u)
			}
			ada.mustSend(batch...)
			ada.events()
		}
		if s := bob.stream.State(); s != stream.Desynced {
			t.Fatalf("the stream is %v", s)
		}
		release()
		frames := bob.frames()
		last := frames[len(frames)-1].GetEvents()[0].GetFull()
		if last == nil || len(frames) > 2 ||
			last.GetPieces()[tokenOne-1].GetX() != int32((ada.seq-1)%1000) {
			t.Errorf("%d frames, the last is %.200v", len(frames), last)
		}
		ada.mustSend(ada.move(tokenOne, 5, 5))
		if got := updates(bob.events()); !slices.Equal(got, []uint32{uint32(tokenOne)}) {
			t.Errorf("then bob gets %v", got)
		}
	})
	in(t).Run("S9.4, S9.12 a client can request the full state", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		ada.events()
		if err := ada.stream.Receive(resync(t)); err != nil {
			t.Fatal(err)
		}
		events := ada.events()
		if len(events) != 2 || events[0].GetFull() == nil || events[1].GetAck().GetSeq() != 1 {
			t.Errorf("the answer is %v", events)
		}
		for _, bad := range [][]byte{nil, {0xff}, make([]byte, wire.MaxUp+1)} {
			if err := ada.stream.Receive(bad); err == nil {
				t.Errorf("%.10v is accepted", bad)
			}
		}
	})
	in(t).Run("S9.13 a client gets the full state at most once a second",
		testResyncs)
	in(t).Run("S6.1 a stream sends heartbeats", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		<-time.After(46 * time.Second)
		frames := ada.frames()
		if len(frames) != 3 {
			t.Errorf("%d frames in 46 seconds, want one every 15", len(frames))
		}
		for _, f := range frames {
			if len(f.GetEvents()) != 0 || f.GetTime() == 0 {
				t.Errorf("a heartbeat is %v", f)
			}
		}
	})
	in(t).Run("presence", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		taken := r.seat(r.invites.Player, "Bob")
		if seen := online(ada.events()); !slices.Equal(seen, []bool{false}) {
			t.Errorf("when he sits down: %v", seen)
		}
		one, two := r.open(taken.Session), r.open(taken.Session)
		if seen := online(ada.events()); !slices.Equal(seen, []bool{true}) {
			t.Errorf("when he comes with two tabs: %v", seen)
		}
		one.cut()
		if seen := online(ada.events()); len(seen) != 0 {
			t.Errorf("when one of two tabs goes: %v", seen)
		}
		two.cut()
		if seen := online(ada.events()); !slices.Equal(seen, []bool{false}) {
			t.Errorf("when the last tab goes: %v", seen)
		}
	})
}

// testResyncs makes one client ask all the time, and another one now and then.
func testResyncs(t *testing.T, r *rig) {
	ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
	wholes := func(p *player) (xs []int32) { // where each full state shows the first token
		for _, e := range p.events() {
			if f := e.GetFull(); f != nil {
				xs = append(xs, f.GetPieces()[tokenOne-1].GetX())
			}
		}
		return xs
	}
	ask := func(p *player) {
		t.Helper()
		if err := p.stream.Receive(resync(t)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
	}
	want := func(who string, p *player, xs ...int32) {
		t.Helper()
		if got := wholes(p); !slices.Equal(got, xs) {
			t.Errorf("S9 %s gets full states that show the token at %v, want %v", who, got, xs)
		}
	}
	want("ada, who has come,", ada, 0)
	want("bob, who has come,", bob, 0)
	start := time.Now()
	for range 100 {
		ask(ada)
	}
	want("ada", ada, 0)
	<-time.After(500 * time.Millisecond)
	ask(ada)
	ask(bob)
	bob.mustSend(bob.move(tokenOne, 7, 0))
	want("ada, too early,", ada)
	want("bob", bob, 0)
	ask(bob)
	// To read takes a tick.
	<-time.After(time.Until(start.Add(time.Second - tick - time.Millisecond)))
	want("ada, still too early,", ada)
	<-time.After(time.Millisecond)
	want("ada, after a second,", ada, 7)
	want("bob, too early,", bob)
	ada.cut()
	<-time.After(500 * time.Millisecond)
	want("bob, after a second,", bob, 7)
	<-time.After(5 * time.Second)
	want("bob, who has not asked again,", bob)
	ask(bob)
	bob.cut() // gone while he waits
	ask(bob)
	<-time.After(2 * time.Second)
}

// testRenew makes bob send the version before the last one that a reject may have, so that his own
// reject gets the last. After a restart the server cannot know that he never got it (T15). What the
// table records for that must be stored, and sent behind the reject in the same frame.
func testRenew(t *testing.T, r *rig) {
	first, seat := r.open(r.host.Session), r.seat(r.invites.Player, "Bob").Session
	first.events()
	first.mustSend(first.make(table.OpGrab, tokenOne))
	r.stop()
	r.start()
	ada, bob := r.open(r.host.Session), r.open(seat)
	bob.cut()
	bob.reopen(1)
	ada.events()
	for _, p := range []*player{ada, bob} {
		p.frames()
	}
	length := func() int {
		return read(r.store, func() int { return len(r.store.tables[r.host.Table].log) })
	}
	before := length()
	guess := bob.move(tokenOne, 1, 1)
	guess.Tag += 1<<16 - 2
	bob.mustSend(guess)
	frames := bob.frames()
	if len(frames) != 1 || len(frames[0].GetEvents()) != 2 || length() != before+1 {
		t.Fatalf("%d entries, sent as %v", length()-before, frames)
	}
	was, is := frames[0].GetEvents()[0].GetReject().GetPiece(),
		frames[0].GetEvents()[1].GetUpdate().GetPiece()
	if !proto.Equal(is, &holtpb.Piece{Id: uint32(tokenOne), Mark: is.GetMark()}) ||
		is.GetMark() <= was.GetMark() {
		t.Errorf("after the reject %v comes %v", was, is)
	}
	if told := ada.frames(); len(told) != 0 {
		t.Errorf("T16 ada gets %v", told)
	}
	ada.mustSend(ada.make(table.OpRelease, tokenOne))
	bob.events()
	bob.mustSend(bob.move(tokenOne, 2, 2))
	if got := acks(bob.events()); !slices.Equal(got, []uint64{uint64(bob.seq)}) {
		t.Errorf("then bob's move is acknowledged as %v", got)
	}
}

func TestViews(t *testing.T) {
	in(t).Run("T22.1, T23.11 each seat sees what it may", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		eve := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		for _, p := range []*player{ada, bob, eve} {
			p.events()
		}
		if got := bob.reopenForFull().GetPieces()[ace-1]; got.GetKind() != kindBack {
			t.Errorf("T22 bob sees the face-down card as %v", got)
		}
		ada.events()
		eve.events()
		ada.mustSend(ada.move(ace, 0, -4000))
		told := ada.events()
		if p := told[0].GetAck().GetPiece(); len(told) != 3 || p.GetId() != uint32(ace) ||
			p.GetKind() != kindAce || p.GetOwner() != 1 || p.GetRenamed() == 0 {
			t.Errorf("T21, T22 ada, whose hand it is in, gets %v", told)
		}
		if p := told[1].GetUpdate().GetPiece(); p.GetId() != uint32(ada.name(ace)) ||
			p.Kind != nil {
			t.Errorf("T23 then that it was turned face up: %v", told[1])
		}
		if h := told[2].GetHolds(); h.GetPiece() != uint32(hand) ||
			!slices.Equal(h.GetKinds(), []uint32{kindBack + 1}) ||
			!slices.Equal(h.GetCounts(), []uint32{1}) {
			t.Errorf("T29 then how many she has: %v", told[2])
		}
		for who, p := range map[string]*player{"bob": bob, "eve": eve} {
			events := p.events()
			if len(events) != 2 || !proto.Equal(events[1], told[2]) {
				t.Errorf("T23, T29 %s gets %v", who, events)
			}
			piece := events[0].GetUpdate().GetPiece()
			if want := (&holtpb.Piece{
				Id: uint32(ace), Mark: piece.GetMark(), Gone: proto.Bool(true),
			}); !proto.Equal(piece, want) {
				t.Errorf("T21 %s gets it as %v", who, piece)
			}
		}
		for p, want := range map[*player][]uint32{
			ada: {0, 1, 1, kindAce}, bob: {0, 1, 1}, eve: {0, 1, 1},
		} {
			var got []uint32
			for _, piece := range p.reopenForFull().GetPieces() {
				got = append(got, piece.GetKind())
			}
			if !slices.Equal(got, want) {
				t.Errorf("T22, T23 seat %v sees kinds %v, want %v", p.session.Seat, got, want)
			}
		}
		u := ada.make(table.OpFlip, ace)
		u.Face, u.Has = 1, u.Has|table.HasFace
		eve.frames()
		bob.frames()
		ada.mustSend(u)
		if n := len(bob.frames()) + len(eve.frames()); n != 0 {
			t.Errorf("a card turned in her hand makes %d frames for others", n)
		}
		if got := acks(ada.events()); len(got) != 1 {
			t.Errorf("acks %v", got)
		}
	})
	in(t).Run("equal views share one encoding", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		var others []*player
		for _, nick := range []string{"Bob", "Cid", "Dan"} {
			others = append(others, r.open(r.seat(r.invites.Player, nick).Session))
		}
		others = append(others, r.open(r.seat(r.invites.Spectator, "Eve").Session))
		ada.events()
		for _, p := range others {
			p.frames()
		}
		ada.mustSend(ada.move(tokenOne, 1, 1))
		synctest.Wait()
		first := others[0].line.raw[len(others[0].line.raw)-1]
		for _, p := range others[1:] {
			if got := p.line.raw[len(p.line.raw)-1]; &got[0] != &first[0] {
				t.Errorf("seat %v has its own bytes", p.session.Seat)
			}
		}
		if own := ada.line.raw[len(ada.line.raw)-1]; bytes.Equal(own, first) {
			t.Error("the sender gets the others' frame")
		}
	})
}

func TestCallers(t *testing.T) {
	in(t).Run("a client id of another seat is refused", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		bob.events()
		thief := *bob
		thief.id = ada.id
		if err := thief.send(thief.move(tokenOne, 1, 1)); !errors.Is(err, room.ErrClient) {
			t.Errorf("error %v", err)
		}
		_, err := r.rooms.Open(t.Context(), bob.session, room.Hello{Client: ada.id}, &memoryCarrier{
			closed: make(chan struct{}),
		})
		if !errors.Is(err, room.ErrClient) {
			t.Errorf("error %v", err)
		}
		// The seat is known by the client's updates, too, when the stream is gone.
		ada.mustSend(ada.move(tokenOne, 2, 2))
		ada.cut()
		if err := thief.send(thief.move(tokenOne, 1, 1)); !errors.Is(err, room.ErrClient) {
			t.Errorf("error %v", err)
		}
	})
	in(t).Run("T19.6 a batch of another epoch is refused completely", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.epoch++
		if err := ada.send(ada.move(tokenOne, 1, 1)); !errors.Is(err, room.ErrEpoch) {
			t.Errorf("error %v", err)
		}
		if told := ada.events(); len(told) != 0 {
			t.Errorf("got %v", told)
		}
	})
	in(t).Run("T15.2 an invalid batch changes nothing", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		length := len(r.store.tables[r.host.Table].log)
		var invalid *table.Invalid
		if err := ada.send(ada.move(tokenOne, 1, 1), ada.move(99, 1, 1)); !errors.As(err, &invalid) ||
			invalid.Index != 1 {
			t.Errorf("error %v", err)
		}
		if told := ada.events(); len(told) != 0 || len(r.store.tables[r.host.Table].log) != length {
			t.Errorf("got %v", told)
		}
	})
	// Clauses: T24.5
	in(t).Run("spectators change nothing", func(t *testing.T, r *rig) {
		taken := r.seat(r.invites.Spectator, "Eve")
		eve := r.open(taken.Session)
		eve.events()
		if err := eve.send(eve.move(tokenOne, 1, 1)); !errors.Is(err, room.ErrRole) {
			t.Errorf("error %v", err)
		}
		if _, err := r.rooms.Invites(t.Context(), taken.Session); !errors.Is(err, room.ErrRole) {
			t.Errorf("error %v", err)
		}
	})
	in(t).Run("invites and tokens", func(t *testing.T, r *rig) {
		taken := r.seat(r.invites.Player, "Bob")
		for token, want := range map[string]room.Session{
			taken.Token: taken.Session, r.host.Token: r.host.Session,
		} {
			for range 2 {
				if s, err := r.rooms.Authenticate(t.Context(), r.host.Table, token); err != nil ||
					s != want {
					t.Errorf("session %+v, %v, want %+v", s, err, want)
				}
			}
		}
		if _, err := r.rooms.Authenticate(
			t.Context(), r.host.Table, "guessed",
		); !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("error %v", err)
		}
		for _, token := range []string{"guessed", r.host.Token} {
			if _, err := r.rooms.Authenticate(
				t.Context(), id.OID{1}, token,
			); !errors.Is(err, room.ErrNoTable) {
				t.Errorf("at a table that does not exist: %v", err)
			}
		}
		if inv, err := r.rooms.Invite(t.Context(), r.invites.Player); err != nil ||
			inv.Role != table.RolePlayer || inv.Title != "Test" ||
			!slices.Equal(inv.Hosts, []string{"Ada"}) {
			t.Errorf("invite %+v, %v", inv, err)
		}
		if _, err := r.rooms.RenewInvites(
			t.Context(), taken.Session,
		); !errors.Is(err, room.ErrRole) {
			t.Errorf("error %v", err)
		}
		renewed, err := r.rooms.RenewInvites(t.Context(), r.host.Session)
		if err != nil || renewed.Player == r.invites.Player {
			t.Errorf("renewed %+v, %v", renewed, err)
		}
		if _, err := r.rooms.TakeSeat(
			t.Context(), r.invites.Player, room.Person{Nick: "Cid"},
		); !errors.Is(err, room.ErrNoInvite) {
			t.Errorf("error %v", err)
		}
		if shown, err := r.rooms.Invites(t.Context(), taken.Session); err != nil ||
			shown != renewed {
			t.Errorf("invites %+v, %v", shown, err)
		}
	})
	in(t).Run("names are checked", func(t *testing.T, r *rig) {
		for _, p := range []room.Person{
			{}, {Nick: " Bob"}, {Nick: "a\nb"}, {Nick: "\xff"},
			{Nick: string(bytes.Repeat([]byte("é"), 41))}, {Nick: "Bob", Colour: 1 << 24},
		} {
			if _, err := r.rooms.TakeSeat(
				t.Context(), r.invites.Player, p,
			); !errors.Is(err, room.ErrPerson) {
				t.Errorf("%+v: %v", p, err)
			}
		}
		r.seat(r.invites.Player, string(bytes.Repeat([]byte("é"), 40)))
	})
	in(t).Run("without a table there is no game", func(t *testing.T, r *rig) {
		nowhere := room.Session{Table: id.OID{9}, Seat: 1, Role: table.RoleHost}
		if _, err := r.rooms.Read(t.Context(), nowhere); !errors.Is(err, room.ErrNoTable) {
			t.Errorf("error %v", err)
		}
		if _, _, err := r.rooms.Create(
			t.Context(), room.NewTableRequest{Game: "none", Host: room.Person{Nick: "A"}},
		); !errors.Is(err, room.ErrNoGame) {
			t.Errorf("error %v", err)
		}
	})
	// Clauses: S8.3
	in(t).Run("S8 the seventeenth stream of a seat takes over the oldest", func(t *testing.T, r *rig) {
		var all []*player
		for range 16 {
			all = append(all, r.open(r.host.Session))
		}
		all[0].reopen(0) // by the same client: no other one ends, and now the second is the oldest
		all[1].events()
		all[1].mustSend(all[1].make(table.OpGrab, tokenOne))
		more := r.open(r.host.Session)
		if code := all[1].line.code; code != stream.CodeTakenOver {
			t.Errorf("the oldest was closed with %d", code)
		}
		for i, p := range all {
			if i != 1 && p.line.code != 0 {
				t.Errorf("stream %d was closed with %d", i, p.line.code)
			}
		}
		if more.events()[0].GetFull() == nil {
			t.Error("no full state")
		}
		<-time.After(31 * time.Second)
		if !slices.ContainsFunc(more.events(), func(e *holtpb.Event) bool {
			return e.GetUpdate().GetOp() == holtpb.Op_OP_RELEASE
		}) {
			t.Error("S14 the oldest one's piece is not released")
		}
	})
}

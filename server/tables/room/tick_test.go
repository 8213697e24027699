package room_test

import (
	"cmp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// up sends a message over the stream of a player.
func (p *player) up(u *holtpb.Up) {
	p.t.Helper()
	b, err := wire.EncodeUp(u)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.stream.Receive(b); err != nil {
		p.t.Fatal(err)
	}
	synctest.Wait()
}

func TestTicks(t *testing.T) {
	// Clauses: S3.2, S4.3, S10.1, S10.2, S10.3, S10.10
	in(t).Run("S10 a single move is sent at once, others by tick", func(t *testing.T, r *rig) {
		r.crowd()
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		if got := bob.now(); len(got) != 1 {
			t.Fatalf("at once: %v", got)
		}
		ada.mustSend(ada.move(tokenTwo, 2, 2)) // answered, and durable
		ada.mustSend(ada.move(tokenOne, 3, 3))
		<-time.After(tick - time.Millisecond)
		if got := bob.now(); len(got) != 0 {
			t.Errorf("within the tick: %v", got)
		}
		<-time.After(time.Millisecond)
		got := bob.now()
		if len(got) != 1 || len(got[0].GetEvents()) != 2 {
			t.Errorf("when the tick is over: %v", got)
		}
		if last := got[0].GetEvents()[1].GetUpdate().GetPiece(); last.GetMark() != got[0].GetMark() {
			t.Errorf("S4 the frame is complete up to %d, its last update has %d", got[0].GetMark(),
				last.GetMark())
		}
		<-time.After(time.Second)
		if got := bob.now(); len(got) != 0 {
			t.Errorf("then nothing happens, and he gets %v", got)
		}
	})
	in(t).Run("S10.1 with few clients a tick is short", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		for i := range int32(10) {
			ada.mustSend(ada.move(tokenOne, i, 1))
			if got := bob.now(); len(got) != 1 {
				t.Errorf("move %d is sent as %v", i, got)
			}
			<-time.After(800 * time.Microsecond)
		}
	})
	in(t).Run("S10.5, S10.7 moves within a tick are sent as one", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		ada.mustSend(ada.move(tokenOne, 1, 1), ada.move(tokenTwo, 5, 5), ada.move(tokenOne, 2, 1),
			ada.move(tokenOne, 3, 1))
		told := bob.events()
		if got := updates(told); !slices.Equal(got, []uint32{uint32(tokenTwo), uint32(tokenOne)}) {
			t.Fatalf("bob gets %v", got)
		}
		if p := told[1].GetUpdate().GetPiece(); p.GetX() != 3 || p.GetY() != 1 {
			t.Errorf("the piece is sent as %v", p)
		}
		if got := acks(ada.events()); !slices.Equal(got, []uint64{1, 2, 3, 4}) {
			t.Errorf("acks %v", got)
		}
		// There and back: his view counts both.
		ada.mustSend(ada.move(tokenOne, 4, 1), ada.move(tokenOne, 3, 1))
		back := bob.events()
		if got := updates(back); len(got) == 0 {
			t.Fatal("a moved piece that comes back is not sent: bob's next update would always be stale")
		}
		bob.mustSend(bob.move(tokenOne, 9, 9))
		if got := acks(bob.events()); !slices.Equal(got, []uint64{1}) {
			t.Errorf("bob's move is acknowledged as %v", got)
		}
	})
	in(t).Run("T60.4 pivots within a tick are sent as one", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		ada.mustSend(ada.pivot(tokenOne, 1, 1, 1500), ada.pivot(tokenTwo, 5, 5, 1500),
			ada.pivot(tokenOne, 2, 3, 3000), ada.pivot(tokenTwo, 6, 7, 3000))
		told := bob.events()
		if got := updates(told); !slices.Equal(got, []uint32{uint32(tokenOne), uint32(tokenTwo)}) {
			t.Fatalf("bob gets %v", got)
		}
		for i, want := range [][3]int32{{2, 3, 3000}, {6, 7, 3000}} {
			u := told[i].GetUpdate()
			p := u.GetPiece()
			if got := [3]int32{p.GetX(), p.GetY(), int32(p.GetAngle())}; got != want ||
				u.GetOp() != holtpb.Op_OP_PIVOT {
				t.Errorf("the piece is sent as %v", u)
			}
		}
		if got := acks(ada.events()); !slices.Equal(got, []uint64{1, 2, 3, 4}) {
			t.Errorf("acks %v", got)
		}
	})
	// Clauses: D35.4
	in(t).Run("D35, S10.5 the last move carries side effects", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		bob.frames()
		version := bob.version
		ada.mustSend(ada.move(tokenOne, 2, 7), ada.move(tokenOne, 3, 8), ada.move(tokenOne, 4, 1),
			ada.move(tokenOne, 5, 1))
		told := func(events []*holtpb.Event) {
			t.Helper()
			x, y := int32(1), int32(7) // as bob has it, who knows the first of them
			for _, e := range events {
				if p := e.GetUpdate().GetPiece(); p != nil {
					x, y = cmp.Or(p.GetX(), x), cmp.Or(p.GetY(), y)
				}
			}
			if n := len(updates(events)); n != 2 || x != 5 || y != 1 {
				t.Errorf("by %d updates the piece gets to %d, %d, want 5, 1 by two", n, x, y)
			}
		}
		told(bob.events())
		bob.cut()
		bob.come(room.Hello{Client: bob.id, Epoch: bob.epoch, Version: version})
		told(bob.events())
	})
	in(t).Run("S10, T14 the next move corrects a reject", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		ada.frames()
		bob.frames()
		grab := bob.make(table.OpGrab, tokenOne)
		grab.Has |= table.HasLoose // otherwise it is discarded: it cannot know of the first
		done := r.store.block()
		answers := []<-chan error{
			ada.post(ada.move(tokenTwo, 1, 1)), ada.post(ada.move(tokenOne, 10, 0)), bob.post(grab),
			ada.post(ada.move(tokenOne, 0, 5)),
		}
		done()
		for _, answer := range answers {
			if err := <-answer; err != nil {
				t.Fatal(err)
			}
		}
		var x, y, rejects int32
		for _, e := range bob.events() {
			p := e.GetUpdate().GetPiece()
			if e.GetReject() != nil {
				p, x, y = e.GetReject().GetPiece(), 0, 0 // it is complete
				rejects++
			}
			if p.GetId() == uint32(tokenOne) {
				if p.X != nil {
					x = p.GetX()
				}
				if p.Y != nil {
					y = p.GetY()
				}
			}
		}
		if rejects != 1 || x != 0 || y != 5 {
			t.Errorf("after %d rejects bob has the piece at %d, %d, want 0, 5", rejects, x, y)
		}
	})
	in(t).Run("S10, K12 a move back to its place ends motion", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.frames()
		bob.frames()
		there, back := ada.move(tokenOne, 4, 0), ada.move(tokenOne, 0, 0)
		back.Z, back.Has = "0.7", back.Has|table.HasZ
		ada.mustSend(there, back)
		placed := false
		for _, e := range bob.events() {
			placed = placed || e.GetUpdate().GetPiece().X != nil
		}
		if !placed {
			t.Error("no update has a place")
		}
	})
	// Clauses: S15.1, S15.2, S15.3, S15.4
	in(t).Run("S15 a ping is answered at once, with the time", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		ada.mustSend(ada.move(tokenOne, 1, 1)) // the tick is used
		ada.now()
		ada.up(&holtpb.Up{Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: 77}}})
		got := ada.now()
		if len(got) != 1 || got[0].GetEvents()[0].GetPong().GetNonce() != 77 ||
			got[0].GetTime() != uint64(time.Now().UnixMilli()) || got[0].GetMark() != 0 {
			t.Errorf("the answer is %v", got)
		}
	})
	in(t).Run("S9.9, S9.10 messages over the limit are ignored", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		ping, err := wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1001 {
			err := ada.stream.Receive(ping)
			if (i == 1000) != (err == stream.ErrFlood) { //nolint:errorlint // it is that very one
				t.Fatalf("message %d in a second: %v", i+1, err)
			}
		}
		if got := len(ada.now()); got != 100 {
			t.Errorf("%d answers", got)
		}
		<-time.After(time.Second)
		ada.up(&holtpb.Up{Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: 2}}})
		if got := ada.now(); len(got) != 1 {
			t.Errorf("a second later the answer is %v", got)
		}
	})
	in(t).Run("S9.14 batches of updates have a bound of their own", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		taken := 0
		ada.come(room.Hello{
			Client: ada.id, Updates: func(m *holtpb.Updates, answer func(*holtpb.Event)) {
				taken++
				if m.GetRequest() == 7 {
					answer(wire.AnswerEvent(7, 202, 0, ""))
				}
			},
		})
		ada.frames()
		for i := range 5001 {
			msg, err := wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Updates{
				Updates: &holtpb.Updates{Request: uint64(i + 1)},
			}})
			if err != nil {
				t.Fatal(err)
			}
			err = ada.stream.Receive(msg)
			if (i == 5000) != (err == stream.ErrFlood) { //nolint:errorlint // it is that very one
				t.Fatalf("batch %d in a second: %v", i+1, err)
			}
		}
		if taken != 5000 {
			t.Errorf("%d batches were taken", taken)
		}
		ada.up(&holtpb.Up{Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: 2}}})
		got := ada.now()
		if len(got) != 2 || got[0].GetEvents()[0].GetAnswer().GetRequest() != 7 ||
			got[1].GetEvents()[0].GetPong() == nil {
			t.Errorf("got %v, want an answer and a pong", got)
		}
	})
	in(t).Run("K1.6 server time never goes back with the clock", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		before := ada.frames()[0].GetTime()
		r.clock.back(time.Hour)
		ada.mustSend(ada.move(tokenOne, 1, 1))
		told := ada.frames()
		if len(told) != 1 {
			t.Errorf("got %v", told)
		}
		for _, f := range told {
			if f.GetTime() < before {
				t.Errorf("a frame of %d after %d", f.GetTime(), before)
			}
		}
	})
}

func TestRestartedClock(t *testing.T) {
	in(t).Run("K1.3 the server's time does not go back across a restart", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		<-time.After(time.Minute)
		ada.mustSend(ada.move(tokenOne, 1, 1))
		frames := ada.frames()
		before := frames[len(frames)-1].GetTime()
		r.stop()
		r.clock.back(time.Hour)
		r.start()
		ada.reopen(0)
		if now := ada.frames()[0].GetTime(); now < before {
			t.Errorf("after the restart it is %d, before it was %d", now, before)
		}
	})
	in(t).Run("K1.3, K1.4 server time goes on with a clock set back", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		ada.frames()
		<-time.After(10 * time.Minute)
		before := ada.frames()
		last := before[len(before)-1].GetTime()
		r.stop()
		r.clock.back(time.Hour)
		r.start()
		ada.reopen(0)
		start := ada.frames()[0].GetTime()
		if start < last {
			t.Errorf("after the restart it is %d, the last frame before was of %d", start, last)
		}
		<-time.After(10 * time.Second)
		ada.mustSend(ada.move(tokenOne, 2, 2))
		frames := ada.frames()
		if now := frames[len(frames)-1].GetTime(); now < start+10_000 {
			t.Errorf("10 s after %d it is %d", start, now)
		}
		for range 3 {
			<-time.After(10 * time.Second)
			ada.frames()
			// Nothing is recorded.
			ada.up(&holtpb.Up{Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: 1}}})
			told := ada.now()[0].GetTime()
			ada.leave()
			<-time.After(10 * time.Minute) // it is unloaded
			ada.reopen(0)
			if now := ada.frames()[0].GetTime(); now < told {
				t.Errorf("when the table is loaded again it is %d, it was %d", now, told)
			}
		}
	})
}

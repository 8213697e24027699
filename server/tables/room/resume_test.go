package room_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// comeBack opens a stream that continues where the last one ended, and returns the events of its
// first frame.
func (p *player) comeBack(h room.Hello) []*holtpb.Event {
	p.t.Helper()
	h.Client = p.id
	p.come(h)
	return p.frames()[0].GetEvents()
}

func TestResume(t *testing.T) {
	// Clauses: S4.1, S5.1, S5.3
	in(t).Run("S4, S5 a resume sends the missed frames unchanged", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		bob.mustSend(bob.move(tokenTwo, 1, 1))
		frames := ada.frames()
		version := id.Version(frames[len(frames)-1].GetMark())
		one := ada.move(tokenOne, 7, 7)
		ada.cut()
		ada.mustSend(one) // the request got through, the answer did not
		bob.events()
		bob.mustSend(bob.move(tokenTwo, 2, 2), bob.make(table.OpDelete, tokenTwo))
		bob.events()
		got := ada.comeBack(room.Hello{Epoch: ada.epoch, Version: version, Seq: 1})
		if len(got) < 4 || got[0].GetResumed() == nil || len(got[0].GetResumed().GetSeats()) != 2 {
			t.Fatalf("the first frame has %v", got)
		}
		if a := got[1].GetAck(); a.GetSeq() != 1 || a.GetPiece().GetId() != uint32(tokenOne) {
			t.Errorf("then %v", got[1])
		}
		if u := got[2].GetUpdate(); u.GetPiece().GetX() != 2 || u.GetBy() != 2 {
			t.Errorf("then %v", got[2])
		}
		if u := got[3].GetUpdate(); !u.GetPiece().GetGone() {
			t.Errorf("then %v", got[3])
		}
		for _, e := range got {
			if e.GetFull() != nil {
				t.Error("and the full state")
			}
		}
		bob.mustSend(bob.move(tokenOne, 8, 8))
		if got := updates(ada.events()); !slices.Equal(got, []uint32{uint32(tokenOne)}) {
			t.Errorf("the next frame is of %v", got)
		}
	})
	// Clauses: S2.2, S5.1, S5.5
	in(t).Run("S2 a client that has missed nothing gets almost nothing", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		version := id.Version(ada.frames()[0].GetMark())
		ada.cut()
		if got := ada.comeBack(room.Hello{Epoch: ada.epoch, Version: version}); len(got) != 1 ||
			got[0].GetResumed() == nil {
			t.Errorf("the first frame has %.500v", got)
		}
	})
	in(t).Run("S5, T23 missed updates are sent as the view shows them", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		version := id.Version(bob.frames()[0].GetMark())
		bob.cut()
		ada.mustSend(ada.move(ace, 0, -4000))
		ada.events()
		u := ada.make(table.OpFlip, ace)
		u.Face, u.Has = 1, u.Has|table.HasFace
		ada.mustSend(u)
		for _, e := range bob.comeBack(room.Hello{Epoch: bob.epoch, Version: version}) {
			if p := e.GetUpdate().GetPiece(); p != nil && (p.Kind != nil || p.Face != nil) {
				t.Errorf("bob gets %v", e)
			}
		}
	})
	in(t).Run("S5.2 a wrong version or epoch gets the full state", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		version := id.Version(ada.frames()[0].GetMark())
		for name, h := range map[string]room.Hello{
			"another epoch":           {Epoch: ada.epoch + 1, Version: version},
			"a version of a reject":   {Epoch: ada.epoch, Version: version + 1},
			"a version of the future": {Epoch: ada.epoch, Version: version + 1<<16},
			"no version":              {Epoch: ada.epoch}, "nothing": {},
		} {
			ada.cut()
			if got := ada.comeBack(h); got[0].GetFull() == nil {
				t.Errorf("%s: the first frame has %v", name, got)
			}
		}
	})
	// Clauses: S5.2, S5.7
	in(t).Run("S5 a client that missed too much gets the full state", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		version := id.Version(bob.frames()[0].GetMark())
		ada.events()
		bob.cut()
		missed := func(n int) []*holtpb.Event {
			for n > 0 {
				var batch []table.Update
				for range min(n, 250) {
					batch = append(batch, ada.move(tokenOne, int32(ada.seq), 0))
				}
				n -= len(batch)
				ada.mustSend(batch...)
				ada.events()
			}
			return bob.comeBack(room.Hello{Epoch: bob.epoch, Version: version})
		}
		got := missed(2000)
		if got[0].GetResumed() == nil || len(got) != 2 ||
			got[1].GetUpdate().GetPiece().GetX() != int32(ada.seq-1) {
			t.Errorf("after 2,000 moves of one piece the first frame has %.300v", got)
		}
		bob.cut()
		if got := missed(2500); got[0].GetFull() == nil {
			t.Errorf("after 4,500 the first frame has %.300v", got)
		}
	})
	in(t).Run("S5.6, S5.9 after a restart a resume needs the kept log", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		version := id.Version(ada.frames()[0].GetMark())
		ada.mustSend(ada.move(tokenOne, 3, 3))
		ada.events()
		ada.cut()
		r.store.mu.Lock()
		r.store.failSave = errDisk
		r.store.mu.Unlock()
		r.stop()
		r.start()
		if got := ada.comeBack(
			room.Hello{Epoch: ada.epoch, Version: version, Seq: 1},
		); got[0].GetResumed() == nil ||
			!slices.Equal(acks(got), []uint64{1, 1}) {
			t.Errorf("the first frame has %.500v", got)
		}
	})
	in(t).Run("S5.9 a snapshot resumes clients, despite new seats", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		r.stop() // this makes a snapshot
		r.start()
		ada, two := r.open(r.host.Session), r.open(bob.Session)
		ada.events()
		ada.mustSend(ada.move(tokenOne, 2, 2))
		frames := two.frames()
		version := id.Version(frames[len(frames)-1].GetMark())
		ada.events()
		ada.mustSend(ada.move(tokenOne, 3, 3))
		r.seat(r.invites.Spectator, "Eve")
		ada.mustSend(ada.move(tokenTwo, 4, 4))
		two.cut()
		r.store.mu.Lock()
		r.store.failSave = errDisk
		r.store.mu.Unlock()
		r.stop()
		r.start()
		if got := two.comeBack(
			room.Hello{Epoch: two.epoch, Version: version},
		); got[0].GetResumed() == nil ||
			len(updates(got)) != 2 {
			t.Errorf("the first frame has %.500v", got)
		}
	})
	// Clauses: S5.10
	atCards(t).Run("S5, T21 hidden updates before a restart stay hidden", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(1), p.ada.move(tokenLeft, 1, 1))
		p.readAll()
		for _, hidden := range []bool{false, true} {
			if hidden {
				p.ada.mustSend(p.ada.flip(p.ada.card(), 1))
			}
			p.readAll()
			hello := room.Hello{Epoch: p.bob.epoch, Version: p.bob.version}
			r.stop()
			r.start()
			if got := p.bob.comeBack(hello); len(got) != 1 || got[0].GetResumed() == nil {
				t.Errorf("hidden %v: bob gets %v", hidden, got)
			}
			p.ada.reopen(0)
		}
	})
	in(t).Run("S5, T10 a resume during a commit sends updates once", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		bob.events()
		frames := ada.frames()
		version := frames[len(frames)-1].GetMark()
		done := r.store.block()
		answers := []<-chan error{
			bob.post(bob.move(tokenTwo, 5, 5)), ada.post(ada.move(tokenOne, 6, 6)),
			ada.post(ada.make(table.OpDelete, tokenOne)),
		}
		ada.cut()
		got := ada.comeBack(room.Hello{Epoch: ada.epoch, Version: id.Version(version), Seq: 1})
		if len(got) != 1 || got[0].GetResumed() == nil {
			t.Errorf("before it is durable the first frame has %v", got)
		}
		ada.read = 0
		if f := ada.frames()[0]; f.GetMark() != version {
			t.Errorf("S4 its version is %d, all up to %d was sent",
				f.GetMark(), version)
		}
		bob.cut()
		early := &memoryCarrier{closed: make(chan struct{})} // a version that nobody has got yet
		if _, err := r.rooms.Open(t.Context(), bob.session, room.Hello{
			Client: bob.id, Epoch: bob.epoch, Version: id.Version(version) + 1<<16,
		}, early); err != nil {
			t.Fatal(err)
		}
		done()
		for _, answer := range answers {
			if err := <-answer; err != nil {
				t.Error(err)
			}
		}
		got = ada.events()
		if two := updates(got); !slices.Equal(two, []uint32{uint32(tokenTwo), uint32(tokenOne)}) ||
			!slices.Equal(acks(got), []uint64{1, 2}) {
			t.Errorf("then ada gets %v", got)
		}
		if f, err := wire.DecodeFrame(early.raw[0]); err != nil ||
			f.GetEvents()[0].GetFull() == nil {
			t.Errorf("a client with a version of the future gets %v, %v", f, err)
		}
	})
	in(t).Run("S5 the full state has what is being stored, and its acks", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		done := r.store.block()
		answer := ada.post(ada.move(tokenOne, 6, 6))
		ada.cut()
		ada.reopen(1)
		if got := ada.frames(); len(got) != 0 {
			t.Errorf("too early she gets %v", got)
		}
		done()
		if err := <-answer; err != nil {
			t.Error(err)
		}
		got := ada.frames()
		if len(got) != 1 || got[0].GetEvents()[0].GetFull().GetPieces()[tokenOne-1].GetX() != 6 ||
			!slices.Equal(acks(got[0].GetEvents()), []uint64{1}) {
			t.Errorf("then she gets %v", got)
		}
	})
	in(t).Run("S5.3, T20 one's own deletion comes as update and ack", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		frames := ada.frames()
		version := frames[len(frames)-1].GetMark()
		ada.cut()
		ada.mustSend(ada.make(table.OpDelete, tokenOne))
		got := ada.comeBack(room.Hello{Epoch: ada.epoch, Version: id.Version(version)})
		if len(got) != 3 || !got[1].GetUpdate().GetPiece().GetGone() ||
			got[2].GetAck().GetSeq() != 1 {
			t.Errorf("the first frame has %v", got)
		}
	})
	in(t).Run("S5 what the server keeps is sufficient at any time", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		for range 8 {
			frames := bob.frames()
			version := id.Version(frames[len(frames)-1].GetMark())
			bob.cut()
			for range 5 {
				var batch []table.Update
				for range 250 {
					batch = append(batch, ada.move(tokenOne, int32(ada.seq%997), 0))
				}
				ada.mustSend(batch...)
				ada.events()
			}
			if got := bob.comeBack(
				room.Hello{Epoch: bob.epoch, Version: version},
			); got[0].GetResumed() == nil ||
				got[len(got)-1].GetUpdate().GetPiece().GetX() != int32((ada.seq-1)%997) {
				t.Fatalf("after %d moves, of which he missed 1,250, bob gets %.300v", ada.seq,
					got)
			}
			bob.read = 0
		}
	})
	in(t).Run("S8.2 a late stream does not take over", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.comeBack(room.Hello{Attempt: 5})
		for _, attempt := range []uint64{4, 5} {
			_, err := r.rooms.Open(t.Context(), ada.session,
				room.Hello{Client: ada.id, Attempt: attempt}, &memoryCarrier{closed: make(chan struct{})})
			if !errors.Is(err, room.ErrAttempt) {
				t.Errorf("attempt %d: %v", attempt, err)
			}
		}
		old := ada.line
		ada.comeBack(room.Hello{Attempt: 6})
		if old.code != stream.CodeTakenOver {
			t.Errorf("attempt 6 leaves the old stream with %d", old.code)
		}
		ada.cut()
		ada.comeBack(room.Hello{Attempt: 1}) // there is nothing to take over
	})
	// Clauses: S16.1, S16.2, S16.3
	in(t).Run("S16 a server that stops says when to come back", func(t *testing.T, r *rig) {
		var all []*player
		for range 5 {
			all = append(all, r.open(r.host.Session))
		}
		r.stop()
		delays := map[uint32]bool{}
		for _, p := range all {
			events := p.events()
			going := events[len(events)-1].GetGoing()
			if p.line.code != stream.CodeGoingAway || going.GetFinal() ||
				going.GetAfterMs() < 500 || going.GetAfterMs() > 2000 {
				t.Errorf("%v, then closed with %d", going, p.line.code)
			}
			delays[going.GetAfterMs()] = true
		}
		if len(delays) < 2 {
			t.Errorf("all return at once: %v", delays)
		}
	})
}

// presences returns the presences of seats in events.
func presences(events []*holtpb.Event) (all []holtpb.Presence) {
	for _, e := range events {
		if s := e.GetSeat(); s != nil {
			all = append(all, s.GetPresence())
		}
	}
	return all
}

func TestPresence(t *testing.T) {
	const here, away, lost, gone = holtpb.Presence_PRESENCE_HERE, holtpb.Presence_PRESENCE_AWAY,
		holtpb.Presence_PRESENCE_LOST, holtpb.Presence_PRESENCE_GONE
	say := func(p *player, is bool) {
		p.up(&holtpb.Up{Up: &holtpb.Up_Away{Away: &holtpb.Away{Away: is}}})
	}
	// Clauses: S11.1, S11.2, S11.3, S11.4, S11.5, S11.8
	in(t).Run("S11 here, away, lost, gone", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		bob := r.seat(r.invites.Player, "Bob")
		want := func(what string, want ...holtpb.Presence) {
			t.Helper()
			if got := presences(ada.events()); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
		want("he has a seat", gone)
		one, two := r.open(bob.Session), r.open(bob.Session)
		want("he comes with two pages", here)
		say(one, true)
		want("one of them is hidden")
		say(two, true)
		want("both are hidden", away)
		say(two, true)
		want("it says so twice")
		say(one, false)
		want("one is back", here)
		one.cut()
		want("the one that is seen breaks", away)
		two.cut()
		want("the other one breaks, too", lost)
		<-time.After(2*time.Minute - time.Second)
		want("two minutes are not over")
		<-time.After(time.Second)
		want("two minutes are over", gone)
		two.reopen(0)
		want("he comes back", here)
		two.leave()
		want("he leaves", gone)
	})
	in(t).Run("S11.6 a client that comes back in time was only lost", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		say(bob, true)
		bob.cut()
		bob.reopen(0)
		<-time.After(time.Minute)
		bob.leave()
		<-time.After(3 * time.Minute)
		if got := presences(
			ada.events(),
		); !slices.Equal(got, []holtpb.Presence{away, lost, here, gone}) {
			t.Errorf("ada gets %v", got)
		}
	})
	in(t).Run("S11.6 of two pages the later one decides", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		bob := r.seat(r.invites.Player, "Bob")
		one, two := r.open(bob.Session), r.open(bob.Session)
		ada.events()
		say(one, true)
		one.cut()
		say(two, true) // what the other one has said ended with its stream
		if got := presences(ada.events()); !slices.Equal(got, []holtpb.Presence{away}) {
			t.Errorf("ada gets %v", got)
		}
		two.leave()
		if got := presences(ada.events()); !slices.Equal(got, []holtpb.Presence{gone}) {
			t.Errorf("one broke, the other one was closed: ada gets %v", got)
		}
	})
}

// leave closes the stream, as a page does when it is left.
func (p *player) leave() {
	p.stream.Closed(stream.ErrLeft)
	<-p.stream.Done()
	synctest.Wait()
}

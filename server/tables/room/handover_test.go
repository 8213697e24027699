package room_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
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

// handOver opens a stream that continues the open one, and returns the player with the old stream.
func (p *player) handOver() (old *player) {
	p.t.Helper()
	before := *p
	p.come(room.Hello{Client: p.id, Handover: true})
	return &before
}

// places returns where the events say that a piece is, one after the other.
func places(events []*holtpb.Event, piece id.Piece) []int32 {
	var all []int32
	for _, e := range events {
		if p := e.GetUpdate().GetPiece(); p.GetId() == uint32(piece) {
			all = append(all, p.GetX())
		}
	}
	return all
}

func TestHandover(t *testing.T) {
	in(t).Run("D37.3, D37.4 each frame comes once, by either stream", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		release := ada.line.stall() // everything that is sent by the old one waits in its outbox
		var want []int32
		play := func(from, to int32) {
			for x := from; x < to; x++ {
				bob.mustSend(bob.move(tokenTwo, x, 1))
				bob.events()
				want = append(want, x)
			}
		}
		play(1, 8)
		ada.mustSend(ada.move(tokenOne, 1, 1))
		unblock := r.store.block()
		// They are recorded, and neither durable nor published.
		late, own := bob.post(bob.move(tokenTwo, 8, 1)), ada.post(ada.move(tokenOne, 2, 2))
		want = append(want, 8)
		old := ada.handOver()
		unblock()
		if err := errors.Join(<-late, <-own); err != nil {
			t.Fatal(err)
		}
		bob.events()
		play(9, 15)
		release()
		before, after := old.frames(), ada.frames()
		if len(before) == 0 || len(after) == 0 {
			t.Fatalf("%d frames by the old stream, %d by the new one", len(before), len(after))
		}
		var events []*holtpb.Event
		for _, f := range before {
			events = append(events, f.GetEvents()...)
		}
		if old.line.code != stream.CodeTakenOver {
			t.Errorf("the old stream was closed with %d", old.line.code)
		}
		if first := after[0].GetEvents(); len(first) != 1 || first[0].GetResumed() == nil ||
			len(first[0].GetResumed().GetSeats()) != 2 {
			t.Errorf("the new stream begins with %v", first)
		}
		if last := before[len(before)-1].GetMark(); after[0].GetMark() != last {
			t.Errorf("the old stream has ended at version %d, the new one begins at %d", last,
				after[0].GetMark())
		}
		told := len(events)
		for _, f := range after {
			events = append(events, f.GetEvents()...)
		}
		if got := places(events, tokenTwo); !slices.Equal(got, want) {
			t.Errorf("got %v, not %v", got, want)
		}
		if got := acks(events); !slices.Equal(got, []uint64{1, 2}) ||
			!slices.Equal(acks(events[:told]), []uint64{1}) {
			t.Errorf("acks %v, by the old stream %v", got, acks(events[:told]))
		}
	})
	in(t).Run("D37.5 others notice nothing, and away is kept", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		say := func(away bool) {
			msg, err :=
				wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Away{Away: &holtpb.Away{Away: away}}})
			if err == nil {
				err = ada.stream.Receive(msg)
			}
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		say(true)
		ada.events()
		bob.events()
		ada.handOver()
		if told := bob.events(); len(told) != 0 {
			t.Errorf("bob gets %v", told)
		}
		seats := ada.events()[0].GetResumed().GetSeats()
		if seats[0].GetPresence() != holtpb.Presence_PRESENCE_AWAY {
			t.Errorf("ada's seat is %v", seats[0])
		}
		say(false)
		if told := bob.events(); len(told) != 1 ||
			told[0].GetSeat().GetPresence() != holtpb.Presence_PRESENCE_HERE {
			t.Errorf("bob gets %v", told)
		}
	})
	in(t).Run("D37, S11 presence follows the new stream", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		old := ada.handOver()
		bob.events()
		old.leave() // the page is left, and its WebSocket is closed first
		if told := presences(bob.events()); len(told) != 0 {
			t.Errorf("the old stream ends: bob gets %v", told)
		}
		left := *ada
		left.leave()
		ada.reopen(0)
		if told := presences(bob.events()); !slices.Equal(told, []holtpb.Presence{
			holtpb.Presence_PRESENCE_GONE, holtpb.Presence_PRESENCE_HERE,
		}) {
			t.Errorf("after a reload of the page bob gets %v", told)
		}
		left = *ada
		ada.reopen(0) // the new page is there before the end of the old one
		left.leave()
		if told := presences(bob.events()); len(told) != 0 {
			t.Errorf("after a reload with a late end of the old stream bob gets %v",
				told)
		}
	})
	in(t).Run("D37, S14 a holder keeps the piece", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		ada.events()
		ada.handOver()
		<-time.After(time.Minute)
		if told := ada.events(); len(updates(told)) != 0 {
			t.Errorf("got %v", told)
		}
		ada.mustSend(ada.move(tokenOne, 5, 5))
		if got := acks(ada.events()); len(got) != 1 {
			t.Errorf("acks %v", got)
		}
	})
	in(t).Run("D37.4 an old stream that takes nothing is cut after 2 s", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada.line.stall()
		bob.mustSend(bob.move(tokenTwo, 1, 1))
		bob.events()
		old := ada.handOver()
		start := time.Now()
		<-old.line.closed
		if took := time.Since(start); took != 2*time.Second ||
			old.line.code != stream.CodeTakenOver {
			t.Errorf("closed after %v with %d", took, old.line.code)
		}
		bob.mustSend(bob.move(tokenTwo, 2, 1))
		if got := places(ada.events(), tokenTwo); !slices.Equal(got, []int32{2}) {
			t.Errorf("by the new stream got %v", got)
		}
	})
	in(t).Run("D37.8, D37.9, D37.10 a refused handover changes nothing", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		refused := func(name string, h room.Hello, want error) {
			t.Helper()
			_, err := r.rooms.Open(t.Context(), ada.session, h, &memoryCarrier{closed: make(chan struct{})})
			if !errors.Is(err, want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		refused("a client without a stream", room.Hello{Client: id.Client{9}, Handover: true},
			room.ErrHandover)
		refused("another seat's client", room.Hello{Client: bob.id, Handover: true}, room.ErrClient)
		bob.mustSend(bob.move(tokenTwo, 1, 1))
		if got := places(ada.events(), tokenTwo); !slices.Equal(got, []int32{1}) {
			t.Errorf("ada's stream has sent %v", got)
		}
		// The answer comes by the stream by which the client has asked.
		for range 2 { // for the second one it has to wait a second
			if err := ada.stream.Receive(resync(t)); err != nil {
				t.Fatal(err)
			}
			ada.events()
		}
		if state := ada.stream.State(); state != stream.OK {
			t.Errorf("the stream is %v", state)
		}
		refused("a client that has asked for a full state",
			room.Hello{Client: ada.id, Handover: true}, room.ErrHandover)
		<-time.After(2 * time.Second)
		ada.events()
		ada.come(room.Hello{Client: ada.id, Attempt: 7})
		ada.events()
		refused("a late attempt",
			room.Hello{Client: ada.id, Attempt: 7, Handover: true}, room.ErrAttempt)
		ada.cut()
		refused("a client whose stream has broken",
			room.Hello{Client: ada.id, Attempt: 8, Handover: true}, room.ErrHandover)
		unblock := r.store.block()
		moved := bob.post(bob.move(tokenTwo, 2, 1))
		ada.come(room.Hello{Client: ada.id}) // what it would be shown is not durable yet
		refused("a client that has no full state yet", room.Hello{Client: ada.id, Handover: true},
			room.ErrHandover)
		unblock()
		if err := <-moved; err != nil {
			t.Error(err)
		}
	})
}

// TestHandoversInPlay makes a client change its stream again and again while others play and its
// own updates are under way. All its streams together, one after the other, give it the table.
func TestHandoversInPlay(t *testing.T) {
	for seed := range uint64(40) {
		in(t).seeded(seed).Run(fmt.Sprintf("D37 with seed %d", seed), func(t *testing.T, r *rig) {
			rnd := rand.New(rand.NewPCG(seed, 37))
			ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
			ada.events()
			bob.events()
			var acked []uint64
			version := ada.version
			hear := func(frames []*holtpb.Frame) {
				t.Helper()
				for _, f := range frames {
					acked = append(acked, acks(f.GetEvents())...)
					if m := id.Version(f.GetMark()); m != 0 && m < version {
						t.Fatalf("got version %d after %d", m, version)
					} else if m != 0 {
						version = m
					}
					for _, e := range f.GetEvents() {
						if e.GetFull() != nil {
							t.Fatal("a needless full state")
						}
					}
				}
			}
			sent := 0
			for range 60 {
				piece := []id.Piece{tokenOne, tokenTwo, ace}[rnd.IntN(3)]
				x, y := int32(rnd.IntN(4000)), int32(rnd.IntN(4000))
				switch rnd.IntN(5) {
				case 0, 1:
					bob.mustSend(bob.move(piece, x, y))
				case 2:
					ada.mustSend(ada.move(piece, x, y))
					sent++
				case 3: // in the middle of a commit, with a stream that takes nothing for a while
					free := ada.line.stall()
					unblock := r.store.block()
					theirs, own := bob.post(bob.move(tokenTwo, x, y)),
						ada.post(ada.move(tokenOne, y, x))
					sent++
					ada.sight.own(&table.Update{Piece: tokenOne, Has: table.HasXY, X: y, Y: x})
					old := ada.handOver()
					unblock()
					if err := errors.Join(<-theirs, <-own); err != nil {
						t.Fatal(err)
					}
					<-time.After(time.Duration(rnd.IntN(60)) * time.Millisecond)
					free()
					hear(old.now())
					ada.sight, ada.versions, ada.renamed = old.sight, old.versions, old.renamed
				}
				if rnd.IntN(2) == 0 {
					hear(ada.now())
				} else {
					hear(ada.frames())
					bob.events()
				}
			}
			hear(ada.frames())
			if len(acked) > sent || !slices.IsSorted(acked) ||
				len(slices.Compact(slices.Clone(acked))) != len(acked) {
				t.Errorf("%d updates have the acks %v", sent, acked)
			}
			f, err := r.rooms.Read(t.Context(), ada.session)
			if err != nil {
				t.Fatal(err)
			}
			var want sight
			want.take(f.GetEvents()[0])
			for name, piece := range want.pieces {
				got := ada.sight.pieces[name]
				if got.GetX() != piece.GetX() || got.GetY() != piece.GetY() ||
					got.GetZMark() != piece.GetZMark() || got.GetFace() != piece.GetFace() {
					t.Errorf("piece %d is seen as %v, and is %v", name, got, piece)
				}
			}
		})
	}
}

package room_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// motionPages reads all recorded motion that a player gets, page by page.
func (p *player) motionPages(sight room.Sight) (raw [][]byte, pages []room.ReplayPage) {
	p.t.Helper()
	return p.readPages(sight, p.rooms.ReplayMotion)
}

// wantSizes checks that each page is as large as a page may be, and one more frame at most.
func wantSizes(t *testing.T, raw [][]byte, pages []room.ReplayPage) {
	t.Helper()
	most := 0
	for _, b := range raw {
		most = max(most, len(b))
	}
	for i, page := range pages {
		n := 0
		for _, b := range page.Frames {
			n += len(b)
		}
		if n > room.MaxReplayPage+most || i < len(pages)-1 && n < room.MaxReplayPage {
			t.Errorf("page %d has %d bytes", i, n)
		}
	}
}

// TestReplayMotion shows what motion comes beside a replay.
func TestReplayMotion(t *testing.T) {
	// Clauses: T73.18
	in(t).Run("T73.18, T73.4 a view gets the motion that it was sent, apart from the replay",
		func(t *testing.T, r *rig) {
			ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
			ada.events()
			ada.record(true, 1)
			ada.mustSend(ada.move(ace, 0, -4000))
			ada.events()
			hidden := ada.name(ace)
			ada.mustSend(ada.make(table.OpGrab, ace), ada.make(table.OpGrab, tokenOne))
			ada.events()
			bob.events()
			sent := map[*player][]wire.Recorded{}
			for i := range int32(6) {
				<-time.After(30 * time.Millisecond)
				if i%2 == 0 {
					ada.carries(0, 10+i, -4000, ace)
				} else {
					ada.carries(0, 100*i, 20, tokenOne)
				}
				ada.points(0, i, i)
				for _, who := range []*player{ada, bob} {
					for _, f := range who.now() {
						if of, _ := motions(t, []*holtpb.Frame{f}); len(of) > 0 {
							sent[who] = append(sent[who], wire.Recorded{At: id.Millis(f.GetTime()), Segments: of})
						}
					}
				}
			}
			for who, n := range map[*player]int{ada: 6, bob: 3} {
				raw, pages := who.motionPages(room.OwnSight)
				var got []wire.Recorded
				for _, b := range raw {
					f, err := wire.DecodeFrame(b)
					if err != nil {
						t.Fatal(err)
					}
					of, _ := motions(t, []*holtpb.Frame{f})
					got = append(got, wire.Recorded{At: id.Millis(f.GetTime()), Segments: of})
					for _, e := range f.GetEvents() {
						if e.GetMotions() == nil {
							t.Errorf("seat %d gets %v, too", who.session.Seat, e)
						}
					}
				}
				if len(pages) != 1 || len(got) != n || !slices.EqualFunc(got, sent[who],
					func(a, b wire.Recorded) bool {
						return a.At == b.At && slices.Equal(a.Segments, b.Segments)
					}) {
					t.Errorf("seat %d gets\n%+v, and was sent\n%+v", who.session.Seat, got, sent[who])
				}
				for _, of := range got {
					for _, s := range of.Segments {
						if who == bob && s.ID == uint32(hidden) {
							t.Error("bob gets the motion of a hidden piece")
						}
					}
				}
				for _, f := range who.replayFrames() {
					for _, e := range f.GetEvents() {
						if e.GetMotions() != nil {
							t.Errorf("T73.4 a replay has %v", e)
						}
					}
				}
			}
		})
	in(t).Run("T73.18 without a recording there is none", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		ada.events()
		ada.carries(0, 10, 20, tokenOne)
		ada.now()
		if raw, pages := ada.motionPages(room.OwnSight); len(raw) != 0 || len(pages) != 1 {
			t.Errorf("there are %d frames in %d pages", len(raw), len(pages))
		}
	})
	// Clauses: T73.18
	atCards(t).Run("T73.18 with open hands it is what everybody was sent, and ends with them",
		func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(1))
			p.readAll()
			p.ada.record(true, 1)
			p.readAll()
			card := id.Piece(p.ada.hand(anyCard)[0].GetId())
			p.ada.mustSend(p.ada.make(table.OpGrab, card), p.ada.make(table.OpGrab, tokenLeft))
			p.readAll()
			_, err := r.rooms.ReplayMotion(t.Context(), p.eve.session, 0, room.OpenHands)
			if !errors.Is(err, room.ErrClosedHands) {
				t.Errorf("while no hand is open: %v", err)
			}
			p.ada.carries(0, 10, 20, tokenLeft)
			<-time.After(time.Second)
			p.ada.carries(0, 11, 21, card)
			<-time.After(time.Second)
			p.ada.openHands(true)
			<-time.After(time.Second)
			p.ada.carries(0, 30, 40, tokenLeft)
			<-time.After(time.Second)
			want := 1
			for _, who := range []*player{p.eve, p.ada, p.bob} {
				raw, _ := who.motionPages(room.OpenHands)
				if len(raw) != want {
					t.Errorf("seat %d gets %d frames, want %d", who.session.Seat, len(raw), want)
				}
			}
			if raw, _ := p.ada.motionPages(room.OwnSight); len(raw) != 3 {
				t.Errorf("by herself ada gets %d frames, want 3", len(raw))
			}
			if raw, _ := p.eve.motionPages(room.OwnSight); len(raw) != 2 {
				t.Errorf("by herself eve gets %d frames, want 2", len(raw))
			}
		})
	// Clauses: T73.19
	in(t).Run("T73.19 pages of much motion follow each other, and each is charged",
		func(t *testing.T, r *rig) {
			ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
			ada.events()
			ada.record(true, 1)
			bob.events()
			var frames []wire.Recorded
			from := millis()
			var stored room.RecordedMotion
			for i := range 60_000 { // as a server stores it
				at := from - 10_000_000 + id.Millis(100*i)
				seats := []id.Seat(nil)
				if i%10 == 9 { // ahead of what follows
					seats, at = []id.Seat{ada.session.Seat}, at+150
				}
				f := wire.Recorded{At: at, Seats: seats, Segments: []wire.Segment{{
					ID: uint32(tokenOne), From: at - 1, Span: 50, X0: 1, Y0: int32(i), X1: 2, Y1: 3,
				}}}
				frames = append(frames, f)
				var err error
				if stored.Body, err = wire.AppendRecorded(stored.Body, &f); err != nil {
					t.Fatal(err)
				}
				stored.At = max(stored.At, at)
				if len(stored.Body) > 60_000 || i == 59_999 {
					read(r.store, func() any {
						r.store.motions = append(r.store.motions, storedMotion{stored, 0})
						return nil
					})
					stored = room.RecordedMotion{At: stored.At}
				}
			}
			for who, n := range map[*player]int{ada: 60_000, bob: 54_000} {
				raw, pages := who.motionPages(room.OwnSight)
				if len(pages) < 2 {
					t.Fatalf("there are %d pages", len(pages))
				}
				wantSizes(t, raw, pages)
				last, seen := uint64(0), map[int32]bool{}
				for _, b := range raw {
					f, err := wire.DecodeFrame(b)
					if err != nil {
						t.Fatal(err)
					}
					if f.GetTime() <= last {
						t.Fatalf("a frame of %d follows one of %d", f.GetTime(), last)
					}
					last = f.GetTime()
					of, _ := motions(t, []*holtpb.Frame{f})
					for _, s := range of {
						if seen[s.Y0] || s.From != frames[s.Y0].Segments[0].From {
							t.Fatalf("segment %d is there twice, or is %+v", s.Y0, s)
						}
						seen[s.Y0] = true
					}
				}
				if len(seen) != n {
					t.Errorf("seat %d gets %d segments, want %d", who.session.Seat, len(seen), n)
				}
			}
			var fast room.TooFast
			for n := 0; ; n++ {
				_, err := r.rooms.ReplayMotion(t.Context(), bob.session, from, room.OwnSight)
				if errors.As(err, &fast) {
					break
				}
				if err != nil || n > 1000 {
					t.Fatalf("after %d pages: %v", n, err)
				}
			}
		})
	// Clauses: T73.19
	in(t).Run("T73.19 what others do in their hands changes nothing", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		ada.record(true, 1)
		ada.mustSend(ada.move(ace, 0, -4000))
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, ace), ada.make(table.OpGrab, tokenOne))
		ada.events()
		ada.carries(0, 10, 20, tokenOne)
		ada.now()
		bob.events()
		before, _ := bob.motionPages(room.OwnSight)
		stored, _ := r.recordings()
		for i := range int32(20) {
			<-time.After(30 * time.Millisecond)
			ada.carries(0, 10+i, -4000, ace)
		}
		r.stop()
		r.start()
		ada = r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, ace))
		ada.events()
		ada.carries(0, 90, -4000, ace)
		ada.now()
		after, _ := r.open(bob.session).motionPages(room.OwnSight)
		if all, _ := r.recordings(); len(all) < len(stored)+20 {
			t.Errorf("%d frames are recorded, and before it were %d", len(all), len(stored))
		}
		if len(before) != 1 || !slices.EqualFunc(before, after, bytes.Equal) {
			t.Errorf("bob gets %x, and before it %x", after, before)
		}
	})
	in(t).Run("T73.18 a session that is void gets nothing", func(t *testing.T, r *rig) {
		s := r.host.Session
		s.Tokens++
		_, err := r.rooms.ReplayMotion(t.Context(), s, 0, room.OwnSight)
		if !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("it gets %v", err)
		}
	})
}

package room_test

import (
	"slices"
	"testing"
	"time"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// recordings returns what is stored of motion, and the chunks.
func (r *rig) recordings() (frames []wire.Recorded, chunks []storedMotion) {
	r.t.Helper()
	chunks = read(r.store, func() []storedMotion { return slices.Clone(r.store.motions) })
	for _, c := range chunks {
		of, err := wire.DecodeRecording(c.Body)
		if err != nil {
			r.t.Fatal(err)
		}
		frames = append(frames, of...)
	}
	return frames, chunks
}

// record switches recording on or off.
func (p *player) record(on bool, timestamp uint32) {
	p.t.Helper()
	p.operate(put(schema.TheTable, schema.Recording, timestamp, &componentpb.Recording{On: on}))
	p.events()
}

// replay returns the replay of what is stored, for a seat.
func (r *rig) replay(seat id.Seat) *room.Replay {
	r.t.Helper()
	all, _ := r.recordings()
	play := room.NewReplay(seat)
	for i := range all {
		if err := play.Add(&all[i]); err != nil {
			r.t.Fatal(err)
		}
	}
	return play
}

// TestRecording shows when motion is recorded, and what replays are like.
func TestRecording(t *testing.T) {
	grabs := func(r *rig, piece id.Piece) (ada, bob *player) {
		r.t.Helper()
		ada, bob = r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada.mustSend(ada.make(table.OpGrab, piece))
		ada.events()
		return ada, bob
	}
	in(t).Run("K17.1 motion is recorded only while a host has switched it on",
		func(t *testing.T, r *rig) {
			ada, bob := grabs(r, tokenOne)
			ada.carries(0, 10, 0, tokenOne)
			ada.record(false, 1)
			bob.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, put(schema.TheTable, schema.Recording, 2,
				&componentpb.Recording{On: true}))
			ada.carries(0, 20, 0, tokenOne)
			<-time.After(time.Minute)
			if all, _ := r.recordings(); len(all) != 0 {
				t.Errorf("%+v was recorded", all)
			}
			ada.record(true, 3)
			ada.carries(0, 30, 0, tokenOne)
			ada.record(false, 4)
			ada.carries(0, 40, 0, tokenOne)
			<-time.After(time.Minute)
			all, _ := r.recordings()
			if len(all) != 1 || len(all[0].Segments) != 1 || all[0].Segments[0].X1 != 30 {
				t.Errorf("%+v was recorded", all)
			}
		})
	in(t).Run("K17.2, K17.10 each published segment of a piece, and no cursor",
		func(t *testing.T, r *rig) {
			ada, bob := grabs(r, tokenOne)
			ada.record(true, 1)
			bob.events()
			var sent []wire.Recorded
			for i := range int32(20) {
				<-time.After(30 * time.Millisecond)
				ada.carries(0, 100*i, 7*i, tokenOne)
				ada.points(0, 5*i, 5)
				for _, f := range bob.now() {
					if of, _ := motions(t, []*holtpb.Frame{f}); len(of) > 0 {
						sent = append(sent, wire.Recorded{At: id.Millis(f.GetTime()), Segments: of})
					}
				}
			}
			r.stop()
			all, _ := r.recordings()
			if !slices.EqualFunc(all, sent, func(a, b wire.Recorded) bool {
				return a.At == b.At && a.Seats == nil && slices.Equal(a.Segments, b.Segments)
			}) || len(sent) < 15 {
				t.Errorf("recorded is\n%+v, sent was\n%+v", all, sent)
			}
			r.start()
		})
	in(t).Run("K17.8 what is not stored yet goes when a host drops the history",
		func(t *testing.T, r *rig) {
			ada, _ := grabs(r, tokenOne)
			ada.record(true, 1)
			ada.carries(0, 30, 0, tokenOne)
			ada.now()
			if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
				t.Fatal(err)
			}
			<-time.After(time.Minute)
			if all, chunks := r.recordings(); len(all)+len(chunks) != 0 {
				t.Errorf("%+v is stored", all)
			}
		})
	in(t).Run("K17.3 it is stored in one commit with the next entries", func(t *testing.T, r *rig) {
		ada, _ := grabs(r, tokenOne)
		ada.record(true, 1)
		ada.carries(0, 30, 0, tokenOne)
		ada.now()
		if _, chunks := r.recordings(); len(chunks) != 0 {
			t.Fatalf("before, %+v is stored", chunks)
		}
		ada.mustSend(ada.put(tokenOne, 50, 60))
		ada.events()
		_, chunks := r.recordings()
		if len(chunks) != 1 || chunks[0].entries == 0 || chunks[0].At == 0 {
			t.Errorf("stored is %+v", chunks)
		}
	})
	in(t).Run("K17.4 it is stored after 30 s at the latest, without entries",
		func(t *testing.T, r *rig) {
			ada, _ := grabs(r, tokenOne)
			ada.record(true, 1)
			ada.carries(0, 30, 0, tokenOne)
			<-time.After(30 * time.Second)
			if _, chunks := r.recordings(); len(chunks) != 1 || chunks[0].entries != 0 {
				t.Errorf("stored is %+v", chunks)
			}
		})
	in(t).Run("K17.4 or when it has 64 KiB", func(t *testing.T, r *rig) {
		ada, _ := grabs(r, tokenOne)
		ada.mustSend(ada.make(table.OpGrab, tokenTwo), ada.make(table.OpGrab, ace),
			ada.make(table.OpGrab, hand))
		ada.record(true, 1)
		from := time.Now()
		sent := 0
		for i := 0; time.Since(from) < 14*time.Second; i++ {
			<-time.After(10 * time.Millisecond)
			ada.carries(0, int32(i%4000), int32(i%3000), tokenOne, tokenTwo, ace, hand)
			sent++
			if _, chunks := r.recordings(); len(chunks) > 0 {
				if n := len(chunks[0].Body); n < 64<<10 || n > 65<<10 {
					t.Errorf("a chunk has %d bytes", n)
				}
				return
			}
		}
		t.Errorf("of %d points nothing is stored", sent)
	})
	in(t).Run("K10.5, K12.1, K12.4, K17.5 a replay shows motion until updates end it",
		func(t *testing.T, r *rig) {
			ada, bob := grabs(r, tokenOne)
			ada.record(true, 1)
			bob.events()
			start := millis()
			var line []wire.Segment
			for i := range int32(200) { // more than a live curve keeps (K11)
				<-time.After(50 * time.Millisecond)
				ada.carries(0, 10*i, 0, tokenOne)
				of, _ := motions(t, bob.now())
				line = append(line, of...)
			}
			released := millis()
			ada.mustSend(ada.put(tokenOne, -500, -600))
			ada.events()
			<-time.After(time.Second)
			ada.mustSend(ada.make(table.OpGrab, tokenOne))
			ada.events()
			ada.carries(0, -900, 0, tokenOne)
			<-time.After(time.Second)
			r.stop()
			all, _ := r.recordings()
			play := r.replay(bob.session.Seat)
			if got := slices.Collect(play.Pieces()); !slices.Equal(got, []id.Piece{tokenOne}) {
				t.Errorf("it has %v", got)
			}
			for _, s := range line[:len(line)-1] {
				if x, _, ok := play.At(tokenOne, s.From); !ok || x != s.X0 {
					t.Fatalf("at %d it is at %d, %v, want %d", s.From-start, x, ok, s.X0)
				}
			}
			if _, _, ok := play.At(tokenOne, start); ok {
				t.Error("there is motion before the first")
			}
			if x, _, ok := play.At(tokenOne, released+500); ok {
				t.Errorf("after the release it is in motion at %d", x)
			}
			if x, _, ok := play.At(tokenOne, released+2000); !ok || x != -900 {
				t.Errorf("after the second grab it is at %d, %v", x, ok)
			}
			ends := 0
			for _, f := range all {
				ends += len(f.Ended)
			}
			if ends != 1 {
				t.Errorf("%d ends are recorded", ends)
			}
			r.start()
		})
	in(t).Run("K17.9 a replay has only what its view was sent", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		ada.record(true, 1)
		ada.mustSend(ada.move(ace, 0, -4000))
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, ace), ada.make(table.OpGrab, tokenOne))
		ada.events()
		hidden := ada.name(ace)
		ada.carries(0, 10, -4000, ace)
		ada.now()
		ada.carries(0, 10, 20, tokenOne)
		ada.now()
		ada.mustSend(ada.put(ace, 20, -4000), ada.put(tokenOne, 10, 20))
		ada.events()
		r.stop()
		all, _ := r.recordings()
		ends := 0
		for seat, sees := range map[id.Seat]bool{
			ada.session.Seat: true, bob.session.Seat: false, 0: false,
		} {
			names := slices.Collect(r.replay(seat).Pieces())
			if slices.Contains(names, hidden) != sees || !slices.Contains(names, tokenOne) {
				t.Errorf("the replay of seat %d has %v; the hidden piece is %d", seat, names, hidden)
			}
			for i := range all {
				if !room.Sees(&all[i], seat) || !slices.Contains(all[i].Ended, hidden) {
					continue
				}
				if ends++; !sees {
					t.Errorf("seat %d learns that the motion of %d has ended", seat, hidden)
				}
			}
		}
		if ends != 1 {
			t.Errorf("%d views learn of the end, want 1", ends)
		}
		r.start()
	})
	in(t).Run("K17.8 dropped history takes recorded motion along", func(t *testing.T, r *rig) {
		ada, _ := grabs(r, tokenOne)
		ada.record(true, 1)
		ada.carries(0, 30, 0, tokenOne)
		ada.mustSend(ada.put(tokenOne, 50, 60))
		ada.events()
		if all, _ := r.recordings(); len(all) == 0 {
			t.Fatal("nothing is recorded")
		}
		if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		if all, _ := r.recordings(); len(all) != 0 {
			t.Errorf("%+v is left", all)
		}
	})
	in(t).Run("K17.5, K17.12 what a server had recorded has ended when the next one has the table",
		func(t *testing.T, r *rig) {
			ada, _ := grabs(r, tokenOne)
			ada.record(true, 1)
			ada.carries(0, 30, 0, tokenOne)
			<-time.After(time.Second)
			r.stop()
			r.start()
			loaded := millis()
			ada = r.open(r.host.Session)
			ada.events()
			ada.mustSend(ada.put(tokenOne, 700, 800))
			ada.events()
			<-time.After(time.Minute)
			play := r.replay(0)
			if x, _, ok := play.At(tokenOne, loaded-1); !ok || x != 30 {
				t.Errorf("before the end of the server it is at %d, %v", x, ok)
			}
			if x, _, ok := play.At(tokenOne, millis()); ok {
				t.Errorf("after the release it is in motion at %d", x)
			}
			all, _ := r.recordings()
			if n := len(all); n != 2 || !all[1].AllEnded || all[1].Seats != nil {
				t.Errorf("recorded is %+v", all)
			}
		})
	in(t).Run("K17.5, K17.12 motion in a hand begins after such an end, too",
		func(t *testing.T, r *rig) {
			ada, bob := grabs(r, tokenOne)
			ada.record(true, 1)
			ada.carries(0, 30, 0, tokenOne)
			<-time.After(time.Second)
			ada.mustSend(ada.put(tokenOne, 700, 800), ada.move(ace, 0, -4000))
			ada.events()
			ada.mustSend(ada.make(table.OpGrab, ace))
			ada.events()
			<-time.After(time.Minute)
			r.stop()
			r.start()
			ada = r.open(r.host.Session)
			ada.events()
			ada.carries(0, 10, -4000, ace)
			<-time.After(time.Minute)
			all, _ := r.recordings()
			n := len(all)
			if n < 2 || !all[n-2].AllEnded || all[n-2].Seats != nil ||
				all[n-2].At >= all[n-1].At || all[n-1].AllEnded ||
				!slices.Equal(all[n-1].Seats, []id.Seat{ada.session.Seat}) {
				t.Errorf("recorded is %+v", all)
			}
			if room.Sees(&all[n-1], bob.session.Seat) {
				t.Error("another seat gets it")
			}
		})
	in(t).Run("K17.5 the end in a hand has the time of the frame of its seat",
		func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			ada.events()
			ada.record(true, 1)
			ada.mustSend(ada.move(ace, 0, -4000))
			ada.events()
			ada.mustSend(ada.make(table.OpGrab, ace))
			ada.events()
			hidden := ada.name(ace)
			for i := range int32(4) { // several frames in a millisecond have times in the future
				ada.carries(0, 10+i, -4000, ace)
				<-time.After(400 * time.Microsecond)
				ada.now()
			}
			ada.mustSend(ada.put(ace, 20, -4000))
			<-time.After(400 * time.Microsecond)
			shown := id.Millis(0)
			for _, f := range ada.now() {
				for _, e := range f.GetEvents() {
					if e.GetAck() != nil {
						shown = id.Millis(f.GetTime())
					}
				}
			}
			r.stop()
			all, _ := r.recordings()
			moved, ended := id.Millis(0), id.Millis(0)
			for _, f := range all {
				if len(f.Segments) > 0 {
					moved = f.At
				}
				if slices.Contains(f.Ended, hidden) {
					ended = f.At
				}
			}
			if moved == 0 || ended <= moved || ended != shown {
				t.Errorf("it moved at %d, ended at %d, and ada was shown the end at %d",
					moved, ended, shown)
			}
			r.start()
		})
	in(t).Run("K17.2 what the last tick of a server publishes is stored", func(t *testing.T, r *rig) {
		ada, bob := grabs(r, tokenOne)
		ada.record(true, 1)
		bob.events()
		ada.carries(0, 10, 0, tokenOne) // the tick that begins holds back what follows
		ada.carries(0, 30, 0, tokenOne)
		r.stop()
		all, _ := r.recordings()
		if n := len(all); n == 0 || all[n-1].Segments[0].X1 != 30 {
			t.Errorf("recorded is %+v", all)
		}
		r.start()
	})
	in(t).Run("K17.1 the setting is there after a restart", func(t *testing.T, r *rig) {
		ada, _ := grabs(r, tokenOne)
		ada.record(true, 1)
		r.stop()
		r.start()
		ada = r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenTwo))
		ada.events()
		ada.carries(0, 30, 0, tokenTwo)
		<-time.After(30 * time.Second)
		if all, _ := r.recordings(); len(all) != 1 {
			t.Errorf("recorded is %+v", all)
		}
	})
}

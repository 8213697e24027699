package room_test

import (
	"slices"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// carries sends where pieces are seen.
func (p *player) carries(at id.Millis, x, y int32, pieces ...id.Piece) {
	p.t.Helper()
	m := &holtpb.Motion{At: uint64(at)}
	for i, name := range pieces {
		m.Pieces, m.X, m.Y = append(m.Pieces, uint32(p.name(name))), append(m.X, x+int32(i)),
			append(m.Y, y)
	}
	p.up(&holtpb.Up{Up: &holtpb.Up_Motion{Motion: m}})
}

func (p *player) points(at id.Millis, x, y int32) {
	p.t.Helper()
	p.up(&holtpb.Up{Up: &holtpb.Up_Cursor{Cursor: &holtpb.Cursor{At: uint64(at), X: x, Y: y}}})
}

func millis() id.Millis { return id.Millis(time.Now().UnixMilli()) }

// motions returns the segments in frames, of pieces and of cursors.
func motions(t *testing.T, frames []*holtpb.Frame) (pieces, cursors []wire.Segment) {
	t.Helper()
	for _, f := range frames {
		for _, e := range f.GetEvents() {
			for _, path := range []struct {
				p  *holtpb.Paths
				to *[]wire.Segment
			}{{e.GetMotions(), &pieces}, {e.GetCursors(), &cursors}} {
				if path.p == nil {
					continue
				}
				s, err := wire.Segments(id.Millis(f.GetTime()), path.p)
				if err != nil {
					t.Fatal(err)
				}
				*path.to = append(*path.to, s...)
			}
		}
	}
	return pieces, cursors
}

func TestMotion(t *testing.T) {
	drag := func(t *testing.T, r *rig) (ada, bob *player) {
		t.Helper()
		ada, bob = r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		ada.events()
		bob.events()
		return ada, bob
	}
	in(t).Run("C19 a reader for a bridge gets everything but motion", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		quiet := r.open(ada.session)
		quiet.events()
		for i, version := range []*id.Version{
			new(id.Version), &quiet.version,
		} { // from the start, and resumed
			quiet.come(room.Hello{
				Client: quiet.id, WithoutMotion: true, Epoch: quiet.epoch, Version: *version,
			})
			ada.carries(millis()-3, 100, int32(10*(i+1)), tokenOne)
			ada.points(millis()-3, 5, 5)
			if pieces, cursors := motions(t, bob.frames()); len(pieces) == 0 || len(cursors) == 0 {
				t.Fatalf("bob gets %v and %v", pieces, cursors)
			}
			u := ada.make(table.OpMove, tokenOne)
			u.Has, u.X, u.Y = u.Has|table.HasXY, 100, int32(10*(i+1))
			ada.mustSend(u)
			frames := quiet.frames()
			if pieces, cursors := motions(t, frames); len(pieces)+len(cursors) > 0 {
				t.Errorf("it gets %v and %v", pieces, cursors)
			}
			updates := 0
			for _, f := range frames {
				for _, e := range f.GetEvents() {
					if e.GetUpdate() != nil {
						updates++
					}
				}
			}
			if updates != 1 {
				t.Errorf("it gets %d updates, want 1", updates)
			}
		}
	})
	// Clauses: S12.1, S12.12, S12.13, S12.14, S12.17
	in(t).Run("S12 a drag is sent as linear segments that join", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		start := millis()
		var path []wire.Segment
		for i := range 4 {
			<-time.After(50 * time.Millisecond)
			ada.carries(millis()-3, int32(100*(i+1)), 40, tokenOne)
			frames := bob.now()
			if len(frames) != 1 || frames[0].GetMark() != 0 {
				t.Fatalf("S4, S10 a point is sent as %v", frames)
			}
			got, _ := motions(t, frames)
			path = append(path, got...)
		}
		at := start + 50 - 3
		want := []wire.Segment{
			{ID: uint32(tokenOne), From: at, Span: 50, X1: 100, Y1: 40},
			{ID: uint32(tokenOne), From: at + 50, Span: 50, X0: 100, Y0: 40, X1: 200, Y1: 40},
			{ID: uint32(tokenOne), From: at + 100, Span: 50, X0: 200, Y0: 40, X1: 300, Y1: 40},
			{ID: uint32(tokenOne), From: at + 150, Span: 50, X0: 300, Y0: 40, X1: 400, Y1: 40},
		}
		if !slices.Equal(path, want) {
			t.Errorf("the path is\n%+v, want\n%+v", path, want)
		}
		length := read(r.store, func() int { return len(r.store.tables[r.host.Table].log) })
		if full, err := r.rooms.Read(t.Context(), bob.session); err != nil ||
			full.GetEvents()[0].GetFull().GetPieces()[tokenOne-1].GetX() != 0 {
			t.Errorf("recorded pieces have moved: %v, %v", full, err)
		}
		if n := read(r.store, func() int {
			return len(r.store.tables[r.host.Table].log)
		}); n != length {
			t.Errorf("motion has made %d entries", n-length)
		}
	})
	in(t).Run("S12.19 each tick has one point, late ones come together", func(t *testing.T, r *rig) {
		r.crowd()
		ada, bob := drag(t, r)
		bob.mustSend(bob.make(table.OpGrab, tokenTwo))
		ada.events()
		bob.events()
		at := millis()
		ada.carries(at, 1, 1, tokenOne) // published at once
		bob.now()
		for i := range id.Millis(4) {
			<-time.After(5 * time.Millisecond)
			ada.carries(at+5*(i+1), int32(10*(i+1)), 1, tokenOne)
			bob.carries(at+5*(i+1), int32(20*(i+1)), 1, tokenTwo)
		}
		<-time.After(5 * time.Millisecond)
		frames := bob.now()
		got, _ := motions(t, frames)
		if len(frames) != 1 || len(got) != 2 {
			t.Fatalf("%d frames have %+v", len(frames), got)
		}
		for _, s := range got {
			if s.From != at+5 ||
				s.X1 != map[uint32]int32{uint32(tokenOne): 40, uint32(tokenTwo): 80}[s.ID] ||
				s.From+s.Span != at+50 && s.From+s.Span != at+5+50 {
				t.Errorf("got %+v, from %d", s, at)
			}
		}
	})
	in(t).Run("S12.6 motion of pieces held by nobody is ignored", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		bob.carries(0, 7, 7, tokenOne)
		ada.carries(0, 7, 7, tokenTwo, 99)
		if got, _ := motions(t, append(ada.frames(), bob.frames()...)); len(got) != 0 {
			t.Errorf("got %+v", got)
		}
	})
	in(t).Run("S12.8, S12.9, S12.11 an invalid place or time is clamped", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		now := millis()
		ada.carries(now+5000, -900_000, 900_000, tokenOne)
		<-time.After(50 * time.Millisecond)
		ada.carries(now-5000, 0, 0, tokenOne)
		got, _ := motions(t, bob.frames())
		if len(got) != 2 || got[0].From != now || got[0].X1 != -5000 || got[0].Y1 != 5000 ||
			got[1].From != now+1 {
			t.Errorf("got %+v, from %d", got, now)
		}
	})
	// Clauses: S12.10, S12.13, S12.14, S12.15, S12.16, S12.17, S12.18
	in(t).Run("S12 a segment starts where seen, for 20 to 100 ms", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		<-time.After(2 * time.Second)
		start := millis()
		told := func(at id.Millis, x int32, pieces ...id.Piece) wire.Segment {
			t.Helper()
			ada.carries(at, x, 0, pieces...)
			got, _ := motions(t, bob.frames()) // this takes a tick
			if len(got) != 1 {
				t.Fatalf("got %+v", got)
			}
			return got[0]
		}
		one := uint32(tokenOne)
		for i, c := range []struct{ got, want wire.Segment }{
			{told(start-5000, 100, tokenOne), wire.Segment{
				ID: one, From: start - 1000, Span: 50, X1: 100,
			}},
			// It is on its way.
			{told(start-975, 200, tokenOne), wire.Segment{
				ID: one, From: start - 975, Span: 25, X0: 50, X1: 200,
			}},
			{told(start-940, 300, tokenOne), wire.Segment{
				ID: one, From: start - 940, Span: 35, X0: 200, X1: 300,
			}},
			{told(start-900, 400, tokenOne), wire.Segment{
				ID: one, From: start - 900, Span: 40, X0: 300, X1: 400,
			}},
			{told(start-855, 400, tokenOne), wire.Segment{
				ID: one, From: start - 855, Span: 45, X0: 400, X1: 400,
			}},
			{told(start-805, 400, tokenOne), wire.Segment{
				ID: one, From: start - 805, Span: 50, X0: 400, X1: 400,
			}},
			// As long as the one before.
			{told(start-795, 500, tokenOne), wire.Segment{
				ID: one, From: start - 795, Span: 40, X0: 400, X1: 500,
			}},
			{told(start-750, 500, tokenOne), wire.Segment{
				ID: one, From: start - 750, Span: 45, X0: 500, X1: 500,
			}},
			{told(start-700, 500, tokenOne), wire.Segment{
				ID: one, From: start - 700, Span: 50, X0: 500, X1: 500,
			}},
			{told(start-670, 500, tokenOne), wire.Segment{
				ID: one, From: start - 670, Span: 30, X0: 500, X1: 500,
			}},
			{told(start-650, 500, tokenOne), wire.Segment{
				ID: one, From: start - 650, Span: 20, X0: 500, X1: 500,
			}},
			{told(start-635, 500, tokenOne), wire.Segment{
				ID: one, From: start - 635, Span: 20, X0: 500, X1: 500,
			}},
			{told(start-300, 600, tokenOne), wire.Segment{
				ID: one, From: start - 300, Span: 100, X0: 500, X1: 600,
			}},
			{told(start-200, 600, tokenOne), wire.Segment{
				ID: one, From: start - 200, Span: 100, X0: 600, X1: 600,
			}},
			{
				told(start+200, 700,
					append([]id.Piece{tokenOne}, slices.Repeat([]id.Piece{tokenTwo}, 53)...)...),
				wire.Segment{ID: one, From: start + 200, Span: 200, X0: 600, X1: 700},
			},
		} {
			if c.got != c.want {
				t.Errorf("point %d is sent as %+v, want %+v", i+1, c.got, c.want)
			}
		}
	})
	in(t).Run("S12.7 600 points a second", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		ada.mustSend(ada.make(table.OpGrab, tokenTwo))
		bob.events()
		for i := range 16 {
			pieces := slices.Repeat([]id.Piece{tokenOne}, 49)
			ada.carries(0, int32(i), 0, append(pieces, tokenTwo)...) // the last one of each message
			<-time.After(25 * time.Millisecond)
		}
		got, _ := motions(t, bob.frames())
		last := got[len(got)-1]
		if last.X1-49 != 11 && last.X1-48 != 11 {
			t.Errorf("the last one is %+v, want one of the twelfth message", last)
		}
		<-time.After(time.Second)
		ada.carries(0, 77, 0, tokenOne)
		if got, _ := motions(t, bob.frames()); len(got) != 1 {
			t.Errorf("a second later: %+v", got)
		}
	})
	in(t).Run("S12.20, T23 only its owner sees a card move in a hand", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		other := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.move(ace, 0, -4000))
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, ace))
		bob.events()
		other.events()
		inHand := uint32(other.name(ace))
		ada.carries(0, 10, -4000, ace)
		if got, _ := motions(t, bob.frames()); len(got) != 0 {
			t.Errorf("bob gets %+v", got)
		}
		if got, _ := motions(t, other.frames()); len(got) != 1 || got[0].ID != inHand ||
			inHand == uint32(ace) {
			t.Errorf("her other page, to which the card is %d, gets %+v", inHand, got)
		}
		bob.cut()
		bob.reopen(0)
		if got, _ := motions(t, bob.frames()); len(got) != 0 {
			t.Errorf("after a new start bob gets %+v", got)
		}
		other.cut()
		other.reopen(0)
		if got, _ := motions(t, other.frames()); len(got) != 1 || got[0].ID != inHand {
			t.Errorf("after a new start her other page gets %+v", got)
		}
	})
	in(t).Run("S12 everybody sees a hand move, whoever owns it", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, hand))
		bob.events()
		ada.carries(0, 10, -3000, hand)
		if got, _ := motions(t, bob.frames()); len(got) != 1 {
			t.Errorf("bob gets %+v", got)
		}
		eve := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		if got, _ := motions(t, eve.frames()); len(got) != 1 {
			t.Errorf("a new client gets %+v", got)
		}
	})
	in(t).Run("S12, T23 a card that leaves a hand appears once outside", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		ada.mustSend(ada.move(ace, 0, -4000))
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, ace), ada.move(hand, 0, 3000))
		ada.events()
		bob.events()
		ada.carries(0, 10, -4000, ace)
		if got, _ := motions(t, bob.frames()); len(got) != 0 {
			t.Errorf("before the held hand has left anything bob gets %+v", got)
		}
		done := r.store.block()
		answer := ada.post(ada.make(table.OpRelease, ace), ada.make(table.OpGrab, ace))
		ada.carries(0, 10, -3900, ace)
		if got, _ := motions(t, bob.frames()); len(got) != 0 {
			t.Errorf("before it is durable bob gets %+v", got)
		}
		done()
		if err := <-answer; err != nil {
			t.Fatal(err)
		}
		outside := uint32(ada.name(ace))
		frames := bob.frames()
		got, _ := motions(t, frames)
		if len(frames) != 1 || len(got) != 1 || got[0].ID != outside || got[0].X1 != 10 ||
			got[0].Y1 != -3900 {
			t.Fatalf("then he gets %v", frames)
		}
		if p := frames[0].GetEvents()[0].GetUpdate().GetPiece(); p.GetId() != outside ||
			p.Kind == nil || p.GetY() != -4000 {
			t.Errorf("T21 of a piece that is new to him, sent as %v", p)
		}
	})
	in(t).Run("K2.2, K12, S12 motion and its end come in later frames", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		last := uint64(0)
		told := func(what string) {
			t.Helper()
			for _, f := range bob.now() {
				if f.GetTime() <= last {
					t.Errorf("%s gets a frame of %d, with earlier motion in one of %d", what,
						f.GetTime(), last)
				}
				last = f.GetTime()
			}
		}
		ada.carries(0, 10, 0, tokenOne)
		told("a point")
		<-time.After(900 * time.Microsecond) // a tick, and the same millisecond
		ada.carries(0, 20, 0, tokenOne)
		told("the next one")
		ada.mustSend(ada.move(tokenOne, 20, 0))
		<-time.After(900 * time.Microsecond)
		told("the move")
		ada.carries(0, 30, 0, tokenOne)
		<-time.After(900 * time.Microsecond)
		bob.now()
		<-time.After(5 * time.Millisecond)
		again := &memoryCarrier{closed: make(chan struct{})}
		c, err := r.rooms.Open(t.Context(), bob.session,
			room.Hello{Client: bob.id, Epoch: bob.epoch, Version: bob.versions[tokenOne]}, again)
		if err != nil {
			t.Fatal(err)
		}
		bob.line, bob.stream, bob.read, last = again, c, 0, 0
		ada.mustSend(ada.move(tokenOne, 40, 0))
		<-time.After(900 * time.Microsecond)
		frames := bob.now()
		if n := len(frames); n != 3 || frames[1].GetEvents()[0].GetMotions() == nil ||
			frames[1].GetTime() >= frames[2].GetTime() {
			t.Errorf("a client that resumes gets %v", frames)
		}
	})
	in(t).Run("K12.6, S12 an update of place or holder ends motion", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		ada.carries(0, 10, 0, tokenOne)
		bob.events()
		release := ada.make(table.OpRelease, tokenOne)
		release.X, release.Y, release.Has = 20, 0, release.Has|table.HasXY
		done := r.store.block()
		answer := ada.post(release, ada.make(table.OpGrab, tokenOne))
		ada.carries(0, 30, 0, tokenOne) // of a grab that is not published yet
		if got := bob.frames(); len(got) != 0 {
			t.Errorf("K12 before it is durable bob gets %v", got)
		}
		bob.comeBack(room.Hello{Epoch: bob.epoch, Version: bob.versions[tokenOne]})
		bob.read = 0
		if got, _ := motions(t, bob.frames()); len(got) != 0 {
			t.Errorf("K12 nor after a new start: %v", got)
		}
		done()
		if err := <-answer; err != nil {
			t.Fatal(err)
		}
		frames := bob.frames()
		got, _ := motions(t, frames)
		if len(frames) != 1 || len(got) != 1 || got[0].X0 != 20 || got[0].X1 != 30 ||
			frames[0].GetEvents()[2].GetMotions() == nil {
			t.Errorf("then he gets %v", frames)
		}
	})
	in(t).Run("S12.21, S13 a full state is followed by all motion", func(t *testing.T, r *rig) {
		ada, bob := drag(t, r)
		ada.carries(0, 10, 0, tokenOne)
		ada.points(0, 5, 5)
		frames := bob.frames()
		version := id.Version(frames[len(frames)-1].GetMark())
		<-time.After(10 * time.Second)
		eve := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		pieces, cursors := motions(t, eve.frames())
		if len(pieces) != 1 || pieces[0].X1 != 10 || len(cursors) != 1 || cursors[0].X1 != 5 {
			t.Errorf("a new client gets %+v and %+v", pieces, cursors)
		}
		read := bob.frames()
		for _, f := range read {
			version = max(version, id.Version(f.GetMark()))
		}
		bob.cut()
		bob.comeBack(room.Hello{Epoch: bob.epoch, Version: version})
		bob.read = 0
		if pieces, cursors := motions(t, bob.frames()); len(pieces) != 1 || len(cursors) != 1 {
			t.Errorf("a client that stays gets %+v and %+v", pieces, cursors)
		}
	})
	// Clauses: S13.1, S13.5, S13.6, S13.7
	in(t).Run("S13 cursors of seats and spectators are sent", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		eve := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		ada.events()
		for i := range 40 {
			eve.points(0, int32(i), 9)
			<-time.After(25 * time.Millisecond)
		}
		_, got := motions(t, ada.frames())
		if len(got) != 25 || got[0].ID != uint32(eve.session.Seat) || got[24].X1 != 24 ||
			got[24].Y1 != 9 {
			t.Errorf("%d cursors are sent, the last is %+v", len(got), got[len(got)-1])
		}
		eve.cut()
		<-time.After(time.Second)
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		if _, got := motions(t, bob.frames()); len(got) != 0 {
			t.Errorf("of a client that left: %+v", got)
		}
	})
}

func TestHolds(t *testing.T) {
	// hold makes ada hold a piece and carry it, and bob look on.
	hold := func(t *testing.T, r *rig) (ada, bob *player) {
		t.Helper()
		ada, bob = r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		ada.carries(0, 300, 400, tokenOne)
		bob.events()
		return ada, bob
	}
	released := func(t *testing.T, p *player) *holtpb.Update {
		t.Helper()
		for _, e := range p.events() {
			if u := e.GetUpdate(); u.GetOp() == holtpb.Op_OP_RELEASE {
				return u
			}
		}
		return nil
	}
	where := func(t *testing.T, u *holtpb.Update, x, y int32) {
		t.Helper()
		if p := u.GetPiece(); u == nil || u.GetBy() != 0 || p.GetX() != x || p.GetY() != y ||
			p.Holder == nil || p.GetHolder() != 0 {
			t.Errorf("released as %v, want without a holder at %d, %d", u, x, y)
		}
	}
	in(t).Run("S14.2, S14.5, S14.6 a lost client releases after 30 s", func(t *testing.T, r *rig) {
		ada, bob := hold(t, r)
		ada.cut()
		<-time.After(30*time.Second - 2*tick)
		if u := released(t, bob); u != nil {
			t.Errorf("too early: %v", u)
		}
		<-time.After(2 * tick)
		where(t, released(t, bob), 300, 400)
		ada.reopen(0)
		if p := ada.events()[0].GetFull().GetPieces()[tokenOne-1]; p.GetHolder() != 0 ||
			p.GetX() != 300 {
			t.Errorf("a client that resumes sees %v", p)
		}
	})
	in(t).Run("S14.9 a client that comes back in time keeps its piece", func(t *testing.T, r *rig) {
		ada, bob := hold(t, r)
		ada.cut()
		<-time.After(29 * time.Second)
		ada.reopen(0)
		<-time.After(time.Minute)
		if u := released(t, bob); u != nil {
			t.Errorf("bob gets %v", u)
		}
		ada.events()
		ada.carries(0, 500, 500, tokenOne)
		if got, _ := motions(t, bob.frames()); len(got) != 1 || got[0].X0 != 300 {
			t.Errorf("then the piece moves on as %+v", got)
		}
	})
	in(t).Run("S14.1 a client that left its page releases after 2 s", func(t *testing.T, r *rig) {
		ada, bob := hold(t, r)
		r.open(r.host.Session)
		ada.leave()
		<-time.After(2 * time.Second)
		where(t, released(t, bob), 300, 400)
	})
	in(t).Run("S14 the end of another page of theirs changes nothing", func(t *testing.T, r *rig) {
		_, bob := hold(t, r)
		r.open(r.host.Session).leave()
		<-time.After(time.Minute)
		if u := released(t, bob); u != nil {
			t.Errorf("bob gets %v", u)
		}
	})
	in(t).Run("S14.4 a grab without a stream lasts 30 s", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		ada.leave()
		ada.mustSend(ada.make(table.OpGrab, tokenOne)) // it was on its way
		bob.events()
		<-time.After(30*time.Second - 3*tick) // to read takes a tick
		if u := released(t, bob); u != nil {
			t.Errorf("too early: %v", u)
		}
		<-time.After(3 * tick)
		if u := released(t, bob); u == nil || u.GetBy() != 0 {
			t.Errorf("released as %v", u)
		}
		ada.mustSend(ada.make(table.OpGrab, tokenTwo))
		ada.reopen(0)
		<-time.After(time.Minute)
		if u := released(t, bob); u != nil {
			t.Errorf("while she is there bob gets %v", u)
		}
	})
	in(t).Run("S14.3 a hold ends after a restart without streams", func(t *testing.T, r *rig) {
		ada, bob := hold(t, r)
		r.stop()
		r.start()
		holder := func() uint32 {
			full, err := r.rooms.Read(t.Context(), bob.session)
			if err != nil {
				t.Fatal(err)
			}
			return full.GetEvents()[0].GetFull().GetPieces()[tokenOne-1].GetHolder()
		}
		if holder() != uint32(ada.session.Seat) {
			t.Fatal("she does not hold it")
		}
		<-time.After(31 * time.Second)
		if holder() != 0 {
			t.Error("she holds it forever")
		}
	})
	in(t).Run("S11, S14 a table stays loaded while a client is missing", func(t *testing.T, r *rig) {
		loaded := time.Now() // once a minute it checks whether it is needed
		ada := r.open(r.host.Session)
		<-time.After(time.Until(loaded.Add(59 * time.Second)))
		ada.cut()
		<-time.After(2 * time.Second)
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		seat := bob.events()[0].GetFull().GetSeats()[0]
		if seat.GetPresence() != holtpb.Presence_PRESENCE_LOST {
			t.Errorf("two seconds after her stream broke bob sees %v", seat)
		}
		bob.leave()
		ada.reopen(0)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		<-time.After(time.Until(loaded.Add(119 * time.Second)))
		ada.leave() // she reloads the page
		<-time.After(1500 * time.Millisecond)
		again := r.open(r.host.Session)
		again.events()
		<-time.After(time.Second)
		if u := released(t, again); u.GetBy() != 0 || u.GetPiece().GetId() != uint32(tokenOne) {
			t.Errorf("her new page gets %v", u)
		}
		again.leave()
		<-time.After(5 * time.Minute)
		if n := read(r.store, func() int { return len(r.store.snapshots) }); n != 1 {
			t.Errorf("then it has been unloaded %d times", n)
		}
	})
	in(t).Run("S14.3 a hold of an absent seat ends 30 s after a restart", func(t *testing.T, r *rig) {
		ada, bob := hold(t, r)
		ada.cut()
		r.stop()
		r.start()
		bob.reopen(0)
		<-time.After(20 * time.Second)
		ada.reopen(0)
		bob.events()
		<-time.After(time.Minute)
		if u := released(t, bob); u != nil {
			t.Errorf("while she is there bob gets %v", u)
		}
		ada.leave()
		<-time.After(30 * time.Second)
		where(t, released(t, bob), 0, 0)
	})
}

package room_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// quotaOf returns tests in which the log has bounds.
func quotaOf(t *testing.T, q room.Quota) bubble {
	b := in(t)
	b.quota = q
	return b
}

// levels returns the levels of the log in events.
func levels(events []*holtpb.Event) (all []int) {
	for _, e := range events {
		if s := e.GetSpace(); s != nil {
			all = append(all, int(s.GetLevel()))
		}
	}
	return all
}

// copyOf returns an update that makes a copy of a piece.
func (p *player) copyOf(piece id.Piece) table.Update {
	u := p.make(table.OpCopy, piece)
	u.Has |= table.HasXY
	return u
}

// reason returns why the update of a player is rejected; 0 if it is not.
func (p *player) reason(u table.Update) holtpb.Reason {
	p.t.Helper()
	p.frames()
	p.mustSend(u)
	for _, r := range rejected(p.events()) {
		return r
	}
	return 0
}

// fill moves a piece until the player gets a level.
func (p *player) fill(level int) (moves int) {
	p.t.Helper()
	for ; moves < 10_000; moves++ {
		p.frames()
		p.mustSend(p.move(tokenOne, int32(moves%100), 0))
		for _, l := range levels(p.events()) {
			if l >= level {
				return moves
			}
		}
	}
	p.t.Fatalf("the log never reached level %d", level)
	return 0
}

const logFull = holtpb.Reason_REASON_LOG_FULL

func TestFindingS8Space(t *testing.T) {
	small := room.Quota{Table: 40_000}
	quotaOf(t, small).Run("T44.1, T44.2 a log at 80 % is published once", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		bob.frames()
		moves := ada.fill(1)
		if moves < 100 || moves > 300 {
			t.Errorf("it took %d moves to use 32 kB", moves)
		}
		if got := levels(bob.events()); fmt.Sprint(got) != "[1]" {
			t.Errorf("Bob gets levels %v", got)
		}
		if got := bob.reason(bob.copyOf(tokenTwo)); got != 0 {
			t.Errorf("an early refusal: %v", got)
		}
		if got := levels(r.open(r.host.Session).events()); fmt.Sprint(got) != "[1]" {
			t.Errorf("a new stream gets levels %v", got)
		}
		epoch, version := bob.epoch, bob.version
		bob.cut()
		events := bob.comeBack(room.Hello{Client: bob.id, Epoch: epoch, Version: version})
		if events[0].GetResumed() == nil || fmt.Sprint(levels(events)) != "[1]" {
			t.Errorf("a stream that resumes gets %v", events)
		}
	})
	// Clauses: T14.13, T44.1, T45.1, T45.2, T45.3, T45.5, T45.6
	quotaOf(t, small).Run("T45 a reserve holds moves and seats", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		cards := []id.Piece{ace}
		for len(cards) <= 175 {
			ada.frames()
			add := ada.make(table.OpAdd, 0)
			add.Has, add.Kind, add.Face = table.HasKind|table.HasXY|table.HasFace, kindAce, 1
			ada.mustSend(add)
			cards = append(cards, made(t, ada.events()))
		}
		ada.fill(2)
		if got := ada.reason(ada.copyOf(tokenTwo)); got != logFull {
			t.Errorf("a copy is refused with %v", got)
		}
		many := ada.make(table.OpShuffle, 0)
		many.Has, many.Pieces = table.HasPieces, cards
		if got := ada.reason(many); got != logFull {
			t.Errorf("a large shuffle is refused with %v", got)
		}
		ada.mayNot(holtpb.Refusal_REFUSAL_FULL,
			put(schema.EntityOfPiece(tokenOne), schema.Label, 1, text("x")))
		if _, err := r.rooms.OpenRound(
			t.Context(), r.host.Session,
		); !errors.Is(err, room.ErrLogFull) {
			t.Errorf("a round is refused with %v", err)
		}
		if got := ada.reason(ada.move(tokenTwo, 5, 5)); got != 0 {
			t.Errorf("a move is refused: %v", got)
		}
		r.seat(r.invites.Player, "Cleo")
	})
	// Clauses: T44.1, T45.7, T45.8, T54.4
	quotaOf(t, small).Run("T44 without a reserve pieces can be released", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.fill(2)
		ada.mustSend(ada.make(table.OpGrab, tokenTwo))
		ada.fill(3)
		at := r.store.length(r.host.Table)
		for range 50 {
			if got := ada.reason(ada.move(tokenOne, 7, 7)); got != logFull {
				t.Fatalf("a move is refused for %v", got)
			}
		}
		ada.mayNot(holtpb.Refusal_REFUSAL_FULL,
			put(schema.EntityOfPiece(tokenOne), schema.Label, 1, text("x")))
		if _, err := r.rooms.TakeSeat(
			t.Context(), r.invites.Player, room.Person{Nick: "Dan"},
		); !errors.Is(err, room.ErrLogFull) {
			t.Errorf("a seat is refused with %v", err)
		}
		if now := r.store.length(r.host.Table); now != at {
			t.Errorf("%d entries were logged", now-at)
		}
		if got := ada.reason(ada.make(table.OpRelease, tokenTwo)); got != 0 {
			t.Errorf("a release is refused: %v", got)
		}
		if _, err := r.rooms.MakeHostLink(t.Context(), r.host.Table); err != nil {
			t.Errorf("T54 the operator's link at a spent table: %v", err)
		}
	})
	large := quotaOf(t, room.Quota{Table: 200_000})
	large.Run("T44.3 a restart keeps the count, also without a snapshot", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		moves := ada.fill(1)
		for range 3 { // the second time there is a snapshot and nothing after it
			r.stop()
			r.start()
			again := r.open(r.host.Session)
			if got := levels(again.events()); fmt.Sprint(got) != "[1]" {
				t.Errorf("after %d moves and a restart the levels are %v", moves, got)
			}
			again.mustSend(again.move(tokenOne, 1, 1))
		}
		if got, want := r.store.logged(r.host.Table), r.store.bytes(r.host.Table); got != want {
			t.Errorf("%d bytes are counted of %d", got, want)
		}
	})
	quotaOf(t, small).Run("T44.4 waiting entries count, too", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		release := r.store.block()
		var answers []<-chan error
		for range 16 { // more would wait outside of the room, and not in their order
			var batch []table.Update
			for range 50 {
				batch = append(batch, ada.copyOf(tokenOne))
			}
			answers = append(answers, ada.post(batch...))
		}
		release()
		for _, a := range answers {
			if err := <-a; err != nil {
				t.Fatal(err)
			}
		}
		if got := r.store.bytes(r.host.Table); got > 50_000 {
			t.Errorf("a log of 40,000 bytes has %d", got)
		}
	})
	limited := quotaOf(t, room.Quota{Seat: 20_000})
	// Clauses: T14.13, T46.1, T46.2, T46.3, T46.6
	limited.Run("T46 only a seat that used up its share of an hour waits", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		moved := func(who *player, most int) (n int) {
			for n < most && who.reason(who.move(tokenOne, int32(n), 0)) == 0 {
				n++
			}
			return n
		}
		if n := moved(ada, 1000); n < 50 || n > 250 {
			t.Errorf("20 kB are %d moves", n)
		}
		if got := ada.reason(ada.copyOf(tokenTwo)); got != holtpb.Reason_REASON_TOO_MUCH {
			t.Errorf("a copy is refused with %v", got)
		}
		ada.mayNot(holtpb.Refusal_REFUSAL_FULL,
			put(schema.EntityOfPiece(tokenOne), schema.Label, 1, text("x")))
		if n := moved(bob, 20); n != 20 {
			t.Errorf("Bob may not move after %d", n)
		}
		ada.cut()
		bob.cut()
		<-time.After(5 * time.Minute) // the table is unloaded and comes back
		again := r.open(r.host.Session)
		if n := moved(again, 1000); n == 0 || n > 30 {
			t.Errorf("after five minutes there are %d moves", n)
		}
		<-time.After(time.Hour)
		if n := moved(again, 1000); n < 50 {
			t.Errorf("after an hour there are %d moves", n)
		}
	})
	rounds := quotaOf(t, room.Quota{Rounds: 20})
	rounds.Run("T46.5 a table has a limit of rounds per hour", func(t *testing.T, r *rig) {
		opened := func() (n int, err error) {
			for ; n < 1000 && err == nil; n++ {
				_, err = r.rooms.OpenRound(t.Context(), r.host.Session)
			}
			return n - 1, err
		}
		n, err := opened()
		var soon *room.TooSoon
		if n != 20 || !errors.As(err, &soon) || soon.After <= 0 || soon.After > 4*time.Minute {
			t.Errorf("%d rounds were opened, then %v", n, err)
		}
		<-time.After(30 * time.Minute)
		if n, _ := opened(); n < 9 || n > 11 {
			t.Errorf("%d rounds were opened after half an hour", n)
		}
	})
}

// Clauses: T47.1
func TestT47EdgesAreBlurred(t *testing.T) {
	at := map[int64]bool{}
	for range 5 {
		limited := quotaOf(t, room.Quota{Table: 60_000})
		limited.Run("T47 levels begin at different sizes in each table", func(t *testing.T, r *rig) {
			r.open(r.host.Session).fill(1)
			at[r.store.bytes(r.host.Table)/300] = true
		})
	}
	if len(at) < 2 {
		t.Errorf("the level of five tables begins at %v", at)
	}
}

// TestFindingS8Notes writes notes of 2,000 bytes, as many as a seat may send. The log stays within
// the quota of the seat.
func TestFindingS8Notes(t *testing.T) {
	b := atCards(t)
	b.quota = room.Quota{Table: 1 << 20, Seat: 1 << 19}
	b.Run("labels of one seat fill half a megabyte, not the disk", func(t *testing.T, r *rig) {
		p := r.party()
		waits := 0
		for round := range 20 {
			var batch []table.Update
			for i := range 100 {
				u := p.ada.make(table.OpWrite, pouchNote)
				u.Has, u.Text = u.Has|table.HasText,
					strings.Repeat(string(rune('a'+(round+i)%26)), 2000)
				batch = append(batch, u)
			}
			send := func() error {
				return p.ada.rooms.Update(t.Context(), p.ada.session, wire.Batch{
					Client: p.ada.id, Epoch: p.ada.epoch, Updates: batch,
				})
			}
			err := send()
			if tooFast := (room.TooFast{}); errors.As(err, &tooFast) {
				waits++
				<-time.After(tooFast.After)
				err = send()
			}
			if err != nil {
				t.Fatal(err)
			}
			p.readAll()
		}
		if waits == 0 {
			t.Error("T49 200 kB of text were written repeatedly without a wait")
		}
		if got := r.store.bytes(r.host.Table); got > 1<<19+1<<16 || got < 1<<18 {
			t.Errorf("4 MB of labels made a log of %d bytes", got)
		}
	})
}

// fillTo seats bob and fills the log to a level.
func (r *rig) fillTo(level int) (ada *player, bob room.Taken) {
	r.t.Helper()
	bob = r.seat(r.invites.Player, "Bob")
	ada = r.open(r.host.Session)
	ada.fill(level)
	return ada, bob
}

// TestFullTables shows more of what a table takes and refuses when its log is full.
func TestFullTables(t *testing.T) {
	small := room.Quota{Table: 40_000}
	for _, full := range []bool{false, true} {
		quotaOf(t, small).Run("T45.4 a full table ignores commitments", func(t *testing.T, r *rig) {
			ada := &witness{player: r.open(r.host.Session)}
			ada.frames()
			if full {
				ada.fill(2)
			}
			recorded := r.store.length(r.host.Table)
			ada.contribute(1, 1, 1)
			if got := ada.fairs(); (len(got) == 0) != full {
				t.Errorf("the table is full: %t; told is %v", full, got)
			}
			if n := r.store.length(r.host.Table) - recorded; (n == 0) != full {
				t.Errorf("the table is full: %t; %d entries are recorded", full, n)
			}
		})
	}
	quotaOf(t, small).Run("T45.9 a spent table records forced releases", func(t *testing.T, r *rig) {
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		bob.frames()
		bob.mustSend(bob.make(table.OpGrab, tokenTwo))
		ada := r.open(r.host.Session)
		ada.fill(3)
		if got := ada.reason(ada.move(tokenOne, 7, 7)); got != logFull {
			t.Fatalf("a move is refused for %v", got)
		}
		recorded := r.store.length(r.host.Table)
		bob.cut()
		<-time.After(time.Minute)
		released := false
		for _, e := range ada.events() {
			if u := e.GetUpdate(); u.GetPiece().GetId() == uint32(tokenTwo) {
				released = u.GetPiece().Holder != nil && u.GetPiece().GetHolder() == 0
			}
		}
		if n := r.store.length(r.host.Table) - recorded; !released || n == 0 {
			t.Errorf("it is released: %t; %d entries are recorded", released, n)
		}
	})
	quotaOf(t, small).Run("T55.6 a spent table makes no link for others", func(t *testing.T, r *rig) {
		ada, bob := r.fillTo(3)
		recorded := r.store.length(r.host.Table)
		if link, _, err := r.rooms.MakeLink(
			t.Context(), ada.session, bob.Seat,
		); !errors.Is(err, room.ErrLogFull) || link != "" {
			t.Errorf("made is %q, %v", link, err)
		}
		if n := r.store.length(r.host.Table) - recorded; n != 0 {
			t.Errorf("%d entries are recorded", n)
		}
		r.link(bob.Session, bob.Seat) // for oneself it needs no entry
	})
	shared := atCards(t)
	shared.quota = room.Quota{Seat: 60_000}
	shared.Run("T46.4 what follows from a seat's updates counts for it", func(t *testing.T, r *rig) {
		p := r.party()
		p.bob.mustSend(p.bob.draw(20))
		p.readAll()
		until := func(who *player, next func(n int) table.Update) (n int) {
			for ; n < 2000; n++ {
				if got := who.reason(next(n)); got == holtpb.Reason_REASON_TOO_MUCH {
					return n
				} else if got != 0 {
					t.Fatalf("update %d is rejected for %v", n, got)
				}
			}
			return n
		}
		moves := until(p.dan, func(n int) table.Update { return p.dan.move(tokenLeft, int32(n), 0) })
		shares := until(p.bob, func(n int) table.Update {
			u := p.bob.blind([]table.Op{table.OpShare, table.OpUnshare}[n%2], handSouth)
			u.Has, u.Seat = u.Has|table.HasSeat, p.dan.session.Seat
			return u
		})
		if shares < 2 || shares > moves/5 {
			t.Errorf("a seat moves a token %d times, and shares a hand of 20 cards %d times",
				moves, shares)
		}
	})
	limited := quotaOf(t, room.Quota{Seat: 20_000})
	limited.Run("T47.2 the edge of a quota changes when it was used up", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		used := map[int]bool{}
		least, most := 1<<30, 0
		for round := range 12 {
			n := 0
			for ; ada.reason(ada.move(tokenOne, int32(n%100), int32(round))) == 0; n++ {
				if n > 1000 {
					t.Fatal("the quota is never used up")
				}
			}
			<-time.After(time.Hour)
			if round == 0 {
				continue // the first edge has not been drawn yet
			}
			used[n], least, most = true, min(least, n), max(most, n)
		}
		if len(used) < 2 || least < most*15/16-1 {
			t.Errorf("a quota is used up by %d to %d moves, %d different numbers", least, most,
				len(used))
		}
	})
}

package room_test

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// cardsIn returns the numbers of a hand or a container in which only so many cards lie.
func cardsIn(piece id.Piece, n uint32) *holtpb.Holds {
	h := &holtpb.Holds{Piece: uint32(piece)}
	if n > 0 {
		h.Kinds, h.Counts = []uint32{cardsBack + 1}, []uint32{n}
	}
	return h
}

// countEvents returns the numbers in events.
func countEvents(events []*holtpb.Event) (all []*holtpb.Holds) {
	for _, e := range events {
		all = append(all, e.GetFull().GetHolds()...)
		if h := e.GetHolds(); h != nil {
			all = append(all, h)
		}
	}
	return all
}

// wantHolds checks the numbers that somebody got.
func wantHolds(t *testing.T, who string, got []*holtpb.Holds, want ...*holtpb.Holds) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b *holtpb.Holds) bool { return proto.Equal(a, b) }) {
		t.Errorf("T29 %s gets %v, want %v", who, got, want)
	}
}

func TestCounts(t *testing.T) {
	// Clauses: T29.8, T29.9, T29.11
	atCards(t).Run("T29 a full state has all published counts", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(2))
		p.readAll()
		stow := p.ada.stow(tokenLeft, bag, 1)
		p.ada.mustSend(stow)
		for who, one := range p.all() {
			wantHolds(t, who, one.reopenForFull().GetHolds(), cardsIn(handNorth, 2), cardsIn(deck, 22))
		}
		f, err := r.rooms.Read(t.Context(), p.eve.session)
		if err != nil {
			t.Fatal(err)
		}
		wantHolds(t, "a reader of the table", countEvents(f.GetEvents()), cardsIn(handNorth, 2),
			cardsIn(deck, 22))
	})
	atCards(t).Run("T29.10 pieces other than cards count as one sort", func(t *testing.T, r *rig) {
		p := r.party()
		p.bob.mustSend(p.bob.move(openDie, 0, southY), p.bob.draw(1))
		want := &holtpb.Holds{
			Piece: uint32(handSouth), Kinds: []uint32{0, cardsBack + 1}, Counts: []uint32{1, 1},
		}
		wantHolds(t, "eve", countEvents(p.eve.events()), want, cardsIn(deck, 23))
		wantHolds(t, "dan", p.dan.reopenForFull().GetHolds(), want, cardsIn(deck, 23))
	})
	// Clauses: S10.8, T29.11
	atCards(t).Run("S10, T29 counts are published at the end of a tick", func(t *testing.T, r *rig) {
		r.crowd()
		p := r.party()
		<-time.After(time.Second)
		p.bob.mustSend(p.bob.move(tokenLeft, 1, 1)) // published at once
		p.eve.now()
		p.ada.mustSend(p.ada.draw(1))
		p.bob.mustSend(p.bob.draw(2))
		p.ada.mustSend(p.ada.draw(3))
		if got := p.eve.now(); len(got) != 0 {
			t.Errorf("within the tick eve gets %v", got)
		}
		frames := p.eve.frames()
		if len(frames) != 1 {
			t.Fatalf("eve gets %d frames", len(frames))
		}
		events := frames[0].GetEvents()
		wantHolds(t, "eve", countEvents(events), cardsIn(handNorth, 4), cardsIn(handSouth, 2),
			cardsIn(deck, 18))
		wantHolds(t, "eve at the end", countEvents(events[len(events)-3:]), cardsIn(handNorth, 4),
			cardsIn(handSouth, 2), cardsIn(deck, 18))
		<-time.After(time.Second)
		if got := p.eve.frames(); len(got) != 0 {
			t.Errorf("then nothing happens, and eve gets %v", got)
		}
	})
	atCards(t).Run("T29.11 nothing lies in it any more", func(t *testing.T, r *rig) {
		p := r.party()
		p.bob.mustSend(p.bob.draw(1))
		p.readAll()
		p.bob.mustSend(p.bob.move(id.Piece(p.bob.hand(anyCard)[0].GetId()), 0, 0))
		for who, one := range p.all() {
			wantHolds(t, who, countEvents(one.events()), cardsIn(handSouth, 0))
		}
		wantHolds(t, "a new client", p.eve.reopenForFull().GetHolds(), cardsIn(deck, 23))
	})
	atCards(t).Run("T29.9 counts of a pouch or bag are not published", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.stow(tokenLeft, bag, 1), p.ada.move(openDie, pouchX, northY))
		for who, one := range p.all() {
			wantHolds(t, who, countEvents(one.events()))
		}
		draw := p.bob.blind(table.OpDraw, bag)
		p.bob.mustSend(draw)
		for who, one := range p.all() {
			wantHolds(t, who, countEvents(one.events()))
		}
	})
	// Clauses: S10.9
	atCards(t).Run("S5, T29 a client that resumes gets the counts that have changed", testHoldsMissed)
	atCards(t).Run("T29 nothing more is published of a deleted hand", func(t *testing.T, r *rig) {
		p := r.party()
		p.bob.mustSend(p.bob.draw(2))
		p.readAll()
		p.bob.mustSend(p.bob.draw(1), p.bob.make(table.OpDelete, handSouth))
		events := p.eve.events()
		wantHolds(t, "eve", countEvents(events), cardsIn(deck, 21))
		behind := 0
		for _, e := range events {
			if q := e.GetUpdate().GetPiece(); q.GetKind() == cardsBack {
				behind++
			}
		}
		if behind != 3 {
			t.Errorf("T23 the deleted hand leaves %d cards, want 3 face down: %v", behind,
				events)
		}
		wantHolds(t, "a new client", p.dan.reopenForFull().GetHolds(), cardsIn(deck, 21))
	})
	atCards(t).Run("T14, T29.7 an empty bag is deleted", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.stow(tokenLeft, bag, 1))
		p.readAll()
		p.ada.mustSend(p.ada.make(table.OpDelete, bag))
		if got := p.ada.events(); len(got) != 1 ||
			got[0].GetReject().GetReason() != holtpb.Reason_REASON_NOT_EMPTY {
			t.Errorf("not empty: %v", got)
		}
		p.ada.mustSend(p.ada.blind(table.OpDraw, bag))
		p.readAll()
		p.ada.mustSend(p.ada.make(table.OpDelete, bag))
		if got := p.eve.events(); len(got) != 1 || !got[0].GetUpdate().GetPiece().GetGone() {
			t.Errorf("eve gets %v", got)
		}
	})
}

// testHoldsMissed makes bob miss some draws. He also misses that ada moves a card from her hand,
// whose numbers are published, into her pouch, whose numbers are not.
func testHoldsMissed(t *testing.T, r *rig) {
	p := r.party()
	p.ada.mustSend(p.ada.draw(2))
	p.readAll()
	back := func(what string, do func(), want ...*holtpb.Holds) {
		t.Helper()
		p.bob.frames()
		hello := room.Hello{Epoch: p.bob.epoch, Version: p.bob.version, Seq: 1}
		p.bob.cut()
		do()
		events := p.bob.comeBack(hello)
		if events[0].GetResumed() == nil {
			t.Errorf("S5 %s: bob gets %v", what, events)
		}
		wantHolds(t, what+": bob", countEvents(events), want...)
	}
	back("draws", func() {
		p.ada.mustSend(p.ada.draw(1))
		p.dan.mustSend(p.dan.drawOut(0, 0))
		p.readAll()
	}, cardsIn(handNorth, 3), cardsIn(deck, 20))
	back("from a hand into the pouch", func() {
		p.ada.mustSend(p.ada.move(id.Piece(p.ada.hand(anyCard)[0].GetId()), pouchX, northY))
		p.readAll()
	}, cardsIn(handNorth, 2))
}

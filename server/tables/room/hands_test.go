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

// card returns the name of a card in the hand of a player.
func (p *player) card() id.Piece {
	p.t.Helper()
	cards := p.hand(anyCard)
	if len(cards) == 0 {
		p.t.Fatal("the hand is empty")
	}
	return id.Piece(cards[0].GetId())
}

// share returns an update of ada's hand that concerns a seat.
func (p *player) share(op table.Op, seat id.Seat) table.Update {
	u := p.blind(op, handNorth)
	u.Has, u.Seat = u.Has|table.HasSeat, seat
	return u
}

func TestHands(t *testing.T) {
	// Clauses: S12.20
	atCards(t).Run("S12, T23 its owner and the team see motion in a hand", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(1), p.ada.share(table.OpShare, p.bob.session.Seat))
		p.readAll()
		card := p.ada.card()
		p.ada.mustSend(p.ada.make(table.OpGrab, card))
		p.readAll()
		carried := func(what string, seen ...*player) {
			t.Helper()
			p.ada.carries(0, 10, northY, card)
			for who, one := range p.all() {
				got, _ := motions(t, one.frames())
				if sees := slices.Contains(seen, one); sees != (len(got) == 1 &&
					got[0].ID == uint32(card)) ||
					!sees && len(got) > 0 {
					t.Errorf("%s: %s gets %+v", what, who, got)
				}
			}
			for who, one := range p.all() {
				one.cut()
				one.come(room.Hello{Client: one.id, Epoch: one.epoch, Version: one.version})
				got, _ := motions(t, one.frames())
				if sees := slices.Contains(seen, one); sees != (len(got) == 1) {
					t.Errorf("%s: on resume %s gets %+v", what, who, got)
				}
			}
		}
		carried("shared with bob", p.ada, p.tab, p.bob)
		p.ada.mustSend(p.ada.put(card, 0, northY), p.ada.share(table.OpUnshare, p.bob.session.Seat))
		p.readAll()
		card = p.ada.name(card)
		p.ada.mustSend(p.ada.make(table.OpGrab, card))
		p.readAll()
		carried("not any more", p.ada, p.tab)
	})
	// Clauses: T10.10, T23.3
	atCards(t).Run("T8 a card is sent with the side it has in the hand", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.drawOut(deckX, 0))
		p.readAll()
		held := p.ada.sight.all(func(q *holtpb.Piece) bool { return q.GetHolder() == 1 })
		put := p.ada.put(id.Piece(held[0].GetId()), 0, northY)
		put.Has, put.Angle = put.Has|table.HasAngle, 18000
		p.ada.mustSend(put)
		p.readAll()
		for who, one := range map[string]*player{"ada": p.ada, "her other tab": p.tab} {
			if cards := one.hand(anyCard); len(cards) != 1 || cards[0].GetAngle() != 0 {
				t.Errorf("%s sees %v in the hand", who, cards)
			}
		}
	})
	// Clauses: K12.6
	atCards(t).Run("S12, T21 a card put down in a hand moves on, renamed", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.make(table.OpGrab, openDie))
		p.ada.carries(0, 0, -100, openDie)
		for who, one := range p.all() {
			if got, _ := motions(t, one.frames()); len(got) != 1 || got[0].ID != uint32(openDie) {
				t.Errorf("over the table %s gets %+v", who, got)
			}
		}
		done := r.store.block()
		// She knows it by this name.
		answer := p.ada.post(p.ada.put(openDie, 0, northY), p.ada.make(table.OpGrab, openDie))
		p.ada.carries(0, 20, northY, openDie)
		for who, one := range p.all() {
			if got, _ := motions(t, one.frames()); len(got) != 0 {
				t.Errorf("K12 before it is durable %s gets %+v", who, got)
			}
		}
		done()
		if err := <-answer; err != nil {
			t.Fatal(err)
		}
		for who, one := range p.others() {
			frames := one.frames()
			if got, _ := motions(t, frames); len(got) != 0 || len(frames) != 1 ||
				!frames[0].GetEvents()[0].GetUpdate().GetPiece().GetGone() {
				t.Errorf("%s gets %v", who, frames)
			}
		}
		frames := p.tab.frames()
		is := p.tab.name(openDie)
		if got, _ := motions(t, frames); is == openDie || len(got) != 1 ||
			got[0].ID != uint32(is) || got[0].X1 != 20 {
			t.Errorf("her other tab, to which it is %d now, gets %+v", is, got)
		}
		if got := p.tab.sight.pieces[is]; got.GetHolder() != 1 || got.GetOwner() != 1 {
			t.Errorf("she has it as %v", got)
		}
	})
	atCards(t).Run("T21.9 viewers of a rename may use the old identifier", func(t *testing.T, r *rig) {
		p := r.party()
		into, turn, late := p.ada.move(openDie, 0, northY), p.ada.turn(openDie, 900),
			p.bob.move(openDie, 5, 5)
		p.ada.mustSend(into, turn)
		p.bob.mustSend(late)
		events := p.ada.events()
		if got := acks(events); !slices.Equal(got, []uint64{uint64(into.Seq), uint64(turn.Seq)}) {
			t.Errorf("ada gets %v", events)
		}
		if got := p.bob.events(); len(got) != 3 ||
			got[1].GetReject().GetReason() != holtpb.Reason_REASON_GONE &&
				got[2].GetReject().GetReason() != holtpb.Reason_REASON_GONE {
			t.Errorf("bob gets %v", got)
		}
		got := p.ada.reopenForFull().GetPieces()
		if !slices.ContainsFunc(got, func(q *holtpb.Piece) bool {
			return q.GetId() == uint32(p.ada.name(openDie)) && q.GetAngle() == 900 &&
				q.GetOwner() == 1
		}) {
			t.Errorf("ada has %v", got)
		}
	})
	atCards(t).Run("T28.2 two concurrent draws both get a card", func(t *testing.T, r *rig) {
		p := r.party()
		done := r.store.block()
		answers := []<-chan error{
			p.dan.post(p.dan.move(tokenLeft, 1, 1)), p.ada.post(p.ada.draw(1)),
			p.bob.post(p.bob.draw(1)), p.tab.post(p.tab.draw(1)),
		}
		done()
		for _, answer := range answers {
			if err := <-answer; err != nil {
				t.Fatal(err)
			}
		}
		made := map[uint32]bool{}
		for who, one := range map[string]*player{
			"ada": p.ada, "her other tab": p.tab, "bob": p.bob,
		} {
			for _, e := range one.events() {
				if e.GetReject() != nil {
					t.Errorf("%s gets %v", who, e)
				}
				if a := e.GetAck(); a != nil {
					made[a.GetMade()] = true
				}
			}
		}
		if len(made) != 3 || made[0] || len(p.ada.hand(anyCard)) != 2 ||
			len(p.bob.hand(anyCard)) != 1 {
			t.Errorf("they get %v; ada has %v, bob %v", made, p.ada.hand(anyCard),
				p.bob.hand(anyCard))
		}
		wantHolds(t, "eve", countEvents(p.eve.events()), cardsIn(handNorth, 2), cardsIn(handSouth, 1),
			cardsIn(deck, 21))
	})
}

func TestDrawn(t *testing.T) {
	// drawn makes ada draw a card and hold it over the table.
	drawn := func(p *party) id.Piece {
		p.ada.mustSend(p.ada.drawOut(0, 0))
		p.readAll()
		return id.Piece(p.ada.sight.all(func(q *holtpb.Piece) bool {
			return q.GetHolder() == 1
		})[0].GetId())
	}
	holder := func(p *party, card id.Piece) uint32 {
		p.readAll()
		return p.eve.sight.pieces[card].GetHolder()
	}
	atCards(t).Run("S14 a drawn card is held while its holder is there", func(t *testing.T, r *rig) {
		p := r.party()
		card := drawn(p)
		<-time.After(5 * time.Minute)
		if holder(p, card) != 1 {
			t.Error("it was released")
		}
		p.ada.carries(0, 300, 400, card)
		p.ada.cut()
		<-time.After(29 * time.Second)
		if holder(p, card) != 1 {
			t.Error("it was released before 30 s were over")
		}
		<-time.After(2 * time.Second)
		if got := p.eve.sight.pieces[card]; holder(p, card) != 0 || got.GetX() != 300 ||
			got.GetY() != 400 || got.GetKind() != cardsBack {
			t.Errorf("then it lies as %v", p.eve.sight.pieces[card])
		}
	})
	atCards(t).Run("S14.1 leaving the page releases what was drawn", func(t *testing.T, r *rig) {
		p := r.party()
		card := drawn(p)
		p.ada.leave()
		<-time.After(2 * time.Second)
		if p.tab.frames(); p.tab.sight.pieces[card].GetHolder() != 0 {
			t.Error("it is still held")
		}
	})
	atCards(t).Run("S14 another page of theirs changes nothing", func(t *testing.T, r *rig) {
		p := r.party()
		card := drawn(p)
		p.tab.leave()
		<-time.After(time.Minute)
		if p.eve.frames(); p.eve.sight.pieces[card].GetHolder() != 1 {
			t.Error("it was released")
		}
	})
	atCards(t).Run("S14, T23 a piece in a hand is put down unseen", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		card := p.ada.card()
		p.ada.mustSend(p.ada.make(table.OpGrab, card))
		p.ada.carries(0, 500, northY, card)
		p.readAll()
		p.ada.leave()
		<-time.After(3 * time.Second)
		if p.tab.frames(); p.tab.sight.pieces[card].GetHolder() != 0 ||
			p.tab.sight.pieces[card].GetX() != 500 {
			t.Errorf("her other tab has %v", p.tab.sight.pieces[card])
		}
		for who, one := range p.others() {
			for _, e := range one.events() {
				if e.GetSeat() == nil {
					t.Errorf("%s gets %v", who, e)
				}
			}
		}
	})
}

// TestCardsAgain plays a little and starts the server again, from a snapshot or from the log alone.
// The table is the same, and play goes on.
func TestCardsAgain(t *testing.T) {
	for name, saved := range map[string]bool{"its log": false, "a snapshot": true} {
		atCards(t).Run("T19, T21, T29 a table of cards survives "+name, func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(3), p.ada.share(table.OpShare, p.bob.session.Seat))
			p.bob.mustSend(p.bob.count(table.OpCut, deck, 5))
			p.readAll()
			before := map[string]*holtpb.Full{}
			p.ada.mustSend(p.ada.move(p.ada.card(), 0, 0))
			p.readAll()
			into, turn := p.ada.move(openDie, 0, northY), p.ada.turn(openDie, 900)
			p.ada.mustSend(into)
			for who, one := range p.all() {
				before[who] = one.reopenForFull()
			}
			if !saved {
				r.store.mu.Lock()
				r.store.failSave = errDisk
				r.store.mu.Unlock()
			}
			r.stop()
			r.start()
			for _, one := range p.all() {
				one.come(room.Hello{Client: one.id})
			}
			p.readAll()
			for who, one := range p.all() {
				if got := one.reopenForFull(); !proto.Equal(got, before[who]) {
					t.Errorf("%s sees\n%v, before it was\n%v", who, got, before[who])
				}
			}
			p.readAll()
			p.ada.mustSend(turn) // it was on its way, under the name from before
			if got := p.ada.events(); len(got) != 1 ||
				got[0].GetAck().GetSeq() != uint64(turn.Seq) {
				t.Errorf("T21 pending updates are answered by %v", got)
			}
			p.bob.mustSend(p.bob.draw(1))
			p.readAll()
			north := &holtpb.Holds{
				Piece: uint32(handNorth), Kinds: []uint32{0, cardsBack + 1}, Counts: []uint32{1, 2},
			}
			wantHolds(t, "eve", p.eve.reopenForFull().GetHolds(), north, cardsIn(handSouth, 1),
				cardsIn(deck, 20))
		})
	}
}

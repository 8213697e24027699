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

// openHands lets everybody watch the past with the hands of a player, or not any more.
func (p *player) openHands(open bool) {
	p.t.Helper()
	if err := p.rooms.OpenHands(p.t.Context(), p.session, open); err != nil {
		p.t.Fatal(err)
	}
}

// watched returns a replay with open hands, without whose it is, and what it leads to.
func (p *player) watched() (frames [][]byte, end *seen) {
	p.t.Helper()
	raw, _ := p.replayed(room.OpenHands)
	var all []*holtpb.Frame
	for _, b := range raw {
		f, err := wire.DecodeFrame(b)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, e := range f.GetEvents() {
			if full := e.GetFull(); full != nil {
				if full.GetYou() != uint32(p.session.Seat) {
					p.t.Errorf("T73.14 it is for seat %d", full.GetYou())
				}
				full.You = 0
			}
		}
		if b, err = wire.EncodeFrame(f); err != nil {
			p.t.Fatal(err)
		}
		frames, all = append(frames, b), append(all, f)
	}
	return frames, see(all)
}

// kindsOf returns the kinds of the cards that an owner has in what a replay leads to, in order.
func (s *seen) kindsOf(owner id.Seat) (kinds []uint32) {
	for _, p := range s.pieces {
		if p.GetOwner() == uint32(owner) && isCard(p.GetKind()) {
			kinds = append(kinds, p.GetKind())
		}
	}
	slices.Sort(kinds)
	return kinds
}

// kindsIn returns the kinds of cards, in order.
func kindsIn(cards []*holtpb.Piece) (kinds []uint32) {
	for _, p := range cards {
		kinds = append(kinds, p.GetKind())
	}
	slices.Sort(kinds)
	return kinds
}

func TestOpenHands(t *testing.T) {
	// Clauses: T73.13, T73.14, T73.15, T73.16
	atCards(t).Run("T73.14 all may watch the past with hands that are open",
		func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(3))
			p.bob.mustSend(p.bob.draw(2))
			p.readAll()
			card := p.ada.hand(anyCard)[0]
			hidden, name := card.GetKind(), id.Piece(card.GetId())
			p.ada.mustSend(p.ada.flip(name, 1), p.ada.make(table.OpGrab, name))
			p.ada.mustSend(p.ada.put(name, 300, 300))
			<-time.After(time.Second)
			p.readAll()
			if _, err := r.rooms.Replay(
				t.Context(), p.ada.session, 0, room.OpenHands,
			); !errors.Is(err, room.ErrClosedHands) {
				t.Errorf("T73.14 while no hand is open: %v", err)
			}
			if err := r.rooms.OpenHands(
				t.Context(), p.eve.session, true,
			); !errors.Is(err, room.ErrRole) {
				t.Errorf("T73.13 a spectator opens a hand: %v", err)
			}

			now := uint64(time.Now().UnixMilli())
			p.ada.openHands(true)
			events := p.eve.events()
			if n := len(events); n == 0 || events[n-1].GetSeat().GetId() != 1 ||
				events[n-1].GetSeat().GetOpened() != now {
				t.Errorf("T73.13 at %d it is published as %v", now, events)
			}
			<-time.After(time.Second)
			ada := kindsIn(p.ada.hand(anyCard))
			p.ada.mustSend(p.ada.draw(1)) // is later, and so it is not in it
			<-time.After(time.Second)
			p.readAll()
			bob := kindsIn(p.bob.hand(anyCard))
			one, end := p.eve.watched()
			if got := end.kindsOf(p.ada.session.Seat); !slices.Equal(got, ada) {
				t.Errorf("T73.14 of ada it shows %v, want %v", got, ada)
			}
			if got := end.kindsOf(p.bob.session.Seat); len(got) != 0 {
				t.Errorf("T73.16 of bob it shows %v", got)
			}
			lies := func(s *seen) (kinds []uint32) {
				for _, q := range s.pieces {
					if q.GetOwner() == 0 && isCard(q.GetKind()) && q.GetX() == 300 {
						kinds = append(kinds, q.GetKind())
					}
				}
				return kinds
			}
			if got := lies(end); !slices.Equal(got, []uint32{cardsBack}) {
				t.Errorf("T73.15 what lies concealed is shown as %v", got)
			}
			for _, who := range []*player{p.ada, p.bob, p.dan} {
				if two, _ := who.watched(); !slices.EqualFunc(one, two, bytes.Equal) {
					t.Errorf("T73.14 seat %d watches something else", who.session.Seat)
				}
			}

			p.bob.openHands(true)
			p.dan.openHands(true)
			for _, who := range []*player{p.ada, p.tab, p.bob, p.dan, p.eve} {
				who.cut()
			}
			r.stop()
			r.start()
			eve := r.open(p.eve.session)
			eve.events()
			_, end = eve.watched()
			if got := end.kindsOf(p.bob.session.Seat); !slices.Equal(got, bob) {
				t.Errorf("T73.13 after a restart of bob it shows %v, want %v", got, bob)
			}
			if got := lies(end); !slices.Equal(got, []uint32{hidden}) {
				t.Errorf("T73.15 when all have agreed, what lies concealed is shown as %v", got)
			}
			if got := end.kindsOf(p.ada.session.Seat); !slices.Equal(got, ada) {
				t.Errorf("T73.14 it goes on after the earliest time: of ada it shows %v", got)
			}
			for _, q := range end.pieces {
				if q.GetOwner() == 0 && isCard(q.GetKind()) && q.GetX() != 300 {
					t.Errorf("T73.16 it shows %v of a deck", q)
				}
			}

			for _, who := range []*player{p.ada, p.bob, p.dan} {
				again := r.open(who.session)
				again.events()
				again.openHands(false)
			}
			if _, err := r.rooms.Replay(
				t.Context(), p.ada.session, 0, room.OpenHands,
			); !errors.Is(err, room.ErrClosedHands) {
				t.Errorf("T73.13 when all hands are closed again: %v", err)
			}
		})
}

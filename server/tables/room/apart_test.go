package room_test

import (
	"testing"
	"time"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// TestApart checks when things are sent that only some may know, and which time their frames have.
func TestApart(t *testing.T) {
	inHand := func(t *testing.T, r *rig) *party {
		t.Helper()
		r.crowd()
		p := r.party()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		<-time.After(time.Second)
		for _, one := range p.all() {
			one.now()
		}
		return p
	}
	// Clauses: S10.4
	atCards(t).Run("T21 the tick publishes updates in hands, undelayed", func(t *testing.T, r *rig) {
		p := inHand(t, r)
		p.ada.mustSend(p.ada.flip(p.ada.card(), 1))
		if got := p.tab.now(); len(got) != 0 {
			t.Errorf("at once her other tab gets %v", got)
		}
		<-time.After(100 * time.Microsecond)
		p.dan.mustSend(p.dan.move(tokenLeft, 1, 1))
		if got := p.bob.now(); len(got) != 1 {
			t.Errorf(
				"after an update in ada's hand bob gets %v of the first move for a second",
				got)
		}
		if got := p.tab.now(); len(got) != 1 || len(got[0].GetEvents()) != 2 {
			t.Errorf("at the same time her other tab gets %v", got)
		}
		<-time.After(time.Second)
		p.ada.mustSend(p.ada.flip(p.ada.card(), 0))
		<-time.After(tick)
		if got := p.tab.now(); len(got) != 1 {
			t.Errorf("at the end of a tick her other tab gets %v", got)
		}
		for who, one := range p.others() {
			if got := one.now(); len(got) > 1 || one == p.bob && len(got) > 0 {
				t.Errorf("%s gets %v", who, got)
			}
		}
	})
	// Clauses: S10.4
	atCards(t).Run("S10, T16 the tick sends messages for one client, too", func(t *testing.T, r *rig) {
		p := inHand(t, r)
		p.bob.mustSend(p.bob.move(tokenLeft, 100_000, 0))
		p.bob.up(&holtpb.Up{Up: &holtpb.Up_Resync{Resync: &holtpb.Resync{}}})
		p.dan.mustSend(p.dan.move(tokenLeft, 1, 1))
		if got := p.eve.now(); len(got) != 1 {
			t.Errorf("after bob's reject and his full state eve gets %v", got)
		}
		<-time.After(tick)
		if got := p.eve.now(); len(got) != 0 {
			t.Errorf("then eve gets %v", got)
		}
	})
	atCards(t).Run("S10 one frame has events for all and for some", func(t *testing.T, r *rig) {
		p := inHand(t, r)
		p.dan.mustSend(p.dan.move(tokenLeft, 1, 1)) // at once
		start := time.Now()
		p.bob.now()
		<-time.After(time.Millisecond)
		p.dan.mustSend(p.dan.move(tokenLeft, 2, 2)) // when the tick is over
		// By itself this would be sent earlier, with the tick of the clock.
		p.ada.mustSend(p.ada.flip(p.ada.card(), 1))
		<-time.After(time.Until(start.Add(tick - time.Microsecond)))
		if got := append(p.bob.now(), p.tab.now()[1:]...); len(got) != 0 {
			t.Errorf("too early they get %v", got)
		}
		<-time.After(time.Microsecond)
		if bob, tab := p.bob.now(), p.tab.now(); len(bob) != 1 || len(tab) != 1 ||
			len(tab[0].GetEvents()) != 2 {
			t.Errorf("then bob gets %v, ada's other tab %v", bob, tab)
		}
	})
	// Clauses: K2.1, K2.2
	atCards(t).Run("K2, S12, T21 hand motion does not change frame times", func(t *testing.T, r *rig) {
		p := inHand(t, r)
		card := p.ada.card()
		p.ada.mustSend(p.ada.make(table.OpGrab, card))
		p.dan.mustSend(p.dan.make(table.OpGrab, tokenLeft))
		<-time.After(time.Second)
		for _, one := range p.all() {
			one.now()
		}
		p.ada.carries(0, 10, northY, card)
		hidden := p.tab.now()
		for len(hidden) == 0 {
			<-time.After(50 * time.Microsecond)
			hidden = p.tab.now()
		}
		told := time.Now().UnixMilli()
		if hidden[0].GetTime() != uint64(told) || hidden[0].GetEvents()[0].GetMotions() == nil {
			t.Fatalf("in millisecond %d her other tab gets %v", told, hidden)
		}
		p.dan.carries(0, 10, 10, tokenLeft)
		bob, tab := p.bob.now(), p.tab.now()
		if len(bob) != 1 || bob[0].GetTime() != uint64(told) || bob[0].GetMark() != 0 {
			t.Errorf("after motion in ada's hand bob gets %v in millisecond %d", bob, told)
		}
		if len(tab) != 1 || tab[0].GetTime() <= hidden[0].GetTime() {
			t.Errorf("K2 her other tab gets %v after %v", tab, hidden)
		}
	})
	atCards(t).Run("S4.3, T21 a frame with only motion has no version", func(t *testing.T, r *rig) {
		p := inHand(t, r)
		p.dan.mustSend(p.dan.make(table.OpGrab, tokenLeft))
		<-time.After(time.Second)
		p.bob.now()
		p.ada.mustSend(p.ada.flip(p.ada.card(), 1))
		p.dan.carries(0, 10, 10, tokenLeft)
		if got := p.bob.now(); len(got) != 1 || got[0].GetMark() != 0 ||
			got[0].GetEvents()[0].GetMotions() == nil {
			t.Errorf("bob gets %v", got)
		}
		if got := p.ada.now(); len(got) < 1 || got[len(got)-1].GetMark() == 0 {
			t.Errorf("ada gets %v", got)
		}
	})
}

package room_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// TestFindingS4Stow stows cards on top, at the bottom and at a random place, from a hand and from
// the table. Nobody else can notice where: not by a draw, by a frame or by the number of a later
// draw.
func TestFindingS4Stow(t *testing.T) {
	var top *played
	var exported string
	for _, at := range []int32{1, -1, 0} {
		var export string
		all := playGame(t, 7, false, false, func(g *twin) {
			g.stowAt(at)
			export = g.exported()
		})
		if top == nil {
			top, exported = all, export
			continue
		}
		for _, who := range []string{"dan", "eve", "eva", "bob"} {
			// Clauses: F6.2, F6.5, T30.26
			t.Run(fmt.Sprintf("T30, F6 at %d, as sent to %s", at, who), func(t *testing.T) {
				twinned(t, who, top, all, 5)
			})
		}
		if export != exported {
			t.Errorf("F14 at %d the export is\n%s, and at 1\n%s", at, export, exported)
		}
	}
}

// stowAt makes ada stow a card of her hand and one from the table, and bob roll a die in between.
func (g *twin) stowAt(at int32) {
	g.t.Helper()
	for range 3 {
		g.ada.mustSend(g.ada.draw(2))
		g.ready(g.ada)
		g.ada.mustSend(g.ada.stow(id.Piece(g.ada.hand(anyCard)[0].GetId()), deck, at))
		<-time.After(3 * time.Millisecond)
		g.bob.mustSend(g.bob.blind(table.OpRoll, openDie))
		g.ready(g.ada)
		lying := g.ada.blind(table.OpDraw, deck)
		lying.Has, lying.X = lying.Has|table.HasXY, 300
		g.ada.mustSend(lying)
		g.ready(g.ada)
		g.ada.mustSend(g.ada.stow(id.Piece(g.ada.lying()[0].GetId()), deck, at))
		<-time.After(time.Second)
	}
}

// exported returns the version of the export of the rounds, and what the export has except for
// seals.
func (g *twin) exported() string {
	g.t.Helper()
	e, version, err := g.rooms.Fairness(g.t.Context(), g.eve.session)
	if err != nil {
		g.t.Fatal(err)
	}
	text := version
	for _, r := range e.Rounds {
		for _, f := range r.Facts {
			text += fmt.Sprintf(" %d %T", f.At-e.Rounds[0].Opened, f.Fact)
		}
	}
	return text
}

// TestS5HiddenEntries makes bob come back after much, or nothing, was done in ada's hand. Whether
// he gets a full state does not depend on that.
// Clauses: S5.10
func TestS5HiddenEntries(t *testing.T) {
	for _, hidden := range []int{0, 40, 5000} {
		atCards(t).Run(fmt.Sprintf(
			"S5 after %d entries in ada's hand bob gets what he has missed",
			hidden), func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.draw(1))
			p.readAll()
			p.bob.cut()
			p.tab.cut()
			p.ada.mustSend(p.ada.move(tokenLeft, 1, 1))
			for n := 0; n < hidden; n += 20 {
				var batch []table.Update
				for range 20 {
					batch = append(batch, p.ada.make(table.OpRaise, p.ada.card()))
				}
				p.ada.mustSend(batch...)
				p.ada.frames()
			}
			p.ada.mustSend(p.ada.move(tokenRight, 2, 2))
			p.ada.frames()
			got := p.bob.comeBack(room.Hello{Epoch: p.bob.epoch, Version: p.bob.version})
			if got[0].GetResumed() == nil ||
				!slices.Equal(updates(got), []uint32{uint32(tokenLeft), uint32(tokenRight)}) {
				t.Errorf("bob gets %v: %.300v", updates(got), got)
			}
			own := p.tab.comeBack(room.Hello{Epoch: p.tab.epoch, Version: p.tab.version})
			if resumed := own[0].GetResumed() != nil; resumed != (hidden <= 40) {
				t.Errorf("ada, who sees them, is resumed: %v", resumed)
			}
		})
	}
}

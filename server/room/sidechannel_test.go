package room_test

import (
	"fmt"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/table"
)

// TestFindingS4Stow stows cards on top, below all and at a place by lot, out of a hand and from the table. Nobody else may
// notice where: by no draw, by no frame and by no number of a later draw.
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
			t.Run(fmt.Sprintf("T30, F6 at %d, as told to %s", at, who), func(t *testing.T) { twinned(t, who, top, all, 5) })
		}
		if export != exported {
			t.Errorf("F14 at %d the export is\n%s, and at 1\n%s", at, export, exported)
		}
	}
}

// stowAt lets ada stow a card of her hand and one from the table, and bob roll a die in between.
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

// exported returns the version of the export of the rounds, and what it tells but for seals.
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

package sim

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// madeGame returns a packed game with a tile that has a picture of its own, and a box for tiles.
func madeGame(tb testing.TB, name string) *game.Packed {
	tb.Helper()
	p, err := game.ReadLoose(fmt.Appendf(nil, `{
		"format": "holt.game/2", "id": "made", "name": "Made", "summary": "Made at the table.",
		"table": {"width": 6000, "height": 4400, "surface": "slate"},
		"kinds": [{"name": "%s", "width": 600, "height": 800, "shape": "card", "weight": "light",
			"faces": [{"name": "Back", "art": "a.svg"}]},
		 {"name": "%[1]s front", "width": 600, "height": 800, "shape": "card", "weight": "light",
			"secret": true, "mask": "%[1]s", "faces": [{"name": "Front", "art": "a.svg"},
			{"name": "Back", "art": "a.svg"}]},
		 {"name": "%[1]s box", "width": 700, "height": 900, "shape": "rect", "weight": "heavy",
			"container": {"draws": "top", "takes": "%[1]s"}, "faces": [{"name": "Box", "art": "a.svg"}]}],
		"pieces": []
	}`, name), game.Files{Art: func(string) ([]byte, error) {
		return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 8">`+
			`<desc>%s</desc><path d="M0 0h6v8z"/></svg>`, name), nil
	}})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// edited is what an author has changed at a table of pressGame.
type edited struct {
	edits   bool // the host edits the game
	kinds   int  // of the catalogue
	tiles   int  // pieces of the new kinds
	inDecks uint32
}

// edited returns what an author has changed. It checks that the catalogue has all kinds of pieces,
// each of them once, and the server all pictures of it.
func (g *longGame) edited() (e edited) {
	g.Helper()
	v := g.view(g.players[0])
	e.edits = v.GetSeats()[0].GetEditsBy() != 0
	doc, err := g.rooms.Blob(g.Context(), room.Hash(v.GetTable().GetCatalog()))
	if err != nil {
		g.Fatalf("there is no catalogue: %v", err)
	}
	kinds, err := game.ParseCatalog(doc.Data)
	if err != nil {
		g.Fatal(err)
	}
	e.kinds = len(kinds)
	named := map[string]bool{}
	for i := range kinds {
		if named[kinds[i].Name] {
			g.Errorf("T100.3 there are two kinds %q", kinds[i].Name)
		}
		named[kinds[i].Name] = true
	}
	for _, hash := range game.Pictures(kinds) {
		if _, err := g.rooms.Blob(g.Context(), hash); err != nil {
			g.Errorf("picture %x: %v", hash, err)
		}
	}
	for _, p := range v.GetPieces() {
		switch {
		case int(p.GetKind()) >= len(kinds):
			g.Errorf("a piece is of kind %d, and there are %d", p.GetKind(), len(kinds))
		case p.GetKind() >= pressKinds:
			e.tiles++
		}
	}
	for _, h := range v.GetHolds() {
		for _, n := range h.GetCounts() {
			e.inDecks += n
		}
	}
	return e
}

// pressKinds is how many kinds pressGame has, and pressDeck the name of its deck.
const (
	pressKinds          = 7
	pressDeck  id.Piece = 5
)

// edit lets the host edit the game, adds kinds, a piece of one of them, and a card into the deck.
// The server may know already what has the numbers 1 and 2. It returns how much was answered, and
// the numbers of the kinds.
func (g *longGame) edit(p *game.Packed) (answered int, numbers []uint32, err error) {
	host := g.players[0]
	if err := g.rooms.LetEdit(g.Context(), host.Session, host.Seat, true); err != nil {
		return 0, nil, err
	}
	if numbers, err = g.rooms.AddKinds(g.Context(), host.Session, p, room.ChangedKinds{}); err != nil {
		return 1, nil, err
	}
	f, err := g.rooms.Read(g.Context(), host.Session)
	if err != nil {
		return 2, numbers, err
	}
	epoch := id.Epoch(f.GetEvents()[0].GetFull().GetEpoch())
	const ace = 3
	for i, u := range []table.Update{
		{Seq: 1, Op: table.OpAdd, Has: table.HasKind | table.HasXY, Kind: numbers[0], X: 100, Y: 100},
		{Seq: 2, Op: table.OpAdd, Has: table.HasKind | table.HasXY | table.HasInto, Kind: ace,
			Into: pressDeck},
	} {
		if err := g.rooms.Update(g.Context(), host.Session, wire.Batch{
			Client: host.client, Epoch: epoch, Updates: []table.Update{u},
		}); err != nil {
			return 2 + i, numbers, err
		}
	}
	return 4, numbers, nil
}

// TestDeathAtEachWriteOfAnEdit lets the process die at each write of what an author does, before it
// and behind it. After the next start what was answered is there, of the rest each thing is there
// or not, and pieces have kinds of the catalogue. Sent again, everything is there once.
// Clauses: T99.1, T100.1, T100.2, T100.3, T101.1
func TestDeathAtEachWriteOfAnEdit(t *testing.T) {
	states := []edited{
		{false, pressKinds, 0, 8}, {true, pressKinds, 0, 8}, {true, pressKinds + 3, 0, 8},
		{true, pressKinds + 3, 1, 8}, {true, pressKinds + 3, 1, 9},
	}
	made, seen := madeGame(t, "Tile"), map[int]bool{}
	for left, finished := 1, false; !finished; left++ {
		for _, behind := range []bool{false, true} {
			what := fmt.Sprintf("death at write %d (behind it: %v)", left, behind)
			g := newPressGame(t)
			if is := g.edited(); is != states[0] {
				t.Fatalf("at first it is %+v", is)
			}
			m := &mortal{Store: g.kept.Store, left: left, behind: behind}
			g.kept.Store = m
			answered, numbers, err := g.edit(made)
			if err := g.rooms.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
			if finished = !m.dead; finished && err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if err := g.db.Close(); err != nil {
				t.Fatal(err)
			}
			g.start()
			now := slices.Index(states, g.edited())
			seen[now] = true
			if now < answered || now > answered+1 {
				t.Errorf("%s: %d things were answered, and there is %+v", what, answered, g.edited())
			}
			all, again, err := g.edit(made)
			if err != nil {
				t.Errorf("%s: sent again, after %d: %v", what, all, err)
			}
			if numbers != nil && !slices.Equal(again, numbers) {
				t.Errorf("%s: the kinds were %v and are %v", what, numbers, again)
			}
			if is := g.edited(); is != states[4] {
				t.Errorf("%s: sent again, there is %+v", what, is)
			}
			g.stop()
		}
		if left > 20 {
			t.Fatal("it never ends")
		}
	}
	if len(seen) < len(states) {
		t.Errorf("only the states %v were seen", seen)
	}
}

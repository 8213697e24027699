package sim

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// pressGame has a deck of six cards, a hand for each of four players, a token, and two buttons. One
// deals, the other sets the table up again with two cards for everybody from a deck of eight.
const pressGame = `{"format":"holt.game/2","id":"press","name":"Press","summary":"Buttons.",
 "table":{"width":20000,"height":16000,"surface":"felt"},
 "kinds":[
  {"name":"Hand","width":4000,"height":1000,"shape":"rect","weight":"heavy","hand":true,
   "faces":[{"name":"Hand","art":"a.svg"}]},
  {"name":"Token","width":800,"height":800,"shape":"round","weight":"light",
   "counter":{"min":0,"max":99,"initial":0},
   "display":{"x":100,"y":100,"width":500,"height":300},
   "faces":[{"name":"Token","art":"a.svg"}]},
  {"name":"Back","width":635,"height":889,"shape":"card","weight":"light",
   "faces":[{"name":"Back","art":"a.svg"}]},
  {"name":"Ace","width":635,"height":889,"shape":"card","weight":"light",
   "secret":true,"mask":"Back",
   "faces":[{"name":"Ace","art":"a.svg"},{"name":"Back","art":"a.svg"}]},
  {"name":"Deck","width":800,"height":1000,"shape":"rect","weight":"heavy",
   "container":{"draws":"top","takes":"Back"},"faces":[{"name":"Deck","art":"a.svg"}]},
  {"name":"Deal","width":400,"height":400,"shape":"rect","weight":"heavy",
   "button":{"steps":[{"do":"recall","kind":"Deck"},{"do":"shuffle","kind":"Deck"},
    {"do":"deal","kind":"Deck","n":1},{"do":"count","kind":"Token","add":1},
    {"do":"rotate","kind":"Token","by":9000}]},
   "faces":[{"name":"Deal","art":"a.svg"}]},
  {"name":"Again","width":400,"height":400,"shape":"rect","weight":"heavy",
   "button":{"who":"host","steps":[{"do":"count","kind":"Token","add":10},
    {"do":"set up","name":"Two each"}]},
   "faces":[{"name":"Again","art":"a.svg"}]}],
 "setups":[{"name":"Two each","steps":[{"do":"deal","kind":"Deck","n":2}]}],
 "pieces":[{"kind":"Hand","x":-5000,"y":-4000},{"kind":"Hand","x":5000,"y":-4000},
  {"kind":"Hand","x":-5000,"y":4000},{"kind":"Hand","x":5000,"y":4000},
  {"kind":"Token","x":0,"y":0},
  {"kind":"Deck","x":0,"y":3000,"holds":["Ace","Ace","Ace","Ace","Ace","Ace","Ace","Ace"]},
  {"kind":"Deal","x":-3000,"y":0},{"kind":"Again","x":3000,"y":0}]}`

// newPressGame sets up a table of pressGame.
func newPressGame(t *testing.T) *longGame {
	t.Helper()
	svg := []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>`)
	shelf, err := game.LoadShelf(fstest.MapFS{
		"games/press.json": {Data: []byte(pressGame)}, "art/a.svg": {Data: svg},
	})
	if err != nil {
		t.Fatal(err)
	}
	return newGameOf(t, shelf, "press")
}

// dealt is what the buttons of pressGame change.
type dealt struct {
	count  int32 // of the token
	angle  uint32
	inDeck uint32
	hands  [4]int // cards, as their owners see them
}

func (g *longGame) dealt() (d dealt, err error) {
	const token, ace, deck uint32 = 1, 3, 4 // kinds
	for i, p := range g.players {
		f, err := g.rooms.Read(g.Context(), p.Session)
		if err != nil {
			return d, err
		}
		v := f.GetEvents()[0].GetFull()
		var container uint32
		for _, q := range v.GetPieces() {
			switch q.GetKind() {
			case token:
				d.count, d.angle = q.GetValue(), q.GetAngle()
			case ace: // everybody sees the fronts of their own cards alone
				d.hands[i]++
			case deck:
				container = q.GetId()
			}
		}
		for _, h := range v.GetHolds() {
			if h.GetPiece() == container {
				d.inDeck = 0
				for _, n := range h.GetCounts() {
					d.inDeck += n
				}
			}
		}
	}
	return d, nil
}

// press presses the button at x. The server may know already what has the number seq.
func (g *longGame) press(x int32, seq id.ClientSeq) error {
	g.Helper()
	host := g.players[0]
	v := g.view(host)
	at := slices.IndexFunc(v.GetPieces(), func(q *holtpb.Piece) bool {
		return q.GetX() == x && q.GetY() == 0
	})
	if at < 0 {
		return fmt.Errorf("no button lies at %d", x)
	}
	return g.rooms.Update(g.Context(), host.Session, wire.Batch{
		Client: host.client, Epoch: id.Epoch(v.GetEpoch()), Updates: []table.Update{{
			Seq: seq, Op: table.OpRun, Has: table.HasPiece, Piece: id.Piece(v.GetPieces()[at].GetId()),
		}},
	})
}

// TestDeathAtEachWriteOfAPress lets the process die at each write of a press, before it and behind
// it. After the next start all that the steps do is there, or nothing: a press is one commit, also
// if its last step sets the table up again. What has the same number is done once.
// Clauses: T84.1, T93.2
func TestDeathAtEachWriteOfAPress(t *testing.T) {
	fresh := dealt{inDeck: 8}
	pressed := dealt{1, 9000, 4, [4]int{1, 1, 1, 1}}
	again := dealt{inDeck: 0, hands: [4]int{2, 2, 2, 2}}
	for _, c := range []struct {
		name   string
		x      int32
		states []dealt // that may be there after the start
		once   dealt   // after a repetition with the same number
		next   dealt   // after another press
	}{
		{"deal", -3000, []dealt{fresh, pressed}, pressed, dealt{2, 18_000, 4, pressed.hands}},
		{"set up", 3000, []dealt{fresh, again}, again, again},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := map[dealt]bool{}
			for left, finished := 1, false; !finished; left++ {
				for _, behind := range []bool{false, true} {
					what := fmt.Sprintf("death at write %d (behind it: %v)", left, behind)
					g := newPressGame(t)
					m := &mortal{Store: g.kept.Store, left: left, behind: behind}
					g.kept.Store = m
					err := g.press(c.x, 1)
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
					now, err := g.dealt()
					if err != nil {
						t.Fatal(err)
					}
					if seen[now] = true; !slices.Contains(c.states, now) {
						t.Errorf("%s: the table is neither as before nor as wanted: %+v", what, now)
					}
					if finished && now != c.states[len(c.states)-1] {
						t.Errorf("%s: it was not cut off, and the table is %+v", what, now)
					}
					for _, press := range []struct {
						seq  id.ClientSeq
						want dealt
					}{{1, c.once}, {2, c.next}} {
						if err := g.press(c.x, press.seq); err != nil {
							t.Errorf("%s: press %d afterwards: %v", what, press.seq, err)
						}
						if got, err := g.dealt(); err != nil || got != press.want {
							t.Errorf("%s: after press %d the table is %+v, want %+v: %v", what,
								press.seq, got, press.want, err)
						}
					}
					g.stop()
				}
				if left > 20 {
					t.Fatal("it never ends")
				}
			}
			if len(seen) < len(c.states) {
				t.Errorf("of %d states only %d were seen", len(c.states), len(seen))
			}
		})
	}
}

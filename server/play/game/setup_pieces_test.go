package game

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ownSetup is a game of which a set-up has pieces of its own: a hand less, another board, and a
// card more in the deck.
const ownSetup = `{"format": "holt.game/2", "id": "own", "name": "Own", "summary": "A test.",
  "table": {"width": 6000, "height": 4000, "surface": "felt"},
  "kinds": [
    {"name": "Hand", "width": 800, "height": 400, "shape": "rect", "weight": "heavy", "hand": true,
     "faces": [{"name": "Hand", "layers": [{"colour": "#112233"}]}]},
    {"name": "Deck", "width": 700, "height": 900, "shape": "rect", "weight": "heavy",
     "container": {"draws": "top", "takes": "Back"},
     "faces": [{"name": "Deck", "layers": [{"colour": "#112233"}]}]},
    {"name": "Back", "width": 600, "height": 800, "shape": "card", "weight": "light",
     "faces": [{"name": "Back", "layers": [{"colour": "#445566"}]}]},
    {"name": "Ace", "width": 600, "height": 800, "shape": "card", "weight": "light",
     "secret": true, "mask": "Back", "faces": [
      {"name": "Ace", "layers": [{"colour": "#ffffff"}]},
      {"name": "Back", "layers": [{"colour": "#445566"}]}]},
    {"name": "Pawn", "width": 200, "height": 200, "shape": "round", "weight": "light",
     "faces": [{"name": "Pawn", "layers": [{"colour": "#aa0000"}]}]},
    {"name": "Board", "width": 900, "height": 900, "shape": "rect", "weight": "heavy",
     "faces": [{"name": "Board", "layers": [{"colour": "#778899"}]}]}],
  "pieces": [
    {"kind": "Pawn", "x": 100, "y": 0},
    {"kind": "Hand", "x": 0, "y": 1500},
    {"kind": "Hand", "x": 0, "y": -1500},
    {"kind": "Deck", "x": 1000, "y": 0, "holds": ["Ace", "Ace"], "shuffled": true}],
  "seats": [{"name": "A", "side": 0, "colour": "#111111", "hand": 1},
    {"name": "B", "side": 18000, "colour": "#222222", "hand": 2}],
  "setups": [{"name": "Alone", "players": [1, 1], "pieces": [
    {"kind": "Board", "x": 0, "y": 0},
    {"kind": "Hand", "piece": 2, "x": 0, "y": 1400},
    {"kind": "Deck", "piece": 3, "x": 2000, "y": 0, "holds": ["Ace", "Ace", "Ace"],
     "shuffled": true},
    {"kind": "Pawn", "x": 50, "y": 0, "angle": 9000},
    {"stack": ["Pawn", "Pawn"], "step": {"x": 10, "y": 0}, "x": 60, "y": 0}],
    "steps": [{"do": "deal", "kind": "Deck", "n": 1}]}]}`

func parseOwn(t *testing.T, doc string) *Packed {
	t.Helper()
	p, err := ReadLoose([]byte(doc), Files{Art: noFile, Beside: noFile})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestG25Read shows how a set-up with pieces of its own is read, written, drawn and refused.
// Clauses: G25.2, G25.3
func TestG25Read(t *testing.T) {
	g := parseOwn(t, ownSetup).Game
	of := g.Setups[0]
	want := []int{Other, 1, 2, Other, Other, Other, Other, Other, Other}
	for i, p := range g.Pieces { // heavy ones come first
		if i < 3 && g.Kinds[p.Kind].Weight != "heavy" {
			t.Fatalf("piece %d is %+v", i, p)
		}
	}
	if !slices.Equal(of.Same, want) || len(of.Pieces) != len(want) || of.Pieces[2].X != 2000 {
		t.Errorf("G25.2 the set-up is %+v", of)
	}
	if got := string(g.Drawing(1)); !strings.Contains(got, "translate(0 1400)") ||
		strings.Contains(got, "translate(0 -1500)") {
		t.Errorf("G25 the drawing is %s", got)
	}
	written := composed(t, g).Game
	if !reflect.DeepEqual(written.Setups, g.Setups) {
		t.Errorf("G24.1 composed it has %+v", written.Setups)
	}
	s := schema(t)
	if err := valid(t, s, ownSetup); err != nil {
		t.Errorf("the schema: %v", err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"players": [1, 1], "pieces"`, `"without": ["Pawn"], "pieces"`, "has no other ones"},
		{`{"kind": "Pawn", "x": 50`, `{"kind": "Pawn", "piece": 0, "x": 50`, `"Pawn" is light`},
		{`"piece": 2,`, `"piece": 3,`, `set-up 0: piece 1: piece: piece 3 is not a "Hand"`},
		{`"piece": 2,`, `"piece": 4,`, `piece: no piece 4`},
		{`{"kind": "Board", "x"`, `{"kind": "Hand", "piece": 2, "x"`, `piece 2 twice`},
		{`"step": {"x": 10, "y": 0}, "x": 60`, `"shuffled": true, "x": 60`,
			"only what a container holds"},
		{`{"kind": "Board", "x"`, `{"kind": "Board", "on": 1, "x"`, `unknown field "on"`},
		{`"do": "deal", "kind": "Deck", "n": 1`, `"do": "flip", "kind": "Ace"`, `"Ace"`},
		{`{"kind": "Deck", "piece": 3, "x": 2000, "y": 0, "holds": ["Ace", "Ace", "Ace"],
     "shuffled": true},`, ``, `"Deck" is not in this set-up`},
	} {
		doc := strings.Replace(ownSetup, c.old, c.new, 1)
		_, err := ReadLoose([]byte(doc), Files{Art: noFile, Beside: noFile})
		if doc == ownSetup || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("G25.3 %q is read with %v, want %q", c.new, err, c.want)
		}
	}
	door := strings.Replace(ownSetup, `"seats"`,
		`"tables": [{"name": "Far", "table": {"width": 6000, "height": 4000, "surface": "felt"},
		"pieces": []}], "doors": [{"piece": 1, "to": "Far"}], "seats"`, 1)
	if _, err := ReadLoose([]byte(door), Files{Art: noFile, Beside: noFile}); err == nil ||
		!strings.Contains(err.Error(), "a set-up lacks piece 1") {
		t.Errorf("G25.3 a door that is not there: %v", err)
	}
}

// TestG25Union shows what lies on a table with which all set-ups can be set up.
// Clauses: G25.2, G25.4
func TestG25Union(t *testing.T) {
	g := parseOwn(t, ownSetup).Game
	setups, all := g.Union()
	if len(setups) != 2 || len(all) != len(g.Pieces)+4 { // a board, a card, two pawns
		t.Fatalf("the union has %d pieces: %+v", len(all), all)
	}
	for i := range 3 {
		if all[i] != g.Pieces[i] {
			t.Errorf("G25.2 heavy piece %d is %+v, was %+v", i, all[i], g.Pieces[i])
		}
	}
	text := func(l Lying) (lies []string) {
		for i, p := range l {
			if p != nil {
				lies = append(lies, fmt.Sprintf("%s %d,%d in %d", g.Kinds[all[i].Kind].Name, p.X, p.Y, p.In))
			}
		}
		slices.Sort(lies)
		return lies
	}
	if got, want := text(setups[1]), []string{
		"Ace 2000,0 in 2", "Ace 2000,0 in 2", "Ace 2000,0 in 2", "Board 0,0 in -1",
		"Deck 2000,0 in -1", "Hand 0,1400 in -1", "Pawn 50,0 in -1", "Pawn 60,0 in -1",
		"Pawn 70,0 in -1",
	}; !slices.Equal(got, want) {
		t.Errorf("the set-up has %q", got)
	}
	if got := text(setups[0]); len(got) != len(g.Pieces) {
		t.Errorf("the first set-up has %q", got)
	}
	many := strings.Repeat(`{"kind": "Pawn", "x": 50, "y": 0},`, 2)
	if _, err := ReadLoose([]byte(strings.Replace(ownSetup, `{"kind": "Pawn", "x": 50`,
		many+`{"kind": "Pawn", "x": 50`, 1)), Files{Art: noFile, Beside: noFile}); err != nil {
		t.Error(err)
	}
	// Each set-up is small enough, and all of them are not.
	boards := strings.Repeat(`{"kind": "Board", "x": 0, "y": 0},`, 5000)
	large := strings.Replace(ownSetup, `"setups": [`, `"setups": [{"name": "Full", "pieces": [`+
		strings.TrimSuffix(boards, ",")+`]},`, 1)
	parseOwn(t, large)
	large = strings.Replace(large, `"setups": [`, `"setups": [{"name": "Fuller", "pieces": [`+
		boards+strings.TrimSuffix(boards, ",")+`]},`, 1)
	if _, err := ReadLoose([]byte(large), Files{Art: noFile, Beside: noFile}); err == nil ||
		!strings.Contains(err.Error(), "more than 10000 pieces") {
		t.Errorf("G25.4 too many pieces: %v", err)
	}
}

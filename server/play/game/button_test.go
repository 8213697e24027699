package game

import (
	"reflect"
	"strings"
	"testing"
)

// pressing is a game with a button.
const pressing = `{
  "format": "holt.game/2", "id": "pressing", "name": "Pressing", "summary": "A button.",
  "table": {"width": 4000, "height": 3000, "surface": "felt"},
  "kinds": [
    {"name": "Coin", "width": 300, "height": 300, "shape": "round", "weight": "light",
     "faces": [{"name": "Heads", "art": "a.svg"}, {"name": "Tails", "art": "b.svg"}]},
    {"name": "Score", "width": 700, "height": 400, "shape": "rect", "weight": "light",
     "counter": {"min": -5, "max": 99, "initial": 20},
     "display": {"x": 100, "y": 50, "width": 500, "height": 300},
     "faces": [{"name": "Score", "art": "a.svg"}]},
    {"name": "Card", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "faces": [{"name": "Face down", "art": "b.svg"}]},
    {"name": "Ace", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "secret": true, "mask": "Card",
     "faces": [{"name": "Ace", "art": "a.svg"}, {"name": "Face down", "art": "b.svg"}]},
    {"name": "Bag", "width": 700, "height": 1000, "shape": "card", "weight": "heavy",
     "container": {"draws": "random"}, "faces": [{"name": "Bag", "art": "b.svg"}]},
    {"name": "Next", "width": 600, "height": 300, "shape": "rect", "weight": "heavy",
     "button": {"who": "host", "cooldown": 1000, "steps": [
       {"do": "flip", "kind": "Coin"},
       {"do": "rotate", "kind": "Coin", "by": 9000},
       {"do": "count", "kind": "Score", "add": 2},
       {"do": "count", "kind": "Score", "set": 0}]},
     "faces": [{"name": "Next", "art": "a.svg"}]},
    {"name": "Turn", "width": 400, "height": 400, "shape": "round", "weight": "light",
     "seat": "turn", "display": {"x": 20, "y": 150, "width": 360, "height": 100},
     "faces": [{"name": "Turn", "art": "a.svg"}]},
    {"name": "Watch", "width": 400, "height": 400, "shape": "rect", "weight": "light",
     "clock": {"counts": "up", "initial": 0,
               "displays": [{"x": 20, "y": 150, "width": 360, "height": 100}]},
     "faces": [{"name": "Watch", "art": "a.svg"}]},
    {"name": "Row", "width": 3000, "height": 900, "shape": "rect", "weight": "heavy",
     "zone": {"lay": "row", "gap": 700}, "faces": [{"name": "Row", "art": "a.svg"}]},
    {"name": "Heap", "width": 900, "height": 900, "shape": "rect", "weight": "heavy",
     "zone": {"lay": "free"}, "faces": [{"name": "Heap", "art": "a.svg"}]}
  ],
  "pieces": [{"kind": "Next", "x": 0, "y": 0}, {"kind": "Coin", "x": 900, "y": 0}]
}
`

// TestButtons shows how the button of a kind is read, and that catalogues and versions keep it.
// Clauses: T84.7
func TestButtons(t *testing.T) {
	g, err := readFull(pressing)
	if err != nil {
		t.Fatal(err)
	}
	const next = 5
	want := Button{Who: "host", Cooldown: 1000, Steps: []Step{
		{Do: "flip", Kind: "Coin"}, {Do: "rotate", Kind: "Coin", By: 9000},
		{Do: "count", Kind: "Score", N: 2}, {Do: "count", Kind: "Score", Sets: true},
	}}
	kinds := g.Game.Kinds
	if got := kinds[next].Button; !reflect.DeepEqual(got, want) {
		t.Errorf("the button is %+v", got)
	}
	if o := kinds[next].Offers; len(o) != 1 || o[0].Op != "run" || o[0].Key != "o" {
		t.Errorf("it offers %+v", o)
	}
	again, err := ParseCatalog(g.Game.Catalog)
	if err != nil || !reflect.DeepEqual(again[next].Button, want) {
		t.Errorf("the catalogue has %+v, %v", again, err)
	}
	version := Versions(kinds)[next]
	if alone, err := ReadVersions([][]byte{version.Doc}); err != nil ||
		!reflect.DeepEqual(alone[0].Button, want) {
		t.Errorf("its version has %+v, %v", alone, err)
	} else if alone[0].Button.Steps[0].Of(alone) != -1 {
		t.Error("T84.7: alone it finds a coin")
	}
	if got := kinds[next].Button.Steps[2].Of(kinds); got != 1 {
		t.Errorf("a step finds kind %d", got)
	}
}

// TestButtonVerbs shows that a catalogue has each verb as the game has it.
func TestButtonVerbs(t *testing.T) {
	game := strings.Replace(pressing, `{"do": "flip", "kind": "Coin"}`, `
       {"do": "recall", "kind": "Bag"}, {"do": "deal", "kind": "Bag", "n": 3},
       {"do": "face", "kind": "Coin", "face": 1},
       {"do": "move", "kind": "Bag", "n": 2, "to": "Coin"},
       {"do": "move", "kind": "Bag", "n": 100, "to": "Bag", "face": 0},
       {"do": "pass", "kind": "Turn", "reverse": true}, {"do": "pass", "kind": "Turn"},
       {"do": "start", "kind": "Watch", "side": 1}, {"do": "start", "kind": "Watch"},
       {"do": "sort", "kind": "Row"}`, 1)
	g, err := readFull(game)
	if err != nil {
		t.Fatal(err)
	}
	const next = 5
	want := []Step{
		{Do: "recall", Kind: "Bag"}, {Do: "deal", Kind: "Bag", N: 3}, {Do: "face", Kind: "Coin", N: 1},
		{Do: "move", Kind: "Bag", N: 2, To: "Coin", Face: -1},
		{Do: "move", Kind: "Bag", N: 100, To: "Bag"},
		{Do: "pass", Kind: "Turn", Back: true}, {Do: "pass", Kind: "Turn"},
		{Do: "start", Kind: "Watch", Side: 1}, {Do: "start", Kind: "Watch"},
		{Do: "sort", Kind: "Row"},
	}
	if got := g.Game.Kinds[next].Button.Steps[:len(want)]; !reflect.DeepEqual(got, want) {
		t.Errorf("the game has %+v", got)
	}
	again, err := ParseCatalog(g.Game.Catalog)
	if err != nil || !reflect.DeepEqual(again[next].Button.Steps[:len(want)], want) {
		t.Errorf("the catalogue has %+v, %v", again[next].Button, err)
	}
	to := want[3]
	if to.ToOf(again) != named(again, "Coin") || to.Of(again[:1]) != -1 {
		t.Error("T84.7: a step goes to another kind, or to none")
	}
}

// TestButtonFaults shows that a button that could not do what it says is refused, and where.
// Clauses: T84.8
func TestButtonFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"flip"`, `"win"`, `line 20, column 15: kind 5: button: step 0: do: "win" is not ask or ` +
			`count or deal or each seat or face or flip or if or move or pass or pause or recall or ` +
			`reset or roll or rotate or set up or shuffle or sort or start`},
		{`"flip"`, `"deal"`, `line 20, column 8: kind 5: button: step 0: n is missing`},
		{`"flip"`, `"deal", "n": 101`,
			`line 20, column 28: kind 5: button: step 0: n: 101 is not a whole number from 1 to 100`},
		{`"flip"`, `"deal", "n": 5`,
			`line 20, column 39: kind 5: button: step 0: "Coin" is no container`},
		{`"flip", "kind": "Coin"`, `"shuffle", "kind": "Bag"`,
			`line 20, column 34: kind 5: button: step 0: "Bag" has no order: pieces are drawn from it ` +
				`at random`},
		{`"flip", "kind": "Coin"`, `"move", "kind": "Bag", "n": 1`,
			`line 20, column 8: kind 5: button: step 0: to is missing`},
		{`"flip", "kind": "Coin"`, `"move", "kind": "Bag", "n": 1, "to": "Con"`,
			`line 20, column 52: kind 5: button: step 0: no kind "Con"`},
		{`"flip", "kind": "Coin"`, `"move", "kind": "Bag", "n": 1, "to": "Ace"`,
			`line 20, column 52: kind 5: button: step 0: "Ace" is secret: a button would tell its ` +
				`pieces from others`},
		{`"flip", "kind": "Coin"`, `"move", "kind": "Bag", "n": 1, "to": "Coin", "face": 2`,
			`line 20, column 68: kind 5: button: step 0: face: 2 is not a whole number from 0 to 1`},
		{`"flip", "kind": "Coin"`, `"face", "kind": "Coin", "face": 2`,
			`line 20, column 31: kind 5: button: step 0: "Coin" has no face 2`},
		{`"flip", "kind": "Coin"`, `"roll", "kind": "Coin"`,
			`line 20, column 31: kind 5: button: step 0: "Coin" is no die`},
		{`"flip", "kind": "Coin"`, `"pass", "kind": "Coin"`,
			`line 20, column 31: kind 5: button: step 0: "Coin" is no turn marker`},
		{`"flip", "kind": "Coin"`, `"reset", "kind": "Coin"`,
			`line 20, column 32: kind 5: button: step 0: "Coin" is no clock`},
		{`"flip", "kind": "Coin"`, `"start", "kind": "Coin", "side": 1`,
			`line 20, column 32: kind 5: button: step 0: "Coin" is no clock`},
		{`"flip", "kind": "Coin"`, `"start", "kind": "Coin", "side": 3`,
			`line 20, column 48: kind 5: button: step 0: side: 3 is not a whole number from 1 to 2`},
		{`"flip", "kind": "Coin"`, `"start", "kind": "Watch", "side": 2`,
			`line 20, column 32: kind 5: button: step 0: "Watch" has no side 2`},
		{`"flip", "kind": "Coin"`, `"pass", "kind": "Coin", "reverse": 1`,
			`line 20, column 50: kind 5: button: step 0: reverse: want true or false, not a number`},
		{`"flip", "kind": "Coin"`, `"sort", "kind": "Coin"`,
			`line 20, column 31: kind 5: button: step 0: "Coin" is no zone`},
		{`"flip", "kind": "Coin"`, `"sort", "kind": "Heap"`,
			`line 20, column 31: kind 5: button: step 0: "Heap" is a free zone, in which nothing has ` +
				`a place of its own`},
		{`"flip", "kind": "Coin"`, `"flip", "kind": "Con"`,
			`line 20, column 31: kind 5: button: step 0: no kind "Con"`},
		{`"flip", "kind": "Coin"`, `"flip", "kind": "Score"`,
			`line 20, column 31: kind 5: button: step 0: "Score" has 1 faces, not the two of what ` +
				`can be turned over`},
		{`"flip", "kind": "Coin"`, `"flip", "kind": "Ace"`,
			`line 20, column 31: kind 5: button: step 0: "Ace" is secret: a button would tell its ` +
				`pieces from others`},
		{`"rotate", "kind": "Coin"`, `"rotate", "kind": "Card"`,
			`line 21, column 33: kind 5: button: step 1: "Card" is the mask of secret kinds, so ` +
				`that nobody knows which pieces are meant`},
		{`"rotate", "kind": "Coin"`, `"rotate", "kind": "Bag"`,
			`line 21, column 33: kind 5: button: step 1: "Bag" is a hand or a container, which ` +
				`this verb leaves alone`},
		{`"count", "kind": "Score", "add"`, `"count", "kind": "Coin", "add"`,
			`line 22, column 32: kind 5: button: step 2: "Coin" is no counter`},
		{`"set": 0`, `"set": 100`, `line 23, column 32: kind 5: button: step 3: "Score" cannot show 100`},
		{`"add": 2`, `"add": 0`, `line 22, column 48: kind 5: button: step 2: add: 0 changes nothing`},
		{`"add": 2`, `"add": 2, "set": 1`,
			`line 22, column 58: kind 5: button: step 2: a step has add or set, not both`},
		{`, "by": 9000`, ``, `line 21, column 8: kind 5: button: step 1: by is missing`},
		{`"by": 9000`, `"by": 36000`,
			`line 21, column 47: kind 5: button: step 1: by: 36000 is not a whole number from 1 to 35999`},
		{`"heavy",
     "button": {`, `"heavy", "hand": true,
     "button": {`, `line 19, column 16: kind 5: a hand cannot be a button`},
		{`"holt.game/2"`, `"holt.game/1"`, `line 19, column 6: kind 5: unknown field "button"`},
	} {
		if strings.Count(pressing, c.old) != 1 {
			t.Fatalf("the sample has %d times %s", strings.Count(pressing, c.old), c.old)
		}
		_, err := readFull(strings.Replace(pressing, c.old, c.new, 1))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	steps := strings.Repeat(`{"do": "flip", "kind": "Coin"}, `, MaxSteps)
	for n, doc := range []string{
		strings.Replace(pressing, `"steps": [`, `"steps": [`+steps, 1),
	} {
		if _, err := readFull(doc); err == nil || !strings.Contains(err.Error(), "not 1 to 64") {
			t.Errorf("too many steps %d: %v", n, err)
		}
	}
}

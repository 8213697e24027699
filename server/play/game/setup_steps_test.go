package game

import (
	"reflect"
	"strings"
	"testing"
)

// stepped is the game with a button, with steps of its set-ups.
var stepped = strings.Replace(pressing, `"pieces": [`, `"steps": [
    {"do": "flip", "kind": "Coin"},
    {"do": "move", "kind": "Bag", "n": 2, "to": "Coin", "face": 0}],
  "setups": [{"name": "Dealt", "steps": [{"do": "deal", "kind": "Bag", "n": 3}]},
    {"name": "Bare", "without": ["Coin"], "steps": [{"do": "recall", "kind": "Bag"}]}],
  "pieces": [`, 1)

// TestSetupSteps shows how the steps of set-ups are read, kept and refused.
// Clauses: T88.5
func TestSetupSteps(t *testing.T) {
	g, err := readFull(stepped)
	if err != nil {
		t.Fatal(err)
	}
	first := []Step{{Do: "flip", Kind: "Coin"}, {Do: "move", Kind: "Bag", N: 2, To: "Coin"}}
	if got := g.Game.First.Steps; !reflect.DeepEqual(got, first) {
		t.Errorf("the first set-up has %+v", got)
	}
	if again, err := ReadSteps(EncodeSteps(first)); err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("what is kept of them is %+v, %v", again, err)
	}
	if none, err := ReadSteps(EncodeSteps(nil)); none != nil || err != nil {
		t.Errorf("no steps are %+v, %v", none, err)
	}
	for _, doc := range []string{`{}`, `[{"do":"win","kind":"Coin"}]`, `[{"do":"flip"}]`} {
		if got, err := ReadSteps([]byte(doc)); err == nil {
			t.Errorf("%s is read as %+v", doc, got)
		}
	}
	setups := g.Game.Setups
	deal := []Step{{Do: "deal", Kind: "Bag", N: 3}}
	if len(setups) != 2 || !reflect.DeepEqual(setups[0].Steps, deal) ||
		len(setups[0].Without) != 0 || len(setups[1].Steps) != 1 {
		t.Errorf("the others are %+v", setups)
	}
	s := schema(t)
	if err := valid(t, s, stepped); err != nil {
		t.Errorf("the schema: %v", err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"deal", "kind": "Bag"`, `"deal", "kind": "Coin"`,
			`set-up 0: step 0: "Coin" is no container`},
		{`"deal", "kind": "Bag"`, `"deal", "kind": "Bg"`, `set-up 0: step 0: no kind "Bg"`},
		{`{"do": "recall", "kind": "Bag"}`, `{"do": "flip", "kind": "Coin"}`,
			`set-up 1: step 0: "Coin" is not in this set-up`},
		{`{"do": "recall", "kind": "Bag"}`, `{"do": "move", "kind": "Bag", "n": 1, "to": "Coin"}`,
			`set-up 1: step 0: "Coin" is not in this set-up`},
		{`"recall"`, `"win"`, `set-up 1: step 0: do: "win" is not `},
		{`"n": 2, "to"`, `"n": 0, "to"`, `: step 1: n: 0 is not a whole number from 1 to 100`},
		{`"name": "Dealt", "steps": [{"do": "deal", "kind": "Bag", "n": 3}]`, `"name": "Dealt"`,
			`set-up 0: without is missing`},
		{`holt.game/2`, `holt.game/1`, `unknown field "`},
	} {
		if strings.Count(stepped, c.old) != 1 {
			t.Fatalf("the sample has %d times %s", strings.Count(stepped, c.old), c.old)
		}
		_, err := readFull(strings.Replace(stepped, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	if err := valid(t, s, strings.Replace(stepped, `"name": "Dealt", "steps": [{"do": "deal", `+
		`"kind": "Bag", "n": 3}]`, `"name": "Dealt"`, 1)); err == nil {
		t.Error("the schema takes a set-up with neither steps nor without")
	}
}

// TestFirstSetup shows how the name of the first set-up is read, and what it lacks.
// Clauses: G18.3
func TestFirstSetup(t *testing.T) {
	named := strings.Replace(stepped, `"setups": [`,
		`"setup": "All", "players": [3, 5], "setups": [`, 1)
	g, err := readFull(named)
	if err != nil || g.Game.First.Name != "All" {
		t.Fatalf("the first set-up is %+v, %v", g.Game.First, err)
	}
	if got := g.Game.FirstPlayers(); got != (Range{3, 5}) {
		t.Errorf("the first set-up is for %v", got)
	}
	if err := valid(t, schema(t), named); err != nil {
		t.Errorf("the schema: %v", err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"setup": "All"`, `"setup": "Dealt"`, `two set-ups are called "Dealt"`},
		{`"setup": "All"`, `"without": ["Coin"]`, `step 0: "Coin" is not in this set-up`},
		{`"setup": "All"`, `"without": ["Con"]`, `without: there is no kind "Con"`},
		{`"setup": "All"`, `"without": ["Bag"]`, `without: "Bag" is a container, which stays`},
		{`"setup": "All"`, `"without": []`, `without`},
		{`[3, 5]`, `[5, 3]`, `players: 5 is more than 3`},
		{`[3, 5]`, `3`, `players: want an array, not a number`},
	} {
		doc := strings.Replace(named, c.old, c.new, 1)
		if _, err := readFull(doc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}

package game

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// flips is a step of the game with a button.
const flips = `{"do": "flip", "kind": "Coin"}`

// when returns the beginning of a step with a condition, in the place of the verb of flips.
func when(condition string) string {
	return `"do": "if", ` + condition + `, "then": [` + flips + `], "else": [` + flips +
		`]}, {"do": "flip"`
}

// nested returns a step in so many conditions, one in the other.
func nested(step string, deep int) string {
	return strings.Repeat(`{"do": "if", "of": "holds", "kind": "Bag", "is": "=", "n": 0, "then": [`,
		deep) + step + strings.Repeat(`]}`, deep)
}

// TestConditionsOfSteps shows how conditions are read, and that catalogues, set-ups and
// translations keep them.
func TestConditionsOfSteps(t *testing.T) {
	game := strings.Replace(pressing, flips, `
       {"do": "if", "of": "value", "kind": "Score", "is": ">=", "n": -3, "then": [
         {"do": "if", "of": "pieces", "in": "Row", "is": "=", "n": 0, "then": [
           {"do": "recall", "kind": "Bag"}]}],
        "else": [{"do": "flip", "kind": "Coin"}]},
       {"do": "if", "of": "pieces", "kind": "Card", "in": "Heap", "is": "<", "n": 2, "then": [
         {"do": "count", "kind": "Score", "add": 1}]},
       {"do": "if", "of": "holds", "kind": "Bag", "is": ">", "n": 5, "then": [
         {"do": "deal", "kind": "Bag", "n": 1}]}`, 1)
	g, err := readFull(game)
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, schema(t), game); err != nil {
		t.Errorf("the schema: %v", err)
	}
	const next = 5
	want := []Step{
		{
			Do: "if", If: Condition{Of: "value", Kind: "Score", Is: ">=", N: -3},
			Then: []Step{{
				Do: "if", If: Condition{Of: "pieces", In: "Row", Is: "="},
				Then: []Step{{Do: "recall", Kind: "Bag"}},
			}},
			Else: []Step{{Do: "flip", Kind: "Coin"}},
		},
		{
			Do: "if", If: Condition{Of: "pieces", Kind: "Card", In: "Heap", Is: "<", N: 2},
			Then: []Step{{Do: "count", Kind: "Score", N: 1}},
		},
		{
			Do: "if", If: Condition{Of: "holds", Kind: "Bag", Is: ">", N: 5},
			Then: []Step{{Do: "deal", Kind: "Bag", N: 1}},
		},
	}
	if got := g.Game.Kinds[next].Button.Steps[:len(want)]; !reflect.DeepEqual(got, want) {
		t.Errorf("the game has %+v", got)
	}
	if n := CountSteps(want); n != 8 {
		t.Errorf("they count as %d steps", n)
	}
	again, err := ParseCatalog(g.Game.Catalog)
	if err != nil || !reflect.DeepEqual(again[next].Button.Steps[:len(want)], want) {
		t.Errorf("the catalogue has %+v, %v", again[next].Button, err)
	}
	if kept, err := ReadSteps(EncodeSteps(want)); err != nil || !reflect.DeepEqual(kept, want) {
		t.Errorf("a set-up keeps %+v, %v", kept, err)
	}
	for i := range want {
		if c := &want[i].If; !c.Known(again) || c.Known(again[:1]) {
			t.Errorf("condition %d is known without its kinds, or not with them", i)
		}
	}
	in, err := Translate(g.Game.Catalog, []byte(`{"texts": {"Score": "Punkte", "Row": "Reihe",
		"Coin": "Münze", "Bag": "Beutel"}}`))
	if err != nil {
		t.Fatal(err)
	}
	german, err := ParseCatalog(in)
	if err != nil {
		t.Fatal(err)
	}
	first := german[next].Button.Steps[0]
	if first.If.Kind != "Punkte" || first.Then[0].If.In != "Reihe" || first.Else[0].Kind != "Münze" ||
		first.Then[0].Then[0].Kind != "Beutel" {
		t.Errorf("in German it is %+v", first)
	}
}

// TestConditionFaults shows that a condition that not everybody at the table could check is
// refused, and where.
// Clauses: T91.9
func TestConditionFaults(t *testing.T) {
	for _, c := range []struct {
		condition string
		column    int
		want      string
	}{
		{`"of": "value", "is": "=", "n": 1`, 8, `kind is missing`},
		{`"of": "pieces", "is": "=", "n": 1`, 8, `kind is missing`},
		{`"of": "luck", "kind": "Score", "is": "=", "n": 1`, 27,
			`of: "luck" is not value or pieces or holds`},
		{`"of": "value", "kind": "Score", "is": "!", "n": 1`, 59,
			`is: "!" is not = or < or <= or > or >=`},
		{`"of": "value", "kind": "Score", "is": "="`, 8, `n is missing`},
		{`"of": "value", "kind": "Coin", "is": "=", "n": 1`, 44, `"Coin" is no counter`},
		{`"of": "value", "kind": "Ace", "is": "=", "n": 1`, 44,
			`"Ace" is secret: a button would tell its pieces from others`},
		{`"of": "pieces", "kind": "Ace", "is": "=", "n": 1`, 45,
			`"Ace" is secret: a button would tell its pieces from others`},
		{`"of": "holds", "kind": "Coin", "is": "=", "n": 1`, 44, `"Coin" is no container`},
		{`"of": "holds", "kind": "Sack", "is": "=", "n": 1`, 44,
			`"Sack" does not say how many pieces lie in it`},
		{`"of": "holds", "kind": "Con", "is": "=", "n": 1`, 44, `no kind "Con"`},
		{`"of": "pieces", "in": "Coin", "is": "=", "n": 1`, 43, `"Coin" is no zone`},
		{`"of": "pieces", "in": "Con", "is": "=", "n": 1`, 43, `no kind "Con"`},
		{`"of": "holds", "kind": "Bag", "in": "Row", "is": "=", "n": 1`, 57,
			`in: only pieces lie in a zone`},
		{`"of": "pieces", "kind": "Bag", "in": "Row", "is": "=", "n": 1`, 45,
			`"Bag" is heavy: it never lies in a zone`},
		{`"of": "value", "kind": "Score", "is": "=", "n": 1, "add": 1`, 72,
			`unknown field "add"`},
	} {
		game := strings.Replace(pressing, `"do": "flip"`, when(c.condition), 1)
		game = strings.Replace(game, `{"name": "Row"`, `{"name": "Sack", "width": 700, "height": 1000,
     "shape": "card", "weight": "heavy", "counted": false, "container": {"draws": "random"},
     "faces": [{"name": "Sack", "art": "b.svg"}]},
    {"name": "Row"`, 1)
		want := fmt.Sprintf("line 20, column %d: kind 5: button: step 0: %s", c.column, c.want)
		if _, err := readFull(game); err == nil || err.Error() != want {
			t.Errorf("%s:\n%v, want\n%s", c.condition, err, want)
		}
	}
	for _, c := range []struct{ steps, want string }{
		{nested(flips, 3), `line 20, column 157: kind 5: button: step 0: then: step 0: then: step 0: ` +
			`do: lists of steps stand at most 2 deep in each other`},
		{nested(`{"do": "win", "kind": "Coin"}`, 2), `then: step 0: then: step 0: do: "win" is not `},
		{nested(`{"do": "roll", "kind": "Coin"}`, 2), `line 20, column 173: kind 5: button: step 0: ` +
			`then: step 0: then: step 0: "Coin" is no die`},
		{strings.Repeat(nested(flips, 1)+",", MaxSteps/2-1) + flips,
			`button: steps: more than 64 steps, with those in lists`},
		{nested(strings.Repeat(flips+",", MaxSteps-1)+flips, 1),
			`button: steps: more than 64 steps, with those in lists`},
	} {
		_, err := readFull(strings.Replace(pressing, flips, c.steps, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// owning is the game with a button, with seats to which pieces belong.
var owning = strings.Replace(strings.Replace(pressing, flips, `{"do": "each seat", "steps": [
         {"do": "deal", "kind": "Bag", "n": 2}, `+nested(flips, 1)+`]}`, 1),
	`"pieces": [`, `"seats": [
    {"name": "South", "side": "south", "colour": "#e9c46a", "pieces": [2]},
    {"name": "North", "side": "north", "colour": "#2a9d8f", "pieces": [0, 3]}],
  "pieces": [{"kind": "Bag", "x": 0, "y": 900}, {"kind": "Coin", "x": 900, "y": 900},
    {"kind": "Row", "x": 0, "y": -900}, {"kind": "Row", "x": 0, "y": 900}, `, 1)

// TestEachSeatSteps shows how steps for each player are read, and what belongs to seats.
func TestEachSeatSteps(t *testing.T) {
	g, err := readFull(owning)
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, schema(t), owning); err != nil {
		t.Errorf("the schema: %v", err)
	}
	const next = 5
	want := Step{Do: "each seat", Then: []Step{
		{Do: "deal", Kind: "Bag", N: 2},
		{
			Do: "if", If: Condition{Of: "holds", Kind: "Bag", Is: "="},
			Then: []Step{{Do: "flip", Kind: "Coin"}},
		},
	}}
	kinds, rest, err := ReadCatalog(g.Game.Catalog)
	seats := rest.Seats
	if err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]Step{
		"game": g.Game.Kinds[next].Button.Steps[0], "catalogue": kinds[next].Button.Steps[0],
	} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("the %s has %+v", what, got)
		}
	}
	for what, got := range map[string][]Seat{"game": g.Game.Seats, "catalogue": seats} {
		// The coin is light, so that the rows have the names 2 and 3.
		if !reflect.DeepEqual(got[0].Pieces, []int{2}) || !reflect.DeepEqual(got[1].Pieces, []int{1, 3}) {
			t.Errorf("to the seats of the %s belong %+v", what, got)
		}
	}
}

// TestEachSeatFaults shows which steps for each player, and which pieces of seats, are refused.
// Clauses: T92.6
func TestEachSeatFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`{"do": "deal", "kind": "Bag", "n": 2}`, `{"do": "each seat", "steps": [` + flips + `]}`,
			`kind 5: button: step 0: steps: an each seat stands in another one`},
		{`{"do": "deal", "kind": "Bag", "n": 2}`, `{"do": "deal", "kind": "Coin", "n": 2}`,
			`kind 5: button: step 0: step 0: "Coin" is no container`},
		{`"do": "each seat"`, `"do": "each seat", "kind": "Coin"`,
			`kind 5: button: step 0: unknown field "kind"`},
		{`"pieces": [2]`, `"pieces": [1]`,
			`seat 0: pieces: piece 1 is light: only heavy pieces belong to a seat`},
		{`"pieces": [2]`, `"pieces": [9]`, `seat 0: pieces: no piece 9`},
		{`"pieces": [2]`, `"pieces": ["2"]`,
			`seat 0: pieces: want the number of a piece, not a text`},
		{`"pieces": [2]`, `"pieces": [2, 2]`, `seat 0: pieces: the same piece twice`},
		{`"pieces": [0, 3]`, `"pieces": [0, 2]`, `seat 1: pieces: that of seat 0`},
		{`"pieces": [2]`, `"pieces": []`, `seat 0: pieces has 0 entries, not 1 to 16`},
	} {
		if strings.Count(owning, c.old) != 1 {
			t.Fatalf("the sample has %d times %s", strings.Count(owning, c.old), c.old)
		}
		_, err := readFull(strings.Replace(owning, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	handed := strings.Replace(owning, `{"name": "Row"`, `{"name": "Hand", "width": 3000,
     "height": 900, "shape": "rect", "weight": "heavy", "hand": true,
     "faces": [{"name": "Hand", "art": "a.svg"}]},
    {"name": "Row"`, 1)
	handed = strings.Replace(handed, `{"kind": "Row", "x": 0, "y": -900}`,
		`{"kind": "Hand", "x": 0, "y": -900}`, 1)
	if _, err := readFull(handed); err == nil ||
		!strings.Contains(err.Error(), `seat 0: pieces: piece 2 is a hand`) {
		t.Errorf("a hand: %v", err)
	}
}

// TestSetUpFaults shows where a step may set the table up again.
// Clauses: T93.1
func TestSetUpFaults(t *testing.T) {
	const last = `{"do": "count", "kind": "Score", "set": 0}`
	again := strings.Replace(stepped, last, last+`, {"do": "set up", "name": "Bare"}`, 1)
	g, err := readFull(again)
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, schema(t), again); err != nil {
		t.Errorf("the schema: %v", err)
	}
	kinds, err := ParseCatalog(g.Game.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	want := Step{Do: "set up", SetUp: "Bare"}
	for _, of := range [][]Kind{g.Game.Kinds, kinds} {
		if b := &of[5].Button; !b.SetsUp() || !reflect.DeepEqual(b.Steps[len(b.Steps)-1], want) {
			t.Errorf("the button is %+v", b)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{`"name": "Bare"}]`, `"name": "Bar"}]`, `kind 5: button: step 4: no set-up is called "Bar"`},
		{`"who": "host"`, `"who": "players"`, `button: steps: only a button of the host sets up`},
		{last, `{"do": "set up"}`, `button: do: only the last step of a button sets up`},
		{last, nested(`{"do": "set up"}`, 1), `do: only the last step of a button sets up`},
		{`{"do": "recall", "kind": "Bag"}`, `{"do": "set up"}`,
			`set-up 1: do: only the last step of a button sets up`},
		{`"set up", "name"`, `"set up", "kind": "Coin", "name"`, `step 4: unknown field "kind"`},
	} {
		if strings.Count(again, c.old) != 1 {
			t.Fatalf("the sample has %d times %s", strings.Count(again, c.old), c.old)
		}
		_, err := readFull(strings.Replace(again, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}

package game

import (
	"reflect"
	"strings"
	"testing"
)

// supplied is a game with supplies.
const supplied = `{
  "format": "holt.game/2", "id": "supplied", "name": "Supplied", "summary": "Supplies.",
  "table": {"width": 4000, "height": 3000, "surface": "felt"},
  "kinds": [
    {"name": "Coin", "width": 300, "height": 300, "shape": "round", "weight": "light",
     "faces": [{"name": "Heads", "art": "a.svg"}, {"name": "Tails", "art": "b.svg"}]},
    {"name": "Card", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "faces": [{"name": "Face down", "art": "b.svg"}]},
    {"name": "Ace", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "secret": true, "mask": "Card",
     "faces": [{"name": "Ace", "art": "a.svg"}, {"name": "Face down", "art": "b.svg"}]},
    {"name": "Mint", "width": 900, "height": 900, "shape": "rect", "weight": "heavy",
     "supply": {"of": "Coin"}, "faces": [{"name": "Mint", "art": "a.svg"}]},
    {"name": "Bank", "width": 900, "height": 900, "shape": "rect", "weight": "heavy",
     "supply": {"of": "Money"}, "faces": [{"name": "Bank", "art": "a.svg"}]},
    {"name": "Money", "width": 300, "height": 300, "shape": "round", "weight": "light",
     "currency": {"initial": 5}, "display": {"x": 0, "y": 0, "width": 300, "height": 160},
     "faces": [{"name": "Money", "art": "a.svg"}]}
  ],
  "pieces": [{"kind": "Mint", "x": 0, "y": 0}]
}
`

// TestSupplies shows how the supply of a kind is read and what it offers, and that catalogues and
// versions keep it.
// Clauses: T89.7
func TestSupplies(t *testing.T) {
	g, err := readFull(supplied)
	if err != nil {
		t.Fatal(err)
	}
	const coin, mint, bank, money = 0, 3, 4, 5
	kinds := g.Game.Kinds
	if kinds[mint].SupplyOf(kinds) != coin || kinds[bank].SupplyOf(kinds) != money {
		t.Errorf("they give %d and %d", kinds[mint].SupplyOf(kinds), kinds[bank].SupplyOf(kinds))
	}
	one := Offer{Op: "split", Key: "v", Label: "Take one", With: map[string]int32{"n": 1}}
	some := Offer{Op: "split", Key: "v", Label: "Take some",
		Asks: []Ask{{Name: "n", Label: "How much?", Min: 1, Max: MaxValue, Initial: 5}}}
	for kind, want := range map[int]Offer{mint: one, bank: some} {
		if got := kinds[kind].Offers; !reflect.DeepEqual(got, []Offer{want}) {
			t.Errorf("%s offers %+v", kinds[kind].Name, got)
		}
	}
	again, err := ParseCatalog(g.Game.Catalog)
	if err != nil || again[mint].Supply != "Coin" {
		t.Errorf("the catalogue has %+v, %v", again, err)
	}
	alone, err := ReadVersions([][]byte{Versions(kinds)[mint].Doc})
	if err != nil || alone[0].Supply != "Coin" || alone[0].SupplyOf(alone) != -1 {
		t.Errorf("T89.7: its version has %+v, %v", alone, err)
	}
}

// TestSupplyFaults shows that a supply that contradicts itself, or names a kind that it cannot
// give, is refused, and where.
// Clauses: T89.8
func TestSupplyFaults(t *testing.T) {
	const at = "line 13, column "
	for _, c := range []struct{ old, new, want string }{
		{`{"of": "Coin"}`, `"Coin"`, at + `16: kind 3: supply: want an object, not a text`},
		{`{"of": "Coin"}`, `{}`, at + `16: kind 3: supply: of is missing`},
		{`{"of": "Coin"}`, `{"of": 5}`, at + `23: kind 3: supply: of: want a text, not a number`},
		{`{"of": "Coin"}`, `{"of": "Con"}`, at + `23: kind 3: supply: of: no kind "Con"`},
		{`{"of": "Coin"}`, `{"of": "Bank"}`,
			at + `23: kind 3: supply: of: "Bank" is heavy: a supply gives light pieces`},
		{`{"of": "Coin"}`, `{"of": "Ace"}`, at + `23: kind 3: supply: of: "Ace" is secret: everybody ` +
			`would know what comes out of a supply`},
		{`{"of": "Coin"}`, `{"of": "Card"}`, at + `23: kind 3: supply: of: "Card" is a mask: its ` +
			`pieces would look like concealed ones`},
		{`"heavy",
     "supply": {"of": "Coin"}`, `"light",
     "supply": {"of": "Coin"}`, `line 12, column 78: kind 3: a supply is heavy`},
		{`"supply": {"of": "Coin"}`, `"hand": true, "supply": {"of": "Coin"}`,
			at + `30: kind 3: a hand cannot be a supply`},
		{`"holt.game/2"`, `"holt.game/1"`, at + `6: kind 3: unknown field "supply"`},
	} {
		if strings.Count(supplied, c.old) != 1 {
			t.Fatalf("the sample has %d times %s", strings.Count(supplied, c.old), c.old)
		}
		_, err := readFull(strings.Replace(supplied, c.old, c.new, 1))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v, want\n%s", c.new, err, c.want)
		}
	}
}

package game

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// house returns the sample with two tables.
func house(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile("../../../docs/guides/samples/house.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func TestTables(t *testing.T) {
	g, err := Parse([]byte(house(t)), pictures)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Door{{Piece: 2, To: 1}}; !reflect.DeepEqual(g.Doors, want) {
		t.Errorf("the doors of the first table are %v, want %v", g.Doors, want)
	}
	if len(g.Further) != 1 {
		t.Fatalf("there are %d further tables", len(g.Further))
	}
	f := g.Further[0]
	if want := []Door{{Piece: 1}}; !reflect.DeepEqual(f.Doors, want) {
		t.Errorf("the doors of the cellar are %v, want %v", f.Doors, want)
	}
	if f.Name != "Cellar" || f.Width != 3600 || f.Surface != "slate" || len(f.Pieces) != 8 ||
		len(f.Kinds) != len(g.Kinds) || len(f.Seats) != 0 || f.CatalogHash != g.CatalogHash {
		t.Errorf("the cellar is %+v", f)
	}
	if kinds, err := ParseCatalog(f.Catalog); err != nil || len(kinds) != len(g.Kinds) {
		t.Errorf("its catalogue has %d kinds, %v", len(kinds), err)
	}
	if !strings.Contains(string(f.Drawing(0)), "<title>Cellar</title>") {
		t.Error("its drawing has another title")
	}
}

func TestTableErrors(t *testing.T) {
	s, doc := schema(t), house(t)
	for _, c := range []struct {
		old, new, want string
		schema         bool // it sees that, too
	}{
		{`"to": "Cellar"`, `"to": "Attic"`, `to: no table of the game has the name "Attic"`, false},
		{`"to": "Cellar"`, `"to": "House"`, "to: the door leads to the table on which it is", false},
		{`"piece": 1,`, `"piece": 2,`, "piece: piece 2 is light: only heavy pieces can be doors", false},
		{`"piece": 1,`, `"piece": 5,`, "piece: no piece 5", false},
		{`"piece": 1,`, `"piece": -1,`, "piece: -1 is not a whole number from 0 to 9999", true},
		{`{"piece": 1, "to": "Cellar"}`, `{"piece": 1, "to": "Cellar"}, {"piece": 1, "to": "Cellar"}`,
			"piece: piece 1 is a door already", false},
		{`"name": "Cellar"`, `"name": "House"`, `"House" is the name of another table, or of the game`,
			false},
		{`"surface": "slate"`, `"surface": "lava"`, "surface", true},
		{`"kind": "Lamp"`, `"kind": "Ghost"`, `"Ghost"`, false},
		{`"tables": [`, `"tables": [], "script": "", "foreign": [`, "tables has 0 entries", true},
		{`"kinds": [`, `"setups": [{"name": "No stairs", "without": ["Stairs"]}], "kinds": [`,
			"piece: a set-up lacks piece 1, so it cannot be a door", false},
		{`"name": "Cellar", "table"`, `"name": "Cellar", "seats": [], "table"`, "seats", true},
		{`"format": "holt.game/2"`, `"format": "holt.game/1"`, "", true},
	} {
		broken := strings.Replace(doc, c.old, c.new, 1)
		if broken == doc {
			t.Fatalf("%s is not in the file", c.old)
		}
		g, err := Parse([]byte(broken), pictures)
		if err == nil || g != nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
		if invalid := valid(t, s, broken) != nil; invalid != c.schema {
			t.Errorf("%s: the schema refuses it: %v", c.new, invalid)
		}
	}
}

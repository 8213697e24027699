package game

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// zoned is a game with zones.
const zoned = `{
  "format": "holt.game/2", "id": "zoned", "name": "Zoned", "summary": "Zones.",
  "table": {"width": 4000, "height": 3000, "surface": "felt"},
  "kinds": [
    {"name": "Coin", "width": 300, "height": 300, "shape": "round", "weight": "light",
     "faces": [{"name": "Heads", "art": "a.svg"}, {"name": "Tails", "art": "b.svg"}]},
    {"name": "Card", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "faces": [{"name": "Face down", "art": "b.svg"}]},
    {"name": "Ace", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "secret": true, "mask": "Card",
     "faces": [{"name": "Ace", "art": "a.svg"}, {"name": "Face down", "art": "b.svg"}]},
    {"name": "Mat", "width": 2000, "height": 1000, "shape": "rect", "weight": "heavy",
     "zone": {"lay": "grid", "gap": 500, "down": 400, "takes": ["Card", "Coin"], "most": 7,
      "turns": "down", "count": true}, "faces": [{"name": "Mat", "art": "a.svg"}]},
    {"name": "Row", "width": 2000, "height": 1000, "shape": "rect", "weight": "heavy",
     "zone": {"lay": "row", "gap": 10}, "faces": [{"name": "Row", "art": "a.svg"}]}
  ],
  "pieces": [{"kind": "Mat", "x": 0, "y": 0}, {"kind": "Coin", "x": 900, "y": 0}]
}
`

// TestZones shows how the zone of a kind is read, and that catalogues and versions keep it.
// Clauses: T86.12
func TestZones(t *testing.T) {
	g, err := readFull(zoned)
	if err != nil {
		t.Fatal(err)
	}
	const mat, row = 3, 4
	want := Zone{Lay: "grid", Gap: 500, Down: 400, Takes: []string{"Card", "Coin"}, Most: 7,
		Turns: "down", Count: true}
	kinds := g.Game.Kinds
	if got := kinds[mat].Zone; !reflect.DeepEqual(got, want) {
		t.Errorf("the zone is %+v", got)
	}
	if got := kinds[row].Zone; !reflect.DeepEqual(got, Zone{Lay: "row", Gap: 10, Turns: "keep"}) {
		t.Errorf("the plain zone is %+v", got)
	}
	if got := kinds[mat].Zone.Of(kinds); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("it takes the kinds %v", got)
	}
	if got := kinds[mat].Zone.Of(kinds[1:2]); !slices.Equal(got, []int{0}) {
		t.Errorf("T86.12: without coins it takes the kinds %v", got)
	}
	again, err := ParseCatalog(g.Game.Catalog)
	if err != nil || !reflect.DeepEqual(again[mat].Zone, want) {
		t.Errorf("the catalogue has %+v, %v", again, err)
	}
	version := Versions(kinds)[mat]
	alone, err := ReadVersions([][]byte{version.Doc})
	if err != nil || !reflect.DeepEqual(alone[0].Zone, want) {
		t.Fatalf("its version has %+v, %v", alone, err)
	}
	if got := alone[0].Zone.Of(alone); len(got) != 0 {
		t.Errorf("T86.12: alone it takes %v", got)
	}
}

// TestZoneFaults shows that a zone that contradicts itself, or names a kind that it cannot take, is
// refused, and where.
// Clauses: T86.13
func TestZoneFaults(t *testing.T) {
	const at = "line 13, column "
	for _, c := range []struct{ old, new, want string }{
		{`"grid"`, `"heap"`, at + `22: kind 3: zone: lay: "heap" is not pile or row or column or ` +
			`grid or free`},
		{`"lay": "grid", `, ``, at + `14: kind 3: zone: lay is missing`},
		{`"lay": "grid", "gap": 500,`, `"lay": "grid",`, at + `14: kind 3: zone: gap is missing`},
		{`"grid", "gap": 500, "down": 400`, `"pile", "gap": 500`,
			at + `37: kind 3: zone: only a row, a column or a grid has a gap`},
		{`"lay": "grid"`, `"lay": "row"`, at + `49: kind 3: zone: only a grid has rows, and a ` +
			`distance down from one to the next`},
		{`"gap": 500`, `"gap": 9`,
			at + `37: kind 3: zone: gap: 9 is not a whole number from 10 to 20000`},
		{`"gap": 500, "down": 400`, `"gap": 20, "down": 200`,
			at + `37: kind 3: zone: the zone has room for more than 400 places`},
		{`"most": 7`, `"most": 0`, at + `90: kind 3: zone: a zone takes at least one piece`},
		{`"most": 7`, `"most": 1001`,
			at + `90: kind 3: zone: most: 1001 is not a whole number from 0 to 1000`},
		{`"turns": "down"`, `"turns": "left"`,
			`line 14, column 16: kind 3: zone: turns: "left" is not up or down or keep`},
		{`["Card", "Coin"]`, `[]`, at + `64: kind 3: zone: takes has 0 entries, not 1 to 64`},
		{`["Card", "Coin"]`, `["Card", 5]`,
			at + `73: kind 3: zone: takes: entry 1: want a text, not a number`},
		{`["Card", "Coin"]`, `["Card", ""]`, at + `73: kind 3: zone: takes: entry 1: it has 0 ` +
			`characters, not 1 to 80`},
		{`["Card", "Coin"]`, `["Card", "Card"]`,
			at + `73: kind 3: zone: takes: "Card" stands there twice`},
		{`["Card", "Coin"]`, `["Card", "Con"]`, at + `73: kind 3: zone: takes: no kind "Con"`},
		{`["Card", "Coin"]`, `["Card", "Row"]`,
			at + `73: kind 3: zone: takes: "Row" is heavy: a zone takes light pieces`},
		{`["Card", "Coin"]`, `["Card", "Ace"]`, at + `73: kind 3: zone: takes: "Ace" is secret: a ` +
			`zone would tell its pieces from others; name its mask`},
		{`"heavy",
     "zone": {"lay": "grid"`, `"light",
     "zone": {"lay": "grid"`, `line 12, column 79: kind 3: a zone is heavy`},
		{`"zone": {"lay": "grid"`, `"hand": true, "zone": {"lay": "grid"`,
			at + `28: kind 3: a hand cannot be a zone`},
		{`"holt.game/2"`, `"holt.game/1"`, at + `6: kind 3: unknown field "zone"`},
	} {
		if strings.Count(zoned, c.old) != 1 {
			t.Fatalf("the sample has %d times %s", strings.Count(zoned, c.old), c.old)
		}
		_, err := readFull(strings.Replace(zoned, c.old, c.new, 1))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v, want\n%s", c.new, err, c.want)
		}
	}
	var names []string
	for i := range MaxZoneKinds + 1 {
		names = append(names, fmt.Sprintf("%q", fmt.Sprint(i)))
	}
	long := strings.Replace(zoned, `["Card", "Coin"]`, "["+strings.Join(names, ", ")+"]", 1)
	if _, err := readFull(long); err == nil || !strings.Contains(err.Error(), "not 1 to 64") {
		t.Errorf("too many names: %v", err)
	}
}

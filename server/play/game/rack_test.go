package game

import (
	"slices"
	"strings"
	"testing"
)

// racked is a game with a rack.
var racked = strings.Replace(zoned, `"zone": {"lay": "row", "gap": 10},`,
	`"hand": true, "rack": true,`, 1)

// TestRacks shows how a rack is read, and that catalogues keep it.
func TestRacks(t *testing.T) {
	g, err := readFull(racked)
	if err != nil {
		t.Fatal(err)
	}
	const rack = 4
	if k := &g.Game.Kinds[rack]; !k.Hand || !k.Rack || g.Game.Kinds[0].Rack {
		t.Errorf("the rack is %+v", k)
	}
	kinds, err := ParseCatalog(g.Game.Catalog)
	if err != nil || !kinds[rack].Rack || kinds[0].Rack {
		t.Errorf("the catalogue has %+v with error %v", kinds, err)
	}
	if !strings.Contains(string(g.Game.Catalog), `"hand":true,"rack":true,"faces"`) {
		t.Errorf("the catalogue is %s", g.Game.Catalog)
	}
}

// TestRackCells shows which cells a rack may have, and which it has for the server.
// Clauses: T96.13
func TestRackCells(t *testing.T) {
	const rack = `"hand": true, "rack": true,`
	s := schema(t)
	for _, row := range []struct{ with, want string }{
		{rack + ` "grid": {"x": 20, "y": 30, "stepX": 10, "stepY": 10, "columns": 2, "rows": 1},`, ``},
		{rack + ` "snaps": {"reach": 20, "points": [{"x": 1, "y": 2}]},`, ``},
		{`"hand": true, "grid": {"x": 20, "y": 30, "stepX": 10, "stepY": 10, "columns": 2, "rows": 1},`,
			`a secret kind, a hand that is no rack, or a container has no grid`},
		{`"hand": true, "snaps": {"reach": 20, "points": [{"x": 1, "y": 2}]},`,
			`a secret kind, a hand that is no rack, or a container has no snap points`},
		{rack + ` "grid": {"x": 20, "y": 30, "stepX": 10, "stepY": 10, "columns": 2, "rows": 1,
			"captures": true},`, `nothing is captured on a rack, and it is no tray`},
		{rack + ` "grid": {"x": 20, "y": 30, "stepX": 10, "stepY": 10, "columns": 2, "rows": 1,
			"tray": true},`, `nothing is captured on a rack, and it is no tray`},
		{rack + ` "grid": {"x": 20, "y": 30, "stepX": 10, "stepY": 10, "columns": 51, "rows": 2},`,
			`a rack has at most 100 cells`},
		{rack + ` "snaps": {"reach": 20, "points": [` + strings.Repeat(`{"x": 1, "y": 2},`, 100) +
			`{"x": 1, "y": 2}]},`, `a rack has at most 100 snap points`},
	} {
		doc := strings.Replace(racked, rack, row.with, 1)
		_, err := readFull(doc)
		if ok := row.want == ""; ok != (err == nil) || !ok && !strings.HasSuffix(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %s", row.with, err, row.want)
		}
		if bad := valid(t, s, doc); row.want == "" && bad != nil ||
			row.want != "" && bad == nil && !strings.Contains(row.with, `"columns": 51`) {
			t.Errorf("%s: the schema says %v", row.with, bad)
		}
	}
	k := Kind{Width: 100, Height: 60, Rack: true, Grid: Grid{
		X: 20, Y: 30, StepX: 10, StepY: 20, Columns: 2, Rows: 2, CellNames: []string{"a", "", "c", "d"},
	}}
	if got, want := k.Cells(), []SnapPoint{{X: -30}, {X: -30, Y: 20}, {X: -20, Y: 20}}; !slices.Equal(
		got, want) {
		t.Errorf("the cells of the grid are %v, want %v", got, want)
	}
	k.Grid, k.Snaps = Grid{}, Snaps{Reach: 5, Points: []SnapPoint{{X: 100, Y: 0}}}
	if got := k.Cells(); !slices.Equal(got, []SnapPoint{{X: 50, Y: -30}}) {
		t.Errorf("the cells at snap points are %v", got)
	}
	if k.Rack = false; k.Cells() != nil {
		t.Error("the server is given cells of a board")
	}
}

// TestRackFaults shows what a reader refuses of a rack.
// Clauses: T96.9
func TestRackFaults(t *testing.T) {
	const rack = `"hand": true, "rack": true,`
	for _, row := range []struct{ with, want string }{
		{`"rack": true,`, `line 16, column 14: kind 4: only a hand can be a rack`},
		{rack + ` "counted": false,`,
			`line 16, column 45: kind 4: everybody sees how many pieces lie on a rack`},
		{`"hand": true, "rack": 1,`,
			`line 16, column 28: kind 4: rack: want true or false, not a number`},
	} {
		_, err := readFull(strings.Replace(racked, rack, row.with, 1))
		if err == nil || !strings.HasSuffix(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %s", row.with, err, row.want)
		}
	}
	old := strings.Replace(racked, format2, format1, 1)
	if _, err := readFull(old); err == nil {
		t.Error("a rack of the first format is read")
	}
}

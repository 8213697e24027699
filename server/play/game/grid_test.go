package game

import (
	"reflect"
	"strings"
	"testing"
)

// gridded returns a game file of a format with a board that has a grid and a pawn, both with more
// fields.
func gridded(format, board, pawn string) string {
	return `{"format": "` + format + `", "id": "grid", "name": "Grid", "summary": "A grid.",
  "table": {"width": 4000, "height": 3000, "surface": "paper"},
  "kinds": [
    {"name": "Board", "width": 400, "height": 300, "shape": "rect", "weight": "heavy",
     "faces": [{"name": "Board", "art": "a.svg"}]` + board + `},
    {"name": "Pawn", "width": 90, "height": 90, "shape": "round", "weight": "light",
     "faces": [{"name": "Pawn", "art": "a.svg"}]` + pawn + `}
  ],
  "pieces": []}`
}

const boardGrid = `"x": 50, "y": 60, "stepX": 100, "stepY": 80, "columns": 4, "rows": 3`

// TestGridsAreRead shows that a grid is read from a game file, a catalogue and a version alike.
func TestGridsAreRead(t *testing.T) {
	plain := Grid{X: 50, Y: 60, StepX: 100, StepY: 80, Columns: 4, Rows: 3}
	lines, cells, captures, tray := plain, plain, plain, plain
	lines.ColumnNames, lines.RowNames = []string{"a", "b", "c", "d"}, []string{"3", "2", "1"}
	cells.CellNames = []string{"1", "", "2", "", "", "3", "", "4", "5", "", "6", ""}
	captures.Captures, tray.Tray = true, true
	for more, want := range map[string]Grid{
		"": plain,
		`, "columnNames": ["a", "b", "c", "d"], "rowNames": ["3", "2", "1"]`:    lines,
		`, "cellNames": ["1", "", "2", "", "", "3", "", "4", "5", "", "6", ""]`: cells,
		`, "captures": true`: captures,
		`, "tray": true`:     tray,
	} {
		g, err := Parse([]byte(gridded(format2, `, "grid": {`+boardGrid+more+`}`, "")), pictures)
		if err != nil {
			t.Errorf("%s: %v", more, err)
			continue
		}
		if !reflect.DeepEqual(g.Kinds[0].Grid, want) {
			t.Errorf("%+v, want %+v", g.Kinds[0].Grid, want)
		}
		again, err := ParseCatalog(g.Catalog)
		if err != nil || !reflect.DeepEqual(again, g.Kinds) {
			t.Errorf("%s: the catalogue gives %+v, %v", more, again, err)
		}
		var docs [][]byte
		for _, v := range Versions(g.Kinds) {
			docs = append(docs, v.Doc)
		}
		kinds, err := ReadVersions(docs)
		if err != nil || !reflect.DeepEqual(kinds[0].Grid, want) {
			t.Errorf("%s: the version gives %v", more, err)
		}
	}
}

// TestUprightKindsAreRead shows that a kind can be upright, and that other kinds are not.
func TestUprightKindsAreRead(t *testing.T) {
	g, err := Parse([]byte(gridded(format2, "", `, "upright": true`)), pictures)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseCatalog(g.Catalog)
	if err != nil || again[0].Upright || !again[1].Upright {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestReadableKinds shows how a kind with text on its pictures is read and drawn.
// Clauses: G20.2, G20.3
func TestReadableKinds(t *testing.T) {
	const readable = `, "readable": true`
	grid := `, "grid": {` + boardGrid + `}`
	t.Run("it is in the catalogue", func(t *testing.T) {
		g, err := Parse([]byte(gridded(format2, readable, "")), pictures)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseCatalog(g.Catalog)
		if err != nil || !again[0].Readable || again[1].Readable {
			t.Errorf("%+v, %v", again, err)
		}
	})
	t.Run("it is drawn the other way round rather than upside down", func(t *testing.T) {
		for angle, want := range map[int32]int32{
			0: 0, 9000: 9000, 9001: 27001, 18000: 0, 26999: 8999, 27000: 27000, 35999: 35999,
		} {
			if got := (&Kind{Readable: true}).DrawnAt(angle); got != want {
				t.Errorf("at %d it is drawn at %d, not %d", angle, got, want)
			}
			if got := (&Kind{}).DrawnAt(angle); got != angle {
				t.Errorf("another kind at %d is drawn at %d", angle, got)
			}
		}
		upside := strings.Replace(gridded(format2, readable, ""), `"pieces": []`,
			`"pieces": [{"kind": "Board", "x": 0, "y": 0, "angle": 18000}]`, 1)
		g, err := Parse([]byte(upside), pictures)
		if err != nil || g.Pieces[0].Angle != FullTurn/2 {
			t.Fatalf("%+v, %v", g, err)
		}
		if strings.Contains(string(g.Drawing(0)), "rotate(180)") {
			t.Errorf("the board is drawn upside down: %s", g.Drawing(0))
		}
	})
	for _, c := range []struct{ board, pawn, want string }{
		{"", readable + `, "upright": true`,
			`line 7: kind 1: an upright kind is readable in any case`},
		{readable + grid, "",
			`line 5: kind 0: what has a grid or snap points is not readable`},
		{readable + `, "clock": {"counts": "down", "initial": 300000, "displays": [` +
			`{"x": 0, "y": 0, "width": 100, "height": 50}]}`, "",
			`line 5: kind 0: neither secret kinds nor clocks are readable`},
	} {
		t.Run(c.want, func(t *testing.T) {
			g, err := Parse([]byte(gridded(format2, c.board, c.pawn)), pictures)
			if g != nil || withoutColumn(err) != c.want {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestPointedKindsAreRead shows that a kind can be pointed, and that other kinds are not.
// Clauses: G21.1
func TestPointedKindsAreRead(t *testing.T) {
	g, err := Parse([]byte(gridded(format2, "", `, "pointed": true`)), pictures)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseCatalog(g.Catalog)
	if err != nil || again[0].Pointed || !again[1].Pointed {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestTurnOfKinds shows that a kind can say how far pages turn a piece at once.
// Clauses: G22.1
func TestTurnOfKinds(t *testing.T) {
	g, err := Parse([]byte(gridded(format2, `, "turn": 180`, `, "turn": 45`)), pictures)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseCatalog(g.Catalog)
	if err != nil || again[0].Turn != 180 || again[1].Turn != 45 {
		t.Errorf("%+v, %v", again, err)
	}
	if g, err = Parse([]byte(gridded(format2, "", "")), pictures); err != nil ||
		g.Kinds[1].Turn != 0 || strings.Contains(string(g.Catalog), "turn") {
		t.Errorf("%v of a kind that does not say it", err)
	}
	for _, c := range []struct{ format, turn, want string }{
		{format1, "90", `line 7: kind 1: unknown field "turn"`},
		{format2, "0", `line 7: kind 1: turn: 0 is not a whole number from 1 to 180`},
		{format2, "360", `line 7: kind 1: turn: 360 is not a whole number from 1 to 180`},
		{format2, "22.5", `line 7: kind 1: turn: 22.5 is not a whole number from 1 to 180`},
		{format2, "7", `line 7: kind 1: turn: 7 degrees do not divide a full turn`},
	} {
		t.Run(c.want, func(t *testing.T) {
			g, err := Parse([]byte(gridded(c.format, "", `, "turn": `+c.turn)), pictures)
			if g != nil || withoutColumn(err) != c.want {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestGridsOutOfBounds shows the error of each fault in a grid, an upright or a pointed kind.
func TestGridsOutOfBounds(t *testing.T) {
	grid := func(more string) string { return `, "grid": {` + boardGrid + more + `}` }
	put := func(old, now string) string { return strings.Replace(grid(""), old, now, 1) }
	names := func(n int) string { return strings.TrimSuffix(strings.Repeat(`"", `, n), ", ") }
	for _, c := range []struct{ format, board, pawn, want string }{
		{format1, grid(""), "", `line 5: kind 0: unknown field "grid"`},
		{format1, "", `, "upright": true`, `line 7: kind 1: unknown field "upright"`},
		{format2, put(`"columns": 4`, `"columns": 0`), "",
			`line 5: kind 0: grid: columns: 0 is not a whole number from 1 to 100`},
		{format2, put(`"rows": 3`, `"rows": 101`), "",
			`line 5: kind 0: grid: rows: 101 is not a whole number from 1 to 100`},
		{format2, put(`"stepX": 100`, `"stepX": 9`), "",
			`line 5: kind 0: grid: stepX: 9 is not a whole number from 10 to 20000`},
		{format2, put(`"stepX": 100`, `"stepX": 117`), "",
			`line 5: kind 0: the grid reaches beyond the piece`},
		{format2, put(`"stepY": 80`, `"stepY": 121`), "",
			`line 5: kind 0: the grid reaches beyond the piece`},
		{format2, put(`"x": 50, `, ``), "", `line 5: kind 0: grid: x is missing`},
		{format2, grid(`, "snap": true`), "", `line 5: kind 0: grid: unknown field "snap"`},
		{format2, grid(`, "columnNames": ["a", "b", "c", "d"]`), "",
			`line 5: kind 0: grid: columns and rows have names, or neither`},
		{format2, grid(`, "rowNames": ["1", "2"]`), "",
			`line 5: kind 0: grid: rowNames has 2 entries, not 3 to 3`},
		{format2, grid(`, "rowNames": ["1", "2", "1"]`), "",
			`line 5: kind 0: grid: rowNames: entry 2: "1" stands there twice`},
		{format2, grid(`, "rowNames": ["1", 2, "1"]`), "",
			`line 5: kind 0: grid: rowNames: entry 1: want a text, not a number`},
		{format2, grid(`, "rowNames": ["1", "", "2"]`), "",
			`line 5: kind 0: grid: rowNames: entry 1: it has 0 characters, not 1 to 8`},
		{format2, grid(`, "cellNames": [` + names(12) + `], "columnNames": ["a", "b", "c", "d"], ` +
			`"rowNames": ["1", "2", "3"]`), "",
			`line 5: kind 0: grid: either cells have names, or columns and rows`},
		{format2, grid(`, "cellNames": [` + names(11) + `]`), "",
			`line 5: kind 0: grid: cellNames has 11 entries, not 12 to 12`},
		{format2, grid(`, "captures": true, "tray": true`), "",
			`line 5: kind 0: grid: pieces are captured on one grid and go to the tray of another`},
		{format2, grid("") + `, "hand": true`, "",
			`line 5: kind 0: a secret kind, a hand that is no rack, or a container has no grid`},
		{format2, "", `, "grid": {"x": 10, "y": 10, "stepX": 10, "stepY": 10, "columns": 1, "rows": 1}`,
			`line 7: kind 1: only a heavy kind has a grid`},
		{format2, `, "upright": true`, "", `line 5: kind 0: an upright kind is as high as it is wide`},
		{format1, "", `, "pointed": true`, `line 7: kind 1: unknown field "pointed"`},
		{format2, "", `, "pointed": true, "upright": true`,
			`line 7: kind 1: only a light kind that is neither secret, upright nor readable is pointed`},
	} {
		t.Run(c.want, func(t *testing.T) {
			g, err := Parse([]byte(gridded(c.format, c.board, c.pawn)), pictures)
			if g != nil || withoutColumn(err) != c.want {
				t.Errorf("got %v", err)
			}
		})
	}
}

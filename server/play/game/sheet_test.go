package game

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// withSheet returns a game file with a score sheet.
func withSheet(sheet string) string {
	return strings.Replace(pressing, `"pieces":`, `"sheet": `+sheet+`, "pieces":`, 1)
}

// Clauses: G13.4
func TestSheet(t *testing.T) {
	g, err := Parse([]byte(withSheet(
		`{"title": "Scores", "columns": ["Round 1", "Round 1"], "rows": ["Ada"]}`)), pictures)
	want := Sheet{Title: "Scores", Columns: []string{"Round 1", "Round 1"}, Rows: []string{"Ada"}}
	if err != nil || !reflect.DeepEqual(g.Sheet, want) {
		t.Fatalf("%+v, %v", g, err)
	}
	for text, limit := range map[string]int{
		"Scores": MaxSheetTitle, "Round 1": MaxSheetText, "Ada": MaxSheetText,
	} {
		if got := g.texts()[text]; got != limit {
			t.Errorf("G13.4 a language may have %d characters for %q, not %d", got, text, limit)
		}
	}
	g, err = Parse([]byte(withSheet(`{"columns": ["Points"]}`)), pictures)
	if err != nil || !reflect.DeepEqual(g.Sheet, Sheet{Columns: []string{"Points"}}) {
		t.Fatalf("%+v, %v", g, err)
	}
}

// TestTableGrid shows how the grid of a table is read, and what is refused.
// Clauses: G17.3
func TestTableGrid(t *testing.T) {
	const surface = `"surface": "`
	s := schema(t)
	with := func(grid string) string {
		return strings.Replace(pressing, surface, `"grid": `+grid+`, `+surface, 1)
	}
	const hexagons = `{"form": "hexagons", "pitch": 700, "x": -5, "snap": true}`
	g, err := Parse([]byte(with(hexagons)), pictures)
	if err != nil || g.Grid != (TableGrid{Form: "hexagons", Pitch: 700, X: -5, Snap: true}) {
		t.Fatalf("%+v, %v", g, err)
	}
	for _, c := range []struct{ grid, want string }{
		{`{"form": "squares", "pitch": 10}`, ``},
		{`{"form": "triangles", "pitch": 10}`, `grid: form: "triangles" is not squares or hexagons`},
		{`{"form": "squares"}`, `grid: pitch is missing`},
		{`{"form": "squares", "pitch": 9}`, `grid: pitch: 9 is not a whole number from 10 to 20000`},
		{`{"form": "squares", "pitch": 10, "x": 50001}`,
			`grid: x: 50001 is not a whole number from -50000 to 50000`},
		{`{"form": "squares", "pitch": 10, "y": -50001}`,
			`grid: y: -50001 is not a whole number from -50000 to 50000`},
		{`{"form": "squares", "pitch": 10, "snap": 1}`, `grid: snap: want true or false, not a number`},
		{`{"form": "squares", "pitch": 10, "stepX": 5}`, `grid: unknown field "stepX"`},
		{`["squares"]`, `grid`},
	} {
		_, err := Parse([]byte(with(c.grid)), pictures)
		if ok := c.want == ""; ok != (err == nil) || !ok && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.grid, err, c.want)
		}
		if bad := valid(t, s, with(c.grid)); (bad == nil) != (c.want == "") {
			t.Errorf("%s: the schema says %v", c.grid, bad)
		}
	}
	old := strings.Replace(with(`{"form": "squares", "pitch": 10}`), format2, format1, 1)
	if _, err := Parse([]byte(old), pictures); err == nil {
		t.Error("the reader accepts a grid in a file of the first format")
	}
	if valid(t, s, old) == nil {
		t.Error("the schema accepts a grid in a file of the first format")
	}
}

func TestSheetErrors(t *testing.T) {
	s := schema(t)
	long := strings.Repeat("x", MaxSheetText+1)
	many := func(n int) string { return strings.Repeat(`"a",`, n-1) + `"a"` }
	const oneLine = "is not a text of 1 to 40 printable characters in one line"
	for _, c := range []struct{ sheet, want string }{
		{`{}`, "columns is missing"},
		{`{"columns": []}`, "columns has 0 entries, not 1 to 32"},
		{`{"columns": [` + many(MaxSheetColumns+1) + `]}`, "columns has 33 entries, not 1 to 32"},
		{`{"columns": ["a"], "rows": []}`, "rows has 0 entries, not 1 to 64"},
		{`{"columns": ["a"], "rows": [` + many(MaxSheetRows+1) + `]}`,
			"rows has 65 entries, not 1 to 64"},
		{`{"columns": ["a", ""]}`, "columns: entry 1 " + oneLine},
		{`{"columns": ["` + long + `"]}`, "columns: entry 0 " + oneLine},
		{`{"columns": ["a"], "rows": ["a", 7]}`, "rows: entry 1 " + oneLine},
		{`{"columns": ["a"], "title": ""}`, "title: it has 0 characters, not 1 to 80"},
		{`{"columns": ["a"], "rows": ["a"], "cells": []}`, "cells"},
		{`["a"]`, "sheet"},
	} {
		doc := withSheet(c.sheet)
		if g, err := Parse([]byte(doc), pictures); err == nil || g != nil ||
			!strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v, want %q", c.sheet, err, c.want)
		}
		if valid(t, s, doc) == nil {
			t.Errorf("%s: the schema accepts it", c.sheet)
		}
	}
	old := strings.Replace(withSheet(`{"columns": ["a"]}`), format2, format1, 1)
	if valid(t, s, old) == nil {
		t.Error("the schema accepts a sheet in a file of the first format")
	}
	if _, err := Parse([]byte(old), pictures); err == nil {
		t.Error(fmt.Errorf("the reader accepts a sheet in a file of the first format"))
	}
}

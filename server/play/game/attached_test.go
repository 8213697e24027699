package game

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// attaching returns a game file of a format with the given pieces, as they stand in the list.
func attaching(format string, pieces ...string) string {
	kind := func(name, more string) string {
		return fmt.Sprintf(`{"name": %q, "width": 60, "height": 90, "shape": "rect", %s,
     "faces": [{"name": %q, "art": "a.svg"}]}`, name, more, name)
	}
	return `{"format": "` + format + `", "id": "attached", "name": "Attached", "summary": "Attached.",
  "table": {"width": 4000, "height": 3000, "surface": "paper"},
  "kinds": [` + strings.Join([]string{
		kind("Board", `"weight": "heavy"`),
		kind("Token", `"weight": "light"`),
		kind("Hand", `"weight": "heavy", "hand": true`),
		kind("Zone", `"weight": "heavy", "zone": {"lay": "pile"}`),
		kind("Bag", `"weight": "heavy", "container": {"draws": "random"}`),
		`{"name": "Plan", "width": 60, "height": 90, "shape": "rect", "weight": "heavy",
     "secret": true, "mask": "Board",
     "faces": [{"name": "Plan", "art": "a.svg"}, {"name": "Board", "art": "a.svg"}]}`,
	}, ",\n") + `],
  "pieces": [` + strings.Join(pieces, ",\n") + `]}`
}

// aPiece returns a piece of a kind for a game file, with on if it is not empty.
func aPiece(kind, on string) string {
	if on != "" {
		on = `, "on": ` + on
	}
	return fmt.Sprintf(`{"kind": %q, "x": 0, "y": 0%s}`, kind, on)
}

// TestAttachedAreRead shows that attached pieces are read from a game file and from its catalogue
// alike, also forwards, and by the names that the pieces get on the table.
// Clauses: T97.9
func TestAttachedAreRead(t *testing.T) {
	g, err := Parse([]byte(attaching(format2, aPiece("Token", ""), aPiece("Bag", "3"),
		aPiece("Board", "1"), aPiece("Hand", ""))), pictures)
	if err != nil {
		t.Fatal(err)
	}
	want := []Attachment{{Piece: 1, To: 3}, {Piece: 2, To: 1}} // bag, board, hand
	if !slices.Equal(g.Attached, want) {
		t.Errorf("%v, want %v", g.Attached, want)
	}
	kinds, rest, err := ReadCatalog(g.Catalog)
	attached := rest.Attached
	if err != nil || !slices.Equal(attached, want) || !reflect.DeepEqual(kinds, g.Kinds) {
		t.Errorf("the catalogue gives %v, %v", attached, err)
	}
	plain, err := Parse([]byte(attaching(format2, aPiece("Board", ""))), pictures)
	if err != nil || plain.Attached != nil || strings.Contains(string(plain.Catalog), "attached") {
		t.Errorf("without any: %v, %v", plain, err)
	}
}

// chained returns boards, each of them on the next one.
func chained(n int) (pieces []string) {
	for i := range n - 1 {
		pieces = append(pieces, aPiece("Board", fmt.Sprint(i+1)))
	}
	return append(pieces, aPiece("Board", ""))
}

// TestAttachedOutOfBounds shows the error of each fault in attached pieces.
// Clauses: T97.9
func TestAttachedOutOfBounds(t *testing.T) {
	board, many := aPiece("Board", ""), []string{aPiece("Board", "")}
	for range MaxAttached {
		many = append(many, aPiece("Board", "0"))
	}
	for _, pieces := range [][]string{many, chained(MaxAttachedDepth + 1)} {
		if g, err := Parse([]byte(attaching(format2, pieces...)), pictures); err != nil ||
			len(g.Attached) != len(pieces)-1 {
			t.Errorf("%d pieces: %v", len(pieces), err)
		}
	}
	for _, c := range []struct {
		format string
		pieces []string
		want   string
	}{
		{format1, []string{board, aPiece("Board", "0")}, `unknown field "on"`},
		{format2, []string{aPiece("Board", "1")}, `piece 0: on: no piece 1`},
		{format2, []string{aPiece("Board", `"Board"`)}, `on`},
		{format2, []string{board, aPiece("Board", "-1")}, `on: -1 is not a whole number`},
		{format2, []string{board, aPiece("Token", "0")},
			`piece 1: on: "Token" is light, so it is not attached to anything`},
		{format2, []string{board, aPiece("Hand", "0")}, `"Hand" is a hand`},
		{format2, []string{board, aPiece("Zone", "0")}, `"Zone" is a zone`},
		{format2, []string{board, aPiece("Plan", "0")}, `"Plan" is secret`},
		{format2, []string{aPiece("Plan", ""), aPiece("Board", "0")}, `"Plan", is secret`},
		{format2, []string{aPiece("Token", ""), aPiece("Board", "0")},
			`piece 1: on: piece 0, "Token", is light: nothing is attached to it`},
		{format2, []string{`{"stack": ["Board"], "x": 0, "y": 0}`, aPiece("Board", "0")},
			`piece 1: on: piece 0 is a stack: nothing is attached to that`},
		{format2, []string{`{"stack": ["Board"], "x": 0, "y": 0, "on": 0}`}, `unknown field "on"`},
		{format2, []string{`{"kind": "Bag", "x": 0, "y": 0, "holds": [{"kind": "Token", "on": 0}]}`},
			`unknown field`},
		{format2, []string{`{"kind": "Board", "x": 0, "y": 0, "on": 1, "on": 2}`, board, board}, `"on"`},
		{format2, []string{aPiece("Board", "0")}, `piece 0: on: piece 0 would lie on itself`},
		{format2, []string{aPiece("Board", "1"), aPiece("Board", "2"), aPiece("Board", "1")},
			`piece 0: on: piece 1 would lie on itself`},
		{format2, chained(MaxAttachedDepth + 2),
			`piece 0: on: more than 8 pieces would lie on each other`},
		{format2, append(many, aPiece("Board", "0")),
			`piece 65: on: more than 64 pieces are attached to others`},
	} {
		t.Run(c.want, func(t *testing.T) {
			doc := attaching(c.format, c.pieces...)
			if c.format == format1 {
				doc = strings.Replace(doc, `, "zone": {"lay": "pile"}`, "", 1)
			}
			g, err := Parse([]byte(doc), pictures)
			if g != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v", err)
			}
			if where := err.Error(); !strings.HasPrefix(where, "line ") ||
				!strings.Contains(where, ", column ") {
				t.Errorf("it does not say where: %v", err)
			}
		})
	}
}

// TestAttachedInCatalogs shows what a catalogue cannot say of attached pieces.
func TestAttachedInCatalogs(t *testing.T) {
	g, err := Parse([]byte(attaching(format2, aPiece("Board", ""), aPiece("Board", "0"))), pictures)
	if err != nil {
		t.Fatal(err)
	}
	const said = `[{"piece":2,"to":1}]`
	for now, want := range map[string]string{
		`[]`:                   "attached has 0 entries",
		`[{"piece":0,"to":1}]`: "piece: 0 is not a whole number",
		`[{"piece":2,"to":1},{"piece":2,"to":3}]`: "piece: 2 does not lie behind the one before",
		`[{"piece":1,"to":2},{"piece":2,"to":1}]`: "attached: piece 1 would lie on itself",
		`[{"piece":2,"to":1,"by":3}]`:             `unknown field "by"`,
	} {
		doc := strings.Replace(string(g.Catalog), said, now, 1)
		if _, _, err := ReadCatalog([]byte(doc)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", now, err, want)
		}
	}
}

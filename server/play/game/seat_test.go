package game

import (
	"reflect"
	"strings"
	"testing"
)

// seated returns a game file of a format with a card, a hand and more.
func seated(format, more string) string {
	return `{"format": "` + format + `", "id": "seats", "name": "Seats", "summary": "Seats.",
  "table": {"width": 4000, "height": 3000, "surface": "paper"},
  "kinds": [
    {"name": "Card", "width": 60, "height": 90, "shape": "card", "weight": "light",
     "faces": [{"name": "Card", "art": "a.svg"}]},
    {"name": "Ace", "width": 60, "height": 90, "shape": "card", "weight": "light",
     "secret": true, "mask": "Card",
     "faces": [{"name": "Ace", "art": "a.svg"}, {"name": "Card", "art": "a.svg"}]},
    {"name": "Hand", "width": 400, "height": 300, "shape": "rect", "weight": "heavy", "hand": true,
     "faces": [{"name": "Hand", "art": "a.svg"}]}
  ],
  "pieces": [{"stack": ["Ace", "Ace"], "x": 0, "y": 0}, {"kind": "Hand", "x": 0, "y": 900}]` +
		more + `}`
}

// TestSeatsAreRead shows that seats are read from a game file and from its catalogue alike, and
// that games without them have the catalogue that they had before there were seats.
func TestSeatsAreRead(t *testing.T) {
	g, err := Parse([]byte(seated(format2, `, "seats": [
    {"name": "White", "side": "south", "colour": "#f2ead8", "hand": 1},
    {"name": "Black", "side": "north", "colour": "#000000"},
    {"name": "Red", "side": 4500, "colour": "#ff0000"}]`)), pictures)
	if err != nil {
		t.Fatal(err)
	}
	want := []Seat{
		{Name: "White", Colour: 0xf2ead8, Hand: 0}, // heavy pieces come first
		{Name: "Black", Angle: 18_000, Hand: NoHand},
		{Name: "Red", Angle: 4_500, Colour: 0xff0000, Hand: NoHand},
	}
	if !reflect.DeepEqual(g.Seats, want) || !g.Kinds[g.Pieces[0].Kind].Hand {
		t.Errorf("%+v, want %+v", g.Seats, want)
	}
	kinds, rest, err := ReadCatalog(g.Catalog)
	seats := rest.Seats
	if err != nil || !reflect.DeepEqual(seats, want) || !reflect.DeepEqual(kinds, g.Kinds) {
		t.Errorf("the catalogue gives %+v, %v", seats, err)
	}
	for _, format := range []string{format1, format2} {
		plain, err := Parse([]byte(seated(format, "")), pictures)
		if err != nil || plain.Seats != nil || strings.Contains(string(plain.Catalog), "seats") {
			t.Errorf("%s without seats: %+v, %v", format, plain, err)
		}
	}
}

// TestSeatsOutOfBounds shows the error of each fault in seats.
func TestSeatsOutOfBounds(t *testing.T) {
	const white = `{"name": "White", "side": "south", "colour": "#ffffff"}`
	of := func(seats string) string { return ",\n\"seats\": [" + seats + "]" }
	put := func(old, now string) string { return of(strings.Replace(white, old, now, 1)) }
	for _, c := range []struct{ format, more, want string }{
		{format1, of(white), `line 13: unknown field "seats"`},
		{format2, of(""), `line 13: seats has 0 entries, not 1 to 32`},
		{format2, of(strings.Repeat(white+",", 32) + white),
			`line 13: seats has 33 entries, not 1 to 32`},
		{format2, put(`"name": "White", `, ""), `line 13: seat 0: name is missing`},
		{format2, put(`"south"`, `"left"`),
			`line 13: seat 0: side: "left" is not south, west, north or east`},
		{format2, put(`"south"`, `36000`),
			`line 13: seat 0: side: 36000 is not a whole number from 0 to 35999`},
		{format2, put(`#ffffff`, `#FFFFFF`),
			`line 13: seat 0: colour: "#FFFFFF" is not a colour such as "#1a2b3c"`},
		{format2, put(`#ffffff`, `white`),
			`line 13: seat 0: colour: "white" is not a colour such as "#1a2b3c"`},
		{format2, put(`#ffffff`, ``), `line 13: seat 0: colour: "" is not a colour such as "#1a2b3c"`},
		{format2, put(`}`, `, "moves": 1}`), `line 13: seat 0: unknown field "moves"`},
		{format2, of(white + "," + white), `line 13: seat 1: "White" is the name of seat 0`},
		{format2, put(`}`, `, "hand": 2}`), `line 13: seat 0: hand: no piece 2`},
		{format2, put(`}`, `, "hand": 0}`), `line 13: seat 0: hand: piece 0 is not a hand`},
		{format2, put(`}`, `, "hand": 1}, `+
			`{"name": "Black", "side": "north", "colour": "#000000", "hand": 1}`),
			`line 13: seat 1: hand: that of seat 0`},
	} {
		t.Run(c.want, func(t *testing.T) {
			g, err := Parse([]byte(seated(c.format, c.more)), pictures)
			if g != nil || withoutColumn(err) != c.want {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestSnapsAreRead shows that snap points are read from a game file, a catalogue and a version
// alike, and the error of each fault in them.
func TestSnapsAreRead(t *testing.T) {
	snaps := func(more string) string {
		return `, "snaps": {"reach": 200, "points": [{"x": 30, "y": 40, "name": "start"}` + more + `]}`
	}
	g, err := Parse([]byte(gridded(format2, snaps(`, {"x": 90, "y": 40}`), "")), pictures)
	want := Snaps{200, []SnapPoint{{30, 40, "start"}, {90, 40, ""}}}
	if err != nil || !reflect.DeepEqual(g.Kinds[0].Snaps, want) {
		t.Fatalf("%+v, %v", g, err)
	}
	if kinds, err := ParseCatalog(g.Catalog); err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
		t.Errorf("the catalogue gives %+v, %v", kinds, err)
	}
	var docs [][]byte
	for _, v := range Versions(g.Kinds) {
		docs = append(docs, v.Doc)
	}
	kinds, err := ReadVersions(docs)
	if err != nil || !reflect.DeepEqual(kinds[0].Snaps, want) {
		t.Errorf("the version gives %+v, %v", kinds, err)
	}
	newer, err := Parse([]byte(gridded(format2, "", "")), pictures)
	if err != nil || CheckNewer(g.Kinds, newer.Kinds) != nil {
		t.Errorf("a newer version cannot have other snap points: %v", err)
	}
	for _, c := range []struct{ format, board, pawn, want string }{
		{format1, snaps(""), "", `line 5: kind 0: unknown field "snaps"`},
		{format2, snaps(`, {"x": 401, "y": 0}`), "",
			`line 5: kind 0: snaps: point: x: 401 is not a whole number from 0 to 400`},
		{format2, snaps(`, {"x": 1, "y": 0, "name": "start"}`), "",
			`line 5: kind 0: snaps: point: "start" stands there twice`},
		{format2, `, "snaps": {"points": [{"x": 1, "y": 1}]}`, "",
			`line 5: kind 0: snaps: reach is missing`},
		{format2, `, "snaps": {"reach": 200, "points": []}`, "",
			`line 5: kind 0: snaps: points has 0 entries, not 1 to 400`},
		{format2, snaps("") + `, "grid": {` + boardGrid + `}`, "",
			`line 5: kind 0: a kind has a grid or snap points, not both`},
		{format2, "", snaps(""), `line 7: kind 1: only a heavy kind has snap points`},
		{format2, snaps("") + `, "hand": true`, "",
			`line 5: kind 0: a secret kind, a hand that is no rack, or a container ` +
				`has no snap points`},
	} {
		if g, err := Parse([]byte(gridded(c.format, c.board, c.pawn)), pictures); g != nil ||
			withoutColumn(err) != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

package game

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">` +
	`<path d="M0 0h1v1z"/></svg>`

// pictures is an art folder with a few names.
func pictures(name string) ([]byte, error) {
	switch name {
	case "a.svg":
		return []byte(square), nil
	case "b.svg":
		return []byte(strings.Replace(square, "h1", "h2", 1)), nil
	case "bad.svg":
		return []byte("<svg xmlns=\"http://www.w3.org/2000/svg\">\n<script/></svg>"), nil
	}
	return nil, fs.ErrNotExist
}

// sample is a small game with everything in it, one kind and one piece a line.
const sample = `{
  "format": "holt.game/1", "id": "sample", "name": "A sample", ` +
	`"summary": "Two cards on a board.", "order": 7,
  "table": {"width": 4000, "height": 3000, "surface": "paper"},
  "kinds": [
    {"name": "King", "width": 600, "height": 900, "shape": "card", "weight": "light", ` +
	`"secret": true, "mask": "Back", ` +
	`"faces": [{"name": "King", "art": "a.svg"}, {"name": "Back", "art": "b.svg"}]},
    {"name": "Queen", "width": 600, "height": 900, "shape": "card", "weight": "light", ` +
	`"secret": true, "mask": "Back", ` +
	`"faces": [{"name": "Queen", "art": "a.svg"}, {"name": "Back", "art": "b.svg"}]},
    {"name": "Back", "width": 600, "height": 900, "shape": "card", "weight": "light", ` +
	`"faces": [{"name": "Back", "art": "b.svg"}]},
    {"name": "Board", "width": 2000, "height": 2000, "shape": "rect", "weight": "heavy", ` +
	`"faces": [{"name": "Board", "art": "a.svg"}]},
    {"name": "Hand", "width": 2000, "height": 500, "shape": "rect", "weight": "heavy", ` +
	`"hand": true, "faces": [{"name": "Hand", "art": "a.svg"}]}
  ],
  "pieces": [
    {"kind": "King", "x": -100, "y": 200, "angle": 9000},
    {"stack": ["King", "Queen", "Queen"], "x": 5, "y": 6, "face": 1, "step": {"x": 1, "y": -2}, ` +
	`"shuffled": true},
    {"kind": "Board", "x": 0, "y": 0, "pinned": true, "locked": true},
    {"stack": ["Queen"], "x": 0, "y": 0, "shuffled": true}
  ]
}
`

// TestParseReadsAllThatAGameHas shows that every field of a game file is read.
func TestParseReadsAllThatAGameHas(t *testing.T) {
	g, err := Parse([]byte(sample), pictures)
	if err != nil {
		t.Fatal(err)
	}
	if g.ID != "sample" || g.Name != "A sample" || g.Summary != "Two cards on a board." ||
		g.Order != 7 {
		t.Errorf("head is %q %q %q %d", g.ID, g.Name, g.Summary, g.Order)
	}
	if g.Width != 4000 || g.Height != 3000 || g.Surface != "paper" {
		t.Errorf("table is %d × %d of %s", g.Width, g.Height, g.Surface)
	}
	a, b := sha256.Sum256([]byte(square)),
		sha256.Sum256([]byte(strings.Replace(square, "h1", "h2", 1)))
	king := g.Kinds[0]
	if king.Name != "King" || !king.Secret || king.Mask != 2 || king.Hand || king.Shape != "card" ||
		king.Weight != "light" ||
		king.Width != 600 || king.Height != 900 ||
		!same(t, king.Faces, []Face{{Name: "King", Art: a}, {Name: "Back", Art: b}}) {
		t.Errorf("king is %+v", king)
	}
	if hand := g.Kinds[4]; !hand.Hand || hand.Secret || hand.Mask != NoMask {
		t.Errorf("hand is %+v", hand)
	}
	want := []Placement{
		{Kind: 3, Pinned: true, Locked: true, In: NotIn}, // heavy, so it comes first
		{Kind: 0, X: -100, Y: 200, Angle: 9000, In: NotIn},
		{Kind: 0, X: 5, Y: 6, Face: 1, Group: 1, In: NotIn},
		{Kind: 1, X: 6, Y: 4, Face: 1, Group: 1, In: NotIn},
		{Kind: 1, X: 7, Y: 2, Face: 1, Group: 1, In: NotIn},
		{Kind: 1, Group: 2, In: NotIn},
	}
	if !slices.Equal(g.Pieces, want) {
		t.Errorf("pieces are %+v,\nwant %+v", g.Pieces, want)
	}
	if len(g.Art) != 2 || g.Art[a].Type != "image/svg+xml" || string(g.Art[a].Data) != square {
		t.Errorf("art is %+v", g.Art)
	}
	if g.CatalogHash != sha256.Sum256(g.Catalog) {
		t.Error("the hash of the catalogue is not that of its bytes")
	}
}

// TestParseNamesTheLineAndWhatIsWrong shows the line and the error of each fault in a game file.
func TestParseNamesTheLineAndWhatIsWrong(t *testing.T) {
	long := strings.Repeat("x", MaxName+1)
	for _, c := range []struct{ old, new, want string }{
		{
			`holt.game/1`, `holt.game/3`,
			`line 2: format: "holt.game/3" is not holt.game/1 or holt.game/2`,
		},
		{
			`"id": "sample"`, `"id": "Sample"`,
			`line 2: id: "Sample" may have small letters, digits and hyphens only`,
		},
		{`"id": "sample", `, ``, `line 1: id is missing`},
		{`"id": "sample"`, `"id": 5`, `line 2: id: want a text, not a number`},
		{`A sample`, long, `line 2: name: it has 81 characters, not 1 to 80`},
		{`A sample`, ` A`, `line 2: name: " A" has spaces around it`},
		{`A sample`, `A\u202e`, `line 2: name: "A\u202e" has a character that cannot be printed`},
		{`"order": 7`, `"oder": 7`, `line 2: unknown field "oder"`},
		{
			`"order": 7`, `"order": 7.5`,
			`line 2: order: 7.5 is not a whole number from 0 to 1000000`,
		},
		{`"order": 7`, `"id": "again"`, `line 2: "id" stands here a second time`},
		{
			`"width": 4000`, `"width": 999`,
			`line 3: table: width: 999 is not a whole number from 1000 to 100000`,
		},
		{`paper`, `ice`, `line 3: table: surface: "ice" is not felt or wood or slate or paper`},
		{
			`{"name": "King", "width": 600`, `{"name": "King", "width": 9`,
			`line 5: kind 0: width: 9 is not a whole number from 10 to 20000`,
		},
		{
			`"shape": "card"`, `"shape": "star"`,
			`line 5: kind 0: shape: "star" is not rect or round or card`,
		},
		{
			`"shape": "card"`, `"shape": "round"`,
			`line 5: kind 0: a round kind is as high as it is wide`,
		},
		{
			`"weight": "light"`, `"weight": "1kg"`,
			`line 5: kind 0: weight: "1kg" is not light or heavy`,
		},
		{
			`"secret": true, "mask": "Back"`, `"secret": true`,
			`line 5: kind 0: a secret kind needs a mask`,
		},
		{
			`"secret": true, "mask": "Back"`, `"mask": "Back"`,
			`line 5: kind 0: only a secret kind has a mask`,
		},
		{
			`"secret": true`, `"secret": 1`,
			`line 5: kind 0: secret: want true or false, not a number`,
		},
		{`"mask": "Back"`, `"mask": "Blank"`, `line 5: kind 0: mask: no kind "Blank"`},
		{`"mask": "Back"`, `"mask": null`, `line 5: kind 0: mask: want a text, not null`},
		{`"mask": "Back"`, `"mask": "Queen"`, `line 5: kind 0: the mask "Queen" is itself secret`},
		{`"mask": "Back"`, `"mask": "Hand"`, `line 5: kind 0: the mask "Hand" is a hand`},
		{
			`"mask": "Back"`, `"mask": "Board"`,
			`line 5: kind 0: the mask "Board" differs in size, shape or weight`,
		},
		{
			`, {"name": "Back", "art": "b.svg"}]`, `]`,
			`line 5: kind 0: a secret kind has two faces or more, a front and a back, ` +
				`not one`,
		},
		{`"name": "Queen"`, `"name": "King"`, `line 6: kind 1: "King" is the name of kind 0`},
		{
			`[{"name": "Board", "art": "a.svg"}]`, `[]`,
			`line 8: kind 3: faces has 0 entries, not 1 to 64`,
		},
		{
			`{"name": "Board", "art": "a.svg"}`, `"a.svg"`,
			`line 8: kind 3: face 0: want an object, not a text`,
		},
		{`"Board", "art": "a.svg"`, `"Board"`, `line 8: kind 3: face 0: art is missing`},
		{
			`"Board", "art": "a.svg"`, `"Board", "art": "c.svg"`,
			`line 8: kind 3: face 0: art: file does not exist`,
		},
		{`"Board", "art": "a.svg"`, `"Board", "art": "bad.svg"`,
			`line 8: kind 3: face 0: art "bad.svg": line 2: ` +
				`element "script" is not allowed (save as plain SVG)`},
		{
			`"weight": "heavy", "hand": true`, `"weight": "light", "hand": true`,
			`line 9: kind 4: a hand is heavy`,
		},
		{`"hand": true`, `"hand": true, "secret": true`, `line 9: kind 4: a hand cannot be secret`},
		{
			`"name": "Back", "width"`, `"name": "Back", "weight": "light", "width"`,
			`line 7: "weight" stands here a second time`,
		},
		{`"Back", "art": "b.svg"}]},
    {"name": "Board"`, `"Back", "art": "b.svg"}, {"name": "Back", "art": "b.svg"}]},
    {"name": "Board"`, `line 5: kind 0: a front and the backs of the mask "Back" are 3 faces ` +
			`or more, not 2`},
		{`"kind": "King"`, `"kind": "Kign"`, `line 12: piece 0: no kind "Kign"`},
		{`"kind": "King", `, ``, `line 12: piece 0: kind is missing`},
		{
			`"x": -100`, `"x": -2001`,
			`line 12: piece 0: x: -2001 is not a whole number from -2000 to 2000`,
		},
		{`9000}`, `36000}`, `line 12: piece 0: angle: 36000 is not a whole number from 0 to 35999`},
		{
			`9000}`, `9000, "face": 2}`,
			`line 12: piece 0: face: "King" has no face 2, the last one is 1`,
		},
		{
			`["King", "Queen", "Queen"]`, `["King", "Board"]`,
			`line 13: piece 1: face: "Board" has no face 1, the last one is 0`,
		},
		{`["Queen"]`, `["Queen", "Back"]`,
			`line 15: piece 3: "Queen" and "Back" cannot be shuffled together: weight, ` +
				`secrecy and mask must be the same`},
		{
			`["Queen"]`, `["Queen", 5]`,
			`line 15: piece 3: stack: entry 1: want a text or a deck, not a number`,
		},
		{`"x": 1, "y": -2`, `"x": 999, "z": -2`, `line 13: piece 1: step: unknown field "z"`},
		{
			`"x": 1, "y": -2`, `"y": -1000`,
			`line 13: piece 1: stack: "Queen" would lie outside the table, at x 5, y -1994`,
		},
		{
			`"shuffled": true}` + "\n", `"shuffled": true, "kind": "King"}` + "\n",
			`line 15: piece 3: unknown field "kind"`,
		},
		{"  ]\n}\n", "  ]\n}\nx", `line 18: there is something after the end`},
		{"  ]\n}\n", "  ]\n", `line 17: it ends too early`},
		{`"pinned": true,`, "\n\"pinned\": tru,", `line 15: the value is not true or false`},
	} {
		t.Run(c.want, func(t *testing.T) {
			doc := strings.Replace(sample, c.old, c.new, 1)
			if doc == sample {
				t.Fatalf("%q is not in the sample", c.old)
			}
			g, err := Parse([]byte(doc), pictures)
			if err == nil || withoutColumn(err) != c.want || g != nil {
				t.Errorf("got game %v, error\n%v, want\n%s", g != nil, err, c.want)
			}
		})
	}
}

// TestParseBoundsWhatItReads shows the bounds on kinds and pieces.
func TestParseBoundsWhatItReads(t *testing.T) {
	many := func(n int, entry string) string { return strings.Repeat(entry+",", n-1) + entry }
	kinds := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(
				&b,
				`,{"name":"Token %d","width":10,"height":10,"shape":"rect","weight":"light",`+
					`"faces":[{"name":"t","art":"a.svg"}]}`,
				i,
			)
		}
		return strings.Replace(sample, "\n  ],\n  \"pieces\"", b.String()+"],\n\"pieces\"", 1)
	}
	stack := func(n int) string {
		return strings.Replace(sample, `["Queen"]`, "["+many(n, `"Queen"`)+"]", 1)
	}
	const others = 5 // kinds of the sample, and its pieces outside the last stack
	for _, c := range []struct {
		name, doc string
		ok        bool
	}{
		{"the maximum number of kinds", kinds(MaxKinds - others), true},
		{"a kind too many", kinds(MaxKinds - others + 1), false},
		{"the maximum number of pieces", stack(MaxPieces - others), true},
		{"a piece too many", stack(MaxPieces - others + 1), false},
		{"too deep", strings.Repeat("[", 1_000_000), false},
		{"too long", sample + strings.Repeat(" ", MaxDocument), false},
		{"not UTF-8", strings.Replace(sample, "A sample", "A \xff", 1), false},
		{"nothing", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse([]byte(c.doc), pictures); (err == nil) != c.ok {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// TestArtThatSeveralFacesShareIsReadOnce shows that each picture is read once.
func TestArtThatSeveralFacesShareIsReadOnce(t *testing.T) {
	read := map[string]int{}
	_, err := Parse([]byte(sample), func(name string) ([]byte, error) {
		read[name]++
		return pictures(name)
	})
	if err != nil || read["a.svg"] != 1 || read["b.svg"] != 1 {
		t.Errorf("read %v, error %v", read, err)
	}
}

// TestParseBoundsTheArtOfAGameTogether shows the bound on all pictures of a game together.
func TestParseBoundsTheArtOfAGameTogether(t *testing.T) {
	padding := strings.Repeat(" ", MaxArt-len(square)-8)
	art := func(name string) ([]byte, error) {
		return fmt.Appendf(nil, "%s<!--%s-->", square+padding, name[:1]), nil
	}
	game := func(n int) []byte {
		var faces []string
		for i := range n {
			faces = append(faces, fmt.Sprintf(`{"name":"f","art":"%c.svg"}`, '0'+i))
		}
		return []byte(strings.Replace(sample, `[{"name": "Board", "art": "a.svg"}]`, "["+
			strings.Join(faces, ",")+"]", 1))
	}
	const others = 2 // pictures of the sample, of the same size
	if _, err := Parse(game(MaxArtTotal/MaxArt-others), art); err != nil {
		t.Error(err)
	}
	want := "line 8: kind 3: face 30: the art up to here has more than 33554432 bytes"
	_, err := Parse(game(MaxArtTotal/MaxArt-others+1), art)
	if err == nil || withoutColumn(err) != want {
		t.Errorf("error is %v, want %s", err, want)
	}
}

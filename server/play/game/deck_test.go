package game

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// spells is a game with a template, a deck and all sorts of layers.
const spells = `{
  "format": "holt.game/2", "id": "spells", "name": "Spells", "summary": "A deck of spells.",
  "table": {"width": 4000, "height": 3000, "surface": "slate"},
  "templates": [
    {"name": "Spell", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "secret": true, "mask": "Back",
     "faces": [
       {"name": "{name}", "layers": [
         {"colour": "{school}"},
         {"art": "{picture}", "x": 50, "y": 120, "width": 500, "height": 400, "fit": "cover"},
         {"text": "{name}", "x": 40, "y": 30, "width": 520, "height": 80, "size": 60, "bold": true},
         {"text": "Costs {cost} {{mana}", "x": 40, "y": 540, "width": 520, "height": 300,
          "colour": "#ffffff", "align": "left", "place": "top", "font": "serif", "italic": true},
         {"text": "{cost}", "x": -20, "y": 780, "width": 200, "height": 100, "angle": 18000}
       ]},
       {"name": "Back", "art": "b.svg"}]}
  ],
  "decks": [
    {"name": "Fire", "template": "Spell", "rows": [
      {"name": "Spark", "count": 3, "school": "#aa2200", "picture": "a.svg", "cost": "1"},
      {"name": "Blaze", "school": "#aa2200", "cost": "5"},
      {"name": "Ash", "count": 0, "school": "", "picture": "a.svg"}]}
  ],
  "kinds": [
    {"name": "Back", "width": 600, "height": 900, "shape": "card", "weight": "light",
     "faces": [{"name": "Back", "layers": [{"art": "b.svg"}]}]},
    {"name": "Box", "width": 900, "height": 1000, "shape": "rect", "weight": "heavy",
     "container": {"draws": "top", "takes": "Back"}, "faces": [{"name": "Box", "art": "a.svg"}]}
  ],
  "pieces": [
    {"stack": [{"deck": "Fire"}, "Ash"], "x": 0, "y": 0, "face": 1, "shuffled": true},
    {"kind": "Box", "x": 1500, "y": 0, "holds": ["Ash", {"deck": "Fire"}], "shuffled": true}
  ]
}
`

func spellsGame(t testing.TB) *Game {
	t.Helper()
	g, err := Parse([]byte(spells), pictures)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestDeckIsAsIfItsKindsWereWritten shows that a deck gives the kinds and the pieces that a file
// gives in which each kind is written.
// Clauses: G10.1
func TestDeckIsAsIfItsKindsWereWritten(t *testing.T) {
	var written []string
	rows := []struct{ name, school, picture, cost string }{
		{"Spark", "#aa2200", "a.svg", "1"}, {"Blaze", "#aa2200", "", "5"}, {"Ash", "", "a.svg", ""},
	}
	template := spells[strings.Index(spells, `    {"name": "Spell"`):strings.Index(spells, "\n  ],")]
	for _, r := range rows {
		written = append(written, strings.NewReplacer(`"name": "Spell"`, `"name": "`+r.name+`"`,
			"{name}", r.name, "{school}", r.school, "{picture}", r.picture, "{cost}", r.cost,
			"{{", "{").Replace(template))
	}
	head, rest, _ := strings.Cut(spells, `  "templates"`)
	_, kinds, _ := strings.Cut(rest, `  "kinds"`)
	doc := head + `  "kinds"` + kinds
	doc = strings.Replace(doc, "\n  ],\n  \"pieces\"", ",\n"+strings.Join(written, ",\n")+
		"\n  ],\n  \"pieces\"", 1)
	doc = strings.ReplaceAll(doc, `{"deck": "Fire"}`, `"Spark", "Spark", "Spark", "Blaze"`)
	want, err := Parse([]byte(doc), pictures)
	if err != nil {
		t.Fatal(err)
	}
	got := spellsGame(t)
	if !reflect.DeepEqual(got.Kinds, want.Kinds) || !bytes.Equal(got.Catalog, want.Catalog) {
		t.Errorf("kinds are %+v\nnot %+v", got.Kinds, want.Kinds)
	}
	if !reflect.DeepEqual(got.Pieces, want.Pieces) || len(got.Pieces) != 11 {
		t.Errorf("pieces are %+v\nnot %+v", got.Pieces, want.Pieces)
	}
}

// TestLayersAreRead shows every field of a layer.
func TestLayersAreRead(t *testing.T) {
	g := spellsGame(t)
	hash := g.Kinds[1].Faces[0].Art
	if a := g.Art[hash]; string(a.Data) != square {
		t.Fatalf("art is %+v", a)
	}
	want := []Layer{
		{What: "colour", Colour: "#aa2200"},
		{What: "art", Art: hash, X: 50, Y: 120, Width: 500, Height: 400, Fit: "cover"},
		{What: "text", Text: "Spark", X: 40, Y: 30, Width: 520, Height: 80, Size: 60, Bold: true},
		{What: "text", Text: "Costs 1 {mana}", X: 40, Y: 540, Width: 520, Height: 300,
			Colour: "#ffffff", Align: "left", Place: "top", Serif: true, Italic: true},
		{What: "text", Text: "1", X: -20, Y: 780, Width: 200, Height: 100, Angle: 18000},
	}
	if got := g.Kinds[2].Faces[0]; got.Name != "Spark" || !reflect.DeepEqual(got.Layers, want) {
		t.Errorf("the front of the first spell is %+v", got)
	}
	if got := g.Kinds[4].Faces[0].Layers; got[0].Colour != "" || got[2].Text != "Ash" ||
		got[4].Text != "" {
		t.Errorf("the front of Ash is %+v", got)
	}
	if of := Pictures(g.Kinds[3:4]); len(of) != 1 || of[0] != g.Kinds[3].Faces[1].Art {
		t.Errorf("Blaze, which has no picture but its back, has %x", of)
	}
	if of := Pictures(g.Kinds); len(of) != 2 || len(g.Art) != 2 {
		t.Errorf("the game has %x", of)
	}
}

// TestDecksAreRefused shows the errors in templates, decks and layers.
// Clauses: G10.2, G10.3
func TestDecksAreRefused(t *testing.T) {
	for want, change := range map[string][2]string{
		`deck "Fire": row 1: unknown field "kost"`:            {`"cost": "5"`, `"kost": "5"`},
		`deck "Fire": row 1: cost: want a text, not a number`: {`"cost": "5"`, `"cost": 5`},
		`line 10, column 18: template 0: art: {school} is in one place a picture, and in another ` +
			`one a text`: {`"art": "{picture}"`, `"art": "{school}"`},
		`template 0: art: {name} is in one place a picture`: {`"art": "{picture}"`, `"art": "{name}"`},
		`template 0: art: a column stands for the whole path of a picture`: {
			`"art": "{picture}"`, `"art": "{picture}.svg"`},
		`template 0: text: {count} is not a column`:   {`"text": "{cost}"`, `"text": "{count}"`},
		`template 0: text: "{cost" has no } behind {`: {`"text": "{cost}"`, `"text": "{cost"`},
		`template 0: text: the column in {}`:          {`"text": "{cost}"`, `"text": "{}"`},
		`line 4, column 26: no deck uses the template "Other"`: {
			`"templates": [`, `"templates": [{"name": "Other"},`},
		`deck 0: template: there is no "Spel"`: {`"template": "Spell"`, `"template": "Spel"`},
		`piece 0: stack: entry 0: there is no deck "Ice"`: {
			`"stack": [{"deck": "Fire"}`, `"stack": [{"deck": "Ice"}`},
		`the kind "Blaze" of a deck: "Blaze" is the name of kind 3`: {`"name": "Ash"`, `"name": "Blaze"`},
		`line 21, column 35: the kind "Blaze" of a deck: face 0: layer 0: colour: "red" is not`: {
			`"Blaze", "school": "#aa2200"`, `"Blaze", "school": "red"`},
		`face 0: layer 1: fit: "wide" is not cover or fill or contain`: {`"cover"`, `"wide"`},
		`face 0: layer 1: a layer has one of text, art or colour`: {
			`{"colour": "{school}"}`, `{"colour": "{school}"}, {}`},
		`face 0: layer 0: unknown field "size"`: {
			`{"colour": "{school}"}`, `{"colour": "{school}", "size": 60}`},
		`face 0: layer 2: width: 5 is not a whole number from 10 to 20000`: {
			`"width": 520, "height": 80`, `"width": 5, "height": 80`},
		`face 0: a face has art or layers, not both`: {
			`{"name": "Back", "layers": [`, `{"name": "Back", "art": "b.svg", "layers": [`},
		`line 20, column 69: the kind "Spark" of a deck: face 0: layer 1: art: file does not`: {
			`"picture": "a.svg", "cost"`, `"picture": "a.png", "cost"`},
	} {
		doc := strings.Replace(spells, change[0], change[1], 1)
		if doc == spells {
			t.Fatalf("%s is not in the game", change[0])
		}
		_, err := Parse([]byte(doc), pictures)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error\n%v, want\n%s", change[1], err, want)
		}
	}
}

// TestDecksAreBounded shows that a deck of nothing, too many pieces and too many layers are
// refused.
func TestDecksAreBounded(t *testing.T) {
	row := func(i, count int) string { return fmt.Sprintf(`{"name": "S%d", "count": %d}`, i, count) }
	deck := func(rows, layers string) string {
		head, rest, _ := strings.Cut(spells, `      {"name": "Spark"`)
		_, tail, _ := strings.Cut(rest, "]}\n  ],\n  \"kinds\"")
		doc := head + rows + "]}\n  ],\n  \"kinds\"" + tail
		return strings.ReplaceAll(strings.Replace(doc, `{"colour": "{school}"},`,
			`{"colour": "{school}"},`+layers, 1), `"Ash"`, `"S1"`)
	}
	var many []string
	for i := range 1990 {
		many = append(many, row(i, min(i, 1)))
	}
	for want, doc := range map[string]string{
		`the deck "Fire" has no pieces`:    deck(row(0, 0), ""),
		"the deck has more than 10000":     deck(row(0, 6000)+","+row(1, 6000), ""),
		"there are more than 10000 pieces": deck(row(1, 6000), ""),
		"face 0: layers has 34 entries":    deck(row(1, 1), strings.Repeat(`{"colour": ""},`, 29)),
		"have more than 40000 layers": deck(
			strings.Join(many, ","), strings.Repeat(`{"colour": ""},`, 27)),
		"there are 2001 kinds, more than 2000": deck(strings.Join(many, ",")+","+strings.Join([]string{
			row(2000, 0), row(2001, 0), row(2002, 0), row(2003, 0), row(2004, 0), row(2005, 0),
			row(2006, 0), row(2007, 0), row(2008, 0)}, ","), ""),
	} {
		_, err := Parse([]byte(doc), pictures)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %.300v, want %s", err, want)
		}
	}
}

// TestCatalogSharesWhatKindsHaveInCommon shows the bytes of a catalogue with templates.
// Clauses: G10.4
func TestCatalogSharesWhatKindsHaveInCommon(t *testing.T) {
	g := spellsGame(t)
	const want = `{"format":"holt.catalog/2","templates":[` +
		`{"name":0,"width":600,"height":900,"shape":"card","weight":"light","secret":true,"mask":0,` +
		`"faces":[{"name":0,"layers":[{"colour":1},` +
		`{"art":2,"x":50,"y":120,"width":500,"height":400,"fit":"cover"},` +
		`{"text":0,"x":40,"y":30,"width":520,"height":80,"size":60,"bold":true},` +
		`{"text":3,"colour":"#ffffff","x":40,"y":540,"width":520,"height":300,"align":"left",` +
		`"place":"top","font":"serif","italic":true},` +
		`{"text":4,"x":-20,"y":780,"width":200,"height":100,"angle":18000}]},` +
		`{"name":"Back","art":"B"}],OFFERS}],"kinds":[` +
		`{"name":"Back","width":600,"height":900,"shape":"card","weight":"light","secret":false,` +
		`"faces":[{"name":"Back","layers":[{"art":"B"}]}]},` +
		`{"name":"Box","width":900,"height":1000,"shape":"rect","weight":"heavy","secret":false,` +
		`"container":{"draws":"top","takes":0},"faces":[{"name":"Box","art":"A"}],BOX},` +
		`{"template":0,"values":["Spark","#aa2200","A","Costs 1 {mana}","1"]},` +
		`{"template":0,"values":["Blaze","#aa2200","","Costs 5 {mana}","5"]},` +
		`{"template":0,"values":["Ash","","A","Costs  {mana}",""]}]}`
	got := strings.NewReplacer(hexOf(g.Kinds[1].Faces[0]), "A", hexOf(g.Kinds[2].Faces[1]),
		"B").Replace(string(g.Catalog))
	for kind, name := range map[int]string{1: "BOX", 2: "OFFERS"} {
		offers := string(encoded(catalogOf(&g.Kinds[kind]).Offers))
		got = strings.Replace(got, `"offers":`+offers, name, 1)
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	kinds2, err := ParseCatalog(g.Catalog)
	if err != nil || !reflect.DeepEqual(kinds2, g.Kinds) {
		t.Errorf("read back: error %v, kinds %+v,\nwant %+v", err, kinds2, g.Kinds)
	}
}

// TestCatalogOf2IsStrict shows what is refused in a catalogue with templates.
func TestCatalogOf2IsStrict(t *testing.T) {
	catalog := string(spellsGame(t).Catalog)
	back := hexOf(spellsGame(t).Kinds[1].Faces[0])
	for want, change := range map[string][2]string{
		"values: want a text, not a number": {`"values":["Spark"`, `"values":[1`},
		"template: there is no template 1": {
			`{"template":0,"values":["Spark"`, `{"template":1,"values":["Spark"`},
		"colour: there is no value 9":      {`{"colour":1}`, `{"colour":9}`},
		"colour: there is no value -1":     {`{"colour":1}`, `{"colour":-1}`},
		`unknown field "more"`:             {`"values":["Spark"`, `"more":1,"values":["Spark"`},
		"values has 1001 entries":          {`["Spark"`, `[` + strings.Repeat(`"",`, 996) + `"Spark"`},
		"want an object, not a number":     {`"templates":[`, `"templates":[1,`},
		`face 0: layer 1: art: "B" is not`: {`["Spark","#aa2200","` + back, `["Spark","#aa2200","B`},
		`unknown field "templates"`:        {"holt.catalog/2", "holt.catalog/1"},
	} {
		doc := strings.Replace(catalog, change[0], change[1], 1)
		if doc == catalog {
			t.Fatalf("%s is not in %s", change[0], catalog)
		}
		_, err := ParseCatalog([]byte(doc))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %.200v, want %s", change[1][:min(40, len(change[1]))], err, want)
		}
	}
}

// TestVersionOfALayeredKind shows that a kind with layers travels, and that its pictures and texts
// may change in a newer version (O30).
func TestVersionOfALayeredKind(t *testing.T) {
	kinds := spellsGame(t).Kinds
	for i := range kinds {
		kinds[i].Offers = nil
	}
	read, err := ReadVersions(docsOf(kinds))
	if err != nil || !reflect.DeepEqual(read, kinds) {
		t.Fatalf("error %v, kinds %+v", err, read)
	}
	newer := spellsGame(t).Kinds
	newer[2].Faces[0].Layers = newer[2].Faces[0].Layers[:2]
	if err := CheckNewer(kinds, newer); err != nil {
		t.Error(err)
	}
	all, at, err := Extend(kinds[:2], kinds)
	if err != nil || len(all) != 6 || at[2] != 2 {
		t.Errorf("added to a table they are %+v at %v, error %v", all, at, err)
	}
}

// TestPackedSpells shows that a packed game has the pictures of rows, and that unpacked and packed
// again it is the same.
func TestPackedSpells(t *testing.T) {
	p, err := readFull(spells)
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadPacked(data)
	if err != nil || !reflect.DeepEqual(again.Game, p.Game) {
		t.Fatalf("unpacked it is another one, error %v", err)
	}
	if n := strings.Count(string(p.Doc), hexOf(p.Game.Kinds[1].Faces[0])); n != 3 {
		t.Errorf("a picture is named %d times in\n%s", n, p.Doc)
	}
	if strings.Contains(string(p.Doc), ".svg") {
		t.Errorf("a path is left in\n%s", p.Doc)
	}
}

// TestDrawingOfLayers shows that a drawing has the layers of faces.
func TestDrawingOfLayers(t *testing.T) {
	doc := strings.Replace(spells, `"face": 1, "shuffled": true`, `"face": 0`, 1)
	g, err := Parse([]byte(doc), pictures)
	if err != nil {
		t.Fatal(err)
	}
	drawing := g.Drawing(0)
	if err := checkDrawing(g, drawing); err != nil {
		t.Error(err)
	}
	for _, want := range []string{">Spark<", ">Costs 5<", `fill="#aa2200"`, `fill="#ffffff"`,
		"rotate(180", "xMidYMid slice"} {
		if !strings.Contains(string(drawing), want) {
			t.Errorf("%s is not in %s", want, drawing)
		}
	}
}

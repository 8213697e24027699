package game

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// acting is a game with a kind of each sort that offers operations, one a line.
const acting = `{
  "format": "holt.game/1", "id": "acting", "name": "Acting", "summary": "Pieces that do something.",
  "table": {"width": 9000, "height": 9000, "surface": "felt"},
  "kinds": [
    {"name": "King", "width": 600, "height": 900, "shape": "card", "weight": "light", ` +
	`"secret": true, "mask": "Back", "peek": "host", ` +
	`"faces": [{"name": "King", "art": "a.svg"}, {"name": "Back", "art": "b.svg"}]},
    {"name": "Back", "width": 600, "height": 900, "shape": "card", "weight": "light", ` +
	`"faces": [{"name": "Back", "art": "b.svg"}]},
    {"name": "Deck", "width": 800, "height": 1100, "shape": "rect", "weight": "heavy", ` +
	`"peek": "players", "container": {"draws": "top", "takes": "Back"}, ` +
	`"faces": [{"name": "Deck", "art": "a.svg"}]},
    {"name": "Bag", "width": 900, "height": 900, "shape": "round", "weight": "heavy", ` +
	`"counted": false, "container": {"draws": "random"}, "faces": [{"name": "Bag", "art": "a.svg"}]},
    {"name": "Hand", "width": 2000, "height": 1000, "shape": "rect", "weight": "heavy", ` +
	`"hand": true, "counted": false, "faces": [{"name": "Hand", "art": "a.svg"}]},
    {"name": "Die", "width": 300, "height": 300, "shape": "rect", "weight": "light", ` +
	`"private": true, "die": {"cooldown": 1200}, ` +
	`"faces": [{"name": "Die, 1", "art": "a.svg"}, {"name": "Die, 2", "art": "b.svg"}]},
    {"name": "Score", "width": 700, "height": 400, "shape": "rect", "weight": "light", ` +
	`"counter": {"min": -5, "max": 99, "initial": 20}, ` +
	`"display": {"x": 100, "y": 50, "width": 500, "height": 300}, ` +
	`"faces": [{"name": "Score", "art": "a.svg"}]},
    {"name": "Gold", "width": 400, "height": 400, "shape": "round", "weight": "light", ` +
	`"private": true, "currency": {"initial": 100}, ` +
	`"display": {"x": 100, "y": 100, "width": 200, "height": 200}, ` +
	`"faces": [{"name": "Gold", "art": "a.svg"}]},
    {"name": "Note", "width": 1000, "height": 1000, "shape": "rect", "weight": "light", ` +
	`"text": {"initial": "Our rules:\n"}, ` +
	`"display": {"x": 0, "y": 0, "width": 1000, "height": 1000}, ` +
	`"faces": [{"name": "Note", "art": "a.svg"}]},
    {"name": "Label", "width": 1000, "height": 300, "shape": "rect", "weight": "light", ` +
	`"seat": "label", "display": {"x": 50, "y": 50, "width": 900, "height": 200}, ` +
	`"faces": [{"name": "Label", "art": "a.svg"}]},
    {"name": "Turn", "width": 900, "height": 900, "shape": "round", "weight": "light", ` +
	`"seat": "turn", "display": {"x": 100, "y": 300, "width": 700, "height": 300}, ` +
	`"faces": [{"name": "Turn", "art": "a.svg"}]},
    {"name": "Disc", "width": 200, "height": 200, "shape": "round", "weight": "light", ` +
	`"faces": [{"name": "Disc", "art": "a.svg"}]},
    {"name": "Glass", "width": 500, "height": 800, "shape": "rect", "weight": "light", ` +
	`"hourglass": {"duration": 180000}, "faces": [{"name": "Glass", "art": "a.svg"}]}
  ],
  "pieces": [
    {"kind": "Disc", "x": 0, "y": 0},
    {"kind": "Bag", "x": 2000, "y": 0, "holds": ["King", "Disc", "Die"]},
    {"kind": "Deck", "x": -2000, "y": 30, "angle": 9000, "pinned": true, ` +
	`"holds": ["King", "King"], "shuffled": true}
  ]
}
`

// The indexes of the kinds of acting.
const (
	theKing = iota
	theBack
	theDeck
	theBag
	theHand
	theDie
	theScore
	theGold
	theNote
	theLabel
	theTurn
	theDisc
	theGlass
)

func actingGame(t testing.TB) *Game {
	t.Helper()
	g, err := Parse([]byte(acting), pictures)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestWhatPiecesDoIsRead shows that all that kinds do is read from a game file.
func TestWhatPiecesDoIsRead(t *testing.T) {
	g := actingGame(t)
	want := make([]Kind, len(g.Kinds))
	want[theKing].Peek = "host"
	want[theDeck] = Kind{Peek: "players", Container: Container{Draws: "top", Takes: theBack}}
	want[theBag] = Kind{Uncounted: true, Container: Container{Draws: "random", Takes: AnyLight}}
	want[theHand] = Kind{Uncounted: true, Hand: true}
	want[theDie] = Kind{Private: true, Die: Die{Rolls: true, Cooldown: 1200}}
	want[theScore] = Kind{
		Counter: Counter{Counts: true, Min: -5, Max: 99, Initial: 20, Step: 1},
		Display: Display{100, 50, 500, 300},
	}
	want[theGold] = Kind{Private: true, Currency: 100, Display: Display{100, 100, 200, 200}}
	want[theNote] = Kind{
		Text: Text{Written: true, Initial: "Our rules:\n"}, Display: Display{0, 0, 1000, 1000},
	}
	want[theLabel] = Kind{Seat: "label", Display: Display{50, 50, 900, 200}}
	want[theTurn] = Kind{Seat: "turn", Display: Display{100, 300, 700, 300}}
	want[theGlass] = Kind{Hourglass: Hourglass{Duration: 180_000}}
	for i, k := range g.Kinds {
		// TestParseReadsAllThatAGameHas shows the other fields.
		w := want[i]
		w.Name, w.Width, w.Height, w.Shape, w.Weight, w.Secret, w.Mask = k.Name, k.Width, k.Height,
			k.Shape, k.Weight, k.Secret, k.Mask
		w.Faces, w.Offers = k.Faces, k.Offers
		if !reflect.DeepEqual(k, w) {
			t.Errorf("got\n%+v, want\n%+v", k, w)
		}
	}
	kinds, err := ParseCatalog(g.Catalog)
	if err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
		t.Errorf("the catalogue reads as %+v with error %v", kinds, err)
	}
}

// TestCatalogSaysWhatPiecesDoAsTheProtocolDoes shows how a catalogue says what kinds do.
func TestCatalogSaysWhatPiecesDoAsTheProtocolDoes(t *testing.T) {
	catalog := string(actingGame(t).Catalog)
	for _, want := range []string{
		`"secret":true,"mask":1,"peek":"host","faces":`,
		`"secret":false,"peek":"players","container":{"draws":"top","takes":1},"faces":`,
		`"secret":false,"container":{"draws":"random"},"counted":false,"faces":`,
		`"secret":false,"hand":true,"counted":false,"faces":`,
		`"secret":false,"private":true,"die":{"cooldown":1200},"faces":`,
		`"secret":false,"counter":{"min":-5,"max":99,"initial":20},` +
			`"display":{"x":100,"y":50,"width":500,"height":300},"faces":`,
		`"secret":false,"private":true,"currency":{"initial":100},"display":`,
		`"secret":false,"text":{"initial":"Our rules:\n"},"display":`,
		`"secret":false,"seat":"label","display":`,
		`"secret":false,"seat":"turn","display":`,
		`"secret":false,"hourglass":{"duration":180000},"faces":`,
		`"offers":[{"op":"turn","key":"o","label":"Turn over"},`,
		`"offers":[{"op":"count","key":"k","label":"Add 1","with":{"n":1}},` +
			`{"op":"count","key":"j","label":"Take 1 off","with":{"n":-1}},` +
			`{"op":"count","key":"m","label":"Add or take off",` +
			`"asks":[{"name":"n","label":"How much more? Less than 0 takes off.",` +
			`"min":-104,"max":104,"initial":1}]}`,
		`{"op":"write","key":"m","label":"Write",` +
			`"asks":[{"name":"text","label":"What stands on it?","max":2000}]}`,
		`{"op":"pass","key":"o","label":"Next player"},` +
			`{"op":"assign","key":"y","label":"Give to a player",` +
			`"asks":[{"name":"seat","label":"Whose is it?"}]},` +
			`{"op":"assign","label":"Take back","with":{"seat":0}}`,
	} {
		if !strings.Contains(catalog, want) {
			t.Errorf("%s is not in\n%s", want, catalog)
		}
	}
}

// TestWhatIsWrongWithAKindThatDoesSomethingIsSaid shows the line and the error of each fault in
// what a kind does.
func TestWhatIsWrongWithAKindThatDoesSomethingIsSaid(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{
			`"peek": "host"`, `"peek": "nobody"`,
			`line 5: kind 0: peek: "nobody" is not players or host`,
		},
		{
			`"secret": true, `, `"secret": true, "private": true, `,
			`line 5: kind 0: a secret kind is private in any case`,
		},
		{
			`"peek": "host", `, `"counted": true, `,
			`line 5: kind 0: only what lies in a hand or a container is counted`,
		},
		{
			`{"name": "Back", "width"`, `{"name": "Back", "peek": "host", "width"`,
			`line 6: kind 1: only at a secret kind and into a container somebody may peek`,
		},
		{`"peek": "host", `, `"die": {}, `, `line 5: kind 0: a die cannot be secret`},
		{
			`"peek": "host", `,
			`"currency": {"initial": 1}, "display": {"x": 0, "y": 0, "width": 10, "height": 10}, `,
			`line 5: kind 0: currency cannot be secret`,
		},

		{`"top"`, `"bottom"`, `line 7: kind 2: container: draws: "bottom" is not top or random`},
		{`"draws": "top", `, ``, `line 7: kind 2: container: draws is missing`},
		{
			`"draws": "random"`, `"draws": "random", "size": 3`,
			`line 8: kind 3: container: unknown field "size"`,
		},
		{`{"draws": "random"}`, `true`, `line 8: kind 3: container: want an object, not true`},
		{
			`"takes": "Back"`, `"takes": "Front"`,
			`line 7: kind 2: container: takes: no kind "Front"`,
		},
		{
			`"takes": "Back"`, `"takes": "King"`,
			`line 7: kind 2: container: takes: "King" is the mask of no kind`,
		},
		{
			`"takes": "Back"`, `"takes": 1`,
			`line 7: kind 2: container: takes: want a text, not a number`,
		},
		{
			`"weight": "heavy", "peek"`, `"weight": "light", "peek"`,
			`line 7: kind 2: a container is heavy`,
		},
		{
			`"peek": "players"`, `"private": true`,
			`line 7: kind 2: only a light kind can be private`,
		},
		{`"peek": "players"`, `"hand": true`, `line 7: kind 2: a hand cannot be a container`},
		{
			`"counted": false, "container"`, `"counted": 0, "container"`,
			`line 8: kind 3: counted: want true or false, not a number`,
		},
		{`"counted": false, "container"`, `"display": {"x": 0, "y": 0, "width": 10, "height": 10}, ` +
			`"container"`,
			`line 8: kind 3: there is nothing to be written on a display`},

		{
			`"cooldown": 1200`, `"cooldown": 60001`,
			`line 10: kind 5: die: cooldown: 60001 is not a whole number from 0 to 60000`,
		},
		{`"cooldown": 1200`, `"sides": 2`, `line 10: kind 5: die: unknown field "sides"`},
		{
			`, {"name": "Die, 2", "art": "b.svg"}]`, `]`,
			`line 10: kind 5: a die has two faces or more, not 1`,
		},
		{`"die": {`, `"seat": "turn", "die": {`, `line 10: kind 5: display is missing`},
		{
			`"die": {`,
			`"seat": "turn", "display": {"x": 0, "y": 0, "width": 10, "height": 10}, "die": {`,
			`line 10: kind 5: a die cannot be the label of a seat`,
		},

		{
			`"min": -5`, `"min": -1073741825`,
			`line 11: kind 6: counter: min: -1073741825 is not a whole number ` +
				`from -1073741824 to 1073741824`,
		},
		{
			`"max": 99`, `"max": 1073741825`,
			`line 11: kind 6: counter: max: 1073741825 is not a whole number from -1073741824 to 1073741824`,
		},
		{`"max": 99`, `"max": -5`, `line 11: kind 6: counter: max: -5 is not above -5`},
		{
			`"initial": 20`, `"initial": -6`,
			`line 11: kind 6: counter: initial: -6 is not from -5 to 99`,
		},
		{`, "initial": 20`, ``, `line 11: kind 6: counter: initial is missing`},
		{`"initial": 20`, `"initial": 20, "step": 0`,
			`line 11: kind 6: counter: step: 0 is not a whole number from 1 to 1073741824`},
		{`"initial": 20`, `"initial": 20, "step": 105`,
			`line 11: kind 6: counter: step: 105 is more than from -5 to 99`},
		{
			`"x": 100, "y": 50`, `"x": 201, "y": 50`,
			`line 11: kind 6: display: it reaches beyond the piece`,
		},
		{
			`"display": {"x": 100, "y": 50, "width": 500, "height": 300}, `, ``,
			`line 11: kind 6: display is missing`,
		},
		{
			`"counter": {`, `"text": {"initial": ""}, "counter": {`,
			`line 11: kind 6: a counter cannot be a note`,
		},
		{
			`"counter": {`, `"die": {}, "counter": {`,
			`line 11: kind 6: a die has two faces or more, not 1`,
		},

		{
			`"initial": 100`, `"initial": 0`,
			`line 12: kind 7: currency: initial: 0 is not a whole number from 1 to 1073741824`,
		},
		{`"currency": {`, `"currency": 5, "bonus": {`, `line 12: kind 7: unknown field "bonus"`},
		{
			`"currency": {`, `"seat": "label", "currency": {`,
			`line 12: kind 7: currency cannot be the label of a seat`,
		},

		{`Our rules:\n`, `\u0007`, `line 13: kind 8: text: initial: "\a" has a control character`},
		{
			`Our rules:\n`, strings.Repeat("é", 1001),
			`line 13: kind 8: text: initial: it has 2002 bytes, more than 2000`,
		},
		{
			`"initial": "Our rules:\n"`, `"initial": null`,
			`line 13: kind 8: text: initial: want a text, not null`,
		},
		{`"initial": "Our rules:\n"`, ``, `line 13: kind 8: text: initial is missing`},

		{
			`"seat": "label"`, `"seat": "owner"`,
			`line 14: kind 9: seat: "owner" is not label or turn`,
		},
		{`"seat": "turn"`, `"seat": "turn", "clock": {"counts": "up", "initial": 0, ` +
			`"displays": [{"x": 0, "y": 0, "width": 10, "height": 10}]}`,
			`line 15: kind 10: a clock cannot be the label of a seat`},
		{
			`"name": "Disc", `, `"name": "Disc", "offers": [], `,
			`line 16: kind 11: unknown field "offers"`,
		},
		{`"shape": "card", "weight": "light", "faces": [{"name": "Back"`,
			`"shape": "card", "weight": "light", "currency": {"initial": 1}, ` +
				`"display": {"x": 0, "y": 0, "width": 10, "height": 10}, "faces": [{"name": "Back"`,
			`line 5: kind 0: the mask "Back" is currency`},

		{
			`"duration": 180000`, `"duration": 999`,
			`line 17: kind 12: hourglass: duration: 999 is not a whole number from 1000 to 3600000`,
		},
		{
			`"duration": 180000`, `"duration": 3600001`,
			`line 17: kind 12: hourglass: duration: 3600001 is not a whole number from 1000 to 3600000`,
		},
		{`"duration": 180000`, ``, `line 17: kind 12: hourglass: duration is missing`},
		{
			`"hourglass": {`, `"die": {}, "hourglass": {`,
			`line 17: kind 12: a die has two faces or more, not 1`,
		},
		{
			`{"name": "Glass", "art": "a.svg"}]`,
			`{"name": "Glass", "art": "a.svg"}, {"name": "Back", "art": "b.svg"}]`,
			`line 17: kind 12: an hourglass has one face, not 2`,
		},
		{
			`"hourglass": {`, `"display": {"x": 0, "y": 0, "width": 10, "height": 10}, "hourglass": {`,
			`line 17: kind 12: there is nothing to be written on a display`,
		},
	} {
		t.Run(c.want, func(t *testing.T) { refused(t, c.old, c.new, c.want) })
	}
}

// refused shows that acting with one change is refused, and with which error.
func refused(t *testing.T, old, changed, want string) {
	t.Helper()
	wrong := strings.Replace(acting, old, changed, 1)
	if wrong == acting {
		t.Fatalf("%q is not in the sample", old)
	}
	if g, err := Parse([]byte(wrong), pictures); err == nil || withoutColumn(err) != want || g != nil {
		t.Errorf("got game %v, error\n%v, want\n%s", g != nil, err, want)
	}
}

// TestAsMuchAsMayBeIsTaken shows that values at the bounds are accepted.
func TestAsMuchAsMayBeIsTaken(t *testing.T) {
	for _, c := range []struct{ old, new string }{
		{
			`"min": -5, "max": 99, "initial": 20`,
			`"min": -1073741824, "max": 1073741824, "initial": 1073741824`,
		},
		{`"initial": 100`, `"initial": 1073741824`},
		{`"duration": 180000`, `"duration": 1000`},
		{`"duration": 180000`, `"duration": 3600000`},
		{`"cooldown": 1200`, ``},
		{`"cooldown": 1200`, `"cooldown": 60000`},
		{`Our rules:\n`, ``},
		{`Our rules:\n`, strings.Repeat("é\n", 666) + "é"},
		{`"counted": false, "container"`, `"counted": true, "container"`},
		{`"private": true, "die"`, `"private": false, "die"`},
	} {
		doc := strings.Replace(acting, c.old, strings.ReplaceAll(c.new, "\n", `\n`), 1)
		g, err := Parse([]byte(doc), pictures)
		if err != nil || doc == acting {
			t.Errorf("%.60s: error %v", c.new, err)
			continue
		}
		if kinds, err := ParseCatalog(g.Catalog); err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
			t.Errorf("%.60s: the catalogue reads as %+v with error %v", c.new, kinds, err)
		}
	}
}

// TestWhatIsSaidInVainLeavesTheCatalogueAsItIs shows that fields with their default values do not
// change the catalogue.
func TestWhatIsSaidInVainLeavesTheCatalogueAsItIs(t *testing.T) {
	g := sampleGame(t)
	doc := strings.Replace(sample, `"hand": true`,
		`"hand": true, "counted": true, "private": false`, 1)
	other, err := Parse([]byte(doc), pictures)
	if err != nil || doc == sample || !bytes.Equal(g.Catalog, other.Catalog) {
		t.Errorf("error %v, the catalogue is\n%s", err, other.Catalog)
	}
}

// A counter counts by its step, and the catalogue says nothing of a step of 1.
func TestCounterStep(t *testing.T) {
	for step, want := range map[string]struct {
		inCatalog, add, takeOff string
	}{
		``:             {`"initial":20}`, "Add 1", "Take 1 off"},
		`, "step": 1`:  {`"initial":20}`, "Add 1", "Take 1 off"},
		`, "step": 50`: {`"initial":20,"step":50}`, "Add 50", "Take 50 off"},
	} {
		doc := strings.Replace(acting, `"initial": 20`, `"initial": 20`+step, 1)
		g, err := Parse([]byte(doc), pictures)
		if err != nil {
			t.Fatal(err)
		}
		kinds, err := ParseCatalog(g.Catalog)
		if err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
			t.Errorf("%q: read again it is another game: %v", step, err)
		}
		for _, part := range []string{want.inCatalog, want.add, want.takeOff} {
			if !strings.Contains(string(g.Catalog), part) {
				t.Errorf("%q: %s is not in the catalogue", step, part)
			}
		}
	}
}

package game

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema returns the JSON Schema of loose game files.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../../docs/guides/game.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	const name = "https://holt.invalid/game.schema.json"
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid returns what the schema says against a game file.
func valid(t *testing.T, s *jsonschema.Schema, doc string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// TestSchemaAcceptsWhatTheReaderAccepts shows that the schema refuses nothing that is correct: the
// games of the shelf, those of the guide, and those of the tests of the reader.
func TestSchemaAcceptsWhatTheReaderAccepts(t *testing.T) {
	s := schema(t)
	docs := map[string]string{
		"full": full, "spells": spells, "sample": sample, "acting": acting, "pressing": pressing,
		"asking":  asking,
		"chained": attaching(format2, chained(3)...),
		"zoned":   zoned,
		"clocked": withClock(t, clocked),
		"gridded": gridded(format2, `, "grid": {`+boardGrid+`, "captures": true}`, `, "upright": true`),
	}
	shelf := shippedFiles(t)
	for _, name := range globbed(t, shelf, "games/*.json") {
		docs[name] = string(shelf[name].Data)
	}
	samples := os.DirFS("../../../docs/guides/samples")
	names, err := fs.Glob(samples, "*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("samples: %v, %v", names, err)
	}
	for _, name := range names {
		doc, err := fs.ReadFile(samples, name)
		if err != nil {
			t.Fatal(err)
		}
		docs[name] = string(doc)
	}
	for name, doc := range docs {
		if err := valid(t, s, doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	guide := guideGames(t)
	for _, doc := range guide {
		if err := valid(t, s, doc); err != nil {
			t.Errorf("a game of the guide: %v", err)
		}
		if _, err := ReadLoose([]byte(doc), FilesOf(shelf, ".", shelf)); err != nil {
			t.Errorf("a game of the guide: %v in %s", err, doc)
		}
	}
	if len(guide) < 2 {
		t.Errorf("the guide has %d games", len(guide))
	}
	p, _ := packedFull(t)
	if err := valid(t, s, string(p.Loose()[0].Data)); err != nil {
		t.Errorf("what is unpacked: %v", err)
	}
}

// guideGames returns the game files in the guide for authors.
func guideGames(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/guides/games.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n    {\n      \"format\"")
	for ok {
		doc, after, _ := strings.Cut(rest, "\n    }\n")
		all = append(all, "    {\n      \"format\""+doc+"\n    }\n")
		_, rest, ok = strings.Cut(after, "\n    {\n      \"format\"")
	}
	return all
}

// TestSchemaRefusesWhatTheReaderRefuses shows faults that the schema finds, too. It cannot find
// all: names that lead nowhere, say, or a grid that reaches beyond its piece.
func TestSchemaRefusesWhatTheReaderRefuses(t *testing.T) {
	s := schema(t)
	grid := gridded(format2, `, "grid": {`+boardGrid+`, "captures": true}`, `, "upright": true`)
	clock := withClock(t, clocked)
	of := func(in string) func(old, to string) string {
		if _, err := readFull(in); err != nil {
			t.Fatalf("without a fault: %v", err)
		}
		return func(old, to string) string {
			if !strings.Contains(in, old) {
				t.Fatalf("%s is not in %s", old, in)
			}
			return strings.Replace(in, old, to, 1)
		}
	}
	inFull, inSample, inActing, inSpells := of(full), of(sample), of(acting), of(spells)
	inButton, inZone, inSupply := of(pressing), of(zoned), of(supplied)
	inGrid, inClock, inAsk := of(grid), of(clock), of(asking)
	for name, doc := range map[string]string{
		"a list":                     `[]`,
		"another format":             inFull(format2, "holt.game/3"),
		"an id in capitals":          inFull(`"id": "full"`, `"id": "Full"`),
		"no id":                      inFull(`"id": "full", `, ``),
		"a long name":                inFull(`"name": "Full"`, `"name": "`+strings.Repeat("é", 81)+`"`),
		"a name with a space":        inFull(`"name": "Full"`, `"name": "Full "`),
		"a name of two lines":        inFull(`"name": "Full"`, `"name": "Fu\nll"`),
		"an unknown field":           inFull(`"summary"`, `"more": 1, "summary"`),
		"a wide table":               inFull(`"width": 4000`, `"width": 100001`),
		"half a unit":                inFull(`"width": 4000`, `"width": 4000.5`),
		"a table of ice":             inFull(`"felt"`, `"ice"`),
		"no kinds":                   inFull(`"kinds": [`, `"kinds": [], "_": [`),
		"no players":                 inFull(`[2, 4]`, `[0, 4]`),
		"one number of players":      inFull(`[2, 4]`, `2`),
		"no minutes":                 inFull(`[15, 30]`, `0`),
		"three minutes":              inFull(`[15, 30]`, `[1, 2, 3]`),
		"a genre that is none":       inFull(`"party"`, `"golf"`),
		"a genre twice":              inFull(`"party"`, `"tiles"`),
		"no genres":                  inFull(`["tiles", "party"]`, `[]`),
		"an old player":              inFull(`"age": 8`, `"age": 100`),
		"a language in another form": inFull(`"pt-BR"`, `"pt-br"`),
		"a language twice":           inFull(`"pt-BR"`, `"en"`),
		"an author twice":            inFull(`["A. Author", "B"]`, `["B", "B"]`),
		"a long licence":             inFull(`CC0-1.0`, strings.Repeat("a", 101)),
		"rules as a web page":        inFull(`how to.md`, `how to.html`),
		"a tag in another form":      inFull(`"de":`, `"DE":`),
		"no languages": inFull(`{"de": "full/deutsch.json", "zh-Hant": "full/zh.json"}`,
			`{}`),
		"a script that is a number": inFull(`"// It does nothing.\n\tlet a = '<é>';\n"`, `5`),
		"a button that is a list":   inButton(`"button": {`, `"button": [], "_": {`),
		"a button of no steps":      inButton(`"steps": [`, `"steps": [], "_": [`),
		"a verb that is none":       inButton(`"flip"`, `"fly"`),
		"no way to turn":            inButton(`, "by": 9000`, ``),
		"add and set":               inButton(`"add": 2`, `"add": 2, "set": 3`),
		"add 0":                     inButton(`"add": 2`, `"add": 0`),
		"a pass that is 1": inButton(`"do": "flip", "kind": "Coin"`,
			`"do": "pass", "kind": "Turn", "reverse": 1`),
		"a third side": inButton(`"do": "flip", "kind": "Coin"`,
			`"do": "start", "kind": "Watch", "side": 3`),
		"a sort of so many": inButton(`"do": "flip", "kind": "Coin"`,
			`"do": "sort", "kind": "Row", "n": 3`),
		"a condition that is not equal": inButton(`"do": "flip"`, when(`"of": "value", "kind": "Score",
			"is": "<>", "n": 1`)),
		"a condition of nothing": inButton(`"do": "flip"`, when(`"of": "pieces", "is": "=", "n": 1`)),
		"a value in a zone": inButton(`"do": "flip"`, when(`"of": "value", "kind": "Score",
			"in": "Row", "is": "=", "n": 1`)),
		"a condition without steps": inButton(`"do": "flip"`, `"do": "if", "of": "value", "is": "=",
			"n": 1, "then": [], "_": "flip"`),
		"conditions three deep": inButton(`{"do": "flip", "kind": "Coin"}`,
			nested(`{"do": "flip", "kind": "Coin"}`, 3)),
		"a question in a list":     inAsk(`"then": [`, `"then": [`+asksWho+`, `),
		"a question of a set-up":   inAsk(`"pieces": [`, `"steps": [`+asksWho+`], "pieces": [`),
		"a question for nothing":   inAsk(`"for": "seat"`, `"for": "luck"`),
		"a question without words": inAsk(`"question": "Who?", `, ``),
		"a number without an end":  inAsk(`, "max": 5`, ``),
		"a player with an end":     inAsk(`"for": "seat"`, `"for": "seat", "max": 2`),
		"a single choice":          inAsk(`["Red", "Blue"]`, `["Red"]`),
		"a choice twice":           inAsk(`["Red", "Blue"]`, `["Red", "Red"]`),
		"a piece of no kind":       inAsk(`"for": "piece", "kind": "Coin"`, `"for": "piece"`),
		"an answer to nothing":     inAsk(`{"answer": "What"}`, `{}`),
		"an answer in a list":      inAsk(`{"answer": "What"}`, `[{"answer": "What"}]`),
		"an answer that turns":     inAsk(`"by": 9000`, `"by": {"answer": "Many"}`),
		"an answer with a kind": inAsk(`"of": {"answer": "Many"}`,
			`"kind": "Coin", "of": {"answer": "Many"}`),
		"a slow button":             inButton(`"cooldown": 1000`, `"cooldown": 60001`),
		"a button of nobody":        inButton(`"who": "host"`, `"who": "nobody"`),
		"a button that rolls":       inButton(`"button"`, `"die": {}, "button"`),
		"a button in the first":     inButton(format2, format1),
		"a zone that is a list":     inZone(`"zone": {`, `"zone": [], "_": {`),
		"a zone that lays heaps":    inZone(`"grid"`, `"heap"`),
		"a zone without lay":        inZone(`"lay": "grid", `, ``),
		"a row without a gap":       inZone(`"row", "gap": 10`, `"row"`),
		"a pile with a gap":         inZone(`"row", "gap": 10`, `"pile", "gap": 10`),
		"rows of a row":             inZone(`"row", "gap": 10`, `"row", "gap": 10, "down": 10`),
		"a zone for nothing":        inZone(`"most": 7`, `"most": 0`),
		"a zone that turns left":    inZone(`"turns": "down"`, `"turns": "left"`),
		"a zone that takes no kind": inZone(`["Card", "Coin"]`, `[]`),
		"a zone with a name twice":  inZone(`"Coin"]`, `"Card"]`),
		"a light zone": inZone(`"heavy",
     "zone": {"lay": "row"`, `"light",
     "zone": {"lay": "row"`),
		"a supply that is a text": inSupply(`{"of": "Coin"}`, `"Coin"`),
		"a supply of nothing":     inSupply(`{"of": "Coin"}`, `{}`),
		"a light supply": inSupply(`"heavy",
     "supply"`, `"light",
     "supply"`),
		"a supply in the first": inSupply(format2, format1),
		"a zone in the first":   inZone(format2, format1),
		"a text with a tab":     inFull(`"Two\nlines"`, `"Two\tlines"`),
		"no display": inFull(`, "display": {"x": 0, "y": 0, "width": 400, "height": 400}`,
			``),
		"a step of a single piece": inFull(`"kind": "Slip"`, `"kind": "Slip", "step": {}`),
		"neither kind nor stack":   inFull(`"kind": "Slip", `, ``),
		"shuffled, and alone":      inFull(`"kind": "Slip"`, `"kind": "Slip", "shuffled": true`),
		"a full turn":              inFull(`"kind": "Slip"`, `"kind": "Slip", "angle": 36000`),
		"an empty stack":           inFull(`["Stone"]`, `[]`),
		"foreign in the first":     inFull(format2, format1),
		"script in the first":      inSample(`"order": 7`, `"script": ""`),
		"a secret kind, no mask":   inSample(`"secret": true, "mask": "Back"`, `"secret": true`),
		"a mask, not secret":       inSample(`"secret": true, "mask": "Back"`, `"mask": "Back"`),
		"a secret kind, one face": inSample(
			`[{"name": "King", "art": "a.svg"}, {"name": "Back", "art": "b.svg"}]`,
			`[{"name": "King", "art": "a.svg"}]`),
		"a light hand": inSample(`"weight": "heavy", "hand": true`,
			`"weight": "light", "hand": true`),
		"private, secret": inSample(`"secret": true, "mask"`, `"private": true, "secret": true, "mask"`),
		"heavy, private": inSample(`"weight": "heavy", "hand": true`,
			`"weight": "heavy", "private": true`),
		"peek at no card":  inSample(`"hand": true`, `"hand": true, "peek": "host"`),
		"a rack, no hand":  inZone(`"zone": {"lay": "row"`, `"rack": true, "zone": {"lay": "row"`),
		"a secret rack":    inZone(`"heavy",`, `"heavy", "hand": true, "rack": true, "counted": false,`),
		"counted, no hand": inSample(`"hand": true`, `"counted": false`),
		"two abilities":    inSample(`"hand": true`, `"hand": true, "container": {"draws": "top"}`),
		"a hand with a seat": inSample(`"hand": true`,
			`"hand": true, "seat": "turn", "display": {"x": 0, "y": 0, "width": 50, "height": 50}`),
		"a die of one side":           inSample(`"hand": true`, `"die": {}`),
		"an unknown field of a clock": inClock(`"clock": {`, `"clock": {"more": 1, `),
		"captures and tray":           inGrid(`"captures": true`, `"captures": true, "tray": true`),
		"grid and snaps": inGrid(`"captures": true}`,
			`"captures": true}, "snaps": {"reach": 10, "points": [{"x": 1, "y": 1}]}`),
		"upright in the first": strings.Replace(inGrid(`, "grid": {`+boardGrid+`, "captures": true}`, ``),
			format2, format1, 1),
		"a layer of nothing":   inSpells(`{"colour": "{school}"}`, `{"angle": 0}`),
		"a colour and art":     inSpells(`"fit": "cover"`, `"fit": "cover", "colour": "#aa2200"`),
		"a large colour":       inSpells(`{"colour": "{school}"}`, `{"colour": "{school}", "size": 50}`),
		"a layer of no width":  inSpells(`"width": 500, "height": 400, `, ``),
		"a layer far away":     inSpells(`"x": -20`, `"x": -20001`),
		"small letters":        inSpells(`"size": 60`, `"size": 9`),
		"a wide fit":           inSpells(`"fit": "cover"`, `"fit": "wide"`),
		"art and layers":       inSpells(`"Back", "layers"`, `"Back", "art": "b.svg", "layers"`),
		"neither of them":      inSpells(`{"name": "Back", "art": "b.svg"}]}`, `{"name": "Back"}]}`),
		"no layers":            inSpells(`"layers": [{"art": "b.svg"}]`, `"layers": []`),
		"a row without a name": inSpells(`{"name": "Blaze", `, `{`),
		"half a card":          inSpells(`"count": 3`, `"count": 0.5`),
		"a number in a row":    inSpells(`"cost": "5"`, `"cost": 5`),
		"a deck of no rows":    inSpells(`"Fire", "template"`, `"Fire", "rows": [], "_": 1, "template"`),
		"a deck in the first":  inSpells(format2, format1),
		"no such entry":        inSpells(`[{"deck": "Fire"}`, `[{"stack": "Fire"}`),
		"templates, no decks":  inSpells(`"decks"`, `"_"`),
		"a fast die":           inActing(`"cooldown": `, `"cooldown": -`),
	} {
		t.Run(name, func(t *testing.T) {
			if valid(t, s, doc) == nil {
				t.Error("the schema accepts it")
			}
			files := besideFull()
			if _, err := ReadLoose([]byte(doc), FilesOf(files, ".", files)); err == nil {
				t.Error("the reader accepts it")
			}
		})
	}
}

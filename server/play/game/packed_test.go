package game

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// full is a game file with everything that came with holt.game/2 and that is kept in a packed game.
const full = `{
  "format": "holt.game/2", "id": "full", "name": "Full", "summary": "A bit of all.",
  "about": {"players": [2, 4], "minutes": [15, 30], "age": 8, "languages": ["en", "pt-BR"],
            "licence": "CC0-1.0", "attribution": "Drawn by hand.", "authors": ["A. Author", "B"],
            "rules": "full/how to.md", "genres": ["tiles", "party"]},
  "table": {"width": 4000, "height": 3000, "surface": "felt"},
  "kinds": [
    {"name": "Stone", "width": 300, "height": 300, "shape": "round", "weight": "light",
     "foreign": {"was": "pawn", "n": [1.50, -0, 1e3, null, true]},
     "faces": [{"name": "Up", "art": "a.svg"}, {"name": "Down", "art": "b.svg"}]},
    {"name": "Slip", "width": 500, "height": 500, "shape": "rect", "weight": "light",
     "text": {"initial": "Two\nlines"}, "display": {"x": 0, "y": 0, "width": 400, "height": 400},
     "faces": [{"name": "Slip", "art": "a.svg"}]}
  ],
  "pieces": [
    {"kind": "Slip", "x": 0, "y": 0},
    {"kind": "Stone", "x": 900, "y": 0, "foreign": "é\u2028\u001f\"\\/\ud83c\udfb2"},
    {"stack": ["Stone"], "x": -900, "y": 0, "foreign": []}
  ],
  "languages": {"de": "full/deutsch.json", "zh-Hant": "full/zh.json"},
  "script": "// It does nothing.\n\tlet a = '<é>';\n",
  "foreign": {"\ud83c\udfb2": 1, "\ufb33": 2, "b": {"y": 0, "x": "\b\t\n\f\r"}, "a": false}
}
`

// besideFull are the files beside the game full.
func besideFull() fstest.MapFS {
	return fstest.MapFS{
		"art/a.svg":      {Data: []byte(square)},
		"art/b.svg":      {Data: []byte(strings.Replace(square, "h1", "h2", 1))},
		"full/how to.md": {Data: []byte("# Rules\n\nThere are none.\n")},
		"full/deutsch.json": {Data: []byte(
			`{"texts": {"Stone": "Stein", "Two\nlines": "Zwei\nZeilen"}}`,
		)},
		"full/zh.json": {Data: []byte("{\n\"texts\": {}}")},
	}
}

// readFull reads a game file beside which are the files of the game full.
func readFull(doc string) (*Packed, error) {
	files := besideFull()
	return ReadLoose([]byte(doc), FilesOf(files, ".", files))
}

// packedFull returns the game full, and its packed file.
func packedFull(t testing.TB) (*Packed, []byte) {
	t.Helper()
	p, err := readFull(full)
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return p, data
}

// TestGameFileOf2IsRead shows what a game knows of the fields of holt.game/2.
// Clauses: G5.1
func TestGameFileOf2IsRead(t *testing.T) {
	p, _ := packedFull(t)
	g := p.Game
	rules := []byte("# Rules\n\nThere are none.\n")
	want := About{
		Players: Range{2, 4}, Minutes: Range{15, 30}, Age: 8, Languages: []string{"en", "pt-BR"},
		Genres:  []string{"tiles", "party"},
		Licence: "CC0-1.0", Attribution: "Drawn by hand.", Authors: []string{"A. Author", "B"},
		Rules: Rules{Name: "rules.md", Data: rules, Hash: sha256.Sum256(rules)},
	}
	if !reflect.DeepEqual(g.About, want) {
		t.Errorf("about is %+v, want %+v", g.About, want)
	}
	texts := map[string]map[string]string{
		"de": {"Stone": "Stein", "Two\nlines": "Zwei\nZeilen"}, "zh-Hant": {},
	}
	for _, l := range g.Languages {
		if !reflect.DeepEqual(l.Texts, texts[l.Tag]) || sha256.Sum256(l.Data) != l.Hash ||
			!bytes.HasPrefix(l.Data, []byte("{")) {
			t.Errorf("the language is %+v", l)
		}
	}
	if len(g.Languages) != len(texts) {
		t.Errorf("there are %d languages", len(g.Languages))
	}
	if g.Script != "// It does nothing.\n\tlet a = '<é>';\n" {
		t.Errorf("the script is %q", g.Script)
	}
	// In the order of UTF-16 a die (U+1F3B2) stands before U+FB33.
	foreign := Foreign{
		Game: []byte(`{"a":false,"b":{"x":"\b\t\n\f\r","y":0},"🎲":1,"` + "\ufb33" + `":2}`),
		Kinds: map[int][]byte{
			0: []byte(`{"n":[1.5,0,1000,null,true],"was":"pawn"}`)},
		Pieces: map[int][]byte{
			1: []byte("\"é\u2028\\u001f\\\"\\\\/🎲\""), 2: []byte(`[]`)},
	}
	if !reflect.DeepEqual(g.Foreign, foreign) {
		t.Errorf("foreign is %+v", g.Foreign)
	}
}

// TestG5WhatIsKeptStaysInTheFile shows that clients get nothing of what is only kept, and that the
// first format has none of it.
func TestG5WhatIsKeptStaysInTheFile(t *testing.T) {
	p, _ := packedFull(t)
	bare := full
	for _, field := range []string{
		`"foreign": {"was": "pawn", "n": [1.50, -0, 1e3, null, true]},`,
		`, "foreign": []`,
		`  "script": "// It does nothing.\n\tlet a = '<é>';\n",` + "\n",
	} {
		if !strings.Contains(bare, field) {
			t.Fatalf("the sample has no %s", field)
		}
		bare = strings.Replace(bare, field, "", 1)
	}
	without, err := readFull(bare)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("G5.4 the catalogue is the same", func(t *testing.T) {
		if !bytes.Equal(p.Game.Catalog, without.Game.Catalog) {
			t.Error("clients get what is only kept")
		}
	})
	t.Run("G2.1 the identity is another one", func(t *testing.T) {
		if p.ID == without.ID {
			t.Error("what is kept has no part in the identity")
		}
	})
	for _, field := range []string{"about", "languages", "script", "foreign"} {
		doc := strings.Replace(sample, `"order": 7`, `"order": 7, "`+field+`": {}`, 1)
		if _, err := Parse([]byte(doc), pictures); err == nil ||
			withoutColumn(err) != `line 2: unknown field "`+field+`"` {
			t.Errorf("%s in the first format: %v", field, err)
		}
	}
}

// TestG5Bounds shows the bounds of what came with holt.game/2, and what is said beyond them.
// Clauses: G5.2, G5.3, G6.1, G6.2, G6.3
func TestG5Bounds(t *testing.T) {
	long := strings.Repeat("x", MaxForeign-2)
	for _, c := range []struct{ name, old, new, want string }{
		{"foreign", `"foreign": []`, `"foreign": "` + long + `"`, ""},
		{"foreign, too large", `"foreign": []`, `"foreign": "` + long + `x"`,
			"line 18, column 56: piece 2: foreign has 65537 bytes, more than 65536"},
		{"a number beyond a double", `"foreign": []`, `"foreign": [0, 1e309]`,
			"line 18, column 60: piece 2: foreign: 1e309 is too large"},
		{"a whole number that a double has not", `"foreign": []`, `"foreign": 9007199254740993`,
			"line 18, column 56: piece 2: foreign: 9007199254740993 has more than 53 bits: " +
				"write it as a text"},
		{"half a character", `"foreign": []`, `"foreign": ["\ud83c\udfb2 \\ud800", "\ud83c"]`,
			"line 18, column 81: piece 2: foreign: half a character, such as \\ud800 alone, " +
				"cannot be kept"},
		{"the other half first", `"foreign": []`, `"foreign": "\udfb2\ud83c"`,
			"line 18, column 56: piece 2: foreign: half a character, such as \\ud800 alone, " +
				"cannot be kept"},
		{"half a character in a name", `"foreign": []`, `"foreign": {"a": 1, "\ud800": 2}`,
			"line 18, column 75: piece 2: foreign: half a character, such as \\ud800 alone, " +
				"cannot be kept"},
		{"script with half a character", `// It does`, `// It \ud800 does`,
			"line 21, column 13: script: half a character, such as \\ud800 alone, cannot be kept"},
		{"script, too large", `// It does nothing.`, strings.Repeat(long, 5),
			"line 21, column 13: script has 327688 bytes, more than 262144"},
		{"script with a control character", `// It does`, `// It\u0000does`,
			"line 21, column 13: script has a control character other than tabs and ends of lines"},
		{"script, a number", `"// It does nothing.\n\tlet a = '<é>';\n"`, `5`,
			"line 21, column 13: script: want a text, not a number"},
		{"a single genre", `["tiles", "party"]`, `["tool"]`, ""},
		{"G19.5 a genre that is none", `["tiles", "party"]`, `["tiles", "golf"]`,
			"line 5, column 60: about: genres: entry 1: \"golf\" is not board or cards or dice or " +
				"tiles or party or tool"},
		{"G19.5 a genre twice", `["tiles", "party"]`, `["tiles", "tiles"]`,
			"line 5, column 60: about: genres: entry 1: \"tiles\" stands there twice"},
		{"G19.5 four genres", `["tiles", "party"]`, `["tiles", "party", "board", "dice"]`,
			"line 5, column 50: about: genres has 4 entries, not 1 to 3"},
		{"G19.5 no genres", `["tiles", "party"]`, `[]`,
			"line 5, column 50: about: genres has 0 entries, not 1 to 3"},
		{"players from 1", `[2, 4]`, `[1, 32]`, ""},
		{"no players", `[2, 4]`, `[0, 4]`,
			"line 3, column 25: about: players: the least: 0 is not a whole number from 1 to 32"},
		{"33 players", `[2, 4]`, `[2, 33]`,
			"line 3, column 28: about: players: the most: 33 is not a whole number from 1 to 32"},
		{"fewer players at most", `[2, 4]`, `[4, 2]`,
			"line 3, column 25: about: players: 4 is more than 2"},
		{"one number of players", `[2, 4]`, `2`,
			"line 3, column 24: about: players: want an array, not a number"},
		{"minutes", `[15, 30]`, `20`, ""},
		{"no minutes", `[15, 30]`, `0`,
			"line 3, column 43: about: minutes: 0 is not a whole number from 1 to 10000"},
		{"three minutes", `[15, 30]`, `[1, 2, 3]`,
			"line 3, column 43: about: minutes has 3 entries, not 2 to 2"},
		{"age", `"age": 8`, `"age": 100`,
			"line 3, column 60: about: age: 100 is not a whole number from 1 to 99"},
		{"a language in another form", `"pt-BR"`, `"pt-br"`,
			"line 3, column 83: about: languages: entry 1: " +
				`"pt-br" is not a language such as "de", "pt-BR" or "zh-Hant"`},
		{"a language twice", `"pt-BR"`, `"en"`,
			`line 3, column 83: about: languages: entry 1: "en" stands there twice`},
		{"no author", `["A. Author", "B"]`, `[]`,
			"line 4, column 79: about: authors has 0 entries, not 1 to 32"},
		{"an author with a space", `"A. Author"`, `"A. Author "`,
			`line 4, column 80: about: authors: entry 0: "A. Author " has spaces around it`},
		{"a licence in many words", `CC0-1.0`, strings.Repeat("a", MaxLicence+1),
			"line 4, column 24: about: licence: it has 101 characters, not 1 to 100"},
		{"unknown", `"age"`, `"ages"`, `line 3, column 53: about: unknown field "ages"`},
		{"rules in another form", `how to.md`, `how to.html`,
			`line 5, column 22: about: rules: "full/how to.html" ends neither in .md nor in .pdf`},
		{"rules that are missing", `how to.md`, `no.md`,
			"line 5, column 22: about: there is no file full/no.md"},
		{"rules elsewhere", `full/how to.md`, `../rules.md`,
			`line 5, column 22: about: "../rules.md" is not a path in the folder of the game file`},
		{"a PDF that is none", `full/how to.md`, `full/not.pdf`,
			"line 5, column 22: about: rules: full/not.pdf is not a PDF"},
		{"rules that are not UTF-8", `full/how to.md`, `full/latin.md`,
			"line 5, column 22: about: rules: full/latin.md is not UTF-8"},
		{"a PDF", `full/how to.md`, `full/true.pdf`, ""},
		{"a tag in another form", `"de":`, `"DE":`,
			`line 20, column 17: languages: "DE" is not a language such as "de", "pt-BR" or "zh-Hant"`},
		{"no languages", `{"de": "full/deutsch.json", "zh-Hant": "full/zh.json"}`, `{}`,
			"line 20, column 16: languages has 0 entries, not 1 to 32"},
		{"a text that stands nowhere", `full/zh.json`, `full/nowhere.json`,
			"line 20, column 55: languages: full/nowhere.json: line 2, column 11: " +
				`texts: "Ston" stands nowhere in the game`},
		{"a name of two lines", `full/zh.json`, `full/lines.json`,
			"line 20, column 55: languages: full/lines.json: line 1, column 22: " +
				`texts: "Stone": "a\nb" has a character that cannot be printed`},
		{"a text that is too long", `full/zh.json`, `full/long.json`,
			"line 20, column 55: languages: full/long.json: line 1, column 22: " +
				`texts: "Stone": it has 81 characters, not 1 to 80`},
		{"a language file that is too large", `full/zh.json`, `full/large.json`,
			"line 20, column 55: languages: full/large.json: it has 262145 bytes, more than 262144"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := besideFull()
			for name, data := range map[string]string{
				"not.pdf": "%PS", "true.pdf": "%PDF-1.7\n\x00", "latin.md": "caf\xe9",
				"nowhere.json": "{\n\"texts\": {\"Ston\": \"a\"}}",
				"lines.json":   `{"texts": {"Stone":  "a\nb"}}`,
				"long.json":    `{"texts": {"Stone":  "` + strings.Repeat("a", 81) + `"}}`,
				"large.json":   strings.Repeat(" ", MaxLanguage+1),
			} {
				files["full/"+name] = &fstest.MapFile{Data: []byte(data)}
			}
			doc := strings.Replace(full, c.old, c.new, 1)
			p, err := ReadLoose([]byte(doc), FilesOf(files, ".", files))
			if doc == full || (p != nil) != (c.want == "") || err != nil && err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestG2IdentityOfAGame shows on what the identity of a game depends, and on what not.
func TestG2IdentityOfAGame(t *testing.T) {
	p, data := packedFull(t)
	t.Run("G2.1 it is the hash of game.json", func(t *testing.T) {
		if p.ID != sha256.Sum256(p.Doc) || !bytes.Equal(contents(t, data)["game.json"], p.Doc) {
			t.Errorf("it is %x", p.ID)
		}
		want := `{"about":{"age":8,"attribution":"Drawn by hand.","authors":["A. Author","B"],` +
			`"genres":["tiles","party"],"languages":["en","pt-BR"],"licence":"CC0-1.0",` +
			`"minutes":[15,30],"players":[2,4],` +
			fmt.Sprintf(`"rules":{"name":"rules.md","sha256":"%x"}},"foreign":`, p.Game.About.Rules.Hash)
		if !strings.HasPrefix(string(p.Doc), want) {
			t.Errorf("game.json is %s, want %s…", p.Doc, want)
		}
	})
	t.Run("G2.2 spaces, the order of fields and paths do not count", func(t *testing.T) {
		files := besideFull()
		for from, to := range map[string]string{
			"art/a.svg": "art/first/picture", "full/how to.md": "other.md", "full/zh.json": "zh",
		} {
			files[to] = files[from]
			delete(files, from)
		}
		doc := full
		for _, c := range [][2]string{
			{`a.svg`, `first/picture`}, {`full/how to.md`, `other.md`}, {`full/zh.json`, `zh`},
			{`"id": "full", "name": "Full"`, `"name": "Fu\u006cl", "id":"full"`}, {"\n  ", "\r\n\t"},
			{`-0`, `0.0`},
		} {
			doc = strings.ReplaceAll(doc, c[0], c[1])
		}
		other, err := ReadLoose([]byte(doc), FilesOf(files, ".", files))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := other.Bytes(); err != nil || other.ID != p.ID || !bytes.Equal(again, data) {
			t.Errorf("it is another game: %v, %s", err, other.Doc)
		}
	})
	t.Run("G2.3 all else counts", func(t *testing.T) {
		for path, change := range map[string]string{
			"art/a.svg": " ", "full/how to.md": "More.\n", "full/deutsch.json": "\n",
		} {
			files := besideFull()
			files[path].Data = append(files[path].Data, change...)
			other, err := ReadLoose([]byte(full), FilesOf(files, ".", files))
			if err != nil || other.ID == p.ID {
				t.Errorf("%s has no part in the identity, or is refused: %v", path, err)
			}
		}
	})
	t.Run("G2.4 unpacked and packed again it is the same", func(t *testing.T) { again(t, p, data) })
	t.Run("G2.5 a file of the first format is packed as one of the second", func(t *testing.T) {
		first, err := ReadLoose([]byte(sample), Files{Art: pictures, Beside: noFile})
		if err != nil {
			t.Fatal(err)
		}
		second, err := ReadLoose([]byte(strings.Replace(sample, format1, format2, 1)),
			Files{Art: pictures, Beside: noFile})
		if err != nil || first.ID != second.ID {
			t.Errorf("%v, it is %s", err, first.Doc)
		}
		data, err := first.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again(t, first, data)
	})
}

// again reads the packed file of a game, unpacks it, packs it again, and compares.
func again(t *testing.T, p *Packed, data []byte) {
	t.Helper()
	read, err := ReadPacked(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(read.Game, p.Game) || read.ID != p.ID || !bytes.Equal(read.Doc, p.Doc) {
		t.Errorf("read it is %+v, want %+v", read.Game, p.Game)
	}
	for name, from := range map[string]*Packed{"packed": read, "loose": p} {
		files := fstest.MapFS{}
		loose := from.Loose()
		for _, f := range loose {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		if loose[0].Name != p.Game.ID+".json" || len(loose) != len(contents(t, data)) {
			t.Errorf("%s: the files are %v", name, slices.Collect(maps.Keys(files)))
		}
		back, err := ReadLoose(loose[0].Data, FilesOf(files, ".", files))
		if err != nil {
			t.Fatalf("%s: %v, in\n%s", name, err, loose[0].Data)
		}
		if data2, err := back.Bytes(); err != nil || back.ID != p.ID || !bytes.Equal(data2, data) {
			t.Errorf("%s: packed again it is another game: %v", name, err)
		}
		for n, line := range strings.Split(string(loose[0].Data), "\n") {
			if len([]rune(line)) > lineWidth && strings.Count(line, `": `) > 1 {
				t.Errorf("%s: line %d is too long: %s", name, n+1, line)
			}
		}
	}
}

// contents returns what the zip reader of Go finds in a packed game.
func contents(t testing.TB, data []byte) map[string][]byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("Go does not read it: %v", err)
	}
	all := map[string][]byte{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if all[f.Name], err = io.ReadAll(in); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	if len(all) != len(r.File) {
		t.Fatal("Go finds a name twice")
	}
	return all
}

// TestPackedShelf shows that all games of the shelf can be packed, and stay as they are.
func TestPackedShelf(t *testing.T) {
	shelf := shippedFiles(t)
	for _, name := range globbed(t, shelf, "games/*.json") {
		doc := shelf[name].Data
		p, err := ReadLoose(doc, FilesOf(shelf, "games", shelf))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		files := fstest.MapFS{}
		for _, f := range p.Loose() {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
		loose := files[p.Game.ID+".json"].Data
		back, err := ReadLoose(loose, FilesOf(files, ".", files))
		if err != nil {
			t.Fatalf("%s: %v, in\n%s", name, err, loose)
		}
		data, err := back.Bytes()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if read, err := ReadPacked(data); err != nil || read.ID != p.ID ||
			!reflect.DeepEqual(read.Game, p.Game) {
			t.Errorf("%s: packed it is another game: %v", name, err)
		}
	}
}

// TestG6AllTextsHaveTranslations shows which texts of a game a language may have.
func TestG6AllTextsHaveTranslations(t *testing.T) {
	doc := gridded(format2, `, "grid": {`+boardGrid+`, "columnNames": ["a", "b", "c", "d"], `+
		`"rowNames": ["1", "2", "3"]}`, "")
	g, err := Parse([]byte(doc), pictures)
	if err != nil {
		t.Fatal(err)
	}
	g.Seats = []Seat{{Name: "White"}}
	g.Setups = []Setup{{Name: "Short"}}
	g.Kinds[1].Snaps.Points = []SnapPoint{{Name: "start"}, {}}
	g.Kinds = append(g.Kinds, Kind{Text: Text{Initial: "Rules:\nnone"}},
		Kind{Text: Text{Initial: "a"}}) // also the name of a column, with its bounds
	want := map[string]int{
		g.Name: MaxName, g.Summary: MaxSummary, "a": maxCellName, "b": maxCellName, "c": maxCellName,
		"d": maxCellName, "1": maxCellName, "2": maxCellName, "3": maxCellName,
		"White": MaxName, "Short": MaxSetupName, "start": maxCellName, "Rules:\nnone": ofNote,
	}
	for _, k := range g.Kinds[:2] {
		want[k.Name] = MaxName
		for _, f := range k.Faces {
			want[f.Name] = MaxName
		}
	}
	if texts := g.texts(); !maps.Equal(texts, want) {
		t.Errorf("texts are %v, want %v", texts, want)
	}
}

// TestG1PartsOfAPackedGame shows that a packed game has all to which it refers and nothing more.
func TestG1PartsOfAPackedGame(t *testing.T) {
	_, data := packedFull(t)
	good := contents(t, data)
	a := sha256.Sum256([]byte(square))
	picture := "art/" + hex.EncodeToString(a[:])
	capitals := fmt.Sprintf("art/%X", a)
	other := strings.Replace(square, "h1", "h9", 1)
	sum := sha256.Sum256([]byte(other))
	for _, c := range []struct {
		name   string
		change func(files map[string][]byte)
		want   string
	}{
		{"G1.1 no document", func(f map[string][]byte) { delete(f, "game.json") }, "it has no game.json"},
		{"G1.2 another file", func(f map[string][]byte) { f["readme.txt"] = nil },
			`entry "readme.txt": a packed game has no file of that name`},
		{"G1.2 a path out of the folder", func(f map[string][]byte) { f["../game.json"] = nil },
			`entry "../game.json": a packed game has no file of that name`},
		{"G1.2 an absolute path", func(f map[string][]byte) { f["/art/a"] = nil },
			`entry "/art/a": a packed game has no file of that name`},
		{"G1.2 a path of Windows", func(f map[string][]byte) { f[`art\a`] = nil },
			`entry "art\\a": a packed game has no file of that name`},
		{"G1.2 other letters", func(f map[string][]byte) { f["Game.json"] = nil },
			`entry "Game.json": a packed game has no file of that name`},
		{"G1.2 a hash in capitals", func(f map[string][]byte) { f[capitals] = nil },
			`entry "` + capitals + `": a packed game has no file of that name`},
		{"G1.2 a folder", func(f map[string][]byte) { f["art/"] = nil },
			`entry "art/": a packed game has no file of that name`},
		{"G1.2 a language in capitals", func(f map[string][]byte) { f["lang/DE.json"] = nil },
			`entry "lang/DE.json": a packed game has no file of that name`},
		{"G1.3 a picture too many", func(f map[string][]byte) {
			f["art/"+hex.EncodeToString(sum[:])] = []byte(other)
		}, fmt.Sprintf(`entry "art/%x": the game does not refer to it`, sum)},
		{"G1.3 other rules too", func(f map[string][]byte) { f["rules.pdf"] = []byte("%PDF-") },
			`entry "rules.pdf": the game does not refer to it`},
		{"G1.3 a language too many", func(f map[string][]byte) { f["lang/fr.json"] = f["lang/de.json"] },
			`entry "lang/fr.json": the game does not refer to it`},
		{"G1.4 a picture is missing", func(f map[string][]byte) { delete(f, picture) },
			fmt.Sprintf(`entry "game.json": line 1, column 415: kind 0: face 0: art: `+
				`there is no entry art/%x`, a)},
		{"G1.4 the rules are missing", func(f map[string][]byte) { delete(f, "rules.md") },
			`entry "game.json": line 1, column 222: about: rules: there is no entry rules.md`},
		{"G1.5 a picture under the hash of another", func(f map[string][]byte) {
			f[picture] = []byte(other)
		}, fmt.Sprintf(`entry "art/%x": its name is not its hash`, a)},
		{"G1.5 other rules", func(f map[string][]byte) { f["rules.md"] = []byte("No.") },
			`entry "game.json": line 1, column 222: about: rules: ` +
				`rules.md has another hash than its reference`},
		{"G1.5 another language", func(f map[string][]byte) { f["lang/de.json"] = []byte("{}") },
			`entry "game.json": line 1, column 983: languages: ` +
				`lang/de.json has another hash than its reference`},
		{"G2.6 the document is not canonical", func(f map[string][]byte) {
			f["game.json"] = append(f["game.json"], '\n')
		}, `entry "game.json": it is not canonical JSON (RFC 8785)`},
		{"G2.6 a number is not canonical", func(f map[string][]byte) {
			f["game.json"] = bytes.Replace(f["game.json"], []byte("[1.5,0,"), []byte("[1.50,0,"), 1)
		}, `entry "game.json": it is not canonical JSON (RFC 8785)`},
		{"G4.1 an error in the document", func(f map[string][]byte) {
			f["game.json"] = bytes.Replace(f["game.json"], []byte(`"age":8`), []byte(`"age":0`), 1)
		}, `entry "game.json": line 1, column 17: about: age: 0 is not a whole number from 1 to 99`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := maps.Clone(good)
			c.change(files)
			p, err := ReadPacked(zipOf(files))
			if p != nil || err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	t.Run("G2.6 the first format", func(t *testing.T) {
		p, err := ReadLoose([]byte(sample), Files{Art: pictures, Beside: noFile})
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		files := contents(t, data)
		files["game.json"] = bytes.Replace(p.Doc, []byte(format2), []byte(format1), 1)
		const want = `entry "game.json": its format is holt.game/1, ` +
			`and that of a packed game is holt.game/2`
		if _, err := ReadPacked(zipOf(files)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
	t.Run("G1.6 twice the same name", func(t *testing.T) {
		files := []File{{"game.json", good["game.json"]}, {"game.json", good["game.json"]}}
		const want = `entry "game.json": it is there twice`
		if _, err := ReadPacked(appendZip(files)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

// TestG9ShelfHasPackedGames shows that a folder of games can have packed ones.
//
// Clauses: G9.1
func TestG9ShelfHasPackedGames(t *testing.T) {
	p, data := packedFull(t)
	shelf := shippedFiles(t)
	s, err := LoadShelf(shelf, fstest.MapFS{"full.holt": {Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	if g, ok := s.Game("full"); !ok || !reflect.DeepEqual(g, p.Game) {
		t.Errorf("the shelf has %+v", g)
	}
	for name, want := range map[string]string{
		"other.holt": `other.holt: the id is "full", not "other" like the file`,
		"full.json":  "full.json: line 1, column 1: it is not UTF-8",
	} {
		_, err := LoadShelf(shelf, fstest.MapFS{name: {Data: data}})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	cut := fstest.MapFS{"full.holt": {Data: data[:len(data)-1]}}
	const want = "full.holt: it is no packed game, or its end is damaged"
	if _, err := LoadShelf(shelf, cut); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

package game

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// readableOf returns the readable files of a game, as a map.
func readableOf(p *Packed) map[string]string {
	all := map[string]string{}
	for _, f := range p.Readable() {
		all[f.Name] = string(f.Data)
	}
	return all
}

// zipTexts returns files as a zip.
func zipTexts(all map[string]string) []byte {
	var files []File
	for _, name := range slices.Sorted(maps.Keys(all)) {
		files = append(files, File{name, []byte(all[name])})
	}
	return appendZip(files)
}

// TestG26Same shows that readable files are the same game again, of all games that there are.
// Clauses: G26.1, G26.2
func TestG26Same(t *testing.T) {
	games := map[string]*Packed{}
	shelf := shippedFiles(t)
	for i, name := range globbed(t, shelf, "games/*.json") {
		if testing.Short() && i%4 != 0 {
			continue
		}
		p, err := ReadLoose(shelf[name].Data, FilesOf(shelf, "games", shelf))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		games[name] = p
	}
	for name, p := range samples(t) {
		games["sample "+name] = p
	}
	games["full"], _ = packedFull(t)
	spelled, err := readFull(spells)
	if err != nil {
		t.Fatal(err)
	}
	games["spells"] = spelled
	for name, p := range games {
		file, err := p.ReadableBytes()
		if err != nil {
			t.Errorf("G26.1 %s: %v", name, err)
			continue
		}
		if again, err := ReadUpload(file); err != nil || again.ID != p.ID {
			t.Errorf("G26.1 %s is another game: %v", name, err)
		}
		packed, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ReadUpload(packed); err != nil || again.ID != p.ID {
			t.Errorf("%s, packed, is another game: %v", name, err)
		}
	}
	files := readableOf(spelled)
	table, ok := files["decks/fire.csv"]
	if !ok || !strings.HasPrefix(table, "name,count,") ||
		!strings.Contains(table, "\nSpark,3,1,box.svg,") {
		t.Errorf("G26.2 the files are %v: %s", slices.Sorted(maps.Keys(files)), table)
	}
	if _, ok := files["art/back.svg"]; !ok || !strings.Contains(table, "box.svg") {
		t.Errorf("G26.2 the pictures are %v", slices.Sorted(maps.Keys(files)))
	}
}

// withDeck is a game whose deck has these rows.
func withDeck(rows string) string {
	return `{"format": "holt.game/2", "id": "own", "name": "Own", "summary": "A test.",
  "table": {"width": 6000, "height": 4000, "surface": "felt"}, "kinds": [],
  "templates": [{"name": "T", "width": 600, "height": 800, "shape": "card", "weight": "light",
    "faces": [{"name": "{name}", "layers": [{"colour": "#ffffff"}, {"text": "{a}{b}"}]}]}],
  "decks": [{"name": "D", "template": "T", "rows": ` + rows + `}], "pieces": []}`
}

// TestG26Rows shows which rows become CSV, and how CSV is read.
// Clauses: G26.2, G26.3
func TestG26Rows(t *testing.T) {
	for rows, want := range map[string]string{
		`[{"name": "A", "a": "x, \"y\"\nz"}, {"name": "B", "b": "c"}]`:                  "name,a,b",
		`[{"name": "A", "a": "", "b": ""}, {"name": "B", "a": "1", "b": ""}]`:           "name,a,b",
		`[{"name": "A", "count": 2, "a": "=1+1"}, {"name": "B", "count": 0}]`:           "name,count,a",
		`[{"name": "A", "a": ""}, {"name": "B"}]`:                                       "",
		`[{"name": "A", "count": 1, "a": "ä"}, {"name": "B", "a": "` + "\u2028" + `"}]`: "name,count,a",
	} {
		p := parseOwn(t, withDeck(rows))
		files := readableOf(p)
		head, _, _ := strings.Cut(files["decks/d.csv"], "\n")
		if head != want {
			t.Errorf("G26.2 %s: the columns are %q, want %q", rows, head, want)
		}
		again, err := ReadUpload(zipTexts(files))
		if err != nil || again.ID != p.ID {
			t.Errorf("G26.1 %s: another game, %v, from %v", rows, err, files)
		}
	}
	csv := withDeck(`{"csv": "decks/d.csv"}`)
	plain := parseOwn(t, withDeck(`[{"name": "A", "count": 2, "a": "x"}, {"name": "B"}]`))
	for name, table := range map[string]string{
		"a comma":        "name,count,a\nA,2,x\nB,,\n",
		"another order":  "a,name,count\nx,A,2\n,B,\n",
		"a spreadsheet":  "\ufeffname;count;a\r\nA;2;x\r\nB;;\r\n",
		"an empty row b": "name,count,a,b\nA,2,x,\nB,,,\n",
	} {
		for _, folder := range []string{"", "own/"} {
			files := map[string]string{folder + "own.json": csv, folder + "decks/d.csv": table}
			if folder != "" {
				files["own/decks/"] = ""
			}
			p, err := ReadUpload(zipTexts(files))
			if err != nil || p.ID != plain.ID {
				t.Errorf("G26.3 %s in %q: %v", name, folder, err)
			}
		}
	}
	for table, want := range map[string]string{
		"":                    "it has 0 rows",
		"name,a\n":            "it has 0 rows",
		"name,a,a\nA,x,y\n":   `two columns "a"`,
		"name,count\nA,two\n": `row 1: count: "two" is no number`,
		"name,a\nA\n":         "wrong number of fields",
		"name,c\nA,x\n":       `unknown field "c"`,
		"name\n\"A\n":         "quote",
		"name,a\nA,\xff\n":    "not UTF-8",
		"name\n" + strings.Repeat("A\n", MaxKinds+1): fmt.Sprintf("it has %d rows", MaxKinds+1),
	} {
		_, err := ReadUpload(zipTexts(map[string]string{"own.json": csv, "decks/d.csv": table}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("G26.3 %.20q: %v, want %q", table, err, want)
		}
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no table": {map[string]string{"own.json": csv}, "open decks/d.csv"},
		"no game":  {map[string]string{"decks/d.csv": "name\nA\n"}, "neither game.json"},
		"two games": {map[string]string{"a.json": csv, "b.json": csv},
			"two game files, a.json and b.json"},
		"a file more": {map[string]string{"own.json": csv, "decks/d.csv": "name\nA\n", "art/x.png": "x"},
			"does not refer to it"},
	} {
		if _, err := ReadUpload(zipTexts(c.files)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("G26.4 %s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := ReadUpload([]byte("PK")); err == nil {
		t.Error("G26.4 no zip is read")
	}
	if _, err := ReadUpload(appendZip(nil)); err == nil {
		t.Error("G26.4 an empty zip is read")
	}
}

package game

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// zeros is the hash of no picture.
var zeros = strings.Repeat("0", 64)

// TestTranslate shows what a language changes in a catalogue.
// Clauses: G13.1, G13.4
func TestTranslate(t *testing.T) {
	doc := []byte(`{"format":"holt.catalog/1","kinds":[` +
		`{"name":"Coin","width":200,"height":200,"shape":"round","weight":"light","secret":false,` +
		`"faces":[{"name":"Heads","art":"` + zeros + `"},{"name":"Tails","art":"` + zeros + `"}]},` +
		`{"name":"Medal","width":200,"height":200,"shape":"round","weight":"light","secret":false,` +
		`"faces":[{"name":"Medal","art":"` + zeros + `"}]},` +
		`{"name":"Board","width":900,"height":900,"shape":"rect","weight":"heavy","secret":false,` +
		`"grid":{"x":100,"y":100,"stepX":100,"stepY":100,"columns":1,"rows":1,"cellNames":["Exit"]},` +
		`"faces":[{"name":"Board","art":"` + zeros + `"}]},` +
		`{"name":"Press","width":900,"height":900,"shape":"rect","weight":"heavy","secret":false,` +
		`"button":{"who":"players","cooldown":0,"steps":[{"do":"flip","kind":"Coin"},` +
		`{"do":"move","kind":"Box","n":1,"to":"Coin"}]},` +
		`"faces":[{"name":"Press","art":"` + zeros + `"}]},` +
		`{"name":"Box","width":900,"height":900,"shape":"rect","weight":"heavy","secret":false,` +
		`"container":{"draws":"top"},"faces":[{"name":"Box","art":"` + zeros + `"}]},` +
		`{"name":"Mat","width":900,"height":900,"shape":"rect","weight":"heavy","secret":false,` +
		`"zone":{"lay":"pile","takes":["Coin","Medal"],"turns":"keep"},` +
		`"faces":[{"name":"Mat","art":"` + zeros + `"}]},` +
		`{"name":"Mint","width":900,"height":900,"shape":"rect","weight":"heavy","secret":false,` +
		`"supply":{"of":"Coin"},"faces":[{"name":"Mint","art":"` + zeros + `"}]}],` +
		`"seats":[{"name":"White","angle":0,"colour":"#f2ead8"}],` +
		`"sheet":{"title":"Points","columns":["Round 1"],"rows":["South"]}}`)
	translate := func(texts string) string {
		t.Helper()
		got, err := Translate(doc, []byte(`{"texts":{`+texts+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	plain := translate("")
	for _, c := range []struct{ name, texts, from, to string }{
		{"a kind, also where others name it", `"Coin":"Münze"`, `"Coin"`, `"Münze"`},
		{"a face", `"Heads":"Kopf"`, `"Heads"`, `"Kopf"`},
		{"a cell", `"Exit":"Aus"`, `"Exit"`, `"Aus"`},
		{"a seat", `"White":"Weiß"`, `"White"`, `"Weiß"`},
		{"an empty text changes nothing", `"White":""`, `"White"`, `"White"`},
		{"a text of something else", `"light":"leicht","Blue":"Blau"`, `"light"`, `"light"`},
	} {
		want := strings.ReplaceAll(plain, c.from, c.to)
		if got := translate(c.texts); got != want {
			t.Errorf("G13.1 %s:\n got %s\nwant %s", c.name, got, want)
		}
	}
	sheet := translate(`"Points":"Punkte","Round 1":"Runde 1"`)
	if want := `"sheet":{"title":"Points","columns":["Round 1"],"rows":["South"]},` +
		`"sheetIn":{"title":"Punkte","columns":["Runde 1"],"rows":["South"]}}`; !strings.HasSuffix(
		sheet, want) {
		t.Errorf("G13.4 the catalogue ends with %s, want %s", sheet[len(sheet)-len(want):], want)
	}
	for _, texts := range []string{`"Coin":"Münze","Medal":"Münze"`, `"Coin":"Medal"`} {
		got := translate(texts)
		if !strings.Contains(got, `{"name":"Coin",`) || !strings.Contains(got, `{"name":"Medal",`) {
			t.Errorf("G13.1 two kinds would have one name with %s: %s", texts, got)
		}
	}
	if _, err := Translate(doc, []byte(`{"texts":{"Coin":1}}`)); err == nil {
		t.Error("a text that is a number is taken")
	}
	if _, err := Translate([]byte(`{}`), []byte(`{"texts":{}}`)); err == nil {
		t.Error("what is no catalogue is taken")
	}
}

// TestTranslateChangesNothingElse translates the catalogues of real games with nothing.
// Clauses: G13.1
func TestTranslateChangesNothingElse(t *testing.T) {
	shelf, err := LoadShelf(os.DirFS("../../../static"), os.DirFS("../../../docs/guides/samples"))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range shelf.Games() {
		got, err := Translate(g.Catalog, []byte(`{"texts":{}}`))
		if err != nil || !bytes.Equal(got, g.Catalog) {
			t.Errorf("G13.1 %s is changed: %v", g.ID, err)
		}
	}
}

package game

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func sampleGame(t testing.TB) *Game {
	t.Helper()
	g, err := Parse([]byte(sample), pictures)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestCatalogIsWrittenAsTheProtocolSays shows the bytes of a catalogue.
func TestCatalogIsWrittenAsTheProtocolSays(t *testing.T) {
	g := sampleGame(t)
	const want = `{"format":"holt.catalog/1","kinds":[` +
		`{"name":"King","width":600,"height":900,"shape":"card","weight":"light","secret":true,` +
		`"mask":2,"faces":[{"name":"King","art":"A"},{"name":"Back","art":"B"}]},` +
		`{"name":"Queen","width":600,"height":900,"shape":"card","weight":"light","secret":true,` +
		`"mask":2,"faces":[{"name":"Queen","art":"A"},{"name":"Back","art":"B"}]},` +
		`{"name":"Back","width":600,"height":900,"shape":"card","weight":"light","secret":false,` +
		`"faces":[{"name":"Back","art":"B"}]},` +
		`{"name":"Board","width":2000,"height":2000,"shape":"rect","weight":"heavy","secret":false,` +
		`"faces":[{"name":"Board","art":"A"}]},` +
		`{"name":"Hand","width":2000,"height":500,"shape":"rect","weight":"heavy","secret":false,` +
		`"hand":true,"faces":[{"name":"Hand","art":"A"}]}]}`
	got := strings.NewReplacer(hexOf(g.Kinds[0].Faces[0]), "A", hexOf(g.Kinds[0].Faces[1]),
		"B").Replace(string(g.Catalog))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCatalogIsReadBackAsItWas shows that an encoded catalogue leads back to its kinds.
func TestCatalogIsReadBackAsItWas(t *testing.T) {
	g := sampleGame(t)
	kinds, err := ParseCatalog(g.Catalog)
	if err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
		t.Errorf("error %v, kinds %+v,\nwant %+v", err, kinds, g.Kinds)
	}
}

// TestCatalogDependsOnTheKindsOnly shows that pieces, names of games and the order of fields do not
// change the catalogue.
func TestCatalogDependsOnTheKindsOnly(t *testing.T) {
	g := sampleGame(t)
	doc := strings.Replace(sample, `"x": -100`, `"x": 100`, 1)
	doc = strings.Replace(doc, "A sample", "Another", 1)
	doc = strings.Replace(doc, `"name": "King", "width": 600`, `"width": 600, "name": "King"`, 1)
	other, err := Parse([]byte(doc), pictures)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(g.Catalog, other.Catalog) || g.CatalogHash != other.CatalogHash {
		t.Error("pieces, names and the order of fields have changed the catalogue")
	}
}

// TestParseCatalogIsStrict shows which catalogues are refused, with which errors.
func TestParseCatalogIsStrict(t *testing.T) {
	good := string(sampleGame(t).Catalog)
	for _, c := range []struct{ old, new, want string }{
		{`holt.catalog/1`, `holt.game/1`,
			`line 1: format: "holt.game/1" is not holt.catalog/1 or holt.catalog/2`},
		{`"mask":2`, `"mask":5`, `line 1: kind 0: mask: no kind 5`},
		{`"mask":2`, `"mask":-1`, `line 1: kind 0: mask: -1 is not a whole number from 0 to 1999`},
		{`"mask":2`, `"mask":"Back"`, `line 1: kind 0: mask: want a number, not a text`},
		{`"mask":2`, `"mask":0`, `line 1: kind 0: the mask "King" is itself secret`},
		{
			`"mask":2`, `"mask":3`,
			`line 1: kind 0: the mask "Board" differs in size, shape or weight`,
		},
		{`"art":"`, `"art":"x`, ` is not 64 small hexadecimal digits`},
		{`"width":600`, `"wide":600`, `line 1: kind 0: unknown field "wide"`},
		{`"kinds":[`, `"kinds":[],"more":[`, `line 1: unknown field "more"`},
		{`]}]}`, `]}]}]`, `line 1: there is something after the end`},
	} {
		t.Run(c.want, func(t *testing.T) {
			doc := strings.Replace(good, c.old, c.new, 1)
			kinds, err := ParseCatalog([]byte(doc))
			if err == nil || !strings.HasSuffix(withoutColumn(err), c.want) || kinds != nil {
				t.Errorf("got %d kinds and error %v, want %s", len(kinds), err, c.want)
			}
		})
	}
	t.Run("upper case digits", func(t *testing.T) {
		hex := hexOf(sampleGame(t).Kinds[0].Faces[0])
		if _, err := ParseCatalog([]byte(strings.Replace(
			good, hex, strings.ToUpper(hex), 1,
		))); err == nil {
			t.Error("accepted: one picture would have two addresses")
		}
	})
}

func hexOf(f Face) string { return fmt.Sprintf("%x", f.Art) }

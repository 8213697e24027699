package game

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Sizes of the largest game that was found in files of other systems.
const (
	largeKinds  = 550
	largePieces = 1_841
	largeDecks  = 12
)

// large returns a game file as large as the largest ones: cards with a picture, a name, a number
// and a paragraph in twelve decks, and a few tokens.
func large() string {
	rnd := rand.New(rand.NewPCG(7, 7))
	words := strings.Fields("draw deal card cards damage heal each player until turn next discard " +
		"choose target two three one hand return put table")
	paragraph := func() string {
		var some []string
		for range 6 + rnd.IntN(18) {
			some = append(some, words[rnd.IntN(len(words))])
		}
		return strings.Join(some, " ") + "."
	}
	const tokens = largeKinds - 2 - largeDecks*45
	left := largePieces - tokens - largeDecks
	var decks, pieces, kinds []string
	for d := range largeDecks {
		var rows []string
		for i := range 45 {
			n := left / (largeDecks*45 - 45*d - i)
			left -= n
			rows = append(rows, fmt.Sprintf(`{"name": "Card %d", "count": %d, "colour": "#%06x", `+
				`"picture": "a.svg", "cost": "%d", "text": "%s"}`, 45*d+i, n, rnd.IntN(1<<24),
				rnd.IntN(10), paragraph()))
		}
		decks = append(decks, fmt.Sprintf(`{"name": "Deck %d", "template": "Card", "rows": [%s]}`, d,
			strings.Join(rows, ",\n")))
		pieces = append(pieces, fmt.Sprintf(
			`{"kind": "Box", "x": %d, "y": 0, "holds": [{"deck": "Deck %d"}]}`, 1000*d-6000, d))
	}
	for i := range tokens {
		kinds = append(kinds, fmt.Sprintf(`{"name": "Token %d", "width": 300, "height": 300, `+
			`"shape": "round", "weight": "light", "faces": [{"name": "Token %d", "layers": [`+
			`{"colour": "#%06x"}, {"text": "%d"}]}]}`, i, i, rnd.IntN(1<<24), i))
		pieces = append(pieces, fmt.Sprintf(`{"kind": "Token %d", "x": %d, "y": 2000}`, i, 400*i))
	}
	return `{"format": "holt.game/2", "id": "large", "name": "Large", "summary": "Many kinds.",
"table": {"width": 30000, "height": 20000, "surface": "felt"},
"templates": [{"name": "Card", "width": 635, "height": 889, "shape": "card", "weight": "light",
  "secret": true, "mask": "Back", "faces": [{"name": "{name}", "layers": [
    {"colour": "{colour}"},
    {"art": "{picture}", "x": 145, "y": 150, "width": 345, "height": 345},
    {"text": "{name}", "x": 130, "y": 48, "width": 460, "height": 90, "size": 70},
    {"text": "{cost}", "x": 50, "y": 48, "width": 70, "height": 90, "size": 76},
    {"text": "{text}", "x": 65, "y": 535, "width": 505, "height": 270, "size": 58}]},
    {"name": "Back", "art": "b.svg"}]}],
"decks": [` + strings.Join(decks, ",\n") + `],
"kinds": [{"name": "Back", "width": 635, "height": 889, "shape": "card", "weight": "light",
   "faces": [{"name": "Back", "art": "b.svg"}]},
  {"name": "Box", "width": 820, "height": 1080, "shape": "card", "weight": "heavy",
   "container": {"draws": "top", "takes": "Back"}, "faces": [{"name": "Box", "art": "a.svg"}]},
` + strings.Join(kinds, ",\n") + `],
"pieces": [` + strings.Join(pieces, ",\n") + `]}`
}

// TestLargeGame shows that a game as large as the largest ones of other systems is read, and that
// its catalogue has little more than what stands on its cards.
// Clauses: G10.4
func TestLargeGame(t *testing.T) {
	g, err := Parse([]byte(large()), pictures)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Kinds) != largeKinds || len(g.Pieces) != largePieces {
		t.Fatalf("%d kinds, %d pieces", len(g.Kinds), len(g.Pieces))
	}
	written := 0
	for i := range g.Kinds {
		for _, f := range g.Kinds[i].Faces {
			for _, l := range f.Layers {
				written += len(l.Text) + len(l.Colour) + 2*len(l.Art)
			}
		}
	}
	if most := written + 60*largeKinds; len(g.Catalog) > most {
		t.Errorf("the catalogue has %d bytes, more than %d", len(g.Catalog), most)
	}
}

// BenchmarkLargeGame reads a game as large as the largest ones of other systems, and shows the
// sizes of its catalogue: as it is, compressed, and with each kind written in full.
func BenchmarkLargeGame(b *testing.B) {
	doc := []byte(large())
	var g *Game
	for b.Loop() {
		var err error
		if g, err = Parse(doc, pictures); err != nil {
			b.Fatal(err)
		}
	}
	full := 0
	for i := range g.Kinds {
		full += len(encoded(catalogOf(&g.Kinds[i])))
	}
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	if _, err := z.Write(g.Catalog); err != nil || z.Close() != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(g.Catalog)), "catalogue-B")
	b.ReportMetric(float64(small.Len()), "compressed-B")
	b.ReportMetric(float64(full), "in-full-B")
}

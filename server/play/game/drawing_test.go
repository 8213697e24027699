package game

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// references are the attributes of an SVG that can name something outside it.
var references = map[string]bool{"href": true, "src": true, "style": true, "clip-path": true}

// checkDrawing returns what is wrong with the drawing of a table. It may draw, and refer to its own
// parts and to art that it has in it.
func checkDrawing(g *Game, drawing []byte) error {
	known := map[string]bool{}
	var used []string
	for d := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch name := start.Name.Local; name {
		case "svg", "title", "defs", "rect", "g", "use", "image", "clipPath", "text":
		default:
			return fmt.Errorf("it has an element %s", name)
		}
		for _, a := range start.Attr {
			switch {
			case a.Name.Local == "id":
				known[a.Value] = true
			case strings.HasPrefix(a.Name.Local, "on"):
				return fmt.Errorf("it has an attribute %s", a.Name.Local)
			case !references[a.Name.Local]:
			case strings.HasPrefix(a.Value, "data:"):
				if err := checkEmbedded(g, a.Value); err != nil {
					return err
				}
			default:
				used = append(used, strings.Trim(strings.TrimPrefix(a.Value, "url("), "#)"))
			}
		}
	}
	for _, id := range used {
		if !known[id] {
			return fmt.Errorf("it refers to %q", id)
		}
	}
	return nil
}

// checkEmbedded returns an error unless an address has a picture of the game in it.
func checkEmbedded(g *Game, address string) error {
	for _, art := range g.Art {
		if address == "data:"+art.Type+";base64,"+base64.StdEncoding.EncodeToString(art.Data) {
			return nil
		}
	}
	return fmt.Errorf("it has art that is not of the game: %.80s", address)
}

// TestG8Drawings shows what drawings of tables have, and that they need nothing else.
// Clauses: G8.1, G8.2
func TestG8Drawings(t *testing.T) {
	games := shipped(t).Games()
	p, _ := packedFull(t)
	for _, g := range append(games, p.Game) {
		for setup := range 1 + len(g.Setups) {
			drawing := g.Drawing(setup)
			if err := checkDrawing(g, drawing); err != nil {
				t.Errorf("%s: %v", g.ID, err)
			}
			want := 0
			for _, piece := range g.Pieces {
				if piece.In == NotIn && !without(g.AllSetups()[setup], piece.Kind) {
					want++
				}
			}
			if got := strings.Count(string(drawing), "<use "); got != want {
				t.Errorf("%s: set-up %d shows %d pieces, not %d", g.ID, setup, got, want)
			}
		}
	}
	chess := string(shippedGame(t, "chess").Drawing(0))
	for _, want := range []string{
		`viewBox="-4000 -2600 8000 5200"`, "<title>Chess</title>", `>5:00</text>`,
		"<title>White king</title>",
	} {
		if !strings.Contains(chess, want) {
			t.Errorf("chess has no %s", want)
		}
	}
	// Boards lie below what stands on them, and each picture is there once.
	if strings.Index(chess, "<title>Chessboard<") > strings.Index(chess, "<title>White king<") ||
		strings.Count(chess, "<image ") != 15 {
		t.Errorf("it has %d pictures, or the wrong order", strings.Count(chess, "<image "))
	}
	slip := string(p.Game.Drawing(0))
	for _, want := range []string{
		`<text y="-20">Two</text><text y="113">lines</text>`,
		`<g transform="translate(900 0) rotate(0)"><title>Up</title>`, `rx="150"`,
	} {
		if !strings.Contains(slip, want) {
			t.Errorf("no %s in %s", want, slip)
		}
	}
	doc := strings.Replace(full, `"name": "Full"`, `"name": "</title><script>&"`, 1)
	if odd, err := readFull(doc); err != nil ||
		!strings.Contains(string(odd.Game.Drawing(0)), "&lt;/title&gt;&lt;script&gt;&amp;") {
		t.Errorf("a name is not escaped: %v", err)
	}
}

func without(s Setup, kind int) bool {
	for _, k := range s.Without {
		if k == kind {
			return true
		}
	}
	return false
}

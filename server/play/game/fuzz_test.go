package game

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse shows that an accepted game has a valid catalogue and valid pieces, and can be composed
// (G24).
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(withClock(f, clocked)))
	f.Add([]byte(acting))
	f.Add([]byte(asking))
	f.Add([]byte(attaching(format2, chained(3)...)))
	f.Add([]byte(spells))
	f.Add([]byte(gridded(format2, `, "grid": {`+boardGrid+`, "captures": true}`, `, "upright": true`)))
	f.Add([]byte(`{"format":"holt.game/1","kinds":[],"pieces":[{"stack":["a"],"step":{}}]}`))
	f.Add([]byte("{\"a\":\n[[null,1e9,\"\\ud800\"]]}"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		g, err := Parse(doc, pictures)
		if err != nil {
			return
		}
		kinds, err := ParseCatalog(g.Catalog)
		if err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
			t.Errorf("its catalogue reads as %+v with error %v, want %+v", kinds, err, g.Kinds)
		}
		if err := checkPlacements(g); err != nil {
			t.Error(err)
		}
		p, err := Compose(g)
		if err != nil && strings.Contains(err.Error(), "more than") {
			return // without its decks it is too large
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(g, p.Game, undecked, anyGroups); diff != "" {
			t.Errorf("composed it is another game: %s", diff)
		}
	})
}

// checkPlacements returns what is wrong with the pieces of a game that was accepted.
func checkPlacements(g *Game) error {
	light := false
	masks := map[int]int{}
	for i, p := range g.Pieces {
		k := g.Kinds[p.Kind]
		if p.Face < 0 || p.Face >= len(k.Faces) || p.Angle < 0 || p.Angle >= FullTurn {
			return errors.New("an invalid face or angle")
		}
		if 2*abs(p.X) > g.Width || 2*abs(p.Y) > g.Height {
			return errors.New("a piece beside the table")
		}
		if k.Weight == "heavy" && light {
			return errors.New("a heavy piece above a light one")
		}
		light = light || k.Weight == "light"
		if mask, ok := masks[p.Group]; ok && p.Group != 0 && mask != k.Mask {
			return errors.New("cards of different backs in one stack")
		}
		masks[p.Group] = k.Mask
		if p.In == NotIn {
			continue
		}
		if p.In < 0 || p.In >= i || !g.Kinds[g.Pieces[p.In].Kind].Container.takes(&k) {
			return errors.New("a piece in a container that does not take it")
		}
		if box := g.Pieces[p.In]; p.X != box.X || p.Y != box.Y || p.Pinned || p.Locked ||
			k.Secret != (p.Face == 1) {
			return errors.New("a piece that lies in its container in a wrong way")
		}
	}
	return checkAttached(g)
}

// checkAttached returns what is wrong with the attached pieces of a game that was accepted.
func checkAttached(g *Game) error {
	var heavy []*Kind // in the order of their names, from 1
	for _, p := range g.Pieces {
		if k := &g.Kinds[p.Kind]; k.Weight == "heavy" {
			heavy = append(heavy, k)
		}
	}
	to := map[int]int{}
	for _, a := range g.Attached {
		if a.Piece < 1 || a.Piece > len(heavy) || a.To < 1 || a.To > len(heavy) ||
			to[a.Piece] != 0 {
			return errors.New("a light piece is attached, or one is attached twice")
		}
		if k := heavy[a.Piece-1]; k.Hand || k.Zone.Lay != "" || k.Secret || heavy[a.To-1].Secret {
			return errors.New("a piece is attached that leaves something behind, or is hidden")
		}
		to[a.Piece] = a.To
	}
	for at := range to {
		for n := 0; to[at] != 0; n++ {
			if at = to[at]; n == MaxAttachedDepth {
				return errors.New("too many pieces lie on each other")
			}
		}
	}
	return nil
}

// FuzzParseCatalog shows that an accepted catalogue is the same when it is encoded and read again.
func FuzzParseCatalog(f *testing.F) {
	f.Add(sampleGame(f).Catalog)
	f.Add(actingGame(f).Catalog)
	f.Add(spellsGame(f).Catalog)
	f.Add([]byte(`{"format":"holt.catalog/1","kinds":[],"attached":[{"piece":2,"to":1}]}`))
	f.Add([]byte(`{"format":"holt.catalog/1","kinds":[]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		kinds, rest, err := ReadCatalog(doc)
		if err != nil {
			return
		}
		again, still, err := ReadCatalog(encodeCatalog(kinds, &rest))
		if err != nil || !reflect.DeepEqual(again, kinds) || !reflect.DeepEqual(still, rest) {
			t.Errorf("written and read again it is %+v with %+v, error %v, want %+v with %+v",
				again, still, err, kinds, rest)
		}
	})
}

// FuzzCheckArt shows that accepted SVG has no dangerous elements or attributes.
func FuzzCheckArt(f *testing.F) {
	f.Add([]byte(square))
	f.Add([]byte(drawing(`<use xlink:href="#a"/><g id="a" style="fill:url('#b')" onclick="x"/>`)))
	f.Add([]byte(drawing(`<script/><!-- --><![CDATA[<script>]]>`)))
	f.Add([]byte(
		"RIFF\x00\x00\x00\x00WEBPVP8X\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	))
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		art, err := CheckArt(data)
		if (err == nil) != (art.Type != "") {
			t.Errorf("type %q with error %v", art.Type, err)
		}
		// A second check, without regard to structure. Quoted text may say anything, and so may
		// comments and CDATA.
		if art.Type != "image/svg+xml" || bytes.Contains(data, []byte("<!")) {
			return
		}
		tags := strings.ToLower(quotes.ReplaceAllString(string(data), ""))
		for _, bad := range []string{
			"<script", "<foreignobject", "<style", "<image", "<a ", "<set", "<animate", "<?xml-s",
			" onload=",
		} {
			if strings.Contains(tags, bad) {
				t.Errorf("an SVG with %s is accepted", bad)
			}
		}
	})
}

var quotes = regexp.MustCompile(`"[^"]*"|'[^']*'|>[^<]*`)

// FuzzReadPacked shows that a packed game that is accepted can be read in no other way, and that it
// is the same game when it is unpacked and packed again.
func FuzzReadPacked(f *testing.F) {
	_, data := packedFull(f)
	f.Add(data)
	good := contents(f, data)
	for _, change := range []func(files map[string][]byte){
		func(files map[string][]byte) { files["../x"] = nil },
		func(files map[string][]byte) { files["rules.md"] = []byte("Others.") },
		func(files map[string][]byte) { files["lang/fr.json"] = []byte(`{"texts":{}}`) },
		func(files map[string][]byte) { files["game.json"] = []byte(full) },
	} {
		files := maps.Clone(good)
		change(files)
		f.Add(zipOf(files))
	}
	twice := []File{{"game.json", good["game.json"]}, {"game.json", good["game.json"]}}
	f.Add(appendZip(twice))
	f.Add(append([]byte("PK\x03\x04"), data...))
	bomb := bytes.Replace(data, []byte("\x00\x00\x09\x00\x00\x00game.json"),
		[]byte("\xff\x7f\x09\x00\x00\x00game.json"), 2)
	if bytes.Equal(bomb, data) {
		f.Fatal("the size of game.json is not where it was")
	}
	f.Add(bomb)
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := unzip(data)
		if err != nil {
			return
		}
		if found := contents(t, data); !maps.EqualFunc(found, files, bytes.Equal) {
			t.Errorf("Go finds other files: %v", sortedNames(found))
		}
		p, err := ReadPacked(data)
		if err != nil {
			return
		}
		clean, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again(t, p, clean)
	})
}

// FuzzReadLoose shows that a game file that is accepted stays the same when it is packed and
// unpacked, and that its drawing is harmless.
func FuzzReadLoose(f *testing.F) {
	f.Add(full)
	f.Add(sample)
	f.Add(acting)
	f.Add(strings.Replace(full, "1.50", "1e-7", 1))
	f.Add(strings.Replace(full, `\ufb33`, `\ud800`, 1))
	f.Fuzz(func(t *testing.T, doc string) {
		p, err := readFull(doc)
		if err != nil {
			return
		}
		data, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again(t, p, data)
		if err := checkDrawing(p.Game, p.Game.Drawing(len(p.Game.Setups))); err != nil {
			t.Error(err)
		}
	})
}

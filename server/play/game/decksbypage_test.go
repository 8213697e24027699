package game_test

import (
	"encoding/json"
	"os"
	"testing"

	"holt/server/play/game"
)

// TestDecksByPage reads the decks that the editor of the page packs: a back, a container that takes
// it, and the cards. The test of the page (static/test/decks.test.js) writes the file.
func TestDecksByPage(t *testing.T) {
	doc, err := os.ReadFile("testdata/decks-by-page.json")
	if err != nil {
		t.Fatal(err)
	}
	var made map[string][]byte
	if err := json.Unmarshal(doc, &made); err != nil {
		t.Fatal(err)
	}
	for name, data := range made {
		p, err := game.ReadPacked(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		kinds := p.Game.Kinds
		back, deck := &kinds[0], &kinds[1]
		if back.Secret || deck.Container.Draws != "top" || deck.Container.Takes != 0 {
			t.Errorf("%s: the back is %+v, the deck %+v", name, back, deck)
		}
		for i := 2; i < len(kinds); i++ {
			if k := &kinds[i]; !k.Secret || k.Mask != 0 || len(k.Faces) != 2 {
				t.Errorf("%s: a card is %+v", name, k)
			}
		}
		if len(kinds) != 6 || len(p.Game.Art) != 1 {
			t.Errorf("%s: %d kinds, %d pictures", name, len(kinds), len(p.Game.Art))
		}
	}
	if len(made) < 4 {
		t.Errorf("there are %d decks", len(made))
	}
}

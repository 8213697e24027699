package game_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"holt/server/play/game"
)

// TestPackedByPage reads what the editor of the page packs, for each of its forms. The test of the
// page (static/test/editkinds.test.js) writes the file.
func TestPackedByPage(t *testing.T) {
	doc, err := os.ReadFile("testdata/packed-by-page.json")
	if err != nil {
		t.Fatal(err)
	}
	var made map[string][]byte
	if err := json.Unmarshal(doc, &made); err != nil {
		t.Fatal(err)
	}
	heavy := map[string]bool{"board": true, "hand": true, "zone": true, "bag": true,
		"button": true}
	for name, data := range made {
		p, err := game.ReadPacked(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		what, with, _ := strings.Cut(name, " with ")
		k := &p.Game.Kinds[0]
		if k.Name != "My "+what || (k.Weight == "heavy") != heavy[what] {
			t.Errorf("%s: the kind is %+v", name, k)
		}
		if (len(p.Game.Art) > 0) != (with != "") {
			t.Errorf("%s has %d pictures", name, len(p.Game.Art))
		}
	}
	if len(made) < 10 {
		t.Errorf("there are %d games", len(made))
	}
}

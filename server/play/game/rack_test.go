package game

import (
	"strings"
	"testing"
)

// racked is a game with a rack.
var racked = strings.Replace(zoned, `"zone": {"lay": "row", "gap": 10},`,
	`"hand": true, "rack": true,`, 1)

// TestRacks shows how a rack is read, and that catalogues keep it.
func TestRacks(t *testing.T) {
	g, err := readFull(racked)
	if err != nil {
		t.Fatal(err)
	}
	const rack = 4
	if k := &g.Game.Kinds[rack]; !k.Hand || !k.Rack || g.Game.Kinds[0].Rack {
		t.Errorf("the rack is %+v", k)
	}
	kinds, err := ParseCatalog(g.Game.Catalog)
	if err != nil || !kinds[rack].Rack || kinds[0].Rack {
		t.Errorf("the catalogue has %+v with error %v", kinds, err)
	}
	if !strings.Contains(string(g.Game.Catalog), `"hand":true,"rack":true,"faces"`) {
		t.Errorf("the catalogue is %s", g.Game.Catalog)
	}
}

// TestRackFaults shows what a reader refuses of a rack.
// Clauses: T96.9
func TestRackFaults(t *testing.T) {
	const rack = `"hand": true, "rack": true,`
	for _, row := range []struct{ with, want string }{
		{`"rack": true,`, `line 16, column 14: kind 4: only a hand can be a rack`},
		{rack + ` "counted": false,`,
			`line 16, column 45: kind 4: everybody sees how many pieces lie on a rack`},
		{`"hand": true, "rack": 1,`,
			`line 16, column 28: kind 4: rack: want true or false, not a number`},
	} {
		_, err := readFull(strings.Replace(racked, rack, row.with, 1))
		if err == nil || !strings.HasSuffix(err.Error(), row.want) {
			t.Errorf("%s: got %v, want %s", row.with, err, row.want)
		}
	}
	old := strings.Replace(racked, format2, format1, 1)
	if _, err := readFull(old); err == nil {
		t.Error("a rack of the first format is read")
	}
}

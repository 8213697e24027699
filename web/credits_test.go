package web_test

import (
	"fmt"
	"net/http"
	"testing"

	"holt/server/play/game"
	"holt/server/tables/library"
)

// Who made the pictures of a table (G27).

// TestG27CreditsOfATable shows that a table has the credits of its game and of pictures that come
// with new kinds, and that a copy and a saved game have them.
// Clauses: G27.2, G27.3, G27.4
func TestG27CreditsOfATable(t *testing.T) {
	s := newServerFor(t, library.Quota{Library: 1 << 20, All: 1 << 20}).listen()
	k := s.open("draughts")
	e := editing{s, k, k, s.join(k, k.Invites.Spectator, "Cara")}
	picture := func(n int) string {
		return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">`+
			`<rect width="%d" height="9" fill="#336699"/></svg>`, n)
	}
	pack := func(kind, credit string, n int) []byte {
		return packedFolder(t, fmt.Appendf(nil, `{
			"format": "holt.game/2", "id": "one", "name": "One", "summary": "One kind.",
			"table": {"width": 6000, "height": 4400, "surface": "slate"},
			"kinds": [{"name": %q, "width": 600, "height": 600, "shape": "rect", "weight": "light",
				"faces": [{"name": "Front", "art": "one.svg"}]}],
			"pieces": [{"kind": %q, "x": 0, "y": 0}],
			"credits": [{"art": ["one.svg"], %s}]}`, kind, kind, credit),
			map[string]string{"art/one.svg": picture(n)})
	}
	want := func(what string, at seat, want string) {
		t.Helper()
		if a := e.get(at.api("/credits"), at.bearer()...); a.StatusCode != http.StatusOK ||
			a.body != `{"credits":[`+want+"]}\n" {
			t.Errorf("%s: %s %s, want %s", what, a.Status, a.body, want)
		}
	}
	want("a game that says nothing", e.ada, "")
	e.letEdit("Ada edits", e.ada, e.ada, true, http.StatusNoContent)
	add := func(what string, file []byte) {
		t.Helper()
		if a := e.addKinds(e.ada, file); a.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %s", what, a.Status, a.body)
		}
	}
	add("a kind", pack("One", `"author": "Cora"`, 1))
	add("a kind", pack("Two", `"author": "Cora"`, 2))
	add("a kind", pack("Three", `"licence": "MIT", "source": "A book"`, 3))
	three := `{"licence":"MIT","source":"A book","pictures":1}`
	all := `{"author":"Cora","pictures":2},` + three
	want("G27.2 what comes with kinds", e.ada, all)
	want("G27.4 who watches", e.watcher, all)
	a := e.get(e.ada.api("/credits"))
	wantProblem(t, "G27.4 nobody's", a, http.StatusUnauthorized, "no-seat")
	add("the same kind again", pack("Two", `"author": "Dan"`, 2))
	all = three + `,{"author":"Cora","pictures":1},{"author":"Dan","pictures":1}`
	want("G27.2 the newer one counts", e.ada, all)
	a = e.post(e.ada.api("/game"), `{"name":"Mine"}`, e.ada.bearer()...)
	var g brought
	if a.json(t, &g); a.StatusCode != http.StatusCreated {
		t.Fatalf("%s %s", a.Status, a.body)
	}
	p, err := game.ReadPacked([]byte(e.get(g.File).body))
	e.must(err)
	if n := len(p.Game.Credits); n != 3 {
		t.Errorf("G27.3 the saved game has %d credits: %v", n, p.Game.Credits)
	}
	made := e.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, g.Game))
	var other seat
	made.json(t, &other)
	want("G27.2 the credits of its game", other, all)
	made = e.post(other.api("/copy"), `{}`, other.bearer()...)
	var twin seat
	made.json(t, &twin)
	want("G27.3 a copy", twin, all)
}

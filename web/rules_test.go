package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestG12Rules shows who gets the rules of a game at a table, and for how long.
// Clauses: G12.1, G12.2, G12.3, G12.4
func TestG12Rules(t *testing.T) {
	s := newStack(t)
	var g brought
	s.upload(samplePacked(t, "Cast")).json(t, &g)
	type table struct {
		Table, Token string
		Invites      struct{ Spectator string }
	}
	set := func(game string) (made table) {
		t.Helper()
		s.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, game)).json(t, &made)
		return made
	}
	cast, plain := set(g.Game), set("cards")
	get := func(of table, token, more string, header ...string) answer {
		return s.get("/api/v1/tables/"+of.Table+"/rules"+more,
			append(header, "Authorization", "Bearer "+token)...)
	}
	if a := s.do(s.request(http.MethodDelete, "/api/v1/games/"+g.Game, "",
		[]string{"Holt-Library", g.Library}), nil); a.StatusCode != http.StatusNoContent {
		t.Fatalf("the game is not forgotten: %s", a.Status)
	}
	var watches struct{ Token string }
	invite := cast.Invites.Spectator[strings.LastIndex(cast.Invites.Spectator, "/")+1:]
	s.post("/api/v1/seats", fmt.Sprintf(`{"invite":%q,"nick":"Wim"}`, invite)).json(t, &watches)

	for who, token := range map[string]string{"the host": cast.Token, "a spectator": watches.Token} {
		a := get(cast, token, "")
		want := `{"name":"rules.md","file":"/api/v1/tables/` + cast.Table + `/rules/file",` +
			`"text":[{"tag":"h1","in":["Cast"]},{"tag":"p","in":["<b>spells</b>"]}]}`
		body := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(a.body)
		if a.StatusCode != http.StatusOK || strings.TrimSpace(body) != want {
			t.Errorf("G12.1 %s gets %s %s", who, a.Status, body)
		}
		if a := get(cast, token, "", "If-None-Match", a.Header.Get("ETag")); a.
			StatusCode != http.StatusNotModified {
			t.Errorf("%s gets them a second time: %s", who, a.Status)
		}
		if a := get(cast, token, "/file"); a.body != "# Cast\n<b>spells</b>\n" ||
			a.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
			!strings.Contains(a.Header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("G12.1 the file is %q, %v", a.body, a.Header)
		}
	}
	for _, more := range []string{"", "/file"} {
		wantProblem(t, "G12.1 somebody else", get(cast, plain.Token, more),
			http.StatusUnauthorized, "no-seat")
		wantProblem(t, "a game without rules", get(plain, plain.Token, more),
			http.StatusNotFound, "not-found")
	}
	var copied table
	s.post("/api/v1/tables/"+cast.Table+"/copy", "", "Authorization", "Bearer "+cast.Token).
		json(t, &copied)
	if a := get(copied, copied.Token, "/file"); a.body != "# Cast\n<b>spells</b>\n" {
		t.Errorf("G12.3 the copy has %s %s", a.Status, a.body)
	}
	for made, has := range map[table]bool{cast: true, plain: false} {
		a := s.get("/t/"+made.Table, "Authorization", "Bearer "+made.Token)
		if strings.Contains(a.body, "data-rules") != has {
			t.Errorf("G12.4 the page offers rules: %v, want %v", !has, has)
		}
	}
}

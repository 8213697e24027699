package web_test

import (
	"net/http"
	"strings"
	"testing"

	"holt/web"
)

// TestLinkedGamesOfNobody asks a server without links for games of linked ones.
// Clauses: O54.5
func TestLinkedGamesOfNobody(t *testing.T) {
	const path = "/api/v1/linked-games"
	s := newStack(t)
	if a := s.get(path); a.StatusCode != http.StatusOK || strings.TrimSpace(a.body) !=
		`{"servers":[]}` || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s %s", a.Status, a.body)
	}
	host, game := strings.Repeat("0", 16), strings.Repeat("0", 64)
	body := func(host, game string) string {
		return `{"server":"` + host + `","game":"` + game + `"}`
	}
	wantProblem(t, "a server that is not linked", s.post(path, body(host, game)),
		http.StatusNotFound, "not-found")
	wantProblem(t, "no identity", s.post(path, body(host, "chess")), http.StatusBadRequest,
		"malformed")
	wantProblem(t, "no server", s.post(path, `{"game":"`+game+`"}`), http.StatusBadRequest,
		"malformed")
	closed := newStack(t, func(c *web.Config) { c.NobodyBrings = true })
	wantProblem(t, "a list for nobody", closed.get(path), http.StatusForbidden, "upload")
	wantProblem(t, "a game for nobody", closed.post(path, body(host, game)), http.StatusForbidden,
		"upload")
	if a := s.get("/"); strings.Contains(a.body, "data-linked") {
		t.Error("the front page offers games of linked servers")
	}
}

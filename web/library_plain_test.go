package web_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holt/web"
)

// packedWith returns a game of one piece as a packed game. The files lie beside it.
func packedWith(t *testing.T, face, about string, files map[string]string) []byte {
	t.Helper()
	return packedFolder(t, fmt.Appendf(nil, `{
		"format": "holt.game/2", "id": "plain", "name": "Plain", "summary": "One piece.",
		"about": {%s}, "table": {"width": 6000, "height": 4400, "surface": "slate"},
		"kinds": [{"name": "Card", "width": 635, "height": 889, "shape": "card", "weight": "light",
			"faces": [{"name": "Front", %s}]}],
		"pieces": [{"kind": "Card", "x": 0, "y": 0}]
	}`, about, face), files)
}

// packedFolder returns a game, beside which files lie, as one file.
func packedFolder(t *testing.T, doc []byte, files map[string]string) []byte {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return packedGame(t, doc, os.DirFS(folder))
}

// TestG11GamesOfFewFiles shows that a game of one file can be played and fetched.
// Clauses: G11.1
func TestG11GamesOfFewFiles(t *testing.T) {
	s := newStack(t)
	file := packedWith(t, `"layers": [{"colour": "#336699"}]`, "", nil)
	var g brought
	s.upload(file).json(t, &g)
	if a := s.get(g.File); a.StatusCode != http.StatusOK || a.body != string(file) {
		t.Errorf("the file: %s %.200s", a.Status, a.body)
	}
	if a := s.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, g.Game)); a.
		StatusCode != http.StatusCreated {
		t.Errorf("a table: %s %s", a.Status, a.body)
	}
	wantProblem(t, "the rules", s.get("/api/v1/games/"+g.Game+"/rules"), http.StatusNotFound,
		"not-found")
}

// TestG11TypesOfFiles shows that the files of a game have no say in what those of another are: a
// picture stays one if somebody has brought the same bytes as rules before, and the rules are text.
// Clauses: G11.8
func TestG11TypesOfFiles(t *testing.T) {
	const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 14">` +
		`<path d="M0 0h9v9z"/></svg>`
	asRules := packedWith(t, `"layers": [{"colour": "#336699"}]`, `"rules": "r.md"`,
		map[string]string{"r.md": picture})
	asArt := packedWith(t, `"art": "p.svg"`, "", map[string]string{"art/p.svg": picture})
	for name, order := range map[string][][]byte{
		"rules first": {asRules, asArt}, "art first": {asArt, asRules},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStack(t)
			rules := ""
			for _, file := range order {
				var g brought
				s.upload(file).json(t, &g)
				rules += g.Rules
			}
			if a := s.get(rules); a.body != picture ||
				a.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
				t.Errorf("the rules are %s, %v", a.Status, a.Header)
			}
			hash := fmt.Sprintf("%x", sha256.Sum256([]byte(picture)))
			if a := s.get("/art/" + hash); a.body != picture ||
				!strings.HasPrefix(a.Header.Get("Content-Type"), "image/svg+xml") {
				t.Errorf("the picture is %s, %v", a.Status, a.Header)
			}
		})
	}
}

// TestG11FetchesWithoutMemory shows that a game is not put together when memory is short.
func TestG11FetchesWithoutMemory(t *testing.T) {
	used := 0.0
	s := newStack(t, func(c *web.Config) { c.Memory = func() float64 { return used } })
	var g brought
	s.upload(packedWith(t, `"layers": [{"colour": "#336699"}]`, "", nil)).json(t, &g)
	used = 1
	wantProblem(t, "the file", s.get(g.File), http.StatusServiceUnavailable, "busy")
	used = 0
	if a := s.get(g.File); a.StatusCode != http.StatusOK {
		t.Errorf("with memory again: %s %s", a.Status, a.body)
	}
}

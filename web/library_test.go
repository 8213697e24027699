package web_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holt/server/play/game"
	"holt/web"
)

// samplePacked returns the sample of the guide as a packed game, with another name and with rules.
func samplePacked(t *testing.T, name string) []byte {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("../docs/guides/samples")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "how.md"), []byte("# Cast\n<b>spells</b>\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(filepath.Join(folder, "spells.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(doc), `"name": "Spells"`, `"name": "`+name+`"`, 1)
	text = strings.Replace(text, `"about": {`, `"about": {"rules": "how.md", `, 1)
	return packedGame(t, []byte(text), os.DirFS(folder))
}

// packedGame returns a game, whose files lie in a folder, as one file.
func packedGame(t *testing.T, doc []byte, files fs.FS) []byte {
	t.Helper()
	p, err := game.ReadLoose(doc, game.FilesOf(files, ".", files))
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// upload sends a file as a game.
func (s *stack) upload(file []byte, header ...string) answer {
	s.Helper()
	r := s.request(http.MethodPost, "/api/v1/games", string(file), header)
	r.Header.Set("Content-Type", "application/zip")
	return s.do(r, nil)
}

// brought is what the tests read of an answer about a game.
type brought struct {
	Game, Name, Library, File, Rules string
	Players                          []int
}

// TestG11Uploads shows how a program brings a game, sets up a table with it, and forgets it.
// Clauses: G11.1, G11.2, G11.3, G11.4, G11.5, G11.7
func TestG11Uploads(t *testing.T) {
	file := samplePacked(t, "Cast")
	t.Run("a game is brought, played and forgotten", func(t *testing.T) {
		s := newStack(t)
		a := s.upload(file)
		var g brought
		a.json(t, &g)
		if a.StatusCode != http.StatusCreated || g.Name != "Cast" || len(g.Game) != 64 ||
			len(g.Players) != 2 || g.Library == "" ||
			a.Header.Get("Location") != "/api/v1/games/"+g.Game ||
			!strings.Contains(a.Header.Get("Set-Cookie"), "HttpOnly") {
			t.Fatalf("%s %s", a.Status, a.body)
		}
		mine := []string{"Holt-Library", g.Library}
		if a := s.upload(file, mine...); a.StatusCode != http.StatusOK {
			t.Errorf("G11.3 again: %s %s", a.Status, a.body)
		}
		if a := s.get("/api/v1/games", mine...); strings.Count(a.body, g.Game+`"`) != 1 {
			t.Errorf("G11.3 the list is %s", a.body)
		}
		for _, header := range [][]string{nil, {"Holt-Library", "AAAAAAAAAAAAAAAAAAAAAA"}} {
			if a := s.get("/api/v1/games", header...); strings.Contains(a.body, g.Game) {
				t.Errorf("G11.2 others see it: %s", a.body)
			}
			if a := s.do(s.request(http.MethodDelete, "/api/v1/games/"+g.Game, "", header), nil); a.
				StatusCode != http.StatusNotFound {
				t.Errorf("G11.5 others forget it: %s", a.Status)
			}
		}
		if a := s.get("/", "Cookie", "holt_games="+g.Library); !strings.Contains(a.body, ">Cast<") ||
			!strings.Contains(a.body, "2–4 players") {
			t.Error("it is not on the front page of its browser")
		}
		if a := s.get("/"); strings.Contains(a.body, "Cast") {
			t.Error("G11.2 it is on the front page of others")
		}
		if a := s.get(g.File); a.body != string(file) ||
			!strings.Contains(a.Header.Get("Content-Disposition"), `filename="spells.holt"`) {
			t.Errorf("the file is another one: %d bytes, %v", len(a.body), a.Header)
		}
		if a := s.get(g.Rules); a.body != "# Cast\n<b>spells</b>\n" ||
			a.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
			a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("the rules are %q, %v", a.body, a.Header)
		}
		table := s.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, g.Game))
		var made struct{ Table, Token string }
		table.json(t, &made)
		if table.StatusCode != http.StatusCreated {
			t.Fatalf("%s %s", table.Status, table.body)
		}
		if a := s.do(s.request(http.MethodDelete, "/api/v1/games/"+g.Game, "", mine), nil); a.
			StatusCode != http.StatusNoContent {
			t.Fatalf("it is not forgotten: %s %s", a.Status, a.body)
		}
		if a := s.get("/api/v1/games", mine...); strings.Contains(a.body, g.Game) {
			t.Errorf("it is in the list: %s", a.body)
		}
		if a := s.get("/api/v1/tables/"+made.Table, "Authorization", "Bearer "+made.Token); a.
			StatusCode != http.StatusOK || !strings.Contains(a.body, `"title":"Cast"`) {
			t.Errorf("G11.5 the table is %s %.200s", a.Status, a.body)
		}
		wantProblem(t, "a table of a forgotten game",
			s.post("/api/v1/tables", fmt.Sprintf(`{"game":%q}`, g.Game)),
			http.StatusUnprocessableEntity, "impossible-value")
		wantProblem(t, "what is said of a forgotten game", s.get("/api/v1/games/"+g.Game),
			http.StatusNotFound, "not-found")
	})
	t.Run("G11.1 what is no game is refused with the reason", func(t *testing.T) {
		s := newStack(t)
		bad := bytes.Replace(file, []byte(`Cast`), []byte(`Cost`), 1) // the checksum is wrong
		for detail, body := range map[string]string{
			"it is no packed game":  "no game",
			"its bytes are damaged": string(bad),
		} {
			a := s.upload([]byte(body))
			wantProblem(t, detail, a, http.StatusUnprocessableEntity, "game")
			if !strings.Contains(a.body, detail) {
				t.Errorf("%s is not in %s", detail, a.body)
			}
		}
		wantProblem(t, "with a secret that is none", s.upload(file, "Holt-Library", "mine"),
			http.StatusBadRequest, "malformed")
		wantProblem(t, "nothing", s.upload(nil), http.StatusBadRequest, "malformed")
		r := s.request(http.MethodPost, "/api/v1/games", string(file), nil)
		r.Header.Set("Content-Type", "application/json")
		wantProblem(t, "as JSON", s.do(r, nil), http.StatusUnsupportedMediaType, "content-type")
		r = s.request(http.MethodPost, "/api/v1/games", "", nil)
		r.Header.Set("Content-Type", "application/zip")
		r.ContentLength = game.MaxPacked + 1
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, r)
		if w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("a large file: %d", w.Code)
		}
		if _, rest, ok := strings.Cut(s.get("/api/v1/games").body, `"own"`); ok {
			t.Errorf("something is kept: %s", rest)
		}
	})
	t.Run("G11.4 a library that is full refuses more", func(t *testing.T) {
		s := newStack(t)
		var g brought
		s.upload(file).json(t, &g)
		mine := []string{"Holt-Library", g.Library}
		if a := s.upload(samplePacked(t, "Two"), mine...); a.StatusCode != http.StatusCreated {
			t.Fatalf("the second one: %s %s", a.Status, a.body)
		}
		three := samplePacked(t, "Three")
		wantProblem(t, "the third one", s.upload(three, mine...), http.StatusInsufficientStorage,
			"games-full")
		if a := s.upload(three); a.StatusCode != http.StatusCreated {
			t.Errorf("in another library: %s %s", a.Status, a.body)
		}
	})
	t.Run("who brings many games has to wait", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) { c.Limits.Uploads = web.Rate{PerSecond: 0.001, Burst: 1} })
		s.upload(file)
		wantProblem(t, "the second one", s.upload(file), http.StatusTooManyRequests, "too-fast")
	})
	t.Run("G11.1 nothing is kept of what breaks off", func(t *testing.T) {
		s := newStack(t)
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(c, "POST /api/v1/games HTTP/1.1\r\nHost: x\r\n"+
			"Content-Type: application/zip\r\nHolt-Library: AAAAAAAAAAAAAAAAAAAAAA\r\n"+
			"Content-Length: %d\r\n\r\n%s", len(file), file[:len(file)/2]); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if a := s.get("/api/v1/games", "Holt-Library", "AAAAAAAAAAAAAAAAAAAAAA"); !strings.Contains(
			a.body, `"own":[]`) {
			t.Errorf("it is kept: %s", a.body)
		}
	})
	t.Run("one file comes from each address at a time", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Limits.Uploads = web.Rate{PerSecond: 1000, Burst: 1000}
		})
		first, write := io.Pipe()
		r := s.request(http.MethodPost, "/api/v1/games", "", nil)
		r.Body, r.ContentLength = first, -1
		r.Header.Set("Content-Type", "application/zip")
		r.Header.Set("Expect", "100-continue") // so that it says when it begins to read the file
		reads := make(chan struct{})
		r = r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
			Got100Continue: func() { close(reads) },
		}))
		done := make(chan answer)
		go func() { done <- s.do(r, nil) }()
		<-reads
		if a := s.upload(file); a.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a second file comes from the same address: %s", a.Status)
		}
		if _, err := write.Write(file); err != nil {
			t.Error(err)
		}
		if err := write.Close(); err != nil {
			t.Error(err)
		}
		if a := <-done; a.StatusCode != http.StatusCreated && a.StatusCode != http.StatusOK {
			t.Errorf("the first one: %s %s", a.Status, a.body)
		}
	})
	t.Run("G11.7 if the operator lets nobody", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) { c.NobodyBrings = true })
		wantProblem(t, "a game", s.upload(file), http.StatusForbidden, "upload")
		if a := s.get("/"); strings.Contains(a.body, "Bring a game") {
			t.Error("the front page offers it")
		}
		s = newStack(t, func(c *web.Config) { c.Creation = web.Creation{Nobody: true} })
		wantProblem(t, "who may not set up tables", s.upload(file), http.StatusForbidden, "create")
	})
	t.Run("another site cannot bring a game for a browser", func(t *testing.T) {
		s := newStack(t)
		wantProblem(t, "from elsewhere", s.upload(file, "Origin", "https://elsewhere.example"),
			http.StatusForbidden, "origin")
	})
}

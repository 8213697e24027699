package web_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/server/tables/room"
	"holt/static"
	"holt/storage"
	"holt/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stack is a complete server: storage, rooms and web.
type stack struct {
	testing.TB
	URL   string
	web   *web.Server
	rooms *room.Rooms
	cfg   room.Config // of rooms
	log   *logBuffer
}

// logBuffer holds what the server has logged so far.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// The games and the client are the same for all servers of these tests. To read and bundle them for
// each took most of the tests' time.
var (
	shippedGames = sync.OnceValues(func() (*game.Shelf, error) {
		return game.LoadShelf(static.Files)
	})
	bundledClient = sync.OnceValues(func() (*web.Assets, error) {
		return web.BundleAssets(static.Files)
	})
	rawClient = sync.OnceValues(func() (*web.Assets, error) {
		return web.RawAssets(static.Files)
	})
)

// unbundled lets a server serve the client as it is, as for development.
func unbundled(c *web.Config) {
	assets, err := rawClient()
	if err != nil {
		panic(err)
	}
	c.Assets = assets
}

// newServer joins storage, rooms and web, as the program does.
func newServer(t testing.TB, adjust ...func(*web.Config)) *stack {
	t.Helper()
	return newServerFor(t, library.Quota{Library: 16 << 10, All: 40 << 10}, adjust...)
}

// newServerFor is newServer with room for so much in libraries.
func newServerFor(t testing.TB, q library.Quota, adjust ...func(*web.Config)) *stack {
	t.Helper()
	s := &stack{TB: t, log: new(logBuffer)}
	log := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	db, err := storage.Open(t.Context(), t.TempDir(), storage.Options{Log: log})
	s.must(err)
	shelf, err := shippedGames()
	s.must(err)
	self, err := db.HostID(t.Context())
	s.must(err)
	key, err := db.InviteKey(t.Context())
	s.must(err)
	reserve := func(until id.Millis) error { return db.ReserveOIDs(context.Background(), until) }
	s.cfg = room.Config{
		Store: db, Minter: id.NewMinter(self, 0, reserve), Shelf: shelf, InviteKey: key,
		Now:    func() id.Millis { return id.Millis(time.Now().UnixMilli()) },
		Random: rand.Reader, Log: log,
	}
	games := library.New(library.Config{
		Store: db, Now: s.cfg.Now, Preview: web.PreviewJSON,
		Quota: q,
	})
	s.cfg.Games = games
	s.rooms = room.New(s.cfg)
	cfg := web.Config{Rooms: s.rooms, Shelf: shelf, Log: log, Library: games}
	for _, a := range adjust {
		a(&cfg)
	}
	if cfg.Assets == nil {
		cfg.Assets, err = bundledClient()
		s.must(err)
	}
	s.web = web.New(cfg)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		s.must(s.rooms.Shutdown(ctx))
		s.must(s.web.Shutdown(ctx))
		games.Close()
		s.must(db.Close())
	})
	return s
}

// newStack is newServer on a port of the loopback interface.
func newStack(t testing.TB, adjust ...func(*web.Config)) *stack {
	t.Helper()
	return newServer(t, adjust...).listen()
}

// listen serves on a port of the loopback interface.
func (s *stack) listen() *stack {
	s.Helper()
	ts := httptest.NewUnstartedServer(s.web)
	ts.Config = s.web.HTTP()
	ts.Start()
	s.Cleanup(ts.Close)
	s.URL = ts.URL
	return s
}

func (s *stack) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// answer is a response that has been read.
type answer struct {
	*http.Response
	body string
}

// json decodes the body into v.
func (a answer) json(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		t.Fatalf("%v in %q", err, a.body)
	}
}

// do sends a request as a program does, or with the cookies of a browser. It does not follow
// redirects.
func (s *stack) do(r *http.Request, jar http.CookieJar) answer {
	s.Helper()
	client := &http.Client{
		Jar:       jar,
		Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	res, err := client.Do(r)
	s.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	s.must(err)
	return answer{res, string(body)}
}

// header is the header of a request: names and values by turns.
type header []string

func (s *stack) request(method, path, body string, h header) *http.Request {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, s.URL+path, strings.NewReader(body))
	s.must(err)
	for pair := range slices.Chunk(h, 2) {
		if pair[0] == "Host" {
			r.Host = pair[1]
			continue
		}
		r.Header.Add(pair[0], pair[1])
	}
	return r
}

func (s *stack) get(path string, h ...string) answer {
	s.Helper()
	return s.do(s.request(http.MethodGet, path, "", h), nil)
}

// post sends JSON, unless the headers say otherwise.
func (s *stack) post(path, body string, h ...string) answer {
	s.Helper()
	r := s.request(http.MethodPost, path, body, h)
	if r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return s.do(r, nil)
}

// seat is a seat at a table, and its token.
type seat struct {
	Table   string
	Seat    int
	Role    string
	Token   string
	URL     string
	Invites struct{ Player, Spectator string }
}

func (k seat) api(rest string) string { return "/api/v1/tables/" + k.Table + rest }

// bearer returns the header that carries the token.
func (k seat) bearer() header { return header{"Authorization", "Bearer " + k.Token} }

// open creates a table and returns its host's seat.
func (s *stack) open(game string) seat {
	s.Helper()
	a := s.post("/api/v1/tables", `{"game":"`+game+`","nick":"Ada"}`)
	if a.StatusCode != http.StatusCreated {
		s.Fatalf("table: %s %s", a.Status, a.body)
	}
	var k seat
	a.json(s, &k)
	return k
}

// join takes a seat by an invite link.
func (s *stack) join(k seat, link, nick string) seat {
	s.Helper()
	a := s.post(k.api("/seats"), `{"invite":"`+secretOf(link)+`","nick":"`+nick+`"}`)
	if a.StatusCode != http.StatusCreated {
		s.Fatalf("seat: %s %s", a.Status, a.body)
	}
	var other seat
	a.json(s, &other)
	return other
}

func secretOf(link string) string { return link[strings.LastIndex(link, "/")+1:] }

// browser keeps cookies. Its requests carry the origin of the page that makes them.
type browser struct {
	*stack
	jar *cookiejar.Jar
}

func (s *stack) browser() *browser {
	jar, err := cookiejar.New(nil)
	s.must(err)
	return &browser{s, jar}
}

func (b *browser) get(path string, h ...string) answer {
	b.Helper()
	return b.do(b.request(http.MethodGet, path, "", h), b.jar)
}

// submit sends a form of a page of the server.
func (b *browser) submit(path string, fields url.Values, h ...string) answer {
	b.Helper()
	r := b.request(http.MethodPost, path, fields.Encode(), h)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if r.Header.Get("Origin") == "" {
		r.Header.Set("Origin", b.URL)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return b.do(r, b.jar)
}

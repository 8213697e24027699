package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"holt/server/play/game"
	"holt/web"
)

// FuzzRequests sends raw requests, with a seat's token or without one. Whatever they hold, the
// server answers, and never with a fault of its own.
func FuzzRequests(f *testing.F) {
	wide := web.Rate{PerSecond: 1e9, Burst: 1 << 30}
	s := newServer(f, func(c *web.Config) {
		c.Limits = web.Limits{Tables: wide, Daily: wide, Seats: wide, TableSeats: wide, Failures: wide,
			Streams: wide, Updates: wide, Exports: wide, Servers: wide, Bags: wide, SeatLookups: wide,
			Kinds: wide, Uploads: wide}
	})
	t := httptest.NewServer(s.web)
	defer t.Close()
	s.URL = t.URL
	k := s.open("chess")
	s.letHostEdit(f, k)
	card, err := game.ReadLoose([]byte(`{
		"format": "holt.game/2", "id": "plain", "name": "Plain", "summary": "One kind.",
		"table": {"width": 6000, "height": 4400, "surface": "slate"},
		"kinds": [{"name": "Card", "width": 635, "height": 889, "shape": "card", "weight": "light",
			"faces": [{"name": "Front", "layers": [{"colour": "#336699"}]}]}], "pieces": []}`),
		game.Files{})
	if err != nil {
		f.Fatal(err)
	}
	kinds, err := card.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][4]string{
		{"GET", "/", "", ""}, {"GET", "/healthz", "", ""}, {"GET", "/api/v1/games", "", ""},
		{"POST",
			"/tables", "application/x-www-form-urlencoded", "game=chess&nick=Ada&colour=%232f72c4"},
		{"POST", "/api/v1/tables", "application/json", `{"game":"cards","nick":"Ada"}`},
		{"GET", "/api/v1/tables/T", "", ""}, {"GET", "/t/T", "", ""}, {"GET", "/join/abc", "", ""},
		{"POST", "/api/v1/seats", "application/json", `{"invite":"abc","nick":"Ben"}`},
		{"POST", "/api/v1/tables/T/seats", "application/json", `{"invite":"abc","nick":"Ben"}`},
		{
			"POST", "/api/v1/tables/T/updates", "application/json",
			`{"client":"q83vEjRWeJCrze8SNFZ4kA","epoch":1,` +
				`"updates":[{"seq":1,"op":"add","kind":7,"x":0,"y":0}]}`,
		},
		{"POST", "/api/v1/tables/T/components?epoch=1&mark=1", "application/x-protobuf",
			"\n\x04\x08\x01\x10\x02"},
		{"GET", "/api/v1/tables/T/components", "", ""}, {"GET",
			"/api/v1/tables/T/fairness", "", ""}, {"POST", "/api/v1/tables/T/rounds", "", ""},
		{"GET", "/api/v1/tables/T/stream?client=q83vEjRWeJCrze8SNFZ4kA", "", ""},
		{"POST", "/api/v1/tables/T/invites", "", ""},
		{"POST", "/api/v1/tables/T/kinds", "application/zip", string(kinds)},
		{"POST", "/api/v1/tables/T/game", "application/json", `{"name":"Mine","summary":"A try."}`},
		{"POST", "/api/v1/tables/T/seats/1/edit", "application/json", `{"edits":false}`},
		{"GET", "/art/0000000000000000000000000000000000000000000000000000000000000000/album", "",
			""}, {"GET", "/assets/x", "", ""}, {"GET", "/problems/role", "", ""},
	} {
		for _, seated := range []bool{false, true} {
			f.Add(seed[0], seed[1], seed[2], []byte(seed[3]), seated)
		}
	}
	f.Fuzz(func(t *testing.T, method, path, kind string, body []byte, seated bool) {
		target, err := url.ParseRequestURI(strings.ReplaceAll(path, "T", k.Table))
		if err != nil || target.Host != "" || !strings.HasPrefix(target.Path, "/") {
			return
		}
		r, err := http.NewRequestWithContext(t.Context(), method, target.String(),
			strings.NewReader(string(body)))
		if err != nil {
			return
		}
		r.Host, r.RemoteAddr = "holt.test", "192.0.2.1:1000"
		r.Header.Set("Content-Type", kind)
		if seated {
			r.Header.Set("Authorization", "Bearer "+k.Token)
		}
		w := httptest.NewRecorder()
		s.web.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable &&
			w.Code != http.StatusInsufficientStorage {
			t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		own := "/api/v1/tables/" + k.Table
		if w.Code == http.StatusNotFound && seated && (target.Path == own || strings.HasPrefix(
			target.Path, own+"/")) && strings.Contains(w.Body.String(), "no-table") {
			k = s.reopen(t) // it was deleted
			s.letHostEdit(t, k)
		}
	})
}

// letHostEdit lets the host of a table edit it, also while a fuzz target runs.
func (s *stack) letHostEdit(t testing.TB, k seat) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, k.api("/seats/1/edit"),
		strings.NewReader(`{"edits":true}`))
	r.Host = "holt.test"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+k.Token)
	if s.web.ServeHTTP(w, r); w.Code != http.StatusNoContent {
		t.Fatalf("the host does not edit: %d %s", w.Code, w.Body)
	}
}

// reopen creates another table, while a fuzz target runs.
func (s *stack) reopen(t *testing.T) (k seat) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/tables",
		strings.NewReader(`{"game":"chess","nick":"Ada"}`))
	r.Host = "holt.test"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &k); err != nil || w.Code != http.StatusCreated {
		t.Fatalf("another table: %d %s, %v", w.Code, w.Body, err)
	}
	return k
}

package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// deleteTable requests the deletion of a table.
func (s *stack) deleteTable(k seat, h ...string) answer {
	s.Helper()
	return s.do(s.request(http.MethodDelete, k.api(""), "", h), nil)
}

// wantProblem checks that an answer is a problem with the given status and code.
func wantProblem(t *testing.T, what string, a answer, status int, code string) {
	t.Helper()
	var p struct{ Code string }
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.StatusCode != status ||
		p.Code != code {
		t.Errorf("%s: %s %s, want %d %s", what, a.Status, a.body, status, code)
	}
}

func TestDiscard(t *testing.T) {
	t.Run("T42.7 a deleted table is gone at every address", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		friend := s.join(k, k.Invites.Player, "Ben")
		stream, engine := s.stream(friend, clientID), s.link(friend, "flat")
		if a := s.deleteTable(k, k.bearer()...); a.StatusCode != http.StatusNoContent || a.body != "" {
			t.Fatalf("%s %s", a.Status, a.body)
		}
		for {
			f := stream.frame()
			if n := len(f.GetEvents()); n > 0 && f.GetEvents()[n-1].GetGoing().GetFinal() {
				if by := f.GetEvents()[n-1].GetGoing().GetBy(); by != uint32(k.Seat) {
					t.Errorf("it was deleted by %d", by)
				}
				break
			}
		}
		if code := stream.closed(); code != 4004 {
			t.Errorf("the stream closed with %d", code)
		}
		if code := engine.closed(); code != 4004 {
			t.Errorf("the link closed with %d", code)
		}
		wantProblem(t, "the table", s.get(k.api(""), k.bearer()...), http.StatusGone, "gone")
		wantProblem(t, "again", s.deleteTable(k, k.bearer()...), http.StatusGone, "gone")
		wantProblem(t, "an update", s.post(k.api("/updates"), `{}`, friend.bearer()...),
			http.StatusGone, "gone")
		wantProblem(t, "a seat", s.post(k.api("/seats"),
			`{"invite":"`+secretOf(k.Invites.Player)+`","nick":"Eve"}`), http.StatusGone, "gone")
		for _, path := range []string{"/t/" + k.Table, "/t/" + k.Table + "/fairness",
			"/join/" + secretOf(k.Invites.Spectator)} {
			if a := s.get(path); a.StatusCode != http.StatusGone ||
				!strings.Contains(a.body, "was deleted") {
				t.Errorf("%s: %s", path, a.Status)
			}
		}
		if a := s.get("/t/" + k.Table); !strings.Contains(a.Header.Get("Set-Cookie"),
			"holt_"+k.Table+"=; Path=/; Max-Age=0") {
			t.Errorf("Set-Cookie: %s", a.Header.Get("Set-Cookie"))
		}
		if a := s.get("/", "Cookie",
			"holt_"+k.Table+"="+k.Token); strings.Contains(a.body, k.Table) {
			t.Error("the front page lists it")
		}
	})
	t.Run("T42.1 nobody else may, and no other site", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		player, watcher := s.join(k, k.Invites.Player, "Ben"), s.join(k, k.Invites.Spectator, "Eve")
		cookie := "holt_" + k.Table + "=" + k.Token
		wantProblem(t, "a player", s.deleteTable(k, player.bearer()...), http.StatusForbidden, "role")
		wantProblem(t, "a spectator", s.deleteTable(k, watcher.bearer()...),
			http.StatusForbidden, "role")
		wantProblem(t, "nobody", s.deleteTable(k), http.StatusUnauthorized, "no-seat")
		wantProblem(t, "no page", s.deleteTable(k, "Cookie", cookie), http.StatusForbidden, "origin")
		wantProblem(t, "another site", s.deleteTable(k, "Cookie", cookie, "Origin",
			"https://evil.example"), http.StatusForbidden, "origin")
		if a := s.get(k.api(""), k.bearer()...); a.StatusCode != http.StatusOK {
			t.Errorf("after that %s", a.Status)
		}
		if a := s.deleteTable(k, "Cookie", cookie, "Origin", s.URL,
			"Sec-Fetch-Site", "same-origin"); a.StatusCode != http.StatusNoContent {
			t.Errorf("the host's page: %s", a.Status)
		}
	})
	t.Run("DELETE is listed where it works", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		a := s.do(s.request(http.MethodPut, k.api(""), "", nil), nil)
		if a.StatusCode != http.StatusMethodNotAllowed ||
			a.Header.Get("Allow") != "GET, DELETE, HEAD" {
			t.Errorf("%s %q", a.Status, a.Header.Get("Allow"))
		}
	})
}

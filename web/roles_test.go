package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRoles shows the routes of roles.
// Clauses: T66.1, T66.7, T66.8
func TestRoles(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Ben")
	watcher := s.join(k, k.Invites.Spectator, "Dan")
	post := func(who seat, path, body string, status int, part string) {
		t.Helper()
		a := s.post(who.api(path), body, who.bearer()...)
		if a.StatusCode != status || !strings.Contains(a.body, part) {
			t.Errorf("%s %s: %s %s, want %d with %s", path, body, a.Status, a.body, status, part)
		}
	}
	role := func(of int) string { return fmt.Sprintf("/seats/%d/role", of) }
	post(ben, role(ben.Seat), `{"role":"host"}`, http.StatusForbidden, `"role"`)
	post(k, role(ben.Seat), `{"role":"spectator"}`, http.StatusUnprocessableEntity, "impossible")
	post(k, role(ben.Seat), `{}`, http.StatusBadRequest, `"malformed"`)
	post(k, role(99), `{"role":"host"}`, http.StatusNotFound, `"not-found"`)
	post(k, role(watcher.Seat), `{"role":"host"}`, http.StatusNotFound, `"not-found"`)
	post(k, "/host", `{"seat":1}`, http.StatusConflict, `"host-here"`)
	post(watcher, "/host", `{"seat":1}`, http.StatusForbidden, `"role"`)
	post(k, role(ben.Seat), `{"role":"co-host"}`, http.StatusNoContent, "")
	post(ben, "/invites", ``, http.StatusCreated, "player")
	post(k, role(ben.Seat), `{"role":"host"}`, http.StatusNoContent, "")
	post(k, "/invites", ``, http.StatusForbidden, `"role"`)
	if a := s.get(k.api(""), k.bearer()...); !strings.Contains(a.body, `"role":"host"`) ||
		!strings.Contains(a.body, `"role":"player"`) {
		t.Errorf("the table is %s", a.body)
	}
}

// TestPassword shows how a password is asked for, and how often.
// Clauses: T68.1, T68.4, T68.6
func TestPassword(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	set := func(who seat, text string, status int) {
		t.Helper()
		a := s.post(who.api("/password"), fmt.Sprintf(`{"password":%q}`, text), who.bearer()...)
		if a.StatusCode != status {
			t.Errorf("password %q: %s %s, want %d", text, a.Status, a.body, status)
		}
	}
	ben := s.join(k, k.Invites.Player, "Ben")
	set(ben, "sesame", http.StatusForbidden)
	set(k, strings.Repeat("x", 101), http.StatusUnprocessableEntity)
	set(k, "sesame", http.StatusNoContent)
	if a := s.get(k.api("/invites"), k.bearer()...); !strings.Contains(a.body, `"password":true`) {
		t.Errorf("T68.4 the host is not told: %s", a.body)
	}
	path := "/join/" + secretOf(k.Invites.Player)
	b := s.browser()
	if page := b.get(path); !strings.Contains(page.body, `name="password"`) {
		t.Error("T68.4 the page does not ask for the password")
	}
	come := func(text string) answer {
		t.Helper()
		return b.submit(path, url.Values{
			"nick": {"Cid"}, "colour": {"#2f72c4"}, "password": {text},
		})
	}
	if a := come("open"); a.StatusCode != http.StatusUnprocessableEntity ||
		!strings.Contains(a.body, "password-problem") {
		t.Errorf("T68.4 a wrong password: %s", a.Status)
	}
	for range 12 {
		if a := come("sesame"); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("T68.6 right passwords count: %s", a.Status)
		}
	}
	body := fmt.Sprintf(`{"invite":%q,"nick":"Eve","password":"x"}`, secretOf(k.Invites.Player))
	refused := 0
	for range 7 {
		a := s.post("/api/v1/seats", body)
		switch a.StatusCode {
		case http.StatusForbidden:
			if !strings.Contains(a.body, `"password"`) {
				t.Errorf("T68.1 %s", a.body)
			}
		case http.StatusTooManyRequests:
			refused++
		default:
			t.Errorf("T68.6 %s %s", a.Status, a.body)
		}
	}
	if refused == 0 {
		t.Error("T68.6 wrong passwords may be tried without end")
	}
	if a := come("sesame"); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("T68.6 the right one after too many tries: %s", a.Status)
	}
}

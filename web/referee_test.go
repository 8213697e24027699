package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestReferee shows the routes of referees, and what the page of an invite says of one.
// Clauses: T74.1, T74.2, T74.3, T74.12, T75.1, T75.2, T75.4
func TestReferee(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben, eve := s.join(k, k.Invites.Player, "Ben"), s.join(k, k.Invites.Spectator, "Eve")
	post := func(who seat, path, body string, status int, part string) {
		t.Helper()
		a := s.post(who.api(path), body, who.bearer()...)
		if a.StatusCode != status || !strings.Contains(a.body, part) {
			t.Errorf("%s %s: %s %s, want %d with %s", path, body, a.Status, a.body, status, part)
		}
	}
	asks := fmt.Sprintf("/seats/%d/referee", eve.Seat)
	answers := func(n int, agree bool) string {
		return fmt.Sprintf(`{"proposal":%d,"agree":%v}`, n, agree)
	}
	post(ben, asks, "", http.StatusForbidden, `"role"`)
	post(k, "/seats/99/referee", "", http.StatusNotFound, `"not-found"`)
	post(k, asks, "", http.StatusNoContent, "")
	post(k, asks, "", http.StatusConflict, `"proposed"`)
	post(ben, "/referee", `{"proposal":1}`, http.StatusBadRequest, `"malformed"`)
	post(ben, "/referee", answers(9, true), http.StatusNotFound, `"not-found"`)
	post(eve, "/referee", answers(1, true), http.StatusForbidden, `"role"`)
	post(ben, "/referee", answers(1, false), http.StatusNoContent, "")
	post(k, asks, "", http.StatusNoContent, "")
	post(ben, "/referee", answers(2, true), http.StatusNoContent, "")
	if a := s.get(k.api(""), k.bearer()...); !strings.Contains(a.body, `"role":"referee"`) {
		t.Errorf("T74.2 the table is %s", a.body)
	}

	cid := s.browser()
	path := strings.TrimPrefix(k.Invites.Player, s.URL)
	const named = "Eve is a referee here"
	if page := cid.get(path); !strings.Contains(page.body, named) {
		t.Error("T74.12 the page of the invite does not name the referee")
	}
	watch := strings.TrimPrefix(k.Invites.Spectator, s.URL)
	if page := cid.get(watch); strings.Contains(page.body, named) {
		t.Error("the page for those who watch speaks of their hand")
	}
	cid.submit(watch, url.Values{"nick": {"Cid"}, "colour": {"#2f72c4"}})
	page := cid.get(path)
	if !strings.Contains(page.body, path+"?sit") || strings.Count(page.body, named) != 2 {
		t.Error("T75.4 the page does not let a spectator sit down, or does not name the referee before")
	}
	if a := cid.submit(path+"?sit", url.Values{}); a.StatusCode != http.StatusSeeOther {
		t.Errorf("T75.4 %s %s", a.Status, a.body)
	}
	if page := cid.get(path); strings.Contains(page.body, "?sit") {
		t.Error("T75.4 who plays may sit down")
	}
	if a := s.browser().submit(path+"?sit", url.Values{}); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("T75.4 without a seat: %s", a.Status)
	}

	post(k, "/seats/me/stand", "", http.StatusConflict, `"last-host"`)
	post(ben, "/seats/me/stand?hand=eat", "", http.StatusUnprocessableEntity, "impossible")
	post(ben, "/seats/me/stand?hand=stay", "", http.StatusNoContent, "")
	post(ben, "/seats/me/stand", "", http.StatusForbidden, `"role"`)
	post(ben, "/seats/me/sit", "", http.StatusNoContent, "")
	post(eve, "/seats/me/sit", "", http.StatusForbidden, `"role"`)
}

// TestRenewedInvite shows that a host renews one link, and what the page of the old one says.
// Clauses: T75.9, T75.10
func TestRenewedInvite(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Ben")
	renew := func(who seat, what string) answer {
		return s.post(who.api("/invites"+what), "", who.bearer()...)
	}
	if a := renew(ben, "?for=player"); a.StatusCode != http.StatusForbidden {
		t.Errorf("T75.9 a player renews: %s", a.Status)
	}
	if a := renew(k, "?for=host"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("T75.9 a link for hosts: %s", a.Status)
	}
	if a := renew(k, "?for=player"); a.StatusCode != http.StatusCreated ||
		!strings.Contains(a.body, k.Invites.Spectator) || strings.Contains(a.body, k.Invites.Player) {
		t.Errorf("T75.9 %s %s", a.Status, a.body)
	}
	b := s.browser()
	old := b.get(strings.TrimPrefix(k.Invites.Player, s.URL))
	if old.StatusCode != http.StatusGone ||
		!strings.Contains(old.body, "A host of the table has made a new link") {
		t.Errorf("T75.10 %s %s", old.Status, says(old.body))
	}
	body := fmt.Sprintf(`{"invite":%q,"nick":"Cid"}`, secretOf(k.Invites.Player))
	if a := s.post("/api/v1/seats", body); a.StatusCode != http.StatusGone ||
		!strings.Contains(a.body, `"renewed-invite"`) {
		t.Errorf("T75.10 %s %s", a.Status, a.body)
	}
	if a := b.get(strings.TrimPrefix(k.Invites.Spectator, s.URL)); a.StatusCode != http.StatusOK {
		t.Errorf("T75.9 the other link: %s", a.Status)
	}
}

// TestVisitorMistypesPassword shows that a wrong password does not use up a voucher.
// Clauses: O37.5, T68.1, T68.4
func TestVisitorMistypesPassword(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	k := away.open("cards")
	invite := k.Invites.Player
	set := away.post(k.api("/password"), `{"password":"sesame"}`, k.bearer()...)
	if set.StatusCode != http.StatusNoContent {
		t.Fatalf("%s %s", set.Status, set.body)
	}
	u, err := url.Parse(home.sends(home.browser(), invite).Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	q, ada := u.Query(), away.browser()
	for _, wrong := range []string{"", "seasme"} {
		q.Set("password", wrong)
		a := ada.submit("/visit", q)
		if a.StatusCode != http.StatusUnprocessableEntity ||
			!strings.Contains(says(a.body), "That is not the password") ||
			!strings.Contains(a.body, `name="voucher"`) {
			t.Fatalf("T68.4 by %q: %s %s", wrong, a.Status, says(a.body))
		}
	}
	q.Set("password", "sesame")
	if a := ada.submit("/visit", q); a.StatusCode != http.StatusSeeOther {
		t.Errorf("the voucher is used up: %s %s", a.Status, says(a.body))
	}
	if a := away.browser().submit("/visit", q); a.StatusCode != http.StatusForbidden ||
		!strings.Contains(says(a.body), "already") {
		t.Errorf("O37.5 the voucher is valid twice: %s", a.Status)
	}
}

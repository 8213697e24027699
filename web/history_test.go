package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"holt/web"
)

// Clauses: T48.1
func TestT48DropHistory(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	friend := s.join(k, k.Invites.Player, "Ben")
	drop := func(h ...string) answer {
		return s.do(s.request(http.MethodDelete, k.api("/history"), "", h), nil)
	}
	wantProblem(t, "a player", drop(friend.bearer()...), http.StatusForbidden, "role")
	wantProblem(t, "another site", drop("Cookie", "holt_"+k.Table+"="+k.Token, "Origin",
		"https://evil.example"), http.StatusForbidden, "origin")
	if a := drop(k.bearer()...); a.StatusCode != http.StatusNoContent || a.body != "" {
		t.Fatalf("%s %s", a.Status, a.body)
	}
	var e struct{ Dropped int }
	if a := s.get(k.api("/fairness"),
		friend.bearer()...); json.Unmarshal([]byte(a.body), &e) != nil || e.Dropped != 1 {
		t.Errorf("the export is %s %.200s", a.Status, a.body)
	}
	if a := s.get(k.api(""), friend.bearer()...); a.StatusCode != http.StatusOK {
		t.Errorf("the table is %s", a.Status)
	}
}

func TestT57CopiesByHTTP(t *testing.T) {
	t.Run("T57.1 a host gets a new table, by cookie as it came; others a problem", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		ben := s.join(k, k.Invites.Player, "Ben")
		wantProblem(t, "a player", s.post(ben.api("/copy"), "", ben.bearer()...),
			http.StatusForbidden, "role")
		a := s.post(k.api("/copy"), "", k.bearer()...)
		var c seat
		a.json(t, &c)
		if a.StatusCode != http.StatusCreated || c.Table == k.Table || c.Seat != 1 ||
			len(a.Header["Set-Cookie"]) != 0 {
			t.Fatalf("copied: %s %s", a.Status, a.body)
		}
		if a := s.get(c.api(""), c.bearer()...); a.StatusCode != http.StatusOK {
			t.Errorf("the copy: %s", a.Status)
		}
		s.join(c, c.Invites.Player, "Ben")
		cookie := "holt_" + k.Table + "=" + k.Token
		wantProblem(t, "another site", s.post(k.api("/copy"), "", "Cookie", cookie, "Origin",
			"https://evil.example"), http.StatusForbidden, "origin")
		a = s.post(k.api("/copy"), "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
		a.json(t, &c)
		if got := strings.Join(a.Header["Set-Cookie"], "; "); !strings.Contains(got,
			"holt_"+c.Table+"="+c.Token) {
			t.Errorf("the cookies are %q", got)
		}
	})
	t.Run("T57 a hidden piece or too many tables are a problem", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Limits.Tables = web.Rate{PerSecond: 0.001, Burst: 3}
		})
		k := s.open("cards")
		var view struct {
			Epoch uint64
			Holds []struct{ Piece int }
		}
		s.get(k.api(""), k.bearer()...).json(t, &view)
		body := fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[{"seq":1,"op":"draw","piece":%d}]}`,
			clientID, view.Epoch, view.Holds[0].Piece)
		if a := s.post(k.api("/updates"),
			body, k.bearer()...); a.StatusCode != http.StatusAccepted {
			t.Fatalf("draw: %s %s", a.Status, a.body)
		}
		for range 2 {
			wantProblem(t, "a card in a hand", s.post(k.api("/copy"), "", k.bearer()...),
				http.StatusConflict, "hidden")
		}
		wantProblem(t, "one more", s.post(k.api("/copy"), "", k.bearer()...),
			http.StatusTooManyRequests, "too-fast")
	})
	t.Run("T57.1 copying needs the right to create; a program gets the secret", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Creation.Secret = func() string { return "creation" }
		})
		var k seat
		s.post("/api/v1/tables", `{"game":"chess"}`, "Authorization", "Bearer creation").json(t, &k)
		wantProblem(t, "without the link", s.post(k.api("/copy"), "", k.bearer()...),
			http.StatusForbidden, "create")
		if a := s.post(k.api("/copy"), "", append(k.bearer(), "Cookie",
			"holt_create=creation")...); a.StatusCode != http.StatusCreated {
			t.Errorf("with the link: %s %s", a.Status, a.body)
		}
	})
}

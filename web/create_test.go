package web_test

import (
	"net/http"
	"strings"
	"testing"

	"holt/web"
)

func TestFindingS8WhoMayCreate(t *testing.T) {
	const chess = `{"game":"chess"}`
	form := func(s *stack, h ...string) answer {
		r := s.request(http.MethodPost, "/tables", "game=chess&nick=Ada&colour=%23c0392b", h)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return s.do(r, nil)
	}
	t.Run("anybody may by default", func(t *testing.T) {
		s := newStack(t)
		if a := s.post("/api/v1/tables", chess); a.StatusCode != http.StatusCreated {
			t.Errorf("%s %s", a.Status, a.body)
		}
		if a := s.get("/create/anything"); a.StatusCode != http.StatusSeeOther ||
			a.Header.Get("Set-Cookie") != "" {
			t.Errorf("a link leads to %s, %v", a.Status, a.Header)
		}
	})
	t.Run("with a link, its owner may until it is renewed", func(t *testing.T) {
		secret := "first"
		s := newStack(t, func(c *web.Config) {
			c.Creation = web.Creation{Secret: func() string { return secret }}
		})
		wantProblem(t, "without", s.post("/api/v1/tables", chess), http.StatusForbidden, "create")
		wantProblem(t, "with a wrong one", s.post("/api/v1/tables", chess,
			"Authorization", "Bearer wrong"), http.StatusForbidden, "create")
		if a := s.get("/"); strings.Contains(a.body, `action="/tables"`) ||
			!strings.Contains(a.body, "you need a link") {
			t.Error("the front page has a form")
		}
		if a := form(s); a.StatusCode != http.StatusForbidden {
			t.Errorf("the form is accepted: %s", a.Status)
		}
		if a := s.get("/create/wrong"); a.StatusCode != http.StatusForbidden ||
			a.Header.Get("Set-Cookie") != "" {
			t.Errorf("a wrong link leads to %s, %v", a.Status, a.Header)
		}
		a := s.get("/create/first")
		cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/" ||
			!strings.Contains(a.Header.Get("Set-Cookie"), "HttpOnly") {
			t.Errorf("the link leads to %s, %v", a.Status, a.Header)
		}
		if a := s.get("/", "Cookie", cookie); !strings.Contains(a.body, `action="/tables"`) {
			t.Error("the front page has no form")
		}
		if a := form(s, "Cookie", cookie); a.StatusCode != http.StatusSeeOther {
			t.Errorf("the form is not accepted: %s", a.Status)
		}
		if a := s.post("/api/v1/tables", chess,
			"Authorization", "Bearer first"); a.StatusCode != http.StatusCreated {
			t.Errorf("%s %s", a.Status, a.body)
		}
		secret = "second"
		if a := form(s, "Cookie", cookie); a.StatusCode != http.StatusForbidden {
			t.Errorf("an old link is accepted: %s", a.Status)
		}
		if a := s.get("/", "Cookie", cookie); !strings.Contains(a.body, "no longer works") {
			t.Error("the front page does not say that the link is old")
		}
	})
	t.Run("guesses are counted", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) {
			c.Creation = web.Creation{Secret: func() string { return "right" }}
			c.Limits.Failures = web.Rate{PerSecond: 0.001, Burst: 3}
		})
		for range 3 {
			s.get("/create/wrong")
		}
		if a := s.get("/create/wrong"); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("the fourth guess is answered with %s", a.Status)
		}
		if a := s.get("/create/right"); a.StatusCode != http.StatusSeeOther {
			t.Errorf("the right one is answered with %s", a.Status)
		}
	})
	t.Run("nobody may if the operator says so", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) { c.Creation = web.Creation{Nobody: true} })
		wantProblem(t, "a table", s.post("/api/v1/tables", chess, "Authorization", "Bearer x"),
			http.StatusForbidden, "create")
		if a := s.get("/"); strings.Contains(a.body, `action="/tables"`) ||
			!strings.Contains(a.body, "Ask them for one") {
			t.Error("the front page has a form")
		}
	})
	t.Run("the host of an operator's table comes by a link", func(t *testing.T) {
		s := newStack(t)
		k := s.open("chess")
		a := s.get("/t/" + k.Table + "?token=" + k.Token)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/t/"+k.Table ||
			!strings.Contains(a.Header.Get("Set-Cookie"), k.Token) {
			t.Errorf("%s %v", a.Status, a.Header)
		}
		if a := s.get("/t/" + k.Table + "?token=wrong"); a.StatusCode != http.StatusUnauthorized ||
			a.Header.Get("Set-Cookie") != "" {
			t.Errorf("a wrong token: %s", a.Status)
		}
	})
}

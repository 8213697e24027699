package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"holt/web"
)

// public configures a server that browsers know as https://holt.example.
func public(cfg *web.Config) { cfg.PublicURL, _ = url.Parse("https://holt.example") }

// from returns the server's answer to a request from an address for a host.
func from(s *stack, address, host, path string) *http.Response {
	r := httptest.NewRequestWithContext(s.Context(), http.MethodGet, path, nil)
	r.RemoteAddr, r.Host = address, host
	w := httptest.NewRecorder()
	s.web.ServeHTTP(w, r)
	return w.Result()
}

// TestFindingS9HostIsPinned requests pages of a server with a public URL under other host names.
func TestFindingS9HostIsPinned(t *testing.T) {
	const stranger, here, proxy = "192.0.2.7:5000", "127.0.0.1:5000", "198.51.100.1:5000"
	s := newStack(t, public, func(cfg *web.Config) {
		cfg.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("198.51.100.1/32")}
	})
	for _, c := range []struct {
		address, host, path string
		want                int
	}{
		{stranger, "holt.example", "/", 200}, {stranger, "HOLT.example:443", "/", 200},
		{stranger, "evil.example", "/", 421}, {stranger, "holt.example:8080", "/", 421},
		{stranger, "holt.example.evil.example", "/", 421},
		{stranger, "evil.example", "/api/v1/games", 421}, {stranger, "localhost", "/", 421},
		{stranger, "127.0.0.1:8080", "/", 421},
		{stranger, "evil.example", "/healthz", 200},
		{here, "localhost:8080", "/", 200}, {here, "127.0.0.1:8080", "/", 200},
		{here, "[::1]:8080", "/", 200}, {here, "evil.example", "/", 421},
		{proxy, "backend:8080", "/", 200},
	} {
		a := from(s, c.address, c.host, c.path)
		if a.StatusCode != c.want {
			t.Errorf("%s asks %s for %s: %d, want %d", c.address, c.host, c.path,
				a.StatusCode, c.want)
		}
		if hsts := a.Header.Get("Strict-Transport-Security"); hsts != "max-age=2592000" {
			t.Errorf("Strict-Transport-Security: %q", hsts)
		}
		_ = a.Body.Close()
	}
	plain := newStack(t)
	a := from(plain, stranger, "any.example", "/")
	if a.StatusCode != http.StatusOK || a.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("without a public URL: %s, %v", a.Status, a.Header)
	}
	_ = a.Body.Close()
}

// TestFindingS11SchemeOfTheOrigin posts from pages of the same host with another scheme or port.
func TestFindingS11SchemeOfTheOrigin(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	cookie := "holt_" + k.Table + "=" + k.Token
	for origin, want := range map[string]int{
		s.URL: 201, strings.Replace(s.URL, "http:", "https:", 1): 403, s.URL + "0": 403,
		strings.Replace(s.URL, "http:", "ftp:", 1): 403,
	} {
		if a := s.post(k.api("/invites"), "", "Cookie", cookie,
			"Origin", origin); a.StatusCode != want {
			t.Errorf("a page of %s: %s, want %d", origin, a.Status, want)
		}
	}
	behind := newStack(t, public)
	k = behind.open("chess")
	for origin, want := range map[string]int{"https://holt.example": 201,
		"https://holt.example:443": 201,
		"http://holt.example":      403, "https://holt.example:444": 403} {
		if a := behind.post(k.api("/invites"), "", "Cookie", "__Host-holt_"+k.Table+"="+k.Token,
			"Origin", origin); a.StatusCode != want {
			t.Errorf("behind a proxy, a page of %s: %s, want %d", origin, a.Status, want)
		}
	}
}

// TestFindingS9CookiesByTLS sends the cookie that an older version has set.
func TestFindingS9CookiesByTLS(t *testing.T) {
	s := newStack(t, public)
	k := s.open("chess")
	a := s.get("/t/"+k.Table, "Cookie", "holt_"+k.Table+"="+k.Token)
	if a.StatusCode != http.StatusOK {
		t.Fatalf("with the cookie of before: %s", a.Status)
	}
	ages := map[string]int{}
	for _, c := range a.Cookies() {
		if ages[c.Name] = c.MaxAge; !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" {
			t.Errorf("cookie %+v", c)
		}
	}
	if ages["__Host-holt_"+k.Table] <= 0 || ages["holt_"+k.Table] != -1 {
		t.Errorf("cookies are set for %v", ages)
	}
	if a := s.get("/t/"+k.Table, "Cookie", "holt_"+k.Table+"=another; __Host-holt_"+k.Table+"="+
		k.Token); a.StatusCode != http.StatusOK {
		t.Errorf("another host of the domain has set a cookie: %s", a.Status)
	}
	if a := s.get("/", "Cookie",
		"__Host-holt_"+k.Table+"="+k.Token); !strings.Contains(a.body, "/t/"+k.Table) {
		t.Error("the front page does not know the table")
	}
}

// TestFindingS9CookiesOfTheFrontPage sends the front page cookies of seats that do not exist.
func TestFindingS9CookiesOfTheFrontPage(t *testing.T) {
	wrong := func(n int) string {
		var cookies []string
		for i := range n {
			cookies = append(cookies, fmt.Sprintf("holt_%032x=guess", 1<<40+i))
		}
		return strings.Join(cookies, "; ")
	}
	t.Run("it stops looking after eight", func(t *testing.T) {
		s := newStack(t)
		a := s.get("/", "Cookie", wrong(300))
		if a.StatusCode != http.StatusOK || len(a.Cookies()) != 8 {
			t.Errorf("%s, %d cookies removed", a.Status, len(a.Cookies()))
		}
	})
	t.Run("they count as wrong tokens", func(t *testing.T) {
		s := newStack(t, func(cfg *web.Config) {
			cfg.Limits.Failures = web.Rate{PerSecond: 0.001, Burst: 10}
		})
		k := s.open("chess")
		s.get("/", "Cookie", wrong(8))
		s.get("/", "Cookie", wrong(8))
		if a := s.get(k.api(""),
			"Authorization", "Bearer guess"); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("a wrong token after sixteen in cookies: %s", a.Status)
		}
		if a := s.get("/", "Cookie",
			"holt_"+k.Table+"="+k.Token); !strings.Contains(a.body, "/t/"+k.Table) {
			t.Error("a right token is refused because of wrong ones")
		}
	})
	t.Run("right ones have a rate", func(t *testing.T) {
		s := newStack(t, func(cfg *web.Config) {
			cfg.Limits.SeatLookups = web.Rate{PerSecond: 0.001, Burst: 2}
		})
		k := s.open("chess")
		for i, want := range []int{200, 200, 429} {
			if a := s.get("/", "Cookie", "holt_"+k.Table+"="+k.Token); a.StatusCode != want {
				t.Errorf("page %d: %s, want %d", i, a.Status, want)
			}
		}
		if a := s.get("/"); a.StatusCode != http.StatusOK {
			t.Errorf("without cookies: %s", a.Status)
		}
	})
}

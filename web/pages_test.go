package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"holt/server/play/fairness"
	"holt/web"
)

func TestPages(t *testing.T) {
	s := newStack(t)
	ada, bob := s.browser(), s.browser()

	home := ada.get("/")
	if home.StatusCode != http.StatusOK ||
		!strings.HasPrefix(home.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("home: %s %s", home.Status, home.Header.Get("Content-Type"))
	}
	for _, want := range []string{`value="chess"`, `value="cards"`, `action="/tables"`,
		`name="nick"`, `name="colour"`, `lang="en"`, "width=device-width"} {
		if !strings.Contains(home.body, want) {
			t.Errorf("home has no %s", want)
		}
	}

	made := ada.submit("/tables",
		url.Values{"game": {"chess"}, "nick": {"Ada <3"}, "colour": {"#c0392b"}})
	table := made.Header.Get("Location")
	if made.StatusCode != http.StatusSeeOther ||
		!regexp.MustCompile(`^/t/[0-9a-f]{32}$`).MatchString(table) {
		t.Fatalf("new table: %s to %q: %s", made.Status, table, made.body)
	}

	page := ada.get(table)
	if page.StatusCode != http.StatusOK {
		t.Fatalf("the table: %s %s", page.Status, page.body)
	}
	id := strings.TrimPrefix(table, "/t/")
	for _, want := range []string{
		`data-table="` + id + `"`, `data-seat="1"`, `data-role="host"`, `data-art="/art/"`,
		`data-api="/api/v1/tables/` + id + `"`,
		`<script type="module" src="/assets/main-`, "<noscript>", `class="table-page"`,
	} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the table has no %s", want)
		}
	}
	catalogue := regexp.MustCompile(`href="(/art/[0-9a-f]{64})"`).FindStringSubmatch(page.body)
	if catalogue == nil {
		t.Fatal("the catalogue is not preloaded")
	}
	if a := s.get(catalogue[1]); a.StatusCode != http.StatusOK ||
		!strings.Contains(a.body, `"holt.catalog/1"`) {
		t.Errorf("catalogue: %s", a.Status)
	}
	if body := bob.get(table); body.StatusCode != http.StatusUnauthorized ||
		!strings.Contains(body.body, "no seat") {
		t.Errorf("without a seat: %s %s", body.Status, body.body)
	}
	if a := ada.get("/"); !strings.Contains(a.body, `href="`+table+`"`) ||
		!strings.Contains(a.body, `value="Ada &lt;3"`) {
		t.Error("home knows neither the table nor the name")
	}
	if a := ada.get("/"); !regexp.MustCompile(
		`Since\s*<time datetime="20\d\d-\d\d-\d\d">20\d\d-\d\d-\d\d</time>`).MatchString(a.body) {
		t.Error("home does not show the age of the table")
	}
	if a := bob.get("/"); strings.Contains(a.body, table) {
		t.Error("home shows a table without a seat of the browser")
	}

	var links struct{ Player, Spectator string }
	ada.get("/api/v1/tables/"+id+"/invites").json(t, &links)
	join := strings.TrimPrefix(links.Player, s.URL)
	if a := bob.get(join); a.StatusCode != http.StatusOK ||
		!strings.Contains(a.body, "Ada &lt;3 invites you to play") {
		t.Errorf("join: %s %s", a.Status, a.body)
	}
	if a := bob.get(strings.TrimPrefix(links.Spectator, s.URL)); !strings.Contains(a.body,
		"to watch") {
		t.Errorf("join as a spectator: %s", a.body)
	}
	if a := bob.submit(join, url.Values{"nick": {"Bob"}, "colour": {
		"#2f72c4"}}); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != table {
		t.Fatalf("join: %s %s", a.Status, a.body)
	}
	if a := bob.get(table); !strings.Contains(a.body, `data-role="player"`) ||
		!strings.Contains(a.body, `data-seat="2"`) {
		t.Errorf("Bob at the table: %s %s", a.Status, a.body)
	}
	if a := bob.get(join); !strings.Contains(a.body, `href="`+table+`"`) {
		t.Error("the link does not lead back to the browser's seat")
	}

	t.Run("correctable errors are shown in the form", func(t *testing.T) {
		for _, c := range []struct{ path, game, nick, colour, want string }{
			{"/tables", "chess", "", "#2f72c4", `id="nick-problem"`},
			{"/tables", "chess", strings.Repeat("x", 41), "#2f72c4",
				`aria-describedby="nick-problem"`},
			{"/tables", "chess", "a\tb", "#2f72c4", `aria-invalid="true"`},
			{"/tables", "nothing", "Ada", "#2f72c4", "not on the shelf"},
			{"/tables", "chess", "Ada", "red", "Choose one of the colours"},
			{join, "", "", "#2f72c4", `id="nick-problem"`},
		} {
			a := bob.submit(c.path,
				url.Values{"game": {c.game}, "nick": {c.nick}, "colour": {c.colour}})
			if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, c.want) {
				t.Errorf("%+v: %s, without %s", c, a.Status, c.want)
			}
		}
	})

	t.Run("T78.4 a set-up that the game does not have is refused", func(t *testing.T) {
		for _, setup := range []string{"9", "-1", "one"} {
			a := bob.submit("/tables", url.Values{"game": {"chess"}, "nick": {"Ada"},
				"colour": {"#2f72c4"}, "setup-chess": {setup}})
			if a.StatusCode != http.StatusUnprocessableEntity ||
				!strings.Contains(a.body, "no such set-up") {
				t.Errorf("set-up %q: %s", setup, a.Status)
			}
		}
	})

	t.Run("errors are pages", func(t *testing.T) {
		for path, want := range map[string]int{
			"/nothing": 404, "/join/nonsense": 404, "/t/nonsense": 404,
			"/t/0123456789abcdef0123456789abcdef": 404, "/problems/nonsense": 404,
		} {
			a := bob.get(path)
			if a.StatusCode != want || !strings.HasPrefix(a.Header.Get("Content-Type"),
				"text/html") || !strings.Contains(a.body, "<h1") {
				t.Errorf("%s: %s %s", path, a.Status, a.Header.Get("Content-Type"))
			}
		}
		if a := bob.get("/problems/epoch"); a.StatusCode != http.StatusOK ||
			!strings.Contains(a.body, "restored") {
			t.Errorf("the meaning of a problem: %s", a.Status)
		}
		if a := s.post("/tables", "game=chess",
			"Content-Type", "text/plain"); a.StatusCode != http.StatusUnsupportedMediaType ||
			!strings.Contains(a.body, "<h1") {
			t.Errorf("a form of another type: %s", a.Status)
		}
	})

	t.Run("a new invite voids the old one", func(t *testing.T) {
		r := ada.request(http.MethodPost, "/api/v1/tables/"+id+"/invites", "",
			header{"Origin", s.URL})
		if a := ada.do(r, ada.jar); a.StatusCode != http.StatusCreated {
			t.Fatalf("%s %s", a.Status, a.body)
		}
		if a := bob.get(join); a.StatusCode != http.StatusGone {
			t.Errorf("the old link: %s", a.Status)
		}
	})
}

func TestCookies(t *testing.T) {
	for _, c := range []struct {
		name   string
		public string
		secure bool
	}{{"plain", "", false}, {"behind TLS", "https://holt.example", true}} {
		t.Run(c.name, func(t *testing.T) {
			s := newStack(t, func(cfg *web.Config) {
				if c.public != "" {
					cfg.PublicURL, _ = url.Parse(c.public)
				}
			})
			r := s.request(http.MethodPost, "/tables", "game=chess&nick=Ada",
				header{"Content-Type", "application/x-www-form-urlencoded"})
			a := s.do(r, nil)
			table := strings.TrimPrefix(a.Header.Get("Location"), "/t/")
			names := map[string]bool{}
			for _, k := range a.Cookies() {
				names[k.Name] = true
				if !k.HttpOnly || k.SameSite != http.SameSiteLaxMode || k.Path != "/" ||
					k.Secure != c.secure || k.MaxAge != 400*24*60*60 || k.Domain != "" {
					t.Errorf("cookie %+v", k)
				}
			}
			prefix := ""
			if c.secure {
				prefix = "__Host-"
			}
			if !names[prefix+"holt_"+table] || !names[prefix+"holt_nick"] {
				t.Errorf("cookies %v for table %s", names, table)
			}
		})
	}
	t.Run("a cookie of a seat that is gone is removed", func(t *testing.T) {
		s := newStack(t)
		a := s.get("/", "Cookie", "holt_0123456789abcdef0123456789abcdef=nonsense; other=1")
		if got := strings.Join(a.Header.Values("Set-Cookie"), "\n"); !strings.Contains(got,
			"holt_0123456789abcdef0123456789abcdef=; Path=/; Max-Age=0") {
			t.Errorf("Set-Cookie: %s", got)
		}
	})
	t.Run("garbage in the nick cookie", func(t *testing.T) {
		s := newStack(t)
		for _, v := range []string{"", "!", "QQ", "QQ.zzzzzz",
			strings.Repeat("QQQQ", 900) + ".000000", "_w.000000"} {
			if a := s.get("/", "Cookie", "holt_nick="+v); a.StatusCode != http.StatusOK {
				t.Errorf("%q: %s", v, a.Status)
			}
		}
	})
}

func TestOrigin(t *testing.T) {
	s := newStack(t, func(cfg *web.Config) { cfg.PublicURL, _ = url.Parse("https://holt.example") })
	k := s.open("chess")
	cookie := "holt_" + k.Table + "=" + k.Token
	own := s.URL
	for _, c := range []struct {
		name   string
		header header
		want   int
	}{
		{"its own page", header{"Cookie", cookie, "Origin", "https://holt.example",
			"Sec-Fetch-Site", "same-origin"}, 201},
		{"an old browser", header{"Cookie", cookie, "Origin", "https://holt.example"}, 201},
		{"under the requested address", header{"Cookie", cookie, "Origin", own}, 201},
		{"same origin, says the browser",
			header{"Cookie", cookie, "Sec-Fetch-Site", "same-origin"}, 201},
		{"another site", header{"Cookie", cookie, "Origin", "https://evil.example"}, 403},
		{"another site with the header of this one", header{"Cookie", cookie, "Origin",
			"https://holt.example", "Sec-Fetch-Site", "cross-site"}, 403},
		{"a sister site",
			header{"Cookie", cookie, "Origin", "https://holt.example.evil.example"}, 403},
		{"the other scheme", header{"Cookie", cookie, "Origin", "http://holt.example"}, 403},
		{"an origin that is hidden", header{"Cookie", cookie, "Origin", "null"}, 403},
		{"nothing said", header{"Cookie", cookie}, 403},
		{"a program with a token", header{"Authorization", "Bearer " + k.Token}, 201},
		{"a program with a token, from anywhere",
			header{"Authorization", "Bearer " + k.Token, "Origin", "https://evil.example"}, 201},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.post(k.api("/invites"), "", c.header...)
			if a.StatusCode != c.want {
				t.Errorf("%s: %s", a.Status, a.body)
			}
			if c.want == 403 {
				checkProblem(t, a, 403, "origin")
			}
		})
	}
	t.Run("forms", func(t *testing.T) {
		b := s.browser()
		form := url.Values{"game": {"chess"}, "nick": {"Ada"}}
		if a := b.submit("/tables", form, "Origin",
			"https://evil.example"); a.StatusCode != http.StatusForbidden {
			t.Errorf("another site made a table: %s", a.Status)
		}
		if a := b.submit("/tables", form, "Origin",
			"https://holt.example"); a.StatusCode != http.StatusSeeOther {
			t.Errorf("its own page: %s", a.Status)
		}
	})
	t.Run("reading is free", func(t *testing.T) {
		if a := s.get(k.api(""), "Cookie", cookie,
			"Sec-Fetch-Site", "none"); a.StatusCode != http.StatusOK {
			t.Errorf("%s", a.Status)
		}
	})
}

func TestHeaders(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	page := s.get("/t/"+k.Table, k.bearer()...)
	host := strings.TrimPrefix(s.URL, "http://")
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; " +
		"img-src 'self' data: blob:; connect-src 'self' ws://HOST; " +
		"font-src 'self'; manifest-src 'self'; base-uri 'none'; " +
		"form-action 'self'; frame-ancestors 'none'"
	if got := page.Header.Get("Content-Security-Policy"); got != strings.ReplaceAll(policy,
		"HOST", host) {
		t.Errorf("policy of a page: %s", got)
	}
	art := regexp.MustCompile(`/art/[0-9a-f]{64}`).FindString(s.get("/").body)
	for path, want := range map[string]map[string]string{
		"/":             {"Referrer-Policy": "strict-origin", "Cache-Control": "private, no-cache"},
		"/t/" + k.Table: {"Referrer-Policy": "no-referrer", "Cache-Control": "private, no-cache"},
		"/api/v1/games": {
			"Cache-Control":           "no-store",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
			"Content-Type":            "application/json",
		},
		"/healthz": {"Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8"},
		"/nothing": {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"},
		art: {"Cache-Control": "public, max-age=31536000, immutable", "Content-Type": "image/svg+xml",
			"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; " +
				"frame-ancestors 'none'"},
	} {
		a := s.get(path, k.bearer()...)
		want["X-Content-Type-Options"] = "nosniff"
		want["Cross-Origin-Resource-Policy"] = "same-origin"
		for name, value := range want {
			if got := a.Header.Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
		page := strings.HasPrefix(a.Header.Get("Content-Type"), "text/html")
		if page != strings.Contains(a.Header.Get("Permissions-Policy"), "camera=()") ||
			page != (a.Header.Get("Cross-Origin-Opener-Policy") == "same-origin") {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
	t.Run("pages are compressed on request", func(t *testing.T) {
		packed := s.get("/", "Accept-Encoding", "gzip")
		if packed.Header.Get("Content-Encoding") != "gzip" ||
			packed.Header.Get("Vary") != "Accept-Encoding, Accept-Language" {
			t.Fatalf("%v", packed.Header)
		}
		z, err := gzip.NewReader(strings.NewReader(packed.body))
		s.must(err)
		if got, err := io.ReadAll(z); err != nil || !strings.HasSuffix(string(got), "</html>") {
			t.Errorf("unpacked %d bytes (%v)", len(got), err)
		}
	})
	t.Run("a Host that would break out of the policy", func(t *testing.T) {
		if a := s.get("/", "Host",
			"evil.example;script-src"); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s", a.Status)
		}
	})
	t.Run("HEAD", func(t *testing.T) {
		a := s.do(s.request(http.MethodHead, "/", "", nil), nil)
		if a.StatusCode != http.StatusOK || a.body != "" ||
			a.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s with %d bytes", a.Status, len(a.body))
		}
		if a := s.do(s.request(http.MethodHead, k.api("/stream?client="+clientID), "", k.bearer()),
			nil); a.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("a stream: %s", a.Status)
		}
	})
}

func TestLinks(t *testing.T) {
	type made struct {
		URL     string
		Invites struct{ Player string }
	}
	open := func(s *stack, h ...string) (m made) {
		s.post("/api/v1/tables", `{"game":"chess"}`, h...).json(s, &m)
		return m
	}
	s := newStack(t)
	if m := open(s, "Host", "games.local:8080",
		"X-Forwarded-Proto", "https"); !strings.HasPrefix(m.URL, "http://games.local:8080/t/") ||
		!strings.HasPrefix(m.Invites.Player, "http://games.local:8080/join/") {
		t.Errorf("links as the browser came: %+v", m)
	}
	s = newStack(t, func(c *web.Config) { c.PublicURL, _ = url.Parse("https://holt.example") })
	if m := open(s); !strings.HasPrefix(m.URL, "https://holt.example/t/") {
		t.Errorf("links under the public URL: %+v", m)
	}
	s = newStack(t, func(c *web.Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	if m := open(s, "Host", "games.local", "X-Forwarded-Proto", "https"); !strings.HasPrefix(m.URL,
		"https://games.local/t/") {
		t.Errorf("links through a trusted proxy: %+v", m)
	}
}

func TestClientAddress(t *testing.T) {
	strict := func(c *web.Config) { c.Limits.Tables = web.Rate{PerSecond: 0.001, Burst: 1} }
	trust := func(c *web.Config) {
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	}
	made := func(s *stack, forwarded string) int {
		return s.post("/api/v1/tables", `{"game":"chess"}`, "X-Forwarded-For", forwarded,
			"X-Real-IP", forwarded).StatusCode
	}
	t.Run("nobody is trusted", func(t *testing.T) {
		s := newStack(t, strict)
		if a, b := made(s, "192.0.2.1"), made(s, "192.0.2.2"); a != 201 || b != 429 {
			t.Errorf("%d, %d", a, b)
		}
	})
	t.Run("a trusted proxy is", func(t *testing.T) {
		s := newStack(t, strict, trust)
		for _, c := range []struct {
			forwarded string
			want      int
		}{
			{"192.0.2.1", 201}, {"192.0.2.1", 429}, {"192.0.2.2", 201},
			// all before the last one is the client's own claim
			{"203.0.113.9, 192.0.2.2", 429},
			// a /64 is one customer
			{"2001:db8:1:2::1", 201}, {"2001:db8:1:2:ffff::9", 429}, {"2001:db8:1:3::1", 201},
		} {
			if got := made(s, c.forwarded); got != c.want {
				t.Errorf("for %s: %d, want %d", c.forwarded, got, c.want)
			}
		}
	})
	t.Run("so are proxies after it, and nobody before them", func(t *testing.T) {
		s := newStack(t, strict, func(c *web.Config) {
			c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"),
				netip.MustParsePrefix("10.0.0.0/8")}
		})
		for _, c := range []struct {
			forwarded string
			want      int
		}{
			{"192.0.2.1, 10.1.2.3", 201}, {"203.0.113.9, 192.0.2.1, 10.9.9.9", 429},
			{"10.4.4.4, 192.0.2.1", 429},
			{"192.0.2.2,::ffff:10.1.1.1", 201},
			// An unreadable address counts as the proxy's own: nobody gets a rate of their own by
			// it.
			{"192.0.2.3, garbage", 201}, {"192.0.2.4, more garbage", 429}, {"", 429},
		} {
			if got := made(s, c.forwarded); got != c.want {
				t.Errorf("for %q: %d, want %d", c.forwarded, got, c.want)
			}
		}
		if log := s.log.String(); strings.Count(log, "client=127.0.0.1\n") != 3 {
			t.Errorf("three requests came only from the proxy: %s", log)
		}
	})
	t.Run("a client that bypasses the proxy is not", func(t *testing.T) {
		s := newStack(t, strict, func(c *web.Config) {
			c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		})
		if a, b := made(s, "192.0.2.1"), made(s, "192.0.2.2"); a != 201 || b != 429 {
			t.Errorf("%d, %d", a, b)
		}
		var m struct{ URL string }
		s = newStack(t, func(c *web.Config) {
			c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		})
		s.post("/api/v1/tables", `{"game":"chess"}`, "X-Forwarded-Proto", "https").json(t, &m)
		if !strings.HasPrefix(m.URL, "http://") {
			t.Errorf("the scheme was trusted: %s", m.URL)
		}
	})
	t.Run("limits may be wider", func(t *testing.T) {
		s := newStack(t, func(c *web.Config) { c.Limits = web.LimitsTimes(2) })
		for i := range 60 {
			if got := made(s, ""); got != 201 {
				t.Fatalf("table %d: %d", i, got)
			}
		}
		s = newStack(t, func(c *web.Config) { c.Limits = web.LimitsTimes(1) })
		// One in five seconds is free, and on a busy machine the requests take long.
		for i := range 200 {
			if got := made(s, ""); got == 429 {
				if i < 30 {
					t.Errorf("table %d was refused", i)
				}
				return
			}
		}
		t.Error("no limit at all")
	})
}

func TestLogHasNoSecrets(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	secret := secretOf(k.Invites.Player)
	s.get("/join/" + secret)
	s.get("/join/" + secret + "x")
	s.get("/t/"+k.Table+"?token="+k.Token, k.bearer()...)
	s.get("/t/"+k.Table, "Cookie", "holt_"+k.Table+"="+k.Token)
	b := s.join(k, k.Invites.Player, "Bob")
	s.stream(b, clientID)
	log := s.log.String()
	for _, secret := range []string{secret, secretOf(k.Invites.Spectator), k.Token, b.Token} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has a secret:\n%s", log)
		}
	}
	for _, want := range []string{"route=/join/{invite}", "status=404", "table=" + k.Table,
		"client=127.0.0.1"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %s:\n%s", want, log)
		}
	}
}

func TestFairness(t *testing.T) {
	s := newStack(t)
	ada := s.open("cards")
	bob, eve := s.join(ada, ada.Invites.Player, "Bob"), s.join(ada, ada.Invites.Spectator, "Eve")
	t.Run("F14 everybody with a seat has the page, hosts with the button", func(t *testing.T) {
		for _, k := range []seat{ada, bob, eve} {
			a := s.get("/t/"+ada.Table+"/fairness", k.bearer()...)
			if a.StatusCode != http.StatusOK ||
				a.Header.Get("Cache-Control") != "private, no-cache" {
				t.Fatalf("%s %v", a.Status, a.Header)
			}
			for _, want := range []string{
				`data-table="` + ada.Table + `"`, `data-api="` + ada.api("") + `"`, `href="/t/` +
					ada.Table + `"`, "/assets/fairnesspage-", "/assets/fairness-", "<noscript>",
			} {
				if !strings.Contains(a.body, want) {
					t.Errorf("no %s", want)
				}
			}
			if host := strings.Contains(a.body, "Open a new round"); host != (k.Seat == ada.Seat) {
				t.Errorf("seat %d, role %q: the button is there: %v", k.Seat, k.Role, host)
			}
		}
		if a := s.get("/t/" + ada.Table + "/fairness"); a.StatusCode != http.StatusUnauthorized ||
			!strings.Contains(a.body, "<h1") {
			t.Errorf("without a seat: %s", a.Status)
		}
	})
	t.Run("F2.1, F10.1, F14.1 hosts open rounds, and every seat exports them", func(t *testing.T) {
		checkProblem(t, s.post(ada.api("/rounds"), "", bob.bearer()...),
			http.StatusForbidden, "role")
		checkProblem(t, s.post(ada.api("/rounds"), "", eve.bearer()...),
			http.StatusForbidden, "role")
		checkProblem(t, s.post(ada.api("/rounds"), ""), http.StatusUnauthorized, "no-seat")
		checkProblem(t, s.post(ada.api("/rounds"), "", "Cookie", "holt_"+ada.Table+"="+ada.Token,
			"Origin", "https://evil.example"), http.StatusForbidden, "origin")
		if a := s.post(ada.api("/rounds"), "",
			ada.bearer()...); a.StatusCode != http.StatusCreated ||
			strings.TrimSpace(a.body) != `{"round":2}` {
			t.Errorf("%s %s", a.Status, a.body)
		}
		checkProblem(t, s.get(ada.api("/fairness")), http.StatusUnauthorized, "no-seat")
		for _, k := range []seat{ada, bob, eve} {
			a := s.get(ada.api("/fairness"), k.bearer()...)
			e, err := fairness.ReadExport(strings.NewReader(a.body))
			if err != nil || a.Header.Get("Cache-Control") != "private, no-cache" ||
				a.Header.Get("Content-Type") != "application/json" {
				t.Fatalf("%s %v: %v", a.Status, a.Header, err)
			}
			if _, err := fairness.Verify(e); err != nil || e.Table.String() != ada.Table ||
				len(e.Rounds) != 2 || e.Seats[2] != "Bob" || len(e.Kinds) == 0 {
				t.Errorf("%v: %d rounds, %d kinds, seats %v", err, len(e.Rounds),
					len(e.Kinds), e.Seats)
			}
		}
	})
	t.Run("F14.3 a client with the current export learns it", func(t *testing.T) {
		fetch := func(method, tag string) answer {
			return s.do(s.request(method, ada.api("/fairness"), "",
				append(bob.bearer(), "If-None-Match", tag)), nil)
		}
		first := fetch(http.MethodGet, `"other"`)
		tag := first.Header.Get("ETag")
		if first.StatusCode != http.StatusOK || tag == "" {
			t.Fatalf("%s, tag %s", first.Status, tag)
		}
		if a := fetch(http.MethodGet, tag); a.StatusCode != http.StatusNotModified ||
			a.body != "" ||
			a.Header.Get("ETag") != tag || a.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s %v %q", a.Status, a.Header, a.body)
		}
		if a := fetch(http.MethodHead, ""); a.StatusCode != http.StatusOK ||
			a.Header.Get("ETag") != tag || a.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %v", a.Status, a.Header)
		}
		checkProblem(t, s.get(ada.api("/fairness"), "If-None-Match", tag),
			http.StatusUnauthorized, "no-seat")
		s.post(ada.api("/rounds"), "", ada.bearer()...)
		if a := fetch(http.MethodGet, tag); a.StatusCode != http.StatusOK ||
			a.Header.Get("ETag") == tag || a.body == first.body {
			t.Errorf("after another round: %s, tag %s", a.Status, a.Header.Get("ETag"))
		}
	})
}

package web_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"holt/web"
)

// lan is a machine with two addresses in local networks.
type lan struct {
	mu   sync.Mutex
	open []netip.AddrPort // Guarded by mu.
	all  bool             // the server listens everywhere from the start
}

var wifi = netip.MustParseAddr("192.168.1.20")

const wifiPort = "192.168.1.20:8080"

func (l *lan) Reachable() []netip.AddrPort {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all {
		return []netip.AddrPort{netip.MustParseAddrPort(wifiPort)}
	}
	return slices.Clone(l.open)
}

func (l *lan) Closed() []netip.Addr {
	if len(l.Reachable()) > 0 {
		return nil
	}
	return []netip.Addr{wifi, netip.MustParseAddr("10.0.0.2")}
}

func (l *lan) Listen(_ context.Context, at netip.Addr) error {
	switch {
	case at == netip.MustParseAddr("10.0.0.2"):
		return web.ErrPortTaken
	case at != wifi:
		return web.ErrNoAddress
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = []netip.AddrPort{netip.AddrPortFrom(at, 8080)}
	return nil
}

func (l *lan) ListensFor(local netip.AddrPort) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.open, local)
}

func (l *lan) Flag() string { return "0.0.0.0:8080" }

// links is what a route for invites answers.
type links struct {
	Player, Spectator, Reach, Listen string
	Addresses                        []string
	Codes                            *struct{ Player, Spectator []string }
}

// TestFinding5LinksOfTheMachine asks for links where the server listens for its machine alone.
func TestFinding5LinksOfTheMachine(t *testing.T) {
	s := newStack(t, func(cfg *web.Config) { cfg.Network = new(lan) })
	k := s.open("chess")
	read := func(of seat, h ...string) (l links) {
		s.get(k.api("/invites"), append(of.bearer(), h...)...).json(t, &l)
		return l
	}
	if l := read(k); l.Reach != "machine" || !strings.HasPrefix(l.Player, s.URL+"/join/") ||
		!slices.Equal(l.Addresses, []string{"192.168.1.20", "10.0.0.2"}) ||
		l.Listen != "0.0.0.0:8080" || l.Codes != nil {
		t.Errorf("a host at the machine: %+v", l)
	}
	if l := read(s.join(k, k.Invites.Player, "Bob")); l.Reach != "machine" || l.Addresses != nil {
		t.Errorf("a player is offered to open the server: %+v", l)
	}
	if l := read(k, "X-Forwarded-For", "192.0.2.1"); l.Addresses != nil {
		t.Errorf("somebody behind a proxy is offered to open the server: %+v", l)
	}
	if l := read(k, "Host", "holt.example"); l.Reach != "public" || l.Addresses != nil ||
		len(l.Codes.Player) < 21 {
		t.Errorf("under another name: %+v", l)
	}
}

// TestFinding5Listen lets a server listen for the local network.
func TestFinding5Listen(t *testing.T) {
	const body = `{"address":"192.168.1.20"}`
	s := newStack(t, func(cfg *web.Config) { cfg.Network = new(lan) })
	k := s.open("chess")
	own := append(k.bearer(), "Origin", s.URL)
	player := s.join(k, k.Invites.Player, "Bob")
	for _, c := range []struct {
		name, body string
		h          []string
		want       int
		code       string
	}{
		{"a player", body, append(player.bearer(), "Origin", s.URL), 403, "role"},
		{"without an origin", body, k.bearer(), 403, "origin"},
		{"from another site", body, append(k.bearer(), "Origin", "http://evil.example"), 403, "origin"},
		{"a foreign name that leads here", body,
			append(k.bearer(), "Host", "evil.example", "Origin", "http://evil.example"), 403, "refused"},
		{"through a proxy", body, append(own, "X-Forwarded-For", "192.0.2.1"), 403, "refused"},
		{"another address", `{"address":"8.8.8.8"}`, own, 422, "impossible-value"},
		{"no address", `{"address":"here"}`, own, 422, "impossible-value"},
		{"a port that is taken", `{"address":"10.0.0.2"}`, own, 409, "port-taken"},
	} {
		if a := s.post(k.api("/network"), c.body, c.h...); a.StatusCode != c.want ||
			!strings.Contains(a.body, `"`+c.code+`"`) {
			t.Errorf("%s: %s %s, want %d %s", c.name, a.Status, a.body, c.want, c.code)
		}
	}
	var l links
	a := s.post(k.api("/network"), body, own...)
	if a.json(t, &l); a.StatusCode != http.StatusCreated || l.Reach != "network" ||
		!strings.HasPrefix(l.Player, "http://"+wifiPort+"/join/") || len(l.Codes.Player) < 21 {
		t.Fatalf("a host at the machine: %s %s", a.Status, a.body)
	}
	// From now on links for others lead there, and that address has one name.
	var link struct{ URL string }
	s.post(k.api("/seats/me/link"), "", own...).json(t, &link)
	if !strings.HasPrefix(link.URL, "http://"+wifiPort+"/seat/") {
		t.Errorf("a link for a seat leads to %s", link.URL)
	}
	for host, want := range map[string]int{
		wifiPort: 200, "evil.example:8080": 421, "localhost:8080": 421,
	} {
		r := httptest.NewRequestWithContext(context.WithValue(t.Context(), http.LocalAddrContextKey,
			net.Addr(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(wifiPort)))),
			http.MethodGet, "/", nil)
		r.RemoteAddr, r.Host = "192.168.1.33:5000", host
		w := httptest.NewRecorder()
		if s.web.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s at the opened address: %d, want %d", host, w.Code, want)
		}
	}
	if a := s.get("/", "Host", "any.example"); a.StatusCode != http.StatusOK {
		t.Errorf("another name at the first address: %s", a.Status)
	}
}

// TestFinding5LinksOfTheNetwork asks for links where other machines reach the server.
func TestFinding5LinksOfTheNetwork(t *testing.T) {
	s := newStack(t, func(cfg *web.Config) { cfg.Network = &lan{all: true} })
	k := s.open("chess")
	var l links
	if s.get(k.api("/invites"), k.bearer()...).json(t, &l); l.Reach != "network" ||
		!strings.HasPrefix(l.Player, "http://"+wifiPort+"/join/") {
		t.Errorf("a page that was opened as localhost: %+v", l)
	}
	named := newStack(t, public, func(cfg *web.Config) { cfg.Network = &lan{all: true} })
	k = named.open("chess")
	if named.get(k.api("/invites"), k.bearer()...).json(t, &l); l.Reach != "public" ||
		!strings.HasPrefix(l.Player, "https://holt.example/join/") {
		t.Errorf("with a public URL: %+v", l)
	}
}

// TestHomeGlance looks at the front page for who is at one's tables.
func TestHomeGlance(t *testing.T) {
	s := newStack(t)
	ada := s.browser()
	table := ada.submit("/tables", url.Values{"game": {"chess"}, "nick": {"Ada"},
		"colour": {"#2f72c4"}}).Header.Get("Location")
	if page := says(ada.get("/").body); strings.Contains(page, "is there.") {
		t.Error("somebody is at a table that nobody has opened")
	}
	var l links
	ada.get("/api/v1"+strings.Replace(table, "/t/", "/tables/", 1)+"/invites").json(t, &l)
	if page := says(ada.get(strings.TrimPrefix(l.Player, s.URL)).body); !strings.Contains(page,
		"Nobody is at the table right now.") {
		t.Error("an invite does not say that nobody is there")
	}
}

package main

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holt/web"
)

// ofNetwork is an address that every Linux machine has, and that these tests take for one in a
// local network.
var ofNetwork = netip.MustParseAddr("127.0.0.2")

// newTestNetwork is the network of a server at listen, with a free port.
func newTestNetwork(t *testing.T, c *serveCommand, listen string) (*network, net.Listener) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", listen)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	n := c.newNetwork(l, slog.New(slog.DiscardHandler))
	n.machine = func() []netip.Addr { return []netip.Addr{ofNetwork, netip.MustParseAddr("8.8.8.8")} }
	n.isLocal = func(a netip.Addr) bool { return a == ofNetwork }
	n.http = &http.Server{Handler: http.NotFoundHandler()}
	t.Cleanup(func() {
		n.refuse()
		_ = n.http.Close()
		n.wait()
	})
	return n, l
}

// TestFinding5ListenForTheNetwork opens a further address of a server for this machine alone.
func TestFinding5ListenForTheNetwork(t *testing.T) {
	n, l := newTestNetwork(t, &serveCommand{}, "127.0.0.1:0")
	port := l.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // it listens by TCP
	at := netip.AddrPortFrom(ofNetwork, uint16(port))
	if len(n.Reachable()) != 0 || !slices.Equal(n.Closed(), []netip.Addr{ofNetwork}) ||
		n.Flag() != "0.0.0.0:"+strconv.Itoa(port) {
		t.Fatalf("at first: %v, %v, %s", n.Reachable(), n.Closed(), n.Flag())
	}
	for _, wrong := range []string{"8.8.8.8", "0.0.0.0", "192.0.2.1"} {
		if err := n.Listen(t.Context(), netip.MustParseAddr(wrong)); !errors.Is(err,
			web.ErrNoAddress) {
			t.Errorf("listen at %s: %v", wrong, err)
		}
	}
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", at.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Listen(t.Context(), ofNetwork); !errors.Is(err, web.ErrPortTaken) {
		t.Errorf("listen at a port that is taken: %v", err)
	}
	_ = taken.Close()
	for range 2 { // the second time changes nothing
		if err := n.Listen(t.Context(), ofNetwork); err != nil {
			t.Fatal(err)
		}
	}
	if !n.ListensFor(at) || !slices.Equal(n.Reachable(), []netip.AddrPort{at}) ||
		len(n.Closed()) != 0 {
		t.Errorf("afterwards: %v, %v", n.Reachable(), n.Closed())
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+at.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Body.Close()
}

// TestFinding5NothingToOpen has servers that offer no further address.
func TestFinding5NothingToOpen(t *testing.T) {
	for name, c := range map[string]*serveCommand{
		"a public URL":  {PublicURL: "https://holt.example"},
		"a proxy":       {TrustedProxy: []string{"127.0.0.1"}},
		"a certificate": {tlsFlags: tlsFlags{TLSCert: "cert.pem"}},
	} {
		n, _ := newTestNetwork(t, c, "127.0.0.1:0")
		if len(n.Closed()) != 0 || !errors.Is(n.Listen(t.Context(), ofNetwork), web.ErrNoAddress) {
			t.Errorf("%s: the server can be opened from a page", name)
		}
	}
	n, l := newTestNetwork(t, &serveCommand{}, "0.0.0.0:0")
	port := uint16(l.Addr().(*net.TCPAddr).Port) //nolint:forcetypeassert // as above
	if want := netip.AddrPortFrom(ofNetwork, port); n.Reachable()[0] != want ||
		len(n.Closed()) != 0 || n.Flag() != "" {
		t.Errorf("a server at all addresses: %v, %v", n.Reachable(), n.Closed())
	}
}

// TestFinding5WayForOthers reads what the terminal says of how others find the server.
func TestFinding5WayForOthers(t *testing.T) {
	c := &serveCommand{}
	alone, _ := newTestNetwork(t, c, "127.0.0.1:0")
	if text := c.wayForOthers(nil, alone, true); !strings.Contains(text, "Only this machine") ||
		!strings.Contains(text, "--listen "+alone.Flag()) || strings.Contains(text, "█") {
		t.Errorf("for this machine alone: %s", text)
	}
	open, _ := newTestNetwork(t, c, "0.0.0.0:0")
	link := "http://" + open.Reachable()[0].String() + "/"
	if text := c.wayForOthers(nil, open, true); !strings.Contains(text, link) ||
		!strings.Contains(text, codeForTerminal(link)) {
		t.Errorf("in a terminal: %s", text)
	}
	if text := c.wayForOthers(nil, open, false); !strings.Contains(text, link) ||
		strings.ContainsAny(text, "█\x1b") {
		t.Errorf("in a file: %s", text)
	}
}

// TestCodeForTerminal compares the drawing with the code that browsers draw.
func TestCodeForTerminal(t *testing.T) {
	const link = "http://192.168.1.20:8080/"
	rows := web.QRCode(link)
	for y, line := range strings.Split(strings.TrimSpace(codeForTerminal(link)), "\n") {
		line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "\x1b[30;107m"), "\x1b[0m")
		for x, r := range []rune(line) {
			for half, drawn := range []bool{r == '█' || r == '▀', r == '█' || r == '▄'} {
				row, column := 2*y+half-codeMargin, x-codeMargin
				dark := row >= 0 && row < len(rows) && column >= 0 && column < len(rows) &&
					rows[row][column] == '1'
				if drawn != dark {
					t.Fatalf("row %d, column %d: %v, want %v", row, column, drawn, dark)
				}
			}
		}
	}
}

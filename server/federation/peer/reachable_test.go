package peer

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"holt/server/id"
)

func TestFindingS9Addresses(t *testing.T) {
	const (
		world   = "https://holt.example.org"
		home    = "quic://192.168.1.5:8080"
		plain   = "http://192.168.1.5:8080"
		here    = "http://127.0.0.1:8080"
		hereUDP = "quic://127.0.0.1:8080"
	)
	// Clauses: O44.1, O44.2, O44.3, O44.4, O44.5
	t.Run("O44 the called address follows from where this server is found", func(t *testing.T) {
		for _, c := range []struct {
			own     string
			private bool
			address Address
			ip      string
			want    error
		}{
			{world, false, "https://ben.example.org", "192.0.2.9", nil},
			{world, false, "quic://ben.example.org:1", "2001:db8::9", nil},
			{world, false, "http://ben.example.org", "192.0.2.9", errHTTP},
			{world, false, "http://127.0.0.1:22", "127.0.0.1", errNear},
			{world, false, "https://localhost", "::1", errNear},
			{world, false, "https://sly.example.org", "::ffff:127.0.0.1", errNear},
			{world, false, "https://sly.example.org", "10.0.0.1", errNear},
			{world, false, "quic://sly.example.org:53", "169.254.169.254", errNear},
			{world, false, "quic://sly.example.org:53", "fd00::1", errNear},
			{world, false, "quic://sly.example.org:53", "fe80::1", errNear},
			{world, false, "quic://sly.example.org:53", "100.64.1.1", errNear},
			{world, false, "quic://sly.example.org:53", "0.0.0.0", errNear},
			{world, true, "http://192.168.1.9:8080", "192.168.1.9", nil},
			{world, true, "quic://224.0.0.1:1", "224.0.0.1", errNear},
			{home, false, "quic://192.168.1.9:8080", "192.168.1.9", nil},
			{home, false, "http://192.168.1.9:8080", "192.168.1.9", errHTTP},
			{plain, false, "http://192.168.1.9:8080", "192.168.1.9", nil},
			{plain, false, "http://127.0.0.1:22", "127.0.0.1", errNear},
			{"quic://ada-laptop:8080", false, "quic://192.168.1.9:8080", "192.168.1.9", nil},
			{here, false, "http://127.0.0.1:22", "127.0.0.1", nil},
			{hereUDP, false, "quic://192.168.1.9:8080", "192.168.1.9", nil},
			{world + " " + here, false, "http://127.0.0.1:22", "127.0.0.1", errNear},
			{world + " " + home, false, "quic://192.168.1.9:8080", "192.168.1.9", errNear},
		} {
			l := &Links{cfg: Config{Private: c.private}}
			for _, own := range strings.Fields(c.own) {
				l.cfg.Addresses = append(l.cfg.Addresses, Address(own))
			}
			if err := l.allows(c.address, netip.MustParseAddr(c.ip)); !errors.Is(err, c.want) {
				t.Errorf("found at %s, %t: %s at %s: %v, and not %v", c.own, c.private, c.address,
					c.ip, err, c.want)
			}
		}
	})
	t.Run("O44.1 a card leads to no port of this machine", func(t *testing.T) {
		door, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer door.Close()
		l := &Links{cfg: Config{Addresses: []Address{world}}, clock: time.Now}
		p := &linkedHost{links: l, localCalls: localCalls{}}
		if err := p.callAt(t.Context(),
			Address("http://"+door.Addr().String()), 0); !errors.Is(err, errNear) {
			t.Errorf("it is called: %v", err)
		}
	})
	t.Run("O44 a peer names at most eight ports of a network per day", func(t *testing.T) {
		l := &Links{cfg: Config{Addresses: []Address{home}}}
		now := time.Unix(1_800_000_000, 0)
		l.clock = func() time.Time { return now }
		p := &linkedHost{links: l, localCalls: localCalls{}}
		lead := func(port string) error {
			_, _, err := p.lead(t.Context(), Address("quic://192.168.1.9:"+port))
			return err
		}
		for i := range 2 * maxNear {
			port := string(rune('1'+i%9)) + strings.Repeat("0", 1+i/9)
			if err := lead(port); (err == nil) != (i < maxNear) {
				t.Errorf("port %d: %v", i+1, err)
			}
		}
		if err := lead("10"); err != nil {
			t.Errorf("one that is known: %v", err)
		}
		now = now.Add(nearWithin)
		if err := lead("99"); err != nil {
			t.Errorf("a day later: %v", err)
		}
	})
	t.Run("O44.7 the checked address is the called one", func(t *testing.T) {
		var called string
		dial := pinning(func(_ context.Context, _, address string) (net.Conn, error) {
			called = address
			return nil, errEnded
		})
		ctx := context.WithValue(t.Context(), pinned{},
			pin{"ben.example.org", netip.MustParseAddr("192.0.2.9")})
		for address, want := range map[string]string{"ben.example.org:443": "192.0.2.9:443",
			"proxy.example.org:3128": "proxy.example.org:3128"} {
			if _, err := dial(ctx, "tcp", address); !errors.Is(err, errEnded) || called != want {
				t.Errorf("%s is called at %s, %v", address, called, err)
			}
		}
	})
}

func TestFindingS9OneAddressManyConnections(t *testing.T) {
	t.Run("O45 one address may have eight unproven connections", func(t *testing.T) {
		var c addressLimit
		from := netip.MustParseAddr
		var leaves []func()
		for i := range 3 * maxOfAddress {
			leave, ok := c.enter(from("192.0.2.1"))
			if ok != (i < maxOfAddress) {
				t.Fatalf("connection %d: %v", i+1, ok)
			}
			if ok {
				leaves = append(leaves, leave)
			}
		}
		if _, ok := c.enter(from("::ffff:192.0.2.1")); ok {
			t.Error("the same address in another form gets in")
		}
		for i := range maxOfAddress + 1 {
			ip := from("2001:db8:1:1::").As16()
			ip[15] = byte(i + 1)
			if _, ok := c.enter(netip.AddrFrom16(ip)); ok != (i < maxOfAddress) {
				t.Errorf("connection %d of one /64: %v", i+1, ok)
			}
		}
		if _, ok := c.enter(from("192.0.2.2")); !ok {
			t.Error("another address is kept out")
		}
		leaves[0]()
		leaves[0]()
		if _, ok := c.enter(from("192.0.2.1")); !ok {
			t.Error("after one left no other gets in")
		}
		if _, ok := c.enter(from("192.0.2.1")); ok {
			t.Error("one that leaves twice makes room for two")
		}
	})
	t.Run("O45 eight places stay free despite open connections", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			var held []net.Conn
			for range maxContacts {
				ours, theirs := net.Pipe()
				held = append(held, theirs)
				go a.links.ServeStream(ours, netip.MustParseAddr("192.0.2.1"))
			}
			pass(time.Second)
			a.links.proofs.mu.Lock()
			n := a.links.proofs.all
			a.links.proofs.mu.Unlock()
			if n > maxOfAddress {
				t.Errorf("one address holds %d of %d places", n, maxContacts)
			}
			for _, c := range held {
				_ = c.Close()
			}
		})
	})
	t.Run("O45 eight connections of one address may prove a stranger's key", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			l := w.hosts[0].links
			var leaves []func()
			for range 3 * maxOfAddress {
				if leave, ok := l.enter(&peerConn{host: id.HostID{9},
					from: netip.MustParseAddr("192.0.2.1")}); ok {
					leaves = append(leaves, leave)
				}
			}
			if len(leaves) != maxOfAddress || l.visitors.all != maxOfAddress {
				t.Errorf("one address has %d places, and holds %d of %d", len(leaves),
					l.visitors.all, maxContacts)
			}
			for _, leave := range leaves {
				leave()
			}
			if _, ok := l.enter(&peerConn{host: id.HostID{9},
				from: netip.MustParseAddr("192.0.2.1")}); !ok {
				t.Error("after they left no other gets in")
			}
		})
	})
}

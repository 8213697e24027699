package peer

import (
	"crypto/ed25519"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
)

// The tests of this file have the numbers of the protocol, not the constants of the code: a
// constant that is changed by mistake fails here.

// meet does the TLS handshake of two ends over a pipe, and returns what the end that calls has
// negotiated, and the errors. It is called in virtual time.
func meet(t *testing.T, called, calls *tls.Config) (tls.ConnectionState, error) {
	t.Helper()
	here, there := net.Pipe()
	for _, c := range []net.Conn{here, there} {
		t.Cleanup(func() { c.Close() })
		// Both ends may write an alert at the same time, and a pipe has no buffer.
		if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 1)
	go func() {
		done <- tls.Server(there, called).HandshakeContext(t.Context())
	}()
	c := tls.Client(here, calls)
	err := c.HandshakeContext(t.Context())
	return c.ConnectionState(), errors.Join(err, <-done)
}

func TestProofBounds(t *testing.T) {
	one, err := newIdentity(newKey(1))
	if err != nil {
		t.Fatal(err)
	}
	two, err := newIdentity(newKey(2))
	if err != nil {
		t.Fatal(err)
	}
	anybody := func(ed25519.PublicKey) bool { return true }
	t.Run("O33.2 hosts agree on holt-peer/1, and on nothing else", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			if s, err := meet(t, one.server(), two.client(anybody)); err != nil ||
				s.NegotiatedProtocol != "holt-peer/1" {
				t.Errorf("%q, %v", s.NegotiatedProtocol, err)
			}
			for _, protocols := range [][]string{{"holt-peer/2"}, {"h3"}, nil} {
				calls, called := two.client(anybody), one.server()
				calls.NextProtos = protocols
				if _, err := meet(t, one.server(), calls); err == nil {
					t.Errorf("a host that asks for %v gets in", protocols)
				}
				called.NextProtos = protocols
				if _, err := meet(t, called, two.client(anybody)); err == nil {
					t.Errorf("a host that answers %v is believed", protocols)
				}
			}
		})
	})
	t.Run("O33.5 neither end goes below TLS 1.3", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			if s, err := meet(t, one.server(), two.client(anybody)); err != nil ||
				s.Version != tls.VersionTLS13 {
				t.Errorf("version %x, %v", s.Version, err)
			}
			calls, called := two.client(anybody), one.server()
			calls.MinVersion, calls.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
			if _, err := meet(t, one.server(), calls); err == nil {
				t.Error("a host that calls with TLS 1.2 gets in")
			}
			called.MinVersion, called.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
			called.VerifyConnection = nil
			if _, err := meet(t, called, two.client(anybody)); err == nil {
				t.Error("a host that answers with TLS 1.2 is believed")
			}
		})
	})
}

func TestLinkBounds(t *testing.T) {
	t.Run("O35.8 1000 refused requests in an hour pause the link, not fewer", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			a.refuse(b, 2000, time.Hour/999+time.Millisecond) // a thousand in more than an hour
			if got := a.links.List()[0].State; got != Active {
				t.Errorf("after a thousand in more than an hour it is %s", got)
			}
			pass(2 * time.Hour)
			a.refuse(b, 999, 0)
			pass(time.Second)
			if got := a.links.List()[0].State; got != Active {
				t.Errorf("after 999 at once it is %s", got)
			}
			a.refuse(b, 1, time.Second)
			if got := a.links.List()[0].State; got != Paused {
				t.Errorf("after the thousandth it is %s", got)
			}
		})
	})
	t.Run("O36.1 by default 64 requests run at once, and the next is busy", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			for i := range 64 {
				if _, err := a.links.Begin(b.self()); err != nil {
					t.Fatalf("request %d: %v", i+1, err)
				}
			}
			if _, err := a.links.Begin(b.self()); !errors.Is(err, ErrBusy) {
				t.Errorf("the next: %v", err)
			}
		})
	})
	t.Run("O36.3 by default 100,000 objects and 1 GiB are kept", func(t *testing.T) {
		if l := DefaultLimits; l.Objects != 100_000 || l.Bytes != 1<<30 {
			t.Errorf("%d objects and %d bytes", l.Objects, l.Bytes)
		}
	})
	t.Run("O36.13 what 2 s may bring comes at once", func(t *testing.T) {
		g, now := newGuard(DefaultLimits), time.Unix(1_800_000_000, 0)
		for i := range 400 {
			if d := g.wait(now, 1); d != 0 {
				t.Fatalf("request %d waits for %v", i+1, d)
			}
		}
		if d := g.wait(now, 1); d != 5*time.Millisecond {
			t.Errorf("the next waits for %v", d)
		}
	})
}

// silence opens connections of strangers who prove nothing, and returns for how long each was open
// when all have ended.
func silence(w *world, h *host, from []netip.Addr) []time.Duration {
	w.Helper()
	open := make([]time.Duration, len(from))
	var all sync.WaitGroup
	for i, ip := range from {
		ours, theirs := net.Pipe()
		began := time.Now()
		go h.links.ServeStream(ours, ip)
		all.Go(func() {
			_, _ = io.ReadAll(theirs) // until the host closes it
			open[i] = time.Since(began)
			_ = theirs.Close()
		})
		synctest.Wait()
	}
	all.Wait()
	return open
}

func TestStrangerBounds(t *testing.T) {
	// addresses returns n addresses of each of so many networks.
	addresses := func(networks, n int) (all []netip.Addr) {
		for i := range networks {
			for range n {
				all = append(all, netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}))
			}
		}
		return all
	}
	t.Run("O36.16 64 connections of strangers say nothing at once, for 5 s each", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			for i, took := range silence(w, w.hosts[0], addresses(9, 8)) {
				want := 5 * time.Second
				if i >= 64 {
					want = 0
				}
				if took != want {
					t.Errorf("connection %d is open for %v", i+1, took)
				}
			}
			// Those who have proved a key and say nothing.
			l := w.hosts[0].links
			var leaves []func()
			for i, ip := range addresses(9, 8) {
				leave, ok := l.enter(&peerConn{host: id.HostID{9}, from: ip})
				if ok != (i < 64) {
					t.Fatalf("connection %d with a key: %t", i+1, ok)
				}
				if ok {
					leaves = append(leaves, leave)
				}
			}
			for _, leave := range leaves {
				leave()
			}
			r := w.rogue(newKey(91), w.hosts[0])
			began := time.Now()
			r.hungUp("nothing", 0)
			if took := time.Since(began); took != 5*time.Second {
				t.Errorf("with a key it is open for %v", took)
			}
		})
	})
	t.Run("O45.1 at most 8 connections of one address have not proved a key", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			var all []netip.Addr
			for i := range 9 { // one /64
				all = append(all, netip.AddrFrom16([16]byte{0x20, 1, 0x0d, 0xb8, 7: 1, 15: byte(i)}))
			}
			all = append(all, addresses(1, 9)...)
			all = append(all, netip.AddrFrom16([16]byte{0x20, 1, 0x0d, 0xb8, 7: 2}))
			for i, took := range silence(w, w.hosts[0], all) {
				if kept := took > 0; kept != (i != 8 && i != 17) {
					t.Errorf("connection %d from %s is open for %v", i+1, all[i], took)
				}
			}
		})
	})
	t.Run("O45.2 at most 8 connections of an address prove a stranger's key", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			l := w.hosts[0].links
			for i := range 10 {
				c := &peerConn{host: id.HostID{byte(i)}, from: netip.MustParseAddr("192.0.2.1")}
				if _, ok := l.enter(c); ok != (i < 8) {
					t.Errorf("connection %d: %t", i+1, ok)
				}
			}
			if _, ok := l.enter(&peerConn{host: id.HostID{9},
				from: netip.MustParseAddr("192.0.2.2")}); !ok {
				t.Error("another address is kept out")
			}
		})
	})
}

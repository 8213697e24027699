package peer

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
)

// The tests of this file have the numbers of the protocol, not the constants of the code: a
// constant that is changed by mistake fails here.

func TestCardBounds(t *testing.T) {
	t.Run("O31.2 a name has 1 to 40 printable characters", func(t *testing.T) {
		for name, want := range map[string]bool{
			"":                            false,
			"A":                           true,
			strings.Repeat("ä", 40):       true,
			strings.Repeat("ä", 41):       false,
			strings.Repeat("x", 39) + "😀": true,
			"Ada's\ttables":               false,
			"Ada\u200bBen":                false,
		} {
			c := exampleCard(newKey(1))
			c.Name = name
			if _, err := ReadCard(c.Sign(newKey(1))); (err == nil) != want {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
	t.Run("O31.10 at most 4,096 cards of strangers are kept, the newest", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a, key := w.hosts[0], newKey(91)
			from := w.befriend(a, key, Linkup)
			d := a.links.directory
			var oldest id.HostID
			a.links.mu.Lock()
			for i := range 4096 {
				k := known{card: Card{Key: []byte{byte(i >> 8), byte(i)}, Timestamp: id.Millis(1 + i)}}
				d.cards[k.card.Host()] = &k
				if i == 0 {
					oldest = k.card.Host()
				}
			}
			a.links.mu.Unlock()
			w.must(a.store.PutPeerCard(w.Context(), oldest, []byte{1}))
			third := exampleCard(newKey(92))
			w.must(a.links.learn(w.Context(), from, Linkup, third.Sign(newKey(92))))
			strangers := 0
			a.links.mu.Lock()
			for host := range d.cards {
				if host != a.self() && host != from {
					strangers++
				}
			}
			a.links.mu.Unlock()
			if _, ok := a.links.Card(oldest); ok || strangers != 4096 {
				t.Errorf("%d are kept, the oldest among them: %t", strangers, ok)
			}
			if _, ok := a.links.Card(third.Host()); !ok {
				t.Error("the newest is not kept")
			}
			if _, ok := a.store.cards[oldest]; ok {
				t.Error("the oldest is still in the store")
			}
		})
	})
}

func TestInvitationBounds(t *testing.T) {
	t.Run("O32.2 an invitation is accepted for 24 hours", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			late, err := a.links.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			pass(24*time.Hour - time.Minute)
			_, err = b.links.Accept(w.Context(), o, 0, DefaultLimits)
			w.must(err)
			w.must(b.links.Remove(w.Context(), a.self()))
			w.must(a.links.Remove(w.Context(), b.self()))
			pass(time.Minute)
			if _, err := b.links.Accept(w.Context(), late, 0,
				DefaultLimits); !errors.Is(err, refusedInvitation) {
				t.Errorf("after 24 hours: %v", err)
			}
		})
	})
	t.Run("O32.7 an invitation has at most 4 addresses", func(t *testing.T) {
		var addresses []Address
		for i := range 5 {
			addresses = append(addresses, Address(fmt.Sprintf("https://h%d.example.org", i)))
		}
		o := InvitationText{Addresses: addresses[:4]}
		if _, err := ParseOffer(o.String()); err != nil {
			t.Errorf("with 4: %v", err)
		}
		o.Addresses = addresses
		if _, err := ParseOffer(o.String()); err == nil {
			t.Error("5 addresses are accepted")
		}
		inWorld(t, 1, func(w *world) {
			l := w.hosts[0].links
			l.cfg.Addresses = addresses
			o, err := l.Invite(w.Context(), 0, DefaultLimits, false)
			w.must(err)
			if !slices.Equal(o.Addresses, addresses[:4]) {
				t.Errorf("the invitation has %v", o.Addresses)
			}
		})
	})
	t.Run("O32.8 of the secret only the hash is kept", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			a := w.hosts[0]
			o, err := a.links.Invite(w.Context(), Visit, DefaultLimits, true)
			w.must(err)
			want := Hash(sha256.Sum256(append([]byte("holt invitation 1\x00"), o.Secret[:]...)))
			if i, ok := a.store.invitations[want]; !ok || len(a.store.invitations) != 1 {
				t.Errorf("kept is %+v", i)
			}
			secret := strings.Trim(fmt.Sprint(o.Secret), "[]")
			if strings.Contains(fmt.Sprint(a.store.invitations), secret) {
				t.Error("the secret itself is kept")
			}
		})
	})
}

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

// callLog is a network that keeps when hosts were called by HTTP.
type callLog struct {
	ground

	mu sync.Mutex
	at []time.Time // guarded by mu
}

func (c *callLog) dial(ctx context.Context, h *host, address string) (net.Conn, error) {
	c.mu.Lock()
	c.at = append(c.at, time.Now())
	c.mu.Unlock()
	return c.ground.dial(ctx, h, address)
}

// next waits for a call after the first n, and returns all.
func (c *callLog) next(n int) []time.Time {
	for {
		c.mu.Lock()
		all := slices.Clone(c.at)
		c.mu.Unlock()
		if len(all) > n {
			return all
		}
		pass(50 * time.Millisecond)
	}
}

func TestCallTimes(t *testing.T) {
	t.Run("O33.16, O33.17 a host that is away is called after 1, 2, 4 s up to a minute, and sooner for a message", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			for _, h := range w.hosts {
				h.stop()
				h.noUDP = true
				h.start()
			}
			calls := &callLog{ground: w.ground}
			w.ground = calls
			w.link(a, b, Visit)
			pass(time.Minute) // until no call is under way
			calls.mu.Lock()
			calls.at = nil
			calls.mu.Unlock()
			b.stop()
			last := calls.next(0)[0]
			for i, seconds := range []int{1, 2, 4, 8, 16, 32, 60, 60, 60} {
				want := time.Duration(seconds) * time.Second
				at := calls.next(i + 1)[i+1]
				if gap := at.Sub(last); gap < want-want/4 || gap > want+want/4+time.Second/100 {
					t.Errorf("call %d comes after %v, not after about %v", i+1, gap, want)
				}
				last = at
			}
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("somebody waits")}))
			if gap := calls.next(10)[10].Sub(last); gap < time.Second-time.Second/100 ||
				gap > time.Second+time.Second/100 {
				t.Errorf("with a message it is called after %v", gap)
			}
		})
	})
	t.Run("O33.20 a connection that is silent for 2 s is replaced over the other network", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			pass(time.Minute)
			w.shutUDP(b, true)
			pass(time.Second)
			began := time.Now()
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("on its way")}))
			for a.network(b) != networkWeb && time.Since(began) < 10*time.Second {
				pass(10 * time.Millisecond)
			}
			if took := time.Since(began); took < 2*time.Second || took > 2500*time.Millisecond {
				t.Errorf("it is replaced after %v", took)
			}
		})
	})
	t.Run("O33.22 QUIC is tried after 1, 5, 30 and again 30 minutes", func(t *testing.T) {
		var d dialling
		now := time.Unix(1_800_000_000, 0)
		d.succeed(now, networkWeb)
		c := &linkConn{line: &streamLine{}, number: 7, dialled: true}
		for _, minutes := range []int{1, 5, 30, 30, 30} {
			want := time.Duration(minutes) * time.Minute
			if p := d.with(now, c, false); p.call != 0 || p.wait != want {
				t.Fatalf("the next call comes after %v, not %v", p.wait, want)
			}
			now = now.Add(want)
			if p := d.with(now, c, false); p.call != byQUIC || p.replaces != 7 {
				t.Fatalf("after %v the plan is %+v", want, p)
			}
			d.begin(now)
			d.busy = false
			d.fail(now, byQUIC, true)
		}
	})
	t.Run("O33.18 of two connections the one stays that the lower GWID has opened", func(t *testing.T) {
		ids := make([]*identity, 2)
		for i := range ids {
			var err error
			if ids[i], err = newIdentity(newKey(byte(1 + i))); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortFunc(ids, func(a, b *identity) int { return slices.Compare(a.host[:], b.host[:]) })
		for i, c := range []struct {
			present bool // whether the present connection was opened here
			want    [2]refusal
		}{
			// A second one of the other host comes: the lower host refuses it.
			{true, [2]refusal{refusedDuplicate, 0}},
			// One opened here comes second: the higher host does not take it.
			{false, [2]refusal{0, refusedDuplicate}},
		} {
			for self, want := range c.want {
				l := &Links{self: ids[self]}
				p := newLinkedHost(l, Link{Key: ids[1-self].public, State: Active})
				p.now = &linkConn{number: 1, dialled: c.present}
				if got := p.refuses(&hello{Line: 2}, !c.present); got != want {
					t.Errorf("case %d at host %d: %d, not %d", i, self, got, want)
				}
			}
		}
	})
}

func TestWaitingMessages(t *testing.T) {
	t.Run("O33.28 what was sent to a server life that is over is given up", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			w.cut(b, true)
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("to the old life")}))
			pass(time.Second / 2) // it has been sent, and is lost
			b.stop()
			w.cut(b, false)
			b.start()
			a.machine.await(w, "up again", func(r *recorder) bool { return r.ups == 2 })
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("to the new life")}))
			b.machine.await(w, "a message", func(r *recorder) bool { return len(r.got[a.self()]) > 0 })
			pass(time.Minute)
			if got := b.machine.texts(a.self(), id.OID{}); !slices.Equal(got,
				[]string{"to the new life"}) {
				t.Errorf("%q has come", got)
			}
		})
	})
	t.Run("O33.29 what could not be sent for 10 s is given up, and nothing younger", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			b.stop()
			a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("old")}))
			pass(500 * time.Millisecond)
			w.must(a.links.Send(b.self(), Message{Bytes: []byte("young")}))
			pass(9500 * time.Millisecond)
			b.start()
			b.machine.await(w, "a message", func(r *recorder) bool { return len(r.got[a.self()]) > 0 })
			pass(time.Minute)
			if got := b.machine.texts(a.self(), id.OID{}); !slices.Equal(got, []string{"young"}) {
				t.Errorf("%q has come", got)
			}
		})
	})
	for _, c := range []struct {
		name    string
		n, size int
	}{
		{"O33.30 2,048 messages wait, the next is busy", 2048, 1},
		{"O33.31 16 MiB of messages wait, what would be more is busy", 16, 1 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, 2, func(w *world) {
				a, b := w.hosts[0], w.hosts[1]
				w.link(a, b, Visit)
				b.stop()
				a.machine.await(w, "down", func(r *recorder) bool { return r.downs == 1 })
				for i := range c.n {
					if err := a.links.Send(b.self(), Message{Bytes: make([]byte, c.size)}); err != nil {
						t.Fatalf("message %d: %v", i+1, err)
					}
				}
				if err := a.links.Send(b.self(), Message{Bytes: []byte{1}}); !errors.Is(err, ErrBusy) {
					t.Errorf("one more: %v", err)
				}
			})
		})
	}
}

func TestLinkBounds(t *testing.T) {
	t.Run("O35.8 a thousand refused requests within an hour pause the link, not fewer", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			w.link(a, b, Visit)
			for range 2000 { // a thousand in an hour and an instant
				a.links.Refused(b.self(), object(1), "a call by who is no holder")
				pass(time.Hour/999 + time.Millisecond)
			}
			if got := a.links.List()[0].State; got != Active {
				t.Errorf("after a thousand in more than an hour it is %s", got)
			}
			pass(2 * time.Hour)
			for range 999 {
				a.links.Refused(b.self(), object(1), "a call by who is no holder")
			}
			pass(time.Second)
			if got := a.links.List()[0].State; got != Active {
				t.Errorf("after 999 at once it is %s", got)
			}
			a.links.Refused(b.self(), object(1), "a call by who is no holder")
			pass(time.Second)
			if got := a.links.List()[0].State; got != Paused {
				t.Errorf("after the thousandth it is %s", got)
			}
		})
	})
	t.Run("O36.1 by default 64 requests are carried out at once, and the next is busy", func(t *testing.T) {
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
		for _, c := range []struct {
			objects int
			bytes   int64
			want    error
		}{
			{99_999, 1<<30 - 1, nil}, {100_000, 0, ErrQuota}, {0, 1 << 30, ErrQuota},
		} {
			if err := DefaultLimits.Room(c.objects, c.bytes, 1, 1); !errors.Is(err, c.want) {
				t.Errorf("one more beside %d of %d bytes: %v", c.objects, c.bytes, err)
			}
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
	t.Run("O45.2 at most 8 connections of one address have proved the key of a stranger", func(t *testing.T) {
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

func TestCalledAddresses(t *testing.T) {
	home := []Address{"quic://192.168.1.5:8080"}
	t.Run("O44.6 a name is refused if any of its addresses is refused", func(t *testing.T) {
		public, private := netip.MustParseAddr("192.0.2.9"), netip.MustParseAddr("10.0.0.1")
		for _, c := range []struct {
			ips  []netip.Addr
			want error
		}{
			{[]netip.Addr{public}, nil},
			{[]netip.Addr{private}, errNear},
			{[]netip.Addr{private, public}, errNear},
			{[]netip.Addr{public, private}, errNear},
		} {
			asked := ""
			l := &Links{
				cfg: Config{Addresses: []Address{"https://holt.example.org"}}, clock: time.Now,
				lookup: func(_ context.Context, _, host string) ([]netip.Addr, error) {
					asked = host
					return c.ips, nil
				},
			}
			p := &linkedHost{links: l, localCalls: localCalls{}}
			_, ip, err := p.lead(t.Context(), "https://ben.example.org")
			if asked != "ben.example.org" || !errors.Is(err, c.want) || err == nil && ip != c.ips[0] {
				t.Errorf("%v: %q was resolved, %v, %v", c.ips, asked, ip, err)
			}
		}
	})
	t.Run("O44.8 at most 8 endpoints in local networks are called within 24 hours", func(t *testing.T) {
		now := time.Unix(1_800_000_000, 0)
		l := &Links{cfg: Config{Addresses: home}, clock: func() time.Time { return now }}
		p := &linkedHost{links: l, localCalls: localCalls{}}
		lead := func(port int) error {
			_, _, err := p.lead(t.Context(), Address(fmt.Sprintf("quic://192.168.1.9:%d", port)))
			return err
		}
		for i := range 8 {
			if err := lead(1000 + i); err != nil {
				t.Errorf("endpoint %d: %v", i+1, err)
			}
		}
		for _, passes := range []time.Duration{0, 24*time.Hour - time.Second} {
			now = now.Add(passes)
			if err := lead(2000); !errors.Is(err, errMany) {
				t.Errorf("the ninth: %v", err)
			}
		}
		now = now.Add(time.Second)
		if err := lead(2000); err != nil {
			t.Errorf("after 24 hours: %v", err)
		}
	})
	t.Run("O44.9 what was pasted as an invitation is called in any case", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			o, err := a.links.Invite(w.Context(), Visit, DefaultLimits, false)
			w.must(err)
			o.Addresses = []Address{Address("http://" + a.address.String())}
			b.links.cfg.Addresses = []Address{"https://holt.example.org"}
			p := &linkedHost{links: b.links, localCalls: localCalls{}}
			if _, _, err := p.lead(w.Context(), o.Addresses[0]); !errors.Is(err, errHTTP) {
				t.Fatalf("the address on a card: %v", err)
			}
			terms, err := b.links.Look(w.Context(), o)
			if err != nil || terms.Address != o.Addresses[0] {
				t.Errorf("the invitation: %+v, %v", terms, err)
			}
		})
	})
}

// unhex returns bytes that are written in hexadecimal digits, with spaces between the fields.
func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestForms(t *testing.T) {
	t.Run("O31.1 a card has the fields of its form", func(t *testing.T) {
		key := newKey(3)
		c := Card{Key: key.Public().(ed25519.PublicKey), Name: "Ada", Timestamp: 0x0102030405,
			Addresses: []Address{"http://a", "quic://b:1"}}
		form := slices.Concat([]byte{1}, c.Key, unhex(t, "0000000102030405 0003"), []byte("Ada"),
			unhex(t, "02 0008"), []byte("http://a"), unhex(t, "000a"), []byte("quic://b:1"))
		form = append(form, ed25519.Sign(key, append([]byte("holt card 1\x00"), form...))...)
		if got := c.Sign(key); !slices.Equal(got, form) {
			t.Errorf("it is %x, not %x", got, form)
		}
		if got, err := ReadCard(form); err != nil || got.Name != "Ada" || len(got.Addresses) != 2 {
			t.Errorf("it is read as %+v, %v", got, err)
		}
	})
	t.Run("O33.32 link frames have the bytes of their forms", func(t *testing.T) {
		secret := Secret(unhex(t, "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"))
		card := []byte{0xca, 0x2d}
		for name, c := range map[string]struct {
			got  []byte
			want string
		}{
			"hello": {helloFrame(&hello{Life: life(unhex(t, "1112131415161718")), Line: 0x21,
				Replaces: 0x22, Gives: Visit | Linkup, First: 0x23,
				Of: life(unhex(t, "3132333435363738")), Floor: 0x24, Above: []byte{5}, Card: card}),
				"01 02 1112131415161718 0000000000000021 0000000000000022 09 0000000000000023" +
					"3132333435363738 0000000000000024 0001 05 0002 ca2d"},
			"refuse stranger":   {refuseFrame(refusedStranger), "02 01"},
			"refuse paused":     {refuseFrame(refusedPaused), "02 02"},
			"refuse pending":    {refuseFrame(refusedPending), "02 03"},
			"refuse duplicate":  {refuseFrame(refusedDuplicate), "02 04"},
			"refuse invitation": {refuseFrame(refusedInvitation), "02 05"},
			"refuse version":    {refuseFrame(refusedVersion), "02 06"},
			"refuse busy":       {refuseFrame(refusedBusy), "02 07"},
			"look":              {lookFrame(secret), "03 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"},
			"join": {joinFrame(&ask{Secret: secret, Gives: Bring, Card: card}),
				"04 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf 02 0002 ca2d"},
			"terms":  {termsFrame(&terms{Gives: Keep, Confirm: true, Card: card}), "05 04 01 0002 ca2d"},
			"card":   {cardFrame(card), "06 ca2d"},
			"rights": {rightsFrame(Visit | Bring), "07 03"},
			"ack":    {ackFrame(0x0102), "08 0000000000000102"},
			"message": {appendEnvelope(nil, &envelope{number: 9, first: 3, Message: Message{
				About: object(7), Request: true, Bytes: []byte{0xfe, 0xff}}}),
				"10 01 0000000000000009 0000000000000003 01020300000000000000000000000007 feff"},
		} {
			want := unhex(t, c.want)
			if !slices.Equal(c.got, want) {
				t.Errorf("%s is %x, not %x", name, c.got, want)
			}
			if name == "card" { // a card has a reader of its own
				continue
			}
			if again := rewrite(want); !slices.Equal(again, want) {
				t.Errorf("%s is read as %x", name, again)
			}
		}
		if _, err := readHello(unhex(t, "01 03")); !errors.Is(err, refusedVersion) {
			t.Errorf("another version: %v", err)
		}
	})
	t.Run("O33.32 a ping has one byte, 0x09", func(t *testing.T) {
		inWorld(t, 1, func(w *world) {
			key := newKey(91)
			w.befriend(w.hosts[0], key, 0)
			r := w.rogue(key, w.hosts[0])
			r.enter(key)
			defer r.raw.Close()
			for { // other frames come before it
				b := make([]byte, 4)
				_, err := io.ReadFull(r.conn, b)
				w.must(err)
				frame := make([]byte, b[3])
				_, err = io.ReadFull(r.conn, frame)
				w.must(err)
				if len(frame) == 1 {
					if frame[0] != 9 {
						t.Errorf("it is %x", frame)
					}
					return
				}
			}
		})
	})
}

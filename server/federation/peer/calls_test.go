package peer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"holt/server/id"
)

// The tests of this file have the numbers of the protocol, as those of bounds_test.go.

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
	t.Run("O33.16, O33.17 calls after 1, 2, 4 to 60 s, and sooner for a message", func(t *testing.T) {
		inWorld(t, 2, func(w *world) {
			a, b := w.hosts[0], w.hosts[1]
			for _, h := range w.hosts {
				h.restartWithoutUDP()
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
	t.Run("O33.20 a connection silent for 2 s is replaced over another network", func(t *testing.T) {
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
	t.Run("O33.18 of two connections the one opened by the lower GWID stays", func(t *testing.T) {
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
	t.Run("O33.29 what could not be sent for 10 s is given up, nothing younger", func(t *testing.T) {
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
	t.Run("O44.8 at most 8 endpoints in local networks are called in 24 hours", func(t *testing.T) {
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

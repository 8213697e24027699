package endpoint

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/testutils/simnet"

	"holt/server/transport/connection"
)

// losingFirst loses the first n packets of a kind, at plain UDP.
func losingFirst(n int, kind connection.Kind) func(simnet.Packet) bool {
	return func(p simnet.Packet) bool {
		k, ok := connection.KindOf(p.Data)
		if !ok || k != kind || !isPlain(p) || n == 0 {
			return false
		}
		n--
		return true
	}
}

func isPlain(p simnet.Packet) bool {
	return addressOf(p.To) == plainAddress || addressOf(p.From) == plainAddress
}

func TestHandshake(t *testing.T) {
	// Clauses: D17.3
	t.Run("D17.2 a lost Hello is repeated after 250 ms, then 500, then 1,000", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			var said []time.Duration
			start := time.Now()
			w.road.losing(0, func(p simnet.Packet) bool {
				k, _ := connection.KindOf(p.Data)
				if k == connection.KindHello {
					said = append(said, time.Since(start))
				}
				return true
			})
			_, err := w.dialer().Dial(w.Context(), w.target(Plain), "x", w.guest().handlers())
			if !errors.Is(err, errUnanswered) || time.Since(start) != 4*time.Second {
				w.Errorf("after %v: %v", time.Since(start), err)
			}
			want := []time.Duration{0, 250 * time.Millisecond, 750 * time.Millisecond,
				1750 * time.Millisecond, 2750 * time.Millisecond, 3750 * time.Millisecond}
			if !slices.Equal(said, want) {
				w.Errorf("repeated after %v", said)
			}
		})
	})
	t.Run("D17.4 a lost Welcome is repeated unchanged, and opens one stream", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			w.road.losing(0, losingFirst(2, connection.KindWelcome))
			g := w.dial(Plain, "x")
			g.play(1, 10)
			if told, _ := g.heard(); told != 10 || len(w.host.all()) != 1 {
				w.Errorf("got %d, by %d streams", told, len(w.host.all()))
			}
			if c := w.listener.Counts(); c.Opened != 1 {
				w.Errorf("counts %+v", c)
			}
			g.leave()
		})
	})
	t.Run("D17.5, D20.2 Data that overtakes the Welcome is not lost", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			held := false
			w.road.losing(0, func(p simnet.Packet) bool {
				if k, _ := connection.KindOf(p.Data); k != connection.KindWelcome || held ||
					!isPlain(p) {
					return false
				}
				held = true
				late := p
				time.AfterFunc(50*time.Millisecond,
					func() { _ = w.road.PerfectRouter.SendPacket(late) })
				return true
			})
			start := time.Now()
			g := w.dial(Plain, "x")
			w.pass(time.Millisecond)
			if g.mu.Lock(); !g.whole {
				w.Errorf("no full state %v after the Hello", time.Since(start))
			}
			g.mu.Unlock()
			g.leave()
		})
	})
	t.Run("D19.2, D29.26 another version gets the list of known ones", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			hello := connection.AppendHello(nil, connection.Hello{Client: 7,
				Takes: connection.FromServer, Request: "x"}, connection.UDPSize)
			hello[1] = 9
			answers := w.throw(hello, 1)
			if len(answers) != 1 {
				w.Fatalf("%d answers", len(answers))
			}
			client, code, reason, err := connection.ReadClose(answers[0], true)
			if err != nil || client != 7 || code != connection.CodeVersion || reason != "1" {
				w.Errorf("answered for %d: %d %q, %v", client, code, reason, err)
			}
		})
	})
	t.Run("D20.7 Data from another address than the connection's is dropped", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			var data []byte
			w.road.losing(0, func(p simnet.Packet) bool {
				if k, ok := connection.KindOf(p.Data); ok && k == connection.KindData &&
					addressOf(p.To) == plainAddress {
					data = slices.Clone(p.Data)
				}
				return false
			})
			g := w.dial(Plain, "x")
			g.play(1, 5)
			before := w.listener.Counts()
			answers := w.throw(data, 100)
			if after := w.listener.Counts(); after.Dropped != before.Dropped+100 ||
				len(answers) != 0 {
				w.Errorf("dropped %d of 100, %d answers",
					after.Dropped-before.Dropped, len(answers))
			}
			g.leave()
		})
	})
}

// throw sends copies of a packet to plain UDP, from an address of its own, and returns what comes
// back within a second.
func (w *world) throw(b []byte, times int) [][]byte {
	w.Helper()
	socket, err := w.dialer().Socket()
	if err != nil {
		w.Fatal(err)
	}
	for range times {
		if _, err := socket.WriteTo(b, net.UDPAddrFromAddrPort(plainAddress)); err != nil {
			w.Fatal(err)
		}
	}
	w.pass(time.Second)
	if err := socket.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		w.Fatal(err)
	}
	var answers [][]byte
	buf := make([]byte, plainRead)
	for {
		n, _, err := socket.ReadFrom(buf)
		if err != nil {
			break
		}
		answers = append(answers, slices.Clone(buf[:n]))
	}
	if err := socket.Close(); err != nil {
		w.Error(err)
	}
	return answers
}

func TestStrangers(t *testing.T) {
	hello := func(cookie []byte, size int) []byte {
		return connection.AppendHello(nil, connection.Hello{Client: 7, Cookie: cookie,
			Takes: connection.FromServer, Request: "x"}, size)
	}
	// Clauses: D18.1, D18.3, D18.4
	t.Run("D18 a Hello without a cookie gets a shorter one, and no memory", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			before := w.road.bytesFrom(plainAddress)
			answers := w.throw(hello(nil, connection.UDPSize), 20)
			sent := w.road.bytesFrom(plainAddress) - before
			if len(answers) != 20 || 3*20*connection.UDPSize < sent {
				w.Errorf("%d answers, %d bytes for %d", len(answers), sent, 20*connection.UDPSize)
			}
			if client, cookie, err := connection.ReadRetry(answers[0]); err != nil || client != 7 ||
				len(cookie) != cookieSize {
				w.Errorf("answered %x, %v", answers[0], err)
			}
			if c := w.listener.Counts(); c.Paths != 0 || c.Open != 0 || c.Retried != 20 ||
				len(w.host.all()) != 0 {
				w.Errorf("counts %+v", c)
			}
		})
	})
	t.Run("D18.2 a Hello of less than 1,200 bytes is not answered", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			if answers := w.throw(hello(nil, connection.UDPSize-1), 5); len(answers) != 0 {
				w.Errorf("%d answers", len(answers))
			}
		})
	})
	t.Run("D18.3, D18.6 a cookie of another address or an old one opens nothing", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			first := w.throw(hello(nil, connection.UDPSize), 1)
			_, stolen, err := connection.ReadRetry(first[0])
			if err != nil {
				w.Fatal(err)
			}
			answers := w.throw(hello(stolen, connection.UDPSize), 3)
			for _, a := range answers {
				if k, _ := connection.KindOf(a); k != connection.KindRetry {
					w.Errorf("answered %x", a)
				}
			}
			own := w.listener.cookies.bake(netip.AddrPortFrom(netip.AddrFrom4(
				[4]byte{192, 0, 2, byte(w.next.Load()) + 1}), 5000), time.Since(w.listener.began))
			w.pass(11 * time.Second)
			if answers := w.throw(hello(own, connection.UDPSize), 1); len(answers) != 1 ||
				answers[0][0] != byte(connection.KindRetry) {
				w.Errorf("an old cookie is answered by %x", answers)
			}
			if len(w.host.all()) != 0 {
				w.Error("a stream was opened")
			}
		})
	})
	t.Run("D16.1, D18 a flood of garbage is dropped", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.dial(Plain, "x")
			for _, b := range [][]byte{{}, {0}, {1}, {0xff}, {0x40},
				{0x40, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
				make([]byte, plainRead), hello([]byte("not a cookie, but as long"), 300)} {
				if answers := w.throw(b, 200); len(answers) != 0 {
					w.Errorf("%x… is answered %d times", b[:min(len(b), 8)], len(answers))
				}
			}
			g.play(1, 20)
			if told, _ := g.heard(); told != 20 {
				w.Errorf("after the flood the stream sent %d of 20", told)
			}
			if c := w.listener.Counts(); c.Paths != 1 || c.Dropped < 1200 {
				w.Errorf("counts %+v", c)
			}
			g.leave()
		})
	})
	t.Run("D17, D22.3 replayed packets do nothing", func(t *testing.T) {
		for _, network := range []string{Plain, QUIC} {
			inWorld(t, Bounds{}, func(w *world) {
				w.road.mu.Lock()
				w.road.echo = 700 * time.Millisecond
				w.road.mu.Unlock()
				g := w.dial(network, "x")
				g.play(1, 200)
				if told, version := g.heard(); told != 200 || version != 201 {
					w.Errorf("got %d of 200, all up to %d", told, version)
				}
				if c := w.listener.Counts(); c.Opened != 1 || len(w.host.all()) != 1 ||
					c.Paths != 1 {
					w.Errorf("%s: counts %+v", network, c)
				}
				g.leave()
			})
		}
	})
	t.Run("D18.12 the rate of one address does not keep another out", func(t *testing.T) {
		inWorld(t, Bounds{PerSecond: 1, PerAddress: 3}, func(w *world) {
			d := &Dialer{}
			at := netip.MustParseAddr("192.0.2.200")
			port := uint16(6000)
			d.Socket = func() (net.PacketConn, error) {
				port++
				return w.socket(netip.AddrPortFrom(at, port)), nil
			}
			var in []*guest
			for range 5 {
				g := w.guest()
				var err error
				if g.conn, err = d.Dial(w.Context(), w.target(Plain),
					"x", g.handlers()); err == nil {
					in = append(in, g)
				}
			}
			if len(in) != 3 {
				w.Errorf("%d of 5 are in", len(in))
			}
			other := w.dial(Plain, "x")
			for _, g := range append(in, other) {
				g.leave()
			}
		})
	})
	t.Run("D18 unfinished handshakes are forgotten, and keep nobody out", func(t *testing.T) {
		inWorld(t, Bounds{Unproven: 4}, func(w *world) {
			// the answers do not arrive
			w.road.losing(0, func(p simnet.Packet) bool { return addressOf(p.From) == quicAddress })
			for range 20 {
				d := w.dialer()
				go func() {
					_, _ = d.Dial(w.Context(), w.target(QUIC), "x", w.guest().handlers())
				}()
				w.pass(time.Millisecond)
			}
			w.pass(30 * time.Millisecond)
			if n := w.listener.quic.unproven.Load(); n != 4 {
				w.Errorf("%d handshakes of unproven addresses are under way", n)
			}
			w.road.losing(0, nil)
			g := w.dial(QUIC, "x")
			g.play(1, 5)
			if told, _ := g.heard(); told != 5 {
				w.Errorf("got %d of 5", told)
			}
			g.leave()
			w.pass(10 * time.Second)
			if n := w.listener.quic.unproven.Load(); n != 0 {
				w.Errorf("%d are still under way", n)
			}
		})
	})
	t.Run("D17, D18.14 a silent QUIC connection is dropped after 4 s", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			p, err := w.dialer().path(w.Context(), w.target(QUIC))
			if err != nil {
				w.Fatal(err)
			}
			start := time.Now()
			if b, err := p.receive(); err == nil {
				w.Errorf("received %x", b)
			}
			if took := time.Since(start); took < 3*time.Second || took > 5*time.Second {
				w.Errorf("dropped after %v", took)
			}
			p.close(0, "")
		})
	})
	t.Run("D17, D18.15 a browser that asks for no session is dropped after 4 s", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			socket, err := w.dialer().Socket()
			if err != nil {
				w.Fatal(err)
			}
			transport := &quic.Transport{Conn: socket}
			proof := pin("holt", w.hashes)
			proof.NextProtos = []string{http3.NextProtoH3}
			conn, err := transport.Dial(w.Context(), net.UDPAddrFromAddrPort(quicAddress),
				proof, quicConfig())
			if err != nil {
				w.Fatal(err)
			}
			start := time.Now()
			<-conn.Context().Done()
			if took := time.Since(start); took < 3*time.Second || took > 5*time.Second {
				w.Errorf("dropped after %v", took)
			}
			w.pass(time.Second)
			if c := w.listener.Counts(); c.Paths != 0 {
				w.Errorf("counts %+v", c)
			}
			if err := errors.Join(transport.Close(), socket.Close()); err != nil {
				w.Error(err)
			}
		})
	})
	t.Run("D16.2 garbage over QUIC ends the path with 1002", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			for _, b := range [][]byte{{0}, {1, 2, 3}, {0x40, 0, 0}, make([]byte, 900)} {
				p, err := w.dialer().path(w.Context(), w.target(QUIC))
				if err != nil {
					w.Fatal(err)
				}
				if err := p.send(b); err != nil {
					w.Fatal(err)
				}
				_, err = p.receive()
				var said *connection.CloseError
				if !errors.As(err, &said) || said.Code != connection.CodeProtocol {
					w.Errorf("%x… is answered by %v", b[:min(len(b), 4)], err)
				}
				p.close(0, "")
			}
		})
	})
	t.Run("D30 a page of another site gets no session", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			if _, err := w.browse("x", "https://elsewhere.example"); err == nil {
				w.Error("it has one")
			}
		})
	})
	// Clauses: D30.6, D30.13
	t.Run("D30 a server without the announced certificate is not trusted", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			to := w.target(QUIC)
			to.Hashes = []string{hashOf([]byte("another"))}
			if _, err := w.dialer().Dial(w.Context(), to, "x",
				w.guest().handlers()); !errors.Is(err, errPin) {
				w.Errorf("dialled: %v", err)
			}
			to.Hashes = nil
			if _, err := w.dialer().Dial(w.Context(), to, "x", w.guest().handlers()); err == nil {
				w.Error("a self-signed certificate is trusted without its hash")
			}
		})
	})
}

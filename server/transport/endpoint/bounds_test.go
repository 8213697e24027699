package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/testutils/simnet"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

// from returns a dialer whose sockets have one address and different ports.
func (w *world) from(address string) *Dialer {
	at, port := netip.MustParseAddr(address), uint16(6000)
	return &Dialer{Socket: func() (net.PacketConn, error) {
		port++
		return w.socket(netip.AddrPortFrom(at, port)), nil
	}}
}

// entries returns how many of some attempts from an address succeed.
func entries(d *admission, from netip.Addr, attempts int) (n int) {
	for range attempts {
		if d.enter(from) {
			n++
		}
	}
	return n
}

func TestAdmissionBounds(t *testing.T) {
	one := netip.MustParseAddr("192.0.2.7")
	t.Run("D18.7 beyond 64 handshakes of unproved addresses QUIC proves others", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			// the answers do not arrive
			w.road.losing(0, func(p simnet.Packet) bool { return addressOf(p.From) == quicAddress })
			ended := make(chan struct{})
			for range 80 {
				d := w.dialer()
				go func() {
					_, _ = d.Dial(w.Context(), w.target(QUIC), "x", w.guest().handlers())
					ended <- struct{}{}
				}()
			}
			w.pass(2 * latency)
			if n := w.listener.quic.unproven.Load(); n != 64 {
				w.Errorf("%d handshakes of unproved addresses are under way", n)
			}
			for range 80 {
				<-ended
			}
		})
	})
	t.Run("D18.8 an address may open 200 paths at once, and 20 in each second", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d := newAdmission(Bounds{})
			if n := entries(d, one, 300); n != 200 {
				t.Errorf("%d at once", n)
			}
			<-time.After(time.Second)
			if n := entries(d, one, 300); n != 20 {
				t.Errorf("%d a second later", n)
			}
		})
	})
	t.Run("D18.9 an address may have 512 paths", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d, n := newAdmission(Bounds{}), 0
			for range 4 {
				n += entries(d, one, 200)
				<-time.After(10 * time.Second)
			}
			if n != 512 {
				t.Errorf("it has %d", n)
			}
		})
	})
	t.Run("D18.10 all addresses together may have 4,096 paths", func(t *testing.T) {
		d, n := newAdmission(Bounds{}), 0
		for i := range 5000 {
			n += entries(d, netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 1)
		}
		if n != 4096 {
			t.Errorf("they have %d", n)
		}
	})
	t.Run("D18.13 a QUIC connection beyond the bounds is closed", func(t *testing.T) {
		inWorld(t, Bounds{PerAddress: 1}, func(w *world) {
			d := w.from("192.0.2.200")
			first := w.guest()
			var err error
			if first.conn, err = d.Dial(w.Context(), w.target(QUIC), "x", first.handlers()); err != nil {
				w.Fatal(err)
			}
			p, err := d.path(w.Context(), w.target(QUIC))
			if err != nil {
				w.Fatal(err)
			}
			begun := time.Now()
			_, err = p.receive()
			var said *quic.ApplicationError
			if !errors.As(err, &said) || !said.Remote || time.Since(begun) > 2*latency {
				w.Errorf("after %v it ends with %v", time.Since(begun), err)
			}
			p.close(0, "")
			first.leave()
		})
	})
	t.Run("D14.9 a server takes 4 and 256 KiB in all, a client 16 and 24 MiB", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			var hello connection.Hello
			var welcome connection.Welcome
			w.road.losing(0, func(p simnet.Packet) bool {
				if k, _ := connection.KindOf(p.Data); isPlain(p) && k == connection.KindHello {
					hello, _ = connection.ReadHello(p.Data)
				} else if isPlain(p) && k == connection.KindWelcome {
					welcome, _ = connection.ReadWelcome(p.Data)
				}
				return false
			})
			w.dial(Plain, "x").leave()
			if want := (connection.Limits{Message: 4096, Window: 262_144}); welcome.Takes != want {
				w.Errorf("the server takes %+v", welcome.Takes)
			}
			if want := (connection.Limits{Message: 16_777_216, Window: 25_165_824}); hello.Takes != want {
				w.Errorf("the client takes %+v", hello.Takes)
			}
		})
	})
}

// raw opens a connection by hand, on a path that does nothing by itself.
func (w *world) raw(p path) {
	w.Helper()
	if _, err := handshake(w.Context(), p, connection.Hello{
		Takes: connection.FromServer, Request: "x",
	}); err != nil {
		w.Fatal(err)
	}
}

// ending reads a path until it ends, and returns why.
func ending(p path) error {
	for {
		if _, err := p.receive(); err != nil {
			return err
		}
	}
}

func TestLettingGo(t *testing.T) {
	t.Run("D29.14, D29.17 QUIC closes the path after 3 s, as the Close says", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			p, err := w.dialer().path(w.Context(), w.target(QUIC))
			if err != nil {
				w.Fatal(err)
			}
			w.raw(p)
			begun := time.Now()
			w.host.last(w).client.Abort(stream.CodeInternal, "a fault")
			err = ending(p)
			var said *connection.CloseError
			if !errors.As(err, &said) || said.Code != connection.Code(stream.CodeInternal) ||
				said.Reason != "a fault" {
				w.Errorf("the path ends with %v", err)
			}
			if took := time.Since(begun) - latency; took != 3*time.Second {
				w.Errorf("after %v", took)
			}
			p.close(0, "")
		})
	})
	t.Run("D29.17 WebTransport closes the session as the Close says", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			p := w.tab()
			w.raw(p)
			w.host.last(w).client.Abort(stream.CodeInternal, "a fault")
			kind, r, err := http3.NewCapsuleParser(p.stream).Next()
			if err != nil || kind != capsuleClose {
				w.Fatalf("a capsule %#x, %v", uint64(kind), err)
			}
			b, err := io.ReadAll(r)
			want := append(binary.BigEndian.AppendUint32(nil, uint32(stream.CodeInternal)), "a fault"...)
			if err != nil || !bytes.Equal(b, want) {
				w.Errorf("%x, %v; want %x", b, err, want)
			}
			p.close(0, "")
		})
	})
	t.Run("D29.14 the path goes as soon as the other side has let go of it", func(t *testing.T) {
		for _, network := range []string{QUIC, Plain} {
			inWorld(t, Bounds{}, func(w *world) {
				g := w.dial(network, "x")
				g.play(1, 3)
				w.host.last(w).client.Abort(stream.CodeInternal, "a fault")
				<-g.ended
				w.pass(3 * latency)
				if n := w.listener.Counts().Paths; n != 0 {
					w.Errorf("%s: there are %d paths", network, n)
				}
				g.conn.Wait()
			})
		}
	})
}

func TestSizes(t *testing.T) {
	t.Run("D28.5 the path is measured after 64 packets of more than 512 bytes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b, _, _ := newPair()
			synctest.Wait() // now this test alone counts packets
			p := &measured{path: a.conn.path}
			large := 0
			for range 63 {
				a.conn.sent(p, 513)
				a.conn.sent(p, 512)
				large++
			}
			if p.times != 0 {
				t.Errorf("after %d packets it was measured %d times", large, p.times)
			}
			for range 2*64 + 1 {
				a.conn.sent(p, 513)
			}
			if p.times != 3 {
				t.Errorf("after 192 packets it was measured %d times", p.times)
			}
			part(a, b)
		})
	})
	t.Run("D28.7 on UDP all packets have up to 1,200 bytes", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.dial(Plain, "x")
			g.play(1, 2)
			before := w.listener.largest(w.T)
			most := 0
			w.road.losing(0, func(p simnet.Packet) bool {
				if addressOf(p.From) == plainAddress {
					most = max(most, len(p.Data))
				}
				return false
			})
			for n := range uint64(20) {
				w.host.last(w).tellMuch(n+10, 20_000)
				w.pass(time.Second)
			}
			if after := w.listener.largest(w.T); after != before || most < 1100 || most > 1200 {
				w.Errorf("room for %d bytes at first, for %d in the end; the largest packet has %d", before,
					after, most)
			}
			g.leave()
		})
	})
}

// measured counts how often a path is measured.
type measured struct {
	path
	times int
}

func (m *measured) largest() int {
	m.times++
	return m.path.largest()
}

func TestProtocolName(t *testing.T) {
	t.Run("D30.12 a client uses the ALPN holt-datagram/1", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			certificates, err := SelfSigned(time.Now)
			if err != nil {
				w.Fatal(err)
			}
			hashes, err := certificates.Hashes()
			if err != nil {
				w.Fatal(err)
			}
			at := netip.MustParseAddrPort("192.0.2.3:443")
			other := &quic.Transport{Conn: w.socket(at)}
			l, err := other.Listen(&tls.Config{
				MinVersion: tls.VersionTLS13, NextProtos: []string{"h3", "holt-datagram/1", "holt-datagram/2"},
				GetCertificate: certificates.forClient,
			}, quicConfig())
			if err != nil {
				w.Fatal(err)
			}
			p, err := w.dialer().path(w.Context(), Target{
				Network: QUIC, Address: at.String(), Hashes: hashes,
			})
			if err != nil {
				w.Fatal(err)
			}
			c, err := l.Accept(context.Background())
			if err != nil {
				w.Fatal(err)
			}
			if got := c.ConnectionState().TLS.NegotiatedProtocol; got != "holt-datagram/1" {
				w.Errorf("the protocol is %q", got)
			}
			p.close(0, "")
			if err := errors.Join(l.Close(), other.Close(), other.Conn.Close()); err != nil {
				w.Error(err)
			}
		})
	})
}

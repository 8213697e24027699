package datagram

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"time"

	"holt/server/packet"
)

// sink is a socket that notes what is written.
type sink struct {
	net.PacketConn
	written int
}

func (s *sink) WriteTo(b []byte, _ net.Addr) (int, error) {
	s.written += len(b)
	return len(b), nil
}

func (s *sink) Close() error { return nil }

// FuzzStranger gives the server packets of nobody that it knows (D18): whatever they are, they open nothing, and the answer is not longer than
// they are.
func FuzzStranger(f *testing.F) {
	hello := packet.AppendHello(nil, packet.Hello{Client: 7, Takes: clientTakes, Request: "x"}, packet.UDPSize)
	other := append([]byte(nil), hello...)
	other[1]++
	f.Add(hello)
	f.Add(other)
	f.Add(hello[:100])
	f.Add(packet.AppendHello(nil, packet.Hello{Client: 7, Cookie: make([]byte, cookieSize), Resume: make([]byte, packet.TokenSize)}, packet.UDPSize))
	f.Add(packet.AppendRetry(nil, 7, make([]byte, cookieSize)))
	f.Add(packet.AppendWelcome(nil, packet.Welcome{Client: 7}))
	f.Add(packet.AppendClose(nil, 7, true, packet.CodeDone, "bye"))
	f.Add([]byte{byte(packet.KindData), 0, 0, 0, 0, 0, 0, 0, 7, 0, 1, 1})
	socket := &sink{}
	l := New(Config{Plain: socket, Log: slog.New(slog.DiscardHandler)})
	from := netip.MustParseAddrPort("192.0.2.7:4711")
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := packet.ReadHello(b); err == nil && l.cookies.good(h.Cookie, from, time.Since(l.began)) {
			t.Skip("the fuzzer has forged an HMAC")
		}
		socket.written = 0
		l.plain.take(b, from)
		if socket.written > len(b) {
			t.Errorf("%d bytes are answered by %d", len(b), socket.written)
		}
		if c := l.Counts(); c.Paths != 0 || c.Open != 0 || len(l.plain.paths) != 0 {
			t.Errorf("something was opened: %+v", c)
		}
	})
}

// FuzzGreeting gives a client that has said Hello any answer: it does not fail at what it cannot read, and takes none but its own.
func FuzzGreeting(f *testing.F) {
	f.Add(packet.AppendRetry(nil, 7, make([]byte, cookieSize)))
	f.Add(packet.AppendWelcome(nil, packet.Welcome{Client: 7, Connection: 9}))
	f.Add(packet.AppendWelcome(nil, packet.Welcome{Client: 8}))
	f.Add(packet.AppendClose(nil, 7, true, packet.CodeRefused, "role"))
	f.Add([]byte{byte(packet.KindData), 1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		path, _ := newPipes()
		s := &speaker{path: path, hello: packet.Hello{Client: 7}}
		g := &greeting{}
		done, err := s.hear(b, g)
		if s.timer != nil {
			s.stop()
		}
		if done && g.Client != 7 {
			t.Errorf("it has taken a Welcome for %d", g.Client)
		}
		var said *packet.CloseError
		if err != nil && (!errors.As(err, &said) || b[0] != byte(packet.KindClose)) {
			t.Errorf("%x is answered by %v", b, err)
		}
	})
}

// BenchmarkStranger measures what a packet by plain UDP costs of which nobody knows who has sent it, without the system's part.
func BenchmarkStranger(b *testing.B) {
	l := New(Config{Plain: &sink{}, Log: slog.New(slog.DiscardHandler)})
	from := netip.MustParseAddrPort("192.0.2.7:4711")
	hello := packet.Hello{Client: 7, Takes: clientTakes, Request: "x"}
	forged := hello
	forged.Cookie = make([]byte, cookieSize)
	for _, c := range []struct {
		name  string
		bytes []byte
	}{
		{"nonsense", make([]byte, packet.UDPSize)},
		{"Data of nobody", append([]byte{byte(packet.KindData)}, make([]byte, 100)...)},
		{"Hello without a cookie", packet.AppendHello(nil, hello, packet.UDPSize)},
		{"Hello with a forged one", packet.AppendHello(nil, forged, packet.UDPSize)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.plain.take(c.bytes, from)
			}
		})
	}
}

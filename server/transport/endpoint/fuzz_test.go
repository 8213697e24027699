package endpoint

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"time"

	"holt/server/transport/connection"
)

// sink is a socket that keeps what is written.
type sink struct {
	net.PacketConn
	written int
}

func (s *sink) WriteTo(b []byte, _ net.Addr) (int, error) {
	s.written += len(b)
	return len(b), nil
}

func (s *sink) Close() error { return nil }

// FuzzStranger gives the server packets from unknown senders (D18). Whatever they are, they open
// nothing, and the answer is not longer than they are.
func FuzzStranger(f *testing.F) {
	hello := connection.AppendHello(nil, connection.Hello{Client: 7,
		Takes: connection.FromServer, Request: "x"}, connection.UDPSize)
	other := append([]byte(nil), hello...)
	other[1]++
	f.Add(hello)
	f.Add(other)
	f.Add(hello[:100])
	f.Add(connection.AppendHello(nil, connection.Hello{Client: 7, Cookie: make([]byte, cookieSize),
		Resume: make([]byte, connection.TokenSize)}, connection.UDPSize))
	f.Add(connection.AppendRetry(nil, 7, make([]byte, cookieSize)))
	f.Add(connection.AppendWelcome(nil, connection.Welcome{Client: 7}))
	f.Add(connection.AppendClose(nil, 7, true, connection.CodeDone, "bye"))
	f.Add([]byte{byte(connection.KindData), 0, 0, 0, 0, 0, 0, 0, 7, 0, 1, 1})
	socket := &sink{}
	l := New(Config{Plain: socket, Log: slog.New(slog.DiscardHandler)})
	from := netip.MustParseAddrPort("192.0.2.7:4711")
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := connection.ReadHello(b); err == nil &&
			l.cookies.good(h.Cookie, from, time.Since(l.began)) {
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

// FuzzGreeting gives any answer to a client that has sent Hello. It does not fail at what it cannot
// read, and accepts only an answer to its own Hello.
func FuzzGreeting(f *testing.F) {
	f.Add(connection.AppendRetry(nil, 7, make([]byte, cookieSize)))
	f.Add(connection.AppendWelcome(nil, connection.Welcome{Client: 7, Connection: 9}))
	f.Add(connection.AppendWelcome(nil, connection.Welcome{Client: 8}))
	f.Add(connection.AppendClose(nil, 7, true, connection.CodeRefused, "role"))
	f.Add([]byte{byte(connection.KindData), 1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		path, _ := newPipes()
		s := &helloSender{path: path, hello: connection.Hello{Client: 7}}
		g := &handshakeResult{}
		done, err := s.hear(b, g)
		if s.timer != nil {
			s.stop()
		}
		if done && g.Client != 7 {
			t.Errorf("it has accepted a Welcome for %d", g.Client)
		}
		var said *connection.CloseError
		if err != nil && (!errors.As(err, &said) || b[0] != byte(connection.KindClose)) {
			t.Errorf("%x is answered by %v", b, err)
		}
	})
}

// BenchmarkStranger measures the cost of a plain UDP packet from an unknown sender, without the
// operating system's part.
func BenchmarkStranger(b *testing.B) {
	l := New(Config{Plain: &sink{}, Log: slog.New(slog.DiscardHandler)})
	from := netip.MustParseAddrPort("192.0.2.7:4711")
	hello := connection.Hello{Client: 7, Takes: connection.FromServer, Request: "x"}
	forged := hello
	forged.Cookie = make([]byte, cookieSize)
	for _, c := range []struct {
		name  string
		bytes []byte
	}{
		{"nonsense", make([]byte, connection.UDPSize)},
		{"Data of nobody", append([]byte{byte(connection.KindData)}, make([]byte, 100)...)},
		{"Hello without a cookie", connection.AppendHello(nil, hello, connection.UDPSize)},
		{"Hello with a forged one", connection.AppendHello(nil, forged, connection.UDPSize)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.plain.take(c.bytes, from)
			}
		})
	}
}

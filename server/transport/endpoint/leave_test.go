package endpoint

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/quicvarint"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
)

// say ends a connection by Close.
func say(code connection.Code) func(g *guest) {
	return func(g *guest) { g.conn.Close(code, "") }
}

// endSession ends the session of a tab with a code, and no packet says Close. Browsers do that with
// code 0 when somebody leaves a page.
func endSession(code uint32) func(g *guest) {
	return func(g *guest) { pathOfGuest[*tab](g).end(code) }
}

// endStream ends the stream of a tab's session, which ends the session, too.
func endStream(g *guest) { _ = pathOfGuest[*tab](g).stream.Close() } // it is open

// endDeaf ends the session of a tab to which nothing could be sent for a moment.
func endDeaf(g *guest) {
	p := pathOfGuest[*tab](g)
	p.stream.CancelRead(quic.StreamErrorCode(http3.ErrCodeNoError))
	g.w.host.last(g.w).tell(1 << 20)
	g.w.pass(2 * latency)
	g.w.host.last(g.w).tell(1<<20 + 1)
	g.w.pass(latency)
	p.end(0)
}

// resetStream resets that stream.
func resetStream(g *guest) {
	pathOfGuest[*tab](g).stream.CancelWrite(quic.StreamErrorCode(http3.ErrCodeInternalError))
}

// endHTTP closes the QUIC connection below a session.
func endHTTP(code http3.ErrCode) func(g *guest) {
	return func(g *guest) {
		// it never fails
		_ = pathOfGuest[*tab](g).conn.CloseWithError(quic.ApplicationErrorCode(code), "")
	}
}

// endQUIC closes the connection of a native client, and no packet says Close.
func endQUIC(code connection.Code) func(g *guest) {
	return func(g *guest) {
		_ = pathOfGuest[*clientQUIC](g).conn.CloseWithError(quic.ApplicationErrorCode(code), "")
	}
}

// pathOfGuest returns the path of a guest.
func pathOfGuest[P path](g *guest) P {
	g.conn.mu.Lock()
	defer g.conn.mu.Unlock()
	p, ok := g.conn.path.(P)
	if !ok {
		panic("the guest has come another way")
	}
	return p
}

// cut lets nothing through any more, as when a process is killed or a line is cut: neither end gets
// an error.
func cut(g *guest) { g.w.road.losing(1, nil) }

func TestLeaving(t *testing.T) {
	for _, c := range []struct {
		what, by string
		end      func(g *guest)
		left     bool
		after    time.Duration // when the server knows it, plus or minus one latency
	}{
		{"a page is left, and the browser ends its session", "a tab", endSession(0), true, 0},
		{"a page is left, and the browser ends the stream of its session", "a tab",
			endStream, true, 0},
		{"a page is left whose browser sends nothing more before", "a tab", endDeaf,
			true, 3 * latency},
		{"a page says that it is left", "a tab", say(connection.CodeGoing), true, 0},
		{"a page is left, and only the code of its session arrives", "a tab",
			endSession(1001), true, 0},
		{"a page is closed for good", "a tab", say(connection.CodeDone), true, 0},
		{"a page goes back to a WebSocket", "a tab", say(connection.CodeSilent), false, 0},
		{"a page goes back to a WebSocket, and only the code of its session arrives", "a tab",
			endSession(4000), false, 0},
		{"a page breaks the protocol", "a tab", say(connection.CodeProtocol), false, 0},
		{"a session is ended alone", "a tab", endSession(uint32(codePath)), false, pathless},
		{"the stream of a session is broken off", "a tab", resetStream, false, pathless},
		{"a browser ends the connection below a session without a reason", "a tab",
			endHTTP(http3.ErrCodeNoError), false, pathless},
		{"a browser has a fault", "a tab", endHTTP(http3.ErrCodeInternalError), false, pathless},
		{"a browser is killed, or its line cut", "a tab", cut, false, pathless},
		{"a client says that it leaves", "QUIC", say(connection.CodeDone), true, 0},
		{"a client leaves, and only the end of its path arrives", "QUIC",
			endQUIC(connection.CodeGoing), true, 0},
		{"a client gives its line up", "QUIC", say(connection.CodeSilent), false, 0},
		{"a client ends its path alone", "QUIC", endQUIC(0), false, pathless},
		{"a client is killed, or its line cut", "QUIC", cut, false, pathless},
		{"a client says that it leaves", "plain UDP", say(connection.CodeDone), true, 0},
		{"a client that goes away says so", "plain UDP", say(connection.CodeGoing), true, 0},
		{"a client gives its line up", "plain UDP", say(connection.CodeSilent), false, 0},
		{"a client is killed, or its line cut", "plain UDP", cut, false, pathless},
	} {
		// Clauses: D29.19, D29.25
		name := "D29, S11 it is lost when "
		if c.left {
			// Clauses: D29.18, D29.23, D29.24
			name = "D29, S11 it has left when "
		}
		t.Run(name+c.what+", by "+c.by, func(t *testing.T) {
			inWorld(t, Bounds{}, func(w *world) {
				g := w.come(c.by)
				g.play(1, 3)
				start := time.Now()
				c.end(g)
				err := <-w.host.last(w).ended
				if errors.Is(err, stream.ErrLeft) != c.left || err == nil {
					w.Errorf("the stream has ended with %v", err)
				}
				if late := time.Since(start) - c.after; late < -connection.DefaultKeepalive ||
					late > 2*latency {
					w.Errorf("the server knows after %v", time.Since(start))
				}
				<-g.ended
				g.conn.Wait()
			})
		})
	}
	t.Run("D29, S11 a client that leaves at once after joining has left", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.come("a tab")
			endSession(0)(g)
			if err := <-w.host.last(w).ended; !errors.Is(err, stream.ErrLeft) {
				w.Errorf("the stream has ended with %v", err)
			}
			<-g.ended
			g.conn.Wait()
		})
	})
	// Clauses: D21.7, D29.20
	t.Run("D21.8, D29 ending a session with another path is harmless", func(t *testing.T) {
		inWorld(t, Bounds{}, func(w *world) {
			g := w.come("a tab")
			g.play(1, 3)
			p, err := w.dialer().path(w.Context(), w.target(QUIC))
			if err != nil {
				w.Fatal(err)
			}
			met, err := handshake(w.Context(), p,
				connection.Hello{Takes: connection.FromServer, Resume: g.conn.token[:]})
			if err != nil {
				w.Fatal(err)
			}
			if code := pathOfGuest[*tab](g).told(w.T); code != 1 {
				w.Errorf("the server ends the session alone by %d: 0 is what browsers say", code)
			}
			endSession(0)(g)
			g.conn.enter(p, met.early)
			g.play(4, 3)
			if told, _ := g.heard(); told != 6 {
				w.Errorf("got %d of 6", told)
			}
			g.leave()
		})
	})
}

// come opens a connection, or fails the test.
func (w *world) come(by string) *guest {
	w.Helper()
	switch by {
	case "QUIC":
		return w.dial(QUIC, "x")
	case "plain UDP":
		return w.dial(Plain, "x")
	}
	g := w.guest()
	p := w.tab()
	met, err := handshake(w.Context(), p, connection.Hello{Takes: connection.FromServer, Request: "x"})
	if err != nil {
		w.Fatal(err)
	}
	g.conn = newConn(connection.Config{
		Number: met.Connection, Path: pathOf(p), Takes: connection.FromServer,
		PeerLimits: met.Takes, Keepalive: connection.DefaultKeepalive,
	}, g.handlers())
	g.conn.token = met.Token
	g.conn.running.Go(g.conn.run)
	g.conn.enter(p, met.early)
	return g
}

// tab is a session of WebTransport whose end a test writes byte by byte. Its connection stays.
type tab struct {
	stream *http3.RequestStream
	conn   *quic.Conn
}

// These values start and end a session of WebTransport.
const (
	settingSessions                   = 0x2c7cf000
	capsuleClose    http3.CapsuleType = 0x2843
)

// tab opens a session of WebTransport.
func (w *world) tab() *tab {
	w.Helper()
	socket, err := w.dialer().Socket()
	if err != nil {
		w.Fatal(err)
	}
	transport, proof := &quic.Transport{Conn: socket}, pin("holt", w.hashes)
	// nothing is under way any more
	w.after = append(w.after, func() { _, _ = transport.Close(), socket.Close() })
	proof.NextProtos = []string{http3.NextProtoH3}
	conn, err := transport.Dial(w.Context(), net.UDPAddrFromAddrPort(quicAddress),
		proof, quicConfig())
	if err != nil {
		w.Fatal(err)
	}
	web := &http3.Transport{EnableDatagrams: true,
		AdditionalSettings: map[uint64]uint64{settingSessions: 1}}
	s, err := web.NewClientConn(conn).OpenRequestStream(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	at := &url.URL{Scheme: "https", Host: quicAddress.String(), Path: sessionURL}
	if err := s.SendRequestHeader(&http.Request{Method: http.MethodConnect,
		Proto: "webtransport-h3", Host: at.Host, URL: at, Header: http.Header{}}); err != nil {
		w.Fatal(err)
	}
	//nolint:bodyclose // it is the session
	if answer, err := s.ReadResponse(); err != nil || answer.StatusCode != http.StatusOK {
		w.Fatalf("answered by %v, %v", answer, err)
	}
	return &tab{stream: s, conn: conn}
}

func (p *tab) send(b []byte) error { return sent(p.stream.SendDatagram(b)) }

// until close
func (p *tab) receive() ([]byte, error) { return p.stream.ReceiveDatagram(context.Background()) }

func (p *tab) largest() int           { return largestOf(p.stream.SendDatagram, sessionHeader) }
func (p *tab) carries(uint64)         {}
func (p *tab) proves() bool           { return true }
func (p *tab) remote() netip.AddrPort { return addressOf(p.conn.RemoteAddr()) }

// close makes receive return. The test ends the session.
func (p *tab) close(connection.Code, string) {
	p.stream.CancelRead(quic.StreamErrorCode(http3.ErrCodeNoError))
}

// end ends the session with a code.
func (p *tab) end(code uint32) {
	// as below
	_ = http3.WriteCapsule(quicvarint.NewWriter(p.stream), capsuleClose,
		binary.BigEndian.AppendUint32(nil, code))
	// it is open
	_ = p.stream.Close()
}

// told waits for the code with which the server ends the session.
func (p *tab) told(t *testing.T) uint32 {
	t.Helper()
	kind, r, err := http3.NewCapsuleParser(p.stream).Next()
	code := make([]byte, 4)
	if err == nil && kind == capsuleClose {
		_, err = io.ReadFull(r, code)
	}
	if err != nil || kind != capsuleClose {
		t.Fatalf("a capsule %#x, %v", uint64(kind), err)
	}
	return binary.BigEndian.Uint32(code)
}

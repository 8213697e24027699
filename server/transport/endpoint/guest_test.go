package endpoint

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"

	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
	"holt/server/transport/framing"
)

// guest is a client of a world. It checks that the news of a piece comes in order, and once.
type guest struct {
	w     *world
	conn  *Conn
	ended chan *connection.CloseError // capacity 1

	mu sync.Mutex
	// Guarded by mu.
	joiner  framing.Joiner
	whole   bool
	last    map[uint32]uint64 // for each piece the number that it received last
	told    int
	version uint64
	prev    *depgraph.Handle // of the last message to the server
}

func (w *world) guest() *guest {
	return &guest{w: w, ended: make(chan *connection.CloseError, 1), last: map[uint32]uint64{}}
}

func (g *guest) handlers() Handlers {
	return Handlers{Execute: g.execute, Ended: func(err *connection.CloseError) { g.ended <- err }}
}

// execute executes a message.
func (g *guest) execute(m Message) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	frame, err := g.joiner.Message(m.Number, m.Bytes)
	if !m.Guaranteed {
		frame, err = g.joiner.Unguaranteed(m.Bytes)
	}
	if err != nil || frame == nil {
		return err
	}
	f, err := wire.DecodeFrame(frame)
	if err != nil {
		return err
	}
	g.version = max(g.version, f.GetMark())
	for _, e := range f.GetEvents() {
		g.whole = g.whole || e.GetFull() != nil
		if p := e.GetUpdate().GetPiece(); p != nil {
			if n := uint64(p.GetX()); n > g.last[p.GetId()] || n == 0 {
				g.last[p.GetId()] = n
			} else {
				g.w.Errorf("piece %d: got %d after %d", p.GetId(), n, g.last[p.GetId()])
			}
			g.told++
		}
	}
	return nil
}

// heard returns how many updates the guest has received, and the version up to which it knows
// everything.
func (g *guest) heard() (told int, version uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.told, g.version
}

// dial opens a connection, or fails the test.
func (w *world) dial(network, request string) *guest {
	w.Helper()
	g := w.guest()
	var err error
	if g.conn, err = w.dialer().Dial(w.Context(), w.target(network),
		request, g.handlers()); err != nil {
		w.Fatalf("dial by %s: %v", network, err)
	}
	return g
}

// ping asks the host to publish n.
func (g *guest) ping(n uint64) {
	g.w.Helper()
	msg, err := wire.EncodeUp(&holtpb.Up{Up: &holtpb.Up_Ping{Ping: &holtpb.Ping{Nonce: n}}})
	if err != nil {
		g.w.Fatal(err)
	}
	useErr := g.conn.Use(func(core *connection.Conn, now time.Duration) {
		next := new(depgraph.Handle)
		if err = core.Send(now, msg, []*depgraph.Handle{g.prev}, next); err == nil {
			g.prev = next
		}
	})
	if err != nil || useErr != nil {
		g.w.Errorf("ping %d: %v, %v", n, err, useErr)
	}
}

// play sends n pings, one every 10 ms, and waits until all answers should have come.
func (g *guest) play(first, n int) {
	g.w.Helper()
	for i := range n {
		g.ping(uint64(first + i))
		g.w.pass(10 * time.Millisecond)
	}
	g.w.pass(2 * time.Second)
}

// pass waits for d.
func (w *world) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// leave closes the connection gracefully.
func (g *guest) leave() {
	g.conn.Close(connection.CodeDone, "")
	g.conn.Wait()
}

// browse opens a connection as a browser does.
func (w *world) browse(request, origin string) (*guest, error) {
	g := w.guest()
	b := &browser{socket: w.dialer().Socket}
	w.after = append(w.after, b.close)
	var err error
	g.conn, err = b.open(w.Context(), quicAddress, request, origin, g.handlers())
	return g, err
}

// browser opens a session of WebTransport as a browser does.
type browser struct {
	socket    func() (net.PacketConn, error)
	sessions  *webtransport.Transport
	transport *quic.Transport
	conn      *quic.Conn
}

// open opens a session, and a connection over it.
func (b *browser) open(ctx context.Context, to netip.AddrPort,
	request, origin string, h Handlers) (*Conn, error) {
	b.sessions = &webtransport.Transport{
		// the test is not about certificates
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true,
			NextProtos: []string{http3.NextProtoH3}},
		QUICConfig: quicConfig(),
		DialAddr: func(ctx context.Context, _ string, t *tls.Config, c *quic.Config) (*quic.Conn, error) {
			socket, err := b.socket()
			if err != nil {
				return nil, err
			}
			b.transport = &quic.Transport{Conn: socket}
			b.conn, err = b.transport.Dial(ctx, net.UDPAddrFromAddrPort(to), t, c)
			return b.conn, err
		},
	}
	header := http.Header{}
	header.Set("Origin", origin)
	//nolint:bodyclose // it is the session
	_, session, err := b.sessions.Dial(ctx, "https://"+to.String()+sessionURL, header)
	if err != nil {
		return nil, err
	}
	p := &sessionPath{quicPath: quicPath{b.conn}, session: session}
	met, err := handshake(ctx, p, connection.Hello{Takes: connection.FromServer, Request: request})
	if err != nil {
		return nil, err
	}
	c := newConn(connection.Config{
		Number: met.Connection, Path: pathOf(p), Takes: connection.FromServer,
		PeerLimits: met.Takes, Keepalive: connection.DefaultKeepalive,
	}, h)
	c.running.Go(c.run)
	c.enter(p, met.early)
	return c, nil
}

// close ends what open has opened.
func (b *browser) close() {
	_ = b.sessions.Close()
	_ = b.transport.Close()
	_ = b.transport.Conn.Close()
}

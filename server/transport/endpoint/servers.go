package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/quic-go/quic-go"

	"holt/server/transport/connection"
)

// Connections between servers (O33) use QUIC on the same socket as those of clients, and have an
// ALPN of their own. Both ends prove themselves by TLS. Either may send as much as otherwise only a
// server may send (D14). These connections are not resumed on other paths: servers that have
// messages for each other open another connection.

// ServerProtocol is the ALPN of connections between servers (O33).
const ServerProtocol = "holt-peer/1"

// serverRequest is the request of such a connection (D17).
const serverRequest = "peer"

// betweenServers has the bounds of either end (D14): an envelope of 1 MiB with what surrounds it,
// and a few of them under way.
var betweenServers = connection.Limits{Message: 5 << 18, Window: 8 << 20}

// Servers takes the connections of other servers.
type Servers struct {
	// TLS proves this server and admits only servers that prove themselves. Its NextProtos has only
	// ServerProtocol.
	TLS *tls.Config
	// Open takes a connection from a server that has proved itself as state says. Nothing has been
	// executed yet. An error refuses the connection.
	Open func(state tls.ConnectionState, from netip.Addr, c *Conn) (Handlers, error)
}

// configFor returns the TLS configuration for a client that asks for ServerProtocol alone, and nil
// for others.
func (l *Listener) configFor(asks *tls.ClientHelloInfo) (*tls.Config, error) {
	if l.host.Servers == nil || len(asks.SupportedProtos) != 1 ||
		asks.SupportedProtos[0] != ServerProtocol {
		return nil, nil //nolint:nilnil // crypto/tls: nil is the configuration of all others
	}
	return l.host.Servers.TLS, nil
}

// serveServer does the handshake with a server on a path and processes what the server sends until
// the path ends. It is the goroutine of the path.
func (l *Listener) serveServer(q *quic.Conn) {
	p := &quicPath{conn: q}
	defer p.close(0, "")
	hello, err := firstHello(p)
	if errors.Is(err, connection.ErrVersion) {
		l.counts.refused.Add(1)
		l.refuse(p, hello.Client, &connection.CloseError{
			Code: connection.CodeVersion, Reason: versions,
		})
		return
	}
	if err != nil || hello.Request != serverRequest || len(hello.Resume) > 0 {
		p.close(connection.CodeProtocol, "not how servers meet")
		return
	}
	m, refused := l.admitServer(p, q.ConnectionState().TLS, hello.Takes)
	if refused != nil {
		l.counts.refused.Add(1)
		l.refuse(p, hello.Client, refused)
		return
	}
	answer := connection.AppendWelcome(nil, connection.Welcome{
		Client: hello.Client, Connection: m.number, Takes: betweenServers,
	})
	_ = p.send(answer) // what cannot be sent is lost; the server asks again
	if m.conn.attach(p, nil) {
		m.conn.read(p, func(b []byte) bool {
			return repeats(b, hello.Client) && p.send(answer) == nil
		})
	}
}

// admitServer makes the connection of a server, or returns why not.
func (l *Listener) admitServer(
	p path, state tls.ConnectionState, takes connection.Limits,
) (*connEntry, *connection.CloseError) {
	m := &connEntry{number: drawNumber()}
	h := &lateHandlers{}
	m.conn = newConn(connection.Config{
		Number: m.number, Path: pathOf(p), Takes: betweenServers, PeerLimits: takes,
		Keepalive: serverKeepalive,
	}, Handlers{
		Execute: func(m Message) error { return h.Execute(m) },
		Ended:   func(err *connection.CloseError) { l.leave(m); h.Ended(err) },
	})
	m.conn.stopWaiting = l.stopWaiting
	if !l.join(m) {
		return nil, &connection.CloseError{
			Code: connection.CodeGoing, Reason: "the server is stopping",
		}
	}
	var err error
	if h.Handlers, err = l.host.Servers.Open(state, p.remote().Addr(), m.conn); err != nil {
		l.leave(m)
		m.conn.abandon()
		return nil, &connection.CloseError{Code: connection.CodeRefused, Reason: "too many"}
	}
	l.conns.Go(m.conn.run)
	l.counts.opened.Add(1)
	return m, nil
}

// lateHandlers is set when the connection exists, before anything comes on it.
type lateHandlers struct{ Handlers }

// DialServer opens a connection to a server at address (host:port) that proves itself as proof
// demands. The NextProtos of proof has only ServerProtocol. It calls open before anything comes.
// When Wait returns, nothing is left of a connection that is over. An error that wraps a
// *connection.CloseError is the answer of the server.
func (d *Dialer) DialServer(
	ctx context.Context, address string, proof *tls.Config, open func(c *Conn) Handlers,
) (*Conn, error) {
	to, _, err := resolve(ctx, address)
	if err != nil {
		return nil, err
	}
	socket := d.Socket
	if socket == nil {
		socket = func() (net.PacketConn, error) {
			return new(net.ListenConfig).ListenPacket(ctx, "udp", ":0")
		}
	}
	s, err := socket()
	if err != nil {
		return nil, fmt.Errorf("open a socket: %w", err)
	}
	p, err := quicTo(ctx, s, to, proof)
	if err != nil {
		return nil, err
	}
	met, err := handshake(ctx, p, connection.Hello{Takes: betweenServers, Request: serverRequest})
	if err != nil {
		return nil, fmt.Errorf("open a connection to a server: %w", err)
	}
	h := &lateHandlers{}
	c := newConn(connection.Config{
		Number: met.Connection, Path: pathOf(p), Takes: betweenServers, PeerLimits: met.Takes,
		Keepalive: d.keepalive(),
	}, Handlers{
		Execute: func(m Message) error { return h.Execute(m) },
		Ended:   func(err *connection.CloseError) { h.Ended(err) },
	})
	h.Handlers = open(c)
	c.running.Go(c.run)
	c.enter(p, met.early)
	return c, nil
}

func (d *Dialer) keepalive() time.Duration {
	if d.Keepalive == 0 {
		return clientKeepalive
	}
	return d.Keepalive
}

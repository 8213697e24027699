package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"

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
		l.refuse(p, hello.Client, otherVersion)
		return
	}
	if err != nil || hello.Request != serverRequest || len(hello.Resume) > 0 {
		p.close(connection.CodeProtocol, "not how servers meet")
		return
	}
	m, refused := l.admit(
		p, betweenServers, hello.Takes,
		func(c *Conn) (Handlers, *connection.CloseError) {
			h, err := l.host.Servers.Open(q.ConnectionState().TLS, p.remote().Addr(), c)
			if err != nil {
				return h, &connection.CloseError{Code: connection.CodeRefused, Reason: "too many"}
			}
			return h, nil
		},
	)
	if refused != nil {
		l.refuse(p, hello.Client, refused)
		return
	}
	m.carry(p, nil, connection.Welcome{
		Client: hello.Client, Connection: m.number, Takes: betweenServers,
	})
}

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
	socket, err := d.socket(ctx)
	if err != nil {
		return nil, err
	}
	p, err := quicTo(ctx, socket, to, proof)
	if err != nil {
		return nil, err
	}
	met, err := handshake(ctx, p, connection.Hello{Takes: betweenServers, Request: serverRequest})
	if err != nil {
		return nil, fmt.Errorf("open a connection to a server: %w", err)
	}
	return connect(p, met, betweenServers, d.Keepalive, open), nil
}

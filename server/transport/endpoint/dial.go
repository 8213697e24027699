package endpoint

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/quic-go/quic-go"

	"holt/server/transport/connection"
)

// Networks of a Target.
const (
	QUIC  = "quic"
	Plain = "udp" // not encrypted
)

// Target says where to find a server (D30).
type Target struct {
	Network string // QUIC or Plain
	Address string // host:port
	// Hashes has the SHA-256 of the certificates that the server may have, in base64. If it is
	// empty the server needs a certificate that this machine trusts.
	Hashes []string
}

// Dialer opens connections to servers. The zero Dialer is ready for use.
type Dialer struct {
	// Keepalive is the time without sending after which something is sent (D29). 0 stands for 5 s.
	Keepalive time.Duration
	// Socket opens a socket. Nil stands for UDP at any port.
	Socket func() (net.PacketConn, error)
}

// Dial opens a connection for a request (D30). When Wait returns, nothing is left of a connection
// that is over. An error that wraps a *connection.CloseError is the answer of the server. Any other
// error says that there is no path to the server, or that ctx is done.
func (d *Dialer) Dial(ctx context.Context, to Target, request string, h Handlers) (*Conn, error) {
	w, err := d.Reach(ctx, to)
	if err != nil {
		return nil, err
	}
	return w.Open(ctx, request, h)
}

// OpenPath is a path to a server on which nothing was requested yet. Either of its methods ends it.
type OpenPath struct {
	// Set at construction.
	path      path
	network   string
	keepalive time.Duration
}

// Reach opens a path to a server. With QUIC, success shows that the server can be reached. With
// plain UDP it shows nothing.
func (d *Dialer) Reach(ctx context.Context, to Target) (*OpenPath, error) {
	p, err := d.path(ctx, to)
	if err != nil {
		return nil, err
	}
	return &OpenPath{path: p, network: to.Network, keepalive: d.Keepalive}, nil
}

// Open opens a connection as Dial does.
func (w *OpenPath) Open(ctx context.Context, request string, h Handlers) (*Conn, error) {
	met, err := handshake(ctx, w.path, connection.Hello{
		Takes: connection.FromServer, Request: request,
	})
	if err != nil {
		return nil, fmt.Errorf("open a connection by %s: %w", w.network, err)
	}
	open := func(*Conn) Handlers { return h }
	return connect(w.path, met, connection.FromServer, w.keepalive, open), nil
}

// connect makes the connection that a handshake on a path has opened. It calls open before anything
// comes.
func connect(
	p path, met *handshakeResult, takes connection.Limits, keepalive time.Duration,
	open func(c *Conn) Handlers,
) *Conn {
	c := newConn(connection.Config{
		Number: met.Connection, Path: pathOf(p), Takes: takes, PeerLimits: met.Takes,
		Keepalive: keepalive, RepeatOverdue: true,
	}, Handlers{})
	c.handlers, c.token = open(c), met.Token
	c.running.Go(c.run)
	c.enter(p, met.early)
	return c
}

// Close closes a path that is not needed.
func (w *OpenPath) Close() { w.path.close(connection.CodeDone, "") }

// Resume gives a connection that Dial has opened another path, whatever became of its present one
// (D21). After an error the connection is unchanged. If the error wraps a *connection.CloseError,
// there is nothing to resume.
func (d *Dialer) Resume(ctx context.Context, c *Conn, to Target) error {
	p, err := d.path(ctx, to)
	if err != nil {
		return err
	}
	c.mu.Lock()
	token := c.token
	c.mu.Unlock()
	met, err := handshake(ctx, p, connection.Hello{Takes: connection.FromServer, Resume: token[:]})
	if err == nil && (!met.Resumed || met.Connection != c.number) {
		err = errors.New("the server has resumed another connection")
		p.close(connection.CodeProtocol, err.Error())
	}
	if err != nil {
		return fmt.Errorf("resume a connection by %s: %w", to.Network, err)
	}
	c.mu.Lock()
	c.token = met.Token
	c.mu.Unlock()
	c.enter(p, met.early)
	return nil
}

// enter begins to use a path on which the packets early have come already.
func (c *Conn) enter(p path, early [][]byte) {
	if !c.attach(p, nil) {
		p.close(0, "")
		return
	}
	for _, b := range early {
		c.take(p, b)
	}
	c.running.Go(func() { c.read(p, isAnswer) })
}

// isAnswer reports whether a packet is an answer to a Hello: a repeated one, as the first was read.
func isAnswer(b []byte) bool {
	k, ok := connection.KindOf(b)
	return ok && (k == connection.KindWelcome || k == connection.KindRetry)
}

// path opens a path to a server.
func (d *Dialer) path(ctx context.Context, to Target) (path, error) {
	open := quicTo
	switch to.Network {
	case QUIC:
	case Plain:
		open = plainTo
	default:
		return nil, fmt.Errorf("no network is called %q", to.Network)
	}
	address, host, err := resolve(ctx, to.Address)
	if err != nil {
		return nil, err
	}
	socket, err := d.socket(ctx)
	if err != nil {
		return nil, err
	}
	return open(ctx, socket, address, pin(host, to.Hashes))
}

func (d *Dialer) socket(ctx context.Context) (c net.PacketConn, err error) {
	if d.Socket != nil {
		c, err = d.Socket()
	} else {
		c, err = new(net.ListenConfig).ListenPacket(ctx, "udp", ":0")
	}
	if err != nil {
		return nil, fmt.Errorf("open a socket: %w", err)
	}
	return c, nil
}

// resolve returns the address, preferably of IPv4, and the name of the host in it.
func resolve(ctx context.Context, address string) (netip.AddrPort, string, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return netip.AddrPort{}, "", fmt.Errorf("read an address: %w", err)
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return netip.AddrPort{}, "", fmt.Errorf("read a port: %w", err)
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.AddrPort{}, "", fmt.Errorf("find a server: %w", err)
	}
	best := found[0].Unmap()
	for _, a := range found {
		if a.Unmap().Is4() {
			best = a.Unmap()
			break
		}
	}
	return netip.AddrPortFrom(best, uint16(port)), host, nil
}

// errPin refuses a server whose certificate has none of the expected hashes.
var errPin = errors.New("the server's certificate is not the one that was announced")

// pin returns how a server has to prove itself: by the hash of its certificate if there are hashes,
// otherwise as usual on this machine.
func pin(host string, hashes []string) *tls.Config {
	c := &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{protocolName}, ServerName: host,
	}
	if len(hashes) == 0 {
		return c
	}
	c.InsecureSkipVerify = true // VerifyConnection verifies, by the hash
	c.VerifyConnection = func(s tls.ConnectionState) error {
		if len(s.PeerCertificates) == 0 ||
			!slices.Contains(hashes, hashOf(s.PeerCertificates[0].Raw)) {
			return errPin
		}
		return nil
	}
	return c
}

// quicTo opens a path by QUIC.
func quicTo(
	ctx context.Context, socket net.PacketConn, to netip.AddrPort, proof *tls.Config,
) (path, error) {
	hush()
	t := &quic.Transport{Conn: socket}
	conn, err := t.Dial(ctx, net.UDPAddrFromAddrPort(to), proof, quicConfig())
	if err != nil {
		return nil, errors.Join(
			fmt.Errorf("reach a server by QUIC: %w", err), t.Close(), socket.Close(),
		)
	}
	return &clientQUIC{quicPath{conn: conn}, t}, nil
}

// clientQUIC is a QUIC connection with a socket of its own.
type clientQUIC struct {
	quicPath
	transport *quic.Transport
}

// receive takes a stateless reset as a Close with 4005: the server has lost all that it knew, so
// there is nothing to resume (D21).
func (p *clientQUIC) receive() ([]byte, error) {
	b, err := p.quicPath.receive()
	var reset *quic.StatelessResetError
	if errors.As(err, &reset) {
		return nil, &connection.CloseError{
			Code: connection.CodeNoConnection, Reason: "the server has restarted", Remote: true,
		}
	}
	return b, err
}

func (p *clientQUIC) close(code connection.Code, reason string) {
	p.quicPath.close(code, reason)
	_, _ = p.transport.Close(), p.transport.Conn.Close() // nothing is under way any more
}

// plainTo opens a path by plain UDP.
func plainTo(
	_ context.Context, socket net.PacketConn, to netip.AddrPort, _ *tls.Config,
) (path, error) {
	return &clientPlain{
		plainPath: newPlainPath(newUDPSocket(socket), to), buf: make([]byte, plainRead),
	}, nil
}

// clientPlain is plain UDP with a socket of its own, which its reader reads.
type clientPlain struct {
	*plainPath
	buf []byte
}

func (p *clientPlain) receive() ([]byte, error) {
	for {
		n, from, err := p.socket.read(p.buf)
		select {
		case <-p.closed:
			return nil, net.ErrClosed
		default:
		}
		if err == nil && from == p.peer {
			return bytes.Clone(p.buf[:n]), nil
		}
	}
}

func (p *clientPlain) close(code connection.Code, reason string) {
	p.plainPath.close(code, reason)
	_ = p.socket.conn.Close() // nothing is under way any more
}

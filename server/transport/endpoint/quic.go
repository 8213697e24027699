package endpoint

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"

	"holt/server/transport/connection"
)

// protocolName is the ALPN of native clients (D30).
const protocolName = "holt-datagram/1"

// quicConfig returns the configuration of both ends. Streams carry nothing but a request for a
// session of WebTransport, so their windows are small.
func quicConfig() *quic.Config {
	return &quic.Config{
		HandshakeIdleTimeout:             4 * time.Second,
		MaxIdleTimeout:                   30 * time.Second, // D29 notices silence earlier
		InitialStreamReceiveWindow:       16 << 10,
		MaxStreamReceiveWindow:           16 << 10,
		InitialConnectionReceiveWindow:   32 << 10,
		MaxConnectionReceiveWindow:       32 << 10,
		MaxIncomingStreams:               4, // sessions, one after the other
		MaxIncomingUniStreams:            8, // HTTP/3 has three, and may try others
		EnableDatagrams:                  true,
		EnableStreamResetPartialDelivery: true, // WebTransport asks for it
	}
}

// hush stops the library from logging that the system gives sockets small buffers: what a table
// sends fits into them. Setenv fails for malformed names only.
var hush = sync.OnceFunc(func() { _ = os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true") })

// quicPath is a QUIC connection that is used for datagrams only.
type quicPath struct {
	conn *quic.Conn
}

func (p *quicPath) send(b []byte) error { return sent(p.conn.SendDatagram(b)) }

func (p *quicPath) receive() ([]byte, error) {
	b, err := p.conn.ReceiveDatagram(context.Background()) // until close
	return b, said(err)
}

func (p *quicPath) largest() int           { return largestOf(p.conn.SendDatagram, 0) }
func (p *quicPath) carries(uint64)         {}
func (p *quicPath) proves() bool           { return true }
func (p *quicPath) remote() netip.AddrPort { return addressOf(p.conn.RemoteAddr()) }

func (p *quicPath) close(code connection.Code, reason string) {
	_ = p.conn.CloseWithError(quic.ApplicationErrorCode(code), reason) // it never fails
}

// sessionPath is a session of WebTransport, and the only one of its QUIC connection.
type sessionPath struct {
	quicPath
	session *webtransport.Session
	once    sync.Once
}

// sessionHeader is the size in bytes of what HTTP/3 puts before each datagram of a session: its
// number, which is 0 for the first session of a connection. It is an upper bound.
const sessionHeader = 2

// sessionGrace is how long the capsule that ends a session, or the answer that refuses one, has to
// arrive before the QUIC connection is closed, too.
const sessionGrace = time.Second

func (p *sessionPath) send(b []byte) error { return sent(p.session.SendDatagram(b)) }

func (p *sessionPath) receive() ([]byte, error) {
	b, err := p.session.ReceiveDatagram(context.Background()) // until close
	if err == nil {
		return b, nil
	}
	// The library says only to a caller that waits for a stream why a session has ended.
	_, why := p.session.AcceptStream(p.session.Context())
	if isLeft(why, err) {
		return nil, &connection.CloseError{Code: connection.CodeGoing, Remote: true}
	}
	return nil, said(cmp.Or(why, err))
}

// isLeft reports whether a session has ended as browsers end the session of a page that is left:
// without a code, or by the end of its stream alone (D29.23).
func isLeft(session, stream error) bool {
	var ended *webtransport.SessionError
	if errors.As(session, &ended) {
		return ended.Remote && ended.ErrorCode == 0
	}
	return errors.Is(stream, io.EOF)
}

func (p *sessionPath) largest() int {
	return largestOf(p.session.SendDatagram, sessionHeader)
}

// codePath ends a session and not the connection (D21, D29.20): browsers send 0 for a page that is
// left.
const codePath webtransport.SessionErrorCode = 1

func (p *sessionPath) close(code connection.Code, reason string) {
	p.once.Do(func() {
		// It never fails.
		_ = p.session.CloseWithError(cmp.Or(webtransport.SessionErrorCode(code), codePath), reason)
		endSoon(p.conn)
	})
}

// endSoon closes a connection by HTTP/3 after sessionGrace.
func endSoon(c *quic.Conn) {
	// It never fails.
	time.AfterFunc(sessionGrace, func() {
		_ = c.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeNoError), "")
	})
}

// oversize is larger than any QUIC datagram. The error of sending it says how large one may be, and
// nothing is sent. Sessions of WebTransport copy it first.
var oversize = make([]byte, connection.MaxSize+1)

// largestOf returns how many bytes a packet may have now, if each datagram begins with header bytes
// that are not ours. It returns 0 when the path has ended.
func largestOf(send func([]byte) error, header int) int {
	var tooLarge *quic.DatagramTooLargeError
	if errors.As(send(oversize), &tooLarge) {
		return max(int(tooLarge.MaxDatagramPayloadSize)-header, 0)
	}
	return 0
}

// sent returns errTooLarge for a datagram that was too large, and other errors unchanged.
func sent(err error) error {
	var tooLarge *quic.DatagramTooLargeError
	if errors.As(err, &tooLarge) {
		return errTooLarge
	}
	return err
}

// said returns the end of a path as a *connection.CloseError if the other end has said why the
// connection ends (D29). Codes outside 1000 to 4999 are those of HTTP/3 and of browsers: then only
// the path has ended, and the error is returned unchanged.
func said(err error) error {
	var ofPath *quic.ApplicationError
	var ofSession *webtransport.SessionError
	var code uint64
	var reason string
	switch {
	case errors.As(err, &ofPath) && ofPath.Remote:
		code, reason = uint64(ofPath.ErrorCode), ofPath.ErrorMessage
	case errors.As(err, &ofSession) && ofSession.Remote:
		code, reason = uint64(ofSession.ErrorCode), ofSession.Message
	}
	if code < 1000 || code > 4999 {
		return err
	}
	return &connection.CloseError{Code: connection.Code(code), Reason: reason, Remote: true}
}

// addressOf returns a UDP address as a value.
func addressOf(a net.Addr) netip.AddrPort {
	u, ok := a.(*net.UDPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	p := u.AddrPort()
	return netip.AddrPortFrom(p.Addr().Unmap(), p.Port())
}

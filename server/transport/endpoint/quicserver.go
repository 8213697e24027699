package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/webtransport-go"
)

// quicServer accepts clients by QUIC: native ones, and browsers by WebTransport (D30).
type quicServer struct {
	// Set at construction.
	listener  *Listener
	transport *quic.Transport
	web       *webtransport.Server
	unproven  atomic.Int64 // handshakes of addresses that may be forged
	// Set by serve.
	clients *quic.Listener
}

// sessionURL is the path at which sessions of WebTransport are opened.
const sessionURL = "/datagrams"

// maxRequest bounds the header of a request for a session, in bytes.
const maxRequest = 8 << 10

func newQUICServer(l *Listener) *quicServer {
	hush()
	s := &quicServer{listener: l}
	s.transport = &quic.Transport{
		Conn: l.cfg.QUIC, ConnContext: s.knock, VerifySourceAddress: s.crowded,
	}
	routes := http.NewServeMux()
	routes.HandleFunc(http.MethodConnect+" "+sessionURL, s.session)
	s.web = &webtransport.Server{
		H3: &http3.Server{
			Handler: routes, MaxHeaderBytes: maxRequest, Logger: slog.New(slog.DiscardHandler),
			ConnContext: func(ctx context.Context, c *quic.Conn) context.Context {
				return context.WithValue(ctx, connKey{}, c)
			},
		},
		CheckOrigin: func(*http.Request) bool { return true }, // session has asked the host
	}
	return s
}

// serve lets clients come, in a goroutine.
func (s *quicServer) serve() error {
	var err error
	s.transport.StatelessResetKey = (*quic.StatelessResetKey)(s.listener.host.ResetKey)
	s.clients, err = s.transport.Listen(&tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{protocolName, http3.NextProtoH3},
		GetCertificate: s.listener.cfg.Certificates.forClient, SessionTicketsDisabled: true,
		GetConfigForClient: s.listener.configFor,
	}, quicConfig())
	if err != nil {
		return err
	}
	s.listener.loops.Go(s.accept)
	return nil
}

// accept serves every client in a goroutine of its own until close.
func (s *quicServer) accept() {
	for {
		c, err := s.clients.Accept(context.Background())
		if err != nil {
			return // close
		}
		if !s.admit(c) {
			s.listener.counts.dropped.Add(1)
			// It never fails.
			_ = c.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeExcessiveLoad), "")
			continue
		}
		s.listener.paths.Go(func() { s.client(c) })
	}
}

// client serves a client whose handshake is complete.
func (s *quicServer) client(c *quic.Conn) {
	switch c.ConnectionState().TLS.NegotiatedProtocol {
	case protocolName:
		s.listener.serve(&quicPath{conn: c})
		return
	case ServerProtocol:
		s.listener.serveServer(c)
		return
	}
	// It never fails.
	end := func() { _ = c.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeNoError), "") }
	defer end()
	if v, ok := c.Context().Value(visitorKey{}).(*visitor); ok {
		v.late = time.AfterFunc(helloTimeout, end)
		defer v.late.Stop()
	}
	_ = s.web.ServeQUICConn(c) // errors there are the client's
}

// session opens a session of WebTransport. The path outlives this call.
func (s *quicServer) session(w http.ResponseWriter, r *http.Request) {
	conn, ok := r.Context().Value(connKey{}).(*quic.Conn)
	if !ok || !s.listener.host.Origin(r) {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if v, ok := conn.Context().Value(visitorKey{}).(*visitor); ok && !v.late.Stop() {
		w.WriteHeader(http.StatusConflict) // too late, or the second session of its connection
		return
	}
	session, err := s.web.Upgrade(w, r)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		endSoon(conn) // the connection was admitted for this session only
		return
	}
	//nolint:contextcheck // the session outlives its request
	s.listener.paths.Go(func() {
		s.listener.serve(&sessionPath{quicPath: quicPath{conn}, session: session})
	})
}

// connKey finds the QUIC connection of a request.
type connKey struct{}

// visitorKey finds the visitor of a QUIC connection.
type visitorKey struct{}

// visitor is a client on its way in.
type visitor struct {
	entered bool        // counted by its address
	proven  func()      // call it when the address is proved or the client has gone
	late    *time.Timer // ends an HTTP/3 client that asks for no session
}

// errFull refuses a handshake.
var errFull = errors.New("too many from this address")

// crowded reports whether a client has to prove its address before anything is done for it (D18).
// That costs the client a round trip, and this server nothing.
func (s *quicServer) crowded(net.Addr) bool {
	return s.unproven.Load() >= int64(s.listener.admission.bounds.Unproven)
}

// knock counts a client whose handshake begins. While its address is not proved, the address is not
// charged: it may be somebody else's.
func (s *quicServer) knock(ctx context.Context, info *quic.ClientInfo) (context.Context, error) {
	v := &visitor{}
	if info.AddrVerified {
		if !s.enter(ctx, info.RemoteAddr) {
			s.listener.counts.dropped.Add(1)
			return nil, errFull
		}
		v.entered, v.proven = true, func() {}
	} else {
		s.unproven.Add(1)
		v.proven = sync.OnceFunc(func() { s.unproven.Add(-1) })
		context.AfterFunc(ctx, v.proven)
	}
	return context.WithValue(ctx, visitorKey{}, v), nil
}

// admit counts a client whose handshake is complete. It returns false if there are too many.
func (s *quicServer) admit(c *quic.Conn) bool {
	v, ok := c.Context().Value(visitorKey{}).(*visitor)
	if !ok {
		return false
	}
	v.proven()
	return v.entered || s.enter(c.Context(), c.RemoteAddr())
}

// enter counts an address until ctx is done. It returns false if there are too many.
func (s *quicServer) enter(ctx context.Context, from net.Addr) bool {
	a := addressOf(from).Addr()
	if !s.listener.admission.enter(a) {
		return false
	}
	context.AfterFunc(ctx, func() { s.listener.admission.leave(a) })
	return true
}

// close ends all connections, and so their paths.
func (s *quicServer) close() error {
	var err error
	if s.clients != nil {
		err = errors.Join(s.web.Close(), s.clients.Close())
	}
	return errors.Join(err, s.transport.Close(), s.transport.Conn.Close())
}

package web

import (
	"net"
	"net/http"
	"net/netip"
)

// Peers takes connections of other servers (*peer.Links).
type Peers interface {
	// ServeStream serves a stream of bytes until it ends, and closes it. Nothing is proved on it
	// yet. from is the address of the other end.
	ServeStream(stream net.Conn, from netip.Addr)
}

// apiPeer takes another server's connection by WebSocket (O33). The other server proves inside of
// it which one it is.
func (s *Server) apiPeer(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet {
		return &problem{Code: "method", Detail: "this address takes GET", Allow: http.MethodGet}
	}
	if err := checkHandshake(r); err != nil {
		return err
	}
	if r.Header.Get("Origin") != "" {
		return newProblem("origin", "this address is for servers, and not for pages")
	}
	if err := s.limits.servers.take(addressOf(r), 1); err != nil {
		return err
	}
	stream, err := acceptStream(w, r)
	if err != nil {
		return err
	}
	s.peers.ServeStream(stream, addressOf(r))
	return nil
}

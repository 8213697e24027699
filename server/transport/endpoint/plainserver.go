package endpoint

import (
	"errors"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"holt/server/transport/connection"
)

// plainServer accepts clients by plain UDP. One goroutine reads the socket. For a packet whose
// sender is not proved it does no more than an HMAC (D18).
type plainServer struct {
	// Set at construction.
	listener *Listener
	socket   udpSocket

	mu sync.Mutex
	// Guarded by mu.
	paths  map[plainKey]*plainPath
	closed bool
}

// plainKey finds the path of a packet: by the address that it came from, and by the number of the
// connection in Data and Close (D20), or the client's number in Hello (D17).
type plainKey struct {
	from   netip.AddrPort
	hello  bool
	number uint64
}

func newPlainServer(l *Listener) *plainServer {
	return &plainServer{
		listener: l, socket: newUDPSocket(l.cfg.Plain), paths: map[plainKey]*plainPath{},
	}
}

// serve reads packets until the socket is closed.
func (s *plainServer) serve() {
	buf := make([]byte, plainRead)
	for {
		n, from, err := s.socket.read(buf)
		if err != nil {
			if s.isClosed() {
				return
			}
			continue // it is about one packet of ours that nobody has taken
		}
		if !s.take(buf[:n], from) {
			s.listener.counts.dropped.Add(1)
		}
	}
}

func (s *plainServer) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// take passes a packet to its path. It returns false if nothing was done for the packet.
func (s *plainServer) take(b []byte, from netip.AddrPort) bool {
	if k, ok := connection.KindOf(b); ok && k == connection.KindHello {
		return s.hello(b, from)
	}
	number, ok := connection.NumberOf(b)
	if !ok {
		return false
	}
	p := s.path(plainKey{from: from, number: number})
	if p != nil {
		p.deliver(b)
	}
	return p != nil
}

// hello passes a Hello to the path that it has opened before. Otherwise it opens one if the Hello
// has a valid cookie, or answers with Retry (D18). It returns false if nothing was done for the
// packet.
func (s *plainServer) hello(b []byte, from netip.AddrPort) bool {
	h, err := connection.ReadHello(b)
	at := time.Since(s.listener.began)
	switch {
	case len(b) < connection.UDPSize:
		return false
	case errors.Is(err, connection.ErrVersion):
		s.listener.counts.refused.Add(1)
		s.answer(from, connection.AppendClose(
			nil, h.Client, true, otherVersion.Code, otherVersion.Reason,
		))
		return true
	case err != nil:
		return false
	}
	key := plainKey{from: from, hello: true, number: h.Client}
	if p := s.path(key); p != nil {
		p.deliver(b)
		return true
	}
	if !s.listener.cookies.good(h.Cookie, from, at) {
		s.listener.counts.retried.Add(1)
		s.answer(from, connection.AppendRetry(nil, h.Client, s.listener.cookies.bake(from, at)))
		return true
	}
	return s.open(key, b)
}

// answer sends a packet and keeps nothing. If the packet is lost, the client asks again.
func (s *plainServer) answer(to netip.AddrPort, b []byte) { _ = s.socket.write(b, to) }

// open makes a path for a client that has proved its address, and serves it. It returns false if
// there are too many.
func (s *plainServer) open(key plainKey, hello []byte) bool {
	if !s.listener.admission.enter(key.from.Addr()) {
		return false
	}
	p := newPlainPath(s.socket, key.from)
	p.named = func(number uint64) { s.add(plainKey{from: key.from, number: number}, p) }
	p.done = func() { s.remove(p) }
	if !s.add(key, p) {
		s.listener.admission.leave(key.from.Addr())
		return false
	}
	p.deliver(hello)
	s.listener.paths.Go(func() { s.listener.serve(p) })
	return true
}

// path returns the path of a key, or nil if there is none.
func (s *plainServer) path(key plainKey) *plainPath {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paths[key]
}

// add gives a path another key. It returns false if the server is closed or the path has ended.
func (s *plainServer) add(key plainKey, p *plainPath) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-p.closed: // remove has run, or will when mu is free
		return false
	default:
	}
	if s.closed {
		return false
	}
	s.paths[key] = p
	p.keys = append(p.keys, key)
	return true
}

// remove removes a path. It keeps keys that another path has taken over.
func (s *plainServer) remove(p *plainPath) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range p.keys {
		if s.paths[key] == p {
			delete(s.paths, key)
		}
	}
	s.listener.admission.leave(p.peer.Addr())
}

// close ends all paths and closes the socket.
func (s *plainServer) close() error {
	s.mu.Lock()
	s.closed = true
	left := slices.Collect(maps.Values(s.paths))
	s.mu.Unlock()
	for _, p := range left {
		p.close(0, "")
	}
	return s.socket.conn.Close()
}

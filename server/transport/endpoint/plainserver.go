package endpoint

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"holt/server/transport/connection"
)

// plainServer lets clients come by plain UDP. One goroutine reads the socket, and does for a packet of which nobody knows who has sent it
// no more than an HMAC (D18).
type plainServer struct {
	// Set at construction.
	listener *Listener
	socket   udpSocket

	mu sync.Mutex
	// Guarded by mu.
	paths  map[plainKey]*plainPath
	closed bool
}

// plainKey is by what packets find their path: where they come from, and the number of the connection in Data and Close (D20), or that
// of the client in Hello (D17).
type plainKey struct {
	from   netip.AddrPort
	hello  bool
	number uint64
}

func newPlainServer(l *Listener) *plainServer {
	return &plainServer{listener: l, socket: newUDPSocket(l.cfg.Plain), paths: map[plainKey]*plainPath{}}
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
			continue // of one packet: an answer to one of ours that nobody has taken
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

// take gives a packet to its path. It reports false if there is none, and nothing was done for it.
func (s *plainServer) take(b []byte, from netip.AddrPort) bool {
	if k, ok := connection.KindOf(b); ok && k == connection.KindHello {
		return s.hello(b, from)
	}
	number, ok := connection.ConnectionOf(b)
	if !ok {
		return false
	}
	p := s.path(plainKey{from: from, number: number})
	if p != nil {
		p.deliver(b)
	}
	return p != nil
}

// hello gives a Hello to the path that it has opened, or opens it, if the client has proved its address; else it says how to (D18).
func (s *plainServer) hello(b []byte, from netip.AddrPort) bool {
	h, err := connection.ReadHello(b)
	at := time.Since(s.listener.began)
	switch {
	case len(b) < connection.UDPSize:
		return false
	case errors.Is(err, connection.ErrVersion):
		s.listener.counts.refused.Add(1)
		s.answer(from, connection.AppendClose(nil, h.Client, true, connection.CodeVersion, versions))
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

// answer sends a packet for which nothing is remembered. If it cannot be sent it is lost, and asked for again.
func (s *plainServer) answer(to netip.AddrPort, b []byte) { _ = s.socket.write(b, to) }

// open makes a path for a client that has proved its address, and serves it. It reports false if there are too many.
func (s *plainServer) open(key plainKey, hello []byte) bool {
	if !s.listener.door.enter(key.from.Addr()) {
		return false
	}
	p := newPlainPath(s.socket, key.from)
	p.named = func(number uint64) { s.add(plainKey{from: key.from, number: number}, p) }
	p.done = func() { s.remove(p) }
	if !s.add(key, p) {
		s.listener.door.leave(key.from.Addr())
		return false
	}
	p.deliver(hello)
	s.listener.paths.Go(func() { s.listener.serve(p) })
	return true
}

// path returns the path of a key; nil if there is none.
func (s *plainServer) path(key plainKey) *plainPath {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paths[key]
}

// add gives a path another key. It reports false if nobody can come any more, or the path has ended.
func (s *plainServer) add(key plainKey, p *plainPath) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-p.closed: // remove has been, or will be when mu is free
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

// remove takes a path out. The keys that another one has by now are its.
func (s *plainServer) remove(p *plainPath) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range p.keys {
		if s.paths[key] == p {
			delete(s.paths, key)
		}
	}
	s.listener.door.leave(p.peer.Addr())
}

// close ends all paths and closes the socket.
func (s *plainServer) close() error {
	s.mu.Lock()
	s.closed = true
	var left []*plainPath
	for _, p := range s.paths {
		left = append(left, p)
	}
	s.mu.Unlock()
	for _, p := range left {
		p.close(0, "")
	}
	return s.socket.conn.Close()
}

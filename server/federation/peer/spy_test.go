package peer

import (
	"bytes"
	"net"
	"sync"
)

// spy is in the middle of a stream. It keeps what passes, and may change it.
type spy struct {
	net.Conn

	mu     sync.Mutex
	seen   []byte // in both directions
	said   []byte // what was written
	change bool
}

func (s *spy) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, b[:n]...)
	if s.change && n > 0 {
		b[n-1] ^= 1
	}
	return n, err
}

func (s *spy) Write(b []byte) (int, error) {
	s.mu.Lock()
	s.seen = append(s.seen, b...)
	s.said = append(s.said, b...)
	s.mu.Unlock()
	return s.Conn.Write(b)
}

func (s *spy) saw(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Contains(s.seen, []byte(text))
}

func (s *spy) total() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}

func (s *spy) written() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.said)
}

// spoil changes a bit of all that arrives from now on.
func (s *spy) spoil() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change = true
}

package endpoint

import (
	"net"
	"net/netip"
	"sync"

	"holt/server/transport/connection"
)

// Plain UDP: packets as they are, not encrypted, from whoever says so (D16). All paths of a server share a socket; a path is known by the
// other end's address, and by the number that the client drew for its Hello until it has that of a connection.

// Sizes on plain UDP.
const (
	plainLargest = connection.UDPSize // bytes of a packet (D28); a Hello has as many (D18)
	plainRead    = 1500               // bytes that are read of one: what is longer cannot be ours
	plainQueue   = 64                 // packets that wait for a path's reader; when it is full they are lost
	plainBuffer  = 1 << 20            // bytes of the socket's buffers, so that a burst of many paths is not lost
)

// udpSocket reads and writes packets with addresses as values: a *net.UDPConn does it without garbage.
type udpSocket struct {
	conn net.PacketConn
	fast *net.UDPConn // conn, if it is one
}

func newUDPSocket(conn net.PacketConn) udpSocket {
	fast, _ := conn.(*net.UDPConn)
	if fast != nil {
		_, _ = fast.SetReadBuffer(plainBuffer), fast.SetWriteBuffer(plainBuffer) // as much as the system lets us have
	}
	return udpSocket{conn, fast}
}

func (s udpSocket) read(b []byte) (int, netip.AddrPort, error) {
	if s.fast != nil {
		n, from, err := s.fast.ReadFromUDPAddrPort(b)
		return n, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), err
	}
	n, from, err := s.conn.ReadFrom(b)
	if err != nil {
		return n, netip.AddrPort{}, err
	}
	return n, addressOf(from), nil
}

func (s udpSocket) write(b []byte, to netip.AddrPort) error {
	if s.fast != nil {
		_, err := s.fast.WriteToUDPAddrPort(b, to)
		return err
	}
	_, err := s.conn.WriteTo(b, net.UDPAddrFromAddrPort(to))
	return err
}

// plainPath is plain UDP between a socket and an address.
type plainPath struct {
	// Set at construction.
	socket udpSocket
	peer   netip.AddrPort
	inbox  chan []byte         // of packets; when it is full they are lost
	closed chan struct{}       // closed by close
	named  func(number uint64) // called by carries; nil: nobody asks
	done   func()              // called once, by close; nil: nobody asks
	once   sync.Once

	keys []plainKey // guarded by plainServer.mu
}

func newPlainPath(s udpSocket, peer netip.AddrPort) *plainPath {
	return &plainPath{socket: s, peer: peer, inbox: make(chan []byte, plainQueue), closed: make(chan struct{})}
}

// deliver gives a copy of a packet to the path's reader, or loses it.
func (p *plainPath) deliver(b []byte) {
	if len(p.inbox) == cap(p.inbox) {
		return
	}
	select {
	case p.inbox <- append([]byte(nil), b...):
	default:
	}
}

// send never waits, and never ends the path: that a port is not there may be said by anybody, and what cannot be sent is lost.
func (p *plainPath) send(b []byte) error {
	select {
	case <-p.closed:
		return net.ErrClosed
	default:
		_ = p.socket.write(b, p.peer)
		return nil
	}
}

func (p *plainPath) receive() ([]byte, error) {
	select {
	case b := <-p.inbox:
		return b, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *plainPath) largest() int           { return plainLargest }
func (p *plainPath) proves() bool           { return false }
func (p *plainPath) remote() netip.AddrPort { return p.peer }

func (p *plainPath) carries(number uint64) {
	if p.named != nil {
		p.named(number)
	}
}

func (p *plainPath) close(connection.Code, string) {
	p.once.Do(func() {
		close(p.closed)
		if p.done != nil {
			p.done()
		}
	})
}

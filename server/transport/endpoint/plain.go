package endpoint

import (
	"bytes"
	"net"
	"net/netip"
	"sync"

	"holt/server/transport/connection"
)

// Plain UDP carries packets as they are: not encrypted, and without proof of who has sent them
// (D16). All paths of a server share a socket. A packet finds its path by the other end's address,
// together with the client's number of the Hello at first, and with the number of the connection
// later.

// Sizes on plain UDP.
const (
	plainLargest = connection.UDPSize // bytes of a packet (D28), and of a Hello (D18)
	plainRead    = 1500               // bytes that are read of one; ours are never longer
	// Packets that wait for a path's reader. When so many wait, further ones are lost.
	plainQueue = 64
	// Bytes of the socket's buffers, so that a burst of many paths is not lost.
	plainBuffer = 1 << 20
)

// udpSocket reads and writes packets with addresses as values. A *net.UDPConn does that without
// allocating.
type udpSocket struct {
	conn net.PacketConn
	fast *net.UDPConn // conn, if it is one
}

func newUDPSocket(conn net.PacketConn) udpSocket {
	fast, _ := conn.(*net.UDPConn)
	if fast != nil {
		// The system may give less.
		_, _ = fast.SetReadBuffer(plainBuffer), fast.SetWriteBuffer(plainBuffer)
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
	inbox  chan []byte         // of packets; when it is full further ones are lost
	closed chan struct{}       // closed by close
	named  func(number uint64) // called by carries, unless nil
	done   func()              // called once, by close, unless nil
	once   sync.Once

	keys []plainKey // guarded by plainServer.mu
}

func newPlainPath(s udpSocket, peer netip.AddrPort) *plainPath {
	return &plainPath{
		socket: s, peer: peer, inbox: make(chan []byte, plainQueue), closed: make(chan struct{}),
	}
}

// deliver gives a copy of a packet to the path's reader, or drops it if the inbox is full.
func (p *plainPath) deliver(b []byte) {
	if len(p.inbox) == cap(p.inbox) {
		return
	}
	select {
	case p.inbox <- bytes.Clone(b):
	default:
	}
}

// send never waits, and no error of the socket ends the path: anybody can forge the message that a
// port is closed. What cannot be sent is lost.
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

// Package endpoint carries packets (docs/protocol/datagram.md): it listens for QUIC, WebTransport and plain UDP, and dials them;
// opens connections, resumes them on other paths, and keeps strangers from costing anything. What is in a packet, when one is
// sent and when one is lost is the business of package packet; which message of a stream waits for which that of package lanes. This
// package has the clock, the sockets and the goroutines for both.
package endpoint

import (
	"errors"
	"net/netip"

	"holt/server/transport/connection"
)

// path carries packets between two endpoints, or loses them (D16). Its methods may be called from any goroutine, receive from one at a time.
type path interface {
	// send gives a packet to the network, and keeps nothing of it. It waits while the path is full, until that is closed. The error is
	// errTooLarge for a packet that is larger than largest, by now: the packet is lost. Any other is the end of the path.
	send(p []byte) error
	// receive waits for a packet. It belongs to the caller. The error is the end of the path, a *packet.CloseError if by it the
	// other end has said why (D29).
	receive() ([]byte, error)
	// largest returns how many bytes a packet may have now; 0 if the path has ended.
	largest() int
	// proves reports whether nobody else can send on this path (D16).
	proves() bool
	// carries says of which connection the packets are from now on: by plain UDP they are found by its number.
	carries(number uint64)
	// close ends the path; where it can it tells the other end why. send and receive return. The second and later calls do nothing.
	close(code connection.Code, reason string)
	// remote is where the other end is.
	remote() netip.AddrPort
}

// errTooLarge is what send returns of a packet for which the path has become too narrow (D28).
var errTooLarge = errors.New("the path does not take packets of this size any more")

// pathOf returns what a connection has to know of a path.
func pathOf(p path) connection.Path {
	return connection.Path{Largest: min(max(p.largest(), connection.MinSize), connection.MaxSize), UDP: !p.proves()}
}

// Package datagram carries packets (docs/protocol/datagram.md): it listens for QUIC, WebTransport and plain UDP, and dials them;
// opens connections, resumes them on other paths, and keeps strangers from costing anything. What is in a packet, when one is
// sent and when one is lost is the business of package packet; which message of a stream waits for which that of package lanes. This
// package has the clock, the sockets and the goroutines for both.
package datagram

import (
	"errors"
	"fmt"
	"net/netip"

	"holt/server/stream"
)

// path carries packets between two endpoints, or loses them (D16).
type path interface {
	// send gives a packet to the network. It waits while the path is full, until that is closed. The error is
	// errTooLarge for a packet that is larger than largest, by now: the packet is lost. Any other is the end of the path. One goroutine calls it.
	send(p []byte) error
	// receive waits for a packet. It belongs to the caller. The error is the end of the path, an *Ended if the
	// other side has said why. One goroutine calls it.
	receive() ([]byte, error)
	// largest returns how many bytes a packet may have now. The sender calls it.
	largest() int
	// proves reports whether nobody else can send on this path: then a packet that cannot be read is the other side's fault (D16).
	proves() bool
	// close ends the path; where it can it tells the other side why. send and receive return. The second and later calls do nothing.
	close(code stream.Code, reason string)
	// remote is where the other end is.
	remote() netip.AddrPort
}

// errTooLarge is what send returns of a packet for which the path has become too narrow (D28).
var errTooLarge = errors.New("the path does not take packets of this size any more")

// Ended is how a connection has ended: what one side has said to the other (D29).
type Ended struct {
	Code   stream.Code
	Reason string
	Remote bool // the other side has said it
}

func (e *Ended) Error() string {
	side := "closed"
	if e.Remote {
		side = "closed by the other side"
	}
	if e.Reason == "" {
		return fmt.Sprintf("%s with %d", side, e.Code)
	}
	return fmt.Sprintf("%s with %d: %s", side, e.Code, e.Reason)
}

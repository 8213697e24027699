// Package endpoint carries packets (docs/protocol/datagram.md). It listens for QUIC, WebTransport
// and plain UDP, and dials them. It opens connections, resumes them on other paths, and limits what
// strangers cost. It has the clock, the sockets and the goroutines.
//
// What is in a packet, when one is sent and when one is lost is decided by
// server/transport/connection. Which message of a stream waits for which is decided by
// server/transport/framing.
package endpoint

import (
	"errors"
	"net/netip"
	"time"

	"holt/server/transport/connection"
)

// path carries packets between two endpoints, or loses them (D16). Its methods may be called from
// any goroutine, but receive from one at a time only.
type path interface {
	// send gives a packet to the network, and keeps nothing of it. It waits while the path is full,
	// until the path is closed. The error is errTooLarge for a packet that has become larger than
	// largest: that packet is lost. Any other error is the end of the path.
	send(p []byte) error
	// receive waits for a packet. The packet belongs to the caller. The error is the end of the
	// path: a *connection.CloseError if the other end has said why (D29).
	receive() ([]byte, error)
	// largest returns how many bytes a packet may have now, or 0 if the path has ended.
	largest() int
	// proves reports whether nobody else can send on this path (D16).
	proves() bool
	// carries sets the connection to which the packets belong from now on. Plain UDP finds packets
	// by its number.
	carries(number uint64)
	// close ends the path. Where it can, it sends the other end the reason. send and receive
	// return. Further calls do nothing.
	close(code connection.Code, reason string)
	// remote returns the address of the other end.
	remote() netip.AddrPort
}

// closeAfter closes a path after a while, unless the timer is stopped.
func closeAfter(p path, d time.Duration) *time.Timer {
	return time.AfterFunc(d, func() { p.close(0, "") })
}

// errTooLarge is the error of send for a packet that is too large for the path by now (D28).
var errTooLarge = errors.New("the path does not take packets of this size any more")

// pathOf returns what a connection has to know of a path.
func pathOf(p path) connection.Path {
	return connection.Path{
		Largest: min(max(p.largest(), connection.MinSize), connection.MaxSize),
		UDP:     !p.proves(),
	}
}

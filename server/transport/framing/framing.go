// Package framing carries the stream of a table in messages that wait for each other only where
// they have to (docs/protocol/datagram.md, D31 to D35). A Splitter cuts the frames of one stream
// into messages and says which of them depend on which. A Joiner makes frames for a client out of
// messages that were executed, in whatever order, and says up to which version the client has
// everything. framing.js in static/js/parts/datagrams does what the Joiner does.
//
// The package reads of an event only which pieces it is about. It sends nothing, keeps nothing that
// has been executed, and has no clock.
package framing

import (
	"holt/server/transport/depgraph"
)

// MaxUnguaranteed is the greatest size of an unguaranteed message, in bytes, so that it fits into a
// packet (D34). A message with a single path may have more.
const MaxUnguaranteed = 1000

// maxMessages is into how many messages a frame is cut at most (D32).
const maxMessages = 256

// sent is a message that was cut off a frame, for later ones that may have to wait for it.
type sent struct {
	handle depgraph.Handle // filled when the connection has taken the message
	taken  bool
	order  uint64 // one more for each message
	isTip  bool   // no later message depends on it
}

// over reports whether nothing has to wait for the message any more.
func (s *sent) over() bool { return s == nil || s.handle.Executed() }

// Package framing carries the stream of a table over messages that wait for each other only where they have to
// (docs/protocol/datagram.md, D31 to D35). A Splitter cuts the frames of one stream into messages and says which of them have to be
// executed before which; a Joiner makes frames for a client out of messages that were executed, in whatever order they were, and says
// up to where the client has been told everything. static/js/lanes.js does what the Joiner does.
//
// It looks for what events are about and reads nothing else in them. It sends nothing, keeps nothing that has been executed, and knows no clock.
package framing

import (
	"holt/server/transport/depgraph"
)

// MaxLoose is how many bytes an unguaranteed message has at most, so that it fits into a packet (D34); it may have more if it has one
// path only.
const MaxLoose = 1000

// maxMessages is into how many messages a frame is cut at most (D32).
const maxMessages = 256

// sent is a message that has been cut off a frame, as far as later ones may have to wait for it.
type sent struct {
	handle depgraph.Handle // filled when the connection has taken it
	taken  bool
	order  uint64 // one more for each
	isTip  bool   // none that was cut off later depends on it
}

// over reports whether nothing has to wait for the message any more.
func (s *sent) over() bool { return s == nil || s.handle.Executed() }

package endpoint

import "holt/server/transport/connection"

// A path is measured again after measureAfter packets that were not small. An end that sends little
// gains nothing from larger packets.
const (
	measureAfter = 64
	smallPacket  = connection.MinSize
)

// sent counts a packet that a path has taken, and measures the path now and then: QUIC finds out
// while it is used how large packets may be (D28).
func (c *Conn) sent(p path, size int) {
	if size > smallPacket {
		c.large++
	}
	if c.large < measureAfter {
		return
	}
	c.large = 0
	largest := p.largest()
	if largest == 0 {
		return // the path has ended, and its reader says so
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path == p {
		c.core.Resize(largest)
	}
}

package endpoint

import "holt/server/transport/connection"

// Who sends little gains nothing by larger packets: a path is measured anew when so many have been sent that were not small.
const (
	measureAfter = 64
	smallPacket  = connection.MinSize
)

// sent counts a packet that a path has taken, and measures that now and then: QUIC finds out while it is used how much it takes (D28).
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
		return // it has ended, and its reader says so
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path == p {
		c.core.Resize(largest)
	}
}

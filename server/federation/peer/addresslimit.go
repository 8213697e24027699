package peer

import (
	"net/netip"
	"sync"
)

// maxOfAddress is how many connections of one address, an IPv4 address or an IPv6 /64, there may be
// at once that have not proved to be of a linked host (O45).
const maxOfAddress = 8

// addressLimit counts connections that belong to no link yet: maxContacts in all, and maxOfAddress
// of the address that they come from. It is safe for concurrent use.
type addressLimit struct {
	mu sync.Mutex
	// Guarded by mu.
	all int
	of  map[netip.Prefix]int
}

// enter counts a connection until leave is called. ok is false if there are too many. Connections
// from an unknown address count among all.
func (c *addressLimit) enter(from netip.Addr) (leave func(), ok bool) {
	from = from.Unmap().WithZone("")
	bits := from.BitLen()
	if from.Is6() {
		bits = 64
	}
	at, _ := from.Prefix(bits) // an unknown address has none
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= maxContacts || at.IsValid() && c.of[at] >= maxOfAddress {
		return nil, false
	}
	if c.of == nil {
		c.of = map[netip.Prefix]int{}
	}
	c.all++
	c.of[at]++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.of[at]--; c.of[at] == 0 {
			delete(c.of, at)
		}
	}), true
}

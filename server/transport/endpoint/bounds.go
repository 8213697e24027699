package endpoint

import (
	"cmp"
	"net/netip"
	"sync"

	"golang.org/x/time/rate"
)

// Bounds are what strangers may cost. The zero of a field takes its default. Addresses are counted as one customer each: an
// IPv4 address, or the /64 that an IPv6 customer gets.
type Bounds struct {
	Connections int // in all; 4,096. One by WebTransport is some 115 KB
	PerAddress  int // of an address; 512: a party behind one address, and its bots
	PerSecond   int // handshakes of an address; 20, and 10 seconds of that at once
	Unproven    int // QUIC handshakes at once of addresses that have not proved to be theirs; 64. Beyond that they have to, which costs them a round trip
}

// BoundsTimes returns the default bounds, with those of an address n times as wide: for a party, a school or a bench of which the server
// sees one address only. n is at least 1.
func BoundsTimes(n int) Bounds {
	b := Bounds{}.withDefaults()
	b.PerAddress *= n
	b.PerSecond *= n
	return b
}

func (b Bounds) withDefaults() Bounds {
	return Bounds{
		Connections: cmp.Or(b.Connections, 4096), PerAddress: cmp.Or(b.PerAddress, 512),
		PerSecond: cmp.Or(b.PerSecond, 20), Unproven: cmp.Or(b.Unproven, 64),
	}
}

// burstOf is how many seconds' worth of handshakes may come at once.
const burstOf = 10

// maxIdleAddresses is how many addresses without connections are remembered with their rates. One is some 200 bytes.
const maxIdleAddresses = 4096

// door counts who is in, and how fast they come. It is safe for concurrent use.
type door struct {
	// Set at construction.
	bounds Bounds

	mu sync.Mutex
	// Guarded by mu.
	in        int
	addresses map[netip.Addr]*address
}

// address is what is known of an address.
type address struct {
	in   int
	rate *rate.Limiter
}

func newDoor(b Bounds) *door {
	return &door{bounds: b.withDefaults(), addresses: map[netip.Addr]*address{}}
}

// customer returns what an address is counted as.
func customer(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// enter counts somebody in, or reports false: then they stay outside. Whoever is in leaves.
func (d *door) enter(from netip.Addr) bool {
	key := customer(from)
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.addresses[key]
	if a == nil {
		d.forget()
		a = &address{rate: rate.NewLimiter(rate.Limit(d.bounds.PerSecond), burstOf*d.bounds.PerSecond)}
		d.addresses[key] = a
	}
	if !a.rate.Allow() || a.in >= d.bounds.PerAddress || d.in >= d.bounds.Connections {
		return false
	}
	a.in++
	d.in++
	return true
}

// leave counts somebody out who has entered.
func (d *door) leave(from netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.in--
	if a := d.addresses[customer(from)]; a != nil {
		a.in--
	}
}

// forget makes room for another address: those that nobody has entered from go, when there are too many. The caller
// has mu.
func (d *door) forget() {
	if len(d.addresses) < d.bounds.Connections+maxIdleAddresses {
		return
	}
	for key, a := range d.addresses {
		if a.in == 0 {
			delete(d.addresses, key)
		}
	}
}

// inside returns how many are in.
func (d *door) inside() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.in
}

package endpoint

import (
	"cmp"
	"net/netip"
	"sync"

	"golang.org/x/time/rate"
)

// Bounds limits what strangers may cost (D18). The zero of a field stands for its default. One
// address is one IPv4 address, or one /64 of IPv6, which is what a customer of a provider gets.
type Bounds struct {
	// Connections is how many paths there may be in all; 4,096. One by WebTransport takes some 115
	// KB.
	Connections int
	// PerAddress is how many paths an address may have; 512: a party behind one address, and its
	// bots.
	PerAddress int
	// PerSecond is how many handshakes a second an address may begin; 20, and ten times as many at
	// once.
	PerSecond int
	// Unproven is how many QUIC handshakes may be under way of addresses that may be forged; 64.
	// Beyond that a client has to prove its address, which costs it a round trip.
	Unproven int
}

// BoundsTimes returns the default bounds, with those of one address n times as wide. It is for a
// party, a school or a bench, of which the server sees one address only. n is at least 1.
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

// maxIdleAddresses is how many addresses without paths are remembered with their rates. One takes
// some 200 bytes.
const maxIdleAddresses = 4096

// admission counts the paths of each address, and how fast they come. It is safe for concurrent
// use.
type admission struct {
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

func newAdmission(b Bounds) *admission {
	return &admission{bounds: b.withDefaults(), addresses: map[netip.Addr]*address{}}
}

// countedAddress returns the address under which a is counted.
func countedAddress(a netip.Addr) netip.Addr {
	a = a.Unmap()
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// enter counts a path of an address. It returns false if that would exceed a bound. Each successful
// call needs one call of leave.
func (d *admission) enter(from netip.Addr) bool {
	key := countedAddress(from)
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.addresses[key]
	if a == nil {
		d.forget()
		a = &address{
			rate: rate.NewLimiter(rate.Limit(d.bounds.PerSecond), burstOf*d.bounds.PerSecond),
		}
		d.addresses[key] = a
	}
	if !a.rate.Allow() || a.in >= d.bounds.PerAddress || d.in >= d.bounds.Connections {
		return false
	}
	a.in++
	d.in++
	return true
}

// leave undoes one successful enter.
func (d *admission) leave(from netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.in--
	if a := d.addresses[countedAddress(from)]; a != nil {
		a.in--
	}
}

// forget makes room for another address if there are too many: it removes those without paths. The
// caller holds mu.
func (d *admission) forget() {
	if len(d.addresses) < d.bounds.Connections+maxIdleAddresses {
		return
	}
	for key, a := range d.addresses {
		if a.in == 0 {
			delete(d.addresses, key)
		}
	}
}

// inside returns how many paths there are.
func (d *admission) inside() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.in
}

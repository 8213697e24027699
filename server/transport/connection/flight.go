package connection

import "time"

// maxFlying is how many packets may be under way; a flood of small ones waits for acknowledgements.
const maxFlying = 4096

// Packets for which there is room when few fly.
const (
	leastRing = 16
	idleRing  = 256
)

// fate is what has become of a packet that was sent:
//
//	passing ──acknowledged──▶ settled          (it asks for no acknowledgement: nobody misses it)
//	flying ──acknowledged──▶ settled
//	   └──lost──▶ lost ──acknowledged after all──▶ settled
//	   └──another path, too large for it──▶ given up ──acknowledged after all──▶ settled
type fate uint8

const (
	settled fate = iota
	passing
	flying
	lost
	givenUp
)

// sent is a packet that was sent.
type sent struct {
	number uint64
	at     time.Duration
	size   int
	fate   fate
	told   uint64 // all that had come with lower numbers was acknowledged in it
	units  []unit // what was guaranteed in it
}

// flight is the packets that were sent, as many as are of use.
type flight struct {
	ring  []sent // number n is at n modulo its length, a power of two, if it is still there
	first uint64 // all that fly have this number or a higher one
	next  uint64 // the number of the next packet
	count int    // of those that fly
	bytes int    // of those that fly
}

// full reports whether no packet that asks for an acknowledgement can be sent.
func (f *flight) full() bool { return f.next-f.first >= maxFlying }

// add takes the next packet, which is filled in by the caller, and returns it with its units empty.
func (f *flight) add() *sent {
	if f.count == 0 {
		f.first = f.next
		if len(f.ring) > idleRing {
			f.ring = nil // it was a burst
		}
	}
	if 2*(f.next-f.first) >= uint64(len(f.ring)) { // half of it is for those that come after all
		f.grow()
	}
	p := f.at(f.next)
	*p = sent{number: f.next, units: p.units[:0]}
	f.next++
	return p
}

// drop takes back what add did: the packet is not sent.
func (f *flight) drop() { f.next-- }

// launch says that the packet asks for an acknowledgement.
func (f *flight) launch(p *sent) {
	p.fate = flying
	f.count++
	f.bytes += p.size
}

// at returns where the packet of a number is, or another one. There is a ring.
func (f *flight) at(number uint64) *sent {
	return &f.ring[number&uint64(len(f.ring)-1)] //nolint:gosec // it is not empty
}

func (f *flight) grow() {
	old := *f
	f.ring = make([]sent, max(leastRing, 2*len(old.ring)))
	for n := f.next - min(f.next, uint64(len(old.ring))); n < f.next; n++ {
		if p := old.find(n); p != nil {
			*f.at(n) = *p
		}
	}
}

// find returns a packet that was sent, or nil if nothing is known of it any more.
func (f *flight) find(number uint64) *sent {
	if len(f.ring) == 0 {
		return nil
	}
	p := f.at(number)
	if p.number != number || number >= f.next {
		return nil
	}
	return p
}

// land says what has become of a packet that flies.
func (f *flight) land(p *sent, become fate) {
	p.fate = become
	f.count--
	f.bytes -= p.size
	if f.count == 0 {
		f.first = f.next
		return
	}
	for f.first < f.next {
		if q := f.find(f.first); q != nil && q.fate == flying {
			return
		}
		f.first++
	}
}

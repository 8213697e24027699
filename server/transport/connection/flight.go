package connection

import "time"

// maxFlying is how many packets that ask may be under way (D27). Beyond that, a flood of small
// packets waits for acknowledgements.
const maxFlying = 4096

// Sizes of the ring while few packets are under way, in packets.
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
	// what is in it was sent again, although it is flying still
	repeated bool
	told     uint64 // this packet acknowledged all that had come with lower numbers
	units    []unit // the guaranteed messages and fragments in it
}

// flight has the packets that were sent and about which something may still be needed.
type flight struct {
	ring  []sent // number n is at n modulo its length, a power of two, while it is kept
	first uint64 // all flying packets have this number or a higher one
	next  uint64 // the number of the next packet
	count int    // of flying packets
	bytes int    // of flying packets
}

// full reports whether no more packets that ask for an acknowledgement may be sent.
func (f *flight) full() bool { return f.next-f.first >= maxFlying }

// add takes the next number and returns its packet, with no units. The caller fills it in.
func (f *flight) add() *sent {
	if f.count == 0 {
		f.first = f.next
		if len(f.ring) > idleRing {
			// The ring was made for a burst.
			f.ring = nil
		}
	}
	// Half of the ring is for packets that are acknowledged after they counted as lost.
	if 2*(f.next-f.first) >= uint64(len(f.ring)) {
		f.grow()
	}
	p := f.at(f.next)
	*p = sent{number: f.next, units: p.units[:0]}
	f.next++
	return p
}

// drop undoes add: the packet is not sent.
func (f *flight) drop() { f.next-- }

// launch records that the packet was sent and asks for an acknowledgement.
func (f *flight) launch(p *sent) {
	p.fate = flying
	f.count++
	f.bytes += p.size
}

// at returns the place of a number, where there may be another packet. The ring is not empty.
func (f *flight) at(number uint64) *sent {
	return &f.ring[number&uint64(len(f.ring)-1)] //nolint:gosec // not empty
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

// land sets what has become of a flying packet.
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

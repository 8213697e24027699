package connection

import (
	"holt/server/heap"
	"holt/server/transport/depgraph"
)

// outbox has the guaranteed messages that are not acknowledged, and says which of them to send
// next. What was lost goes before what is new, and the lowest number goes first. So a message that
// is late already does not stay late for ever where much is lost.
type outbox struct {
	sender *depgraph.Sender

	ring    []message       // number n is at n modulo its length, a power of two
	base    uint64          // the lowest number that is kept: the floor of sender
	next    uint64          // the number of the next message
	fresh   uint64          // the lowest number of which not all was sent
	upTo    uint32          // how many bytes of fresh were sent
	retries heap.Heap[unit] // what was lost
	cost    int             // of messages that are not acknowledged (D14)
}

// message is a message that was handed over by Send and is not acknowledged.
type message struct {
	head   []byte // the header, as it is on the wire
	body   []byte
	size   uint32 // of body, which is dropped on acknowledgement
	cost   uint32
	copies int32 // flying packets with all of it in them, plus its places in again
	acked  bool
	blocks *blocks // that are acknowledged; nil if none was acknowledged separately
}

// Sizes of the ring while few messages are under way, in messages.
const (
	leastMessages = 16
	idleMessages  = 256
)

// add adds a message, with the header that sender gave it.
func (o *outbox) add(h depgraph.Header, body []byte) {
	o.settle()
	if o.next-o.base >= uint64(len(o.ring)) {
		old := *o
		o.ring = make([]message, max(leastMessages, 2*len(old.ring)))
		for n := o.base; n < o.next; n++ {
			*o.at(n) = *old.at(n)
		}
	}
	m := o.at(h.Number)
	cost := h.Cost(len(body))
	//nolint:gosec // the size was checked
	*m = message{
		head: depgraph.AppendHeader(m.head[:0], h),
		body: body,
		size: uint32(len(body)),
		cost: uint32(cost),
	}
	o.next = h.Number + 1
	o.cost += cost
}

// at returns the place of a message. The ring is not empty.
func (o *outbox) at(number uint64) *message {
	return &o.ring[number&uint64(len(o.ring)-1)] //nolint:gosec // not empty
}

// settle forgets what the sender's graph has forgotten.
func (o *outbox) settle() {
	for floor := o.sender.Floor(); o.base < floor; o.base++ {
		o.done(o.base)
	}
	if o.base == o.next && len(o.ring) > idleMessages {
		// The ring was made for a burst.
		o.ring = nil
	}
}

// done records that a message is acknowledged: its bytes are not needed any more.
func (o *outbox) done(number uint64) {
	if m := o.at(number); !m.acked {
		o.cost -= int(m.cost)
		m.acked, m.body, m.blocks = true, nil, nil
	}
}

// whole reports whether the unit is all of its message.
func (m *message) whole(u unit) bool { return u.from == 0 && u.to == m.size }

// settled reports whether the unit need not be sent again.
func (o *outbox) settled(u unit) bool {
	if u.number < o.base {
		return true
	}
	m := o.at(u.number)
	return m.acked || m.blocks != nil && m.blocks.has(u.from, u.to)
}

// acknowledge records that the unit has arrived.
func (o *outbox) acknowledge(u unit) error {
	if u.number < o.base {
		return nil
	}
	m := o.at(u.number)
	if m.acked {
		return nil
	}
	if !m.whole(u) {
		if m.blocks == nil {
			b := newBlocks(m.size)
			m.blocks = &b
		}
		if m.blocks.add(u.from, u.to); m.blocks.left > 0 {
			return nil
		}
	}
	o.done(u.number)
	return o.sender.Acknowledge(u.number)
}

// lose records that a packet with the unit in it is lost or given up. The unit is sent again,
// unless another flying packet has all of the message, too.
func (o *outbox) lose(u unit) {
	if u.number < o.base {
		return
	}
	m := o.at(u.number)
	if m.whole(u) {
		if m.copies--; m.copies > 0 {
			return
		}
	}
	if !o.settled(u) {
		o.repeat(u)
	}
}

// repeat puts the unit among those that are sent again.
func (o *outbox) repeat(u unit) {
	if m := o.at(u.number); m.whole(u) {
		m.copies++
	}
	o.retries.Push(u)
}

// waiting reports whether there is something to send.
func (o *outbox) waiting() bool {
	o.skip()
	return len(o.retries) > 0 || o.fresh < o.next
}

// skip drops units from what is sent again if they were acknowledged after all.
func (o *outbox) skip() {
	for len(o.retries) > 0 && o.settled(o.retries[0]) {
		o.retries.Pop()
	}
}

// fill appends units to a packet of at most limit bytes, and returns the packet and units with what
// was appended. An empty packet has room for capacity bytes.
func (o *outbox) fill(b []byte, limit, capacity int, units []unit) ([]byte, []unit) {
	for len(units) < maxRecords && o.waiting() {
		u, again := o.first()
		m := o.at(u.number)
		room := limit - len(b)
		if size := wholeSize(m.head, m.body); m.whole(u) && size <= capacity {
			if size > room {
				break // the message goes whole in the next packet
			}
			b = appendWhole(b, m.head, m.body)
		} else {
			all, end := m.whole(u), fragmentEnd(m.head, m.body, u.from, u.to, min(room, capacity))
			if end == u.from ||
				end < u.to && again && fragmentEnd(m.head, m.body, u.from, u.to, capacity) == u.to {
				// It goes into the next packet as it was. Otherwise it would be cut smaller and
				// smaller.
				break
			}
			u.to = end
			if b = appendFragment(b, m.head, m.body, u.from, u.to); all && again {
				// It is not whole any more.
				m.copies--
			}
		}
		o.took(u, again)
		units = append(units, u)
	}
	return b, units
}

// first returns what is sent next, and whether it was lost before.
func (o *outbox) first() (u unit, again bool) {
	if len(o.retries) > 0 {
		return o.retries[0], true
	}
	return unit{number: o.fresh, from: o.upTo, to: o.at(o.fresh).size}, false
}

// took removes the unit, or the beginning of one, from what is to be sent.
func (o *outbox) took(u unit, again bool) {
	m := o.at(u.number)
	if again {
		f := o.retries[0]
		if o.retries.Pop(); u.to < f.to {
			o.retries.Push(unit{number: f.number, from: u.to, to: f.to})
		}
		return
	}
	if m.whole(u) {
		m.copies++
	}
	if o.upTo = u.to; u.to == m.size {
		o.fresh, o.upTo = o.fresh+1, 0
	}
}

package connection

import "holt/server/transport/depgraph"

// outbox has the guaranteed messages that are not acknowledged, and says what of them is to be sent next: what was lost before
// what is new, and of that the lowest number first: so that what is late already is not late for ever where much is lost.
type outbox struct {
	sender *depgraph.Sender

	ring  []message // number n is at n modulo its length, a power of two
	base  uint64    // the lowest number that is kept: the floor of sender
	next  uint64    // the number of the next message
	fresh uint64    // the lowest number of which not all was sent
	upTo  uint32    // the bytes of it that were
	again units     // what was lost
	cost  int       // of messages that are not acknowledged (D14)
}

// message is one that was sent and is not acknowledged.
type message struct {
	head   []byte // the header, as it is on the wire
	body   []byte
	size   uint32 // of body, which goes when it is acknowledged
	cost   uint32
	copies int32 // packets that fly with all of it in them, and places of it in again
	acked  bool
	blocks *blocks // that are acknowledged; nil if it was not cut
}

// Messages for which there is room when few are under way.
const (
	leastMessages = 16
	idleMessages  = 256
)

// add takes a message, with the header that sender gave it.
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
	*m = message{head: depgraph.AppendHeader(m.head[:0], h), body: body, size: uint32(len(body)), cost: uint32(cost)} //nolint:gosec // it was measured
	o.next = h.Number + 1
	o.cost += cost
}

// at returns the place of a message. There is a ring.
func (o *outbox) at(number uint64) *message {
	return &o.ring[number&uint64(len(o.ring)-1)] //nolint:gosec // it is not empty
}

// settle forgets what the sender's graph has forgotten.
func (o *outbox) settle() {
	for floor := o.sender.Floor(); o.base < floor; o.base++ {
		o.done(o.base)
	}
	if o.base == o.next && len(o.ring) > idleMessages {
		o.ring = nil // it was a burst
	}
}

// done says that a message is acknowledged: nothing of it is needed any more.
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

// acknowledge says that the unit has arrived.
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

// lose says that a packet with the unit in it is lost, or is not to be waited for. It is sent again, unless it still flies in
// another one.
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

// repeat puts the unit among what is to be sent again.
func (o *outbox) repeat(u unit) {
	if m := o.at(u.number); m.whole(u) {
		m.copies++
	}
	o.again.push(u)
}

// waiting reports whether there is something to send.
func (o *outbox) waiting() bool {
	o.skip()
	return len(o.again) > 0 || o.fresh < o.next
}

// skip drops from what is to be sent again what has come after all.
func (o *outbox) skip() {
	for len(o.again) > 0 && o.settled(o.again[0]) {
		o.again.pop()
	}
}

// fill appends what is to be sent to a packet that may go up to limit, where an empty one has room for capacity bytes, and appends
// to units what it was.
func (o *outbox) fill(b []byte, limit, capacity int, units []unit) ([]byte, []unit) {
	for len(units) < maxRecords && o.waiting() {
		u, again := o.first()
		m := o.at(u.number)
		room := limit - len(b)
		if size := wholeSize(m.head, m.body); m.whole(u) && size <= capacity {
			if size > room {
				break // it goes whole in the next packet
			}
			b = appendWhole(b, m.head, m.body)
		} else {
			all, end := m.whole(u), fragmentEnd(m.head, m.body, u.from, u.to, min(room, capacity))
			if end == u.from || end < u.to && again && fragmentEnd(m.head, m.body, u.from, u.to, capacity) == u.to {
				break // as it was it goes into the next packet: or it would be cut smaller and smaller
			}
			u.to = end
			if b = appendFragment(b, m.head, m.body, u.from, u.to); all && again {
				m.copies-- // it is whole no longer
			}
		}
		o.took(u, again)
		units = append(units, u)
	}
	return b, units
}

// first returns what is to be sent next, and whether it was lost before.
func (o *outbox) first() (u unit, again bool) {
	if len(o.again) > 0 {
		return o.again[0], true
	}
	return unit{number: o.fresh, from: o.upTo, to: o.at(o.fresh).size}, false
}

// took takes the unit, or the beginning of one, off what is to be sent.
func (o *outbox) took(u unit, again bool) {
	m := o.at(u.number)
	if again {
		f := o.again[0]
		if o.again.pop(); u.to < f.to {
			o.again.push(unit{number: f.number, from: u.to, to: f.to})
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

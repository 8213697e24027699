package peer

import (
	"time"
)

// A session is what two server lives of two hosts send each other, over however many connections.
// Each message is received once: if a connection ends in the middle, what was under way on it is
// sent again on the next one. A host that begins a new server life does not know what it has
// received. Then the other host gives up what it sent and of which it does not know that it was
// received, and the machine's Up is called. This file has no clock and waits for nothing.

// Bounds of what waits to be sent to another host.
const (
	maxOutstanding = 2048             // messages that were not acknowledged, or not sent yet
	maxQueued      = 16 << 20         // bytes of them
	maxWaiting     = 10 * time.Second // of a message, while there is no connection
	ackEvery       = 64               // after this many received messages an ack is sent at once
)

// outbox is what waits to be sent to another host.
type outbox struct {
	// The server life to which messages were sent; zero before the first connection.
	to      life
	next    number // of the next message, less 1
	entries []entry
	// How many of the entries, from the first, were sent on the present connection.
	sent  int
	bytes int
}

// entry is a message that was not acknowledged.
type entry struct {
	number  number
	message Message
	at      time.Time // when it was put in
	tried   bool      // sent on some connection
	got     bool      // received, as a hello has said
}

// put adds a message. The error is ErrBusy if there are too many.
func (o *outbox) put(m Message, now time.Time) error {
	if len(o.entries) >= maxOutstanding || o.bytes+len(m.Bytes) > maxQueued {
		return ErrBusy
	}
	o.next++
	o.bytes += len(m.Bytes)
	o.entries = append(o.entries, entry{number: o.next, message: m, at: now})
	return nil
}

// first returns the lowest number that may still be sent.
func (o *outbox) first() number {
	if len(o.entries) > 0 {
		return o.entries[0].number
	}
	return o.next + 1
}

// expire gives up messages for which nobody waits any more. It is called while there is no
// connection. The sender knows from Down, or has waited as long as a request waits (O19).
func (o *outbox) expire(now time.Time) {
	n := 0
	for n < len(o.entries) && now.Sub(o.entries[n].at) >= maxWaiting {
		n++
	}
	o.drop(n)
}

// acknowledge drops the messages below floor: they have been received.
func (o *outbox) acknowledge(floor number) error {
	if floor > o.next+1 {
		return errValue
	}
	n := 0
	for n < len(o.entries) && o.entries[n].number < floor {
		n++
	}
	o.drop(n)
	return nil
}

// drop drops the first n entries.
func (o *outbox) drop(n int) {
	for i := range n {
		o.bytes -= len(o.entries[i].message.Bytes)
		o.entries[i] = entry{}
	}
	o.entries = o.entries[n:]
	o.sent = max(o.sent-n, 0)
	if len(o.entries) == 0 {
		o.entries = nil
	}
}

// begin continues over a new connection, by the hello of the other host.
func (o *outbox) begin(h *hello, self life) error {
	if o.to != h.Life && o.to != (life{}) {
		// Messages that were tried may have been received by a server life that is over. They are
		// the first entries.
		n := 0
		for n < len(o.entries) && o.entries[n].tried {
			n++
		}
		o.drop(n)
	}
	o.to, o.sent = h.Life, 0
	if h.Of != self {
		// The other host has received nothing of this server life.
		return nil
	}
	if err := o.acknowledge(h.Floor); err != nil {
		return err
	}
	for i := range o.entries {
		e := &o.entries[i]
		if e.number > h.Floor && bit(h.Above, e.number-h.Floor-1) {
			e.got = true
		}
	}
	return nil
}

// take returns the next message to send on the present connection. It returns false if there is
// none.
func (o *outbox) take() (envelope, bool) {
	for o.sent < len(o.entries) {
		e := &o.entries[o.sent]
		o.sent++
		if !e.got {
			e.tried = true
			return envelope{number: e.number, first: o.first(), Message: e.message}, true
		}
	}
	return envelope{}, false
}

// oldest returns since when the oldest message that was not acknowledged has waited. It returns
// false if there is none.
func (o *outbox) oldest() (time.Time, bool) {
	if len(o.entries) > 0 {
		return o.entries[0].at, true
	}
	return time.Time{}, false
}

// inbox is what was received from another host.
type inbox struct {
	of    life
	floor number // all below were received, or will never come
	above map[number]struct{}
	news  int // received since the last ack
}

// begin continues with a host that may have begun a new server life.
func (i *inbox) begin(h *hello) {
	if i.of != h.Life {
		*i = inbox{of: h.Life, floor: h.First, above: map[number]struct{}{}}
		return
	}
	i.raise(h.First)
}

// receive records a message. fresh is false if the message was received before. The error says that
// the number is too high.
func (i *inbox) receive(e *envelope) (fresh bool, err error) {
	i.raise(e.first)
	if e.number >= i.floor+2*maxOutstanding {
		return false, errValue
	}
	i.news++
	if _, there := i.above[e.number]; there || e.number < i.floor {
		return false, nil
	}
	i.above[e.number] = struct{}{}
	i.settle()
	return true, nil
}

// raise records that no message below first will come any more.
func (i *inbox) raise(first number) {
	if first <= i.floor {
		return
	}
	if first-i.floor > number(len(i.above)) {
		for n := range i.above {
			if n < first {
				delete(i.above, n)
			}
		}
	} else {
		for n := i.floor; n < first; n++ {
			delete(i.above, n)
		}
	}
	i.floor = first
	i.settle()
}

func (i *inbox) settle() {
	for {
		if _, there := i.above[i.floor]; !there {
			return
		}
		delete(i.above, i.floor)
		i.floor++
	}
}

// report returns the fields of a hello that say what was received.
func (i *inbox) report() (of life, floor number, above []byte) {
	for n := range i.above {
		at := n - i.floor - 1
		if at >= maxAbove*8 {
			// The message comes again, and is recognised.
			continue
		}
		for uint64(len(above)) <= uint64(at/8) {
			above = append(above, 0)
		}
		above[at/8] |= 1 << (at % 8)
	}
	return i.of, i.floor, above
}

// bit returns bit i.
func bit(b []byte, i number) bool { return uint64(i/8) < uint64(len(b)) && b[i/8]&(1<<(i%8)) != 0 }

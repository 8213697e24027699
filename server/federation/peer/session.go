package peer

import (
	"time"
)

// A session is what two lives of two hosts say to each other, over however many connections: each message is received once, although
// connections end in the middle and what was under way on one is sent again on the next. Who begins a new life has no memory of what
// it has received: then what was sent and is not known to have been received is given up, and the machines are told by Up. This file has no
// clock and waits for nothing.

// Bounds of what a host has for another one.
const (
	maxOutstanding = 2048     // messages that were not acknowledged, or not sent yet
	maxQueued      = 16 << 20 // bytes of them
	maxWaiting     = 10 * time.Second
	ackEvery       = 64 // messages received after which that is said at once
)

// outbox is what a host has to say to another one.
type outbox struct {
	to      life   // the life for which messages were sent; zero before the first connection
	next    number // of the next message, less 1
	entries []entry
	sent    int // so many of the entries, from the first, were sent on the connection of now
	bytes   int
}

// entry is a message that was not acknowledged.
type entry struct {
	number  number
	message Message
	at      time.Time // when it was put in
	tried   bool      // sent on some connection
	got     bool      // received, as the other one has said when a connection began
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

// first is the lowest number that may still be sent.
func (o *outbox) first() number {
	if len(o.entries) > 0 {
		return o.entries[0].number
	}
	return o.next + 1
}

// expire gives up what nobody waits for any more: for while there is no connection. Whoever has sent it was told by Down, or
// has waited for as long as a request waits (O19).
func (o *outbox) expire(now time.Time) {
	n := 0
	for n < len(o.entries) && now.Sub(o.entries[n].at) >= maxWaiting {
		n++
	}
	o.drop(n)
}

// acknowledge drops what has been received: all below floor.
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

// begin goes on over a new connection, by what the other host has said when it began.
func (o *outbox) begin(h *hello, self life) error {
	if o.to != h.Life && o.to != (life{}) {
		// What was tried may have been received by a life that is over. It is a beginning of entries.
		n := 0
		for n < len(o.entries) && o.entries[n].tried {
			n++
		}
		o.drop(n)
	}
	o.to, o.sent = h.Life, 0
	if h.Of != self {
		return nil // it knows of none of ours, so there is nothing it can have received
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

// take returns the next message to send on the connection of now; not ok if there is none.
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

// oldest returns since when the oldest message has waited that was not acknowledged; not ok if there is none.
func (o *outbox) oldest() (time.Time, bool) {
	if len(o.entries) > 0 {
		return o.entries[0].at, true
	}
	return time.Time{}, false
}

// inbox is what a host has received from another one.
type inbox struct {
	of    life
	floor number // all below have been received, or never will be
	above map[number]struct{}
	news  int // received since that was said
}

// begin goes on with a host that may have begun a new life.
func (i *inbox) begin(h *hello) {
	if i.of != h.Life {
		*i = inbox{of: h.Life, floor: h.First, above: map[number]struct{}{}}
		return
	}
	i.raise(h.First)
}

// receive notes a message. It reports false if it has been received before.
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

// raise notes that nothing below first will come any more.
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

// report returns what is said of it when a connection begins.
func (i *inbox) report() (of life, floor number, above []byte) {
	for n := range i.above {
		at := n - i.floor - 1
		if at >= maxAbove*8 {
			continue // it comes again, and is known
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

package connection

import (
	"slices"
	"time"

	"holt/server/transport/depgraph"
)

// unguaranteedAsks is the time without a packet that asks for an acknowledgement after which a
// packet with unguaranteed messages alone asks for one (D24).
const unguaranteedAsks = 100 * time.Millisecond

// Next appends the next packet that may be sent now, and returns false if there is none. Call it
// until it returns false, or until the path is full. Next may end the connection (see Err): by a
// timeout, or because all that Close waited for is sent.
func (c *Conn) Next(now time.Duration, to []byte) ([]byte, bool) {
	if c.err == nil {
		c.expire(now)
	}
	if c.err != nil {
		return c.appendClose(to)
	}
	records := c.waiting() && c.mayFly(now)
	ask := c.ask || now-c.spoke >= c.patience()
	if !records && !ask && !c.ackDue(now) {
		return to, false
	}
	return c.build(now, to, records, ask)
}

// Times of an end that has asked and was not answered (D29).
const (
	doubt     = 150 * time.Millisecond // the least before it asks again
	longDoubt = 2 * time.Second        // after so long without an answer it asks once a second
)

// patience returns the time without sending after which something is sent. An end that waits for an
// answer asks more often (D29).
func (c *Conn) patience() time.Duration {
	if !c.unanswered {
		return c.config.Keepalive
	}
	again := max(doubt, 2*c.rtt.smoothed)
	if c.spoke-c.askedSince >= longDoubt {
		again = time.Second
	}
	return min(c.config.Keepalive, again)
}

// waiting reports whether there are messages to send.
func (c *Conn) waiting() bool { return c.out.waiting() || len(c.unguaranteed.waiting) > 0 }

// mayFly reports whether a packet with messages may be sent (D27).
func (c *Conn) mayFly(now time.Duration) bool {
	if c.probe || c.flight.full() {
		return c.probe
	}
	return c.path.Free || c.flow.open(c.flight.bytes) && c.flow.slot <= now
}

// ackDue reports whether acknowledgements are due, if need be in a packet of their own (D24).
func (c *Conn) ackDue(now time.Duration) bool { return c.in.asking > 0 && c.in.due <= now }

// expire handles the timeouts that have passed.
func (c *Conn) expire(now time.Duration) {
	c.unguaranteed.expire(now)
	switch err := c.graph.Expire(depgraph.Instant(now)); {
	case err != nil:
		c.end(&CloseError{Code: codeOf(err), Reason: cut(err.Error())})
	case now-c.heard >= silentTimeout:
		c.end(&CloseError{Code: CodeSilent, Reason: "silent"})
	case c.closing != nil && (c.out.base == c.out.next || now >= c.closeBy):
		c.end(c.closing)
	}
	if c.lossAt != 0 && now >= c.lossAt {
		c.detect(now)
	}
	if c.flight.count > 0 && now >= c.probeAt() {
		c.sendProbes(now)
	}
}

// probeAt returns when probes are sent if nothing is acknowledged before (D26).
func (c *Conn) probeAt() time.Duration { return c.quiet + c.rtt.probeAfter(c.probes) }

// sendProbes sends again the two oldest messages or fragments that are under way. If there are
// none, nobody misses the packets that are under way, and they are given up.
func (c *Conn) sendProbes(now time.Duration) {
	c.probes++
	c.stats.Probes++
	c.quiet = now
	var oldest []unit
	for n := c.flight.first; n < c.flight.next && len(oldest) < 2; n++ {
		s := c.flight.find(n)
		if s == nil || s.fate != flying {
			continue
		}
		for _, u := range s.units {
			if len(oldest) < 2 && !slices.Contains(oldest, u) && !c.out.settled(u) {
				oldest = append(oldest, u)
			}
		}
	}
	if len(oldest) == 0 {
		c.giveUpAbove(0)
		return
	}
	for _, u := range oldest {
		c.out.repeat(u)
	}
	c.probe = true
}

// build appends a packet: with acknowledgements if something has asked for them, and with records
// if records is set. It appends nothing and returns false if there is nothing to send.
func (c *Conn) build(now time.Duration, to []byte, records, ask bool) ([]byte, bool) {
	start, limit := len(to), len(to)+c.path.Largest
	if c.flight.full() {
		// A full flight allows only probes and packets that ask. Each takes the place of the oldest
		// packet. So an end that asks for acknowledgements and gives none does not make this end
		// keep more and more, and neither end falls silent.
		c.giveUp(c.flight.find(c.flight.first))
	}
	s := c.flight.add()
	//nolint:gosec // the lower half is meant
	d := data{connection: c.config.Number, number: uint16(s.number), acks: c.in.asking > 0}
	if d.acks {
		d.ack = c.in.say(now, depgraph.Wrap(c.graph.Floor()))
		s.told = c.in.next
	}
	to = appendData(to, d, c.path.UDP)
	empty := len(to)
	if records {
		to = c.fill(to, limit, s)
	}
	filled := len(to) > empty
	if ask && len(s.units) == 0 && len(to) < limit {
		to = append(to, 2*recordAsk+1)
		to = c.pad(to, start)
	} else if c.probes > 0 && len(s.units) > 0 {
		to = c.pad(to, start)
	}
	if len(to) == empty && !c.ackDue(now) {
		c.flight.drop()
		return to[:start], false
	}
	asks := len(s.units) > 0 || len(to) > empty && (ask || now-c.asked >= unguaranteedAsks)
	if !asks {
		to[start] |= byte(flagQuiet)
	}
	c.launch(now, s, len(to)-start, asks, filled)
	if d.acks {
		c.in.said()
	}
	return to, true
}

// leastAsking is the least size, in bytes, of a packet on QUIC that asks whether the other end is
// there (D29).
const leastAsking = 24

// pad makes a packet on QUIC long enough to be answered if the connection is unknown, by records
// that ask (D29).
func (c *Conn) pad(to []byte, start int) []byte {
	for !c.path.UDP && len(to)-start < leastAsking {
		to = append(to, 2*recordAsk+1)
	}
	return to
}

// fill appends records. Guaranteed and unguaranteed messages go first by turns, so neither keeps
// the other out.
func (c *Conn) fill(to []byte, limit int, s *sent) []byte {
	c.turn = !c.turn
	if c.turn {
		to = c.unguaranteed.fill(to, limit, c.capacity(), c.sender.Floor())
	}
	to, s.units = c.out.fill(to, limit, c.capacity(), s.units)
	if !c.turn {
		to = c.unguaranteed.fill(to, limit, c.capacity(), c.sender.Floor())
	}
	return to
}

// launch records that a packet was sent.
func (c *Conn) launch(now time.Duration, s *sent, size int, asks, filled bool) {
	c.stats.Sent++
	c.spoke = now
	s.at, s.size = now, size
	if filled {
		s.fate = passing
		c.probe = false
		c.flow.sent(now, size, &c.rtt)
	}
	if !asks {
		return
	}
	c.asked, c.ask = now, false
	if !c.unanswered {
		c.unanswered, c.askedSince = true, now
	}
	if c.flight.count == 0 {
		c.quiet = now
	}
	c.flight.launch(s)
}

// Wake returns when to call Next again if nothing comes and nothing is sent. A time in the past
// means now. It returns false if the connection is over and there is no Close to send.
func (c *Conn) Wake() (at time.Duration, ok bool) {
	if c.err != nil {
		return 0, c.closeDue
	}
	if c.ask {
		return c.spoke, true
	}
	at = min(c.heard+silentTimeout, c.spoke+c.patience())
	if c.in.asking > 0 {
		at = min(at, c.in.due)
	}
	if c.flight.count > 0 {
		at = min(at, c.probeAt())
	}
	if c.lossAt != 0 {
		at = min(at, c.lossAt)
	}
	if deadline, ok := c.graph.Deadline(); ok {
		at = min(at, time.Duration(deadline))
	}
	if c.closing != nil {
		at = min(at, c.closeBy)
	}
	if c.waiting() {
		switch {
		case c.probe:
			at = c.spoke
		// It waits until something is acknowledged.
		case c.flight.full():
		case c.path.Free:
			at = c.spoke
		case c.flight.bytes < c.flow.window:
			at = min(at, c.flow.slot)
		}
	}
	return at, true
}

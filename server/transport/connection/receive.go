package connection

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"holt/server/transport/depgraph"
)

// Receive processes a packet that came on the path, and executes what it can. It keeps nothing of
// p. An error is always a *CloseError and means that the connection is over: from then on Err
// returns it, and Next returns the Close to send, if there is one.
func (c *Conn) Receive(now time.Duration, p []byte) error {
	kind, ok := KindOf(p)
	switch {
	case c.err != nil:
		c.answer(kind)
		return c.err
	case !ok:
		return c.unreadable(errKind)
	case kind == KindData:
		return c.receive(now, p)
	case kind == KindClose:
		return c.receiveClose(p)
	}
	// A packet of the handshake that came late.
	c.stats.Dropped++
	return nil
}

// unreadable handles a packet that cannot be read (D16): it is dropped on UDP, and ends the
// connection on other paths.
func (c *Conn) unreadable(err error) error {
	c.stats.Dropped++
	if c.path.UDP {
		return nil
	}
	return c.fail(CodeProtocol, err)
}

func (c *Conn) receive(now time.Duration, p []byte) error {
	d, rest, err := readData(p, c.path.UDP)
	if err != nil {
		return c.unreadable(err)
	}
	number, ok := c.in.number(d.number)
	if !ok || c.path.UDP && d.connection != c.config.Number {
		c.stats.Dropped++
		return nil
	}
	defer c.reader.wipe()
	records, err := c.reader.read(rest, c.graph.Floor())
	if err != nil {
		return c.unreadable(err)
	}
	c.in.take(now, number, !d.quiet, c.flight.next)
	c.heard, c.unanswered = now, false
	c.stats.Received++
	if d.acks && number >= c.ackedBy {
		c.ackedBy = number + 1
		if err := c.acknowledged(now, d.ack); err != nil {
			return c.fail(CodeProtocol, err)
		}
	}
	for i := range records {
		if err := c.enter(now, &records[i]); err != nil {
			return c.fail(codeOf(err), err)
		}
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// codeOf returns the close code for an error of the graph.
func codeOf(err error) Code {
	switch {
	case errors.Is(err, depgraph.ErrBounds):
		return CodeTooLarge
	case errors.Is(err, depgraph.ErrExpired):
		return CodeSilent
	}
	return CodeProtocol
}

func (c *Conn) execute(number uint64, msg []byte) { c.config.Execute(number, msg) }

func (c *Conn) executeUnguaranteed(key uint64, msg []byte) {
	c.config.Unguaranteed(uint32(key), msg) //nolint:gosec // it was a uint32
}

// enter enters a record into the graph.
func (c *Conn) enter(now time.Duration, r *record) error {
	switch {
	case r.kind == recordUnguaranteed || r.kind == recordUnguaranteedDep:
		data := r.data
		if c.waits(r.deps) {
			data = copyOf(data)
		}
		return c.graph.AddUnguaranteed(depgraph.Instant(now), uint64(r.key), r.deps, data)
	case c.graph.Arrived(r.header.Number):
		return nil
	case r.kind == recordFragment:
		return c.enterFragment(now, r)
	case uint64(len(r.data)) > uint64(c.config.Takes.Message):
		return errMessage
	}
	c.parts.drop(r.header.Number)
	if !c.waits(r.header.Deps) {
		return c.add(now, r.header, r.data)
	}
	if c.crowded(r.header, len(r.data)) {
		return errWindow
	}
	return c.add(now, r.header, copyOf(r.data))
}

// add enters a message into the graph, which keeps msg if the message has to wait.
func (c *Conn) add(now time.Duration, h depgraph.Header, msg []byte) error {
	return c.graph.Add(depgraph.Instant(now), h, len(msg), msg)
}

// copyOf returns a copy with no spare capacity. Many messages may wait, and a slice of a packet
// would keep the whole packet in memory.
func copyOf(data []byte) []byte { return append(make([]byte, 0, len(data)), data...) }

var (
	errMessage = fmt.Errorf("%w: a message is too large", depgraph.ErrBounds)
	errWindow  = fmt.Errorf("%w: too much waits", depgraph.ErrBounds)
)

// crowded reports whether there is no room for another message of size bytes that waits or is
// unfinished (D14).
func (c *Conn) crowded(h depgraph.Header, size int) bool {
	//nolint:gosec // none is negative
	return uint64(c.graph.Waiting()+c.parts.cost+h.Cost(size)) > uint64(c.config.Takes.Window)
}

// waits reports whether a message that depends on deps has to wait.
func (c *Conn) waits(deps []uint64) bool {
	return slices.ContainsFunc(deps, func(d uint64) bool { return !c.graph.Executed(d) })
}

func (c *Conn) enterFragment(now time.Duration, r *record) error {
	if r.size > c.config.Takes.Message {
		return errMessage
	}
	if !c.parts.has(r.header.Number) && c.crowded(r.header, int(r.size)) {
		return errWindow
	}
	switch body, fresh, err := c.parts.add(r); {
	case err != nil:
		return err
	case body != nil:
		// Another fragment may have had a header with fewer dependencies.
		if c.waits(r.header.Deps) && c.crowded(r.header, len(body)) {
			return errWindow
		}
		return c.add(now, r.header, body)
	case fresh:
		return c.graph.Part(depgraph.Instant(now), r.header.Number)
	}
	return nil
}

var errUnsent = fmt.Errorf("%w: an acknowledgement of what was never sent", depgraph.ErrProtocol)

// acknowledged processes what the other end says it has received (D22). a comes from the highest
// packet so far that has acknowledgements.
func (c *Conn) acknowledged(now time.Duration, a ack) error {
	latest, floor, ok := c.unwrap(a)
	if !ok {
		return errUnsent
	}
	progress := floor > c.sender.Floor()
	if err := c.sender.AcknowledgeBelow(floor); err != nil {
		return err
	}
	c.out.settle()
	if s := c.flight.find(latest); s != nil && s.fate != settled && latest >= c.began {
		c.rtt.measure(now-s.at, time.Duration(a.delay)*tick)
		c.flow.measured(now, &c.rtt)
	}
	for b := a.bits; b != 0; {
		i := bits.Len64(b) - 1
		b &^= 1 << i
		if c.landed(now, latest-1-uint64(i), latest) { //nolint:gosec // below 64
			progress = true
		}
	}
	progress = c.landed(now, latest, latest) || progress
	c.out.settle()
	c.acked = max(c.acked, latest+1)
	if progress {
		c.probes, c.quiet = 0, now
	}
	c.detect(now)
	c.flow.turn(latest, c.flight.next, &c.rtt)
	return nil
}

// unwrap returns the packet number and the floor of an acknowledgement, and false if it covers
// something that was never sent.
func (c *Conn) unwrap(a ack) (latest, floor uint64, ok bool) {
	back := uint64(uint16(c.flight.next-1) - a.latest) //nolint:gosec // the lower half is meant
	if back >= c.flight.next {
		return 0, 0, false
	}
	latest = c.flight.next - 1 - back
	if latest+1 < c.acked || uint64(bits.Len64(a.bits)) > latest { //nolint:gosec // at most 64
		return 0, 0, false
	}
	base := c.sender.Floor()
	floor = base + uint64((a.floor-depgraph.Wrap(base))&0x7fff)
	return latest, floor, floor <= c.out.fresh
}

// landed processes the acknowledgement of one packet, and so of all that was in it. It reports
// whether that is news.
func (c *Conn) landed(now time.Duration, number, latest uint64) bool {
	s := c.flight.find(number)
	if s == nil {
		return false
	}
	was := s.fate
	switch was {
	case settled:
		return false
	case passing:
		s.fate = settled
		return false
	case flying:
		c.flight.land(s, settled)
		c.flow.acknowledged(s.size)
	case lost:
		if number >= c.began {
			c.found(now, s, latest)
		}
		s.fate = settled
	case givenUp:
		s.fate = settled
	}
	c.in.known(number, s.told)
	for _, u := range s.units {
		// The unit was sent, so the message exists.
		_ = c.out.acknowledge(u)
	}
	return true
}

// found adapts to a packet that counted as lost and is acknowledged after all (D26).
func (c *Conn) found(now time.Duration, s *sent, latest uint64) {
	c.stats.Spurious++
	c.flow.found()
	c.distance = min(max(c.distance, latest-s.number+1), mostDistance)
	c.slack = max(c.slack, min(now-s.at-c.rtt.smoothed, c.rtt.smoothed))
}

// detect finds lost packets: enough later ones, or one later for long enough, were acknowledged
// (D26).
func (c *Conn) detect(now time.Duration) {
	c.lossAt = 0
	late := c.rtt.late(c.slack)
	for n := c.flight.first; n+1 < c.acked && c.flight.count > 0; n++ {
		s := c.flight.find(n)
		if s == nil || s.fate != flying {
			continue
		}
		if c.acked-1-n < c.distance && now-s.at < late {
			if at := s.at + late; c.lossAt == 0 || at < c.lossAt {
				c.lossAt = at
			}
			continue
		}
		c.count(s)
	}
	if c.config.RepeatOverdue && c.rtt.smoothed > 0 && c.flight.bytes <= littleUnderWay {
		c.repeatOverdue(now)
	}
}

// littleUnderWay is how many bytes may be under way while what is overdue is sent again (D26.12).
// Where there is more, later packets are acknowledged soon, and a receiver that is only slow would
// get everything twice.
const littleUnderWay = 8192

// repeatOverdue sends again what is in packets that are overdue although none sent later was
// acknowledged (D26): where packets are rare, that takes long. These packets do not count as lost.
// While nothing at all is acknowledged, probes look after them.
func (c *Conn) repeatOverdue(now time.Duration) {
	due := c.rtt.probeAfter(0)
	for n := max(c.flight.first, max(c.acked, 1)-1); n < c.flight.next && c.flight.count > 0; n++ {
		s := c.flight.find(n)
		if s == nil || s.fate != flying || s.repeated {
			continue
		}
		if now-s.at < due {
			if at := s.at + due; at < c.probeAt() && (c.lossAt == 0 || at < c.lossAt) {
				c.lossAt = at
			}
			return
		}
		s.repeated = true
		for _, u := range s.units {
			if !c.out.settled(u) {
				c.out.repeat(u)
			}
		}
	}
}

// count counts a packet as lost, and sends again what was in it.
func (c *Conn) count(s *sent) {
	c.flight.land(s, lost)
	c.stats.Lost++
	c.flow.lost++
	for _, u := range s.units {
		c.out.lose(u)
	}
}

package main

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// This file behaves like ENet 1.3 where that sends reliable packets: it was written from ENet's
// documentation and its source (protocol.c, peer.c). Like ENet:
//   - Each command has 6 bytes and is acknowledged by itself, with 8 bytes, whether it is in order
//     or not, and copies again. A packet has 4 bytes and up to 32 commands.
//   - Each channel has its own order. What comes early waits in its channel.
//   - What is not acknowledged for the round-trip time and four times its variation is sent again,
//     after twice that time then, and so on. Nothing else notices a loss. ENet looks only at the
//     time of the command that was sent first of those under way.
//   - The round-trip time and its variation are smoothed as ENet does it, in milliseconds.
//   - The bytes under way are limited by the window (64 KiB) times the throttle, which falls when
//     the round-trip time rises.
//   - A peer is given up when a command has timed out that was sent at least six times, the last
//     time 5 s ago or more: when it and its acknowledgements were lost seven times or so.
//
// Unlike ENet: there is no handshake, ping, unreliable packet, fragment, bandwidth limit or
// compression, of which the messages here need none. ENet acts when the program calls it; here it
// acts at once. A channel does not run out of sequence numbers.

// Sizes and times of ENet, in bytes and milliseconds.
const (
	enetMTU       = 1392
	enetCommands  = 32
	enetHead      = 4 // two bytes if nothing reliable is in the packet
	enetHeadShort = 2
	enetAckSize   = 8
	enetSendSize  = 6

	enetWindow           = 64 << 10
	enetThrottle         = 32 // the highest
	enetThrottleStep     = 2
	enetThrottleInterval = 5000
	enetRoundTrip        = 500 // before the first measurement
	enetGiveUpLeast      = 5000
	enetGiveUpMost       = 30_000
	enetGiveUpTries      = 6 // 2^(6−1) is ENet's limit of 32
)

// The commands, and flags of ENet.
const (
	enetAcknowledge = 1
	enetSend        = 6 | 0x80 // to be acknowledged
	enetHasTime     = 0x8000
)

// enetEpoch is the time of ENet at time 0. 0 means "never" to ENet.
const enetEpoch = 10_000

var errGivenUp = errors.New("the ENet-like end has given the other one up")

var errENetFormat = errors.New("not a packet of the ENet-like ends")

// enetCommand is a reliable packet at its sender.
type enetCommand struct {
	channel  byte
	sequence uint16
	body     []byte
	tries    int
	timeout  uint32 // milliseconds; 0 before it was sent
	sent     uint32 // when
}

type enetAck struct {
	channel  byte
	sequence uint16
	sent     uint16
}

// enetChannel is the receiver's end of a channel.
type enetChannel struct {
	sequence uint16            // the last one that was executed
	early    map[uint16][]byte // what waits
}

// enetEnd is one end.
type enetEnd struct {
	execute func(p []byte)
	err     error

	// Sending.
	sequences [256]uint16
	queue     []*enetCommand // what is to be sent; what is sent again is at the front
	flying    []*enetCommand // in the order in which they were sent
	inTransit int            // bytes of these
	timeout   uint32         // when flying is looked at
	earliest  uint32         // since when nothing was acknowledged although something timed out

	// The round-trip time and the throttle, named as in ENet.
	measured                         bool
	roundTrip, variance              uint32
	lowestRoundTrip, highestVariance uint32
	lastRoundTrip, lastVariance      uint32
	throttle                         uint32
	throttleEpoch                    uint32

	// Receiving.
	channels [256]enetChannel
	acks     []enetAck
}

func newENetEnd(execute func(p []byte)) *enetEnd {
	e := &enetEnd{execute: execute, roundTrip: enetRoundTrip, lowestRoundTrip: enetRoundTrip,
		lastRoundTrip: enetRoundTrip, throttle: enetThrottle}
	for i := range e.channels {
		e.channels[i].early = map[uint16][]byte{}
	}
	return e
}

// enetTime returns ENet's time, which is in whole milliseconds.
func enetTime(now time.Duration) uint32 {
	return enetEpoch + uint32(now/time.Millisecond) //nolint:gosec // some minutes
}

// send queues a message.
func (e *enetEnd) send(channel byte, body []byte) {
	e.sequences[channel]++
	e.queue = append(e.queue,
		&enetCommand{channel: channel, sequence: e.sequences[channel], body: body})
}

// next appends the next packet: acknowledgements, then what fits of the queue.
func (e *enetEnd) next(now time.Duration, to []byte) ([]byte, bool) {
	t, start := enetTime(now), len(to)
	to = append(to, make([]byte, enetHead)...)
	commands, timed := 0, false
	for len(e.acks) > 0 && commands < enetCommands && len(to)-start+enetAckSize <= enetMTU {
		a := e.acks[0]
		e.acks = e.acks[1:]
		to = append(to, enetAcknowledge, a.channel)
		to = binary.BigEndian.AppendUint16(to, a.sequence)
		to = binary.BigEndian.AppendUint16(to, a.sequence)
		to = binary.BigEndian.AppendUint16(to, a.sent)
		commands++
	}
	if len(e.flying) > 0 && t >= e.timeout {
		e.checkTimeouts(t)
	}
	for len(e.queue) > 0 && e.err == nil {
		c := e.queue[0]
		window := max(int(e.throttle)*enetWindow/enetThrottle, enetMTU)
		if e.inTransit+len(c.body) > window || commands == enetCommands ||
			len(to)-start+enetSendSize+len(c.body) > enetMTU {
			break
		}
		e.queue = e.queue[1:]
		c.tries++
		if c.timeout == 0 {
			c.timeout = e.roundTrip + 4*e.variance
		}
		if len(e.flying) == 0 {
			e.timeout = t + c.timeout
		}
		c.sent = t
		e.flying = append(e.flying, c)
		e.inTransit += len(c.body)
		to = append(to, enetSend, c.channel)
		to = binary.BigEndian.AppendUint16(to, c.sequence)
		to = binary.BigEndian.AppendUint16(to, uint16(len(c.body))) //nolint:gosec // it is short
		to = append(to, c.body...)
		commands, timed = commands+1, true
	}
	if commands == 0 {
		return to[:start], false
	}
	if !timed {
		copy(to[start+enetHeadShort:], to[start+enetHead:])
		return to[:len(to)-enetHead+enetHeadShort], true
	}
	binary.BigEndian.PutUint16(to[start:], enetHasTime)
	binary.BigEndian.PutUint16(to[start+2:], uint16(t)) //nolint:gosec // the lower half is meant
	return to, true
}

// checkTimeouts puts what was not acknowledged in time at the front of the queue.
func (e *enetEnd) checkTimeouts(t uint32) {
	var again, left []*enetCommand
	for _, c := range e.flying {
		if t-c.sent < c.timeout {
			left = append(left, c)
			continue
		}
		if e.earliest == 0 || c.sent < e.earliest {
			e.earliest = c.sent
		}
		if since := t - e.earliest; since >= enetGiveUpMost ||
			c.tries >= enetGiveUpTries && since >= enetGiveUpLeast {
			e.err = errGivenUp
		}
		c.timeout *= 2
		e.inTransit -= len(c.body)
		again = append(again, c)
	}
	e.flying, e.queue = left, append(again, e.queue...)
	e.lookAtFirst()
}

// lookAtFirst sets the time at which timeouts are looked at.
func (e *enetEnd) lookAtFirst() {
	if len(e.flying) > 0 {
		e.timeout = e.flying[0].sent + e.flying[0].timeout
	}
}

// wake returns when timeouts are looked at.
func (e *enetEnd) wake() (time.Duration, bool) {
	if len(e.flying) == 0 {
		return 0, false
	}
	return time.Duration(e.timeout-enetEpoch) * time.Millisecond, true
}

// receive processes a packet.
func (e *enetEnd) receive(now time.Duration, p []byte) error {
	if len(p) < enetHeadShort {
		return errENetFormat
	}
	var sent uint16
	flags, rest := binary.BigEndian.Uint16(p), p[enetHeadShort:]
	if flags&enetHasTime != 0 {
		if len(rest) < 2 {
			return errENetFormat
		}
		sent, rest = binary.BigEndian.Uint16(rest), rest[2:]
	}
	for len(rest) > 0 {
		if len(rest) < enetSendSize {
			return errENetFormat
		}
		channel, sequence := rest[1], binary.BigEndian.Uint16(rest[2:])
		switch {
		case rest[0] == enetAcknowledge && len(rest) >= enetAckSize:
			e.acknowledged(enetTime(now), channel, sequence, binary.BigEndian.Uint16(rest[6:]))
			rest = rest[enetAckSize:]
		case rest[0] == enetSend:
			size := int(binary.BigEndian.Uint16(rest[4:]))
			if rest = rest[enetSendSize:]; len(rest) < size {
				return errENetFormat
			}
			e.arrived(channel, sequence, rest[:size])
			e.acks = append(e.acks, enetAck{channel, sequence, sent})
			rest = rest[size:]
		default:
			return errENetFormat
		}
	}
	return e.err
}

// arrived executes a message in the order of its channel, or keeps it.
func (e *enetEnd) arrived(channel byte, sequence uint16, body []byte) {
	c := &e.channels[channel]
	//nolint:gosec // the difference may be negative
	if ahead := int16(sequence - c.sequence); ahead <= 0 || c.early[sequence] != nil {
		return
	}
	c.early[sequence] = slices.Clone(body)
	for {
		p := c.early[c.sequence+1]
		if p == nil {
			return
		}
		delete(c.early, c.sequence+1)
		c.sequence++
		e.execute(p)
	}
}

// acknowledged processes an acknowledgement.
func (e *enetEnd) acknowledged(t uint32, channel byte, sequence, sent uint16) {
	at := t&^0xffff | uint32(sent)
	if sent&0x8000 > uint16(t)&0x8000 { //nolint:gosec // the lower half is meant
		at -= 0x10000
	}
	if t < at {
		return
	}
	e.measure(t, max(t-at, 1))
	e.earliest = 0
	is := func(c *enetCommand) bool { return c.channel == channel && c.sequence == sequence }
	if i := slices.IndexFunc(e.flying, is); i >= 0 {
		e.inTransit -= len(e.flying[i].body)
		e.flying = slices.Delete(e.flying, i, i+1)
		e.lookAtFirst()
		return
	}
	// It may wait to be sent again.
	e.queue = slices.DeleteFunc(e.queue, func(c *enetCommand) bool { return c.tries > 0 && is(c) })
}

// measure smooths the round-trip time, and moves the throttle.
func (e *enetEnd) measure(t, roundTrip uint32) {
	if !e.measured {
		e.measured, e.roundTrip, e.variance = true, roundTrip, (roundTrip+1)/2
	} else {
		e.moveThrottle(roundTrip)
		e.variance -= e.variance / 4
		if roundTrip >= e.roundTrip {
			e.variance += (roundTrip - e.roundTrip) / 4
			e.roundTrip += (roundTrip - e.roundTrip) / 8
		} else {
			e.variance += (e.roundTrip - roundTrip) / 4
			e.roundTrip -= (e.roundTrip - roundTrip) / 8
		}
	}
	e.lowestRoundTrip = min(e.lowestRoundTrip, e.roundTrip)
	e.highestVariance = max(e.highestVariance, e.variance)
	if e.throttleEpoch == 0 || t-e.throttleEpoch >= enetThrottleInterval {
		e.lastRoundTrip, e.lastVariance = e.lowestRoundTrip, max(e.highestVariance, 1)
		e.lowestRoundTrip, e.highestVariance = e.roundTrip, e.variance
		e.throttleEpoch = t
	}
}

func (e *enetEnd) moveThrottle(roundTrip uint32) {
	switch {
	case e.lastRoundTrip <= e.lastVariance:
		e.throttle = enetThrottle
	case roundTrip <= e.lastRoundTrip:
		e.throttle = min(e.throttle+enetThrottleStep, enetThrottle)
	case roundTrip > e.lastRoundTrip+2*e.lastVariance:
		e.throttle -= min(enetThrottleStep, e.throttle)
	}
}

// enetEnds are both ends of the ENet-like way.
type enetEnds struct {
	bout    *bout
	channel func(piece int) byte
	ends    [2]*enetEnd
	now     time.Duration
}

func openENet(channel func(piece int) byte) func(b *bout) carrier {
	return func(b *bout) carrier {
		e := &enetEnds{bout: b, channel: channel}
		e.ends[0] = newENetEnd(func([]byte) { b.err = errMessage })
		e.ends[1] = newENetEnd(func(p []byte) { b.execute(e.now, p) })
		return e
	}
}

func (e *enetEnds) send(_ time.Duration, n int) error {
	e.ends[0].send(e.channel(e.bout.messages[n].piece), e.bout.body(n))
	return e.ends[0].err
}

// Receive implements virtual.Ends.
func (e *enetEnds) Receive(now time.Duration, side int, p []byte) error {
	e.now = now
	return e.ends[side].receive(now, p)
}

// Next implements virtual.Ends.
func (e *enetEnds) Next(now time.Duration, side int, to []byte) ([]byte, bool) {
	return e.ends[side].next(now, to)
}

// Wake implements virtual.Ends.
func (e *enetEnds) Wake(side int) (time.Duration, bool) { return e.ends[side].wake() }

func (e *enetEnds) excess() int { return 0 }

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"holt/scripts/bench/virtual"
	"holt/server/transport/simline"
)

// bout carries the messages of one table over one line by one way.
type bout struct {
	// Set at construction.
	messages []message
	from     time.Duration // messages that were made earlier are not measured

	executed   []time.Duration // when; 0: not yet
	left       int
	violations int   // messages that were executed before one for which they have to wait
	err        error // what a way did wrong
	world      *virtual.World
}

// carrier is both ends of a way. Side 0 is the server.
type carrier interface {
	virtual.Ends
	// send passes message n to the server's end.
	send(now time.Duration, n int) error
	// excess returns how many of the bytes that were sent an implementation of this way would not
	// need; it may be negative.
	excess() int
}

// header is the bytes of IPv4 and UDP.
const header = 28

// patience is how long after the last message was made all must have been executed.
const patience = 2 * time.Minute

// outcome is what one bout has measured.
type outcome struct {
	latency    []time.Duration // of each measured message, ascending
	violations int
	// overhead is the bytes that went through the line in both directions, for each message, without
	// the message itself.
	overhead float64
}

// play carries all messages.
func play(w *way, l *profile, t table, seed uint64) (*outcome, error) {
	b := &bout{messages: t.play(seed), from: t.warm}
	b.executed, b.left = make([]time.Duration, len(b.messages)), len(b.messages)
	if len(b.messages) == 0 {
		return nil, errors.New("there are no messages")
	}
	there, back := l.there, l.back
	there.Overhead, back.Overhead = header, header
	lines := simline.NewPair(there, back, seed)
	c := w.open(b)
	b.world = virtual.New(c, lines)
	for n := range b.messages {
		m := &b.messages[n]
		if err := b.world.Run(m.at); err != nil {
			return nil, err
		}
		if err := c.send(b.world.Now(), n); err != nil {
			return nil, err
		}
	}
	end := b.messages[len(b.messages)-1].at + patience
	for b.left > 0 && b.err == nil && b.world.Now() < end {
		if err := b.world.Run(b.world.Now() + 10*time.Millisecond); err != nil {
			return nil, err
		}
	}
	switch {
	case b.err != nil:
		return nil, b.err
	case b.left > 0:
		return nil, fmt.Errorf("%d of %d messages were not executed in %v", b.left,
			len(b.messages), patience)
	}
	return b.outcome(lines, c.excess()), nil
}

func (b *bout) outcome(lines simline.Pair, excess int) *outcome {
	o := &outcome{violations: b.violations}
	bytes := -excess
	for _, l := range lines {
		bytes += int(l.Counts().Bytes) //nolint:gosec // not that many
	}
	for n := range b.messages {
		bytes -= b.messages[n].size
		if b.messages[n].at >= b.from {
			o.latency = append(o.latency, b.executed[n]-b.messages[n].at)
		}
	}
	o.overhead = float64(bytes) / float64(len(b.messages))
	slices.Sort(o.latency)
	return o
}

// body returns a message as it is sent: its number and zeros.
func (b *bout) body(n int) []byte {
	p := make([]byte, b.messages[n].size)
	binary.BigEndian.PutUint32(p, uint32(n)) //nolint:gosec // a number of a message
	return p
}

var errMessage = errors.New("something was executed that was never sent")

// execute records that the client executes a message.
func (b *bout) execute(now time.Duration, p []byte) {
	if len(p) < 4 {
		b.err = errMessage
		return
	}
	n := int(binary.BigEndian.Uint32(p))
	switch {
	case n >= len(b.messages) || b.messages[n].at > now || len(p) != b.messages[n].size:
		b.err = errMessage
		return
	case b.executed[n] != 0:
		b.err = fmt.Errorf("message %d was executed twice", n)
		return
	}
	for _, d := range b.messages[n].deps {
		if b.executed[d] == 0 {
			b.violations++
			break
		}
	}
	b.executed[n] = now
	b.left--
}

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"holt/scripts/bench/lines/trace"
)

// bout plays one recording over one line by one way. It records when each message was sent, had
// arrived and was executed. Its methods are safe for concurrent use.
type bout struct {
	// Set at construction.
	trace trace.Trace
	start time.Time
	// closed when all messages have been executed, or one was that should not have been
	done chan struct{}

	mu sync.Mutex
	// Guarded by mu. Times are since the start, by message; 0: not yet.
	sent, arrived, executed []time.Duration
	left                    int // messages that have not been executed
	// messages that were executed before one of those for which they have to wait
	violations int
	err        error
}

func newBout(t trace.Trace) *bout {
	n := len(t)
	return &bout{
		trace: t, start: time.Now(), done: make(chan struct{}),
		sent: make([]time.Duration, n), arrived: make([]time.Duration, n),
		executed: make([]time.Duration, n), left: n,
	}
}

// now returns the time since the start. It is never 0.
func (b *bout) now() time.Duration { return time.Since(b.start) + 1 }

// mark is at the beginning of each message, before its number. So messages can be found in
// unencrypted packets.
var mark = []byte{0xd7, 0x1e, 0x5a, 0xc3}

const markSize = 8

// size returns the size of a message in bytes.
func (b *bout) size(n int) int { return max(b.trace[n].Size, markSize) }

// message returns a message as it is sent.
func (b *bout) message(n int) []byte {
	m := make([]byte, b.size(n))
	copy(m, mark)
	binary.BigEndian.PutUint32(m[len(mark):], uint32(n)) //nolint:gosec // a number of a message
	return m
}

var errMessage = errors.New("something was executed that was never sent")

// execute executes a message, and checks what had to be executed before it.
func (b *bout) execute(m []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.number(m)
	if err == nil && (b.size(n) != len(m) || b.sent[n] == 0) {
		err = errMessage
	}
	if err == nil && b.executed[n] != 0 {
		err = fmt.Errorf("message %d was executed twice", n)
	}
	if err != nil {
		b.fail(err)
		return
	}
	for _, d := range b.trace[n].Deps {
		if b.executed[d] == 0 {
			b.violations++
			break
		}
	}
	b.executed[n] = b.now()
	if b.left--; b.left == 0 && b.err == nil {
		close(b.done)
	}
}

// number reads the number of a message.
func (b *bout) number(m []byte) (int, error) {
	if len(m) < markSize || !bytes.HasPrefix(m, mark) {
		return 0, errMessage
	}
	n := int(binary.BigEndian.Uint32(m[len(mark):]))
	if n >= len(b.trace) {
		return 0, errMessage
	}
	return n, nil
}

// fail ends the bout. The caller has mu.
func (b *bout) fail(err error) {
	if b.err == nil && b.left > 0 {
		b.err = err
		close(b.done)
	}
}

// breakOff ends the bout because its carrier carries nothing any more.
func (b *bout) breakOff(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail(err)
}

// arrive records that a whole message has arrived at the client's host. Copies that arrive later do
// not count.
func (b *bout) arrive(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.arrived[n] == 0 {
		b.arrived[n] = b.now()
	}
}

// find records the arrival of all messages in a packet.
func (b *bout) find(packet []byte) {
	for {
		i := bytes.Index(packet, mark)
		if i < 0 {
			return
		}
		if n, err := b.number(packet[i:]); err == nil {
			b.arrive(n)
		}
		packet = packet[i+len(mark):]
	}
}

// patience is how long after the last message was sent all messages must have been executed.
const patience = 5 * time.Minute

// play sends the messages when they are due, those of one moment together, and waits until all are
// executed.
func (b *bout) play(ctx context.Context, c carrier) error {
	begun := b.now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for first := 0; first < len(b.trace); {
		end := first + 1
		for end < len(b.trace) && b.trace[end].At == b.trace[first].At {
			end++
		}
		timer.Reset(begun + b.trace[first].At - b.now())
		select {
		case <-timer.C:
		case <-b.done:
			return b.err
		case <-ctx.Done():
			return ctx.Err()
		}
		b.sending(first, end)
		c.send(first, end)
		first = end
	}
	timer.Reset(patience)
	select {
	case <-b.done:
		return b.err
	case <-timer.C:
		b.mu.Lock()
		defer b.mu.Unlock()
		return fmt.Errorf("%d of %d messages were not executed in %v", b.left,
			len(b.trace), patience)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sending records that messages are passed to the way.
func (b *bout) sending(first, end int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for n := first; n < end; n++ {
		b.sent[n] = now
	}
}

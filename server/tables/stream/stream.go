package stream

import (
	"context"
	"sync"
	"time"
)

// MaxOutbox is how many bytes may wait for one client (S7). A frame that synchronises the client
// does not count and may be larger.
const MaxOutbox = 1 << 20

// maxFrames is how many frames may wait, so that tiny frames do not cost more than their bytes.
const maxFrames = 4096

// Stream feeds one client over one carrier. It serves one attempt of the client, so frames for one
// attempt never go to the next. Its owner pushes frames, and a goroutine of its own writes them.
// All methods may be called from any goroutine, and none waits for the network.
type Stream struct {
	// Set at construction.
	carrier Carrier
	receive func([]byte) error
	ready   func()
	ended   func(error)
	wake    chan struct{} // capacity 1: one pending wake-up is enough
	done    chan struct{} // closed when the writer has ended

	mu sync.Mutex
	// Guarded by mu.
	state    State
	outbox   [][]byte
	size     int  // bytes in the outbox, without the frame that synchronises
	overflow bool // the outbox was dropped; ready is called when the writer is free
	closing  bool // close the carrier when the outbox is written
	code     Code
	reason   string
	err      error
}

// Handlers is how a stream informs its owner. They are called from the stream's goroutines, and
// must not wait for the stream.
type Handlers struct {
	// Receive gets a message from the client. An error closes the stream: with CodeFlood for
	// ErrFlood, otherwise with CodeProtocol.
	Receive func(msg []byte) error
	// Ready is called when a stream that overflowed can take a full state again (S7).
	Ready func()
	// Ended is called once, when the stream is over. err is nil if the server closed it.
	Ended func(err error)
}

// Open begins to feed a client over carrier. The stream is DESYNCED: Whole queues its first frame.
func Open(carrier Carrier, h Handlers) *Stream {
	c := &Stream{
		carrier: carrier, receive: h.Receive, ready: h.Ready, ended: h.Ended,
		wake: make(chan struct{}, 1), done: make(chan struct{}), state: New,
	}
	c.move(opened)
	go c.write()
	return c
}

// State returns the state of the stream.
func (c *Stream) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Synchronise queues a frame that synchronises the client: with the full state, or with Resumed
// (S5). It does nothing unless the stream is DESYNCED.
func (c *Stream) Synchronise(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.move(fullQueued) {
		// It does not count. Otherwise the next frames might cause it to be dropped again.
		c.outbox = append(c.outbox, frame)
		c.signal()
	}
}

// Push queues a frame of changes. It does nothing unless the stream is OK. If the outbox is full,
// Push drops all frames that wait, and the stream is DESYNCED (S7).
func (c *Stream) Push(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	full := len(c.outbox) > 0 && (c.size+len(frame) > MaxOutbox || len(c.outbox) >= maxFrames)
	switch {
	case !full && c.move(changesQueued):
		c.queue(frame)
	case full && c.move(desynced):
		c.outbox, c.size, c.overflow = nil, 0, true
	}
}

// Desync makes the stream DESYNCED, because the client has asked for the full state (S9), which
// replaces the frames that wait. It returns false, and does nothing, unless the stream is OK.
func (c *Stream) Desync() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.move(desynced) {
		return false
	}
	c.outbox, c.size = nil, 0
	return true
}

// move changes the state by an event (S2). It returns false, and does nothing, if the event does
// not count in the present state.
func (c *Stream) move(e event) bool {
	to, ok := c.state.after(e)
	if ok {
		c.state = to
	}
	return ok
}

func (c *Stream) queue(frame []byte) {
	c.outbox = append(c.outbox, frame)
	c.size += len(frame)
	c.signal()
}

func (c *Stream) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Close ends the stream. If last is not nil, it is sent after what is queued. Then the carrier is
// closed with code and reason. TEARDOWN is final. Close does not wait: see Done.
func (c *Stream) Close(last []byte, code Code, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.move(closed) {
		return
	}
	c.closing, c.code, c.reason = true, code, reason
	if last != nil {
		c.queue(last)
	}
	c.signal()
}

// Abort closes the carrier at once, whatever is queued.
func (c *Stream) Abort(code Code, reason string) { c.carrier.Close(code, reason) }

// EndWithin waits until a stream that is being closed has ended. If that takes longer than wait, it
// closes the carrier.
func (c *Stream) EndWithin(wait time.Duration, code Code, reason string) {
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	select {
	case <-c.done:
		return
	case <-timeout.C:
	}
	c.Abort(code, reason)
	<-c.done
}

// Receive processes a message from the client. After an error the caller closes the carrier: with
// CodeFlood for ErrFlood, otherwise with CodeProtocol.
func (c *Stream) Receive(msg []byte) error { return c.receive(msg) }

// Closed records that the carrier has ended: by a network error, a missed keepalive, or the client.
func (c *Stream) Closed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.move(broke) {
		c.err = err
	}
	c.outbox, c.size, c.closing, c.overflow = nil, 0, true, false
	c.signal()
}

// Done returns a channel that is closed when the stream and its goroutine have ended.
func (c *Stream) Done() <-chan struct{} { return c.done }

// write is the stream's goroutine. Until the stream ends, it writes all that is queued at once.
// Carrier.Close interrupts a Write.
func (c *Stream) write() {
	defer close(c.done)
	for range c.wake {
		frames, code, reason, last, ready := c.take()
		if len(frames) > 0 {
			if err := c.carrier.Write(context.Background(), frames); err != nil {
				c.fail(err)
				code, reason, last, ready = CodeInternal, "write failed", true, false
			}
		}
		if last {
			c.carrier.Close(code, reason)
			c.ended(c.failure())
			return
		}
		if ready || c.overflowed() {
			c.ready()
		}
	}
}

// take returns what to write, and whether it is the last.
func (c *Stream) take() (frames [][]byte, code Code, reason string, last, ready bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frames = c.outbox
	c.outbox, c.size = nil, 0
	ready = c.overflow
	c.overflow = false
	return frames, c.code, c.reason, c.closing, ready
}

// overflowed reports, once, that the outbox was dropped while the writer wrote.
func (c *Stream) overflowed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.overflow
	c.overflow = false
	return was
}

func (c *Stream) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.move(broke) {
		c.err = err
	}
}

func (c *Stream) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

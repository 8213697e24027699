package datagram

import (
	"context"
	"errors"
	"sync"
	"time"

	"holt/server/packet"
)

// Times of a connection (D21, D29).
const (
	pathless = 10 * time.Second // so long a connection is kept that has no path
	farewell = 3 * time.Second  // so long what still comes by UDP is answered by Close again
)

// Message is one that the other end has sent, and that has been executed.
type Message struct {
	// Guaranteed says that it comes once and in its order (D4), and Number is its number; else it has a Key (D15).
	Guaranteed bool
	Number     uint64
	Key        uint32
	// Bytes belong to whoever is given the message.
	Bytes []byte
}

// Handlers are what a connection tells its owner. Neither may be nil.
type Handlers struct {
	// Execute gets each message as soon as it is executed. One goroutine at a time calls it, and takes nothing from the path until it
	// has returned. An error ends the connection: a *packet.CloseError says how, another one with 1002.
	Execute func(m Message) error
	// Ended says, once, that the connection is over. Whatever was executed has been given to Execute or will not be.
	Ended func(err *packet.CloseError)
}

// Conn is one end of a connection (D20), with the clock and the goroutines that it needs: one sends, and for each path one receives. Its methods
// may be called from any goroutine.
type Conn struct {
	// Set at construction.
	began    time.Time
	handlers Handlers
	wake     chan struct{} // capacity 1: there may be something to send
	gone     chan struct{} // closed when the connection is over
	done     chan struct{} // closed when its sender has ended, too
	// turn is held by who takes a packet, until what it has executed is told: a new path does not overtake the old one.
	turn chan struct{} // of one: a lock for which virtual time does not stop

	mu sync.Mutex
	// Guarded by mu.
	core      *packet.Conn
	path      path          // nil: none at the moment
	since     time.Time     // when there was none
	confirmed func()        // called when the first Data has come on the path; nil: nobody asks
	executed  []Message     // what has not been told yet
	room      chan struct{} // closed when something was acknowledged or the connection closes; nil: nobody waits
	closing   bool
}

// newConn returns an end of a connection that has no path yet; cfg says what the handshake has said. What is sent waits for
// a path. run has to be called.
func newConn(cfg packet.Config, h Handlers) *Conn {
	c := &Conn{
		began: time.Now(), handlers: h, since: time.Now(), wake: make(chan struct{}, 1),
		gone: make(chan struct{}), done: make(chan struct{}), turn: make(chan struct{}, 1),
	}
	cfg.Execute = func(number uint64, msg []byte) {
		c.executed = append(c.executed, Message{Guaranteed: true, Number: number, Bytes: append([]byte(nil), msg...)})
	}
	cfg.Loose = func(key uint32, msg []byte) {
		c.executed = append(c.executed, Message{Key: key, Bytes: append([]byte(nil), msg...)})
	}
	c.core = packet.NewConn(cfg)
	return c
}

// now is the time since the connection began.
func (c *Conn) now() time.Duration { return time.Since(c.began) }

// Use lets f use the machine of the connection, to send messages and to look at it; now is the time that it takes. f must not wait, and
// neither receive nor close.
func (c *Conn) Use(f func(core *packet.Conn, now time.Duration)) {
	c.mu.Lock()
	f(c.core, c.now())
	c.mu.Unlock()
	c.signal()
}

// signal lets the sender look whether there is something to send.
func (c *Conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// ErrClosing is what Room returns when nothing can be sent any more.
var ErrClosing = errors.New("the connection is closing")

// Room waits until fewer than so many bytes of guaranteed messages wait to be acknowledged: so no more memory is used than a fast
// line needs. It returns ErrClosing, or the error of ctx.
func (c *Conn) Room(ctx context.Context, bytes int) error {
	for {
		c.mu.Lock()
		if c.closing {
			c.mu.Unlock()
			return ErrClosing
		}
		if c.core.Stats().Waiting < bytes {
			c.mu.Unlock()
			return nil
		}
		if c.room == nil {
			c.room = make(chan struct{})
		}
		room := c.room
		c.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// freed wakes those who wait for room. The caller has mu.
func (c *Conn) freed() {
	if c.room != nil {
		close(c.room)
		c.room = nil
	}
}

// Close ends the connection (D29): in good order, if that is what the code says, else at once. It does not wait; the first call counts.
func (c *Conn) Close(code packet.Code, reason string) {
	c.mu.Lock()
	c.closing = true
	c.core.Close(c.now(), code, reason)
	c.freed()
	c.mu.Unlock()
	c.signal()
}

// Gone is closed when the connection is over; then Err says why.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Err says why the connection is over, or nil.
func (c *Conn) Err() *packet.CloseError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.core.Err()
}

// Silent is how long nothing has come.
func (c *Conn) Silent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now() - c.core.Heard()
}

// attach gives the connection a path, the first or another one (D21), whose packets read will take. confirmed is called when the first Data has come on
// it. It reports false if the connection is over.
func (c *Conn) attach(p path, confirmed func()) bool {
	shape := pathOf(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.core.Err() != nil {
		return false
	}
	old := c.path
	c.path, c.stuck, c.confirmed = p, false, confirmed
	c.core.Resume(c.now(), shape)
	c.signal()
	if old != nil {
		old.close(0, "") // it may be in the middle of a send: that returns
	}
	return true
}

// read takes what comes on a path until that ends or the connection does.
func (c *Conn) read(p path) {
	for {
		b, err := p.receive()
		if err != nil {
			c.lost(p, err)
			return
		}
		c.take(p, b)
	}
}

// take gives a packet to the connection, if it has come on its path, and tells what is executed by it.
func (c *Conn) take(p path, b []byte) {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	c.mu.Lock()
	if c.path != p {
		c.mu.Unlock()
		return
	}
	before := c.core.Stats().Received
	_ = c.core.Receive(c.now(), b) // the sender finds what is to be said of it
	var confirmed func()
	if c.core.Stats().Received != before {
		confirmed, c.confirmed = c.confirmed, nil
	}
	told := c.executed
	c.executed = nil
	c.freed()
	c.mu.Unlock()
	c.signal()
	if confirmed != nil {
		confirmed()
	}
	for _, m := range told {
		if err := c.handlers.Execute(m); err != nil {
			c.refuse(err)
			return
		}
	}
}

// refuse ends the connection because of a message.
func (c *Conn) refuse(err error) {
	var said *packet.CloseError
	if errors.As(err, &said) {
		c.Close(said.Code, said.Reason)
		return
	}
	c.Close(packet.CodeProtocol, err.Error())
}

// lost lets go of a path that has ended. If the other end has said by it why, that is a Close (D29).
func (c *Conn) lost(p path, err error) {
	p.close(0, "")
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.path != p {
		return
	}
	if !c.stuck {
		c.since = time.Now()
	}
	c.path, c.stuck = nil, false
	var said *packet.CloseError
	if errors.As(err, &said) {
		_ = c.core.Receive(c.now(), packet.AppendClose(nil, 0, false, said.Code, said.Reason)) // it is an error, which the sender finds
	}
	c.signal()
}

// run sends what there is to send until the connection is over. It is the goroutine of the connection.
func (c *Conn) run() {
	defer close(c.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	buf := make([]byte, 0, packet.UDPSize)
	for {
		p, b, wait, err := c.next(buf)
		switch {
		case b != nil:
			c.send(p, b)
			buf = b
			continue
		case err != nil:
			c.part(p, err, timer, buf)
			return
		}
		timer.Reset(wait)
		select {
		case <-c.wake:
		case <-timer.C:
		}
	}
}

// next returns the path and the next packet for it, nil if there is none: then how long to wait for one, or why the connection is over.
func (c *Conn) next(buf []byte) (p path, b []byte, wait time.Duration, err *packet.CloseError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if (c.path == nil || c.stuck) && c.core.Err() == nil {
		left := pathless - time.Since(c.since)
		if left > 0 {
			return nil, nil, left, nil
		}
		c.core.Close(now, packet.CodeSilent, "no path")
	}
	b, ok := c.core.Next(now, buf[:0])
	switch at, more := c.core.Wake(); {
	case ok && c.path != nil:
		return c.path, b, 0, nil
	case c.core.Err() != nil:
		return c.path, nil, 0, c.core.Err()
	case !more:
		return c.path, nil, 0, nil
	default:
		return c.path, nil, max(at-now, 0), nil
	}
}

// send sends a packet on a path, and takes the measure of one that has become too narrow (D28).
func (c *Conn) send(p path, b []byte) {
	switch err := p.send(b); {
	case err == nil:
	case errors.Is(err, errTooLarge):
		largest := min(max(p.largest(), packet.MinSize), len(b)-1)
		c.mu.Lock()
		if c.path == p {
			c.core.Resize(c.now(), largest)
		}
		c.mu.Unlock()
	default:
		p.close(0, "")
		c.mu.Lock()
		if c.path == p && !c.stuck {
			c.stuck, c.since = true, time.Now()
		}
		c.mu.Unlock()
	}
}

// part ends a connection that is over. By UDP what still comes is answered for a while.
func (c *Conn) part(p path, err *packet.CloseError, timer *time.Timer, buf []byte) {
	c.mu.Lock()
	c.closing = true
	c.freed()
	c.mu.Unlock()
	c.handlers.Ended(err)
	close(c.gone)
	if p == nil {
		return
	}
	defer p.close(err.Code, err.Reason)
	if p.proves() || err.Remote {
		return
	}
	for timer.Reset(farewell); ; {
		select {
		case <-c.wake:
		case <-timer.C:
			return
		}
		if p, b, _, _ := c.next(buf); p != nil && b != nil {
			_ = p.send(b) // by UDP it never fails
		}
	}
}

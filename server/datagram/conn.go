package datagram

import (
	"errors"
	"sync"
	"time"

	"holt/server/packet"
)

// Times of a connection (D21, D29).
const (
	pathless = 10 * time.Second // so long a connection is kept that has no path
	farewell = 3 * time.Second  // so long what still comes after the end is answered by Close again
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
	hurry    chan struct{} // closed when what comes after the end need not be answered; nil: it is
	// turn is held by who takes a packet, until what it has executed is told: a new path does not overtake the old one.
	turn chan struct{} // of one: a lock for which virtual time does not stop

	number  uint64
	running sync.WaitGroup // goroutines of one that dials

	mu sync.Mutex
	// Guarded by mu.
	token     token // of one that dials: by which it can be resumed (D21)
	core      *packet.Conn
	path      path          // nil: none at the moment
	stuck     bool          // what is sent on it fails: its reader is about to say why
	since     time.Time     // from when on there was none, or it was stuck
	confirmed func()        // called when the first Data has come on the path; nil: nobody asks
	executed  []Message     // what has not been told yet
	changed   chan struct{} // see Changed; nil: nobody waits
	closing   bool
	known     bool // the other end knows that it is over
}

// newConn returns an end of a connection that has no path yet; cfg says what the handshake has said. What is sent waits for
// a path. run has to be called.
func newConn(cfg packet.Config, h Handlers) *Conn {
	c := &Conn{
		number: cfg.Number, began: time.Now(), handlers: h, since: time.Now(), wake: make(chan struct{}, 1),
		gone: make(chan struct{}), turn: make(chan struct{}, 1),
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

// ErrClosing is what Use returns when nothing can be sent any more.
var ErrClosing = errors.New("the connection is closing")

// Use lets f use the machine of the connection, to send messages and to look at it; now is the time that it takes. f must not wait, and
// neither receive nor close. The error is ErrClosing, and then f was not called.
func (c *Conn) Use(f func(core *packet.Conn, now time.Duration)) error {
	c.mu.Lock()
	if c.closing {
		c.mu.Unlock()
		return ErrClosing
	}
	f(c.core, c.now())
	c.mu.Unlock()
	c.signal()
	return nil
}

// Changed returns a channel that is closed when the next packet has come, by which there may be room to send again, or the
// connection closes.
func (c *Conn) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	changed := c.changed
	if c.closing {
		c.tell()
	}
	return changed
}

// tell closes what Changed has returned. The caller has mu.
func (c *Conn) tell() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// signal lets the sender look whether there is something to send.
func (c *Conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Close ends the connection (D29): in good order, if that is what the code says, else at once. It does not wait; the first call counts.
func (c *Conn) Close(code packet.Code, reason string) {
	c.mu.Lock()
	c.closing = true
	c.core.Close(c.now(), code, reason)
	c.tell()
	c.mu.Unlock()
	c.signal()
}

// Gone is closed when the connection is over; then Err says why.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Wait waits until nothing is left of a connection that was dialled and is over.
func (c *Conn) Wait() { c.running.Wait() }

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

// read takes what comes on a path until that ends. What meets takes, a part of the handshake, is no packet of the connection.
func (c *Conn) read(p path, meets func(b []byte) bool) {
	for {
		b, err := p.receive()
		if err != nil {
			c.lost(p, err)
			return
		}
		if !meets(b) {
			c.take(p, b)
		}
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
	if k, _ := packet.KindOf(b); k == packet.KindClose && c.core.Err() != nil {
		c.known = true
	}
	before := c.core.Stats().Received
	_ = c.core.Receive(c.now(), b) // the sender finds what is to be said of it
	var confirmed func()
	if c.core.Stats().Received != before {
		confirmed, c.confirmed = c.confirmed, nil
	}
	told := c.executed
	c.executed = nil
	c.tell()
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

func (c *Conn) isKnown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

// abandon ends a connection of which nobody was told. run must not be called.
func (c *Conn) abandon() { close(c.gone) }

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
			c.core.Resize(largest)
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

// part ends a connection that is over. Who has said so waits for the other end to let go of the path, and answers by Close again
// what still comes; who was told answers where the path itself does not (D29).
func (c *Conn) part(p path, err *packet.CloseError, timer *time.Timer, buf []byte) {
	c.mu.Lock()
	c.closing = true
	c.tell()
	c.mu.Unlock()
	c.handlers.Ended(err)
	close(c.gone)
	if p == nil {
		return
	}
	defer p.close(err.Code, err.Reason)
	if err.Remote && !p.proves() {
		_ = p.send(packet.AppendClose(nil, c.number, true, err.Code, err.Reason)) // if it is lost the other end waits for longer
	}
	for timer.Reset(farewell); !err.Remote; {
		at, b, _, _ := c.next(buf)
		if at != p || c.isKnown() {
			return
		}
		if b != nil {
			_ = p.send(b) // what cannot be sent is lost
			continue
		}
		select {
		case <-c.wake:
		case <-c.hurry:
			return
		case <-timer.C:
			return
		}
	}
}

package endpoint

import (
	"errors"
	"sync"
	"time"

	"holt/server/transport/connection"
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
	Ended func(err *connection.CloseError)
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

	large int // packets that were not small since the path was measured; of run

	mu sync.Mutex
	// Guarded by mu.
	token     token // of one that dials: by which it can be resumed (D21)
	core      *connection.Conn
	path      path          // nil: none at the moment
	stuck     bool          // what is sent on it fails: its reader is about to say why
	giving    path          // what a packet is being given to; nil: none
	giveBy    time.Duration // until when at the latest it has to be taken
	stall     *time.Timer   // lets go of giving when it is not
	since     time.Time     // from when on there was none, or it was stuck
	confirmed func()        // called when the first Data has come on the path; nil: nobody asks
	executed  []Message     // what has not been told yet
	changed   chan struct{} // see Changed; nil: nobody waits
	closing   bool
	known     bool // the other end knows that it is over
}

// newConn returns an end of a connection that has no path yet; cfg says what the handshake has said. What is sent waits for
// a path. run has to be called.
func newConn(cfg connection.Config, h Handlers) *Conn {
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
	c.core = connection.NewConn(cfg)
	c.stall = time.AfterFunc(patience, c.letGo)
	c.stall.Stop()
	return c
}

// now is the time since the connection began.
func (c *Conn) now() time.Duration { return time.Since(c.began) }

// ErrClosing is what Use returns when nothing can be sent any more.
var ErrClosing = errors.New("the connection is closing")

// Use lets f use the machine of the connection, to send messages and to look at it; now is the time that it takes. f must not wait, and
// neither receive nor close. The error is ErrClosing, and then f was not called.
func (c *Conn) Use(f func(core *connection.Conn, now time.Duration)) error {
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
func (c *Conn) Close(code connection.Code, reason string) {
	c.mu.Lock()
	c.closing = true
	c.core.Close(c.now(), code, reason)
	c.tell()
	c.hasten()
	c.mu.Unlock()
	c.signal()
}

// Gone is closed when the connection is over; then Err says why.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Wait waits until nothing is left of a connection that was dialled and is over.
func (c *Conn) Wait() { c.running.Wait() }

// Err says why the connection is over, or nil.
func (c *Conn) Err() *connection.CloseError {
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

// abandon ends a connection of which nobody was told. run must not be called.
func (c *Conn) abandon() { close(c.gone) }

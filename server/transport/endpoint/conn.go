package endpoint

import (
	"bytes"
	"errors"
	"sync"
	"time"

	"holt/server/transport/connection"
)

// Message is a message of the other end that has been executed.
type Message struct {
	// Guaranteed says that the message comes once and in its order (D4); then Number is its number.
	// Otherwise it has a Key (D15).
	Guaranteed bool
	Number     uint64
	Key        uint32
	// Bytes belongs to the receiver of the Message.
	Bytes []byte
}

// Handlers is how a connection informs its owner. Neither field may be nil.
type Handlers struct {
	// Execute gets each message when it is executed. One goroutine at a time calls it, and takes
	// nothing from the path until it returns. An error ends the connection: with the code and
	// reason of a *connection.CloseError, or with 1002.
	Execute func(m Message) error
	// Ended is called once, when the connection is over. It may be called while Execute still runs,
	// or before the last executed messages are passed on.
	Ended func(err *connection.CloseError)
}

// Conn is one end of a connection (D20), with the clock and the goroutines that it needs: one
// sends, and one for each path receives. Its methods may be called from any goroutine.
type Conn struct {
	// Set at construction.
	began    time.Time
	handlers Handlers
	wake     chan struct{} // capacity 1: there may be something to send
	gone     chan struct{} // closed when the connection is over
	// When this is closed, the connection does not wait to answer what still comes after its end.
	// Nil means that it always waits.
	stopWaiting chan struct{}
	// turn is held from taking a packet until the messages that it executed are passed on, so that
	// a new path does not overtake the old one. It has capacity 1 and serves as a lock. Unlike a
	// mutex it does not stop virtual time.
	turn chan struct{}

	number  uint64
	running sync.WaitGroup // goroutines of an end that dialled

	large int // packets that were not small since the path was last measured; owned by run

	mu sync.Mutex
	// Guarded by mu.
	token     token // of an end that dialled: resumes the connection (D21)
	core      *connection.Conn
	path      path          // nil: none at the moment
	stuck     bool          // sending on path fails; its reader is about to say why
	giving    path          // the path that a packet is being given to, or nil
	giveBy    time.Duration // when giving has to have taken it
	stall     *time.Timer   // calls letGo at giveBy
	since     time.Time     // since when there was no path, or it was stuck
	confirmed func()        // called at the first Data on the path; nil: not needed
	executed  []Message     // messages that were not passed on yet
	changed   chan struct{} // see Changed; nil: nobody waits
	closing   bool
	known     bool // the other end knows that the connection is over
}

// newConn returns an end of a connection that has no path yet. cfg has the results of the
// handshake. What is sent waits for a path. The caller has to start run.
func newConn(cfg connection.Config, h Handlers) *Conn {
	c := &Conn{
		number: cfg.Number, began: time.Now(), handlers: h, since: time.Now(),
		wake: make(chan struct{}, 1), gone: make(chan struct{}), turn: make(chan struct{}, 1),
	}
	cfg.Execute = func(number uint64, msg []byte) {
		c.executed = append(c.executed, Message{
			Guaranteed: true, Number: number, Bytes: bytes.Clone(msg),
		})
	}
	cfg.Unguaranteed = func(key uint32, msg []byte) {
		c.executed = append(c.executed, Message{Key: key, Bytes: bytes.Clone(msg)})
	}
	c.core = connection.NewConn(cfg)
	c.stall = time.AfterFunc(patience, c.letGo)
	c.stall.Stop()
	return c
}

// now returns the time since the connection began.
func (c *Conn) now() time.Duration { return time.Since(c.began) }

// ErrClosing is the error of Use when nothing can be sent any more.
var ErrClosing = errors.New("the connection is closing")

// Use calls f with the state machine of the connection, to send messages and to look at it. now is
// the time since the connection began. f must not wait, receive or close. The error is ErrClosing,
// and then f was not called.
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

// Changed returns a channel that is closed when the next packet has come, which may make room to
// send, or when the connection closes.
func (c *Conn) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	changed := c.changed
	if c.closing {
		c.notifyChanged()
	}
	return changed
}

// notifyChanged closes the channel that Changed has returned. The caller holds mu.
func (c *Conn) notifyChanged() {
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// signal wakes the sender, as there may be something to send.
func (c *Conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Close ends the connection (D29): in good order if the code says so, otherwise at once. It does
// not wait. Only the first call counts.
func (c *Conn) Close(code connection.Code, reason string) {
	c.mu.Lock()
	c.closing = true
	c.core.Close(c.now(), code, reason)
	c.notifyChanged()
	c.hasten()
	c.mu.Unlock()
	c.signal()
}

// Gone returns a channel that is closed when the connection is over. Then Err says why.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Wait waits until all goroutines have ended of a connection that was dialled and is over.
func (c *Conn) Wait() { c.running.Wait() }

// Err returns why the connection is over, or nil if it is not.
func (c *Conn) Err() *connection.CloseError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.core.Err()
}

// Silent returns for how long nothing has come.
func (c *Conn) Silent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now() - c.core.Heard()
}

// abandon ends a connection that no owner has got. run must not be called.
func (c *Conn) abandon() { close(c.gone) }

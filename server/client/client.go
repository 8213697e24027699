package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"net"
	"sync"
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// Config configures a client. Server and Seat are required.
type Config struct {
	Server *Server
	Seat   Seat
	// Client identifies this life of the program; zero draws a random identifier. A program that
	// stored its last sequence could go on under its old identifier. This package stores nothing,
	// so an identifier MUST be used only once.
	Client id.Client
	// Transport says how streams are carried.
	Transport Transport
	// Socket opens a UDP socket for datagrams. If it is nil, the client opens one at any port.
	Socket func() (net.PacketConn, error)
	// Handle, if not nil, receives the events in order, one call at a time. It may call the
	// client's methods, except those that say otherwise. While it runs, the client reads nothing.
	// The event is valid only during the call.
	Handle func(*Event)
}

// Client is one life of a program at a table. Its methods are safe for concurrent use. Run waits
// for the network. Carry, Point and SetAway wait until the stream has taken their message. Ask
// waits for an answer. The other methods do not wait.
type Client struct {
	// Set at construction.
	cfg     Config
	id      id.Client
	start   time.Time     // when the client's clock began
	wake    chan struct{} // capacity 1: one pending wake-up is enough
	written chan struct{} // the same, for pending writes to components

	// Owned by the goroutine that opens streams.
	attempts        uint64
	transportChoice transportChoice
	wasSynchronised bool // the current or last stream synchronised the client

	lines sync.WaitGroup // what datagram streams leave running for a moment

	mu sync.Mutex
	// Guarded by mu.
	state  viewState
	socket *socket        // nil while there is no stream
	up     upward         // requests by datagrams on it
	time   serverTime     // learned from pongs
	asked  pings          // waiting for their pongs
	cut    *time.Duration // set by Cut: the delay before the next stream
	away   bool           // what SetAway said last
	// Questions of Ask that wait for an answer.
	questions []*question

	handling sync.Mutex // held while Handle runs: the reader and the poster both call it
	// Guarded by handling.
	events []Event // reused storage
}

// New returns a client. Run connects it to its table. It fails without a server or a token.
func New(cfg Config) (*Client, error) {
	if cfg.Server == nil || cfg.Seat.Token == "" {
		return nil, errors.New("a client needs a server and a seat")
	}
	c := &Client{
		cfg: cfg, id: cfg.Client, start: time.Now(), wake: make(chan struct{}, 1),
		written: make(chan struct{}, 1),
	}
	c.state.renamed = c.up.rename
	for c.id == (id.Client{}) {
		if _, err := rand.Read(c.id[:]); err != nil {
			return nil, fmt.Errorf("draw client id: %w", err)
		}
	}
	return c, nil
}

// Do changes the table. It numbers and tags u and displays its effect at once (T9). It sends u as
// soon as a stream is open: by datagrams, or by HTTP when the previous request has ended. It
// ignores Seq and Tag of u. The outcome comes as an event. The errors are ErrNotSynchronised,
// ErrGone, ErrLoose and ErrTooMany. After an error nothing has changed.
func (c *Client) Do(u table.Update) (id.ClientSeq, error) {
	c.mu.Lock()
	seq, err := c.state.addPending(u)
	c.mu.Unlock()
	if err == nil {
		signal(c.wake)
	}
	return seq, err
}

// Piece returns a piece as the client displays it: the confirmed state with the pending updates on
// top.
func (c *Client) Piece(name id.Piece) (table.Shown, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.shown(name)
}

// Who returns a seat of the table as others see it. It reports false if there is no such seat.
func (c *Client) Who(seat id.Seat) (SeatInfo, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.state.seats[seat]
	return s, ok
}

// View returns all that the client displays. It is zero before the first Synchronised.
func (c *Client) View() View {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.view()
}

// Version returns the version up to which the view is complete (S4).
func (c *Client) Version() id.Version {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.version
}

// Pending returns the number of pending updates.
func (c *Client) Pending() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.state.pending)
}

// ServerTime returns the time of the server's clock, and by how much it may be wrong (K14). It
// reports false before the first pong.
func (c *Client) ServerTime() (now id.Millis, uncertainty time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ticks := milliseconds(c.ticks())
	e, ok := c.time.at(ticks)
	return id.Millis(math.Floor(ticks + e.offset)), time.Duration(
		e.uncertainty * float64(time.Millisecond),
	), ok
}

// Cut ends the stream as a broken network would, and Run opens another one after d. It does nothing
// if no stream is open. Updates made meanwhile stay pending.
func (c *Client) Cut(d time.Duration) {
	c.mu.Lock()
	s := c.socket
	if s != nil {
		c.cut = &d
		c.state.lost()
	}
	c.mu.Unlock()
	if s != nil {
		s.close()
	}
}

// ForceFull makes the next stream begin with the full state instead of resuming.
func (c *Client) ForceFull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.needsFull = true
}

// Run keeps a stream open and posts updates. It returns when ctx is done, with ctx.Err(), or when
// the server does not want the client back. Then the error wraps ErrClosed or ErrNoDatagrams, or is
// the *Problem that says why. When ctx is done, Run informs the server that the client leaves
// (S14). It must be called only once.
func (c *Client) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var posting sync.WaitGroup
	for _, post := range []func(context.Context) error{c.post, c.postWrites} {
		posting.Go(func() {
			if err := post(ctx); err != nil {
				cancel(err)
			}
		})
	}
	err := c.stream(ctx)
	cancel(err)
	posting.Wait()
	c.lines.Wait()
	return context.Cause(ctx)
}

// ticks returns the time on the client's clock.
func (c *Client) ticks() time.Duration { return time.Since(c.start) }

// milliseconds converts d to the unit of serverTime.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// tell hands one event to Handle.
func (c *Client) tell(e Event) {
	c.handling.Lock()
	defer c.handling.Unlock()
	c.events = append(c.events[:0], e)
	c.handle()
}

// handle hands c.events to Handle. The caller holds handling.
func (c *Client) handle() {
	if c.cfg.Handle == nil {
		return
	}
	for i := range c.events {
		c.cfg.Handle(&c.events[i])
	}
}

// signal wakes a poster, which then looks for something to post.
func signal(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

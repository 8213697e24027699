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

// Config is what a client is made with. Server and Seat are required.
type Config struct {
	Server *Server
	Seat   Seat
	// Client names this life of the program; zero draws one. A program that stores the sequence it has reached
	// might go on under its old name; this package does not, so a name is used once.
	Client id.Client
	// Transport is by what streams come.
	Transport Transport
	// Socket opens a socket of UDP for datagrams; nil: one at any port.
	Socket func() (net.PacketConn, error)
	// Handle, if not nil, is told what happens, in order, from one goroutine. It may call the client's methods.
	// While it runs nothing else is read. The event is only lent.
	Handle func(*Event)
}

// Client is one life of a program at a table. Its methods are safe for concurrent use. They do not wait for the network,
// but for Run, and for Carry, Point and SetAway, which wait until the stream takes what they say.
type Client struct {
	// Set at construction.
	cfg     Config
	id      id.Client
	start   time.Time     // of the client's clock
	wake    chan struct{} // capacity 1: one pending wake-up is enough
	written chan struct{} // the same, for writes to components

	// Owned by the goroutine that opens streams.
	attempts uint64
	choosing choosing
	wasWhole bool // the stream that has ended, or is open

	lines sync.WaitGroup // what streams by datagrams leave behind for a moment

	mu sync.Mutex
	// Guarded by mu.
	state  viewState
	socket *socket        // nil while there is no stream
	time   serverTime     // what pongs have told
	asked  pings          // that wait for their pong
	cut    *time.Duration // the stream is being cut, and the next one to be opened after so long
	away   bool           // what SetAway has said last
	// Of components, for whose answers somebody waits.
	questions []*question

	handling sync.Mutex // held while Handle runs: the reader and the poster both tell
	// Guarded by handling.
	events []Event // storage that is used again
}

// New returns a client that Run brings to its table.
func New(cfg Config) (*Client, error) {
	if cfg.Server == nil || cfg.Seat.Token == "" {
		return nil, errors.New("a client needs a server and a seat")
	}
	c := &Client{cfg: cfg, id: cfg.Client, start: time.Now(), wake: make(chan struct{}, 1), written: make(chan struct{}, 1)}
	for c.id == (id.Client{}) {
		if _, err := rand.Read(c.id[:]); err != nil {
			return nil, fmt.Errorf("draw client id: %w", err)
		}
	}
	return c, nil
}

// Do changes the table: it numbers and tags u, shows it at once (T9) and posts it as soon as the request before
// it is through and there is a stream. Seq and Tag of u are ignored. Its outcome comes as an event. The errors are
// ErrNotWhole, ErrGone, ErrLoose and ErrTooMany: then nothing has happened.
func (c *Client) Do(u table.Update) (id.ClientSeq, error) {
	c.mu.Lock()
	seq, err := c.state.note(u)
	c.mu.Unlock()
	if err == nil {
		signal(c.wake)
	}
	return seq, err
}

// Piece returns a piece as the client displays it: its own updates that are outstanding lie over what is recorded.
func (c *Client) Piece(name id.Piece) (table.Shown, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.shown(name)
}

// Who returns a seat of the table as others see it.
func (c *Client) Who(seat id.Seat) (SeatInfo, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.state.seats[seat]
	return s, ok
}

// View returns all that the client displays. It is zero before the first Whole.
func (c *Client) View() View {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.view()
}

// Mark returns up to where the view is complete (S4).
func (c *Client) Mark() id.Mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.mark
}

// Outstanding returns how many updates wait for their outcome.
func (c *Client) Outstanding() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.state.notes)
}

// ServerTime returns what the server's clock shows, and by how much that may be wrong (K14). It reports false before the
// first pong.
func (c *Client) ServerTime() (now id.Millis, uncertainty time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ticks := milliseconds(c.ticks())
	e, ok := c.time.at(ticks)
	return id.Millis(math.Floor(ticks + e.offset)), time.Duration(e.uncertainty * float64(time.Millisecond)), ok
}

// Cut ends the stream, if there is one, as a network does that goes away; Run opens another one after d. What is done
// meanwhile waits.
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

// Forget lets the next stream begin with the full state, not where this one ends.
func (c *Client) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.unsure = true
}

// Run keeps a stream open and posts updates until ctx is done, or until the server does not want the client
// back: the error wraps ErrClosed, or is the *Problem that says why. It returns ctx.Err() otherwise. It is
// called once. The server is told that the client leaves (S14).
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

// ticks returns what the client's clock shows.
func (c *Client) ticks() time.Duration { return time.Since(c.start) }

// milliseconds is how serverTime counts.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// tell tells one event.
func (c *Client) tell(e Event) {
	c.handling.Lock()
	defer c.handling.Unlock()
	c.events = append(c.events[:0], e)
	c.handle()
}

// handle hands the events over. The caller holds handling.
func (c *Client) handle() {
	if c.cfg.Handle == nil {
		return
	}
	for i := range c.events {
		c.cfg.Handle(&c.events[i])
	}
}

// signal lets somebody look for what is to be posted.
func signal(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"holt/server/id"
	"holt/server/table"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// Config is what a client is made with. Server and Seat are required.
type Config struct {
	Server *Server
	Seat   Seat
	// Client names this life of the program; zero draws one. A program that stores the sequence it has reached
	// might go on under its old name; this package does not, so a name is used once.
	Client id.Client
	// Handle, if not nil, is told what happens, in order, from one goroutine. It may call the client's methods.
	// While it runs nothing else is read. The event is only lent.
	Handle func(*Event)
}

// Client is one life of a program at a table. Its methods are safe for concurrent use; they do not wait for the
// network, Run apart.
type Client struct {
	// Set at construction.
	cfg  Config
	id   id.Client
	wake chan struct{} // capacity 1: one pending wake-up is enough

	mu sync.Mutex
	// Guarded by mu.
	replica replica
	socket  *socket // nil while there is no stream

	handling sync.Mutex // held while Handle runs: the reader and the poster both tell
	// Guarded by handling.
	events []Event // storage that is used again
}

// New returns a client that Run brings to its table.
func New(cfg Config) (*Client, error) {
	if cfg.Server == nil || cfg.Seat.Token == "" {
		return nil, errors.New("a client needs a server and a seat")
	}
	c := &Client{cfg: cfg, id: cfg.Client, wake: make(chan struct{}, 1)}
	for c.id == (id.Client{}) {
		if _, err := rand.Read(c.id[:]); err != nil {
			return nil, fmt.Errorf("draw client id: %w", err)
		}
	}
	return c, nil
}

// Do changes the table: it numbers and tags u, shows it at once (T9) and posts it as soon as the request before
// it is through. Seq and Tag of u are ignored. Its outcome comes as an event. The errors are ErrNotWhole, ErrGone,
// ErrLoose and ErrTooMany: then nothing has happened.
func (c *Client) Do(u table.Update) (id.ClientSeq, error) {
	c.mu.Lock()
	seq, err := c.replica.note(u)
	c.mu.Unlock()
	if err == nil {
		c.signal()
	}
	return seq, err
}

// Piece returns a piece as the client displays it: its own updates that are outstanding lie over what is recorded.
func (c *Client) Piece(name id.Piece) (table.Shown, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.replica.shown(name)
}

// View returns all that the client displays. It is zero before the first Whole.
func (c *Client) View() View {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.replica.view()
}

// Outstanding returns how many updates wait for their outcome.
func (c *Client) Outstanding() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.replica.notes)
}

// Cut ends the stream, as a broken network would. Run opens another one.
func (c *Client) Cut() {
	c.mu.Lock()
	s := c.socket
	c.mu.Unlock()
	if s != nil {
		s.close()
	}
}

// Run keeps a stream open and posts updates until ctx is done, or until the server does not want the client
// back: the error wraps ErrClosed, or is the *Problem that says why. It returns ctx.Err() otherwise. It is
// called once.
func (c *Client) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var posting sync.WaitGroup
	posting.Go(func() {
		if err := c.post(ctx); err != nil {
			cancel(err)
		}
	})
	err := c.stream(ctx)
	cancel(err)
	posting.Wait()
	return context.Cause(ctx)
}

// Delays between attempts (S6).
const (
	firstDelay = 250 * time.Millisecond
	lastDelay  = 10 * time.Second
)

// drawn returns a random delay between half of d and all of it.
func drawn(d time.Duration) time.Duration { return d/2 + mathrand.N(d/2+1) } //nolint:gosec // no secret

// pause waits for d. It reports false if ctx is done.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// stream opens one stream after another.
func (c *Client) stream(ctx context.Context) error {
	delay := firstDelay
	for {
		wait, err := c.attempt(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			return errors.New("a stream has ended without a reason")
		case !comesBack(err):
			return err
		case wait >= 0: // it was open
			delay = firstDelay
		}
		c.tell(Event{Kind: Lost, Err: err})
		if !pause(ctx, max(wait, drawn(delay))) {
			return ctx.Err()
		}
		delay = min(2*delay, lastDelay)
	}
}

// comesBack reports whether another attempt may succeed where one has ended with err.
func comesBack(err error) bool {
	var p *Problem
	if errors.As(err, &p) {
		return p.Status == http.StatusTooManyRequests || p.Status >= http.StatusInternalServerError
	}
	return !errors.Is(err, ErrClosed)
}

// attempt opens one stream and reads it to its end. wait is how long the server has asked to wait before the next
// one, -1 if the stream could not be opened.
func (c *Client) attempt(ctx context.Context) (wait time.Duration, err error) {
	s, err := dial(ctx, c.cfg.Server.http, c.address(), c.cfg.Seat.Token)
	if err != nil {
		var p *Problem
		if errors.As(err, &p) && p.RetryAfter > 0 {
			return p.RetryAfter, err
		}
		return -1, err
	}
	c.attach(s)
	stop := context.AfterFunc(ctx, s.close)
	defer func() {
		stop()
		c.attach(nil)
		s.close()
	}()
	c.tell(Event{Kind: Opened})
	return c.read(ctx, s)
}

// address is where the stream is, with what the server needs to know (S1).
func (c *Client) address() string {
	c.mu.Lock()
	seq := c.replica.lowest()
	c.mu.Unlock()
	query := url.Values{"client": {c.id.String()}}
	if seq > 0 {
		query.Set("seq", strconv.FormatUint(uint64(seq), 10))
	}
	u := c.cfg.Server.base.JoinPath("api/v1/tables", c.cfg.Seat.Table, "stream")
	u.RawQuery = query.Encode()
	return u.String()
}

func (c *Client) attach(s *socket) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.socket = s
}

// read processes frames until the stream ends.
func (c *Client) read(ctx context.Context, s *socket) (wait time.Duration, err error) {
	for {
		msg, err := s.read(ctx)
		if err != nil {
			if gone := final(err); gone != nil {
				err = gone
			}
			return wait, err
		}
		f, err := wire.DecodeFrame(msg)
		if err != nil {
			return wait, err
		}
		for _, e := range f.GetEvents() {
			if g, ok := e.GetEvent().(*holtpb.Event_Going); ok {
				wait = time.Duration(g.Going.GetAfterMs()) * time.Millisecond
				if g.Going.GetFinal() {
					return wait, fmt.Errorf("%w: the table is closed", ErrClosed)
				}
			}
		}
		if c.frame(f, size(len(msg))) {
			if err := s.resync(ctx); err != nil {
				return wait, err
			}
		}
	}
}

// frame processes a frame and tells what was in it. It reports whether the full state must be asked for.
func (c *Client) frame(f *holtpb.Frame, bytes int) (resync bool) {
	c.handling.Lock()
	defer c.handling.Unlock()
	c.events = append(c.events[:0], Event{Kind: Received, Bytes: bytes})
	c.mu.Lock()
	c.events = c.replica.frame(f, c.events)
	resync, c.replica.resync = c.replica.resync, false
	c.mu.Unlock()
	c.signal() // what had to wait for the full state
	c.handle()
	return resync
}

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

func (c *Client) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

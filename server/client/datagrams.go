package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
	"holt/server/transport/endpoint"
	"holt/server/transport/framing"
)

// datagrams is a line that is a connection by datagrams.
type datagrams struct {
	// Set at construction.
	conn    *endpoint.Conn
	frames  chan arrival  // when it is full nothing is taken from the network, and what is lost by that is sent again
	over    chan struct{} // closed when the connection has ended
	dropped chan struct{} // closed by drop
	drops   sync.Once

	joiner framing.Joiner // of the goroutine that executes
	err    error          // why it has ended; set before over is closed

	last depgraph.Handle // of the last guaranteed message up; of who uses the connection
}

// arrival is a frame with how many bytes it had on its way.
type arrival struct {
	frame []byte
	bytes int
}

// usualHeader is how many bytes of header a message has, usually (D23).
const usualHeader = 3

// Keepalives (D29), and how long such a line may be silent before it counts as broken.
const (
	quickKeepalive = 500 * time.Millisecond // where WebSocket is at hand
	quickSilence   = 1500 * time.Millisecond
	slowKeepalive  = 5 * time.Second
	slowSilence    = slowKeepalive + quickSilence
)

// dialDatagrams opens the next stream (D30), by QUIC or, if Config says so, by plain UDP.
func (c *Client) dialDatagrams(ctx context.Context) (line, error) {
	o, err := c.offered(ctx)
	if err != nil {
		return nil, fmt.Errorf("open stream: %w", err)
	}
	way, err := o.dialer.Reach(ctx, o.to)
	if err != nil {
		return nil, fmt.Errorf("open stream: %w", err)
	}
	return c.enter(ctx, o, way)
}

// ticket is what a stream by datagrams is opened with.
type ticket struct {
	dialer endpoint.Dialer
	to     endpoint.Target
	text   string
}

// offered asks for a ticket. The error wraps ErrNoDatagrams if there are none.
func (c *Client) offered(ctx context.Context) (*ticket, error) {
	o, err := c.cfg.Server.ticket(ctx, c.cfg.Seat)
	if err != nil {
		return nil, err
	}
	t := &ticket{
		dialer: endpoint.Dialer{Keepalive: slowKeepalive, Socket: c.cfg.Socket},
		to:     endpoint.Target{Network: endpoint.QUIC, Address: o.QUIC, Hashes: o.Hashes}, text: o.Ticket,
	}
	switch c.cfg.Transport {
	case PlainUDP:
		t.to = endpoint.Target{Network: endpoint.Plain, Address: o.UDP}
	case Auto:
		t.dialer.Keepalive = quickKeepalive
	case WebSocket, Datagrams:
	}
	if t.to.Address == "" {
		return nil, fmt.Errorf("%w by %s", ErrNoDatagrams, t.to.Network)
	}
	return t, nil
}

// enter opens the next stream on a way to the server.
func (c *Client) enter(ctx context.Context, t *ticket, way *endpoint.Way) (line, error) {
	d := &datagrams{frames: make(chan arrival, 64), over: make(chan struct{}), dropped: make(chan struct{})}
	var err error
	d.conn, err = way.Open(ctx, "ticket="+url.QueryEscape(t.text)+"&"+c.query().Encode(), endpoint.Handlers{Execute: d.execute, Ended: d.ended})
	if err != nil {
		return nil, fmt.Errorf("open stream: %w", refusal(err))
	}
	c.lines.Go(func() {
		c.watch(context.WithoutCancel(ctx), &t.dialer, t.to, d)
		d.conn.Wait()
	})
	return d, nil
}

// refusal returns the problem that a server has said (D29), if it has.
func refusal(err error) error {
	var said *connection.CloseError
	if !errors.As(err, &said) || !said.Remote || said.Code != connection.CodeRefused {
		return err
	}
	p := &Problem{Status: http.StatusForbidden, Code: said.Reason, Title: "The stream was refused"}
	switch said.Reason {
	case "busy", "stopping", "storage", "no-seat": // the last is a ticket that came too late: that there is a seat was known when it was given
		p.Status = http.StatusServiceUnavailable
	case "too-fast":
		p.Status = http.StatusTooManyRequests
	}
	return p
}

// watch looks whether the line is silent until it has ended. Where WebSocket is at hand it is given up then (D38); else it is tried to
// go on by another path (D21), for as long as the connection is kept.
func (c *Client) watch(ctx context.Context, dialer *endpoint.Dialer, to endpoint.Target, d *datagrams) {
	limit := slowSilence
	if c.cfg.Transport == Auto {
		limit = quickSilence
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-d.conn.Gone():
			return
		case <-timer.C:
		}
		left := limit - d.conn.Silent()
		switch {
		case left > 0:
		case c.cfg.Transport == Auto:
			d.conn.Close(connection.CodeSilent, "nothing was heard")
			left = limit
		default:
			soon, cancel := context.WithTimeout(ctx, quickSilence)
			var said *connection.CloseError
			if err := dialer.Resume(soon, d.conn, to); errors.As(err, &said) { // the server knows nothing of it; else the next attempt may succeed
				d.conn.Close(connection.CodeSilent, "there is nothing to resume")
			}
			cancel()
			left = quickSilence
		}
		timer.Reset(left)
	}
}

// execute takes a message that has been executed.
func (d *datagrams) execute(m endpoint.Message) error {
	var frame []byte
	var err error
	if m.Guaranteed {
		frame, err = d.joiner.Message(m.Number, m.Bytes)
	} else {
		frame, err = d.joiner.Loose(m.Bytes)
	}
	if err != nil || frame == nil {
		return err
	}
	select {
	case d.frames <- arrival{frame, len(m.Bytes) + usualHeader}:
	case <-d.dropped:
	}
	return nil
}

// ended takes why the connection has ended.
func (d *datagrams) ended(err *connection.CloseError) {
	d.err = err
	if err.Remote {
		d.err = &closedError{code: int(err.Code), reason: err.Reason}
	}
	close(d.over)
}

func (d *datagrams) read(ctx context.Context) (frame []byte, bytes int, err error) {
	select {
	case a := <-d.frames:
		return a.frame, a.bytes, nil
	default:
	}
	select {
	case a := <-d.frames:
		return a.frame, a.bytes, nil
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	case <-d.over:
	}
	select { // what came before the end
	case a := <-d.frames:
		return a.frame, a.bytes, nil
	default:
		return nil, 0, d.err
	}
}

// The keys of unguaranteed messages up (D36).
const (
	keyMotion = 1
	keyCursor = 2
	keyPing   = 3
)

// maxMotion is how many pieces one unguaranteed message tells of, so that it fits into a packet.
const maxMotion = 50

func (d *datagrams) say(ctx context.Context, up *holtpb.Up) error {
	switch m := up.GetUp().(type) {
	case *holtpb.Up_Motion:
		if len(m.Motion.GetPieces()) > maxMotion {
			return d.sayParts(ctx, m.Motion)
		}
		return d.sayLoose(keyMotion, up)
	case *holtpb.Up_Cursor:
		return d.sayLoose(keyCursor, up)
	case *holtpb.Up_Ping:
		return d.sayLoose(keyPing, up)
	default:
		return d.sayBehind(ctx, up)
	}
}

// sayParts says motion of many pieces in several messages. They have no key: none takes the place of another.
func (d *datagrams) sayParts(ctx context.Context, m *holtpb.Motion) error {
	for n := len(m.GetPieces()); n > 0; n = len(m.GetPieces()) {
		n = min(n, maxMotion)
		part := &holtpb.Motion{At: m.At, Pieces: m.Pieces[:n], X: m.X[:n], Y: m.Y[:n]}
		m = &holtpb.Motion{At: m.At, Pieces: m.Pieces[n:], X: m.X[n:], Y: m.Y[n:]}
		if err := d.sayLoose(0, &holtpb.Up{Up: &holtpb.Up_Motion{Motion: part}}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// sayLoose says something that is of no use later.
func (d *datagrams) sayLoose(key uint32, up *holtpb.Up) error {
	return d.use(up, func(core *connection.Conn, now time.Duration, msg []byte) error {
		return core.SendLoose(now, key, msg, nil)
	})
}

// sayBehind says something behind all that was said so before (D36).
func (d *datagrams) sayBehind(ctx context.Context, up *holtpb.Up) error {
	ctx, cancel := context.WithTimeout(ctx, sayTimeout)
	defer cancel()
	for {
		changed := d.conn.Changed()
		err := d.use(up, func(core *connection.Conn, now time.Duration, msg []byte) error {
			var deps []*depgraph.Handle
			if d.last != (depgraph.Handle{}) {
				deps = []*depgraph.Handle{&d.last}
			}
			var h depgraph.Handle
			err := core.Send(now, msg, deps, &h)
			if err == nil {
				d.last = h
			}
			return err
		})
		if !errors.Is(err, depgraph.ErrWindow) {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("send message: %w", ctx.Err())
		}
	}
}

// use encodes a message and lets send give it to the connection.
func (d *datagrams) use(up *holtpb.Up, send func(core *connection.Conn, now time.Duration, msg []byte) error) error {
	msg, err := wire.EncodeUp(up)
	if err != nil {
		return err
	}
	var fault error
	err = d.conn.Use(func(core *connection.Conn, now time.Duration) { fault = send(core, now, msg) })
	if err = errors.Join(err, fault); err != nil {
		return fmt.Errorf("send message: %w", err)
	}
	return nil
}

func (d *datagrams) drop() {
	d.drops.Do(func() { close(d.dropped) })
	d.conn.Close(connection.CodeSilent, "given up") // if it is over already, nothing happens
}

// leaveTimeout bounds the wait for the server's answer.
const leaveTimeout = 5 * time.Second

func (d *datagrams) leave() {
	d.conn.Close(connection.CodeDone, "")
	timer := time.NewTimer(leaveTimeout)
	defer timer.Stop()
	select {
	case <-d.conn.Gone():
	case <-timer.C:
	}
}

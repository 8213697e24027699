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

// datagrams is a line over a datagram connection.
type datagrams struct {
	// Set at construction.
	conn *endpoint.Conn
	// When it is full, the client takes nothing from the network. The server retransmits what is
	// lost by that.
	frames  chan arrival
	over    chan struct{} // closed when the connection has ended
	dropped chan struct{} // closed by drop
	drops   sync.Once

	joiner framing.Joiner // owned by the goroutine that executes
	err    error          // why the connection ended; set before over is closed

	updates bool // the server takes updates on it (D39)

	// The last guaranteed message to the server that was not updates; nil before the first one. Only
	// used within conn.Use.
	last *depgraph.Handle
}

// arrival is a frame with its size in bytes on the network.
type arrival struct {
	frame []byte
	bytes int
}

// usualHeader is the usual size of a message's header in bytes (D23).
const usualHeader = 3

// Keepalives (D29), and how long a line may be silent before it counts as broken.
const (
	quickKeepalive = 500 * time.Millisecond // if the client can fall back to a WebSocket
	quickSilence   = 1500 * time.Millisecond
	slowKeepalive  = 5 * time.Second
	slowSilence    = slowKeepalive + quickSilence
)

// dialDatagrams opens the next stream (D30) by QUIC or, if Config says so, by plain UDP.
func (c *Client) dialDatagrams(ctx context.Context) (transportStream, error) {
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

// ticket opens one stream by datagrams.
type ticket struct {
	dialer endpoint.Dialer
	to     endpoint.Target
	text   string
	// updates says that the server takes updates on the stream (D39).
	updates bool
}

// offered asks the server for a ticket. The error wraps ErrNoDatagrams if the server has no
// datagram transport of the wanted kind.
func (c *Client) offered(ctx context.Context) (*ticket, error) {
	o, err := c.cfg.Server.ticket(ctx, c.cfg.Seat)
	if err != nil {
		return nil, err
	}
	t := &ticket{
		dialer: endpoint.Dialer{Keepalive: slowKeepalive, Socket: c.cfg.Socket},
		to:     endpoint.Target{Network: endpoint.QUIC, Address: o.QUIC, Hashes: o.Hashes},
		text:   o.Ticket, updates: o.Updates,
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

// enter opens the next stream over way.
func (c *Client) enter(
	ctx context.Context, t *ticket, way *endpoint.OpenPath,
) (transportStream, error) {
	d := &datagrams{
		frames: make(chan arrival, 64), over: make(chan struct{}), dropped: make(chan struct{}),
		updates: t.updates,
	}
	var err error
	d.conn, err = way.Open(
		ctx, "ticket="+url.QueryEscape(t.text)+"&"+c.query().Encode(),
		endpoint.Handlers{Execute: d.execute, Ended: d.ended},
	)
	if err != nil {
		return nil, fmt.Errorf("open stream: %w", refusal(err))
	}
	c.lines.Go(func() {
		c.watch(context.WithoutCancel(ctx), &t.dialer, t.to, d)
		d.conn.Wait()
	})
	return d, nil
}

// refusal converts the reason with which a server refused a connection (D29) to a *Problem.
func refusal(err error) error {
	var said *connection.CloseError
	if !errors.As(err, &said) || !said.Remote || said.Code != connection.CodeRefused {
		return err
	}
	p := &Problem{Status: http.StatusForbidden, Code: said.Reason, Title: "The stream was refused"}
	switch said.Reason {
	// "no-seat" means here that the ticket came too late: the seat existed when the ticket was
	// issued.
	case "busy", "stopping", "storage", "no-seat":
		p.Status = http.StatusServiceUnavailable
	case "too-fast":
		p.Status = http.StatusTooManyRequests
	}
	return p
}

// watch checks until the connection has ended whether it is silent. If the client can fall back to
// a WebSocket, watch then closes the connection (D38). Otherwise it tries to resume it over another
// path (D21), as long as the connection is kept.
func (c *Client) watch(
	ctx context.Context, dialer *endpoint.Dialer, to endpoint.Target, d *datagrams,
) {
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
			// A close means that the server does not know the connection. After other errors the
			// next attempt may succeed.
			if err := dialer.Resume(soon, d.conn, to); errors.As(err, &said) {
				d.conn.Close(connection.CodeSilent, "there is nothing to resume")
			}
			cancel()
			left = quickSilence
		}
		timer.Reset(left)
	}
}

// execute receives a message in the order of its dependencies.
func (d *datagrams) execute(m endpoint.Message) error {
	var frame []byte
	var err error
	if m.Guaranteed {
		frame, err = d.joiner.Message(m.Number, m.Bytes)
	} else {
		frame, err = d.joiner.Unguaranteed(m.Bytes)
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

// ended receives why the connection has ended.
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
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	case <-d.over:
	}
	select { // frames that came before the end
	case a := <-d.frames:
		return a.frame, a.bytes, nil
	default:
		return nil, 0, d.err
	}
}

// The keys of unguaranteed messages to the server (D36).
const (
	keyMotion = 1
	keyCursor = 2
	keyPing   = 3
)

// maxMotion is how many pieces one unguaranteed message names, so that it fits into a packet.
const maxMotion = 50

func (d *datagrams) say(ctx context.Context, up *holtpb.Up) error {
	switch m := up.GetUp().(type) {
	case *holtpb.Up_Motion:
		if len(m.Motion.GetPieces()) > maxMotion {
			return d.sayParts(ctx, m.Motion)
		}
		return d.sendUnguaranteed(keyMotion, up)
	case *holtpb.Up_Cursor:
		return d.sendUnguaranteed(keyCursor, up)
	case *holtpb.Up_Ping:
		return d.sendUnguaranteed(keyPing, up)
	default:
		return d.sendOrdered(ctx, up)
	}
}

// sayParts sends motion of many pieces in several messages. They have no key, so that none replaces
// another.
func (d *datagrams) sayParts(ctx context.Context, m *holtpb.Motion) error {
	for n := len(m.GetPieces()); n > 0; n = len(m.GetPieces()) {
		n = min(n, maxMotion)
		part := &holtpb.Motion{At: m.At, Pieces: m.Pieces[:n], X: m.X[:n], Y: m.Y[:n]}
		m = &holtpb.Motion{At: m.At, Pieces: m.Pieces[n:], X: m.X[n:], Y: m.Y[n:]}
		if err := d.sendUnguaranteed(0, &holtpb.Up{Up: &holtpb.Up_Motion{Motion: part}}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// sendUnguaranteed sends an unguaranteed message. One with the same key that is not sent yet is
// replaced.
func (d *datagrams) sendUnguaranteed(key uint32, up *holtpb.Up) error {
	return d.use(up, func(core *connection.Conn, now time.Duration, msg []byte) error {
		return core.SendUnguaranteed(now, key, msg, nil)
	})
}

// sendOrdered sends a guaranteed message, ordered after all that sendOrdered sent before (D36).
func (d *datagrams) sendOrdered(ctx context.Context, up *holtpb.Up) error {
	ctx, cancel := context.WithTimeout(ctx, sayTimeout)
	defer cancel()
	for {
		changed := d.conn.Changed()
		err := d.use(up, func(core *connection.Conn, now time.Duration, msg []byte) error {
			h := new(depgraph.Handle)
			err := core.Send(now, msg, []*depgraph.Handle{d.last}, h)
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

// use encodes a message and lets send pass it to the connection.
func (d *datagrams) use(
	up *holtpb.Up, send func(core *connection.Conn, now time.Duration, msg []byte) error,
) error {
	msg, err := wire.EncodeUp(up)
	if err != nil {
		return err
	}
	var fault error
	err = d.conn.Use(func(core *connection.Conn, now time.Duration) {
		fault = send(core, now, msg)
	})
	if err = errors.Join(err, fault); err != nil {
		return fmt.Errorf("send message: %w", err)
	}
	return nil
}

func (d *datagrams) drop() {
	d.drops.Do(func() { close(d.dropped) })
	d.conn.Close(connection.CodeSilent, "given up") // does nothing if it has ended already
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

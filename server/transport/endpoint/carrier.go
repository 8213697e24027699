package endpoint

import (
	"context"
	"errors"
	"fmt"
	"time"

	"holt/server/tables/stream"
	"holt/server/transport/connection"
	"holt/server/transport/framing"
)

// Bounds of what a carrier keeps for its client (S7), and of how long the client may acknowledge
// nothing.
const (
	maxUnacknowledged = 256 << 10 // bytes; what exceeds them waits in the stream's outbox
	stallTimeout      = 30 * time.Second
)

// carrier carries a stream over a connection: frames to the client, cut into messages (D31), and
// messages from the client (D36).
type carrier struct {
	// Set at construction.
	conn *Conn
	// Set before the connection has a path.
	client *stream.Stream

	// Owned by the goroutine that writes.
	splitter *framing.Splitter
}

var _ stream.Carrier = (*carrier)(nil)

// errStalled ends a client that acknowledges nothing (S7).
var errStalled = errors.New("the client acknowledges nothing")

// Write gives frames to the connection. It waits until the connection has taken them all. It fails
// with errStalled when the client has acknowledged nothing for 30 s.
func (c *carrier) Write(ctx context.Context, frames [][]byte) error {
	stalled := time.NewTimer(stallTimeout)
	defer stalled.Stop()
	for floor := uint64(0); ; {
		changed := c.conn.Changed()
		var fault error
		err := c.conn.Use(func(core *connection.Conn, now time.Duration) {
			frames, fault = c.give(core, now, frames)
			if at := core.Sender().Floor(); at != floor {
				floor = at
				stalled.Reset(stallTimeout)
			}
		})
		if waiting, _ := c.splitter.Waiting(); err != nil || fault != nil ||
			len(frames) == 0 && waiting == 0 {
			return errors.Join(err, fault)
		}
		select {
		case <-changed:
		case <-stalled.C:
			return errStalled
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// give passes frames to the connection until it takes no more or maxUnacknowledged is reached, and
// returns the other frames.
func (c *carrier) give(
	core *connection.Conn, now time.Duration, frames [][]byte,
) (rest [][]byte, err error) {
	for {
		all, err := c.splitter.Flush(now, core)
		if err != nil || !all || len(frames) == 0 || core.Stats().Waiting >= maxUnacknowledged {
			return frames, err
		}
		if err := c.splitter.Add(frames[0]); err != nil {
			return frames, fmt.Errorf("cut a frame: %w", err)
		}
		frames = frames[1:]
	}
}

// Close ends the connection. If the code is one of good order, what was written before arrives
// first (D29).
func (c *carrier) Close(code stream.Code, reason string) {
	c.conn.Close(connection.Code(code), reason)
}

// execute processes a message of the client. It is a Handlers.Execute.
func (c *carrier) execute(m Message) error {
	switch err := c.client.Receive(m.Bytes); {
	case errors.Is(err, stream.ErrFlood):
		return &connection.CloseError{
			Code: connection.Code(stream.CodeFlood), Reason: "far too many messages",
		}
	case err != nil:
		return &connection.CloseError{
			Code: connection.CodeProtocol, Reason: "not a message of a stream",
		}
	}
	return nil
}

// ended informs the stream that its carrier has ended. It is a Handlers.Ended. A client that closed
// with 1000 or 1001 has left (D29.24).
func (c *carrier) ended(err *connection.CloseError) {
	if err.Remote && (err.Code == connection.CodeDone || err.Code == connection.CodeGoing) {
		c.client.Closed(fmt.Errorf("%w: %w", stream.ErrLeft, err))
		return
	}
	c.client.Closed(err)
}

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

// What a carrier may have waiting for its client (S7), and for how long the client may take nothing of it.
const (
	maxUnacknowledged = 256 << 10 // bytes; what is beyond them waits in the stream's outbox
	stallTimeout      = 30 * time.Second
)

// carrier carries a stream over a connection: frames down, cut into messages (D31), and messages up (D36).
type carrier struct {
	// Set at construction.
	conn *Conn
	// Set before the connection has a path.
	client *stream.Client

	splitter *framing.Splitter // of the goroutine that writes
}

var _ stream.Carrier = (*carrier)(nil)

// errStalled is how a client ends that acknowledges nothing (S7).
var errStalled = errors.New("the client acknowledges nothing")

// Write gives frames to the connection, and waits until it has taken them and not too much of what it has is unacknowledged.
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
		if waiting, _ := c.splitter.Waiting(); err != nil || fault != nil || len(frames) == 0 && waiting == 0 {
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

// give gives the connection as much of the frames as it should take now, and returns the others.
func (c *carrier) give(core *connection.Conn, now time.Duration, frames [][]byte) (rest [][]byte, err error) {
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

// Close ends the connection. In good order what was written before arrives first (D29).
func (c *carrier) Close(code stream.Code, reason string) { c.conn.Close(connection.Code(code), reason) }

// execute takes a message of the client. It is a Handlers.Execute.
func (c *carrier) execute(m Message) error {
	switch err := c.client.Receive(m.Bytes); {
	case errors.Is(err, stream.ErrFlood):
		return &connection.CloseError{Code: connection.Code(stream.CodeFlood), Reason: "far too many messages"}
	case err != nil:
		return &connection.CloseError{Code: connection.CodeProtocol, Reason: "not a message of a stream"}
	}
	return nil
}

// ended tells the stream that its carrier has. It is a Handlers.Ended.
func (c *carrier) ended(err *connection.CloseError) {
	if err.Remote && (err.Code == connection.CodeDone || err.Code == connection.CodeGoing) {
		c.client.Closed(fmt.Errorf("%w: %w", stream.ErrLeft, err))
		return
	}
	c.client.Closed(err)
}

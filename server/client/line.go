package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"holt/server/proto/holtpb"
)

// line carries one stream. One goroutine reads; any may say something.
type line interface {
	// read returns the next frame, and how many bytes it had on its way. An error is final: a *closedError if the server has closed
	// the stream.
	read(ctx context.Context) (frame []byte, bytes int, err error)
	// say sends a message up (S9). It waits for sayTimeout at most.
	say(ctx context.Context, up *holtpb.Up) error
	// drop ends the line as a network does that goes away: the server expects the client back (S11, S14). It does nothing after the
	// first call.
	drop()
	// leave ends it for good, and waits for the server's answer, some seconds at most.
	leave()
}

// sayTimeout bounds the sending of a few bytes up.
const sayTimeout = 5 * time.Second

// socket is one attempt of a stream.
type socket struct {
	line
	over  context.Context //nolint:containedctx // of the stream: done when it has ended
	end   context.CancelFunc
	whole chan struct{} // closed by the reader when the client is whole
}

func newSocket(ctx context.Context, l line) *socket {
	s := &socket{line: l, whole: make(chan struct{})}
	s.over, s.end = context.WithCancel(context.WithoutCancel(ctx))
	return s
}

// during returns a context that is done when the stream has ended, too.
func (s *socket) during(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.over, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// close ends the stream as drop does.
func (s *socket) close() {
	s.end()
	s.drop()
}

// leave ends the stream for good.
func (s *socket) leave() {
	s.line.leave()
	s.close()
}

// closedError is that the server has closed a stream, with a code of stream.md.
type closedError struct {
	code   int
	reason string
}

func (e *closedError) Error() string {
	return fmt.Sprintf("the server has closed the stream: %d %s", e.code, e.reason)
}

// ErrClosed is why a client stops that is not to come back: see its text for the close code (stream.md).
var ErrClosed = errors.New("the server has closed the stream for good")

// The close codes after which something else is to be done than to come back (stream.md, datagram.md).
const (
	closeProtocol    = 1002
	closeNoData      = 1003
	closeFlood       = 1008
	closeTooLarge    = 1009
	closeTakenOver   = 4001
	closeNoSeat      = 4002
	closeTableClosed = 4004
)

// final returns an error that wraps ErrClosed if err is a close after which a client does not come back.
func final(err error) error {
	switch closeCode(err) {
	case closeProtocol, closeNoData, closeTooLarge, closeTakenOver, closeNoSeat, closeTableClosed:
		return fmt.Errorf("%w: %w", ErrClosed, err)
	default:
		return nil
	}
}

// tooFast reports whether a stream was closed because the client said far too much: it comes back slower.
func tooFast(err error) bool { return closeCode(err) == closeFlood }

// closeCode returns with which code a stream was closed, 0 if with none.
func closeCode(err error) int {
	var said *closedError
	if errors.As(err, &said) {
		return said.code
	}
	return 0
}

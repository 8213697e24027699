package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"holt/server/proto/holtpb"
)

// transportStream carries one stream. One goroutine reads. Any goroutine may call say.
type transportStream interface {
	// read returns the next frame, and its size in bytes on the network. An error is final. It is a
	// *closedError if the server closed the stream.
	read(ctx context.Context) (frame []byte, bytes int, err error)
	// say sends a message to the server (S9). It waits for at most sayTimeout.
	say(ctx context.Context, up *holtpb.Up) error
	// drop ends the line as a broken network would: the server expects the client back (S11, S14).
	// Further calls do nothing.
	drop()
	// leave ends the line for good. It waits a few seconds at most for the server's answer.
	leave()
}

// sayTimeout bounds the sending of one short message.
const sayTimeout = 5 * time.Second

// socket is one stream: a line and its lifetime.
type socket struct {
	transportStream
	over         context.Context //nolint:containedctx // of the stream: done when it has ended
	end          context.CancelFunc
	synchronised chan struct{} // closed by the reader when the client is synchronised
}

func newSocket(ctx context.Context, l transportStream) *socket {
	s := &socket{transportStream: l, synchronised: make(chan struct{})}
	s.over, s.end = context.WithCancel(context.WithoutCancel(ctx))
	return s
}

// during returns a context that is also done when the stream has ended.
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
	s.transportStream.leave()
	s.close()
}

// closedError says that the server closed a stream, with a code of stream.md.
type closedError struct {
	code   int
	reason string
}

func (e *closedError) Error() string {
	return fmt.Sprintf("the server has closed the stream: %d %s", e.code, e.reason)
}

// ErrClosed is wrapped by the error of a client that must not come back. The text of the error
// names the close code (stream.md).
var ErrClosed = errors.New("the server has closed the stream for good")

// Close codes to which the client does not respond with a normal retry (stream.md, datagram.md).
const (
	closeProtocol    = 1002
	closeNoData      = 1003
	closeFlood       = 1008
	closeTooLarge    = 1009
	closeTakenOver   = 4001
	closeNoSeat      = 4002
	closeTableClosed = 4004
)

// final returns an error that wraps ErrClosed if the close code in err forbids a retry, else nil.
func final(err error) error {
	switch closeCode(err) {
	case closeProtocol, closeNoData, closeTooLarge, closeTakenOver, closeNoSeat, closeTableClosed:
		return fmt.Errorf("%w: %w", ErrClosed, err)
	default:
		return nil
	}
}

// tooFast reports whether the server closed the stream because the client sent far too much. The
// client then waits longer before the next stream.
func tooFast(err error) bool { return closeCode(err) == closeFlood }

// closeCode returns the close code in err, or 0 if there is none.
func closeCode(err error) int {
	var said *closedError
	if errors.As(err, &said) {
		return said.code
	}
	return 0
}

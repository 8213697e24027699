package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"nhooyr.io/websocket"

	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// This is the only file of the package that knows the WebSocket library.

const (
	subprotocol = "holt.v1"
	// maxMessage bounds a frame: a full table of 10,000 pieces with the longest Z levels fits.
	maxMessage = 16 << 20
	// silence is how long a stream may say nothing (S6).
	silence = 40 * time.Second
	// dialTimeout bounds the opening of a stream.
	dialTimeout = 10 * time.Second
	// writeTimeout bounds the sending of a few bytes up.
	writeTimeout = 5 * time.Second
)

// errSilent is why a stream was given up that had said nothing.
var errSilent = errors.New("the stream has said nothing for too long")

// socket is one attempt of a stream. One goroutine reads.
type socket struct {
	ws    *websocket.Conn
	over  context.Context //nolint:containedctx // of the stream: done when it has ended
	end   context.CancelFunc
	whole chan struct{} // closed by the reader when the client is whole
	// silent fires when nothing has come for too long, and sets gaveUp.
	silent *time.Timer
	gaveUp atomic.Bool
}

// dial opens the stream at address, which is an http or https URL.
func dial(ctx context.Context, hc *http.Client, address, token string) (*socket, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	// A Timeout of hc is for requests; the context bounds this one.
	ws, answer, err := websocket.Dial(ctx, address, &websocket.DialOptions{ //nolint:bodyclose // the library says it need not be closed
		HTTPClient:      &http.Client{Transport: hc.Transport},
		HTTPHeader:      http.Header{"Authorization": {"Bearer " + token}},
		Subprotocols:    []string{subprotocol},
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		if answer != nil && answer.StatusCode != http.StatusSwitchingProtocols {
			err = readProblem(answer)
		}
		return nil, fmt.Errorf("open stream: %w", err)
	}
	ws.SetReadLimit(maxMessage)
	s := &socket{ws: ws, whole: make(chan struct{})}
	s.over, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.silent = time.AfterFunc(silence, func() {
		s.gaveUp.Store(true)
		_ = ws.CloseNow()
	})
	return s, nil
}

// read returns the next message. An error is final.
func (s *socket) read(ctx context.Context) ([]byte, error) {
	kind, msg, err := s.ws.Read(ctx)
	switch {
	case s.gaveUp.Load():
		return nil, errSilent
	case err != nil:
		return nil, err
	case kind != websocket.MessageBinary:
		return nil, errors.New("a text message in the stream")
	}
	s.silent.Reset(silence)
	return msg, nil
}

// size returns how many bytes a message of n bytes has on its way down (RFC 6455, section 5.2).
func size(n int) int {
	switch {
	case n < 126:
		return 2 + n
	case n < 1<<16:
		return 4 + n
	default:
		return 10 + n
	}
}

// say sends a message up (S9). A line that does not take it within writeTimeout is given up.
func (s *socket) say(ctx context.Context, up *holtpb.Up) error {
	msg, err := wire.EncodeUp(up)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if err := s.ws.Write(ctx, websocket.MessageBinary, msg); err != nil {
		return fmt.Errorf("send message: %w", err)
	}
	return nil
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

// close ends the stream as a network does that goes away: the server expects the client back (S11, S14).
func (s *socket) close() {
	s.silent.Stop()
	s.end()
	_ = s.ws.CloseNow()
}

// leave ends the stream for good. It waits for the server's answer, some seconds at most.
func (s *socket) leave() {
	_ = s.ws.Close(websocket.StatusNormalClosure, "")
	s.close()
}

// ErrClosed is why a client stops that is not to come back: see its text for the close code (stream.md).
var ErrClosed = errors.New("the server has closed the stream for good")

// final returns an error that wraps ErrClosed if err is a close after which a client does not come back.
func final(err error) error {
	switch code := websocket.CloseStatus(err); code {
	case 1002, 1003, 1009, 4001, 4002, 4004:
		return fmt.Errorf("%w: %w", ErrClosed, err)
	default:
		return nil
	}
}

// tooFast reports whether a stream was closed because the client said far too much: it comes back slower.
func tooFast(err error) bool { return websocket.CloseStatus(err) == websocket.StatusPolicyViolation }

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
	ws *websocket.Conn
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
	s := &socket{ws: ws}
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

// resync asks for the full state (S9).
func (s *socket) resync(ctx context.Context) error {
	up, err := wire.EncodeUp(wire.ResyncUp())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return s.ws.Write(ctx, websocket.MessageBinary, up)
}

// close ends the stream. The peer is told, but not waited for.
func (s *socket) close() {
	s.silent.Stop()
	_ = s.ws.CloseNow()
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

package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"nhooyr.io/websocket"

	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// This is the only file of the package that knows the WebSocket library.

const (
	subprotocol = "holt.v1"
	// maxMessage bounds a frame. A full table of 10,000 pieces with the longest Z levels fits.
	maxMessage = 16 << 20
	// silence is how long a stream may be silent before the client gives it up (S6).
	silence = 40 * time.Second
	// dialTimeout bounds the opening of a stream.
	dialTimeout = 10 * time.Second
)

// errSilent says that the client gave up a silent stream.
var errSilent = errors.New("the stream has said nothing for too long")

// webSocket is a line over a WebSocket.
type webSocket struct {
	ws *websocket.Conn
	// silent fires after silence without a message. It sets gaveUp and closes the WebSocket.
	silent *time.Timer
	gaveUp atomic.Bool
}

// dialWebSocket opens a stream with the parameters in query (S1).
func (c *Client) dialWebSocket(ctx context.Context, query url.Values) (transportStream, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	u := c.cfg.Server.base.JoinPath("api/v1/tables", c.cfg.Seat.Table, "stream")
	u.RawQuery = query.Encode()
	// The HTTP client's Timeout is for requests. Here the context bounds the handshake only.
	//nolint:bodyclose // the library says that it need not be closed
	ws, answer, err := websocket.Dial(ctx, u.String(), &websocket.DialOptions{
		HTTPClient:      &http.Client{Transport: c.cfg.Server.http.Transport},
		HTTPHeader:      http.Header{"Authorization": {"Bearer " + c.cfg.Seat.Token}},
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
	s := &webSocket{ws: ws}
	s.silent = time.AfterFunc(silence, func() {
		s.gaveUp.Store(true)
		_ = ws.CloseNow()
	})
	return s, nil
}

func (s *webSocket) read(ctx context.Context) (frame []byte, bytes int, err error) {
	kind, frame, err := s.ws.Read(ctx)
	switch {
	case s.gaveUp.Load():
		return nil, 0, errSilent
	case err != nil:
		return nil, 0, closing(err)
	case kind != websocket.MessageBinary:
		return nil, 0, errors.New("a text message in the stream")
	}
	s.silent.Reset(silence)
	return frame, size(len(frame)), nil
}

// size returns the size in bytes of an unmasked message of n bytes with its header (RFC 6455,
// section 5.2).
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

func (s *webSocket) say(ctx context.Context, up *holtpb.Up) error {
	msg, err := wire.EncodeUp(up)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sayTimeout)
	defer cancel()
	if err := s.ws.Write(ctx, websocket.MessageBinary, msg); err != nil {
		return fmt.Errorf("send message: %w", err)
	}
	return nil
}

func (s *webSocket) drop() {
	s.silent.Stop()
	_ = s.ws.CloseNow()
}

func (s *webSocket) leave() { _ = s.ws.Close(websocket.StatusNormalClosure, "") }

// closing converts an error of the library to a *closedError if the server closed the stream.
func closing(err error) error {
	var said websocket.CloseError
	if errors.As(err, &said) {
		return &closedError{code: int(said.Code), reason: said.Reason}
	}
	return err
}

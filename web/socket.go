package web

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"nhooyr.io/websocket"

	"holt/server/stream"
)

// This is the only file that knows the WebSocket library. It does the handshake and reads: pings, pongs,
// close frames, fragments, limits. Data is written by the carrier.

const (
	subprotocol = "holt.v1"
	maxMessage  = 4 << 10 // from a client (S9)

	// A stream at rest keeps its buffers: small ones, a client says little.
	readBuffer  = 512
	writeBuffer = 256 // more than any control frame
)

// checkHandshake reports what is wrong with a request to open a stream (S1), before anything is done for it.
func checkHandshake(r *http.Request) error {
	switch {
	case !hasToken(r.Header, "Connection", "upgrade"), !hasToken(r.Header, "Upgrade", "websocket"):
		return malformed("the stream is a WebSocket: this request does not ask for one")
	case r.Header.Get("Sec-WebSocket-Version") != "13":
		return malformed("Sec-WebSocket-Version is not 13")
	case !hasToken(r.Header, "Sec-WebSocket-Protocol", subprotocol):
		return malformed("Sec-WebSocket-Protocol does not offer " + subprotocol)
	}
	keys := r.Header.Values("Sec-WebSocket-Key")
	if len(keys) != 1 {
		return malformed("Sec-WebSocket-Key has to be there once")
	}
	if key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(keys[0])); err != nil || len(key) != 16 {
		return malformed("Sec-WebSocket-Key is not 16 bytes in base64")
	}
	return nil
}

// hasToken reports whether a header has token in one of its lists.
func hasToken(h http.Header, key, token string) bool {
	for _, list := range h.Values(key) {
		for t := range strings.SplitSeq(list, ",") {
			if strings.EqualFold(strings.TrimSpace(t), token) {
				return true
			}
		}
	}
	return false
}

// socket reads a stream.
type socket struct {
	*carrier
	ws *websocket.Conn
}

// upgrade answers the handshake and takes the connection over from net/http. If it fails nothing has been
// answered, or the connection is gone.
func (c *carrier) upgrade(w http.ResponseWriter, r *http.Request) (*socket, error) {
	h := &hijacker{ResponseWriter: w, line: c.line}
	ws, err := websocket.Accept(h, r, &websocket.AcceptOptions{
		Subprotocols:       []string{subprotocol},
		InsecureSkipVerify: true, // the origin has been checked like that of every other request
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		if h.taken {
			c.line.cut()
		} else {
			c.line.abandon()
		}
		return nil, fmt.Errorf("accept WebSocket: %w", err)
	}
	ws.SetReadLimit(maxMessage)
	return &socket{carrier: c, ws: ws}, nil
}

// hijacker gives the library a connection on which frames keep their turn, with small buffers. The library
// answers its errors by itself, in plain text: all but the upgrade is swallowed.
type hijacker struct {
	http.ResponseWriter
	line  *line
	taken bool
}

// WriteHeader passes the upgrade on.
func (h *hijacker) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		h.ResponseWriter.WriteHeader(status)
	}
}

// Write swallows the texts of errors.
func (h *hijacker) Write(p []byte) (int, error) { return len(p), nil }

// Hijack gives the connection to the line, and the line to the library.
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, err := buffered.Reader.Peek(buffered.Reader.Buffered())
	if err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	h.taken = true
	h.line.connect(conn, append([]byte(nil), early...)) // a copy: early points into the buffer
	return h.line, bufio.NewReadWriter(bufio.NewReaderSize(h.line, readBuffer), bufio.NewWriterSize(h.line, writeBuffer)), nil
}

// run reads until the stream ends, and ends it on both sides. It is the goroutine that owns the connection.
func (s *socket) run(client *stream.Client) {
	s.startKeepalive()
	code, reason, err := s.read(client)
	s.Close(code, reason) // the first call wins: the server may have closed it already
	client.Closed(err)
	s.line.hangUp(uint16(s.code), s.reason)
	s.stopKeepalive()
	_ = s.ws.CloseNow() // the connection is closed: this ends the library's goroutine
}

// codeNone closes without a close frame: there is nobody to read it.
const codeNone stream.Code = 0

// codeUnsupported is what a text message gets (RFC 6455, section 7.4.1).
const codeUnsupported stream.Code = 1003

// read gives messages to client until one is out of order or the connection ends, and says how to close.
func (s *socket) read(client *stream.Client) (stream.Code, string, error) {
	for {
		kind, msg, err := s.ws.Read(context.Background())
		switch {
		case err != nil && (s.line.readError.Load() || websocket.CloseStatus(err) != -1):
			return codeNone, "", err // the network, or the client has closed and the library has answered
		case err != nil:
			return stream.CodeProtocol, "not a WebSocket frame of a client", err
		case kind != websocket.MessageBinary:
			return codeUnsupported, "only binary messages", errors.New("a text message")
		}
		if err := client.Receive(msg); err != nil {
			return stream.CodeProtocol, "not a message of " + subprotocol, err
		}
	}
}

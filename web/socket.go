package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"nhooyr.io/websocket"

	"holt/server/tables/stream"
)

// This is the only file of the edge that uses the WebSocket library, which does the handshake. Then
// the line has the connection: the carrier writes data, and the receiver reads it.

const subprotocol = "holt.v1"

// peerSubprotocol is what servers speak with each other (O33).
const peerSubprotocol = "holt-peer/1"

// checkHandshake reports what is wrong with a request to open a WebSocket, before any work is done
// for it.
func checkHandshake(r *http.Request) error {
	switch {
	case !hasToken(r.Header, "Connection", "upgrade"), !hasToken(r.Header, "Upgrade", "websocket"):
		return malformed("this address is a WebSocket: the request does not ask for one")
	case r.Header.Get("Sec-WebSocket-Version") != "13":
		return malformed("Sec-WebSocket-Version is not 13")
	}
	keys := r.Header.Values("Sec-WebSocket-Key")
	if len(keys) != 1 {
		return malformed("Sec-WebSocket-Key has to be there once")
	}
	if key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(keys[0])); err != nil ||
		len(key) != 16 {
		return malformed("Sec-WebSocket-Key is not 16 bytes in base64")
	}
	return nil
}

// checkSubprotocol returns an error if a request to open a stream does not offer the protocol of
// streams (S1).
func checkSubprotocol(r *http.Request) error {
	if !hasToken(r.Header, "Sec-WebSocket-Protocol", subprotocol) {
		return malformed("Sec-WebSocket-Protocol does not offer " + subprotocol)
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

// upgrade answers the handshake, with the subprotocol if the client offers it, and takes the
// connection over from net/http. If it fails, either nothing has been answered or the connection is
// closed.
func (c *carrier) upgrade(w http.ResponseWriter, r *http.Request, subprotocol string) error {
	h := &hijacker{silentWriter: silentWriter{w}, conn: c.conn}
	ws, err := websocket.Accept(h, r, &websocket.AcceptOptions{
		Subprotocols:       []string{subprotocol},
		InsecureSkipVerify: true, // checkOrigin has checked the origin, as for every other request
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		if h.taken {
			c.conn.cut()
		} else {
			c.conn.abandon()
		}
		return fmt.Errorf("accept WebSocket: %w", err)
	}
	_ = ws.CloseNow() // this ends the library's goroutine; the connection was only lent to it
	return nil
}

// acceptStream answers the handshake of another server, and returns the WebSocket as a stream of
// bytes. If it fails, either nothing has been answered or the connection is gone.
func acceptStream(w http.ResponseWriter, r *http.Request) (net.Conn, error) {
	l := &silentWriter{ResponseWriter: w}
	ws, err := websocket.Accept(l, r, &websocket.AcceptOptions{
		Subprotocols: []string{peerSubprotocol}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, fmt.Errorf("accept WebSocket: %w", err)
	}
	// The stream does not end with the request: its user closes it.
	return &streamConn{
		Conn: websocket.NetConn(context.WithoutCancel(r.Context()), ws, websocket.MessageBinary),
		ws:   ws,
	}, nil
}

// streamConn is a WebSocket as a stream of bytes. It closes without waiting for the other end.
type streamConn struct {
	net.Conn
	ws *websocket.Conn
}

// Close closes the connection.
func (c *streamConn) Close() error { return c.ws.CloseNow() }

// silentWriter drops the texts of the library's errors, and passes the upgrade on.
type silentWriter struct{ http.ResponseWriter }

// WriteHeader drops the status of an error.
func (s *silentWriter) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		s.ResponseWriter.WriteHeader(status)
	}
}

// Write drops the texts of errors.
func (s *silentWriter) Write(p []byte) (int, error) { return len(p), nil }

// Hijack gives the connection to the library.
func (s *silentWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(s.ResponseWriter).Hijack()
}

// hijacker gives the connection to the line.
type hijacker struct {
	silentWriter
	conn  *wsConn
	taken bool
}

// Hijack gives the connection to the line, and a wrapper that cannot close it to the library.
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
	h.conn.connect(conn, bytes.Clone(early)) // a copy: early points into the buffer
	return lent{conn}, buffered, nil
}

// lent is a connection that its user cannot close.
type lent struct{ net.Conn }

// Close does nothing.
func (lent) Close() error { return nil }

// codeNone closes without a close frame: nobody is there to read it.
const codeNone stream.Code = 0

// peer receives what comes up a carrier: a *stream.Stream, or something in front of one.
type peer interface {
	// Receive takes a message. An error closes the carrier. A *violation brings its close code.
	Receive(msg []byte) error
	// Closed says that the carrier has ended.
	Closed(err error)
}

// run reads messages of at most so many bytes until the stream ends, and ends it on both sides. Its
// goroutine owns the connection.
func (c *carrier) run(p peer, most int) {
	c.startKeepalive()
	code, reason, err := c.read(p, most)
	c.Close(code, reason) // the first call wins: the server may have closed it already
	p.Closed(err)
	c.conn.hangUp(uint16(c.code), c.reason)
	c.stopKeepalive()
}

// read gives messages to p until one is a violation or the connection ends, and says how to close.
func (c *carrier) read(p peer, most int) (stream.Code, string, error) {
	r := &receiver{conn: c.conn, most: most}
	for {
		msg, err := r.next()
		var v *violation
		switch {
		case errors.As(err, &v):
			return v.code, v.reason, err
		case err != nil:
			// the network failed, or the client has sent a close frame and was answered
			return codeNone, "", err
		}
		err = p.Receive(msg)
		switch {
		case errors.As(err, &v):
			return v.code, v.reason, err
		case errors.Is(err, stream.ErrFlood):
			return stream.CodeFlood, "far too many messages", err
		case err != nil:
			return stream.CodeProtocol, "not a message of " + subprotocol, err
		}
	}
}

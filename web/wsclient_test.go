package web_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"holt/server/proto/holtpb"
)

// These are opcodes (RFC 6455, section 5.2).
const (
	opContinuation = 0
	opText         = 1
	opBinary       = 2
	opClose        = 8
	opPing         = 9
	opPong         = 10
	fin            = 0x80
)

// wsClient speaks WebSocket byte by byte, so that a test can break the protocol.
type wsClient struct {
	testing.TB
	conn net.Conn
	r    *bufio.Reader
}

// handshake returns the request for a stream.
func handshake(path, host string, h header) string {
	var b strings.Builder
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", path, host)
	for i := 0; i < len(h); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", h[i], h[i+1])
	}
	b.WriteString("\r\n")
	return b.String()
}

// dial requests a stream over conn, and sends early right after the request.
func dial(t testing.TB, conn net.Conn, path string, h header,
	early ...byte) (c *wsClient, status int, subprotocol string) {
	t.Helper()
	c = &wsClient{TB: t, conn: conn, r: bufio.NewReader(conn)}
	h = append(header{"Sec-WebSocket-Protocol", "holt.v1"}, h...)
	c.write(append([]byte(handshake(path, "holt.test", h)), early...))
	res, err := http.ReadResponse(c.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := res.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return c, res.StatusCode, res.Header.Get("Sec-WebSocket-Protocol")
}

const clientID = "q83vEjRWeJCrze8SNFZ4kA"

// stream opens a stream for a seat, and reads its first frame: the full state.
func (s *stack) stream(k seat, client string) *wsClient {
	s.Helper()
	c := s.streamRaw(k, client)
	if full := c.frame().GetEvents()[0].GetFull(); full == nil {
		s.Fatal("S5 the first frame does not begin with the full state")
	}
	return c
}

func (s *stack) streamRaw(k seat, client string) *wsClient {
	s.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	s.must(err)
	c, status, subprotocol := dial(s, conn, k.api("/stream?client="+client), k.bearer())
	if status != http.StatusSwitchingProtocols || subprotocol != "holt.v1" {
		s.Fatalf("no upgrade: %d %q", status, subprotocol)
	}
	return c
}

func (c *wsClient) write(p []byte) {
	c.Helper()
	if _, err := c.conn.Write(p); err != nil {
		c.Fatal(err)
	}
}

// masked makes a frame as clients must.
func masked(first byte, payload []byte) []byte {
	mask := [4]byte{1, 2, 3, 4}
	f := []byte{first}
	switch n := len(payload); {
	case n < 126:
		f = append(f, fin|byte(n))
	case n < 1<<16:
		f = binary.BigEndian.AppendUint16(append(f, fin|126), uint16(n))
	default:
		f = binary.BigEndian.AppendUint64(append(f, fin|127), uint64(n))
	}
	f = append(f, mask[:]...)
	for i, b := range payload {
		f = append(f, b^mask[i%4])
	}
	return f
}

// message reads a frame of the server. It fails the test if the frame is masked or a fragment: the
// server sends neither.
func (c *wsClient) message() (opcode byte, payload []byte) {
	c.Helper()
	opcode, payload, err := c.tryMessage()
	if err != nil {
		c.Fatal(err)
	}
	return opcode, payload
}

func (c *wsClient) tryMessage() (opcode byte, payload []byte, err error) {
	c.Helper()
	var h [2]byte
	if _, err := io.ReadFull(c.r, h[:]); err != nil {
		return 0, nil, err
	}
	if h[0]&0xf0 != fin || h[1]&fin != 0 {
		c.Fatalf("header % x: not whole, or masked", h)
	}
	n := uint64(h[1])
	for _, l := range []struct{ mark, bytes uint64 }{{126, 2}, {127, 8}} {
		if n == l.mark {
			var b [8]byte
			if _, err := io.ReadFull(c.r, b[8-l.bytes:]); err != nil {
				return 0, nil, err
			}
			n = binary.BigEndian.Uint64(b[:])
			break
		}
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(c.r, payload)
	return h[0] & 0xf, payload, err
}

// frame reads the next frame of the stream.
func (c *wsClient) frame() *holtpb.Frame {
	c.Helper()
	op, payload := c.message()
	if op != opBinary {
		c.Fatalf("S3 opcode %d: % x", op, payload)
	}
	return decoded(c, payload)
}

// decoded decodes a frame.
func decoded(t testing.TB, payload []byte) *holtpb.Frame {
	t.Helper()
	f := new(holtpb.Frame)
	if err := proto.Unmarshal(payload, f); err != nil {
		t.Fatal(err)
	}
	return f
}

// ack reads frames until one has an ack.
func (c *wsClient) ack() *holtpb.Ack {
	c.Helper()
	for {
		for _, e := range c.frame().GetEvents() {
			if e.GetAck() != nil {
				return e.GetAck()
			}
		}
	}
}

// control reads until a control frame comes. Frames of the table may come before it.
func (c *wsClient) control() (opcode byte, payload []byte) {
	c.Helper()
	for {
		if opcode, payload = c.message(); opcode != opBinary {
			return opcode, payload
		}
	}
}

// closed reads until the server closes, checks that the connection ends then, and returns the close
// code.
func (c *wsClient) closed() int {
	c.Helper()
	for {
		op, payload := c.message()
		if op != opClose {
			continue
		}
		_, _ = c.conn.Write(masked(fin|opClose, payload)) // the server need not wait for it
		if n, err := c.r.Read(make([]byte, 1)); err == nil {
			c.Fatalf("%d bytes after the close frame", n)
		}
		return int(binary.BigEndian.Uint16(payload))
	}
}

// up encodes a message from a client.
func up(t testing.TB, m *holtpb.Up) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func resync(t testing.TB) []byte {
	return up(t, &holtpb.Up{Up: &holtpb.Up_Resync{Resync: &holtpb.Resync{}}})
}

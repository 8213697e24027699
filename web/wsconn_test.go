package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/tables/stream"
)

// connected returns a carrier and the other end of its connection.
func connected(t testing.TB) (*carrier, net.Conn) {
	t.Helper()
	here, there := net.Pipe()
	c := newCarrier(Keepalive{})
	c.conn.connect(here, nil)
	t.Cleanup(func() {
		_ = here.Close()
		_ = there.Close()
	})
	return c, there
}

// readFrame reads a frame of a server (RFC 6455, section 5.2).
func readFrame(r io.Reader) (first byte, payload []byte, err error) {
	var h [2]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, nil, err
	}
	n := uint64(h[1])
	switch n {
	case len16:
		var b [2]byte
		_, err = io.ReadFull(r, b[:])
		n = uint64(binary.BigEndian.Uint16(b[:]))
	case len64:
		var b [8]byte
		_, err = io.ReadFull(r, b[:])
		n = binary.BigEndian.Uint64(b[:])
	}
	if err != nil {
		return 0, nil, err
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(r, payload)
	return h[0], payload, err
}

func TestWrite(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	var frames [][]byte
	for _, n := range []int{0, 1, 125, 126, 127, 65535, 65536, 65537, 3, chunkSize - maxFrameHeader,
		chunkSize, 1 << 20, 7} {
		f := make([]byte, n)
		_, _ = random.Read(f)
		frames = append(frames, f)
	}
	c, peer := connected(t)
	written := make(chan error, 1) // Write returns once
	go func() { written <- c.Write(t.Context(), frames) }()
	r := bufio.NewReader(peer)
	for i, want := range frames {
		first, got, err := readFrame(r)
		if err != nil || first != finBinary || !bytes.Equal(got, want) {
			t.Fatalf("frame %d of %d bytes: header %x, %d bytes, %v", i, len(want),
				first, len(got), err)
		}
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

// tally is a connection that accepts everything and counts the writes.
type tally struct {
	net.Conn
	writes    int
	deadlines []time.Time
}

func (c *tally) Write(p []byte) (int, error) {
	c.writes++
	return len(p), nil
}

func (c *tally) SetWriteDeadline(t time.Time) error {
	c.deadlines = append(c.deadlines, t)
	return nil
}

func TestWriteCoalesces(t *testing.T) {
	conn := &tally{}
	c := newCarrier(Keepalive{})
	c.conn.connect(conn, nil)
	frames := make([][]byte, 1000)
	for i := range frames {
		frames[i] = make([]byte, 40)
	}
	if err := c.Write(t.Context(), frames); err != nil || conn.writes != 1 {
		t.Errorf("1,000 messages took %d writes (%v), want 1", conn.writes, err)
	}
}

func TestWriteMovesTheDeadlineWhenItHasTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn := &tally{}
		c := newCarrier(Keepalive{})
		c.conn.connect(conn, nil)
		start := time.Now()
		for range 5 { // one every 0.4 s
			if err := c.Write(t.Context(), [][]byte{{1}}); err != nil {
				t.Fatal(err)
			}
			<-time.After(400 * time.Millisecond)
		}
		if !c.ping() {
			t.Fatal("no ping")
		}
		want := []time.Time{start.Add(30 * time.Second), start.Add(31200 * time.Millisecond),
			start.Add(7 * time.Second)}
		if !slices.Equal(conn.deadlines, want) {
			t.Errorf("S7 deadlines %v, want %v", conn.deadlines, want)
		}
	})
}

func TestWriteEnds(t *testing.T) {
	// begin writes a frame of which the peer reads one byte only.
	begin := func(ctx context.Context, c *carrier, peer net.Conn) <-chan error {
		written := make(chan error, 1) // Write returns once
		go func() { written <- c.Write(ctx, [][]byte{make([]byte, 10)}) }()
		if _, err := peer.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		return written
	}
	t.Run("when its context is done", func(t *testing.T) {
		c, peer := connected(t)
		ctx, cancel := context.WithCancel(t.Context())
		written := begin(ctx, c, peer)
		cancel()
		if err := <-written; err == nil {
			t.Error("written, though nobody reads")
		}
		if err := c.Write(t.Context(), [][]byte{{1}}); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a frame after one that was cut off: %v", err)
		}
	})
	t.Run("when the carrier is closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c, peer := connected(t)
			written := begin(t.Context(), c, peer)
			start := time.Now()
			c.Close(stream.CodeTakenOver, "another one")
			c.Close(stream.CodeInternal, "too late")
			if err := <-written; err == nil {
				t.Error("written, though nobody reads")
			}
			if took := time.Since(start); took != closeGrace {
				t.Errorf("after %v", took)
			}
			if c.code != stream.CodeTakenOver {
				t.Errorf("closed with %d", c.code)
			}
		})
	})
	t.Run("when the upgrade fails", func(t *testing.T) {
		c := newCarrier(Keepalive{})
		written := make(chan error, 1) // Write returns once
		go func() { written <- c.Write(t.Context(), [][]byte{{1}}) }()
		c.conn.abandon()
		if err := <-written; !errors.Is(err, errNoConnection) {
			t.Errorf("%v", err)
		}
	})
}

func TestControlFramesWaitTheirTurn(t *testing.T) {
	c, peer := connected(t)
	data := bytes.Repeat([]byte{7}, 100)
	written := make(chan error, 1) // Write returns once
	go func() { written <- c.Write(t.Context(), [][]byte{data}) }()
	r := bufio.NewReaderSize(peer, 16)
	if _, err := r.Peek(2); err != nil { // the frame is under way
		t.Fatal(err)
	}
	if c.ping() {
		t.Error("a ping went out in the middle of a frame")
	}
	for _, pong := range [][]byte{{0x8a, 1, 1}, {0x8a, 1, 2}} {
		c.conn.reply(pong)
	}
	if first, got, err := readFrame(r); first != finBinary || !bytes.Equal(got, data) ||
		err != nil {
		t.Fatalf("header %x, %d bytes, %v", first, len(got), err)
	}
	if first, got, err := readFrame(r); first != 0x8a || !bytes.Equal(got, []byte{2}) ||
		err != nil {
		t.Errorf("then header %x %x (%v), want the latest pong", first, got, err)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

func TestNothingFollowsACloseFrame(t *testing.T) {
	c, peer := connected(t)
	hung := make(chan struct{})
	go func() {
		defer close(hung)
		c.conn.hangUp(4001, "taken over")
	}()
	first, got, err := readFrame(peer)
	if first != finClose || err != nil || binary.BigEndian.Uint16(got) != 4001 ||
		string(got[2:]) != "taken over" {
		t.Errorf("header %x %q, %v", first, got, err)
	}
	<-hung
	if err := c.Write(t.Context(), [][]byte{{1}}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a frame after the close frame: %v", err)
	}
	if _, err := peer.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection: %v", err)
	}
}

func TestCloseReasonFits(t *testing.T) {
	f := appendClose(nil, 1002, string(bytes.Repeat([]byte{'x'}, 200)))
	if len(f) != 2+125 || f[1] != 125 {
		t.Errorf("%d bytes, length %d: a control frame has at most 125", len(f), f[1])
	}
}

func BenchmarkCarrierWrite(b *testing.B) {
	for _, n := range []int{1, 16} {
		frames := make([][]byte, n)
		for i := range frames {
			frames[i] = make([]byte, 40)
		}
		b.Run(fmt.Sprintf("frames=%d", n), func(b *testing.B) {
			c := newCarrier(Keepalive{})
			c.conn.connect(&tally{}, nil)
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Write(b.Context(), frames); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// endless is a connection on which a client sends without end, whatever it receives.
type endless struct {
	tally
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return len(p), nil
}

func (*endless) CloseWrite() error               { return nil }
func (*endless) Close() error                    { return nil }
func (*endless) SetReadDeadline(time.Time) error { return nil }

// TestS9DrainingIsBounded closes the connection of a client that sends without end. Without a bound
// that cost a core for a second.
func TestS9DrainingIsBounded(t *testing.T) {
	conn := &endless{}
	l := newWSConn()
	l.connect(conn, nil)
	l.hangUp(uint16(stream.CodeFlood), "far too many pings or fragments")
	if conn.read < maxDrained || conn.read > 2*maxDrained {
		t.Errorf("%d bytes are read of a client that is hung up on, want about %d",
			conn.read, maxDrained)
	}
}

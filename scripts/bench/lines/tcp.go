package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"holt/scripts/bench/lines/emulator"
)

// watcher sees the packets of TCP that are delivered to the client's host: bytes that have arrived
// there may wait before the client gets them.
type watcher struct {
	bout *bout

	mu sync.Mutex
	// Guarded by mu.
	first uint32 // number of the first byte of the stream
	bytes coverage
}

func watchTCP(b *bout) *watcher { return &watcher{bout: b} }

// sending records that a message follows on the stream.
func (w *watcher) sending(n, size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes.add(n, size)
}

// delivered examines a packet. It ignores packets that are not of TCP.
func (w *watcher) delivered(down bool, packet []byte) {
	const minimum, tcp, syn = 20, 6, 2
	if !down || len(packet) < minimum || packet[9] != tcp {
		return
	}
	size := int(binary.BigEndian.Uint16(packet[2:]))
	header := int(packet[0]&0xf) * 4
	if size > len(packet) || size < header+minimum {
		return
	}
	segment := packet[header:size]
	sequence := binary.BigEndian.Uint32(segment[4:])
	payload := len(segment) - int(segment[12]>>4)*4
	w.mu.Lock()
	defer w.mu.Unlock()
	if segment[13]&syn != 0 {
		w.first = sequence + 1
		return
	}
	//nolint:gosec // numbers wrap
	w.bytes.came(int(int32(sequence-w.first)), payload, w.bout.arrive)
}

// tcpCarrier is a connection of TCP whose messages are framed like those of a WebSocket.
type tcpCarrier struct {
	// Set at construction.
	bout           *bout
	watcher        *watcher
	server, client net.Conn
	frames         chan []byte // it has space for all frames
	running        sync.WaitGroup
}

// openTCP returns a function that opens a connection with a congestion control.
func openTCP(congestion string) func(context.Context, *emulator.Link,
	*bout, *watcher) (carrier, error) {
	return func(ctx context.Context, l *emulator.Link, b *bout, w *watcher) (carrier, error) {
		return connectTCP(ctx, l, b, w, congestion)
	}
}

func connectTCP(ctx context.Context, l *emulator.Link, b *bout, w *watcher,
	congestion string) (carrier, error) {
	listener, err := l.Server.ListenTCP(ctx, congestion)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	defer func() { _ = listener.Close() }()
	client, err := l.Client.DialTCP(ctx, listener.Addr(), congestion)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	server, err := listener.Accept()
	if err != nil {
		_ = client.Close()
		return nil, fmt.Errorf("accept: %w", err)
	}
	c := &tcpCarrier{bout: b, watcher: w, server: server, client: client,
		frames: make(chan []byte, len(b.trace))}
	c.running.Go(c.write)
	c.running.Go(c.read)
	return c, nil
}

// send writes the messages together, as a server does with frames that are ready at the same time.
func (c *tcpCarrier) send(first, end int) {
	var b []byte
	for n := first; n < end; n++ {
		before := len(b)
		b = appendFrame(b, c.bout.message(n))
		c.watcher.sending(n, len(b)-before)
	}
	c.frames <- b
}

func (c *tcpCarrier) write() {
	for b := range c.frames {
		if _, err := c.server.Write(b); err != nil {
			c.bout.breakOff(err)
		}
	}
}

func (c *tcpCarrier) read() {
	r := bufio.NewReader(c.client)
	for {
		m, err := readFrame(r)
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				c.bout.breakOff(err)
			}
			return
		}
		c.bout.execute(m)
	}
}

func (c *tcpCarrier) close() {
	close(c.frames)
	_, _ = c.client.Close(), c.server.Close()
	c.running.Wait()
}

// The first byte of a binary message in one frame, and lengths that say that the length follows in
// 2 or 8 bytes (RFC 6455, section 5.2).
const (
	wholeBinary = 0x82
	length16    = 126
	length64    = 127
)

// appendFrame appends a message as a server sends it.
func appendFrame(b, m []byte) []byte {
	b = append(b, wholeBinary)
	switch {
	case len(m) < length16:
		b = append(b, byte(len(m))) //nolint:gosec // compared
	case len(m) < 1<<16:
		//nolint:gosec // compared
		b = binary.BigEndian.AppendUint16(append(b, length16), uint16(len(m)))
	default:
		b = binary.BigEndian.AppendUint64(append(b, length64), uint64(len(m)))
	}
	return append(b, m...)
}

var errFrame = errors.New("not a frame of a server")

// readFrame reads a frame of appendFrame.
func readFrame(r *bufio.Reader) ([]byte, error) {
	var head [10]byte
	if _, err := io.ReadFull(r, head[:2]); err != nil {
		return nil, err
	}
	if head[0] != wholeBinary {
		return nil, errFrame
	}
	size := uint64(head[1])
	var long int
	switch size {
	case length16:
		long = 2
	case length64:
		long = 8
	}
	if _, err := io.ReadFull(r, head[10-long:]); err != nil {
		return nil, err
	}
	if long > 0 {
		clear(head[2 : 10-long])
		size = binary.BigEndian.Uint64(head[2:])
	}
	if size > 16<<20 {
		return nil, errFrame
	}
	m := make([]byte, size)
	_, err := io.ReadFull(r, m)
	return m, err
}

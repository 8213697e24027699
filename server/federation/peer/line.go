package peer

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/id"
	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
	"holt/server/transport/endpoint"
)

// line is a connection to a host that has proved its key. It passes link frames that come to the
// listener that was named when it was made, from one goroutine at a time. An error of the listener
// ends the line.
type line interface {
	// send sends a link frame. It arrives after the first frame that was sent, and after the last
	// one about the same object; the zero OID means no object. send waits for room. The error says
	// that the line has ended.
	send(about id.OID, frame []byte) error
	// sendUnreliable sends a link frame that may be lost. It does not wait.
	sendUnreliable(frame []byte)
	// close ends the line. Frames that were sent before still go out if that does not take long. It
	// does not wait.
	close(reason string)
	// ended returns a channel that is closed when the line has ended.
	ended() <-chan struct{}
	// silent returns for how long nothing has come.
	silent() time.Duration
	network() string
}

// listener processes the link frames that come on a line.
type listener func(frame []byte) error

// errEnded says that a line has ended.
var errEnded = errors.New("the connection has ended")

// quicLine is a line by datagrams over QUIC (O33).
type quicLine struct {
	// Set at construction.
	conn *endpoint.Conn

	// Owned by the function that endpoint.Conn.Use calls.
	first *depgraph.Handle
	// Of each object, the last message that may not have been executed.
	last map[id.OID]*depgraph.Handle
}

// maxHandles is how many objects there may be before those whose messages have been executed are
// forgotten. The window bounds the messages that have not been executed (D3).
const maxHandles = 4096

func newQUICLine(c *endpoint.Conn) *quicLine {
	return &quicLine{conn: c, last: map[id.OID]*depgraph.Handle{}}
}

// handlers returns handlers that pass what comes to hear.
func (l *quicLine) handlers(hear listener) endpoint.Handlers {
	return endpoint.Handlers{
		Execute: func(m endpoint.Message) error {
			if len(m.Bytes) == 0 {
				return errShort
			}
			return hear(m.Bytes)
		},
		Ended: func(*connection.CloseError) {},
	}
}

func (l *quicLine) send(about id.OID, frame []byte) error {
	for {
		changed := l.conn.Changed()
		var fault error
		err := l.conn.Use(func(core *connection.Conn, now time.Duration) {
			fault = l.give(core, now, about, frame)
		})
		switch {
		case err != nil:
			return errEnded
		case fault == nil:
			return nil
		case !errors.Is(fault, depgraph.ErrWindow):
			l.conn.Close(connection.CodeProtocol, "")
			return fault
		}
		select {
		case <-changed:
		case <-l.conn.Gone():
			return errEnded
		}
	}
}

// give gives a message to the connection. It depends on the first message, and on the last one
// about the same object.
func (l *quicLine) give(
	core *connection.Conn, now time.Duration, about id.OID, frame []byte,
) error {
	h := new(depgraph.Handle)
	if err := core.Send(now, frame, []*depgraph.Handle{l.first, l.last[about]}, h); err != nil {
		return err
	}
	if l.first == nil {
		l.first = h
	}
	if about.IsZero() {
		return nil
	}
	l.last[about] = h
	if len(l.last) > maxHandles {
		for o, h := range l.last {
			if h.Executed() {
				delete(l.last, o)
			}
		}
	}
	return nil
}

func (l *quicLine) sendUnreliable(frame []byte) {
	_ = l.conn.Use(func(core *connection.Conn, now time.Duration) {
		// It may be lost.
		_ = core.SendUnguaranteed(now, uint32(frame[0]), frame, []*depgraph.Handle{l.first})
	})
}

func (l *quicLine) close(reason string) {
	l.conn.Close(connection.CodeDone, reason)
}
func (l *quicLine) ended() <-chan struct{} { return l.conn.Gone() }
func (l *quicLine) silent() time.Duration  { return l.conn.Silent() }
func (l *quicLine) network() string        { return networkQUIC }

// Times of a streamLine.
const (
	pingEvery   = 3 * time.Second
	deadAfter   = 10 * time.Second
	writeWithin = 10 * time.Second
	closeWithin = time.Second
)

// streamLine is a line over a stream of bytes with TLS between two hosts. Each link frame has four
// bytes of length before it.
type streamLine struct {
	// Set at construction.
	conn  *tls.Conn
	done  chan struct{}
	began time.Time
	heard atomic.Int64 // when something last came, since began

	once sync.Once
	// writeLock is held by the goroutine that writes. It is a lock for which virtual time does not
	// stop.
	writeLock chan struct{}
}

func newStreamLine(c *tls.Conn) *streamLine {
	return &streamLine{
		conn: c, done: make(chan struct{}), began: time.Now(), writeLock: make(chan struct{}, 1),
	}
}

// run passes what comes to hear until the line ends, and pings meanwhile. It is the goroutine that
// reads.
func (l *streamLine) run(hear listener) {
	var pinging sync.WaitGroup
	pinging.Go(l.ping)
	_ = l.read(hear) // whatever the error is, the line has ended
	l.end()
	pinging.Wait()
}

func (l *streamLine) read(hear listener) error {
	var length [4]byte
	for {
		if err := l.conn.SetReadDeadline(time.Now().Add(deadAfter)); err != nil {
			return err
		}
		if _, err := io.ReadFull(l.conn, length[:]); err != nil {
			return err
		}
		n := binary.BigEndian.Uint32(length[:])
		if n == 0 || n > maxFrame {
			return errField
		}
		frame := make([]byte, n)
		if _, err := io.ReadFull(l.conn, frame); err != nil {
			return err
		}
		l.heard.Store(int64(time.Since(l.began)))
		if kind(frame[0]) == kindPing {
			continue
		}
		if err := hear(frame); err != nil {
			return err
		}
	}
}

// ping sends a ping every pingEvery, and closes the stream when the line is closed.
func (l *streamLine) ping() {
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			_ = l.write([]byte{byte(kindPing)}) // if it fails, the line has ended
		case <-l.done:
			l.leave()
			return
		}
	}
}

// leave closes the stream after the frame that is being written.
func (l *streamLine) leave() {
	late := time.NewTimer(closeWithin)
	defer late.Stop()
	select {
	case l.writeLock <- struct{}{}:
	case <-late.C:
	}
	_ = l.conn.Close() // if this fails, it is closed already
}

func (l *streamLine) send(_ id.OID, frame []byte) error { return l.write(frame) }

func (l *streamLine) write(frame []byte) error {
	select {
	case l.writeLock <- struct{}{}:
		defer func() { <-l.writeLock }()
	case <-l.done: // leave keeps the turn
		return errEnded
	}
	select {
	case <-l.done:
		return errEnded
	default:
	}
	b := binary.BigEndian.AppendUint32(
		make([]byte, 0, 4+len(frame)), uint32(len(frame)), //nolint:gosec // at most maxFrame
	)
	err := l.conn.SetWriteDeadline(time.Now().Add(writeWithin))
	if err == nil {
		_, err = l.conn.Write(append(b, frame...))
	}
	if err != nil {
		l.end()
		return errEnded
	}
	return nil
}

// sendUnreliable sends a link frame unless another goroutine is writing.
func (l *streamLine) sendUnreliable(frame []byte) {
	select {
	case l.writeLock <- struct{}{}:
		<-l.writeLock
		_ = l.write(frame) // it may be lost
	default:
	}
}

func (l *streamLine) close(string) { l.once.Do(func() { close(l.done) }) }

// end ends the line at once.
func (l *streamLine) end() {
	l.once.Do(func() { close(l.done) })
	_ = l.conn.NetConn().Close() // nothing more is sent
}

func (l *streamLine) ended() <-chan struct{} { return l.done }

func (l *streamLine) silent() time.Duration {
	return time.Since(l.began) - time.Duration(l.heard.Load())
}

func (l *streamLine) network() string { return networkWeb }

// secure begins TLS on a stream of bytes between two hosts, and returns the connection state with
// the other host's proof. After an error the stream is closed.
func secure(c *tls.Conn) (tls.ConnectionState, error) {
	err := c.SetDeadline(time.Now().Add(handshakeStepTimeout))
	if err == nil {
		err = c.Handshake() //nolint:noctx // the deadline bounds it
	}
	if err == nil {
		err = c.SetDeadline(time.Time{})
	}
	if err != nil {
		return tls.ConnectionState{}, errors.Join(
			fmt.Errorf("prove who is there: %w", err), c.NetConn().Close(),
		)
	}
	return c.ConnectionState(), nil
}

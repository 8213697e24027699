package web

import (
	"encoding/binary"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of a stream's connection (stream.md).
const (
	// stallTimeout is how long a chunk may take to get into the network. A client that takes longer
	// counts as one that reads nothing (S7).
	stallTimeout = 30 * time.Second
	// chunkSize is how many bytes are written under one deadline, so that a slow client that does
	// read is not cut off.
	chunkSize = 64 << 10
	// controlTimeout bounds the writing of a ping, a pong or a close frame.
	controlTimeout = 5 * time.Second
	// closeGrace is how long a write in progress may go on once the carrier is being closed, and
	// how long the peer may take to hang up.
	closeGrace = time.Second
)

// Bytes of WebSocket frame headers (RFC 6455, section 5.2). A server does not mask.
const (
	finBinary = 0x82
	finClose  = 0x88
	finPing   = 0x89
	finPong   = 0x8a
	opcodes   = 0x0f

	len16 = 126 // a 16-bit length follows
	len64 = 127 // a 64-bit length follows

	maxFrameHeader = 10
	maxReason      = 123 // a control frame has 125 bytes, two of them for the code
)

// appendDataHeader appends the header of a binary message of n bytes in one frame.
func appendDataHeader(to []byte, n int) []byte {
	switch {
	case n < len16:
		return append(to, finBinary, byte(n)) //nolint:gosec // below 126
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(to, finBinary, len16), uint16(n))
	default:
		return binary.BigEndian.AppendUint64(append(to, finBinary, len64), uint64(n))
	}
}

// appendClose appends a close frame.
func appendClose(to []byte, code uint16, reason string) []byte {
	if len(reason) > maxReason {
		reason = reason[:maxReason]
	}
	to = append(to, finClose, byte(2+len(reason))) //nolint:gosec // at most 125
	to = binary.BigEndian.AppendUint16(to, code)
	return append(to, reason...)
}

// wsConn is the connection under a stream, taken over from net/http. The receiver reads from it and
// replies to pings and close frames. The carrier writes data and pings. The line makes sure that
// frames do not mix.
type wsConn struct {
	// Set by connect, before the turn is free for the first time.
	net.Conn
	buffered []byte // what net/http had read beyond the request; then owned by the reader

	alive atomic.Bool // something has come since the last ping

	// The writer of a frame holds turn. At first the line itself holds it, until the connection is
	// there.
	writeLock writeLock
	// Guarded by turn.
	broken    bool // a frame was cut off, or the connection never came: nothing can follow
	closeSent bool
	deadline  time.Time // for writing, as send has set it last

	mu sync.Mutex
	// Guarded by mu.
	closing bool
	pending []byte // a control frame of the receiver that waits for its turn
}

// writeLock is a lock for which virtual time does not stop (testing/synctest): it is held while the
// network is slow.
type writeLock chan struct{}

func (t writeLock) lock()   { t <- struct{}{} }
func (t writeLock) unlock() { <-t }
func (t writeLock) tryLock() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// errNoConnection is the error of a Write when the upgrade to WebSocket has failed.
var errNoConnection = errors.New("the connection was not taken over")

// newWSConn returns a line without a connection. Writers wait until connect or abandon is called.
func newWSConn() *wsConn {
	l := &wsConn{writeLock: make(writeLock, 1)} // one place, so it is a lock
	l.writeLock.lock()
	return l
}

// connect gives the line its connection and lets writers go on.
func (l *wsConn) connect(conn net.Conn, early []byte) {
	l.mu.Lock()
	l.Conn, l.buffered = conn, early
	closing := l.closing
	l.mu.Unlock()
	if closing {
		_ = conn.SetReadDeadline(past)
	}
	l.writeLock.unlock()
}

// abandon says that there will be no connection.
func (l *wsConn) abandon() {
	l.broken = true
	l.writeLock.unlock()
}

// past is a deadline that wakes a reader or writer at once.
var past = time.Unix(1, 0)

// Read is for the receiver.
func (l *wsConn) Read(p []byte) (int, error) {
	if len(l.buffered) > 0 {
		n := copy(p, l.buffered)
		if l.buffered = l.buffered[n:]; len(l.buffered) == 0 {
			l.buffered = nil
		}
		l.alive.Store(true)
		return n, nil
	}
	n, err := l.Conn.Read(p)
	if n > 0 {
		l.alive.Store(true)
	}
	return n, err
}

// reply sends a control frame of the receiver. It does not wait for a data frame that is being
// written, so that reading goes on: the control frame goes out when the turn is free. If several
// wait, only the last one goes out. For pongs that is enough (RFC 6455, 5.5.3).
func (l *wsConn) reply(p []byte) {
	l.mu.Lock()
	l.pending = p
	l.mu.Unlock()
	if l.writeLock.tryLock() {
		l.done()
	}
}

// cut closes the connection at once.
func (l *wsConn) cut() { _ = l.Conn.Close() }

// done writes the control frame that waits, if any, and frees the turn.
func (l *wsConn) done() {
	for {
		l.sendPending()
		l.writeLock.unlock()
		// Another one may have come after sendPending and before the unlocking.
		l.mu.Lock()
		again := l.pending != nil
		l.mu.Unlock()
		if !again || !l.writeLock.tryLock() {
			return
		}
	}
}

// sendPending writes the control frame that waits. The caller has the turn.
func (l *wsConn) sendPending() {
	l.mu.Lock()
	p := l.pending
	l.pending = nil
	l.mu.Unlock()
	if p != nil {
		l.sendControl(p, controlTimeout)
	}
}

// sendControl writes a control frame, if frames can still be written. The caller has the turn. It
// drops errors: the reader gets them, too.
func (l *wsConn) sendControl(p []byte, timeout time.Duration) {
	if l.broken || l.closeSent {
		return
	}
	if l.send(p, timeout) == nil && p[0]&opcodes == finClose&opcodes {
		l.closeSent = true
	}
}

// send writes p, a part of a frame or several complete ones, within timeout. The caller has the
// turn.
func (l *wsConn) send(p []byte, timeout time.Duration) error {
	err := l.setDeadline(timeout)
	if err == nil {
		_, err = l.Conn.Write(p)
	}
	if err != nil {
		l.broken = true
	}
	return err
}

// deadlineSlack is how much earlier than requested a deadline may be. A deadline that is late
// enough stays: to move it at every write would cost a twelfth of the write.
const deadlineSlack = time.Second

// setDeadline sets the deadline of the next write to timeout from now. The caller has the turn.
func (l *wsConn) setDeadline(timeout time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return l.SetWriteDeadline(time.Now().Add(min(timeout, closeGrace)))
	}
	latest := time.Now().Add(timeout)
	if !l.deadline.After(latest) && l.deadline.After(latest.Add(-deadlineSlack)) {
		return nil
	}
	l.deadline = latest
	return l.SetWriteDeadline(latest)
}

// beginClose prepares the line for closing: a write in progress has closeGrace left, and the reader
// wakes. It reports whether this is the first call.
func (l *wsConn) beginClose() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closing {
		return false
	}
	l.closing = true
	if l.Conn != nil {
		_ = l.SetWriteDeadline(time.Now().Add(closeGrace))
		_ = l.SetReadDeadline(past)
	}
	return true
}

// hangUp sends a close frame, unless one was sent or the line is broken. Then it waits a moment for
// the peer to hang up, so that a reset does not overtake what was sent, and closes the connection.
// The reader calls it.
func (l *wsConn) hangUp(code uint16, reason string) {
	l.writeLock.lock()
	l.sendPending()
	if code != 0 {
		l.sendControl(appendClose(nil, code, reason), closeGrace)
	}
	half, ok := l.Conn.(interface{ CloseWrite() error })
	if ok && l.closeSent && !l.broken && half.CloseWrite() == nil {
		l.drain()
	}
	l.broken = true
	l.writeLock.unlock()
	l.cut()
}

// maxDrained is how many bytes drain reads. A client that goes on sending a lot after a violation
// does not wait for an answer.
const maxDrained = 64 << 10

// drain reads until the peer hangs up, closeGrace is over, or maxDrained bytes have come.
func (l *wsConn) drain() {
	if l.SetReadDeadline(time.Now().Add(closeGrace)) != nil {
		return
	}
	var sink [512]byte
	for read := 0; read < maxDrained; {
		n, err := l.Conn.Read(sink[:])
		if err != nil {
			return
		}
		read += n
	}
}

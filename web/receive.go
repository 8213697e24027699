package web

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"holt/server/tables/stream"
)

// Bounds of what a client sends (S9).
const (
	maxMessage = 4 << 10
	// readBuffer is how many bytes every idle stream keeps: enough for a control frame in one read.
	readBuffer = 128
	// maxAside is how many frames a second may be something else than a message: pings, pongs, and
	// fragments before the last one.
	maxAside = 1000
)

// Fields of WebSocket frame headers (RFC 6455, section 5.2).
const (
	bitFin       = 0x80
	bitsReserved = 0x70
	bitControl   = 0x08
	bitMask      = 0x80

	opContinue = 0x0
	opBinary   = 0x2
	opClose    = 0x8
	opPing     = 0x9
	opPong     = 0xa

	maxControl = 125
)

// codeUnsupported is the answer to a text message (RFC 6455, section 7.4.1).
const codeUnsupported stream.Code = 1003

// violation is a breach of the protocol by a client, with the close code of the answer.
type violation struct {
	code   stream.Code
	reason string
}

func (v *violation) Error() string { return v.reason }

// These errors say that the client has sent a close frame and was answered: it leaves the table, or
// it gives up this connection to come back on another one.
var (
	errPeerLeft   = fmt.Errorf("close frame: %w", stream.ErrLeft)
	errPeerClosed = errors.New("the client has given up the line")
)

// frameHeader is the header of a frame of a client.
type frameHeader struct {
	fin    bool
	opcode byte
	length uint64
	mask   [4]byte
}

// receiver reads a client's messages from a line (RFC 6455, sections 5 and 6) and answers its pings
// and its close frame. One goroutine uses it. It is made for idle streams: it has one small buffer,
// and its calls are nested so little that the goroutine needs only the smallest stack. With the
// WebSocket library each connection would keep a second goroutine, a larger stack and some 3 KB.
type receiver struct {
	conn       *wsConn
	most       int // bytes of a message; 0: maxMessage
	buf        [readBuffer]byte
	start, end int // buf[start:end] was read from the line and not used yet
	// aside counts the frames since the given time that are not messages.
	aside int
	since time.Time
}

// next returns the next message. It is binary and not too long, and may have come in any number of
// frames. The error is a *violation, errPeerLeft, errPeerClosed, or an error of the network.
func (r *receiver) next() ([]byte, error) {
	var msg []byte
	begun := false
	for {
		h, err := r.header()
		if err == nil && (h.opcode&bitControl != 0 || !h.fin) {
			err = r.count()
		}
		if err == nil && h.opcode&bitControl != 0 {
			if err = r.control(h); err == nil {
				continue
			}
		}
		if err == nil {
			err = h.check(begun, len(msg), cmp.Or(r.most, maxMessage))
		}
		if err != nil {
			return nil, err
		}
		if msg, err = r.payload(msg, h); err != nil || h.fin {
			return msg, err
		}
		begun = true
	}
}

// count counts a frame that is not a message. It returns a violation if there were too many within
// a second: each of them costs the server something, and nothing else counts them.
func (r *receiver) count() error {
	now := time.Now()
	if now.Sub(r.since) >= time.Second {
		r.since, r.aside = now, 0
	}
	if r.aside++; r.aside > maxAside {
		return &violation{stream.CodeFlood, "far too many pings or fragments"}
	}
	return nil
}

// check checks that a data frame may come now. begun says that a message is under way. already is
// how many bytes of it are there, and most how many it may have.
func (h *frameHeader) check(begun bool, already, most int) error {
	switch {
	case h.opcode == opContinue && !begun:
		return &violation{stream.CodeProtocol, "a continuation of nothing"}
	case h.opcode != opContinue && begun:
		return &violation{stream.CodeProtocol, "a message within a message"}
	case h.opcode != opContinue && h.opcode != opBinary:
		return &violation{codeUnsupported, "only binary messages"}
	case h.length > uint64(most-already): //nolint:gosec // already <= most
		return &violation{
			stream.CodeTooLarge, fmt.Sprintf("a message has at most %d KiB", most>>10),
		}
	default:
		return nil
	}
}

// header reads the header of a frame and checks what can be checked of it alone.
func (r *receiver) header() (h frameHeader, err error) {
	b, err := r.take(2)
	if err != nil {
		return h, err
	}
	h.fin, h.opcode, h.length = b[0]&bitFin != 0, b[0]&opcodes, uint64(b[1]&^bitMask)
	switch {
	case b[0]&bitsReserved != 0:
		return h, &violation{stream.CodeProtocol, "a reserved bit is set"}
	case b[1]&bitMask == 0:
		return h, &violation{stream.CodeProtocol, "a frame of a client has to be masked"}
	case h.opcode > opBinary && h.opcode < opClose, h.opcode > opPong:
		return h, &violation{stream.CodeProtocol, "a reserved opcode"}
	case h.opcode&bitControl != 0 && (!h.fin || h.length > maxControl):
		return h, &violation{
			stream.CodeProtocol, "a control frame is whole and has at most 125 bytes",
		}
	}
	err = r.rest(&h)
	return h, err
}

// rest reads what may follow the first two bytes of a header: a longer length, and the mask.
func (r *receiver) rest(h *frameHeader) error {
	least := uint64(0)
	switch h.length {
	case len16:
		b, err := r.take(2)
		if err != nil {
			return err
		}
		h.length, least = uint64(binary.BigEndian.Uint16(b)), len16
	case len64:
		b, err := r.take(8)
		if err != nil {
			return err
		}
		h.length, least = binary.BigEndian.Uint64(b), 1<<16
	}
	if h.length < least || h.length > 1<<63-1 {
		return &violation{stream.CodeProtocol, "a length out of form"}
	}
	b, err := r.take(len(h.mask))
	copy(h.mask[:], b)
	return err
}

// take returns the next n bytes, at most readBuffer. They are valid until the next call.
func (r *receiver) take(n int) ([]byte, error) {
	for r.end-r.start < n {
		r.end = copy(r.buf[:], r.buf[r.start:r.end])
		r.start = 0
		got, err := r.conn.Read(r.buf[r.end:])
		r.end += got
		if err != nil && r.end < n {
			return nil, err
		}
	}
	b := r.buf[r.start : r.start+n]
	r.start += n
	return b, nil
}

// payload reads the content of a frame, whose length was checked, and appends it to msg.
func (r *receiver) payload(msg []byte, h frameHeader) ([]byte, error) {
	already := len(msg)
	msg = append(msg, make([]byte, h.length)...)
	p := msg[already:]
	n := copy(p, r.buf[r.start:r.end])
	r.start += n
	if _, err := io.ReadFull(r.conn, p[n:]); err != nil {
		return nil, err
	}
	for i := range p {
		p[i] ^= h.mask[i&3]
	}
	return msg, nil
}

// control handles a control frame. It answers a ping. A pong needs nothing: line.Read has recorded
// it.
func (r *receiver) control(h frameHeader) error {
	p, err := r.payload(nil, h)
	if err != nil {
		return err
	}
	switch h.opcode {
	case opPing:
		r.conn.reply(append([]byte{finPong, byte(len(p))}, p...)) //nolint:gosec // at most 125
		return nil
	case opClose:
		if err := checkClose(p); err != nil {
			return err
		}
		r.conn.reply(append([]byte{finClose, byte(min(len(p), 2))}, p[:min(len(p), 2)]...))
		if len(p) == 0 || binary.BigEndian.Uint16(p) <= goingAway {
			return errPeerLeft
		}
		return errPeerClosed
	default:
		return nil
	}
}

// goingAway is the code with which browsers close when somebody leaves a page. Scripts that close
// without a code of their own close with 1000 or none (RFC 6455, section 7.4.1).
const goingAway = 1001

// checkClose checks the content of a close frame (RFC 6455, sections 5.5.1 and 7.4): nothing, or a
// code that may be sent and a text.
func checkClose(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	if len(p) > 1 && closeCodeMaySent(binary.BigEndian.Uint16(p)) && utf8.Valid(p[2:]) {
		return nil
	}
	return &violation{stream.CodeProtocol, "a close frame out of form"}
}

// closeCodeMaySent reports whether code may be in a close frame: 1004 to 1006 and 1015 may not.
func closeCodeMaySent(code uint16) bool {
	switch {
	case code >= 1000 && code <= 1003, code >= 1007 && code <= 1014, code >= 3000 && code <= 4999:
		return true
	default:
		return false
	}
}

// Package connection has what two ends of a connection by datagrams say to each other (docs/protocol/datagram.md, D16 to D29): the
// packets byte by byte, and Conn, one end of a connection as a machine that is stepped. Messages that wait for messages are
// server/transport/depgraph's. It has no clock, no goroutine and no socket: whoever owns a path gives it what comes and the time, and sends
// what it returns. Nothing here encrypts, and nothing proves who sent a packet.
package connection

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Version is the version of the protocol (D17).
const Version = 1

// Bounds of packets.
const (
	// UDPSize is how many bytes a packet on UDP has at most, and a Hello there at least (D18, D28).
	UDPSize = 1200
	// MinSize is the least that a path may take for a connection: a Hello with a ticket fits into it.
	MinSize = 512
	// MaxSize is the most that is put into a packet, whatever the path takes.
	MaxSize = 16 << 10
)

// Kind is the first byte of a packet (D16).
type Kind byte

// The kinds of packets (D16). Of Data the lowest five bits are flags.
const (
	KindHello   Kind = 0x01
	KindRetry   Kind = 0x02
	KindWelcome Kind = 0x03
	KindClose   Kind = 0x04
	KindData    Kind = 0x40
)

// ErrFormat is what all readers here return, wrapped, of bytes that are not what D16 to D29 describe. On UDP such a packet is
// dropped: anybody may have sent it.
var ErrFormat = errors.New("not a packet")

var (
	errShort  = fmt.Errorf("%w: it ends in the middle", ErrFormat)
	errVarint = fmt.Errorf("%w: a number is not in its shortest form or above 2^32-1", ErrFormat)
	errKind   = fmt.Errorf("%w: of no kind that is known here", ErrFormat)
	errBounds = fmt.Errorf("%w: a field is longer than it may be", ErrFormat)
	errRest   = fmt.Errorf("%w: something stands behind its end", ErrFormat)
)

// KindOf returns the kind of a packet, and false if it is none (D16).
func KindOf(p []byte) (Kind, bool) {
	if len(p) == 0 {
		return 0, false
	}
	switch k := Kind(p[0]); {
	case k >= KindHello && k <= KindClose:
		return k, true
	case k&^dataFlags == KindData:
		return KindData, true
	}
	return 0, false
}

// ConnectionOf returns the number of the connection to which a Data or Close packet that came by UDP belongs (D20, D29), and false
// for others.
func ConnectionOf(p []byte) (uint64, bool) {
	k, ok := KindOf(p)
	if !ok || k != KindData && k != KindClose || len(p) < 9 {
		return 0, false
	}
	return binary.BigEndian.Uint64(p[1:]), true
}

// appendVarint appends n as protobuf does.
func appendVarint(b []byte, n uint32) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

// varintLen returns how many bytes appendVarint takes for n.
func varintLen(n uint32) int {
	size := 1
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}

// readVarint reads a number below 2^32 in its shortest form, and returns what is behind it.
func readVarint(b []byte) (uint32, []byte, error) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint32(b[0]), b[1:], nil
	}
	var n uint64
	for i, c := range b {
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if c == 0 || n > 1<<32-1 {
				return 0, nil, errVarint
			}
			return uint32(n), b[i+1:], nil
		}
		if i == 4 {
			return 0, nil, errVarint
		}
	}
	return 0, nil, errShort
}

// readField reads a varint of at most most, and so many bytes.
func readField(b []byte, most int) (field, rest []byte, err error) {
	n, b, err := readVarint(b)
	switch {
	case err != nil:
		return nil, nil, err
	case int64(n) > int64(most):
		return nil, nil, errBounds
	case int64(n) > int64(len(b)):
		return nil, nil, errShort
	}
	return b[:n], b[n:], nil
}

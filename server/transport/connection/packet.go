// Package connection has the packets that the two ends of a connection by datagrams exchange, byte
// by byte, and Conn: one end of a connection as a state machine (docs/protocol/datagram.md, D16 to
// D29). Which messages wait for which is the job of server/transport/depgraph.
//
// The package has no clock, no goroutine and no socket. The owner of a path passes in each packet
// that comes and the time, and sends what Next returns. The package does not encrypt, and does not
// prove who sent a packet.
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
	// UDPSize is the greatest size of a packet on UDP, in bytes, and the least size of a Hello
	// there (D18, D28).
	UDPSize = 1200
	// MinSize is the least size of packets, in bytes, that a path must take to carry a connection.
	// A Hello with a ticket fits into it.
	MinSize = 512
	// MaxSize is the greatest size of a packet, in bytes, whatever the path takes.
	MaxSize = 16 << 10
)

// Kind is the first byte of a packet (D16).
type Kind byte

// The kinds of packets (D16). The lowest five bits of Data are flags.
const (
	KindHello   Kind = 0x01
	KindRetry   Kind = 0x02
	KindWelcome Kind = 0x03
	KindClose   Kind = 0x04
	KindData    Kind = 0x40
)

// ErrFormat is the error that all readers here wrap when bytes are not what D16 to D29 describe. On
// UDP such a packet is dropped: anybody may have sent it.
var ErrFormat = errors.New("not a packet")

var (
	errShort  = fmt.Errorf("%w: it ends in the middle", ErrFormat)
	errVarint = fmt.Errorf("%w: a number is not in its shortest form or above 2^32-1", ErrFormat)
	errKind   = fmt.Errorf("%w: of no kind that is known here", ErrFormat)
	errBounds = fmt.Errorf("%w: a field is longer than it may be", ErrFormat)
	errRest   = fmt.Errorf("%w: something stands behind its end", ErrFormat)
)

// KindOf returns the kind of a packet, and false if the first byte is not a kind (D16).
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

// NumberOf returns the number of the connection of a Data or Close packet that came by UDP
// (D20, D29), and false for other packets.
func NumberOf(p []byte) (uint64, bool) {
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

// readVarint reads a number below 2^32 in its shortest form, and returns what follows it.
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

// readField reads a length, which is a varint up to most, and that many bytes.
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

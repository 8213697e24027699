package connection

import (
	"encoding/binary"
	"fmt"
)

// Flags of a Data packet (D22), in the lowest bits of its first byte.
const (
	flagAck   Kind = 0x01 // acknowledgements follow
	flagQuiet Kind = 0x02 // the packet does not ask for an acknowledgement
	dataFlags Kind = 0x1f
)

// Bounds of a Data packet.
const (
	startSize  = 1 + 2             // type and number
	nameSize   = 8                 // the connection's number, on UDP
	ackSize    = 2 + 2 + 2 + 1 + 8 // acknowledgements, with all bits
	maxBits    = 64                // packets below the latest that an acknowledgement covers
	maxRecords = 64                // guaranteed messages and fragments in a packet (D22)
)

var errBits = fmt.Errorf("%w: an acknowledgement has more than %d bits", ErrFormat, maxBits)

// data is what stands before the records of a Data packet (D22).
type data struct {
	connection uint64 // on UDP
	number     uint16
	quiet      bool // the packet does not ask for an acknowledgement
	acks       bool // ack is present
	ack        ack
}

// ack is what one end has received, as it is on the wire.
type ack struct {
	latest uint16 // the highest number
	delay  uint16 // ticks since it came
	floor  uint16 // of the receiver's graph
	size   int    // bytes of bits, 0 to 8
	bits   uint64 // bit i: latest − 1 − i was received, for i below 8·size
}

// appendData appends what stands before the records. If named is set (UDP), it includes the
// connection's number.
func appendData(b []byte, d data, named bool) []byte {
	kind := KindData
	if d.acks {
		kind |= flagAck
	}
	if d.quiet {
		kind |= flagQuiet
	}
	b = append(b, byte(kind))
	if named {
		b = binary.BigEndian.AppendUint64(b, d.connection)
	}
	b = binary.BigEndian.AppendUint16(b, d.number)
	if !d.acks {
		return b
	}
	b = binary.BigEndian.AppendUint16(b, d.ack.latest)
	b = binary.BigEndian.AppendUint16(b, d.ack.delay)
	b = binary.BigEndian.AppendUint16(b, d.ack.floor)
	b = append(b, byte(d.ack.size)) //nolint:gosec // at most eight
	for i := range d.ack.size {
		b = append(b, byte(d.ack.bits>>(8*i)&0xff))
	}
	return b
}

// readData reads what appendData has written, and returns the records after it.
func readData(p []byte, named bool) (d data, records []byte, err error) {
	kind, ok := KindOf(p)
	if !ok || kind != KindData || Kind(p[0])&dataFlags&^(flagAck|flagQuiet) != 0 {
		return d, nil, errKind
	}
	d.acks, d.quiet = Kind(p[0])&flagAck != 0, Kind(p[0])&flagQuiet != 0
	p = p[1:]
	if named {
		if len(p) < nameSize {
			return d, nil, errShort
		}
		d.connection, p = binary.BigEndian.Uint64(p), p[nameSize:]
	}
	if len(p) < 2 {
		return d, nil, errShort
	}
	d.number, p = binary.BigEndian.Uint16(p), p[2:]
	if d.acks {
		d.ack, p, err = readAck(p)
	}
	return d, p, err
}

func readAck(p []byte) (a ack, rest []byte, err error) {
	if len(p) < 7 {
		return a, nil, errShort
	}
	a.latest = binary.BigEndian.Uint16(p)
	a.delay = binary.BigEndian.Uint16(p[2:])
	a.floor = binary.BigEndian.Uint16(p[4:])
	a.size, p = int(p[6]), p[7:]
	switch {
	case a.floor>>15 != 0:
		return a, nil, fmt.Errorf("%w: a floor has 15 bits", ErrFormat)
	case 8*a.size > maxBits:
		return a, nil, errBits
	case len(p) < a.size:
		return a, nil, errShort
	}
	for i := range a.size {
		a.bits |= uint64(p[i]) << (8 * i)
	}
	return a, p[a.size:], nil
}

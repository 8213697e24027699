// Package emulator emulates a line between two hosts. A Link joins two network namespaces, in each
// of which the system's own TCP and UDP work, by a process that delays and loses packets. So
// measurements over it in real time show what the system does on such a line. A seed decides which
// packets are lost.
//
// It needs Linux and the rights of root, leaves nothing behind, however the process ends, and has
// no address outside.
package emulator

import (
	"errors"
	"time"

	"holt/server/transport/simline"
)

// Config describes a Link.
type Config struct {
	// Down is from the server to the client, Up the other direction.
	Down, Up simline.Config
	// Seed decides, with the number of a packet in its direction, what happens to it.
	Seed uint64
	// Delivered, if not nil, is called with each packet when it is given to the host at its end,
	// which is the client's if down is set. One goroutine calls it. The packet, which begins with
	// the header of IPv4, is only lent.
	Delivered func(down bool, packet []byte)
}

// MTU is the largest size of a packet on a Link in bytes, as on Ethernet.
const MTU = 1500

// ErrUnsupported says that this system has no network namespaces, or does not allow this process to
// make any.
var ErrUnsupported = errors.New("no network namespaces to be had here")

// Counts is what a Link has carried so far. Bytes are those of packets with their headers, from
// that of IP on, including lost packets.
type Counts struct {
	Down, Up simline.Counts
	// Late has, for each delivered packet, the delay that the emulator itself added to that of the
	// line.
	Late []time.Duration
}

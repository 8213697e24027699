// Package emulator makes up a line between two hosts: a Link joins two network namespaces, in each of which the system's own TCP and
// UDP work, by a process that delays and loses packets. So what is measured over it in real time is what the system does on such a line,
// and which packets are lost is said by a seed.
//
// It needs Linux and the rights of root, leaves nothing behind, whatever ends the process, and has no address outside.
package emulator

import (
	"errors"
	"time"

	"holt/server/transport/simline"
)

// Config says what a Link is like.
type Config struct {
	// Down goes from the server to the client, Up the other way.
	Down, Up simline.Config
	// Seed says, with the number of a packet in its direction, what becomes of it.
	Seed uint64
	// Delivered, if not nil, is told of each packet when it is given to the host at its end, down to the client or not. It is called from one
	// goroutine, and the packet, which begins with the header of IPv4, is only lent.
	Delivered func(down bool, packet []byte)
}

// MTU is how many bytes a packet on a Link has at most, as on Ethernet.
const MTU = 1500

// ErrUnsupported says that this system has no network namespaces, or does not let this process make any.
var ErrUnsupported = errors.New("no network namespaces to be had here")

// Counts is what a Link has carried so far. Bytes are those of packets with their headers, from that of IP on, also of those that
// were lost.
type Counts struct {
	Down, Up simline.Counts
	// Late says of each packet that was delivered how much later that was than the line has it: what the emulator itself adds.
	Late []time.Duration
}

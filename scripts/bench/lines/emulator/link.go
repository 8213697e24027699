package emulator

import (
	"errors"
	"sync"
	"time"
)

// Config says what a Link is like.
type Config struct {
	// Down goes from the server to the client, Up the other way.
	Down, Up Line
	// Delivered, if not nil, is told of each packet when it is given to the host at its end, down to the client or not. It is called from one
	// goroutine, and the packet, which begins with the header of IPv4, is only lent.
	Delivered func(down bool, packet []byte)
}

// MTU is how many bytes a packet on a Link has at most, as on Ethernet.
const MTU = 1500

// ErrUnsupported says that this system has no network namespaces, or does not let this process make any.
var ErrUnsupported = errors.New("no network namespaces to be had here")

// Traffic counts the packets of one direction, with their headers from that of IP on.
type Traffic struct {
	Packets, Bytes int // that the sender has sent: those that were lost, too
	Lost           int // packets, by chance
	Flooded        int // packets that found no room
}

// Sub returns what has come since an earlier count.
func (t Traffic) Sub(before Traffic) Traffic {
	return Traffic{t.Packets - before.Packets, t.Bytes - before.Bytes, t.Lost - before.Lost, t.Flooded - before.Flooded}
}

// Counts is what a Link has carried.
type Counts struct {
	Down, Up Traffic
	// Late says of each packet that was delivered how much later that was than the line has it: what the emulator itself adds.
	Late []time.Duration
}

// counter counts for a Link.
type counter struct {
	mu     sync.Mutex
	counts Counts // Guarded by mu.
}

// entered counts a packet of a direction.
func (c *counter) entered(down bool, size int, f fate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &c.counts.Up
	if down {
		t = &c.counts.Down
	}
	t.Packets++
	t.Bytes += size
	switch f {
	case lost:
		t.Lost++
	case flooded:
		t.Flooded++
	case passed:
	}
}

func (c *counter) delivered(late time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Late = append(c.counts.Late, late)
}

func (c *counter) read() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.counts
	n.Late = append([]time.Duration(nil), n.Late...)
	return n
}

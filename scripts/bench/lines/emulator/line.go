// Package emulator makes up a line between two hosts: a Link joins two network namespaces, in each of which the system's own TCP and
// UDP work, by a process that delays and loses packets. So what is measured over it in real time is what the system does on such a line,
// and which packets are lost is said by a seed.
//
// It needs Linux and the rights of root, leaves nothing behind, whatever ends the process, and has no address outside. It does not
// double packets or change their order.
package emulator

import (
	"math/rand/v2"
	"time"
)

// Line says what happens to packets in one direction.
type Line struct {
	// Delay is how long each packet is on its way.
	Delay time.Duration
	// Loss is the share of packets that are lost, each by itself: from 0 to 1.
	Loss float64
	// Rate is how many bytes a second get through; 0 is no bound. Queue is how many bytes wait for that at most: a packet that
	// finds no room is lost.
	Rate, Queue int
	// Seed says, with the number of a packet in this direction, whether it is lost by chance.
	Seed uint64
}

// fate is what becomes of a packet.
type fate uint8

const (
	passed  fate = iota + 1
	lost         // by chance
	flooded      // it found no room
)

// pipe is a Line at work. It has no clock: times are those since it began.
type pipe struct {
	line Line
	rnd  *rand.Rand
	free time.Duration // when the last packet that was let in has left the queue
}

func newPipe(l Line) *pipe {
	return &pipe{line: l, rnd: rand.New(rand.NewPCG(l.Seed, 0))} //nolint:gosec // a run is a function of its seed
}

// enter says what becomes of a packet of size bytes that comes now, and when it arrives if it passes. Times do not go back, nor do
// those that it returns. What is lost by chance has been in the queue like the rest.
func (p *pipe) enter(now time.Duration, size int) (at time.Duration, f fate) {
	byChance := p.rnd.Float64() < p.line.Loss // drawn for each, so that the number of a packet says what becomes of it
	leaves := now
	if p.line.Rate > 0 {
		begins := max(now, p.free)
		if p.bytes(begins-now)+size > p.line.Queue {
			return 0, flooded
		}
		leaves = begins + time.Duration(size)*time.Second/time.Duration(p.line.Rate)
		p.free = leaves
	}
	if byChance {
		return 0, lost
	}
	return leaves + p.line.Delay, passed
}

// bytes is how much gets through in d.
func (p *pipe) bytes(d time.Duration) int { return int(d * time.Duration(p.line.Rate) / time.Second) }

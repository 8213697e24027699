// Package simline is a line for packets in virtual time. It delays, loses, duplicates and reorders
// packets, and has a limited rate. Its behaviour follows from its random source, so a run can be
// repeated. It is for tests and benchmarks only. It has no clock and no goroutine.
package simline

import (
	"time"

	"holt/server/heap"
)

// Source is a source of random numbers. A *rand.Rand is one.
type Source interface {
	Float64() float64
	ExpFloat64() float64
	Int64N(n int64) int64
}

// Config says how bad a line is. The zero Config is a perfect line.
type Config struct {
	// Delay is how long a packet takes. Each packet takes up to Jitter longer, at random. With
	// InOrder jitter lets no packet overtake another.
	Delay, Jitter time.Duration
	InOrder       bool
	// Loss is the share of packets that are lost. Without Burst each packet is lost by itself. With
	// Burst all packets of a stretch of that average length are lost, and then none for a while.
	Loss  float64
	Burst time.Duration
	// Duplicate is the share of packets that arrive twice. The second copy is late by up to
	// Lateness or Jitter, whichever is longer.
	Duplicate float64
	// Late is the share of packets that take Lateness longer, so that others overtake them.
	Late     float64
	Lateness time.Duration
	// Rate is how many bytes a second the line carries, 0 for no limit. Queue is how many bytes may
	// wait before it: a packet that exceeds them is lost. Each packet counts Overhead bytes more
	// than it has.
	Rate, Queue, Overhead int
	// Largest is the greatest size of a packet, in bytes, 0 for no limit. Larger ones are lost.
	Largest int
	// Down says that nothing gets through.
	Down bool
}

// Counts is what a line has done, in packets.
type Counts struct {
	Sent, Lost, Overflowed, Doubled, TooLarge uint64
	// Bytes counts the bytes of the packets that were sent, with overhead.
	Bytes uint64
	// LongestWait is the longest time that a packet has waited before the line.
	LongestWait time.Duration
}

// Line is one direction of a simulated line.
type Line struct {
	// Set at construction.
	rnd Source

	config Config
	counts Counts
	losing bool          // in a burst of losses
	until  time.Duration // when the present burst, or the pause after it, ends
	free   time.Duration // when the line has sent what waits
	last   time.Duration // when the last packet arrives, if in order
	flying heap.Heap[packet]
	serial uint64
	memory [][]byte
}

// New returns a line with rnd as its source of random numbers.
func New(c Config, rnd Source) *Line { return &Line{rnd: rnd, config: c} }

// Set changes the line for packets that are sent from now on.
func (l *Line) Set(c Config) { l.config = c }

// Config returns the present configuration.
func (l *Line) Config() Config { return l.config }

// Counts returns what the line has done.
func (l *Line) Counts() Counts { return l.counts }

// Send gives a packet to the line, which copies it.
func (l *Line) Send(now time.Duration, p []byte) {
	size := len(p) + l.config.Overhead
	l.counts.Sent++
	l.counts.Bytes += uint64(size) //nolint:gosec // not negative
	if l.config.Largest > 0 && len(p) > l.config.Largest {
		l.counts.TooLarge++
		return
	}
	leaves, ok := l.leave(now, size)
	if !ok {
		l.counts.Overflowed++
		return
	}
	if l.lose(now) {
		l.counts.Lost++
		return
	}
	l.carry(leaves, p)
	if l.chance(l.config.Duplicate) {
		l.counts.Doubled++
		l.carry(leaves+l.draw(max(l.config.Lateness, l.config.Jitter)), p)
	}
}

// leave returns when the packet leaves the queue before the line, and false if the queue has no
// room.
func (l *Line) leave(now time.Duration, size int) (time.Duration, bool) {
	if l.config.Rate == 0 {
		return now, true
	}
	wait := max(l.free-now, 0)
	if waiting := int(
		wait * time.Duration(l.config.Rate) / time.Second,
	); waiting+size > l.config.Queue {
		return 0, false
	}
	l.counts.LongestWait = max(l.counts.LongestWait, wait)
	l.free = now + wait + time.Duration(size)*time.Second/time.Duration(l.config.Rate)
	return l.free, true
}

// lose decides at random whether the next packet is lost.
func (l *Line) lose(now time.Duration) bool {
	switch {
	case l.config.Down:
		return true
	case l.config.Burst == 0 || l.config.Loss <= 0 || l.config.Loss >= 1:
		return l.chance(l.config.Loss)
	}
	for l.until <= now {
		l.losing = !l.losing
		mean := float64(max(l.config.Burst, time.Millisecond))
		if !l.losing {
			mean *= (1 - l.config.Loss) / l.config.Loss
		}
		l.until += 1 + time.Duration(l.rnd.ExpFloat64()*mean)
	}
	return l.losing
}

// carry schedules the arrival of a packet.
func (l *Line) carry(now time.Duration, p []byte) {
	at := now + l.config.Delay + l.draw(l.config.Jitter)
	if l.config.InOrder {
		at = max(at, l.last)
		l.last = at
	}
	if l.chance(l.config.Late) {
		at += l.config.Lateness
	}
	var b []byte
	if n := len(l.memory); n > 0 {
		b, l.memory = l.memory[n-1], l.memory[:n-1]
	}
	l.serial++
	l.flying.Push(packet{at: at, serial: l.serial, bytes: append(b, p...)})
}

func (l *Line) chance(share float64) bool { return share > 0 && l.rnd.Float64() < share }

func (l *Line) draw(most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	return time.Duration(l.rnd.Int64N(int64(most)))
}

// Arrival returns when the next packet arrives, and false if none is under way.
func (l *Line) Arrival() (time.Duration, bool) {
	if len(l.flying) == 0 {
		return 0, false
	}
	return l.flying[0].at, true
}

// Receive appends the next packet that has arrived by now, and returns false if there is none.
func (l *Line) Receive(now time.Duration, to []byte) ([]byte, bool) {
	if len(l.flying) == 0 || l.flying[0].at > now {
		return to, false
	}
	p := l.flying.Pop()
	to = append(to, p.bytes...)
	l.memory = append(l.memory, p.bytes[:0])
	return to, true
}

// Clear drops all packets that are under way.
func (l *Line) Clear() { l.flying = l.flying[:0] }

// packet is a packet that is under way.
type packet struct {
	at     time.Duration
	serial uint64 // of packets that arrive at the same time the one sent first goes first
	bytes  []byte
}

// Before reports whether the packet arrives before another one.
func (p packet) Before(q packet) bool {
	return p.at < q.at || p.at == q.at && p.serial < q.serial
}

package main

import (
	"fmt"
	"slices"
	"time"

	"holt/scripts/bench/lines/emulator"
	"holt/server/transport/simline"
)

// heldBack is how much later than its arrival a message must be executed to count as held back. The
// processor has other things to do, too.
const heldBack = 5 * time.Millisecond

// atOnce is how much longer than a packet a message may take and still count as one that came at
// once.
const atOnce = 10 * time.Millisecond

// result is what was measured of one way on one line, in one bout or several.
type result struct {
	Way      string
	Line     line
	Bouts    int
	Messages int
	// Latency is the time of each message from sending to execution, in ascending order.
	Latency []time.Duration
	// Held is how many messages had arrived and were executed later, because they had to wait for
	// others, or their bytes for others' bytes.
	Held int
	// Violations is how many messages were executed before one of those for which they have to
	// wait.
	Violations int
	// DownBytes and UpBytes went through the line from the first message until the last was
	// executed, with the headers of IP, including lost packets. Packets went down meanwhile, of
	// which Lost were lost.
	DownBytes, UpBytes uint64
	Packets, Lost      uint64
	// Late is how much too late the emulator delivered packets, in ascending order.
	Late []time.Duration
}

// line describes a line, in both directions.
type line struct {
	Loss        float64
	Delay       time.Duration
	Burst       time.Duration
	Rate, Queue int
	// Down and Up are further properties of each direction, or others, as simline.Config.With reads
	// them.
	Down, Up string
}

// configs returns the configurations of both directions.
func (l line) configs() (down, up simline.Config, err error) {
	both := simline.Config{Loss: l.Loss, Delay: l.Delay, Burst: l.Burst, Rate: l.Rate,
		Queue: l.Queue, InOrder: true}
	if down, err = both.With(l.Down); err != nil {
		return down, up, fmt.Errorf("down: %w", err)
	}
	if up, err = both.With(l.Up); err != nil {
		return down, up, fmt.Errorf("up: %w", err)
	}
	return down, up, nil
}

// result returns what a bout has measured, between two counts of the emulator.
func (b *bout) result(before, after emulator.Counts) result {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := result{
		Bouts: 1, Messages: len(b.trace), Violations: b.violations,
		DownBytes: after.Down.Bytes - before.Down.Bytes, UpBytes: after.Up.Bytes - before.Up.Bytes,
		Packets: after.Down.Sent - before.Down.Sent, Lost: after.Down.Lost +
			after.Down.Overflowed - before.Down.Lost - before.Down.Overflowed,
		Late: after.Late[len(before.Late):],
	}
	for n := range b.trace {
		r.Latency = append(r.Latency, b.executed[n]-b.sent[n])
		if b.executed[n]-b.arrived[n] > heldBack {
			r.Held++
		}
	}
	r.sort()
	return r
}

func (r *result) sort() {
	slices.Sort(r.Latency)
	slices.Sort(r.Late)
}

// add adds another bout of the same way on the same line.
func (r *result) add(o *result) {
	r.Way, r.Line = o.Way, o.Line
	r.Bouts += o.Bouts
	r.Messages += o.Messages
	r.Held += o.Held
	r.Violations += o.Violations
	r.DownBytes += o.DownBytes
	r.UpBytes += o.UpBytes
	r.Packets += o.Packets
	r.Lost += o.Lost
	r.Latency = append(r.Latency, o.Latency...)
	r.Late = append(r.Late, o.Late...)
	r.sort()
}

// bytes returns how many bytes went through the line for each message, both directions together.
func (r *result) bytes() float64 { return float64(r.DownBytes+r.UpBytes) / float64(r.Messages) }

// held returns the share of messages that were held back.
func (r *result) held() float64 { return float64(r.Held) / float64(r.Messages) }

// late returns the share of messages that did not come at once: they were lost themselves, or
// waited for others, or for being sent.
func (r *result) late() float64 {
	n, _ := slices.BinarySearch(r.Latency, r.Line.Delay+atOnce+1)
	return 1 - float64(n)/float64(len(r.Latency))
}

// Package virtual plays what two ends do over a simulated line, in virtual time. It is for
// benchmarks: they give the same figures on each machine, however busy it is.
package virtual

import (
	"errors"
	"fmt"
	"time"

	"holt/server/transport/simline"
)

// Ends are both ends of something that sends packets. Side 0 sends on the line there, side 1 on the
// line back.
type Ends interface {
	// Receive processes a packet that has come to a side.
	Receive(now time.Duration, side int, p []byte) error
	// Next appends the next packet that a side may send now, or returns false.
	Next(now time.Duration, side int, to []byte) ([]byte, bool)
	// Wake returns when a side has to be asked for packets if nothing comes before, and false if it
	// need not be.
	Wake(side int) (time.Duration, bool)
}

// World is both ends, the line between them, and the time.
type World struct {
	// Set at construction.
	ends  Ends
	lines simline.Pair

	now   time.Duration
	buf   []byte
	still int // steps in which the time stood still
}

// New returns a world at time 0.
func New(ends Ends, lines simline.Pair) *World { return &World{ends: ends, lines: lines} }

// Now returns the time.
func (w *World) Now() time.Duration { return w.now }

// ErrStill says that the ends want to do something without end at one moment.
var ErrStill = errors.New("the time stands still")

// mostAtOnce is how many steps may follow each other at one moment.
const mostAtOnce = 100_000

// Run advances to a time. The ends may have been given something to send before.
func (w *World) Run(until time.Duration) error {
	if err := w.flush(); err != nil {
		return err
	}
	for {
		at, ok := w.next()
		if !ok || at > until {
			w.now = max(w.now, until)
			return nil
		}
		if w.still++; at > w.now {
			w.still = 0
		}
		if w.still > mostAtOnce {
			return fmt.Errorf("at %v: %w", w.now, ErrStill)
		}
		w.now = max(w.now, at)
		if err := w.step(); err != nil {
			return err
		}
	}
}

// step delivers the packets that have arrived, and lets both ends send.
func (w *World) step() error {
	for side, line := range w.lines {
		to := 1 - side
		for {
			p, ok := line.Receive(w.now, w.buf[:0])
			if !ok {
				break
			}
			w.buf = p
			if err := w.ends.Receive(w.now, to, p); err != nil {
				return fmt.Errorf("at %v: side %d: %w", w.now, to, err)
			}
			if err := w.send(to); err != nil {
				return err
			}
		}
	}
	return w.flush()
}

func (w *World) flush() error {
	for side := range w.lines {
		if err := w.send(side); err != nil {
			return err
		}
	}
	return nil
}

// send sends what a side has to send.
func (w *World) send(side int) error {
	for range mostAtOnce {
		p, ok := w.ends.Next(w.now, side, w.buf[:0])
		if !ok {
			return nil
		}
		w.buf = p
		w.lines[side].Send(w.now, p)
	}
	return fmt.Errorf("at %v: side %d: %w", w.now, side, ErrStill)
}

// next returns when something happens next.
func (w *World) next() (at time.Duration, ok bool) {
	earlier := func(t time.Duration, there bool) {
		if there && (!ok || t < at) {
			at, ok = t, true
		}
	}
	for side, line := range w.lines {
		earlier(line.Arrival())
		earlier(w.ends.Wake(side))
	}
	return at, ok
}

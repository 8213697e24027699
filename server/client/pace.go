package client

import "time"

// When to ping (S15).
const (
	steady = 30 * time.Second
	// look is how often it is looked whether the machine was asleep.
	look = 2 * time.Second
	// slept is by how much the clock of the day gets ahead of the client's, which stands still meanwhile, if it was. It may
	// also have been set: then the pings do no harm.
	slept = time.Second
)

// Pauses before pings: when the stream has become whole, for a good estimate soon; and when the machine was asleep:
// two, as the first is doubted (K15).
var (
	quick = []time.Duration{0, time.Second, 2 * time.Second}
	woken = []time.Duration{0, time.Second}
)

// pace says when to ping. It has no clock of its own. Time on the client's clock, which stands still while the machine
// sleeps, is ticks; what the clock of the day shows is wall; either counts from anywhere.
type pace struct {
	pauses []time.Duration // before the next pings; then it is steady
	due    time.Duration   // the next one, in ticks
	ahead  time.Duration   // wall less ticks, at the last look
}

// begin returns the pace of a stream that has become whole.
func begin(ticks, wall time.Duration) *pace {
	p := &pace{ahead: wall - ticks}
	p.soon(ticks, quick)
	return p
}

// soon sets the next pings.
func (p *pace) soon(ticks time.Duration, pauses []time.Duration) {
	p.due, p.pauses = ticks+pauses[0], pauses[1:]
}

// look says whether to ping now, for how long not to look again, and whether the machine was asleep.
func (p *pace) look(ticks, wall time.Duration) (ping bool, wait time.Duration, asleep bool) {
	ahead := wall - ticks
	if asleep = ahead-p.ahead > slept; asleep {
		p.soon(ticks, woken)
	}
	p.ahead = ahead
	if ping = ticks >= p.due; ping {
		pause := steady
		if len(p.pauses) > 0 {
			pause, p.pauses = p.pauses[0], p.pauses[1:]
		}
		p.due = ticks + pause
	}
	return ping, min(p.due-ticks, look), asleep
}

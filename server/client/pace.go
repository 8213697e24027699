package client

import "time"

// When to ping (S15).
const (
	steady = 30 * time.Second
	// look is the interval at which the client checks whether the machine was asleep.
	look = 2 * time.Second
	// slept is how far the wall clock must get ahead of the client's clock, which stands still
	// during a sleep, to count as a sleep. A wall clock that was set looks the same; the extra
	// pings do no harm.
	slept = time.Second
)

// Pauses before pings. quick is for a new synchronised stream, to get a good estimate soon. woken
// is for a machine that was asleep: two pings, since the first one is doubted (K15).
var (
	quick = []time.Duration{0, time.Second, 2 * time.Second}
	woken = []time.Duration{0, time.Second}
)

// pace decides when to ping. It reads no clock. ticks is the client's clock, which stands still
// while the machine sleeps; wall is the wall clock. Each may count from any origin.
type pace struct {
	pauses []time.Duration // before the next pings; later ones are steady apart
	due    time.Duration   // when to send the next ping, in ticks
	ahead  time.Duration   // wall less ticks at the last look
}

// begin returns the pace of a stream that has just synchronised the client.
func begin(ticks, wall time.Duration) *pace {
	p := &pace{ahead: wall - ticks}
	p.soon(ticks, quick)
	return p
}

// soon schedules the next pings.
func (p *pace) soon(ticks time.Duration, pauses []time.Duration) {
	p.due, p.pauses = ticks+pauses[0], pauses[1:]
}

// look reports whether to ping now, how long to wait until the next look, and whether the machine
// was asleep.
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

package connection

import "time"

// Times of D24, D26 and D29.
const (
	tick          = 100 * time.Microsecond // unit of the delay that an acknowledgement names
	ackDelay      = 10 * time.Millisecond  // how long an acknowledgement may wait
	firstProbe    = 200 * time.Millisecond // the probe timeout before the first measurement
	longestProbe  = time.Second            // bound of its doubling
	leastLate     = time.Millisecond       // the least after which a packet is lost by time
	silentTimeout = 10 * time.Second       // after which a path is dead
	closeTimeout  = time.Second            // for what waits when a connection ends in good order
)

// roundTrip estimates the round-trip time of a path as RFC 6298 does (D26).
type roundTrip struct {
	smoothed  time.Duration // 0 before the first measurement
	variation time.Duration
	latest    time.Duration
}

// measure takes a measurement: how long an acknowledgement took, and the delay that the other end
// says it added. A delay longer than took is ignored.
func (r *roundTrip) measure(took, delay time.Duration) {
	if delay <= took {
		took -= delay
	}
	r.latest = max(took, time.Microsecond)
	if r.smoothed == 0 {
		r.smoothed, r.variation = r.latest, r.latest/2
		return
	}
	r.variation += ((r.smoothed - r.latest).Abs() - r.variation) / 4
	r.smoothed += (r.latest - r.smoothed) / 8
}

// probeAfter returns the probe timeout after times earlier ones in a row (D26).
func (r *roundTrip) probeAfter(times int) time.Duration {
	wait := firstProbe
	if r.smoothed > 0 {
		wait = r.smoothed + 4*r.variation + ackDelay
	}
	longest := max(wait, longestProbe)
	return min(wait<<min(times, 10), longest)
}

// late returns after how long a packet counts as lost when a later one was acknowledged. slack is
// the extra time that packets needed that counted as lost and came after all.
func (r *roundTrip) late(slack time.Duration) time.Duration {
	longer := max(r.smoothed, r.latest)
	return max(longer+max(longer/8, slack), leastLate)
}

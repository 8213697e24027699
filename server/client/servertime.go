package client

import "math"

// Bounds on the samples that count (K14).
const (
	maxSamples   = 16
	maxRoundTrip = 10_000 // milliseconds; a machine that sleeps in between measures more
	// Per unit of time since the sample: 200 ppm, four times what quartz is sold with.
	drift      = 0.0002
	resolution = 1 // millisecond: the server sends whole milliseconds
)

// serverTime estimates the server's clock from pings (K14, K15). It reads no clock: times are
// arguments, in milliseconds, those of the client with fractions. The zero serverTime has no
// estimate. It computes as static/js/net/servertime.js does.
type serverTime struct {
	samples []pingSample // they agree with each other; oldest first, at most maxSamples
	doubt   *pingSample  // a newer sample that contradicts them; nil if there is none
}

// pingSample is a ping and its pong.
type pingSample struct {
	sent, received float64 // on the client's clock
	server         float64 // the server's time in the pong
}

// estimate says that the server's time is the client's time plus offset, plus or minus uncertainty.
type estimate struct{ offset, uncertainty float64 }

// learn adds a sample. A sample that contradicts the others is doubted. If the next one agrees with
// the doubted one and contradicts the others, a clock has jumped: then only these two count (K15).
func (t *serverTime) learn(s pingSample) {
	trip := s.received - s.sent
	// The negation also ignores a trip that is NaN.
	if !(trip >= 0 && trip <= maxRoundTrip) || math.IsNaN(s.server) || math.IsInf(s.server, 0) {
		return
	}
	now := s.received
	known, ok := t.best(now)
	switch {
	case !ok || known.agrees(s.tells(now)):
		if len(t.samples) == maxSamples {
			t.samples = append(t.samples[:0], t.samples[1:]...)
		}
		t.samples, t.doubt = append(t.samples, s), nil
	case t.doubt != nil && t.doubt.tells(now).agrees(s.tells(now)):
		t.samples, t.doubt = append(t.samples[:0], *t.doubt, s), nil
	default:
		t.doubt = &s
	}
}

// at returns the estimate at a time of the client's clock. It reports false before the first
// sample. While a sample is doubted, the uncertainty covers it, too.
func (t *serverTime) at(now float64) (estimate, bool) {
	known, ok := t.best(now)
	if ok && t.doubt != nil {
		doubted := t.doubt.tells(now)
		known.uncertainty = max(
			known.uncertainty, math.Abs(doubted.offset-known.offset)+doubted.uncertainty,
		)
	}
	return known, ok
}

// best returns the least uncertain estimate of all samples; among equals the latest.
func (t *serverTime) best(now float64) (found estimate, ok bool) {
	for i := range t.samples {
		if e := t.samples[i].tells(now); !ok || e.uncertainty <= found.uncertainty {
			found, ok = e, true
		}
	}
	return found, ok
}

// tells returns the estimate of one sample (K14): the server made the pong at some time between
// sending and receiving.
func (s *pingSample) tells(now float64) estimate {
	return estimate{
		offset:      s.server + resolution/2. - (s.sent+s.received)/2,
		uncertainty: (s.received-s.sent)/2 + resolution/2. + drift*math.Abs(now-s.received),
	}
}

// agrees reports whether both estimates can be right.
func (e estimate) agrees(o estimate) bool {
	return math.Abs(e.offset-o.offset) <= e.uncertainty+o.uncertainty
}

package client

import "math"

// Bounds of what is believed of pings (K14).
const (
	maxSamples   = 16
	maxRoundTrip = 10_000 // milliseconds; a machine that sleeps in between measures a longer one
	drift        = 0.0002 // of the time since: 200 ppm, four times what quartz is sold with
	resolution   = 1      // millisecond: how far off a whole number of the server's may be
)

// serverTime is what is known of the server's clock from pings (K14, K15). It has no clock of its own: times come
// in as arguments, in milliseconds, the client's with fractions. The zero one knows nothing. It computes as
// static/js/servertime.js does.
type serverTime struct {
	samples []pingSample // they agree with each other; the oldest first, at most maxSamples
	doubt   *pingSample  // a newer one that does not agree with them, nil if there is none
}

// pingSample is a ping and its answer.
type pingSample struct {
	sent, received float64 // by the client's clock
	server         float64 // the server's time that the answer carried
}

// estimate says that the server's clock shows the client's time plus offset, give or take uncertainty.
type estimate struct{ offset, uncertainty float64 }

// learn takes one more sample. One that contradicts the others is doubted; if the next one agrees with it and not with
// the others, a clock has jumped, and these two count alone (K15).
func (t *serverTime) learn(s pingSample) {
	trip := s.received - s.sent
	if !(trip >= 0 && trip <= maxRoundTrip) || math.IsNaN(s.server) || math.IsInf(s.server, 0) { // so that NaN is wrong, too
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

// at returns the estimate at a time of the client's clock. It reports false before the first sample. While a sample is
// doubted the uncertainty covers it, too.
func (t *serverTime) at(now float64) (estimate, bool) {
	known, ok := t.best(now)
	if ok && t.doubt != nil {
		doubted := t.doubt.tells(now)
		known.uncertainty = max(known.uncertainty, math.Abs(doubted.offset-known.offset)+doubted.uncertainty)
	}
	return known, ok
}

// best returns the least uncertain estimate that one of the samples gives; the latest of equals.
func (t *serverTime) best(now float64) (found estimate, ok bool) {
	for i := range t.samples {
		if e := t.samples[i].tells(now); !ok || e.uncertainty <= found.uncertainty {
			found, ok = e, true
		}
	}
	return found, ok
}

// tells returns what one sample tells (K14): the answer was made at some time between sending and receiving.
func (s *pingSample) tells(now float64) estimate {
	return estimate{
		offset:      s.server + resolution/2. - (s.sent+s.received)/2,
		uncertainty: (s.received-s.sent)/2 + resolution/2. + drift*math.Abs(now-s.received),
	}
}

// agrees reports whether both can be right.
func (e estimate) agrees(o estimate) bool {
	return math.Abs(e.offset-o.offset) <= e.uncertainty+o.uncertainty
}

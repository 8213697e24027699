package peer

import "time"

// dialling decides when a host is called, and over which networks. It has no clock.
type dialling struct {
	busy     bool // a call is under way
	failures int  // in a row
	// The connection that the last failed call was meant to replace; 0: none.
	failedReplacing uint64
	last            time.Time
	next            time.Time // not before
	// What is known of QUIC. Perhaps no UDP passes.
	quicFrom time.Time // not before, unless nothing else is left
	quicBad  int       // how often in a row QUIC has failed where the WebSocket has not
}

// networks are the networks that a call tries.
type networks uint8

const (
	byQUIC networks = 1 << iota
	byWeb
	byAny = byQUIC | byWeb
)

// plan is what run does next.
type plan struct {
	call networks // 0: no call
	// webFirst says that QUIC is tried last.
	webFirst bool
	replaces uint64 // the connection that the new one replaces
	// If there is no call: when the next plan is made; negative: when something happens.
	wait time.Duration
}

// without returns what to do while there is no connection.
func (d *dialling) without(now time.Time) plan {
	switch {
	case d.busy:
		return plan{wait: -1}
	case now.Before(d.next):
		return plan{wait: d.next.Sub(now)}
	default:
		return plan{call: byAny, webFirst: now.Before(d.quicFrom)}
	}
}

// with returns what to do while there is a connection. A stuck one is replaced by one over the
// other network. A WebSocket is replaced by QUIC when it is time to test whether UDP passes.
func (d *dialling) with(now time.Time, c *linkConn, stuck bool) plan {
	switch {
	case d.busy:
		return plan{wait: -1}
	case stuck && !now.Before(d.next):
		other := byWeb
		if c.network() == networkWeb {
			other = byQUIC
		}
		return plan{call: other, replaces: c.number}
	case c.network() == networkWeb && c.dialled && !now.Before(d.quicFrom):
		return plan{call: byQUIC, replaces: c.number}
	case c.network() == networkWeb && c.dialled:
		return plan{wait: d.quicFrom.Sub(now)}
	default:
		return plan{wait: -1}
	}
}

// begin records that a call begins.
func (d *dialling) begin(now time.Time) { d.busy, d.last = true, now }

// fail records that a call has failed. If there is another connection, the failure does not make
// calls rarer.
func (d *dialling) fail(now time.Time, what networks, connected bool) {
	if what == byQUIC {
		d.blame(now)
	}
	if connected {
		d.next = now.Add(againFirst)
		return
	}
	d.failures++
	d.next = now.Add(again(d.failures - 1))
}

// blame records that QUIC has failed, and postpones the next try.
func (d *dialling) blame(now time.Time) {
	d.quicFrom = now.Add(upgrades[min(d.quicBad, len(upgrades)-1)])
	d.quicBad++
}

// succeed records a connection over a network.
func (d *dialling) succeed(now time.Time, network string) {
	d.failures, d.next = 0, time.Time{}
	if network == networkWeb && !now.Before(d.quicFrom) {
		d.blame(now) // QUIC would have succeeded first
	}
	if network == networkQUIC {
		d.quicBad, d.quicFrom = 0, time.Time{}
	}
}

// lose records that a connection has ended. The host is called again a little later, because it may
// just be starting again, or may call this one. If a QUIC connection was silent before it ended,
// UDP may not pass any more. If UDP does pass, QUIC is missed for a minute at most.
func (d *dialling) lose(now time.Time, network string, silent bool) {
	if network == networkQUIC && silent {
		d.quicFrom = now.Add(upgrades[0])
	}
	if d.next.Before(now) {
		d.next = now.Add(againFirst / 4)
	}
}

// hurry brings the next call forward because a message waits, but not to less than a second after
// the last call. It reports whether it did.
func (d *dialling) hurry(now time.Time) bool {
	if at := d.last.Add(againFirst); d.next.After(at) && d.next.After(now) {
		d.next = at
		return true
	}
	return false
}

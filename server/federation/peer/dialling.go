package peer

import "time"

// dialling decides when a host is called, and by which networks. It has no clock.
type dialling struct {
	busy     bool   // somebody calls
	failures int    // in a row
	vain     uint64 // the connection that was to be replaced when nobody was reached last; 0: none
	last     time.Time
	next     time.Time // not before
	// What is known of QUIC: it may be that no UDP passes.
	quicFrom time.Time // not before, unless nothing else is left
	quicBad  int       // how often in a row it has failed where the WebSocket has not
}

// Which networks a call tries.
type networks uint8

const (
	byQUIC networks = 1 << iota
	byWeb
	byAny = byQUIC | byWeb
)

// plan is what run does next.
type plan struct {
	call networks // 0: nobody is called
	// webFirst says that QUIC is tried last.
	webFirst bool
	replaces uint64        // the connection that the new one is to replace
	wait     time.Duration // before the next plan is made, when there is nothing to do; negative: until something happens
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

// with returns what to do while there is a connection: one that is stuck is replaced by one over the other network, and one by WebSocket by
// QUIC, when it is time to see whether UDP passes.
func (d *dialling) with(now time.Time, c *call, stuck bool) plan {
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

// begin notes that somebody calls.
func (d *dialling) begin(now time.Time) { d.busy, d.last = true, now }

// fail notes that nobody was reached. A host to which there is another connection is not called less often for that.
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

// blame notes that QUIC has failed, and puts it off.
func (d *dialling) blame(now time.Time) {
	d.quicFrom = now.Add(upgrades[min(d.quicBad, len(upgrades)-1)])
	d.quicBad++
}

// succeed notes that there is a connection by a network.
func (d *dialling) succeed(now time.Time, network string) {
	d.failures, d.next = 0, time.Time{}
	if network == networkWeb && !now.Before(d.quicFrom) {
		d.blame(now) // it would have come by QUIC
	}
	if network == networkQUIC {
		d.quicBad, d.quicFrom = 0, time.Time{}
	}
}

// lose notes that a connection has ended: it is tried again a little later, as the other host may just be starting again, or calls us. If it
// had fallen silent before UDP may not pass any more: if it does, it is missed for a minute at most.
func (d *dialling) lose(now time.Time, network string, silent bool) {
	if network == networkQUIC && silent {
		d.quicFrom = now.Add(upgrades[0])
	}
	if d.next.Before(now) {
		d.next = now.Add(againFirst / 4)
	}
}

// hurry brings the next call forward, because somebody waits; not to less than a second after the last one. It reports whether it has.
func (d *dialling) hurry(now time.Time) bool {
	if at := d.last.Add(againFirst); d.next.After(at) && d.next.After(now) {
		d.next = at
		return true
	}
	return false
}

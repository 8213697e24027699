package object

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// How requests are repeated and how long a host waits for answers, in milliseconds (O14, O19).
const (
	firstRepeat id.Millis = 1000   // the pause before the first repetition
	lastRepeat  id.Millis = 8000   // the longest pause between two repetitions
	patience    id.Millis = 10_000 // for one request in all
	// For a host that is only believed to be the owner, while the creator can be asked.
	guess id.Millis = 5000
	// A host that has owed an answer for this long without sending one gets only brief.
	silence id.Millis = 5000
	brief   id.Millis = 1000 // for a host that is silent or has no connection
)

// What a host may request here (O35, O36). The package that carries the messages limits the rate.
const (
	maxPending = 64 // requests of one host at once
	// maxRemembered is how many references one host may make this one write down between two rounds
	// of the collection. It counts references to which nothing here refers yet, and those that are
	// not accepted any more.
	maxRemembered = 16_384
)

// ask is a request that waits for its answer.
type ask struct {
	number uint64
	to     id.HostID
	body   Body
	end    id.Millis
	repeat id.Millis
	// The value of end while the host can be reached.
	late id.Millis
	then func(answer Body) // gets nil if no answer came
}

// peer is what this host knows of another one while the process lasts.
type peer struct {
	// Since when it owes an answer and has sent none; never if it owes none.
	silent  id.Millis
	pending map[asked]bool
	// How much it has made this host remember in that round of the collection.
	given int
	round uint64
	// What it remembers of this host (O47): whether it is being asked, whether it has answered, and
	// the requests that wait until it has.
	recalling, recalled bool
	deferred            []Message
}

// asked identifies a request of another host.
type asked struct{ process, number uint64 }

func (h *Host) peer(host id.HostID) *peer {
	p := h.peers[host]
	if p == nil {
		p = &peer{silent: never, pending: map[asked]bool{}}
		h.peers[host] = p
	}
	return p
}

// ask sends a request and repeats it until it is answered or wait has passed (O14). It calls then
// once, with nil if no answer came. A request of a host to itself is carried out without a message,
// at once or as soon as possible.
func (h *Host) ask(to id.HostID, b Body, wait id.Millis, then func(answer Body)) {
	if to == h.me {
		h.carryOut(to, h.self.Process, b, then)
		return
	}
	p := h.peer(to)
	if p.silent == never {
		p.silent = h.elapsed
	} else if h.elapsed-p.silent >= silence {
		wait = min(wait, brief)
	}
	a := &ask{
		number: h.number(), to: to, body: b, end: h.elapsed + wait, late: h.elapsed + wait,
		repeat: firstRepeat, then: then,
	}
	h.asks[a.number] = a
	h.send(to, Message{Process: h.self.Process, Number: a.number, Body: b})
	h.clock.after(min(a.repeat, wait), func() { h.resend(a) })
}

// resend repeats a request without an answer, or gives it up.
func (h *Host) resend(a *ask) {
	if h.asks[a.number] != a {
		return
	}
	if h.elapsed >= a.end {
		delete(h.asks, a.number)
		a.then(nil)
		return
	}
	h.send(a.to, Message{Process: h.self.Process, Number: a.number, Body: a.body})
	a.repeat = min(2*a.repeat, lastRepeat)
	h.clock.after(min(a.repeat, a.end-h.elapsed), func() { h.resend(a) })
}

// repeat sends again, at once, all requests that a host has not answered.
func (h *Host) repeat(to id.HostID) {
	for _, a := range h.askedOf(to) {
		a.end = a.late
		h.send(to, Message{Process: h.self.Process, Number: a.number, Body: a.body})
	}
}

// shortenWaits shortens to brief the wait for the answers of a host that has no connection.
func (h *Host) shortenWaits(to id.HostID) {
	for _, a := range h.askedOf(to) {
		if end := h.elapsed + brief; end < a.end {
			a.end = end
			h.clock.after(brief, func() { h.resend(a) })
		}
	}
}

// askedOf returns the requests that a host has not answered, in the order in which they were made.
func (h *Host) askedOf(to id.HostID) (all []*ask) {
	for _, a := range h.asks {
		if a.to == to {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b *ask) int { return cmp.Compare(a.number, b.number) })
	return all
}

func (h *Host) send(to id.HostID, m Message) {
	if !h.link(to).Open {
		return
	}
	if !isTraceBody(m.Body) && h.awaitsReport(to) {
		h.recall(to)
		// A request is repeated, and the other host asks for an answer again.
		return
	}
	h.step.Sends = append(h.step.Sends, Send{To: to, Message: m})
}

// Receive processes a message of a host. A message of a host without an active link is ignored
// (O35).
func (h *Host) Receive(m Moment, from id.HostID, msg Message) (Step, error) {
	return h.input(m, func() {
		if from == h.me || !h.link(from).Open {
			return
		}
		p := h.peer(from)
		h.remember(from, msg.Trace)
		if msg.Body.field() >= firstAnswer {
			a := h.asks[msg.Number]
			if a == nil || a.to != from || msg.Process != h.self.Process {
				return
			}
			p.silent = never
			delete(h.asks, msg.Number)
			a.then(msg.Body)
			return
		}
		if !isTraceBody(msg.Body) && h.awaitsReport(from) {
			if h.recall(from); len(p.deferred) < maxDeferred {
				p.deferred = append(p.deferred, msg)
			}
			return
		}
		h.request(p, from, msg)
	})
}

// request carries out a request of another host, unless that host has too many at once (O36).
func (h *Host) request(p *peer, from id.HostID, msg Message) {
	key := asked{msg.Process, msg.Number}
	if p.pending[key] {
		return
	}
	answer := func(b Body) {
		delete(p.pending, key)
		h.send(from, Message{Process: msg.Process, Number: msg.Number, Body: b})
	}
	if len(p.pending) >= maxPending {
		answer(&Refused{Busy})
		return
	}
	p.pending[key] = true
	h.carryOut(from, msg.Process, msg.Body, answer)
}

// carryOut carries out a request of this or another host. It calls answer once, at once or later.
func (h *Host) carryOut(from id.HostID, process uint64, b Body, answer reply) {
	switch b := b.(type) {
	case *Call:
		h.carryOutCall(from, process, b, answer)
	case requestBody:
		b.carryOut(h, from, answer)
	}
}

// reply answers a request, once.
type reply func(Body)

// requestBody is the Body of a request other than a Call.
type requestBody interface {
	Body
	// carryOut carries the request of a host out. It calls answer once, at once or later.
	carryOut(h *Host, from id.HostID, answer reply)
}

// overBudget reports whether n more references would be more than a host in order makes this one
// remember in one round of the collection (O36). Otherwise it counts them.
func (h *Host) overBudget(from id.HostID, n int) bool {
	p := h.peer(from)
	if p.round != h.self.Round {
		p.given, p.round = 0, h.self.Round
	}
	if p.given+n > maxRemembered {
		return true
	}
	p.given += n
	return false
}

// refuseForbidden refuses a request that no host in order could have made, and reports it (O35).
func (h *Host) refuseForbidden(from id.HostID, answer reply) {
	if from != h.me {
		h.event(Offended{from})
	}
	answer(&Refused{Forbidden})
}

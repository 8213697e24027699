package object

import (
	"bytes"
	"slices"

	"holt/server/id"
)

// grantWindow is how many references are registered for another host at once.
const grantWindow = 64

// disownedFor is for how many milliseconds a host remembers what it has disowned (O22). That is
// much longer than a message can be on its way.
const disownedFor id.Millis = 30 * 24 * 60 * 60_000

// checkAfter is after how many rounds of the owner it asks a holder that has not renewed (O23).
// refreshAfter is after how many rounds it writes down a renewal that says nothing new.
const (
	checkAfter   = 8
	refreshAfter = 4
)

// maxUnlinked is how many holders of an object may be hosts that are not linked with its owner
// (O36). Nobody knows whether such hosts exist at all, and they must leave room for those that do.
const maxUnlinked = 64

func compare(a, b id.OID) int { return bytes.Compare(a[:], b[:]) }

func compareHosts(a, b id.HostID) int { return bytes.Compare(a[:], b[:]) }

// notIn returns those references that are not among passed.
func notIn(passed []Passed, refs []id.OID) (missing []id.OID) {
	for _, ref := range refs {
		if !slices.ContainsFunc(passed, func(p Passed) bool { return p.OID == ref }) {
			missing = append(missing, ref)
		}
	}
	return missing
}

// only returns what of passed is among references, which are in order. It changes passed.
func only(refs []id.OID, passed []Passed) []Passed {
	return slices.DeleteFunc(passed, func(p Passed) bool {
		_, ok := find(refs, p.OID)
		return !ok
	})
}

// setOf returns references in order, each once.
func setOf(refs []id.OID) []id.OID {
	set := slices.Clone(refs)
	slices.SortFunc(set, compare)
	return slices.Compact(set)
}

// grant has a host registered as a holder of objects before references to them are passed to it
// (O21). said is 1 and the distance of what will refer to them there. If sure is false, objects
// that the host is believed to own are not registered. done gets the references as they must be
// passed, or the reason why they cannot be.
func (h *Host) grant(
	refs []id.OID, to id.HostID, said uint8, sure bool,
	done func(p []Passed, refused Refusal, f *Failure),
) {
	g := &granting{
		h: h, refs: refs, to: to, said: said, sure: sure, passed: make([]Passed, len(refs)),
		done: done,
	}
	g.more()
}

type granting struct {
	h    *Host
	refs []id.OID
	to   id.HostID
	said uint8
	// Register also what the receiver is believed to own.
	sure    bool
	passed  []Passed
	next    int
	open    int
	inside  bool
	refused Refusal
	failure *Failure
	done    func([]Passed, Refusal, *Failure)
}

// more registers as much as may be at once, and calls done when everything is registered.
func (g *granting) more() {
	if g.inside {
		return
	}
	g.inside = true
	for g.open < grantWindow && g.next < len(g.refs) && g.failure == nil && g.refused == 0 {
		i := g.next
		g.next++
		g.open++
		g.one(i)
	}
	g.inside = false
	if g.open == 0 && g.done != nil {
		done := g.done
		g.done = nil
		done(g.passed, g.refused, g.failure)
	}
}

func (g *granting) one(i int) {
	oid := g.refs[i]
	g.passed[i].OID = oid
	if g.h.lapsed(oid) {
		g.h.regain(oid, func(why Refusal, f *Failure) {
			if why == 0 && f == nil {
				g.register(i)
				return
			}
			g.open--
			g.refused, g.failure = why, f
			g.more()
		})
		return
	}
	g.register(i)
}

// register has the receiver registered as a holder of one object.
func (g *granting) register(i int) {
	oid := g.refs[i]
	if !g.sure && g.h.heads.get(oid) == nil && g.h.known(oid).Owner == g.to {
		g.open--
		g.more()
		return
	}
	g.h.reach(oid, &Retain{OID: oid, For: g.to, DistancePlus1: g.said}, func(b Body, f *Failure) {
		g.open--
		switch b := b.(type) {
		case *Retained:
			g.passed[i].Number = b.Number
		case *Refused:
			g.refused = b.Why
		default:
			if g.failure = f; f == nil {
				g.refused = Forbidden
			}
		}
		g.more()
	})
}

// Give passes a reference on to another host, as an invitation does. An Answered event ends it.
func (h *Host) Give(m Moment, t Ticket, oid id.OID, to id.HostID) (Step, error) {
	return h.input(m, func() {
		end := func(why Refusal, f *Failure) { h.conclude(t, oid, why, f) }
		if !h.has(oid) {
			end(Forbidden, nil)
			return
		}
		if !h.link(to).Open {
			end(0, &Failure{OID: oid, Host: to, Reason: Stranger})
			return
		}
		release := h.hold(oid)
		h.grant([]id.OID{oid}, to, 1, true, func(ps []Passed, refused Refusal, f *Failure) {
			if refused != 0 || f != nil {
				release()
				end(refused, f)
				return
			}
			h.ask(to, &Give{ps}, patience, func(b Body) {
				release()
				switch b := b.(type) {
				case nil:
					end(0, &Failure{OID: oid, Host: to, Reason: OwnerUnreachable})
				case *Done:
					end(0, nil)
				case *Refused:
					end(b.Why, nil)
				default:
					end(Lapsed, nil)
				}
			})
		})
	})
}

// carryOut accepts references for the program.
func (b *Give) carryOut(h *Host, from id.HostID, answer reply) {
	if !h.take(from, b.Passed, answer) {
		return
	}
	for _, p := range b.Passed {
		// The giver is the best guess for the owner if nothing else is known: the creator may be
		// unreachable.
		if h.known(p.OID) == (whereabouts{}) && h.helds.get(p.OID) != nil &&
			from != p.OID.Creator() {
			h.note(p.OID, whereabouts{Owner: from})
		}
		h.event(Given{from, p.OID})
	}
	answer(&Done{})
}

// carryOut makes a host a holder (O21), or confirms that it is one (O42).
func (b *Retain) carryOut(h *Host, from id.HostID, answer reply) {
	hd := h.owned(b.OID, answer)
	switch {
	case hd == nil:
	case from == b.For && hd.holder(from) == nil && from != b.OID.Creator() && !h.unsure(hd):
		answer(&Refused{Forbidden}) // it asks whether it still is a holder (O42)
	case from != h.me && from != b.For && from != b.OID.Creator() && hd.holder(from) == nil:
		h.refuseForbidden(from, answer)
	case b.For == h.me, b.DistancePlus1 == 0 && hd.holder(b.For) != nil:
		answer(&Retained{})
	case hd.holder(b.For) == nil && !h.link(b.For).Open && h.unlinked(hd) >= maxUnlinked:
		answer(&Refused{Full})
	default:
		n, ok := hd.register(b.For, b.DistancePlus1, h.self.Round)
		if !ok {
			answer(&Refused{Full})
			return
		}
		// It was registered before, with a number that is not known here.
		if b.DistancePlus1 == 0 {
			hd.holder(b.For).Since = 1
		}
		h.heads.put(b.OID, hd)
		h.touch(b.OID)
		answer(&Retained{n})
	}
}

// unlinked counts the holders that are not linked with this host.
func (h *Host) unlinked(hd *head) (n int) {
	for i := range hd.Holders {
		if !h.link(hd.Holders[i].Host).Open {
			n++
		}
	}
	return n
}

// accept accepts references that were passed to this host. It returns those that it cannot accept:
// their registration is over, or never was (O22).
func (h *Host) accept(passed []Passed) (strange []id.OID) {
	for _, p := range passed {
		hd, r := h.heads.get(p.OID), h.helds.get(p.OID)
		switch d := h.disowned.get(p.OID); {
		case hd.owned() && !h.condemned(p.OID):
		case r != nil:
			if p.Number > r.Number {
				r.Number, r.Lapsed, r.Life = p.Number, false, h.self.Life
				h.helds.put(p.OID, r)
			}
			h.touch(p.OID)
		case p.Number == 0:
			strange = append(strange, p.OID)
		case d != nil && p.Number <= d.Number:
			strange = append(strange, p.OID)
			// The owner says whether that number was ever counted.
			h.owe(p.OID, debt{Release: d.Number, Where: h.hints.get(p.OID)})
		default:
			h.helds.put(p.OID, &reference{
				Number: p.Number, Where: h.hints.get(p.OID), Life: h.self.Life,
			})
			h.touch(p.OID)
		}
	}
	return strange
}

// take accepts what another host passes. If it cannot, it answers and reports false.
func (h *Host) take(from id.HostID, passed []Passed, answer reply) bool {
	if from != h.me && h.overBudget(from, h.strangers(passed)) {
		answer(&Refused{Busy})
		return false
	}
	if strange := h.receive(passed); len(strange) > 0 {
		answer(&Unregistered{strange})
		return false
	}
	return true
}

// strangers counts the references that are neither here nor held.
func (h *Host) strangers(passed []Passed) (n int) {
	for _, p := range passed {
		if h.heads.get(p.OID) == nil && h.helds.get(p.OID) == nil {
			n++
		}
	}
	return n
}

// receive accepts references. It protects them from the collection until something that is kept
// refers to them, or a round has passed.
func (h *Host) receive(passed []Passed) (strange []id.OID) {
	strange = h.accept(passed)
	for _, p := range passed {
		if !slices.Contains(strange, p.OID) {
			h.freshen(p.OID)
		}
	}
	return strange
}

// disown gives a reference up: the host no longer accepts a registration with a number up to n
// (O22).
func (h *Host) disown(oid id.OID, n uint64) {
	d := h.disowned.get(oid)
	if d == nil {
		d = &disowned{}
	}
	d.Number, d.At = max(d.Number, n), h.moment.Now
	h.disowned.put(oid, d)
}

// release gives a held reference up, and owes the owner a release (O22).
func (h *Host) release(oid id.OID, r *reference) {
	h.disown(oid, r.Number)
	h.helds.put(oid, nil)
	h.dropCopy(oid)
	h.owe(oid, debt{Release: r.Number, Where: r.Where})
	h.hints.put(oid, r.Where)
}

// carryOut removes a holder from the list (O22).
func (b *Release) carryOut(h *Host, from id.HostID, answer reply) {
	hd := h.owned(b.OID, answer)
	if hd == nil {
		return
	}
	h.strike(b.OID, hd, from, b.Number)
	if b.Number > hd.Counter {
		// Another host has given the sender a number that was never counted.
		answer(&Retained{hd.Counter})
		return
	}
	answer(&Done{})
}

// strike removes a host from the holders, and the calls that are kept for it. While the owner is
// unsure it keeps the calls: a host that names a number is believed (O41), and a late call must not
// be carried out a second time.
func (h *Host) strike(oid id.OID, hd *head, host id.HostID, n uint64) {
	if !hd.strike(host, n) {
		return
	}
	h.heads.put(oid, hd)
	b := h.bodies.get(oid)
	if b == nil || h.unsure(hd) && len(b.Calls) < MaxHolders {
		return
	}
	if b.of(host) != nil {
		b.Calls = slices.DeleteFunc(b.Calls, func(c calls) bool { return c.Host == host })
		h.bodies.put(oid, b)
	}
}

// carryOut records what a host still holds (O23). A single renewal is answered like any
// request about one object.
func (b *Renew) carryOut(h *Host, from id.HostID, answer reply) {
	if len(b.Items) == 1 {
		hd := h.owned(b.Items[0].OID, answer)
		switch {
		case hd == nil:
		case !h.renew(hd, from, b.Items[0]):
			answer(&Refused{Forbidden})
		default:
			answer(&Renewed{})
		}
		return
	}
	var a Renewed
	for _, r := range b.Items {
		if hd := h.owned(r.OID, func(Body) {}); hd == nil || !h.renew(hd, from, r) {
			a.Strange = append(a.Strange, r.OID)
		}
	}
	answer(&a)
}

func (h *Host) renew(hd *head, from id.HostID, r Renewal) bool {
	e := hd.holder(from)
	if e == nil {
		if !h.claims(r.OID, hd, from, r.Number) {
			return false
		}
		e = hd.holder(from)
	}
	if e.DistancePlus1 != r.DistancePlus1 || h.self.Round >= e.Round+refreshAfter {
		e.DistancePlus1, e.Round = r.DistancePlus1, h.self.Round
		h.heads.put(r.OID, hd)
	}
	return true
}

// carryOut says whether this host holds an object (O23).
func (b *Check) carryOut(h *Host, from id.HostID, answer reply) {
	if r := h.helds.get(b.OID); r != nil {
		answer(&Holding{r.Number})
		return
	}
	if d := h.disowned.get(b.OID); d == nil || d.Number < b.Number {
		if h.overBudget(from, 1) {
			answer(&Refused{Busy})
			return
		}
		h.disown(b.OID, b.Number)
	}
	answer(&Holding{})
}

// check asks a holder that was not heard of for a long time (O23).
func (h *Host) check(oid id.OID, host id.HostID, n uint64) {
	h.ask(host, &Check{oid, n}, patience, func(b Body) {
		a, ok := b.(*Holding)
		hd := h.heads.get(oid)
		if !ok || hd == nil || hd.State != here {
			return
		}
		e := hd.holder(host)
		switch {
		case e == nil:
		case a.Number == 0:
			h.strike(oid, hd, host, n)
		default:
			e.Round = h.self.Round
			h.heads.put(oid, hd)
		}
	})
}

// carryOut deletes the forwarding address of an object that its owner has deleted (O24).
func (b *Gone) carryOut(h *Host, from id.HostID, answer reply) {
	if !h.made(b.OID) {
		h.refuseForbidden(from, answer)
		return
	}
	if h.self.Survey {
		answer(&Moving{})
		return
	}
	f := h.forwards.get(b.OID)
	// A Gone about an object that is needed here changes nothing: its owner has given this host up.
	// The object is lost there, and the copy is offered (O41).
	switch {
	case f == nil && h.heads.get(b.OID) != nil, f != nil && f.Term <= b.Term && f.Owner != from:
		h.refuseForbidden(from, answer)
		return
	case f != nil && f.Term <= b.Term && h.helds.get(b.OID) == nil:
		h.forwards.put(b.OID, nil)
		h.dropCopy(b.OID)
	}
	answer(&Done{})
}

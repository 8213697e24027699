package object

import (
	"bytes"
	"slices"

	"holt/server/id"
)

// grantWindow is how many references are registered for somebody at once.
const grantWindow = 64

// disownedFor is how long it is remembered what is not taken any more, in milliseconds: much longer than any message lives (O22).
const disownedFor id.Millis = 30 * 24 * 60 * 60_000

// checkAfter is after how many rounds of the owner a holder that has not renewed is asked (O23), and refreshAfter after how many
// of them a renewal that says nothing new is written down.
const (
	checkAfter   = 8
	refreshAfter = 4
)

// maxUnlinked is how many holders of an object may be hosts with which its owner is not linked: nobody knows whether there are such
// hosts at all, and they leave room for those that there are (O3).
const maxUnlinked = 64

func compare(a, b id.OID) int { return bytes.Compare(a[:], b[:]) }

func compareHosts(a, b id.GWID) int { return bytes.Compare(a[:], b[:]) }

// setOf returns references in order, each once.
func setOf(refs []id.OID) []id.OID {
	set := slices.Clone(refs)
	slices.SortFunc(set, compare)
	return slices.Compact(set)
}

// grant has a host registered as the holder of objects, to which references are going to be passed on to it (O21). said is 1
// and the distance of what will refer to them there. done gets the references as they are passed, or why that cannot be.
func (h *Host) grant(refs []id.OID, to id.GWID, said uint8, sure bool, done func(p []Passed, refused Refusal, f *Failure)) {
	g := &granting{h: h, refs: refs, to: to, said: said, sure: sure, passed: make([]Passed, len(refs)), done: done}
	g.more()
}

type granting struct {
	h       *Host
	refs    []id.OID
	to      id.GWID
	said    uint8
	sure    bool // also of what the host is believed to own
	passed  []Passed
	next    int
	open    int
	inside  bool
	refused Refusal
	failure *Failure
	done    func([]Passed, Refusal, *Failure)
}

// more registers as much as may be at once, and ends when all is.
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

// register has the receiver registered as the holder of one.
func (g *granting) register(i int) {
	oid := g.refs[i]
	if !g.sure && g.h.heads.get(oid) == nil && g.h.known(oid).Owner == g.to {
		g.open--
		g.more()
		return
	}
	g.h.reach(oid, &Retain{OID: oid, For: g.to, Said: g.said}, func(b Body, f *Failure) {
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

// Give passes a reference on to another host, as an invitation does. It ends with an Answered.
func (h *Host) Give(m Moment, t Ticket, oid id.OID, to id.GWID) (Step, error) {
	return h.input(m, func() {
		end := func(why Refusal, f *Failure) { h.event(Answered{Ticket: t, OID: oid, Refusal: why, Failure: f}) }
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
					end(0, &Failure{OID: oid, Host: to, Reason: OwnerAway})
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

// carryOutGive takes references for the program.
func (h *Host) carryOutGive(from id.GWID, b *Give, answer func(Body)) {
	if !h.take(from, b.Passed, answer) {
		return
	}
	for _, p := range b.Passed {
		// Who gives it knows better than nobody where it is, and its creator may be away.
		if h.known(p.OID) == (whereabouts{}) && h.helds.get(p.OID) != nil && from != p.OID.Creator() {
			h.note(p.OID, whereabouts{Owner: from})
		}
		h.event(Given{from, p.OID})
	}
	answer(&Done{})
}

// carryOutRetain makes a host a holder (O21).
func (h *Host) carryOutRetain(from id.GWID, b *Retain, answer func(Body)) {
	hd := h.owned(b.OID, answer)
	switch {
	case hd == nil:
	case from == b.For && hd.holder(from) == nil && from != b.OID.Creator() && !h.unsure(hd):
		answer(&Refused{Forbidden}) // it asks whether it is a holder still (O42)
	case from != h.cfg.Self && from != b.For && from != b.OID.Creator() && hd.holder(from) == nil:
		h.forbid(from, answer)
	case b.For == h.cfg.Self, b.Said == 0 && hd.holder(b.For) != nil:
		answer(&Retained{})
	case hd.holder(b.For) == nil && !h.link(b.For).Open && h.unlinked(hd) >= maxUnlinked:
		answer(&Refused{Full})
	default:
		n, ok := hd.register(b.For, b.Said, h.self.Round)
		if !ok {
			answer(&Refused{Full})
			return
		}
		if b.Said == 0 {
			hd.holder(b.For).Since = 1 // it was registered before, by a number that is not known here
		}
		h.heads.put(b.OID, hd)
		h.touch(b.OID)
		answer(&Retained{n})
	}
}

// unlinked counts the holders with which this host is not linked.
func (h *Host) unlinked(hd *head) (n int) {
	for i := range hd.Holders {
		if !h.link(hd.Holders[i].Host).Open {
			n++
		}
	}
	return n
}

// accept takes references that were passed on to this host. It returns those that it cannot take: they are not registered any
// more, or never were (O22).
func (h *Host) accept(passed []Passed) (strange []id.OID) {
	for _, p := range passed {
		hd, r := h.heads.get(p.OID), h.helds.get(p.OID)
		switch d := h.disowned.get(p.OID); {
		case hd != nil && hd.State != arriving && !h.condemned(p.OID):
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
			h.owe(p.OID, debt{Release: d.Number, Where: h.hints.get(p.OID)}) // the owner says whether that was ever counted
		default:
			h.helds.put(p.OID, &held{Number: p.Number, Where: h.hints.get(p.OID), Life: h.self.Life})
			h.touch(p.OID)
		}
	}
	return strange
}

// take receives what another host passes on, and otherwise answers.
func (h *Host) take(from id.GWID, passed []Passed, answer func(Body)) bool {
	if from != h.cfg.Self && h.strains(from, h.strangers(passed)) {
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

// receive accepts references, and keeps them from the collection until something that is kept refers to them, or a round has
// passed.
func (h *Host) receive(passed []Passed) (strange []id.OID) {
	strange = h.accept(passed)
	for _, p := range passed {
		if !slices.Contains(strange, p.OID) {
			h.freshen(p.OID)
		}
	}
	return strange
}

// disown gives a reference up: none that was registered with a number up to n is taken any more (O22).
func (h *Host) disown(oid id.OID, n uint64) {
	d := h.disowned.get(oid)
	if d == nil {
		d = &disowned{}
	}
	d.Number, d.At = max(d.Number, n), h.moment.Now
	h.disowned.put(oid, d)
}

// release gives up what is held (O22), and owes the owner the word of it.
func (h *Host) release(oid id.OID, r *held) {
	h.disown(oid, r.Number)
	h.helds.put(oid, nil)
	h.thawOut(oid)
	h.owe(oid, debt{Release: r.Number, Where: r.Where})
	h.hints.put(oid, r.Where)
}

// carryOutRelease takes a holder off the list (O22).
func (h *Host) carryOutRelease(from id.GWID, b *Release, answer func(Body)) {
	hd := h.owned(b.OID, answer)
	if hd == nil {
		return
	}
	h.strike(b.OID, hd, from, b.Number)
	if b.Number > hd.Counter {
		answer(&Retained{hd.Counter}) // somebody has told it a number that was never counted
		return
	}
	answer(&Done{})
}

// strike takes a host off the holders, and what it has called. While anybody is believed who names a number (O41) its calls stay: one of them
// that comes once more would be carried out once more.
func (h *Host) strike(oid id.OID, hd *head, host id.GWID, n uint64) {
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

// carryOutRenew notes who still holds what (O23). A single renewal is answered like any request about one object.
func (h *Host) carryOutRenew(from id.GWID, b *Renew, answer func(Body)) {
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

func (h *Host) renew(hd *head, from id.GWID, r Renewal) bool {
	e := hd.holder(from)
	if e == nil {
		if !h.claims(r.OID, hd, from, r.Number) {
			return false
		}
		e = hd.holder(from)
	}
	if e.Said != r.Said || h.self.Round >= e.Round+refreshAfter {
		e.Said, e.Round = r.Said, h.self.Round
		h.heads.put(r.OID, hd)
	}
	return true
}

// carryOutCheck says whether this host holds an object (O23).
func (h *Host) carryOutCheck(from id.GWID, b *Check, answer func(Body)) {
	if r := h.helds.get(b.OID); r != nil {
		answer(&Holding{r.Number})
		return
	}
	if d := h.disowned.get(b.OID); d == nil || d.Number < b.Number {
		if h.strains(from, 1) {
			answer(&Refused{Busy})
			return
		}
		h.disown(b.OID, b.Number)
	}
	answer(&Holding{})
}

// check asks a holder that was not heard of for long (O23).
func (h *Host) check(oid id.OID, host id.GWID, n uint64) {
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

// carryOutGone forgets where an object was that its owner has deleted (O24).
func (h *Host) carryOutGone(from id.GWID, b *Gone, answer func(Body)) {
	if b.OID.Creator() != h.cfg.Self {
		h.forbid(from, answer)
		return
	}
	if h.self.Survey {
		answer(&Moving{})
		return
	}
	f := h.forwards.get(b.OID)
	switch {
	case f == nil && h.heads.get(b.OID) != nil, f != nil && f.Term <= b.Term && f.Owner != from:
		h.forbid(from, answer)
		return
	case f != nil && f.Term <= b.Term && h.helds.get(b.OID) == nil:
		h.forwards.put(b.OID, nil)
		h.thawOut(b.OID)
	} // what is needed here its owner has given up with this host: it is lost there, and the copy is offered (O41)
	answer(&Done{})
}

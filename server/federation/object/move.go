package object

import (
	"slices"

	"holt/server/id"
)

// When a host asks the creator about a move that was cut off, in milliseconds (O9).
const (
	settleWait id.Millis = 5000
	firstRetry id.Millis = 1000
	lastRetry  id.Millis = 300_000
	// gathering is for how long a host that has pinged does not evict to a host with a lower GWID
	// (O26).
	gathering id.Millis = 2000
)

// evictions is how many objects are evicted at once. maxRested is of how many objects the time of
// arrival is remembered (O13).
const (
	evictions = 32
	maxRested = 65_536
)

// moveState is a move in which this host takes part, as the old owner or as the new one.
type moveState struct {
	oid    id.OID
	to     id.HostID
	passed []Passed // the references of the object
	sure   bool
	tries  int
	far    uint8 // the distance of the object, if it is suspect (O26)
	wait   id.Millis
	asking bool // a request to the creator is on its way
	cut    bool // the object is not offered any more
	// How often a time was set to ask the creator again.
	retry uint64
	done  func(Refusal, *Failure)
}

// Move moves an object that this host owns to another host, because the game wants it (O12). An
// Answered event ends it.
func (h *Host) Move(m Moment, t Ticket, oid id.OID, to id.HostID) (Step, error) {
	return h.input(m, func() {
		h.move(oid, to, 0, func(why Refusal, f *Failure) { h.conclude(t, oid, why, f) })
	})
}

// Bring asks the owner of an object to move it here (O12). The owner does so if this host made the
// object. An Answered event ends it when the owner has begun. Arrived comes when the object is
// here.
func (h *Host) Bring(m Moment, t Ticket, oid id.OID) (Step, error) {
	return h.input(m, func() {
		if f := h.absent(oid); f != nil {
			h.conclude(t, oid, 0, f)
			return
		}
		h.reach(oid, &Take{oid}, func(b Body, f *Failure) {
			if _, ok := b.(*Done); ok {
				h.present(oid)
				h.conclude(t, oid, 0, nil)
				return
			}
			h.answered(t, oid, b, f)
		})
	})
}

func (b *Take) carryOut(h *Host, from id.HostID, answer reply) {
	hd := h.owned(b.OID, answer)
	switch {
	case hd == nil:
	case hd.Class.Fixed():
		answer(&Refused{Fixed})
	case from == h.me:
		answer(&Done{})
	case from == b.OID.Creator():
		h.move(b.OID, from, 0, func(Refusal, *Failure) {})
		answer(&Done{})
	case hd.holder(from) == nil:
		h.refuseForbidden(from, answer)
	default:
		h.event(Proposed{b.OID, from})
		answer(&Refused{Unwanted})
	}
}

// move begins a move (O8). far is the distance of an object that moves because it is suspect, else
// 0.
func (h *Host) move(oid id.OID, to id.HostID, far uint8, done func(Refusal, *Failure)) {
	hd, c := h.heads.get(oid), oid.Creator()
	switch {
	case !hd.owned() || h.condemned(oid):
		done(Unknown, nil)
	case hd.Class.Fixed():
		done(Fixed, nil)
	case to == h.me:
		done(0, nil)
	case !h.link(to).Open:
		done(0, &Failure{OID: oid, Host: to, Reason: Stranger})
	case c != h.me && !h.link(c).Open:
		done(0, &Failure{OID: oid, Host: c, Reason: Stranger})
	case hd.State != here || h.movesUnderWay[oid] != nil || h.unsettled(oid, hd):
		done(Busy, nil)
	default:
		g := &moveState{oid: oid, to: to, far: far, wait: firstRetry}
		g.done = func(why Refusal, f *Failure) {
			delete(h.movesUnderWay, oid)
			done(why, f)
		}
		h.movesUnderWay[oid] = g
		h.prepare(g)
	}
}

// end reports how a move ended to its initiator. Nobody waits for a move that an earlier process
// began.
func (h *Host) end(g *moveState, why Refusal) {
	delete(h.movesUnderWay, g.oid)
	if g.done != nil {
		g.done(why, nil)
		g.done = nil
	}
}

// said returns 1 and the distance of an object, which a holder sends for what the object refers to
// (O27).
func (h *Host) said(oid id.OID) uint8 { return h.nimby[oid] + 1 }

// prepare has the new owner registered as a holder of everything to which the object refers. Calls
// are carried out meanwhile.
func (h *Host) prepare(g *moveState) {
	hd := h.heads.get(g.oid)
	if h.movesUnderWay[g.oid] != g || hd == nil {
		// The object turned out to have another owner (O11).
		return
	}
	missing := notIn(g.passed, hd.Refs)
	if len(missing) == 0 {
		h.leave(g)
		return
	}
	if g.tries++; g.tries > 4 {
		g.done(Busy, nil)
		return
	}
	h.grant(missing, g.to, h.said(g.oid), g.sure, func(ps []Passed, refused Refusal, f *Failure) {
		switch {
		case h.movesUnderWay[g.oid] != g:
			return
		case refused != 0 || f != nil:
			g.done(refused, f)
			return
		}
		g.passed = append(g.passed, ps...)
		h.prepare(g)
	})
}

// leave stores that the object is leaving, and offers it.
func (h *Host) leave(g *moveState) {
	hd, b := h.heads.get(g.oid), h.bodies.get(g.oid)
	if hd.Term >= maxAccepted || hd.Counter >= maxAccepted {
		// No host would accept it: an earlier owner has named such numbers on purpose.
		g.done(Large, nil)
		return
	}
	g.passed = only(hd.Refs, g.passed)
	n, ok := hd.register(h.me, h.said(g.oid), h.self.Round)
	if !ok {
		g.done(Full, nil)
		return
	}
	deed := h.deed(g.oid, hd.Term+1, g.to)
	e := Envelope{
		OID: g.oid, Term: deed.Term, Class: hd.Class, counter: hd.Counter, Refs: hd.Refs,
		holders: hd.Holders, body: *b,
	}
	e.body.Calls = slices.DeleteFunc(
		slices.Clone(b.Calls), func(c calls) bool { return hd.holder(c.Host) == nil },
	)
	sealed := e.Append(nil)
	if len(sealed) > MaxEnvelope {
		hd.strike(h.me, n)
		g.done(Large, nil)
		return
	}
	hd.State, hd.Peer, hd.Deed = leaving, g.to, deed.Signature
	h.heads.put(g.oid, hd)
	h.helds.put(g.oid, &reference{
		Number: n, Where: whereabouts{Owner: h.me, Term: hd.Term}, Life: h.self.Life,
	})
	h.moves.put(g.oid, &whereabouts{Owner: g.to, Term: deed.Term})
	h.ask(g.to, &Offer{
		Deed: deed, Envelope: sealed, Passed: g.passed, Distance: g.far,
	}, patience, func(b Body) {
		if h.movesUnderWay[g.oid] != g {
			return
		}
		if _, ok := b.(*Done); ok {
			h.clock.after(settleWait, func() { h.resolve(g) })
			return
		}
		if u, ok := b.(*Unregistered); ok {
			for _, ref := range u.Refs {
				h.mistrust(ref, g.to)
			}
		}
		h.resolve(g)
	})
}

// deed signs a deed of this host.
func (h *Host) deed(oid id.OID, term Term, to id.HostID) Deed {
	d := Deed{OID: oid, From: h.me, To: to, Term: term}
	d.Signature = h.cfg.Sign(d.Statement())
	return d
}

// resolve ends a move whose outcome is not known. The owner swaps for itself at the creator. The
// creator answers that the object stays, in the next term, or that it has another owner (O9).
func (h *Host) resolve(g *moveState) {
	hd := h.heads.get(g.oid)
	if h.movesUnderWay[g.oid] != g || g.asking || hd == nil || hd.State != leaving {
		return
	}
	if h.strand(g, hd, whereabouts{Owner: hd.Peer, Term: hd.Term + 1}) {
		h.retry(g, func() { h.resolve(g) })
		return
	}
	g.asking, g.cut = true, true
	h.ask(g.oid.Creator(), &Swap{h.deed(g.oid, hd.Term+1, h.me)}, patience, func(b Body) {
		g.asking = false
		hd := h.heads.get(g.oid)
		if h.movesUnderWay[g.oid] != g || hd == nil || hd.State != leaving {
			return
		}
		switch b := b.(type) {
		case *Swapped:
			if b.Moved {
				hd.Term = max(b.Where.Term, hd.Term+1) - 1
				h.stay(g, hd)
				return
			}
			if b.Where.Owner == h.me && b.Where.Term > hd.Term {
				hd.Term = b.Where.Term - 1 // this host was restored, and has it still
				h.stay(g, hd)
				return
			}
			if outdated(hd.Term, b.Where.Term) && b.Where.Owner != hd.Peer {
				h.quarantineSuperseded(g.oid, hd, b.Where)
				break // it is asked again: the quarantine may have no room
			}
			if b.Where.Term > hd.Term {
				h.finishDeparture(g, b.Where)
				return
			}
		case *Refused:
			if b.Why == Unknown {
				h.finishDeparture(g, whereabouts{})
				return
			}
		}
		h.retry(g, func() { h.resolve(g) })
	})
}

// strand gives an object between two owners to the quarantine if its creator has left for good:
// nobody can say any more which host owns it (O41). It reports whether it did.
func (h *Host) strand(g *moveState, hd *head, other whereabouts) bool {
	if !h.link(g.oid.Creator()).Gone {
		return false
	}
	h.quarantineSuperseded(g.oid, hd, other)
	return true
}

// retry calls do after a wait that doubles each time, up to lastRetry.
func (h *Host) retry(g *moveState, do func()) {
	g.retry++
	count := g.retry
	h.clock.after(g.wait, func() {
		if g.retry == count {
			do()
		}
	})
	g.wait = min(2*g.wait, lastRetry)
}

// wakeMoves asks a creator that has come back about all moves of its objects.
func (h *Host) wakeMoves(host id.HostID) {
	var oids []id.OID
	for oid := range h.movesUnderWay {
		if oid.Creator() == host {
			oids = append(oids, oid)
		}
	}
	slices.SortFunc(oids, compare)
	for _, oid := range oids {
		g := h.movesUnderWay[oid]
		g.wait = firstRetry
		if hd := h.heads.get(oid); hd.arrives() {
			h.swap(g)
		} else if hd != nil && hd.State == leaving && g.cut {
			h.resolve(g)
		}
	}
}

// stay serves an object again that did not leave.
func (h *Host) stay(g *moveState, hd *head) {
	hd.State, hd.Peer, hd.Deed = here, id.HostID{}, nil
	hd.Term++
	hd.strike(h.me, maxNumber)
	h.heads.put(g.oid, hd)
	h.helds.put(g.oid, nil)
	h.moves.put(g.oid, nil)
	h.touch(g.oid)
	h.end(g, Unwanted)
}

// finishDeparture deletes an object that has moved, and keeps a frozen copy if this host made it.
func (h *Host) finishDeparture(g *moveState, w whereabouts) {
	if hd := h.heads.get(g.oid); hd != nil {
		h.freeze(g.oid, hd)
	}
	h.drop(g.oid)
	if r := h.helds.get(g.oid); r != nil {
		r.Where = w
		h.helds.put(g.oid, r)
	}
	h.event(Departed{g.oid, g.to})
	h.end(g, 0)
}

// drop removes an object from the store.
func (h *Host) drop(oid id.OID) {
	h.heads.put(oid, nil)
	h.bodies.put(oid, nil)
	h.moves.put(oid, nil)
	delete(h.streaks, oid)
	delete(h.nimby, oid)
	delete(h.moved, oid)
}

// resume continues a move that an earlier process has begun.
func (h *Host) resume(oid id.OID) {
	hd := h.heads.get(oid)
	if hd == nil {
		return
	}
	g := &moveState{oid: oid, to: hd.Peer, wait: firstRetry}
	h.movesUnderWay[oid] = g
	switch hd.State {
	case leaving:
		h.clock.after(0, func() { h.resolve(g) })
	case arriving:
		g.to = h.me
		h.clock.after(0, func() { h.swap(g) })
	default:
		delete(h.movesUnderWay, oid)
	}
}

// carryOut is the compare-and-swap of owner and term. The object has moved when its result is
// stored (O8).
func (b *Swap) carryOut(h *Host, from id.HostID, answer reply) {
	d := b.Deed
	if !h.made(d.OID) || d.To != from || !h.verify(&d) {
		h.refuseForbidden(from, answer)
		return
	}
	if h.unready() {
		answer(&Moving{})
		return
	}
	var w whereabouts
	hd := h.heads.get(d.OID)
	if hd.owned() {
		h.unsettled(d.OID, hd) // after a restore the object is in a new term now
	}
	if f := h.forwards.get(d.OID); f != nil {
		w = *f
	} else if hd.owned() {
		w = whereabouts{Owner: h.me, Term: hd.Term, Life: h.self.Life}
	} else {
		answer(&Refused{Unknown})
		return
	}
	now, has := h.tenure(&d, w)
	switch {
	case w.Owner == now.Owner && w.Term == now.Term:
	case !has:
		w.Coming, w.Life = false, 0
		answer(&Swapped{Where: w})
		return
	case d.From != h.me, w.Coming:
		h.swapped(d.OID, now)
	case hd.State != leaving || d.To != h.me && d.To != hd.Peer:
		answer(&Swapped{Where: w})
		return
	case d.To != h.me:
		h.swapped(d.OID, now)
		h.finishDeparture(h.movesUnderWay[d.OID], now)
	}
	answer(&Swapped{Moved: true, Where: now})
}

// swapped stores the new owner of an object of this host's making.
func (h *Host) swapped(oid id.OID, w whereabouts) {
	w.Life = h.self.Life
	h.forwards.put(oid, &w)
}

// tenure returns the owner and term of an object after a deed is carried out, if they are w before.
// ok is false if the deed does not fit.
func (h *Host) tenure(d *Deed, w whereabouts) (now whereabouts, ok bool) {
	now = whereabouts{Owner: d.To, Term: d.Term}
	from := w.Owner == d.From && w.Term == d.Term-1
	fresh := whereabouts{Owner: d.To, Term: h.freshTerm(max(min(d.Term, maxBelieved), w.Term))}
	switch {
	case w.Coming && w.Owner == d.To && w.Term == d.Term, from && max(w.Life, 1) < h.self.Life:
		// Another host may have had the term of the deed since the backup (O11).
		return fresh, true
	case w.Owner == d.To && (w.Term == d.Term || d.To != d.From && outdated(d.Term, w.Term)):
		return whereabouts{Owner: w.Owner, Term: w.Term}, true // it got this answer before
	case d.To == d.From && w.Owner == d.From &&
		d.From != h.me && outdated(w.Term, d.Term) && d.Term <= maxBelieved:
		// A restored owner continues in a term that no host has had since its backup.
		return now, true
	case d.To == d.From && w.Owner == d.From && d.From != h.me && d.Term > w.Term+1:
		// This host was restored, and the owner had a newer term before.
		return fresh, true
	default:
		return now, from
	}
}

// carryOut deletes an object that is leaving after asking the creator whether it has moved
// (O8). If the creator itself says that a copy here is superseded, the copy goes into the
// quarantine (O41).
func (b *Settle) carryOut(h *Host, from id.HostID, answer reply) {
	hd, g := h.heads.get(b.OID), h.movesUnderWay[b.OID]
	comes := hd != nil && hd.State == leaving && hd.Peer == from
	if hd.owned() && from == b.OID.Creator() &&
		outdated(hd.Term, b.Term) && !comes {
		h.quarantineSuperseded(b.OID, hd, whereabouts{Owner: from, Term: b.Term})
		answer(&Moving{}) // the creator asks again until the quarantine has the copy
		return
	}
	if g != nil && hd.arrives() && from == b.OID.Creator() &&
		outdated(hd.Term+1, b.Term) && !h.orphans[b.OID] {
		// The creator may have said earlier that it has moved, and that answer may still come.
		h.discard(g)
	}
	answer(&Done{})
	if g == nil || !comes || b.Term <= hd.Term {
		return
	}
	if from == b.OID.Creator() {
		h.finishDeparture(g, whereabouts{Owner: from, Term: b.Term})
		return
	}
	h.ask(b.OID.Creator(), &Find{b.OID}, patience, func(a Body) {
		if e, ok := a.(*Elsewhere); ok && h.movesUnderWay[b.OID] == g &&
			e.Where == (whereabouts{Owner: from, Term: b.Term}) {
			h.finishDeparture(g, e.Where)
		}
	})
}

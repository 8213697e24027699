package object

import "holt/server/id"

// carryOut stores an offered object as arriving, and asks the creator to make this host its
// owner (O8).
func (b *Offer) carryOut(h *Host, from id.HostID, answer reply) {
	d := b.Deed
	e, err := ReadEnvelope(b.Envelope)
	if err != nil || d.From != from || d.To != h.me || e.OID != d.OID ||
		e.Term != d.Term || !h.verify(&d) {
		h.refuseForbidden(from, answer)
		return
	}
	e.tame()
	if why := h.unwelcome(from, e, len(b.Envelope)); why != 0 {
		answer(&Refused{why})
		return
	}
	if hd := h.heads.get(d.OID); hd != nil {
		switch {
		case hd.State != arriving && hd.Term < d.Term:
			// Either this host knows less than it should (O11), or the sender lies.
			answer(&Refused{Unwanted})
			return
		case hd.State == arriving && hd.Peer != from:
			// The copy that arrived first may be the only one.
			answer(&Refused{Busy})
			return
		case hd.State != arriving || hd.Term+1 >= d.Term:
			answer(&Done{})
			return
		}
	}
	passed := only(e.Refs, b.Passed)
	unknown := h.strangers(passed)
	if h.overBudget(from, 0) {
		answer(&Refused{Busy})
		return
	}
	strange := h.accept(passed)
	for _, ref := range e.Refs {
		if !h.has(ref) {
			strange = append(strange, ref)
		}
	}
	if len(strange) > 0 {
		h.peer(from).given += unknown
		answer(&Unregistered{setOf(strange)})
		return
	}
	h.heads.put(d.OID, &head{
		Class: e.Class, Term: d.Term - 1, State: arriving, Peer: from, Deed: d.Signature,
		Counter: e.counter, Refs: e.Refs, Holders: e.holders, Life: h.self.Life,
	})
	h.bodies.put(d.OID, &e.body)
	h.moves.put(d.OID, &whereabouts{Owner: h.me, Term: d.Term})
	h.refer(d.OID, e.Refs)
	answer(&Done{})
	g := &moveState{oid: d.OID, to: h.me, far: b.Distance, wait: firstRetry}
	h.movesUnderWay[d.OID] = g
	h.swap(g)
}

func (h *Host) verify(d *Deed) bool { return h.cfg.Verify(d.From, d.Statement(), d.Signature) }

// unwelcome returns why an object may not move here (O12), or 0.
func (h *Host) unwelcome(from id.HostID, e *Envelope, size int) Refusal {
	c := e.OID.Creator()
	home := c == h.me
	// What is stored here counts for the creator, whichever host sends it (O36).
	made := h.link(c)
	switch link := h.link(from); {
	case e.Class.Fixed():
		return Fixed
	case h.cfg.Class(e.Class) == nil || !home && !made.Open || !home && !link.Keep:
		return Unwanted
	case !home && (made.Objects < 1 || made.Bytes < int64(size)):
		return Quota
	case h.cfg.Wants != nil && !h.cfg.Wants(from, e):
		return Unwanted
	}
	return 0
}

// swap asks the creator to make this host the owner of an object that is arriving.
func (h *Host) swap(g *moveState) {
	hd := h.heads.get(g.oid)
	if h.movesUnderWay[g.oid] != g || g.asking || !hd.arrives() {
		return
	}
	if h.strand(g, hd, whereabouts{Owner: hd.Peer, Term: hd.Term}) {
		h.retry(g, func() { h.swap(g) })
		return
	}
	g.asking = true
	d := Deed{OID: g.oid, From: hd.Peer, To: h.me, Term: hd.Term + 1, Signature: hd.Deed}
	h.ask(g.oid.Creator(), &Swap{d}, patience, func(b Body) {
		g.asking = false
		hd := h.heads.get(g.oid)
		if h.movesUnderWay[g.oid] != g || !hd.arrives() {
			return
		}
		switch b := b.(type) {
		case *Swapped:
			if b.Moved {
				h.own(g, hd, b.Where.Term)
				return
			}
			// If this host is itself the creator, waiting would bring nothing new.
			if b.Where.Term >= d.Term || h.made(g.oid) {
				h.discard(g)
				return
			}
		case *Refused:
			if b.Why == Unknown {
				h.discard(g)
				return
			}
		}
		h.retry(g, func() { h.swap(g) })
	})
}

// own begins to serve an object that this host now owns, in the term that the creator names.
func (h *Host) own(g *moveState, hd *head, term Term) {
	from := hd.Peer
	hd.State, hd.Peer, hd.Deed = here, id.HostID{}, nil
	if outdated(hd.Term, term) {
		// The creator was restored. Since this copy was sent, the object may have been elsewhere
		// and may have got other holders (O41).
		hd.Unsure, hd.Counter = h.self.Round+1, h.freshCount(hd.Counter)
	}
	if h.recent(term) {
		// The host that sent the object may not know all holders.
		hd.Unsure = h.self.Round + 1
	}
	hd.Term = min(max(hd.Term+1, term), maxAccepted)
	if e := hd.holder(h.me); e != nil {
		h.disown(g.oid, e.Number)
		hd.strike(h.me, maxNumber)
	}
	for i := range hd.Holders {
		hd.Holders[i].Round = h.self.Round
	}
	h.heads.put(g.oid, hd)
	h.helds.put(g.oid, nil)
	h.moves.put(g.oid, nil)
	if h.made(g.oid) {
		h.forwards.put(g.oid, nil)
		h.dropCopy(g.oid)
	}
	if len(h.moved) >= maxRested {
		clear(h.moved)
	}
	h.moved[g.oid] = h.elapsed
	h.touch(g.oid)
	h.present(g.oid)
	h.event(Arrived{g.oid, from})
	h.end(g, 0)
	h.suspectArrived(g, hd)
	if from != g.oid.Creator() {
		h.ask(from, &Settle{g.oid, hd.Term}, patience, func(Body) {})
	}
}

// discard deletes a copy that will never be served.
func (h *Host) discard(g *moveState) {
	h.drop(g.oid)
	h.end(g, Unwanted)
}

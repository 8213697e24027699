package object

import (
	"bytes"
	"slices"

	"holt/server/id"
)

// How a move that was cut off is asked about, in milliseconds (O9).
const (
	settleWait id.Millis = 5000
	firstRetry id.Millis = 1000
	lastRetry  id.Millis = 300_000
	// gathering is how long a host that has pinged gives no way to one with a lower GWID (O26).
	gathering id.Millis = 2000
)

// evictions is how many objects are evicted at once, and maxRested how many of those that came last are remembered (O13).
const (
	evictions = 32
	maxRested = 65_536
)

// going is a move that this host takes part in, as the old owner or as the new one.
type going struct {
	oid    id.OID
	to     id.GWID
	passed []Passed // the references of the object
	sure   bool
	tries  int
	far    uint8 // its distance, if it is suspect (O26)
	wait   id.Millis
	asking bool   // the creator
	cut    bool   // it is not offered any more
	retry  uint64 // how often it was decided when to ask the creator again
	done   func(Refusal, *Failure)
}

type eviction struct {
	oid     id.OID
	to      id.GWID
	suspect bool
}

// Move moves an object that this host owns to another one, because the game says so (O12). It ends with an Answered.
func (h *Host) Move(m Moment, t Ticket, oid id.OID, to id.GWID) (Step, error) {
	return h.input(m, func() {
		h.move(oid, to, 0, func(why Refusal, f *Failure) { h.event(Answered{Ticket: t, OID: oid, Refusal: why, Failure: f}) })
	})
}

// Bring asks the owner of an object to move it here (O12): of one that was made here, its owner does. It ends with an Answered
// when the owner has begun, and Arrived comes when it is here.
func (h *Host) Bring(m Moment, t Ticket, oid id.OID) (Step, error) {
	return h.input(m, func() {
		if f := h.absent(oid); f != nil {
			h.event(Answered{Ticket: t, OID: oid, Failure: f})
			return
		}
		h.reach(oid, &Take{oid}, func(b Body, f *Failure) {
			if _, ok := b.(*Done); ok {
				h.present(oid)
				h.event(Answered{Ticket: t, OID: oid})
				return
			}
			h.answered(t, oid, b, f)
		})
	})
}

func (h *Host) carryOutTake(from id.GWID, b *Take, answer func(Body)) {
	hd := h.owned(b.OID, answer)
	switch {
	case hd == nil:
	case hd.Class.Fixed():
		answer(&Refused{Fixed})
	case from == h.cfg.Self:
		answer(&Done{})
	case from == b.OID.Creator():
		h.move(b.OID, from, 0, func(Refusal, *Failure) {})
		answer(&Done{})
	case hd.holder(from) == nil:
		h.forbid(from, answer)
	default:
		h.event(Proposed{b.OID, from})
		answer(&Refused{Unwanted})
	}
}

// move begins a move (O8). far is the distance of an object that moves because it is suspect, else 0.
func (h *Host) move(oid id.OID, to id.GWID, far uint8, done func(Refusal, *Failure)) {
	hd, c := h.heads.get(oid), oid.Creator()
	switch {
	case hd == nil || hd.State == arriving || h.condemned(oid):
		done(Unknown, nil)
	case hd.Class.Fixed():
		done(Fixed, nil)
	case to == h.cfg.Self:
		done(0, nil)
	case !h.link(to).Open:
		done(0, &Failure{OID: oid, Host: to, Reason: Stranger})
	case c != h.cfg.Self && !h.link(c).Open:
		done(0, &Failure{OID: oid, Host: c, Reason: Stranger})
	case hd.State != here || h.going[oid] != nil || h.unsettled(oid, hd):
		done(Busy, nil)
	default:
		g := &going{oid: oid, to: to, far: far, wait: firstRetry}
		g.done = func(why Refusal, f *Failure) {
			delete(h.going, oid)
			done(why, f)
		}
		h.going[oid] = g
		h.prepare(g)
	}
}

// end tells whoever began a move how it ended. What a process before this one began, nobody waits for.
func (h *Host) end(g *going, why Refusal) {
	delete(h.going, g.oid)
	if g.done != nil {
		g.done(why, nil)
		g.done = nil
	}
}

// said is 1 and the distance of an object, which whoever holds what it refers to will say of it (O27).
func (h *Host) said(oid id.OID) uint8 { return h.nimby[oid] + 1 }

// prepare has the new owner registered as the holder of all that the object refers to; calls go on meanwhile.
func (h *Host) prepare(g *going) {
	hd := h.heads.get(g.oid)
	var missing []id.OID
	for _, ref := range hd.Refs {
		if !slices.ContainsFunc(g.passed, func(p Passed) bool { return p.OID == ref }) {
			missing = append(missing, ref)
		}
	}
	if len(missing) == 0 {
		h.leave(g)
		return
	}
	if g.tries++; g.tries > 4 {
		g.done(Busy, nil)
		return
	}
	h.grant(missing, g.to, h.said(g.oid), g.sure, func(ps []Passed, refused Refusal, f *Failure) {
		if refused != 0 || f != nil {
			g.done(refused, f)
			return
		}
		g.passed = append(g.passed, ps...)
		h.prepare(g)
	})
}

// leave writes down that the object is leaving, and offers it.
func (h *Host) leave(g *going) {
	hd, b := h.heads.get(g.oid), h.bodies.get(g.oid)
	g.passed = slices.DeleteFunc(g.passed, func(p Passed) bool {
		_, ok := slices.BinarySearchFunc(hd.Refs, p.OID, compare)
		return !ok
	})
	n, ok := hd.register(h.cfg.Self, h.said(g.oid), h.self.Round)
	if !ok {
		g.done(Full, nil)
		return
	}
	deed := h.deed(g.oid, hd.Term+1, g.to)
	e := Envelope{OID: g.oid, Term: deed.Term, Class: hd.Class, counter: hd.Counter, Refs: hd.Refs, holders: hd.Holders, body: *b}
	sealed := e.Append(nil)
	if len(sealed) > MaxEnvelope {
		hd.strike(h.cfg.Self, n)
		g.done(Large, nil)
		return
	}
	hd.State, hd.Peer, hd.Deed = leaving, g.to, deed.Signature
	h.heads.put(g.oid, hd)
	h.helds.put(g.oid, &held{Number: n, Where: whereabouts{h.cfg.Self, hd.Term}})
	h.moves.put(g.oid, &whereabouts{g.to, deed.Term})
	h.ask(g.to, &Offer{Deed: deed, Envelope: sealed, Passed: g.passed, Far: g.far}, patience, func(b Body) {
		if h.going[g.oid] != g {
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
func (h *Host) deed(oid id.OID, term Term, to id.GWID) Deed {
	d := Deed{OID: oid, From: h.cfg.Self, To: to, Term: term}
	d.Signature = h.cfg.Sign(d.signed())
	return d
}

// resolve ends a move of which it is not known whether it has taken place: the owner swaps for itself at the creator, which
// says either that the object stays, in the next term, or that it is the other one's (O9).
func (h *Host) resolve(g *going) {
	hd := h.heads.get(g.oid)
	if h.going[g.oid] != g || g.asking || hd == nil || hd.State != leaving {
		return
	}
	g.asking, g.cut = true, true
	h.ask(g.oid.Creator(), &Swap{h.deed(g.oid, hd.Term+1, h.cfg.Self)}, patience, func(b Body) {
		g.asking = false
		hd := h.heads.get(g.oid)
		if h.going[g.oid] != g || hd == nil || hd.State != leaving {
			return
		}
		switch b := b.(type) {
		case *Swapped:
			if b.Moved {
				h.stay(g, hd)
				return
			}
			if b.Where.Term > hd.Term {
				h.forget(g, b.Where)
				return
			}
		case *Refused:
			if b.Why == Unknown {
				h.forget(g, whereabouts{})
				return
			}
		}
		h.retry(g, func() { h.resolve(g) })
	})
}

// retry has something done again, less and less often.
func (h *Host) retry(g *going, do func()) {
	g.retry++
	count := g.retry
	h.clock.after(g.wait, func() {
		if g.retry == count {
			do()
		}
	})
	g.wait = min(2*g.wait, lastRetry)
}

// wakeMoves asks again about all moves for which a host that has come back is needed.
func (h *Host) wakeMoves(host id.GWID) {
	var oids []id.OID
	for oid := range h.going {
		if oid.Creator() == host {
			oids = append(oids, oid)
		}
	}
	slices.SortFunc(oids, compare)
	for _, oid := range oids {
		g := h.going[oid]
		g.wait = firstRetry
		if hd := h.heads.get(oid); hd != nil && hd.State == arriving {
			h.swap(g)
		} else if hd != nil && hd.State == leaving && g.cut {
			h.resolve(g)
		}
	}
}

// stay serves an object again that did not leave.
func (h *Host) stay(g *going, hd *head) {
	hd.State, hd.Peer, hd.Deed = here, id.GWID{}, nil
	hd.Term++
	hd.strike(h.cfg.Self, maxNumber)
	h.heads.put(g.oid, hd)
	h.helds.put(g.oid, nil)
	h.moves.put(g.oid, nil)
	h.touch(g.oid)
	h.end(g, Unwanted)
}

// forget lets go of an object that has moved.
func (h *Host) forget(g *going, w whereabouts) {
	h.drop(g.oid)
	if r := h.helds.get(g.oid); r != nil {
		r.Where = w
		h.helds.put(g.oid, r)
	}
	h.event(Departed{g.oid, g.to})
	h.end(g, 0)
}

// drop takes an object out of the store.
func (h *Host) drop(oid id.OID) {
	h.heads.put(oid, nil)
	h.bodies.put(oid, nil)
	h.moves.put(oid, nil)
	delete(h.lazy, oid)
	delete(h.nimby, oid)
	delete(h.moved, oid)
}

// resume goes on with a move that a process before this one has begun.
func (h *Host) resume(oid id.OID) {
	hd := h.heads.get(oid)
	if hd == nil {
		return
	}
	g := &going{oid: oid, to: hd.Peer, wait: firstRetry}
	h.going[oid] = g
	switch hd.State {
	case leaving:
		h.clock.after(0, func() { h.resolve(g) })
	case arriving:
		g.to = h.cfg.Self
		h.clock.after(0, func() { h.swap(g) })
	default:
		delete(h.going, oid)
	}
}

// carryOutOffer takes an object that is to belong to this host, and asks the creator whether it does (O8).
func (h *Host) carryOutOffer(from id.GWID, b *Offer, answer func(Body)) {
	d := b.Deed
	e, err := ReadEnvelope(b.Envelope)
	if err != nil || d.From != from || d.To != h.cfg.Self || e.OID != d.OID || e.Term != d.Term || !h.verify(&d) {
		h.forbid(from, answer)
		return
	}
	if why := h.unwelcome(from, e, len(b.Envelope)); why != 0 {
		answer(&Refused{why})
		return
	}
	if hd := h.heads.get(d.OID); hd != nil {
		switch {
		case hd.State != arriving && hd.Term < d.Term:
			answer(&Refused{Unwanted}) // this host knows less than it should (O11), or the other one lies
			return
		case hd.State == arriving && hd.Peer != from:
			answer(&Refused{Busy}) // what has arrived first may be all that there is
			return
		case hd.State != arriving || hd.Term+1 >= d.Term:
			answer(&Done{})
			return
		}
	}
	strange := h.accept(b.Passed)
	for _, ref := range e.Refs {
		if !h.has(ref) {
			strange = append(strange, ref)
		}
	}
	if len(strange) > 0 {
		answer(&Unregistered{setOf(strange)})
		return
	}
	h.heads.put(d.OID, &head{
		Class: e.Class, Term: d.Term - 1, State: arriving, Peer: from, Deed: d.Signature,
		Counter: e.counter, Refs: e.Refs, Holders: e.holders, Life: h.self.Life,
	})
	h.bodies.put(d.OID, &e.body)
	h.moves.put(d.OID, &whereabouts{h.cfg.Self, d.Term})
	h.refer(d.OID, e.Refs)
	answer(&Done{})
	g := &going{oid: d.OID, to: h.cfg.Self, far: b.Far, wait: firstRetry}
	h.going[d.OID] = g
	h.swap(g)
}

func (h *Host) verify(d *Deed) bool { return h.cfg.Verify(d.From, d.signed(), d.Signature) }

// unwelcome returns why an object may not move here (O12).
func (h *Host) unwelcome(from id.GWID, e *Envelope, size int) Refusal {
	c := e.OID.Creator()
	home := c == h.cfg.Self
	switch link := h.link(from); {
	case e.Class.Fixed():
		return Fixed
	case h.cfg.Class(e.Class) == nil || !home && !h.link(c).Open || !home && !link.Keep:
		return Unwanted
	case !home && (link.Objects < 1 || link.Bytes < int64(size)):
		return Quota
	case h.cfg.Wants != nil && !h.cfg.Wants(from, e):
		return Unwanted
	}
	return 0
}

// swap asks the creator whether an object that is arriving is this host's.
func (h *Host) swap(g *going) {
	hd := h.heads.get(g.oid)
	if h.going[g.oid] != g || g.asking || hd == nil || hd.State != arriving {
		return
	}
	g.asking = true
	d := Deed{OID: g.oid, From: hd.Peer, To: h.cfg.Self, Term: hd.Term + 1, Signature: hd.Deed}
	h.ask(g.oid.Creator(), &Swap{d}, patience, func(b Body) {
		g.asking = false
		hd := h.heads.get(g.oid)
		if h.going[g.oid] != g || hd == nil || hd.State != arriving {
			return
		}
		switch b := b.(type) {
		case *Swapped:
			if b.Moved {
				h.own(g, hd)
				return
			}
			if b.Where.Term >= d.Term {
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

// own serves an object that is this host's from now on.
func (h *Host) own(g *going, hd *head) {
	from := hd.Peer
	hd.State, hd.Peer, hd.Deed = here, id.GWID{}, nil
	hd.Term++
	if e := hd.holder(h.cfg.Self); e != nil {
		h.disown(g.oid, e.Number)
		hd.strike(h.cfg.Self, maxNumber)
	}
	for i := range hd.Holders {
		hd.Holders[i].Round = h.self.Round
	}
	h.heads.put(g.oid, hd)
	h.helds.put(g.oid, nil)
	h.moves.put(g.oid, nil)
	if g.oid.Creator() == h.cfg.Self {
		h.forwards.put(g.oid, nil)
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

// discard throws a copy away that will never be served.
func (h *Host) discard(g *going) {
	h.drop(g.oid)
	h.end(g, Unwanted)
}

// carryOutSwap is the compare-and-swap of owner and term: the moment at which an object moves (O8).
func (h *Host) carryOutSwap(from id.GWID, b *Swap, answer func(Body)) {
	d := b.Deed
	if d.OID.Creator() != h.cfg.Self || d.To != from || !h.verify(&d) {
		h.forbid(from, answer)
		return
	}
	if h.self.Survey {
		answer(&Moving{})
		return
	}
	var w whereabouts
	hd := h.heads.get(d.OID)
	if hd != nil && hd.State != arriving {
		h.unsettled(d.OID, hd) // after a restore it is in a new term now
	}
	if f := h.forwards.get(d.OID); f != nil {
		w = *f
	} else if hd != nil && hd.State != arriving {
		w = whereabouts{h.cfg.Self, hd.Term}
	} else {
		answer(&Refused{Unknown})
		return
	}
	switch now := (whereabouts{d.To, d.Term}); {
	case w == now:
	case w != whereabouts{d.From, d.Term - 1}:
		answer(&Swapped{Where: w})
		return
	case d.From != h.cfg.Self:
		h.forwards.put(d.OID, &now)
	case hd.State != leaving || d.To != h.cfg.Self && d.To != hd.Peer:
		answer(&Swapped{Where: w})
		return
	case d.To != h.cfg.Self:
		h.forwards.put(d.OID, &now)
		h.forget(h.going[d.OID], now)
	}
	answer(&Swapped{Moved: true, Where: whereabouts{d.To, d.Term}})
}

// carryOutSettle asks the creator whether it is true that an object has moved.
func (h *Host) carryOutSettle(from id.GWID, b *Settle, answer func(Body)) {
	answer(&Done{})
	hd, g := h.heads.get(b.OID), h.going[b.OID]
	if hd == nil || g == nil || hd.State != leaving || hd.Peer != from || b.Term != hd.Term+1 {
		return
	}
	if from == b.OID.Creator() {
		h.forget(g, whereabouts{from, b.Term})
		return
	}
	h.ask(b.OID.Creator(), &Find{b.OID}, patience, func(a Body) {
		if e, ok := a.(*Elsewhere); ok && h.going[b.OID] == g && e.Where == (whereabouts{from, b.Term}) {
			h.forget(g, e.Where)
		}
	})
}

// evictTo moves what nobody here needs to a host that does, with all that it refers to here and that nobody here needs (O25).
func (h *Host) evictTo(oid id.OID, to id.GWID, suspect bool) {
	if h.evicting[oid] {
		return
	}
	chain := []id.OID{oid}
	h.evicting[oid] = true
	for i := 0; i < len(chain); i++ {
		h.evict = append(h.evict, eviction{chain[i], to, suspect})
		hd := h.heads.peek(chain[i])
		if hd == nil {
			continue
		}
		for _, ref := range hd.Refs {
			if _, ok := h.nimby[ref]; ok && !h.evicting[ref] {
				h.evicting[ref] = true
				chain = append(chain, ref)
			}
		}
	}
}

// evictNext begins as many evictions as may be at once.
func (h *Host) evictNext() {
	for len(h.evict) > 0 && h.underWay < evictions {
		e := h.evict[0]
		h.evict = h.evict[1:]
		far, ok := h.nimby[e.oid]
		if !ok {
			delete(h.evicting, e.oid) // it is needed again
			continue
		}
		if !e.suspect {
			far = 0
		}
		h.underWay++
		h.move(e.oid, e.to, far, func(why Refusal, f *Failure) {
			h.underWay--
			delete(h.evicting, e.oid)
			if why != 0 || f != nil {
				delete(h.nimby, e.oid) // it stays until the next round finds it again
			}
		})
	}
}

// suspectArrived goes on with the gathering of what is suspect: it is so here as well, and a coin is thrown for it at once (O26).
func (h *Host) suspectArrived(g *going, hd *head) {
	if g.far == 0 {
		return
	}
	h.nimby[g.oid] = g.far
	if b := h.random(); b[0]&1 != 0 {
		return
	}
	for _, ref := range hd.Refs {
		if h.helds.get(ref) != nil {
			h.ping(ref)
		}
	}
}

// carryOutPing evicts what is suspect to whoever asks (O26).
func (h *Host) carryOutPing(from id.GWID, b *Ping, answer func(Body)) {
	hd := h.owned(b.OID, answer)
	switch {
	case hd == nil:
		return
	case from != h.cfg.Self && hd.holder(from) == nil:
		h.forbid(from, answer)
		return
	}
	answer(&Done{})
	if d, ok := h.nimby[b.OID]; !ok || int(d) <= h.cfg.Suspect || from == h.cfg.Self {
		return
	}
	if h.elapsed-h.gathered < gathering && bytes.Compare(from[:], h.cfg.Self[:]) < 0 {
		return // both gather: one of them gives way, so that parts do not change places
	}
	h.evictTo(b.OID, from, true)
}

// ping pings what is suspect elsewhere.
func (h *Host) ping(oid id.OID) {
	h.gathered = h.elapsed
	h.reach(oid, &Ping{oid}, func(Body, *Failure) {})
}

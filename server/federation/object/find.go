package object

import (
	"container/list"

	"holt/server/id"
)

// maxHints is of how many objects that are not held the owners are known (O6).
const maxHints = 65_536

// hints are the owners learnt last of objects that are not held.
type hints struct {
	items map[id.OID]*list.Element
	order *list.List
}

type hint struct {
	oid   id.OID
	where whereabouts
}

func newHints() hints { return hints{items: map[id.OID]*list.Element{}, order: list.New()} }

func (n *hints) get(oid id.OID) whereabouts {
	e, ok := n.items[oid]
	if !ok {
		return whereabouts{}
	}
	n.order.MoveToFront(e)
	return e.Value.(hint).where //nolint:errcheck // nothing else is in the list
}

func (n *hints) put(oid id.OID, w whereabouts) {
	if e, ok := n.items[oid]; ok {
		e.Value = hint{oid, w}
		n.order.MoveToFront(e)
		return
	}
	n.items[oid] = n.order.PushFront(hint{oid, w})
	if n.order.Len() > maxHints {
		delete(n.items, n.order.Remove(n.order.Back()).(hint).oid) //nolint:errcheck // only hints
	}
}

// known returns the owner of an object that is not here, as far as it is known (O6).
func (h *Host) known(oid id.OID) whereabouts {
	if h.made(oid) {
		if f := h.forwards.get(oid); f != nil {
			return *f
		}
		return whereabouts{}
	}
	if r := h.helds.get(oid); r != nil {
		return r.Where
	}
	return h.hints.get(oid)
}

// learn records the owner of an object. It does not believe a term below the one that is known, and
// then reports false (O7).
func (h *Host) learn(oid id.OID, w whereabouts) bool {
	if h.made(oid) {
		return false // no other host knows better
	}
	old := h.known(oid)
	if w.Term < old.Term {
		return false
	}
	if w != old {
		h.note(oid, w)
	}
	return true
}

// believe records what the creator of an object says, whatever other hosts have said. Only the
// creator knows the owner, and a host that lies could name a term that is far too high.
func (h *Host) believe(oid id.OID, w whereabouts) bool {
	if h.known(oid) != w {
		h.note(oid, w)
	}
	return true
}

// mistrust forgets that a host owns an object, if that was believed.
func (h *Host) mistrust(oid id.OID, owner id.HostID) {
	if w := h.known(oid); w.Owner == owner && !h.made(oid) {
		h.note(oid, whereabouts{Term: w.Term})
	}
}

func (h *Host) note(oid id.OID, w whereabouts) {
	if r := h.helds.get(oid); r != nil {
		r.Where = w
		h.helds.put(oid, r)
		return
	}
	h.hints.put(oid, w)
}

// elsewhere returns the answer to a request about an object that is not here (O6).
func (h *Host) elsewhere(oid id.OID) Body {
	if h.made(oid) {
		if h.unready() {
			return &Moving{}
		}
		if h.forwards.get(oid) == nil && h.heads.get(oid) == nil {
			return &Refused{Unknown}
		}
	}
	w := h.known(oid)
	w.Coming, w.Life = false, 0
	if w.Owner == h.me {
		// The creator names this host, but the object is not here (O11).
		w.Owner = id.HostID{}
	}
	return &Elsewhere{w}
}

// owned returns an object that this host owns. Otherwise it answers, and returns nil.
func (h *Host) owned(oid id.OID, answer reply) *head {
	hd := h.heads.get(oid)
	switch {
	case hd == nil || h.condemned(oid):
		answer(h.elsewhere(oid))
	case hd.State == arriving:
		if h.made(oid) {
			answer(&Moving{})
		} else {
			answer(&Elsewhere{})
		}
	case hd.State == leaving || h.unsettled(oid, hd):
		answer(&Moving{})
	default:
		return hd
	}
	return nil
}

func (b *Find) carryOut(h *Host, _ id.HostID, answer reply) {
	hd := h.heads.get(b.OID)
	if !hd.owned() || h.condemned(b.OID) || h.unsettled(b.OID, hd) {
		if hd = h.owned(b.OID, answer); hd == nil {
			return
		}
	}
	answer(&Elsewhere{whereabouts{Owner: h.me, Term: hd.Term}})
}

// reach is a request to the owner of an object, while the owner is being looked for.
type reach struct {
	h   *Host
	oid id.OID
	// ask makes the request for a host, and calls then at once or later. If it cannot make the
	// request, it passes a Refused or a failure.
	ask  func(to id.HostID, then func(b Body, failure *Failure))
	done func(answer Body, failure *Failure)
	end  id.Millis

	hops    int
	creator bool // was asked
	stale   id.HostID
	moving  bool
	pause   id.Millis
}

// reach sends a request to the owner of an object (O6, O7). It gives the request up after 10 s
// (O19).
func (h *Host) reach(oid id.OID, b Body, done func(Body, *Failure)) {
	h.reachBy(oid, func(_ id.HostID, then func(Body, *Failure)) { then(b, nil) }, done)
}

func (h *Host) reachBy(
	oid id.OID, ask func(id.HostID, func(Body, *Failure)), done func(Body, *Failure),
) {
	r := &reach{h: h, oid: oid, ask: ask, done: done, end: h.elapsed + patience, pause: 250}
	r.begin()
}

func (r *reach) fail(reason Reason, host id.HostID) {
	r.done(nil, &Failure{OID: r.oid, Host: host, Reason: reason})
}

// begin looks for the owner.
func (r *reach) begin() {
	r.hops, r.creator, r.stale = 0, false, id.HostID{}
	h := r.h
	if hd := h.heads.get(r.oid); hd != nil &&
		(hd.State != arriving || h.made(r.oid)) {
		r.to(h.me, true)
		return
	}
	w := h.known(r.oid)
	switch {
	case w.Owner != id.HostID{} && w.Owner != h.me && h.link(w.Owner).Open:
		r.to(w.Owner, h.made(r.oid) || w.Owner == r.oid.Creator())
	case h.made(r.oid) && w.Owner != id.HostID{}:
		r.fail(OwnerUnreachable, w.Owner)
	case h.made(r.oid):
		r.done(h.elsewhere(r.oid), nil)
	default:
		r.toCreator()
	}
}

func (r *reach) toCreator() {
	c := r.oid.Creator()
	if !r.h.link(c).Open {
		r.fail(Stranger, c)
		return
	}
	r.to(c, true)
}

// to asks a host. sure says that no other host can be asked if this one does not answer.
func (r *reach) to(host id.HostID, sure bool) {
	if r.hops++; r.hops > 3 {
		r.later(false)
		return
	}
	r.creator = r.creator || host == r.oid.Creator()
	r.ask(host, func(b Body, failure *Failure) {
		if _, refused := b.(*Refused); refused || failure != nil {
			r.done(b, failure)
			return
		}
		wait := max(r.end-r.h.elapsed, 1)
		if !sure && !r.creator && r.h.link(r.oid.Creator()).Open {
			wait = min(wait, guess)
		}
		r.h.ask(host, b, wait, func(a Body) { r.answered(host, a) })
	})
}

func (r *reach) answered(host id.HostID, a Body) {
	h := r.h
	switch a := a.(type) {
	case nil:
		r.silent(host)
	case *Elsewhere:
		if a.Where.Owner == host { // the answer to a Find
			r.found(host, a)
			return
		}
		r.elsewhere(host, a.Where)
	case *Moving:
		r.moving = true
		r.later(true)
	case *Unregistered:
		r.later(true)
	case *Refused:
		if a.Why == Busy && h.elapsed < r.end {
			r.later(true)
			return
		}
		if a.Why == Unknown && host != r.oid.Creator() {
			r.elsewhere(host, whereabouts{})
			return
		}
		r.done(a, nil)
	default:
		r.found(host, a)
	}
}

// found ends the search with the answer of the owner.
func (r *reach) found(host id.HostID, a Body) {
	if w := r.h.known(r.oid); host != r.h.me && w.Owner != host &&
		r.h.heads.get(r.oid) == nil {
		r.h.learn(r.oid, whereabouts{Owner: host, Term: max(w.Term, 1)})
	}
	r.done(a, nil)
}

// silent continues the search when a host has not answered.
func (r *reach) silent(host id.HostID) {
	c, owner := r.oid.Creator(), r.h.known(r.oid).Owner
	switch {
	case !r.creator && c != r.h.me && r.h.link(c).Open && r.h.elapsed < r.end:
		r.toCreator()
	case r.moving:
		r.fail(Frozen, host)
	case host == c && owner == id.HostID{}:
		r.fail(CreatorUnreachable, host)
	case host == c && owner != c:
		r.fail(OwnerUnreachable, owner)
	default:
		r.fail(OwnerUnreachable, host)
	}
}

// elsewhere continues the search when a host does not own the object.
func (r *reach) elsewhere(host id.HostID, w whereabouts) {
	h, c := r.h, r.oid.Creator()
	old := h.known(r.oid)
	h.mistrust(r.oid, host)
	believed := w.Owner != id.HostID{} && w.Owner != host &&
		(c == h.me || host == c && h.believe(r.oid, w) || h.learn(r.oid, w))
	switch {
	case host == c || r.creator || c == h.me:
		if !believed || w.Owner == h.me || host != c && w.Term <= old.Term {
			r.later(false)
			return
		}
		if !h.link(w.Owner).Open {
			r.fail(Stranger, w.Owner)
			return
		}
		r.to(w.Owner, true)
	case h.link(c).Open:
		r.toCreator()
	case believed && w.Term > old.Term && w.Owner != h.me && h.link(w.Owner).Open:
		r.to(w.Owner, true)
	default:
		r.fail(Stranger, c)
	}
}

// later begins the search again after a while, if there is time left.
func (r *reach) later(moving bool) {
	h := r.h
	if waiting := h.Waiting(); moving && h.made(r.oid) &&
		h.survey.long && len(waiting) > 0 {
		// This fails at once, so that people do not wait 10 s each time (O43).
		r.fail(Frozen, waiting[0])
		return
	}
	if h.elapsed+r.pause > r.end {
		reason := LostReason
		if moving {
			reason = Frozen
		}
		r.fail(reason, r.oid.Creator())
		return
	}
	h.clock.after(r.pause, r.begin)
	r.pause = min(2*r.pause, 2000)
}

package object

import (
	"holt/server/id"
)

// This file is about objects to which this host refers without being known as their holder: after a
// restore, or when a copy of its own was superseded. The host is registered as a holder again
// before it sends any other request about such an object (O42).

// lapse records that this host refers to an object and knows of no valid registration, and has it
// registered again.
func (h *Host) lapse(oid id.OID, w whereabouts) {
	r := h.helds.get(oid)
	if r == nil {
		r = &reference{Number: 1}
	}
	r.Where, r.Lapsed = w, true
	h.helds.put(oid, r)
	h.touch(oid)
	h.regain(oid, func(Refusal, *Failure) {})
}

// lapsed reports whether this host holds an object by a registration that the owner may not know.
func (h *Host) lapsed(oid id.OID) bool {
	if h.heads.get(oid) != nil {
		return false
	}
	r := h.helds.get(oid)
	return r != nil && (r.Lapsed || max(r.Life, 1) < h.self.Life)
}

// regains reports whether requests about an object must wait until this host is registered again.
// Later requests wait, too, even if the host got a new reference meanwhile: otherwise they would
// overtake the earlier ones (O15).
func (h *Host) regains(oid id.OID) bool { return len(h.regaining[oid]) > 0 || h.lapsed(oid) }

// regain has this host registered as a holder again, if that is needed. done gets the reason if
// that cannot be done. Unknown means that the object is lost.
func (h *Host) regain(oid id.OID, done func(Refusal, *Failure)) {
	if !h.regains(oid) {
		done(0, nil)
		return
	}
	waiting, begun := h.regaining[oid]
	h.regaining[oid] = append(waiting, done)
	if begun {
		return
	}
	h.reach(oid, &Retain{OID: oid, For: h.me, DistancePlus1: 1}, func(b Body, f *Failure) {
		var why Refusal
		switch b := b.(type) {
		case *Retained:
			if !h.regained(oid, b.Number) {
				why = Forbidden
			}
		case *Refused:
			if why = b.Why; why == Forbidden {
				// The owner does not know this host: it has given the host up since.
				why = Unknown
			}
		default:
			why = Forbidden
		}
		waiting := h.regaining[oid]
		delete(h.regaining, oid)
		for _, done := range waiting {
			if f != nil {
				done(0, f)
			} else {
				done(why, nil)
			}
		}
	})
}

// regained stores the number with which this host is registered. It reports false if the owner gave
// none.
func (h *Host) regained(oid id.OID, n uint64) bool {
	r := h.helds.get(oid)
	if r == nil {
		// The object has come here, or nobody needs it any more.
		return true
	}
	if n == 0 {
		return false
	}
	r.Number, r.Lapsed, r.Life = n, false, h.self.Life
	h.helds.put(oid, r)
	return true
}

// missing handles a reference of an object here to one that is neither here nor held. A restore can
// have left it, if it happened before such references were recorded. If the owner is known, this
// host is registered as a holder again.
func (h *Host) missing(oid id.OID) {
	if h.heads.get(oid) != nil || h.helds.get(oid) != nil {
		return
	}
	if w := h.known(oid); w.Owner != (id.HostID{}) && w.Owner != h.me {
		h.lapse(oid, w)
	}
}

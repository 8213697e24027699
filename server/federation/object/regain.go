package object

import (
	"holt/server/id"
)

// What this host refers to and is not known to hold: after a restore, or when a copy of its own turned out to be of the past. It is
// registered as a holder again before it asks for anything else (O42).

// lapse notes that this host refers to an object of which it knows no registration any more, and has it registered again.
func (h *Host) lapse(oid id.OID, w whereabouts) {
	r := h.helds.get(oid)
	if r == nil {
		r = &held{Number: 1}
	}
	r.Where, r.Lapsed = w, true
	h.helds.put(oid, r)
	h.touch(oid)
	h.regain(oid, func(Refusal, *Failure) {})
}

// lapsed reports whether this host holds an object by a registration of which its owner may know nothing.
func (h *Host) lapsed(oid id.OID) bool {
	if h.heads.get(oid) != nil {
		return false
	}
	r := h.helds.get(oid)
	return r != nil && (r.Lapsed || max(r.Life, 1) < h.self.Life)
}

// regains reports whether what is asked of an object waits until this host is registered again. What is asked later waits, too, if the host was
// given a new reference meanwhile: else it would overtake (O15).
func (h *Host) regains(oid id.OID) bool { return len(h.regaining[oid]) > 0 || h.lapsed(oid) }

// regain has this host registered again as a holder, if that is needed. done gets why it cannot be; Unknown: it is lost.
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
	h.reach(oid, &Retain{OID: oid, For: h.cfg.Self, Said: 1}, func(b Body, f *Failure) {
		var why Refusal
		switch b := b.(type) {
		case *Retained:
			if !h.regained(oid, b.Number) {
				why = Forbidden
			}
		case *Refused:
			if why = b.Why; why == Forbidden {
				why = Unknown // whoever has it does not know this host: it was given up since
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

// regained notes the number with which this host is registered. It reports false if there is none.
func (h *Host) regained(oid id.OID, n uint64) bool {
	r := h.helds.get(oid)
	if r == nil {
		return true // it has come here, or nobody needs it any more
	}
	if n == 0 {
		return false
	}
	r.Number, r.Lapsed, r.Life = n, false, h.self.Life
	h.helds.put(oid, r)
	return true
}

// missing notes that something here refers to what is neither here nor held: a restore before this was written down has left that. If it is
// known where it is, this host is registered as its holder again.
func (h *Host) missing(oid id.OID) {
	if h.heads.get(oid) != nil || h.helds.get(oid) != nil {
		return
	}
	if w := h.known(oid); w.Owner != (id.GWID{}) && w.Owner != h.cfg.Self {
		h.lapse(oid, w)
	}
}

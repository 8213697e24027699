package object

import (
	"slices"

	"holt/server/id"
)

// Reason is why an object cannot be reached (O16).
type Reason uint8

// The reasons.
const (
	CreatorAway Reason = iota + 1 // the owner is not known here, and the creator cannot be reached
	OwnerAway                     // the owner cannot be reached
	Frozen                        // it is in the middle of a move
	Stranger                      // its creator or owner is not linked
	LostReason                    // hosts sent each other in a circle, or its owner has lost it
)

func (r Reason) String() string {
	return [...]string{"", "creator", "owner", "frozen", "stranger", "lost"}[r]
}

// Failure says that an object could not be reached (O16).
type Failure struct {
	OID    id.OID
	Host   id.GWID // that could not be reached
	Reason Reason
	Until  id.Millis // it is not asked for again before
	Dead   bool      // it is tried once a week only (O17)
}

// The waits for what is away, in milliseconds (O17).
const (
	firstWait id.Millis = 5 * 60_000
	lastWait  id.Millis = 7 * 24 * 60 * 60_000
	// maxAbsences is of how many objects it is known that they are away.
	maxAbsences = 65_536
)

// absence is that an object could not be reached, once or several times in a row.
type absence struct {
	Failures uint64
	Until    id.Millis
	Host     id.GWID
	Reason   uint8
}

func (a *absence) code(c *coder) {
	number(c, 1, &a.Failures, maxNumber)
	number(c, 2, &a.Until, 1<<62)
	c.host(3, &a.Host)
	number(c, 4, &a.Reason, uint64(LostReason))
	c.need(a.Failures > 0)
}

// wait returns how long an object is not asked for after so many failures in a row (O17).
func wait(failures uint64) id.Millis {
	if failures > 11 {
		return lastWait
	}
	return firstWait << (failures - 1)
}

// absences are the objects that are away.
type absences struct {
	items map[id.OID]*absence
	order []id.OID // by when they were away first, and some that are not any more
}

func newAbsences() absences { return absences{items: map[id.OID]*absence{}} }

func (h *Host) openAbsences() {
	h.aways.scan(id.OID{}, func(oid id.OID, a *absence) bool {
		h.away.items[oid] = a
		h.away.order = append(h.away.order, oid)
		return true
	})
}

// absent reports whether an object is away, so that a request for it fails without a packet (O17).
func (h *Host) absent(oid id.OID) *Failure {
	a := h.away.items[oid]
	if a == nil {
		return nil
	}
	if most := h.moment.Now + wait(a.Failures); a.Until > most {
		a.Until = most // the clock was set back
		h.aways.put(oid, a)
	}
	if h.moment.Now >= a.Until {
		return nil
	}
	return h.failure(oid, a)
}

func (h *Host) failure(oid id.OID, a *absence) *Failure {
	return &Failure{OID: oid, Host: a.Host, Reason: Reason(a.Reason), Until: a.Until, Dead: wait(a.Failures) == lastWait}
}

// missed notes a failure, and says until when the object is not asked for.
func (h *Host) missed(f *Failure) *Failure {
	a := h.away.items[f.OID]
	switch {
	case a == nil:
		a = &absence{}
		h.away.items[f.OID] = a
		h.away.order = append(h.away.order, f.OID)
		h.forgetAbsences()
	case h.moment.Now < a.Until:
		return h.failure(f.OID, a) // of a request that began before another one failed
	}
	a.Failures++
	a.Until, a.Host, a.Reason = h.moment.Now+wait(a.Failures), f.Host, uint8(f.Reason)
	h.aways.put(f.OID, a)
	return h.failure(f.OID, a)
}

// forgetAbsences keeps what is known of absences within its bounds.
func (h *Host) forgetAbsences() {
	for len(h.away.items) > maxAbsences {
		oid := h.away.order[0]
		h.away.order = h.away.order[1:]
		if h.away.items[oid] != nil {
			delete(h.away.items, oid)
			h.aways.put(oid, nil)
		}
	}
	if len(h.away.order) > 2*maxAbsences {
		h.away.order = slices.DeleteFunc(h.away.order, func(o id.OID) bool { return h.away.items[o] == nil })
	}
}

// present ends an absence.
func (h *Host) present(oid id.OID) {
	if h.away.items[oid] != nil {
		delete(h.away.items, oid)
		h.aways.put(oid, nil)
		h.event(Returned{oid})
	}
}

// back ends the absences that are because of a host: of what it owns, as far as is known, and of what it has made (O18).
func (h *Host) back(host id.GWID) {
	var back []id.OID
	for oid, a := range h.away.items {
		if a.Host == host || oid.Creator() == host {
			back = append(back, oid)
		}
	}
	slices.SortFunc(back, compare)
	for _, oid := range back {
		h.present(oid)
	}
}

// Away gives what is away (O20): to be read between inputs.
func (h *Host) Away(oid id.OID) (Failure, bool) {
	a := h.away.items[oid]
	if a == nil {
		return Failure{}, false
	}
	return *h.failure(oid, a), true
}

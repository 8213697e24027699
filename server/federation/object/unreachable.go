package object

import (
	"slices"

	"holt/server/id"
)

// Reason is why an object cannot be reached (O16).
type Reason uint8

// The reasons.
const (
	// The owner is not known here, and the creator cannot be reached.
	CreatorUnreachable Reason = iota + 1
	OwnerUnreachable          // The owner cannot be reached.
	Frozen                    // The object is in the middle of a move.
	Stranger                  // Its creator or owner is not linked.
	// Hosts named each other in a circle, or the owner has lost the object.
	LostReason
)

func (r Reason) String() string {
	return [...]string{"", "creator", "owner", "frozen", "stranger", "lost"}[r]
}

// Failure says why an object could not be reached (O16).
type Failure struct {
	OID    id.OID
	Host   id.HostID // the host that could not be reached
	Reason Reason
	Until  id.Millis // the object is not asked for before this time
	Dead   bool      // the object is tried once a week only (O17)
}

// How long a host waits before it asks for an unreachable object again, in milliseconds (O17).
const (
	firstWait id.Millis = 5 * 60_000
	lastWait  id.Millis = 7 * 24 * 60 * 60_000
	// maxAbsences is of how many unreachable objects a host keeps the failures.
	maxAbsences = 65_536
)

// absence records that an object could not be reached, once or several times in a row.
type absence struct {
	Failures uint64
	Until    id.Millis
	Host     id.HostID
	Reason   Reason
}

func (a *absence) code(c *coder) {
	number(c, 1, &a.Failures, maxNumber)
	number(c, 2, &a.Until, 1<<62)
	c.host(3, &a.Host)
	number(c, 4, &a.Reason, uint64(LostReason))
	c.need(a.Failures > 0)
}

// wait returns for how many milliseconds an object is not asked for after so many failures in a row
// (O17).
func wait(failures uint64) id.Millis {
	if failures > 11 {
		return lastWait
	}
	return firstWait << (failures - 1)
}

// absences are the objects that are unreachable.
type absences struct {
	items map[id.OID]*absence
	// In the order of their first failure. Some of them may be reachable again.
	order []id.OID
}

func (h *Host) openAbsences() {
	h.aways.scan(id.OID{}, func(oid id.OID, a *absence) bool {
		h.away.items[oid] = a
		h.away.order = append(h.away.order, oid)
		return true
	})
}

// absent returns the failure of an object that must not be asked for yet, so that a request for it
// fails without a packet (O17). It returns nil for any other object.
func (h *Host) absent(oid id.OID) *Failure {
	a := h.away.items[oid]
	if a == nil {
		return nil
	}
	if most := h.moment.Now + wait(a.Failures); a.Until > most {
		a.Until = most // The clock was set back.
		h.aways.put(oid, a)
	}
	if h.moment.Now >= a.Until {
		return nil
	}
	return a.failure(oid)
}

func (a *absence) failure(oid id.OID) *Failure {
	return &Failure{
		OID: oid, Host: a.Host, Reason: a.Reason, Until: a.Until,
		Dead: wait(a.Failures) == lastWait,
	}
}

// missed records a failure, and returns it with the time until which the object is not asked for.
func (h *Host) missed(f *Failure) *Failure {
	a := h.away.items[f.OID]
	switch {
	case a == nil:
		a = &absence{}
		h.away.items[f.OID] = a
		h.away.order = append(h.away.order, f.OID)
		h.forgetAbsences()
	case h.moment.Now < a.Until:
		// The request began before another one failed.
		return a.failure(f.OID)
	}
	a.Failures++
	a.Until, a.Host, a.Reason = h.moment.Now+wait(a.Failures), f.Host, f.Reason
	h.aways.put(f.OID, a)
	return a.failure(f.OID)
}

// forgetAbsences keeps the recorded absences within their bounds.
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
		h.away.order = slices.DeleteFunc(
			h.away.order, func(o id.OID) bool { return h.away.items[o] == nil },
		)
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

// back ends the absences that a host has caused: of objects that it owns, as far as is known, and
// of objects that it made (O18).
func (h *Host) back(host id.HostID) {
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

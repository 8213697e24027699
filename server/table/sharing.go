package table

import "holt/server/id"

// Apart returns the seats to which e may look otherwise than to everybody else, 0 for none: those in whose hands a
// secret piece lay before it and lies after it (T22, T23), or the one for whose view alone it was recorded (T14).
// All other views are shown the same of e, or all are shown nothing, but for the marks, which each numbers for
// itself (T21).
func (t *Table) Apart(e *Entry) (before, after id.Seat) {
	switch {
	case e.Who != nil:
		return 0, 0
	case e.Op == OpRenew:
		return e.Seat, 0
	}
	if t.kinds[e.Before.Kind].Secret {
		before = e.Before.Owner
	}
	if t.kinds[e.After.Kind].Secret {
		after = e.After.Owner
	}
	return before, after
}

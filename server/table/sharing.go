package table

import "holt/server/id"

// Apart returns the seats to which e may look otherwise than to everybody else, 0 for none: those in whose hands a
// secret piece lay before it and lies after it (T22, T23). An entry that changes nothing is shown to nobody, or was
// recorded for the sake of one view. All other views are shown the same of e, or all are shown nothing, but for the
// marks, which each numbers for itself (T21).
func (t *Table) Apart(e *Entry) (before, after id.Seat) {
	if e.Who != nil {
		return 0, 0
	}
	if e.Before == e.After {
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

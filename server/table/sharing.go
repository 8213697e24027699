package table

import "holt/server/id"

// Apart returns the seats to which e may look otherwise than to everybody else: those who look into the hands in which a
// private piece lay before it and lies after it (T22, T23), who was shown or told something alone (T31), or the one for whose view
// alone it was recorded (T14). All other views are shown the same of e, or all are shown nothing, but for the marks, which
// each numbers for itself (T21).
func (t *Table) Apart(e *Entry) []id.Seat {
	var apart []id.Seat
	switch {
	case e.Op == OpRenew:
		return []id.Seat{e.Seat}
	case e.ofPiece(), e.Ops != nil && !e.Piece.IsZero():
		apart = append(t.watchers(&e.Before), t.watchers(&e.After)...)
	}
	if e.To != 0 {
		apart = append(apart, e.To)
	}
	return apart
}

// isApart reports whether Apart names the view of an entry about a piece, other than for what it was shown alone.
func (t *Table) isApart(e *Entry, view id.Seat) bool {
	if e.Op == OpRenew {
		return view == e.Seat
	}
	return t.watches(&e.Before, view) || t.watches(&e.After, view)
}

// watches reports whether watchers has a view.
func (t *Table) watches(s *State, view id.Seat) bool {
	return !s.Gone && t.inHand(s) && (s.Owner == view || s.Team.Has(view))
}

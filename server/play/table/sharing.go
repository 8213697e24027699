package table

import "holt/server/id"

// Apart returns the seats to which e may look otherwise than to everybody else: those who look into the hands in which a
// private piece lay before it and lies after it (T22, T23), who was shown or told something alone (T31), or the one for whose view
// alone it was recorded (T14). All other views are shown the same of e, or all are shown nothing, but for the marks, which
// each numbers for itself (T21).
func (t *Table) Apart(e *Entry) []id.Seat {
	var apart []id.Seat
	if e.OfPiece() || e.Ops != nil && !e.Piece.IsZero() {
		apart = t.appendApart(nil, e)
	}
	if e.To != 0 {
		apart = append(apart, e.To)
	}
	return apart
}

// appendApart appends what Apart returns of an entry about a piece, but for who was shown something alone.
func (t *Table) appendApart(seats []id.Seat, e *Entry) []id.Seat {
	if e.Op == OpRenew {
		return append(seats, e.Seat)
	}
	return t.appendWatchers(t.appendWatchers(seats, &e.Before), &e.After)
}

// Aspect says how a view is shown an entry about a piece. Views for which it is the same are shown the same, but for the marks.
type Aspect uint8

// What makes the difference.
const (
	aspectSaw       Aspect = 1 << iota // the view saw the piece before
	aspectSees                         // it sees it after
	aspectWasMasked                    // the piece was shown as its mask
	aspectIsMasked
	aspectRenewed // the entry is for this view alone (T14)
)

// Aspect returns how the view of a seat is shown e, which is about a piece and no notice.
func (t *Table) Aspect(e *Entry, seat id.Seat) (a Aspect) {
	view := t.ViewOf(seat)
	if !e.Made {
		a = t.aspect(&e.Before, view, aspectSaw, aspectWasMasked)
	}
	if e.Op == OpRenew && e.Seat == view {
		a |= aspectRenewed
	}
	return a | t.aspect(&e.After, view, aspectSees, aspectIsMasked)
}

// aspect returns sees if a view sees a piece in that state, and masked if it is shown its mask.
func (t *Table) aspect(s *State, view id.Seat, sees, masked Aspect) (a Aspect) {
	if t.sees(s, view) {
		a = sees
	}
	if t.concealed(s, view) {
		a |= masked
	}
	return a
}

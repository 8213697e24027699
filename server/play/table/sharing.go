package table

import "holt/server/id"

// Apart returns the seats to which e may look different than to everybody else. These are the seats
// that see into the hands, or see the fronts on the racks, in which a private piece lay before and
// lies after e (T22, T23, T96), referees (T74), the seat that alone was shown something (T31), the
// two seats of a whisper (T64), and the seat for whose view alone e was recorded (T14). All other
// views are shown the same of e, or nothing, except that each has its own versions (T21).
func (t *Table) Apart(e *Entry) []id.Seat {
	var apart []id.Seat
	if e.OfPiece() || e.Ops != nil && !e.Piece.IsZero() {
		apart = t.appendApart(nil, e)
	}
	if e.To != 0 {
		apart = append(apart, e.To)
	}
	if e.Chat != nil && e.Chat.To != 0 {
		apart = append(apart, e.Chat.By, e.Chat.To)
	}
	return apart
}

// appendApart appends what Apart returns for an entry about a piece, except e.To.
func (t *Table) appendApart(seats []id.Seat, e *Entry) []id.Seat {
	if e.Op == OpRenew {
		return append(seats, e.Seat)
	}
	return t.appendReferees(t.appendKnowers(t.appendKnowers(seats, &e.Before), &e.After), e)
}

// Aspect says how a view is shown an entry about a piece. Views with the same aspect are shown the
// same, except for the versions.
type Aspect uint8

// The bits of an aspect.
const (
	aspectSaw       Aspect = 1 << iota // the view saw the piece before
	aspectSees                         // the view sees the piece after
	aspectWasMasked                    // the piece was shown as its mask
	aspectIsMasked
	aspectRenewed // the entry is for this view alone (T14)
)

// Aspect returns how the view of a seat is shown e, which must be about a piece and not be a
// notice.
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

// aspect returns sees if a view sees a piece in that state, combined with masked if it is shown the
// mask.
func (t *Table) aspect(s *State, view id.Seat, sees, masked Aspect) (a Aspect) {
	if t.sees(s, view) {
		a = sees
	}
	if t.concealed(s, view) {
		a |= masked
	}
	return a
}

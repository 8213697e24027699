package table

import "holt/server/id"

// NoteLink records that a host, or the operator of the server, who is seat 0, made a link for the seat of
// somebody else (T55). It reports false if the seat is not in use.
func (t *Table) NoteLink(seat, host id.Seat, now id.Millis) bool {
	who, ok := t.Seat(seat)
	if !ok || who.Left != 0 {
		return false
	}
	who.Link = SeatLink{By: host, At: now}
	t.record(Entry{At: now, Op: OpSeat, Seat: host, Who: &who})
	return true
}

// Move records that a seat goes to another device, by a link that a seat made, or the operator, who is
// seat 0 (T54): its token is void. It reports false if the seat is not in use.
func (t *Table) Move(seat, by id.Seat, now id.Millis) bool {
	who, ok := t.Seat(seat)
	if !ok || who.Left != 0 {
		return false
	}
	who.Tokens++
	if by != seat {
		if by != who.Link.By || who.Link.At == 0 { // it was made before the folder was put back
			who.Link = SeatLink{By: by, At: now}
		}
		who.Link.Used = now
	}
	t.record(Entry{At: now, Op: OpSeat, Seat: by, Who: &who})
	return true
}

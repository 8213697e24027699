package table

import "holt/server/id"

// NoteLink records that a link was made for the seat of somebody else (T55). host is the seat of
// the host who made it, or 0 for the operator of the server. NoteLink reports false if the seat is
// not in use.
func (t *Table) NoteLink(seat, host id.Seat, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	if !ok {
		return false
	}
	who.Link = SeatLink{By: host, At: now}
	t.recordSeat(who, host, now)
	return true
}

// Move records that a seat moves to another device by a link (T54), so its token is void. by is the
// seat that made the link, or 0 for the operator. Move reports false if the seat is not in use.
func (t *Table) Move(seat, by id.Seat, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	if !ok {
		return false
	}
	who.Tokens++
	if by != seat {
		// The link was made before the data folder was put back.
		if by != who.Link.By || who.Link.At == 0 {
			who.Link = SeatLink{By: by, At: now}
		}
		who.Link.Used = now
	}
	t.recordSeat(who, by, now)
	return true
}

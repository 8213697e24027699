package table

import "holt/server/id"

// MaxSeats is how many seats a table may have, those that have ended counted.
const MaxSeats = 1024

// Seats returns the seats in the order of their numbers. The caller must not change them.
func (t *Table) Seats() []SeatInfo { return t.seats }

// Seat returns a seat, or false if there is none of that number.
func (t *Table) Seat(n id.Seat) (SeatInfo, bool) {
	if n < 1 || int(n) > len(t.seats) {
		return SeatInfo{}, false
	}
	return t.seats[n-1], true
}

// Sit records a new seat and returns it; who.Seat and who.Number are ignored. Whoever plays gets the first hand that is
// nobody's (T23). It reports false when all seats are taken.
func (t *Table) Sit(who SeatInfo, now id.Millis) (id.Seat, bool) {
	if len(t.seats) >= MaxSeats {
		return 0, false
	}
	who.Seat = id.Seat(len(t.seats) + 1) //nolint:gosec // at most MaxSeats
	who.Number = t.numberOfName(&who)
	t.record(Entry{At: now, Op: OpSeat, Seat: who.Seat, Who: &who})
	if who.Plays() {
		t.claim(who.Seat, now)
	}
	return who.Seat, true
}

// Appear records how a seat wants to appear from now on. It reports false, and records nothing, if there is no such seat or
// it appears so already.
func (t *Table) Appear(seat id.Seat, nick string, colour uint32, now id.Millis) bool {
	who, ok := t.Seat(seat)
	if !ok || who.Nick == nick && who.Colour == colour {
		return false
	}
	renamed := who.Nick != nick
	who.Nick, who.Colour = nick, colour
	if renamed {
		who.Number = t.numberOfName(&who)
	}
	t.record(Entry{At: now, Op: OpSeat, Seat: seat, Who: &who})
	return true
}

// claim gives a seat the oldest hand that is nobody's.
func (t *Table) claim(seat id.Seat, now id.Millis) {
	var first *piece
	for h := range t.heavy.upwards(nil) {
		if t.looks++; t.kinds[h.state.Kind].Hand && h.state.Owner == 0 && (first == nil || byAge(h, first) < 0) {
			first = h
		}
	}
	if first == nil {
		return
	}
	s := first.state
	s.Owner = seat
	t.serve(first, OpClaim, seat, now, s)
	t.gather(first, now)
}

// applySeat makes who sit. A seat that plays gets a view of its own, which starts as the public one.
func (t *Table) applySeat(who SeatInfo) {
	if who.Number == 0 { // or it is older than numbers are
		who.Number = t.numberOfName(&who)
	}
	if int(who.Seat) <= len(t.seats) {
		delete(t.named, nameKey(&t.seats[who.Seat-1]))
		t.named[nameKey(&who)] = who.Seat
		t.seats[who.Seat-1] = who
		return
	}
	t.named[nameKey(&who)] = who.Seat
	t.seats = append(t.seats, who)
	var v *view
	if who.Role != RoleSpectator {
		v = newView(who.Seat)
		v.runs, v.loaded = append(v.runs, t.public.runs...), t.public.loaded
	}
	t.views = append(t.views, v)
}

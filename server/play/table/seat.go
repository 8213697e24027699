package table

import (
	"slices"

	"holt/server/id"
)

// Bounds of seats (T56).
const (
	MaxInUse = 1024 // seats that are in use at once
	MaxSeats = 2048 // numbers of seats, including those that have ended
)

// Seats returns the seats in the order of their numbers. The caller must not change them.
func (t *Table) Seats() []SeatInfo { return t.seats }

// Seat returns a seat, or false if no seat has that number.
func (t *Table) Seat(n id.Seat) (SeatInfo, bool) {
	if n < 1 || int(n) > len(t.seats) {
		return SeatInfo{}, false
	}
	return t.seats[n-1], true
}

// Sit records a new seat and returns its number. Only Nick, Colour, Role, Home and Side of who
// count. A seat that plays gets Side if nobody has it, else the first free side (T61, T98), and a
// hand, if one is nobody's (T23). Sit reports false if all seats are taken.
func (t *Table) Sit(who SeatInfo, now id.Millis) (id.Seat, bool) {
	n := t.freeNumber()
	if n == 0 {
		return 0, false
	}
	was, _ := t.Seat(n)
	side := who.Side
	who = SeatInfo{Seat: n, Nick: who.Nick, Colour: who.Colour, Role: who.Role, Home: who.Home,
		Tokens: was.Tokens, Fresh: true}
	if who.Plays() {
		who.Side = t.freeSide()
		if t.isFree(side) {
			who.Side = side
		}
	}
	who.Number = t.numberOfName(&who)
	t.recordSeat(who, who.Seat, now)
	if who.Plays() {
		t.EndProposal(who.Seat, now)
		t.giveHand(who.Seat, who.Side, now)
	}
	return who.Seat, true
}

// Appear records a new nick and colour of a seat. It reports false and records nothing if the seat
// does not exist or has them already.
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
	t.recordSeat(who, seat, now)
	return true
}

// SetRole records that a seat has another role, which by gives it (T66). It reports false and
// records nothing if the seat is not in use, or if one of the roles does not play: seats that play
// have views of their own.
func (t *Table) SetRole(seat id.Seat, role Role, by id.Seat, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	if !ok || !who.Plays() || !role.Plays() {
		return false
	}
	if who.Role == role {
		return true
	}
	who.Role = role
	t.recordSeat(who, by, now)
	return true
}

// recordSeat records a seat, which by has taken or changed. If it has another side than before, no
// host has given it that one.
func (t *Table) recordSeat(who SeatInfo, by id.Seat, now id.Millis) {
	if was, ok := t.Seat(who.Seat); ok && was.Side != who.Side {
		who.PlacedBy = 0
	}
	t.record(Entry{At: now, Op: OpSeat, Seat: by, Who: &who})
}

// seatInUse returns a seat that has not ended.
func (t *Table) seatInUse(n id.Seat) (SeatInfo, bool) {
	who, ok := t.Seat(n)
	return who, ok && who.Left == 0
}

// freeNumber returns the number of a seat that may be taken (T56), 0 if there is none. It is a new
// number, or, from MaxInUse numbers on, preferably that of a seat that has ended and to which
// nothing refers.
func (t *Table) freeNumber() id.Seat {
	inUse, again := 0, id.Seat(0)
	for i := range t.seats {
		switch s := &t.seats[i]; {
		case s.Left == 0:
			inUse++
		case s.Fresh && again == 0:
			again = s.Seat
		}
	}
	switch n := len(t.seats); {
	case inUse >= MaxInUse:
		return 0
	case n >= MaxInUse && again != 0:
		return again
	case n < MaxSeats:
		return id.Seat(n + 1)
	default:
		return 0
	}
}

// Full reports whether nobody can take a seat.
func (t *Table) Full() bool { return t.freeNumber() == 0 }

// Unused reports whether a seat can be freed (T56): it is in use and not a host's, nothing refers
// to it, and everybody knows that its hands are empty.
func (t *Table) Unused(seat id.Seat) bool {
	who, ok := t.seatInUse(seat)
	if !ok || !who.Fresh || who.Role.Hosts() {
		return false
	}
	return !slices.ContainsFunc(t.hands.all, func(h *piece) bool {
		return h.state.Owner == seat && !t.seenEmpty(h)
	})
}

// refer notes to which seats an entry refers. It ignores that a seat is taken or ends, and that it
// gets or loses an empty hand by that (T56).
func (t *Table) refer(e *Entry) {
	none := e.Client == (id.Client{})
	switch {
	case e.Who != nil:
		t.refersTo(e.Seat, e.Who.Seat)
		t.refersTo(e.Who.Left, e.Who.Seat)
		t.refersTo(e.Who.Link.By, e.Who.Seat)
		t.refersTo(e.Who.PlacedBy, e.Who.Seat)
		t.refersTo(e.Who.EditsBy, e.Who.Seat)
		t.refersTo(e.Who.Referee.ProposedBy, 0)
		if e.Who.Role == RoleReferee || e.Who.Played || e.Who.Referee.Agreed != 0 ||
			e.Who.Opened != 0 {
			t.refersTo(e.Who.Seat, 0)
		}
		return
	case none && (e.Op == OpClaim || e.Op == OpLeave):
		return
	case e.Set != nil:
		t.refersTo(e.Set.Seat, 0)
	case e.Chat != nil:
		t.refersTo(e.Chat.By, 0)
		t.refersTo(e.Chat.To, 0)
	}
	t.refersTo(e.Seat, 0)
	t.refersTo(e.To, 0)
	t.refersTo(e.After.Owner, 0)
	t.refersTo(e.After.Holder, 0)
	for s := range e.After.Team.Seats() {
		t.refersTo(s, 0)
	}
}

// refersTo notes that something refers to a seat, unless that seat is but.
func (t *Table) refersTo(seat, but id.Seat) {
	if seat != but && seat >= 1 && int(seat) <= len(t.seats) {
		t.seats[seat-1].Fresh = false
	}
}

// applySeat stores a seat. A new seat that plays gets a view of its own, which starts as the public
// one.
func (t *Table) applySeat(who SeatInfo) {
	// The number is 0, or the entry is older than numbers.
	if who.Number == 0 {
		who.Number = t.numberOfName(&who)
	}
	if int(who.Seat) <= len(t.seats) {
		delete(t.named, nameKey(&t.seats[who.Seat-1]))
		t.named[nameKey(&who)] = who.Seat
		was, v := &t.seats[who.Seat-1], &t.views[who.Seat-1]
		switch {
		case was.Left != 0 && who.Left == 0: // somebody else takes the seat
			*v = t.viewFor(&who)
			delete(t.forgot, who.Seat)
		case who.Role == RoleReferee && was.Role != RoleReferee:
			*v = refereeView(who.Seat, t.view(who.Seat))
		case *v == nil: // a spectator who sits down
			*v = t.viewFor(&who)
		}
		*was = who
		t.noteReferee(&who)
		return
	}
	t.noteReferee(&who)
	t.named[nameKey(&who)] = who.Seat
	t.seats = append(t.seats, who)
	t.views = append(t.views, t.viewFor(&who))
}

// viewFor returns the view with which a seat starts, nil if it is the public one.
func (t *Table) viewFor(who *SeatInfo) *view {
	if who.Role == RoleSpectator && !who.Played {
		return nil
	}
	v := newView(who.Seat)
	v.runs, v.loaded = append(v.runs, t.public.runs...), t.public.loaded
	return v
}

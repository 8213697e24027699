package table

import (
	"slices"

	"holt/server/id"
)

// Referees (T74). A referee sees every hand and every front that others do not see. What lies in a
// container it does not see: the order of a deck is nobody's knowledge. All who play must agree
// before. A proposal and the consent of a seat are part of the state of seats. So they are
// published, they are in the history, and they outlast a restart.

// Referee is what a seat has to do with referees.
type Referee struct {
	// Proposal is the number of the open proposal to make the seat a referee, and ProposedBy the
	// host who made it. They are zero if there is none.
	Proposal   uint32
	ProposedBy id.Seat
	// Agreed is the number of the newest proposal to which the seat has agreed; 0: to none.
	Agreed uint32
	// From is the generation of the entry that made the seat a referee; 0: it never was one.
	From id.Generation
}

// Propose records that a host proposes to make a seat a referee. It reports false and records
// nothing if another proposal is open, if by does not play, or if the seat is not that of a
// spectator without a hand.
func (t *Table) Propose(seat, by id.Seat, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	proposer, _ := t.Seat(by)
	if _, open := t.Proposed(); open || !ok || who.Role != RoleSpectator || !proposer.Plays() ||
		t.firstHand(seat) != nil {
		return false
	}
	number := uint32(0)
	for i := range t.seats {
		number = max(number, t.seats[i].Referee.Proposal, t.seats[i].Referee.Agreed)
	}
	number++
	who.Referee.Proposal, who.Referee.ProposedBy = number, by
	t.recordSeat(who, by, now)
	t.Agree(by, number, now)
	return true
}

// Proposed returns the seat that somebody proposes to make a referee. It reports false if there is
// none.
func (t *Table) Proposed() (SeatInfo, bool) {
	for i := range t.seats {
		if t.seats[i].Referee.Proposal != 0 {
			return t.seats[i], true
		}
	}
	return SeatInfo{}, false
}

// Agree records that a seat agrees to the open proposal, and makes the referee if all who play have
// agreed. It reports false and records nothing if the seat does not play, or if no proposal with
// that number is open.
func (t *Table) Agree(seat id.Seat, number uint32, now id.Millis) bool {
	to, open := t.Proposed()
	who, _ := t.Seat(seat)
	if !open || to.Referee.Proposal != number || !who.Plays() {
		return false
	}
	if who.Referee.Agreed != number {
		who.Referee.Agreed = number
		t.recordSeat(who, seat, now)
	}
	t.settleProposal(now)
	return true
}

// EndProposal records that the open proposal has ended, because by has refused it or withdrawn it,
// or has just sat down. It reports false if none is open.
func (t *Table) EndProposal(by id.Seat, now id.Millis) bool {
	to, open := t.Proposed()
	if !open {
		return false
	}
	to.Referee.Proposal, to.Referee.ProposedBy = 0, 0
	t.recordSeat(to, by, now)
	return true
}

// settleProposal makes the referee if all who play have agreed.
func (t *Table) settleProposal(now id.Millis) {
	to, open := t.Proposed()
	playing := 0
	for i := range t.seats {
		if who := &t.seats[i]; who.Plays() {
			if playing++; who.Referee.Agreed != to.Referee.Proposal {
				return
			}
		}
	}
	if !open || playing == 0 {
		return
	}
	by := to.Referee.ProposedBy
	to.Role, to.Referee.Proposal, to.Referee.ProposedBy = RoleReferee, 0, 0
	to.Referee.From = t.gen + 1
	t.recordSeat(to, by, now)
}

// noteReferee keeps the list of referees current.
func (t *Table) noteReferee(who *SeatInfo) {
	t.referees = slices.DeleteFunc(t.referees, func(s id.Seat) bool { return s == who.Seat })
	if who.Role == RoleReferee && who.Left == 0 {
		t.referees = append(t.referees, who.Seat)
	}
}

// isReferee reports whether a view is that of a referee.
func (t *Table) isReferee(view id.Seat) bool {
	return len(t.referees) > 0 && slices.Contains(t.referees, view)
}

// forReferees reports whether referees see more of a piece in that state than spectators do.
func (t *Table) forReferees(s *State) bool {
	return !s.Gone && (t.inHand(s) || t.kinds[s.Kind].Secret && t.open(s) &&
		(t.isBack(s) || t.isOnRack(s)))
}

// appendReferees appends the referees, if they may see more of e than spectators do.
func (t *Table) appendReferees(seats []id.Seat, e *Entry) []id.Seat {
	if len(t.referees) > 0 && (t.forReferees(&e.Before) || t.forReferees(&e.After)) {
		return append(seats, t.referees...)
	}
	return seats
}

// refereeView returns the view with which a referee starts. It has versions that no stream has been
// given: so nobody resumes a stream that lacks what the referee sees.
func refereeView(seat id.Seat, was *view) *view {
	v := newView(seat)
	given := uint64(was.now() >> markShift)
	for _, r := range was.runs {
		r.Num += given
		v.runs = append(v.runs, r)
	}
	return v
}

package table

import "holt/server/id"

// Who plays may get up and watch, and sit down again (T75). The seat stays, with its name and with
// its view.

// StandUp records that a seat that plays watches from now on. What it holds is laid down where it
// lies, its hands go where e says, it leaves the teams of others, it passes on its turn, and it
// gives up its side. StandUp reports false and records nothing if the seat does not play, if e.To
// cannot have a hand, or while the server makes a set of pieces for the seat (T40).
func (t *Table) StandUp(seat id.Seat, e Ending, now id.Millis) bool {
	who, ok := t.Seat(seat)
	if !ok || !who.Plays() || e.Hands == HandsGiven && (e.To == seat || !t.plays(e.To)) ||
		t.MakesSet(seat) {
		return false
	}
	who.Role, who.Side, who.Played, who.EditsBy = RoleSpectator, 0, true, 0
	t.recordSeat(who, seat, now)
	t.letGo(seat, seat, now)
	t.leaveHands(seat, e, now)
	t.settleProposal(now)
	return true
}

// SitDown records that a spectator plays from now on, as by allows. It gets a side and a hand as
// somebody new does (T61), if it has no hand. SitDown reports false and records nothing if the seat
// is not that of a spectator.
func (t *Table) SitDown(seat, by id.Seat, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	if !ok || who.Role != RoleSpectator {
		return false
	}
	who.Role, who.Side, who.Referee.Proposal, who.Referee.ProposedBy = RolePlayer, t.freeSide(), 0, 0
	if h := t.firstHand(seat); h != nil {
		if side := t.sideOfHand(h); side != 0 && t.atSide(side) == 0 {
			who.Side = side
		}
	}
	t.recordSeat(who, by, now)
	t.EndProposal(seat, now)
	if t.firstHand(seat) == nil {
		t.giveHand(seat, who.Side, now)
	}
	return true
}

package room

import (
	"context"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// ProposeReferee proposes to make a spectator a referee (T74), and asks all who play. s agrees. It
// returns when that is durable. ErrRole unless s is a host's, and unless the seat is that of a
// spectator without a hand; ErrOver if the seat is not in use; ErrProposed if a proposal is open;
// ErrLogFull; *TooSoon if s has used up its quota.
func (rs *Rooms) ProposeReferee(ctx context.Context, s Session, seat id.Seat) error {
	if !s.Role.Hosts() {
		return ErrRole
	}
	return rs.changeRoles(ctx, s, func(r *room) error {
		switch _, open := r.table.Proposed(); {
		case open:
			return ErrProposed
		case r.hasEnded(seat) || r.roleOf(seat) == 0:
			return ErrOver
		case !r.table.Propose(seat, s.Seat, r.now()):
			return ErrRole
		}
		return nil
	})
}

// AnswerReferee answers a proposal (T74): it agrees to it, or ends it. It returns when that is
// durable. ErrRole if s does not play; ErrNoProposal if that proposal is not open; ErrLogFull;
// *TooSoon.
func (rs *Rooms) AnswerReferee(ctx context.Context, s Session, proposal uint32, agree bool) error {
	if !s.Role.Plays() {
		return ErrRole
	}
	return rs.changeRoles(ctx, s, func(r *room) error {
		to, open := r.table.Proposed()
		switch {
		case !open || to.Referee.Proposal != proposal:
			return ErrNoProposal
		case agree:
			r.table.Agree(s.Seat, proposal, r.now())
		default:
			r.table.EndProposal(s.Seat, r.now())
		}
		return nil
	})
}

// StandUp lets the seat of s watch from now on, and does with its hands what p says (T75). It
// returns when that is durable. ErrRole if s does not play; ErrLastHost; ErrHands; ErrBusy and
// TooFast as for PutOut; ErrLogFull; *TooSoon.
func (rs *Rooms) StandUp(ctx context.Context, s Session, p HandsOnLeaving) error {
	if !s.Role.Plays() {
		return ErrRole
	}
	e := table.Ending{By: s.Seat, Hands: p.Hands, To: p.To}
	return rs.changeRoles(ctx, s, func(r *room) error {
		to, ok := r.table.Seat(e.To)
		switch {
		case r.lastHost(s.Seat):
			return ErrLastHost
		case e.Hands == table.HandsGiven && (!ok || !to.Plays() || e.To == s.Seat):
			return ErrHands
		case r.table.MakesSet(s.Seat):
			return ErrBusy
		}
		units := r.table.WeighEnd(s.Seat, e, MaxUnits).Units()
		if err := r.budgets.admitOwn(s.Seat, units); err != nil {
			return err
		}
		r.chargeFor(s.Seat, func() {
			for _, name := range r.heldBy(s.Seat) {
				r.releasePiece(name) // where it was last seen
			}
			r.table.StandUp(s.Seat, e, r.now())
		})
		r.voidVotes(s.Seat)
		r.record()
		r.leaveQuestion(s.Seat, holtpb.QuestionState_QUESTION_STATE_IMPOSSIBLE)
		r.leaveRound(s.Seat)
		return nil
	})
}

// SitDown lets the spectator s play (T75). It returns when that is durable. The seat needs to have
// played before, or an invite of the table for players. ErrRole if it has neither, or is no
// spectator's; ErrClosed; ErrLogFull; *TooSoon.
func (rs *Rooms) SitDown(ctx context.Context, s Session, invite string) error {
	if s.Role != table.RoleSpectator {
		return ErrRole
	}
	invited := false
	if invite != "" {
		led, err := rs.Invite(ctx, invite)
		if err != nil {
			return err
		}
		invited = led.Table == s.Table && led.Role == table.RolePlayer
	}
	return rs.changeRoles(ctx, s, func(r *room) error {
		who, _ := r.table.Seat(s.Seat)
		switch {
		case r.access.closed:
			return ErrClosed
		case invited && !who.Played && !rs.leads(r, invite, table.RolePlayer):
			return ErrRenewed
		case !who.Played && !invited:
			return ErrRole
		}
		r.sitDown(s.Seat, s.Seat)
		return nil
	})
}

// sitDown lets a spectator play, as by allows.
func (r *room) sitDown(seat, by id.Seat) {
	r.budgets.begin(r.table)
	r.table.SitDown(seat, by, r.now())
	r.budgets.settle(r.table, by) // for what its hand picks up
}

// changeRoles is change for a request that may give seats other roles. It lets s pay for what is
// recorded.
func (rs *Rooms) changeRoles(ctx context.Context, s Session, f func(*room) error) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		switch {
		case r.space.reserveUsed():
			return none{}, ErrLogFull
		case !r.space.spent.may(s.Seat, r.space.quota.Seat, r.rand, time.Now()):
			return none{}, &TooSoon{After: time.Minute}
		}
		before := r.recorded.estimatedBytes
		if err := f(r); err != nil {
			return none{}, err
		}
		rs.adoptRoles(r)
		r.charge(s.Seat, before)
		return none{}, nil
	})
	return err
}

// adoptRoles records what has been done to seats, and adopts the roles of those whose role has
// changed: their sessions are void, and their streams have the rights of the new role. Whoever has
// become a referee gets the full state, with all that a referee sees.
func (rs *Rooms) adoptRoles(r *room) {
	roles := map[id.Seat]table.Role{}
	for i := range r.table.Seats() {
		roles[r.table.Seats()[i].Seat] = r.table.Seats()[i].Role
	}
	for seat, role := range roles {
		if r.roles[seat] != role {
			rs.forgetSessions(r.row.Table, seat)
		}
	}
	r.roles = roles
	r.record()
	for _, a := range r.clients {
		was := a.role
		a.role = roles[a.seat]
		switch {
		case a.role != table.RoleReferee || was == a.role:
		case a.stream.Desync():
			r.resynchronise(a)
		default: // the full state that it waits for was made before
			r.queue(a, resyncEvery)
		}
	}
	r.checkSuccession()
	r.askHostsOnly()
}

package room

import (
	"context"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// A seat ends, or its token is withdrawn, on every path at once (T51, T52). Every request asks
// isValid, which goes by what is recorded. The store deletes the token in the commit of the
// entry. When that is durable the streams of the seat are closed.

// HandsOnLeaving says what happens to the hands of a seat that ends. To is for table.HandsGiven.
type HandsOnLeaving struct {
	Hands table.HandsTo
	To    id.Seat
}

// PutOut ends somebody else's seat, and makes new invites: the old links are void (T51). It returns
// when that is durable. ErrRole unless s is a host's, and for its own seat; ErrOver if that seat is
// not in use; ErrHands; ErrBusy if pieces of the table are just becoming a set for it; TooFast if
// it costs more than s has left (T49).
func (rs *Rooms) PutOut(
	ctx context.Context, s Session, seat id.Seat, p HandsOnLeaving,
) (Invites, error) {
	if !s.Role.Hosts() || seat == s.Seat {
		return Invites{}, ErrRole
	}
	return change(ctx, rs, s, func(r *room) (Invites, error) {
		if r.isAbove(seat, s) {
			return Invites{}, ErrRole
		}
		e := table.Ending{By: s.Seat, Hands: p.Hands, To: p.To}
		if err := rs.endSeat(r, seat, e, holtpb.Farewell_FAREWELL_PUT_OUT); err != nil {
			return Invites{}, err
		}
		return rs.newInvites(r), nil
	})
}

// Leave ends the seat of s for good (T52). It returns when that is durable. ErrLastHost; ErrHands;
// ErrBusy and TooFast as for PutOut.
func (rs *Rooms) Leave(ctx context.Context, s Session, p HandsOnLeaving) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		if r.lastHost(s.Seat) {
			return none{}, ErrLastHost
		}
		e := table.Ending{By: s.Seat, Hands: p.Hands, To: p.To}
		return none{}, rs.endSeat(r, s.Seat, e, holtpb.Farewell_FAREWELL_LEFT)
	})
	return err
}

// LogOut withdraws the token of s (T52). The seat stays, and so do its hands. ErrBusy as for
// PutOut.
func (rs *Rooms) LogOut(ctx context.Context, s Session) error {
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		if r.table.MakesSet(s.Seat) {
			return none{}, ErrBusy
		}
		r.table.VoidToken(s.Seat, r.now())
		r.record()
		rs.revokeSeat(r, s.Seat, s.Seat, holtpb.Farewell_FAREWELL_LOGGED_OUT)
		return none{}, nil
	})
	return err
}

// endSeat records that a seat ends, and withdraws its token.
func (rs *Rooms) endSeat(r *room, seat id.Seat, e table.Ending, why holtpb.Farewell) error {
	to, ok := r.table.Seat(e.To)
	switch who, used := r.table.Seat(seat); {
	case !used || who.Left != 0:
		return ErrOver
	case e.Hands == table.HandsGiven && (!ok || !to.Plays() || e.To == seat):
		return ErrHands
	case r.table.MakesSet(seat):
		return ErrBusy
	}
	if err := r.budgets.admitOwn(e.By, r.table.WeighEnd(seat, e, MaxUnits).Units()); err != nil {
		return err
	}
	r.chargeFor(e.By, func() {
		for _, name := range r.heldBy(seat) {
			r.releasePiece(name) // where it was last seen
		}
		r.table.Unseat(seat, e, r.now())
		rs.adoptRoles(r) // the last who had not agreed to a referee may be gone
		r.record()
		r.leaveRound(seat)
	})
	rs.revokeSeat(r, seat, e.By, why)
	return nil
}

// revokeSeat makes every token and session of a seat void: the tokens with what is recorded, the
// streams when that is durable.
func (rs *Rooms) revokeSeat(r *room, seat, by id.Seat, why holtpb.Farewell) {
	r.recorded.voided = append(r.recorded.voided, seat)
	r.recorded.seats = slices.DeleteFunc(r.recorded.seats, func(s SeatRow) bool {
		return s.Seat == seat
	})
	rs.forgetSessions(r.row.Table, seat)
	// Until then the store still has the tokens.
	r.withdrawing[seat]++
	r.whenDurable(func(err error) {
		if err == nil {
			rs.withdrawn.Add(1)
			if r.withdrawing[seat]--; r.withdrawing[seat] == 0 {
				delete(r.withdrawing, seat)
			}
			r.closeSeatStreams(seat, by, why)
		}
	})
}

// isValid reports whether a session is still valid.
func (r *room) isValid(s Session) bool {
	who, ok := r.table.Seat(s.Seat)
	return ok && who.Left == 0 && who.Tokens == s.Tokens
}

// admitSession returns why a session is refused. ErrNoSeat if it is void; ErrBusy if the seat has
// got another role since it was authenticated (T66): whoever asks again has a session with that.
func (r *room) admitSession(s Session) error {
	switch {
	case !r.isValid(s):
		return ErrNoSeat
	case r.roleOf(s.Seat) != s.Role:
		return ErrBusy
	}
	return nil
}

// isAbove reports whether a seat is a host's and s is not: then s may not put it out, and may not
// get a link for it (T66).
func (r *room) isAbove(seat id.Seat, s Session) bool {
	return s.Role != table.RoleHost && r.roleOf(seat) == table.RoleHost && !r.hasEnded(seat)
}

// roleOf returns the role of a seat.
func (r *room) roleOf(seat id.Seat) table.Role {
	who, _ := r.table.Seat(seat)
	return who.Role
}

// hasEnded reports whether a seat has ended.
func (r *room) hasEnded(seat id.Seat) bool {
	who, _ := r.table.Seat(seat)
	return who.Left != 0
}

// lastHost reports whether a seat is the only host of the table.
func (r *room) lastHost(seat id.Seat) bool {
	who, _ := r.table.Seat(seat)
	return who.Role == table.RoleHost &&
		!slices.ContainsFunc(r.table.Seats(), func(s table.SeatInfo) bool {
			return s.Seat != seat && s.Left == 0 && s.Role == table.RoleHost
		})
}

// closeSeatStreams sends the clients of a seat their farewell, closes their streams, and ignores
// what they send from then on (S20).
func (r *room) closeSeatStreams(seat, by id.Seat, why holtpb.Farewell) {
	r.flush() // what came before is sent before
	was := r.presence(seat)
	for _, a := range r.clients {
		if a.seat != seat {
			continue
		}
		r.end(a, stream.CodeNoSeat, "the seat was withdrawn", wire.FarewellEvent(why, by))
		r.callsRunning.Go(func() {
			a.stream.EndWithin(stopWait, stream.CodeNoSeat, "the seat was withdrawn")
		})
		r.detach(a)
		r.clientLost(a, true)
	}
	r.seatStreams.forget(seat)
	r.publishPresence(seat, was)
}

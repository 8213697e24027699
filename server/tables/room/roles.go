package room

import (
	"context"
	"maps"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// Roles (T66): the host gives the role of the host to somebody else, and makes co-hosts. When no
// host has been at the table for long, those who play there choose another one. Votes are not
// stored: after a restart nobody has voted.

// hostGoneAfter is how long no host must have had a stream before others may choose one.
const hostGoneAfter = 5 * time.Minute

// succession is what a room knows about replacing a host who is gone.
type succession struct {
	open  bool // others may choose a host
	votes map[id.Seat]id.Seat
}

// GiveRole gives a seat another role (T66). If that is the role of the host, s becomes a player. It
// returns when that is durable. A spectator becomes a player alone, and plays from then on (T75).
// ErrRole unless s is a host's, and for its own seat; ErrOver if the seat is not in use, or cannot
// have that role; ErrVisitor if a visitor would become the host; ErrLogFull;
// *TooSoon if s has used up its quota.
func (rs *Rooms) GiveRole(ctx context.Context, s Session, seat id.Seat, role table.Role) error {
	if s.Role != table.RoleHost || seat == s.Seat || !role.Plays() {
		return ErrRole
	}
	return rs.changeRoles(ctx, s, func(r *room) error {
		who, ok := r.table.Seat(seat)
		switch {
		case !ok || who.Left != 0 || who.Role == table.RoleReferee:
			return ErrOver
		case who.Role == table.RoleSpectator && role != table.RolePlayer:
			return ErrOver
		case who.Role == table.RoleHost: // of several hosts none takes the role of another
			return ErrRole
		case role == table.RoleHost && who.Home != "":
			return ErrVisitor
		case who.Role == table.RoleSpectator:
			r.sitDown(seat, s.Seat)
			return nil
		}
		rs.setRole(r, seat, role, s.Seat)
		if role == table.RoleHost {
			rs.setRole(r, s.Seat, table.RolePlayer, s.Seat)
		}
		return nil
	})
}

// VoteHost votes for a seat to become the host, or withdraws the vote, for 0 (T66). It reports
// whether that seat has become the host, and returns when that is durable. ErrRole if s does not
// play, or if that seat cannot become the host; ErrHostHere unless no host has been there for long.
func (rs *Rooms) VoteHost(ctx context.Context, s Session, seat id.Seat) (elected bool, err error) {
	if !s.Role.Plays() {
		return false, ErrRole
	}
	return change(ctx, rs, s, func(r *room) (bool, error) {
		switch {
		case !r.succession.open:
			return false, ErrHostHere
		case seat == 0:
			if _, voted := r.succession.votes[s.Seat]; voted {
				delete(r.succession.votes, s.Seat)
				r.publishSuccession()
			}
			return false, nil
		case r.seatStreams.open(s.Seat) == 0 || !r.mayBecomeHost(seat):
			return false, ErrRole
		case r.space.reserveUsed():
			return false, ErrLogFull
		}
		r.succession.votes[s.Seat] = seat
		if !rs.elect(r) {
			r.publishSuccession()
		}
		who, _ := r.table.Seat(seat)
		return who.Role == table.RoleHost, nil
	})
}

// setRole records another role of a seat. Sessions with the old one are void.
func (rs *Rooms) setRole(r *room, seat id.Seat, role table.Role, by id.Seat) {
	if r.table.SetRole(seat, role, by, r.now()) {
		rs.adoptRoles(r)
	}
}

// voters returns the seats that choose a host: those that play and have a stream.
func (r *room) voters() (all []id.Seat) {
	for i := range r.table.Seats() {
		if who := &r.table.Seats()[i]; who.Plays() && r.seatStreams.open(who.Seat) > 0 {
			all = append(all, who.Seat)
		}
	}
	return all
}

// mayBecomeHost reports whether a seat can be chosen: it plays, has a stream, and is not a
// visitor's.
func (r *room) mayBecomeHost(seat id.Seat) bool {
	who, ok := r.table.Seat(seat)
	return ok && who.Plays() && who.Home == "" && r.seatStreams.open(seat) > 0
}

// elect makes the seat the host for which more than half of the voters are, and reports whether
// there is one. Those who were hosts are players then.
func (rs *Rooms) elect(r *room) bool {
	voters := r.voters()
	for _, seat := range voters {
		n := 0
		for _, voter := range voters {
			if r.succession.votes[voter] == seat {
				n++
			}
		}
		if 2*n <= len(voters) || !r.mayBecomeHost(seat) {
			continue
		}
		for _, who := range slices.Clone(r.table.Seats()) {
			if who.Left == 0 && who.Role == table.RoleHost {
				rs.setRole(r, who.Seat, table.RolePlayer, seat)
			}
		}
		rs.setRole(r, seat, table.RoleHost, seat)
		return true
	}
	return false
}

// hostGoneAt returns when others may choose a host; the zero time if a host is at the table.
func (r *room) hostGoneAt() time.Time {
	since := r.begun // nobody knows how long hosts were gone before
	for i := range r.table.Seats() {
		who := &r.table.Seats()[i]
		if who.Left != 0 || who.Role != table.RoleHost {
			continue
		}
		if r.seatStreams.open(who.Seat) > 0 {
			return time.Time{}
		}
		if at := r.seatStreams.emptySince[who.Seat]; at.After(since) {
			since = at
		}
	}
	return since.Add(hostGoneAfter)
}

// checkSuccession notes whether others may choose a host, and publishes that if it has changed.
func (r *room) checkSuccession() {
	at := r.hostGoneAt()
	wait := time.Until(at)
	open := !at.IsZero() && wait <= 0
	if at.IsZero() || open {
		r.timers.host.Stop()
	} else {
		r.timers.host.Reset(wait)
	}
	if open == r.succession.open {
		return
	}
	r.succession.open = open
	clear(r.succession.votes)
	r.publishSuccession()
}

// noteVoter takes the votes of a seat that has no stream any more, and for it, out of the choice.
func (r *room) noteVoter(seat id.Seat) {
	if len(r.succession.votes) == 0 || r.seatStreams.open(seat) > 0 {
		return
	}
	r.voidVotes(seat)
}

// voidVotes takes the votes of a seat, and for it, out of the choice.
func (r *room) voidVotes(seat id.Seat) {
	n := len(r.succession.votes)
	maps.DeleteFunc(r.succession.votes, func(by, of id.Seat) bool { return by == seat || of == seat })
	if len(r.succession.votes) != n {
		r.publishSuccession()
	}
}

// successionEvent says whether others may choose a host, and who has voted for whom.
func (r *room) successionEvent() *holtpb.Event {
	m := &holtpb.Succession{Open: r.succession.open}
	for _, by := range slices.Sorted(maps.Keys(r.succession.votes)) {
		m.Votes = append(m.Votes,
			&holtpb.Vote{Seat: uint32(by), Host: uint32(r.succession.votes[by])})
	}
	return wire.SuccessionEvent(m)
}

func (r *room) publishSuccession() {
	r.recorded.queueEvent(id.Client{}, r.successionEvent())
}

package room

import (
	"context"
	"errors"
	"sync/atomic"

	"holt/server/id"
	"holt/server/play/table"
)

// Sets are sent through doors without their person (docs/protocol/object.md, O52). There are two
// steps. Each is durable by itself: the set comes into the bag of who sends it (T40), and another
// table gets it out of that bag (T41). In between it is in the bag, whatever fails.

// Errors of the methods that send.
var (
	// 403 refused
	ErrPart = errors.New("a piece of a set goes nowhere without its set: move what holds the set")
	// 403 refused
	ErrNoBag = errors.New("you are a guest at this server: only what is yours can go through a door")
	// 403 refused
	ErrItself = errors.New("a door does not go through itself")
	// ErrInDoubt says that a table may have a set, and may not. 503 away
	ErrInDoubt = errors.New("it is not known whether the table has it")
	// 503 away
	ErrNotYet = errors.New("it is on its way into the bag, and went through no door")
)

// TakeToSend takes a set off the table, as the update `take` would: the guest of which piece is the
// container or the only piece, or a piece of the table and what is at home in it (T40). door is the
// door through which it goes. whose is what SenderOf has returned. atHome says that a set can be
// made for the person of s. TakeToSend returns when the set is in the bag. The error is a *Refusal
// if something is in the way; ErrNoDoor, ErrPart, ErrNoBag, ErrItself, ErrNoSeat, TooFast; then
// nothing has changed. It is ErrNotYet if the set has left the table and comes into the bag later.
func (rs *Rooms) TakeToSend(
	ctx context.Context, s Session, door, piece id.Piece, whose id.Seat, atHome bool,
) (id.OID, error) {
	if err := rs.cfg.Store.Writable(); err != nil {
		return id.OID{}, err
	}
	oid, err := rs.cfg.Minter.Mint(rs.cfg.Now())
	if err != nil {
		return id.OID{}, err
	}
	r, release, err := rs.acquire(ctx, s.Table)
	if err != nil {
		return id.OID{}, err
	}
	defer release()
	var decided, taken atomic.Bool
	set, err := ask(ctx, r, func(answer func(id.OID, error)) {
		if decided.Swap(true) {
			return // nobody waits any more
		}
		set, err := r.takeToSend(s, door, piece, whose, atHome, oid)
		if err != nil {
			answer(id.OID{}, err)
			return
		}
		taken.Store(true)
		if r.owners.senders == nil {
			r.owners.senders = map[id.OID][]func(error){}
		}
		r.owners.senders[set] = append(r.owners.senders[set], func(err error) {
			if err != nil {
				err = ErrNotYet
			}
			answer(set, err)
		})
	})
	if err != nil && decided.Swap(true) && (taken.Load() || errors.Is(err, ctx.Err())) {
		err = ErrNotYet // also if the table did not answer in time
	}
	return set, err
}

// SenderOf returns the seat whose set goes if s sends a piece: that of s for a piece of the table,
// and for a guest that of who has put it there; 0 if nobody here has. The error is a *Refusal if s
// may not take it (T40.4, T40.5).
func (rs *Rooms) SenderOf(ctx context.Context, s Session, piece id.Piece) (id.Seat, error) {
	return inSession(ctx, rs, s, func(r *room) (id.Seat, error) {
		name, sees := r.table.Find(piece, s.Seat)
		if !sees {
			return 0, &Refusal{Reason: table.ReasonGone}
		}
		state, _ := r.table.Look(name)
		switch {
		case !state.Set.IsZero():
		case !s.Role.Hosts():
			return 0, &Refusal{Reason: table.ReasonNotAllowed}
		default:
			return s.Seat, nil
		}
		info, _ := r.table.Set(state.Set)
		if info.Seat != s.Seat && !s.Role.Hosts() {
			return 0, &Refusal{Reason: table.ReasonNotAllowed}
		}
		return info.Seat, nil
	})
}

// answerSenders answers those who wait until a set that has left the table is in its bag.
func (r *room) answerSenders(set id.OID, err error) {
	all := r.owners.senders[set]
	delete(r.owners.senders, set)
	for _, answer := range all {
		answer(err)
	}
}

func (r *room) takeToSend(
	s Session, door, piece id.Piece, whose id.Seat, atHome bool, oid id.OID,
) (id.OID, error) {
	if err := r.admitSession(s); err != nil {
		return id.OID{}, err
	}
	to, is, err := r.door(s, door)
	if err == nil && is == nil {
		err = ErrNoDoor
	}
	if err != nil {
		return id.OID{}, err
	}
	name, sees := r.table.Find(piece, s.Seat)
	if !sees {
		return id.OID{}, &Refusal{Reason: table.ReasonGone}
	}
	state, _ := r.table.Look(name)
	leading, _ := r.table.Look(to)
	guest := !state.Set.IsZero()
	info, _ := r.table.Set(state.Set)
	switch {
	case name == to, guest && leading.Set == state.Set, !guest && leading.Home == name:
		return id.OID{}, ErrItself
	case guest && info.Seat != whose: // somebody else has put it there meanwhile
		return id.OID{}, &Refusal{Reason: table.ReasonGone}
	case guest && !r.table.IsWholeSet(name):
		return id.OID{}, ErrPart
	case !guest && !atHome && s.Role.Hosts():
		return id.OID{}, ErrNoBag
	}
	u := table.Update{Op: table.OpTake, Has: table.HasPiece, Piece: name}
	units := r.table.Weigh(s.Seat, []table.Update{u}, MaxUnits).Units()
	if err := r.budgets.admit(s.Seat, units); err != nil {
		return id.OID{}, err
	}
	if r.randomness.stale() {
		if _, err := r.openRound(); err != nil {
			return id.OID{}, err
		}
	}
	var set id.OID
	var out table.Outcome
	before := r.recorded.estimatedBytes
	r.chargeFor(s.Seat, func() {
		by := table.By{Seat: s.Seat, Role: s.Role}
		in := table.Inputs{
			Now: r.now(), OID: oid, Refused: r.refusal(s.Seat, &u),
			Unproved: &unprovedRandom{room: r},
		}
		out = r.drawWith(by, &u, in, func(in table.Inputs) (out table.Outcome) {
			set, out = r.table.TakeToSend(by, piece, in)
			return out
		})
		r.record()
	})
	r.charge(s.Seat, before)
	if out.Verdict != table.Recorded {
		return id.OID{}, &Refusal{Reason: out.Reject.Reason}
	}
	return set, nil
}

// Delivery is a set that comes to a table through a door.
type Delivery struct {
	Set    id.OID
	Person id.OID  // whose set it is
	Seat   id.Seat // the seat of that person at the table; 0 if they have none
	// IsBack reports whether a door of the table leads back to where the set comes from. The set is
	// put near that door.
	IsBack func(door []byte) bool
}

// deliveryGap is the distance from other pieces at which a set is put down, in both directions.
const deliveryGap = 600

// Deliver puts a set on a table that comes through a door (O52). Its owner says whose it is (T41).
// It returns when that is durable. The error is a *Refusal, a *Unreachable, ErrLogFull, ErrBusy or
// TooFast: then the set is not on the table, or goes back by itself. It is ErrInDoubt if the table
// has not said so, or could not store it.
func (rs *Rooms) Deliver(ctx context.Context, t id.OID, d Delivery) error {
	if err := rs.cfg.Store.Writable(); err != nil {
		return err
	}
	r, release, err := rs.acquire(ctx, t)
	if err != nil {
		return err
	}
	defer release()
	answered, err := ask(ctx, r, func(answer func(bool, error)) {
		if err := r.deliver(d, func(err error) { answer(true, err) }); err != nil {
			answer(true, err)
		}
	})
	if err != nil && !answered {
		err = errors.Join(ErrInDoubt, err)
	}
	return err
}

// deliver begins a delivery. done is called with its outcome, unless deliver returns an error.
func (r *room) deliver(d Delivery, done func(error)) error {
	if r.cfg.SetOwners == nil {
		return &Refusal{Reason: table.ReasonNotAllowed}
	}
	if r.space.full() {
		return ErrLogFull
	}
	// All that comes through doors shares what one seat has.
	if err := r.budgets.admit(0, minUnitsOfRead+r.table.Pieces()/piecesPerUnit); err != nil {
		return err
	}
	by := r.byOf(d)
	var x, y int32
	var reason table.Reason
	r.chargeFor(0, func() {
		x, y = r.placeForDelivery(d)
		reason = r.table.Placeable(d.Set, x, y)
	})
	if reason != 0 {
		return &Refusal{Reason: reason}
	}
	owner := Session{Table: r.row.Table, Seat: by.Seat, Role: by.Role, Person: d.Person}
	var guest *checkedSet
	var err error
	if !r.call(d.Set, ownerCall{
		ask: func(ctx context.Context) { guest, err = r.fetchSet(ctx, owner, d.Set) },
		end: func() {
			err := r.delivered(d, x, y, guest, err)
			r.whenDurable(func(failed error) {
				if failed != nil {
					failed = errors.Join(ErrInDoubt, failed)
				}
				done(errors.Join(failed, err))
			})
		},
	}) {
		return ErrBusy
	}
	return nil
}

// byOf returns who puts a set on the table: its person, if they have a seat here and play.
func (r *room) byOf(d Delivery) table.By {
	who, ok := r.table.Seat(d.Seat)
	if !ok || !who.Plays() || r.hasEnded(d.Seat) {
		return table.By{}
	}
	return table.By{Seat: d.Seat, Role: who.Role}
}

// delivered puts a set on the table that its owner has given for a delivery.
func (r *room) delivered(d Delivery, x, y int32, guest *checkedSet, err error) error {
	if err != nil {
		if !isRefusal(err) { // the owner may have given the set all the same
			r.table.GiveBack(d.Set, 0, r.now())
			r.record()
		}
		return err
	}
	by := r.byOf(d)
	answer := table.Answer{Shuffles: guest.shuffles}
	if answer.Parts, err = r.adoptSet(guest); err != nil {
		answer.Parts = nil // the table lets it go again
	}
	var out table.Outcome
	before := r.recorded.estimatedBytes
	r.chargeFor(by.Seat, func() {
		in := table.Inputs{Now: r.now(), OIDs: guest.oids, Unproved: &unprovedRandom{room: r}}
		out = r.table.PlaceSent(by, d.Set, x, y, &answer, in)
		r.record()
	})
	r.charge(by.Seat, before)
	if out.Verdict != table.Recorded {
		return &Refusal{Reason: out.Reject.Reason}
	}
	return nil
}

// placeForDelivery returns where a set is put down: near a door that leads back and that everybody
// sees, or in the middle.
func (r *room) placeForDelivery(d Delivery) (x, y int32) {
	if d.IsBack != nil {
		for name, door := range r.doorsByPiece() {
			if at, ok := r.table.Look(name); ok && !r.table.Hidden(name) && d.IsBack(door) {
				x, y = at.X, at.Y
				break
			}
		}
	}
	return r.table.FreePlace(x, y, deliveryGap)
}

// SeatsInPlay returns the seats of a table whose people play, in their order.
func (rs *Rooms) SeatsInPlay(ctx context.Context, t id.OID) ([]id.Seat, error) {
	return inRoom(ctx, rs, t, func(r *room) (all []id.Seat, err error) {
		for _, s := range r.table.Seats() {
			if s.Plays() {
				all = append(all, s.Seat)
			}
		}
		return all, nil
	})
}

// Claim gives a set to the seat of s that came through a door when its person had no seat here
// (O52). The caller knows that it is theirs. It does nothing if there is no such set on the table.
func (rs *Rooms) Claim(ctx context.Context, s Session, set id.OID) error {
	_, err := inSession(ctx, rs, s, func(r *room) (none, error) {
		if who, _ := r.table.Seat(s.Seat); who.Plays() && !r.cannotSave() &&
			r.table.ClaimSent(set, s.Seat, r.now()) {
			r.record()
		}
		return none{}, nil
	})
	return err
}

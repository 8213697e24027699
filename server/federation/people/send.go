package people

import (
	"context"
	"errors"
	"sync"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// Sets go through doors without their person (O52): the host of the door asks the host of the other
// table to put a set there that is in a person's bag. What the invite of the door allows, it
// allows here, too.

// Bounds of what comes through doors in a window of a minute.
const (
	maxPersonSends   = 30   // of each person
	maxHostSends     = 30   // of the people of each linked host
	maxTableSends    = 60   // to each table
	maxDeliveryCount = 4096 // persons, hosts and tables that are counted

	deliveryWindow = id.Millis(60_000)
)

// deliveries count what has come through doors.
type deliveries struct {
	mu sync.Mutex
	// Guarded by mu.
	since id.Millis
	count map[id.OID]int
}

// admit reports whether one more set of a person may come to a table of the host self now.
func (d *deliveries) admit(self id.HostID, person, table id.OID, now id.Millis) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.count == nil || now < d.since || now >= d.since+deliveryWindow {
		d.count, d.since = map[id.OID]int{}, now
	}
	limits := map[id.OID]int{person: maxPersonSends, table: maxTableSends}
	if host := person.Creator(); host != self {
		var all id.OID // no object has such an identifier
		copy(all[:], host[:])
		limits[all] = maxHostSends
	}
	if len(d.count) >= maxDeliveryCount {
		return false
	}
	for key, limit := range limits {
		if d.count[key] >= limit {
			return false
		}
	}
	for key := range limits {
		d.count[key]++
	}
	return true
}

// errStranger says that the person is at home neither here nor behind the door.
const errStranger = Refused("Only your own server sends your things there. " +
	"Go through the door, or put this one into your bag first.")

// errWatches says that an invite is for people who watch.
const errWatches = Refused("Who comes through this door watches, and puts nothing on the table " +
	"there.")

// ErrInDoubt says that it is not known whether the table behind a door has taken a set: it lies
// there, or is in the bag.
var ErrInDoubt = errors.New("the table behind this door has not said whether it has taken that")

// MaySend returns why nothing of a person can be sent through a door, if that is known before it is
// tried. The errors are those of Pass.
func (v *Visits) MaySend(ctx context.Context, d Door, person id.OID) error {
	if d.Origin == "" {
		_, err := v.mayDeliver(ctx, d.Invite, d.Table)
		return err
	}
	host := d.Table.Creator()
	if person.Creator() != v.Self() && person.Creator() != host {
		return errStranger
	}
	if v.mayGo(host) == nil && !v.isAt(host, d.Origin) { // see Pass
		return &room.Unreachable{Reason: table.AwayOwner, Host: host}
	}
	a, err := v.askDoor(ctx, host, request{Do: doMay, Invite: d.Invite})
	if err == nil && a.Table != d.Table.String() {
		err = Refused("The link behind this door leads to another table.")
	}
	return err
}

// Send puts a set that is in the bag of a person on the table behind a door of the table from. The
// error is one of Pass, or says why the table does not take it, or is ErrInDoubt. It is a
// *room.Unreachable only if the host of the door does not answer.
func (v *Visits) Send(ctx context.Context, from id.OID, d Door, person, set id.OID) error {
	if d.Origin == "" {
		err := v.Bring(ctx, person, set)
		if err == nil {
			err = v.deliver(ctx, d.Invite, d.Table, from, person, set)
		}
		return v.notOfDoor(err)
	}
	host := d.Table.Creator()
	if person.Creator() == v.Self() {
		err := v.inBag(ctx, person, set)
		if err == nil {
			err = v.cfg.Objects.Give(ctx, set, host)
		}
		if err != nil {
			return v.notOfDoor(err)
		}
	} else if person.Creator() != host {
		return errStranger
	}
	a, err := v.askDoor(ctx, host, request{
		Do: doDeliver, Invite: d.Invite, Person: person.String(), Set: set.String(),
		From: from.String(),
	})
	if a.Doubt || errors.Is(err, errNoAnswer) {
		err = errors.Join(ErrInDoubt, err)
	}
	return err
}

// notOfDoor puts into a sentence that the owner of a set cannot be reached. That says nothing of
// the door through which the set goes.
func (v *Visits) notOfDoor(err error) error {
	var absent *room.Unreachable
	if errors.As(err, &absent) {
		return Refused("What goes through the door cannot be reached: " +
			v.Why(absent.Reason, absent.Host) + ".")
	}
	return err
}

// answerDeliver answers a host that sends a set through a door to a table of this one. A host
// speaks for its own people, and for those of this one for whom it may speak (O38.4).
func (v *Visits) answerDeliver(ctx context.Context, host id.HostID, q request) response {
	person, wrongPerson := id.ParseOID(q.Person)
	set, wrongSet := id.ParseOID(q.Set)
	from, wrongFrom := id.ParseOID(q.From)
	if errors.Join(wrongPerson, wrongSet, wrongFrom) != nil ||
		person.Creator() != host && person.Creator() != v.Self() || set.IsZero() {
		return v.forged(host, "a set for a door that is nobody's of that host")
	}
	if !v.mayCome(host) {
		return response{Refuse: "This server does not let people of yours visit its tables."}
	}
	var err error
	if person.Creator() == host {
		err = v.mayBring(host)
		if set.Creator() != host {
			return v.forged(host, "a set for a door that is not of that host")
		}
	} else if refusal := v.speaksFor(ctx, host, person); refusal != nil {
		return *refusal
	}
	if err == nil {
		err = v.deliver(ctx, q.Invite, id.OID{}, from, person, set)
	}
	var refused Refused
	var absent *room.Unreachable
	switch {
	case err == nil:
		return response{}
	case errors.Is(err, ErrTableGone), errors.Is(err, room.ErrGone):
		return response{Gone: true}
	case errors.Is(err, room.ErrNoInvite):
		return response{Void: true, Refuse: "The table there takes nothing by this link any more: " +
			"its links were replaced."}
	case errors.Is(err, ErrInDoubt):
		v.cfg.Log.Warn("a table behind a door may have taken a set", "error", err)
		return response{
			Doubt: true, Refuse: "The table there has not said whether it has taken that.",
		}
	case errors.As(err, &refused):
		return response{Refuse: string(refused)}
	case errors.As(err, &absent):
		return response{Refuse: "It cannot be reached from there: " +
			v.Why(absent.Reason, absent.Host) + "."}
	default:
		v.cfg.Log.Warn("a set was not put on a table behind a door", "error", err)
		return response{Refuse: "That did not work there. Try again in a moment."}
	}
}

// mayDeliver returns the table of an invite, if sets may come there by it. want is that table, or
// zero for any. The error is room.ErrNoInvite, room.ErrGone or a Refused.
func (v *Visits) mayDeliver(ctx context.Context, invite string, want id.OID) (id.OID, error) {
	i, err := v.cfg.Tables.Invite(ctx, invite)
	switch {
	case err != nil:
		return i.Table, err
	case !want.IsZero() && i.Table != want:
		return i.Table, room.ErrNoInvite
	case i.Role != table.RolePlayer:
		return i.Table, errWatches
	}
	return i.Table, nil
}

// deliver puts a set of a person on a table of this host.
func (v *Visits) deliver(
	ctx context.Context, invite string, want, from, person, set id.OID,
) error {
	to, err := v.mayDeliver(ctx, invite, want)
	if err != nil {
		return err
	}
	if !v.deliveries.admit(v.Self(), person, to, v.cfg.Now()) {
		return Refused("Too much has come through doors in the last minute. Try again in a minute.")
	}
	if person.Creator() == v.Self() {
		if err := v.inBag(ctx, person, set); err != nil {
			return err
		}
	}
	d := room.Delivery{
		Set: set, Person: person, Seat: v.seatOf(ctx, to, person),
		IsBack: func(door []byte) bool {
			back, ok := v.ReadDoor(to, door)
			return ok && back.Table == from
		},
	}
	err = v.cfg.Tables.Deliver(ctx, to, d)
	var refusal *room.Refusal
	var fast room.TooFast
	switch {
	case errors.Is(err, room.ErrInDoubt) && !errors.Is(err, room.ErrBusy):
		return errors.Join(ErrInDoubt, err)
	case errors.As(err, &refusal) && refusal.Reason == table.ReasonTableFull:
		return Refused("The table behind this door is full.")
	case errors.Is(err, room.ErrLogFull):
		return Refused("The table behind this door has no space left.")
	case errors.As(err, &refusal) && refusal.Reason == table.ReasonAway:
		return Refused("The table behind this door is giving it back still. Try again in a moment.")
	case errors.As(err, &refusal):
		return Refused("The table behind this door does not take it.")
	case errors.As(err, &fast), errors.Is(err, room.ErrBusy):
		return Refused("The table behind this door has too much to do. Try again in a moment.")
	}
	return err
}

// seatOf returns a seat of a person at a table; 0 if none is known.
func (v *Visits) seatOf(ctx context.Context, t, person id.OID) id.Seat {
	seats, err := v.cfg.Tables.SeatsInPlay(ctx, t)
	if err != nil {
		return 0
	}
	for _, seat := range seats {
		at, err := v.cfg.Store.SeatedPerson(ctx, t, seat)
		if err == nil && at.Person == person {
			return seat
		}
	}
	return 0
}

// Claim gives sets of a person at a table of this host to their seat that came through a door when
// they had none there. items are their bag.
func (v *Visits) Claim(ctx context.Context, s room.Session, person id.OID, items []Item) {
	for i := range items {
		is := &items[i]
		// A home server says nothing of sets that another one has made.
		if is.Place != OnTable || is.Table != s.Table ||
			person.Creator() != v.Self() && is.Set.Creator() != person.Creator() {
			continue
		}
		if err := v.cfg.Tables.Claim(ctx, s, is.Set); err != nil {
			v.cfg.Log.Debug("a set at a table has nobody yet", "set", is.Set, "error", err)
		}
	}
}

// deliveryTimeout bounds how long a host waits until a set is on a table of another one. That one
// may have to ask back, and to fetch pictures.
const deliveryTimeout = 25 * time.Second

package node

import (
	"context"
	"errors"
	"strings"
	"time"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// maxGiven is of how many references Objects remembers the giver.
const maxGiven = 65_536

// handleEvent handles an event of the machine. err says why the step was not stored: then the event
// has not happened.
func (w *Objects) handleEvent(e object.Event, in inHand, err error) {
	if err != nil {
		return
	}
	switch e := e.(type) {
	case object.Answered:
		w.answer(e.Ticket, e, nil)
	case object.Given:
		if w.given[e.OID] == e.OID.Creator() {
			// The creator knows best who owns the object and where its kinds are.
			break
		}
		if len(w.given) >= maxGiven {
			clear(w.given)
		}
		w.given[e.OID] = e.From
	case object.Proposed:
		w.errand(func(ctx context.Context) { w.consider(ctx, e.OID, e.To) })
	case object.Arrived:
		w.cfg.Log.Info("an object has come here", "object", e.OID, "host", e.From)
		w.errand(func(ctx context.Context) { w.provide(ctx, e.OID, e.From) })
		w.askAhead(e.OID)
	case object.Departed:
		w.cfg.Log.Info(
			"an object has gone to another server", "object", e.OID, "host", e.To,
		)
	case object.Returned:
		delete(w.lost, e.OID)
		w.notifyTable(e.OID, nil)
	case object.Lost:
		w.noteLost(e.OID)
		w.notifyTable(e.OID, &room.Unreachable{Reason: table.AwayLost})
	case object.Older:
		w.cfg.Log.Warn(
			"an object is older than what others have seen of it", "object", e.OID,
		)
	case object.Deleted:
		w.forgetGuest(e.OID)
	case object.Orphaned:
		w.errand(func(ctx context.Context) { w.quarantine(ctx, e.OID, e.Envelope) })
	case object.Offended:
		w.cfg.Links.Refused(e.Host, in.about, in.what) // it pauses the link after too many
	case object.Rounded:
		w.endRound(e, nil)
	case object.Waiting:
		w.cfg.Log.Warn(
			"after the restore linked servers are waited for: "+
				"what was made here is not used before they have answered",
			"servers", w.names(e.Hosts), "since", time.UnixMilli(int64(e.Since)).UTC(),
			"instead", "holt objects --trust SERVER goes on without one")
	case object.Superseded:
		w.cfg.Log.Warn(
			"a copy of an object is of the past: its own server uses another one",
			"object", e.OID, "host", e.Owner,
		)
	case object.Thawed:
		w.cfg.Log.Warn(
			"a frozen copy of an object is used again: what has happened since is lost",
			"object", e.OID, "host", e.Owner,
		)
	case object.Uncopied:
		w.cfg.Log.Warn(
			"no copy was kept of an object that has gone to another server: there are too many",
			"object", e.OID,
		)
	case object.WentBack:
		w.cfg.Log.Error(
			"the data folder went back to an older state: "+
				"linked servers are asked what has become of the objects since, as after a restore",
			"noticed_by", w.names([]id.HostID{e.By}))
		w.closeHost()
		w.at = time.Now().Add(-reopenAfter) // opened again at once
	case object.Settled:
		w.cfg.Log.Info("the objects of this server are served again after the restore")
	}
}

// maxLost is of how many objects Objects remembers that it has logged them as lost.
const maxLost = 65_536

// noteLost logs once in the life of the process that an object is lost.
func (w *Objects) noteLost(oid id.OID) {
	if w.lost[oid] {
		return
	}
	if len(w.lost) >= maxLost {
		clear(w.lost)
	}
	w.lost[oid] = true
	w.cfg.Log.Error("an object is lost", "object", oid)
}

// names returns the names of hosts, with their identifiers.
func (w *Objects) names(hosts []id.HostID) string {
	var all []string
	for _, host := range hosts {
		c, _ := w.cfg.Links.Card(host) // a host without a card has no name
		all = append(all, strings.TrimSpace(c.Name+" "+host.String()))
	}
	return strings.Join(all, ", ")
}

// notifyTable sends to the table on which a set lies that its owner is unreachable, or reachable
// again.
func (w *Objects) notifyTable(set id.OID, absent *room.Unreachable) {
	on, ok := w.guest(set)
	if !ok {
		return
	}
	select {
	case w.setEvents <- room.SetEvent{Table: on, Set: set, Unreachable: absent}:
	default: // the room learns of it when it asks
	}
}

// guest returns the table of this host on which a set lies.
func (w *Objects) guest(set id.OID) (on id.OID, ok bool) {
	b, err := w.store.Get(guestSpace, set)
	if err != nil || len(b) != len(on) {
		return id.OID{}, false
	}
	return id.OID(b), true
}

func (w *Objects) forgetGuest(set id.OID) {
	if _, ok := w.guest(set); ok {
		w.write(object.Write{Space: guestSpace, OID: set})
	}
}

// consider decides for the game whether a set moves to a host that uses it (O13): it does if it
// lies on a table there.
func (w *Objects) consider(ctx context.Context, set id.OID, to id.HostID) {
	on, _, _, err := w.look(ctx, set)
	if err != nil || on.IsZero() || on.Creator() != to {
		return
	}
	if err := w.Move(ctx, set, to); err != nil {
		w.cfg.Log.Debug(
			"an object does not move", "object", set, "host", to, "error", err,
		)
	}
}

// errElsewhere says that an object is not here.
var errElsewhere = errors.New("the object is elsewhere")

// look returns the table on which a set that is here lies, the kinds of the set, and the index of
// the kind of its first part.
func (w *Objects) look(
	ctx context.Context, set id.OID,
) (on id.OID, kinds []object.Kind, first int, err error) {
	a, err := w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		if v, err := w.store.Get(object.Heads, set); v == nil {
			// The set has moved on already. Nobody there would ask it for this host.
			return object.Step{}, errors.Join(errElsewhere, err)
		}
		return w.host.Call(m, t, set, behaviour.Look, nil, nil)
	})
	if err != nil {
		return on, nil, 0, err
	}
	return behaviour.ReadLook(a.Answer)
}

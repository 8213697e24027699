package node

import (
	"context"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
)

// What the program asks of objects, apart from what rooms do with sets.

// Found makes a person, a bag or a table of this host, if it does not exist yet. Persons and tables
// are needed by themselves; a bag is needed by the objects that refer to it.
func (w *Objects) Found(ctx context.Context, oid id.OID, c object.Class) error {
	return w.found(ctx, oid, c)
}

// Put makes a person, table or bag refer to an object that is here or held here.
func (w *Objects) Put(ctx context.Context, owner, oid id.OID) error {
	_, err := w.call(ctx, owner, behaviour.Put, nil, oid)
	return err
}

// Take removes references from a person, table or bag, all or none.
func (w *Objects) Take(ctx context.Context, owner id.OID, oids ...id.OID) error {
	_, err := w.call(ctx, owner, behaviour.Take, nil, oids...)
	return err
}

// Tie lets a set that this host made refer to a box (O53). A zero box ends that. The set may be
// elsewhere.
func (w *Objects) Tie(ctx context.Context, set, box id.OID) error {
	var passed []id.OID
	if !box.IsZero() {
		passed = append(passed, box)
	}
	_, err := w.call(ctx, set, behaviour.Tie, nil, passed...)
	return err
}

// Boxes returns which of these objects are boxes that this host has (O53), in the same order.
func (w *Objects) Boxes(ctx context.Context, oids []id.OID) (boxes []id.OID, err error) {
	err = w.do(ctx, func() error {
		for _, oid := range oids {
			value, err := w.store.Get(object.Heads, oid)
			var class object.Class
			if err == nil && value != nil {
				class, _, err = object.ReadHead(value)
			}
			if err != nil {
				return err
			}
			if class == object.Bag {
				boxes = append(boxes, oid)
			}
		}
		return nil
	})
	return boxes, err
}

// Give passes a reference to a linked host, so that a set can be put on a table there.
func (w *Objects) Give(ctx context.Context, oid id.OID, to id.HostID) error {
	err := w.end(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Give(m, t, oid, to)
	})
	if err == nil {
		w.askAhead(oid)
	}
	return err
}

// Move moves an object that is here to a linked host: the action "leave it there" (O12).
func (w *Objects) Move(ctx context.Context, oid id.OID, to id.HostID) error {
	return w.end(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Move(m, t, oid, to)
	})
}

// Bring asks the owner of an object to move it here: the action "take it home" (O12). The object
// has come when Where names this host.
func (w *Objects) Bring(ctx context.Context, oid id.OID) error {
	return w.end(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Bring(m, t, oid)
	})
}

// Recall takes a set that is owned here off the table of another host, whether that host can be
// reached or not.
func (w *Objects) Recall(ctx context.Context, set id.OID) error {
	_, err := w.call(ctx, set, behaviour.Recall, nil)
	return err
}

// Where returns the present owner of an object.
func (w *Objects) Where(ctx context.Context, oid id.OID) (owner id.HostID, err error) {
	a, err := w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Find(m, t, oid)
	})
	return a.Owner, err
}

// Delete deletes a table or person of this host: it refers to nothing any more. Throw does nothing
// if there is no such object.
func (w *Objects) Delete(ctx context.Context, oid id.OID) error {
	return w.do(ctx, func() error {
		v, err := w.store.Get(object.Heads, oid)
		if err != nil || v == nil {
			return err
		}
		return w.work(with(w.host.Delete, oid))
	})
}

func (w *Objects) end(
	ctx context.Context, begin func(object.Moment, object.Ticket) (object.Step, error),
) error {
	_, err := w.ask(ctx, begin)
	return err
}

package room

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// A person erases what is kept of them at a table (T80). Their seat ends, and has no name from then
// on. The commit of that deletes what they wrote in the chat. What they said of themselves in
// components is deleted by operations of the server. The sweeper then takes the name out of earlier
// entries and of snapshots. Entries that refer to a seat do so by its number, so they need no
// change.

// Erase erases what is kept of a seat (T80): that of s, which ends as by Leave, or, for a host, one
// that has ended. It returns when that is durable; earlier entries and snapshots follow soon.
// Nothing happens to a seat that is erased. Errors: as Leave; ErrRole for another seat unless s is
// a host's; ErrOver if that seat has not ended, or does not exist.
func (rs *Rooms) Erase(ctx context.Context, s Session, seat id.Seat, p HandsOnLeaving) error {
	if seat != s.Seat && !s.Role.Hosts() {
		return ErrRole
	}
	_, err := change(ctx, rs, s, func(r *room) (none, error) {
		who, ok := r.table.Seat(seat)
		switch {
		case seat != s.Seat && (!ok || who.Left == 0):
			return none{}, ErrOver
		case seat == s.Seat && r.lastHost(seat):
			return none{}, ErrLastHost
		}
		r.snapshots.wait() // one that is on its way has the name
		if seat == s.Seat {
			e := table.Ending{By: seat, Hands: p.Hands, To: p.To}
			if err := rs.endSeat(r, seat, e, holtpb.Farewell_FAREWELL_LEFT); err != nil {
				return none{}, err
			}
		}
		r.erase(seat, s.Seat)
		rs.journals.forget(r.row.Table)
		return none{}, nil
	})
	if err != nil {
		return err
	}
	rs.Sweep()
	return nil
}

// erase records that a seat which has ended has no name, deletes what it says of its person in
// components, and lets the store do the rest.
func (r *room) erase(seat, by id.Seat) {
	before := r.recorded.estimatedBytes
	r.chargeFor(by, func() {
		number, _ := r.table.Erase(seat, by, r.now())
		r.record()
		r.recorded.erasing = append(r.recorded.erasing, Erasing{Seat: seat, Number: number})
		o := operation{room: r, by: schema.Writer{Seat: by, Role: table.RoleHost}}
		o.eraseAll(schema.EntityOfSeat(seat))
		o.record()
		texts := r.recorded.entries
		for i := range texts {
			if c := texts[i].Chat; c != nil && c.By == seat && c.Text != "" {
				without := *c
				without.Text = ""
				texts[i].Chat = &without
			}
		}
	})
	r.charge(by, before)
}

// eraseAll deletes all values of an entity.
func (o *operation) eraseAll(e crdt.Entity) {
	var all []uint32
	for op := range o.room.components.replica.OpsOf(e) {
		if op.Kind == crdt.Put {
			all = append(all, op.Component)
		}
	}
	for _, number := range all {
		o.erase(e, number)
	}
}

// sweepErasures rewrites what has the names of erased seats, of all tables. If that fails for one
// it goes on with the others.
func (rs *Rooms) sweepErasures(ctx context.Context) error {
	all, err := rs.cfg.Store.Erasures(ctx)
	if err != nil {
		return err
	}
	for _, e := range all {
		for more := true; more && ctx.Err() == nil; {
			var failed error
			more, failed = rs.cfg.Store.SweepErasure(ctx, e, e.rewrite)
			if failed == nil {
				continue
			}
			more = false
			// If the table was deleted meanwhile, that is not an error.
			if !errors.Is(failed, ErrGone) && !errors.Is(failed, ErrNoTable) {
				err = errors.Join(err, failed)
			}
		}
		rs.journals.forget(e.Table)
	}
	return err
}

// rewrite is a Rewriter.
func (e *Erasing) rewrite(body []byte, snapshot bool) ([]byte, error) {
	if snapshot {
		return e.rewriteSnapshot(body)
	}
	entry, err := wire.DecodeEntry(body)
	if err != nil {
		return nil, fmt.Errorf("rewrite an entry: %w", err)
	}
	switch {
	case entry.Who != nil && entry.Who.Seat == e.Seat && !entry.Who.Erased:
		who := entry.Who.Without(e.Number)
		entry.Who = &who
	case entry.Ops != nil:
		ops, changed, err := e.withoutValues(entry.Ops)
		if err != nil || !changed {
			return nil, err
		}
		entry.Ops = ops
	default:
		return nil, nil
	}
	return wire.EncodeEntry(&entry)
}

func (e *Erasing) rewriteSnapshot(body []byte) ([]byte, error) {
	image, err := wire.DecodeImage(body)
	if err != nil {
		return nil, fmt.Errorf("rewrite a snapshot: %w", err)
	}
	ops, changed, err := e.withoutValues(image.Components)
	if err != nil {
		return nil, fmt.Errorf("rewrite a snapshot: %w", err)
	}
	image.Components = ops
	for i := range image.Seats {
		if who := &image.Seats[i]; who.Seat == e.Seat && !who.Erased {
			*who, changed = who.Without(e.Number), true
		}
	}
	if !changed {
		return nil, nil
	}
	return wire.EncodeImage(image)
}

// withoutValues returns operations in which the seat says nothing of its person: what set a value
// deletes it, at the same time. The operations by which the server deletes the values are later, so
// the last state is the same.
func (e *Erasing) withoutValues(encoded []byte) (ops []byte, changed bool, err error) {
	m, err := crdt.Decode(encoded)
	if err != nil {
		return nil, false, err
	}
	for op := range m.Ops() {
		if op.Entity == schema.EntityOfSeat(e.Seat) && op.Kind == crdt.Put {
			op.Kind, op.Data, changed = crdt.Delete, nil, true
		}
		ops = crdt.AppendOp(ops, &op)
	}
	if !changed {
		return bytes.Clone(encoded), false, nil
	}
	return ops, true, nil
}

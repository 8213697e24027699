package client

import (
	"bytes"
	"errors"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/replica"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// Bounds of a message of operations on components (C17), and of the pending writes.
const (
	maxOps     = 1000
	maxOpBytes = 256 << 10
	maxWrites  = 4096
)

// Errors of writes to components, besides those of package crdt and *schema.Fault.
var (
	ErrNoComponent  = errors.New("there is no such component of such an entity")
	ErrTooManyWrite = errors.New("too many writes to components are pending")
)

// parts holds a client's components: what the server sent, and the client's pending writes on top
// (C17). It is part of viewState.
type parts struct {
	confirmed *replica.View // nil before the first full state
	writes    []write       // in the order in which they were made; at most one for each value
	posts     int           // number of messages so far
}

// write is a pending operation of the client: it is not returned, overtaken or refused yet.
type write struct {
	op     crdt.Op
	posted bool // on some stream
	sent   bool // on this stream
	post   int  // the number of its message
}

// write checks an operation, gives it a timestamp and adds it to the pending writes.
func (p *parts) write(op crdt.Op) (crdt.Op, error) {
	s, ok := schema.Find(schema.ClassOf(op.Entity), op.Component)
	switch {
	case p.confirmed == nil:
		return op, ErrNotSynchronised
	case len(p.writes) >= maxWrites:
		return op, ErrTooManyWrite
	case op.Kind != crdt.DeleteEntity && (!ok || (s.Set > 0) != (op.Kind == crdt.Append)):
		return op, ErrNoComponent
	case p.isDeleted(op.Entity):
		return op, crdt.ErrDeleted
	}
	if err := schema.CheckOp(&op); err != nil {
		return op, err
	}
	if op.Kind == crdt.DeleteEntity {
		p.writes = slices.DeleteFunc(p.writes, func(w write) bool {
			return w.op.Entity == op.Entity
		})
	} else {
		last, replaced := p.last(&op)
		if last == crdt.MaxTimestamp {
			return op, crdt.ErrSpent
		}
		op.Timestamp = last + 1
		if replaced >= 0 {
			p.writes = slices.Delete(p.writes, replaced, replaced+1)
		}
	}
	p.writes = append(p.writes, write{op: op})
	return op, nil
}

// isDeleted reports whether an entity is deleted, or will be by a pending write.
func (p *parts) isDeleted(e crdt.Entity) bool {
	return p.confirmed.Replica().Deleted(e) ||
		slices.ContainsFunc(p.writes, func(w write) bool { return deletes(&w.op, e) })
}

// deletes reports whether an operation deletes an entity: this one alone, or all strokes made
// before a second (C16).
func deletes(op *crdt.Op, e crdt.Entity) bool {
	until, clears := schema.ClearsUntil(op.Entity)
	made, stroke := schema.SecondOf(e)
	return op.Kind == crdt.DeleteEntity && (op.Entity == e || clears && stroke && made < until)
}

// last returns the timestamp that op must exceed, and the index of the pending write to the same
// value that op replaces, or -1. Timestamps of replaced writes that were never posted may be used
// again.
func (p *parts) last(op *crdt.Op) (timestamp uint32, replaced int) {
	timestamp, replaced = p.confirmed.Replica().Timestamp(op.Entity, op.Component), -1
	for i := range p.writes {
		w := &p.writes[i]
		if w.op.Kind == crdt.DeleteEntity || w.op.Entity != op.Entity ||
			w.op.Component != op.Component {
			continue
		}
		if op.Kind != crdt.Append {
			replaced = i
		}
		if op.Kind == crdt.Append || w.posted {
			timestamp = max(timestamp, w.op.Timestamp)
		}
	}
	return timestamp, replaced
}

// unsent returns the unsent operations that fit into one message, and marks them as sent.
func (p *parts) unsent() []crdt.Op {
	var ops []crdt.Op
	size := 0
	p.posts++
	for i := range p.writes {
		w := &p.writes[i]
		if w.sent {
			continue
		}
		if size += len(w.op.Data) + 64; len(ops) == maxOps || size > maxOpBytes {
			break
		}
		w.sent, w.posted, w.post = true, true, p.posts
		ops = append(ops, w.op)
	}
	return ops
}

// markUnsent marks all pending writes as unsent, for a new stream.
func (p *parts) markUnsent() {
	for i := range p.writes {
		p.writes[i].sent = false
	}
}

// end removes the writes for which why returns a kind other than 0, and appends that event for
// each.
func (p *parts) end(why func(*write) (EventKind, schema.Refusal), to []Event) []Event {
	p.writes = slices.DeleteFunc(p.writes, func(w write) bool {
		kind, refusal := why(&w)
		if kind != 0 {
			to = append(to, Event{
				Kind: kind, Entity: w.op.Entity, Component: w.op.Component,
				Timestamp: w.op.Timestamp, Refusal: refusal,
			})
		}
		return kind != 0
	})
	return to
}

// full takes the components of a full state. It drops pending writes to pieces that are missing in
// it, or whose owner or team has changed (C15).
func (p *parts) full(
	m *holtpb.Full, was, is map[id.Piece]table.Shown, to []Event,
) ([]Event, error) {
	p.confirmed = replica.New()
	err := p.confirmed.Full(m.GetComponents())
	to = p.end(func(w *write) (EventKind, schema.Refusal) {
		if name, ok := schema.PieceOf(w.op.Entity); ok {
			now, here := is[name]
			before, known := was[name]
			if !here || known && (before.Owner != now.Owner || before.Team != now.Team) {
				return WriteRefused, schema.Gone
			}
		}
		return p.covered(w)
	}, to)
	p.markUnsent()
	return to, err
}

// covered returns the outcome of a write that the received components cover, or 0 if they do not.
func (p *parts) covered(w *write) (EventKind, schema.Refusal) {
	if !p.confirmed.Covers(&w.op) {
		return 0, 0
	}
	if p.has(&w.op) {
		return WriteTaken, 0
	}
	return WriteOvertaken, 0
}

// has reports whether the server has sent exactly this operation.
func (p *parts) has(op *crdt.Op) bool {
	r := p.confirmed.Replica()
	switch op.Kind {
	case crdt.DeleteEntity:
		return r.Deleted(op.Entity)
	case crdt.Append:
		for e := range r.Elements(op.Entity, op.Component) {
			if e.Timestamp == op.Timestamp && bytes.Equal(e.Data, op.Data) {
				return true
			}
		}
		return false
	default:
		state, ok := r.State(op.Entity, op.Component)
		return ok && replica.Compare(&state, op) == 0
	}
}

// merge takes the components of a frame.
func (p *parts) merge(encoded []byte, to []Event) ([]Event, error) {
	changed := false
	err := p.confirmed.Merge(encoded, func(op crdt.Op) {
		changed = true
		to = append(to, Event{Kind: ComponentChanged, Entity: op.Entity, Component: op.Component})
	})
	if changed {
		to = p.end(p.covered, to)
	}
	return to, err
}

// piece takes an update or ack of a piece. If it drops the labels of the piece, piece drops the
// pending writes to them, too (C15).
func (p *parts) piece(m *holtpb.Piece, op table.Op, to []Event) []Event {
	if m == nil {
		return to
	}
	e, sheds := replica.DropsLabels(m, op)
	if !sheds {
		return to
	}
	if p.confirmed.Forget(e) {
		to = append(to, Event{Kind: ComponentChanged, Entity: e})
	}
	return p.end(func(w *write) (EventKind, schema.Refusal) {
		if w.op.Entity != e {
			return 0, 0
		}
		return WriteRefused, schema.Gone
	}, to)
}

// refusal takes a refusal of the server. The server refuses a key once for each message. So refusal
// ends all writes of that message to the same key, such as other elements of a set (C11).
func (p *parts) refusal(m *holtpb.Refused, to []Event) []Event {
	e, number := crdt.Entity(m.GetEntity()), m.GetComponent()
	of := func(w *write) bool { return w.posted && w.op.Entity == e && w.op.Component == number }
	i := slices.IndexFunc(p.writes, func(w write) bool {
		return of(&w) && w.op.Timestamp == m.GetTimestamp()
	})
	if i < 0 {
		return to
	}
	post := p.writes[i].post
	return p.end(func(w *write) (EventKind, schema.Refusal) {
		if !of(w) || w.post != post {
			return 0, 0
		}
		return WriteRefused, schema.Refusal(m.GetReason()) //nolint:gosec // one of a few
	}, to)
}

// fail ends the writes of a message that the server refused as a whole.
func (p *parts) fail(ops []crdt.Op, why error, to []Event) []Event {
	from := len(to)
	to = p.end(func(w *write) (EventKind, schema.Refusal) {
		if !slices.ContainsFunc(ops, func(op crdt.Op) bool {
			return sameKey(&op, &w.op) && op.Timestamp == w.op.Timestamp
		}) {
			return 0, 0
		}
		return WriteRefused, schema.Allowed
	}, to)
	for i := range to[from:] {
		to[from+i].Err = why
	}
	return to
}

func sameKey(a, b *crdt.Op) bool {
	return a.Kind == b.Kind && a.Entity == b.Entity && a.Component == b.Component
}

// get returns a value as the client displays it.
func (p *parts) get(e crdt.Entity, number uint32) ([]byte, bool) {
	for i := range p.writes {
		switch w := &p.writes[i]; {
		case deletes(&w.op, e):
			return nil, false
		case w.op.Entity == e && w.op.Component == number && w.op.Kind != crdt.Append:
			return w.op.Data, w.op.Kind == crdt.Put
		}
	}
	return p.confirmed.Replica().Get(e, number)
}

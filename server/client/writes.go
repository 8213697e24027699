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

// Bounds of a message of operations on components (C17), and of what may wait.
const (
	maxOps     = 1000
	maxOpBytes = 256 << 10
	maxWrites  = 4096
)

// Errors of writes to components, beside those of package crdt and *component.Fault.
var (
	ErrNoComponent  = errors.New("there is no such component of such an entity")
	ErrTooManyWrite = errors.New("too many writes to components are outstanding")
)

// parts is what a client knows of components: what it was told, and on top of that what it has written (C17). It is part of
// replica.
type parts struct {
	told   *replica.Mirror // nil before the first full state
	writes []write         // in the order in which they were made; one at most for each value
	posts  int             // messages so far
}

// write is an operation of the client's own that has not come back, nor is overtaken or refused.
type write struct {
	op     crdt.Op
	posted bool // on some stream
	sent   bool // on this stream
	post   int  // in which message
}

// write makes an operation and notes it.
func (p *parts) write(op crdt.Op) (crdt.Op, error) {
	s, ok := schema.Find(schema.ClassOf(op.Entity), op.Component)
	switch {
	case p.told == nil:
		return op, ErrNotWhole
	case len(p.writes) >= maxWrites:
		return op, ErrTooManyWrite
	case op.Kind != crdt.DeleteEntity && (!ok || (s.Set > 0) != (op.Kind == crdt.Append)):
		return op, ErrNoComponent
	case p.gone(op.Entity):
		return op, crdt.ErrDeleted
	}
	if err := schema.CheckOp(&op); err != nil {
		return op, err
	}
	if op.Kind == crdt.DeleteEntity {
		p.writes = slices.DeleteFunc(p.writes, func(w write) bool { return w.op.Entity == op.Entity })
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

// gone reports whether an entity has been deleted, or is about to be.
func (p *parts) gone(e crdt.Entity) bool {
	return p.told.Replica().Deleted(e) || slices.ContainsFunc(p.writes, func(w write) bool { return buries(&w.op, e) })
}

// buries reports whether an operation deletes an entity: by itself, or with all strokes of before (C16).
func buries(op *crdt.Op, e crdt.Entity) bool {
	until, clears := schema.ClearsUntil(op.Entity)
	made, stroke := schema.SecondOf(e)
	return op.Kind == crdt.DeleteEntity && (op.Entity == e || clears && stroke && made < until)
}

// last returns the timestamp above which an operation is to be, and which write to the same value it replaces, -1 if none. One
// that nobody has seen leaves no trace.
func (p *parts) last(op *crdt.Op) (timestamp uint32, replaced int) {
	timestamp, replaced = p.told.Replica().Timestamp(op.Entity, op.Component), -1
	for i := range p.writes {
		w := &p.writes[i]
		if w.op.Kind == crdt.DeleteEntity || w.op.Entity != op.Entity || w.op.Component != op.Component {
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

// unsent returns operations that are to be posted, as many as one message takes, and takes them for sent.
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

// renew lets all that is outstanding be sent on a new stream.
func (p *parts) renew() {
	for i := range p.writes {
		p.writes[i].sent = false
	}
}

// end ends the writes for which why says so, and tells it. 0 is none.
func (p *parts) end(why func(*write) (EventKind, schema.Refusal), to []Event) []Event {
	p.writes = slices.DeleteFunc(p.writes, func(w write) bool {
		kind, refusal := why(&w)
		if kind != 0 {
			to = append(to, Event{Kind: kind, Entity: w.op.Entity, Component: w.op.Component, Timestamp: w.op.Timestamp, Refusal: refusal})
		}
		return kind != 0
	})
	return to
}

// full takes the components of a full state. What is written on pieces that are not there, or in other hands, is given up (C15).
func (p *parts) full(m *holtpb.Full, was, is map[id.Piece]table.Shown, to []Event) ([]Event, error) {
	p.told = replica.New()
	err := p.told.Full(m.GetComponents())
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
	p.renew()
	return to, err
}

// covered says what has become of a write that is covered by what was told.
func (p *parts) covered(w *write) (EventKind, schema.Refusal) {
	if !p.told.Covers(&w.op) {
		return 0, 0
	}
	if p.has(&w.op) {
		return WriteTaken, 0
	}
	return WriteOvertaken, 0
}

// has reports whether just this operation was told.
func (p *parts) has(op *crdt.Op) bool {
	r := p.told.Replica()
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

// merge takes what a frame tells of components.
func (p *parts) merge(encoded []byte, to []Event) ([]Event, error) {
	changed := false
	err := p.told.Merge(encoded, func(op crdt.Op) {
		changed = true
		to = append(to, Event{Kind: ComponentChanged, Entity: op.Entity, Component: op.Component})
	})
	if changed {
		to = p.end(p.covered, to)
	}
	return to, err
}

// piece takes what is told of a piece: what is written on it may be gone, and what is outstanding for it with that (C15).
func (p *parts) piece(m *holtpb.Piece, op table.Op, to []Event) []Event {
	if m == nil {
		return to
	}
	e, sheds := replica.Sheds(m, op)
	if !sheds {
		return to
	}
	if p.told.Forget(e) {
		to = append(to, Event{Kind: ComponentChanged, Entity: e})
	}
	return p.end(func(w *write) (EventKind, schema.Refusal) {
		if w.op.Entity != e {
			return 0, 0
		}
		return WriteRefused, schema.Gone
	}, to)
}

// refusal takes the word of the server that a write was refused: each key once for a message, so that of other elements of a
// set nothing more is heard (C11).
func (p *parts) refusal(m *holtpb.Refused, to []Event) []Event {
	e, number := crdt.Entity(m.GetEntity()), m.GetComponent()
	of := func(w *write) bool { return w.posted && w.op.Entity == e && w.op.Component == number }
	i := slices.IndexFunc(p.writes, func(w write) bool { return of(&w) && w.op.Timestamp == m.GetTimestamp() })
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

// fail gives up the writes of a message that was refused as a whole.
func (p *parts) fail(ops []crdt.Op, why error, to []Event) []Event {
	from := len(to)
	to = p.end(func(w *write) (EventKind, schema.Refusal) {
		if !slices.ContainsFunc(ops, func(op crdt.Op) bool { return sameKey(&op, &w.op) && op.Timestamp == w.op.Timestamp }) {
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

// shown returns a replica of what an entity has as the client displays it.
func (p *parts) shown(e crdt.Entity) *crdt.Replica {
	r := crdt.New(crdt.Config{Sets: schema.Sets})
	for op := range p.told.Replica().OpsOf(e) {
		r.Merge(op)
	}
	for i := range p.writes {
		if w := &p.writes[i]; w.op.Entity == e {
			r.Merge(w.op)
		}
	}
	return r
}

// get returns a value as the client displays it.
func (p *parts) get(e crdt.Entity, number uint32) ([]byte, bool) {
	for i := range p.writes {
		switch w := &p.writes[i]; {
		case buries(&w.op, e):
			return nil, false
		case w.op.Entity == e && w.op.Component == number && w.op.Kind != crdt.Append:
			return w.op.Data, w.op.Kind == crdt.Put
		}
	}
	return p.told.Replica().Get(e, number)
}

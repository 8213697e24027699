// Package replica keeps the components of one view as its stream tells them (docs/protocol/component.md, C15 and C17). It is
// what a client of the stream knows of components, be it a program far away or a link of this server's own.
//
// It reads what concerns components and knows nothing else of the table. It sends nothing, and has no operations of its own:
// what a client has written and not yet been told is the client's business.
package replica

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// Mirror is what a view has been told. It is not safe for concurrent use.
type Mirror struct {
	replica *crdt.Replica
}

// New returns the mirror of a view that has been told nothing.
func New() *Mirror { return &Mirror{replica: empty()} }

func empty() *crdt.Replica { return crdt.New(crdt.Config{Sets: schema.Sets}) }

// Replica returns what the view has been told. It is to be read, not to be changed.
func (m *Mirror) Replica() *crdt.Replica { return m.replica }

// Full takes the components of a full state, which replace all that was told before (C17). An error means that they are
// no operations; then nothing is left.
func (m *Mirror) Full(encoded []byte) error {
	m.replica = empty()
	return m.Merge(encoded, func(crdt.Op) {})
}

// Merge takes what a frame tells of components, and gives what has changed something to changed, in order. An error means that
// it is no operations; then nothing is taken.
func (m *Mirror) Merge(encoded []byte, changed func(crdt.Op)) error {
	ops, err := decode(encoded)
	if err != nil {
		return err
	}
	for op := range ops {
		if m.replica.Merge(op).Outcome == crdt.Applied {
			changed(op)
		}
	}
	return nil
}

func decode(encoded []byte) (iter.Seq[crdt.Op], error) {
	message, err := crdt.Decode(encoded)
	if err != nil {
		return nil, fmt.Errorf("read components: %w", err)
	}
	return message.Ops(), nil
}

// Sheds returns the entity of a piece whose components are gone with what is told of it, by an update or by an ack, and
// reports false if they stay (C15): the piece is gone, has another name, or is a private one with another owner or team. Fields
// that are told have changed; and of a piece that has an owner and is not private, a hand or what belongs to a seat, that changes
// by operations that no other piece has.
func Sheds(p *holtpb.Piece, op table.Op) (crdt.Entity, bool) {
	owned := p.Owner != nil || p.Team != nil
	return schema.EntityOfPiece(id.Piece(p.GetId())), p.GetGone() || p.GetRenamed() != 0 || owned && !assigns(op)
}

// assigns reports whether an operation gives a hand (T23), a label or a marker (T35) to somebody.
func assigns(op table.Op) bool {
	switch op {
	case table.OpClaim, table.OpLeave, table.OpGive, table.OpShare, table.OpUnshare, table.OpAssign, table.OpPass:
		return true
	default:
		return false
	}
}

// Forget drops what an entity has. It reports whether there was anything.
func (m *Mirror) Forget(e crdt.Entity) bool {
	for range m.replica.OpsOf(e) {
		m.replica.Forget(e)
		return true
	}
	return false
}

// Covers reports whether merging op would change nothing: it has been told, or something that overtakes it (C2, C3, C5, C6).
func (m *Mirror) Covers(op *crdt.Op) bool {
	r := m.replica
	switch {
	case r.Deleted(op.Entity):
		return true
	case op.Kind == crdt.DeleteEntity:
		return false
	case op.Kind == crdt.Append:
		return m.coversElement(op)
	default:
		state, ok := r.State(op.Entity, op.Component)
		return ok && Compare(op, &state) <= 0
	}
}

// coversElement is Covers of an Append.
func (m *Mirror) coversElement(op *crdt.Op) bool {
	limit, _ := schema.Sets(op.Component)
	full := m.replica.Len(op.Entity, op.Component) >= limit
	for e := range m.replica.Elements(op.Entity, op.Component) {
		switch c := cmp.Or(cmp.Compare(op.Timestamp, e.Timestamp), bytes.Compare(op.Data, e.Data)); {
		case c == 0:
			return true
		case c < 0:
			return full // if so it is less than the least, which comes first
		}
		full = false
	}
	return false
}

// Compare orders two operations on the value of one key: negative, 0 or positive as merging leaves b, makes no difference, or
// leaves a (C2, C3).
func Compare(a, b *crdt.Op) int {
	switch {
	case a.Timestamp != b.Timestamp:
		return cmp.Compare(a.Timestamp, b.Timestamp)
	case a.Kind != b.Kind: // deleted is smaller
		return cmp.Compare(b.Kind, a.Kind)
	case a.Kind == crdt.Delete:
		return 0
	default:
		return bytes.Compare(a.Data, b.Data)
	}
}

// Package replica keeps the components of one view, as the stream of the view publishes them
// (docs/protocol/component.md, C15 and C17). Clients of the stream use it: programs on other
// machines, and the bridges of this server.
//
// The package reads only what concerns components. It sends nothing. It does not know the client's
// own pending operations: those are the client's business.
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

// View is the components of one view, as published. It is not safe for concurrent use.
type View struct {
	replica *crdt.Replica
}

// New returns an empty View.
func New() *View { return &View{replica: empty()} }

func empty() *crdt.Replica {
	return crdt.New(crdt.Config{Sets: schema.Sets, Both: schema.Both})
}

// Replica returns the components. The caller must not change it.
func (m *View) Replica() *crdt.Replica { return m.replica }

// Full replaces everything with the components of a full state (C17). An error says that encoded is
// not a WireMessage; then the View is empty.
func (m *View) Full(encoded []byte) error {
	m.replica = empty()
	return m.Merge(encoded, func(crdt.Op) {})
}

// Merge merges the components in a frame, and passes to changed the operations that have changed
// something, in order. An error says that encoded is not a WireMessage; then nothing was merged.
func (m *View) Merge(encoded []byte, changed func(crdt.Op)) error {
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

// DropsLabels returns the entity of a piece, and whether the labels of the piece are dropped
// because of p: an update or an ack by the operation op (C15). They are dropped if the piece is
// gone, is renamed, or is private and has another owner or team. p has only the fields that have
// changed. Pieces that have an owner and are not private (hands, labels, markers) change their
// owner only by operations that no other piece has.
func DropsLabels(p *holtpb.Piece, op table.Op) (crdt.Entity, bool) {
	owned := p.Owner != nil || p.Team != nil
	return schema.EntityOfPiece(id.Piece(p.GetId())),
		p.GetGone() || p.GetRenamed() != 0 || owned && !assigns(op)
}

// assigns reports whether an operation assigns a hand (T23), a label or a marker (T35) to a seat or
// team, or takes it away.
func assigns(op table.Op) bool {
	switch op {
	case table.OpClaim, table.OpLeave, table.OpGive, table.OpShare, table.OpUnshare, table.OpAssign,
		table.OpPass:
		return true
	default:
		return false
	}
}

// Forget drops what an entity has. It reports whether there was anything.
func (m *View) Forget(e crdt.Entity) bool {
	for range m.replica.OpsOf(e) {
		m.replica.Forget(e)
		return true
	}
	return false
}

// Covers reports whether merging op would change nothing: the View has it, or something that
// overtakes it (C2, C3, C5, C6).
func (m *View) Covers(op *crdt.Op) bool {
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

// coversElement is Covers for an Append.
func (m *View) coversElement(op *crdt.Op) bool {
	limit, known := schema.Sets(op.Component)
	if !known {
		limit, _ = schema.Both(op.Component)
	}
	full := m.replica.Len(op.Entity, op.Component) >= limit
	for e := range m.replica.Elements(op.Entity, op.Component) {
		switch c := cmp.Or(
			cmp.Compare(op.Timestamp, e.Timestamp), bytes.Compare(op.Data, e.Data),
		); {
		case c == 0:
			return true
		case c < 0:
			return full // if full, op is less than the least element, which comes first
		}
		full = false
	}
	return false
}

// Compare orders two operations on the value of one key. It is negative if b wins, positive if a
// wins, and 0 if merging makes no difference (C2, C3).
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

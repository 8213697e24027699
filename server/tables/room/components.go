package room

import (
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
)

// components are the components of a table (docs/protocol/component.md): the room's replica. It
// follows the table's history, in which every operation is recorded, so it is the same after a
// restart.
type components struct {
	replica      *crdt.Replica
	hiddenQuotas hiddenQuotas
	foreign      foreignQuota
}

func newReplica() *crdt.Replica {
	return crdt.New(crdt.Config{Sets: schema.Sets, Both: schema.Both})
}

// openParts returns the components that a snapshot of a table has.
func openParts(t *table.Table, encoded []byte, writers []table.Writer) (*components, error) {
	p := &components{replica: newReplica(), hiddenQuotas: newAllotments()}
	m, err := crdt.Decode(encoded)
	if err != nil {
		return nil, err
	}
	for op := range m.Ops() {
		p.replica.Merge(op)
	}
	p.openAllotments(t, writers)
	return p, nil
}

// withoutTombstones returns the components without tombstones: in another epoch, nothing can arrive
// that was made before (C7, T19).
func (p *components) withoutTombstones() *components {
	// What is left out does not count towards the allotments.
	left := &components{replica: newReplica(), hiddenQuotas: p.hiddenQuotas}
	for op := range p.replica.Ops() {
		if op.Kind == crdt.Put || op.Kind == crdt.Append {
			left.replica.Merge(op)
			left.foreign.count(left.replica, &op)
		}
	}
	return left
}

// merge merges operations of a seat that were recorded.
func (p *components) merge(t *table.Table, by id.Seat, encoded []byte) error {
	m, err := crdt.Decode(encoded)
	if err != nil {
		return err
	}
	for op := range m.Ops() {
		p.mergeOp(t, by, op)
	}
	return nil
}

// mergeOp merges an operation of a seat, and reports whether it had an effect.
func (p *components) mergeOp(t *table.Table, by id.Seat, op crdt.Op) bool {
	if p.replica.Merge(op).Outcome != crdt.Applied {
		return false
	}
	p.charge(t, &op, by)
	return true
}

// follow applies what an entry of the history says of components, and drops the labels of its piece
// if the entry does so (C13, C15).
func (p *components) follow(t *table.Table, e *table.Entry) error {
	switch {
	case e.Ops != nil:
		return p.merge(t, e.Seat, e.Ops)
	case t.DropsLabels(e):
		p.replica.Forget(schema.EntityOfPiece(e.Name))
		p.hiddenQuotas.drop(schema.EntityOfPiece(e.Name))
	}
	return nil
}

// encode returns all components that the view of a seat may see (C15, C18), as a WireMessage; all
// there are if t is nil. Foreign ones are in it if foreign is set (C21).
func (p *components) encode(t *table.Table, seat id.Seat, foreign bool) []byte {
	var b []byte
	for op := range p.replica.Ops() {
		if t == nil || isSentTo(t, &op, seat) || foreign && schema.ForeignOp(&op) {
			b = crdt.AppendOp(b, &op)
		}
	}
	return b
}

// isSentTo reports whether the view of a seat gets an operation.
func isSentTo(t *table.Table, op *crdt.Op, seat id.Seat) bool {
	of := about(op)
	if of.Piece != 0 {
		_, sees := t.Find(of.Piece, seat)
		return sees
	}
	return of.To == 0 || of.To == seat
}

// about returns what an operation is about, as the table's history distinguishes it.
func about(op *crdt.Op) table.Component {
	if schema.ForeignOp(op) {
		return table.Component{To: foreignView}
	}
	if name, ok := schema.PieceOf(op.Entity); ok {
		return table.Component{Piece: name}
	}
	if seat, ok := schema.SeatOf(op.Entity); ok && schema.Private(op.Component) {
		return table.Component{To: seat}
	}
	return table.Component{}
}

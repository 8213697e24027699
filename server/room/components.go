package room

import (
	"holt/server/component"
	"holt/server/crdt"
	"holt/server/id"
	"holt/server/table"
)

// parts are the components of a table (docs/protocol/component.md): the room's replica. It follows the table's history, in
// which every operation is recorded, so it is the same after a restart.
type parts struct {
	replica *crdt.Replica
}

// openParts returns the components that a snapshot has.
func openParts(encoded []byte) (*parts, error) {
	p := &parts{replica: crdt.New(crdt.Config{Sets: component.Sets})}
	if err := p.merge(encoded); err != nil {
		return nil, err
	}
	return p, nil
}

// living returns the components without the traces of what has gone: in another epoch nothing comes any more that was made before
// (C7, T19).
func (p *parts) living() *parts {
	left := &parts{replica: crdt.New(crdt.Config{Sets: component.Sets})}
	for op := range p.replica.Ops() {
		if op.Kind == crdt.Put || op.Kind == crdt.Append {
			left.replica.Merge(op)
		}
	}
	return left
}

// merge merges operations that were recorded, or put into a snapshot.
func (p *parts) merge(encoded []byte) error {
	m, err := crdt.Decode(encoded)
	if err != nil {
		return err
	}
	for op := range m.Ops() {
		p.replica.Merge(op)
	}
	return nil
}

// follow takes in what an entry of the history says of components, and what becomes of those of its piece (C13, C15).
func (p *parts) follow(t *table.Table, e *table.Entry) error {
	switch {
	case e.Ops != nil:
		return p.merge(e.Ops)
	case t.Sheds(e):
		p.replica.Forget(component.EntityOfPiece(e.Name))
	}
	return nil
}

// encode returns all components that the view of a seat may see (C15, C18), as a WireMessage; all there are if t is nil.
func (p *parts) encode(t *table.Table, seat id.Seat) []byte {
	var b []byte
	for op := range p.replica.Ops() {
		if t == nil || hears(t, &op, seat) {
			b = crdt.AppendOp(b, &op)
		}
	}
	return b
}

// hears reports whether the view of a seat is told of an operation.
func hears(t *table.Table, op *crdt.Op, seat id.Seat) bool {
	of := about(op)
	if of.Piece != 0 {
		_, sees := t.Find(of.Piece, seat)
		return sees
	}
	return of.To == 0 || of.To == seat
}

// about returns what an operation is about, as the table's history distinguishes it.
func about(op *crdt.Op) table.Component {
	if name, ok := component.PieceOf(op.Entity); ok {
		return table.Component{Piece: name}
	}
	if seat, ok := component.SeatOf(op.Entity); ok && component.Private(op.Component) {
		return table.Component{To: seat}
	}
	return table.Component{}
}

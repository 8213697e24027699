package table

import "holt/server/id"

// RecordFact records a fact about the randomness of the table. The fact is about the seat by, or
// about no seat if by is 0. Only the seat to may know it, or everybody if to is 0. Nothing else
// changes.
func (t *Table) RecordFact(fact []byte, by, to id.Seat, now id.Millis) {
	t.record(Entry{At: now, Op: OpFact, Seat: by, Server: true, Fact: fact, To: to})
}

// Component is what operations on components are about (docs/protocol/component.md): a piece, or
// something else.
type Component struct {
	Piece id.Piece // the current name of the piece; 0: no piece
	To    id.Seat  // without a piece: the only view that gets the operations; 0: all
}

// RecordComponents records encoded operations on components by a seat, or by the server if by is 0.
// The table keeps ops and does not read them. Operations on a piece go to the views that see the
// piece.
func (t *Table) RecordComponents(of Component, by id.Seat, ops []byte, now id.Millis) {
	e := Entry{At: now, Op: OpComponents, Seat: by, Server: true, Ops: ops, To: of.To}
	if p := t.names[of.Piece]; p != nil {
		e.Piece, e.Name = p.oid, p.name
	}
	t.record(e)
}

// CurrentNameForLabel returns the current name of a piece that seat calls name and wants to label.
// The client of the seat has received everything up to mark (C15, C17). Written reports false if
// the name means nothing to the view, or if the labels of the piece were dropped after mark: what
// the client labelled is then not what lies there now.
func (t *Table) CurrentNameForLabel(name id.Piece, seat id.Seat, mark id.Version) (id.Piece, bool) {
	v := t.view(seat)
	p := t.find(name, v.seat)
	if p == nil || p.shed != 0 && v.mark(p.shed) > mark {
		return 0, false
	}
	return p.name, true
}

// DropsLabels reports whether the labels of the piece of e are dropped with e (C15): the piece is
// deleted, it is renamed, or, if it is private, its owner or team changes. So a piece that becomes
// visible to a view has no old labels.
func (t *Table) DropsLabels(e *Entry) bool {
	b, a := &e.Before, &e.After
	return e.OfPiece() && !e.Made &&
		(a.Gone || e.NewName != 0 || t.private(a.Kind) && (a.Owner != b.Owner || a.Team != b.Team))
}

// IsSentTo reports whether the view of seat gets an entry that does not change a piece: a fact,
// components, or a line of chat.
func (t *Table) IsSentTo(e *Entry, seat id.Seat) bool {
	view := t.ViewOf(seat)
	if e.Chat != nil {
		return e.Chat.isFor(view)
	}
	if e.Ops != nil && !e.Piece.IsZero() {
		return t.sees(&e.After, view)
	}
	return e.To == 0 || e.To == view
}

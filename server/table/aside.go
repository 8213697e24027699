package table

import "holt/server/id"

// RecordFact records a fact about the randomness of the table, for one seat alone or, if that is 0, for everybody. Nothing
// else changes.
func (t *Table) RecordFact(fact []byte, to id.Seat, now id.Millis) {
	t.record(Entry{At: now, Op: OpFact, Server: true, Fact: fact, To: to})
}

// Component is what operations on components are about (docs/protocol/component.md): a piece, or something else.
type Component struct {
	Piece id.Piece // by the name that it has; 0: none
	To    id.Seat  // the only view that is told, if it is no piece; 0: all
}

// RecordComponents records operations on components that a seat has made, 0 for the server, encoded: the table keeps them and
// does not read them. Of a piece those views are told that see it.
func (t *Table) RecordComponents(of Component, by id.Seat, ops []byte, now id.Millis) {
	e := Entry{At: now, Op: OpComponents, Seat: by, Server: true, Ops: ops, To: of.To}
	if p := t.names[of.Piece]; p != nil {
		e.Piece, e.Name = p.oid, p.name
	}
	t.record(e)
}

// Identity returns which piece has a name now. It reports false if there is none.
func (t *Table) Identity(name id.Piece) (id.OID, bool) {
	p := t.names[name]
	if p == nil {
		return id.OID{}, false
	}
	return p.oid, true
}

// Named returns what a piece is called; 0 if there is none.
func (t *Table) Named(piece id.OID) id.Piece {
	if p := t.pieces[piece]; p != nil {
		return p.name
	}
	return 0
}

// Sheds reports whether what is written on the piece of e is gone with e: it has gone itself, or it has come into the sight
// of a view, or gone out of it, so that nothing may tell which one it was (C15).
func (t *Table) Sheds(e *Entry) bool {
	return e.ofPiece() && !e.Made && (e.After.Gone || e.NewName != 0 || t.shows(&e.Before, &e.After))
}

// Hears reports whether the view of seat is told of an entry that is about no change of a piece: a fact, or components.
func (t *Table) Hears(e *Entry, seat id.Seat) bool {
	view := t.ViewOf(seat)
	if e.Ops != nil && !e.Piece.IsZero() {
		return t.sees(&e.After, view)
	}
	return e.To == 0 || e.To == view
}

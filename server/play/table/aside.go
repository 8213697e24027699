package table

import "holt/server/id"

// RecordFact records a fact about the randomness of the table, which names a seat or, if by is 0, none, for one seat alone or, if
// to is 0, for everybody. Nothing else changes.
func (t *Table) RecordFact(fact []byte, by, to id.Seat, now id.Millis) {
	t.record(Entry{At: now, Op: OpFact, Seat: by, Server: true, Fact: fact, To: to})
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

// Written returns what the piece is called now that a seat has named, and on which it wants to write, having been told all up to
// mark (C15, C17). It reports false if the name means nothing to it, or if what was written on the piece is gone since: what it was
// then is not what lies there now.
func (t *Table) Written(name id.Piece, seat id.Seat, mark id.Mark) (id.Piece, bool) {
	v := t.view(seat)
	p := t.find(name, v.seat)
	if p == nil || p.shed != 0 && v.mark(p.shed) > mark {
		return 0, false
	}
	return p.name, true
}

// Sheds reports whether what is written on the piece of e is gone with e (C15): it has gone itself, it has another name, or it
// has come into a hand, out of one, or into one of somebody else. So all that it is to views that have not seen it is new.
func (t *Table) Sheds(e *Entry) bool {
	b, a := &e.Before, &e.After
	return e.OfPiece() && !e.Made && (a.Gone || e.NewName != 0 || t.private(a.Kind) && (a.Owner != b.Owner || a.Team != b.Team))
}

// Hears reports whether the view of seat is told of an entry that is about no change of a piece: a fact, or components.
func (t *Table) Hears(e *Entry, seat id.Seat) bool {
	view := t.ViewOf(seat)
	if e.Ops != nil && !e.Piece.IsZero() {
		return t.sees(&e.After, view)
	}
	return e.To == 0 || e.To == view
}

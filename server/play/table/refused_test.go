package table

import "holt/server/id"

// Refused makes the table remember as many rejects of a piece for c that the last one had this
// version.
func (t *Table) Refused(c id.Client, seat id.Seat, name id.Piece, mark id.Version) {
	p, known := t.find(name, t.ViewOf(seat)), t.client(c, seat)
	if p != nil && mark&markRejects != 0 && known.floors[p.oid] < mark {
		known.raise(p.oid, mark-1)
	}
}

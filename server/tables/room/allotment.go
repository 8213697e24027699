package room

import (
	"cmp"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
)

// hiddenQuotas count the data of components that not everybody sees: for each seat, the data that
// it wrote last (C16). A seat sees all data that counts for it, because labels are dropped when
// their piece is hidden from a view or revealed to one (C15).
type hiddenQuotas struct {
	of    map[crdt.Entity]map[uint32]hiddenData
	spent map[id.Seat]int // bytes
	total int             // bytes, of all seats
}

// hiddenData is the data of one component.
type hiddenData struct {
	by    id.Seat
	bytes int
}

func newAllotments() hiddenQuotas {
	return hiddenQuotas{of: map[crdt.Entity]map[uint32]hiddenData{}, spent: map[id.Seat]int{}}
}

// charge counts the data of a key for a seat, instead of the data that the key had before.
func (a *hiddenQuotas) charge(k key, to id.Seat, bytes int) {
	a.refund(k)
	if bytes == 0 {
		return
	}
	if a.of[k.entity] == nil {
		a.of[k.entity] = map[uint32]hiddenData{}
	}
	a.of[k.entity][k.component] = hiddenData{by: to, bytes: bytes}
	a.spent[to] += bytes
	a.total += bytes
}

// refund stops counting the data of a key.
func (a *hiddenQuotas) refund(k key) {
	was, ok := a.of[k.entity][k.component]
	if !ok {
		return
	}
	if delete(a.of[k.entity], k.component); len(a.of[k.entity]) == 0 {
		delete(a.of, k.entity)
	}
	if a.spent[was.by] -= was.bytes; a.spent[was.by] == 0 {
		delete(a.spent, was.by)
	}
	a.total -= was.bytes
}

// drop stops counting the data of an entity.
func (a *hiddenQuotas) drop(e crdt.Entity) {
	for number := range a.of[e] {
		a.refund(key{e, number})
	}
}

// writers returns which seat has written the data that counts, in the order of the entities.
func (a *hiddenQuotas) writers() []table.Writer {
	var all []table.Writer
	for e, of := range a.of {
		for number, w := range of {
			all = append(all, table.Writer{Entity: uint64(e), Component: number, Seat: w.by})
		}
	}
	slices.SortFunc(all, func(a, b table.Writer) int {
		return cmp.Or(cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Component, b.Component))
	})
	return all
}

// charge counts the data under the key of an operation that a seat has written, if not everybody
// sees it.
func (p *components) charge(t *table.Table, op *crdt.Op, by id.Seat) {
	of := about(op)
	switch {
	case of.To == foreignView:
		p.foreign.count(p.replica, op)
		return
	case of.To != 0:
		by = of.To // also for the server's answers
	case of.Piece == 0 || !t.Hidden(of.Piece):
		return
	}
	data, _ := p.replica.Get(op.Entity, op.Component)
	p.hiddenQuotas.charge(key{op.Entity, op.Component}, by, len(data))
}

// used returns how much data there is already that counts together with what a seat wants to write,
// and whether that is hidden from somebody.
func (p *components) used(t *table.Table, op *crdt.Op, by id.Seat) (bytes int, hidden bool) {
	if schema.ForeignOp(op) {
		return p.foreign.without(op), true
	}
	if of := about(op); of.To != 0 || of.Piece != 0 && t.Hidden(of.Piece) {
		return p.hiddenQuotas.spent[by], true
	}
	return p.replica.Bytes() - p.hiddenQuotas.total - p.foreign.data(), false
}

// openAllotments counts the data of a snapshot. Old snapshots do not say who wrote what; data on a
// piece in a hand then counts for the owner of the hand.
func (p *components) openAllotments(t *table.Table, writers []table.Writer) {
	by := map[key]id.Seat{}
	for _, w := range writers {
		by[key{crdt.Entity(w.Entity), w.Component}] = w.Seat
	}
	for op := range p.replica.Ops() {
		seat, known := by[key{op.Entity, op.Component}]
		if name, ok := schema.PieceOf(op.Entity); ok && !known {
			s, _ := t.Look(name)
			seat = s.Owner
		}
		p.charge(t, &op, seat)
	}
}

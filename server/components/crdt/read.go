package crdt

import (
	"cmp"
	"iter"
	"slices"
)

// Element is an element of a set.
type Element struct {
	Timestamp uint32
	Data      []byte
}

// Get returns a value. ok is false if there is none or it is deleted. Empty data is a value.
func (r *Replica) Get(e Entity, component uint32) (data []byte, ok bool) {
	if v := r.lookup(e, component); v != nil {
		return v.data, v.data != nil
	}
	return nil, false
}

// State returns the operation that is stored under the key of a value: a Put or a Delete. ok is
// false if there is none.
func (r *Replica) State(e Entity, component uint32) (op Op, ok bool) {
	if v := r.lookup(e, component); v != nil {
		return v.op(e), true
	}
	return Op{}, false
}

// Timestamp returns the timestamp under a key, or the greatest one of a set. It returns 0 if
// nothing is stored.
func (r *Replica) Timestamp(e Entity, component uint32) uint32 {
	if v := r.lookup(e, component); v != nil {
		return v.timestamp
	}
	if s := r.lookupSet(e, component); s != nil {
		return s.elements[len(s.elements)-1].timestamp
	}
	return 0
}

// SetTimestamp returns the greatest timestamp of a set. It returns 0 if there is none.
func (r *Replica) SetTimestamp(e Entity, component uint32) uint32 {
	if s := r.lookupSet(e, component); s != nil {
		return s.elements[len(s.elements)-1].timestamp
	}
	return 0
}

// KeyBytes returns how many bytes of data there are under a key, and whether there is anything, be
// it deleted.
func (r *Replica) KeyBytes(e Entity, component uint32) (n int, ok bool) {
	if v := r.lookup(e, component); v != nil {
		n, ok = len(v.data), true
	}
	if s := r.lookupSet(e, component); s != nil {
		ok = true
		for i := range s.elements {
			n += len(s.elements[i].data)
		}
	}
	return n, ok
}

// Len returns how many elements a set has.
func (r *Replica) Len(e Entity, component uint32) int {
	if s := r.lookupSet(e, component); s != nil {
		return len(s.elements)
	}
	return 0
}

// Bytes returns how many bytes of data the values and the sets of all entities have.
func (r *Replica) Bytes() int { return r.bytes }

// Elements returns the elements of a set, ascending by timestamp and then by data.
func (r *Replica) Elements(e Entity, component uint32) iter.Seq[Element] {
	return func(yield func(Element) bool) {
		s := r.lookupSet(e, component)
		if s == nil {
			return
		}
		for i := range s.elements {
			if !yield(Element{Timestamp: s.elements[i].timestamp, Data: s.elements[i].data}) {
				return
			}
		}
	}
}

// lookup returns the value under a key, or nil if there is none.
func (r *Replica) lookup(e Entity, component uint32) *value {
	b := r.entities[e]
	if b == nil {
		return nil
	}
	if i, ok := b.find(component); ok {
		return &b.values[i]
	}
	return nil
}

// lookupSet returns the set under a key, or nil if there is none. It is never empty.
func (r *Replica) lookupSet(e Entity, component uint32) *set {
	b := r.entities[e]
	if b == nil {
		return nil
	}
	if i, ok := b.findSet(component); ok {
		return &b.sets[i]
	}
	return nil
}

// Entities returns the entities in [from, to] that have something, be it deleted, in ascending
// order.
func (r *Replica) Entities(from, to Entity) iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for _, e := range r.sorted(from, to) {
			if !yield(e) {
				return
			}
		}
	}
}

// OpsOf returns the operations that produce what an entity has: its values first, then its sets,
// each ascending. It returns none for a deleted entity.
func (r *Replica) OpsOf(e Entity) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		if b := r.entities[e]; b != nil {
			b.each(e, func(op Op, _ *uint64) bool { return yield(op) })
		}
	}
}

// Ops returns the operations that produce the state of the replica: an empty replica that merges
// them becomes equal. The deletions of entities come first, then what entities have. Both are
// ordered by entity.
func (r *Replica) Ops() iter.Seq[Op] {
	return func(yield func(Op) bool) {
		deletions := r.deleted.all()
		slices.SortFunc(deletions, func(a, b tombstone) int { return cmp.Compare(a.entity, b.entity) })
		for i := range deletions {
			if !yield(deletions[i].op()) {
				return
			}
		}
		give := func(op Op, _ *uint64) bool { return yield(op) }
		for _, e := range r.sorted(0, MaxEntity) {
			if !r.entities[e].each(e, give) {
				return
			}
		}
	}
}

// sorted returns the entities in [from, to] that have something, in ascending order.
func (r *Replica) sorted(from, to Entity) []Entity {
	found := make([]Entity, 0, len(r.entities))
	for e := range r.entities {
		if from <= e && e <= to {
			found = append(found, e)
		}
	}
	slices.Sort(found)
	return found
}

// each passes to visit the operations that produce the bag of an entity, with pointers to their
// sums. It stops, and returns false, when visit returns false.
func (b *components) each(e Entity, visit func(op Op, sum *uint64) bool) bool {
	for i := range b.values {
		if !visit(b.values[i].op(e), &b.values[i].sum) {
			return false
		}
	}
	for i := range b.sets {
		s := &b.sets[i]
		for j := range s.elements {
			if !visit(s.op(e, j), &s.elements[j].sum) {
				return false
			}
		}
	}
	return true
}

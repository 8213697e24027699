package crdt

import (
	"maps"
	"slices"
)

// deleted is the grow-only set of deleted entities (C5). It keeps the greatest deleted version of
// each number of Versioned entities, each Named entity, and of the Timed ones the greatest floor
// and those above it.
type deleted struct {
	versions map[uint16]tombstone
	named    map[Entity]uint64 // the sums
	timed    map[Entity]uint64 // the sums
	floor    tombstone         // entity 0: none
}

// tombstone is the deletion of an entity, with the sum of the operation (C20).
type tombstone struct {
	entity Entity
	sum    uint64
}

func noneDeleted() deleted {
	return deleted{
		versions: map[uint16]tombstone{}, named: map[Entity]uint64{}, timed: map[Entity]uint64{},
	}
}

// Deleted reports whether an entity has been deleted. Later operations for it are ignored (C5).
func (d *deleted) Deleted(e Entity) bool {
	switch e.Class() {
	case Versioned:
		b, ok := d.versions[e.number()]
		return ok && e <= b.entity
	case Named:
		_, ok := d.named[e]
		return ok
	default:
		if e <= d.floor.entity {
			return true
		}
		_, ok := d.timed[e]
		return ok
	}
}

// deleteEntity merges a DeleteEntity.
func (r *Replica) deleteEntity(e Entity) Result {
	if r.Deleted(e) {
		return Result{Outcome: Same}
	}
	b := tombstone{entity: e, sum: r.sum(&Op{Kind: DeleteEntity, Entity: e})}
	switch {
	case e.isFloor():
		r.raiseFloor(b)
	case e.Class() == Versioned:
		r.versions[e.number()] = b
		for _, v := range slices.Clone(r.living[e.number()]) {
			if v <= e.version() {
				r.Forget(versioned(e.number(), v))
			}
		}
	case e.Class() == Named:
		r.named[e] = b.sum
		r.Forget(e)
	default:
		r.timed[e] = b.sum
		r.Forget(e)
	}
	return Result{Outcome: Applied}
}

// raiseFloor deletes all Timed entities up to a floor, and drops their tombstones (C7).
func (r *Replica) raiseFloor(floor tombstone) {
	r.floor = floor
	maps.DeleteFunc(r.timed, func(e Entity, _ uint64) bool { return e <= floor.entity })
	for e := range r.entities {
		if e.Class() == Timed && e <= floor.entity {
			r.Forget(e)
		}
	}
}

// Count returns how many entities of a class have something, and how many tombstones of single
// deleted entities of that class are kept.
func (r *Replica) Count(c Class) (living, deleted int) {
	switch c {
	case Versioned:
		return r.counts[c], len(r.versions)
	case Named:
		return r.counts[c], len(r.named)
	default:
		return r.counts[c], len(r.timed)
	}
}

// op returns the operation that deletes the entity.
func (b *tombstone) op() Op { return Op{Kind: DeleteEntity, Entity: b.entity} }

// all returns the deletions in d, in any order.
func (d *deleted) all() []tombstone {
	all := make([]tombstone, 0, len(d.versions)+len(d.named)+len(d.timed)+1)
	for _, b := range d.versions {
		all = append(all, b)
	}
	for e, sum := range d.named {
		all = append(all, tombstone{e, sum})
	}
	for e, sum := range d.timed {
		all = append(all, tombstone{e, sum})
	}
	if d.floor.entity != 0 {
		all = append(all, d.floor)
	}
	return all
}

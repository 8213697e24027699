package bridge

import (
	"maps"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
)

// DiffCost returns how many entities and ended numbers Differing iterates over. That does not
// depend on how much differs.
func (l *Bridge) DiffCost() int {
	n := l.numbers.endings
	for _, c := range []crdt.Class{crdt.Versioned, crdt.Named, crdt.Timed} {
		living, gone := l.view.Replica().Count(c)
		n += living + gone
	}
	return n
}

// Differing returns messages for a replica that has sent the digest d: all that the replica may
// lack, and deletions of what it may have too much. If asks is set, they include the digest of the
// state that the replica should have (C20). Only bridges of protobuf form have digests.
func (l *Bridge) Differing(d *crdt.Digest, asks bool) ([][]byte, error) {
	r, err := l.outside()
	if err != nil {
		return nil, err
	}
	for op := range r.Differing(d) {
		if err := l.out.add(&op); err != nil {
			return nil, err
		}
	}
	if asks {
		mine := r.Digest()
		l.out.digest(&mine)
	}
	return l.out.take(), nil
}

// outside returns a replica with the state that the outside replica should have.
func (l *Bridge) outside() (*crdt.Replica, error) {
	r := crdt.New(crdt.Config{Sets: schema.Sets, Both: schema.Both})
	for op := range l.view.Replica().Ops() {
		if op.Kind != crdt.DeleteEntity {
			wire, err := l.numbers.give(op.Entity)
			if err != nil {
				return nil, err
			}
			if op, err = l.shifted(op); err != nil {
				return nil, err
			}
			op.Entity = wire
		}
		r.Merge(op)
	}
	for e, of := range l.offsets { // the order does not matter
		for number := range of {
			op := l.stored(e, number)
			op.Entity, _ = l.numbers.has(e)
			r.Merge(op)
		}
	}
	for _, e := range l.numbers.ended() {
		r.Merge(crdt.Op{Kind: crdt.DeleteEntity, Entity: e})
	}
	return r, nil
}

// ended returns the numbers by rule that have ended, for which the replica accepts nothing any
// more, in order.
func (n *numbers) ended() []crdt.Entity {
	var all []crdt.Entity
	for _, e := range slices.Sorted(maps.Keys(n.lives)) {
		switch lives := crdt.Entity(n.lives[e]); e.Class() {
		case crdt.Versioned:
			all = append(all, e+(lives-1)<<versionBits)
		case crdt.Named:
			for life := range lives {
				all = append(all, e+life<<lifeBits)
			}
		default:
			if _, now := n.entity[e]; !now {
				all = append(all, e)
			}
		}
	}
	if n.cleared > 0 {
		all = append(all, schema.Clearing(n.cleared))
	}
	return all
}

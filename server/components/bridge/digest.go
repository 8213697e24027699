package bridge

import (
	"maps"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
)

// Weight returns how many entities and ended numbers Differing goes through: all there are, whatever differs.
func (l *Link) Weight() int {
	n := l.numbers.endings
	for _, c := range []crdt.Class{crdt.Versioned, crdt.Named, crdt.Timed} {
		living, gone := l.mirror.Replica().Count(c)
		n += living + gone
	}
	return n
}

// Differing returns messages with what the replica, which has sent that digest, may lack or have too much, and if it asks with
// the digest of what it would have if it had all (C20). Only a link in protobuf form has digests.
func (l *Link) Differing(d *crdt.Digest, asks bool) ([][]byte, error) {
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

// outside returns a replica that has what the one outside is to have.
func (l *Link) outside() (*crdt.Replica, error) {
	r := crdt.New(crdt.Config{Sets: schema.Sets})
	for op := range l.mirror.Replica().Ops() {
		if op.Kind != crdt.DeleteEntity {
			wire, err := l.numbers.give(op.Entity)
			if err != nil {
				return nil, err
			}
			op.Entity, op.Timestamp = wire, op.Timestamp+l.shift(op.Entity, op.Component)
		}
		r.Merge(op)
	}
	for e, of := range l.shifts { // the order does not matter
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

// ended returns the numbers by rule that the replica takes nothing for any more, in order.
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

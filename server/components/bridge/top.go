package bridge

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
)

// top is the greatest timestamp that has travelled for the key of a value, in either direction, and
// a sum of what it came with.
type top struct {
	timestamp uint32
	sum       uint64
}

func topOf(wire *crdt.Op) top {
	h := fnv.New64a()
	_, _ = h.Write([]byte{byte(wire.Kind)})
	_, _ = h.Write(wire.Data)
	return top{timestamp: wire.Timestamp, sum: h.Sum64()}
}

// tops has the tops of the keys of an entity.
type tops map[uint32]top

// tracks reports whether tops of a component are kept. They are needed to answer above ties, and to
// delete an entity component by component.
func (l *Bridge) tracks(component uint32) bool {
	return l.length || l.edge.offset > 0 || schema.IsForeign(component)
}

// travelled records that an operation on a value has travelled. It reports whether that is a tie:
// something else has travelled under the same key with the same timestamp.
func (l *Bridge) travelled(e crdt.Entity, wire *crdt.Op) (tie bool) {
	l.noteForeign(e)
	if wire.Kind == crdt.Append || !l.tracks(wire.Component) {
		return false
	}
	of := l.tops[e]
	if of == nil {
		of = tops{}
		l.tops[e] = of
	}
	was, known := of[wire.Component]
	now := topOf(wire)
	switch {
	case !known || now.timestamp > was.timestamp:
		of[wire.Component] = now
		return false
	default:
		return now.timestamp == was.timestamp && now.sum != was.sum
	}
}

// above returns the shift with which an operation on a value is above all that has travelled for
// its key, if the replica orders data otherwise than the server. shift is the one so far. A tie
// would be decided otherwise there than here.
func (l *Bridge) above(op *crdt.Op, shift int64) int64 {
	last, known := l.tops[op.Entity][op.Component]
	if !l.length || !known {
		return shift
	}
	wire := *op
	wire.Timestamp = uint32(min(max(int64(op.Timestamp)+shift, 0), int64(crdt.MaxTimestamp)))
	switch now := topOf(&wire); {
	case now == last, now.timestamp > last.timestamp:
		return shift
	default:
		return int64(last.timestamp) + 1 - int64(op.Timestamp)
	}
}

// tied notes that the replica may have decided a tie otherwise than the server. resolveTies answers
// it when the server has decided.
func (l *Bridge) tied(e crdt.Entity, component uint32) {
	if l.length {
		l.ties[lostKey{entity: e, component: component}] = true
	}
}

// resolveTies sends what the server has decided, above the tie, for all ties of which no operation
// of the replica is pending.
func (l *Bridge) resolveTies() error {
	if len(l.ties) == 0 {
		return nil
	}
	keys := slices.SortedFunc(maps.Keys(l.ties), func(a, b lostKey) int {
		return cmp.Or(cmp.Compare(a.entity, b.entity), cmp.Compare(a.component, b.component))
	})
	for _, k := range keys {
		if len(l.sent[k.entity][k.component]) > 0 || l.sent.deletes(k.entity) {
			continue
		}
		delete(l.ties, k)
		op, ok := l.view.Replica().State(k.entity, k.component)
		last, known := l.tops[k.entity][k.component]
		if !ok || !known {
			continue
		}
		if last.timestamp == crdt.MaxTimestamp {
			return errTimestamp
		}
		l.shift(k.entity, k.component, int64(last.timestamp)+1-int64(op.Timestamp))
		if err := l.give(op); err != nil {
			return err
		}
	}
	return nil
}

// bury sends the replica that the number wire of an entity has ended. of has the tops of the
// entity.
//
// On a bridge with an offset, an engine gives the numbers of deleted entities to its own. So
// numbers that the server has given end without a deletion, component by component (C19.61).
func (l *Bridge) bury(wire crdt.Entity, of tops) error {
	_, number := parts(wire)
	given := l.edge.offset > 0 && number >= firstGiven && number < firstMade
	if wire.Class() != crdt.Versioned || !given && !l.shares(wire) {
		l.out.delete(wire)
		return nil
	}
	return l.buryValues(wire, of, func(component uint32) bool { return !schema.IsForeign(component) })
}

// shares reports whether a number that the replica has chosen for a stroke is that of a foreign
// entity, too.
func (l *Bridge) shares(wire crdt.Entity) bool {
	for range l.view.Replica().OpsOf(wire) {
		return schema.IsForeignEntity(wire)
	}
	return false
}

// buryValues deletes the values of an entity at the replica, as far as they are wanted.
func (l *Bridge) buryValues(wire crdt.Entity, of tops, wanted func(component uint32) bool) error {
	for _, component := range slices.Sorted(maps.Keys(of)) {
		if !wanted(component) {
			continue
		}
		if of[component].timestamp == crdt.MaxTimestamp {
			return fmt.Errorf("%w: a timestamp", ErrSpent)
		}
		if err := l.out.add(&crdt.Op{
			Kind: crdt.Delete, Entity: wire, Component: component,
			Timestamp: of[component].timestamp + 1,
		}); err != nil {
			return err
		}
	}
	return nil
}

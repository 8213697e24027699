package bridge

import (
	"fmt"

	"holt/server/components/crdt"
	"holt/server/components/schema"
)

var errTimestamp = fmt.Errorf("%w: a timestamp", ErrSpent)

// refused takes the word of the room that something of the replica's was refused (C11).
func (l *Link) refused(e crdt.Entity, number, timestamp uint32) error {
	of, last, ok := l.sent.refused(e, number, timestamp)
	if !ok {
		return nil // it is overtaken, or the entity has ended on the link
	}
	until, clears := schema.ClearsUntil(e)
	switch {
	case of.op.Kind == crdt.DeleteEntity && clears:
		return l.restoreBefore(until)
	case of.op.Kind == crdt.DeleteEntity:
		return l.restore(e)
	case of.op.Kind == crdt.Append:
		return l.disown(e)
	default:
		return l.lose(e, number, last)
	}
}

// lose corrects the replica that has a value under that timestamp which the room has refused: from now on timestamps of the
// key are so much higher on the link that what is stored is above it. A stroke that there is not is deleted.
func (l *Link) lose(e crdt.Entity, number, timestamp uint32) error {
	if l.missing(e) {
		return l.disown(e)
	}
	stored := l.mirror.Replica().Timestamp(e, number)
	switch shift := l.shift(e, number); {
	case timestamp == crdt.MaxTimestamp:
		return errTimestamp
	case uint64(stored)+uint64(shift) > uint64(timestamp): // it has been told more since
	default:
		if err := l.setShift(e, number, timestamp+1-stored); err != nil {
			return err
		}
	}
	return l.correct(e, number)
}

// missing reports whether e is a stroke that there is not, and that the replica is not about to make.
func (l *Link) missing(e crdt.Entity) bool {
	if schema.ClassOf(e) != schema.ClassStroke || schema.AuthorOf(l.mirror.Replica(), e) != 0 {
		return false
	}
	return len(l.sent[e][schema.Stroke]) == 0
}

// disown deletes a stroke that there is not, for the replica. Nothing takes an element out of a set again, so one that was
// refused for what there is stays in the replica's until others take its place (C6).
func (l *Link) disown(e crdt.Entity) error {
	if !l.missing(e) {
		return nil
	}
	l.sent.end(e)
	return l.retire(e)
}

// restoreBefore tells the replica again of the strokes that it has deleted with all before a second, and may not delete.
func (l *Link) restoreBefore(until schema.Second) error {
	l.numbers.cleared = max(l.numbers.cleared, until)
	for e := range l.mirror.Replica().Entities(crdt.FirstTimed, crdt.MaxEntity) {
		wire, ok := l.numbers.has(e)
		if made, _ := schema.SecondOf(wire); !ok || made >= until {
			continue
		}
		if err := l.restore(e); err != nil {
			return err
		}
	}
	return nil
}

// stored returns what lies under a key, as it is on the link; the zero Op if nothing does. Where something was refused and
// nothing lies, that is a deletion.
func (l *Link) stored(e crdt.Entity, number uint32) crdt.Op {
	shift := l.shift(e, number)
	op, ok := l.mirror.Replica().State(e, number)
	switch {
	case ok:
		op.Timestamp += shift
	case shift > 0:
		op = crdt.Op{Kind: crdt.Delete, Entity: e, Component: number, Timestamp: shift}
	}
	return op
}

// correct tells the replica what lies under a key.
func (l *Link) correct(e crdt.Entity, number uint32) error {
	op := l.stored(e, number)
	wire, err := l.numbers.give(e)
	if err != nil || op.Kind == 0 {
		return err
	}
	op.Entity = wire
	return l.out.add(&op)
}

// shift returns by how much timestamps of a key are higher on the link.
func (l *Link) shift(e crdt.Entity, number uint32) uint32 { return l.shifts[e][number] }

// setShift sets it. The error is ErrSpent.
func (l *Link) setShift(e crdt.Entity, number, by uint32) error {
	of := l.shifts[e]
	if of == nil {
		of = map[uint32]uint32{}
		l.shifts[e] = of
	}
	if of[number] == 0 {
		if l.shifted++; l.shifted > MaxShifted {
			return fmt.Errorf("%w: more than %d keys", ErrSpent, MaxShifted)
		}
	}
	of[number] = by
	return nil
}

// unshift forgets the shifts of an entity whose number ends.
func (l *Link) unshift(e crdt.Entity) {
	l.shifted -= len(l.shifts[e])
	delete(l.shifts, e)
}

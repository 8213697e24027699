package bridge

import (
	"fmt"

	"holt/server/components/crdt"
	"holt/server/components/schema"
)

var errTimestamp = fmt.Errorf("%w: a timestamp", ErrSpent)

// refused processes that the room has refused an operation of the replica (C11).
func (l *Bridge) refused(e crdt.Entity, number, timestamp uint32) error {
	of, last, ok := l.sent.refused(e, number, timestamp)
	if !ok {
		return nil // it is overtaken, or the number of the entity has ended
	}
	until, clears := schema.ClearsUntil(e)
	switch {
	case of.op.Kind == crdt.DeleteEntity && clears:
		return l.restoreBefore(until)
	case of.op.Kind == crdt.DeleteEntity:
		return l.restore(e)
	case of.op.Kind == crdt.Append:
		return l.deleteMissingStroke(e)
	default:
		return l.correctRefused(e, number, last)
	}
}

// correctRefused corrects a replica that has, under that timestamp, a value that the room has
// refused. It raises the shift of the key, if need be, so that the stored value is above the
// refused one. A stroke that does not exist is deleted.
func (l *Bridge) correctRefused(e crdt.Entity, number, timestamp uint32) error {
	if l.missing(e) {
		return l.deleteMissingStroke(e)
	}
	stored := int64(l.valueTimestamp(e, number))
	if l.length {
		timestamp = max(timestamp, l.tops[e][number].timestamp)
	}
	switch shift := l.offset(e, number); {
	case timestamp == crdt.MaxTimestamp:
		return errTimestamp
	// The replica has got something newer since.
	case stored+shift > int64(timestamp):
	default:
		if err := l.shiftRefused(e, number, int64(timestamp)+1-stored); err != nil {
			return err
		}
	}
	return l.correct(e, number)
}

// missing reports whether e is a stroke that does not exist, and that the replica is not about to
// make.
func (l *Bridge) missing(e crdt.Entity) bool {
	if schema.ClassOf(e) != schema.ClassStroke || schema.AuthorOf(l.view.Replica(), e) != 0 {
		return false
	}
	return len(l.sent[e][schema.Stroke]) == 0
}

// deleteMissingStroke deletes, for the replica, a stroke that does not exist. If the stroke exists,
// disown does nothing: a refused element of a set stays at the replica until greater ones replace
// it (C6).
func (l *Bridge) deleteMissingStroke(e crdt.Entity) error {
	if !l.missing(e) {
		return nil
	}
	l.sent.end(e)
	return l.retire(e)
}

// restoreBefore sends the replica strokes again that it has deleted with all before a second, and
// may not delete.
func (l *Bridge) restoreBefore(until schema.Second) error {
	l.numbers.cleared = max(l.numbers.cleared, until)
	for e := range l.view.Replica().Entities(crdt.FirstTimed, crdt.MaxEntity) {
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

// stored returns what is stored under a key, as it is on the bridge, or the zero Op. If nothing is
// stored and something was refused, that is a deletion.
func (l *Bridge) stored(e crdt.Entity, number uint32) crdt.Op {
	shift := l.offset(e, number)
	op, ok := l.view.Replica().State(e, number)
	switch {
	case ok:
		op.Timestamp = clamped(int64(op.Timestamp) + shift)
	case shift > 0:
		op = crdt.Op{Kind: crdt.Delete, Entity: e, Component: number, Timestamp: clamped(shift)}
	}
	return op
}

// correct sends the replica what is stored under a key.
func (l *Bridge) correct(e crdt.Entity, number uint32) error {
	op := l.stored(e, number)
	wire, err := l.numbers.give(e)
	if err != nil || op.Kind == 0 {
		return err
	}
	op.Entity = wire
	return l.send(e, &op)
}

// clamped returns a timestamp within its bounds.
func clamped(timestamp int64) uint32 {
	return uint32(min(max(timestamp, 0), int64(crdt.MaxTimestamp)))
}

// valueTimestamp returns the timestamp of the value that is stored under a key, or 0.
func (l *Bridge) valueTimestamp(e crdt.Entity, number uint32) uint32 {
	op, _ := l.view.Replica().State(e, number)
	return op.Timestamp
}

// shift is by how much timestamps of the value of a key are higher on the bridge. It is negative
// for a key to which the replica has written with the timestamp 0.
type shift struct {
	by      int64
	refused bool // because something was refused
}

// offset returns the shift of a key.
func (l *Bridge) offset(e crdt.Entity, number uint32) int64 { return l.offsets[e][number].by }

// shifted returns an operation with its timestamp on the bridge. The error is ErrSpent.
func (l *Bridge) shifted(op crdt.Op) (crdt.Op, error) {
	if op.Kind == crdt.Append {
		return op, nil
	}
	at := int64(op.Timestamp) + l.offset(op.Entity, op.Component)
	if at > int64(crdt.MaxTimestamp) {
		return crdt.Op{}, errTimestamp
	}
	op.Timestamp = clamped(at)
	return op, nil
}

// shift sets the shift of a key.
func (l *Bridge) shift(e crdt.Entity, number uint32, by int64) {
	of := l.offsets[e]
	if of == nil {
		of = map[uint32]shift{}
		l.offsets[e] = of
	}
	of[number] = shift{by: by, refused: of[number].refused}
}

// shiftRefused sets the shift of a key of which something was refused. The error is ErrSpent.
func (l *Bridge) shiftRefused(e crdt.Entity, number uint32, by int64) error {
	if !l.offsets[e][number].refused {
		if l.refusals++; l.refusals > MaxShifted {
			return fmt.Errorf("%w: more than %d keys", ErrSpent, MaxShifted)
		}
	}
	l.shift(e, number, by)
	l.offsets[e][number] = shift{by: by, refused: true}
	return nil
}

// unshift forgets the shifts of an entity whose number ends, and what has travelled for it.
func (l *Bridge) unshift(e crdt.Entity) {
	for _, s := range l.offsets[e] {
		if s.refused {
			l.refusals--
		}
	}
	delete(l.offsets, e)
	delete(l.tops, e)
}

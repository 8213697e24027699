package bridge

import (
	"bytes"
	"fmt"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/replica"
	"holt/server/components/schema"
	"holt/server/id"
)

// Taken is what comes of a message of the replica.
type Taken struct {
	// Ops are for the room, in order, as the client of the link's stream. Their data is their own. Epoch and Mark are up to where
	// the link had been told when it took them.
	Ops   []crdt.Op
	Epoch id.Epoch
	Mark  id.Mark
	// Answer is messages for the replica.
	Answer [][]byte
	// Len is how many operations the message had.
	Len int
	// Digest is the replica's, nil if it has sent none. It is to be answered by Differing when the link is settled.
	Digest *crdt.Digest
	// Asks says that the replica wants the link's digest, too (C20).
	Asks bool
}

// taking is a message on its way through the link.
type taking struct {
	*Link
	now    schema.Second
	len    int
	ops    []crdt.Op
	losses []loss
	noted  map[losing]int // where they are in losses
	err    error          // the first one
}

// losing names a key of which something came to nothing: of an entity or, if there is none, of the number that the replica
// has used.
type losing struct {
	entity    crdt.Entity
	component uint32
	unknown   bool
}

// loss is what there is to be corrected: once for a message (C11).
type loss struct {
	losing
	refused uint32 // the greatest timestamp that was; 0: it was only less than what is stored
}

// Take takes a message of the replica, when the link is whole. now is the server's time. The error is one of the decoders' or
// ErrSpent or ErrAnew: it ends the link, and nothing of the message counts.
func (l *Link) Take(message []byte, now schema.Second) (Taken, error) {
	l.taken++
	t := taking{Link: l, now: now, noted: map[losing]int{}}
	var m crdt.Message
	if l.form == Flat {
		if err := l.decoder.Push(message, t.take); err != nil {
			return Taken{}, err
		}
	} else {
		var err error
		if m, err = crdt.Decode(message); err != nil {
			return Taken{}, err
		}
		for op := range m.Ops() {
			t.take(op)
		}
	}
	for i := range t.losses {
		t.fail(t.answer(&t.losses[i]))
	}
	if t.err != nil {
		return Taken{}, t.err
	}
	return Taken{Ops: t.ops, Epoch: l.epoch, Mark: l.mark, Answer: l.out.take(), Len: t.len, Digest: m.Digest, Asks: m.Asks}, nil
}

// fail keeps the first error.
func (t *taking) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// lost notes that a value came to nothing.
func (t *taking) lost(k losing, refused uint32) {
	i, ok := t.noted[k]
	if !ok {
		i = len(t.losses)
		t.noted[k] = i
		t.losses = append(t.losses, loss{losing: k})
	}
	t.losses[i].refused = max(t.losses[i].refused, refused)
}

// answer corrects what came to nothing.
func (t *taking) answer(l *loss) error {
	switch {
	case !l.unknown && l.refused == 0:
		return t.correct(l.entity, l.component)
	case !l.unknown:
		return t.lose(l.entity, l.component, l.refused)
	case l.refused == crdt.MaxTimestamp:
		return errTimestamp
	default:
		return t.out.add(&crdt.Op{Kind: crdt.Delete, Entity: l.entity, Component: l.component, Timestamp: l.refused + 1})
	}
}

// take takes an operation as the replica has it. Its data is only lent.
func (t *taking) take(wire crdt.Op) {
	if t.len++; t.err != nil {
		return
	}
	if wire.Kind == crdt.DeleteEntity {
		t.fail(t.takeDeletion(wire.Entity))
		return
	}
	e, means := t.numbers.means(wire.Entity)
	switch means {
	case over: // C5
	case nothing:
		t.takeNew(&wire)
	case alive:
		if !t.mirror.Replica().Deleted(e) { // C5
			t.takeFor(e, &wire)
		}
	}
}

// takeNew takes an operation for what the link knows nothing of. On a flat link a Stroke makes one.
func (t *taking) takeNew(wire *crdt.Op) {
	_, number := parts(wire.Entity)
	chosen := t.form == Flat && number >= firstGiven && !t.inUse(wire.Entity)
	begins := wire.Kind == crdt.Put && wire.Component == schema.Stroke && t.valid(schema.ClassStroke, wire)
	switch {
	case chosen && number >= firstMade && begins:
		e := t.numbers.stroke(t.now)
		t.numbers.bind(e, wire.Entity)
		t.takeFor(e, wire)
	case chosen:
		t.numbers.spoil(wire.Entity) // there is no such entity, and will not be
		t.out.delete(wire.Entity)
	case wire.Kind != crdt.Append:
		t.lost(losing{wire.Entity, wire.Component, true}, wire.Timestamp)
	}
}

// inUse reports whether an entity has the number of wire on a flat link, in any version, that the replica has not deleted.
func (t *taking) inUse(wire crdt.Entity) bool {
	return slices.ContainsFunc(t.numbers.upTo(wire|versioned(1<<versionBits-1, 0)), func(e crdt.Entity) bool { return !t.sent.deletes(e) })
}

// valid reports whether an operation might be allowed to somebody. What is not need not be asked for.
func (t *taking) valid(class schema.Class, op *crdt.Op) bool {
	s, ok := schema.Find(class, op.Component)
	return ok && (s.Set > 0) == (op.Kind == crdt.Append) && !t.readOnly && schema.CheckOp(op) == nil
}

// takeFor takes an operation for an entity.
func (t *taking) takeFor(e crdt.Entity, wire *crdt.Op) {
	op := *wire
	op.Entity = e
	valid := t.valid(schema.ClassOf(e), wire) && (schema.ClassOf(e) != schema.ClassPiece || t.pieces[e])
	if wire.Kind == crdt.Append {
		switch {
		case !valid:
			t.fail(t.disown(e))
		case !t.mirror.Covers(&op):
			t.pass(op, wire)
		}
		return
	}
	key, shift := losing{e, wire.Component, false}, t.shift(e, wire.Component)
	order := 1
	if stored := t.stored(e, wire.Component); stored.Kind != 0 {
		order = replica.Compare(wire, &stored)
	}
	switch {
	case order < 0:
		t.lost(key, 0)
	case order == 0:
	case !valid, wire.Timestamp <= shift:
		t.lost(key, wire.Timestamp)
	default:
		op.Timestamp -= shift
		t.pass(op, wire)
	}
}

// pass lets an operation go to the room.
func (t *taking) pass(op crdt.Op, wire *crdt.Op) {
	op.Data = bytes.Clone(op.Data)
	s := sent{op: op, wire: *wire, in: t.taken}
	s.wire.Data = nil
	t.sent.add(s)
	t.ops = append(t.ops, op)
}

// takeDeletion takes the deletion of an entity. Only strokes may be deleted (C16); all other entities are told again, under
// another number.
func (t *taking) takeDeletion(wire crdt.Entity) error {
	if t.form == Protobuf && wire.Class() == crdt.Timed {
		return t.takeErasure(wire)
	}
	_, number := parts(wire)
	if t.form == Flat && number >= firstGiven {
		gone := t.numbers.upTo(wire)
		for _, e := range gone {
			if err := t.erase(e, wire); err != nil {
				return err
			}
		}
		if len(gone) == 0 {
			t.numbers.spoil(wire)
		}
		return nil
	}
	e, life := byRule(wire)
	switch lives := t.numbers.lives[e]; {
	case life < lives:
		return nil
	case life > lives && wire.Class() == crdt.Named: // it deletes no lower ones
		return nil
	}
	t.unshift(e)
	if life >= 1<<versionBits-1 {
		return fmt.Errorf("%w: an entity has no number left", ErrAnew)
	}
	if err := t.numbers.endLives(e, life+1); err != nil {
		return err
	}
	return t.repeat(e)
}

// takeErasure takes the deletion of a stroke, or of all before a second, by the numbers that they have in protobuf form.
func (t *taking) takeErasure(wire crdt.Entity) error {
	if until, clears := schema.ClearsUntil(wire); clears && t.readOnly {
		return t.restoreBefore(until)
	} else if clears {
		t.pass(crdt.Op{Kind: crdt.DeleteEntity, Entity: wire}, &crdt.Op{Kind: crdt.DeleteEntity, Entity: wire})
		return nil
	}
	if e, means := t.numbers.means(wire); means == alive {
		return t.erase(e, wire)
	}
	return nil
}

// erase lets the replica delete a stroke, if the room allows that.
func (t *taking) erase(e, wire crdt.Entity) error {
	if t.readOnly || schema.ClassOf(e) != schema.ClassStroke {
		return t.restore(e)
	}
	if !t.mirror.Replica().Deleted(e) && !t.sent.deletes(e) {
		t.pass(crdt.Op{Kind: crdt.DeleteEntity, Entity: e}, &crdt.Op{Kind: crdt.DeleteEntity, Entity: wire})
	}
	return nil
}

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

// Taken is the result of a message of the replica.
type Taken struct {
	// Ops are for the room, in order, as operations of the client of the bridge's stream. They
	// share no memory with the message. Epoch and Version are what the Bridge had when it took
	// them.
	Ops     []crdt.Op
	Epoch   id.Epoch
	Version id.Version
	// Answer has messages for the replica.
	Answer [][]byte
	// Len is the number of operations in the message.
	Len int
	// Digest is the digest of the replica, or nil. Answer it with Differing when the Bridge is
	// settled (C19.44).
	Digest *crdt.Digest
	// Asks says that the replica wants the digest of the bridge, too (C20).
	Asks bool
}

// taking is a message that is being processed.
type taking struct {
	*Bridge
	now    schema.Second
	len    int
	ops    []crdt.Op
	losses []correction
	noted  map[lostKey]int // indexes into losses
	err    error           // the first one
}

// lostKey names a key of which an operation had no effect. If unknown is set, entity is the number
// that the replica has used, because there is no such entity.
type lostKey struct {
	entity    crdt.Entity
	component uint32
	unknown   bool
}

// correction is a key to correct, once for a message (C11).
type correction struct {
	lostKey
	// refused is the greatest refused timestamp, if wasRefused is set. Otherwise a value was only
	// less than the stored one.
	refused    uint32
	wasRefused bool
}

// FromReplica processes a message of the replica, when the Bridge has the full state. now is the
// server's time. The error is one of the decoders', ErrSpent or ErrResetRequired. It ends the
// bridge, and nothing of the message counts.
func (l *Bridge) FromReplica(message []byte, now schema.Second) (Taken, error) {
	l.taken++
	t := taking{Bridge: l, now: now, noted: map[lostKey]int{}}
	var m crdt.Message
	if l.form == Flat {
		if err := l.decoder.Push(message, t.take); err != nil {
			return Taken{}, err
		}
	} else {
		var err error
		if m, err = crdt.DecodeFromReplica(message); err != nil {
			return Taken{}, err
		}
		for op := range m.Ops() {
			t.take(op)
		}
	}
	for i := range t.losses {
		t.fail(t.answer(&t.losses[i]))
	}
	t.fail(t.resolveTies())
	if t.err != nil {
		return Taken{}, t.err
	}
	return Taken{
		Ops:     t.ops,
		Epoch:   l.epoch,
		Version: l.version,
		Answer:  l.out.take(),
		Len:     t.len,
		Digest:  m.Digest,
		Asks:    m.Asks,
	}, nil
}

// fail keeps the first error.
func (t *taking) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// refuse records that a value was refused.
func (t *taking) refuse(k lostKey, timestamp uint32) {
	c := t.lost(k)
	c.refused, c.wasRefused = max(c.refused, timestamp), true
}

// lost records that a value had no effect.
func (t *taking) lost(k lostKey) *correction {
	i, ok := t.noted[k]
	if !ok {
		i = len(t.losses)
		t.noted[k] = i
		t.losses = append(t.losses, correction{lostKey: k})
	}
	return &t.losses[i]
}

// answer corrects what had no effect.
func (t *taking) answer(l *correction) error {
	switch {
	case !l.unknown && !l.wasRefused:
		return t.correct(l.entity, l.component)
	case !l.unknown:
		return t.correctRefused(l.entity, l.component, l.refused)
	case l.refused == crdt.MaxTimestamp:
		return errTimestamp
	default:
		return t.out.add(&crdt.Op{
			Kind: crdt.Delete, Entity: l.entity, Component: l.component, Timestamp: l.refused + 1,
		})
	}
}

// take processes an operation as the replica has it. Its data is valid during the call only.
func (t *taking) take(wire crdt.Op) {
	if t.len++; t.err != nil {
		return
	}
	wire = t.edge.inward(wire)
	if wire.Kind == crdt.DeleteEntity {
		t.fail(t.takeDeletion(wire.Entity))
		return
	}
	if schema.ForeignKeyOf(wire.Entity, wire.Component) && t.allowsForeign() {
		if e := wire.Entity; !t.view.Replica().Deleted(e) && !t.sent.deletes(e) {
			t.takeFor(e, &wire)
		}
		return
	}
	e, means := t.numbers.resolve(wire.Entity)
	switch means {
	case over: // C5: it is ignored, unless the number ended without a deletion
		if _, number := parts(wire.Entity); t.edge.offset > 0 && number < firstMade &&
			wire.Kind == crdt.Put {
			t.refuse(lostKey{wire.Entity, wire.Component, true}, wire.Timestamp)
		}
	case nothing:
		t.takeNew(&wire)
	case alive:
		if !t.view.Replica().Deleted(e) { // C5: operations for a deleted entity are ignored
			t.takeFor(e, &wire)
		}
	}
}

// takeNew processes an operation for a number that no entity has. In flat form a Stroke makes a
// stroke.
func (t *taking) takeNew(wire *crdt.Op) {
	_, number := parts(wire.Entity)
	chosen := t.form == Flat && number >= firstGiven && !t.inUse(wire.Entity)
	begins := wire.Kind == crdt.Put && wire.Component == schema.Stroke &&
		t.valid(schema.ClassStroke, wire)
	switch {
	case chosen && number >= firstMade && begins:
		e := t.numbers.stroke(t.now)
		t.numbers.bind(e, wire.Entity)
		t.takeFor(e, wire)
	case chosen && number >= firstMade && t.allowsForeign():
		// The number may be that of a foreign entity, which stays.
		if wire.Kind != crdt.Append {
			t.refuse(lostKey{wire.Entity, wire.Component, true}, wire.Timestamp)
		}
	case chosen:
		// There is no such entity, and never will be under this number.
		t.numbers.markUsedUp(wire.Entity)
		t.out.delete(wire.Entity)
	case wire.Kind != crdt.Append:
		t.refuse(lostKey{wire.Entity, wire.Component, true}, wire.Timestamp)
	}
}

// allowsForeign reports whether the table allows foreign components (C21).
func (l *Bridge) allowsForeign() bool {
	allowed, _ := schema.ForeignAllowed(l.view.Replica())
	return allowed
}

// inUse reports whether, in flat form, an entity has the number of wire in any version, and the
// replica has not deleted it.
func (t *taking) inUse(wire crdt.Entity) bool {
	return slices.ContainsFunc(
		t.numbers.upTo(wire|versioned(1<<versionBits-1, 0)),
		func(e crdt.Entity) bool { return !t.sent.deletes(e) },
	)
}

// valid reports whether somebody might be allowed to write the operation. If not, it need not go to
// the room.
func (t *taking) valid(class schema.Class, op *crdt.Op) bool {
	s, ok := schema.Find(class, op.Component)
	return ok && s.Takes(op.Kind) && !t.readOnly && !s.Derived && (!s.Foreign || t.allowsForeign()) &&
		schema.CheckOp(op) == nil
}

// takeFor processes an operation for an entity.
func (t *taking) takeFor(e crdt.Entity, wire *crdt.Op) {
	op := *wire
	op.Entity = e
	valid := t.valid(schema.AnyClassOf(e), wire) &&
		(schema.ClassOf(e) != schema.ClassPiece || t.pieces[e])
	if wire.Kind == crdt.Append {
		if valid && wire.Timestamp == 0 {
			op.Timestamp = t.nextElement(&op)
			wire.Timestamp = op.Timestamp
		}
		switch {
		case !valid:
			t.fail(t.deleteMissingStroke(e))
		case !t.view.Covers(&op):
			t.pass(op, wire)
		}
		return
	}
	key := lostKey{e, wire.Component, false}
	if t.travelled(e, wire) {
		t.tied(e, wire.Component)
	}
	order := 1
	stored := t.stored(e, wire.Component)
	if stored.Kind != 0 {
		order = replica.Compare(wire, &stored)
	} else if wire.Timestamp == 0 && valid && len(t.sent[e][wire.Component]) == 0 {
		t.shift(e, wire.Component, -1)
	}
	at := int64(wire.Timestamp) - t.offset(e, wire.Component)
	switch {
	case order < 0:
		t.lost(key)
	case order == 0:
	case !valid, at < 1 && stored.Kind != 0:
		t.refuse(key, wire.Timestamp)
	case at < 1: // the replica has written something greater since, which is pending
	default:
		op.Timestamp = clamped(at)
		t.pass(op, wire)
	}
}

// nextElement returns the timestamp of an element that the replica appends with the timestamp 0: it
// is above all in the set, and above those that are pending (C19.67).
func (t *taking) nextElement(op *crdt.Op) uint32 {
	last := t.view.Replica().SetTimestamp(op.Entity, op.Component)
	for _, s := range t.sent[op.Entity][op.Component] {
		if s.op.Kind == crdt.Append {
			last = max(last, s.op.Timestamp)
		}
	}
	return clamped(int64(last) + 1)
}

// pass passes an operation to the room.
func (t *taking) pass(op crdt.Op, wire *crdt.Op) {
	op.Data = bytes.Clone(op.Data)
	s := sent{op: op, wire: *wire, in: t.taken}
	s.wire.Data = nil
	t.sent.add(s)
	t.ops = append(t.ops, op)
}

// takeDeletion processes the deletion of an entity. Only strokes may be deleted (C16). All other
// entities are sent again, under another number.
func (t *taking) takeDeletion(wire crdt.Entity) error {
	if t.form == Protobuf && wire.Class() == crdt.Timed {
		return t.takeErasure(wire)
	}
	_, number := parts(wire)
	if schema.IsForeignEntity(wire) {
		if allowed := t.allowsForeign(); t.readOnly || !allowed {
			if err := t.restore(wire); err != nil {
				return err
			}
		} else {
			t.eraseForeign(wire)
		}
		if t.form != Flat && t.allowsForeign() {
			return nil
		}
	}
	if t.form == Flat && number >= firstGiven {
		gone := t.numbers.upTo(wire)
		for _, e := range gone {
			if err := t.erase(e, wire); err != nil {
				return err
			}
		}
		if len(gone) == 0 {
			t.numbers.markUsedUp(wire)
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
		return fmt.Errorf("%w: an entity has no number left", ErrResetRequired)
	}
	if err := t.numbers.endLives(e, life+1); err != nil {
		return err
	}
	return t.repeat(e)
}

// eraseForeign passes the deletion of a foreign entity to the room.
func (t *taking) eraseForeign(e crdt.Entity) {
	if !t.view.Replica().Deleted(e) && !t.sent.deletes(e) {
		op := crdt.Op{Kind: crdt.DeleteEntity, Entity: e}
		t.pass(op, &op)
	}
}

// takeErasure processes the deletion of a stroke, or of all strokes before a second, in protobuf
// form.
func (t *taking) takeErasure(wire crdt.Entity) error {
	if until, clears := schema.ClearsUntil(wire); clears && t.readOnly {
		return t.restoreBefore(until)
	} else if clears {
		t.pass(
			crdt.Op{Kind: crdt.DeleteEntity, Entity: wire},
			&crdt.Op{Kind: crdt.DeleteEntity, Entity: wire},
		)
		return nil
	}
	if e, means := t.numbers.resolve(wire); means == alive {
		return t.erase(e, wire)
	}
	return nil
}

// erase passes the deletion of a stroke to the room, which may refuse it. What may not be deleted
// is restored.
func (t *taking) erase(e, wire crdt.Entity) error {
	if t.readOnly || schema.ClassOf(e) != schema.ClassStroke {
		return t.restore(e)
	}
	if !t.view.Replica().Deleted(e) && !t.sent.deletes(e) {
		t.pass(
			crdt.Op{Kind: crdt.DeleteEntity, Entity: e},
			&crdt.Op{Kind: crdt.DeleteEntity, Entity: wire},
		)
	}
	return nil
}

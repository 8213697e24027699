// Package bridge translates between the components of a view and an outside replica: that of a bot
// or an engine, which knows nothing but operations and how they merge (docs/protocol/component.md,
// C19). Such a replica cannot learn that something was refused, or that a piece is not visible any
// more. So a Bridge changes the numbers of entities and shifts timestamps, in both directions,
// until merging alone brings the replica to what the view shows. Nobody else notices.
//
// A Bridge computes: it has no socket, no clock and no lock. Its inputs are the frames of a stream
// of the view, and the messages of the replica.
package bridge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/replica"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// Form says how operations are written on a bridge, in both directions.
type Form uint8

// The forms of a bridge.
const (
	Flat     Form = iota + 1 // frames, cut anywhere (C9)
	Protobuf                 // each message is a WireMessage (C8)
)

// ParseForm returns the form with that name, and false if there is none.
func ParseForm(name string) (Form, bool) {
	switch name {
	case "flat":
		return Flat, true
	case "protobuf":
		return Protobuf, true
	default:
		return 0, false
	}
}

// Bounds of a bridge.
const (
	// MaxShifted is how many keys may have timestamps of their own because something was refused.
	MaxShifted = 4096
	// MaxLives is how many rule-based numbers may have ended, because entities were deleted on the
	// bridge only.
	MaxLives = 65_536
	// messageSize is the size, in bytes, at which a message of operations is full. The last
	// operation may exceed it.
	messageSize = 64 << 10
)

// Errors that end a bridge, beside those of the decoders.
var (
	// ErrResetRequired says that the replica has to start again with nothing: it did not read in
	// time, or more has happened on the bridge than is remembered.
	ErrResetRequired = errors.New("the bridge must be reset")
	// ErrSpent says that a correction is impossible: after what the replica has written there is no
	// higher timestamp, or too many keys need a correction.
	ErrSpent = errors.New("there is nothing left with which to correct what was refused")
)

// Config is what a Bridge needs. Form and Random are required.
type Config struct {
	Form Form
	// ReadOnly refuses all that the replica writes: it belongs to a spectator.
	ReadOnly bool
	// Length says that the replica orders data by length first, then by bytes (C19.55).
	Length bool
	// Offset is added to the numbers of entities from 512 on, which go round (C19.58). It is at most
	// MaxOffset, and 0 in protobuf form.
	Offset uint16
	// CRC says that components of the registry have the numbers that engines compute from names
	// (C19.64). Not in protobuf form.
	CRC bool
	// Derived says that the replica gets what the view shows of the table, seats and pieces as
	// components, too (C23).
	Derived bool
	// Random returns a random number, of which 32 bits count. Strokes that are made on a bridge of
	// flat form, and strokes that need another number, get theirs by it.
	Random func() uint32
}

// Bridge is one bridge, from its beginning to its end. It is not safe for concurrent use. After an
// error it must not be used any more.
type Bridge struct {
	// Set at construction.
	form     Form
	readOnly bool
	length   bool
	edge     edge

	view         *replica.View        // the components of the view
	pieces       map[crdt.Entity]bool // that the view sees
	synchronised bool                 // it has got the full state
	epoch        id.Epoch             // of the full state
	version      id.Version           // the last version that it has got
	numbers      *numbers
	offsets      map[crdt.Entity]map[uint32]shift // of timestamps of a key on the bridge
	refusals     int                              // keys that have a shift because of a refusal
	tops         map[crdt.Entity]tops             // of keys that are tracked
	foreign      map[uint16][]crdt.Entity         // by number, foreign entities that have travelled
	ties         map[lostKey]bool                 // that are to be answered
	sent         pendingOps
	derived      *derived // nil: the replica gets the components of the table only
	taken        int      // messages
	decoder      crdt.FlatDecoder
	out          outbox
}

// New returns a Bridge that has no state yet.
func New(c Config) *Bridge {
	l := &Bridge{
		form:     c.Form,
		readOnly: c.ReadOnly,
		view:     replica.New(),
		pieces:   map[crdt.Entity]bool{},
		length:   c.Length,
		edge:     edge{offset: uint32(c.Offset), crc: c.CRC},
		offsets:  map[crdt.Entity]map[uint32]shift{},
		tops:     map[crdt.Entity]tops{},
		foreign:  map[uint16][]crdt.Entity{},
		ties:     map[lostKey]bool{},
		sent:     pendingOps{},
		decoder:  crdt.FlatDecoder{Zero: true},
	}
	if c.Derived {
		l.derived = newDerived()
	}
	l.out = outbox{form: c.Form, edge: l.edge}
	l.numbers = newNumbers(c.Form, c.Offset > 0, c.Random, func(e crdt.Entity) bool {
		r := l.view.Replica()
		return r.Deleted(e) || schema.AuthorOf(r, e) != 0
	})
	return l
}

// Synchronised reports whether the Bridge has got the full state. Before that, do not call
// FromReplica.
func (l *Bridge) Synchronised() bool { return l.synchronised }

// Settled reports whether all that the replica has written has come back, is overtaken, or was
// refused.
func (l *Bridge) Settled() bool { return len(l.sent) == 0 }

// FromView processes the next frame of the view's stream, and returns messages for the replica. The
// first frame has the full state (S5). A second full state is ErrResetRequired: it replaces events
// that were dropped, and these may have hidden something that the replica still shows.
func (l *Bridge) FromView(f *holtpb.Frame) ([][]byte, error) {
	for _, e := range f.GetEvents() {
		l.derived.event(e)
		var err error
		switch e := e.GetEvent().(type) {
		case *holtpb.Event_Full:
			err = l.full(e.Full)
		case *holtpb.Event_Components:
			err = l.changed(func(changed func(crdt.Op)) error {
				return l.view.Merge(e.Components, changed)
			})
		case *holtpb.Event_Update:
			err = l.update(e.Update)
		case *holtpb.Event_Refused:
			r := e.Refused
			err = l.refused(crdt.Entity(r.GetEntity()), r.GetComponent(), r.GetTimestamp())
		}
		if err != nil {
			return nil, err
		}
	}
	if m := id.Version(f.GetMark()); m != 0 {
		l.version = m
	}
	if err := l.derive(); err != nil {
		return nil, err
	}
	if err := l.resolveTies(); err != nil {
		return nil, err
	}
	return l.out.take(), nil
}

// full processes the full state, with which the bridge begins.
func (l *Bridge) full(f *holtpb.Full) error {
	if l.synchronised {
		return fmt.Errorf("%w: it was not read in time", ErrResetRequired)
	}
	l.synchronised, l.epoch = true, id.Epoch(f.GetEpoch())
	if err := l.view.Full(f.GetComponents()); err != nil {
		return err
	}
	for _, p := range f.GetPieces() {
		if err := l.appear(id.Piece(p.GetId()), func(crdt.Op) {}); err != nil {
			return err
		}
	}
	for op := range l.view.Replica().Ops() {
		if err := l.give(op); err != nil {
			return err
		}
	}
	return nil
}

// appear records that the view sees a piece. A bridge of flat form has an Identity of each piece,
// so that the replica can write to it (C19.39). The Identity is stored in this Bridge only, and
// passed to tell like other changes.
func (l *Bridge) appear(name id.Piece, tell func(crdt.Op)) error {
	e := schema.EntityOfPiece(name)
	l.pieces[e] = true
	if l.form != Flat {
		return nil
	}
	is := crdt.Op{
		Kind: crdt.Put, Entity: e, Component: schema.Identity, Timestamp: 1,
		Data: schema.Encode(&componentpb.Identity{Piece: uint32(name)}),
	}
	return l.view.Merge(crdt.AppendOp(nil, &is), tell)
}

// changed passes changes on to the replica, except its own operations.
func (l *Bridge) changed(merge func(changed func(crdt.Op)) error) error {
	var failed error
	err := merge(func(op crdt.Op) {
		if failed == nil {
			failed = l.give(op)
		}
		l.settle(op)
	})
	return errors.Join(err, failed)
}

// settle ends pending operations that have come back by op, or are overtaken by it.
func (l *Bridge) settle(op crdt.Op) {
	if op.Kind != crdt.DeleteEntity {
		l.sent.settle(op.Entity, op.Component, l.view.Covers)
		return
	}
	for e := range l.sent {
		if l.view.Replica().Deleted(e) {
			l.sent.end(e)
		}
	}
}

// give sends the replica an operation of the view, unless the replica has made it.
func (l *Bridge) give(op crdt.Op) error {
	if op.Kind == crdt.DeleteEntity {
		return l.giveDeletion(op.Entity)
	}
	if l.sent.deletes(op.Entity) {
		// The replica would not take it. If it may not delete the entity, it gets all of it again.
		return nil
	}
	entity, err := l.numbers.give(op.Entity)
	if err != nil {
		return err
	}
	wire, err := l.shifted(op)
	if err != nil {
		return err
	}
	wire.Entity = entity
	if l.sent.returns(&op, &wire) {
		return nil
	}
	if op.Kind != crdt.Append {
		if by := l.above(&op, l.offset(op.Entity, op.Component)); by != l.offset(
			op.Entity, op.Component,
		) {
			l.shift(op.Entity, op.Component, by)
			if wire, err = l.shifted(op); err != nil {
				return err
			}
			wire.Entity = entity
		}
	}
	return l.send(op.Entity, &wire)
}

// send sends the replica an operation for an entity, as it is on the bridge.
func (l *Bridge) send(e crdt.Entity, wire *crdt.Op) error {
	l.travelled(e, wire)
	return l.out.add(wire)
}

// giveForeignDeletion sends the replica that a foreign entity was deleted, and with it the lower
// versions of its number (C5). If the replica has made a stroke under the same number, that stays.
func (l *Bridge) giveForeignDeletion(e crdt.Entity) error {
	_, stroke := l.numbers.entity[e]
	known := l.sent.deletes(e)
	for _, gone := range l.endForeign(e) {
		of := l.tops[gone]
		l.unshift(gone)
		if stroke && !known {
			if err := l.buryValues(gone, of, schema.IsForeign); err != nil {
				return err
			}
		}
	}
	if !stroke && !known {
		l.out.delete(e)
	}
	return nil
}

// noteForeign notes that something has travelled for a foreign entity.
func (l *Bridge) noteForeign(e crdt.Entity) {
	if _, number := parts(e); schema.IsForeignEntity(e) && !slices.Contains(l.foreign[number], e) {
		l.foreign[number] = append(l.foreign[number], e)
	}
}

// endForeign removes a foreign entity and the lower versions of its number from those that have
// travelled, and returns them.
func (l *Bridge) endForeign(e crdt.Entity) (gone []crdt.Entity) {
	_, number := parts(e)
	left := slices.DeleteFunc(l.foreign[number], func(of crdt.Entity) bool {
		if of <= e {
			gone = append(gone, of)
		}
		return of <= e
	})
	if l.foreign[number] = left; len(left) == 0 {
		delete(l.foreign, number)
	}
	return gone
}

// showsForeign reports whether the view has anything that the deletion of a foreign entity deletes.
func (l *Bridge) showsForeign(e crdt.Entity) bool {
	_, number := parts(e)
	return slices.ContainsFunc(l.foreign[number], func(of crdt.Entity) bool {
		for range l.view.Replica().OpsOf(of) {
			return of <= e
		}
		return false
	})
}

// giveDeletion sends the replica that a foreign entity or a stroke was deleted, or all strokes
// before a second, by the numbers of the bridge.
func (l *Bridge) giveDeletion(e crdt.Entity) error {
	if schema.IsForeignEntity(e) {
		return l.giveForeignDeletion(e)
	}
	gone := []crdt.Entity{e}
	until, clears := schema.ClearsUntil(e)
	if clears {
		gone = l.numbers.strokesBefore(until)
		if l.form == Protobuf {
			l.out.delete(e)
		}
	}
	for _, stroke := range gone {
		of := l.tops[stroke]
		l.unshift(stroke)
		if wire, ok := l.numbers.end(stroke); ok {
			if err := l.bury(wire, of); err != nil {
				return err
			}
		}
	}
	for stroke := range l.offsets { // those that had no chosen number
		if made, ok := schema.SecondOf(stroke); ok && clears && made < until {
			l.unshift(stroke)
		}
	}
	return nil
}

// update processes what becomes of a piece.
func (l *Bridge) update(u *holtpb.Update) error {
	p := u.GetPiece()
	e, sheds := replica.DropsLabels(p, table.Op(min(max(u.GetOp(), 0), 255)))
	if saw := l.pieces[e]; saw && !sheds {
		return nil
	} else if saw {
		delete(l.pieces, e)
		if err := l.dropLabels(e, !p.GetGone() && p.GetRenamed() == 0); err != nil {
			return err
		}
	}
	if p.GetGone() {
		return nil
	}
	return l.changed(func(changed func(crdt.Op)) error {
		return l.appear(id.Piece(cmp.Or(p.GetRenamed(), p.GetId())), changed)
	})
}

// dropLabels drops the components of a piece (C15). For the replica the entity is deleted, and the
// piece gets another number. A replica that knows nothing of the piece may be about to write to it:
// if the piece keeps its name, its number has to end nevertheless; otherwise the write has no
// effect anyway.
func (l *Bridge) dropLabels(e crdt.Entity, keepsName bool) error {
	known := l.view.Forget(e) || l.offsets[e] != nil || l.sent[e] != nil
	l.sent.end(e)
	if !known && !keepsName {
		return nil
	}
	return l.retire(e)
}

// retire ends the number of an entity and sends the replica the deletion.
func (l *Bridge) retire(e crdt.Entity) error {
	of := l.tops[e]
	l.unshift(e)
	wire, ok, err := l.numbers.renew(e)
	if ok && err == nil {
		err = l.bury(wire, of)
	}
	return err
}

// restore sends the replica an entity again, under another number, because the replica has deleted
// the entity and may not. A foreign entity has one number only, so the replica has to begin again
// if the entity is still there (C21.17).
func (l *Bridge) restore(e crdt.Entity) error {
	if schema.IsForeignEntity(e) {
		if !l.showsForeign(e) {
			return nil
		}
		return fmt.Errorf("%w: it has deleted an entity that it may not delete", ErrResetRequired)
	}
	l.unshift(e)
	if _, _, err := l.numbers.renew(e); err != nil {
		return err
	}
	return l.repeat(e)
}

// repeat sends the replica all that an entity has.
func (l *Bridge) repeat(e crdt.Entity) error {
	for op := range l.view.Replica().OpsOf(e) {
		if err := l.give(op); err != nil {
			return err
		}
	}
	return nil
}

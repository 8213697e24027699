// Package bridge translates between the components of a view and a replica outside: a bot's or an engine's, which knows nothing
// but operations and how they merge (docs/protocol/component.md, C19). Such a replica cannot be told that something was
// refused, or that a piece has gone out of sight; so a Link numbers entities and shifts timestamps on the way, in both
// directions, until merging alone brings the replica to what the view shows. Nobody else notices.
//
// A Link computes: it has no socket, no clock and no lock. What it is told are the frames of a stream of the view, what it
// takes are the messages of the replica.
package bridge

import (
	"cmp"
	"errors"
	"fmt"

	"holt/server/components/crdt"
	"holt/server/components/replica"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// Form says how operations are written on a link, in both directions.
type Form uint8

// The forms.
const (
	Flat     Form = iota + 1 // frames, cut anywhere (C9)
	Protobuf                 // a WireMessage each (C8)
)

// ParseForm returns the form of that name. It reports false if there is none.
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

// Bounds of a link.
const (
	// MaxShifted is how many keys may have had something refused, and so timestamps of their own.
	MaxShifted = 4096
	// MaxLives is how many numbers may have ended that entities have by rule, because the entities were deleted on the link alone.
	MaxLives = 65_536
	// messageSize is how many bytes of operations a message has at most, but for the last one in it.
	messageSize = 64 << 10
)

// Errors that end a link, beside those of the decoders.
var (
	// ErrAnew says that the replica has to begin anew, with nothing: it did not read what it was told, or more has happened
	// on the link than is remembered.
	ErrAnew = errors.New("the link has to begin anew")
	// ErrSpent says that what the replica has written leaves no timestamp, or too many keys, to correct it.
	ErrSpent = errors.New("there is nothing left with which to correct what was refused")
)

// Config is what a link is made with. Form and Draw are required.
type Config struct {
	Form Form
	// ReadOnly refuses all that the replica writes: it is a spectator's.
	ReadOnly bool
	// Draw returns a number drawn by lot, of which 32 bits count. Strokes that are made on a flat link get their numbers by it.
	Draw func() uint32
}

// Link is one link, from its beginning to its end. It is not safe for concurrent use. After an error it is of no use any more.
type Link struct {
	// Set at construction.
	form     Form
	readOnly bool

	mirror  *replica.Mirror      // what the view has been told
	pieces  map[crdt.Entity]bool // that it sees
	whole   bool                 // it has been told the full state
	epoch   id.Epoch             // of the full state
	mark    id.Mark              // up to which it has been told
	numbers *numbers
	shifts  map[crdt.Entity]map[uint32]uint32 // by how much timestamps of a key are higher on the link
	shifted int                               // keys that have a shift
	sent    flights
	taken   int // messages
	decoder crdt.FlatDecoder
	out     outbox
}

// New returns a link that has been told nothing yet.
func New(c Config) *Link {
	l := &Link{form: c.Form, readOnly: c.ReadOnly, mirror: replica.New(), pieces: map[crdt.Entity]bool{}, shifts: map[crdt.Entity]map[uint32]uint32{}, sent: flights{}, out: outbox{form: c.Form}}
	l.numbers = newNumbers(c.Form, c.Draw, func(e crdt.Entity) bool {
		r := l.mirror.Replica()
		return r.Deleted(e) || schema.AuthorOf(r, e) != 0
	})
	return l
}

// Whole reports whether the link has been told the full state: before that nothing can be taken.
func (l *Link) Whole() bool { return l.whole }

// Settled reports whether all that the replica has written has come back, is overtaken, or was refused.
func (l *Link) Settled() bool { return len(l.sent) == 0 }

// Tell takes the next frame of the view's stream, and returns messages for the replica. The first frame has the full state
// (S5); a second full state is ErrAnew, for what was dropped before it may have to be taken back.
func (l *Link) Tell(f *holtpb.Frame) ([][]byte, error) {
	for _, e := range f.GetEvents() {
		var err error
		switch e := e.GetEvent().(type) {
		case *holtpb.Event_Full:
			err = l.full(e.Full)
		case *holtpb.Event_Components:
			err = l.changed(func(changed func(crdt.Op)) error { return l.mirror.Merge(e.Components, changed) })
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
	if m := id.Mark(f.GetMark()); m != 0 {
		l.mark = m
	}
	return l.out.take(), nil
}

// full begins the link.
func (l *Link) full(f *holtpb.Full) error {
	if l.whole {
		return fmt.Errorf("%w: it was not read in time", ErrAnew)
	}
	l.whole, l.epoch = true, id.Epoch(f.GetEpoch())
	if err := l.mirror.Full(f.GetComponents()); err != nil {
		return err
	}
	for _, p := range f.GetPieces() {
		if err := l.appear(id.Piece(p.GetId()), func(crdt.Op) {}); err != nil {
			return err
		}
	}
	for op := range l.mirror.Replica().Ops() {
		if err := l.give(op); err != nil {
			return err
		}
	}
	return nil
}

// appear takes in that the view sees a piece. A flat link has an Identity of each, so that the replica can write on it: it is
// stored here alone, and given to tell like whatever else is told of the piece.
func (l *Link) appear(name id.Piece, tell func(crdt.Op)) error {
	e := schema.EntityOfPiece(name)
	l.pieces[e] = true
	if l.form != Flat {
		return nil
	}
	is := crdt.Op{Kind: crdt.Put, Entity: e, Component: schema.Identity, Timestamp: 1, Data: schema.Encode(&componentpb.Identity{Piece: uint32(name)})}
	return l.mirror.Merge(crdt.AppendOp(nil, &is), tell)
}

// changed passes on what has changed, but for what the replica has itself.
func (l *Link) changed(merge func(changed func(crdt.Op)) error) error {
	var failed error
	err := merge(func(op crdt.Op) {
		if failed == nil {
			failed = l.give(op)
		}
		l.settle(op)
	})
	return errors.Join(err, failed)
}

// settle ends what is under way that has come back with op, or is overtaken by it.
func (l *Link) settle(op crdt.Op) {
	if op.Kind != crdt.DeleteEntity {
		l.sent.settle(op.Entity, op.Component, l.mirror.Covers)
		return
	}
	for e := range l.sent {
		if l.mirror.Replica().Deleted(e) {
			l.sent.end(e)
		}
	}
}

// give sends the replica an operation that the view is told, unless it comes back to where it was made.
func (l *Link) give(op crdt.Op) error {
	if op.Kind == crdt.DeleteEntity {
		l.giveDeletion(op.Entity)
		return nil
	}
	if l.sent.deletes(op.Entity) {
		return nil // it would not take it; if it may not delete it, it is told all of it again
	}
	entity, err := l.numbers.give(op.Entity)
	if err != nil {
		return err
	}
	shift := l.shift(op.Entity, op.Component)
	if op.Timestamp > crdt.MaxTimestamp-shift {
		return fmt.Errorf("%w: a timestamp", ErrSpent)
	}
	wire := op
	wire.Entity, wire.Timestamp = entity, op.Timestamp+shift
	if l.sent.returns(&op, &wire) {
		return nil
	}
	return l.out.add(&wire)
}

// giveDeletion tells the replica that a stroke was deleted, or all before a second: on the link that goes by its own numbers.
func (l *Link) giveDeletion(e crdt.Entity) {
	gone := []crdt.Entity{e}
	if until, clears := schema.ClearsUntil(e); clears {
		gone = l.numbers.strokesBefore(until)
		for stroke := range l.shifts {
			if made, ok := schema.SecondOf(stroke); ok && made < until {
				l.unshift(stroke)
			}
		}
		if l.form == Protobuf {
			l.out.delete(e)
		}
	}
	for _, stroke := range gone {
		l.unshift(stroke)
		if wire, ok := l.numbers.end(stroke); ok {
			l.out.delete(wire)
		}
	}
}

// update takes what becomes of a piece.
func (l *Link) update(u *holtpb.Update) error {
	p := u.GetPiece()
	e, sheds := replica.Sheds(p, table.Op(min(max(u.GetOp(), 0), 255)))
	if saw := l.pieces[e]; saw && !sheds {
		return nil
	} else if saw {
		delete(l.pieces, e)
		if err := l.shed(e, !p.GetGone() && p.GetRenamed() == 0); err != nil {
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

// shed lets the components of a piece go (C15): for the replica the entity is deleted, and the piece gets another one. Who has
// been told nothing of it may be about to write on it, too; that comes to nothing by itself if the piece has not kept its name.
func (l *Link) shed(e crdt.Entity, keepsName bool) error {
	known := l.mirror.Forget(e) || l.shifts[e] != nil || l.sent[e] != nil
	l.sent.end(e)
	if !known && !keepsName {
		return nil
	}
	return l.retire(e)
}

// retire ends the number of an entity and tells the replica.
func (l *Link) retire(e crdt.Entity) error {
	l.unshift(e)
	wire, ok, err := l.numbers.renew(e)
	if ok {
		l.out.delete(wire)
	}
	return err
}

// restore tells the replica again what an entity has that it has deleted and may not delete: under another number.
func (l *Link) restore(e crdt.Entity) error {
	l.unshift(e)
	if _, _, err := l.numbers.renew(e); err != nil {
		return err
	}
	return l.repeat(e)
}

// repeat tells the replica what an entity has.
func (l *Link) repeat(e crdt.Entity) error {
	for op := range l.mirror.Replica().OpsOf(e) {
		if err := l.give(op); err != nil {
			return err
		}
	}
	return nil
}

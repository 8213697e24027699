package bridge

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// derived is what a Bridge keeps of its view to send it as components (C23). It has what the frames
// of the stream say and nothing else, so that no rule of secrecy exists twice.
type derived struct {
	table  *holtpb.TableInfo
	kinds  []game.Kind // of the catalogue; empty while it cannot be read
	seats  map[crdt.Entity]*holtpb.Seat
	pieces map[crdt.Entity]*holtpb.Piece
	counts map[crdt.Entity]uint32 // of what lies in hands and containers
	// changed has the entities of which something has changed in this frame.
	changed map[crdt.Entity]bool
}

func newDerived() *derived {
	return &derived{
		seats: map[crdt.Entity]*holtpb.Seat{}, pieces: map[crdt.Entity]*holtpb.Piece{},
		counts: map[crdt.Entity]uint32{}, changed: map[crdt.Entity]bool{},
	}
}

// SetKinds sets the kinds of the catalogue that the next frame names. Before that the Bridge sends
// kinds and faces by their numbers alone. It does not change all.
func (l *Bridge) SetKinds(all []game.Kind) {
	if l.derived == nil {
		return
	}
	l.derived.kinds = all
	for e := range l.derived.pieces {
		l.derived.changed[e] = true
	}
}

// event takes an event of the stream.
func (d *derived) event(e *holtpb.Event) {
	if d == nil {
		return
	}
	switch e := e.GetEvent().(type) {
	case *holtpb.Event_Full:
		d.info(e.Full.GetTable())
		for _, s := range e.Full.GetSeats() {
			d.seat(s)
		}
		for _, p := range e.Full.GetPieces() {
			d.piece(p)
		}
		for _, h := range e.Full.GetHolds() {
			d.holds(h)
		}
	case *holtpb.Event_Table:
		d.info(e.Table)
	case *holtpb.Event_Seat:
		d.seat(e.Seat)
	case *holtpb.Event_Update:
		d.piece(e.Update.GetPiece())
	case *holtpb.Event_Holds:
		d.holds(e.Holds)
	}
}

func (d *derived) info(t *holtpb.TableInfo) {
	d.table, d.changed[schema.TheTable] = t, true
}

func (d *derived) seat(s *holtpb.Seat) {
	e := schema.EntityOfSeat(id.Seat(s.GetId()))
	d.seats[e], d.changed[e] = s, true
}

// holds takes how many pieces lie in a piece. It may come before the piece does.
func (d *derived) holds(h *holtpb.Holds) {
	e := schema.EntityOfPiece(id.Piece(h.GetPiece()))
	n := uint32(0)
	for _, count := range h.GetCounts() {
		n += count
	}
	d.counts[e], d.changed[e] = n, true
}

// piece takes what has changed of a piece.
func (d *derived) piece(p *holtpb.Piece) {
	e := schema.EntityOfPiece(id.Piece(p.GetId()))
	now, known := d.pieces[e]
	if !known {
		now = &holtpb.Piece{}
	}
	if p.GetGone() || p.GetRenamed() != 0 {
		delete(d.pieces, e)
		delete(d.changed, e)
	}
	count, counted := d.counts[e]
	if p.GetGone() {
		delete(d.counts, e)
		return
	}
	if p.GetRenamed() != 0 {
		delete(d.counts, e)
		e = schema.EntityOfPiece(id.Piece(p.GetRenamed()))
		if counted {
			d.counts[e] = count
		}
	}
	assign(&now.Kind, p.Kind)
	assign(&now.X, p.X)
	assign(&now.Y, p.Y)
	assign(&now.Angle, p.Angle)
	assign(&now.Face, p.Face)
	assign(&now.Z, p.Z)
	assign(&now.Holder, p.Holder)
	assign(&now.Owner, p.Owner)
	assign(&now.Value, p.Value)
	assign(&now.Text, p.Text)
	if p.Clock != nil {
		now.Clock = p.Clock
	}
	d.pieces[e], d.changed[e] = now, true
}

// assign takes a field if it is there.
func assign[T any](to **T, from *T) {
	if from != nil {
		*to = from
	}
}

// derive sends the replica what has changed of what the view shows, each component once for a
// frame.
func (l *Bridge) derive() error {
	d := l.derived
	if d == nil || !l.synchronised {
		return nil
	}
	for _, e := range slices.Sorted(maps.Keys(d.changed)) {
		var err error
		switch p, s := d.pieces[e], d.seats[e]; {
		case e == schema.TheTable:
			err = l.put(e, schema.About, schema.Encode(&componentpb.About{
				Title: d.table.GetTitle(), Width: d.table.GetWidth(), Height: d.table.GetHeight(),
				Surface: d.table.GetSurface(),
			}))
		case s != nil:
			err = l.derivePerson(e, s)
		case p != nil && l.pieces[e]:
			err = l.derivePiece(e, p)
		}
		if err != nil {
			return err
		}
	}
	clear(d.changed)
	return nil
}

func (l *Bridge) derivePerson(e crdt.Entity, s *holtpb.Seat) error {
	if s.GetLeft() != 0 {
		return l.remove(e, schema.Person)
	}
	return l.put(e, schema.Person, schema.Encode(&componentpb.Person{
		Name: s.GetNick(), Colour: s.GetColour(), Role: uint32(s.GetRole()), //nolint:gosec // an enum
		Presence: uint32(s.GetPresence()), //nolint:gosec // an enum
		Home:     s.GetHome(), Number: s.GetNumber(),
	}))
}

func (l *Bridge) derivePiece(e crdt.Entity, p *holtpb.Piece) error {
	kind := game.Kind{}
	if n := p.GetKind(); uint64(n) < uint64(len(l.derived.kinds)) {
		kind = l.derived.kinds[n]
	}
	face := ""
	if n := p.GetFace(); uint64(n) < uint64(len(kind.Faces)) {
		face = kind.Faces[n].Name
	}
	if err := l.put(e, schema.Kind, schema.Encode(&componentpb.Kind{
		Number: p.GetKind(), Name: kind.Name, Ability: kind.Ability(),
	})); err != nil {
		return err
	}
	if err := l.put(e, schema.Place, schema.Encode(&componentpb.Place{
		X: p.GetX(), Y: p.GetY(), Angle: p.GetAngle(), Z: p.GetZ(), Owner: p.GetOwner(),
	})); err != nil {
		return err
	}
	if err := l.put(e, schema.Face, schema.Encode(&componentpb.Face{
		Face: p.GetFace(), Name: face, Value: p.GetValue(), Text: p.GetText(),
	})); err != nil {
		return err
	}
	if err := l.putIf(
		p.GetHolder() != 0, e, schema.Holder, &componentpb.Seat{Seat: p.GetHolder()},
	); err != nil {
		return err
	}
	n := l.derived.counts[e]
	if err := l.putIf(n != 0, e, schema.Contents, &componentpb.Contents{Count: n}); err != nil {
		return err
	}
	c := p.GetClock()
	return l.putIf(c != nil, e, schema.Clock, &componentpb.Clock{
		Running: c.GetRunning(), Since: c.GetSince(), Left1: c.GetLeft1(), Left2: c.GetLeft2(),
		Up: kind.Clock.CountsUp, Sides: uint32(kind.Clock.Sides()), //nolint:gosec // 0 to 2
	})
}

// putIf sets a component of the view that only this Bridge has, or removes it.
func (l *Bridge) putIf(is bool, e crdt.Entity, component uint32, m schema.Message) error {
	if !is {
		return l.remove(e, component)
	}
	return l.put(e, component, schema.Encode(m))
}

// put sets a component of the view that only this Bridge has, and sends it if it is another one.
func (l *Bridge) put(e crdt.Entity, component uint32, data []byte) error {
	r := l.view.Replica()
	if was, ok := r.Get(e, component); ok && bytes.Equal(was, data) {
		return nil
	}
	op, err := r.Put(e, component, data)
	if err != nil {
		return fmt.Errorf("derive a component: %w", err)
	}
	return l.give(op)
}

// remove removes a component of the view that only this Bridge has.
func (l *Bridge) remove(e crdt.Entity, component uint32) error {
	r := l.view.Replica()
	if _, ok := r.Get(e, component); !ok {
		return nil
	}
	op, err := r.Delete(e, component)
	if err != nil {
		return fmt.Errorf("derive a component: %w", err)
	}
	return l.give(op)
}

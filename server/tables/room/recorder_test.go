package room_test

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// recorder is a viewer's recorder: it reads every byte of their streams.
type recorder struct {
	who  string
	seat id.Seat
	// Faces since the stream was opened: what the page had not read is sent again (S5).
	received map[string]int
}

// checkFrame checks a frame, byte by byte and field by field.
func (c *checker) checkFrame(r *recorder, raw []byte) {
	c.t.Helper()
	v := c.view(r.seat)
	f, err := wire.DecodeFrame(raw)
	if err != nil {
		c.t.Fatal(err)
	}
	c.met["frames"]++
	for oid := range c.names {
		if bytes.Contains(raw, oid[:]) {
			c.t.Errorf("T21 %s gets the identity %v of a piece: %v", r.who, oid, f)
		}
	}
	for set := range c.sets {
		if bytes.Contains(raw, set[:]) {
			c.t.Errorf("T37 %s gets the identity %v of a set: %v", r.who, set, f)
		}
	}
	for text := range c.texts {
		if !v.texts[text] && bytes.Contains(raw, []byte(text)) {
			c.t.Errorf("T23 %s gets the text %q: %v", r.who, text, f)
		}
	}
	for _, seed := range c.seeds {
		if bytes.Contains(raw, seed) {
			c.t.Errorf("%s gets the seed of a sealed round: %v", r.who, f)
		}
	}
	for _, e := range f.GetEvents() {
		if e.GetResumed() != nil {
			clear(r.received)
		}
		c.event(r, v, e)
	}
}

// event checks pieces, numbers and faces in an event, and that it has no name that the view does
// not know.
func (c *checker) event(r *recorder, v *knowledge, e *holtpb.Event) {
	c.t.Helper()
	for _, p := range e.GetFull().GetPieces() {
		c.checkComplete(r, v, p)
	}
	if p := e.GetReject().GetPiece(); p.GetGone() {
		if !proto.Equal(p, &holtpb.Piece{
			Id: p.GetId(), Mark: p.GetMark(), Gone: proto.Bool(true),
		}) {
			c.t.Errorf("T15 %s gets more of a piece than it may: %v", r.who, e)
		}
		c.met["gone"]++
		return
	} else if p != nil {
		c.checkComplete(r, v, p)
	}
	c.checkFields(r, v, e.GetUpdate().GetPiece())
	c.checkFields(r, v, e.GetAck().GetPiece())
	for _, h := range countEvents([]*holtpb.Event{e}) {
		counts := map[uint32]uint32{}
		for i, sort := range h.GetKinds() {
			counts[sort] = h.GetCounts()[i]
		}
		if !c.public[numbers(id.Piece(h.GetPiece()), counts)] || !c.counted(id.Piece(h.GetPiece())) {
			c.t.Errorf("T29 %s gets %v", r.who, h)
		}
		c.met["holds"]++
	}
	if n := e.GetNotice(); n != nil {
		if n.GetCount() != 0 && n.GetPiece() != 0 && !c.counted(id.Piece(n.GetPiece())) {
			c.t.Errorf("T29 %s gets %v", r.who, n)
		}
		c.met["notices"]++
	}
	if s := e.GetFaces(); s != nil {
		key := shown(s.GetBy(), uint32(s.GetOp()), s.GetKinds())
		if r.received[key]++; r.received[key] > v.faces[key] {
			c.t.Errorf("T31 %s sees %v", r.who, s)
		}
		c.met["faces"]++
	}
	c.checkNames(r, v, e)
}

// counted reports whether everybody may know how many pieces lie in something.
func (c *checker) counted(piece id.Piece) bool {
	for oid, name := range c.names {
		if name == piece {
			k := c.states[oid].Kind
			return k != cardsPouch && k != cardsBag
		}
	}
	return true // it is gone
}

// checkComplete checks a piece that comes complete: it looked so at some time, to a viewer that may
// know it.
func (c *checker) checkComplete(r *recorder, v *knowledge, p *holtpb.Piece) {
	c.t.Helper()
	if p.GetId() == 0 {
		return
	}
	team, ok := table.NewTeam(seatsOf(p.GetTeam().GetSeats()))
	l := look{
		kind: p.GetKind(), x: p.GetX(), y: p.GetY(), angle: int32(p.GetAngle()),
		face: int32(p.GetFace()), z: p.GetZ(), pinned: p.GetPinned(), locked: p.GetLocked(),
		holder: id.Seat(p.GetHolder()), owner: id.Seat(p.GetOwner()), team: team,
		value: p.GetValue(), text: p.GetText(),
	}
	if !ok || !v.looks[id.Piece(p.GetId())][l] {
		c.t.Errorf("T21, T22, T23 %s gets the entity %v", r.who, p)
	}
	c.met["whole"]++
}

func seatsOf(numbers []uint32) (seats []id.Seat) {
	for _, n := range numbers {
		seats = append(seats, id.Seat(n))
	}
	return seats
}

// checkFields checks the fields of a piece: each of them looked so at some time, to a viewer that
// may know it, under its name or its new one.
func (c *checker) checkFields(r *recorder, v *knowledge, p *holtpb.Piece) {
	c.t.Helper()
	if p == nil || p.GetGone() {
		return
	}
	var looks []look
	for _, name := range []uint32{p.GetId(), p.GetRenamed()} {
		for l := range v.looks[id.Piece(name)] {
			looks = append(looks, l)
		}
	}
	some := func(is bool, as func(look) bool) {
		c.t.Helper()
		if is && !slices.ContainsFunc(looks, as) {
			c.t.Errorf("T21, T22, T23 %s gets %v", r.who, p)
		}
	}
	some(true, func(l look) bool {
		return (p.Kind == nil || l.kind == p.GetKind()) &&
			(p.Face == nil || l.face == int32(p.GetFace()))
	})
	some(p.X != nil, func(l look) bool { return l.x == p.GetX() })
	some(p.Y != nil, func(l look) bool { return l.y == p.GetY() })
	some(p.Angle != nil, func(l look) bool { return l.angle == int32(p.GetAngle()) })
	some(p.Z != nil, func(l look) bool { return l.z == p.GetZ() })
	some(p.Value != nil, func(l look) bool { return l.value == p.GetValue() })
	some(p.Text != nil, func(l look) bool { return l.text == p.GetText() })
	some(p.Owner != nil, func(l look) bool { return uint32(l.owner) == p.GetOwner() })
	some(p.Holder != nil, func(l look) bool { return uint32(l.holder) == p.GetHolder() })
	c.met["parts"]++
}

// checkNames checks every number in a message that could be the name of a piece, in any field: the
// view must know that name.
func (c *checker) checkNames(r *recorder, v *knowledge, m proto.Message) {
	c.t.Helper()
	check := func(n uint32) {
		c.t.Helper()
		if name := id.Piece(n); name >= table.MinRandomName && name <= table.MaxRandomName &&
			v.looks[name] == nil {
			c.t.Errorf("T21 %s gets the identifier %d: %v", r.who, n, m)
		}
	}
	var walk func(protoreflect.Message)
	walk = func(m protoreflect.Message) {
		m.Range(func(f protoreflect.FieldDescriptor, value protoreflect.Value) bool {
			switch {
			// Other numbers that may be large.
			case slices.Contains([]protoreflect.Name{"colour", "angle", "lag", "span"}, f.Name()):
			case f.Kind() == protoreflect.MessageKind && f.IsList():
				for i := range value.List().Len() {
					walk(value.List().Get(i).Message())
				}
			case f.Kind() == protoreflect.MessageKind:
				walk(value.Message())
			case f.Kind() == protoreflect.Uint32Kind && f.IsList():
				n := uint32(0)
				for i := range value.List().Len() {
					if f.Name() != "ids" {
						n = 0 // those of paths are written as differences
					}
					n += uint32(value.List().Get(i).Uint())
					check(n)
				}
			case f.Kind() == protoreflect.Uint32Kind:
				check(uint32(value.Uint()))
			}
			return true
		})
	}
	walk(m.ProtoReflect())
}

// wantTruth checks that a view gets everything that it may know, and no more.
func (c *checker) wantTruth(who string, seat id.Seat, full *holtpb.Full) {
	c.t.Helper()
	view := seat
	if c.views[seat] == nil {
		view = 0
	}
	want := map[id.Piece]bool{}
	for oid, s := range c.states {
		if maySee(&s, view) {
			want[c.names[oid]] = true
		}
	}
	for _, p := range full.GetPieces() {
		if !want[id.Piece(p.GetId())] {
			c.t.Errorf("T21 %s sees %v, which does not exist", who, p)
		}
		delete(want, id.Piece(p.GetId()))
	}
	if len(want) > 0 {
		c.t.Errorf("T21 %s does not see %v", who, want)
	}
	counted := 0
	for in, counts := range c.counts {
		if len(counts) > 0 && c.counted(in) {
			counted++
		}
	}
	if counted != len(full.GetHolds()) {
		c.t.Errorf("T29 %s gets %v, the truth is %v", who, full.GetHolds(), c.counts)
	}
	for _, h := range full.GetHolds() {
		for i, sort := range h.GetKinds() {
			if c.counts[id.Piece(h.GetPiece())][sort] != h.GetCounts()[i] {
				c.t.Errorf("T29 %s gets %v, the truth is %v", who, h, c.counts)
			}
		}
	}
}

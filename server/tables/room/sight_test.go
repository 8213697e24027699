package room_test

import (
	"cmp"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// sight is the table as a client sees it, from all that it was sent.
type sight struct {
	you    id.Seat
	pieces map[id.Piece]*holtpb.Piece
	holds  map[id.Piece]*holtpb.Holds
}

// take applies an event.
func (s *sight) take(e *holtpb.Event) {
	if f := e.GetFull(); f != nil {
		s.you = id.Seat(f.GetYou())
		s.pieces, s.holds = map[id.Piece]*holtpb.Piece{}, map[id.Piece]*holtpb.Holds{}
		for _, p := range f.GetPieces() {
			s.pieces[id.Piece(p.GetId())] = proto.CloneOf(p)
		}
		for _, h := range f.GetHolds() {
			s.holds[id.Piece(h.GetPiece())] = h
		}
	}
	if h := e.GetHolds(); h != nil {
		s.holds[id.Piece(h.GetPiece())] = h
		if len(h.GetCounts()) == 0 {
			delete(s.holds, id.Piece(h.GetPiece()))
		}
	}
	if p := e.GetReject().GetPiece(); p != nil {
		delete(s.pieces, id.Piece(p.GetId())) // it comes complete
		s.piece(p, true)
	}
	s.piece(e.GetUpdate().GetPiece(), true)
	s.piece(e.GetAck().GetPiece(), false)
}

// own applies an update that the client makes itself: the ack does not repeat what that says (T9,
// T10).
func (s *sight) own(u *table.Update) {
	p := s.pieces[u.Piece]
	if p == nil {
		return
	}
	if u.Has&table.HasXY != 0 && u.Op != table.OpCopy && u.Op != table.OpDraw &&
		u.Op != table.OpSplit {
		p.X, p.Y = proto.Int32(u.X), proto.Int32(u.Y)
	}
	if u.Has&table.HasAngle != 0 {
		p.Angle = proto.Uint32(uint32(u.Angle))
	}
	if u.Has&table.HasText != 0 {
		p.Text = proto.String(u.Text)
	}
	switch u.Op {
	case table.OpFlip:
		p.Face = proto.Uint32(uint32(u.Face))
	case table.OpGrab, table.OpWrest:
		p.Holder = proto.Uint32(uint32(s.you))
	case table.OpRelease:
		p.Holder = nil
	case table.OpPin, table.OpUnpin:
		p.Pinned = proto.Bool(u.Op == table.OpPin)
	default:
	}
}

// piece applies what was sent of a piece. An ack does not bring back a piece that is gone.
func (s *sight) piece(p *holtpb.Piece, brings bool) {
	name := id.Piece(p.GetId())
	known := s.pieces[name]
	switch {
	case p == nil || known == nil && !brings:
		return
	case p.GetGone():
		delete(s.pieces, name)
		delete(s.holds, name)
		return
	case known == nil:
		known = &holtpb.Piece{}
		s.pieces[name] = known
	}
	if p.Team != nil {
		known.Team = nil
	}
	if p.Clock != nil {
		known.Clock = nil
	}
	proto.Merge(known, p)
	if to := id.Piece(p.GetRenamed()); to != 0 {
		known.Id, known.Renamed = uint32(to), nil
		delete(s.pieces, name)
		s.pieces[to] = known
	}
}

// all returns the pieces for which is holds, ordered by how they lie: names are random.
func (s *sight) all(is func(*holtpb.Piece) bool) []*holtpb.Piece {
	var found []*holtpb.Piece
	order := func(a, b *holtpb.Piece) int {
		return cmp.Or(cmp.Compare(a.GetX(), b.GetX()), cmp.Compare(a.GetY(), b.GetY()),
			cmp.Compare(a.GetZ(), b.GetZ()), cmp.Compare(a.GetZMark(), b.GetZMark()))
	}
	for _, p := range slices.SortedFunc(maps.Values(s.pieces), order) {
		if is(p) {
			found = append(found, p)
		}
	}
	return found
}

package wire

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// MaxUp is the greatest message, in bytes, that a client may send up the stream (S9).
const MaxUp = 4 << 10

// PieceWhole returns every field of a piece, for a full state or a reject.
func PieceWhole(s *table.Shown) *holtpb.Piece {
	return PieceChange(&table.Shown{}, s)
}

// PieceChange returns the fields in which a piece differs from what it was, beside its name and mark.
func PieceChange(was, is *table.Shown) *holtpb.Piece {
	p := &holtpb.Piece{Id: uint32(is.Name), Mark: uint64(is.Mark)}
	if is.Kind != was.Kind {
		p.Kind = proto.Uint32(is.Kind)
	}
	if is.X != was.X {
		p.X = proto.Int32(is.X)
	}
	if is.Y != was.Y {
		p.Y = proto.Int32(is.Y)
	}
	if is.Angle != was.Angle {
		p.Angle = proto.Uint32(uint32(is.Angle)) //nolint:gosec // never negative
	}
	if is.Face != was.Face {
		p.Face = proto.Uint32(uint32(is.Face)) //nolint:gosec // never negative
	}
	if is.Z != was.Z {
		p.Z = proto.String(string(is.Z))
	}
	if is.ZMark != was.ZMark {
		p.ZMark = proto.Uint64(uint64(is.ZMark))
	}
	if is.Pinned != was.Pinned {
		p.Pinned = proto.Bool(is.Pinned)
	}
	if is.Locked != was.Locked {
		p.Locked = proto.Bool(is.Locked)
	}
	if is.Holder != was.Holder {
		p.Holder = proto.Uint32(uint32(is.Holder))
	}
	if is.Owner != was.Owner {
		p.Owner = proto.Uint32(uint32(is.Owner))
	}
	if is.Gone != was.Gone {
		p.Gone = proto.Bool(is.Gone)
	}
	if is.Renamed != 0 {
		p.Renamed = proto.Uint32(uint32(is.Renamed))
	}
	if is.Value != was.Value {
		p.Value = proto.Int32(is.Value)
	}
	if is.Text != was.Text {
		p.Text = proto.String(is.Text)
	}
	if is.Team != was.Team {
		p.Team = pieceTeamOf(is.Team)
	}
	if is.Set != was.Set {
		p.Set = proto.Uint32(is.Set)
	}
	if is.IsClock && (!was.IsClock || is.Clock != was.Clock) {
		p.Clock = pieceClock(&is.Clock)
	}
	return p
}

// pieceClock returns a clock, whole (T27).
//
//nolint:gosec // none of it is negative
func pieceClock(c *table.Clock) *holtpb.Clock {
	return &holtpb.Clock{
		Running: uint32(c.Running), Since: uint64(c.Since), Left1: uint32(c.Left[0]), Left2: uint32(c.Left[1]),
		Initial: uint32(c.Initial), Increment: uint32(c.Increment),
	}
}

// PieceFilled returns the fields of a client's own update that only the server could fill in: what a flip
// showed, how it is turned in a hand, the level of a raise, the Z generation, the times of a clock, a value, whose it is now and what it is called
// (T10, T13, T21, T23, T27, T28).
func PieceFilled(was, is *table.Shown) *holtpb.Piece {
	p := PieceChange(was, is)
	filled := &holtpb.Piece{
		Id: p.Id, Mark: p.Mark, Kind: p.Kind, Angle: p.Angle, Face: p.Face, Z: p.Z, ZMark: p.ZMark, Clock: p.Clock,
		Owner: p.Owner, Team: p.Team, Value: p.Value, Renamed: p.Renamed,
	}
	if p.Kind != nil {
		// A mask has one face only: the client may have shown the face that it asked for.
		filled.Face = proto.Uint32(uint32(is.Face)) //nolint:gosec // never negative
	}
	return filled
}

// UpdateEvent tells a view of an update that is not the client's own (T4). before is zero if the view did not see the piece: then
// the kind is told, whatever it is, and the Z mark is there as always with a level, so that what is cut into messages shows
// that the piece is new (datagram.md, D33).
func UpdateEvent(e *table.Entry, before, after *table.Shown) *holtpb.Event {
	p := PieceChange(before, after)
	if before.Name == 0 {
		p.Kind = proto.Uint32(after.Kind)
	}
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p, By: uint32(e.Seat), Op: holtpb.Op(e.Op)}}}
}

// AckEvent acknowledges the update that e records (T10). filled are the fields that the server filled in;
// nil if the piece was told in an Update just before.
func AckEvent(e *table.Entry, filled *holtpb.Piece) *holtpb.Event {
	a := &holtpb.Ack{Seq: uint64(e.Seq), Piece: filled, Made: uint32(e.Brought)}
	return &holtpb.Event{Event: &holtpb.Event_Ack{Ack: a}}
}

// RepeatEvent acknowledges an update again.
func RepeatEvent(a table.Ack) *holtpb.Event {
	m := &holtpb.Ack{Seq: uint64(a.Seq), Made: uint32(a.Made)}
	if a.Piece != 0 {
		m.Piece = &holtpb.Piece{Id: uint32(a.Piece), Mark: uint64(a.Mark)}
	}
	return &holtpb.Event{Event: &holtpb.Event_Ack{Ack: m}}
}

// RejectEvent tells a client that its update was inapplicable (T14).
func RejectEvent(r *table.Reject) *holtpb.Event {
	m := &holtpb.Reject{Seq: uint64(r.Seq), Reason: holtpb.Reason(r.Reason), By: uint32(r.By)}
	if r.Piece.Name != 0 {
		m.Piece = PieceWhole(&r.Piece)
	}
	return &holtpb.Event{Event: &holtpb.Event_Reject{Reject: m}}
}

// Seat returns a seat as clients see it.
func Seat(s *table.SeatInfo, p holtpb.Presence) *holtpb.Seat {
	return &holtpb.Seat{
		Id: uint32(s.Seat), Nick: s.Nick, Colour: s.Colour, Role: holtpb.Role(s.Role), Presence: p, Home: s.Home, Number: s.Number, Left: uint32(s.Left),
		LinkBy: uint32(s.Link.By), LinkAt: uint64(s.Link.At), LinkUsed: uint64(s.Link.Used), //nolint:gosec // after 1970
	}
}

// SeatEvent tells of a seat that was taken or changed, or of its coming and going (S11).
func SeatEvent(s *table.SeatInfo, p holtpb.Presence) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Seat{Seat: Seat(s, p)}}
}

// ResumedEvent tells that the stream goes on where the client's last one ended (S5).
func ResumedEvent(seats []*holtpb.Seat, sets []*holtpb.GuestSet, catalog []byte) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Resumed{Resumed: &holtpb.Resumed{Seats: seats, Sets: sets, Catalog: catalog}}}
}

// GuestSet returns a set as clients see it (T37).
func GuestSet(s *table.SetInfo) *holtpb.GuestSet {
	return &holtpb.GuestSet{
		Id: s.Number, By: uint32(s.Seat), Away: holtpb.Absence(s.Away), Until: uint64(s.Until), Gone: s.Stage != table.StageHere, //nolint:gosec // after 1970
	}
}

// GuestSets returns those sets that are guests, as clients see them.
func GuestSets(all []table.SetInfo) (guests []*holtpb.GuestSet) {
	for i := range all {
		if all[i].Stage == table.StageHere {
			guests = append(guests, GuestSet(&all[i]))
		}
	}
	return guests
}

// SetEvent tells of a set that has come or gone, or is away, or back (T37, T39).
func SetEvent(s *table.SetInfo) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Set{Set: GuestSet(s)}}
}

// TableEvent tells what the table is like (S18).
func TableEvent(info *holtpb.TableInfo) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Table{Table: info}}
}

// SpaceEvent tells how much space the log has left (T44).
func SpaceEvent(level holtpb.SpaceLevel) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Space{Space: &holtpb.Space{Level: level}}}
}

// DroppedEvent tells who has dropped the history of the table, and how much space the log has since (T48).
func DroppedEvent(level holtpb.SpaceLevel, by id.Seat) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Space{Space: &holtpb.Space{Level: level, Dropped: uint32(by)}}}
}

// PongEvent answers a ping (K14).
func PongEvent(nonce uint64) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Pong{Pong: &holtpb.Pong{Nonce: nonce}}}
}

// ShuffledEvent tells that a seat has shuffled pieces (T26).
func ShuffledEvent(by id.Seat, pieces []id.Piece) *holtpb.Event {
	m := &holtpb.Shuffled{By: uint32(by), Pieces: make([]uint32, len(pieces))}
	for i, p := range pieces {
		m.Pieces[i] = uint32(p)
	}
	return &holtpb.Event{Event: &holtpb.Event_Shuffled{Shuffled: m}}
}

// HoldsEvent tells how many pieces lie in a hand or a container (T29): all, not only what has changed.
func HoldsEvent(h *holtpb.Holds) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Holds{Holds: h}}
}

// Holds returns how many pieces lie in a hand or a container; tallies are in the order of their sorts.
func Holds(piece id.Piece, tallies []table.Tally) *holtpb.Holds {
	h := &holtpb.Holds{Piece: uint32(piece)}
	for _, t := range tallies {
		h.Kinds, h.Counts = append(h.Kinds, t.Sort), append(h.Counts, uint32(t.Count)) //nolint:gosec // at most MaxPieces
	}
	return h
}

// NoticeEvent tells that something was done that nothing else shows (T28). piece is what the view calls it, 0 if it does
// not see it.
func NoticeEvent(e *table.Entry, piece id.Piece, count int32) *holtpb.Event {
	n := &holtpb.Notice{By: uint32(e.Seat), Op: holtpb.Op(e.Op), Piece: uint32(piece), Count: uint32(count)} //nolint:gosec // never negative
	if e.To != e.Seat {
		n.Seat = uint32(e.To)
	}
	return &holtpb.Event{Event: &holtpb.Event_Notice{Notice: n}}
}

// FacesEvent shows a seat what nobody else sees (T31).
func FacesEvent(e *table.Entry, piece id.Piece) *holtpb.Event {
	f := &holtpb.Faces{By: uint32(e.Seat), Op: holtpb.Op(e.Op), Piece: uint32(piece), Kinds: e.Faces}
	if e.Op == table.OpShow {
		f.Face = uint32(e.After.Face) //nolint:gosec // never negative
	}
	return &holtpb.Event{Event: &holtpb.Event_Faces{Faces: f}}
}

// GoingEvent tells that the stream is about to be closed.
func GoingEvent(after id.Millis, final bool) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{AfterMs: uint32(max(after, 0)), Final: final}}} //nolint:gosec // seconds
}

// SavingEvent tells why the server cannot save anything, or that it can again, if trouble is empty (S19).
func SavingEvent(trouble string) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Saving{Saving: &holtpb.Saving{Trouble: trouble}}}
}

// ThrownEvent tells that the table was thrown away by a seat, or 0 (T42).
func ThrownEvent(by id.Seat) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{Final: true, By: uint32(by)}}}
}

// FarewellEvent tells a client that its seat is over for it, by whose doing (S20).
func FarewellEvent(why holtpb.Farewell, by id.Seat) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{Final: true, By: uint32(by), Seat: why}}}
}

// EncodeFrame returns the bytes of a frame (S3).
func EncodeFrame(f *holtpb.Frame) ([]byte, error) {
	b, err := proto.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode frame: %w", err)
	}
	return b, nil
}

// DecodeFrame reads a frame, as a client does.
func DecodeFrame(b []byte) (*holtpb.Frame, error) {
	var f holtpb.Frame
	if err := proto.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return &f, nil
}

// ResyncUp asks for the full state (S9).
func ResyncUp() *holtpb.Up { return &holtpb.Up{Up: &holtpb.Up_Resync{Resync: &holtpb.Resync{}}} }

// EncodeUp returns the bytes of a message from a client, as a client does (S9). A message that DecodeUp would
// refuse is an error.
func EncodeUp(u *holtpb.Up) ([]byte, error) {
	b, err := proto.Marshal(u)
	if err != nil {
		return nil, fmt.Errorf("encode message: %w", err)
	}
	if _, err := DecodeUp(b); err != nil {
		return nil, fmt.Errorf("encode message: %w", err)
	}
	return b, nil
}

// DecodeUp reads a message from a client (S9).
func DecodeUp(b []byte) (*holtpb.Up, error) {
	if len(b) > MaxUp {
		return nil, fmt.Errorf("%w: %d bytes, more than %d", ErrFrame, len(b), MaxUp)
	}
	var u holtpb.Up
	if err := proto.Unmarshal(b, &u); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	if err := checkUp(&u); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return &u, nil
}

// ComponentsEvent tells operations on components, which are a WireMessage (C17).
func ComponentsEvent(ops []byte) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Components{Components: ops}}
}

// RefusedEvent tells a client that an operation of its own was refused (C11).
func RefusedEvent(op *crdt.Op, reason schema.Refusal) *holtpb.Event {
	r := &holtpb.Refused{Entity: uint64(op.Entity), Component: op.Component, Timestamp: op.Timestamp, Reason: holtpb.Refusal(reason)}
	return &holtpb.Event{Event: &holtpb.Event_Refused{Refused: r}}
}

package wire

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// MaxUp is the greatest size, in bytes, of a message that a client may send on the stream (S9).
const MaxUp = 4 << 10

// FullPiece returns every field of a piece, for a full state or a reject.
func FullPiece(s *table.Shown) *holtpb.Piece {
	return PieceChange(&table.Shown{}, s)
}

// PieceChange returns the fields in which a piece differs from its earlier state, and always its
// identifier and version.
func PieceChange(was, is *table.Shown) *holtpb.Piece {
	p := &holtpb.Piece{
		Id: uint32(is.Name), Mark: uint64(is.Version), Kind: changed(was.Kind, is.Kind),
		X: changed(was.X, is.X), Y: changed(was.Y, is.Y),
		Angle: changed(uint32(was.Angle), uint32(is.Angle)), //nolint:gosec // never negative
		Face:  changed(uint32(was.Face), uint32(is.Face)),   //nolint:gosec // never negative
		Z:     changed(string(was.Z), string(is.Z)),
		ZMark: changed(uint64(was.ZVersion), uint64(is.ZVersion)),

		Pinned: changed(was.Pinned, is.Pinned), Locked: changed(was.Locked, is.Locked),
		Holder: changed(uint32(was.Holder), uint32(is.Holder)),
		Owner:  changed(uint32(was.Owner), uint32(is.Owner)), Gone: changed(was.Gone, is.Gone),
		Renamed: changed(0, uint32(is.Renamed)), Value: changed(was.Value, is.Value),
		Text: changed(was.Text, is.Text), Set: changed(was.Set, is.Set),
	}
	if is.Team != was.Team {
		p.Team = pieceTeamOf(is.Team)
	}
	if is.IsClock && (!was.IsClock || is.Clock != was.Clock) {
		p.Clock = pieceClock(&is.Clock)
	}
	if is.Curves != was.Curves {
		p.Curves = pieceCurves(&is.Curves)
	}
	return p
}

// changed returns a pointer to is; nil if it is as it was.
func changed[T comparable](was, is T) *T {
	if is == was {
		return nil
	}
	v := is // so that memory is taken only here
	return &v
}

// pieceClock returns all fields of a clock (T27).
//
//nolint:gosec // none of it is negative
func pieceClock(c *table.Clock) *holtpb.Clock {
	return &holtpb.Clock{
		Running: uint32(c.Running), Since: uint64(c.Since), Left1: uint32(c.Left[0]),
		Left2:   uint32(c.Left[1]),
		Initial: uint32(c.Initial), Increment: uint32(c.Increment),
	}
}

// pieceCurves returns what changes by itself of a piece (K16).
//
//nolint:gosec // times and bounds are not negative
func pieceCurves(c *table.Curves) *holtpb.Curves {
	m := &holtpb.Curves{From: uint64(c.From)}
	for of := range c.All() {
		m.Curves = append(m.Curves, &holtpb.Curve{
			Property: holtpb.Property(of.Property), Start: of.Start, Rate: int32(of.Rate),
			Max: uint32(of.Max),
		})
	}
	return m
}

// CurvesOf returns the curves of a piece that a client was sent (K16). It reports false if they
// break a rule; a client ignores such curves (K4).
func CurvesOf(m *holtpb.Curves) (table.Curves, bool) {
	if m.GetFrom() > uint64(curve.MaxTime) {
		return table.Curves{}, false
	}
	list := make([]table.Curve, 0, len(m.GetCurves()))
	for _, of := range m.GetCurves() {
		if of.GetRate() < -1 || of.GetRate() > 1 || of.GetMax() > uint32(curve.MaxValue) ||
			of.GetProperty() < 1 || of.GetProperty() > math.MaxUint8 {
			return table.Curves{}, false
		}
		//nolint:gosec // checked
		list = append(list, table.Curve{
			Property: table.Property(of.GetProperty()), Start: of.GetStart(),
			Rate: int8(of.GetRate()), Max: int32(of.GetMax()),
		})
	}
	return table.NewCurves(id.Millis(m.GetFrom()), list) //nolint:gosec // checked
}

// PieceFilled returns the fields of a client's own update that only the server could fill in: the
// result of a flip, the angle in a hand, the level of a raise, the Z generation, the times of a
// clock, curves, a value, owner and team, and a new identifier (T10, T13, T21, T23, T27, T28, K16).
func PieceFilled(was, is *table.Shown) *holtpb.Piece {
	p := PieceChange(was, is)
	filled := &holtpb.Piece{
		Id: p.Id, Mark: p.Mark, Kind: p.Kind, Angle: p.Angle, Face: p.Face, Z: p.Z, ZMark: p.ZMark,
		Clock: p.Clock, Curves: p.Curves,
		Owner: p.Owner, Team: p.Team, Value: p.Value, Renamed: p.Renamed,
	}
	if p.Kind != nil {
		// A mask has one face only, and the client may have shown the face that it asked for.
		filled.Face = proto.Uint32(uint32(is.Face)) //nolint:gosec // never negative
	}
	return filled
}

// AckEvent returns the ack of the update that e records (T10). filled has the fields that the
// server filled in. It is nil if an Update just before has the piece.
func AckEvent(e *table.Entry, filled *holtpb.Piece) *holtpb.Event {
	a := &holtpb.Ack{Seq: uint64(e.Seq), Piece: filled, Made: uint32(e.Brought)}
	return &holtpb.Event{Event: &holtpb.Event_Ack{Ack: a}}
}

// ChatEvent returns what a view is sent of a line of the chat, which e records or deletes (T64).
func ChatEvent(e *table.Entry) *holtpb.Event {
	c := e.Chat
	if c.Deleted {
		return &holtpb.Event{Event: &holtpb.Event_Unsaid{Unsaid: &holtpb.Unsaid{
			Line: uint64(c.Line), By: uint32(e.Seat),
		}}}
	}
	return &holtpb.Event{Event: &holtpb.Event_Said{Said: &holtpb.Said{
		Line: uint64(c.Line), By: uint32(c.By), At: uint64(e.At), //nolint:gosec // after 1970
		Text: c.Text, To: uint32(c.To),
	}}}
}

// RepeatEvent returns an ack that is sent again.
func RepeatEvent(a table.Ack) *holtpb.Event {
	m := &holtpb.Ack{Seq: uint64(a.Seq), Made: uint32(a.Made)}
	if a.Piece != 0 {
		m.Piece = &holtpb.Piece{Id: uint32(a.Piece), Mark: uint64(a.Version)}
	}
	return &holtpb.Event{Event: &holtpb.Event_Ack{Ack: m}}
}

// RejectEvent returns the reject of an inapplicable update (T14).
func RejectEvent(r *table.Reject) *holtpb.Event {
	m := &holtpb.Reject{Seq: uint64(r.Seq), Reason: holtpb.Reason(r.Reason), By: uint32(r.By)}
	if r.Piece.Name != 0 {
		m.Piece = FullPiece(&r.Piece)
	}
	return &holtpb.Event{Event: &holtpb.Event_Reject{Reject: m}}
}

// SuccessionEvent returns the event that says whether others may choose a host (T66).
func SuccessionEvent(m *holtpb.Succession) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Succession{Succession: m}}
}

// Ghosts returns where pieces would lie after an undo (T63.26).
func Ghosts(ghosts []table.Ghost) []*holtpb.Ghost {
	all := make([]*holtpb.Ghost, len(ghosts))
	for i, g := range ghosts {
		all[i] = &holtpb.Ghost{
			Piece: uint32(g.Piece), Into: uint32(g.Into), Goes: g.Goes, Kind: g.Kind,
			X: g.X, Y: g.Y, Angle: uint32(g.Angle), //nolint:gosec // 0 to FullTurn-1
		}
	}
	return all
}

// QuestionEvent returns the event for a question about an undo (T63).
func QuestionEvent(q *holtpb.Question) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Question{Question: q}}
}

// RoundEvent returns the event for a round in which everybody chooses something (T76).
func RoundEvent(r *holtpb.Round) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Round{Round: r}}
}

// SavesEvent returns the event for a changed list of save points (T70). made is nil if none was
// made.
func SavesEvent(made *holtpb.SavePoint) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Saves{Saves: &holtpb.Saves{Made: made}}}
}

// Seat returns a seat as clients see it.
func Seat(s *table.SeatInfo, p holtpb.Presence) *holtpb.Seat {
	//nolint:gosec // after 1970
	return &holtpb.Seat{
		Id: uint32(s.Seat), Nick: s.Nick, Colour: s.Colour, Role: holtpb.Role(s.Role), Presence: p,
		Home: s.Home, Number: s.Number, Left: uint32(s.Left),
		LinkBy: uint32(s.Link.By), LinkAt: uint64(s.Link.At), LinkUsed: uint64(s.Link.Used),
		Side: s.Side, Proposal: s.Referee.Proposal, ProposedBy: uint32(s.Referee.ProposedBy),
		Agreed: s.Referee.Agreed, Played: s.Played, Erased: s.Erased,
		Opened: uint64(s.Opened), PlacedBy: uint32(s.PlacedBy), EditsBy: uint32(s.EditsBy),
	}
}

// SeatEvent returns the event for a seat that was taken or changed, or whose presence changed
// (S11).
func SeatEvent(s *table.SeatInfo, p holtpb.Presence) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Seat{Seat: Seat(s, p)}}
}

// ResumedEvent returns the event with which a stream resumes where the client's last one ended
// (S5).
func ResumedEvent(seats []*holtpb.Seat, sets []*holtpb.GuestSet, catalog []byte) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Resumed{Resumed: &holtpb.Resumed{
		Seats: seats, Sets: sets, Catalog: catalog,
	}}}
}

// GuestSet returns a set as clients see it (T37).
func GuestSet(s *table.SetInfo) *holtpb.GuestSet {
	//nolint:gosec // after 1970
	return &holtpb.GuestSet{
		Id: s.Number, By: uint32(s.Seat), Away: holtpb.Absence(s.Away), Until: uint64(s.Until),
		Gone: s.Stage != table.StageHere,
	}
}

// GuestSets returns the sets that are guests, as clients see them.
func GuestSets(all []table.SetInfo) (guests []*holtpb.GuestSet) {
	for i := range all {
		if all[i].Stage == table.StageHere {
			guests = append(guests, GuestSet(&all[i]))
		}
	}
	return guests
}

// SetEvent returns the event for a set that has come or gone, or whose owner cannot be reached, or
// can be again (T37, T39).
func SetEvent(s *table.SetInfo) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Set{Set: GuestSet(s)}}
}

// TableEvent returns the event with the properties of the table (S18).
func TableEvent(info *holtpb.TableInfo) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Table{Table: info}}
}

// SpaceEvent returns the event that says how much space the log has left (T44).
func SpaceEvent(level holtpb.SpaceLevel) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Space{Space: &holtpb.Space{Level: level}}}
}

// DroppedEvent returns the event that says who has dropped the history of the table, and how much
// space the log has since (T48).
func DroppedEvent(level holtpb.SpaceLevel, by id.Seat) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Space{Space: &holtpb.Space{
		Level: level, Dropped: uint32(by),
	}}}
}

// PongEvent returns the answer to a ping (K14).
func PongEvent(nonce uint64) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Pong{Pong: &holtpb.Pong{Nonce: nonce}}}
}

// AnswerEvent returns the answer to updates that came on the stream (D40). retryAfter is in
// seconds, 0 if there is none. problem is the problem document, empty if there is none.
func AnswerEvent(request uint64, status, retryAfter int, problem string) *holtpb.Event {
	//nolint:gosec // neither is negative or large
	return &holtpb.Event{Event: &holtpb.Event_Answer{Answer: &holtpb.Answer{
		Request: request, Status: uint32(status), RetryAfter: uint32(retryAfter), Problem: problem,
	}}}
}

// ShuffledEvent returns the event that says that a seat has shuffled pieces (T26).
func ShuffledEvent(by id.Seat, pieces []id.Piece) *holtpb.Event {
	m := &holtpb.Shuffled{By: uint32(by), Pieces: make([]uint32, len(pieces))}
	for i, p := range pieces {
		m.Pieces[i] = uint32(p)
	}
	return &holtpb.Event{Event: &holtpb.Event_Shuffled{Shuffled: m}}
}

// HoldsEvent returns the event that says how many pieces lie in a hand or a container (T29): all
// numbers, not only those that have changed.
func HoldsEvent(h *holtpb.Holds) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Holds{Holds: h}}
}

// Holds returns how many pieces lie in a hand or a container. tallies are in the order of their
// sorts.
func Holds(piece id.Piece, tallies []table.Tally) *holtpb.Holds {
	h := &holtpb.Holds{Piece: uint32(piece)}
	for _, t := range tallies {
		//nolint:gosec // at most MaxPieces
		h.Kinds, h.Counts = append(h.Kinds, t.Sort), append(h.Counts, uint32(t.Count))
	}
	return h
}

// NoticeEvent returns the event for something that no change of a piece shows (T28). piece is the
// identifier in the view, or 0 if the view does not see the piece.
func NoticeEvent(e *table.Entry, piece id.Piece, count int32) *holtpb.Event {
	//nolint:gosec // never negative
	n := &holtpb.Notice{
		By: uint32(e.Seat), Op: holtpb.Op(e.Op), Piece: uint32(piece), Count: uint32(count),
	}
	if e.To != e.Seat {
		n.Seat = uint32(e.To)
	}
	return &holtpb.Event{Event: &holtpb.Event_Notice{Notice: n}}
}

// FacesEvent returns the event that shows a seat what nobody else sees (T31).
func FacesEvent(e *table.Entry, piece id.Piece) *holtpb.Event {
	f := &holtpb.Faces{
		By: uint32(e.Seat), Op: holtpb.Op(e.Op), Piece: uint32(piece), Kinds: e.Faces,
	}
	if e.Op == table.OpShow {
		f.Face = uint32(e.After.Face) //nolint:gosec // never negative
	}
	return &holtpb.Event{Event: &holtpb.Event_Faces{Faces: f}}
}

// GoingEvent returns the event that announces the end of the stream.
func GoingEvent(after id.Millis, final bool) *holtpb.Event {
	//nolint:gosec // seconds
	return &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{
		AfterMs: uint32(max(after, 0)), Final: final,
	}}}
}

// SavingEvent returns the event that says why the server cannot save anything. If trouble is empty,
// it says that the server can save again (S19).
func SavingEvent(trouble string) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Saving{Saving: &holtpb.Saving{Trouble: trouble}}}
}

// DeletedEvent returns the event that says that a seat, or 0, has deleted the table (T42).
func DeletedEvent(by id.Seat) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{
		Final: true, By: uint32(by),
	}}}
}

// FarewellEvent returns the event that says that a client's seat has ended, and by whom (S20).
func FarewellEvent(why holtpb.Farewell, by id.Seat) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Going{Going: &holtpb.Going{
		Final: true, By: uint32(by), Seat: why,
	}}}
}

// EncodeFrame returns the bytes of a frame (S3).
func EncodeFrame(f *holtpb.Frame) ([]byte, error) {
	b, err := proto.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode frame: %w", err)
	}
	return b, nil
}

// DecodeFrame reads a frame, as a client does. The error wraps ErrFrame.
func DecodeFrame(b []byte) (*holtpb.Frame, error) {
	var f holtpb.Frame
	if err := proto.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	return &f, nil
}

// ResyncUp returns the message that asks for the full state (S9).
func ResyncUp() *holtpb.Up { return &holtpb.Up{Up: &holtpb.Up_Resync{Resync: &holtpb.Resync{}}} }

// EncodeUp returns the bytes of a message from a client, as a client does (S9). It fails for a
// message that DecodeUp would refuse.
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

// HasUpdates reports whether a message from a client has updates (D39), by its first byte. The
// message may be invalid.
func HasUpdates(b []byte) bool { return len(b) > 0 && b[0] == upUpdates }

// upUpdates is the tag of the updates in Up.
const upUpdates = 8<<3 | 2

// DecodeUp reads a message from a client (S9). The error wraps ErrFrame.
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
	if _, has := u.GetUp().(*holtpb.Up_Updates); has != HasUpdates(b) {
		return nil, fmt.Errorf("%w: updates and something else", ErrFrame)
	}
	return &u, nil
}

// ComponentsEvent returns the event for operations on components. ops is a WireMessage (C17).
func ComponentsEvent(ops []byte) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Components{Components: ops}}
}

// RefusedEvent returns the event that says that an operation of the client was refused (C11).
func RefusedEvent(op *crdt.Op, reason schema.Refusal) *holtpb.Event {
	r := &holtpb.Refused{
		Entity: uint64(op.Entity), Component: op.Component, Timestamp: op.Timestamp,
		Reason: holtpb.Refusal(reason),
	}
	return &holtpb.Event{Event: &holtpb.Event_Refused{Refused: r}}
}

package wire

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/holtpb"
)

// Travel says which messages an event of a frame waits for when messages do not stay in order by
// themselves (datagram.md, D32 to D34).
type Travel uint8

// The kinds of Travel.
const (
	// Ordered is ordered after earlier events about the same pieces (D32).
	Ordered Travel = iota
	// Fence is a fence: ordered after everything before it (D33).
	Fence
	// Barrier is a barrier: a fence that everything later waits for, too (D33).
	Barrier
	// Unordered is unordered: it is executed at once or never (D34).
	Unordered
)

// Part is an event of a frame.
type Part struct {
	// Event is the event as it stands in the frame, with its tag and length. So the head of a frame
	// with some parts behind it is a frame again.
	Event  []byte
	Travel Travel
	// Synchronises says that the event synchronises its client: it is a full state, or Resumed
	// (S5).
	Synchronises bool
	// Pieces are the pieces that the event is about, by their identifiers in the view. An
	// identifier may occur twice.
	Pieces []id.Piece
}

// Cut is a frame taken apart. Its slices share the memory of the frame, and are valid until the
// next Read. The zero Cut is ready for use.
type Cut struct {
	Time    id.Millis
	Version id.Version
	Parts   []Part

	pieces []id.Piece // memory for the parts' pieces
}

// Read takes a frame apart (S3), whatever the order of its fields. It looks only for what events
// are about, so an event may still be invalid. The error wraps ErrFrame, and then there are no
// parts.
func (c *Cut) Read(frame []byte) error {
	c.Time, c.Version, c.Parts, c.pieces = 0, 0, c.Parts[:0], c.pieces[:0]
	for len(frame) > 0 {
		f, n := consume(frame)
		if n < 0 {
			return c.fail(n)
		}
		switch {
		case f.is(frameTime, protowire.VarintType):
			c.Time = id.Millis(f.number) //nolint:gosec // clients read it the same way
		case f.is(frameMark, protowire.VarintType):
			c.Version = id.Version(f.number)
		case f.is(frameEvents, protowire.BytesType):
			if n := c.event(frame[:n], f.bytes); n < 0 {
				return c.fail(n)
			}
		}
		frame = frame[n:]
	}
	return nil
}

func (c *Cut) fail(n int) error {
	*c = Cut{Parts: c.Parts[:0], pieces: c.pieces[:0]}
	return fmt.Errorf("%w: %w", ErrFrame, protowire.ParseError(n))
}

// field is a field of a message as it stands there.
type field struct {
	num    protowire.Number
	typ    protowire.Type
	number uint64 // of a varint
	bytes  []byte // of a field with a length
}

func (f *field) is(num protowire.Number, typ protowire.Type) bool {
	return f.num == num && f.typ == typ
}

// consume reads the first field of a message and returns how many bytes it takes. A negative count
// is an error code of protowire.
func consume(b []byte) (field, int) {
	num, typ, tag := protowire.ConsumeTag(b)
	if tag < 0 {
		return field{}, tag
	}
	f := field{num: num, typ: typ}
	var n int
	switch typ {
	case protowire.VarintType:
		f.number, n = protowire.ConsumeVarint(b[tag:])
	case protowire.BytesType:
		f.bytes, n = protowire.ConsumeBytes(b[tag:])
	default:
		n = protowire.ConsumeFieldValue(num, typ, b[tag:])
	}
	if n < 0 {
		return field{}, n
	}
	return f, tag + n
}

// The numbers of the fields of events that are read here (holt.proto). Those of the update are in
// splice.go.
const (
	eventFull       protowire.Number = 1
	eventAck        protowire.Number = 3
	eventReject     protowire.Number = 4
	eventSeat       protowire.Number = 5
	eventTable      protowire.Number = 6
	eventMotions    protowire.Number = 9
	eventCursors    protowire.Number = 10
	eventPong       protowire.Number = 11
	eventResumed    protowire.Number = 12
	eventHolds      protowire.Number = 13
	eventComponents protowire.Number = 17
	eventRefused    protowire.Number = 18
	eventSet        protowire.Number = 19
	eventAnswer     protowire.Number = 24

	ackPiece      protowire.Number = 2
	ackMade       protowire.Number = 3
	rejectPiece   protowire.Number = 3
	holdsPiece    protowire.Number = 1
	refusedEntity protowire.Number = 1

	pieceID      protowire.Number = 1
	pieceKind    protowire.Number = 3
	pieceOwner   protowire.Number = 13
	pieceGone    protowire.Number = 14
	pieceRenamed protowire.Number = 16
	pieceTeam    protowire.Number = 19

	messageOperations protowire.Number = 1 // component.proto
	operationEntity   protowire.Number = 2
)

// event adds the part for an event. It returns a negative number if the bytes are invalid.
func (c *Cut) event(whole, b []byte) int {
	p := Part{Event: whole, Travel: Fence} // an empty event, too
	first := len(c.pieces)
	for fields := 0; len(b) > 0; fields++ {
		f, n := consume(b)
		if n < 0 {
			return n
		}
		b = b[n:]
		travel, bad := c.about(&f, &p)
		if bad < 0 {
			return bad
		}
		// The server makes no such event, so the most careful order is used.
		if fields > 0 {
			travel = Fence
		}
		p.Travel = travel
	}
	p.Pieces = c.pieces[first:len(c.pieces):len(c.pieces)]
	c.Parts = append(c.Parts, p)
	return 0
}

// about returns how the event travels that a field of Event holds, and records the pieces that it
// is about. An unknown event is a fence (D33). A negative number says that the bytes are invalid.
func (c *Cut) about(f *field, p *Part) (Travel, int) {
	if f.typ != protowire.BytesType {
		return Fence, 0
	}
	switch f.num {
	case eventFull, eventResumed:
		p.Synchronises = true
		return Barrier, 0
	case eventSeat, eventTable, eventSet:
		return Barrier, 0
	case eventMotions, eventCursors, eventPong:
		return Unordered, 0
	case eventUpdate:
		return c.change(f.bytes, updatePart, 0, true)
	case eventAck:
		return c.change(f.bytes, ackPiece, ackMade, true)
	case eventReject:
		return c.change(f.bytes, rejectPiece, 0, false)
	case eventHolds:
		//nolint:gosec // a name has 32 bits
		return c.named(f.bytes, holdsPiece, func(v uint64) (id.Piece, bool) {
			return id.Piece(v), true
		})
	case eventRefused:
		return c.named(f.bytes, refusedEntity, pieceOf)
	case eventComponents:
		return c.operations(f.bytes)
	case eventAnswer:
		return Ordered, 0
	default:
		return Fence, 0
	}
}

// change reads an update, an ack or a reject: the piece in it, and the piece that it has made. If
// needed is set, an event without a piece is a fence.
func (c *Cut) change(b []byte, piece, made protowire.Number, needed bool) (Travel, int) {
	var s sight
	for len(b) > 0 {
		f, n := consume(b)
		if n < 0 {
			return Fence, n
		}
		b = b[n:]
		switch {
		case f.is(piece, protowire.BytesType):
			if n := s.look(f.bytes); n < 0 {
				return Fence, n
			}
		case made != 0 && f.is(made, protowire.VarintType):
			c.lane(id.Piece(f.number)) //nolint:gosec // a name has 32 bits
		}
	}
	c.lane(s.name)
	c.lane(s.renamed)
	switch {
	case s.name == 0 && needed, s.gone, s.renamed != 0, s.passes, needed && s.kind && s.level:
		return Fence, 0
	default:
		return Ordered, 0
	}
}

func (c *Cut) lane(name id.Piece) {
	if name != 0 {
		c.pieces = append(c.pieces, name)
	}
}

// sight is what an event says of a piece: which one it is, and whether it comes into view or leaves
// it.
type sight struct {
	name, renamed id.Piece
	gone          bool
	passes        bool // it has another owner, or another team
	kind, level   bool // both: it is new to the view (EncodeUpdate)
}

// look reads a piece. It returns a negative number if the bytes are invalid.
func (s *sight) look(b []byte) int {
	for len(b) > 0 {
		f, n := consume(b)
		if n < 0 {
			return n
		}
		b = b[n:]
		switch f.num {
		case pieceID:
			s.name = id.Piece(f.number) //nolint:gosec // a name has 32 bits
		case pieceRenamed:
			s.renamed = id.Piece(f.number) //nolint:gosec // as above
		case pieceGone:
			s.gone = f.number != 0
		case pieceOwner, pieceTeam:
			s.passes = true
		case pieceKind:
			s.kind = true
		case pieceZMark:
			s.level = true
		default: // does not matter for the order
		}
	}
	return 0
}

// named reads an event that says in one field which piece it is about, if any.
func (c *Cut) named(
	b []byte, num protowire.Number, name func(uint64) (id.Piece, bool),
) (Travel, int) {
	for len(b) > 0 {
		f, n := consume(b)
		if n < 0 {
			return Fence, n
		}
		b = b[n:]
		if f.is(num, protowire.VarintType) {
			if p, ok := name(f.number); ok {
				c.lane(p)
			}
		}
	}
	return Ordered, 0
}

// operations looks for the pieces whose components a WireMessage writes (C8). Invalid bytes are a
// fence: the receiver that decodes them reports the fault.
func (c *Cut) operations(b []byte) (Travel, int) {
	for len(b) > 0 {
		f, n := consume(b)
		if n < 0 {
			return Fence, 0
		}
		b = b[n:]
		if !f.is(messageOperations, protowire.BytesType) {
			continue
		}
		if _, n := c.named(f.bytes, operationEntity, pieceOf); n < 0 {
			return Fence, 0
		}
	}
	return Ordered, 0
}

// pieceOf returns the piece of an entity of components, if it is one.
func pieceOf(entity uint64) (id.Piece, bool) {
	if entity > uint64(crdt.MaxEntity) {
		return 0, false
	}
	return schema.PieceOf(crdt.Entity(entity))
}

// SplitPaths cuts an event of motions or cursors into events of up to most bytes each. A single
// path that is longer stays whole. It returns other events unchanged. All have the form of
// Part.Event. The error wraps ErrFrame, or comes from encoding.
func SplitPaths(event []byte, most int) ([][]byte, error) {
	if len(event) <= most {
		return [][]byte{event}, nil
	}
	f, n := consume(event)
	if n < 0 {
		return nil, fmt.Errorf("%w: %w", ErrFrame, protowire.ParseError(n))
	}
	var e holtpb.Event
	if err := proto.Unmarshal(f.bytes, &e); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFrame, err)
	}
	of := func(p *holtpb.Paths) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Motions{Motions: p}}
	}
	paths := e.GetMotions()
	if cursors := e.GetCursors(); cursors != nil {
		paths = cursors
		of = func(p *holtpb.Paths) *holtpb.Event {
			return &holtpb.Event{Event: &holtpb.Event_Cursors{Cursors: p}}
		}
	}
	if paths == nil {
		return [][]byte{event}, nil
	}
	if _, err := Segments(0, paths); err != nil {
		return nil, err
	}
	return split(paths, most, of)
}

// split halves paths until each event is small enough, or has one path.
func split(p *holtpb.Paths, most int, event func(*holtpb.Paths) *holtpb.Event) ([][]byte, error) {
	b, err := AppendEvent(nil, event(p))
	if n := len(p.GetIds()); err != nil || len(b) <= most || n <= 1 {
		return [][]byte{b}, err
	}
	lower, upper := halves(p)
	first, err := split(lower, most, event)
	if err != nil {
		return nil, err
	}
	second, err := split(upper, most, event)
	return append(first, second...), err
}

// halves cuts columns in the middle. The first id of the upper half is absolute again, and not a
// difference.
func halves(p *holtpb.Paths) (lower, upper *holtpb.Paths) {
	n := len(p.GetIds()) / 2
	part := func(from, to int) *holtpb.Paths {
		return &holtpb.Paths{
			Lag: p.Lag, Span: p.Span, Ids: p.Ids[from:to:to], X: p.X[from:to], Y: p.Y[from:to],
			Dx: p.Dx[from:to], Dy: p.Dy[from:to],
		}
	}
	lower, upper = part(0, n), part(n, len(p.GetIds()))
	below := uint32(0)
	for _, d := range lower.Ids {
		below += d
	}
	ids := append([]uint32(nil), upper.Ids...)
	ids[0] += below
	upper.Ids = ids
	return lower, upper
}

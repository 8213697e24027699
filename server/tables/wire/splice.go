package wire

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// The bytes of a frame are its time and version, and then its events, each with its length, one
// after the other. So an encoded event can be put into many frames. AppendHead begins a frame,
// AppendEvent and Update.Append append events, and runs of events may be copied from one frame to
// another.

// The numbers of the fields that are put together here (holt.proto).
const (
	frameTime   protowire.Number = 1
	frameMark   protowire.Number = 2
	frameEvents protowire.Number = 3
	eventUpdate protowire.Number = 2
	updatePart  protowire.Number = 1 // Update.piece
	updatedBy   protowire.Number = 2
	updatedHow  protowire.Number = 3
	pieceMark   protowire.Number = 2
	pieceZMark  protowire.Number = 9
)

// tagSize is the size of a tag of these fields: their numbers are below 16.
const tagSize = 1

// AppendHead appends to b the bytes of a frame without events (S3). now is when the frame is made.
// mark is the version up to which the view is complete once the frame is processed (S4).
func AppendHead(b []byte, now id.Millis, version id.Version) []byte {
	if now != 0 {
		b = appendNumber(b, frameTime, uint64(now)) //nolint:gosec // after 1970
	}
	if version != 0 {
		b = appendNumber(b, frameMark, uint64(version))
	}
	return b
}

// AppendEvent appends an event to the bytes of a frame. It fails for a text that is not UTF-8, and
// then returns b unchanged.
func AppendEvent(b []byte, e *holtpb.Event) ([]byte, error) {
	var opts proto.MarshalOptions
	was := len(b)
	b = appendLength(b, frameEvents, opts.Size(e))
	opts.UseCachedSize = true
	b, err := opts.MarshalAppend(b, e)
	if err != nil {
		return b[:was], fmt.Errorf("encode event: %w", err)
	}
	return b, nil
}

// The numbers of the fields of Replay (holt.proto).
const (
	replayFrames  protowire.Number = 1
	replayNext    protowire.Number = 2
	replayDropped protowire.Number = 3
)

// EncodeReplay returns the bytes of a page of a replay (T73). next is 0 on the last page.
func EncodeReplay(frames [][]byte, next id.Millis, dropped bool) []byte {
	n := 0
	for _, f := range frames {
		n += tagSize + protowire.SizeBytes(len(f))
	}
	b := make([]byte, 0, n+3*(tagSize+protowire.SizeVarint(uint64(next)))) //nolint:gosec // after 1970
	for _, f := range frames {
		b = append(appendLength(b, replayFrames, len(f)), f...)
	}
	if next != 0 {
		b = appendNumber(b, replayNext, uint64(next)) //nolint:gosec // after 1970
	}
	if dropped {
		b = appendNumber(b, replayDropped, 1)
	}
	return b
}

// Update is the encoding of an update event for all views, without the versions, which each view
// has for itself (T21). It is not safe for concurrent use.
type Update struct {
	// Room for the lengths of the event and of what is in it; then Piece without its versions, and
	// the tag of its version.
	room     []byte
	head     []byte // the end of room, with the lengths, if number is not 0
	number   int    // for how many bytes of a version head is right
	rest     []byte // Update without its piece
	levelled bool   // the update has set the level, and so the Z generation (T13)
}

// lengthsRoom is how many bytes the tags and lengths before the fields of a piece take at most.
const lengthsRoom = 3 * (tagSize + 3)

// EncodeUpdate encodes the event for an update that is not the client's own (T4). before is zero if
// the view did not see the piece. Then the event has the kind in any case, and, as always with a
// level, the Z version. By these two, framing recognises that the piece is new (datagram.md, D33).
func EncodeUpdate(e *table.Entry, before, after *table.Shown) (Update, error) {
	const usual = 64
	b, err := appendChange(make([]byte, lengthsRoom, usual), before, after, before.Name == 0)
	if err != nil {
		return Update{}, fmt.Errorf("encode update: %w", err)
	}
	b = protowire.AppendTag(b, pieceMark, protowire.VarintType)
	room := len(b)
	if e.Seat != 0 {
		b = appendNumber(b, updatedBy, uint64(e.Seat))
	}
	if e.Op != 0 {
		b = appendNumber(b, updatedHow, uint64(e.Op))
	}
	return Update{room: b[:room], rest: b[room:], levelled: after.ZVersion != before.ZVersion}, nil
}

// Append appends the event to the bytes of a frame for a view in which the entry has the version
// mark. An entry that sets the level is also the Z generation (T13), so the event has no other
// version. The versions follow the other fields of the piece: protobuf allows any order.
func (u *Update) Append(b []byte, version id.Version) []byte {
	if number := protowire.SizeVarint(uint64(version)); number != u.number {
		u.measure(number)
	}
	b = protowire.AppendVarint(append(b, u.head...), uint64(version))
	if u.levelled {
		b = appendNumber(b, pieceZMark, uint64(version))
	}
	return append(b, u.rest...)
}

// VersionAt is the place of the version in an event that Append has appended.
type VersionAt struct {
	at       int32 // in the bytes to which it was appended
	number   int8  // bytes of the version
	levelled bool  // the Z version follows
}

// VersionAt returns the place of the version in the event that Append has appended last. The event
// ends at end.
func (u *Update) VersionAt(end int) VersionAt {
	at := end - len(u.rest) - u.number
	if u.levelled {
		at -= tagSize + u.number
	}
	//nolint:gosec // frames are smaller
	return VersionAt{at: int32(at), number: int8(u.number), levelled: u.levelled}
}

// Moved returns the place of the version when the event is by bytes further back.
func (m VersionAt) Moved(by int) VersionAt {
	m.at += int32(by) //nolint:gosec // frames are smaller
	return m
}

// Renumber puts another version into the event, in b or in a copy of it. It returns false, and
// changes nothing, if that would change the length of the event.
func (m VersionAt) Renumber(b []byte, version id.Version) bool {
	number := int(m.number)
	if protowire.SizeVarint(uint64(version)) != number {
		return false
	}
	at := b[m.at:][:number]
	putVarint(at, uint64(version))
	if m.levelled {
		copy(b[int(m.at)+number+tagSize:], at)
	}
	return true
}

// putVarint writes a varint that takes exactly len(b) bytes.
func putVarint(b []byte, v uint64) {
	last := len(b) - 1
	for i := range last {
		b[i] = byte(v) | 0x80
		v >>= 7
	}
	b[last] = byte(v)
}

// measure makes head for versions of number bytes.
func (u *Update) measure(number int) {
	piece := len(u.room) - lengthsRoom + number
	if u.levelled {
		piece += tagSize + number
	}
	update := tagSize + protowire.SizeBytes(piece) + len(u.rest)
	event := tagSize + protowire.SizeBytes(update)
	var lengths [lengthsRoom]byte
	b := appendLength(lengths[:0], frameEvents, event)
	b = appendLength(b, eventUpdate, update)
	b = appendLength(b, updatePart, piece)
	u.number, u.head = number, u.room[lengthsRoom-len(b):]
	copy(u.head, b)
}

// appendLength begins a field that holds a message of n bytes.
func appendLength(b []byte, field protowire.Number, n int) []byte {
	b = protowire.AppendTag(b, field, protowire.BytesType)
	return protowire.AppendVarint(b, uint64(n)) //nolint:gosec // not negative
}

// appendNumber appends a field that holds a number.
func appendNumber(b []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}

package crdt

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The flat form (C9) is a sequence of frames. Numbers are little-endian.
const (
	frameHead    = 8                                  // 4B length of the whole frame, 4B type
	putHead      = frameHead + 16                     // 4B each: entity … length; data
	deleteSize   = frameHead + 12                     // 4B entity, 4B component, 4B timestamp
	entitySize   = frameHead + 4                      // 4B entity
	maxFrame     = 65_600                             // above the greatest put, for new types
	flatEntities = Entity(1 << 32)                    // entities below it have a number in a frame
	keptBuffer   = 4 << 10                            // larger buffers are freed when empty
	_            = uint(maxFrame - putHead - MaxData) // there is room for the greatest put
)

// Errors of the flat form.
var (
	// ErrFrame says that bytes are not frames (C9).
	ErrFrame = errors.New("not in flat framing")
	// errLength and errBody say what is wrong.
	errLength = fmt.Errorf("%w: the length of a frame is not from 8 to 65600", ErrFrame)
	errBody   = fmt.Errorf("%w: the length of a frame does not fit its body", ErrFrame)
	// ErrNotFlat says that an entity has no number in the flat form (C10).
	ErrNotFlat = errors.New("flat framing has entities below 2^32 only")
)

// AppendFlat appends an operation that passes Check to a sequence of frames. The error is
// ErrNotFlat; then it returns b unchanged.
func AppendFlat(b []byte, op *Op) ([]byte, error) {
	if op.Entity >= flatEntities {
		return b, ErrNotFlat
	}
	size := entitySize
	switch {
	case op.hasData():
		size = putHead + len(op.Data)
	case op.Kind == Delete:
		size = deleteSize
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	b = binary.LittleEndian.AppendUint32(b, uint32(op.Kind))
	b = binary.LittleEndian.AppendUint32(b, uint32(op.Entity))
	if op.Kind == DeleteEntity {
		return b, nil
	}
	b = binary.LittleEndian.AppendUint32(b, op.Component)
	b = binary.LittleEndian.AppendUint32(b, op.Timestamp)
	if op.hasData() {
		//nolint:gosec // at most MaxData
		b = binary.LittleEndian.AppendUint32(b, uint32(len(op.Data)))
		b = append(b, op.Data...)
	}
	return b, nil
}

// FlatDecoder reads frames that come in chunks of any size. The zero FlatDecoder is at the
// beginning. It keeps at most one frame, and of that only what has come.
type FlatDecoder struct {
	// Zero accepts puts and deletes with the timestamp 0, as on bridges (C10.9).
	Zero bool

	pending []byte // the beginning of a frame
	err     error  // the first error, for ever
}

// Push reads the next chunk, and passes the complete operations to take, in order. Each passes
// Check. Its data is valid until take returns. Push skips frames of unknown types, and keeps an
// incomplete frame until the rest comes. The error wraps ErrFrame or ErrOp, and all later calls
// return it, too.
func (d *FlatDecoder) Push(chunk []byte, take func(Op)) error {
	for d.err == nil && len(d.pending) > 0 && len(chunk) > 0 {
		chunk = d.fill(chunk, take)
	}
	for d.err == nil {
		size, ok := d.size(chunk)
		if !ok || size > len(chunk) {
			break
		}
		d.frame(chunk[:size], take)
		chunk = chunk[size:]
	}
	if d.err == nil && len(chunk) > 0 {
		d.pending = append(d.pending, chunk...)
	}
	return d.err
}

// fill moves from chunk to the pending frame what that frame lacks, as far as its length is known.
// It returns the rest of chunk.
func (d *FlatDecoder) fill(chunk []byte, take func(Op)) []byte {
	want := frameHead
	if size, ok := d.size(d.pending); ok {
		want = size
	}
	n := min(want-len(d.pending), len(chunk))
	if n > 0 {
		d.pending = append(d.pending, chunk[:n]...)
	}
	if size, ok := d.size(d.pending); d.err == nil && ok && size == len(d.pending) {
		d.frame(d.pending, take)
		d.pending = d.pending[:0]
		if cap(d.pending) > keptBuffer {
			d.pending = nil
		}
	}
	return chunk[n:]
}

// size returns the length of the frame that b begins with. ok is false if b is too short or the
// length is invalid. For an invalid length, size sets d.err.
func (d *FlatDecoder) size(b []byte) (size int, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	n := binary.LittleEndian.Uint32(b)
	if n < frameHead || n > maxFrame {
		d.err = errLength
		return 0, false
	}
	return int(n), true
}

// frame reads a whole frame.
func (d *FlatDecoder) frame(b []byte, take func(Op)) {
	op, err := decodeFrame(b, d.Zero)
	switch {
	case err != nil:
		d.err = err
	case op.Kind != 0:
		take(op)
	}
}

// decodeFrame reads a whole frame. The kind of the operation is 0 if the type is unknown. zero
// accepts the timestamp 0.
func decodeFrame(b []byte, zero bool) (Op, error) {
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(b[frameHead+4*i:]) }
	kind := binary.LittleEndian.Uint32(b[4:])
	if kind < uint32(Put) || kind > uint32(Append) {
		return Op{}, nil
	}
	var op Op
	switch Kind(kind) {
	case Put, Append:
		//nolint:gosec // at most maxFrame
		if len(b) < putHead || number(3) != uint32(len(b)-putHead) {
			return Op{}, errBody
		}
		op = Op{
			Kind: Kind(kind), Entity: Entity(number(0)),
			Component: number(1), Timestamp: number(2), Data: b[putHead:],
		}
	case Delete:
		if len(b) != deleteSize {
			return Op{}, errBody
		}
		op = Op{Kind: Delete, Entity: Entity(number(0)), Component: number(1), Timestamp: number(2)}
	case DeleteEntity:
		if len(b) != entitySize {
			return Op{}, errBody
		}
		op = Op{Kind: DeleteEntity, Entity: Entity(number(0))}
	}
	if err := op.check(zero); err != nil {
		return Op{}, err
	}
	return op, nil
}

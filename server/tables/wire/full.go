package wire

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// fullPieces is the number of the field of Full that has the pieces (holt.proto).
const fullPieces protowire.Number = 5

// EncodeFullPiece returns the bytes of a piece in a full state, without its versions: each view has
// its own (T21). So the bytes are the same for all views in which the piece looks the same.
func EncodeFullPiece(s *table.Shown) ([]byte, error) {
	b, err := appendChange(nil, &table.Shown{}, s, false)
	if err != nil {
		return nil, fmt.Errorf("encode piece: %w", err)
	}
	return b, nil
}

// AppendFullPiece appends a piece that EncodeFullPiece has encoded to the pieces of a full state.
// The versions follow the other fields. A version of 0 is left out.
func AppendFullPiece(pieces, piece []byte, version, level id.Version) []byte {
	n := len(piece)
	if version != 0 {
		n += tagSize + protowire.SizeVarint(uint64(version))
	}
	if level != 0 {
		n += tagSize + protowire.SizeVarint(uint64(level))
	}
	pieces = append(appendLength(pieces, fullPieces, n), piece...)
	if version != 0 {
		pieces = appendNumber(pieces, pieceMark, uint64(version))
	}
	if level != 0 {
		pieces = appendNumber(pieces, pieceZMark, uint64(level))
	}
	return pieces
}

// AppendFull appends the event of a full state to the bytes of a frame. pieces is what
// AppendFullPiece has put together, and full has everything else. After an error it returns frame
// unchanged.
func AppendFull(frame []byte, full *holtpb.Full, pieces []byte) ([]byte, error) {
	var opts proto.MarshalOptions
	was, n := len(frame), opts.Size(full)+len(pieces)
	frame = appendLength(frame, frameEvents, tagSize+protowire.SizeBytes(n))
	frame = appendLength(frame, eventFull, n)
	opts.UseCachedSize = true
	frame, err := opts.MarshalAppend(frame, full)
	if err != nil {
		return frame[:was], fmt.Errorf("encode full state: %w", err)
	}
	return append(frame, pieces...), nil
}

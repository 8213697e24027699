package wire

import (
	"encoding/json"
	"strconv"

	"holt/server/play/table"
)

// AppendBatch appends b in the form that DecodeBatch reads.
func AppendBatch(to []byte, b Batch) []byte {
	to = append(to, `{"client":"`...)
	to = append(to, b.Client.String()...)
	to = append(to, `","epoch":`...)
	to = strconv.AppendUint(to, uint64(b.Epoch), 10)
	to = append(to, `,"updates":[`...)
	for i := range b.Updates {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendUpdate(to, &b.Updates[i])
	}
	return append(to, "]}"...)
}

func appendUpdate(to []byte, u *table.Update) []byte {
	number := func(field string, v int64) {
		to = append(to, `,"`...)
		to = append(to, field...)
		to = append(to, `":`...)
		to = strconv.AppendInt(to, v, 10)
	}
	to = append(to, `{"op":"`...)
	to = append(to, u.Op.String()...)
	to = append(to, '"')
	number("seq", int64(u.Seq)) //nolint:gosec // at most 2^53-1
	if u.Has&table.HasPiece != 0 {
		number("piece", int64(u.Piece))
	}
	if u.Has&table.HasTag != 0 {
		number("tag", int64(u.Tag)) //nolint:gosec // at most 2^53-1
	}
	if u.Has&table.HasXY != 0 {
		number("x", int64(u.X))
		number("y", int64(u.Y))
	}
	if u.Has&table.HasAngle != 0 {
		number("angle", int64(u.Angle))
	}
	if u.Has&table.HasFace != 0 {
		number("face", int64(u.Face))
	}
	if u.Has&table.HasKind != 0 {
		number("kind", int64(u.Kind))
	}
	if u.Has&table.HasSide != 0 {
		number("side", int64(u.Side))
	}
	if u.Has&table.HasMs != 0 {
		number("ms", int64(u.Ms))
	}
	if u.Has&table.HasIncrement != 0 {
		number("increment", int64(u.Increment))
	}
	if u.Has&table.HasN != 0 {
		number("n", int64(u.N))
	}
	if u.Has&table.HasAt != 0 {
		number("at", int64(u.At))
	}
	if u.Has&table.HasInto != 0 {
		number("into", int64(u.Into))
	}
	if u.Has&table.HasSeat != 0 {
		number("seat", int64(u.Seat))
	}
	if u.Has&table.HasText != 0 {
		text, _ := json.Marshal(u.Text) // a string can always be written
		to = append(append(to, `,"text":`...), text...)
	}
	if u.Has&table.HasSet != 0 {
		to = append(append(append(to, `,"set":"`...), u.Set.String()...), '"')
	}
	if u.Has&table.HasZ != 0 {
		to = append(to, `,"z":"`...)
		to = append(to, u.Z...)
		to = append(to, '"')
	}
	if u.Has&table.HasPieces != 0 {
		to = append(to, `,"pieces":[`...)
		for i, p := range u.Pieces {
			if i > 0 {
				to = append(to, ',')
			}
			to = strconv.AppendUint(to, uint64(p), 10)
		}
		to = append(to, ']')
	}
	if u.Has&table.HasLoose != 0 {
		to = append(to, `,"loose":true`...)
	}
	if u.Has&table.HasHold != 0 {
		to = append(to, `,"hold":true`...)
	}
	return append(to, '}')
}

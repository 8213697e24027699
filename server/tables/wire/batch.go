package wire

import (
	"fmt"
	"strconv"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/strictjson"
)

// Batch is what a client posts to …/updates: updates that are checked together and then judged each by itself (T15).
type Batch struct {
	Client  id.Client
	Epoch   id.Epoch
	Updates []table.Update

	// What the client was told last, and in which life of the server (S21): not in the body. Zero if it does not say.
	Life [16]byte
	Mark id.Mark
}

// whole is the index of a Bogus that is about the batch and not about one of its updates.
const whole = -1

// DecodeBatch reads the body of a POST to …/updates (http.md). It takes exactly one JSON object with the
// published fields, each at most once, integers as integers and within their published range; it does not
// check which arguments an operation needs (table.Check does). The error is a *table.Bogus, whose Index is -1
// if no single update is to blame. What makes the body malformed is reported before what makes a value
// impossible, wherever it stands. The batch does not refer to body.
func DecodeBatch(body []byte) (Batch, error) {
	if len(body) > MaxBatchBytes {
		return Batch{}, &table.Bogus{Index: whole, Code: table.CodeTooLarge, Detail: fmt.Sprintf("the body has more than %d bytes", MaxBatchBytes)}
	}
	d := batchDecoder{index: whole, code: table.CodeMalformed}
	d.Reset(body)
	b := d.batch()
	switch {
	case d.Err() != nil:
		return Batch{}, &table.Bogus{Index: d.index, Code: d.code, Detail: d.Err().Detail}
	case d.impossible != nil:
		return Batch{}, d.impossible
	}
	return b, nil
}

// batchDecoder reads a batch.
type batchDecoder struct {
	strictjson.Reader
	index      int          // of the update that is being read, or whole
	code       string       // of the reader's error
	impossible *table.Bogus // the first fault that left the rest readable
}

// failCode stops the reader.
func (d *batchDecoder) failCode(code, detail string) {
	if d.Err() == nil {
		d.code = code
	}
	d.Fail(detail)
}

// note keeps a fault that leaves the rest readable.
func (d *batchDecoder) note(detail string) { d.noteCode(table.CodeImpossible, detail) }

func (d *batchDecoder) noteCode(code, detail string) {
	if d.impossible == nil {
		d.impossible = &table.Bogus{Index: d.index, Code: code, Detail: detail}
	}
}

// batchField is a member of the outer object.
type batchField uint8

const (
	batchClient batchField = 1 << iota
	batchEpoch
	batchUpdates
	batchAll = batchClient | batchEpoch | batchUpdates
)

func (d *batchDecoder) batch() (b Batch) {
	var seen batchField
	for d.Object(); d.More(); {
		switch key := d.Key(); string(key) {
		case "client":
			d.once(&seen, batchClient, key)
			b.Client = d.client()
		case "epoch":
			d.once(&seen, batchEpoch, key)
			b.Epoch = id.Epoch(d.number("epoch", 1, int64(id.MarkMax))) //nolint:gosec // in range
		case "updates":
			d.once(&seen, batchUpdates, key)
			b.Updates = d.updates()
		default:
			d.failUnknown(key)
		}
	}
	d.End()
	if seen != batchAll {
		d.Fail("a batch needs client, epoch and updates")
	}
	return b
}

func (d *batchDecoder) once(seen *batchField, f batchField, key []byte) {
	if *seen&f != 0 {
		d.failTwice(key)
	}
	*seen |= f
}

func (d *batchDecoder) client() id.Client {
	text := d.Text("client")
	c, err := id.ParseClient(string(text))
	if err != nil {
		d.note("client: " + err.Error())
	}
	return c
}

func (d *batchDecoder) updates() []table.Update {
	us := make([]table.Update, 0, min(MaxBatch, d.Count('{')))
	for d.Array(); d.More(); {
		if len(us) == MaxBatch {
			d.failCode(table.CodeTooLarge, fmt.Sprintf("a batch has at most %d updates", MaxBatch))
			break
		}
		d.index = len(us)
		us = append(us, table.Update{})
		if d.update(&us[len(us)-1]); d.Err() != nil {
			return us // index says in which
		}
		d.index = whole
	}
	if len(us) == 0 {
		d.Fail("a batch has at least one update")
	}
	return us
}

// updateField is a member of an update.
type updateField uint32

const (
	updateSeq updateField = 1 << iota
	updateOp
	updatePiece
	updateTag
	updateX
	updateY
	updateAngle
	updateFace
	updateZ
	updateKind
	updatePieces
	updateLoose
	updateSide
	updateMs
	updateIncrement
	updateN
	updateAt
	updateHold
	updateInto
	updateSeat
	updateText
	updateSet
)

// fieldOf returns which member of an update key names, 0 if none.
func fieldOf(key []byte) updateField {
	switch string(key) {
	case "seq":
		return updateSeq
	case "op":
		return updateOp
	case "piece":
		return updatePiece
	case "tag":
		return updateTag
	case "x":
		return updateX
	case "y":
		return updateY
	case "angle":
		return updateAngle
	case "face":
		return updateFace
	case "z":
		return updateZ
	case "kind":
		return updateKind
	case "pieces":
		return updatePieces
	case "loose":
		return updateLoose
	case "side":
		return updateSide
	case "ms":
		return updateMs
	case "increment":
		return updateIncrement
	case "n":
		return updateN
	case "at":
		return updateAt
	case "hold":
		return updateHold
	case "into":
		return updateInto
	case "seat":
		return updateSeat
	case "text":
		return updateText
	case "set":
		return updateSet
	}
	return 0
}

func (d *batchDecoder) update(u *table.Update) {
	var seen updateField
	for d.Object(); d.More(); {
		key := d.Key()
		f := fieldOf(key)
		switch {
		case f == 0:
			d.failUnknown(key)
		case seen&f != 0:
			d.failTwice(key)
		}
		seen |= f
		d.argument(u, f)
	}
	const needs = updateSeq | updateOp
	if seen&needs != needs {
		d.Fail("an update needs seq and op")
	}
	const both = updateX | updateY
	if xy := seen & both; xy == both {
		u.Has |= table.HasXY
	} else if xy != 0 {
		d.Fail("x and y go together")
	}
}

// argument reads the value of one member.
//
//nolint:gosec // number returns what is in the range that it is given
func (d *batchDecoder) argument(u *table.Update, f updateField) {
	switch f {
	case updateSeq:
		u.Seq = id.ClientSeq(d.number("seq", 1, int64(id.ClientSeqMax)))
	case updateOp:
		u.Op = d.op()
	case updatePiece:
		u.Has, u.Piece = u.Has|table.HasPiece, id.Piece(d.number("piece", 1, pieceMax))
	case updateTag:
		u.Has, u.Tag = u.Has|table.HasTag, id.Mark(d.number("tag", 0, int64(id.MarkMax)))
	case updateX:
		u.X = int32(d.number("x", -table.MaxCoordinate, table.MaxCoordinate))
	case updateY:
		u.Y = int32(d.number("y", -table.MaxCoordinate, table.MaxCoordinate))
	case updateAngle:
		u.Has, u.Angle = u.Has|table.HasAngle, int32(d.number("angle", 0, table.FullTurn-1))
	case updateFace:
		u.Has, u.Face = u.Has|table.HasFace, int32(d.number("face", 0, faceMax))
	case updateZ:
		u.Has, u.Z = u.Has|table.HasZ, d.level()
	case updateKind:
		u.Has, u.Kind = u.Has|table.HasKind, uint32(d.number("kind", 0, kindMax))
	case updatePieces:
		u.Has, u.Pieces = u.Has|table.HasPieces, d.pieces()
	case updateLoose:
		if d.Bool("loose") {
			u.Has |= table.HasLoose
		}
	case updateSide:
		u.Has, u.Side = u.Has|table.HasSide, uint8(d.number("side", 1, 2))
	case updateMs:
		u.Has, u.Ms = u.Has|table.HasMs, int32(d.number("ms", 0, int64(curve.MaxValue)))
	case updateIncrement:
		u.Has, u.Increment = u.Has|table.HasIncrement, int32(d.number("increment", 0, int64(curve.MaxValue)))
	case updateN:
		u.Has, u.N = u.Has|table.HasN, int32(d.number("n", -table.MaxValue, table.MaxValue))
	case updateAt:
		u.Has, u.At = u.Has|table.HasAt, int32(d.number("at", -table.MaxPieces, table.MaxPieces))
	case updateHold:
		if d.Bool("hold") {
			u.Has |= table.HasHold
		}
	case updateInto:
		u.Has, u.Into = u.Has|table.HasInto, id.Piece(d.number("into", 1, pieceMax))
	case updateSeat:
		u.Has, u.Seat = u.Has|table.HasSeat, id.Seat(d.number("seat", 0, seatMax))
	case updateText:
		u.Has, u.Text = u.Has|table.HasText, string(d.Text("text"))
	case updateSet:
		u.Has, u.Set = u.Has|table.HasSet, d.set()
	}
}

// The greatest values of fields that table does not bound more closely.
const (
	pieceMax = 1<<31 - 1 // T21
	faceMax  = 1<<31 - 1
	kindMax  = 1<<32 - 1
	seatMax  = 1<<31 - 1
)

func (d *batchDecoder) op() table.Op {
	name := d.Text("op")
	op, ok := table.ParseOp(string(name))
	if !ok {
		d.noteCode(table.CodeUnknownOp, "op "+shortQuote(name)+" is not known")
	}
	return op
}

// set reads the identifier of a set: 32 hexadecimal digits (T41).
func (d *batchDecoder) set() id.OID {
	set, err := id.ParseOID(string(d.Text("set")))
	if err != nil || set.IsZero() {
		d.note("set is not 32 small hexadecimal digits")
	}
	return set
}

func (d *batchDecoder) level() zlevel.Level {
	z, err := zlevel.Parse(string(d.Text("z")))
	if err != nil {
		d.note("z: " + err.Error())
	}
	return z
}

func (d *batchDecoder) pieces() []id.Piece {
	ps := make([]id.Piece, 0, 52)
	for d.Array(); d.More(); {
		p := id.Piece(d.number("pieces", 1, pieceMax)) //nolint:gosec // in range
		if len(ps) == table.MaxShuffle {
			d.note(fmt.Sprintf("pieces has more than %d", table.MaxShuffle))
			continue // the list may yet turn out to be malformed
		}
		ps = append(ps, p)
	}
	return ps
}

// number reads an integer and notes it if it is not from low to high.
func (d *batchDecoder) number(field string, low, high int64) int64 {
	v, fits := d.Integer(field)
	if !fits || v < low || v > high {
		d.note(fmt.Sprintf("%s is not from %d to %d", field, low, high))
		return low
	}
	return v
}

func (d *batchDecoder) failUnknown(key []byte) { d.Fail("field " + shortQuote(key) + " is not known") }
func (d *batchDecoder) failTwice(key []byte)   { d.Fail("field " + shortQuote(key) + " is there twice") }

// shortQuote quotes what a client sent, cut short: a problem does not echo kilobytes.
func shortQuote(b []byte) string {
	const limit = 40
	if len(b) > limit {
		return strconv.QuoteToASCII(string(b[:limit])) + "…"
	}
	return strconv.QuoteToASCII(string(b))
}

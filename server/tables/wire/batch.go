package wire

import (
	"fmt"
	"strconv"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
	"holt/server/strictjson"
)

// Batch is what a client posts to …/updates: updates that are checked together, and then judged one
// by one (T15).
type Batch struct {
	Client  id.Client
	Epoch   id.Epoch
	Updates []table.Update

	// Life and Version are the last version that the client has, and the server life in which it
	// was sent (S21). They are not in the body. Zero if the client does not send them.
	Life    [16]byte
	Version id.Version
}

// whole is the index of an Invalid about the batch as a whole.
const whole = -1

// DecodeBatch reads the body of a POST to …/updates (http.md). It accepts exactly one JSON object
// with the published fields, each at most once, and integers within their published range. It does
// not check which arguments an operation needs: table.Check does. The error is a *table.Invalid,
// whose Index is -1 if no single update is to blame. A fault that makes the body malformed is
// reported before one that makes a value impossible, wherever they are. The batch does not refer to
// body.
func DecodeBatch(body []byte) (Batch, error) {
	if len(body) > MaxBatchBytes {
		return Batch{}, &table.Invalid{
			Index: whole, Code: table.CodeTooLarge,
			Detail: fmt.Sprintf("the body has more than %d bytes", MaxBatchBytes),
		}
	}
	d := batchDecoder{index: whole, code: table.CodeMalformed}
	d.Reset(body)
	b := d.batch()
	switch {
	case d.Err() != nil:
		return Batch{}, &table.Invalid{Index: d.index, Code: d.code, Detail: d.Err().Detail}
	case d.impossible != nil:
		return Batch{}, d.impossible
	}
	return b, nil
}

// batchDecoder reads a batch.
type batchDecoder struct {
	strictjson.Reader
	index      int            // of the update that is being read, or whole
	code       string         // of the reader's error
	impossible *table.Invalid // the first fault that leaves the rest readable
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
		d.impossible = &table.Invalid{Index: d.index, Code: code, Detail: detail}
	}
}

// Members of the outer object.
const (
	batchClient = 1 << iota
	batchEpoch
	batchUpdates
	batchAll = batchClient | batchEpoch | batchUpdates
)

func (d *batchDecoder) batch() (b Batch) {
	seen := 0
	for d.Object(); d.More(); {
		switch key := d.Key(); string(key) {
		case "client":
			d.once(&seen, batchClient, key)
			b.Client = d.client()
		case "epoch":
			d.once(&seen, batchEpoch, key)
			b.Epoch = id.Epoch(d.number("epoch", 1, int64(id.VersionMax))) //nolint:gosec // in range
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

// once records that a member of an object has been read. It fails for the second one.
func (d *batchDecoder) once(seen *int, member int, key []byte) {
	if *seen&member != 0 {
		d.failTwice(key)
	}
	*seen |= member
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
			return us // index says in which one
		}
		d.index = whole
	}
	if len(us) == 0 {
		d.Fail("a batch has at least one update")
	}
	return us
}

// Members of an update beside its arguments.
const (
	memberSeq = 1 << (iota + len(table.Arguments))
	memberOp
)

func (d *batchDecoder) update(u *table.Update) {
	seen := 0 // members; arguments by their index in table.Arguments
	for d.Object(); d.More(); {
		key := d.Key()
		switch string(key) {
		case "seq":
			d.once(&seen, memberSeq, key)
			//nolint:gosec // in range
			u.Seq = id.ClientSeq(d.number("seq", 1, int64(id.ClientSeqMax)))
		case "op":
			d.once(&seen, memberOp, key)
			u.Op = d.op()
		default:
			i := table.FindArgument(key)
			if i < 0 {
				d.failUnknown(key)
				return
			}
			d.once(&seen, 1<<i, key)
			d.argument(u, &table.Arguments[i])
		}
	}
	if seen&memberSeq == 0 || seen&memberOp == 0 {
		d.Fail("an update needs seq and op")
	}
	if u.Has&table.HasXY != 0 && seen&membersXY != membersXY {
		d.Fail("x and y go together")
	}
}

// membersXY is the two members of one argument.
var membersXY = 1<<table.FindArgument([]byte("x")) | 1<<table.FindArgument([]byte("y"))

// argument reads the value of one argument.
func (d *batchDecoder) argument(u *table.Update, a *table.Argument) {
	has := true
	switch a.Form {
	case table.FormNumber:
		a.Set(u, d.number(a.Name, a.Low, a.High))
	case table.FormFlag:
		has = d.Bool(a.Name)
	case table.FormText:
		u.Text = string(d.Text(a.Name))
	case table.FormLevel:
		u.Z = d.level()
	case table.FormSet:
		u.Set = d.set()
	case table.FormPieces:
		u.Pieces = d.pieces()
	case table.FormAnswers:
		u.Answers = d.answers(a)
	}
	if has {
		u.Has |= a.Field
	}
}

// pieceMax is the greatest identifier of a piece (T21).
const pieceMax = 1<<31 - 1

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
			continue // the list may still turn out to be malformed
		}
		ps = append(ps, p)
	}
	return ps
}

func (d *batchDecoder) answers(a *table.Argument) (all []int32) {
	for d.Array(); d.More(); {
		answer := int32(d.number(a.Name, a.Low, a.High)) //nolint:gosec // in range
		if len(all) == table.MaxQuestions {
			d.note(fmt.Sprintf("answers has more than %d", table.MaxQuestions))
			continue // the list may still turn out to be malformed
		}
		all = append(all, answer)
	}
	return all
}

// number reads an integer. It notes a fault if the integer is not from low to high.
func (d *batchDecoder) number(field string, low, high int64) int64 {
	v, fits := d.Integer(field)
	if !fits || v < low || v > high {
		d.note(fmt.Sprintf("%s is not from %d to %d", field, low, high))
		return low
	}
	return v
}

func (d *batchDecoder) failUnknown(key []byte) {
	d.Fail("field " + shortQuote(key) + " is not known")
}

func (d *batchDecoder) failTwice(key []byte) {
	d.Fail("field " + shortQuote(key) + " is there twice")
}

// shortQuote quotes what a client sent, shortened: a problem must not echo kilobytes.
func shortQuote(b []byte) string {
	const limit = 40
	if len(b) > limit {
		return strconv.QuoteToASCII(string(b[:limit])) + "…"
	}
	return strconv.QuoteToASCII(string(b))
}

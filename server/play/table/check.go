package table

import (
	"fmt"

	"holt/server/id"
	"holt/server/play/curve"
)

// Check reports the first update of a batch that could not have been meant (T15), or nil. It changes
// nothing. A batch that passes is applied update by update, whatever becomes of each.
func (t *Table) Check(c id.Client, seat id.Seat, batch []Update) *Bogus {
	known := t.clients[c]
	last := id.ClientSeq(0)
	if known != nil {
		last = known.last
	}
	for i := range batch {
		u := &batch[i]
		code, detail := t.checkArguments(u)
		if code == "" {
			code, detail = t.checkNames(seat, u)
		}
		if code == "" {
			code, detail = t.checkTag(known, seat, u)
		}
		if code == "" {
			code, detail = checkSequence(known, last, u)
		}
		if code != "" {
			return &Bogus{Index: i, Code: code, Detail: detail}
		}
		last = max(last, u.Seq)
	}
	return nil
}

// checkArguments looks at the update alone.
func (t *Table) checkArguments(u *Update) (code, detail string) {
	if !u.Op.ofClients() {
		return CodeUnknownOp, "no such operation"
	}
	shape := u.shape()
	switch {
	case u.Has&shape.needs != shape.needs:
		return CodeMalformed, fmt.Sprintf("%s lacks %s", u.Op, fieldName(shape.needs&^u.Has))
	case u.Has&^(shape.needs|shape.may) != 0:
		return CodeMalformed, fmt.Sprintf("%s takes no %s", u.Op, fieldName(u.Has&^(shape.needs|shape.may)))
	case u.Seq == 0 || u.Seq > id.ClientSeqMax:
		return CodeImpossible, "a sequence lies between 1 and 2^53-1"
	case u.Has&HasXY != 0 && (!inRange(u.X) || !inRange(u.Y)):
		return CodeImpossible, fmt.Sprintf("x and y lie between -%d and %d", MaxCoordinate, MaxCoordinate)
	case u.Has&HasAngle != 0 && (u.Angle < 0 || u.Angle >= FullTurn):
		return CodeImpossible, fmt.Sprintf("an angle lies between 0 and %d", FullTurn-1)
	case u.Has&HasKind != 0 && int64(u.Kind) >= int64(len(t.kinds)):
		return CodeImpossible, fmt.Sprintf("no kind %d in the catalogue", u.Kind)
	case u.Has&HasFace != 0 && u.Face < 0:
		return CodeImpossible, "a face counts from 0"
	case u.Has&HasKind != 0 && u.Has&HasFace != 0 && u.Face >= t.kinds[u.Kind].Faces:
		return CodeImpossible, fmt.Sprintf("kind %d has no face %d", u.Kind, u.Face)
	case u.Has&HasPieces != 0 && (len(u.Pieces) < MinShuffle || len(u.Pieces) > MaxShuffle):
		return CodeImpossible, fmt.Sprintf("a shuffle takes %d to %d pieces", MinShuffle, MaxShuffle)
	case u.Has&HasSide != 0 && (u.Side < 1 || u.Side > 2):
		return CodeImpossible, "a side is 1 or 2"
	case u.Has&HasMs != 0 && (u.Ms < 0 || u.Ms > curve.MaxValue):
		return CodeImpossible, fmt.Sprintf("ms lies between 0 and %d", curve.MaxValue)
	case u.Has&HasIncrement != 0 && (u.Increment < 0 || u.Increment > curve.MaxValue):
		return CodeImpossible, fmt.Sprintf("an increment lies between 0 and %d", curve.MaxValue)
	}
	return u.checkAmounts()
}

// checkAmounts looks at the arguments of T23 and T30 to T35.
func (u *Update) checkAmounts() (code, detail string) {
	least, most := int32(1), int32(MaxDraw)
	switch u.Op {
	case OpCount:
		least, most = -MaxValue, MaxValue
	case OpSplit:
		most = MaxValue
	case OpPeek:
		most = MaxShuffle
	case OpCut:
		most = MaxPieces
	default:
	}
	switch {
	case u.Has&HasN != 0 && (u.N < least || u.N > most):
		return CodeImpossible, fmt.Sprintf("n of %s lies between %d and %d", u.Op, least, most)
	case u.Has&HasAt != 0 && u.Op == OpStow && (u.At < -1 || u.At > 1):
		return CodeImpossible, "at of stow is 1, -1 or 0"
	case u.Has&HasAt != 0 && u.Op == OpDraw && (u.At == 0 || u.At > MaxPieces || u.At < -MaxPieces):
		return CodeImpossible, fmt.Sprintf("at of draw counts from 1 or from -1, to %d", MaxPieces)
	case len(u.Text) > MaxText:
		return CodeImpossible, fmt.Sprintf("a text has at most %d bytes", MaxText)
	case !Plain(u.Text):
		return CodeImpossible, "a text is UTF-8 without control characters but for line feeds"
	}
	return "", ""
}

func inRange(v int32) bool { return v >= -MaxCoordinate && v <= MaxCoordinate }

var fieldNames = []string{
	"piece", "tag", "x and y", "angle", "face", "z", "kind", "pieces", "loose", "side", "ms", "increment",
	"n", "at", "hold", "into", "seat", "text", "set",
}

// fieldName returns the name of the lowest argument in f.
func fieldName(f Fields) string {
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			return name
		}
	}
	return "argument"
}

// checkTag looks at the tag of an update: c may be nil, for a client that is not known. A tag has to be a mark that the
// client can have been given for the piece (T15). What it answers follows from what the client was told and from
// nothing else: a stale tag says nothing about the piece, because that may have been another one before (T21).
func (t *Table) checkTag(c *client, seat id.Seat, u *Update) (code, detail string) {
	v := t.view(seat)
	rejects := u.Tag & markRejects
	entry := u.Tag - rejects
	switch {
	case u.Has&HasTag == 0:
		return "", ""
	case entry == 0, entry > v.now(), entry == v.now() && rejects == markRejects: // the last one is given only with a newer (T14)
	case rejects == 0, entry <= t.doubt(c, seat), c != nil && u.Tag <= t.rejectedUpTo(c, v, u):
		return "", ""
	}
	return CodeFutureTag, fmt.Sprintf("mark %d was never given to this client for piece %d", u.Tag, u.Piece)
}

// rejectedUpTo returns the highest mark that rejects have given to c and that it may use as a tag for a piece: the
// floor of a piece that the view sees. Where a tag could only be stale it is the highest of any piece.
func (t *Table) rejectedUpTo(c *client, v *view, u *Update) id.Mark {
	p := t.find(u.Piece, v.seat)
	if p == nil || u.Tag < v.mark(p.lineage(v.seat).notBy(c.id)) {
		return c.rejected
	}
	return c.floors[p.oid]
}

// checkNames looks at what the update refers to. A piece that has been deleted is no fault of the client.
func (t *Table) checkNames(seat id.Seat, u *Update) (code, detail string) {
	for i, p := range u.Pieces {
		if !t.given(p) {
			return CodeUnknownPiece, fmt.Sprintf("no piece %d has been on this table", p)
		}
		for _, q := range u.Pieces[:i] {
			if p == q {
				return CodeImpossible, fmt.Sprintf("piece %d is listed twice", p)
			}
		}
	}
	for _, n := range []struct {
		has  Fields
		name id.Piece
	}{{HasPiece, u.Piece}, {HasInto, u.Into}} {
		if u.Has&n.has != 0 && !t.given(n.name) {
			return CodeUnknownPiece, fmt.Sprintf("no piece %d has been on this table", n.name)
		}
	}
	if u.Has&HasSeat != 0 && int(u.Seat) > len(t.seats) || u.Has&HasSeat != 0 && u.Seat == 0 && u.Op != OpAssign {
		return CodeImpossible, fmt.Sprintf("no seat %d", u.Seat)
	}
	if u.Has&HasPiece == 0 {
		return "", ""
	}
	p := t.find(u.Piece, t.ViewOf(seat))
	if p != nil && ofClock(u.Op) {
		return t.kinds[p.state.Kind].Clock.checkClock(u)
	}
	if p != nil && u.Op == OpFlip {
		// Of a concealed piece a client knows only that it has a front and a back.
		faces := t.kinds[p.state.Kind].Faces
		if t.concealed(&p.state, seat) {
			faces = 2
		}
		if u.Face < 0 || u.Face >= faces {
			return CodeImpossible, fmt.Sprintf("piece %d has no face %d", u.Piece, u.Face)
		}
	}
	return "", ""
}

// checkSequence looks at the number (T10). last is the highest before u, in earlier batches and in this one.
func checkSequence(c *client, last id.ClientSeq, u *Update) (code, detail string) {
	if u.Seq > last {
		return "", ""
	}
	if c != nil {
		if o, ok := c.find(u.Seq); ok {
			if o.digest != u.digest() {
				return CodeReusedSeq, fmt.Sprintf("sequence %d was used for another update", u.Seq)
			}
			return "", ""
		}
		if u.Seq <= c.forgotten {
			return "", ""
		}
	}
	return CodeDecreasingSeq, fmt.Sprintf("sequence %d comes after %d and is not known", u.Seq, last)
}

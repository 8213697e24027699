package table

import (
	"fmt"
	"math/bits"

	"holt/server/id"
)

// Check returns the first invalid update of a batch (T15), or nil. It changes nothing. Apply judges
// each update of an accepted batch by itself.
func (t *Table) Check(c id.Client, seat id.Seat, batch []Update) *Invalid {
	known := t.known(c)
	unseen := id.ClientSeq(0)
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
			code, detail = checkSequence(known, &unseen, u)
		}
		if code != "" {
			return &Invalid{Index: i, Code: code, Detail: detail}
		}
	}
	return nil
}

// checkArguments checks what can be checked without the pieces of the table.
func (t *Table) checkArguments(u *Update) (code, detail string) {
	if !u.Op.ofClients() {
		return CodeUnknownOp, "no such operation"
	}
	form := u.form()
	switch missing, extra := form.Required&^u.Has, u.Has&^(form.Required|form.Optional); {
	case missing != 0:
		return CodeMalformed, fmt.Sprintf("%s lacks %s", u.Op, missing)
	case extra != 0:
		return CodeMalformed, fmt.Sprintf("%s takes no %s", u.Op, extra)
	case u.Seq == 0 || u.Seq > id.ClientSeqMax:
		return CodeImpossible, "a sequence lies between 1 and 2^53-1"
	}
	for rest := u.Has; rest != 0; rest &= rest - 1 {
		for _, a := range numbers[bits.TrailingZeros32(uint32(rest))] {
			if v := a.get(u); v < a.Low || v > a.High {
				return CodeImpossible, fmt.Sprintf("%s is not from %d to %d", a.Name, a.Low, a.High)
			}
		}
	}
	switch {
	case u.Has&HasKind != 0 && int64(u.Kind) >= int64(len(t.kinds)):
		return CodeImpossible, fmt.Sprintf("no kind %d in the catalogue", u.Kind)
	case u.Has&HasKind != 0 && u.Has&HasFace != 0 && u.Face >= t.kinds[u.Kind].Faces:
		return CodeImpossible, fmt.Sprintf("kind %d has no face %d", u.Kind, u.Face)
	case u.Has&HasPieces != 0 && (len(u.Pieces) < u.Op.leastPieces() || len(u.Pieces) > MaxShuffle):
		return CodeImpossible,
			fmt.Sprintf("%s takes %d to %d pieces", u.Op, u.Op.leastPieces(), MaxShuffle)
	}
	return u.checkAmounts()
}

// leastPieces returns how many pieces an operation lists at least, if it lists any.
func (o Op) leastPieces() int {
	if o == OpShuffle {
		return MinShuffle
	}
	return 1
}

// checkAmounts checks the arguments of T23 and T30 to T35.
func (u *Update) checkAmounts() (code, detail string) {
	o := &operations[u.Op]
	low, high := o.boundsN()
	switch {
	case u.Has&HasN != 0 && (u.N < low || u.N > high):
		return CodeImpossible, fmt.Sprintf("n of %s lies between %d and %d", u.Op, low, high)
	case u.Has&HasAt != 0 && (u.At < o.LowAt || u.At > o.HighAt):
		return CodeImpossible,
			fmt.Sprintf("at of %s lies between %d and %d", u.Op, o.LowAt, o.HighAt)
	}
	if o.check != nil {
		if code, detail := o.check(u); code != "" {
			return code, detail
		}
	}
	if u.Has&HasText == 0 {
		return "", ""
	}
	return u.checkText()
}

// checkTag checks the tag of an update. c is nil for an unknown client. A tag must be a version
// that the client can have been given for the piece (T15). The answer follows only from what the
// client has received: a stale tag says nothing about the piece, because the name may have meant
// another piece before (T21).
func (t *Table) checkTag(c *client, seat id.Seat, u *Update) (code, detail string) {
	v := t.view(seat)
	rejects := u.Tag & markRejects
	entry := u.Tag - rejects
	switch {
	case u.Has&HasTag == 0:
		return "", ""
	// A reject gets the last version only together with a newer entry (T14.11).
	case entry == 0, entry > v.now(), entry == v.now() && rejects == markRejects:
	case rejects == 0, entry <= t.doubt(c, seat), c != nil && u.Tag <= t.rejectedUpTo(c, v, u):
		return "", ""
	}
	return CodeFutureTag,
		fmt.Sprintf("mark %d was never given to this client for piece %d", u.Tag, u.Piece)
}

// rejectedUpTo returns the highest version of a reject that c may use as a tag for a piece: its
// floor, if the view sees the piece. Where a tag could only be stale, it is the highest version of
// any reject to c.
func (t *Table) rejectedUpTo(c *client, v *view, u *Update) id.Version {
	p := t.find(u.Piece, v.seat)
	if p == nil || u.Tag < v.mark(p.lineage(v.seat).notBy(c.id)) {
		return c.rejected
	}
	return c.floors[p.oid]
}

// checkNames checks what the update refers to. A client is not at fault if a piece has been
// deleted.
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
	if u.Has&HasSeat != 0 && int(u.Seat) > len(t.seats) ||
		u.Has&HasSeat != 0 && u.Seat == 0 && !u.Op.has(ToNobody) {
		return CodeImpossible, fmt.Sprintf("no seat %d", u.Seat)
	}
	if u.Has&HasPiece == 0 {
		return "", ""
	}
	p := t.find(u.Piece, t.ViewOf(seat))
	if check := operations[u.Op].checkPiece; p != nil && check != nil {
		return check(t, p, seat, u)
	}
	return "", ""
}

// checkSequence checks the sequence (T10). unseen is the last sequence of the batch before u that
// the table has never seen. A sequence that later ones have overtaken is accepted, unless it lies
// so far below that the table may have forgotten its outcome.
func checkSequence(c *client, unseen *id.ClientSeq, u *Update) (code, detail string) {
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
	switch {
	case u.Seq <= *unseen:
		return CodeDecreasingSeq,
			fmt.Sprintf("sequence %d comes after %d and is not known", u.Seq, *unseen)
	case c != nil && u.Seq <= c.belowWindow():
		return CodeDecreasingSeq,
			fmt.Sprintf("sequence %d lies too far below %d and is not known", u.Seq, c.last)
	}
	*unseen = u.Seq
	return "", ""
}

package table

import (
	"holt/server/id"
	"holt/server/play/zlevel"
)

// By says who sends an update.
type By struct {
	Client id.Client
	Seat   id.Seat
	Role   Role
}

// Inputs are what Apply cannot compute: the time, identifiers for a piece or a set that the update
// may make, and randomness (T26, T30 to T32).
type Inputs struct {
	Now   id.Millis
	OID   id.OID
	Rand  interface{ IntN(n int) int }
	Round uint32 // the open round of randomness (F12)
	// OIDs are for the pieces of a set that is placed on the table: one for each part (T41).
	OIDs []id.OID
	// Unproved is the randomness for secret parts of sets, which is in no round (T38, T40). Nobody
	// may be able to foresee it, or to recompute it later.
	Unproved interface{ IntN(n int) int }
	// Said is the line that an unsay names, as the log has it; nil if there is none (T64).
	Said *Chat
	// Refused is the reason why the update may not be recorded, whatever it would do. It is 0 if
	// the update may be recorded (T45, T46).
	Refused Reason
}

// Makes reports whether u may make a piece or a set. Then Inputs.OID is needed.
func (u *Update) Makes() bool {
	return u.Op.has(MakesPiece)
}

// Apply judges u, which Check has accepted. It records u, or discards it when a server update
// unknown to the client is newer (T6), or rejects it (T14). The next Take returns the entries that
// it records. A reject may come with an entry, which must be published after the reject (T14.11).
// Apply never fails.
func (t *Table) Apply(by By, u *Update, in Inputs) Outcome {
	c := t.client(by.Client, by.Seat)
	if o, ok := c.find(u.Seq); ok {
		return t.repeat(c, o)
	}
	t.meet(c, u.Seq)
	j := t.begin(by, u, in, c)
	defer j.end()
	if u.Seq <= c.forgotten {
		return j.forgotten()
	}
	out := j.judge()
	out.Chance = j.drawn
	return out
}

// begin starts the judgement of an update. end ends it. The table judges one update at a time, so
// it needs only one judging: the functions of the operations would move a variable of Apply to the
// heap.
func (t *Table) begin(by By, u *Update, in Inputs, c *client) *judging {
	j := &t.judged
	j.t, j.by, j.u, j.in, j.client = t, by, u, in, c
	return j
}

// end drops what belongs to the caller. The new state is large, and is set before it is read.
func (j *judging) end() {
	j.u, j.in, j.client, j.drawn, j.p, j.ask, j.known = nil, Inputs{}, nil, Chance{}, nil, nil, nil
	j.laid = false
}

func (j *judging) judge() Outcome {
	switch {
	case j.u.Has&HasPiece != 0:
		return j.piece()
	// If the update names one piece, reasons that concern that piece come first (T14.14).
	case j.in.Refused != reasonNone:
		return j.reject(j.in.Refused, 0)
	default:
		return operations[j.u.Op].run(j)
	}
}

// repeat returns the outcome of a repeated sequence again (T10).
func (t *Table) repeat(c *client, o *outcome) Outcome {
	switch o.verdict {
	case Recorded:
		return Outcome{Verdict: Repeated, Ack: t.ack(c, o)}
	case Rejected:
		r := Reject{Seq: o.seq, Reason: o.reason}
		if o.piece != 0 {
			r.Piece = t.rejected(c, o.piece)
		}
		return Outcome{Verdict: Rejected, Reject: r}
	case Deferred:
		return Outcome{Verdict: Deferred}
	default:
		return Outcome{Verdict: Discarded}
	}
}

// rejected returns a piece as a reject shows it: complete, with the client's floor as its version.
func (t *Table) rejected(c *client, name id.Piece) Shown {
	v := t.view(c.seat)
	p := t.find(name, v.seat)
	if p == nil {
		return Shown{Name: name, Version: v.now(), Gone: true}
	}
	s := t.show(v, p.name, p.lineage(v.seat).Gen, &p.state)
	s.Version = max(s.Version, c.floors[p.oid])
	return s
}

// judging is the state of one call of Apply or Resume, for one update.
type judging struct {
	t      *Table
	by     By
	u      *Update
	in     Inputs
	client *client
	drawn  Chance
	p      *piece // nil for add, for place, and for shuffles of listed pieces
	after  State  // the new state of the piece, once nothing stands in its way
	laid   bool   // a zone lays the piece otherwise than the update says (T86)
	x, y   int32
	angle  int32
	z      zlevel.Level
	ask    *Ask              // the question to the owner that must be answered first; nil if none
	known  map[uint32]uint32 // part to kind, as the owner has answered
}

// piece judges an update that changes one piece: with a tag as its client has last seen it, and
// without one in whatever state it is (T28).
func (j *judging) piece() Outcome {
	t, u, c := j.t, j.u, j.client
	j.p = t.find(u.Piece, t.ViewOf(j.by.Seat))
	if j.p == nil {
		return j.reject(ReasonGone, 0)
	}
	tagged := u.Has&HasTag != 0
	stale := tagged && (j.stale() || u.Tag < c.floors[j.p.oid])
	if stale && !u.Loose() {
		c.remember(outcome{seq: u.Seq, digest: u.digest(), verdict: Discarded, piece: u.Piece})
		return Outcome{Verdict: Discarded}
	}
	if stale && j.p.released != c.id {
		return j.reject(ReasonStaleLoose, 0)
	}
	if j.in.Refused != reasonNone {
		return j.reject(j.in.Refused, 0)
	}
	if reason, holder := j.hindrance(); reason != reasonNone {
		return j.reject(reason, holder)
	}
	j.after = j.p.state
	o := &operations[u.Op]
	if o.run != nil {
		return o.run(j)
	}
	j.setPlace()
	reason := o.change(j)
	switch {
	case reason != reasonNone:
		return j.reject(reason, 0)
	case j.ask != nil:
		return j.defers()
	}
	return j.changed(tagged && (stale || !t.sees(&j.after, t.ViewOf(j.by.Seat))))
}

// hindrance returns the reason that the rights of the seat or the piece itself give against the
// update, and for a held piece the seat that holds it (T14, T24).
func (j *judging) hindrance() (reason Reason, holder id.Seat) {
	s, o := &j.p.state, &operations[j.u.Op]
	switch {
	case o.Traits&ByHost != 0 && !j.by.Role.Hosts(),
		o.Traits&OnAnyHand == 0 && (j.foreign(s) || !j.t.handles(s, j.by.Seat)):
		return ReasonNotAllowed, 0
	case o.forbids != nil:
		if reason := o.forbids(j); reason != reasonNone {
			return reason, 0
		}
	}
	switch {
	case s.Locked && o.Traits&DespiteLock == 0:
		return ReasonLocked, 0
	case s.Pinned && o.Traits&NeedsUnpinned != 0:
		return ReasonPinned, 0
	case o.Traits&NeedsRoom != 0 && len(j.t.pieces) >= MaxPieces:
		return ReasonTableFull, 0
	case o.Traits&KeepsSets != 0 && !s.Set.IsZero(): // T37
		return ReasonNotAllowed, 0
	case o.Traits&NeedsFree != 0 && s.Holder != 0 && s.Holder != j.by.Seat:
		return ReasonHeld, s.Holder
	case o.Traits&NeedsHold != 0 && s.Holder != j.by.Seat:
		return ReasonNotHeld, s.Holder
	default:
		return reasonNone, 0
	}
}

// changed records the new state of the piece, and what follows from it. server is as for record.
func (j *judging) changed(server bool) Outcome {
	was := j.p.state
	j.record(j.after, server)
	if j.laid {
		s := j.p.state
		s.X, s.Y, s.Angle, s.Z = j.x, j.y, j.angle, j.z
		j.t.serve(j.p, OpSettle, j.by.Seat, j.in.Now, s)
	}
	j.t.follow(j.p, &was, j.by.Seat, j.in.Now, j.u)
	return Outcome{Verdict: Recorded}
}

// stale reports whether the view of the client has an update of the piece by somebody else
// that the client did not know when it made this one (T5, T6).
func (j *judging) stale() bool {
	v := j.t.view(j.by.Seat)
	return j.u.Tag < v.mark(j.p.lineage(v.seat).notBy(j.client.id))
}

// forgotten judges an update whose outcome may exist and is not remembered. A stale update is
// discarded again, unless it is Loose: then its client waits for an answer (T17). Any other one is
// rejected, because it might otherwise be applied twice (T10).
func (j *judging) forgotten() Outcome {
	j.p = j.t.find(j.u.Piece, j.t.ViewOf(j.by.Seat))
	if j.p != nil && j.u.Has&HasTag != 0 && j.stale() && !j.u.Loose() {
		return Outcome{Verdict: Discarded}
	}
	return j.reject(ReasonForgotten, 0)
}

// record records the effect of the update on its piece. If server is true, the client that made the
// update also gets it as a server update.
func (j *judging) record(after State, server bool) {
	e := j.t.draft()
	e.Server, e.Before, e.After = server, j.p.state, after
	j.sign(e)
	j.t.seal(e)
}

// entry returns e with the piece of the update, if there is one, as an acknowledgement of the
// update.
func (j *judging) entry(e Entry) Entry {
	j.sign(&e)
	return e
}

// about returns an entry that changes a piece. An update with entries about many pieces signs one.
func (j *judging) about(p *piece, after State, signed bool) Entry {
	e := Entry{At: j.in.Now, Op: j.u.Op, Seat: j.by.Seat, Server: true, Piece: p.oid, Name: p.name,
		Before: p.state, After: after}
	if signed {
		e.Client, e.Seq, e.Digest = j.by.Client, j.u.Seq, j.u.digest()
	}
	return e
}

// sign fills in the fields by which an entry names the piece of the update, if there is one, and
// acknowledges the update.
func (j *judging) sign(e *Entry) {
	e.At, e.Op, e.Seat = j.in.Now, j.u.Op, j.by.Seat
	e.Client, e.Seq, e.Digest = j.by.Client, j.u.Seq, j.u.digest()
	if j.p != nil {
		e.Piece, e.Name = j.p.oid, j.p.name
	}
}

// reject rejects the update as inapplicable and raises the client's floor for the piece (T14). For
// a step of a press there is no client.
func (j *judging) reject(reason Reason, holder id.Seat) Outcome {
	if j.client == nil {
		return Outcome{Verdict: Rejected}
	}
	named := j.u.Piece
	// A blind update has no floor, and its reject names no piece (T14.9).
	if j.u.Has&HasTag == 0 {
		named, j.p = 0, nil
	}
	j.client.remember(outcome{seq: j.u.Seq, digest: j.u.digest(), verdict: Rejected, reason: reason,
		piece: named})
	var floor id.Version
	if j.p != nil {
		floor = j.raise(reason)
	}
	out := Outcome{Verdict: Rejected, Reject: Reject{Seq: j.u.Seq, Reason: reason, By: holder}}
	if named != 0 {
		out.Reject.Piece = j.t.rejected(j.client, named)
	}
	if floor&markRejects == markRejects {
		j.renew()
	}
	return out
}

// raise raises the client's floor for the piece and returns it, or 0 if it stays. If there are many
// floors, it forgets those of pieces that are gone.
func (j *judging) raise(reason Reason) id.Version {
	t, c := j.t, j.client
	now := t.view(j.by.Seat).now()
	// A reject for a forgotten sequence may be repeated. The repetition must not raise the floor
	// above updates that the client has made since the first one, because it knew the first one
	// when it made them.
	if reason == ReasonForgotten && c.floors[j.p.oid] > now {
		return 0
	}
	floor := c.raise(j.p.oid, max(now, j.u.Tag))
	if len(c.floors) > len(t.pieces)+MaxShuffle {
		for oid := range c.floors {
			if t.pieces[oid] == nil {
				delete(c.floors, oid)
			}
		}
	}
	return floor
}

// renew records that nothing has changed, for the client's view alone: the reject has got the last
// version before that of the view's next entry. From then on there are versions for rejects again
// (T14).
func (j *judging) renew() {
	j.t.record(Entry{
		At: j.in.Now, Op: OpRenew, Seat: j.t.view(j.by.Seat).seat, Server: true,
		Piece: j.p.oid, Name: j.p.name, Before: j.p.state, After: j.p.state,
	})
}

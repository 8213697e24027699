package table

import "holt/server/id"

// By says who wants an update.
type By struct {
	Client id.Client
	Seat   id.Seat
	Role   Role
}

// Inputs are what Apply cannot know: the time, an identifier for a piece that it may have to make, and
// randomness for a shuffle.
type Inputs struct {
	Now  id.Millis
	OID  id.OID
	Rand interface{ IntN(n int) int }
}

// Makes reports whether u may make a piece, so that Inputs.OID is needed.
func (u *Update) Makes() bool { return u.Op == OpAdd || u.Op == OpCopy }

// Apply judges u, which Check has passed, and records it, or discards it when a server update unknown to
// the client is newer (T6), or rejects it (T14). What it records is returned by the next Take;
// now and then that is an entry behind a reject, to be told after it. It never fails.
func (t *Table) Apply(by By, u *Update, in Inputs) Outcome {
	c := t.client(by.Client, by.Seat)
	if o, ok := c.find(u.Seq); ok {
		return t.repeat(c, o)
	}
	t.meet(c, u.Seq)
	j := judging{t: t, by: by, u: u, in: in, client: c}
	if u.Seq <= c.forgotten {
		return j.forgotten()
	}
	switch u.Op {
	case OpAdd:
		return j.add()
	case OpShuffle:
		return j.shuffle()
	default:
		return j.piece()
	}
}

// repeat gives a repeated sequence its outcome again (T10).
func (t *Table) repeat(c *client, o *outcome) Outcome {
	switch o.verdict {
	case Recorded:
		return Outcome{Verdict: Repeated, Ack: t.ack(c, o)}
	case Rejected:
		return Outcome{Verdict: Rejected, Reject: Reject{Seq: o.seq, Reason: o.reason, Piece: t.rejected(c, o.piece)}}
	default:
		return Outcome{Verdict: Discarded}
	}
}

// rejected returns a piece as a reject shows it: complete, with the client's floor as its mark.
func (t *Table) rejected(c *client, name id.Piece) Shown {
	p := t.names[name]
	if p == nil {
		return Shown{Name: name, Mark: t.view(c.seat).now(), Gone: true}
	}
	v := t.view(c.seat)
	s := t.show(v, p.name, p.lineage(v.seat).gen, p.state)
	s.Mark = max(s.Mark, c.floors[name])
	return s
}

// judging is one update on its way through Apply.
type judging struct {
	t      *Table
	by     By
	u      *Update
	in     Inputs
	client *client
	p      *piece // nil for add and shuffle
}

// piece judges an update of one piece.
func (j *judging) piece() Outcome {
	t, u, c := j.t, j.u, j.client
	j.p = t.names[u.Piece]
	if j.p == nil {
		return j.reject(ReasonGone, 0)
	}
	stale := j.superseded() || u.Tag < c.floors[u.Piece]
	if stale && !u.Loose() {
		c.remember(outcome{seq: u.Seq, digest: u.digest(), verdict: Discarded, piece: u.Piece})
		return Outcome{Verdict: Discarded}
	}
	if stale && j.p.released != c.id {
		return j.reject(ReasonStaleLoose, 0)
	}
	after, reason, holder := j.effect()
	if reason != reasonNone {
		return j.reject(reason, holder)
	}
	switch u.Op {
	case OpCopy:
		j.make(after)
	case OpDelete:
		after.Gone = true
		j.record(after, true)
		if t.kinds[after.Kind].Hand {
			t.gather(j.in.Now)
		}
	default:
		j.record(after, stale)
		t.follow(j.p, j.by.Seat, j.in.Now, u)
	}
	return Outcome{Verdict: Recorded}
}

// superseded reports whether the client has been or is about to be shown an update of the piece, made by
// another, that it did not know of when it made this one (T5, T6).
func (j *judging) superseded() bool {
	v := j.t.view(j.by.Seat)
	return j.u.Tag < v.mark(j.p.lineage(v.seat).notBy(j.client.id))
}

// forgotten judges an update whose sequence may have had its outcome, which is not remembered: what is
// stale is discarded again, unless it is Loose and its client waits for an answer (T17); anything else is
// refused rather than perhaps applied twice (T10).
func (j *judging) forgotten() Outcome {
	j.p = j.t.names[j.u.Piece]
	if j.p != nil && j.superseded() && !j.u.Loose() {
		return Outcome{Verdict: Discarded}
	}
	return j.reject(ReasonForgotten, 0)
}

// record records the effect of the update on its piece. server says that even its maker gets it as a
// server update.
func (j *judging) record(after State, server bool) {
	j.t.record(Entry{
		At: j.in.Now, Op: j.u.Op, Seat: j.by.Seat, Client: j.by.Client, Seq: j.u.Seq, Digest: j.u.digest(),
		Server: server, Piece: j.p.oid, Name: j.p.name, Before: j.p.state, After: after,
	})
}

// make records a new piece, by copy or add. A secret one is in its hand from the start: it must not show
// to others on the way there.
func (j *judging) make(s State) {
	t := j.t
	s.ZGen = zGenSelf
	if t.kinds[s.Kind].Secret {
		s.Owner = t.handAt(s.X, s.Y, 0)
	}
	t.record(Entry{
		At: j.in.Now, Op: j.u.Op, Seat: j.by.Seat, Client: j.by.Client, Seq: j.u.Seq, Digest: j.u.digest(),
		Server: true, Made: true, Piece: j.in.OID, Name: t.lastName + 1, After: s,
	})
	t.follow(t.pieces[j.in.OID], j.by.Seat, j.in.Now, j.u)
}

// reject refuses the update as inapplicable and raises the client's floor for the piece (T14).
func (j *judging) reject(reason Reason, holder id.Seat) Outcome {
	j.client.remember(outcome{seq: j.u.Seq, digest: j.u.digest(), verdict: Rejected, reason: reason, piece: j.u.Piece})
	var floor id.Mark
	if j.p != nil {
		floor = j.raise(reason)
	}
	out := Outcome{Verdict: Rejected, Reject: Reject{Seq: j.u.Seq, Reason: reason, By: holder}}
	if j.u.Piece != 0 {
		out.Reject.Piece = j.t.rejected(j.client, j.u.Piece)
	}
	if floor&markRejects == markRejects {
		j.renew()
	}
	return out
}

// raise raises the client's floor for the piece and returns it, 0 if it stays. It forgets the floors of pieces
// that have gone when there are many.
func (j *judging) raise(reason Reason) id.Mark {
	t, c := j.t, j.client
	now := t.view(j.by.Seat).now()
	// The answer to a forgotten sequence may come twice. The second must not put a floor under what the client
	// has made since the first, of which it knows.
	if reason == ReasonForgotten && c.floors[j.p.name] > now {
		return 0
	}
	floor := c.raise(j.p.name, max(now, j.u.Tag))
	if len(c.floors) > len(t.names)+MaxShuffle {
		for name := range c.floors {
			if t.names[name] == nil {
				delete(c.floors, name)
			}
		}
	}
	return floor
}

// renew records that nothing has changed, for the client's view alone, because the reject has got the last mark
// before that of the next entry there. From then on there is room again (T14).
func (j *judging) renew() {
	j.t.record(Entry{
		At: j.in.Now, Op: OpRenew, Seat: j.t.view(j.by.Seat).seat, Server: true,
		Piece: j.p.oid, Name: j.p.name, Before: j.p.state, After: j.p.state,
	})
}

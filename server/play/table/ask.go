package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Ask is a question to the owner of a set, which must be answered before an update can be recorded
// (T39).
type Ask struct {
	Set   id.OID
	What  AskWhat
	Parts []uint32
	N     int32 // for AskCount: the number to add

	of     id.OID   // the piece or the container of the update; zero: none
	pieces []id.OID // for AskShuffle: the pieces of Parts
	notice *Entry   // for AskReveal: the notice to publish; nil if the update is judged again
	at     []int    // for each part: its index in the faces of the notice
}

// AskWhat says what the owner is asked for.
type AskWhat uint8

// The questions.
const (
	AskReveal  AskWhat = iota + 1 // the kinds of the parts
	AskShuffle                    // to shuffle the kinds of the parts
	AskRoll                       // to roll a part
	AskCount                      // to add N to the value of a part
	AskHold                       // to give the set to the table
)

// Answer is the answer of an owner. Kinds are kinds of the table.
type Answer struct {
	Refused  Reason // why the owner refuses; zero if it has done what was asked
	Shuffles uint64
	Kinds    []uint32 // for each of Ask.Parts
	Face     int32    // the result of a roll
	Value    int32    // the value after a count
	Parts    []SetPart
}

// askOf sets the question to the owner of the update's piece, if the piece is a part of a set.
func (j *judging) askOf(s *State, what AskWhat) Reason {
	switch {
	case s.Set.IsZero():
		return reasonNone
	case j.t.isAway(s.Set, j.in.Now):
		return ReasonAway
	}
	j.ask = &Ask{Set: s.Set, What: what, Parts: []uint32{s.Part}, N: j.u.N, of: j.p.oid}
	return reasonNone
}

// defers makes the update wait for the answer to its question.
func (j *judging) defers() Outcome {
	if g := j.t.sets[j.ask.Set]; g != nil {
		g.asking++
	}
	j.client.remember(outcome{seq: j.u.Seq, digest: j.u.digest(), verdict: Deferred,
		piece: j.u.Piece})
	return Outcome{Verdict: Deferred, Ask: j.ask}
}

// reveal asks for the kinds of pieces. The notice e, with the kinds as its faces, is recorded when
// the answer is there.
func (j *judging) reveal(pieces []*piece, e Entry) Outcome {
	set := pieces[0].state.Set
	if j.t.isAway(set, j.in.Now) {
		return j.reject(ReasonAway, 0)
	}
	j.ask = &Ask{Set: set, What: AskReveal, of: j.p.oid, notice: &e}
	e.Faces = kindsOf(pieces)
	for i, p := range pieces {
		if j.t.kinds[p.state.Kind].Unknown {
			j.ask.Parts, j.ask.at = append(j.ask.Parts, p.state.Part), append(j.ask.at, i)
		}
	}
	return j.defers()
}

// look asks for the kinds of what lies in a container. The update is judged when the answer is
// there.
func (j *judging) look(within []*piece) Outcome {
	set := j.p.state.Set
	if j.t.isAway(set, j.in.Now) {
		return j.reject(ReasonAway, 0)
	}
	j.ask = &Ask{Set: set, What: AskReveal, of: j.p.oid}
	for _, p := range within {
		if j.t.kinds[p.state.Kind].Unknown {
			j.ask.Parts = append(j.ask.Parts, p.state.Part)
		}
	}
	return j.defers()
}

// kindOf returns the kind of a piece, given the kinds of parts that the owner has told.
func (t *Table) kindOf(p *piece, told map[uint32]uint32) uint32 {
	if kind, ok := told[p.state.Part]; ok && t.kinds[p.state.Kind].Unknown {
		return kind
	}
	return p.state.Kind
}

// secretOf returns those of the pieces that are secret parts of a set.
func (j *judging) secretOf(pieces []*piece) (secret []*piece) {
	for _, p := range pieces {
		if !p.state.Set.IsZero() && j.t.kinds[p.state.Kind].Secret {
			secret = append(secret, p)
		}
	}
	return secret
}

// mix asks the owner to shuffle the kinds of pieces (T38). From now on the table treats them as
// unknown: a piece that is drawn before the answer is whatever the owner says then.
func (j *judging) mix(pieces []*piece) Outcome {
	t, set := j.t, pieces[0].state.Set
	if t.isAway(set, j.in.Now) {
		return j.reject(ReasonAway, 0)
	}
	j.ask = &Ask{Set: set, What: AskShuffle}
	if j.p != nil {
		j.ask.of = j.p.oid
	}
	// The order before must not influence the outcome, as in shuffled.
	for _, p := range slices.SortedFunc(slices.Values(pieces), byPart) {
		j.ask.Parts = append(j.ask.Parts, p.state.Part)
	}
	for _, p := range pieces {
		j.ask.pieces = append(j.ask.pieces, p.oid)
		s := p.state
		s.Kind = t.unknownOf(t.kinds[s.Kind].Mask)
		if s.In == 0 {
			s.Face = 1
		}
		if s != p.state {
			t.serve(p, OpReveal, j.by.Seat, j.in.Now, s)
		}
	}
	return j.defers()
}

// Resume records a deferred update whose answer has come, or rejects it (T39). What stood in its
// way was judged when it was deferred, and is not judged again. An update that needed to know kinds
// is judged again, and may be deferred again.
func (t *Table) Resume(by By, u *Update, ask *Ask, a *Answer, in Inputs) Outcome {
	t.round = in.Round
	j := judging{t: t, by: by, u: u, in: in, client: t.client(by.Client, by.Seat)}
	g := t.sets[ask.Set]
	if g != nil && g.asking > 0 {
		g.asking--
	}
	// The set has left the table after the question.
	if j.p = t.pieces[ask.of]; j.p == nil && !ask.of.IsZero() {
		return j.reject(ReasonGone, 0)
	}
	switch who, _ := t.Seat(by.Seat); {
	case a.Refused != reasonNone:
	// An answer that only reveals kinds is of no use to a seat that has ended (T51.12).
	case who.Left != 0 && ask.What == AskReveal:
		a = &Answer{Refused: ReasonNotAllowed}
	case !t.credible(&j, ask, a):
		a = &Answer{Refused: ReasonAway}
	}
	var out Outcome
	switch {
	case a.Refused != reasonNone:
		out = j.reject(a.Refused, 0)
	case ask.What == AskHold:
		out = j.lays(ask.Set, a)
	case ask.What == AskShuffle:
		out = j.mixed(g, ask, a)
	case ask.What == AskReveal:
		out = j.revealed(g, ask, a)
	default:
		out = j.answered(ask, a)
	}
	out.Chance = j.lot
	return out
}

// credible reports whether an answer is possible.
func (t *Table) credible(j *judging, ask *Ask, a *Answer) bool {
	switch ask.What {
	case AskReveal:
		return len(a.Kinds) == len(ask.Parts) && !slices.ContainsFunc(a.Kinds, func(k uint32) bool {
			return int64(k) >= int64(len(t.kinds)) || !t.kinds[k].Secret || t.kinds[k].Unknown
		})
	case AskRoll:
		return a.Face >= 0 && a.Face < t.kinds[j.p.state.Kind].Faces
	case AskCount:
		c := t.kinds[j.p.state.Kind].Counter
		return a.Value >= c.Min && a.Value <= c.Max
	default:
		return true
	}
}

// answered records what the owner has done with one piece.
func (j *judging) answered(ask *Ask, a *Answer) Outcome {
	was := j.p.state
	s := was
	if ask.What == AskRoll {
		s.Face, s.Rolled = a.Face, j.in.Now
	} else {
		s.Value = a.Value
	}
	j.record(s, !j.t.sees(&s, j.t.ViewOf(j.by.Seat)))
	return Outcome{Verdict: Recorded}
}

// revealed records a notice with the kinds of pieces, or judges the update again with that
// knowledge.
func (j *judging) revealed(g *guest, ask *Ask, a *Answer) Outcome {
	// The set was shuffled since: the answer is not about what lies there now.
	if g == nil || a.Shuffles < g.info.Shuffles {
		return j.judge()
	}
	if ask.notice == nil {
		j.told = map[uint32]uint32{}
		for i, part := range ask.Parts {
			j.told[part] = a.Kinds[i]
		}
		return j.blind()
	}
	e := *ask.notice
	for i, at := range ask.at {
		e.Faces[at] = a.Kinds[i]
	}
	return j.noticed(e)
}

// mixed records that the owner has shuffled the kinds of pieces. It also brings the pieces into a
// random order of the table's own, so neither side alone decides what lies where (T38).
func (j *judging) mixed(g *guest, ask *Ask, a *Answer) Outcome {
	t := j.t
	if g != nil && a.Shuffles > g.info.Shuffles {
		info := g.info
		info.Shuffles = a.Shuffles
		t.recordSet(OpErrand, info, j.by.Seat, j.in.Now)
	}
	if j.p != nil {
		within := j.numbered(t.contents(j.p))
		slices.SortFunc(within, byPart)
		t.looks += sorting(len(within))
		j.mingle(len(within), func(a, b int) { within[a], within[b] = within[b], within[a] })
		return j.reordered(within, 0)
	}
	var pieces []*piece
	var parts []uint32
	for _, oid := range ask.pieces {
		// The others have been revealed since.
		if p := t.pieces[oid]; p != nil && t.kinds[p.state.Kind].Unknown {
			pieces, parts = append(pieces, p), append(parts, p.state.Part)
		}
	}
	slices.Sort(parts)
	j.mingle(len(parts), func(a, b int) { parts[a], parts[b] = parts[b], parts[a] })
	for i, p := range pieces {
		e := Entry{At: j.in.Now, Op: OpShuffle, Seat: j.by.Seat, Server: true, Piece: p.oid,
			Name: p.name, Before: p.state, After: p.state}
		e.After.Part = parts[i]
		if i == len(pieces)-1 {
			e.Client, e.Seq, e.Digest = j.by.Client, j.u.Seq, j.u.digest()
		}
		t.record(e)
	}
	// Somebody has seen all of them since.
	if len(pieces) == 0 {
		return j.reject(ReasonNotAllowed, 0)
	}
	return Outcome{Verdict: Recorded}
}

// byPart orders pieces of one set by their part numbers.
func byPart(a, b *piece) int { return cmp.Compare(a.state.Part, b.state.Part) }

// mingle brings n things into an order that nobody can foresee. It is not a draw of the rounds of
// randomness (docs/fairness.md): the owner deals out the kinds, and the table can prove nothing
// about that.
func (j *judging) mingle(n int, swap func(a, b int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, j.in.Mix.IntN(i+1))
	}
}

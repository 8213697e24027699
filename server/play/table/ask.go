package table

import (
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
		if j.t.kind(p).Unknown {
			j.ask.at = append(j.ask.at, i)
		}
	}
	// The order in which they lie is not for the owner (T38.10).
	slices.SortFunc(j.ask.at, func(a, b int) int { return byPart(pieces[a], pieces[b]) })
	if n := len(j.ask.at); n > 1 {
		j.t.looks += sorting(n)
	}
	for _, i := range j.ask.at {
		j.ask.Parts = append(j.ask.Parts, pieces[i].state.Part)
	}
	return j.defers()
}

// Resume records a deferred update whose answer has come, or rejects it (T39). What stood in its
// way was judged when it was deferred, and is not judged again. An update that needed to know kinds
// is judged again, and may be deferred again.
func (t *Table) Resume(by By, u *Update, ask *Ask, a *Answer, in Inputs) Outcome {
	j := t.begin(by, u, in, t.client(by.Client, by.Seat))
	defer j.end()
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
	case !t.credible(j, ask, a):
		a = &Answer{Refused: ReasonAway}
	}
	var out Outcome
	switch {
	case a.Refused != reasonNone:
		out = j.reject(a.Refused, 0)
	case ask.What == AskHold:
		out = j.placeGiven(ask.Set, a)
	case ask.What == AskShuffle:
		out = j.ownerShuffled(g, ask, a)
	case ask.What == AskReveal:
		out = j.revealed(g, ask, a)
	default:
		out = j.answered(a)
	}
	out.Chance = j.drawn
	return out
}

// credible reports whether an answer is possible.
func (t *Table) credible(j *judging, ask *Ask, a *Answer) bool {
	switch ask.What {
	case AskReveal:
		return len(a.Kinds) == len(ask.Parts) && !slices.ContainsFunc(a.Kinds, func(k uint32) bool {
			return int64(k) >= int64(len(t.kinds)) || !t.kinds[k].Secret || t.kinds[k].Unknown
		})
	case AskRoll, AskCount:
		_, ok := j.answer(a)
		return ok
	default:
		return true
	}
}

// answer returns the state of the piece after what its owner has done, or false if that is
// impossible.
func (j *judging) answer(a *Answer) (State, bool) {
	k := j.t.kind(j.p)
	return k.ability().answer(k, j.p.state, a, j.in.Now)
}

// answered records what the owner has done with one piece.
func (j *judging) answered(a *Answer) Outcome {
	s, _ := j.answer(a)
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
		j.known = map[uint32]uint32{}
		for i, part := range ask.Parts {
			j.known[part] = a.Kinds[i]
		}
		return j.piece()
	}
	e := *ask.notice
	for i, at := range ask.at {
		e.Faces[at] = a.Kinds[i]
	}
	return j.noticed(e)
}

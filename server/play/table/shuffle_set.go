package table

import (
	"cmp"
	"slices"
)

// Shuffles of the secret parts of a guest set. The owner deals out their kinds, and the table
// brings the pieces into an order of its own (T38).

// secretOf returns those of the pieces that are secret parts of a set.
func (j *judging) secretOf(pieces []*piece) (secret []*piece) {
	for _, p := range pieces {
		if !p.state.Set.IsZero() && j.t.kind(p).Secret {
			secret = append(secret, p)
		}
	}
	return secret
}

// askShuffle asks the owner to shuffle the kinds of pieces (T38). From now on the table treats them
// as unknown: a piece that is drawn before the answer is whatever the owner says then.
func (j *judging) askShuffle(pieces []*piece) Outcome {
	t, set := j.t, pieces[0].state.Set
	if t.isAway(set, j.in.Now) {
		return j.reject(ReasonAway, 0)
	}
	j.ask = &Ask{Set: set, What: AskShuffle}
	if j.p != nil {
		j.ask.of = j.p.oid
	}
	// The order before must not influence the outcome, as in shuffleInPlace.
	for _, p := range slices.SortedFunc(slices.Values(pieces), byPart) {
		j.ask.Parts = append(j.ask.Parts, p.state.Part)
	}
	for _, p := range pieces {
		j.ask.pieces = append(j.ask.pieces, p.oid)
		s := p.state
		s.Kind = t.unknownOf(t.kinds[s.Kind].Mask)
		if s.In == 0 {
			t.faceDown(&s)
		}
		if s != p.state {
			t.serve(p, OpReveal, j.by.Seat, j.in.Now, s)
		}
	}
	return j.defers()
}

// ownerShuffled records that the owner has shuffled the kinds of pieces. It also brings the pieces
// into a random order of the table's own, so neither side alone decides what lies where (T38).
func (j *judging) ownerShuffled(g *guest, ask *Ask, a *Answer) Outcome {
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
		j.shuffleUnproved(len(within), func(a, b int) { within[a], within[b] = within[b], within[a] })
		return j.reordered(within, 0)
	}
	var pieces []*piece
	var parts []uint32
	for _, oid := range ask.pieces {
		// The others have been revealed since.
		if p := t.pieces[oid]; p != nil && t.kind(p).Unknown {
			pieces, parts = append(pieces, p), append(parts, p.state.Part)
		}
	}
	slices.Sort(parts)
	j.shuffleUnproved(len(parts), func(a, b int) { parts[a], parts[b] = parts[b], parts[a] })
	for i, p := range pieces {
		after := p.state
		after.Part = parts[i]
		t.record(j.about(p, after, i == len(pieces)-1))
	}
	if len(pieces) == 0 {
		return j.reject(ReasonNotAllowed, 0)
	}
	return Outcome{Verdict: Recorded}
}

// byPart orders pieces of one set by their part numbers.
func byPart(a, b *piece) int { return cmp.Compare(a.state.Part, b.state.Part) }

// shuffleUnproved brings n things into an order that nobody can foresee. It is not a draw of the
// rounds of randomness (docs/fairness.md): the owner deals out the kinds, and the table can prove
// nothing about that.
func (j *judging) shuffleUnproved(n int, swap func(a, b int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, j.in.Unproved.IntN(i+1))
	}
}

package table

import (
	"cmp"
	"slices"
)

// Shuffles: of listed pieces (T26), and of what lies in a container (T31).

// Bounds of the pieces listed in a shuffle. A peek shows at most MaxShuffle, too.
const (
	MinShuffle = 2
	MaxShuffle = 500
)

func init() {
	define(rows{
		OpShuffle: {Name: "shuffle", Traits: ShownLater | Fence, Forms: []Form{{
			Required:  HasPieces,
			Condition: "every listed piece F P L, secret, of one mask and one set",
			Ack:       "name of the last one listed",
			Rejects: []Reason{ReasonGone, ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed,
				ReasonAway},
		}, {
			Required:  blind,
			Condition: "a container that draws from the top",
			Ack:       "none",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonAway},
		}}, run: (*judging).shuffle, weigh: (*weighing).shuffle, drawFor: forWatchers},
	})
}

func (j *judging) shuffle() Outcome {
	if j.u.Has&HasPieces != 0 {
		return j.shuffleListed()
	}
	return j.shuffleAll()
}

// shuffleListed deals the kinds of the listed pieces out among them at random (T26).
func (j *judging) shuffleListed() Outcome {
	t, u := j.t, j.u
	pieces := make([]*piece, len(u.Pieces))
	for i, name := range u.Pieces {
		p := t.find(name, t.ViewOf(j.by.Seat))
		// One of its names is not valid any more.
		if p == nil || slices.Contains(pieces[:i], p) {
			return j.reject(ReasonGone, 0)
		}
		s := &p.state
		pieces[i] = p
		k := &t.kinds[s.Kind]
		switch {
		case !t.handles(s, j.by.Seat) || !k.Secret || k.Mask != t.kinds[pieces[0].state.Kind].Mask ||
			s.Set != pieces[0].state.Set:
			return j.reject(ReasonNotAllowed, 0)
		case s.Locked:
			return j.reject(ReasonLocked, 0)
		case s.Pinned:
			return j.reject(ReasonPinned, 0)
		case s.Holder != 0 && s.Holder != j.by.Seat:
			return j.reject(ReasonHeld, s.Holder)
		}
	}
	if !pieces[0].state.Set.IsZero() {
		return j.askShuffle(pieces)
	}
	j.dealOut(pieces, func(i int, p *piece, after State) {
		t.record(j.about(p, after, i == len(pieces)-1))
	})
	return Outcome{Verdict: Recorded}
}

// dealOut shuffles pieces that lie open: it deals their kinds out among them, and calls record with
// the state that each gets. A card keeps its home. The calls keep the order of the list: another
// order would reveal which piece is which (T21).
func (j *judging) dealOut(pieces []*piece, record func(i int, p *piece, after State)) {
	listed := slices.Clone(pieces)
	slices.SortFunc(pieces, byAge)
	dealt := slices.Clone(pieces)
	j.shuffleInPlace(dealt)
	kinds := kindsOf(dealt)
	j.drawn = Chance{What: ChanceShuffle, Inputs: slices.Sorted(slices.Values(kinds)), Outputs: kinds}
	of := map[*piece]State{}
	for i, p := range pieces {
		j.drawn.Pieces = append(j.drawn.Pieces, p.oid)
		of[p] = dealt[i].state
	}
	for i, p := range listed {
		after, is := p.state, of[p]
		after.Kind, after.Home, after.Native = is.Kind, is.Home, is.Native
		after.Since = HiddenEver
		j.t.faceDown(&after)
		record(i, p, after)
	}
}

// shuffleAll shuffles what lies in a container (T31).
func (j *judging) shuffleAll() Outcome {
	within := j.withinOrder()
	switch {
	case within == nil:
		return j.reject(ReasonNotAllowed, 0)
	case within.n < MinShuffle:
		return j.notice(within.n, 0)
	}
	all := j.numbered(within)
	if secret := j.secretOf(all); len(secret) > 0 {
		return j.askShuffle(secret)
	}
	j.shuffleInPlace(all)
	j.t.looks += 2 * sorting(len(all))
	kinds := kindsOf(all)
	j.noteDraw(ChanceShuffle, slices.Sorted(slices.Values(kinds)), kinds)
	owed := HiddenEver
	if j.t.whole(j.p) {
		owed = j.in.Round
	}
	return j.reordered(all, owed)
}

// shuffleInPlace brings things into a random order. Their order before does not influence the
// outcome: otherwise somebody who can foresee the random numbers could choose one.
func (j *judging) shuffleInPlace(things []*piece) {
	slices.SortStableFunc(things, func(a, b *piece) int {
		return cmp.Compare(a.state.Kind, b.state.Kind)
	})
	for i := len(things) - 1; i > 0; i-- {
		k := j.in.Rand.IntN(i + 1)
		things[i], things[k] = things[k], things[i]
	}
}

// kindsOf returns the kinds of pieces, in their order.
func kindsOf(pieces []*piece) []uint32 {
	kinds := make([]uint32, len(pieces))
	for i, p := range pieces {
		kinds[i] = p.state.Kind
	}
	return kinds
}

// shuffle weighs a shuffle.
func (w *weighing) shuffle(u *Update, p *piece) {
	n := len(u.Pieces)
	switch {
	case n > 0:
		w.records(n)
		w.Looks += n + 3*int(sorting(n)) //nolint:gosec // small
	case p == nil:
		return
	default:
		n = w.within(p)
		w.Bytes += n * kindBytes
		w.Looks += 2*n + len(w.t.homes[p.name].all()) + 2*int(sorting(n)) //nolint:gosec // small
		// Their kinds become unknown.
		if !p.state.Set.IsZero() {
			w.records(n)
		}
	}
	w.fact(2 * n)
}

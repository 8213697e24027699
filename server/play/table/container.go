package table

import (
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// Containers: what they take, and what goes into them (T29, T30).

// ContainerKind describes the containers of a kind (T29). The zero value stands for a kind that
// holds nothing.
type ContainerKind struct {
	Holds  bool   // it is a container
	Random bool   // pieces come out at random, not from the top
	Masked bool   // it takes only secret pieces ...
	Takes  uint32 // ... of this mask
}

func init() {
	define(rows{
		OpStow: {Name: "stow", LowAt: -1, HighAt: 1, Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
			Required: tagged | HasInto, Optional: HasAt,
			Condition: "a container that takes the piece",
			Ack:       "name",
			Rejects:   []Reason{ReasonGone, ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).stow, weigh: (*weighing).stow, drawFor: forSender},
		OpRecall: {Name: "recall", Traits: Fence, Forms: []Form{{
			Required:  blind,
			Condition: "a container",
			Ack:       "none",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
		}}, run: (*judging).recall, weigh: (*weighing).recall},
	})
}

// takes reports whether a container takes a piece in that state (T29).
func (t *Table) takes(c *piece, s *State) bool {
	k, of := &t.kinds[s.Kind], &t.kind(c).Container
	return of.Holds && !k.Heavy && s.Set == c.state.Set &&
		(!of.Masked || k.Secret && k.Mask == of.Takes)
}

// containerAt returns the uppermost container that covers the place of s and takes the piece, nil
// if there is none.
func (t *Table) containerAt(s *State) *piece {
	var top *piece
	containers := t.containers.at(s.X, s.Y)
	t.looks += uint64(len(containers))
	for _, c := range containers {
		if t.takes(c, s) && t.covers(c, s.X, s.Y) && (top == nil || above(c, top)) {
			top = c
		}
	}
	return top
}

// contents returns the order of what lies in a container.
func (t *Table) contents(c *piece) *order { return t.holds[c.name].order(group{}) }

// stow puts a piece into a container, on top. The caller sets the level.
func (t *Table) stow(s *State, c *piece) {
	s.X, s.Y, s.Angle, s.Holder, s.Pinned, s.Locked = 0, 0, 0, 0, false, false
	s.Owner, s.Team, s.In = 0, "", c.name
	if k := &t.kinds[s.Kind]; k.Secret {
		s.Face = 1
	} else {
		*s = k.ability().stowed(*s)
	}
	// Otherwise a drawer could see that somebody had seen the piece before (T38).
	if !s.Set.IsZero() && t.kinds[s.Kind].Secret {
		s.Kind = t.unknownOf(t.kinds[s.Kind].Mask)
	}
	if s.Home == 0 {
		s.Home = c.name
	}
}

// within returns what lies in the container of the update, nil if its piece is not a container.
func (j *judging) within() *order {
	if !j.t.kind(j.p).Container.Holds {
		return nil
	}
	return j.t.contents(j.p)
}

// withinOrder is like within. It returns nil for a bag, too, which has no order (T30, T31).
func (j *judging) withinOrder() *order {
	if j.t.kind(j.p).Container.Random {
		return nil
	}
	return j.within()
}

// everything returns all that lies in a container, the undermost first.
func (j *judging) everything(within *order) []*piece {
	j.t.looks += uint64(within.n) //nolint:gosec // not negative
	return within.all()
}

// argN returns the argument n of the update, 1 without it.
func (j *judging) argN() int {
	if j.u.Has&HasN == 0 {
		return 1
	}
	return int(j.u.N)
}

// most returns n. If the container is not counted, it returns the number of pieces in it if that is
// less, because a reject would reveal the number (T30).
func (j *judging) most(n int, within *order) int {
	if j.t.kind(j.p).Uncounted {
		return min(n, within.n)
	}
	return n
}

// notice records that something was done with n pieces (T28). This ends the update: the entry
// acknowledges it, with the piece brought, or 0 for none.
func (j *judging) notice(n int, brought id.Piece) Outcome {
	return j.noticed(Entry{Count: int32(n), Brought: brought}) //nolint:gosec // at most MaxPieces
}

func (j *judging) noticed(e Entry) Outcome {
	e.Notice, e.Server, e.Before, e.After = true, true, j.p.state, j.p.state
	j.t.record(j.entry(e))
	return Outcome{Verdict: Recorded}
}

// stow puts a piece into a container.
func (j *judging) stow() Reason {
	t, u, s := j.t, j.u, &j.after
	c := t.find(u.Into, t.ViewOf(j.by.Seat))
	switch {
	case c == nil:
		return ReasonGone
	case !t.takes(c, s):
		return ReasonNotAllowed
	}
	was := *s
	t.stow(s, c)
	t.relevel(s, &was, false)
	if u.Has&HasAt == 0 || u.At == 1 || t.kind(c).Container.Random {
		return reasonNone
	}
	at := 0
	if n := t.contents(c).n; u.At == 0 && n > 0 {
		at = j.placeAt(c, s, n+1)
	}
	// Without a level between them it stays on top, and a respread follows.
	if z, err := zlevel.Between(t.stack(s).gap(at)); err == nil {
		s.Z = z
	}
	return reasonNone
}

// placeAt returns a random one of so many places in a container, for a piece in state s.
func (j *judging) placeAt(c *piece, s *State, places int) int {
	if j.t.isSecretPart(s) {
		return j.in.Unproved.IntN(places)
	}
	at := j.in.Rand.IntN(places)
	j.noteDraw(ChancePlace,
		[]uint32{uint32(places)}, []uint32{uint32(at)}) //nolint:gosec // at most MaxPieces
	j.drawn.Pieces = []id.OID{c.oid}
	return at
}

// stow weighs a stow.
func (w *weighing) stow(_ *Update, p *piece) {
	w.fact(2)
	if p != nil && !w.seen[p] {
		w.seen[p] = true
		w.moves(1)
	}
}

// recall brings the pieces whose home is the container back into it (T30).
func (j *judging) recall() Outcome {
	t := j.t
	if j.within() == nil {
		return j.reject(ReasonNotAllowed, 0)
	}
	var home []*piece
	for _, p := range t.homes[j.p.name].all() {
		t.looks++
		s := &p.state
		if s.In != j.p.name && (s.Holder == 0 || s.Holder == j.by.Seat) && !s.Pinned && !s.Locked &&
			j.reaches(s) && t.takes(j.p, s) {
			home = append(home, p)
		}
	}
	slices.SortFunc(home, t.byPlace)
	t.looks += sorting(len(home))
	t.pending = slices.Grow(t.pending, len(home)+1)
	for _, p := range home {
		j.putInto(p, j.p)
	}
	return j.noticed(Entry{Count: int32(len(home)), Whole: j.recallsAll()}) //nolint:gosec // bounded
}

// putInto puts a piece into a container that takes it, on top.
func (j *judging) putInto(p, c *piece) {
	t, was, s := j.t, p.state, p.state
	t.stow(&s, c)
	t.relevel(&s, &was, false)
	t.serve(p, j.u.Op, j.by.Seat, j.in.Now, s)
	t.shorten(p, j.in.Now)
}

// SetRecall sets whether players recall what lies in the hands of others, too (T30.33). The history
// does not contain it.
func (t *Table) SetRecall(players bool) { t.playersRecall = players }

// recallsAll reports whether a recall of the seat brings home what lies in any hand.
func (j *judging) recallsAll() bool { return j.by.Role.Hosts() || j.t.playersRecall }

// reaches reports whether a recall of the seat brings home a piece in state s.
func (j *judging) reaches(s *State) bool {
	switch {
	case j.recallsAll():
		return true
	case j.t.inHand(s):
		return j.t.sees(s, j.by.Seat)
	default:
		return j.t.handles(s, j.by.Seat)
	}
}

// recall weighs a recall.
func (w *weighing) recall(_ *Update, p *piece) {
	if p == nil {
		return
	}
	home, inside := len(w.t.homes[p.name].all()), 0
	if h := w.t.holds[p.name]; h != nil {
		inside = h.native
	}
	all, n := w.pieces(home), w.pieces(home-inside)
	w.records(n)
	w.Looks += all + int(sorting(n)) //nolint:gosec // small
	w.moves(n)
}

// within returns how many pieces may lie in a container.
func (w *weighing) within(c *piece) int {
	n := w.t.contents(c).n
	if w.t.kind(c).Uncounted {
		n = roundUp(n)
	}
	return w.pieces(n)
}

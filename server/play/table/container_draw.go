package table

import (
	"cmp"
	"slices"
)

// How pieces come out of containers (T30).

// MaxDraw is the most pieces that one draw takes, or that one deal gives to each hand.
const MaxDraw = 100

func init() {
	define(rows{
		OpDraw: {Name: "draw", LowAt: -MaxPieces, HighAt: MaxPieces, Traits: Fence, Forms: []Form{{
			Required: blind, Optional: HasN | HasAt | HasKind | HasXY | HasZ | HasFace | HasHold,
			Condition: "a container; the right to peek for `kind` and `at` but 1 and −1",
			Ack:       "none, made",
			Rejects: []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty, ReasonOffTable,
				ReasonAway},
		}}, check: (*Update).checkDraw, forbids: (*judging).mayAim, run: (*judging).draw,
			weigh: (*weighing).draw},
		OpDeal: {Name: "deal", Traits: Fence, Forms: []Form{{
			Required: blind, Optional: HasN | HasPieces,
			Condition: "a container with private pieces only; `pieces` are hands",
			Ack:       "none",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty, ReasonAway},
		}}, run: (*judging).deal, weigh: (*weighing).deal},
	})
}

// checkDraw refuses the place 0.
func (u *Update) checkDraw() (code, detail string) {
	if u.Has&HasAt != 0 && u.At == 0 {
		return CodeImpossible, "at of draw counts from 1 or from -1"
	}
	return "", ""
}

// mayAim forbids a draw of another piece than the uppermost or the undermost to those who may not
// peek.
func (j *judging) mayAim() Reason {
	u := j.u
	if u.Has&HasKind != 0 || u.Has&HasAt != 0 && u.At != 1 && u.At != -1 {
		return j.mayPeek()
	}
	return reasonNone
}

// draw takes pieces out of a container (T30).
func (j *judging) draw() Outcome {
	t, u := j.t, j.u
	within := j.within()
	if u.Has&HasAt != 0 {
		within = j.withinOrder()
	}
	if within == nil {
		return j.reject(ReasonNotAllowed, 0)
	}
	if u.Has&HasKind != 0 && j.known == nil && !j.p.state.Set.IsZero() {
		if all := j.everything(within); t.anyUnknown(all) {
			return j.askKinds(all)
		}
	}
	chosen, reason := j.choose(within)
	if reason != reasonNone {
		return j.reject(reason, 0)
	}
	hand := t.firstHand(j.by.Seat)
	var last *piece
	for _, p := range chosen {
		last = p
		switch {
		case u.Has&HasXY != 0:
			j.takeOut(p, u.X, u.Y)
		case hand != nil && u.Has&HasHold == 0 && t.private(p.state.Kind):
			j.toHand(p, hand)
		default:
			x, y := t.beside(j.p)
			j.takeOut(p, x, y)
		}
	}
	brought := last.name
	if !t.sees(&last.state, t.ViewOf(j.by.Seat)) {
		brought = 0
	}
	return j.notice(len(chosen), brought)
}

// askKinds asks for the kinds of what lies in a container. The update is judged when the answer is
// there.
func (j *judging) askKinds(within []*piece) Outcome {
	set := j.p.state.Set
	if j.t.isAway(set, j.in.Now) {
		return j.reject(ReasonAway, 0)
	}
	j.ask = &Ask{Set: set, What: AskReveal, of: j.p.oid}
	for _, p := range within {
		if j.t.kind(p).Unknown {
			j.ask.Parts = append(j.ask.Parts, p.state.Part)
		}
	}
	slices.Sort(j.ask.Parts) // the order in which they lie is not for the owner (T38.10)
	j.t.looks += sorting(len(j.ask.Parts))
	return j.defers()
}

// kindOf returns the kind of a piece, given the kinds of parts that the owner has revealed.
func (t *Table) kindOf(p *piece, known map[uint32]uint32) uint32 {
	if kind, ok := known[p.state.Part]; ok && t.kind(p).Unknown {
		return kind
	}
	return p.state.Kind
}

// choose returns the pieces that a draw takes, or the reason why it takes none (T30). It draws
// random pieces last, when nothing is in the way.
func (j *judging) choose(within *order) ([]*piece, Reason) {
	u, n := j.u, j.argN()
	if u.Has&HasHold != 0 && n != 1 {
		return nil, ReasonNotAllowed
	}
	if n = j.most(n, within); n > within.n || within.n == 0 {
		return nil, ReasonEmpty
	}
	random := j.t.kind(j.p).Container.Random && u.Has&HasKind == 0
	var chosen []*piece
	if !random {
		if chosen = j.inOrder(within, n); len(chosen) < n {
			return nil, ReasonEmpty
		}
	}
	if u.Has&HasXY != 0 && !j.t.onTable(u.X, u.Y) {
		return nil, ReasonOffTable
	}
	if of := chosen; j.t.isAway(j.p.state.Set, j.in.Now) && j.seen() {
		if random {
			of = j.everything(within)
		}
		if j.t.anyUnknown(of) {
			return nil, ReasonAway
		}
	}
	if random {
		chosen = j.atRandom(within, n)
	}
	return chosen, reasonNone
}

// seen reports whether somebody will see at once what a draw brings.
func (j *judging) seen() bool {
	u := j.u
	return u.Has&HasFace != 0 && u.Face == 0 ||
		u.Has&(HasXY|HasHold) == 0 && j.t.firstHand(j.by.Seat) != nil
}

// inOrder returns n pieces of a container from the place, or of the kind, that the update names. It
// returns fewer if there are fewer.
func (j *judging) inOrder(within *order, n int) (chosen []*piece) {
	u, next := j.u, within.downwards
	var from *piece // the walk begins after this piece
	switch {
	case u.Has&HasKind != 0 || u.Has&HasAt == 0:
	case u.At < 0:
		next, from = within.upwards, within.at(-int(u.At)-2)
		if int(-u.At) > within.n {
			return nil
		}
	default:
		from = within.at(within.n - int(u.At) + 1)
		if int(u.At) > within.n {
			return nil
		}
	}
	for p := range next(from) {
		if j.t.looks++; len(chosen) == n {
			break
		}
		if u.Has&HasKind == 0 || j.t.kindOf(p, j.known) == u.Kind {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// atRandom returns n random pieces of a container.
func (j *judging) atRandom(within *order, n int) []*piece {
	left := j.everything(within)
	slices.SortStableFunc(left, func(a, b *piece) int {
		return cmp.Compare(a.state.Kind, b.state.Kind)
	})
	j.t.looks += sorting(len(left))
	inputs := kindsOf(left)
	lot := j.in.Rand
	others := j.t.ofOthers(left)
	if others {
		lot = j.in.Unproved
	}
	var chosen []*piece
	for range n {
		i := lot.IntN(len(left))
		chosen = append(chosen, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if !others {
		j.noteDraw(ChanceDraw, inputs, kindsOf(chosen))
	}
	return chosen
}

// takeOut lays a piece that was in a container on the table, or into the hand or container at that
// place.
func (j *judging) takeOut(p *piece, x, y int32) {
	t, u := j.t, j.u
	was, s := p.state, p.state
	s.In, s.X, s.Y = 0, x, y
	if t.kinds[s.Kind].Secret {
		s.Face = 1
	}
	if u.Has&HasFace != 0 && u.Face < t.facesInside(s.Kind) {
		s.Face = u.Face
	}
	if u.Has&HasZ != 0 {
		s.Z = u.Z
	}
	if u.Has&HasHold != 0 {
		s.Holder = j.by.Seat
	}
	if s.Holder == 0 {
		t.settleIn(&s)
	}
	t.relevel(&s, &was, u.Has&HasZ != 0)
	t.lay(&s, &was, p, true)
	t.serve(p, OpDraw, j.by.Seat, j.in.Now, s)
	t.follow(p, &was, j.by.Seat, j.in.Now, u)
}

// beside returns a place on the table beside a piece.
func (t *Table) beside(p *piece) (x, y int32) {
	w := t.kind(p).Width
	if x = p.state.X + w + w/8; 2*x > t.width {
		x = p.state.X - w - w/8
	}
	return t.Within(x, p.state.Y)
}

// handsToDeal returns the hands to which a deal goes: the oldest one of each owner, or those that
// the update lists, without those of owners who do not play (T30).
func (j *judging) handsToDeal() []*piece {
	t, u := j.t, j.u
	if u.Has&HasPieces == 0 {
		return slices.DeleteFunc(t.firstHands(), func(h *piece) bool {
			return !t.plays(h.state.Owner)
		})
	}
	hands := make([]*piece, 0, len(u.Pieces))
	for _, name := range u.Pieces {
		h := t.find(name, t.ViewOf(j.by.Seat))
		if h != nil && t.ownedHand(h) && t.plays(h.state.Owner) && !slices.Contains(hands, h) {
			hands = append(hands, h)
		}
	}
	slices.SortFunc(hands, byAge) // hands of one owner get their pieces in this order
	return hands
}

// deal gives pieces to hands in turn (T30).
func (j *judging) deal() Outcome {
	t, within := j.t, j.within()
	if within == nil {
		return j.reject(ReasonNotAllowed, 0)
	}
	hands := j.handsToDeal()
	after := func(h *piece) int {
		return (int(h.state.Owner) - int(j.by.Seat) - 1 + 2*MaxSeats) % (2 * MaxSeats)
	}
	slices.SortStableFunc(hands, func(a, b *piece) int { return cmp.Compare(after(a), after(b)) })
	each := j.argN()
	n := j.most(each*len(hands), within)
	switch {
	case len(hands) == 0:
		return j.reject(ReasonNotAllowed, 0)
	case within.n > 0 && t.holds[j.p.name].plain > 0:
		// Everybody would see such a piece in a hand.
		return j.reject(ReasonNotAllowed, 0)
	case n > within.n || within.n == 0:
		return j.reject(ReasonEmpty, 0)
	case t.isAway(j.p.state.Set, j.in.Now) && t.anyUnknown(j.everything(within)):
		return j.reject(ReasonAway, 0)
	}
	dealt := make([]*piece, 0, n)
	if t.kind(j.p).Container.Random {
		dealt = j.atRandom(within, n)
	} else {
		for p := range within.downwards(nil) {
			if len(dealt) == n {
				break
			}
			dealt = append(dealt, p)
		}
	}
	t.looks += uint64(n) //nolint:gosec // not negative
	for i, p := range dealt {
		j.toHand(p, hands[i%len(hands)])
	}
	return j.notice(each, 0)
}

// draw weighs a draw.
func (w *weighing) draw(u *Update, p *piece) {
	if p == nil {
		return
	}
	within, n := w.within(p), 1
	if u.Has&HasN != 0 {
		n = int(u.N)
	}
	n = min(n, within)
	w.Looks += 4*len(w.t.hands.all) + w.hands + n + 1
	switch {
	case u.Has&HasKind != 0:
		w.Looks += 2 * within
		if !p.state.Set.IsZero() {
			w.Looks += int(sorting(within)) //nolint:gosec // small
		}
	case w.t.kind(p).Container.Random:
		w.Looks += 2*within + int(sorting(within)) //nolint:gosec // small
		w.fact(within + n)
	}
	w.records(3 * n) // for each piece: the draw, a corrected level, and a face
	w.slots(n, n)
	w.moves(n)
	x, y := w.t.beside(p)
	if u.Has&HasXY != 0 {
		x, y = u.X, u.Y
	}
	w.fall(n, x, y, false)
}

// deal weighs a deal.
func (w *weighing) deal(u *Update, p *piece) {
	if p == nil {
		return
	}
	each := 1
	if u.Has&HasN != 0 {
		each = int(u.N)
	}
	hands := min(len(w.t.hands.all)+w.hands, len(w.t.seats))
	if u.Has&HasPieces != 0 {
		hands = len(u.Pieces)
	}
	within := w.within(p)
	n := min(each*hands, within)
	w.Looks += len(w.t.hands.all) + w.hands + len(u.Pieces) + n
	if w.t.kind(p).Container.Random {
		w.Looks += within + int(sorting(within)) //nolint:gosec // small
		w.fact(within + n)
	}
	if !p.state.Set.IsZero() {
		w.Looks += within
	}
	w.records(n)
	w.slots(n, each)
	w.moves(n)
}

package table

import (
	"slices"

	"holt/server/id"
)

// Hands: whose they are, and what follows from a change of that (T23).

// MaxTeam is the most seats with which a hand is shared.
const MaxTeam = 7

func init() {
	define(rows{
		OpClaim: {Name: "claim", Traits: OnAnyHand | Fence, Forms: []Form{{
			Required:  blind,
			Condition: "a hand that is nobody's",
			Ack:       "`owner`",
			Rejects:   []Reason{ReasonLocked, ReasonOwned, ReasonNotAllowed},
		}}, change: (*judging).claim, weigh: (*weighing).turnHand},
		OpLeave: {Name: "leave", Traits: Fence, Forms: []Form{{
			Required:  blind,
			Condition: "a hand, see T23",
			Ack:       "`owner`, `team`",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).leave, weigh: (*weighing).turnHand},
		OpGive: {Name: "give", Traits: Fence, Forms: []Form{{
			Required:  blind | HasSeat,
			Condition: "a hand, see T23",
			Ack:       "`owner`, `team`",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).give, weigh: (*weighing).turnHand},
		OpShare: {Name: "share", Traits: Fence, Forms: []Form{{
			Required:  blind | HasSeat,
			Condition: "a hand, see T23",
			Ack:       "`team`",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).share, weigh: (*weighing).turnHand},
		OpUnshare: {Name: "unshare", Traits: Fence, Forms: []Form{{
			Required:  blind | HasSeat,
			Condition: "a hand, see T23",
			Ack:       "`team`",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).unshare, weigh: (*weighing).turnHand},
	})
}

// foreign reports whether the piece is a hand of another seat. Hosts may do with it what its owner
// may (T24).
func (j *judging) foreign(s *State) bool {
	return j.t.kinds[s.Kind].Hand && s.Owner != 0 && s.Owner != j.by.Seat && !j.by.Role.Hosts()
}

// ownedHand reports whether p is a hand that has an owner.
func (t *Table) ownedHand(p *piece) bool { return t.kind(p).Hand && p.state.Owner != 0 }

// claim gives a hand that is nobody's to the seat.
func (j *judging) claim() Reason {
	switch s := &j.after; {
	case !j.t.kinds[s.Kind].Hand:
		return ReasonNotAllowed
	case s.Owner != 0:
		return ReasonOwned
	default:
		s.Owner = j.by.Seat
		return reasonNone
	}
}

// leave makes a hand nobody's.
func (j *judging) leave() Reason {
	if !j.t.ownedHand(j.p) {
		return ReasonNotAllowed
	}
	j.after.Owner, j.after.Team = 0, ""
	return reasonNone
}

// namesOther reports whether the piece is an owned hand, and the update names a player other than
// its owner.
func (j *judging) namesOther() bool {
	other, _ := j.t.Seat(j.u.Seat) // Check has checked that the seat exists.
	return j.t.ownedHand(j.p) && other.Plays() && j.u.Seat != j.p.state.Owner
}

func (j *judging) give() Reason {
	if !j.namesOther() {
		return ReasonNotAllowed
	}
	j.after.Owner, j.after.Team = j.u.Seat, ""
	return reasonNone
}

func (j *judging) share() Reason {
	team := &j.after.Team
	if !j.namesOther() || !team.Has(j.u.Seat) && team.Len() >= MaxTeam {
		return ReasonNotAllowed
	}
	*team = team.with(j.u.Seat)
	return reasonNone
}

func (j *judging) unshare() Reason {
	if !j.namesOther() {
		return ReasonNotAllowed
	}
	j.after.Team = j.after.Team.without(j.u.Seat)
	return reasonNone
}

// hands is the ability of hands.
type hands struct{ plain }

// What lies in a hand follows when it is moved, or when its owner or team changes.
func (hands) follow(t *Table, p *piece, d done) {
	s := &p.state
	moved := d.has&(HasXY|HasAngle) != 0
	if t.ownedHand(p) && (moved || s.Owner != d.was.Owner || s.Team != d.was.Team) ||
		d.was.Owner != 0 && s.Owner == 0 {
		t.followHand(p, d.now)
	}
}

// No hand is part of a set.
func (hands) fits(*Kind, *SetPart) bool { return false }

// giveHand gives a seat a hand that is nobody's, and the label beside it: the hand of its side,
// else the oldest, and one that belongs to a side that nobody has only if there is no other.
func (t *Table) giveHand(seat id.Seat, side uint32, now id.Millis) {
	first := t.handOfSide(side)
	if first == nil {
		first = t.freeHand()
	}
	if first == nil {
		return
	}
	s := first.state
	s.Owner = seat
	t.serve(first, OpClaim, seat, now, s)
	t.followHand(first, now)
	t.giveLabel(first, seat, now)
}

// freeHand returns the hand that is nobody's and is given away next, nil if there is none.
func (t *Table) freeHand() (first *piece) {
	isKept := false
	for h := range t.heavy.upwards(nil) {
		if t.looks++; !t.kind(h).Hand || h.state.Owner != 0 {
			continue
		}
		kept := t.isKept(h)
		if first == nil || kept != isKept && !kept || kept == isKept && byAge(h, first) < 0 {
			first, isKept = h, kept
		}
	}
	return first
}

// firstHand returns the oldest hand of a seat, nil if it has none.
func (t *Table) firstHand(seat id.Seat) *piece {
	for _, h := range t.hands.all {
		if t.looks++; h.state.Owner == seat {
			return h
		}
	}
	return nil
}

// firstHands returns the oldest hand of each owner.
func (t *Table) firstHands() (first []*piece) {
	var seen [MaxSeats + 1]bool
	for _, h := range t.hands.all {
		if t.looks++; !seen[h.state.Owner] {
			seen[h.state.Owner] = true
			first = append(first, h)
		}
	}
	return first
}

// followHand lets private pieces follow a hand that was moved, has changed its owner or its team,
// or is gone (T23). These are the pieces in the hand and those that lie open where it is now. All
// other pieces lie where they belong, except held ones: these follow when they are put down.
func (t *Table) followHand(h *piece, now id.Millis) {
	var enter, leave []*piece
	sift := func(p *piece) {
		t.looks++
		switch s := p.state; {
		case s.Holder != 0 || !t.settleIn(&s):
		case p.state.In != 0 && s.In != p.state.In, t.isOnRack(&p.state):
			leave = append(leave, p)
		default:
			enter = append(enter, p)
		}
	}
	if in := t.holds[h.name]; in != nil {
		for _, o := range in.orders() {
			for p := range o.upwards(nil) {
				sift(p)
			}
		}
	}
	if t.kind(h).Rack {
		for _, p := range t.racked.all() {
			sift(p)
		}
	}
	if t.ownedHand(h) && !h.state.Gone {
		w, d := t.half(&h.state)
		t.near(h.state.X, h.state.Y, w, d, func(g *bunch) {
			for _, p := range g.pieces {
				if !t.kind(h).Rack || !t.isOnRack(&p.state) { // done above
					sift(p)
				}
			}
		})
	}
	// Pieces that come from the table into a hand, or stay in it, keep their order. The order of
	// pieces that leave a hand, even for another one, must stay unknown to everybody else.
	slices.SortFunc(enter, t.byDrawing)
	slices.SortFunc(leave, t.bySight)
	t.looks += sorting(len(enter)) + sorting(len(leave))
	t.pending = slices.Grow(t.pending, len(enter)+len(leave))
	for _, p := range append(enter, leave...) {
		was, s := p.state, p.state
		t.settleIn(&s)
		t.relevel(&s, &was, false)
		if s.In != was.In || t.isOnRack(&s) != t.isOnRack(&was) { // it does not stay there
			t.turn(&s)
		}
		t.serve(p, OpReveal, 0, now, s)
		t.shorten(p, now)
	}
}

// turnHand weighs an update that changes the owner or team of a hand, or deletes it.
func (w *weighing) turnHand(_ *Update, p *piece) {
	if p != nil {
		w.hand(p, p.state.X, p.state.Y)
	}
}

// hand counts what follows when a hand comes to lie at a place, with what lies in it and under it.
func (w *weighing) hand(p *piece, x, y int32) {
	w.hands++
	if !w.t.kind(p).Hand {
		return
	}
	half := w.t.extent(p)/2 + 1 // either way up
	under := w.t.beneath(x, y, half)
	in := w.t.numberIn(p.name)
	if w.t.kind(p).Rack {
		in += len(w.t.racked.all())
	}
	n := in + under + w.moved
	// What lies in it was counted when it was moved before.
	if w.seen[p] {
		n, in = under+w.moved, 0
	}
	w.seen[p] = true
	n = min(n, len(w.t.pieces)+w.made)
	w.records(n)
	crowd := w.hands + max(w.crowd(p.state.X, p.state.Y, half), w.crowd(x, y, half))
	w.Looks += (n+w.t.about(x, y, half, half))*(2+2*crowd) +
		2*int(sorting(n)) //nolint:gosec // small
	w.moves(in + under)
}

// beneath returns how many grounded pieces lie in a square about a place. half is half its side.
func (t *Table) beneath(x, y, half int32) (n int) {
	t.near(x, y, half, half, func(g *bunch) {
		for _, p := range g.pieces {
			if dx, dy := p.state.X-x, p.state.Y-y; max(dx, -dx, dy, -dy) <= half {
				n++
			}
		}
	})
	return n
}

// crowd returns how many hands may lie over one place in a square.
func (w *weighing) crowd(x, y, half int32) (most int) {
	for _, dx := range []int32{-half, 0, half} {
		for _, dy := range []int32{-half, 0, half} {
			most = max(most, len(w.t.hands.at(x+dx, y+dy)))
		}
	}
	return most
}

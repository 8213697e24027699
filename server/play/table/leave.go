package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// HandsTo says what becomes of the hands of a seat that ends (T51).
type HandsTo uint8

// The possibilities.
const (
	HandsBack  HandsTo = iota // what lies in them goes home, and the hands are nobody's
	HandsStay                 // nobody but their team sees into them until a host gives them away
	HandsGiven                // the hands are another seat's
)

// Ending says how a seat ends.
type Ending struct {
	By    id.Seat // the seat itself, if its person leaves (T52); otherwise a host's seat
	Hands HandsTo
	To    id.Seat // for HandsGiven: a seat that plays
}

// Unseat records that a seat has ended (T51, T52). What the seat holds is laid down where it lies,
// its hands go where e says, it leaves the teams of others, and it passes on its turn. Unseat
// reports false and records nothing if the seat is not in use, if e.To cannot have a hand, or while
// the server makes a set of pieces for the seat (T40).
func (t *Table) Unseat(seat id.Seat, e Ending, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	if !ok || e.Hands == HandsGiven && (e.To == seat || !t.plays(e.To)) ||
		t.MakesSet(seat) {
		return false
	}
	who.Left, who.Side, who.EditsBy = e.By, 0, 0
	who.Referee.Proposal, who.Referee.ProposedBy = 0, 0
	who.Tokens++
	t.recordSeat(who, e.By, now)
	t.letGo(seat, e.By, now)
	t.leaveHands(seat, e, now)
	t.settleProposal(now)
	return true
}

// letGo lays down what a seat holds, and passes on its turn.
func (t *Table) letGo(seat, by id.Seat, now id.Millis) {
	var its []*piece
	t.looks += uint64(len(t.pieces))
	for _, p := range t.pieces {
		if s := &p.state; s.Holder == seat || t.isTurnOf(seat, s) {
			its = append(its, p)
		}
	}
	slices.SortFunc(its, func(a, b *piece) int {
		switch openA, openB := a.state.In == 0, b.state.In == 0; {
		case openA && openB: // everybody sees these levels
			return cmp.Or(cmp.Compare(a.state.Z, b.state.Z),
				cmp.Compare(a.state.ZGen, b.state.ZGen), t.bySight(a, b))
		case openA:
			return -1
		case openB:
			return 1
		default:
			return t.bySight(a, b)
		}
	})
	for _, p := range its {
		if s := p.state; s.Holder == seat {
			t.Drop(p.name, s.X, s.Y, now)
		}
		if t.isTurnOf(seat, &p.state) {
			t.passOn(p, seat, by, now)
		}
	}
}

// VoidToken records that the token of a seat is void, while the seat goes on. It reports false if
// the seat is not in use.
func (t *Table) VoidToken(seat id.Seat, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	if !ok {
		return false
	}
	who.Tokens++
	t.recordSeat(who, seat, now)
	return true
}

// MakesSet reports whether pieces are becoming a set in the bag of a seat (T40). Until then the
// seat is needed.
func (t *Table) MakesSet(seat id.Seat) bool {
	for _, s := range t.everySet() {
		if s.Stage == StageMake && s.Seat == seat {
			return true
		}
	}
	return false
}

// leaveHands does with the hands of a seat that has ended what e says, and takes the seat out of
// the teams of others.
func (t *Table) leaveHands(seat id.Seat, e Ending, now id.Millis) {
	for _, h := range slices.Clone(t.hands.all) {
		t.leaveHand(h, seat, e, now)
	}
}

// leaveHand does that with one hand, if the seat owns it or is in its team.
func (t *Table) leaveHand(h *piece, seat id.Seat, e Ending, now id.Millis) {
	if h.state.Owner == seat && e.Hands == HandsBack {
		t.bringHome(h, e.By, now)
	}
	s, op := h.state, OpNone
	switch {
	case s.Owner != seat && s.Team.Has(seat):
		s.Team, op = s.Team.without(seat), OpUnshare
	case s.Owner != seat:
	case e.Hands == HandsGiven:
		s.Owner, s.Team, op = e.To, "", OpGive
	case e.Hands == HandsBack, t.seenEmpty(h):
		s.Owner, s.Team, op = 0, "", OpLeave
	}
	if op != OpNone {
		t.serve(h, op, e.By, now, s)
		t.followHand(h, now)
	}
}

// seenEmpty reports whether everybody knows that nothing lies in a hand.
func (t *Table) seenEmpty(h *piece) bool {
	return t.holds[h.name] == nil && !t.kind(h).Uncounted && len(t.onRack(h)) == 0
}

// onRack returns what lies on a rack and belongs to its owner; nothing if the hand is no rack.
func (t *Table) onRack(h *piece) (all []*piece) {
	if !t.kind(h).Rack {
		return nil
	}
	for _, p := range t.racked.all() {
		t.looks++
		if s := &p.state; s.Owner == h.state.Owner && t.covers(h, s.X, s.Y) {
			all = append(all, p)
		}
	}
	return all
}

// bringHome stows what lies in a hand in its home, as a recall does (T30).
func (t *Table) bringHome(hand *piece, by id.Seat, now id.Millis) {
	var home []*piece
	sift := func(p *piece) {
		t.looks++
		if s := &p.state; s.Holder == 0 && !s.Pinned && !s.Locked && t.homeTakes(s) {
			home = append(home, p)
		}
	}
	for _, p := range t.onRack(hand) {
		sift(p)
	}
	if in := t.holds[hand.name]; in != nil {
		for _, o := range in.orders() {
			for p := range o.upwards(nil) {
				sift(p)
			}
		}
	}
	t.looks += sorting(len(home))
	slices.SortFunc(home, func(a, b *piece) int {
		return cmp.Or(cmp.Compare(a.state.Home, b.state.Home), t.byPlace(a, b))
	})
	t.pending = slices.Grow(t.pending, len(home))
	for _, p := range home {
		was, s := p.state, p.state
		t.stow(&s, t.names[s.Home])
		t.relevel(&s, &was, false)
		t.serve(p, OpRecall, by, now, s)
		t.shorten(p, now)
	}
}

// homeTakes reports whether the home of a piece in that state exists and takes it.
func (t *Table) homeTakes(s *State) bool {
	c := t.names[s.Home]
	return s.Home != 0 && c != nil && c.name == s.Home && t.takes(c, s)
}

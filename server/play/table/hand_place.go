package table

import (
	"cmp"
	"slices"
)

// Where pieces lie in hands (T23, T30).

// settleIn gives a piece that nobody holds to the hand over which it lies, or takes it out of its
// hand (T23). It reports whether anything of that has changed.
func (t *Table) settleIn(s *State) bool {
	if !t.private(s.Kind) || t.inContainer(s) {
		return false
	}
	was := *s
	s.Owner, s.Team, s.In = 0, "", 0
	switch h := t.handAt(&was); {
	case h == nil:
	case !t.kind(h).Rack:
		s.Owner, s.Team, s.In = h.state.Owner, h.state.Team, h.name
		if s.In != was.In {
			s.Angle = upright(h)
		}
	default:
		s.Owner, s.Team = h.state.Owner, h.state.Team
	}
	if s.In != was.In {
		*s = t.kinds[s.Kind].ability().moved(*s)
	}
	return *s != was
}

// backOnRack gives a piece that lay on a rack, and comes back there, to the owner and the team of
// the rack that lies there now. It reports false if none does: then it belongs to nobody.
func (t *Table) backOnRack(s *State) bool {
	h := t.handAt(s)
	if h == nil || !t.kind(h).Rack {
		s.Owner, s.Team = 0, ""
		return false
	}
	s.Owner, s.Team = h.state.Owner, h.state.Team
	return true
}

// handAt returns the uppermost owned hand over the place of a piece, nil if there is none. The hand
// in which the piece lies comes first, or a rack of those who see its front, then another hand of
// its owner. So nobody takes pieces out of another hand by laying their own hand over it. And what
// a player with several hands does in one of them does not show in the numbers of two. A rack takes
// secret pieces only (T96).
func (t *Table) handAt(s *State) *piece {
	if s.In != 0 {
		if h := t.names[s.In]; h != nil && h.name == s.In && t.ownedHand(h) &&
			t.covers(h, s.X, s.Y) {
			return h
		}
	}
	var same, own, top *piece
	hands := t.hands.at(s.X, s.Y)
	t.looks += uint64(len(hands))
	for _, h := range hands {
		switch {
		case !t.covers(h, s.X, s.Y), t.kind(h).Rack && !t.kinds[s.Kind].Secret:
		case t.isOnRack(s) && t.kind(h).Rack && groupOf(&h.state) == groupOf(s):
			same = h
		case h.state.Owner == s.Owner && (own == nil || byAge(h, own) < 0):
			own = h
		case top == nil || above(h, top):
			top = h
		}
	}
	return cmp.Or(same, own, top)
}

// upright returns the angle of pieces that come into a hand: that of the hand. A piece that kept
// its own angle could be recognised when it comes out again (T21).
func upright(hand *piece) int32 {
	return quarters(hand.state.Angle) * (FullTurn / 4)
}

// toHand puts a piece into a hand, on the first free place from the left (T30).
func (j *judging) toHand(p *piece, hand *piece) {
	t := j.t
	was, s := p.state, p.state
	secret := t.kinds[s.Kind].Secret
	s.Owner, s.Team, s.In = hand.state.Owner, hand.state.Team, hand.name
	s.X, s.Y = t.slot(hand, &t.kinds[s.Kind])
	s.Angle = upright(hand)
	if secret {
		s.Face = 0
	}
	switch rack := t.kind(hand).Rack; {
	case rack && secret:
		s.In = 0
	case rack: // it does not take it, but another hand may lie there, too
		s.Owner, s.Team, s.In = 0, "", 0
		t.settleIn(&s)
	}
	t.relevel(&s, &was, false)
	t.serve(p, j.u.Op, j.by.Seat, j.in.Now, s)
	t.shorten(p, j.in.Now)
}

// slot returns the first place from the left of a hand, and on the table, at which no piece lies.
// Pieces lie side by side while there is room, and then overlap. Only pieces of the hand's own
// group count: the others are not seen by all who see the group (T21).
//
// On a rack with cells it is the first free cell, if there is one.
func (t *Table) slot(hand *piece, k *Kind) (x, y int32) {
	of := t.kind(hand)
	onRack := t.onRack(hand)
	if x, y, ok := t.freeCell(hand, onRack, k); ok {
		return x, y
	}
	gap := k.Width / 10
	room := max(of.Width-k.Width-2*gap, 0)
	turns := quarters(hand.state.Angle)
	first, last := t.reach(hand, room, turns)
	var taken []int32 // the distance of each from the left, ascending
	for p := range t.holds[hand.name].order(groupOf(&hand.state)).upwards(nil) {
		along, _ := turn(p.state.X-hand.state.X, p.state.Y-hand.state.Y, 4-turns)
		taken = append(taken, along+room/2)
	}
	for _, p := range onRack {
		along, _ := turn(p.state.X-hand.state.X, p.state.Y-hand.state.Y, 4-turns)
		taken = append(taken, along+room/2)
	}
	t.looks += sorting(len(taken))
	slices.Sort(taken)
	for step := k.Width + gap; step >= k.Width/64+1; step /= 2 {
		if at := firstFree(taken, first, step); at <= last {
			dx, dy := turn(at-room/2, 0, turns)
			return t.Within(hand.state.X+dx, hand.state.Y+dy)
		}
	}
	return hand.state.X, hand.state.Y
}

// freeCell returns the first cell of a rack that is on the table and on whose middle none of the
// pieces lies: of each, as much counts as a piece of the kind takes. It reports false if there is
// no such cell.
func (t *Table) freeCell(rack *piece, pieces []*piece, k *Kind) (x, y int32, ok bool) {
	turns := quarters(rack.state.Angle)
	for _, c := range t.kind(rack).Cells {
		dx, dy := turn(c.X, c.Y, turns)
		x, y = rack.state.X+dx, rack.state.Y+dy
		t.looks += uint64(1 + len(pieces))
		isTaken := slices.ContainsFunc(pieces, func(p *piece) bool {
			along, across := turn(p.state.X-x, p.state.Y-y, 4-turns)
			return 2*max(along, -along) < k.Width && 2*max(across, -across) < k.Height
		})
		if inX, inY := t.Within(x, y); !isTaken && inX == x && inY == y {
			return x, y, true
		}
	}
	return 0, 0, false
}

// reach returns the part of the room in a hand, measured from the left, that is on the table.
func (t *Table) reach(hand *piece, room, turns int32) (first, last int32) {
	dx, dy := turn(1, 0, turns)
	along := hand.state.X*dx + hand.state.Y*dy
	half := t.width / 2
	if dx == 0 {
		half = t.height / 2
	}
	return max(0, room/2-half-along), min(room, room/2+half-along)
}

// firstFree returns the first place from at on, in steps of step, that is at least half a step away
// from all places of taken. taken ascends.
func firstFree(taken []int32, at, step int32) int32 {
	for _, o := range taken {
		for o > at-step/2 && o < at+step/2 {
			at += step
		}
	}
	return at
}

// slots counts the looks for free places of n pieces that come into hands, at most each into one
// hand.
func (w *weighing) slots(n, each int) {
	most, cells := 0, 0
	for _, h := range w.t.hands.all {
		most, cells = max(most, w.t.numberIn(h.name)), max(cells, len(w.t.kind(h).Cells))
	}
	racked := w.pieces(len(w.t.racked.all()) + each)
	w.Looks += n * cells * (1 + racked)
	w.Looks += n * (racked + int(sorting(w.pieces(roundUp(most))+racked+each))) //nolint:gosec // small
}

// quarters returns the number of quarter turns that is nearest to an angle, 0 to 3. Hands and
// containers stand at quarter turns.
func quarters(angle int32) int32 { return (angle + FullTurn/8) / (FullTurn / 4) % 4 }

// turn turns a vector clockwise by quarter turns.
func turn(x, y, turns int32) (int32, int32) {
	for range turns % 4 {
		x, y = -y, x
	}
	return x, y
}

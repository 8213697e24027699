package table_test

import (
	"cmp"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
)

// play does a number of things at both tables, and returns how many comparisons it made.
func (tw *twins) play(steps int) int {
	tw.t.Helper()
	if tw.partner != 0 {
		hand := []id.Piece{worldHandOne, worldHandTwo, worldHandThree}[tw.sly-1]
		tw.do(tw.sly, table.OpShare, same(hand), whom(tw.partner))
	}
	for tw.step = 1; tw.step <= steps && !tw.apart; tw.step++ {
		if tw.parts && tw.rnd.IntN(12) == 0 {
			tw.actPart()
		}
		if tw.rnd.IntN(3) == 0 {
			tw.beSly()
		}
		if tw.edits && tw.rnd.IntN(6) == 0 {
			tw.actEdit()
		}
		if tw.undos && tw.rnd.IntN(10) == 0 {
			tw.undo()
			if tw.apart {
				break
			}
		}
		if tw.wide && tw.rnd.IntN(2) == 0 {
			tw.beWide()
			tw.actWide(tw.somebody())
			continue
		}
		tw.act(tw.somebody())
	}
	for range 40 { // until it succeeds: then the places in the hand of the sly player differ
		if !tw.undos || tw.apart || tw.pass() {
			break
		}
		tw.act(tw.somebody())
	}
	return tw.shown
}

// target is a piece, by its name at each of the tables.
type target [2]id.Piece

func same(p id.Piece) target { return target{p, p} }

// state returns the state of a piece at one of the tables.
func (tw *twins) state(p target, i int) table.State { return tw.at[i].state(p[i]) }

// open returns a random piece of the wanted kinds that everybody sees.
func (tw *twins) open(want func(k *table.Kind) bool) (target, bool) {
	var all []target
	for name := range tw.at[0].viewers[0].pieces {
		number := tw.names[0][0].number(name)
		p := target{name, tw.names[1][0].name(number)}
		if s := tw.state(p, 0); want(&kinds[s.Kind]) {
			all = append(all, p)
		}
	}
	return tw.choose(all)
}

// choose returns one of several pieces, false if there is none. It sorts them by their names at the
// first table.
func (tw *twins) choose(all []target) (target, bool) {
	if len(all) == 0 {
		return target{}, false
	}
	slices.SortFunc(all, func(a, b target) int { return cmp.Compare(a[0], b[0]) })
	return all[tw.rnd.IntN(len(all))], true
}

// inHand returns what a seat has in hands of its own at both tables. The pieces of the sly player
// are paired by their places, which are the same at both tables, those of the others by the names
// that they know.
func (tw *twins) inHand(seat id.Seat) (all []target) {
	var at [2][]id.Piece
	for i, s := range tw.at {
		for oid, p := range s.truth.states {
			if secretly(p.Kind) && p.Owner == seat && p.In != 0 && !p.Gone {
				at[i] = append(at[i], s.names[oid])
			}
		}
		slices.SortFunc(at[i], func(a, b id.Piece) int {
			if tw.compared(seat) {
				return cmp.Compare(tw.names[i][seat].number(a), tw.names[i][seat].number(b))
			}
			p, q := s.state(a), s.state(b)
			return cmp.Or(
				cmp.Compare(tw.names[i][0].number(p.In), tw.names[i][0].number(q.In)),
				cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y),
				cmp.Compare(kinds[p.Kind].Mask, kinds[q.Kind].Mask),
				cmp.Compare(p.Holder, q.Holder),
				compareBool(p.Pinned, q.Pinned), compareBool(p.Locked, q.Locked), cmp.Compare(a, b),
			)
		})
	}
	if len(at[0]) != len(at[1]) {
		tw.fatalf("seat %d has %v and %v", seat, at[0], at[1])
	}
	for k := range at[0] {
		all = append(all, target{at[0][k], at[1][k]})
	}
	return all
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// alike reports whether a piece looks the same at both tables when it lies open as it lies now, or
// face down.
func (tw *twins) alike(p target, down bool) bool {
	a, b := tw.state(p, 0), tw.state(p, 1)
	if kinds[a.Kind].Secret && kinds[b.Kind].Secret {
		return kinds[a.Kind].Mask == kinds[b.Kind].Mask &&
			(down || a.Face == b.Face && (liesOnFront(&a) || a.Kind == b.Kind))
	}
	return a.Kind == b.Kind && a.Face == b.Face && a.Value == b.Value
}

// do makes a seat do something with a piece at both tables.
func (tw *twins) do(seat id.Seat, op table.Op, p target, with ...args) {
	tw.t.Helper()
	if tw.turnsUp(op, p, with) {
		return
	}
	tw.compare(seat, func(i int, c *tab) table.Update { return tw.update(i, c, op, p[i], with...) })
}

// turnsUp reports whether a zone would show everybody that the tables differ: it turns up what is
// put down there (T86).
func (tw *twins) turnsUp(op table.Op, p target, with []args) bool {
	var u table.Update
	for _, set := range with {
		set(&u)
	}
	if u.Has&table.HasXY == 0 || p[0] == 0 ||
		op != table.OpDraw && tw.state(p, 0).Kind == tw.state(p, 1).Kind {
		return false
	}
	const reach = 1700 // at any angle
	for _, z := range tw.at[0].truth.states {
		if z.Kind == kindRow && !z.Gone && max(u.X-z.X, z.X-u.X, u.Y-z.Y, z.Y-u.Y) <= reach {
			return true
		}
	}
	return false
}

// update makes an update tagged with the version that its piece has in the view.
func (tw *twins) update(i int, c *tab, op table.Op, p id.Piece, with ...args) table.Update {
	u := c.make(op, 0, with...)
	if u.Piece = p; p == 0 {
		return u
	}
	u.Has |= table.HasPiece
	if !blind(op) {
		u.Has |= table.HasTag
		u.Tag = tw.at[i].table.VersionAt(c.seat, tw.at[i].table.Gen())
		for _, shown := range tw.at[i].table.All(c.seat, c.id) {
			if shown.Name == p {
				u.Tag = shown.Version
			}
		}
	}
	return u
}

// act makes a seat do something that everybody may know.
func (tw *twins) act(seat id.Seat) {
	tw.t.Helper()
	switch n := tw.rnd.IntN(100); {
	case n < 30:
		tw.actInHand(seat)
	case n < 55:
		tw.actContainer(seat)
	case n < 63:
		tw.actHand(seat)
	case n < 68:
		tw.forge(seat)
	case n < 70:
		tw.do(seat, table.OpAdd, same(0),
			kind([]uint32{kindToken, kindChip, kindHand, kindDie}[tw.rnd.IntN(4)]), tw.somewhere())
	default:
		tw.actOpen(seat)
	}
}

// somewhere returns a place where hardly anything else lies: on the table, in a hand, or over a
// container, a zone or a supply.
func (tw *twins) somewhere() args {
	r := tw.rnd
	x, y := r.Int32N(12_000)-6000,
		[]int32{handOneY, handTwoY, 0, 3000, 0}[r.IntN(5)]+r.Int32N(900)-450
	if r.IntN(4) == 0 {
		x = []int32{worldDeckX, worldBoxX, worldBagX, screenX}[r.IntN(4)] + r.Int32N(300)
	}
	if r.IntN(6) == 0 { // over a zone
		x = zoneX + r.Int32N(800) - 400
		y = []int32{pileY, rowY, matY}[r.IntN(3)] + r.Int32N(600) - 300
	}
	if r.IntN(12) == 0 { // over the supply
		x, y = stockX+r.Int32N(600)-300, stockY+r.Int32N(600)-300
	}
	return at(x, y)
}

// actOpen does something with what lies open.
func (tw *twins) actOpen(seat id.Seat) {
	tw.t.Helper()
	p, ok := tw.open(func(k *table.Kind) bool { return !k.Hand })
	if !ok {
		return
	}
	s, r := tw.state(p, 0), tw.rnd
	k := &kinds[s.Kind]
	switch n := r.IntN(100); {
	case n < 15:
		tw.do(seat, table.OpGrab, p)
	case n < 40 && s.Holder == seat:
		tw.do(seat, table.OpRelease, p, tw.somewhere())
	case n < 43 && !k.Heavy:
		tw.do(seat, table.OpMove, p, tw.somewhere())
	case n < 45 && !k.Heavy:
		tw.do(seat, table.OpPivot, p, tw.somewhere(), turned(9000*r.Int32N(4)))
	case n < 50:
		tw.do(seat, []table.Op{table.OpRaise, table.OpLower}[r.IntN(2)], p)
	case n < 60 && k.Secret:
		to := r.Int32N(facesBehind(s.Kind))
		if to == 0 && s.Kind != tw.state(p, 1).Kind { // that would show a difference
			to = 1
		}
		tw.do(seat, table.OpFlip, p, face(to))
	case n < 65 && k.Secret:
		tw.do(seat, []table.Op{table.OpPeek, table.OpShow}[0], p)
	case n < 70 && k.Secret:
		tw.shuffle(seat)
	case n < 75:
		tw.do(seat, []table.Op{table.OpPin, table.OpUnpin, table.OpUnpin}[r.IntN(3)], p)
	case n < 80 && s.Kind == kindToken:
		tw.do(seat, table.OpCopy, p, tw.somewhere())
	case n < 83 && tw.at[0].table.Pieces() > 60:
		tw.do(seat, table.OpDelete, p)
	case k.Die.Rolls:
		tw.do(seat, table.OpRoll, p)
	case k.Hourglass.Duration != 0:
		tw.do(seat, table.OpTurn, p)
	case len(k.Button.Asks) > 0:
		tw.pressAsker(seat, p)
	case k.Button.Presses:
		tw.do(seat, table.OpRun, p)
	case k.Counter.Counts:
		tw.do(seat, table.OpCount, p, amount(r.Int32N(9)-4))
	case k.Currency != 0:
		tw.do(seat, table.OpSplit, p, amount(1+r.Int32N(9)), tw.somewhere())
	case k.Supply.Gives && r.IntN(2) == 0:
		tw.do(seat, table.OpSplit, p, amount(1), tw.somewhere(), hold())
	case k.Supply.Gives:
		tw.do(seat, table.OpSplit, p, amount(1), tw.somewhere())
	case k.Seat == table.SeatTurn:
		tw.do(seat, table.OpPass, p)
	case k.Secret:
		tw.do(seat, table.OpStow, p, tw.away()...)
	default:
		tw.do(seat, table.OpWrest, p)
	}
}

// pressAsker makes a seat press a button that asks, most often with answers that it permits. The
// piece that it names may be one that it does not see.
func (tw *twins) pressAsker(seat id.Seat, p target) {
	tw.t.Helper()
	pick, guess := tw.rnd.IntN(4), tw.rnd.Uint64()
	chosen, _ := tw.open(func(of *table.Kind) bool { return pick == 1 || of == &kinds[kindChip] })
	n, choice, who := 1+tw.rnd.Int32N(3), tw.rnd.Int32N(4), 1+tw.rnd.Int32N(3)
	tw.compare(seat, func(i int, c *tab) table.Update {
		of := chosen[i]
		if pick == 0 {
			of = tw.at[i].unseen(seat, guess)
		}
		return tw.update(i, c, table.OpRun, p[i],
			answers(n, choice, who, int32(of)))
	})
}

// facesOf returns how many faces a seat may turn up of a piece that it sees: those that the piece
// has at both tables.
func (tw *twins) facesOf(p target) int32 {
	return max(2, min(kinds[tw.state(p, 0).Kind].Faces, kinds[tw.state(p, 1).Kind].Faces))
}

// facesBehind returns the most faces of the cards that have the same mask as one of that kind; 2 of
// other pieces.
func facesBehind(kind uint32) (most int32) {
	for i := range kinds {
		if k := &kinds[i]; k.Secret && k.Mask == kinds[kind].Mask {
			most = max(most, k.Faces)
		}
	}
	return max(most, 2)
}

// away returns where a piece is stowed.
func (tw *twins) away() []args {
	if tw.rnd.IntN(2) == 0 {
		return []args{into(worldBag), from(1 - 2*tw.rnd.Int32N(2))}
	}
	return []args{into(worldDeck), from(tw.rnd.Int32N(3) - 1)}
}

// shuffle makes a seat shuffle some of the cards that lie open on the table.
func (tw *twins) shuffle(seat id.Seat) {
	tw.t.Helper()
	var cards []target
	for range 3 {
		p, ok := tw.open(func(k *table.Kind) bool { return k.Secret })
		if !ok || slices.Contains(cards, p) {
			return
		}
		cards = append(cards, p)
	}
	tw.compare(seat, func(i int, c *tab) table.Update {
		return tw.update(i, c, table.OpShuffle, 0, pieces(cards[0][i], cards[1][i], cards[2][i]))
	})
}

// actInHand does something with what lies in a hand of the seat: most often it takes it out.
func (tw *twins) actInHand(seat id.Seat) {
	tw.t.Helper()
	all, r := tw.inHand(seat), tw.rnd
	if len(all) == 0 {
		return
	}
	p := all[r.IntN(len(all))]
	s := tw.state(p, 0)
	switch n := r.IntN(100); {
	case n < 20:
		tw.do(seat, table.OpFlip, p, face(r.Int32N(tw.facesOf(p))))
	case n < 30:
		tw.do(seat, table.OpGrab, p)
	case n < 60 && tw.alike(p, false):
		if s.Holder == seat {
			tw.do(seat, table.OpRelease, p, tw.somewhere())
		} else {
			tw.do(seat, table.OpMove, p, tw.somewhere())
		}
	case n < 75 && kinds[s.Kind].Secret && tw.alike(p, true):
		tw.do(seat, table.OpStow, p, tw.away()...)
	case n < 85 && tw.state(p, 0).Kind == kindDie:
		tw.do(seat, table.OpRoll, p)
	case n < 90 && tw.state(p, 0).Kind == kindGlass:
		tw.do(seat, table.OpTurn, p)
	case n < 95 && kinds[s.Kind].Secret:
		tw.do(seat, table.OpShow, p, whom(tw.next(seat)))
	default:
		tw.do(seat, table.OpRaise, p)
	}
}

// actContainer draws, deals and shuffles. It draws nothing face up.
func (tw *twins) actContainer(seat id.Seat) {
	tw.t.Helper()
	r := tw.rnd
	c := same([]id.Piece{worldDeck, worldDeck, worldBag, worldBox}[r.IntN(4)])
	var with []args
	if r.IntN(2) == 0 {
		with = append(with, amount(1+r.Int32N(3)))
	}
	switch n := r.IntN(100); {
	case n < 40:
		// Several pieces at one place lie on top of each other in a random order when a hand leaves
		// them there.
		if len(with) == 0 {
			with = append(with, tw.somewhere())
		} else if len(tw.inHand(seat)) == 0 || c[0] == worldBag {
			return
		}
		if r.IntN(4) == 0 {
			with = append(with, hold())
		}
		if r.IntN(4) == 0 && c[0] != worldBag { // backs, and further fronts that some cards have
			with = append(with, face(1+r.Int32N(5)))
		}
		if r.IntN(4) == 0 && c[0] != worldBag {
			with = append(with, from([]int32{1, -1, 2}[r.IntN(3)]))
		}
		tw.do(seat, table.OpDraw, c, with...)
	case n < 60:
		tw.do(seat, table.OpDeal, c, with...)
	case n < 68:
		tw.do(seat, table.OpRecall, c)
	case n < 78 && c[0] != worldBag: // not the bag: what comes out shows its order
		tw.do(seat, table.OpCut, c, with...)
	case n < 90:
		tw.do(seat, table.OpShuffle, c)
	default:
		tw.do(seat, table.OpPeek, c, with...)
	}
}

// actHand does something with a hand.
func (tw *twins) actHand(seat id.Seat) {
	tw.t.Helper()
	p, ok := tw.open(func(k *table.Kind) bool { return k.Hand })
	if !ok {
		return
	}
	other := whom(tw.somebody())
	switch s := tw.state(p, 0); {
	case s.Owner == 0:
		tw.do(seat, table.OpClaim, p)
	case tw.former[s.Owner]:
	case s.Owner == tw.sly: // a new owner, or a seat that looks into it, may know
		for _, q := range tw.inHand(tw.sly) {
			if !tw.alike(q, true) {
				return
			}
		}
		if tw.rnd.IntN(3) == 0 {
			tw.do(seat, table.OpLeave, p)
		} else {
			tw.do(seat, table.OpMove, p, at(tw.rnd.Int32N(9000)-4500, s.Y+tw.rnd.Int32N(300)-150))
		}
	default:
		switch tw.rnd.IntN(7) {
		case 0:
			tw.do(seat, table.OpLeave, p)
		case 1:
			tw.do(seat, table.OpGive, p, other)
		case 2:
			tw.do(seat, table.OpShare, p, other)
		case 3:
			tw.do(seat, table.OpUnshare, p, other)
		case 4:
			tw.do(seat, table.OpRotate, p, turned(9000*tw.rnd.Int32N(4)))
		case 5:
			tw.do(seat, table.OpPivot, p, at(tw.rnd.Int32N(9000)-4500, s.Y+tw.rnd.Int32N(300)-150),
				turned(9000*tw.rnd.Int32N(4)))
		default:
			tw.do(seat, table.OpMove, p, at(tw.rnd.Int32N(9000)-4500, s.Y+tw.rnd.Int32N(300)-150))
		}
	}
}

// forge makes a seat name what it does not see: a piece in the hand of another or in a container,
// or a former name.
func (tw *twins) forge(seat id.Seat) {
	tw.t.Helper()
	ops := []table.Op{
		table.OpGrab, table.OpPeek, table.OpRoll, table.OpDraw, table.OpRaise, table.OpPin,
		table.OpWrest, table.OpClaim, table.OpPause, table.OpTurn,
	}
	op := ops[tw.rnd.IntN(len(ops))]
	pick := tw.rnd.Uint64()
	tw.compare(seat, func(i int, c *tab) table.Update {
		return tw.update(i, c, op, tw.at[i].unseen(seat, pick))
	})
}

// unseen returns one of the names of pieces that a seat does not see.
func (s *server) unseen(seat id.Seat, pick uint64) id.Piece {
	var unseen []id.Piece
	for name, oid := range s.bearers {
		if p := s.truth.states[oid]; name >= table.MinRandomName &&
			(s.names[oid] != name || !maySee(&p, seat)) && s.hidden(name, seat) {
			unseen = append(unseen, name)
		}
	}
	slices.Sort(unseen)
	if len(unseen) == 0 {
		return table.MaxRandomName
	}
	return unseen[pick%uint64(len(unseen))]
}

// hidden reports whether a name means nothing to a seat.
func (s *server) hidden(name id.Piece, seat id.Seat) bool {
	_, found := s.table.Find(name, seat)
	return !found
}

// beSly makes the sly player do something in their own hand at the second table. Only the partner
// may notice it.
func (tw *twins) beSly() {
	tw.t.Helper()
	s, r := tw.at[1], tw.rnd
	var cards []id.Piece
	for _, p := range tw.inHand(tw.sly) {
		if is := tw.state(p, 1); kinds[is.Kind].Secret && is.Holder == 0 && !is.Pinned &&
			!is.Locked {
			cards = append(cards, p[1])
		}
	}
	switch n := r.IntN(100); {
	case n < 50 && len(cards) > 1:
		i, k := r.IntN(len(cards)), r.IntN(len(cards)-1)
		if k >= i {
			k++
		}
		one, two := s.state(cards[i]), s.state(cards[k])
		if kinds[one.Kind].Mask != kinds[two.Kind].Mask || one.In != two.In {
			return
		}
		tw.quietly(table.OpMove, cards[i], at(two.X, two.Y))
		tw.quietly(table.OpMove, cards[k], at(one.X, one.Y))
		tw.quietly(table.OpRotate, cards[i], turned(two.Angle))
		tw.quietly(table.OpRotate, cards[k], turned(one.Angle))
	case n < 80 && len(cards) > 0:
		p := cards[r.IntN(len(cards))]
		tw.quietly(table.OpFlip, p, face(r.Int32N(kinds[s.state(p).Kind].Faces)))
		tw.quietly([]table.Op{table.OpRaise, table.OpLower}[r.IntN(2)], p)
	case n < 97:
		tw.quietly(table.OpAssign, worldToken, whom(1)) // rejected: it belongs to nobody
		tw.quietly(table.OpCut, worldToken)             // rejected: not a container
	default:
		for _, s := range tw.at {
			s.keep()
			s.restart()
		}
	}
}

// quietly does something at the second table that nobody else may notice.
func (tw *twins) quietly(op table.Op, p id.Piece, with ...args) {
	tw.t.Helper()
	told, _ := tw.apply(1, tw.aside, tw.update(1, tw.aside, op, p, with...), seeded(1))
	tw.silent(op, told)
}

// silent checks that no compared view receives anything.
func (tw *twins) silent(op table.Op, told map[id.Seat][]string) {
	tw.t.Helper()
	for seat, all := range told {
		if tw.compared(seat) && len(all) != 0 {
			tw.fatalf("T21, T23: of a %s in the hand of seat %d seat %d gets %q",
				op, tw.sly, seat, all)
		}
	}
}

package table_test

import (
	"math/rand/v2"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// Wide twins do more than others: with dice, chips and containers in hands, and with cards that are
// stowed at another place in each of the two games.

// actWide makes a seat do something that everybody may know.
func (tw *twins) actWide(seat id.Seat) {
	tw.t.Helper()
	switch n := tw.rnd.IntN(10); {
	case n < 2:
		tw.moveContainer(seat)
	case n < 4:
		tw.stowAnywhere(seat)
	case n < 8:
		tw.actOwn(seat)
	default:
		tw.actAnyHand(seat)
	}
}

// moveContainer carries a container to another place, perhaps into a hand.
func (tw *twins) moveContainer(seat id.Seat) {
	tw.t.Helper()
	c := []id.Piece{worldDeck, worldBag, worldBox}[tw.rnd.IntN(3)]
	s := tw.state(same(c), 0)
	if s.Holder == 0 && tw.rnd.IntN(3) == 0 {
		tw.do(seat, table.OpGrab, same(c))
		return
	}
	op := table.OpMove
	if s.Holder == seat {
		op = table.OpRelease
	}
	tw.do(seat, op, same(c), tw.somewhere())
}

// stowAnywhere stows a card of the sly player, at another place in each game.
func (tw *twins) stowAnywhere(seat id.Seat) {
	tw.t.Helper()
	all := tw.inHand(seat)
	if len(all) == 0 {
		return
	}
	p := all[tw.rnd.IntN(len(all))]
	if !kinds[tw.state(p, 0).Kind].Secret || !tw.alike(p, true) {
		return
	}
	places := [2]int32{tw.rnd.Int32N(3) - 1, tw.rnd.Int32N(3) - 1}
	if tw.compared(seat) {
		places[1] = places[0]
	}
	tw.compare(seat, func(i int, c *tab) table.Update {
		return tw.update(i, c, table.OpStow, p[i], into(worldDeck), from(places[i]))
	})
}

// actOwn does something with what lies in a hand of the seat. Others receive at most how many are
// left.
func (tw *twins) actOwn(seat id.Seat) {
	tw.t.Helper()
	all, r := tw.inHand(seat), tw.rnd
	if len(all) == 0 {
		return
	}
	p := all[r.IntN(len(all))]
	s := tw.state(p, 0)
	like := tw.alike(p, false)
	switch n := r.IntN(100); {
	case n < 15:
		tw.do(seat, []table.Op{table.OpPin, table.OpUnpin, table.OpUnpin}[r.IntN(3)], p)
	// A level means another place in the order of the hand of the sly player at each table, and the
	// uppermost heap takes in others.
	case n < 25 && (seat != tw.sly || kinds[s.Kind].Currency == 0):
		tw.do(seat, table.OpSetZ, p, z(zlevel.Level([]string{"0.1", "0.77", "0.5"}[r.IntN(3)])))
	case n < 40 && s.Holder == seat && like:
		tw.do(seat, table.OpRelease, p, at(s.X, s.Y))
	case n < 55 && kinds[s.Kind].Currency != 0 && like:
		with := []args{amount(1 + r.Int32N(9)), at(s.X+r.Int32N(300)-150, s.Y)}
		if r.IntN(3) == 0 {
			with = append(with, hold())
		}
		tw.do(seat, table.OpSplit, p, with...)
	case n < 65 && like && tw.at[0].table.Pieces() < 70:
		tw.do(seat, table.OpCopy, p, tw.somewhere())
	case n < 75 && tw.at[0].table.Pieces() > 50 && tw.alike(p, true):
		tw.do(seat, table.OpDelete, p)
	case n < 85 && tw.state(p, 0).Kind == kindDie:
		tw.do(seat, table.OpRoll, p)
	case n < 95:
		tw.do(seat, table.OpLower, p)
	default:
		tw.do(seat, table.OpWrest, p)
	}
}

// actAnyHand does something with a hand that does not belong to the sly player.
func (tw *twins) actAnyHand(seat id.Seat) {
	tw.t.Helper()
	p, ok := tw.open(func(k *table.Kind) bool { return k.Hand })
	if !ok || tw.state(p, 0).Owner == tw.sly || tw.former[tw.state(p, 0).Owner] {
		return
	}
	switch r := tw.rnd; r.IntN(5) {
	case 0:
		tw.do(seat, table.OpRaise, p)
	case 1:
		tw.do(seat, table.OpCopy, p, tw.somewhere())
	case 2:
		tw.do(seat, table.OpGrab, p)
	case 3:
		tw.do(seat, table.OpRelease, p, tw.somewhere())
	default:
		if tw.at[0].table.Pieces() > 60 {
			tw.do(seat, table.OpDelete, p)
		}
	}
}

// beWide makes the sly player do something with a piece in their own hand at the second table. Only
// the partner may notice it. What others may see of the piece later is as before.
func (tw *twins) beWide() {
	tw.t.Helper()
	var free []id.Piece
	for _, p := range tw.inHand(tw.sly) {
		if is := tw.state(p, 1); is.Holder == 0 && !is.Pinned && !is.Locked {
			free = append(free, p[1])
		}
	}
	if len(free) == 0 {
		return
	}
	r := tw.rnd
	p := free[r.IntN(len(free))]
	s := tw.at[1].state(p)
	switch n := r.IntN(100); {
	case n < 20 && s.Kind == kindDie:
		tw.quietly(table.OpRoll, p)
	case n < 30 && s.Kind == kindDie:
		tw.quietly(table.OpFlip, p, face(r.Int32N(6)))
	// Not heaps: the uppermost heap takes in others.
	case n < 45 && kinds[s.Kind].Currency == 0:
		tw.quietly([]table.Op{table.OpRaise, table.OpLower}[r.IntN(2)], p)
		tw.quietly(table.OpSetZ, p, z(zlevel.Level([]string{"0.2", "0.6001", "0.93"}[r.IntN(3)])))
	case n < 60 && kinds[s.Kind].Currency == 0:
		tw.quietly(table.OpPin, p)
		tw.quietly(table.OpUnpin, p)
	case n < 70 && kinds[s.Kind].Currency == 0:
		tw.quietly(table.OpGrab, p)
		tw.quietly(table.OpRelease, tw.at[1].called(p), at(s.X, s.Y))
	// A screen does not show how many lie behind it.
	case n < 85 && s.In == worldHandThree && s.Kind == kindDie && tw.alone(worldHandThree):
		tw.deleted = true
		tw.comeAndGo(table.OpCopy, p, at(s.X, s.Y))
	case n < 85 && s.In == worldHandThree && kinds[s.Kind].Currency != 0 && s.Value > 1:
		tw.splitAndMerge(p)
	default:
		tw.shuffleOwn(free)
	}
}

// alone reports whether no other hand lies near a hand, so that what is made in it stays there.
func (tw *twins) alone(hand id.Piece) bool {
	is := tw.at[1].state(hand)
	for _, p := range tw.at[1].truth.states {
		near := max(p.X-is.X, is.X-p.X) < 6000 && max(p.Y-is.Y, is.Y-p.Y) < 6000
		if kinds[p.Kind].Hand && !p.Gone && near && p != is {
			return false
		}
	}
	return true
}

// comeAndGo makes a piece from another, and removes it again.
func (tw *twins) comeAndGo(op table.Op, p id.Piece, with ...args) {
	tw.t.Helper()
	s := tw.at[1]
	before := len(s.log)
	tw.quietly(op, p, with...)
	for i := before; i < len(s.log); i++ {
		if e := s.log[i]; e.Made {
			tw.quietly(table.OpDelete, e.Name)
			return
		}
	}
}

// splitAndMerge takes one off a heap, and puts it back. It does so only if there is no other heap.
func (tw *twins) splitAndMerge(p id.Piece) {
	tw.t.Helper()
	s := tw.at[1]
	for _, q := range s.states(s.state(p).In) {
		if kinds[q.Kind].Currency != 0 && q != s.state(p) {
			return
		}
	}
	is := s.state(p)
	before := len(s.log)
	tw.quietly(table.OpSplit, p, amount(1), at(is.X, is.Y), hold())
	for i := before; i < len(s.log); i++ {
		if e := s.log[i]; e.Made {
			tw.quietly(table.OpRelease, e.Name, at(is.X, is.Y))
			return
		}
	}
}

// shuffleOwn shuffles cards in the own hand that look alike.
func (tw *twins) shuffleOwn(free []id.Piece) {
	tw.t.Helper()
	var cards []id.Piece
	for _, p := range free {
		if s := tw.at[1].state(p); kinds[s.Kind].Secret && kinds[s.Kind].Mask == kindBack {
			cards = append(cards, p)
		}
	}
	if len(cards) < table.MinShuffle {
		return
	}
	told, _ := tw.apply(1, tw.aside, tw.update(1, tw.aside, table.OpShuffle, 0, pieces(cards...)),
		rand.New(rand.NewPCG(tw.rnd.Uint64(), 1)))
	tw.silent(table.OpShuffle, told)
}

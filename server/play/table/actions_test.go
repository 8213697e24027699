package table_test

import (
	"slices"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
)

// somewhere returns a place: near a piece, or on a grid. Some places of the grid are in hands, and
// some are off the table.
func (c *tab) somewhere(names []id.Piece) args {
	r := c.server.rnd
	if r.IntN(2) == 0 {
		if near := c.displayed(names[r.IntN(len(names))]); !near.Gone {
			return at(near.X+int32(r.IntN(3)-1)*100, near.Y)
		}
	}
	return at(int32(r.IntN(9)-4)*1500,
		[]int32{-8200, -7800, 0, 100, 8100, 7700, 10_100, -3000}[r.IntN(8)])
}

// any returns the name of a piece of a certain kind that the tab shows, 0 if there is none.
func (c *tab) any(names []id.Piece, is func(k *table.Kind) bool) id.Piece {
	var all []id.Piece
	for _, p := range names {
		if is(&kinds[c.pieces[p].is.Kind]) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return all[c.server.rnd.IntN(len(all))]
}

// actKind does something that the kind of a piece offers, most often what makes sense. It reports
// false if the kind offers nothing.
func (c *tab) actKind(p id.Piece, shown *table.Shown, few bool) bool {
	k := &kinds[shown.Kind]
	switch {
	case k.Clock.Sides != 0:
		c.actClock(p, shown)
	case k.Hand:
		c.actHand(p, shown)
	case k.Container.Holds:
		c.actContainer(p)
	case k.Counter.Counts:
		c.act(table.OpCount, p, amount(c.server.rnd.Int32N(41)-20))
	case k.Die.Rolls:
		c.server.now += id.Millis(c.server.rnd.IntN(int(cooldown)))
		c.act(table.OpRoll, p)
	case k.Button.Presses:
		c.server.now += id.Millis(c.server.rnd.IntN(int(cooldown)))
		c.act(table.OpRun, p, c.answersTo(k)...)
	case k.Hourglass.Duration != 0:
		c.server.now += id.Millis(c.server.rnd.Int32N(glassRuns))
		c.act(table.OpTurn, p)
	case k.Currency != 0 && few:
		c.actSplit(p, shown)
	case k.Text:
		c.act(table.OpWrite, p,
			text([]string{"", "first\nsecond", "score: 12", "née Ωmega"}[c.server.rnd.IntN(4)]))
	case k.Seat == table.SeatTurn && c.server.rnd.IntN(2) == 0:
		c.act(table.OpPass, p)
	case k.Seat != table.SeatNone:
		c.act(table.OpAssign, p, whom(id.Seat(c.server.rnd.IntN(5))))
	default:
		return c.actCard(p)
	}
	return true
}

// answersTo answers the questions of a button, most often as they permit.
func (c *tab) answersTo(k *table.Kind) []args {
	r := c.server.rnd
	if len(k.Button.Asks) == 0 {
		return nil
	}
	var all []int32
	for _, q := range k.Button.Asks {
		switch q.For {
		case table.AnswerSeat:
			all = append(all, 1+r.Int32N(3))
		case table.AnswerPiece:
			p := c.any(c.sorted(), func(k *table.Kind) bool { return r.IntN(8) == 0 || k == &kinds[q.Kind] })
			all = append(all, int32(p))
		default:
			all = append(all, q.Low+r.Int32N(q.High-q.Low+1))
		}
	}
	if r.IntN(8) == 0 {
		all[r.IntN(len(all))] = r.Int32N(70) - 5
	}
	if r.IntN(20) == 0 {
		all = all[1:]
	}
	return []args{answers(all...)}
}

// actHand changes the owner or the place of a hand.
func (c *tab) actHand(p id.Piece, shown *table.Shown) {
	r := c.server.rnd
	other := whom(id.Seat(1 + r.IntN(4)))
	switch n := r.IntN(100); {
	case n < 30 && shown.Owner == 0:
		c.act(table.OpClaim, p)
	case n < 35:
		c.act(table.OpClaim, p)
	case n < 45:
		c.act(table.OpLeave, p)
	case n < 55:
		c.act(table.OpGive, p, other)
	case n < 70:
		c.act(table.OpShare, p, other)
	case n < 80:
		c.act(table.OpUnshare, p, other)
	case n < 90:
		c.act(table.OpRotate, p, turned(int32(r.IntN(8))*4500))
	case n < 93:
		c.act(table.OpPivot, p, at(r.Int32N(12_000)-6000, r.Int32N(20_000)-10_000),
			turned(int32(r.IntN(8))*4500))
	default:
		c.act(table.OpMove, p, at(r.Int32N(12_000)-6000, r.Int32N(20_000)-10_000))
	}
}

// actContainer draws, deals and shuffles.
func (c *tab) actContainer(p id.Piece) {
	r := c.server.rnd
	var with []args
	if r.IntN(3) == 0 {
		with = append(with, amount(1+r.Int32N(4)))
	}
	switch n := r.IntN(100); {
	case n < 55:
		c.actDraw(p, with)
	case n < 65:
		if r.IntN(3) == 0 {
			if h := c.any(c.sorted(), func(k *table.Kind) bool { return k.Hand }); h != 0 {
				with = append(with, pieces(h))
			}
		}
		c.act(table.OpDeal, p, with...)
	case n < 75:
		c.act(table.OpRecall, p)
	case n < 82:
		c.act(table.OpCut, p, with...)
	case n < 92:
		c.act(table.OpShuffle, p)
	default:
		c.act(table.OpPeek, p, with...)
	}
}

func (c *tab) actDraw(p id.Piece, with []args) {
	r := c.server.rnd
	if r.IntN(2) == 0 {
		with = append(with, at(r.Int32N(16_000)-8000, []int32{-8000, 0, 0, 2000, 8000}[r.IntN(5)]))
	}
	if r.IntN(5) == 0 {
		with = append(with, from([]int32{1, -1, 2, -2, 5}[r.IntN(5)]))
	}
	if r.IntN(8) == 0 {
		with = append(with, kind(kindAce+uint32(r.IntN(4))))
	}
	if r.IntN(5) == 0 {
		with = append(with, face(r.Int32N(2)))
	}
	if r.IntN(3) == 0 {
		with = append(with, hold())
	}
	if r.IntN(5) == 0 {
		with = append(with, z(c.randomZ()))
	}
	c.act(table.OpDraw, p, with...)
}

// actSplit takes something off a heap.
func (c *tab) actSplit(p id.Piece, shown *table.Shown) {
	r := c.server.rnd
	with := []args{amount(1 + r.Int32N(shown.Value)), at(shown.X+r.Int32N(3)*300, shown.Y)}
	if r.IntN(3) == 0 {
		with = append(with, hold())
	}
	if r.IntN(5) == 0 {
		with = append(with, z(c.randomZ()))
	}
	c.act(table.OpSplit, p, with...)
}

// actCard does what people do only with cards, or with what goes into a container.
func (c *tab) actCard(p id.Piece) bool {
	r := c.server.rnd
	switch n := r.IntN(100); {
	case n < 20:
		c.act(table.OpPeek, p)
	case n < 40:
		c.act(table.OpShow, p, whom(id.Seat(1+r.IntN(4))))
	case n < 70:
		names := c.sorted()
		to := c.any(names, func(k *table.Kind) bool { return k.Container.Holds })
		if r.IntN(10) == 0 {
			to = names[r.IntN(len(names))]
		}
		if to == 0 {
			return false
		}
		with := []args{into(to)}
		if r.IntN(2) == 0 {
			with = append(with, from(r.Int32N(3)-1))
		}
		c.act(table.OpStow, p, with...)
	default:
		return false
	}
	return true
}

// actShuffle shuffles a few of the cards that the tab shows.
func (c *tab) actShuffle(names []id.Piece) {
	r := c.server.rnd
	var cards []id.Piece
	for _, p := range names {
		if k := c.pieces[p].is.Kind; k >= kindBack && k <= kindJack {
			cards = append(cards, p)
		}
	}
	r.Shuffle(len(cards), func(i, k int) { cards[i], cards[k] = cards[k], cards[i] })
	if len(cards) > 1 {
		c.act(table.OpShuffle, 0, pieces(cards[:min(len(cards), 2+r.IntN(3))]...))
	}
}

// sorted returns the names of all pieces that a tab shows.
func (c *tab) sorted() []id.Piece {
	names := make([]id.Piece, 0, len(c.pieces))
	for p := range c.pieces {
		names = append(names, p)
	}
	slices.Sort(names)
	return names
}

// actClock does something to a clock, most often what makes sense.
func (c *tab) actClock(p id.Piece, shown *table.Shown) {
	r := c.server.rnd
	// Players think. The machine's clock may be set back.
	c.server.now += id.Millis(r.IntN(40_000) - 5_000)
	sides := kinds[shown.Kind].Clock.Sides
	one := uint8(1 + r.IntN(int(sides)))
	switch n := r.IntN(100); {
	case n < 40 && sides == 2:
		pressed := one
		if shown.Clock.Running != 0 && r.IntN(4) > 0 {
			pressed = shown.Clock.Running
		}
		c.act(table.OpPress, p, side(pressed))
	case n < 60:
		c.act(table.OpStart, p, side(one))
	case n < 70:
		c.act(table.OpPause, p)
	case n < 80:
		c.act(table.OpReset, p)
	case n < 90 && sides == 2:
		c.act(table.OpSet, p, ms(int32(r.IntN(60_000))), increment(int32(r.IntN(3))*1000))
	default:
		c.act(table.OpSet, p, ms(int32(r.IntN(2))*(curve.MaxValue-int32(r.IntN(60_000)))))
	}
}

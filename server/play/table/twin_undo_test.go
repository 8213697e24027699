package table_test

import (
	"cmp"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
)

// undo makes a player undo their last gesture at both tables, as a room does: it compares the
// answer, what a question would tell each view, and what the undo sends. The sly player and the
// partner do not undo: what they did last may differ.
func (tw *twins) undo() {
	tw.t.Helper()
	var seats []id.Seat
	for _, seat := range tw.chairs {
		if tw.compared(seat) {
			seats = append(seats, seat)
		}
	}
	seat := seats[tw.rnd.IntN(len(seats))]
	// A hand that was given to the sly player shows how it is when it comes back.
	if u, _ := tw.at[0].table.Undoable(seat); u == nil || u.Op != table.OpGive {
		tw.undoBy(seat)
	}
}

// undoBy is undo for a seat. What only the sly player receives is not compared.
func (tw *twins) undoBy(seat id.Seat) {
	tw.t.Helper()
	lots := tw.rnd.Uint64()
	var answers [2]string
	var told [2]map[id.Seat][]string
	for i, s := range tw.at {
		u, no := s.table.Undoable(seat)
		told[i] = map[id.Seat][]string{}
		if no != nil {
			answers[i] = fmt.Sprintf("obstacle %d", no.Why)
			if tw.compared(seat) {
				answers[i] += fmt.Sprintf(", piece %d", tw.names[i][seat].numberOf(no.Piece))
			}
			continue
		}
		answers[i] = fmt.Sprintf("%s, at once %v, inner %v", u.Op, u.AtOnce, u.Inner)
		for view, n := range tw.names[i] {
			var asked []id.Piece
			for _, p := range u.Pieces {
				if name, sees := s.table.Find(p, view); sees {
					asked = append(asked, n.number(name))
				}
			}
			slices.Sort(asked)
			told[i][view] = append(told[i][view], fmt.Sprintf("about %v", asked),
				fmt.Sprintf("ghosts %v", ghostsFor(s.table.Ghosts(u, view), n)))
		}
		s.step, s.now, s.rnd = tw.step, 1_000_000+id.Millis(tw.step)*400, seeded(lots+uint64(i))
		before := len(s.log)
		s.remakes = table.Remakes(s.table, u)
		takeBack(s.table, u, s.now, s.mint, s.rnd)
		s.publish(nil)
		s.remakes = false
		for view := range tw.names[i] {
			told[i][view] = append(told[i][view], tw.told(i, view, s.log[before:])...)
		}
		tw.undone++
	}
	if answers[0] != answers[1] {
		tw.fatalf("T63: an undo of seat %d gets at one table %q, at the other %q",
			seat, answers[0], answers[1])
	}
	tw.compareTold(fmt.Sprintf("an undo by seat %d: %s", seat, answers[0]), told)
	tw.apart = tw.apart || tw.differs()
}

// differs reports whether hands are after an undo as those of twins must not be:
//
//   - If an undo takes a card out of the hand of the sly player, the places of the others can
//     differ: what the player has swapped there. Whoever moves such a hand away may see that (T23).
//   - If it brings a card back to where another one lies by now, the order of the two is random
//     when the hand leaves them there.
func (tw *twins) differs() bool {
	type place struct {
		in   id.Piece
		x, y int32
	}
	var at [2][]string
	for i, s := range tw.at {
		taken := map[place]bool{}
		for _, p := range s.truth.states {
			if p.In == 0 || p.Gone || p.Owner == 0 {
				continue
			}
			here := place{p.In, p.X, p.Y}
			if taken[here] {
				return true
			}
			taken[here] = true
			if p.Owner == tw.sly {
				at[i] = append(at[i], fmt.Sprint(tw.names[i][0].number(p.In), p.X, p.Y, p.Angle,
					kinds[p.Kind].Mask, p.Pinned))
			}
		}
		slices.Sort(at[i])
	}
	return !slices.Equal(at[0], at[1])
}

// pass makes the sly player bring a card into their hand and play one from there while they hold
// something else, all in one gesture, and then undo that. At the first table it is the same card,
// at the second one it is another one. It reports whether that was possible.
func (tw *twins) pass() bool {
	tw.t.Helper()
	held, ok := tw.open(func(k *table.Kind) bool {
		return !k.Secret && !k.Heavy && k.Currency == 0
	})
	card, some := tw.open(func(k *table.Kind) bool { return k.Secret })
	hand, owned := tw.open(func(k *table.Kind) bool { return k.Hand })
	for range 10 {
		if owned && tw.state(hand, 0).Owner == tw.sly {
			break
		}
		hand, owned = tw.open(func(k *table.Kind) bool { return k.Hand })
	}
	if !ok || !some || !owned || tw.state(hand, 0).Owner != tw.sly ||
		tw.state(held, 0).Holder != 0 || tw.state(card, 0).Holder != 0 {
		return false
	}
	tw.letGo()
	for _, s := range tw.at[0].truth.states {
		if s.Holder == tw.sly && !s.Gone {
			return false
		}
	}
	tw.do(tw.sly, table.OpGrab, held)
	if tw.state(held, 0).Holder != tw.sly {
		return false
	}
	h := tw.state(hand, 0)
	var oids [2]id.OID
	for i, s := range tw.at {
		oids[i] = s.bearers[card[i]]
	}
	tw.do(tw.sly, table.OpMove, card, at(h.X+tw.rnd.Int32N(900)-450, h.Y))
	came := target{tw.at[0].names[oids[0]], tw.at[1].names[oids[1]]}
	played := came
	is := tw.state(came, 1)
	for _, q := range tw.inHand(tw.sly) {
		if s := tw.state(q, 1); q[1] != came[1] && is.Owner == tw.sly && s.In == is.In &&
			kinds[s.Kind].Secret && kinds[s.Kind].Mask == kinds[is.Kind].Mask &&
			s.Angle == is.Angle && s.Holder == 0 && !s.Pinned && !s.Locked {
			played[1] = q[1]
		}
	}
	if played != came {
		tw.passed++
		tw.do(tw.sly, table.OpFlip, played, face(1))
		tw.do(tw.sly, table.OpMove, played, tw.somewhere())
	}
	tw.do(tw.sly, table.OpRelease, held)
	if played == came {
		return false
	}
	tw.undoBy(tw.sly)
	return true
}

// letGo makes the sly player release what they hold: it would belong to an older gesture.
func (tw *twins) letGo() {
	tw.t.Helper()
	all := tw.inHand(tw.sly)
	for name := range tw.at[0].viewers[0].pieces {
		all = append(all, target{name, tw.names[1][0].name(tw.names[0][0].number(name))})
	}
	slices.SortFunc(all, func(a, b target) int { return cmp.Compare(a[0], b[0]) })
	for _, p := range all {
		if tw.state(p, 0).Holder == tw.sly && tw.state(p, 1).Holder == tw.sly &&
			tw.alike(p, false) {
			tw.do(tw.sly, table.OpRelease, p)
		}
	}
	tw.step++ // what is done at the same time may belong to one gesture
}

// ghostsFor returns ghosts with numbers in place of names, which are random.
func ghostsFor(ghosts []table.Ghost, n *naming) []string {
	var all []string
	for _, g := range ghosts {
		piece, into := n.numberOf(g.Piece), n.numberOf(g.Into)
		g.Piece, g.Into = 0, 0
		all = append(all, fmt.Sprintf("%d into %d: %+v", piece, into, g))
	}
	slices.Sort(all)
	return all
}

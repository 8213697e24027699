package table_test

import (
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
		s.remakes = table.Remakes(u)
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
}

// pass makes the sly player bring a card into their hand and play one from there while they hold
// something else, all in one gesture, and then undo that. At the first table it is the same card,
// at the second one it may be another one.
func (tw *twins) pass() {
	tw.t.Helper()
	held, ok := tw.open(func(k *table.Kind) bool {
		return !k.Secret && !k.Heavy && !k.Hand && !k.Container.Holds && k.Currency == 0
	})
	card, some := tw.open(func(k *table.Kind) bool { return k.Secret })
	hand, owned := tw.open(func(k *table.Kind) bool { return k.Hand })
	if !ok || !some || !owned || tw.state(hand, 0).Owner != tw.sly ||
		tw.state(held, 0).Holder != 0 || tw.state(card, 0).Holder != 0 {
		return
	}
	for _, s := range tw.at[0].truth.states {
		if s.Holder == tw.sly && !s.Gone {
			return // that would belong to an older gesture
		}
	}
	tw.do(tw.sly, table.OpGrab, held)
	if tw.state(held, 0).Holder != tw.sly {
		return
	}
	h := tw.state(hand, 0)
	var oids [2]id.OID
	for i, s := range tw.at {
		oids[i] = s.bearers[card[i]]
	}
	tw.do(tw.sly, table.OpMove, card, at(h.X+tw.rnd.Int32N(900)-450, h.Y))
	came := tw.at[0].truth.states[oids[0]].Owner == tw.sly
	if came {
		play := target{tw.at[0].names[oids[0]], tw.at[1].names[oids[1]]}
		other := play[1]
		for _, q := range tw.inHand(tw.sly) {
			a, b := tw.state(target{play[0], q[1]}, 0), tw.state(target{play[0], q[1]}, 1)
			if q[1] != other && kinds[b.Kind].Secret && kinds[a.Kind].Mask == kinds[b.Kind].Mask &&
				b.Holder == 0 && !b.Pinned && !b.Locked &&
				b.In == tw.state(target{play[0], other}, 1).In {
				play[1] = q[1]
			}
		}
		before := tw.at[1].state(play[1])
		tw.do(tw.sly, table.OpFlip, play, face(1))
		tw.do(tw.sly, table.OpMove, play, tw.somewhere())
		now := tw.at[1].state(play[1])
		if play[1] != other && (now.In != before.In || now.X != before.X || now.Y != before.Y) {
			if now.In != before.In {
				tw.passed++
			}
			tw.quietly(table.OpMove, other, at(before.X, before.Y))
			tw.quietly(table.OpRotate, other, turned(before.Angle))
		}
	}
	tw.do(tw.sly, table.OpRelease, held)
	if came && tw.rnd.IntN(4) > 0 {
		tw.undoBy(tw.sly)
	}
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

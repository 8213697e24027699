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
	lots := tw.rnd.Uint64()
	var answers [2]string
	var told [2]map[id.Seat][]string
	for i, s := range tw.at {
		u, no := s.table.Undoable(seat)
		told[i] = map[id.Seat][]string{}
		if no != nil {
			answers[i] = fmt.Sprintf("%d because of %d", no.Why, tw.names[i][seat].numberOf(no.Piece))
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

package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT71Twins shows that a full state after a rewind says nothing of what is hidden: two games
// that differ only in that get the same, but for names and the order of versions.
// Clauses: T70.5, T71.2, T71.17
func TestT71Twins(t *testing.T) {
	first, games, rewound := firstSeed("games"), max(*gamesFlag, budget(t)/20_000, 2), 0
	if *seedFlag != 0 {
		first, games = *seedFlag, 1
	}
	t.Logf("%d games, seeds from %d", games, first)
	for i := range uint64(games) {
		tw := newTwins(t, first+i).widened()
		if (first+i)%2 == 1 {
			tw.editing()
		}
		var saved [2]table.Image
		hasSaved := false
		var not [2]id.Seat // who was not compared: they had other cards at each table
		for range 12 {
			tw.play(stepsOfTwins / 12)
			if hasSaved && not == [2]id.Seat{tw.sly, tw.partner} && tw.rnd.IntN(2) == 0 &&
				tw.rewind(&saved) {
				rewound++
				break // the decks are shuffled now, each at its table
			}
			one, ok := tw.at[0].table.Position()
			two, ok2 := tw.at[1].table.Position()
			if ok != ok2 {
				tw.fatalf("T70.5: a save point is possible at one table only: %v, %v", ok, ok2)
			}
			if ok && tw.showAlike() && !tw.holdCards() {
				saved, hasSaved = [2]table.Image{one, two}, true
				not = [2]id.Seat{tw.sly, tw.partner}
			}
		}
	}
	if rewound == 0 && *seedFlag == 0 {
		t.Error("the tables never went back: this shows nothing")
	}
}

// rewind brings both tables back, and compares what each view is shown then.
func (tw *twins) rewind(to *[2]table.Image) bool {
	tw.t.Helper()
	var told [2]map[id.Seat][]string
	var went [2]bool
	lots := tw.rnd.Uint64()
	for i, s := range tw.at {
		s.step, s.now, s.rnd = tw.step, s.now+1000, seeded(lots+uint64(i))
		went[i] = s.rewind(&saved{image: to[i]}, tw.chairs[0])
		told[i] = map[id.Seat][]string{}
		if !went[i] {
			continue
		}
		for view, n := range tw.names[i] {
			told[i][view] = append(fullOf(s.table, view, n, true),
				fmt.Sprint("version ", s.table.VersionAt(view, s.table.Gen())),
				fmt.Sprint("holds ", len(s.table.Counts())))
		}
	}
	if went[0] != went[1] {
		tw.fatalf("T71: only one table went back: %v", went)
	}
	if went[0] {
		tw.compareTold("a rewind", told)
		tw.compareLayouts()
		if tw.edits {
			tw.compareSaved()
		}
	}
	return went[0]
}

// fullOf returns what a view is shown, without names and versions, and numbers the names in that
// order. If blank is set, it leaves out the fronts and levels of cards in hands: somebody into
// whose team the view has come since a save point sees into a hand, and the cards there need not be
// the same at both tables.
func fullOf(t *table.Table, view id.Seat, n *naming, blank bool) (all []string) {
	type shown struct {
		text string
		name id.Piece
	}
	var list []shown
	for _, p := range t.All(view, id.Client{}) {
		name := p.Name
		p.Name, p.Version, p.ZVersion, p.Renamed = 0, 0, 0, 0
		if k := &kinds[p.Kind]; blank && k.Secret && p.Owner != 0 {
			p.Kind, p.Face, p.Z = k.Mask, 0, ""
		}
		list = append(list, shown{fmt.Sprintf("%+v", p), name})
	}
	slices.SortFunc(list, func(a, b shown) int {
		if a.text < b.text {
			return -1
		}
		return 1
	})
	for _, p := range list {
		n.number(p.name)
		all = append(all, p.text)
	}
	return all
}

// holdCards reports whether somebody holds a card outside of the hands. After a rewind it lies in
// the hand over which it was held, if any. Its owner sees it, and it need not be the same at both
// tables.
func (tw *twins) holdCards() bool {
	return slices.ContainsFunc(tw.at[:], func(s *server) bool {
		return slices.ContainsFunc(s.table.Image().Pieces, func(p table.PieceImage) bool {
			return p.State.Holder != 0 && p.State.In == 0 && kinds[p.State.Kind].Secret
		})
	})
}

// showAlike reports whether the views that are compared are shown the same at both tables. While a
// hand is given away, or shared again, they need not be.
func (tw *twins) showAlike() bool {
	for view := range tw.names[0] {
		if !tw.compared(view) {
			continue
		}
		var is [2]string
		for i, s := range tw.at {
			is[i] = fmt.Sprint(fullOf(s.table, view, &naming{numbers: map[id.Piece]int{}}, false))
		}
		if is[0] != is[1] {
			return false
		}
	}
	return true
}

// TestT71OneVersion shows that the versions of a view do not say how much a rewind has changed.
// Clauses: T71.17
func TestT71OneVersion(t *testing.T) {
	var rose [2][]id.Version
	all := []id.Piece{worldToken, worldCoin, worldCounter, worldHandOne}
	for i, moved := range [][]id.Piece{all[:1], all} {
		s := newWorld(t, 1)
		ada := s.join(1)
		s.join(2)
		to, ok := s.savePoint()
		if !ok {
			t.Fatal("there is no save point")
		}
		for _, p := range moved {
			if p == worldHandOne {
				ada.act(table.OpDraw, worldDeck)
			} else {
				ada.act(table.OpMove, p, at(700, 900))
			}
			s.deliver()
		}
		for view := range id.Seat(3) {
			rose[i] = append(rose[i], s.table.VersionAt(view, s.table.Gen()))
		}
		if !s.rewind(&to, 1) {
			t.Fatal("the table does not go back")
		}
		for view := range id.Seat(3) {
			rose[i][view] = s.table.VersionAt(view, s.table.Gen()) - rose[i][view]
		}
	}
	if !slices.Equal(rose[0], rose[1]) {
		t.Errorf("T71.17 the versions rise by %v, and by %v", rose[0], rose[1])
	}
}

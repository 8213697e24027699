package table_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestSort shows how a press lays what lies in a zone in order.
func TestSort(t *testing.T) {
	sortOf := func(kind uint32) table.Step { return table.Step{Do: table.DoSort, Kind: kind} }
	cards := []id.Piece{worldCard, worldCardTwo, worldCardThree, worldCardFour} // ace to jack
	// along returns the cards by where they lie, from the left to the right.
	along := func(s *server) []id.Piece {
		all := slices.Clone(cards)
		slices.SortFunc(all, func(a, b id.Piece) int { return int(s.where(a).x - s.where(b).x) })
		return all
	}
	// inRow puts cards into the row, at its end.
	inRow := func(c *tab, all ...id.Piece) {
		for i, p := range all {
			c.drop(p, zoneX-1050+700*int32(i), rowY)
		}
	}
	// Clauses: T87.3, T87.4
	t.Run("T87.3 in the order of kinds, at the places that there are", func(t *testing.T) {
		s, ada, bob := pressing(t, sortOf(kindRow))
		inRow(ada, worldCardThree, worldCardFour, worldCard, worldCardTwo)
		places := func() (all []string) {
			for _, p := range along(s) {
				is := s.state(p)
				all = append(all, fmt.Sprint(is.X, is.Y, is.Z))
			}
			return all
		}
		was := places()
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := along(s); !slices.Equal(got, cards) {
			t.Errorf("they lie in the order %v", got)
		}
		if got := places(); !slices.Equal(got, was) {
			t.Errorf("T87.4: they lie at %v, at first at %v", got, was)
		}
		if u, no := s.table.Undoable(2); no != nil || u.Op != table.OpRun {
			t.Fatalf("the undo is %+v, %+v", u, no)
		}
		s.undo(2)
		s.settle()
		if got := along(s); !slices.Equal(got, []id.Piece{
			worldCardThree, worldCardFour, worldCard, worldCardTwo,
		}) {
			t.Errorf("after its undo they lie in the order %v", got)
		}
	})
	// Clauses: T87.3
	t.Run("T87.3 what lies front down counts as its back, whatever it is", func(t *testing.T) {
		s, ada, bob := pressing(t, sortOf(kindRow))
		inRow(ada, worldCardFour, worldCardTwo, worldCard, worldCardThree)
		for _, p := range []id.Piece{worldCardFour, worldCard} {
			ada.do(table.OpFlip, p, face(1))
		}
		bob.want(t, 0, table.OpRun, worldDealer)
		want := []id.Piece{worldCardFour, worldCard, worldCardTwo, worldCardThree}
		if kindBack > kindKing {
			want = []id.Piece{worldCardTwo, worldCardThree, worldCardFour, worldCard}
		}
		if got := along(s); !slices.Equal(got, want) {
			t.Errorf("they lie in the order %v, want %v", got, want)
		}
	})
	// Clauses: T87.4
	t.Run("T87.4 a pile from the bottom up", func(t *testing.T) {
		s, ada, bob := pressing(t, sortOf(kindPile))
		setZone(t, kindPile, func(z *table.ZoneKind) { z.Turns = table.TurnUp })
		pile := []id.Piece{worldCardThree, worldCardTwo, worldCard}
		for _, p := range pile {
			ada.drop(p, zoneX, pileY)
		}
		bob.want(t, 0, table.OpRun, worldDealer)
		slices.SortFunc(pile, func(a, b id.Piece) int {
			return cmp.Compare(s.state(a).Z, s.state(b).Z)
		})
		if !slices.Equal(pile, cards[:3]) {
			t.Errorf("they lie in the order %v", pile)
		}
	})
	// Clauses: T87.4
	t.Run("T87.4 what stays where it is", func(t *testing.T) {
		for what, stays := range map[string]func(ada *tab){
			"pinned": func(ada *tab) { ada.do(table.OpPin, worldCardFour) },
			"locked": func(ada *tab) { ada.do(table.OpLock, worldCardFour) },
			"held":   func(ada *tab) { ada.do(table.OpGrab, worldCardFour) },
		} {
			s, ada, bob := pressing(t, sortOf(kindRow))
			inRow(ada, worldCardFour, worldCardThree, worldCardTwo, worldCard)
			stays(ada)
			bob.want(t, 0, table.OpRun, worldDealer)
			if got := along(s); !slices.Equal(got, []id.Piece{
				worldCardFour, worldCard, worldCardTwo, worldCardThree,
			}) {
				t.Errorf("%s: they lie in the order %v", what, got)
			}
		}
		s, ada, bob := pressing(t, sortOf(kindRow))
		inRow(ada, worldCoin, worldCardThree, worldCardTwo)
		ada.do(table.OpMove, worldHandOne, at(zoneX-3700, rowY)) // takes no coin
		was := s.where(worldCoin)
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := s.where(worldCoin); got != was {
			t.Errorf("what lies under a hand lies at %+v, lay at %+v", got, was)
		}
		if two, three := s.where(worldCardTwo), s.where(worldCardThree); two.x > three.x {
			t.Errorf("the others lie at %+v and %+v", two, three)
		}
	})
	// Clauses: T87.5
	t.Run("T87.5 a held zone, and too many pieces", func(t *testing.T) {
		s, ada, bob := pressing(t, sortOf(kindRow))
		inRow(ada, worldCardTwo, worldCard)
		was := along(s)
		ada.do(table.OpGrab, worldRow)
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := along(s); !slices.Equal(got, was) {
			t.Errorf("in a held zone they lie in the order %v", got)
		}
		ada.do(table.OpRelease, worldRow, at(zoneX, rowY))
		for range table.MaxSorted - 1 {
			ada.act(table.OpAdd, 0, kind(kindCoin), at(zoneX+900, rowY+400))
			s.deliver()
		}
		s.at(s.now + cooldown)
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := along(s); !slices.Equal(got, was) {
			t.Errorf("of too many they lie in the order %v", got)
		}
	})
}

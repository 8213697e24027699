package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// laidIn returns the kinds that lie in a container of a layout, or on the table for 0, from the
// undermost.
func laidIn(all []table.Laid, box id.Piece) (kinds []uint32) {
	at := slices.IndexFunc(all, func(l table.Laid) bool { return l.Name == box })
	for _, l := range all {
		if box == 0 && l.In < 0 || box != 0 && l.In == at {
			kinds = append(kinds, l.Kind)
		}
	}
	return kinds
}

// layout returns how the pieces would be saved.
func (s *server) layout() []table.Laid {
	s.t.Helper()
	all, known := s.table.Layout(false)
	if !known {
		s.t.Fatal("it is not known what there is")
	}
	return all
}

func TestT102Layout(t *testing.T) {
	cards := []uint32{kindAce, kindAce, kindAce, kindKing, kindKing, kindKing, kindQueen, kindQueen,
		kindQueen, kindJack, kindJack, kindJack}
	// Clauses: T102.2
	t.Run("what everybody sees lies where it lies", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpMove, worldToken, at(1234, -567))
		ada.do(table.OpRotate, worldToken, turned(4500))
		ada.do(table.OpFlip, worldToken, face(2))
		ada.do(table.OpPin, worldToken)
		ada.do(table.OpFlip, worldCard, face(0))
		all := s.layout()
		i := slices.IndexFunc(all, func(l table.Laid) bool { return l.Name == worldToken })
		if i < 0 {
			t.Fatalf("there is no token in %+v", all)
		}
		want := table.Laid{Kind: kindToken, X: 1234, Y: -567, Angle: 4500, Face: 2, Pinned: true, In: -1,
			Name: worldToken}
		if all[i] != want {
			t.Errorf("the token is %+v", all[i])
		}
		heavy := true
		for _, l := range all {
			if l.In >= 0 {
				continue
			}
			if kinds[l.Kind].Heavy && !heavy {
				t.Errorf("a heavy piece lies above light ones: %+v", l)
			}
			heavy = kinds[l.Kind].Heavy
		}
	})
	// Clauses: T102.3
	t.Run("cards go home, in the order of their kinds", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpClaim, worldHandOne)
		ada.do(table.OpShuffle, worldDeck)
		ada.do(table.OpDraw, worldDeck, amount(4))
		bob.do(table.OpDraw, worldDeck, at(0, 5000), amount(2)) // face down on the table
		if got := laidIn(s.layout(), worldDeck); !slices.Equal(got, cards) {
			t.Errorf("in the deck lie %v", got)
		}
		ada.do(table.OpDraw, worldDeck, at(3000, 5000), face(0)) // face up
		all := s.layout()
		if got := laidIn(all, worldDeck); !slices.Equal(got, cards) {
			t.Errorf("with one card face up there are %v", got)
		}
		// Another card looks the same and was set up on the table: nobody may know which one is which.
		down := 0
		for _, l := range all {
			if l.In < 0 && l.Name == 0 && kinds[l.Kind].Secret {
				down++
			}
		}
		if down != 3 {
			t.Errorf("%d cards lie front down on the table", down)
		}
	})
	// Clauses: T102.4
	t.Run("what was set up in no container is dealt out again", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		cards := []id.Piece{worldCardFour, worldCardTwo, worldCard, worldCardThree}
		for i, p := range cards {
			ada.do(table.OpMove, p, at(2000+int32(i)*1000, -3000))
		}
		ada.want(t, 0, table.OpShuffle, 0, pieces(cards...))
		ada.want(t, 0, table.OpShuffle, 0, pieces(cards...))
		var down []table.Laid
		for _, l := range s.layout() {
			if l.In < 0 && kinds[l.Kind].Secret {
				down = append(down, l)
			}
		}
		slices.SortFunc(down, func(a, b table.Laid) int { return int(a.X - b.X) })
		var got []uint32
		for _, l := range down {
			if got = append(got, l.Kind); l.Face != 1 || l.Y != -3000 || l.Name != 0 {
				t.Errorf("it lies %+v", l)
			}
		}
		// From the undermost they lie in the order of their kinds, whatever the shuffle has dealt.
		want := []uint32{kindJack, kindKing, kindAce, kindQueen}
		if is := s.kindsOf(cards); !slices.Equal(got, want) || slices.Equal(is, want) {
			t.Errorf("from the left lie %v, want %v; in truth %v", got, want, is)
		}
	})
	// Clauses: T102.5
	t.Run("nothing is saved while somebody alone knows what there is", func(t *testing.T) {
		for what, do := range map[string]func(s *server, ada *tab){
			"a card is copied in a hand": func(s *server, ada *tab) {
				ada.do(table.OpDraw, worldDeck)
				ada.do(table.OpCopy, s.lying(worldHandOne)[0], at(0, handOneY))
			},
			"a card of which all come from a box is deleted in a hand": func(s *server, ada *tab) {
				ada.do(table.OpDraw, worldBox)
				ada.do(table.OpDelete, s.lying(worldHandOne)[0])
			},
			"a card of the deck is deleted in a hand": func(s *server, ada *tab) {
				ada.do(table.OpDraw, worldDeck)
				ada.do(table.OpDelete, s.lying(worldHandOne)[0])
			},
		} {
			s, ada, _, _ := sitAtWorld(t)
			ada.do(table.OpClaim, worldHandOne)
			do(s, ada)
			if all, known := s.table.Layout(false); known {
				t.Errorf("%s: %+v", what, all)
			}
			s.restart()
			if _, known := s.table.Layout(false); known {
				t.Errorf("%s: after a restart it is saved", what)
			}
		}
	})
	// Clauses: T102.6
	t.Run("guest sets are left out, and currency in hands", func(t *testing.T) {
		s := newGuests(t, 1)
		ada := s.join(1)
		ada.do(table.OpClaim, worldHandOne)
		ada.do(table.OpMove, worldChips, at(0, handOneY))
		chips := 0
		for _, l := range s.layout() {
			switch l.Kind {
			case kindChip:
				chips++
			case kindDeck, kindCounter, kindNote, kindUnknown:
				t.Errorf("a part of a set is saved: %+v", l)
			}
		}
		if chips != 2+1 { // on the table, and in the bag
			t.Errorf("%d heaps are saved", chips)
		}
	})
	// Clauses: T102.4
	t.Run("what lies in a hand lies in a row", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpClaim, worldHandOne)
		for i, p := range []id.Piece{worldCardFour, worldCardTwo} {
			ada.do(table.OpMove, p, at(int32(i)*10, handOneY))
		}
		var row []int32
		for _, l := range s.layout() {
			if l.In < 0 && l.Y == handOneY && kinds[l.Kind].Secret {
				row = append(row, l.X)
			}
		}
		if !slices.Equal(row, []int32{-367, 368}) {
			t.Errorf("they lie at %v", row)
		}
	})
}

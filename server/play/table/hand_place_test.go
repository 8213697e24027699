package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestPlacesInHands shows to which hand a piece comes, at which level, and what is said of a hand
// that is nobody's.
func TestPlacesInHands(t *testing.T) {
	t.Run("T23.7 of hands that overlap the uppermost gets a piece", func(t *testing.T) {
		for _, upper := range []id.Seat{1, 2} {
			s, ada, bob, cid := sit(t)
			bob.do(table.OpMove, handTwo, at(500, handOneY))
			if upper == 1 {
				ada.do(table.OpRaise, handOne)
			} else {
				bob.do(table.OpRaise, handTwo)
			}
			cid.do(table.OpMove, cardOne, at(100, handOneY))
			if is := s.state(cardOne); is.Owner != upper {
				t.Errorf("the hand of seat %d lies above, the card is %+v", upper, is)
			}
		}
	})
	t.Run("T43.2 a piece that comes into another group gets a level on top of it", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		for i, card := range []id.Piece{cardOne, cardTwo, cardThree} {
			ada.do(table.OpMove, card, at(int32(i)*100, handOneY))
		}
		ada.do(table.OpSetZ, cardOne, z("0.0001"))
		ada.do(table.OpGrab, cardOne, z("0.0001"))
		ada.do(table.OpGive, handOne, whom(bob.seat))
		if in := s.lyingAt(handOne); in[0] != 0 {
			t.Fatalf("before it comes to bob's cards it does not lie below them: %d", in)
		}
		ada.do(table.OpRelease, cardOne, at(-200, handOneY))
		if is := s.state(cardOne); is.Owner != bob.seat {
			t.Fatalf("it is %+v", is)
		}
		if in := s.lyingAt(handOne); len(in) != 3 || in[2] != -200 {
			t.Errorf("the cards lie at %d, from the bottom to the top", in)
		}
	})
	t.Run("T29.12 of a hand that is nobody's no number is published", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		numbers := func() (n int) {
			for _, c := range s.table.Counts() {
				if c.Piece == worldHandOne {
					n += c.Count
				}
			}
			return n
		}
		ada.want(t, 0, table.OpDraw, worldDeck, amount(3))
		if n, told := numbers(), bob.holds[counting{worldHandOne, kindBack + 1}]; n != 3 || told != 3 {
			t.Fatalf("of her hand the number is %d, bob knows %d", n, told)
		}
		ada.do(table.OpLeave, worldHandOne)
		ada.do(table.OpMove, worldDieOne, at(1000, handOneY))
		ada.do(table.OpMove, worldCard, at(-1000, handOneY))
		if n, told := numbers(), bob.holds[counting{worldHandOne, kindBack + 1}]; n != 0 || told != 0 {
			t.Errorf("of a hand that is nobody's the number is %d, bob knows %d", n, told)
		}
	})
}

package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestTake shows what is taken with a piece, and for which reasons a take is rejected (T40).
func TestTake(t *testing.T) {
	t.Run("T40.2 a guest is taken as a whole, whichever of its pieces is named", func(t *testing.T) {
		for _, named := range []func(cards []id.Piece) id.Piece{
			func([]id.Piece) id.Piece { return worldDeck },
			func(cards []id.Piece) id.Piece { return cards[0] },
			func(cards []id.Piece) id.Piece { return cards[1] },
		} {
			s, ada, bob := sitWithGuests(t)
			cards := ada.laid(2)
			inside := s.lying(worldDeck)
			ada.want(t, 0, table.OpTake, named(cards))
			for _, p := range append(append(inside, cards...), worldDeck) {
				if is := s.state(p); !is.Gone {
					t.Errorf("part %d is %+v", is.Part, is)
				}
			}
			if is := s.state(worldCounter); is.Gone || bob.known(cards[0]) != nil {
				t.Errorf("another set is %+v, or bob still sees a card", is)
			}
		}
	})
	t.Run("T40.6 a host cannot take a piece whose front they do not see", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.want(t, table.ReasonHidden, table.OpTake, worldCard)
		if is := s.state(worldCard); is.Gone {
			t.Errorf("it is %+v", is)
		}
		ada.do(table.OpFlip, worldCard, face(0))
		ada.want(t, 0, table.OpTake, worldCard)
	})
	t.Run("T40.9 a container with a piece of another home does not become a set", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpDraw, worldDeck, at(0, 3000))
		card := ada.made[0]
		ada.want(t, 0, table.OpStow, card, into(worldBag))
		ada.want(t, table.ReasonScattered, table.OpTake, worldBag)
		if is := s.state(worldBag); is.Gone {
			t.Errorf("the bag is %+v", is)
		}
		ada.want(t, 0, table.OpRecall, worldDeck)
		ada.want(t, 0, table.OpTake, worldBag)
	})
	for _, row := range []struct {
		name string
		do   func(ada, bob *tab, p id.Piece)
		want table.Reason
	}{
		{
			"T40.11 held by another", func(_, bob *tab, p id.Piece) { bob.do(table.OpGrab, p) },
			table.ReasonHeld,
		},
		{
			"T40.11 pinned", func(_, bob *tab, p id.Piece) { bob.do(table.OpPin, p) },
			table.ReasonPinned,
		},
		{
			"T40.11 locked", func(ada, _ *tab, p id.Piece) { ada.do(table.OpLock, p) },
			table.ReasonLocked,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, ada, bob := sitWithGuests(t)
			card := ada.laid(1)[0]
			row.do(ada, bob, card)
			ada.want(t, row.want, table.OpTake, card)
			// Another piece of the set is named, and this one is in the way.
			ada.want(t, table.ReasonScattered, table.OpTake, worldDeck)
		})
	}
}

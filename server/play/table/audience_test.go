package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestAudience shows who may know a draw.
func TestAudience(t *testing.T) {
	t.Run("F6.4 the owner of a hand alone learns of a shuffle of pieces in it", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		bob.do(table.OpMove, worldCard, at(0, handTwoY))
		bob.do(table.OpMove, worldCardTwo, at(700, handTwoY))
		bob.do(table.OpShare, worldHandTwo, whom(1))
		for _, row := range []struct {
			what  string
			by    *tab
			cards []id.Piece
			want  id.Seat
		}{
			{"in his hand, by bob", bob, []id.Piece{worldCard, worldCardTwo}, 2},
			{"in his hand, by ada, who shares it", ada, []id.Piece{worldCard, worldCardTwo}, 2},
			{"on the table", bob, []id.Piece{worldCardThree, worldCardFour}, 0},
			{"here and there", bob, []id.Piece{worldCard, worldCardThree}, 0},
		} {
			u := row.by.make(table.OpShuffle, 0, pieces(row.cards...))
			if got := s.table.Audience(&u, row.by.seat); got != row.want {
				t.Errorf("a shuffle of cards %s is for seat %d, want %d", row.what, got, row.want)
			}
		}
	})
}

// TestNamesAreInNoRound shows that names of pieces come from randomness of their own.
func TestNamesAreInNoRound(t *testing.T) {
	t.Run("F9.7 no name is drawn from a round of randomness", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		top := s.lying(worldDeck)[0]
		for _, u := range []table.Update{
			ada.make(table.OpAdd, 0, kind(kindToken), at(0, 0)),
			ada.make(table.OpCopy, worldToken, at(0, 0)),
			ada.make(table.OpSplit, worldChips, amount(3), at(0, 3000)),
			ada.make(table.OpMove, worldCard, at(0, handOneY)),
			ada.make(table.OpStow, worldCardTwo, into(worldDeck)),
			ada.make(table.OpDraw, worldDeck, amount(2)),
		} {
			if invalid := s.table.Check(ada.id, 1, []table.Update{u}); invalid != nil {
				t.Fatal(invalid)
			}
			out := s.table.Apply(ada.by(), &u, table.Inputs{
				Now: s.now, OID: s.mint(), Rand: unused{t}, Unproved: unused{t}, Round: 1,
			})
			wantVerdict(t, out, table.Recorded)
			if out.Chance.What != 0 {
				t.Errorf("%s is a draw: %+v", u.Op, out.Chance)
			}
		}
		names := map[id.Piece]bool{}
		for _, e := range s.table.Take() {
			if e.NewName != 0 {
				names[e.NewName] = true
			} else if e.Made {
				names[e.Name] = true
			}
		}
		if _, ok := s.table.Look(top); !ok || len(names) < 5 {
			t.Errorf("the new names are %v", names)
		}
	})
}

package table_test

import (
	"fmt"
	"testing"

	"holt/server/play/table"
)

// TestT49TheEndOfASeatCostsWhatItTouches ends a seat that has a shared hand of all pieces, holds
// some and has the turn. It shows that the end costs no more than it weighs, and grows with what
// lies in the hand.
// Clauses: T49.11
func TestT49TheEndOfASeatCostsWhatItTouches(t *testing.T) {
	for _, hands := range []table.HandsTo{table.HandsBack, table.HandsStay, table.HandsGiven} {
		var least table.Weight
		for _, n := range []int{100, 1000, 9999} {
			t.Run(fmt.Sprintf("T49 hands %d, %d pieces", hands, n), func(t *testing.T) {
				l := load(t, n, kindDeck, kindAce)
				for range n/40 + 1 { // pieces of the deck lie beside it
					l.draw(table.Update{
						Op: table.OpDraw, Has: table.HasPiece | table.HasN | table.HasXY,
						Piece: l.full, N: 40,
					})
				}
				l.do(table.Update{
					Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY,
					Piece: l.hand,
				}, table.Recorded)
				l.do(table.Update{
					Op: table.OpGrab, Has: table.HasPiece | table.HasTag, Piece: l.die,
				}, table.Recorded)
				l.do(table.Update{
					Op: table.OpAssign, Has: table.HasPiece | table.HasTag | table.HasSeat,
					Piece: l.marker, Seat: 1,
				}, table.Recorded)
				l.do(table.Update{
					Op: table.OpShare, Has: table.HasPiece | table.HasSeat, Piece: l.hand, Seat: 2,
				}, table.Recorded)
				e := table.Ending{By: 2, Hands: hands, To: 2}
				weight, before := l.tab.WeighEnd(1, e, unbounded), l.tab.Looks()
				if !l.tab.Unseat(1, e, 5000) {
					t.Fatal("the seat has not ended")
				}
				cost := costOf(l.tab.Take(), l.tab.Looks()-before)
				if exceeds(cost, weight) {
					t.Errorf("cost %+v and weighed %+v", cost, weight)
				}
				if n == 100 {
					least = cost
				}
				if times := n / 100; cost.Entries > 2*times*least.Entries ||
					cost.Looks > 4*times*least.Looks {
					t.Errorf("cost %+v, and %+v at 100 pieces", cost, least)
				}
			})
		}
	}
}

// draw draws if there is something to draw.
func (l *loaded) draw(u table.Update) {
	u.Seq = l.tab.NextSeq(l.by.Client)
	l.tab.Apply(l.by, &u, table.Inputs{Now: 5000, Rand: seeded(1), Round: 1})
	l.tab.Take()
}

package table_test

import (
	"reflect"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestAnswersForAnEndedSeat shows what becomes of an update whose seat has ended while the owner of
// a set was asked.
func TestAnswersForAnEndedSeat(t *testing.T) {
	for _, row := range []struct {
		name string
		op   table.Op
		with []args
	}{
		{"T51.12 a peek is rejected", table.OpPeek, nil},
		{"T51.12 a draw of a kind is rejected", table.OpDraw, []args{kind(kindAce), at(0, 3000)}},
	} {
		for _, ends := range []bool{false, true} {
			t.Run(row.name, func(t *testing.T) {
				s, _, bob := sitWithGuests(t)
				u := bob.make(row.op, worldDeck, row.with...)
				in := table.Inputs{Now: s.now, Rand: s.rnd, Unproved: s.rnd}
				out := s.table.Apply(bob.by(), &u, in)
				wantVerdict(t, out, table.Deferred)
				var answer table.Answer
				for _, part := range out.Ask.Parts {
					answer.Kinds = append(answer.Kinds, s.guests.kinds[part])
				}
				if ends {
					s.end(2, table.HandsBack, 0)
				}
				before := s.table.Gen()
				out = s.table.Resume(bob.by(), &u, out.Ask, &answer, in)
				if !ends {
					wantVerdict(t, out, table.Recorded)
					return
				}
				if out.Verdict != table.Rejected ||
					out.Reject.Reason != table.ReasonNotAllowed || s.table.Gen() != before {
					t.Errorf("the outcome is %+v", out)
				}
			})
		}
	}
}

// TestPartsAreNotShown shows that what a view is sent does not depend on which part of a set lies
// where, as long as nobody has said what the parts are.
func TestPartsAreNotShown(t *testing.T) {
	t.Run("T37.3 no client learns the number of a part", func(t *testing.T) {
		told := func(turned bool) (all [][]table.Shown) {
			places := worldWithGuests()
			if turned {
				for i := range places {
					if is := &places[i].State; is.Set == guestDeck && is.Part > 0 {
						is.Part = inDeck + 1 - is.Part
					}
				}
			}
			s := serve(t, 1, places)
			ada, bob := s.join(1), s.join(2)
			from := len(s.log)
			cards := ada.laid(3)
			ada.do(table.OpFlip, cards[0], face(0))
			ada.do(table.OpMove, cards[1], at(0, handOneY))
			ada.do(table.OpStow, cards[2], into(worldDeck))
			for _, seat := range []id.Seat{1, 2, 4} {
				var shown []table.Shown
				for i := range s.log[from:] {
					e := &s.log[from+i]
					if before, after, ok := s.table.Shows(e, seat); ok && e.Set == nil {
						shown = append(shown, before, after)
					}
				}
				all = append(all, shown, s.table.All(seat, bob.id))
			}
			return all
		}
		one, other := told(false), told(true)
		if !reflect.DeepEqual(one, other) {
			t.Errorf("shown is %+v, and with other parts %+v", one, other)
		}
		if len(one[0]) < 8 || !slices.ContainsFunc(one[1], func(p table.Shown) bool {
			return p.Set == setNumber(guestDeck) && p.Kind == kindUnknown
		}) {
			t.Errorf("too little was shown: %+v", one)
		}
	})
}

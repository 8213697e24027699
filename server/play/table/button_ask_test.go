package table_test

import (
	"reflect"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestButtonAsks shows how a button uses the answers of who presses it.
func TestButtonAsks(t *testing.T) {
	const chips = int32(worldChips)
	// Clauses: T95.1, T95.4, T95.5, T95.6, T95.7
	t.Run("T95 a press with answers", func(t *testing.T) {
		s, _, bob, _ := sitAtWorld(t)
		bob.want(t, 0, table.OpRun, worldAsker, answers(3, 1, 1, chips))
		if got := s.state(worldCounter).Value; got != 43 {
			t.Errorf("the counter shows %d", got)
		}
		if s.state(worldChips).Angle != 9000 || s.state(worldChipsTwo).Angle != 0 {
			t.Error("it has not turned the chosen heap, and that alone")
		}
		if s.state(worldToken).Angle != 9000 || len(s.drawn) != 0 {
			t.Error("the steps of the choice were not done, or those of another one were")
		}
		for hand, n := range map[id.Piece]int{worldHandOne: 3, worldHandTwo: 0, worldHandThree: 0} {
			if got := len(s.lying(hand)); got != n {
				t.Errorf("%d cards lie in hand %d, want %d", got, hand, n)
			}
		}
		if !s.undo(2) {
			t.Fatal("it cannot be undone")
		}
		s.settle()
		if s.state(worldChips).Angle != 0 || s.state(worldCounter).Value != 40 ||
			len(s.lying(worldHandOne)) != 0 || s.state(worldToken).Angle != 0 {
			t.Error("one undo does not take it back")
		}
		s.at(s.now + cooldown)
		bob.want(t, 0, table.OpRun, worldAsker, answers(1, 2, 2, int32(worldChipsTwo)))
		if len(s.drawn) == 0 || len(s.lying(worldHandTwo)) != 1 || s.state(worldChipsTwo).Angle == 0 {
			t.Error("other answers do not do something else")
		}
	})
	// Clauses: T95.5
	t.Run("T95.5 what is drawn goes to the chosen piece", func(t *testing.T) {
		s, bob := asking(t, table.Step{
			Do: table.DoMove, Kind: kindBox, N: 1, To: kindChip, Uses: table.Uses{Onto: 1},
		})
		for _, of := range []id.Piece{worldChipsTwo, worldChipsThree, worldChips} {
			s.at(s.now + cooldown)
			bob.want(t, 0, table.OpRun, worldDealer, answers(int32(of)))
			there := s.state(of)
			if !slices.ContainsFunc(bob.sorted(), func(p id.Piece) bool {
				is := bob.pieces[p].is
				return is.Kind == kindJoker && is.X == there.X && is.Y == there.Y
			}) {
				t.Errorf("no joker lies on heap %d", of)
			}
		}
	})
	// Clauses: T95.2, T95.3
	t.Run("T95.2 answers that are not permitted", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		bob.do(table.OpDelete, worldChipsThree)
		ada.do(table.OpMove, worldChipsTwo, at(0, handOneY))
		own := s.names[oid(uint64(worldChipsTwo))]
		gen := s.table.Gen()
		for name, with := range map[string][]args{
			"none at all":      nil,
			"an empty list":    {answers()},
			"too few":          {answers(1, 1, 1)},
			"too many":         {answers(1, 1, 1, chips, 1)},
			"a low number":     {answers(0, 1, 1, chips)},
			"a high number":    {answers(4, 1, 1, chips)},
			"no such choice":   {answers(1, 3, 1, chips)},
			"a negative one":   {answers(1, -1, 1, chips)},
			"nobody":           {answers(1, 1, 0, chips)},
			"no such seat":     {answers(1, 1, 9, chips)},
			"a negative seat":  {answers(1, 1, -1, chips)},
			"no such piece":    {answers(1, 1, 1, 999_999)},
			"a negative piece": {answers(1, 1, 1, -chips)},
			"another kind":     {answers(1, 1, 1, int32(worldToken))},
			"a deleted piece":  {answers(1, 1, 1, int32(worldChipsThree))},
			"a hidden piece":   {answers(1, 1, 1, int32(own))},
		} {
			bob.want(t, table.ReasonUnanswered, table.OpRun, worldAsker, with...)
			if s.table.Gen() != gen || s.state(worldAsker).Rolled != 0 {
				t.Errorf("%s: something has changed", name)
			}
		}
		ada.want(t, table.ReasonUnanswered, table.OpRun, worldAsker, answers(1, 1, 1, int32(own)))
		bob.want(t, table.ReasonUnanswered, table.OpRun, worldButton, answers(1))
		bob.want(t, 0, table.OpRun, worldAsker, answers(1, 1, 1, chips))
		bob.want(t, table.ReasonCooling, table.OpRun, worldAsker)
	})
	// Clauses: T95.3
	t.Run("T95.3 a name from before a piece was hidden", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpMove, worldChipsTwo, at(0, handOneY))
		now := s.names[oid(uint64(worldChipsTwo))]
		ada.do(table.OpMove, now, at(2000, 4000))
		bob.want(t, table.ReasonUnanswered, table.OpRun, worldAsker,
			answers(1, 1, 1, int32(worldChipsTwo)))
		ada.want(t, 0, table.OpRun, worldAsker, answers(1, 1, 1, int32(worldChipsTwo)))
		s.at(s.now + cooldown)
		bob.want(t, 0, table.OpRun, worldAsker, answers(1, 1, 1, int32(now)))
		if got := s.state(now).Angle; got != 18_000 {
			t.Errorf("it lies at %d", got)
		}
	})
	// Clauses: T95.9
	t.Run("T95.9 answers that do the same leave the same log", func(t *testing.T) {
		recorded := func(choice int32) (log []table.Entry) {
			s, _, bob, _ := sitAtWorld(t)
			from := len(s.log)
			bob.want(t, 0, table.OpRun, worldAsker, answers(2, choice, 1, chips))
			log = slices.Clone(s.log[from:])
			for i := range log {
				log[i].Digest = 0
			}
			return log
		}
		if one, other := recorded(0), recorded(2); len(one) < 4 || !reflect.DeepEqual(one, other) {
			t.Errorf("the log has %+v, and with another answer %+v", one, other)
		}
	})
	// Clauses: T95.8
	t.Run("T95.8 a chosen piece that was hidden since", func(t *testing.T) {
		s, bob := asking(t,
			table.Step{Do: table.DoRecall, Kind: kindBag},
			table.Step{Do: table.DoMove, Kind: kindBag, N: inBag, To: kindToken, Face: -1},
			table.Step{Do: table.DoRotate, Kind: kindChip, By: 9000, Uses: table.Uses{Piece: 1}},
			table.Step{Do: table.DoRotate, Kind: kindCoin, By: 9000},
		)
		was := bob.sorted()
		bob.do(table.OpDraw, worldBag, amount(inBag), at(0, 5000))
		isChip := func(p id.Piece) bool {
			return !slices.Contains(was, p) && bob.pieces[p].is.Kind == kindChip
		}
		came := slices.IndexFunc(bob.sorted(), isChip)
		if came < 0 {
			t.Fatal("no chip came out of the bag")
		}
		chosen := bob.sorted()[came]
		bob.want(t, 0, table.OpRun, worldDealer, answers(int32(chosen)))
		again := slices.IndexFunc(bob.sorted(), isChip)
		if again < 0 || bob.sorted()[again] == chosen {
			t.Fatal("it has not come again with another name")
		}
		if s.state(bob.sorted()[again]).Angle != 0 || s.state(worldCoin).Angle != 9000 {
			t.Error("it was turned, so everybody learns that it is the same one")
		}
	})
}

// asking sits people down at the world, where the dealer asks for a heap of chips and then does
// steps.
func asking(t *testing.T, steps ...table.Step) (s *server, bob *tab) {
	t.Helper()
	dealerDoes(t, steps...)
	kinds[kindDealer].Button.Asks = []table.Question{
		{For: table.AnswerPiece, Known: true, Kind: kindChip},
	}
	s, _, bob, _ = sitAtWorld(t)
	return s, bob
}

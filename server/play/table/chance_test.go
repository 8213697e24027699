package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// chiSquare returns the chi-square statistic of counts that should be equal.
func chiSquare(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	expected, sum := float64(total)/float64(len(counts)), 0.0
	for _, n := range counts {
		d := float64(n) - expected
		sum += d * d / expected
	}
	return sum
}

// wantUniform checks counts against the value that chi-square with so many degrees of freedom
// exceeds about once in a million times. The seeds are fixed, so a test that passes once passes
// always, and a fault shows in thousands.
func wantUniform(t *testing.T, what string, counts []int) {
	t.Helper()
	limit, known := map[int]float64{
		5: 35.9, 7: 40.5, 10: 46.9, 11: 48.9, 15: 56.5, 23: 71, 143: 238,
	}[len(counts)-1]
	if got := chiSquare(counts); !known || got > limit {
		t.Errorf("%s: chi-square %.1f of %d degrees of freedom, at most %.1f: %v",
			what, got, len(counts)-1, limit, counts)
	}
}

// TestChance shows that random outcomes are uniform: orders, draws, places and names.
func TestChance(t *testing.T) {
	t.Run("T31.1 a shuffle is uniform over positions", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		number := map[id.OID]int{}
		for i, p := range s.lying(worldDeck) {
			number[s.bearers[p]] = i
		}
		at := make([]int, inDeck*inDeck) // for each piece, how often it was at each place
		// How far the numbers of neighbours differ: a shuffle keeps no order.
		next := make([]int, inDeck)
		for range 3000 {
			s.must(t, ada, ada.make(table.OpShuffle, worldDeck), table.Recorded)
			last := -1
			for place, p := range s.lying(worldDeck) {
				n := number[s.bearers[p]]
				at[n*inDeck+place]++
				if last >= 0 {
					next[(n-last+inDeck)%inDeck]++
				}
				last = n
			}
		}
		wantUniform(t, "pieces at places", at)
		wantUniform(t, "differences of neighbours", next[1:])
	})
	t.Run("T26.3 a shuffle of four single cards is uniform over orders", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		orders := map[[4]uint32]int{}
		for range 4800 {
			s.must(t, ada,
				ada.make(table.OpShuffle, 0, pieces(cardThree, cardOne, cardFour, cardTwo)),
				table.Recorded)
			orders[[4]uint32{
				s.state(cardOne).Kind, s.state(cardTwo).Kind, s.state(cardThree).Kind,
				s.state(cardFour).Kind,
			}]++
		}
		var counts []int
		for _, n := range orders {
			counts = append(counts, n)
		}
		wantUniform(t, "orders", counts)
	})
	t.Run("T31.3 a cut is uniform over positions", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		at := make([]int, inDeck)
		for range 2400 {
			top := s.lying(worldDeck)[0]
			s.must(t, ada, ada.make(table.OpCut, worldDeck), table.Recorded)
			at[slices.Index(s.lying(worldDeck), top)]++
		}
		if at[0] != 0 {
			t.Errorf("%d cuts brought nothing below", at[0])
		}
		at[0] = 2400 / (inDeck - 1)
		wantUniform(t, "cuts", at)
	})
	t.Run("T30.1 a draw from a bag is uniform, whatever was drawn before", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		number := map[id.OID]int{}
		for i, p := range s.lying(worldBag) {
			number[s.bearers[p]] = i
		}
		first, pairs := make([]int, inBag), map[[2]int]int{}
		for range 2400 {
			before := len(s.log)
			s.must(t, ada, ada.make(table.OpDraw, worldBag, amount(2), at(0, 3000)), table.Recorded)
			var drawn []int
			for _, e := range s.log[before:] {
				if e.Op == table.OpDraw && !e.Notice {
					drawn = append(drawn, number[e.Piece])
				}
			}
			first[drawn[0]]++
			pairs[[2]int(drawn)]++
			s.must(t, ada, ada.make(table.OpRecall, worldBag), table.Recorded)
		}
		wantUniform(t, "first pieces", first)
		if len(pairs) != inBag*(inBag-1) {
			t.Errorf("%d pairs came, of %d", len(pairs), inBag*(inBag-1))
		}
	})
	t.Run("T30.23 a random place is uniform", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		// Seven are left, so there are eight places.
		ada.want(t, 0, table.OpDraw, worldDeck, amount(5), at(0, 3000))
		place, at := at(0, 3000), make([]int, 8)
		for range 1600 {
			ada.renew()
			s.must(t, ada, ada.make(table.OpStow, worldCard, into(worldDeck), from(0)),
				table.Recorded)
			i := slices.Index(s.lying(worldDeck), s.called(worldCard))
			at[i]++
			s.must(t, ada, ada.make(table.OpDraw, worldDeck, from(int32(i)+1), place),
				table.Recorded)
		}
		wantUniform(t, "places", at)
	})
	t.Run("T32.1 a roll is uniform, whatever came before", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		up, steps := make([]int, 6), make([]int, 6)
		for range 3000 {
			last := s.state(worldDieOne).Face
			s.now += cooldown
			s.must(t, ada, ada.make(table.OpRoll, worldDieOne), table.Recorded)
			face := s.state(worldDieOne).Face
			up[face]++
			steps[(face-last+6)%6]++
		}
		wantUniform(t, "faces", up)
		wantUniform(t, "steps from face to face", steps)
	})
	t.Run("T21.6 identifiers are uniform, and a new one reveals nothing of the old",
		testNames)
}

// testNames moves cards into a hand and out of it, and counts their names.
func testNames(t *testing.T) {
	s, ada, _, _ := sitAtWorld(t)
	sixteenth := func(name id.Piece) int {
		return int(name-table.MinRandomName) * 16 / int(table.MaxRandomName-table.MinRandomName+1)
	}
	values, pairs := make([]int, 16), make([]int, 16)
	for round := range 4000 {
		p := worldCard + id.Piece(round%4)
		old := s.called(p)
		ada.renew()
		s.must(t, ada, ada.make(table.OpMove, p, at(0, handOneY)), table.Recorded)
		ada.renew()
		s.must(t, ada, ada.make(table.OpMove, p, at(0, 3000)), table.Recorded)
		name := s.called(p)
		values[sixteenth(name)]++
		if old >= table.MinRandomName {
			pairs[(sixteenth(name)-sixteenth(old)+16)%16]++
		}
	}
	wantUniform(t, "names", values)
	wantUniform(t, "steps from name to name", pairs)
}

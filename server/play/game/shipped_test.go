package game

import (
	"fmt"
	"slices"
	"testing"
)

// lying maps places to the names of the kinds that lie there in a set-up. Pinned pieces and those
// in containers do not count.
func lying(t *testing.T, g *Game, of Setup) map[[2]int32]string {
	t.Helper()
	at := map[[2]int32]string{}
	for _, p := range g.Pieces {
		if p.Pinned || p.In != NotIn || slices.Contains(of.Without, p.Kind) {
			continue
		}
		place := [2]int32{p.X, p.Y}
		if at[place] != "" {
			t.Errorf("%s: two pieces at %v", g.ID, place)
		}
		at[place] = g.Kinds[p.Kind].Name
	}
	return at
}

// onSquare returns the middle of a square of a board in the middle of the table, with White below.
func onSquare(file, rank int) [2]int32 {
	const square = 500
	return [2]int32{int32(2*file-7) * square / 2, int32(7-2*rank) * square / 2}
}

// TestChessStandsReady shows that chess is set up as its rules say, with two spare queens.
func TestChessStandsReady(t *testing.T) {
	g := shippedGame(t, "chess")
	at := lying(t, g, g.First)
	if len(at) != 34 {
		t.Errorf("%d pieces, want 32 and two queens", len(at))
	}
	for file, name := range []string{
		"rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook",
	} {
		for rank, want := range map[int]string{
			0: "White " + name, 1: "White pawn", 6: "Black pawn", 7: "Black " + name,
		} {
			if got := at[onSquare(file, rank)]; got != want {
				t.Errorf("on %c%d is %q, want %q", 'a'+file, rank+1, got, want)
			}
			delete(at, onSquare(file, rank))
		}
	}
	spare := map[string]int{}
	for _, name := range at {
		spare[name]++
	}
	if fmt.Sprint(spare) != "map[Black queen:1 White queen:1]" {
		t.Errorf("beside the board are %v", spare)
	}
}

// TestDraughtsStandReady shows that draughts is set up as its rules say, with spare men.
func TestDraughtsStandReady(t *testing.T) {
	g := shippedGame(t, "draughts")
	at := lying(t, g, g.First)
	for file := range 8 {
		for rank := range 8 {
			want := ""
			switch {
			case (file+rank)%2 != 0: // a light square
			case rank < 3:
				want = "Light man"
			case rank > 4:
				want = "Dark man"
			}
			if got := at[onSquare(file, rank)]; got != want {
				t.Errorf("on %c%d is %q, want %q", 'a'+file, rank+1, got, want)
			}
			delete(at, onSquare(file, rank))
		}
	}
	spare := map[string]int{}
	for _, name := range at {
		spare[name]++
	}
	if spare["Light man"] < 1 || spare["Light man"] != spare["Dark man"] || len(spare) != 2 {
		t.Errorf("beside the board are %v", spare)
	}
	for _, k := range g.Kinds {
		if k.Weight == "light" && k.Clock.Sides() == 0 &&
			(len(k.Faces) != 2 || k.Faces[0].Art == k.Faces[1].Art) {
			t.Errorf("%q cannot be crowned by turning it over", k.Name)
		}
	}
}

// TestOtherDraughtsStandReady shows that the other set-ups of draughts have their men on cells of
// their boards, in the rows that the rules say.
func TestOtherDraughtsStandReady(t *testing.T) {
	g := shippedGame(t, "draughts")
	for i, of := range []struct {
		board, man  string
		first, rows int32 // the first row of men, and how many there are
		each        int
	}{
		{"International board", "draughtsman", 0, 4, 20},
		{"Turkish board", "stone", 1, 2, 16},
	} {
		kind := slices.IndexFunc(g.Kinds, func(k Kind) bool { return k.Name == of.board })
		grid, half := g.Kinds[kind].Grid, g.Kinds[kind].Width/2
		n, at := map[string]int{}, lying(t, g, g.Setups[i])
		for row := range grid.Rows {
			for column := range grid.Columns {
				place := [2]int32{grid.X + column*grid.StepX - half, grid.Y + row*grid.StepY - half}
				name, want := at[place], ""
				isCell := len(grid.CellNames) == 0 || grid.CellNames[row*grid.Columns+column] != ""
				switch far := grid.Rows - 1 - row; {
				case isCell && row >= of.first && row < of.first+of.rows:
					want = "Dark " + of.man
				case isCell && far >= of.first && far < of.first+of.rows:
					want = "Light " + of.man
				}
				if name != want {
					t.Errorf("%s: %q in row %d, column %d, want %q", of.board, name, row, column, want)
				}
				n[name]++
				delete(at, place)
			}
		}
		if n["Light "+of.man] != of.each || n["Dark "+of.man] != of.each || len(at) != 0 {
			t.Errorf("%s: %v, and beside it %v", of.board, n, at)
		}
	}
}

// TestPackHas54DifferentCardsWithOneBack shows that the pack is complete and lies face down in the
// deck.
func TestPackHas54DifferentCardsWithOneBack(t *testing.T) {
	g := shippedGame(t, "cards")
	names, fronts := map[string]bool{}, map[[32]byte]bool{}
	for _, p := range g.Pieces {
		k := g.Kinds[p.Kind]
		if !k.Secret {
			continue
		}
		mask := g.Kinds[k.Mask]
		if p.Face != 1 || p.Group != 1 || p.In == NotIn ||
			g.Kinds[g.Pieces[p.In].Kind].Name != "Deck" {
			t.Errorf("%q does not lie face down in the deck, to be shuffled: %+v", k.Name, p)
		}
		if !same(t, k.Faces[1], mask.Faces[0]) {
			t.Errorf("%q has another back than its mask", k.Name)
		}
		if k.Faces[0].Name != k.Name || names[k.Name] || fronts[k.Faces[0].Art] ||
			k.Faces[0].Art == k.Faces[1].Art {
			t.Errorf("%q is there twice, or its front is", k.Name)
		}
		names[k.Name], fronts[k.Faces[0].Art] = true, true
	}
	if len(names) != 54 {
		t.Errorf("%d cards, want 54", len(names))
	}
	for _, suit := range []string{"spades", "hearts", "diamonds", "clubs"} {
		for _, rank := range []string{
			"Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King",
		} {
			if !names[rank+" of "+suit] {
				t.Errorf("no %s of %s", rank, suit)
			}
		}
	}
	if !names["Red joker"] || !names["Black joker"] {
		t.Error("a joker is missing")
	}
}

// TestCardTableHasEightHandsInWhichACardFits shows that the card table has eight empty hands, each
// large enough for a card.
func TestCardTableHasEightHandsInWhichACardFits(t *testing.T) {
	g := shippedGame(t, "cards")
	hands := 0
	for _, p := range g.Pieces {
		k := g.Kinds[p.Kind]
		if !k.Hand {
			continue
		}
		hands++
		if min(k.Width, k.Height) < 889 {
			t.Errorf("%q is too small for a card", k.Name)
		}
		for _, other := range g.Pieces {
			if !g.Kinds[other.Kind].Hand && boxOf(t, g, p).meets(boxOf(t, g, other)) {
				t.Errorf("%q is in a hand from the start", g.Kinds[other.Kind].Name)
			}
		}
	}
	if hands != 8 {
		t.Errorf("%d hands, want 8", hands)
	}
}

// TestTheDeckOfCardsTakesAllCardsAndNothingElse shows that the deck takes exactly the secret cards,
// and covers them.
func TestTheDeckOfCardsTakesAllCardsAndNothingElse(t *testing.T) {
	g := shippedGame(t, "cards")
	for _, deck := range g.Kinds {
		if !deck.Container.Holds() {
			continue
		}
		if deck.Peek != "" || deck.Uncounted || deck.Container.Draws != drawsTop {
			t.Errorf("%q is %+v", deck.Name, deck)
		}
		for _, k := range g.Kinds {
			if deck.Container.takes(&k) != k.Secret {
				t.Errorf("%q goes into %q, or does not", k.Name, deck.Name)
			}
			if k.Secret && (deck.Width < k.Width || deck.Height < k.Height) {
				t.Errorf("%q juts out of %q", k.Name, deck.Name)
			}
		}
	}
}

// TestTokensHaveAllThatPiecesDo shows that the game of tokens has pieces with every function.
func TestTokensHaveAllThatPiecesDo(t *testing.T) {
	g := shippedGame(t, "tokens")
	placed := map[string]int{}
	for _, p := range g.Pieces {
		for _, f := range g.Kinds[p.Kind].abilities() {
			placed[f.field]++
		}
		if k := &g.Kinds[p.Kind]; p.In != NotIn &&
			(!k.Private || g.Kinds[g.Pieces[p.In].Kind].Container.Draws != drawsRandom) {
			t.Errorf("%q is not drawn at random, for a hand that nobody sees", k.Name)
		}
	}
	if got, want := fmt.Sprint(placed),
		"map[container:1 counter:4 currency:4 die:8 hand:4 hourglass:1 seat:5 text:1]"; got != want {
		t.Errorf("on the table are %s, want %s", got, want)
	}
	var sides []int
	for _, k := range g.Kinds {
		if !k.Die.Rolls {
			continue
		}
		sides = append(sides, len(k.Faces))
		for i, f := range k.Faces {
			if want := fmt.Sprint(i + 1); f.Name != want && len(k.Faces) > 2 {
				t.Errorf("%q: face %d is called %q, want %s", k.Name, i, f.Name, want)
			}
		}
	}
	if got := fmt.Sprint(sides); got != "[4 6 8 10 12 20 2]" {
		t.Errorf("dice have %s sides", got)
	}
}

// TestWhatAllSeeAtTheStartLiesApart shows that pieces do not overlap at the start.
func TestWhatAllSeeAtTheStartLiesApart(t *testing.T) {
	for _, id := range []string{"cards", "tokens"} {
		g := shippedGame(t, id)
		for i, p := range g.Pieces {
			for _, q := range g.Pieces[:i] {
				if p.In == NotIn && q.In == NotIn && boxOf(t, g, p).meets(boxOf(t, g, q)) {
					t.Errorf("%s: %q lies on %q, at %d, %d",
						id, g.Kinds[p.Kind].Name, g.Kinds[q.Kind].Name, p.X, p.Y)
				}
			}
		}
	}
}

// TestEveryTableHasClocksInItsBox shows that every shipped game has the same three kinds of clocks.
func TestEveryTableHasClocksInItsBox(t *testing.T) {
	for _, id := range []string{"chess", "draughts", "cards", "tokens", "liars-dice"} {
		sides := map[string]int{}
		for _, k := range shippedGame(t, id).Kinds {
			if n := k.Clock.Sides(); n > 0 {
				sides[fmt.Sprintf("%s, up: %t", k.Name, k.Clock.CountsUp)] = n
			}
		}
		if got := fmt.Sprint(sides); got !=
			"map[Chess clock, up: false:2 Countdown, up: false:1 Stopwatch, up: true:1]" {
			t.Errorf("%s has %s", id, got)
		}
	}
}

// TestTheChessClockTurnsEachPlayerTheirSide shows that the chess clock is set, pinned and not
// locked, and turned towards both players.
func TestTheChessClockTurnsEachPlayerTheirSide(t *testing.T) {
	g := shippedGame(t, "chess")
	clocks := 0
	for _, p := range g.Pieces {
		k := g.Kinds[p.Kind]
		if k.Clock.Sides() == 0 {
			continue
		}
		clocks++
		if k.Clock.Initial != 300_000 || k.Clock.Increment != 2000 || !p.Pinned || p.Locked {
			t.Errorf("the clock is %+v, lying as %+v", k.Clock, p)
		}
		if white, black := k.Clock.Displays[0], k.Clock.Displays[1]; white.Y < k.Height/2 ||
			black.Y+black.Height > k.Height/2 {
			t.Errorf("White, who sits below, has the display %+v, Black %+v", white, black)
		}
		for _, other := range g.Pieces {
			if other.Kind != p.Kind && boxOf(t, g, p).meets(boxOf(t, g, other)) {
				t.Errorf("the clock lies on %q", g.Kinds[other.Kind].Name)
			}
		}
	}
	if clocks != 1 {
		t.Errorf("%d clocks, want 1", clocks)
	}
}

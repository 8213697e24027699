package game

import (
	"slices"
	"strings"
	"testing"
)

// TestWhatContainersHoldIsPlaced shows where the pieces in containers are placed (T29).
func TestWhatContainersHoldIsPlaced(t *testing.T) {
	want := []Placement{
		{Kind: theBag, X: 2000, In: NotIn},
		{Kind: theDeck, X: -2000, Y: 30, Angle: 9000, Pinned: true, In: NotIn},
		{Kind: theDisc, In: NotIn},
		{Kind: theKing, X: 2000, Face: 1, In: 0}, // front down
		{Kind: theDisc, X: 2000, In: 0},
		{Kind: theDie, X: 2000, In: 0},
		{Kind: theKing, X: -2000, Y: 30, Angle: 9000, Face: 1, Group: 1, In: 1},
		{Kind: theKing, X: -2000, Y: 30, Angle: 9000, Face: 1, Group: 1, In: 1},
	}
	t.Run("T29 face down, in the place of the container, below it", func(t *testing.T) {
		if got := actingGame(t).Pieces; !slices.Equal(got, want) {
			t.Errorf("got\n%+v, want\n%+v", got, want)
		}
	})
}

// TestWhatIsWrongWithWhatAContainerHoldsIsSaid shows the line and the error of each fault in the
// contents of a container.
func TestWhatIsWrongWithWhatAContainerHoldsIsSaid(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{
			`["King", "King"]`, `["King", "Disc"]`,
			`line 22: piece 2: "Disc" does not go into "Deck"`,
		},
		{`["King", "King"]`, `["Back"]`, `line 22: piece 2: "Back" does not go into "Deck"`},
		{`["King", "Disc", "Die"]`, `["Hand"]`, `line 21: piece 1: "Hand" does not go into "Bag"`},
		{`["King", "Disc", "Die"]`, `["Bag"]`, `line 21: piece 1: "Bag" does not go into "Bag"`},
		{
			`["King", "Disc", "Die"]`, `["King",` + "\n" + `"Ace"]`,
			`line 22: piece 1: no kind "Ace"`,
		},
		{`["King", "Disc", "Die"]`, `[]`, `line 21: piece 1: holds has 0 entries, not 1 to 10000`},
		{
			`["King", "Disc", "Die"]`, `["King", 5]`,
			`line 21: piece 1: holds: entry 1: want a text or a deck, not a number`,
		},
		{`["King", "Disc", "Die"]`, `"King"`, `line 21: piece 1: holds: want an array, not a text`},
		{
			`"kind": "Disc", "x": 0, "y": 0`, `"kind": "Disc", "x": 0, "y": 0, "holds": ["Disc"]`,
			`line 20: piece 0: holds: "Disc" is not a container`,
		},
		{`"kind": "Disc", "x": 0, "y": 0`, `"kind": "Disc", "x": 0, "y": 0, "shuffled": true`,
			`line 20: piece 0: only what a container holds, or a stack, is shuffled`},
		{
			`"kind": "Disc", "x": 0, "y": 0`, `"stack": ["Bag"], "x": 0, "y": 0, "holds": ["Disc"]`,
			`line 20: piece 0: unknown field "holds"`,
		},
	} {
		t.Run(c.want, func(t *testing.T) { refused(t, c.old, c.new, c.want) })
	}
	t.Run("too many pieces", func(t *testing.T) {
		// With the disc, the bag, the deck and one disc more the table is full.
		many := strings.Repeat(`"Disc", `, MaxPieces-4)
		refused(t, `["King", "Disc", "Die"]`, "["+many+"\n"+`"Disc"]`,
			`line 23: piece 2: there are more than 10000 pieces`)
	})
}

// TestWhatIsNotAlikeIsNotShuffledInAContainer shows that pieces of different weight, secrecy or
// mask are not shuffled together.
func TestWhatIsNotAlikeIsNotShuffledInAContainer(t *testing.T) {
	const want = `line 21: piece 1: "Disc" and "King" cannot be shuffled together: weight, ` +
		`secrecy and mask must be the same`
	doc := strings.NewReplacer(`"random"`, `"top"`, `["King", "Disc", "Die"]`,
		`["Disc", "King"], "shuffled": true`).Replace(acting)
	if g, err := Parse([]byte(doc), pictures); err == nil || withoutColumn(err) != want || g != nil {
		t.Errorf("got game %v, error\n%v, want\n%s", g != nil, err, want)
	}
}

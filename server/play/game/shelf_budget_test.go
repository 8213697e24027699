package game

import (
	"io/fs"
	"os"
	"slices"
	"testing"
)

// The most bytes that a packed game of the shelf has, and the most that half of them have.
const (
	maxShelfGame    = 250 << 10
	medianShelfGame = 60 << 10
)

// toolBoxes are the games of the shelf that have no rules.
var toolBoxes = []string{"cards", "tokens"}

// TestShelfGamesAreComplete shows that each game of the shelf says what sort of game it is, for how
// many, how long it takes and what its rules are, that its set-ups fit its players, and that it is
// small.
func TestShelfGamesAreComplete(t *testing.T) {
	static := os.DirFS("../../../static")
	names, err := fs.Glob(static, "games/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no games: %v", err)
	}
	var sizes []int
	for _, name := range names {
		p, err := readFile(static, name, []fs.FS{static})
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.Bytes()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sizes = append(sizes, len(data))
		if len(data) > maxShelfGame {
			t.Errorf("%s has %d bytes when it is packed", name, len(data))
		}
		g := p.Game
		if g.Summary == "" {
			t.Errorf("%s has no summary", name)
		}
		if len(g.About.Genres) == 0 {
			t.Errorf("%s does not say what sort of game it is", name)
		}
		if slices.Contains(toolBoxes, g.ID) {
			continue
		}
		a := g.About
		if a.Players.Least == 0 || a.Minutes.Least == 0 || a.Rules.Data == nil {
			t.Errorf("%s does not say its players, minutes or rules", name)
		}
		if len(g.Seats) > 0 && len(g.Seats) < int(a.Players.Most) {
			t.Errorf("%s has %d seats for %d players", name, len(g.Seats), a.Players.Most)
		}
	}
	slices.Sort(sizes)
	if middle := sizes[len(sizes)/2]; middle > medianShelfGame {
		t.Errorf("half of the games have more than %d bytes", middle)
	}
	t.Logf("%d games; bytes of the packed files, in order: %d", len(sizes), sizes)
}

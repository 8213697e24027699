package game

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// How much room the name of a hand has above it, and to either side of its middle.
const (
	nameHigh = 200
	nameWide = 500
)

// TestShelfNamesOfHandsAreFree shows that, seen from the south, no heavy piece of a set-up covers
// the name of a hand, which stands at its upper edge.
func TestShelfNamesOfHandsAreFree(t *testing.T) {
	shelf, err := LoadShelf(os.DirFS("../../../static"))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range shelf.Games() {
		half := func(p *Placement) (w, h int32) {
			k := &g.Kinds[p.Kind]
			if w, h = k.Width/2, k.Height/2; p.Angle%18_000 == 9_000 {
				w, h = h, w
			}
			return w, h
		}
		for _, of := range g.AllSetups() {
			lies := func(p *Placement) bool {
				return p.In == NotIn && g.Kinds[p.Kind].Weight == "heavy" &&
					!slices.Contains(of.Without, p.Kind)
			}
			for i := range g.Pieces {
				hand := &g.Pieces[i]
				if !lies(hand) || !g.Kinds[hand.Kind].Hand {
					continue
				}
				_, up := half(hand)
				for n := range g.Pieces {
					p := &g.Pieces[n]
					if w, h := half(p); n > i && lies(p) && p.X-w < hand.X+nameWide &&
						p.X+w > hand.X-nameWide && p.Y-h < hand.Y-up && p.Y+h > hand.Y-up-nameHigh {
						t.Errorf("%s, %q: piece %d, %s, covers the name of the hand %d",
							g.ID, of.Name, n, g.Kinds[p.Kind].Name, i)
					}
				}
			}
		}
	}
}

// TestShelfSheetsAddUpPlayers shows that the score sheets of the shelf have a column for each
// player: a sheet adds up its columns.
func TestShelfSheetsAddUpPlayers(t *testing.T) {
	shelf, err := LoadShelf(os.DirFS("../../../static"))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range shelf.Games() {
		if g.ID == "map" { // it has the values of heroes, and no points
			continue
		}
		for _, column := range g.Sheet.Columns {
			if !slices.ContainsFunc(g.Seats, func(s Seat) bool {
				return strings.Contains(column, s.Name)
			}) {
				t.Errorf("%s: the column %q is that of no player", g.ID, column)
			}
		}
	}
}

package game

import (
	"os"
	"testing"
)

// labelWidth and labelHeight are about the size of the name of a hand or of what belongs to a seat,
// in units, on a page that shows the whole table.
const labelWidth, labelHeight = 800, 280

// TestLabelsAreFree shows that no light piece of a set-up covers the names of hands at poker, and
// nothing those of places at werewolf.
func TestLabelsAreFree(t *testing.T) {
	shelf, err := LoadShelf(os.DirFS("../../../static"))
	if err != nil {
		t.Fatal(err)
	}
	for id, atCorner := range map[string]bool{"poker": false, "werewolf": true} {
		g, ok := shelf.Game(id)
		if !ok {
			t.Fatalf("there is no %s", id)
		}
		var heavy []int // the heavy pieces, by their names from 1 on
		for i, p := range g.Pieces {
			if g.Kinds[p.Kind].Weight == "heavy" {
				heavy = append(heavy, i)
			}
		}
		for _, s := range g.Seats {
			named := []int{s.Hand}
			if atCorner {
				named = nil
				for _, name := range s.Pieces {
					named = append(named, heavy[name-1])
				}
			}
			for _, n := range named {
				x, y := labelOf(g, g.Pieces[n], atCorner)
				for i, p := range g.Pieces {
					k := &g.Kinds[p.Kind]
					if p.In != NotIn || i == n || k.Weight == "heavy" && (!atCorner || k.Hand) {
						continue
					}
					width, height := k.Width, k.Height
					if p.Angle%18_000 == 9_000 {
						width, height = height, width
					}
					if abs(p.X-x) < (width+labelWidth)/2 && abs(p.Y-y) < (height+labelHeight)/2 {
						t.Errorf("%s: a %s covers the name of %s", id, k.Name, s.Name)
					}
				}
			}
		}
	}
}

// labelOf returns the middle of the name of a piece, as its player sees it: that of its upper edge,
// or its upper left corner.
func labelOf(g *Game, p Placement, atCorner bool) (x, y int32) {
	k := &g.Kinds[p.Kind]
	dx, dy := int32(0), -k.Height/2
	if atCorner {
		dx = -k.Width / 2
	}
	for range p.Angle / 9000 {
		dx, dy = -dy, dx
	}
	return p.X + dx, p.Y + dy
}

package web

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"holt/server/play/game"
	"holt/templates"
)

// maxPictures bounds a preview: more cards of a pack side by side show nothing new.
const maxPictures = 80

// previewsOf draws each game of the shelf as it is set up.
func previewsOf(shelf *game.Shelf) []templates.GameView {
	games := shelf.Games()
	views := make([]templates.GameView, len(games))
	for i, g := range games {
		views[i] = templates.GameView{
			ID: g.ID, Name: g.Name, Summary: g.Summary, Preview: preview(g),
		}
	}
	return views
}

// preview draws what is visible of a table from afar. Of pieces of one size that lie nearly in the
// same place, as in a stack, it draws only the top one.
func preview(g *game.Game) templates.Preview {
	v := frame(g)
	var kept []game.Placement // from the top down
	for _, p := range slices.Backward(g.Pieces) {
		if len(kept) == maxPictures {
			break
		}
		if p.In != game.NotIn && !g.Kinds[p.Kind].Secret {
			continue // in a bag; of a deck the back of the uppermost card is visible
		}
		if !slices.ContainsFunc(kept, func(above game.Placement) bool {
			return covers(g, above, p)
		}) {
			kept = append(kept, p)
		}
	}
	for _, p := range slices.Backward(kept) {
		v.Pictures = append(v.Pictures, picture(g, p))
	}
	return v
}

// frame returns the part of the table that is worth showing: where the light pieces lie, and a
// margin. Its sides have the ratio 3 to 2, so that previews fit beside each other.
func frame(g *game.Game) templates.Preview {
	var left, right, top, bottom int32
	for _, p := range g.Pieces {
		k := g.Kinds[p.Kind]
		if k.Weight == "heavy" {
			continue
		}
		left, right = min(left, p.X-k.Width), max(right, p.X+k.Width)
		top, bottom = min(top, p.Y-k.Height), max(bottom, p.Y+k.Height)
	}
	width := max(right-left, (bottom-top)*3/2)
	if width == 0 {
		width = max(g.Width, g.Height*3/2)
	}
	height := width * 2 / 3
	return templates.Preview{
		X: int(left+right-width) / 2, Y: int(top+bottom-height) / 2, Width: int(width),
		Height: int(height), Surface: g.Surface,
	}
}

// covers reports whether above hides p from afar.
func covers(g *game.Game, above, p game.Placement) bool {
	a, b := g.Kinds[above.Kind], g.Kinds[p.Kind]
	near := min(a.Width, a.Height) / 10
	return a.Width == b.Width && a.Height == b.Height && above.Angle == p.Angle &&
		max(above.X-p.X, p.X-above.X) < near && max(above.Y-p.Y, p.Y-above.Y) < near
}

func picture(g *game.Game, p game.Placement) templates.Picture {
	k := g.Kinds[p.Kind]
	art := k.Faces[p.Face].Art
	pic := templates.Picture{
		URL: "/art/" + hashText(art),
		X:   int(p.X - k.Width/2), Y: int(p.Y - k.Height/2), Width: int(k.Width),
		Height: int(k.Height),
	}
	if p.Angle != 0 {
		pic.Turn = fmt.Sprintf("rotate(%s %d %d)",
			strconv.FormatFloat(float64(p.Angle)/100, 'g', -1, 64), p.X, p.Y)
	}
	return pic
}

func hashText[H ~[32]byte](h H) string { return hex.EncodeToString(h[:]) }

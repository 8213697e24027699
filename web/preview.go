package web

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"holt/server/game"
	"holt/templates"
)

// maxPictures bounds a preview: a pack of a hundred cards side by side says no more than sixty.
const maxPictures = 80

// previewsOf draws each game of the shelf as it is set up.
func previewsOf(shelf *game.Shelf) []templates.GameView {
	games := shelf.Games()
	views := make([]templates.GameView, len(games))
	for i, g := range games {
		views[i] = templates.GameView{ID: g.ID, Name: g.Name, Summary: g.Summary, Preview: preview(g)}
	}
	return views
}

// preview draws what can be seen of a table from afar: of pieces of one size that lie nearly in the same
// place, as in a stack, only the top one.
func preview(g *game.Game) templates.Preview {
	v := templates.Preview{
		X: int(-g.Width / 2), Y: int(-g.Height / 2), Width: int(g.Width), Height: int(g.Height), Surface: g.Surface,
	}
	var kept []game.Placement // from the top down
	for _, p := range slices.Backward(g.Pieces) {
		if len(kept) == maxPictures {
			break
		}
		if !slices.ContainsFunc(kept, func(above game.Placement) bool { return covers(g, above, p) }) {
			kept = append(kept, p)
		}
	}
	for _, p := range slices.Backward(kept) {
		v.Pictures = append(v.Pictures, picture(g, p))
	}
	return v
}

// covers reports whether of p nothing is seen from afar, because above lies on it.
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
		X:   int(p.X - k.Width/2), Y: int(p.Y - k.Height/2), Width: int(k.Width), Height: int(k.Height),
	}
	if p.Angle != 0 {
		pic.Turn = fmt.Sprintf("rotate(%s %d %d)", strconv.FormatFloat(float64(p.Angle)/100, 'g', -1, 64), p.X, p.Y)
	}
	return pic
}

func hashText[H ~[32]byte](h H) string { return hex.EncodeToString(h[:]) }

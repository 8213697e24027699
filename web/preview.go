package web

import (
	"encoding/hex"
	"fmt"
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

// preview draws what can be seen of a table: of pieces in exactly the same place only the top one.
func preview(g *game.Game) templates.Preview {
	v := templates.Preview{
		X: int(-g.Width / 2), Y: int(-g.Height / 2), Width: int(g.Width), Height: int(g.Height), Surface: g.Surface,
	}
	type spot struct{ x, y, angle, width, height int32 }
	top := map[spot]int{} // the index of the topmost piece of a spot
	spotOf := func(p game.Placement) spot {
		k := g.Kinds[p.Kind]
		return spot{p.X, p.Y, p.Angle, k.Width, k.Height}
	}
	for i, p := range g.Pieces {
		top[spotOf(p)] = i
	}
	for i, p := range g.Pieces {
		if top[spotOf(p)] != i || len(v.Pictures) == maxPictures {
			continue
		}
		v.Pictures = append(v.Pictures, picture(g, p))
	}
	return v
}

func picture(g *game.Game, p game.Placement) templates.Picture {
	k := g.Kinds[p.Kind]
	// What is dealt out at random shows nothing that is known beforehand but its back.
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

package web

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"holt/server/play/game"
	"holt/server/tables/library"
	"holt/server/tables/room"
	"holt/templates"
)

// maxPictures bounds a preview: more cards of a pack side by side show nothing new.
const maxPictures = 80

// previewsOf returns the games of the shelf as pages show them.
func previewsOf(shelf *game.Shelf, art *artShelf) []templates.GameView {
	games := shelf.Games()
	views := make([]templates.GameView, len(games))
	for i, g := range games {
		setups := library.SetupsOf(g)
		players := span(g.About.Players)
		views[i] = templates.GameView{
			ID: g.ID, Name: g.Name, Summary: g.Summary,
			Picture: "/art/" + hashText(art.previews[g.ID]),
			Setups:  setupViews(nil, setups),
			Words:   strings.Join(g.About.Words, " "),
			Genres:  g.About.Genres, Players: players, Minutes: span(g.About.Minutes),
			Fits: fits(players, setups),
		}
	}
	return views
}

// fits returns for how many players a game or one of its set-ups is.
func fits(players [2]int32, setups []library.Setup) (all [][2]int32) {
	for _, of := range append([]library.Setup{{Players: players}}, setups...) {
		if of.Players[1] > 0 && !slices.Contains(all, of.Players) {
			all = append(all, of.Players)
		}
	}
	return all
}

// previewFile draws a game from afar as an SVG that needs nothing else (G19.6). A page fetches it
// when it comes into sight. Each picture is in it once.
func previewFile(g *game.Game) []byte {
	v := preview(g)
	var defs, body bytes.Buffer
	numbers := map[templates.Picture]int{} // of what stands in defs
	for _, p := range v.Pictures {
		if p.Colour != "" {
			fmt.Fprintf(&body, `<rect x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s"%s/>`,
				p.X, p.Y, p.Width, p.Height, p.Radius, p.Colour, turned(p.Turn))
			continue
		}
		look := templates.Picture{URL: p.URL, Width: p.Width, Height: p.Height}
		n, ok := numbers[look]
		if !ok {
			n = len(numbers)
			numbers[look] = n
			hash, _ := game.ParseHash(strings.TrimPrefix(p.URL, "/art/"))
			fmt.Fprintf(&defs, `<image id="i%d" width="%d" height="%d" `+
				`preserveAspectRatio="none" href="%s"/>`, n, p.Width, p.Height, dataURL(g.Art[hash]))
		}
		fmt.Fprintf(&body, `<use href="#i%d" x="%d" y="%d"%s/>`, n, p.X, p.Y, turned(p.Turn))
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" `+
		`width="300" height="200"><defs>%s</defs><rect x="%[1]d" y="%[2]d" width="%[3]d" `+
		`height="%[4]d" fill="%[6]s"/>%[7]s</svg>`,
		v.X, v.Y, v.Width, v.Height, defs.Bytes(), templates.SurfaceFill(v.Surface), body.Bytes())
}

// turned returns the attribute of a picture that is turned.
func turned(turn string) string {
	if turn == "" {
		return ""
	}
	return ` transform="` + turn + `"`
}

// inURL escapes what means something in a URL, or is dropped there, and then what means something
// in an attribute of XML. SVG stays text, which is compressed better than base64.
var inURL = strings.NewReplacer(
	"%", "%25", "#", "%23", "\n", "%0A", "\r", "%0D", "\t", "%09",
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
)

// dataURL returns a picture as a URL that contains it, for an attribute.
func dataURL(art game.Art) string {
	if art.Type == "image/svg+xml" {
		return "data:image/svg+xml," + inURL.Replace(string(art.Data))
	}
	return "data:" + art.Type + ";base64," + base64.StdEncoding.EncodeToString(art.Data)
}

// preview draws what a game says that its picture shows, or else what is visible of its table from
// afar. Of pieces of one size that lie nearly in the
// same place, as in a stack, it draws only the top one.
func preview(g *game.Game) templates.Preview {
	if of := &g.Picture; of.Width > 0 {
		width, height := int(of.Width), int(of.Width)*2/3
		v := templates.Preview{
			X: -width / 2, Y: -height / 2, Width: width, Height: height, Surface: g.Surface,
		}
		for _, p := range of.Pieces {
			v.Pictures = append(v.Pictures, picturesOf(g, p)...)
		}
		return v
	}
	v := frame(g)
	var kept []game.Placement // from the top down
	for _, p := range slices.Backward(g.Pieces) {
		if len(kept) == maxPictures {
			break
		}
		if p.In != game.NotIn && !g.Kinds[p.Kind].Secret || slices.Contains(g.First.Without, p.Kind) {
			continue // in a bag; of a deck the back of the uppermost card is visible
		}
		if isBlank(g, p) {
			continue
		}
		if !slices.ContainsFunc(kept, func(above game.Placement) bool {
			return covers(g, above, p)
		}) {
			kept = append(kept, p)
		}
	}
	for _, p := range slices.Backward(kept) {
		v.Pictures = append(v.Pictures, picturesOf(g, p)...)
	}
	return v
}

// shapes are the elements of SVG that can be seen.
var shapes = regexp.MustCompile(`<(path|rect|circle|ellipse|line|poly|use|text|image)`)

// isBlank reports whether nothing is seen of a piece, such as a field that nobody has marked.
func isBlank(g *game.Game, p game.Placement) bool {
	face := g.Kinds[p.Kind].Faces[p.Face]
	art := g.Art[face.Art]
	return face.Layers == nil && art.Type == "image/svg+xml" && !shapes.Match(art.Data)
}

// frame returns the part of the table that is worth showing: where the light pieces, the boards and
// the zones lie, and a margin; if there are none, the whole table. Its sides have the ratio 3 to 2,
// so that previews fit beside each other.
func frame(g *game.Game) templates.Preview {
	var left, right, top, bottom int32
	for _, p := range g.Pieces {
		k := &g.Kinds[p.Kind]
		board := k.Grid.Columns > 0 || len(k.Snaps.Points) > 0 || k.Zone.Lay != ""
		if k.Weight == "heavy" && (!board || k.Hand) || slices.Contains(g.First.Without, p.Kind) {
			continue
		}
		across, down := k.Width, k.Height // a margin of half a piece
		if k.Weight == "heavy" {
			across, down = k.Width/2+boardMargin, k.Height/2+boardMargin
		}
		if p.Angle%18_000 == 9_000 {
			across, down = down, across
		}
		left, right = min(left, p.X-across), max(right, p.X+across)
		top, bottom = min(top, p.Y-down), max(bottom, p.Y+down)
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

// boardMargin is how much of the table a preview shows beside a board, in table units.
const boardMargin = 200

// covers reports whether above hides p from afar.
func covers(g *game.Game, above, p game.Placement) bool {
	a, b := g.Kinds[above.Kind], g.Kinds[p.Kind]
	near := min(a.Width, a.Height) / 10
	return a.Width == b.Width && a.Height == b.Height && above.Angle == p.Angle &&
		max(above.X-p.X, p.X-above.X) < near && max(above.Y-p.Y, p.Y-above.Y) < near
}

// picturesOf returns what a piece looks like: of a face with layers, only the pictures and the
// areas of one colour. Letters cannot be read from afar.
func picturesOf(g *game.Game, p game.Placement) (all []templates.Picture) {
	k := g.Kinds[p.Kind]
	turn := ""
	if angle := k.DrawnAt(p.Angle); angle != 0 {
		turn = fmt.Sprintf("rotate(%s %d %d)",
			strconv.FormatFloat(float64(angle)/100, 'g', -1, 64), p.X, p.Y)
	}
	add := func(url, colour string, x, y, width, height int32) {
		all = append(all, templates.Picture{
			URL: url, Colour: colour, X: int(p.X - k.Width/2 + x), Y: int(p.Y - k.Height/2 + y),
			Width: int(width), Height: int(height), Turn: turn,
		})
		if k.Shape == "round" && width == k.Width && height == k.Height {
			all[len(all)-1].Radius = int(width) / 2
		}
	}
	face := k.Faces[p.Face]
	if face.Layers == nil {
		add("/art/"+hashText(face.Art), "", 0, 0, k.Width, k.Height)
	}
	for i := range face.Layers {
		l := &face.Layers[i]
		x, y, width, height := l.X, l.Y, l.Width, l.Height
		if width == 0 {
			width, height = k.Width, k.Height
		}
		switch {
		case l.What == "art" && l.Art != room.Hash{}:
			add("/art/"+hashText(l.Art), "", x, y, width, height)
		case l.What == "colour" && l.Colour != "":
			add("", l.Colour, x, y, width, height)
		}
	}
	return all
}

func hashText[H ~[32]byte](h H) string { return hex.EncodeToString(h[:]) }

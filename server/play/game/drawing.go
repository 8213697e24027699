package game

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// colours are those of the surfaces, and of their edges, in the light look of the page.
var colours = map[string][2]string{
	"felt": {"#2f6a55", "#275a48"}, "wood": {"#c08d5c", "#9c714a"},
	"slate": {"#474f57", "#2f363c"}, "paper": {"#efe6d3", "#cfc4ac"},
}

// ink is the colour of letters.
const ink = "#2c221a"

// Drawing returns a picture of the table at the start of the game, as an SVG that needs nothing
// else and runs nothing. 0 is the first set-up, others follow in the order of Setups. Pieces lie as
// the file says, also where they are shuffled at a table. What lies in a container is not seen.
func (g *Game) Drawing(setup int) []byte {
	of, title := g.AllSetups()[setup], g.Name
	if of.Name != "" {
		title += ": " + of.Name
	}
	d := picture{g: g, looks: map[look]int{}}
	for _, p := range g.PiecesOf(&of) {
		if p.In == NotIn {
			d.piece(p)
		}
	}
	surface := colours[g.Surface]
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" `+
		`width="%d" height="%d" font-family="sans-serif" text-anchor="middle">`+"\n",
		-g.Width/2, -g.Height/2, g.Width, g.Height, g.Width/5, g.Height/5)
	fmt.Fprintf(&out, "<title>%s</title>\n", escaped(title))
	fmt.Fprintf(&out, "<defs>\n%s</defs>\n", d.defs.Bytes())
	fmt.Fprintf(&out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" stroke="%s" `+
		`stroke-width="60"/>`+"\n",
		-g.Width/2, -g.Height/2, g.Width, g.Height, surface[0], surface[1])
	out.Write(d.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// picture is a drawing of a table that is being made.
type picture struct {
	g          *Game
	defs, body bytes.Buffer
	looks      map[look]int // the numbers of what stands in defs
}

// look is what pieces look like: a face of a kind.
type look struct{ kind, face int }

// piece draws a piece above those that were drawn before.
func (d *picture) piece(p Placement) {
	k := &d.g.Kinds[p.Kind]
	angle := k.DrawnAt(p.Angle)
	fmt.Fprintf(&d.body, `<g transform="translate(%d %d) rotate(%s)"><title>%s</title>`+
		`<use href="#k%d"/>`, p.X, p.Y, degrees(angle), escaped(k.Faces[p.Face].Name),
		d.look(look{p.Kind, p.Face}))
	for _, area := range k.inscribed() {
		lines := strings.Split(k.inscription(), "\n")
		longest := int32(1)
		for _, line := range lines {
			longest = max(longest, int32(utf8.RuneCountInString(line))) //nolint:gosec // bounded
		}
		// A digit is about 0.6 as wide as it is high. The text stands upright, like on the page.
		n := int32(len(lines)) //nolint:gosec // bounded
		size := min(area.Height*9/10/n, area.Width*10/6/longest)
		if size < 1 {
			continue
		}
		colour := ink
		if k.Clock.Sides() > 0 { // its digits are lit
			colour = "#e9dcc0"
		}
		fmt.Fprintf(&d.body, `<g transform="translate(%d %d) rotate(%s)" font-size="%d" `+
			`fill="%s">`, area.X+area.Width/2-k.Width/2, area.Y+area.Height/2-k.Height/2,
			degrees((FullTurn-angle)%FullTurn), size, colour)
		// The middle of the digits is about 0.35 above the line on which they stand.
		y := size*35/100 - size*(n-1)/2
		for _, line := range lines {
			fmt.Fprintf(&d.body, `<text y="%d">%s</text>`, y, escaped(line))
			y += size
		}
		d.body.WriteString("</g>")
	}
	d.body.WriteString("</g>\n")
}

// look returns the number of a look in the defs of the picture, which has each only once.
func (d *picture) look(l look) int {
	n, ok := d.looks[l]
	if ok {
		return n
	}
	n = len(d.looks)
	d.looks[l] = n
	k := &d.g.Kinds[l.kind]
	x, y := -k.Width/2, -k.Height/2
	radius := int32(0) // of the corners
	if k.Faces[l.face].Layers != nil {
		radius = 1 // layers may reach beyond the piece
	}
	switch k.Shape {
	case "round":
		radius = k.Width / 2
	case "card":
		radius = min(k.Width, k.Height) * 55 / 1000
	}
	clip := ""
	if radius > 0 {
		clip = fmt.Sprintf(` clip-path="url(#c%d)"`, n)
		fmt.Fprintf(&d.defs, `<clipPath id="c%d"><rect x="%d" y="%d" width="%d" height="%d" `+
			`rx="%d"/></clipPath>`, n, x, y, k.Width, k.Height, radius)
	}
	if layers := k.Faces[l.face].Layers; layers != nil {
		fmt.Fprintf(&d.defs, `<g id="k%d"%s>`, n, clip)
		for i := range layers {
			d.defs.WriteString(d.layer(k, &layers[i], x, y))
		}
		d.defs.WriteString("</g>\n")
		return n
	}
	art := d.g.Art[k.Faces[l.face].Art]
	fmt.Fprintf(&d.defs, `<image id="k%d" x="%d" y="%d" width="%d" height="%d" `+
		`preserveAspectRatio="none"%s href="data:%s;base64,%s"/>`+"\n",
		n, x, y, k.Width, k.Height, clip, art.Type, base64.StdEncoding.EncodeToString(art.Data))
	return n
}

// inscribed returns the rectangles of a kind in which something is written.
func (k *Kind) inscribed() []Display {
	switch {
	case k.Clock.Sides() > 0:
		return k.Clock.Displays
	case k.Counter.Counts, k.Currency > 0, k.Text.Written:
		return []Display{k.Display}
	}
	return nil
}

// inscription returns what is written on a new.
func (k *Kind) inscription() string {
	switch {
	case k.Clock.Sides() > 0:
		seconds := k.Clock.Initial / 1000
		return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	case k.Counter.Counts:
		return fmt.Sprint(k.Counter.Initial)
	case k.Currency > 0:
		return fmt.Sprint(k.Currency)
	default:
		return k.Text.Initial
	}
}

// degrees writes an angle that is given in hundredths of a degree.
func degrees(angle int32) string {
	return strings.TrimSuffix(fmt.Sprintf("%d.%02d", angle/100, angle%100), ".00")
}

func escaped(text string) []byte {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // a buffer takes everything
	return out.Bytes()
}

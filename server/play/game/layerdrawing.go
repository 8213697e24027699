package game

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// fits are what SVG calls the fit of a picture.
var fits = map[string]string{"": "xMidYMid meet", "cover": "xMidYMid slice", "fill": "none"}

// anchors are what SVG calls the ends of lines that stand at the same place.
var anchors = map[string]string{"left": "start", "": "middle", "right": "end"}

// Letters are drawn without a font to measure them: a letter is about so wide, and a line so far
// from the next one, in hundredths of the size of letters.
const (
	letterWidth = 55
	lineHeight  = 120
)

// layer draws a layer of a kind whose upper left corner is at x, y.
func (d *picture) layer(k *Kind, l *Layer, x, y int32) string {
	width, height := k.Width, k.Height
	if l.Width > 0 {
		x, y, width, height = x+l.X, y+l.Y, l.Width, l.Height
	}
	drawn := ""
	switch art, ok := d.g.Art[l.Art]; {
	case l.What == "text":
		drawn = l.letters(x, y, width, height)
	case l.What == "art" && ok:
		drawn = fmt.Sprintf(`<image x="%d" y="%d" width="%d" height="%d" preserveAspectRatio="%s" `+
			`href="data:%s;base64,%s"/>`, x, y, width, height, fits[l.Fit], art.Type,
			base64.StdEncoding.EncodeToString(art.Data))
	case l.What == "colour" && l.Colour != "":
		drawn = fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d" fill=%q/>`, x, y, width,
			height, l.Colour) // #rrggbb
	}
	if drawn != "" && l.Angle != 0 {
		return fmt.Sprintf(`<g transform="rotate(%s %d %d)">%s</g>`, degrees(l.Angle), x+width/2,
			y+height/2, drawn)
	}
	return drawn
}

// letters draws the text of a layer as large as fits into a place, or as its size says.
func (l *Layer) letters(x, y, width, height int32) string {
	size := height * 100 / lineHeight
	if l.Size > 0 {
		size = min(size, l.Size)
	}
	lines := broken(l.Text, width*100/letterWidth/max(size, 1))
	for size > MinSize && !fitsInto(lines, size, width, height) {
		size--
		lines = broken(l.Text, width*100/letterWidth/size)
	}
	if len(lines) == 0 {
		return ""
	}
	n := int32(len(lines)) //nolint:gosec // bounded
	high := n * size * lineHeight / 100
	switch l.Place {
	case "bottom":
		y += height - high
	case "":
		y += (height - high) / 2
	}
	switch l.Align {
	case "right":
		x += width
	case "":
		x += width / 2
	}
	colour := l.Colour
	if colour == "" {
		colour = ink
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<g fill="%s" font-size="%d" text-anchor="%s"`, colour, size, anchors[l.Align])
	if l.Serif {
		out.WriteString(` font-family="serif"`)
	}
	if l.Bold {
		out.WriteString(` font-weight="bold"`)
	}
	if l.Italic {
		out.WriteString(` font-style="italic"`)
	}
	out.WriteString(">")
	for _, line := range lines {
		// The middle of the letters is about 0.34 above the line on which they stand.
		foot := y + size*lineHeight/200 + size*34/100
		y += size * lineHeight / 100
		fmt.Fprintf(&out, `<text x="%d" y="%d">%s</text>`, x, foot, escaped(line))
	}
	out.WriteString("</g>")
	return out.String()
}

// fitsInto reports whether lines of letters of a size fit into a place.
func fitsInto(lines []string, size, width, height int32) bool {
	if int32(len(lines))*size*lineHeight/100 > height { //nolint:gosec // bounded
		return false
	}
	for _, line := range lines {
		if int32(utf8.RuneCountInString(line))*size*letterWidth/100 > width { //nolint:gosec // bounded
			return false
		}
	}
	return true
}

// broken breaks a text at its line breaks, and at spaces into lines of at most so many letters.
func broken(text string, most int32) (lines []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for i, word := range strings.Split(paragraph, " ") {
			longer := line + " " + word
			switch {
			case i == 0:
				line = word
			case int32(utf8.RuneCountInString(longer)) <= most: //nolint:gosec // bounded
				line = longer
			default:
				lines, line = append(lines, line), word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

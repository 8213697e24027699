package game

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of layers (docs/guides/games.md).
const (
	MaxLayers      = 32     // of one face
	MaxLayersTotal = 40_000 // of all faces of all kinds
	MaxLayerText   = 1_000  // characters
	maxOffset      = 20_000 // how far from the corner of the piece a layer begins, each way
	maxLetters     = 5_000  // the height of letters, in table units
)

// Layer is a part of a face: a picture, a text or an area of one colour. A face shows its layers on
// top of each other, the first one at the bottom, and only within the shape of the piece.
type Layer struct {
	// What is it: "art", "text" or "colour".
	What string
	// Art is the picture of an "art"; zero if it has none.
	Art [sha256.Size]byte
	// Text is that of a "text", of one or more lines. It may be empty.
	Text string
	// Colour is that of an area, or of the letters of a text: "#rrggbb". It is empty for an area
	// that is not drawn, and for letters in the colour of ink.
	Colour string
	// X, Y, Width and Height are its place on the piece at angle 0, from the upper left corner. All
	// are zero if it fills the piece.
	X, Y, Width, Height int32
	Angle               int32  // about the middle of its place, in hundredths of a degree, clockwise
	Fit                 string // of a picture: "cover", "fill", or "" to show all of it as it is
	Size                int32  // the most that letters are high; 0: as high as the place allows
	Align               string // of lines: "left", "right", or "" in the middle
	Place               string // of all lines: "top", "bottom", or "" in the middle
	Serif, Bold, Italic bool   // of letters
}

// kindsOfLayer are the fields of which each layer has one. Letters may have a colour, too, so the
// text comes first.
var kindsOfLayer = [...]string{"text", "art", "colour"}

// layerFields has the fields that layers of a kind may have beside those that all have.
var layerFields = map[string][]string{
	"art":    {"art", "fit"},
	"text":   {"text", "size", "colour", "align", "place", "font", "bold", "italic"},
	"colour": {"colour"},
}

// readFace reads a face, which has art or layers. art returns the hash for the field art of an
// object.
func readFace(
	r *reader, v value, where string, art func(o object) [sha256.Size]byte,
) Face {
	o := r.object(v, where, "name", "art", "layers")
	f := Face{Name: o.text("name", MaxName)}
	switch {
	case r.err != nil: // art may be costly: skip it in a document with an error
	case o.has("layers") && o.has("art"):
		o.fail(o.get("layers"), "a face has art or layers, not both")
	case !o.has("layers"):
		f.Art = art(o)
	default:
		for i, v := range o.list("layers", 1, MaxLayers) {
			f.Layers = append(f.Layers, readLayer(r, v, fmt.Sprintf("%s: layer %d", where, i), art))
		}
		if r.layers += len(f.Layers); r.layers > MaxLayersTotal {
			o.fail(o.get("layers"), "the faces up to here have more than %d layers", MaxLayersTotal)
		}
	}
	return f
}

func readLayer(r *reader, v value, where string, art func(o object) [sha256.Size]byte) Layer {
	what := ""
	for _, field := range kindsOfLayer {
		if _, ok := v.members[field]; ok {
			what = field
			break
		}
	}
	fields := append([]string{"x", "y", "width", "height", "angle"}, layerFields[what]...)
	o := r.object(v, where, fields...)
	l := Layer{What: what, Angle: o.optional("angle", 0, FullTurn-1)}
	if o.has("x") || o.has("y") || o.has("width") || o.has("height") {
		l.X, l.Y = o.optional("x", -maxOffset, maxOffset), o.optional("y", -maxOffset, maxOffset)
		l.Width = o.integer("width", MinSize, MaxSize)
		l.Height = o.integer("height", MinSize, MaxSize)
	}
	switch what {
	case "":
		o.fail(v, "a layer has one of text, art or colour")
	case "art":
		l.Fit = o.either("fit", "contain", "cover", "fill")
		if picture, ok := o.want("art", aText); ok && picture.text != "" && r.err == nil {
			l.Art = art(o)
		}
	case "text":
		text, _ := o.want("text", aText)
		if err := checkLayerText(text.text); err != nil {
			o.fail(text, "text: %w", err)
		}
		l.Text = text.text
		if o.has("size") {
			l.Size = o.integer("size", MinSize, maxLetters)
		}
		l.Align = o.either("align", "centre", "left", "right")
		l.Place = o.either("place", "middle", "top", "bottom")
		l.Serif = o.either("font", "sans", "serif") != ""
		l.Bold, l.Italic = o.boolean("bold"), o.boolean("italic")
	}
	if v := o.get("colour"); v.kind == aText && v.text == "" {
		return l
	}
	if o.has("colour") {
		o.colour("colour")
		l.Colour = o.get("colour").text
	}
	return l
}

// eachFace changes the faces and layers of a kind, of which only the members may be changed. change
// returns what stands in the place of a face or a layer, and gets the names of its leaves.
func eachFace(kind value, change func(of value, leaves ...string) value) {
	faces, ok := kind.members["faces"]
	if !ok {
		return
	}
	faces.items = slices.Clone(faces.items)
	for i, face := range faces.items {
		face = change(face, "name", "art")
		if layers, ok := face.members["layers"]; ok {
			layers.items = slices.Clone(layers.items)
			for j, layer := range layers.items {
				layers.items[j] = change(layer, "text", "art", "colour")
			}
			face.members["layers"] = layers
		}
		faces.items[i] = face
	}
	kind.members["faces"] = faces
}

// either returns a text that must be one of those given, and "" if it is the first of them or is
// missing.
func (o object) either(name, usual string, others ...string) string {
	if !o.has(name) {
		return ""
	}
	if chosen := o.choice(name, append(others, usual)...); chosen != usual {
		return chosen
	}
	return ""
}

// checkLayerText returns what is wrong with a text on a face.
func checkLayerText(text string) error {
	switch n := utf8.RuneCountInString(text); {
	case n > MaxLayerText:
		return fmt.Errorf("it has %d characters, more than %d", n, MaxLayerText)
	case strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && c != '\n' }):
		return fmt.Errorf("%q has a control character", text)
	}
	return nil
}

// Pictures returns the hashes of all art of kinds, each once, in the order in which the kinds name
// it first: face by face, and of a face with layers from the lowest one up.
func Pictures(kinds []Kind) (all [][sha256.Size]byte) {
	seen := map[[sha256.Size]byte]bool{{}: true} // a layer without a picture has the zero hash
	add := func(hash [sha256.Size]byte) {
		if !seen[hash] {
			seen[hash] = true
			all = append(all, hash)
		}
	}
	for i := range kinds {
		for _, f := range kinds[i].Faces {
			add(f.Art)
			for j := range f.Layers {
				add(f.Layers[j].Art)
			}
		}
	}
	return all
}

// catalogFace and catalogLayer are the forms of faces and layers in catalogues
// (docs/protocol/http.md). The order of the fields is their order in the bytes, which have a hash.
// It must never change. A leaf is a text, or in a template the number of a value.
type (
	catalogFace struct {
		Name   leaf           `json:"name"`
		Art    leaf           `json:"art,omitempty"`
		Layers []catalogLayer `json:"layers,omitempty"`
	}
	catalogLayer struct {
		Art    leaf   `json:"art,omitempty"`
		Text   leaf   `json:"text,omitempty"`
		Colour leaf   `json:"colour,omitempty"`
		X      int32  `json:"x,omitempty"`
		Y      int32  `json:"y,omitempty"`
		Width  int32  `json:"width,omitempty"`
		Height int32  `json:"height,omitempty"`
		Angle  int32  `json:"angle,omitempty"`
		Fit    string `json:"fit,omitempty"`
		Size   int32  `json:"size,omitempty"`
		Align  string `json:"align,omitempty"`
		Place  string `json:"place,omitempty"`
		Font   string `json:"font,omitempty"`
		Bold   bool   `json:"bold,omitempty"`
		Italic bool   `json:"italic,omitempty"`
	}
	leaf any
)

func (f *Face) catalog() catalogFace {
	c := catalogFace{Name: f.Name}
	if f.Layers == nil {
		c.Art = hex.EncodeToString(f.Art[:])
		return c
	}
	for i := range f.Layers {
		c.Layers = append(c.Layers, f.Layers[i].catalog())
	}
	return c
}

func (l *Layer) catalog() catalogLayer {
	c := catalogLayer{
		X: l.X, Y: l.Y, Width: l.Width, Height: l.Height, Angle: l.Angle, Fit: l.Fit, Size: l.Size,
		Align: l.Align, Place: l.Place, Bold: l.Bold, Italic: l.Italic,
	}
	if l.Serif {
		c.Font = "serif"
	}
	switch l.What {
	case "art":
		c.Art = ""
		if l.Art != [sha256.Size]byte{} {
			c.Art = hex.EncodeToString(l.Art[:])
		}
	case "text":
		c.Text = l.Text
		if l.Colour != "" {
			c.Colour = l.Colour
		}
	default:
		c.Colour = l.Colour
	}
	return c
}

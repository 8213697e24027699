package game

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

// drawing puts inside into an svg element with the prefix xlink.
func drawing(inside string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" ` +
		`xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1">` + inside + `</svg>`
}

// TestArtThatIsSafeIsTaken shows which SVG is accepted.
func TestArtThatIsSafeIsTaken(t *testing.T) {
	for name, svg := range map[string]string{
		"shapes": drawing(`<g fill="red"><circle r="1"/><path d="M0 0h1"/></g>`),
		"a declaration": `<?xml version="1.0" encoding="UTF-8"?>` + "\n<!-- drawn by hand -->\n" +
			drawing(""),
		"gradients": drawing(
			`<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)"/>`,
		),
		"quoted": drawing(
			`<clipPath id="a"/><rect clip-path="url('#a')" style="fill: url( &quot;#a&quot; ) red"/>`,
		),
		"use": drawing(
			`<path id="p" d="M0 0"/><use href="#p"/><use xlink:href="#p" x="5"/>`,
		),
		"a prefix": `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect/></s:svg>`,
		"names and text": drawing(
			`<title>On &amp; off</title><desc>javascript: is only a word here</desc><text>url(x)</text>`,
		),
		"a missing id":   drawing(`<rect fill="url(#nobody)"/>`),
		"space and lang": drawing(`<text xml:space="preserve" xml:lang="en">a</text>`),
		"filters": drawing(
			`<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#f)"/>`,
		),
		"spaces in front": "\n " + drawing(""),
	} {
		t.Run(name, func(t *testing.T) {
			art, err := CheckArt([]byte(svg))
			if err != nil || art.Type != "image/svg+xml" || string(art.Data) != svg {
				t.Errorf("type %q, error %v", art.Type, err)
			}
		})
	}
}

// TestArtThatCouldRunOrFetchIsRefused shows that SVG with scripts, events, animated links or
// references to other files is refused.
func TestArtThatCouldRunOrFetchIsRefused(t *testing.T) {
	laughs := `<g id="a0"><rect/></g>`
	for i := range 30 {
		laughs += strings.NewReplacer(
			"NEXT", string(rune('b'+i)), "LAST", string(rune('a'+i)),
		).Replace(`<g id="NEXT0"><use href="#LAST0"/><use href="#LAST0"/></g>`)
	}
	for name, svg := range map[string]string{
		"script": drawing(`<script>alert(1)</script>`),
		"script, prefixed": `<svg xmlns="http://www.w3.org/2000/svg" ` +
			`xmlns:x="http://www.w3.org/2000/svg"><x:script/></svg>`,
		"script of HTML":     drawing(`<script xmlns="http://www.w3.org/1999/xhtml"/>`),
		"script, undeclared": `<svg xmlns="http://www.w3.org/2000/svg"><svg:script/></svg>`,
		"foreignObject":      drawing(`<foreignObject/>`),
		"HTML inside":        drawing(`<body xmlns="http://www.w3.org/1999/xhtml"/>`),
		"style sheet":        drawing(`<style>@import "//example.org/a.css"</style>`),
		"image":              drawing(`<image href="https://example.org/a.png"/>`),
		"link":               drawing(`<a href="#x"><rect/></a>`),
		"animation of a link": drawing(
			`<use href="#a"><set attributeName="href" to="data:,"/></use>`,
		),
		"event":                   drawing(`<rect onclick="alert(1)"/>`),
		"event, in capitals":      drawing(`<rect ONLOAD="alert(1)"/>`),
		"event of the root":       `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
		"use of another file":     drawing(`<use href="a.svg#b"/>`),
		"use of data":             drawing(`<use xlink:href="data:image/svg+xml,x#b"/>`),
		"use of nothing":          drawing(`<use href=""/>`),
		"fill from elsewhere":     drawing(`<rect fill="url(https://example.org/a.svg#b)"/>`),
		"style from elsewhere":    drawing(`<rect style="fill:URL('//example.org/a#b')"/>`),
		"one url good, one bad":   drawing(`<rect style="fill:url(#a);stroke:url(b#c)"/>`),
		"escaped url":             drawing(`<rect style="fill:u\72l(//example.org)"/>`),
		"commented url":           drawing(`<rect style="fill:url/**/(//example.org)"/>`),
		"image-set":               drawing(`<rect style="mask:image-set('//example.org/a' 1x)"/>`),
		"javascript":              drawing(`<rect fill="javascript:alert(1)"/>`),
		"xml:base":                drawing(`<g xml:base="https://example.org/"/>`),
		"xlink:actuate":           drawing(`<g xlink:actuate="onLoad"/>`),
		"attribute of an editor":  drawing(`<g xmlns:e="urn:editor" e:export="C:/me"/>`),
		"DOCTYPE":                 `<!DOCTYPE svg>` + drawing(""),
		"entities":                `<!DOCTYPE svg [<!ENTITY a "b">]>` + drawing("&a;"),
		"unknown entity":          drawing("&nbsp;"),
		"style sheet instruction": `<?xml-stylesheet href="a.css"?>` + drawing(""),
		"late declaration":        drawing(`<?xml version="1.0"?>`),
		"another encoding":        `<?xml version="1.0" encoding="UTF-7"?>` + drawing(""),
		"not UTF-8":               drawing("\xff"),
		"no namespace":            `<svg><rect/></svg>`,
		"HTML":                    `<html xmlns="http://www.w3.org/1999/xhtml"/>`,
		"another root":            `<g xmlns="http://www.w3.org/2000/svg"/>`,
		"two roots":               drawing("") + drawing(""),
		"text behind":             drawing("") + "x",
		"not closed":              `<svg xmlns="http://www.w3.org/2000/svg"><g>`,
		"closed crosswise":        drawing(`<g><defs></g></defs>`),
		"nothing but a comment":   `<!-- -->`,
		"the same id twice":       drawing(`<g id="a"/><g id="a"/>`),
		"an attribute twice":      drawing(`<g fill="a" fill="b"/>`),
		"too deep": drawing(strings.Repeat("<g>",
			100) + strings.Repeat("</g>", 100)),
		"draws itself": drawing(`<g id="a"><use href="#a"/></g>`),
		"two draw each other": drawing(
			`<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>`,
		),
		"a billion elements": drawing(laughs),
		"too many elements":  drawing(strings.Repeat("<g/>", maxSVGDrawn)),
		"too large":          drawing(strings.Repeat(" ", MaxArt)),
	} {
		t.Run(name, func(t *testing.T) {
			if art, err := CheckArt([]byte(svg)); err == nil || art.Type != "" {
				t.Error("taken")
			}
		})
	}
}

// TestArtIsWhatItsBytesSay shows that the type of art follows from its bytes, and which bytes are
// refused.
func TestArtIsWhatItsBytesSay(t *testing.T) {
	encoded := func(write func(*bytes.Buffer, image.Image) error, w, h int) []byte {
		var b bytes.Buffer
		if err := write(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	asPNG := func(b *bytes.Buffer, m image.Image) error { return png.Encode(b, m) }
	asJPEG := func(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) }
	webp := func(chunk string, body ...byte) []byte {
		b := append([]byte("RIFF\x00\x00\x00\x00WEBP"+chunk), 0, 0, 0, 0)
		return append(b, append(body, make([]byte, 10)...)...)
	}
	lossless := func(w, h uint32) []byte {
		return webp("VP8L", binary.LittleEndian.AppendUint32([]byte{0x2f}, (w-1)|(h-1)<<14)...)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string // empty: refused
	}{
		{"PNG", encoded(asPNG, 3, 2), "image/png"},
		{"JPEG", encoded(asJPEG, 3, 2), "image/jpeg"},
		{"lossless WebP", lossless(4096, 1), "image/webp"},
		{"lossy WebP", webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 16, 0, 16, 0), "image/webp"},
		{"extended WebP", webp("VP8X", 0, 0, 0, 0, 0xff, 0x0f, 0, 0, 0, 0), "image/webp"},
		{"PNG too wide", encoded(asPNG, 4097, 1), ""},
		{"JPEG too high", encoded(asJPEG, 1, 4097), ""},
		{"lossless WebP too wide", lossless(4097, 1), ""},
		{"extended WebP too high", webp("VP8X", 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0), ""},
		{"lossy WebP of no size", webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 0, 0, 0, 0), ""},
		{"WebP without a start code", webp("VP8 ", 1, 2, 3, 4, 5, 6, 7, 8), ""},
		{"WebP of another chunk", webp("ABCD"), ""},
		{"WebP cut off", []byte("RIFF\x00\x00\x00\x00WEBPVP8L"), ""},
		{"PNG cut off", []byte("\x89PNG\r\n\x1a\n"), ""},
		{"GIF", []byte("GIF89a\x01\x00\x01\x00"), ""},
		{"text", []byte("hello"), ""},
		{"nothing", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			art, err := CheckArt(c.data)
			if art.Type != c.want || (err == nil) != (c.want != "") {
				t.Errorf("type %q, error %v; want %q", art.Type, err, c.want)
			}
		})
	}
}

package game

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	svgNamespace   = "http://www.w3.org/2000/svg"
	xlinkNamespace = "http://www.w3.org/1999/xlink"
	xmlNamespace   = "http://www.w3.org/XML/1998/namespace"

	maxSVGDepth = 64 // nested elements
)

// svgElements are the elements that art may have: those that draw. None of them runs, moves,
// fetches, links or embeds another language. A list of allowed elements cannot miss a dangerous
// one.
var svgElements = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`
		svg g defs symbol use title desc switch
		path rect circle ellipse line polyline polygon text tspan textPath
		linearGradient radialGradient stop pattern clipPath mask marker filter
		feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
		feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
		feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
		feSpotLight feTile feTurbulence`) {
		all[name] = true
	}
	return all
}()

// Everything in a value that looks like a reference must be local: url(#id), with or without
// quotes.
var (
	anyURL   = regexp.MustCompile(`(?i)url\s*\(`)
	localURL = regexp.MustCompile(`(?i)url\(\s*["']?#([^"'()\s]+)["']?\s*\)`)
)

// checkSVG returns an error for an SVG that could run, fetch or link to anything, has a DOCTYPE
// (and so entities), is not well formed, or draws so much by references that a browser would hang.
// The error names the line, except for what concerns the whole picture.
func checkSVG(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("is not UTF-8 text")
	}
	c := svgCheck{dec: xml.NewDecoder(bytes.NewReader(data)), byID: map[string]int{}}
	for {
		t, err := c.dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = c.token(t)
		}
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			return fmt.Errorf("line %d: not XML: %s", syntax.Line, syntax.Msg)
		}
		if err != nil {
			line, _ := c.dec.InputPos()
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	if len(c.elements) == 0 {
		return errors.New("is not SVG")
	}
	return c.checkDrawn()
}

// svgCheck is the state of one check.
type svgCheck struct {
	dec      *xml.Decoder
	elements []svgElement // in the order of the document
	open     []int        // the open elements, the outermost first
	byID     map[string]int
}

// svgElement is what is needed of an element to count what it draws.
type svgElement struct {
	end  int      // index of the first later element that is not inside it
	refs []string // ids to which it refers
}

func (c *svgCheck) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		return c.start(t)
	case xml.EndElement:
		last := c.open[len(c.open)-1]
		c.elements[last].end = len(c.elements)
		c.open = c.open[:len(c.open)-1]
	case xml.CharData:
		if len(c.open) == 0 && len(bytes.TrimSpace(t)) > 0 {
			return errors.New("text outside the svg element")
		}
	case xml.Directive:
		return errors.New("a DOCTYPE is not allowed")
	case xml.ProcInst:
		if t.Target != "xml" || len(c.elements) > 0 {
			return fmt.Errorf("processing instruction %q is not allowed", t.Target)
		}
	}
	return nil
}

func (c *svgCheck) start(t xml.StartElement) error {
	switch {
	case t.Name.Space != svgNamespace || !svgElements[t.Name.Local]:
		return fmt.Errorf("element %q is not allowed (save as plain SVG)", t.Name.Local)
	case len(c.open) == 0 && (t.Name.Local != "svg" || len(c.elements) > 0):
		return errors.New("want one svg element around everything")
	case len(c.open) >= maxSVGDepth:
		return fmt.Errorf("elements nest deeper than %d", maxSVGDepth)
	}
	i := len(c.elements)
	e := svgElement{}
	seen := map[xml.Name]bool{}
	for _, a := range t.Attr {
		if seen[a.Name] {
			return fmt.Errorf("attribute %q stands twice", a.Name.Local)
		}
		seen[a.Name] = true
		refs, err := checkSVGAttr(a)
		if err != nil {
			return err
		}
		e.refs = append(e.refs, refs...)
		if a.Name.Local == "id" && a.Name.Space == "" {
			if _, twice := c.byID[a.Value]; twice {
				return fmt.Errorf("id %q stands twice", a.Value)
			}
			c.byID[a.Value] = i
		}
	}
	c.elements = append(c.elements, e)
	c.open = append(c.open, i)
	return nil
}

// checkSVGAttr returns the ids to which an attribute refers, or an error if it could run or fetch
// anything.
func checkSVGAttr(a xml.Attr) (refs []string, err error) {
	name := a.Name.Local
	switch a.Name.Space {
	case "":
	case "xmlns":
		return nil, nil
	case xlinkNamespace:
		if name != "href" && name != "title" {
			return nil, fmt.Errorf("attribute xlink:%s is not allowed", name)
		}
	case xmlNamespace:
		if name != "space" && name != "lang" {
			return nil, fmt.Errorf("attribute xml:%s is not allowed", name)
		}
	default:
		return nil,
			fmt.Errorf("attribute %q of another language is not allowed (save as plain SVG)", name)
	}
	switch {
	case len(name) >= 2 && strings.EqualFold(name[:2], "on"):
		return nil, fmt.Errorf("event attribute %q is not allowed", name)
	case strings.EqualFold(name, "href"):
		id, local := strings.CutPrefix(strings.TrimSpace(a.Value), "#")
		if !local || id == "" {
			return nil, fmt.Errorf("%s=%q leads out of the picture", name, a.Value)
		}
		return []string{id}, nil
	case name == "xmlns":
		return nil, nil
	}
	return checkSVGValue(name, a.Value)
}

// checkSVGValue looks for references in the value of a presentation attribute or a style. A
// backslash or a comment could hide a reference from this check that a browser sees; @ begins a
// rule; image() and the like fetch.
func checkSVGValue(name, value string) (refs []string, err error) {
	if strings.ContainsAny(value, `\@`) || strings.Contains(value, "/*") {
		return nil, fmt.Errorf("%s=%q is not allowed", name, value)
	}
	local := localURL.FindAllStringSubmatch(value, -1)
	lower := strings.ToLower(value)
	if len(anyURL.FindAllString(value, -1)) != len(local) ||
		strings.Contains(lower, "javascript:") ||
		strings.Contains(lower, "image(") || strings.Contains(lower, "image-set(") ||
		strings.Contains(lower, "src(") {
		return nil, fmt.Errorf("%s=%q leads out of the picture", name, value)
	}
	for _, m := range local {
		refs = append(refs, m[1])
	}
	return refs, nil
}

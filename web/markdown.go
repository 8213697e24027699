package web

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensions "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Rules are Markdown that somebody wrote (G12). Pages get them as a tree of a few elements and
// never as HTML, so that nothing in them can run or fetch anything.

// proseJSON is an element with what stands in it: texts and further elements. The tag is that of
// the HTML element that the page makes.
type proseJSON struct {
	Tag string `json:"tag"`
	// Href is where an "a" leads.
	Href string `json:"href,omitempty"`
	// Start is the number of the first entry of an "ol", if that is not 1.
	Start int   `json:"start,omitempty"`
	In    []any `json:"in,omitempty"` // string or *proseJSON
}

// Bounds of a text. What is beyond them is shown as plain text.
const (
	maxProse      = 256 << 10 // bytes that are read as Markdown
	maxProseDepth = 24        // of elements within each other
	maxProseNodes = 50_000
	// Some texts take the library a time that grows with the square of their length. So it gets a
	// text in sections. maxSection bounds a section, and the definitions of links.
	maxSection = 8 << 10
	maxMarkers = 32 // signs of lists and quotes at the beginning of a line
)

// markdown reads CommonMark, tables and struck-out text.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

// prose returns what stands in a text in Markdown.
func prose(source []byte) []any {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	rest := source[min(len(source), maxProse):]
	source = source[:len(source)-len(rest)]
	root := &proseJSON{}
	var p prosing
	links := linksIn(source)
	for _, section := range sections(source) {
		if p.nodes > maxProseNodes || !readable(section) {
			root.plain(section)
			continue
		}
		c := parser.NewContext()
		for _, l := range links {
			c.AddReference(l)
		}
		p.source = section
		p.children(root, markdown.Parser().Parse(text.NewReader(section), parser.WithContext(c)), 0)
	}
	root.plain(rest)
	return root.In
}

// plain adds a text as it is.
func (e *proseJSON) plain(words []byte) {
	if words = bytes.ToValidUTF8(bytes.TrimSpace(words), nil); len(words) > 0 {
		e.In = append(e.In, &proseJSON{Tag: "pre", In: []any{string(words)}})
	}
}

// sections divides a text before headings. A longer section is divided where a line is empty, but
// not within code.
func sections(source []byte) (all [][]byte) {
	begin, fence := 0, ""
	blank, at := 0, 0 // blank is the last place behind an empty line
	cut := func(to int) {
		if to > begin {
			all = append(all, source[begin:to])
		}
		begin, blank = to, to
	}
	for line := range bytes.Lines(source) {
		words := bytes.TrimSpace(line)
		switch mark := string(words[:min(3, len(words))]); {
		case fence != "":
			if mark == fence {
				fence = ""
			}
		case mark == "```" || mark == "~~~":
			fence = mark
		case line[0] == '#':
			cut(at)
		case len(words) == 0:
			blank = at + len(line)
		}
		at += len(line)
		if at-begin > maxSection && blank > begin {
			cut(blank)
		}
	}
	cut(at)
	return all
}

// readable reports whether a section can be read as Markdown within a short time.
func readable(section []byte) bool {
	if len(section) > maxSection {
		return false
	}
	for line := range bytes.Lines(section) {
		markers := 0
		for _, c := range line {
			if !strings.ContainsRune(" \t>-+*.)0123456789", rune(c)) {
				break
			}
			if strings.ContainsRune(">-+*.)", rune(c)) {
				markers++
			}
		}
		if markers > maxMarkers && len(bytes.Trim(line, "-*_ \t\n")) > 0 {
			return false
		}
	}
	return true
}

// linkLine matches a line that says where links lead that are written elsewhere.
var linkLine = regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]+\]:.*\n?`)

// linksIn returns the definitions of links in a text.
func linksIn(source []byte) []parser.Reference {
	lines := bytes.Join(linkLine.FindAll(source, maxSection/8), nil)
	if len(lines) > maxSection {
		return nil
	}
	c := parser.NewContext()
	markdown.Parser().Parse(text.NewReader(lines), parser.WithContext(c))
	return c.References()
}

// prosing makes the tree of one text.
type prosing struct {
	source []byte // the section
	nodes  int
}

// children adds what stands in a node to an element.
func (p *prosing) children(to *proseJSON, of ast.Node, depth int) {
	for n := of.FirstChild(); n != nil; n = n.NextSibling() {
		p.nodes++
		p.node(to, n, depth)
	}
}

// node adds one node to an element.
func (p *prosing) node(to *proseJSON, n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.Text:
		p.text(to, n)
		return
	case *ast.String:
		to.say(string(n.Value))
		return
	case *ast.RawHTML:
		p.html(to, n.Segments)
		return
	case *ast.HTMLBlock:
		lines := n.Lines()
		if n.HasClosure() {
			lines.Append(n.ClosureLine)
		}
		block := &proseJSON{Tag: "p"}
		if p.html(block, lines); block.In != nil {
			to.In = append(to.In, block)
		}
		return
	case *ast.AutoLink:
		to.link(string(n.URL(p.source)), []any{string(n.Label(p.source))})
		return
	}
	e := p.element(n)
	if e == nil || depth >= maxProseDepth {
		p.children(to, n, depth) // a picture is its text
		return
	}
	if block, ok := n.(interface{ IsRaw() bool }); ok && block.IsRaw() {
		e.say(string(n.Lines().Value(p.source)))
	} else {
		p.children(e, n, depth+1)
	}
	if e.Tag == "thead" {
		e.In = []any{&proseJSON{Tag: "tr", In: e.In}}
	}
	if l, ok := n.(*ast.Link); ok {
		to.link(string(l.Destination), e.In)
		return
	}
	to.In = append(to.In, e)
}

// element returns the element for a node; nil if only what stands in the node is shown.
func (p *prosing) element(n ast.Node) *proseJSON {
	switch n := n.(type) {
	case *ast.Heading:
		return &proseJSON{Tag: "h" + strconv.Itoa(n.Level)}
	case *ast.List:
		if !n.IsOrdered() {
			return &proseJSON{Tag: "ul"}
		}
		e := &proseJSON{Tag: "ol"}
		if n.Start != 1 {
			e.Start = n.Start
		}
		return e
	case *extensions.TableHeader:
		return &proseJSON{Tag: "thead"}
	case *extensions.TableCell:
		if n.Parent().Kind() == extensions.KindTableHeader {
			return &proseJSON{Tag: "th"}
		}
		return &proseJSON{Tag: "td"}
	case *ast.Emphasis:
		if n.Level == 1 {
			return &proseJSON{Tag: "em"}
		}
		return &proseJSON{Tag: "strong"}
	}
	if tag, ok := proseTags[n.Kind()]; ok {
		return &proseJSON{Tag: tag}
	}
	return nil
}

// proseTags are the elements of nodes of which nothing else is to be known.
var proseTags = map[ast.NodeKind]string{
	ast.KindParagraph: "p", ast.KindBlockquote: "blockquote", ast.KindListItem: "li",
	ast.KindCodeBlock: "pre", ast.KindFencedCodeBlock: "pre", ast.KindCodeSpan: "code",
	ast.KindThematicBreak: "hr", ast.KindLink: "a",
	extensions.KindStrikethrough: "s", extensions.KindTable: "table",
	extensions.KindTableRow: "tr",
}

// say adds a text to an element, behind a text that stands there.
func (e *proseJSON) say(words string) {
	if words == "" {
		return
	}
	if last := len(e.In) - 1; last >= 0 {
		if before, ok := e.In[last].(string); ok {
			e.In[last] = before + words
			return
		}
	}
	e.In = append(e.In, words)
}

// text adds a text as it is read: without the signs that only Markdown needs.
func (p *prosing) text(to *proseJSON, n *ast.Text) {
	value := n.Segment.Value(p.source)
	if !n.IsRaw() {
		value = util.UnescapePunctuations(
			util.ResolveEntityNames(util.ResolveNumericReferences(value)))
	}
	to.say(string(value))
	switch {
	case n.HardLineBreak():
		to.In = append(to.In, &proseJSON{Tag: "br"})
	case n.SoftLineBreak():
		to.say("\n")
	}
}

// html adds HTML as the text that it is. Only the end of a line means what it does in HTML, and
// comments are left out.
func (p *prosing) html(to *proseJSON, lines *text.Segments) {
	value := bytes.TrimSpace(lines.Value(p.source))
	switch words := string(value); {
	case strings.HasPrefix(words, "<!--"):
	case slices.Contains([]string{"<br>", "<br/>", "<br />"}, words):
		to.In = append(to.In, &proseJSON{Tag: "br"})
	default:
		to.say(words)
	}
}

// link adds a link that leads to another site, or only its text if it leads elsewhere.
func (e *proseJSON) link(to string, in []any) {
	lower := strings.ToLower(to)
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		if strings.HasPrefix(lower, scheme) {
			e.In = append(e.In, &proseJSON{Tag: "a", Href: to, In: in})
			return
		}
	}
	for _, part := range in {
		if words, ok := part.(string); ok {
			e.say(words)
		} else {
			e.In = append(e.In, part)
		}
	}
}

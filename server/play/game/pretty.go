package game

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// fieldOrder is the order in which authors write fields. Others stand behind them, by their names.
var fieldOrder = order(
	"format", "id", "kind", "stack", "name", "summary", "order", "about", "table",
	"x", "y", "stepX", "stepY", "columns", "rows", "width", "height", "surface", "shape", "weight",
	"secret", "mask", "private", "upright", "readable", "pointed", "turn", "peek", "angle", "face",
	"side", "colour", "art", "piece", "kinds", "pieces", "seats", "steps", "setups", "languages",
	"credits",
	"script", "foreign",
)

func order(names ...string) map[string]int {
	places := make(map[string]int, len(names))
	for i, name := range names {
		places[name] = i - len(names) // below 0, which is the place of all others
	}
	return places
}

// lineWidth is the most characters of a line in which a whole value stands.
const lineWidth = 100

// pretty returns a value as JSON for people: what fits into a line stands in one. Where swap has
// the place of a value, its value is written instead.
func pretty(v value, swap map[int]value) []byte {
	p := printer{swap: swap}
	p.value(v, "", 0)
	p.out.WriteByte('\n')
	return []byte(p.out.String())
}

type printer struct {
	swap map[int]value
	out  strings.Builder
}

// value writes a value that stands behind used characters of a line, and is indented.
func (p *printer) value(v value, indent string, used int) {
	if other, ok := p.swap[v.at]; ok {
		v = other
	}
	line := p.inLine(v)
	if used+utf8.RuneCountInString(line) <= lineWidth || v.kind != anObject && v.kind != anArray {
		p.out.WriteString(line)
		return
	}
	if v.kind == anArray {
		p.out.WriteString("[")
		lines := lines{p: p, indent: indent + "  "}
		for _, item := range v.items {
			// Objects and arrays stand below each other, and texts and numbers side by side.
			lines.add("", item, item.kind != anObject && item.kind != anArray)
		}
		p.out.WriteString("\n" + indent + "]")
		return
	}
	p.out.WriteString("{")
	lines := lines{p: p, indent: indent + "  "}
	for _, name := range inOrder(v.members) {
		// The fields of the game itself stand below each other.
		lines.add(string(appendText(nil, name))+": ", v.members[name], indent != "")
	}
	p.out.WriteString("\n" + indent + "}")
}

// lines writes the members of an object or the items of an array.
type lines struct {
	p      *printer
	indent string
	begun  bool
	used   int // characters of the present line, 0 if it has a value that did not fit
}

// add writes a value behind its key. If it may, it puts it behind the one before, in the same line.
func (l *lines) add(key string, v value, beside bool) {
	whole := key + l.p.inLine(v)
	n := utf8.RuneCountInString(whole)
	const separators = len(", ") + len(",")
	if l.used > 0 && beside && l.used+n+separators <= lineWidth {
		l.p.out.WriteString(", " + whole)
		l.used += n + len(", ")
		return
	}
	if l.begun {
		l.p.out.WriteString(",")
	}
	l.begun = true
	l.p.out.WriteString("\n" + l.indent + key)
	before := len(l.indent) + utf8.RuneCountInString(key) + len(",")
	l.p.value(v, l.indent, before)
	l.used = len(l.indent) + n
	if l.used+len(",") > lineWidth {
		l.used = 0
	}
}

// inLine returns a value in one line. Of one that does not fit it may return a part that does not
// fit either.
func (p *printer) inLine(v value) string {
	if other, ok := p.swap[v.at]; ok {
		v = other
	}
	var b strings.Builder
	switch v.kind {
	case anObject:
		b.WriteString("{")
		for i, name := range inOrder(v.members) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(appendText(nil, name))
			b.WriteString(": " + p.inLine(v.members[name]))
			if b.Len() > utf8.UTFMax*lineWidth {
				return b.String()
			}
		}
		b.WriteString("}")
	case anArray:
		b.WriteString("[")
		for i, item := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.inLine(item))
			if b.Len() > utf8.UTFMax*lineWidth {
				return b.String()
			}
		}
		b.WriteString("]")
	default:
		return string(canonical(v, nil))
	}
	return b.String()
}

// inOrder returns the names of members in the order of fieldOrder.
func inOrder(members map[string]value) []string {
	names := slices.Sorted(maps.Keys(members))
	slices.SortStableFunc(names, func(a, b string) int { return fieldOrder[a] - fieldOrder[b] })
	return names
}

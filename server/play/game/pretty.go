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
	"secret", "mask", "private", "upright", "peek", "angle", "face", "side", "colour", "art",
	"kinds", "pieces", "seats", "setups", "languages", "script", "foreign",
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
	deeper := indent + "  "
	if v.kind == anArray {
		p.out.WriteString("[")
		for i, item := range v.items {
			p.next(i, deeper)
			p.value(item, deeper, len(deeper)+1)
		}
		p.out.WriteString("\n" + indent + "]")
		return
	}
	p.out.WriteString("{")
	for i, name := range inOrder(v.members) {
		p.next(i, deeper)
		key := string(appendText(nil, name)) + ": "
		p.out.WriteString(key)
		p.value(v.members[name], deeper, len(deeper)+utf8.RuneCountInString(key)+1)
	}
	p.out.WriteString("\n" + indent + "}")
}

// next begins the line of the member or item with the number i.
func (p *printer) next(i int, indent string) {
	if i > 0 {
		p.out.WriteString(",")
	}
	p.out.WriteString("\n" + indent)
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

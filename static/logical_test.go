package static

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// The bars, panels and pages follow the direction of the text, so that they are right in languages
// that are written from right to left. The table does not: there, left and right are coordinates. A
// rule of the table has a comment that begins with these words.
//
// Biome's useLogicalProperties does not replace it: it also refuses width, height and top, and it
// accepts text-align: left and margin: 0 1px 0 2px. Neither that rule nor this test judges
// transforms, shadows, gradients and background positions.
const tableCoordinates = "table coordinates"

func TestStyleSheetsUseLogicalProperties(t *testing.T) {
	err := fs.WalkDir(Files, "css", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		sheet, err := fs.ReadFile(Files, name)
		for _, f := range physicalIn(string(sheet)) {
			t.Errorf("static/%s:%d: %s", name, f.line, f.problem)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPhysicalDeclarationsAreFound(t *testing.T) {
	tests := []struct {
		declarations, instead string // "" if the declarations are right
	}{
		{"left: 0", "inset-inline-start"},
		{"Right: 0", "inset-inline-end"},
		{"margin-left: auto", "margin-inline-start"},
		{"padding-right: 1px !important", "padding-inline-end"},
		{"scroll-padding-left: 1px", "scroll-padding-inline-start"},
		{"border-left: 0", "border-inline-start"},
		{"border-right-width: 0", "border-inline-end-width"},
		{"border-top-left-radius: 1px", "border-start-start-radius"},
		{"border-bottom-right-radius: 1px", "border-end-end-radius"},
		{"text-align: right", "text-align: end"},
		{"float: left", "float: inline-start"},
		{"direction: ltr", "the page's direction"},
		{"margin: 0 1px 0 2px", "margin-inline"},
		{"inset: 0 calc(1px + 2px) 0 calc(1px - 2px)", "inset-inline"},
		{"border-width: 0 1px 1px 0", "border-inline-width"},
		{"border-radius: 1px 2px", "border-start-start-radius"},
		{"border-radius: 1px 1px 2px", "border-end-end-radius"},
		{"border-radius: 1px / 1px 2px 3px 4px", "border-start-start-radius"},
		{`content: "}"; left: 0`, "inset-inline-start"},
		{"/* the table's */ left: 0", "inset-inline-start"},
		{"/* table coordinates */ top: 0", "remove"},

		{"inset-inline: 0 auto", ""},
		{"top: 0; margin-block: 1px 2px", ""},
		{"margin: 0 1px 2px", ""},
		{"padding: calc(1px + 2px) 3px 4px 3px", ""},
		{"border-width: 0 1px 1px", ""},
		{"border-radius: 18px 18px 0 0", ""},
		{"border-radius: 1px / 2px", ""},
		{"text-align: start", ""},
		{"--left: 0", ""},
		{`content: "; left: 0"`, ""},
		{"/* left: 0; */", ""},
		{"left: 0; /* table coordinates */", ""},
		{"/* table coordinates: the tip */ left: 0; right: 0", ""},
	}
	rules := []string{"a {\n%s\n}", "@media print { a:hover {\n%s;} }", "a { b { }\n%s }"}
	for _, test := range tests {
		for _, rule := range rules {
			sheet := fmt.Sprintf(rule, test.declarations)
			found := physicalIn(sheet)
			switch {
			case test.instead == "" && len(found) > 0:
				t.Errorf("%q: %v", sheet, found)
			case test.instead != "" && len(found) != 1:
				t.Errorf("%q: %d findings instead of 1", sheet, len(found))
			case test.instead != "" && found[0].line != 2:
				t.Errorf("%q: found in line %d", sheet, found[0].line)
			case test.instead != "" && !strings.Contains(found[0].problem, test.instead):
				t.Errorf("%q: %s", sheet, found[0].problem)
			}
		}
	}
	for _, sheet := range []string{
		"/* table coordinates */ a { left: 0 }",
		"@media print { /* table coordinates */ a { left: 0 } }",
	} {
		if found := physicalIn(sheet); len(found) != 1 {
			t.Errorf("%q: %d findings; the comment is not in the rule", sheet, len(found))
		}
	}
}

// finding is something wrong in a line of a style sheet.
type finding struct {
	line    int
	problem string
}

// opaque matches what may contain brackets and semicolons without a meaning.
var opaque = regexp.MustCompile(`(?s)/\*.*?\*/|"[^"\n]*"|'[^'\n]*'|url\([^)"']*\)`)

// marker stands for a comment with tableCoordinates.
const marker = "\x00"

// blank replaces comments, strings and addresses by their line ends and by markers.
func blank(sheet string) string {
	return opaque.ReplaceAllStringFunc(sheet, func(s string) string {
		lines := strings.Repeat("\n", strings.Count(s, "\n"))
		comment, is := strings.CutPrefix(s, "/*")
		if is && strings.HasPrefix(strings.TrimSpace(comment), tableCoordinates) {
			return marker + lines
		}
		return lines
	})
}

// block is a rule that has begun. Its physical declarations are judged where it ends, because the
// marker may come after them.
type block struct {
	markedIn int // a line; 0 if it has no marker
	physical []finding
}

// physicalIn returns what a style sheet has of physical declarations in rules without a marker, and
// of markers in rules without physical declarations.
func physicalIn(sheet string) []finding {
	text := blank(sheet)
	var all []finding
	open := []block{{}} // the innermost is the last one; the first is what is outside of all rules
	line, start := 1, 0
	for i, c := range text {
		switch c {
		case '\n':
			line++
		case '{':
			open = append(open, block{})
			start = i + 1
		case ';', '}':
			declaration := strings.TrimLeft(text[start:i], " \t\n")
			open[len(open)-1].add(declaration, line-strings.Count(declaration, "\n"))
			start = i + 1
			if c == '}' && len(open) > 1 {
				all = append(all, open[len(open)-1].problems()...)
				open = open[:len(open)-1]
			}
		}
	}
	return all
}

// add reads a declaration, with the markers before it.
func (b *block) add(declaration string, line int) {
	if strings.Contains(declaration, marker) {
		b.markedIn = line
	}
	name, value, _ := strings.Cut(strings.ReplaceAll(declaration, marker, ""), ":")
	name = strings.ToLower(strings.TrimSpace(name))
	value = strings.TrimSpace(strings.ReplaceAll(strings.ToLower(value), "!important", ""))
	if better := logical(name, value); better != "" {
		problem := fmt.Sprintf("%q is physical: use %s, or write /* %s */ in a rule of the table",
			name+": "+value, better, tableCoordinates)
		b.physical = append(b.physical, finding{line, problem})
	}
}

// problems returns what is wrong in a rule that has ended.
func (b *block) problems() []finding {
	switch {
	case b.markedIn == 0:
		return b.physical
	case len(b.physical) == 0:
		return []finding{{b.markedIn, "remove the comment: the rule has no physical declaration"}}
	default:
		return nil
	}
}

// sides names the logical corners and sides. Corners come first, because their names contain those
// of sides.
var sides = strings.NewReplacer(
	"top-left", "start-start", "top-right", "start-end",
	"bottom-left", "end-start", "bottom-right", "end-end",
	"left", "inline-start", "right", "inline-end",
)

// physicalName matches the names of properties of one side or corner.
var physicalName = regexp.MustCompile(`^[a-z-]+-(left|right)(-[a-z]+)?$`)

// logical returns what to write instead of a physical declaration, or "".
func logical(name, value string) string {
	switch name {
	case "left", "right":
		return "inset-" + sides.Replace(name)
	case "text-align", "text-align-last":
		if value == "left" || value == "right" {
			return name + ": " + strings.TrimPrefix(sides.Replace(value), "inline-")
		}
	case "float", "clear":
		if value == "left" || value == "right" {
			return name + ": " + sides.Replace(value)
		}
	case "direction":
		return "the page's direction"
	case "margin", "padding", "inset", "scroll-margin", "scroll-padding":
		if v := fields(value); len(v) == 4 && v[1] != v[3] {
			return name + "-block and " + name + "-inline"
		}
	case "border-width", "border-style", "border-color": //nolint:misspell // a name in CSS
		if v := fields(value); len(v) == 4 && v[1] != v[3] {
			what := strings.TrimPrefix(name, "border-")
			return "border-block-" + what + " and border-inline-" + what
		}
	case "border-radius":
		across, down, _ := strings.Cut(value, "/")
		if lopsided(fields(across)) || lopsided(fields(down)) {
			return "border-start-start-radius to border-end-end-radius"
		}
	default:
		if !strings.HasPrefix(name, "--") && physicalName.MatchString(name) {
			return sides.Replace(name)
		}
	}
	return ""
}

// lopsided reports whether the radii of corners differ between left and right. Missing ones are
// those of the opposite corners.
func lopsided(radii []string) bool {
	if len(radii) < 2 {
		return false
	}
	topLeft, topRight := radii[0], radii[1]
	bottomRight, bottomLeft := topLeft, topRight
	if len(radii) > 2 {
		bottomRight = radii[2]
	}
	if len(radii) > 3 {
		bottomLeft = radii[3]
	}
	return topLeft != topRight || bottomLeft != bottomRight
}

// fields splits a value at its spaces, except within brackets.
func fields(value string) []string {
	depth := 0
	return strings.FieldsFunc(value, func(c rune) bool {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth == 0 && (c == ' ' || c == '\n' || c == '\t')
	})
}

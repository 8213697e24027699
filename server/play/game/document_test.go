package game

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

var column = regexp.MustCompile(`(line [0-9]+), column [0-9]+:`)

// withoutColumn returns what an error says, without the column that stands behind each line.
func withoutColumn(err error) string { return column.ReplaceAllString(fmt.Sprint(err), "$1:") }

// TestG4ErrorsNameLineAndColumn shows where errors point, counted in characters.
// Clauses: G4.1
func TestG4ErrorsNameLineAndColumn(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"a value", `"paper"`, `"ice"`,
			`line 3, column 55: table: surface: "ice" is not felt or wood or slate or paper`},
		{"after letters of two bytes", `"A sample", "summary"`, `"Ä sämple", "summaries"`,
			`line 2, column 64: unknown field "summaries"`},
		{"an unknown field", `"order": 7`, `"oder": 7`, `line 2, column 100: unknown field "oder"`},
		{"a missing field", `"surface": "paper"`, `"surfaces": "paper"`,
			`line 3, column 44: table: unknown field "surfaces"`},
		{"a repeated field", `"order": 7`, `"id": "x"`,
			`line 2, column 100: "id" stands here a second time`},
		{"a comma too many", `"paper"}`, `"paper",}`,
			`line 3, column 63: the name of a field is not a string`},
		{"a piece in a stack", `["King", "Queen", "Queen"]`, `["King", "Qeen", "Queen"]`,
			`line 13, column 24: piece 1: no kind "Qeen"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := strings.Replace(sample, c.old, c.new, 1)
			if _, err := Parse([]byte(doc), pictures); err == nil || err.Error() != c.want {
				t.Errorf("error is %v, want %s", err, c.want)
			}
		})
	}
	// What was accepted stays accepted.
	half := strings.Replace(sample, `"A sample"`, `"A \ud83c\udfb2 \\ud800 \ud800"`, 1)
	if g, err := Parse([]byte(half), pictures); err != nil || g.Name != "A 🎲 \\ud800 \ufffd" {
		t.Errorf("the name is %q, error %v", g.Name, err)
	}
}

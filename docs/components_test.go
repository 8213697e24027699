package docs

import (
	"fmt"
	"math/bits"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/play/table"
)

// tableOf returns the cells of the first table after the start of a rule, without its head.
func tableOf(t *testing.T, file, rule string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, behind, found := strings.Cut(string(text), "\n**"+rule+"** ")
	if !found {
		t.Fatalf("%s defines no %s", file, rule)
	}
	behind, _, _ = strings.Cut(behind, "\n**")
	var rows [][]string
	for line := range strings.Lines(behind) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "|"):
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		case len(rows) > 0:
			return rows[2:]
		}
	}
	if len(rows) < 3 {
		t.Fatalf("%s has no table in %s", rule, file)
	}
	return rows[2:]
}

// grouped formats a number as the rules do: 65,536.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	if n < 1000 {
		return digits
	}
	return grouped(n/1000) + "," + digits[len(digits)-3:]
}

// power formats a power of two as the rules do: 2⁵².
func power(n crdt.Entity) string {
	return "2" + strings.Map(func(digit rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[digit-'0'] },
		strconv.Itoa(bits.TrailingZeros64(uint64(n))))
}

// wantRows compares the first cells of the rows of a table with want.
func wantRows(t *testing.T, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("there are %d rows, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if len(got[i]) < len(want[i]) || !slices.Equal(got[i][:len(want[i])], want[i]) {
			t.Errorf("row %d is %q, want it to begin with %q", i+1, got[i], want[i])
		}
	}
}

const componentRules = "protocol/component.md"

// Clauses: C14.1, C14.2, C14.3, C14.4
func TestC14TheRegistryIsWrittenDown(t *testing.T) {
	var want [][]string
	for s := range schema.Registry() {
		number, size := strconv.Itoa(int(s.Number)), grouped(s.Size)
		if s.Last != 0 {
			number = fmt.Sprintf("%d to %d", s.Number, s.Last)
		}
		if s.Set != 0 {
			size = fmt.Sprintf("set of %d, %s each", s.Set, size)
		}
		want = append(want, []string{number, s.Name, s.Of.String(), s.Who.String(), size,
			"`" + s.Message() + "`"})
	}
	wantRows(t, tableOf(t, componentRules, "C14"), want)
}

// Clauses: C13.1
func TestC13EntitiesAreWrittenDown(t *testing.T) {
	classes := []schema.Class{
		schema.ClassTable, schema.ClassSheet, schema.ClassRow, schema.ClassSeat, schema.ClassPiece,
		schema.ClassStroke,
	}
	numbers := []string{
		grouped(int(schema.TheTable)),
		grouped(int(schema.TheSheet)),
		fmt.Sprintf("%d to %d", schema.FirstRow, schema.LastRow),
		grouped(int(schema.EntityOfSeat(0))) + " + seat",
		power(schema.EntityOfPiece(0)) + " + name",
		fmt.Sprintf("%s + %s × second + lot", power(schema.Clearing(0)),
			power(schema.Clearing(1)-schema.Clearing(0))),
	}
	var want [][]string
	for i, class := range classes {
		want = append(want, []string{numbers[i], class.String()})
	}
	wantRows(t, tableOf(t, componentRules, "C13"), want)
}

// Clauses: C11.9
func TestC11RefusalsAreWrittenDown(t *testing.T) {
	var want [][]string
	for r := schema.Refusal(1); r <= schema.Unknown; r++ {
		want = append(want, []string{strconv.Itoa(int(r)), "`" + r.String() + "`"})
	}
	wantRows(t, tableOf(t, componentRules, "C11"), want)
}

func TestC18QuestionsAreWrittenDown(t *testing.T) {
	var want []string
	for s := range schema.Registry() {
		if s.Answer != 0 {
			want = append(want, s.Name)
		}
	}
	var got []string
	for _, row := range tableOf(t, componentRules, "C18") {
		name, _, _ := strings.Cut(row[0], " ")
		got = append(got, name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the questions are %v, want %v", got, want)
	}
}

// TestC16BoundsAreWrittenDown: the rules C12, C14 and C16 name the bounds of the code.
// Clauses: C16.8, C16.9, C16.10, C16.11
func TestC16BoundsAreWrittenDown(t *testing.T) {
	text, err := os.ReadFile(componentRules)
	if err != nil {
		t.Fatal(err)
	}
	for rule, numbers := range map[string][]string{
		"C12": {grouped(schema.MaxAhead) + " above", power(schema.MaxHostTimestamp)},
		"C14": {
			fmt.Sprintf("a line of 1 to %d characters", schema.MaxTitle),
			fmt.Sprintf("nick, a line of 1 to %d;", schema.MaxNick),
			fmt.Sprintf("pronoun, a line of up to %d;", schema.MaxPronoun),
			fmt.Sprintf("a text of up to %s characters", grouped(schema.MaxRemark)),
			fmt.Sprintf("its title, a line of up to %d", schema.MaxSheet),
			fmt.Sprintf("a heading, a line of up to %d", schema.MaxLine),
			fmt.Sprintf("up to %d, each a line of up to %d characters and an address of up to %d",
				schema.MaxLinks, schema.MaxLine, schema.MaxAddress),
			fmt.Sprintf("width, from 1 to %s", grouped(schema.MaxStroke)),
		},
		"C13": {fmt.Sprintf("seats, from 1 to %s", grouped(table.MaxSeats))},
		"C16": {
			grouped(schema.MaxStrokes) + " strokes", grouped(schema.MaxErased),
			fmt.Sprintf("%d MiB", schema.MaxPublicBytes>>20),
			fmt.Sprintf("%d KiB", schema.MaxHiddenBytes>>10),
		},
		"C18": {fmt.Sprintf("%d at most", schema.MaxHits)},
	} {
		said := regexp.MustCompile(`(?s)\n\*\*` + rule +
			`\*\* (.*?)\n(?:\*\*|## )`).FindSubmatch(text)
		if said == nil {
			t.Errorf("there is no %s", rule)
			continue
		}
		for _, n := range numbers {
			if !strings.Contains(string(said[1]), n) {
				t.Errorf("%s does not say %q", rule, n)
			}
		}
	}
}

// Clauses: C22.1
func TestC22NamesForEnginesAreWrittenDown(t *testing.T) {
	var want [][]string
	for s := range schema.Registry() {
		if s.Name == "Cell" { // it has the numbers of Column
			continue
		}
		for _, n := range slices.Compact([]uint32{s.Number, max(s.Number, s.Last)}) {
			name, number := schema.EngineName(n)
			want = append(want, []string{
				strconv.Itoa(int(n)), "`" + name + "`", strconv.Itoa(int(number)),
			})
		}
	}
	wantRows(t, tableOf(t, componentRules, "C22"), want)
}

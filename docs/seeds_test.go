package docs

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSeedsNamesTestsThatExist: each row of seeds.md names clauses that exist, and tests that show
// one of them.
func TestSeedsNamesTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	for _, c := range readClauses(t) {
		exists[c.number] = true
	}
	shown := testsOfClauses(t)
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		clauses := clauseName.FindAllString(cells[len(cells)-1], -1)
		if len(cells) == 3 {
			clauses = clauseName.FindAllString(cells[1], -1)
		}
		if len(cells) < 3 || len(clauses) == 0 {
			continue
		}
		for _, c := range clauses {
			if !exists[c] {
				t.Errorf("seeds.md names %s, which is not a clause: %s", c, cells[0])
			}
		}
		if len(cells) != 3 {
			continue
		}
		rows++
		named := testName.FindAllStringSubmatch(cells[2], -1)
		if len(named) == 0 {
			t.Errorf("seeds.md names no test for %q", cells[0])
		}
		for _, m := range named {
			if !slices.ContainsFunc(clauses, func(c string) bool { return shown[m[1]][c] }) {
				t.Errorf("seeds.md names %s, which shows none of %v", m[1], clauses)
			}
		}
	}
	if rows == 0 {
		t.Fatal("seeds.md has no rows: has the form of its tables changed?")
	}
}

var (
	clauseName = regexp.MustCompile(`\b[A-Z][0-9]+\.[0-9]+\b`)
	// testName matches table.TestHistory and sync.test.js.
	testName = regexp.MustCompile(
		"`([a-z0-9]+\\.(?:[Tt]est|Fuzz)[A-Za-z0-9_]+|[A-Za-z0-9_.-]+\\.test\\.js)`")
)

// testsOfClauses returns for each test, such as table.TestT6 or sync.test.js, the clauses that it
// shows.
func testsOfClauses(t *testing.T) map[string]map[string]bool {
	t.Helper()
	shows := map[string]map[string]bool{}
	for number, tests := range find(t) {
		for _, test := range tests {
			name := path.Base(test.File)
			if test.Func != "" {
				name = path.Base(path.Dir(test.File)) + "." + test.Func
			}
			if shows[name] == nil {
				shows[name] = map[string]bool{}
			}
			shows[name][number] = true
		}
	}
	return shows
}

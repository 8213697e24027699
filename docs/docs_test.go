// Package docs holds no code. Its tests check that every rule of docs/protocol and of fairness.md
// has a test with its number, and that links and the list of dependencies are right.
package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"holt/scripts/rules/testnames"
)

// rule is one numbered rule of the documents.
type rule struct {
	number string // "T7"
	file   string // where it is defined
	text   string // the beginning of its text
}

// definition matches the start of a rule: its number in bold at the start of a line.
var definition = regexp.MustCompile(`(?m)^\*\*([A-Z][0-9]+)\*\*\s+(.{0,60})`)

// clause matches a clause of a rule: its number in bold in a list. The text ends before the next
// entry of a list or an empty line.
var clause = regexp.MustCompile(`(?m)^- \*\*([A-Z][0-9]+\.[0-9]+)\*\*\s+((?:.+\n(?:  .*\n)*))`)

func TestEveryRuleHasATest(t *testing.T) {
	rules := readRules(t)
	named := find(t)
	for _, r := range rules {
		t.Run(r.number, func(t *testing.T) {
			if len(named[r.number]) == 0 {
				t.Errorf("no test carries the number of %s (%s: %q)", r.number, r.file, r.text)
			}
		})
	}
}

// Each clause has a test, or stands in the list of those that have none yet. The list has no
// others.
func TestEveryClauseHasATest(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("protocol/untested.txt"))
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			missing[line] = true
		}
	}
	named := find(t)
	all := readClauses(t)
	shown := 0
	for _, c := range all {
		switch has := len(named[c.number]) > 0; {
		case has && missing[c.number]:
			t.Errorf("%s has a test, %s: take it off protocol/untested.txt", c.number, named[c.number][0])
		case has:
			shown++
		case !missing[c.number]:
			t.Errorf("no test shows %s (%s: %q)", c.number, c.file, c.text)
		}
		delete(missing, c.number)
	}
	for number := range missing {
		t.Errorf("protocol/untested.txt has %s, which is not a clause", number)
	}
	t.Logf("%d of %d clauses have a test", shown, len(all))
}

// Each clause says what somebody must, should or may do, and the clauses of a rule are numbered
// from 1.
func TestClausesAreInOrderAndBind(t *testing.T) {
	obliges := regexp.MustCompile(`\b(MUST|SHOULD|MAY)\b`)
	last := map[string]int{} // of each rule
	for _, c := range readClauses(t) {
		rule, _, _ := strings.Cut(c.number, ".")
		if last[rule]++; c.number != rule+"."+strconv.Itoa(last[rule]) {
			t.Errorf("%s defines %s where %s.%d is expected", c.file, c.number, rule, last[rule])
		}
		if !obliges.MatchString(c.text) {
			t.Errorf("%s: %s has no MUST, SHOULD or MAY: %q", c.file, c.number, c.text)
		}
	}
}

func TestEveryTestNamesARuleThatExists(t *testing.T) {
	defined := map[string]bool{}
	families := map[string]bool{}
	for _, r := range slices.Concat(readRules(t), readClauses(t)) {
		defined[r.number] = true
		families[r.number[:1]] = true
	}
	for number, tests := range find(t) {
		if families[number[:1]] && !defined[number] {
			for _, name := range tests {
				t.Errorf("there is no rule %s, named by %s", number, name)
			}
		}
	}
}

func TestRulesAreDefinedOnceAndInOrder(t *testing.T) {
	seen := map[string]string{}
	last := map[string]int{} // the last number of each family
	for _, r := range readRules(t) {
		if first, twice := seen[r.number]; twice {
			t.Errorf("%s is defined in %s and again in %s", r.number, first, r.file)
		}
		seen[r.number] = r.file
		family := r.number[:1]
		if last[family]++; r.number != family+strconv.Itoa(last[family]) {
			t.Errorf("%s defines %s where %s%d is to be expected", r.file, r.number,
				family, last[family])
		}
	}
	for file, family := range map[string]string{
		"protocol/table.md": "T", "protocol/stream.md": "S", "protocol/curve.md": "K",
		"protocol/component.md": "C", "protocol/datagram.md": "D", "protocol/object.md": "O",
		"protocol/game.md": "G", "fairness.md": "F",
	} {
		if where := seen[family+"1"]; where != filepath.FromSlash(file) {
			t.Errorf("the rules %s are defined in %q, not in %s", family, where, file)
		}
	}
}

// find returns the tests of all rules and clauses.
func find(t *testing.T) testnames.Names {
	t.Helper()
	named, err := testnames.Find("..")
	if err != nil {
		t.Fatal(err)
	}
	return named
}

// readRules returns the rules in the order of the files and of the text.
func readRules(t *testing.T) []rule {
	t.Helper()
	return read(t, definition)
}

// readClauses returns the clauses of all rules in the order of the files and of the text.
func readClauses(t *testing.T) []rule {
	t.Helper()
	return read(t, clause)
}

// read returns what matches form in the protocol's documents.
func read(t *testing.T, form *regexp.Regexp) []rule {
	t.Helper()
	files, err := filepath.Glob("protocol/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "fairness.md")
	var rules []rule
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range form.FindAllSubmatch(text, -1) {
			rules = append(rules, rule{number: string(m[1]), file: file, text: string(m[2])})
		}
	}
	if len(rules) == 0 {
		t.Fatal("docs/protocol has none of them: has the way they are written changed?")
	}
	return rules
}

func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)\s]*)?\)`)
	for _, file := range markdown(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllSubmatch(text, -1) {
			target := filepath.Join(filepath.Dir(file), string(m[1]))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", file, m[1])
			}
		}
	}
}

// markdown returns the paths of the README and of all documents in this folder.
func markdown(t *testing.T) []string {
	t.Helper()
	files := []string{"../README.md"}
	for _, pattern := range []string{"*.md", "*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

func TestDependenciesAreExplained(t *testing.T) {
	text, err := os.ReadFile("dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllSubmatch(text, -1) {
		explained[string(m[1])] = true
	}
	used := slices.Concat(goModules(t), npmPackages(t), vendored(t))
	for _, name := range used {
		if !explained[name] {
			t.Errorf("dependencies.md says nothing of %s", name)
		}
	}
	for name := range explained {
		if !slices.Contains(used, name) {
			t.Errorf("dependencies.md explains %s, which is not used", name)
		}
	}
}

// vendored returns the names of the libraries that the page loads.
func vendored(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile("../scripts/js/vendor.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"name": "([^"]+)"`).FindAllSubmatch(text, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// goModules returns the modules that go.mod requires for the code itself, not for its dependencies.
func goModules(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	requirement := regexp.MustCompile(`(?m)^(?:require)?\s+([a-z][\w.-]*\.[a-z]+/\S+) v\S+(.*)$`)
	var modules []string
	for _, m := range requirement.FindAllSubmatch(text, -1) {
		if !strings.Contains(string(m[2]), "// indirect") {
			modules = append(modules, string(m[1]))
		}
	}
	return modules
}

// npmPackages returns the packages in scripts/js/package.json.
func npmPackages(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../scripts/js/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var packages []string
	for _, m := range regexp.MustCompile(
		`(?m)^\s+"([^"]+)": "[0-9]+\.[0-9]+\.[0-9]+"`,
	).FindAllSubmatch(text, -1) {
		packages = append(packages, string(m[1]))
	}
	return packages
}

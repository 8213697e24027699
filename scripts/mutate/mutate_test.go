package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holt/scripts/rules/testnames"
)

const top = "../.."

// The table fits the code: each breakage changes a file, and names a clause and tests that exist.
func TestTheTableFitsTheCode(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, tableName))
	if err != nil {
		t.Fatal(err)
	}
	all, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	named, err := testnames.Find(top)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there are no breakages")
	}
	for i := range all {
		b := &all[i]
		if _, err := b.apply(top); err != nil {
			t.Error(err)
		}
		if len(named[b.Clause]) == 0 {
			t.Errorf("no test shows %s", b.Clause)
		}
		if _, err := os.Stat(filepath.Join(top, b.Where)); err != nil {
			t.Errorf("%s: %v", b.Clause, err)
		}
	}
}

func TestParse(t *testing.T) {
	const block = "# a comment\n\nT1.1 a.go\n- \tx := 1\n-\n- y()\n+ \tx := 2\n" +
		"test ./a ^TestT1$ -args -n 1\n"
	all, err := parse(block)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	b := all[0]
	if b.Clause != "T1.1" || b.File != "a.go" || b.Old != "\tx := 1\n\ny()" || b.New != "\tx := 2" ||
		b.Where != "./a" || b.Tests != "^TestT1$" || strings.Join(b.Flags, " ") != "-args -n 1" {
		t.Errorf("%+v", b)
	}
	for name, text := range map[string]string{
		"no clause":       "- a\n+ b\ntest ./a\n",
		"nothing to take": "T1.1 a.go\n+ b\ntest ./a\n",
		"no change":       "T1.1 a.go\n- a\n+ a\ntest ./a\n",
		"no test":         "T1.1 a.go\n- a\n+ b\n",
		"a stray line":    "T1.1 a.go\n- a\n+ b\nmore words here\ntest ./a\n",
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%s: parse accepts it", name)
		}
	}
}

// A text that stands in the file twice, or not at all, is not replaced.
func TestApply(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("one two; two"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := Breakage{Clause: "T1.1", File: "a.go", Old: "one", New: "1"}
	if got, err := b.apply(dir); err != nil || string(got) != "1 two; two" {
		t.Errorf("%q, %v", got, err)
	}
	for _, old := range []string{"two", "three"} {
		b.Old = old
		if _, err := b.apply(dir); err == nil {
			t.Errorf("%q was replaced", old)
		}
	}
}

func TestFaults(t *testing.T) {
	const text = `package a

func f(x int) int {
	y := 1
	if x < 2 && y == x {
		y = 3
		g()
		return y
	}
	return x
}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "a.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, f := range faults(file) {
		found[f.what]++
		f.make()
	}
	for what, want := range map[string]int{
		"negate a condition": 1, "< becomes <=": 1, "&& becomes ||": 1, "== becomes !=": 1,
		"1 becomes 2": 1, "2 becomes 3": 1, "3 becomes 4": 1, "leave out a statement": 2,
	} {
		if found[what] != want {
			t.Errorf("%q is possible %d times, want %d", what, found[what], want)
		}
	}
	condition := file.Decls[0].(*ast.FuncDecl).Body.List[1].(*ast.IfStmt).Cond
	if not, ok := condition.(*ast.UnaryExpr); !ok || not.Op != token.NOT {
		t.Error("the condition is not negated")
	}
}

// The same seed breaks the same places.
func TestRandomBreakages(t *testing.T) {
	places := func(seed uint64) (all []string) {
		breakages, err := randomBreakages(top, []string{"server/play/zlevel"}, 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range breakages {
			all = append(all, b.Place+b.What)
		}
		return all
	}
	first := strings.Join(places(1), " ")
	if first != strings.Join(places(1), " ") || first == strings.Join(places(2), " ") {
		t.Error("the places do not follow from the seed")
	}
}

package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	// numbers matches the rules at the start of a test's name: "T6 a stale …", "T6, T7 and S3: …",
	// "O4 O20 …".
	numbers = regexp.MustCompile(`^[A-Z][0-9]+(?:(?:, | and |/| )[A-Z][0-9]+)*(?:[:, ]|$)`)
	number  = regexp.MustCompile(`[A-Z][0-9]+`)
	// function matches the rules in the name of a Go test: TestT6Stale, TestT6_T7_stale.
	function = regexp.MustCompile(`^(?:Test|Fuzz)_?((?:[A-Z][0-9]+_?)+)`)
	// javaScript matches the call that begins a test for node --test, and captures its name.
	javaScript = regexp.MustCompile("(?:\\b(?:test|it|describe|suite)|\\.test)\\(\\s*(?:'([^'\n]+)'|\"([^\"\n]+)\"|`([^`]+)`)")
)

// testNames returns, for each rule number, the places of the tests that have it in their names:
// "server/play/table/x_test.go:12".
func testNames(t *testing.T) map[string][]string {
	t.Helper()
	named := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			return goTestNames(path, named)
		case strings.HasSuffix(path, ".test.js"):
			return jsTestNames(path, named)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return named
}

// goTestNames adds the rules in the names of the tests of a Go file: in the names of functions, in
// arguments of Run, and in the rows of tables, from which subtests get their names. A number in a
// message or a comment does not count.
func goTestNames(path string, named map[string][]string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("read test names: %w", err)
	}
	add := func(at token.Pos, found string) {
		position := files.Position(at)
		for _, n := range number.FindAllString(found, -1) {
			named[n] = append(named[n], fmt.Sprintf("%s:%d", strings.TrimPrefix(path, "../"), position.Line))
		}
	}
	literal := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				add(l.Pos(), numbers.FindString(s))
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if m := function.FindStringSubmatch(n.Name.Name); m != nil {
				add(n.Pos(), m[1])
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Run" && len(n.Args) > 0 {
				literal(n.Args[0])
			}
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					literal(pair.Key)
					element = pair.Value
				}
				literal(element)
			}
		}
		return true
	})
	return nil
}

// jsTestNames adds the rules in the names of the tests of a JavaScript file.
func jsTestNames(path string, named map[string][]string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, m := range javaScript.FindAllSubmatchIndex(text, -1) {
		name := ""
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 {
				name = string(text[m[group]:m[group+1]])
			}
		}
		line := 1 + strings.Count(string(text[:m[0]]), "\n")
		for _, n := range number.FindAllString(numbers.FindString(name), -1) {
			named[n] = append(named[n], fmt.Sprintf("%s:%d", strings.TrimPrefix(path, "../"), line))
		}
	}
	return nil
}

func TestWhereRuleNumbersAreRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named := map[string][]string{}
	err := goTestNames(write("a_test.go", `package a
func TestZ1Stale(t *testing.T) {
	t.Run("Z2, Z3 and Z4: two", nil)
	t.Fatalf("Z5 is a message")
	for range []struct{ name string }{{"Z6 positional"}, {name: "Z7 keyed"}} {
	}
	_ = map[string]int{"Z8 as a key": 1}
	t.Run("not Z9, which stands later", nil)
	t.Run("Z15 Z16 side by side", nil)
}
func TestZ10_Z11_many(t *testing.T) {}
`), named)
	if err != nil {
		t.Fatal(err)
	}
	err = jsTestNames(write("a.test.js", "test('Z12 single', () => {});\nawait t.test(`Z13 nested`);\nassert(x, 'Z14 no');"), named)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"Z1", "Z2", "Z3", "Z4", "Z6", "Z7", "Z8", "Z10", "Z11", "Z12", "Z13", "Z15", "Z16"} {
		if len(named[n]) != 1 {
			t.Errorf("%s is named %d times, want once", n, len(named[n]))
		}
	}
	for _, n := range []string{"Z5", "Z9", "Z14"} {
		if len(named[n]) != 0 {
			t.Errorf("%s counts as named, and is not", n)
		}
	}
}

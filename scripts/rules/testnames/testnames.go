// Package testnames finds out which tests show which rules and clauses of the protocols. It only
// reads names and comments: it does not know whether a test is any good.
package testnames

import (
	"bytes"
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
)

var (
	// numbers matches the rules and clauses at the start of a test's name: "T6 a stale …",
	// "T6.2, T7.1 and S3: …", "O4 O20 …".
	numbers = regexp.MustCompile(
		`^[A-Z][0-9]+(?:\.[0-9]+)?(?:(?:, | and |/| )[A-Z][0-9]+(?:\.[0-9]+)?)*(?:[:, ]|$)`)
	number = regexp.MustCompile(`[A-Z][0-9]+(?:\.[0-9]+)?`)
	// listed matches the clauses in a comment above a test that shows many, or whose name is the
	// name of a function: "// Clauses: T6.1, T6.2". Further lines of the comment may go on with
	// them.
	listed = regexp.MustCompile(`(?m)^[ \t]*// Clauses: ((?:[A-Z][0-9]+\.[0-9]+(?:,\s*(?://\s*)?)?)+)`)
	// function matches the rules in the name of a Go test: TestT6Stale, TestT6_T7_stale.
	function = regexp.MustCompile(`^(?:Test|Fuzz)_?((?:[A-Z][0-9]+_?)+)`)
	// javaScript matches the call that begins a test for node --test and captures its name.
	javaScript = regexp.MustCompile(
		"(?:\\b(?:test|it|describe|suite)|\\.test)\\(\\s*(?:'([^'\n]+)'|\"([^\"\n]+)\"|`([^`]+)`)",
	)
)

// Test is a place in a test file that names a rule or a clause.
type Test struct {
	File string // relative to the top of the repository, with slashes
	Line int    // from 1
	Func string // the Go function that it stands in, or that follows its comment; empty in JavaScript
}

// String returns the place, such as server/play/table/x_test.go:12.
func (t Test) String() string { return fmt.Sprintf("%s:%d", t.File, t.Line) }

// Names has the tests of each rule (T14) and each clause (T14.3).
type Names map[string][]Test

// Find reads all test files below top. A test that shows a clause shows its rule, too.
func Find(top string) (Names, error) {
	named := Names{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return fmt.Errorf("name a test file: %w", err)
		}
		f := file{name: filepath.ToSlash(name), path: path, named: named}
		switch {
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			return f.readGo()
		case strings.HasSuffix(path, ".test.js"):
			return f.readJS()
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read test names: %w", err)
	}
	return named, nil
}

// file is a test file that is being read.
type file struct {
	name, path string
	text       []byte
	named      Names
	funcs      []span
}

// span is where a Go function stands, from the first line of its comment on.
type span struct {
	name        string
	first, last int
}

// readGo reads a Go file: the names of functions, what is given to Run, and the rows of tables,
// which is where the names of subtests come from, and the lists in comments. A number in a message
// or in another comment does not count.
func (f *file) readGo() error {
	files := token.NewFileSet()
	var err error
	if f.text, err = os.ReadFile(f.path); err != nil {
		return fmt.Errorf("read test names: %w", err)
	}
	parsed, err := parser.ParseFile(
		files, f.path, f.text, parser.ParseComments|parser.SkipObjectResolution,
	)
	if err != nil {
		return fmt.Errorf("read test names: %w", err)
	}
	for _, d := range parsed.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			from := fn.Pos()
			if fn.Doc != nil {
				from = fn.Doc.Pos()
			}
			f.funcs = append(f.funcs, span{
				fn.Name.Name, files.Position(from).Line, files.Position(fn.End()).Line,
			})
		}
	}
	literal := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				f.add(numbers.FindString(s), files.Position(l.Pos()).Line)
			}
		}
	}
	f.addListed()
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if m := function.FindStringSubmatch(n.Name.Name); m != nil {
				f.add(m[1], files.Position(n.Pos()).Line)
			}
		case *ast.CallExpr:
			if fn, ok := n.Fun.(*ast.SelectorExpr); ok && fn.Sel.Name == "Run" && len(n.Args) > 0 {
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

// readJS reads the names of the tests of a JavaScript file, and the lists in its comments.
func (f *file) readJS() error {
	var err error
	if f.text, err = os.ReadFile(f.path); err != nil {
		return fmt.Errorf("read test names: %w", err)
	}
	f.addListed()
	for _, m := range javaScript.FindAllSubmatchIndex(f.text, -1) {
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 {
				name := string(f.text[m[group]:m[group+1]])
				f.add(numbers.FindString(name), f.lineOf(m[0]))
			}
		}
	}
	return nil
}

// addListed adds the clauses in the comments that begin with "Clauses:".
func (f *file) addListed() {
	for _, m := range listed.FindAllSubmatchIndex(f.text, -1) {
		f.add(string(f.text[m[2]:m[3]]), f.lineOf(m[2]))
	}
}

func (f *file) lineOf(offset int) int { return 1 + bytes.Count(f.text[:offset], []byte("\n")) }

// add adds the rules and clauses that stand in a line.
func (f *file) add(found string, line int) {
	test := Test{File: f.name, Line: line}
	for _, s := range f.funcs {
		if s.first <= line && line <= s.last {
			test.Func = s.name
		}
	}
	for _, n := range number.FindAllString(found, -1) {
		f.named[n] = append(f.named[n], test)
		if rule, _, isClause := strings.Cut(n, "."); isClause {
			f.named[rule] = append(f.named[rule], test)
		}
	}
}

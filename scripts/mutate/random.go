package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// fault is a change of a syntax tree that a random breakage can make. It is made once and then
// printed.
type fault struct {
	at   token.Pos
	what string
	make func()
}

// opposites has the operators that replace each other.
var opposites = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
}

// faults returns the changes that are possible in a file.
func faults(file *ast.File) []fault {
	var all []fault
	add := func(at token.Pos, what string, change func()) {
		all = append(all, fault{at, what, change})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			add(n.Cond.Pos(), "negate a condition", func() {
				n.Cond = &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: n.Cond}}
			})
		case *ast.BinaryExpr:
			if other, ok := opposites[n.Op]; ok {
				add(n.OpPos, fmt.Sprintf("%s becomes %s", n.Op, other), func() { n.Op = other })
			}
		case *ast.BasicLit:
			if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				add(n.Pos(), fmt.Sprintf("%d becomes %d", v, v+1), func() {
					n.Value = strconv.FormatInt(v+1, 10)
				})
			}
		case *ast.BlockStmt:
			for i, s := range n.List {
				if isEffect(s) {
					add(s.Pos(), "leave out a statement", func() { n.List[i] = &ast.EmptyStmt{} })
				}
			}
		}
		return true
	})
	return all
}

// isEffect reports whether a statement can be left out without a variable that is missing or
// unused.
func isEffect(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return s.Tok == token.ASSIGN
	}
	return false
}

// randomBreakages returns n breakages of the Go files of packages, which the seed decides. The
// tests of the package must notice each.
func randomBreakages(top string, packages []string, n int, seed uint64) ([]Random, error) {
	var files []string
	for _, p := range packages {
		found, err := filepath.Glob(filepath.Join(top, p, "*.go"))
		if err != nil {
			return nil, fmt.Errorf("list the files of %s: %w", p, err)
		}
		files = append(files, slices.DeleteFunc(found, func(f string) bool {
			return strings.HasSuffix(f, "_test.go") || strings.HasSuffix(f, ".pb.go") ||
				strings.HasSuffix(f, "_templ.go")
		})...)
	}
	type place struct {
		file string
		nth  int
	}
	var places []place
	for _, f := range files {
		_, file, err := parseFile(f)
		if err != nil {
			return nil, err
		}
		for i := range faults(file) {
			places = append(places, place{f, i})
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		if c := strings.Compare(a.file, b.file); c != 0 {
			return c
		}
		return a.nth - b.nth
	})
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // the seed is printed, to repeat a run
	random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	var all []Random
	for _, p := range places[:min(n, len(places))] {
		r, err := breakAt(top, p.file, p.nth)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Random is a random breakage.
type Random struct {
	File, Place, What string
	Content           []byte // of the broken file
}

func parseFile(path string) (*token.FileSet, *ast.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read a file to break: %w", err)
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, fmt.Errorf("parse a file to break: %w", err)
	}
	return set, file, nil
}

// breakAt makes the nth fault of a file.
func breakAt(top, path string, nth int) (Random, error) {
	set, file, err := parseFile(path)
	if err != nil {
		return Random{}, err
	}
	f := faults(file)[nth]
	at := set.Position(f.at)
	f.make()
	var out bytes.Buffer
	if err := printer.Fprint(&out, set, file); err != nil {
		return Random{}, fmt.Errorf("print a broken file: %w", err)
	}
	name, err := filepath.Rel(top, path)
	if err != nil {
		return Random{}, fmt.Errorf("name a broken file: %w", err)
	}
	return Random{
		File: name, Place: fmt.Sprintf("%s:%d", name, at.Line), What: f.what, Content: out.Bytes(),
	}, nil
}

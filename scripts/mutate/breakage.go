package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Breakage is one deliberate fault: a text of a file and what replaces it, and the tests that must
// notice.
type Breakage struct {
	Clause string // the clause of docs/protocol that does not hold any more, such as T14.3
	File   string // relative to the top of the repository
	Old    string // stands exactly once in File
	New    string
	Where  string   // the Go package or JavaScript file of the tests
	Tests  string   // a pattern of test names; empty: all
	Flags  []string // further arguments of go test
}

var errTable = errors.New("the table of breakages is invalid")

// parse reads breakages. An empty line separates two of them, and lines that begin with # are
// comments. See breakages.txt for the form of one.
func parse(text string) ([]Breakage, error) {
	var all []Breakage
	for i, block := range strings.Split(text, "\n\n") {
		b, ok, err := parseBlock(block)
		if err != nil {
			return nil, fmt.Errorf("%w: block %d: %w", errTable, i+1, err)
		}
		if ok {
			all = append(all, b)
		}
	}
	return all, nil
}

// parseBlock reads one breakage. It reports false if there are only comments.
func parseBlock(block string) (b Breakage, ok bool, err error) {
	var before, after []string
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == "-" || strings.HasPrefix(line, "- "):
			before = append(before, strings.TrimPrefix(line[1:], " "))
		case line == "+" || strings.HasPrefix(line, "+ "):
			after = append(after, strings.TrimPrefix(line[1:], " "))
		case strings.HasPrefix(line, "test "):
			words := strings.Fields(line)[1:]
			b.Where = words[0]
			if len(words) > 1 {
				b.Tests, b.Flags = words[1], words[2:]
			}
		default:
			words := strings.Fields(line)
			if len(words) != 2 || b.Clause != "" {
				return b, false, fmt.Errorf("unexpected line %q", line)
			}
			b.Clause, b.File = words[0], words[1]
		}
	}
	if b.Clause == "" && len(before) == 0 && len(after) == 0 && b.Where == "" {
		return b, false, nil
	}
	b.Old, b.New = strings.Join(before, "\n"), strings.Join(after, "\n")
	switch {
	case b.Clause == "":
		return b, false, errors.New("it has no line with a clause and a file")
	case b.Old == "":
		return b, false, fmt.Errorf("%s has no text to replace", b.Clause)
	case b.Old == b.New:
		return b, false, fmt.Errorf("%s changes nothing", b.Clause)
	case b.Where == "":
		return b, false, fmt.Errorf("%s has no test", b.Clause)
	}
	return b, true, nil
}

// apply returns the broken content of the file. It returns an error if the text to replace does not
// stand there exactly once. Indentation at the start of the text does not count.
func (b *Breakage) apply(top string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(top, b.File))
	if err != nil {
		return nil, fmt.Errorf("read what %s breaks: %w", b.Clause, err)
	}
	if n := strings.Count(string(content), b.Old); n != 1 {
		return nil, fmt.Errorf("%s: the text to replace stands %d times in %s, not once: %q",
			b.Clause, n, b.File, b.Old)
	}
	return []byte(strings.Replace(string(content), b.Old, b.New, 1)), nil
}

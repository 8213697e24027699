package docs

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// longest is how many characters a line may have. A tab counts as one.
const longest = 100

// withoutLimit are files whose lines may be longer.
var withoutLimit = []string{
	"*.pb.go", "*_templ.go", // generated
	"scripts/art/*.mjs", "scripts/art/shelf/*.mjs", // pictures: one path on a line
	"static/js/vendor/*.js", // as others have published it
}

// unbroken matches lines that cannot be broken: a struct tag of Go is one literal, and in Markdown
// neither a row of a table nor a link may be.
var unbroken = map[string]*regexp.Regexp{
	".go": regexp.MustCompile("`[^`]*help:\"[^`]*`$"),
	".md": regexp.MustCompile(`^\s*\||\]\(\S+\)|https?://`),
}

// replaced matches words that the glossary replaces everywhere, and that once stood in all texts.
var replaced = regexp.MustCompile(`(?i)\b(is|are|was|were|be|been) told\b|\banew\b`)

// isTooLong reports whether a line of a file is too long and could be shorter.
func isTooLong(path, line string) bool {
	if utf8.RuneCountInString(line) <= longest || matchesAny(path, withoutLimit) {
		return false
	}
	exception := unbroken[filepath.Ext(path)]
	return exception == nil || !exception.MatchString(line)
}

func matchesAny(path string, patterns []string) bool {
	for _, p := range patterns {
		name := path
		if !strings.Contains(p, "/") {
			name = filepath.Base(path)
		}
		if ok, err := filepath.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

// TestLinesAreShort shows that the lines of code, documents and scripts have at most 100
// characters.
func TestLinesAreShort(t *testing.T) {
	n := 0
	eachLine(t, func(path string, number int, line string) {
		n++
		switch filepath.Ext(path) {
		case ".json", ".templ", ".txt":
			return // a message, an element or a command is on one line
		}
		if isTooLong(path, line) {
			t.Errorf("%s:%d has %d characters", path, number, utf8.RuneCountInString(line))
		}
	})
	if n < 100_000 {
		t.Errorf("only %d lines were read: has the repository moved?", n)
	}
	long := strings.Repeat("x", longest+1)
	for _, c := range []struct {
		path, line string
		want       bool
	}{
		{"a/b.go", long, true},
		{"a/b.go", long[1:], false},
		{"a/b.go", strings.Repeat("é", longest), false},
		{"a/b.go", "\tA int `help:\"" + long + "\"`", false},
		{"a/b.js", "\tA int `help:\"" + long + "\"`", true},
		{"a/b.pb.go", long, false},
		{"scripts/art/dice.mjs", long, false},
		{"scripts/art.mjs", long, true},
		{"a.md", "| " + long, false},
		{"a.md", "[a](" + long + ")", false},
		{"a.md", long, true},
	} {
		if got := isTooLong(c.path, c.line); got != c.want {
			t.Errorf("%s, %.20q: got %t", c.path, c.line, got)
		}
	}
}

// TestReplacedWordsAreGone shows that no text has words that the glossary replaces everywhere.
func TestReplacedWordsAreGone(t *testing.T) {
	eachLine(t, func(path string, number int, line string) {
		if !strings.Contains(line, "told") && !strings.Contains(line, "new") {
			return // the pattern is slow
		}
		if path != "docs/GLOSSARY.md" && path != "docs/plain_test.go" &&
			replaced.MatchString(line) {
			t.Errorf("%s:%d: %s", path, number, strings.TrimSpace(line))
		}
	})
	for text, want := range map[string]bool{
		"The client is told the version.": true, "It begins Anew.": true, "Seats were told.": true,
		"It told a seat.": false, "a renewal": false,
	} {
		if got := replaced.MatchString(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}

// eachLine calls check for the lines of code, documents, messages and scripts. Migrations stay as
// they are, and so does what other projects or generators have written.
func eachLine(t *testing.T, check func(path string, number int, line string)) {
	t.Helper()
	top := os.DirFS("..")
	err := fs.WalkDir(top, ".", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "node_modules" || name == "rapid" ||
			path == "docs/protocol/vectors" || path == "server/components/crdt/testdata" ||
			path == "static/js/vendor"):
			return fs.SkipDir
		case !d.Type().IsRegular() || name == "package-lock.json":
			return nil
		}
		switch filepath.Ext(path) {
		case ".go", ".js", ".mjs", ".css", ".md", ".json", ".templ", ".proto", ".yml", ".bash",
			".txt":
		case "":
			if !strings.HasPrefix(path, "scripts/") {
				return nil
			}
		default:
			return nil
		}
		text, err := fs.ReadFile(top, path)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, len(text)+1)
		for n := 1; lines.Scan(); n++ {
			check(path, n, lines.Text())
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}

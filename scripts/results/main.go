// Command results makes the output of go test -json readable: a line for each package and each slow
// test, all output of failed tests, and the number of tests for scripts/test. It fails if a test
// did.
//
//	go test -json ./... | results NAME
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// slow is how long a test takes that has a line of its own, in s.
const slow = 10

func main() {
	var r results
	if err := r.read(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if dir := os.Getenv("HOLT_COUNTS"); dir != "" && len(os.Args) > 1 {
		counts := fmt.Sprintf("%d %d %d\n", r.passed, r.failed, r.skipped)
		if err := os.WriteFile(filepath.Join(dir, os.Args[1]), []byte(counts), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if r.failed > 0 || r.passed == 0 {
		os.Exit(1)
	}
}

// event is a line of go test -json (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build
	Test       string
	Output     string
	Elapsed    float64 // s
}

// results is what has been read so far. A test with subtests counts as one more.
type results struct {
	passed, failed, skipped int
	said                    map[string]string // output by package and test, until it ends
}

// read reads events to the end and writes the report.
func (r *results) read(from io.Reader, to io.Writer) error {
	r.said = map[string]string{}
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				// output of the go command itself
				e = event{Action: "build-output", Output: string(line)}
			}
			r.take(e, to)
		}
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return fmt.Errorf("read results: %w", err)
		}
	}
}

func (r *results) take(e event, to io.Writer) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		r.said[key] += e.Output
		return
	case "build-output":
		fmt.Fprint(to, e.Output)
		return
	case "pass":
		if e.Test != "" {
			r.passed++
		}
		if e.Test != "" && e.Elapsed >= slow && !strings.Contains(e.Test, "/") {
			fmt.Fprintf(to, "      %-32s %6.1f s\n", e.Test, e.Elapsed)
		}
	case "skip":
		if e.Test != "" {
			r.skipped++
			fmt.Fprint(to, r.said[key])
		}
	case "fail":
		// A package fails with its tests. It counts if it failed for another reason, such as a
		// panic or its build.
		if e.Test != "" || r.failed == 0 {
			r.failed++
		}
		fmt.Fprint(to, r.said[key])
	default:
		return
	}
	if e.Test == "" && e.Action != "fail" {
		fmt.Fprintf(to, "%-5s %-32s %6.1f s\n", e.Action, e.Package, e.Elapsed)
	}
	delete(r.said, key)
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// verified has the parts of the vectors that the scripts check.
type verified struct{ Export, Notes json.RawMessage }

// readVectors decodes a file of docs/protocol/vectors.
func readVectors(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "protocol", "vectors", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// TestVerify runs the scripts in testdata/verify. Each finds export.json and notes.json of
// docs/protocol/vectors, which agree. export2.json and notes2.json have rounds of version 2;
// upgraded.json and upgradednotes.json have rounds of both versions.
// Clauses: F14.14, F14.40, F14.41, F14.42, F14.50, F14.51, F14.52
func TestVerify(t *testing.T) {
	var first verified
	var second struct {
		verified
		Upgraded verified
	}
	readVectors(t, "fair.json", &first)
	readVectors(t, "fair2.json", &second)
	files := map[string]json.RawMessage{
		"export.json": first.Export, "notes.json": first.Notes, "export2.json": second.Export,
		"notes2.json":   second.Notes,
		"upgraded.json": second.Upgraded.Export, "upgradednotes.json": second.Upgraded.Notes,
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "verify"),
		Setup: func(e *testscript.Env) error {
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(e.WorkDir, name), text, 0o600); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"edit": edit},
	})
}

// edit writes a document with one change to the file changed.json: edit FILE PATH VALUE, or edit
// FILE PATH remove. The steps of PATH are names, and indices from 0.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE PATH JSON|remove")
	}
	var document, value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &document))
	if args[2] != "remove" {
		ts.Check(json.Unmarshal([]byte(args[2]), &value))
	}
	steps := strings.Split(args[1], ".")
	var change func(at any, steps []string) any
	change = func(at any, steps []string) any {
		if len(steps) == 0 {
			return value
		}
		remove := len(steps) == 1 && args[2] == "remove"
		switch at := at.(type) {
		case map[string]any:
			if remove {
				delete(at, steps[0])
			} else {
				at[steps[0]] = change(at[steps[0]], steps[1:])
			}
			return at
		case []any:
			i, err := strconv.Atoi(steps[0])
			ts.Check(err)
			if remove {
				return append(at[:i], at[i+1:]...)
			}
			at[i] = change(at[i], steps[1:])
			return at
		}
		ts.Fatalf("%s leads nowhere", args[1])
		return nil
	}
	text, err := json.Marshal(change(document, steps))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("changed.json"), text, 0o600))
}

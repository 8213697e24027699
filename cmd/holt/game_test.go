package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"holt/server/play/game"
)

// TestG7UnpackedFiles shows where files of a packed game are written, and where not. The script
// testdata/game.txt shows the same of the program.
// Clauses: G7.1, G7.2
func TestG7UnpackedFiles(t *testing.T) {
	files := []game.File{
		{Name: "a.json", Data: []byte("a")}, {Name: "lang/de.json", Data: []byte("b")},
	}
	top := t.TempDir()
	in := filepath.Join(top, "in")
	write := func(force, want bool) {
		t.Helper()
		if _, err := writeInto(in, force, files); (err == nil) != want {
			t.Errorf("forced %t: %v", force, err)
		}
	}
	has := func(name, want string) {
		t.Helper()
		if data, err := os.ReadFile(filepath.Join(top, name)); string(data) != want ||
			(err == nil) != (want != "") {
			t.Errorf("%s has %q, not %q: %v", name, data, want, err)
		}
	}
	write(false, true)
	has("in/a.json", "a")
	has("in/lang/de.json", "b")

	must(t, os.Remove(filepath.Join(in, "a.json")))
	must(t, os.WriteFile(filepath.Join(in, "lang", "de.json"), []byte("mine"), 0o600))
	write(false, false)
	has("in/a.json", "")
	has("in/lang/de.json", "mine")
	write(true, true)
	has("in/lang/de.json", "b")

	must(t, os.RemoveAll(in))
	must(t, os.Mkdir(in, 0o700))
	must(t, os.Mkdir(filepath.Join(top, "out"), 0o700))
	if err := os.Symlink("../out", filepath.Join(in, "lang")); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip(err) // there not everybody may make links
		}
		t.Fatal(err)
	}
	write(false, false)
	write(true, false)
	has("out/de.json", "")
	must(t, os.Remove(filepath.Join(in, "lang")))
	must(t, os.Symlink("../out/a.json", filepath.Join(in, "a.json")))
	write(true, false)
	has("out/a.json", "")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityNamesTestsThatExist: every test exists that security.md names as its proof.
func TestSecurityNamesTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("security.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`").FindAllSubmatch(text, -1)
	if len(named) == 0 {
		t.Fatal("security.md names no tests: has the way they are written changed?")
	}
	there := goTestFunctions(t)
	for _, m := range named {
		if name := string(m[1]); !there[name] {
			t.Errorf("security.md names %s, which does not exist", name)
		}
	}
}

// goTestFunctions returns the names of all tests and fuzz targets in Go.
func goTestFunctions(t *testing.T) map[string]bool {
	t.Helper()
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	names := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

package testnames

import (
	"os"
	"path/filepath"
	"testing"
)

// Numbers count in names of tests and in lists of clauses, and nowhere else.
func TestWhereRuleNumbersAreRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a_test.go": `package a
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
// A comment.
// Clauses: Z17.1, Z17.2,
// Z18.1
func TestListed(t *testing.T) {
	t.Run("Z19.1, Z19.2 clauses", nil)
	// Clauses: Z20.1
	t.Run("no rule", nil)
	_ = "Clauses: Z21.1 in a text"
}
`, "a.test.js": "test('Z12 single', () => {});\nawait t.test(`Z13 nested`);\n" +
		"assert(x, 'Z14 no');"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	named, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"Z1", "Z2", "Z3", "Z4", "Z6", "Z7", "Z8", "Z10", "Z11", "Z12",
		"Z13", "Z15", "Z16", "Z17.1", "Z17.2", "Z18.1", "Z18", "Z19.1", "Z19.2", "Z20.1"} {
		if len(named[n]) != 1 {
			t.Errorf("%s is named %d times, want once", n, len(named[n]))
		}
	}
	for _, n := range []string{"Z5", "Z9", "Z14", "Z21.1"} {
		if len(named[n]) != 0 {
			t.Errorf("%s counts as named, and is not", n)
		}
	}
	for n, want := range map[string]string{
		"Z1": "TestZ1Stale", "Z3": "TestZ1Stale", "Z17.2": "TestListed", "Z20.1": "TestListed",
	} {
		if got := named[n][0]; got.Func != want || got.File != "a_test.go" {
			t.Errorf("%s is in %s of %s", n, got.Func, got.File)
		}
	}
}

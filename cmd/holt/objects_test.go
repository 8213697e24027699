package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestObjectsCommand(t *testing.T) {
	t.Run("O11, O24.2, O28 operators see objects, collect, and learn of faults", func(t *testing.T) {
		dir := t.TempDir()
		serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off")
		ask := func(args ...string) (string, error) {
			out, err := command(context.Background(), t,
				append([]string{"objects", "--data", dir}, args...)...).CombinedOutput()
			return string(out), err
		}
		out, err := ask("--json")
		var a objectsAnswer
		if err != nil || json.Unmarshal([]byte(out), &a) != nil || a.Server == "" ||
			len(a.Here)+len(a.Away) != 0 {
			t.Errorf("%v\n%s", err, out)
		}
		if out, err = ask(); err != nil || !strings.Contains(out, "It has no objects") {
			t.Errorf("%v\n%s", err, out)
		}
		if out, err = ask("--collect"); err != nil ||
			!strings.Contains(out, "Of 0 objects 0 were deleted") {
			t.Errorf("%v\n%s", err, out)
		}
		wrong := filepath.Join(t.TempDir(), "wrong")
		if err := os.WriteFile(wrong, []byte("no envelope"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"--restore", wrong}, {"--trust", "nobody"},
			{"--collect", "--trust", "x"}} {
			if out, err = ask(args...); err == nil || !strings.Contains(out, "holt: ") {
				t.Errorf("%v: %v\n%s", args, err, out)
			}
		}
	})
}

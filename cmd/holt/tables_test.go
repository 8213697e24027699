package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestTablesCommand(t *testing.T) {
	t.Run("T42 operators list tables, and throw one away", func(t *testing.T) {
		dir := t.TempDir()
		address := serving(t, dir, "--listen", "127.0.0.1:0", "--datagrams", "off").address
		ask := func(args ...string) (string, error) {
			out, err := command(context.Background(), t, append([]string{"tables", "--data", dir}, args...)...).CombinedOutput()
			return string(out), err
		}
		if out, err := ask(); err != nil || !strings.Contains(out, "There are no tables.") {
			t.Errorf("%v\n%s", err, out)
		}
		res, err := http.Post(address+"api/v1/tables", "application/json", strings.NewReader(`{"game":"chess","title":"Game night"}`))
		if err != nil {
			t.Fatal(err)
		}
		var made struct{ Table string }
		if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if out, err := ask(); err != nil || !strings.Contains(out, made.Table) || !strings.Contains(out, "Game night") {
			t.Errorf("%v\n%s", err, out)
		}
		for _, wrong := range []string{"chess", strings.Repeat("0", 32)} {
			if out, err := ask("--discard", wrong); err == nil || !strings.Contains(out, "holt: ") {
				t.Errorf("%s: %v\n%s", wrong, err, out)
			}
		}
		if out, err := ask("--discard", made.Table); err != nil || !strings.Contains(out, `The table "Game night" was thrown away.`) {
			t.Errorf("%v\n%s", err, out)
		}
		var all []tableAnswer
		if out, err := ask("--json"); err != nil || json.Unmarshal([]byte(out), &all) != nil || len(all) != 0 {
			t.Errorf("%v\n%s", err, out)
		}
		if res, err = http.Get(address + "t/" + made.Table); err != nil || res.StatusCode != http.StatusGone {
			t.Errorf("%v %v", res, err)
		}
		_ = res.Body.Close()
	})
}

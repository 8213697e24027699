package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFindingR6WhoIsWaitedFor restores one of two linked servers while the other one is off.
func TestFindingR6WhoIsWaitedFor(t *testing.T) {
	work := t.TempDir()
	ada := serving(t, filepath.Join(work, "ada"), "--listen", "127.0.0.1:0", "--name", "Ada")
	ben := serving(t, filepath.Join(work, "ben"), "--listen", "127.0.0.1:0", "--name", "Ben")
	ben.peer("accept", "--yes", strings.TrimSpace(ada.peer("invite")))
	number := ben.list().Server
	holt := func(args ...string) string {
		t.Helper()
		out, err := command(context.Background(), t, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("holt %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	backup := filepath.Join(work, "backup.db")
	holt("backup", backup, "--data", ada.dir)
	ben.end(os.Kill)
	ada.end(os.Kill)
	holt("restore", backup, "--data", ada.dir)
	ada.start()
	t.Run("O43.3 the list of objects names the awaited server, and how to end it", func(t *testing.T) {
		out := holt("objects", "--data", ada.dir)
		if !strings.Contains(out, "waits for Ben ("+number+")") ||
			!strings.Contains(out, `holt objects --trust "Ben"`) {
			t.Error(out)
		}
		var a objectsAnswer
		if out := holt("objects", "--json", "--data", ada.dir); json.Unmarshal([]byte(out),
			&a) != nil || len(a.Waiting) != 1 || a.Waiting[0].Name != "Ben" {
			t.Errorf("%+v", a)
		}
	})
	t.Run("O43.5 the servers' page names it, too, and goes on without it", func(t *testing.T) {
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		browser := &http.Client{Jar: jar}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			strings.TrimSpace(ada.peer("page")), nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		page, err := io.ReadAll(a.Body)
		if err != nil || !strings.Contains(string(page), "waits for Ben to say") ||
			!strings.Contains(string(page), "Go on without it") {
			t.Errorf("%v\n%s", err, page)
		}
	})
	t.Run("O11.14 after trust nobody is waited for", func(t *testing.T) {
		holt("objects", "--trust", "Ben", "--data", ada.dir)
		if out := holt("objects", "--data", ada.dir); strings.Contains(out, "waits for") {
			t.Error(out)
		}
	})
}

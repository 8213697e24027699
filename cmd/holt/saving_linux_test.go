package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"holt/server/client"
)

// smallDisk mounts a disk of a few MB. fill leaves no free byte on it. The function that it returns
// makes space again.
func smallDisk(t *testing.T) (dir string, fill func() (empty func())) {
	t.Helper()
	dir = t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=12m"); err != nil {
		t.Skipf("only root can mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir, func() func() {
		t.Helper()
		path := filepath.Join(dir, "ballast")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		for _, size := range []int{1 << 16, 1} {
			for err = nil; err == nil; {
				_, err = f.Write(make([]byte, size))
			}
		}
		return func() {
			if err := os.Remove(path); err != nil {
				t.Error(err)
			}
		}
	}
}

// wantHealth waits until /healthz answers with the given status and text.
func wantHealth(t *testing.T, url string, status int, says string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); ; {
		res, err := http.Get(url + "healthz")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err := errors.Join(err, res.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if res.StatusCode == status && strings.Contains(string(body), says) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("/healthz answers %d %s, want %d %q", res.StatusCode, body, status, says)
		}
	}
}

func isSaving(trouble bool) func(e *client.Event) bool {
	return func(e *client.Event) bool {
		return e.Kind == client.Saving && (e.Trouble != "") == trouble
	}
}

func TestFindingR7FullDisk(t *testing.T) {
	disk, fill := smallDisk(t)
	dir := filepath.Join(disk, "data")
	s := startServer(t, dir, "127.0.0.1:0")
	ada, ben := two(t, s.url)
	pawn := ada.pawn(t)
	ada.outcome(t, ada.change(t, move(pawn, 100, 100)), client.Acked)
	wantHealth(t, s.url, 200, "ok")
	empty := fill()
	var last uint64
	for i := range 200 { // some still fit into space that SQLite has
		last = ada.change(t, move(pawn, int32(i), 0))
	}
	ben.until(t, isSaving(true))
	wantHealth(t, s.url, 503, "its disk is full")
	server, err := client.NewServer(s.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	view, err := server.Read(t.Context(), ben.seat)
	// The table ends when its commit fails, and opens again.
	for end := time.Now().Add(5 * time.Minute); err != nil && time.Now().Before(end); {
		<-time.After(10 * time.Millisecond)
		view, err = server.Read(t.Context(), ben.seat)
	}
	if err != nil || len(view.Pieces) == 0 {
		t.Errorf("the table cannot be read: %v", err)
	}
	empty()
	ada.outcome(t, last, client.Acked)
	ben.until(t, isSaving(false))
	wantHealth(t, s.url, 200, "ok")
	for _, g := range []*guest{ada, ben} {
		g.mu.Lock()
		if g.lost > 1 {
			t.Errorf("seat %d has lost %d streams", g.seat.Number, g.lost)
		}
		g.mu.Unlock()
	}
	s.end(t)
	empty = fill()
	s = startServer(t, dir, "127.0.0.1:0")
	wantHealth(t, s.url, 503, "its disk is full")
	if server, err = client.NewServer(s.url, nil); err != nil {
		t.Fatal(err)
	}
	cid := sit(t, server, ada.seat)
	if _, err := server.TakeSeat(t.Context(), ada.seat.Table, "x",
		client.Person{Nick: "Dan"}); err == nil {
		t.Error("a seat was taken")
	}
	cid.until(t, isSaving(true))
	last = cid.change(t, move(pawn, 7, 7))
	empty()
	cid.outcome(t, last, client.Acked)
	wantHealth(t, s.url, 200, "ok")
}

func TestFindingR5FolderDeleted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := startServer(t, dir, "127.0.0.1:0")
	ada, ben := two(t, s.url)
	pawn := ada.pawn(t)
	ada.outcome(t, ada.change(t, move(pawn, 100, 100)), client.Acked)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	ben.until(t, isSaving(true))
	ada.change(t, move(pawn, 200, 200))
	wantHealth(t, s.url, 503, "its data folder is gone")
	ada.until(t, func(e *client.Event) bool { return e.Kind == client.Retried })
	ada.mu.Lock()
	defer ada.mu.Unlock()
	for i := range ada.events {
		if ada.events[i].Kind == client.Acked {
			t.Error("an update was acknowledged that the next start does not know")
		}
	}
}

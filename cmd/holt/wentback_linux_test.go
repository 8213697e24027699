package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestO47FolderOfObjects lends a deck to a linked server. Then it puts an old copy of its own
// server's folder back by hand.
// Clauses: O38.9, O47.12
func TestO47FolderOfObjects(t *testing.T) {
	work := t.TempDir()
	dir, saved := filepath.Join(work, "home"), filepath.Join(work, "saved")
	home := serving(t, dir, "--listen", ownAddress(t), "--name", "Ada's", "--limit-scale", "100")
	away := serving(t, filepath.Join(work, "away"),
		"--listen", ownAddress(t), "--name", "Ben's", "--limit-scale", "100")
	home.peer("accept", "--yes",
		strings.TrimSpace(away.peer("invite", "--rights", "visit,bring,keep")),
		"--rights", "visit,bring,keep")
	away.reaches(map[string]string{"Ada's": anyNetwork})
	ada := home.surfer()
	own, set := ada.packsDeck(t)
	asked := func(p *program) (a objectsAnswer, err error) {
		out, err := command(context.Background(), t, "objects", "--json",
			"--data", p.dir).CombinedOutput()
		if err == nil {
			err = json.Unmarshal(out, &a)
		}
		if err != nil {
			return a, fmt.Errorf("holt objects: %w\n%s", err, out)
		}
		return a, nil
	}
	objects := func(p *program) objectsAnswer {
		t.Helper()
		a, err := asked(p)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	decks := func(a objectsAnswer) (n int) {
		for _, c := range a.Here {
			if c.Class == "set" {
				n += c.N
			}
		}
		return n
	}
	home.end(os.Interrupt)
	if err := os.CopyFS(saved, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	home.start()
	away.reaches(map[string]string{"Ada's": anyNetwork})

	var made struct {
		Table, Token string
		Invites      linksJSON
	}
	ask(t, away.address+"api/v1/tables", "", `{"game":"chess","nick":"Ben"}`, &made)
	ada = &surfer{home, ada.Client}
	_, to := ada.form("go", url.Values{"link": {made.Invites.Player}})
	sent, err := url.Parse(to)
	if err != nil || sent.Path != "/visit" {
		t.Fatalf("she is sent to %v, %v", sent, err)
	}
	guest := away.surfer()
	guest.form("visit", sent.Query())
	guest.hasBag(t, made.Table, "home")
	guest.api(http.MethodPost, made.Table+"/bag", `{"do":"bring","set":"`+set+`"}`, nil)
	guest.update(made.Table, `"op":"place","set":"`+set+`","x":0,"y":0`)
	guest.hasGuests(t, made.Table)
	guest.api(http.MethodPost, made.Table+"/bag", `{"do":"leave","set":"`+set+`"}`, nil)
	eventually(t, func() bool {
		return decks(objects(away)) == 1 && decks(objects(home)) == 0
	}, func() string {
		return fmt.Sprintf("the deck has not moved: %+v, %+v", objects(home), objects(away))
	})

	home.end(syscall.SIGKILL)
	if err := errors.Join(os.RemoveAll(dir), os.Rename(saved, dir)); err != nil {
		t.Fatal(err)
	}
	home.start()
	t.Run("O47.13, O47.14 the host notices and reports that its folder went back", func(t *testing.T) {
		var a objectsAnswer
		// For a moment there is an error: a host that has noticed the old folder ends, and its
		// objects are read again.
		var err error
		eventually(t, func() bool {
			a, err = asked(home)
			return err == nil && a.WentBack != 0
		}, func() string { return fmt.Sprintf("%+v, %v", a, err) })
		out, err := command(context.Background(), t, "objects", "--data", dir).CombinedOutput()
		if err != nil || !strings.Contains(string(out),
			"Its data folder went back to an older state: Ben's noticed it") {
			t.Errorf("holt objects: %v\n%s", err, out)
		}
		wantHealth(t, home.address, http.StatusOK, "the data folder went back")
	})
	t.Run("O47.11 the deck is in one place", func(t *testing.T) {
		eventually(t, func() bool { return decks(objects(home)) == 0 },
			func() string { return fmt.Sprintf("%+v", objects(home)) })
		if n := decks(objects(away)); n != 1 {
			t.Errorf("there are %d decks at Ben's", n)
		}
		(&surfer{home, ada.Client}).hasBag(t, own, "elsewhere")
	})
	home.end(os.Interrupt)
	if log := home.stderr.String(); strings.Count(log,
		"the data folder went back to an older state") != 1 || !strings.Contains(log, "Ben's") {
		t.Errorf("the log: %s", log)
	}
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holt/server/client"
)

// A folder is copied, played on, and put back by hand. A client that saw the later play gets a full
// state of another epoch. Updates that it bases on the later play are refused and reported, on
// every path.
func TestFindingR4FolderPutBack(t *testing.T) {
	for name, row := range map[string]struct {
		between bool // the copy is made while the server is stopped, not while it runs
		played  bool // somebody else has played on before the client is back
	}{
		"copied while it ran": {},
		"copied between two starts, and somebody has played on": {between: true, played: true},
	} {
		// Clauses: S21.4, S21.8
		t.Run("S21 "+name, func(t *testing.T) {
			home := t.TempDir()
			dir, saved := filepath.Join(home, "data"), filepath.Join(home, "saved")
			s := startServer(t, dir, ownAddress(t)) // the server is started again at this address
			ada, ben := two(t, s.url)
			pawn := ada.pawn(t)
			ada.outcome(t, ada.change(t, move(pawn, 100, 100)), client.Acked)
			listen := hostOf(t, s.url)
			if row.between {
				s.end(t)
			}
			if err := os.CopyFS(saved, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			if row.between {
				s = startServer(t, dir, listen)
			}
			ada.outcome(t, ada.change(t, move(pawn, 200, 200)), client.Acked)
			ben.until(t, func(e *client.Event) bool {
				return e.Kind == client.Updated && e.Piece.X == 200
			})
			epoch := ada.View().Epoch
			s.end(t)
			seq := ada.change(t, move(pawn, 300, 300)) // made where the piece does not lie any more
			if err := errors.Join(os.RemoveAll(dir), os.Rename(saved, dir)); err != nil {
				t.Fatal(err)
			}
			if row.played {
				alone := startServer(t, dir, "127.0.0.1:0")
				server, err := client.NewServer(alone.url, nil)
				if err != nil {
					t.Fatal(err)
				}
				cid := sit(t, server, ben.seat)
				for i := range 3 {
					cid.outcome(t, cid.change(t, move(pawn, int32(i), 7)), client.Acked)
				}
				alone.end(t)
			}
			startServer(t, dir, listen)
			e := ada.outcome(t, seq, client.Conflict)
			if e.Seq == 0 || ada.View().Epoch == epoch {
				t.Errorf("the epoch is still %d", epoch)
			}
			ben.until(t, func(e *client.Event) bool {
				return e.Kind == client.Synchronised && ben.View().Epoch == ada.View().Epoch
			})
			if p, _ := ben.Piece(pawn.Name); p.X == 200 || p.X == 300 {
				t.Errorf("ben sees x %d", p.X)
			}
			ada.outcome(t, ada.change(t, move(pawn, 400, 400)), client.Acked)
		})
	}
}

func hostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// A program that has only read the table as JSON is as safe as a page.
// Clauses: S21.7
func TestFindingR4ReadByHTTP(t *testing.T) {
	home := t.TempDir()
	dir, saved := filepath.Join(home, "data"), filepath.Join(home, "saved")
	s := startServer(t, dir, "127.0.0.1:0")
	var made struct{ Table, Token string }
	if status := ask(t, s.url+"api/v1/tables", "",
		`{"game":"chess"}`, &made); status != http.StatusCreated {
		t.Fatal(status)
	}
	type view struct {
		Epoch, Mark uint64
		Life        string
	}
	table := "api/v1/tables/" + made.Table
	add := func(v view, seq int, query string) int {
		body := fmt.Sprintf(
			`{"client":"q83vEjRWeJCrze8SNFZ4kA","epoch":%d,`+
				`"updates":[{"seq":%d,"op":"add","kind":0,"x":0,"y":0}]}`,
			v.Epoch, seq,
		)
		return ask(t, s.url+table+"/updates"+query, made.Token, body, nil)
	}
	var first, seen view
	ask(t, s.url+table, made.Token, "", &first)
	if len(first.Life) != 32 {
		t.Errorf("the life is %q", first.Life)
	}
	s.end(t)
	if err := os.CopyFS(saved, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, dir, "127.0.0.1:0")
	if status := add(first, 1, ""); status != http.StatusAccepted {
		t.Fatal(status)
	}
	ask(t, s.url+table, made.Token, "", &seen)
	if seen.Life == first.Life || seen.Mark <= first.Mark {
		t.Errorf("it shows %+v, and before %+v", seen, first)
	}
	s.end(t)
	if err := errors.Join(os.RemoveAll(dir), os.Rename(saved, dir)); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, dir, "127.0.0.1:0")
	if status := add(seen, 2,
		fmt.Sprintf("?life=%s&mark=%d", seen.Life, seen.Mark)); status != http.StatusConflict {
		t.Errorf("S21 an update of the old table is answered by %d", status)
	}
	ask(t, s.url+table, made.Token, "", &first)
	if first.Epoch == seen.Epoch {
		t.Error("S21 the table has the same epoch")
	}
	if status := add(first, 3,
		fmt.Sprintf("?life=%s&mark=%d", first.Life, first.Mark)); status != http.StatusAccepted {
		t.Errorf("an update of the restored table is answered by %d", status)
	}
}

// ask sends a request, a POST if body is not empty, and decodes the answer into to.
func ask(t *testing.T, url, token, body string, to any) int {
	t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if to != nil {
		if err := json.NewDecoder(res.Body).Decode(to); err != nil {
			t.Fatal(err)
		}
	}
	return res.StatusCode
}

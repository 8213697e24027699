package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// surfer is a browser at the pages of one server.
type surfer struct {
	*program
	http.Client
}

func (p *program) surfer() *surfer {
	p.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &surfer{p, http.Client{Jar: jar, CheckRedirect: stay}}
}

// send sends a form, JSON or nothing. It returns the status, the Location and the body of the
// answer.
func (b *surfer) send(method, path, kind, body string) (status int, location string, text []byte) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), method, b.address+path,
		strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Origin", strings.TrimSuffix(b.address, "/"))
	}
	res, err := b.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	text, err = io.ReadAll(res.Body)
	if err != nil {
		b.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("Location"), text
}

func (b *surfer) form(path string, fields url.Values) (status int, location string) {
	b.Helper()
	status, location,
		_ = b.send(http.MethodPost, path, "application/x-www-form-urlencoded", fields.Encode())
	return status, location
}

// api requests an address of a table, and decodes the answer into to.
func (b *surfer) api(method, path, body string, to any) int {
	b.Helper()
	kind := ""
	if body != "" {
		kind = "application/json"
	}
	status, _, text := b.send(method, "api/v1/tables/"+path, kind, body)
	if to != nil {
		if err := json.NewDecoder(bytes.NewReader(text)).Decode(to); err != nil {
			b.Fatalf("%s: %s: %v", path, text, err)
		}
	}
	return status
}

// update sends one update.
func (b *surfer) update(table, update string) {
	b.Helper()
	var v cardsView
	b.api(http.MethodGet, table, "", &v)
	name := make([]byte, 16)
	_, _ = rand.Read(name) // it never fails
	body := fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[{"seq":1,%s}]}`,
		base64.RawURLEncoding.EncodeToString(name), v.Epoch, update)
	if status := b.api(http.MethodPost,
		table+"/updates", body, nil); status != http.StatusAccepted {
		b.Fatalf("%s: %d", update, status)
	}
}

// bag is what the page of a table shows of a person's bag.
type bag struct {
	Sets []struct{ Set, Place string }
}

// packsDeck creates a table of cards for Ada, and puts its deck into her bag.
func (b *surfer) packsDeck(t *testing.T) (table, set string) {
	t.Helper()
	_, table = b.form("tables",
		url.Values{"game": {"cards"}, "nick": {"Ada"}, "colour": {"#c0392b"}})
	table = strings.TrimPrefix(table, "/t/")
	b.api(http.MethodPost, table+"/bag", `{"do":"open"}`, nil)
	var v cardsView
	b.api(http.MethodGet, table, "", &v)
	b.update(table, fmt.Sprintf(`"op":"unpin","piece":%d,"tag":%d`, cardsDeck, v.markOf(cardsDeck)))
	b.update(table, fmt.Sprintf(`"op":"take","piece":%d`, cardsDeck))
	return table, b.hasBag(t, table, "home")
}

// hasBag waits until the only set in the bag is at a place.
func (b *surfer) hasBag(t *testing.T, table, place string) (set string) {
	t.Helper()
	var is bag
	eventually(t, func() bool {
		b.api(http.MethodPost, table+"/bag", `{"do":"open"}`, &is)
		return len(is.Sets) == 1 && is.Sets[0].Place == place
	}, func() string { return fmt.Sprintf("the bag is %+v, want the set at %s", is, place) })
	return is.Sets[0].Set
}

// hasGuests waits until pieces of a guest set lie on a table, and returns one of them.
func (b *surfer) hasGuests(t *testing.T, table string) uint32 {
	t.Helper()
	var v cardsView
	eventually(t, func() bool {
		v = cardsView{}
		b.api(http.MethodGet, table, "", &v)
		return len(v.guests()) > 0
	}, func() string { return "no set lies on the table" })
	return v.guests()[0]
}

// eventually checks so until it is true.
func eventually(t *testing.T, so func() bool, or func() string) {
	t.Helper()
	// It ends sooner unless something is wrong.
	for late := time.Now().Add(5 * time.Minute); !so(); {
		if time.Now().After(late) {
			t.Fatal(or())
		}
		<-time.After(100 * time.Millisecond)
	}
}

// TestVisitorPutOut: a visitor of a linked server brings a deck to a table, and the host puts her
// out, with the deck on the table and while the table asks her own server for it.
func TestVisitorPutOut(t *testing.T) {
	work := t.TempDir()
	home := serving(t, filepath.Join(work, "home"), "--listen", "127.0.0.1:0", "--name", "Ada's",
		"--limit-scale", "100")
	away := serving(t, filepath.Join(work, "away"), "--listen", "127.0.0.1:0", "--name", "Ben's",
		"--limit-scale", "100")
	home.peer("accept", "--yes", strings.TrimSpace(away.peer("invite", "--rights", "visit,bring")),
		"--rights", "visit,bring")
	away.reaches(map[string]string{"Ada's": anyNetwork})
	ada := home.surfer()
	own, set := ada.packsDeck(t)
	place := `"op":"place","set":"` + set + `","x":0,"y":0`
	// visit makes Ada sit down at a new table of the other server, and bring her deck.
	visit := func(t *testing.T) (e *evicted, guest *surfer, voucher url.Values) {
		e = &evicted{p: away, hand: "back"}
		var made struct {
			Table, Token string
			Invites      linksJSON
		}
		ask(t, away.address+"api/v1/tables", "", `{"game":"chess","nick":"Ben"}`, &made)
		e.table, e.ada, e.old = made.Table, made.Token, lastOf(made.Invites.Player)
		_, to := ada.form("go", url.Values{"link": {made.Invites.Player}})
		sent, err := url.Parse(to)
		if err != nil || sent.Path != "/visit" {
			t.Fatalf("she is sent to %v, %v", sent, err)
		}
		guest = away.surfer()
		if status, _ := guest.form("visit", sent.Query()); status != http.StatusSeeOther {
			t.Fatalf("visit: %d", status)
		}
		e.ben = guest.token(e.table)
		guest.hasBag(t, e.table, "home")
		guest.api(http.MethodPost, e.table+"/bag", `{"do":"bring","set":"`+set+`"}`, nil)
		return e, guest, sent.Query()
	}
	// out makes the host put her out, and checks that she cannot come back.
	out := func(t *testing.T, e *evicted, guest *surfer, voucher url.Values) {
		e.seen = e.view(e.ben)
		e.putOut()
		home.signal(syscall.SIGCONT) // if it was stopped
		if !e.answered {
			t.Fatal("she is not put out")
		}
		e.shut()
		if status, _ := guest.form("visit", voucher); status != http.StatusGone {
			t.Errorf("with the old voucher: %d", status)
		}
		link := away.address + "join/" + e.old
		_, again := ada.form("go", url.Values{"link": {link}})
		if status, _, _ := guest.send(http.MethodGet,
			strings.TrimPrefix(again, away.address), "", ""); status != http.StatusGone {
			t.Errorf("sent once more: %d", status)
		}
	}
	t.Run("T51.15 a visitor is put out, and her deck goes home when taken off", func(t *testing.T) {
		e, guest, voucher := visit(t)
		guest.update(e.table, place)
		guest.hasGuests(t, e.table)
		out(t, e, guest, voucher)
		ada.hasBag(t, own, "other")
		host := away.surfer()
		host.send(http.MethodGet, "t/"+e.table+"?token="+e.ada, "", "")
		host.update(e.table, fmt.Sprintf(`"op":"take","piece":%d`, host.hasGuests(t, e.table)))
		ada.hasBag(t, own, "home")
	})
	t.Run("T51, T39 a visitor put out while her deck is asked for has it again", func(t *testing.T) {
		e, guest, voucher := visit(t)
		home.signal(syscall.SIGSTOP)
		guest.update(e.table, place)
		out(t, e, guest, voucher)
		eventually(t, func() bool {
			ada.update(own, place)
			var v cardsView
			ada.api(http.MethodGet, own, "", &v)
			return len(v.guests()) > 0
		}, func() string { return "her deck cannot be used at home" })
	})
}

func (p *program) signal(s syscall.Signal) {
	p.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.Fatal(err)
	}
}

// token returns the token of the seat that the browser has at a table.
func (b *surfer) token(table string) string {
	b.Helper()
	u, err := url.Parse(b.address)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range b.Jar.Cookies(u) {
		if c.Name == "holt_"+table {
			return c.Value
		}
	}
	b.Fatal("the browser has no seat")
	return ""
}

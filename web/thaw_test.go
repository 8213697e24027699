package web_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// carried makes a set that lies in the bag of the only person of a server.
func (l *linked) carried() id.OID {
	l.Helper()
	persons, err := l.db.Persons(l.Context())
	if err != nil || len(persons) != 1 {
		l.Fatalf("%+v, %v", persons, err)
	}
	set, err := l.cfg.Minter.Mint(l.cfg.Now())
	l.must(err)
	table, err := l.cfg.Minter.Mint(l.cfg.Now())
	l.must(err)
	kind := fmt.Appendf(nil, `{"format":"holt.kind/1","name":"Pawn","width":100,"height":100,`+
		`"shape":"rect","weight":"light","secret":false,"faces":[{"name":"Pawn","art":"%x"}]}`, pawn.Hash)
	l.must(l.world.Make(l.Context(), room.Session{Table: table, Seat: 1}, set, room.Contents{
		Kinds: [][]byte{kind}, Art: []room.Blob{pawn},
		Parts: []room.Part{{Kind: sha256.Sum256(kind)}},
	}))
	l.must(l.world.Put(l.Context(), persons[0].OID, set))
	l.must(l.world.Delete(l.Context(), table)) // it kept the set until it was in a bag
	return set
}

// pawn is the picture of what is carried.
var pawn = func() room.Blob {
	data := []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">` +
		`<rect width="10" height="10"/></svg>`)
	return room.Blob{Hash: sha256.Sum256(data), Type: "image/svg+xml", Data: data}
}()

// arrives asks whether something that is on its way has arrived, until it has. Each question is a
// request to a server, which gives the servers time to go on. It asks far more often than any
// machine needs, and then fails with what it was answered last.
func arrives(t *testing.T, has func() (bool, string)) {
	t.Helper()
	last := ""
	for range 100_000 {
		var done bool
		if done, last = has(); done {
			return
		}
	}
	t.Fatalf("it does not arrive: %s", last)
}

// TestFindingR3ThawFromTheBag moves an object of a person's bag to another server, gives that
// server up, and thaws the object from the bag.
func TestFindingR3ThawFromTheBag(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	ada := home.browser()
	ada.submit("/bag", url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}})
	moved, stays := home.carried(), home.carried()
	home.must(home.world.Move(t.Context(), moved, away.links.Self()))
	page := func() string { return says(ada.get("/bag").body) }
	arrives(t, func() (bool, string) {
		p := page()
		return strings.Contains(p, "on Ben's"), p
	})
	thaw := func(b *browser, set id.OID) answer {
		return b.submit("/bag", url.Values{"do": {"thaw"}, "set": {set.String()}})
	}
	t.Run("O41.4 without giving the other server up there is no copy", func(t *testing.T) {
		if a := thaw(ada, moved); a.StatusCode != http.StatusConflict ||
			!strings.Contains(says(a.body), "may come back") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
		if strings.Contains(page(), "A copy from") {
			t.Error(page())
		}
	})
	home.must(home.links.Remove(t.Context(), away.links.Self()))
	t.Run("O43 the page names the awaited server, and offers the dated copy", func(t *testing.T) {
		if p := page(); !strings.Contains(p, "What happened since then is lost.") ||
			strings.Count(p, "Use the copy") != 1 || !strings.Contains(p, "it was on ") {
			t.Error(p)
		}
		operator := home.browser()
		operator.get("/servers?token=" + home.operatorLinks.New())
		if p := says(operator.get("/servers").body); !strings.Contains(p,
			"Copies that can be used again") {
			t.Error(p)
		}
	})
	t.Run("O41.6 only the owner of the bag uses a copy", func(t *testing.T) {
		eve := home.browser()
		eve.submit("/bag", url.Values{"nick": {"Eve"}, "colour": {"#2f72c4"}})
		if a := thaw(eve, moved); a.StatusCode != http.StatusConflict ||
			!strings.Contains(says(a.body), "not in your bag") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
		if a := thaw(ada, stays); a.StatusCode != http.StatusConflict ||
			!strings.Contains(says(a.body), "no copy") {
			t.Errorf("an object at home: %s %s", a.Status, says(a.body))
		}
	})
	t.Run("O41.6 the copy is in the bag when it is used", func(t *testing.T) {
		if a := thaw(ada, moved); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s %s", a.Status, says(a.body))
		}
		if p := page(); strings.Count(p, "in your bag") < 2 || strings.Contains(p, "Use the copy") {
			t.Error(p)
		}
	})
}

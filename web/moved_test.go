package web_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// at is a browser at a table, as one client of the protocol.
type at struct {
	*browser
	server *linked
	table  string
	client string
	seq    int
}

func (l *linked) at(b *browser, table string, n byte) *at {
	client := [16]byte{n}
	return &at{browser: b, server: l, table: table,
		client: base64.RawURLEncoding.EncodeToString(client[:])}
}

// posts sends JSON to an address of the table.
func (a *at) posts(path string, body any) answer {
	a.server.Helper()
	b, err := json.Marshal(body)
	a.server.must(err)
	r := a.request(http.MethodPost, "/api/v1/tables/"+a.table+path, string(b),
		header{"Content-Type",
			"application/json", "Origin", a.server.URL, "Sec-Fetch-Site", "same-origin"})
	return a.do(r, a.jar)
}

type (
	pieceSeen struct {
		ID, Mark, Set uint64
		Kind          int
		Pinned        bool
	}
	tableSeen struct {
		Epoch  uint64
		Info   struct{ Catalog string }
		Pieces []pieceSeen
	}
)

func (a *at) sees() (is tableSeen) {
	a.server.Helper()
	a.get("/api/v1/tables/"+a.table).json(a.server, &is)
	return is
}

// deck returns the deck of the table.
func (a *at) deck() *pieceSeen {
	a.server.Helper()
	is := a.sees()
	var catalog struct{ Kinds []struct{ Name string } }
	a.get("/art/"+is.Info.Catalog).json(a.server, &catalog)
	i := slices.IndexFunc(is.Pieces,
		func(p pieceSeen) bool { return catalog.Kinds[p.Kind].Name == "Deck" })
	if i < 0 {
		return nil
	}
	return &is.Pieces[i]
}

// does posts an update.
func (a *at) does(u map[string]any) {
	a.server.Helper()
	a.seq++
	u["seq"] = a.seq
	if r := a.posts("/updates", map[string]any{"client": a.client, "epoch": a.sees().Epoch,
		"updates": []any{u}}); r.StatusCode != http.StatusAccepted {
		a.server.Fatalf("%v: %s %s", u, r.Status, r.body)
	}
}

type bagSeen struct {
	Sets []struct{ Set, Place, Server, Table string }
}

func (a *at) bag() (is bagSeen) {
	a.server.Helper()
	a.get("/api/v1/tables/"+a.table+"/bag").json(a.server, &is)
	return is
}

// await waits until so is true.
func (a *at) await(what string, so func() bool) {
	a.server.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-a.server.Context().Done():
			a.server.Fatalf("no %s", what)
		}
	}
}

func TestMoved(t *testing.T) {
	// Clauses: O13.9, O38.6
	t.Run("O13 a deck that moved to the table's server is listed on the table", func(t *testing.T) {
		home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
		away.linkWith(home, everyRight, everyRight)
		own, mine, _ := home.hosted()
		ada := home.at(own, mine, 1)
		ada.posts("/bag", map[string]any{"do": "open"})
		deck := ada.deck()
		ada.does(map[string]any{"piece": deck.ID, "op": "unpin", "tag": deck.Mark})
		ada.does(map[string]any{"piece": deck.ID, "op": "take"})
		ada.await("set in the bag", func() bool { return len(ada.bag().Sets) == 1 })
		set := ada.bag().Sets[0].Set

		_, table, invite := away.hosted()
		to, err := url.Parse(own.submit("/go", url.Values{"link": {invite}}).Header.Get("Location"))
		away.must(err)
		visitor := away.at(away.browser(), table, 2)
		if a := visitor.submit("/visit", to.Query()); a.Header.Get("Location") != "/t/"+table {
			t.Fatalf("%s %s", a.Status, says(a.body))
		}
		if a := visitor.posts("/bag",
			map[string]any{"do": "bring", "set": set}); a.StatusCode != http.StatusOK {
			t.Fatalf("%s %s", a.Status, a.body)
		}
		visitor.does(map[string]any{"op": "place", "set": set, "x": 0, "y": 0})
		guest := func(p pieceSeen) bool { return p.Set != 0 }
		visitor.await("deck on the table",
			func() bool { return slices.ContainsFunc(visitor.sees().Pieces, guest) })
		pieces := visitor.sees().Pieces
		lies := pieces[slices.IndexFunc(pieces, guest)].ID
		for i := range 9 {
			n := len(visitor.sees().Pieces)
			visitor.does(map[string]any{"piece": lies, "op": "draw", "n": 1, "face": 0,
				"x": 400 * (i - 4), "y": 2000})
			visitor.await(fmt.Sprintf("card %d", i),
				func() bool { return len(visitor.sees().Pieces) > n })
		}
		moved := func() bool {
			return strings.Contains(away.log.String(), "an object has come here")
		}
		visitor.await("move", moved)
		if b := visitor.bag(); len(b.Sets) != 1 || b.Sets[0].Place != "table" ||
			b.Sets[0].Table == "" {
			t.Errorf("%+v", b)
		}
	})
}

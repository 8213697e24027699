package web_test

import (
	"context"
	"crypto/rand"
	"errors"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"holt/server/federation/node"
	"holt/server/federation/peer"
	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/tables/room"
	"holt/storage"
	"holt/web"
)

// linked is a server with links, objects and visits.
type linked struct {
	*stack
	links         *peer.Links
	operatorLinks *web.OperatorLinks // to the operator's page
	world         *node.Objects
	db            *storage.DB
	ahead         atomic.Int64 // milliseconds that its clock is ahead

	objects held // as visits see them
}

// newLinked starts a server that can be linked.
func newLinked(t *testing.T, name string) *linked {
	t.Helper()
	shelf, err := shippedGames()
	if err != nil {
		t.Fatal(err)
	}
	return newLinkedWith(t, name, shelf, web.Limits{})
}

// newLinkedWith starts a server with the games of a shelf, and with limits.
func newLinkedWith(t *testing.T, name string, shelf *game.Shelf, limits web.Limits) *linked {
	t.Helper()
	l := &linked{stack: &stack{TB: t, log: new(logBuffer)}, operatorLinks: web.NewOperatorLinks()}
	ctx := context.Background()
	log := slog.New(slog.NewTextHandler(l.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	db, err := storage.Open(ctx, t.TempDir(), storage.Options{Log: log})
	l.must(err)
	assets, err := bundledClient()
	l.must(err)
	key, err := db.HostKey(ctx)
	l.must(err)
	self, err := db.HostID(ctx)
	l.must(err)
	invites, err := db.InviteKey(ctx)
	l.must(err)
	ts := httptest.NewUnstartedServer(nil)
	address, err := peer.ParseAddress("http://" + ts.Listener.Addr().String())
	l.must(err)
	l.links, err = peer.New(ctx, peer.Config{Key: key, Name: name,
		Addresses: []peer.Address{address}, Store: db, Log: log})
	l.must(err)
	now := func() id.Millis { return id.Millis(time.Now().UnixMilli() + l.ahead.Load()) }
	minter := id.NewMinter(self, 0,
		func(until id.Millis) error { return db.ReserveOIDs(ctx, until) })
	objects, err := node.New(ctx, node.Config{
		Store: db, Links: l.links, Now: now, Random: rand.Reader, Log: log, Quarantine: t.TempDir(),
		Person: people.PersonLookup(db),
	})
	l.must(err)
	l.world, l.db = objects, db
	l.cfg = room.Config{Store: db, Minter: minter, Shelf: shelf, InviteKey: invites, Now: now,
		Random: rand.Reader, Log: log, SetOwners: objects}
	l.rooms = room.New(l.cfg)
	l.objects.Objects = objects
	visits := people.New(people.Config{
		Store: db, Objects: &l.objects, Links: l.links, Now: now, Log: log,
		Tables: l.rooms, Key: invites,
		Mint: func() (id.OID, error) { return minter.Mint(now()) },
	})
	l.web = web.New(web.Config{
		Rooms: l.rooms, Shelf: shelf, Log: log, Assets: assets, Peers: l.links,
		Visits: visits, Limits: limits,
		Servers: &web.Servers{Links: l.links, Objects: objects,
			OperatorLinks: l.operatorLinks},
	})
	ts.Config = l.web.HTTP()
	ts.Start()
	l.URL = ts.URL
	objects.Start(l.rooms.SetChanged)
	l.links.Start(visits.Machine(objects))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		l.must(errors.Join(l.links.Shutdown(ctx), l.rooms.Shutdown(ctx), l.web.Shutdown(ctx),
			visits.Shutdown(ctx), objects.Shutdown(ctx)))
		ts.Close()
		l.must(db.Close())
		if t.Failed() {
			t.Logf("%s:\n%s", name, l.log)
		}
	})
	return l
}

// linkWith links two servers. The other server gets the rights gives here, and this one gets the
// rights given there.
func (l *linked) linkWith(other *linked, gives, given peer.Rights) {
	l.Helper()
	o, err := l.links.Invite(l.Context(), gives, peer.DefaultLimits, false)
	l.must(err)
	_, err = other.links.Accept(l.Context(), o, given, peer.DefaultLimits)
	l.must(err)
}

const everyRight = peer.Visit | peer.Bring | peer.Keep

// hosted creates a table and returns the invite link for players.
func (l *linked) hosted() (host *browser, table, invite string) {
	l.Helper()
	host = l.browser()
	made := host.submit("/tables",
		url.Values{"game": {"cards"}, "nick": {"Ben"}, "colour": {"#2f72c4"}})
	table = strings.TrimPrefix(made.Header.Get("Location"), "/t/")
	var links struct{ Player string }
	host.get("/api/v1/tables/"+table+"/invites").json(l, &links)
	return host, table, links.Player
}

// sends posts the form with which ada follows a link, and returns the page at the end.
func (l *linked) sends(ada *browser, link string) answer {
	return ada.submit("/go", url.Values{"link": {link}, "nick": {"Ada"}, "colour": {"#c0392b"}})
}

var text = regexp.MustCompile(`<[^>]*>|\s+`)

// says returns the text of a page, without markup.
func says(body string) string {
	return strings.Join(strings.Fields(html.UnescapeString(text.ReplaceAllString(body, " "))), " ")
}

func TestVisit(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	host, table, invite := away.hosted()
	ada := home.browser()

	t.Run("O37 the home server says where a link leads", func(t *testing.T) {
		page := ada.get("/go?" + url.Values{"link": {invite}}.Encode())
		if page.StatusCode != http.StatusOK ||
			!strings.Contains(says(page.body), "a table on Ben's") {
			t.Fatalf("%s: %s", page.Status, says(page.body))
		}
		if p := page.Header.Get("Content-Security-Policy"); !strings.Contains(p,
			"form-action 'self' "+away.URL+";") {
			t.Errorf("the form may not lead there: %s", p)
		}
		for _, bad := range []string{"", "nonsense", "javascript:alert(1)", away.URL,
			away.URL + "/join/", "http://127.0.0.1:1;x/join/a", strings.Repeat("a", 2000)} {
			page := ada.get("/go?" + url.Values{"link": {bad}}.Encode())
			if page.StatusCode != http.StatusUnprocessableEntity ||
				strings.Contains(page.Header.Get("Content-Security-Policy"), "127.0.0.1:1;x/") {
				t.Errorf("%q: %s", bad, page.Status)
			}
		}
	})

	sent := home.sends(ada, invite)
	to := sent.Header.Get("Location")
	if sent.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, away.URL+"/visit?") {
		t.Fatalf("go: %s to %q: %s", sent.Status, to, says(sent.body))
	}
	there := away.browser()
	path := strings.TrimPrefix(to, away.URL)
	door := there.get(path)
	if door.StatusCode != http.StatusOK ||
		!strings.Contains(says(door.body), "Sit down as Ada of Ada's") {
		t.Fatalf("visit: %s %s", door.Status, says(door.body))
	}
	q, err := url.ParseQuery(path[strings.Index(path, "?")+1:])
	if err != nil {
		t.Fatal(err)
	}
	sits := func(b *browser, q url.Values) answer { return b.submit("/visit", q) }

	t.Run("O37.2 a changed voucher is refused", func(t *testing.T) {
		text := q.Get("voucher")
		for i := range len(text) {
			c := byte('A')
			if text[i] == c {
				c = 'B'
			}
			forged := url.Values{"invite": q["invite"],
				"voucher": {text[:i] + string(c) + text[i+1:]}}
			if i%7 != 0 && i > 24 { // the limit of wrong tokens
				continue
			}
			if a := sits(away.browser(), forged); a.StatusCode != http.StatusForbidden &&
				a.StatusCode != http.StatusTooManyRequests {
				t.Fatalf("with another character %d: %s", i, a.Status)
			}
		}
	})
	t.Run("O37.9, O37.10, O37.11 a seat has the name of the home server", func(t *testing.T) {
		a := sits(there, q)
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/t/"+table {
			t.Fatalf("%s %s", a.Status, says(a.body))
		}
		var is struct {
			Seats []struct{ Nick, Home, Role string }
		}
		host.get("/api/v1/tables/"+table).json(t, &is)
		if len(is.Seats) != 2 || is.Seats[1].Nick != "Ada" || is.Seats[1].Home != "Ada's" ||
			is.Seats[1].Role != "player" {
			t.Errorf("%+v", is.Seats)
		}
		page := there.get("/t/" + table)
		if !strings.Contains(page.body, `data-home="`+home.URL+`/?away=`) {
			t.Error("the page does not know the way home")
		}
		if a := away.browser().submit(strings.TrimPrefix(invite, away.URL),
			url.Values{"nick": {"Ada ⌂ Ada's"},
				"colour": {"#2f72c4"}}); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("a player is called like a visitor: %s", a.Status)
		}
	})
	t.Run("only an invite link of this server leads to its own door", func(t *testing.T) {
		follow := func(link string) answer { return there.get("/go?link=" + url.QueryEscape(link)) }
		if a := follow(invite); a.StatusCode != http.StatusSeeOther ||
			a.Header.Get("Location") != strings.TrimPrefix(invite, away.URL) {
			t.Errorf("%s %s", a.Status, a.Header.Get("Location"))
		}
		for _, bad := range []string{away.URL + "/join/", away.URL + "/join//example.org",
			away.URL + "/join/a%0d%0ab", away.URL + "/t/x"} {
			if a := follow(bad); a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s: %s", bad, a.Status)
			}
		}
	})
	t.Run("a first page removes no seat of another server at the same name", func(t *testing.T) {
		b := home.browser()
		r := b.request(http.MethodGet, "/", "", nil)
		r.AddCookie(&http.Cookie{Name: "holt_" + table, Value: strings.Repeat("A", 22)})
		for _, k := range b.do(r, b.jar).Header.Values("Set-Cookie") {
			t.Errorf("it sets %s", k)
		}
	})
	t.Run("O37.5 a voucher is valid once", func(t *testing.T) {
		if a := sits(away.browser(), q); a.StatusCode != http.StatusForbidden ||
			!strings.Contains(says(a.body), "already") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
	})
	t.Run("O37.4 an old voucher is refused", func(t *testing.T) {
		again, err := url.Parse(home.sends(ada, invite).Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		away.ahead.Store(121_000)
		defer away.ahead.Store(0)
		if a := sits(away.browser(), again.Query()); a.StatusCode != http.StatusForbidden ||
			!strings.Contains(says(a.body), "too long ago") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
	})
	t.Run("O38.3, O38.5 a visitor's bag is requested from their own server", func(t *testing.T) {
		var bag struct {
			Known bool
			Home  struct{ Name string }
			Sets  []any
			Away  string
		}
		there.get("/api/v1/tables/"+table+"/bag").json(t, &bag)
		if !bag.Known || bag.Home.Name != "Ada's" || bag.Away != "" || len(bag.Sets) != 0 {
			t.Errorf("%+v", bag)
		}
		for _, bad := range []string{`{}`, `{"do":"eat"}`, `{"do":"home"}`,
			`{"do":"home","set":"12"}`, `{"do":"open","x":1}`, `[]`} {
			r := there.request(http.MethodPost, "/api/v1/tables/"+table+"/bag", bad,
				header{"Content-Type",
					"application/json", "Origin", away.URL, "Sec-Fetch-Site", "same-origin"})
			if a := there.do(r, there.jar); a.StatusCode != http.StatusBadRequest &&
				a.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%s: %s", bad, a.Status)
			}
		}
		r := there.request(http.MethodPost, "/api/v1/tables/"+table+"/bag",
			`{"do":"home","set":"`+strings.Repeat("1", 32)+`"}`, header{"Content-Type",
				"application/json", "Origin", away.URL, "Sec-Fetch-Site", "same-origin"})
		if a := there.do(r, there.jar); a.StatusCode != http.StatusForbidden ||
			!strings.Contains(a.body, "not in your bag") {
			t.Errorf("not their own: %s %s", a.Status, a.body)
		}
	})
	t.Run("O38 an old visit gives a server no more rights", func(t *testing.T) {
		home.ahead.Store(8 * 24 * 60 * 60_000)
		defer home.ahead.Store(0)
		var bag struct{ Away string }
		there.get("/api/v1/tables/"+table+"/bag").json(t, &bag)
		if !strings.Contains(bag.Away, "long ago") {
			t.Errorf("%+v", bag)
		}
	})
	t.Run("O39.2 a person brought home sees only the server's own reason", func(t *testing.T) {
		if a := ada.get("/own?away=" + away.links.Self().String()); !strings.Contains(says(a.body),
			"The connection to Ben's was lost") {
			t.Error(says(a.body))
		}
		for _, from := range []string{"Buy+now", strings.Repeat("ab", 8), ""} {
			if a := ada.get("/?away=" + from); strings.Contains(a.body, "could not be reached") {
				t.Errorf("%q is accepted", from)
			}
		}
	})
}

func TestVisitNeedsTheRight(t *testing.T) {
	home, away, third := newLinked(t, "Ada's"), newLinked(t, "Ben's"), newLinked(t, "Cy's")
	away.linkWith(home, everyRight, 0)
	third.linkWith(home, everyRight, 0)
	_, _, invite := away.hosted()
	_, _, other := third.hosted()
	ada := home.browser()
	t.Run("O37.6 a voucher for another host is refused", func(t *testing.T) {
		u, err := url.Parse(home.sends(ada, other).Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		q := url.Values{"invite": {secretOf(invite)}, "voucher": {u.Query().Get("voucher")}}
		if a := away.browser().submit("/visit", q); a.StatusCode != http.StatusForbidden ||
			!strings.Contains(says(a.body), "another server") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
	})
	t.Run("O34.2, O37.7 without the right to visit nobody sits down", func(t *testing.T) {
		u, err := url.Parse(home.sends(ada, invite).Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		if err := away.links.SetRights(t.Context(), home.links.Self(), peer.Bring); err != nil {
			t.Fatal(err)
		}
		if a := away.browser().submit("/visit", u.Query()); a.StatusCode != http.StatusForbidden ||
			!strings.Contains(says(a.body), "does not let people of Ada's") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
	})
	t.Run("O37 a form of another site gives no seat", func(t *testing.T) {
		a := away.browser().submit("/visit", url.Values{}, "Origin", "http://evil.example",
			"Sec-Fetch-Site", "cross-site")
		if a.StatusCode != http.StatusForbidden {
			t.Error(a.Status)
		}
	})
}

func TestServersPage(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	b := home.browser()
	if a := b.get("/servers"); a.StatusCode != http.StatusForbidden {
		t.Fatalf("without the token: %s", a.Status)
	}
	if a := b.get("/servers?token=wrong"); a.StatusCode != http.StatusForbidden {
		t.Fatalf("with a wrong one: %s", a.Status)
	}
	if a := b.submit("/servers",
		url.Values{"do": {"invite"}}); a.StatusCode != http.StatusForbidden {
		t.Fatalf("a form without the token: %s", a.Status)
	}
	token := home.operatorLinks.New()
	if a := b.get("/servers?token=" + token); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("with the token: %s", a.Status)
	}
	if a := home.browser().get("/servers?token=" + token); a.StatusCode != http.StatusForbidden {
		t.Fatalf("the link is valid once, but opens the page again: %s", a.Status)
	}
	if a := b.get("/servers"); a.StatusCode != http.StatusOK ||
		!strings.Contains(says(a.body), "No server is linked") {
		t.Fatalf("%s %s", a.Status, says(a.body))
	}
	made := b.submit("/servers", url.Values{"do": {"invite"}, "right": {"visit", "bring"}})
	found := regexp.MustCompile(`readonly>([^<]+)<`).FindStringSubmatch(made.body)
	if found == nil {
		t.Fatalf("no invitation: %s", says(made.body))
	}
	ben := away.browser()
	ben.get("/servers?token=" + away.operatorLinks.New())
	if a := ben.submit("/servers", url.Values{"do": {"look"},
		"text": {found[1]}}); !strings.Contains(says(a.body), "An invitation of Ada's") {
		t.Fatal(says(a.body))
	}
	if a := ben.submit("/servers", url.Values{"do": {"accept"}, "text": {found[1]},
		"right": {"visit"}}); !strings.Contains(says(a.body), "Linked with Ada's.") {
		t.Fatal(says(a.body))
	}
	page := b.get("/servers")
	if is := says(page.body); !strings.Contains(is, "Ben's Link") ||
		!strings.Contains(is, "May here sit down at tables, bring pieces") {
		t.Fatal(is)
	}
	number := away.links.Self().String()
	for _, step := range []struct{ do, sure, says string }{
		{"pause", "", "is paused."}, {"resume", "", "goes on."}, {"confirm", "", "not pending"},
		{"remove", "", "Remove the link to Ben's?"}, {"remove", "yes", "is removed."},
		{"remove", "yes", "No linked server is called"},
	} {
		a := b.submit("/servers",
			url.Values{"do": {step.do}, "host": {number}, "sure": {step.sure}})
		if !strings.Contains(says(a.body), step.says) {
			t.Errorf("%s %s: %s", step.do, step.sure, says(a.body))
		}
	}
	for _, bad := range []url.Values{{}, {"do": {"eat"}}, {"do": {"look"}, "text": {"x"}},
		{"do": {"invite"}, "right": {"fly"}}} {
		if a := b.submit("/servers", bad); a.StatusCode != http.StatusBadRequest &&
			a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%v: %s", bad, a.Status)
		}
	}
}

func TestBagPage(t *testing.T) {
	s := newLinked(t, "Ada's")
	ada := s.browser()
	if a := ada.get("/bag"); a.StatusCode != http.StatusOK ||
		!strings.Contains(a.body, `name="nick"`) {
		t.Fatalf("%s %s", a.Status, says(a.body))
	}
	if a := ada.submit("/bag", url.Values{"nick": {""},
		"colour": {"#c0392b"}}); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("without a name: %s", a.Status)
	}
	if a := ada.submit("/bag",
		url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}}); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s", a.Status, says(a.body))
	}
	if a := ada.get("/bag"); !strings.Contains(says(a.body), "You are Ada of Ada's") {
		t.Error(says(a.body))
	}
	if a := ada.get("/"); !strings.Contains(says(a.body), "You are Ada of Ada's") {
		t.Error(says(a.body))
	}
	for _, set := range []string{"", "12", strings.Repeat("1", 32)} {
		if a := ada.submit("/bag", url.Values{"set": {
			set}}); a.StatusCode != http.StatusBadRequest && a.StatusCode != http.StatusConflict {
			t.Errorf("%q: %s", set, a.Status)
		}
	}
}

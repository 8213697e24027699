package web_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/federation/object"
	"holt/server/federation/peer"
	"holt/server/id"
	"holt/server/proto/componentpb"
)

// door returns what the view of a browser at a table sees of a door; nil if it sees none.
func (a *at) door(piece uint64) *componentpb.Door {
	a.server.Helper()
	got := a.get("/api/v1/tables/" + a.table + "/components")
	m, err := crdt.Decode([]byte(got.body))
	a.server.must(err)
	for op := range m.Ops() {
		name, ok := schema.PieceOf(op.Entity)
		if ok && uint64(name) == piece && op.Component == schema.Door && op.Kind == crdt.Put {
			is, err := schema.Decode[componentpb.Door](op.Data)
			a.server.must(err)
			return is
		}
	}
	return nil
}

// leads makes a piece a door.
func (a *at) leads(piece uint64, where, to string) answer {
	a.server.Helper()
	return a.posts("/doors", map[string]any{"piece": piece, where: to})
}

// opens goes through a door, and returns where it leads.
func (a *at) opens(piece uint64) (is struct{ URL, Table, Token string }, got answer) {
	a.server.Helper()
	got = a.posts(fmt.Sprintf("/doors/%d", piece), map[string]any{})
	if got.StatusCode == http.StatusOK {
		got.json(a.server, &is)
	}
	return is, got
}

// ends makes a door an ordinary piece again.
func (a *at) ends(piece uint64) answer {
	a.server.Helper()
	r := a.request(http.MethodDelete, fmt.Sprintf("/api/v1/tables/%s/doors/%d", a.table, piece), "",
		header{"Origin", a.server.URL, "Sec-Fetch-Site", "same-origin"})
	return a.do(r, a.jar)
}

// made makes another table in the same browser.
func (l *linked) made(b *browser) (table, invite string) {
	l.Helper()
	got := b.submit("/tables",
		url.Values{"game": {"cards"}, "nick": {"Ben"}, "colour": {"#2f72c4"}})
	table = strings.TrimPrefix(got.Header.Get("Location"), "/t/")
	var links struct{ Player string }
	b.get("/api/v1/tables/"+table+"/invites").json(l, &links)
	return table, links.Player
}

// refers reports whether the object of a table refers to that of another one.
func (l *linked) refers(from, to string) bool {
	l.Helper()
	f, err := id.ParseOID(from)
	l.must(err)
	o, err := id.ParseOID(to)
	l.must(err)
	has, err := l.world.Has(l.Context(), f, o)
	return err == nil && has
}

func refused(t *testing.T, what string, got answer, status int, says string) {
	t.Helper()
	if got.StatusCode != status || !strings.Contains(got.body, says) {
		t.Errorf("%s: %s %s; want %d with %q", what, got.Status, got.body, status, says)
	}
}

// Clauses: O49.1, O49.2, O49.3, O49.6, O49.8, O49.9, O50.1, O50.2, O50.3, O50.7
func TestDoorHere(t *testing.T) {
	l := newLinked(t, "Ben's")
	host, first, firstInvite := l.hosted()
	ben := l.at(host, first, 1)
	second, secondInvite := l.made(host)
	piece := ben.deck().ID

	cleo := l.at(l.browser(), first, 2)
	cleo.submit(strings.TrimPrefix(firstInvite, l.URL),
		url.Values{"nick": {"Cleo"}, "colour": {"#2a8a5f"}})
	refused(t, "O49.1 a door by a player", cleo.leads(piece, "link", secondInvite), 403, `"role"`)
	refused(t, "O49.1 tables for a player", cleo.get("/api/v1/tables/"+first+"/doors"), 403, `"role"`)
	refused(t, "O49.2 a table that Cleo does not host", cleo.leads(piece, "table", second), 403,
		`"role"`)
	third, thirdInvite := l.made(l.browser())
	host.submit(strings.TrimPrefix(thirdInvite, l.URL),
		url.Values{"nick": {"Ben"}, "colour": {"#2f72c4"}})
	refused(t, "O49.2 a table at which Ben only plays", ben.leads(piece, "table", third), 403,
		`"role"`)
	refused(t, "O49.2 a link that leads nowhere", ben.leads(piece, "link", l.URL+"/join/abcdef"),
		403, "leads to no table")
	refused(t, "O49.3 the table itself", ben.leads(piece, "link", firstInvite), 403, "this very")
	refused(t, "both", ben.posts("/doors", map[string]any{
		"piece": piece, "link": secondInvite, "table": second,
	}), 422, "either")
	if ben.door(piece) != nil || l.refers(first, second) {
		t.Fatal("O49.1 a door was made that was refused")
	}
	if list := ben.get("/api/v1/tables/" + first + "/doors").body; !strings.Contains(list, second) ||
		strings.Contains(list, first) || strings.Contains(list, third) {
		t.Errorf("O49.2 the tables of the host: %s", list)
	}
	if got := ben.leads(piece, "table", second); got.StatusCode != http.StatusCreated {
		t.Fatalf("O49.2 a table of one's own: %s %s", got.Status, got.body)
	}
	is := cleo.door(piece)
	if is == nil || is.GetTitle() == "" || is.GetServer() != "" || is.GetState() != schema.DoorOpen {
		t.Fatalf("O49 the door: %v", is)
	}
	secret := secondInvite[strings.LastIndex(secondInvite, "/")+1:]
	sealed, err := base64.RawURLEncoding.DecodeString(is.GetSeal())
	if err != nil || strings.Contains(is.GetSeal(), secret) ||
		strings.Contains(string(sealed), secret) {
		t.Errorf("O49.6 the invite can be read in %q: %v", is.GetSeal(), err)
	}
	if !l.refers(first, second) {
		t.Error("O49.8 the table does not refer to the other one")
	}
	fourth, _ := l.made(host)
	if got := ben.leads(piece, "table", fourth); got.StatusCode != http.StatusCreated ||
		!l.refers(first, fourth) || l.refers(first, second) {
		t.Errorf("O49.9 a door that leads elsewhere: %s, and the table refers to the other one: %v",
			got.Status, l.refers(first, second))
	}
	if got := ben.leads(piece, "table", second); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	if got := cleo.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK {
		t.Fatal(got.body)
	}
	set := l.carried()

	before := len(ben.get("/api/v1/tables/" + second).body)
	to, got := cleo.opens(piece)
	if got.StatusCode != http.StatusOK || !strings.HasSuffix(to.URL, "/t/"+second) || to.Token != "" {
		t.Fatalf("O50.1 Cleo opens the door: %s %s", got.Status, got.body)
	}
	page := cleo.get("/t/" + second)
	if page.StatusCode != http.StatusOK ||
		!strings.Contains(page.body, `data-back="/t/`+first+`"`) {
		t.Errorf("O50.8 no way back in %s", page.Status)
	}
	there := cleo.get("/api/v1/tables/" + second).body
	if !strings.Contains(there, `"Cleo"`) || !strings.Contains(there, "#2a8a5f") {
		t.Errorf("O50.2 Cleo has another name or colour: %s", there)
	}
	if len(there) == before {
		t.Error("O50.2 nobody came")
	}
	if b := l.at(cleo.browser, second, 3).bag(); len(b.Sets) != 1 || b.Sets[0].Set != set.String() {
		t.Errorf("O50.2 Cleo has another bag: %+v", b)
	}
	if _, got := cleo.opens(piece); got.StatusCode != http.StatusOK {
		t.Errorf("O50.3 the second time: %s", got.body)
	}
	if n := strings.Count(cleo.get("/api/v1/tables/"+second).body, `"Cleo`); n != 1 {
		t.Errorf("O50.3 Cleo has %d seats", n)
	}
	if got := cleo.ends(piece); got.StatusCode != http.StatusForbidden {
		t.Errorf("O49.1 a player ends the door: %s", got.Status)
	}

	// A second door to the same table holds the reference, too.
	other := uint64(0)
	for _, p := range ben.sees().Pieces {
		if p.ID != piece {
			other = p.ID
			break
		}
	}
	if got := ben.leads(other, "link", secondInvite); got.StatusCode != http.StatusCreated {
		t.Fatalf("a second door: %s", got.body)
	}
	if got := ben.ends(piece); got.StatusCode != http.StatusNoContent || ben.door(piece) != nil {
		t.Errorf("O49.1 the host ends the door: %s", got.Status)
	}
	if !l.refers(first, second) {
		t.Error("O49.9 the reference went with the first of two doors")
	}
	if got := ben.ends(other); got.StatusCode != http.StatusNoContent || l.refers(first, second) {
		t.Errorf("O49.9 %s, and the table refers to the other one", got.Status)
	}
	if _, got := cleo.opens(piece); got.StatusCode != http.StatusNotFound {
		t.Errorf("a door that was ended: %s", got.Status)
	}
}

// Clauses: O50.3, O50.6, O50.7
func TestDoorCloses(t *testing.T) {
	l := newLinked(t, "Ben's")
	host, first, firstInvite := l.hosted()
	ben := l.at(host, first, 1)
	cleo := l.at(l.browser(), first, 2)
	cleo.submit(strings.TrimPrefix(firstInvite, l.URL),
		url.Values{"nick": {"Cleo"}, "colour": {"#2a8a5f"}})
	second, invite := l.made(host)
	piece := ben.deck().ID
	if got := ben.leads(piece, "link", invite); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	there := l.at(host, second, 1)
	if got := there.posts("/invites", map[string]any{}); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	if _, got := ben.opens(piece); got.StatusCode != http.StatusOK ||
		ben.door(piece).GetState() != schema.DoorOpen {
		t.Errorf("O50.3 to one's own seat after the links were replaced: %s", got.body)
	}
	_, got := cleo.opens(piece)
	refused(t, "O50.6 links that were replaced", got, 403, "links were replaced")
	if is := ben.door(piece); is.GetState() != schema.DoorRefused {
		t.Errorf("O50.6 the door shows %v", is)
	}
	if got := ben.leads(piece, "table", second); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	if is := ben.door(piece); is.GetState() != schema.DoorOpen {
		t.Errorf("O50.7 the new door shows %v", is)
	}
	r := there.request(http.MethodDelete, "/api/v1/tables/"+second, "",
		header{"Origin", l.URL, "Sec-Fetch-Site", "same-origin"})
	if got := there.do(r, there.jar); got.StatusCode != http.StatusNoContent {
		t.Fatal(got.body)
	}
	_, got = ben.opens(piece)
	refused(t, "O50.6 a deleted table", got, 403, "thrown away")
	if is := ben.door(piece); is.GetState() != schema.DoorGone {
		t.Errorf("O50.6 the door shows %v", is)
	}
}

// Clauses: O49.4, O49.7, O49.8, O50.4, O50.5, O50.6, O50.7, O50.8, O50.9
func TestDoorElsewhere(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	ben, far, invite := away.hosted()
	host, first, _ := home.hosted()
	ada := home.at(host, first, 1)
	piece := ada.deck().ID
	refused(t, "O49.4 a server that is not linked", ada.leads(piece, "link", invite), 403,
		"not linked")
	away.linkWith(home, peer.Bring|peer.Keep, everyRight)
	refused(t, "O49.4 a server without visits", ada.leads(piece, "link", invite), 403, "visit")
	_, ok := away.links.Link(home.links.Self())
	if !ok {
		t.Fatal("no link")
	}
	away.must(away.links.SetRights(t.Context(), home.links.Self(), everyRight))
	ada.await("the right to visit", func() bool {
		return ada.leads(piece, "link", invite).StatusCode == http.StatusCreated
	})
	is := ada.door(piece)
	if is.GetServer() != "Ben's" || is.GetTitle() == "" {
		t.Errorf("O49 the door: %v", is)
	}
	if !home.refers(first, far) {
		t.Error("O49.8 the table does not refer to the other one")
	}
	wrong := strings.TrimSuffix(invite, invite[len(invite)-4:]) + "abcd"
	refused(t, "O49.7 a wrong invite", ada.leads(piece, "link", wrong), 403, "link")

	to, got := ada.opens(piece)
	if got.StatusCode != http.StatusOK || !strings.HasPrefix(to.URL, away.URL+"/visit?") {
		t.Fatalf("O50.4 the door leads to %q: %s", to.URL, got.body)
	}
	u, err := url.Parse(to.URL)
	home.must(err)
	q := u.Query()
	if strings.HasSuffix(invite, q.Get("invite")) {
		t.Error("O49.6 the address has the invite")
	}
	// The browser of Ada at the other server.
	visitor := away.browser()
	if page := visitor.get(u.RequestURI()); page.StatusCode != http.StatusOK ||
		!strings.Contains(says(page.body), "Sit down as") {
		t.Fatalf("O50.4 %s %s", page.Status, says(page.body))
	}
	form := url.Values{
		"invite": {q.Get("invite")}, "voucher": {q.Get("voucher")}, "from": {q.Get("from")},
	}
	sat := visitor.submit("/visit", form)
	if sat.Header.Get("Location") != "/t/"+far {
		t.Fatalf("O50.4 %s %s", sat.Status, says(sat.body))
	}
	if page := visitor.get("/t/" + far); !strings.Contains(
		page.body, `data-back="`+home.URL+`/t/`+first+`"`) {
		t.Error("O50.8 no way back")
	}
	again := away.browser().get("/join/" + q.Get("invite"))
	if again.StatusCode != http.StatusNotFound {
		t.Errorf("O50.5 the pass is good twice: %s", again.Status)
	}
	to, _ = ada.opens(piece)
	u, err = url.Parse(to.URL)
	home.must(err)
	pass := u.Query().Get("invite")
	if page := away.browser().get("/join/" + pass); page.StatusCode != http.StatusOK {
		t.Errorf("O50.5 a new pass: %s", page.Status)
	}
	away.ahead.Add(10*60_000 + 1)
	if page := away.browser().get("/join/" + pass); page.StatusCode != http.StatusNotFound {
		t.Errorf("O50.5 the pass is good after ten minutes: %s", page.Status)
	}

	// The links of the other table are replaced.
	there := away.at(ben, far, 1)
	if got := there.posts("/invites", map[string]any{}); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	_, got = ada.opens(piece)
	refused(t, "O50.6 replaced links", got, 403, "replaced")
	if is := ada.door(piece); is.GetState() != schema.DoorRefused {
		t.Errorf("O50.6 the door shows %v", is)
	}
	var links struct{ Player string }
	ben.get("/api/v1/tables/"+far+"/invites").json(away, &links)
	if got := ada.leads(piece, "link", links.Player); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	home.must(home.links.Pause(t.Context(), away.links.Self()))
	_, got = ada.opens(piece)
	refused(t, "O50.9 a link that is paused here", got, 403, "paused")
	if is := ada.door(piece); is.GetState() != schema.DoorOpen {
		t.Errorf("O50.9 the door shows %v", is)
	}
	home.must(home.links.Resume(t.Context(), away.links.Self()))
	ada.await("the door opens", func() bool {
		_, got := ada.opens(piece)
		return got.StatusCode == http.StatusOK
	})
	away.must(away.links.Pause(t.Context(), home.links.Self()))
	_, got = ada.opens(piece)
	if got.StatusCode == http.StatusOK || ada.door(piece).GetState() == schema.DoorOpen {
		t.Errorf("O50.6 a paused link: %s, the door shows %v", got.Status, ada.door(piece))
	}
	away.must(away.links.Resume(t.Context(), home.links.Self()))
	ada.await("the door opens", func() bool {
		_, got := ada.opens(piece)
		return got.StatusCode == http.StatusOK
	})
	if is := ada.door(piece); is.GetState() != schema.DoorOpen {
		t.Errorf("O50.7 the door shows %v", is)
	}
}

// has reports whether a server still has the object of a table.
func (l *linked) has(table string) bool {
	l.Helper()
	oid, err := id.ParseOID(table)
	l.must(err)
	v, err := l.db.ObjectValue(l.Context(), object.Heads, oid)
	l.must(err)
	return v != nil
}

// throws deletes a table by its host.
func (a *at) throws() {
	a.server.Helper()
	r := a.request(http.MethodDelete, "/api/v1/tables/"+a.table, "",
		header{"Origin", a.server.URL, "Sec-Fetch-Site", "same-origin"})
	if got := a.do(r, a.jar); got.StatusCode != http.StatusNoContent {
		a.server.Fatalf("delete: %s %s", got.Status, got.body)
	}
}

// TestDoorRing makes two rings of doors over three servers: one of tables that are deleted later,
// and one of tables that stay. Only the first is collected.
// Clauses: O24.13, O24.14, O24.15, O29.1, O49.8
func TestDoorRing(t *testing.T) {
	servers := []*linked{newLinked(t, "Ada's"), newLinked(t, "Ben's"), newLinked(t, "Cleo's")}
	for i, one := range servers {
		for _, other := range servers[:i] {
			one.linkWith(other, everyRight, everyRight)
		}
	}
	var dead, live []*at
	var invites [2][]string
	for _, l := range servers {
		for n, ring := range []*[]*at{&dead, &live} {
			host, table, invite := l.hosted()
			*ring = append(*ring, l.at(host, table, 1))
			invites[n] = append(invites[n], invite)
		}
	}
	for n, ring := range [][]*at{dead, live} {
		for i, a := range ring {
			next := (i + 1) % len(ring)
			piece := a.deck().ID
			a.await("the door", func() bool { // the servers connect meanwhile
				return a.leads(piece, "link", invites[n][next]).StatusCode == http.StatusCreated
			})
			if !servers[i].refers(a.table, ring[next].table) {
				t.Fatalf("O49.8 table %d of ring %d does not refer to the next one", i, n)
			}
		}
	}
	// A way between the rings, from a table that will be deleted to one that stays.
	other := dead[0].sees().Pieces[0].ID
	if got := dead[0].leads(other, "link", invites[1][1]); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}

	collect := func() {
		for _, l := range servers {
			_, err := l.world.Collect(t.Context())
			l.must(err)
		}
	}
	count := func(ring []*at) (n int) {
		for i, a := range ring {
			if servers[i].has(a.table) {
				n++
			}
		}
		return n
	}
	for range 3 {
		collect()
	}
	if n, m := count(dead), count(live); n != 3 || m != 3 {
		t.Fatalf("O29.1 of tables in use %d and %d are left", n, m)
	}
	dead[0].throws()
	dead[1].throws()
	for range 3 {
		collect()
	}
	// The third one still has a door to the first.
	if !servers[2].has(dead[2].table) || !servers[0].has(dead[0].table) {
		t.Error("O24.15 what a door leads to was deleted")
	}
	if _, got := dead[2].opens(dead[2].deck().ID); !strings.Contains(got.body, "thrown away") {
		t.Errorf("O50.6 the door to a deleted table: %s", got.body)
	}
	dead[2].throws()
	dead[0].await("collection of the ring", func() bool {
		collect()
		return count(dead) == 0
	})
	if count(live) != 3 {
		t.Error("O29.1 a table in use was deleted")
	}
	for i, a := range live {
		if !servers[i].refers(a.table, live[(i+1)%3].table) {
			t.Errorf("O29.1 table %d of the ring in use does not refer to the next one", i)
		}
		if _, got := a.opens(a.deck().ID); got.StatusCode != http.StatusOK {
			t.Errorf("the door of table %d in use: %s", i, got.body)
		}
	}
}

// Clauses: O51.1, O51.2, O51.7
func TestDoorCarries(t *testing.T) {
	l := newLinked(t, "Ben's")
	host, first, invite := l.hosted()
	ben := l.at(host, first, 1)
	second, _ := l.made(host)
	if got := ben.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK {
		t.Fatal(got.body)
	}
	deck := ben.deck()
	if deck.Pinned {
		ben.does(map[string]any{"op": "unpin", "piece": deck.ID, "tag": deck.Mark})
	}
	ben.does(map[string]any{"op": "take", "piece": deck.ID})
	ben.await("the deck in the bag", func() bool {
		b := ben.bag()
		return len(b.Sets) == 1 && b.Sets[0].Place == "home"
	})
	set := ben.bag().Sets[0].Set
	ben.does(map[string]any{"op": "place", "set": set, "x": 0, "y": 0})
	ben.await("the deck on the table", func() bool { return ben.deck() != nil })
	guest := ben.deck().ID

	door := uint64(0)
	for _, p := range ben.sees().Pieces {
		if p.Set == 0 {
			door = p.ID
			break
		}
	}
	if got := ben.leads(door, "table", second); got.StatusCode != http.StatusCreated {
		t.Fatal(got.body)
	}
	path := fmt.Sprintf("/doors/%d", door)
	refused(t, "O51.2 a piece of the table", ben.posts(path, map[string]any{"carry": door}), 403,
		"from your own bag")
	cleo := l.at(l.browser(), first, 2)
	cleo.submit(strings.TrimPrefix(invite, l.URL),
		url.Values{"nick": {"Cleo"}, "colour": {"#2a8a5f"}})
	refused(t, "O51.2 somebody else's deck", cleo.posts(path, map[string]any{"carry": guest}), 403,
		"from your own bag")
	if page := ben.get("/t/" + second); strings.Contains(page.body, "data-carry") {
		t.Error("somebody carries what was refused")
	}
	if got := ben.posts(path, map[string]any{"carry": guest}); got.StatusCode != http.StatusOK {
		t.Fatalf("O51.1 one's own deck: %s", got.body)
	}
	if page := ben.get("/t/" + second); !strings.Contains(page.body, `data-carry="`+set+`"`) {
		t.Error("O51.1 the page of the other table does not have the set")
	}
	if page := ben.get("/t/" + second); strings.Contains(page.body, "data-carry") {
		t.Error("O51.1 the page would put the set down twice")
	}
	got := ben.posts(path, map[string]any{"carry": guest})
	if got.StatusCode != http.StatusOK || !strings.Contains(
		strings.Join(got.Header.Values("Set-Cookie"), "\n"), set+"; Path=/; Max-Age=60;") {
		t.Errorf("O51.7 %s %q", got.Status, got.Header.Values("Set-Cookie"))
	}
	if _, got := ben.opens(door); got.StatusCode != http.StatusOK {
		t.Fatal(got.body)
	}
	if page := ben.get("/t/" + second); strings.Contains(page.body, "data-carry") {
		t.Error("O51.7 the page would put down what stayed on the first table")
	}
}

// visits takes a person of a server to a table of another one, and returns their seat there.
func (l *linked) visits(ada *browser, away *linked, table, invite string, n byte) *at {
	l.Helper()
	to := l.sends(ada, invite).Header.Get("Location")
	u, err := url.Parse(to)
	l.must(err)
	there := away.browser()
	if a := there.submit("/visit", u.Query()); a.StatusCode != http.StatusSeeOther {
		l.Fatalf("%s %s", a.Status, says(a.body))
	}
	return away.at(there, table, n)
}

// TestDoorCarriesAway has a visitor at a door to their own server, and at one to a third server.
// Clauses: O51.3, O51.4, O51.6, O51.8, O51.9, O51.10
func TestDoorCarriesAway(t *testing.T) {
	home, away, third := newLinked(t, "Ada's"), newLinked(t, "Ben's"), newLinked(t, "Cleo's")
	away.linkWith(home, everyRight, everyRight)
	away.linkWith(third, everyRight, everyRight)
	third.linkWith(home, everyRight, everyRight)
	host, first, homeInvite := home.hosted()
	ada := home.at(host, first, 1)
	if got := ada.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK {
		t.Fatal(got.body)
	}
	deck := ada.deck()
	if deck.Pinned {
		ada.does(map[string]any{"op": "unpin", "piece": deck.ID, "tag": deck.Mark})
	}
	ada.does(map[string]any{"op": "take", "piece": deck.ID})
	ada.await("the deck in the bag", func() bool {
		b := ada.bag()
		return len(b.Sets) == 1 && b.Sets[0].Place == "home"
	})
	set := ada.bag().Sets[0].Set

	bens, far, invite := away.hosted()
	ben := away.at(bens, far, 1)
	_, farther, thirdInvite := third.hosted()
	visitor := home.visits(host, away, far, invite, 2)
	if got := visitor.posts("/bag", map[string]any{"do": "bring", "set": set}); got.StatusCode !=
		http.StatusOK {
		t.Fatal(got.body)
	}
	visitor.does(map[string]any{"op": "place", "set": set, "x": 0, "y": 0})
	guest := uint64(0)
	visitor.await("the deck on the table", func() bool {
		for _, p := range visitor.sees().Pieces {
			if p.Set != 0 {
				guest = p.ID
			}
		}
		return guest != 0
	})
	door := ben.deck().ID
	if door == guest {
		for _, p := range ben.sees().Pieces {
			if p.Set == 0 {
				door = p.ID
				break
			}
		}
	}
	path := fmt.Sprintf("/doors/%d", door)
	leads := func(link string) {
		ben.await("the door", func() bool { // the servers connect meanwhile
			return ben.leads(door, "link", link).StatusCode == http.StatusCreated
		})
	}
	leads(homeInvite)
	refused(t, "O51.6", visitor.posts(path, map[string]any{"carry": guest}), 403,
		"at home behind this door")
	if to, got := visitor.opens(door); got.StatusCode != http.StatusOK || to.URL == "" {
		t.Errorf("O51.6 without the deck: %s %s", got.Status, got.body)
	}
	if is := ben.door(door); is.GetState() != schema.DoorOpen {
		t.Errorf("O50.9 the door shows %v", is)
	}

	leads(thirdInvite)
	refused(t, "O51.2", ben.posts(path, map[string]any{"carry": guest}), 403, "")
	got := visitor.posts(path, map[string]any{"carry": guest})
	var to struct{ URL string }
	got.json(t, &to)
	u, err := url.Parse(to.URL)
	home.must(err)
	if !strings.HasPrefix(to.URL, home.URL+"/go?") || u.Query().Get("carry") != set {
		t.Fatalf("O51.9 %s %s", got.Status, got.body)
	}
	visitor.does(map[string]any{"op": "take", "piece": guest})
	if page := host.get("/go?" + u.RawQuery); !strings.Contains(says(page.body),
		"You bring this along and put it on that table: Deck") {
		t.Errorf("O51.10 the own server does not say what goes along: %s", says(page.body))
	}
	form := url.Values{"link": {u.Query().Get("link")}, "carry": {set}}
	eve := home.browser()
	eve.submit("/bag", url.Values{"nick": {"Eve"}, "colour": {"#c0392b"}})
	for _, not := range []answer{eve.get("/go?" + u.RawQuery), eve.submit("/go", form)} {
		if strings.Contains(not.body+not.Header.Get("Location"), set) {
			t.Errorf("O51.10 somebody else carries the deck: %s", not.Header.Get("Location"))
		}
	}
	sent := host.submit("/go", form)
	u, err = url.Parse(sent.Header.Get("Location"))
	home.must(err)
	if !strings.HasPrefix(u.String(), third.URL+"/visit?") || u.Query().Get("carry") != set {
		t.Fatalf("O51.10 %s to %q", sent.Status, u)
	}
	b := third.browser()
	page := b.get("/visit?" + u.RawQuery)
	if !strings.Contains(page.body, set) || len(page.Header.Values("Set-Cookie")) != 0 {
		t.Errorf("O51.8 %s %q", page.Status, page.Header.Values("Set-Cookie"))
	}
	if sat := b.submit("/visit", u.Query()); sat.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s", sat.Status, says(sat.body))
	}
	if table := b.get("/t/" + farther); !strings.Contains(table.body, `data-carry="`+set+`"`) ||
		strings.Contains(table.body, "data-back") {
		t.Errorf("O51.4 the page of the third server does not put it down: %s", table.Status)
	}
	there := third.at(b, farther, 3)
	there.await("the deck at home", func() bool {
		in := there.bag()
		return len(in.Sets) == 1 && in.Sets[0].Place == "home"
	})
	if got := there.posts("/bag", map[string]any{"do": "bring", "set": set}); got.StatusCode !=
		http.StatusOK {
		t.Fatal(got.body)
	}
	there.does(map[string]any{"op": "place", "set": set, "x": 0, "y": 0})
	there.await("the deck on the third table", func() bool {
		for _, p := range there.sees().Pieces {
			if p.Set != 0 {
				return true
			}
		}
		return false
	})
	for _, p := range visitor.sees().Pieces {
		if p.Set != 0 {
			t.Error("O51.3 the deck is on both tables")
		}
	}
}

// Clauses: O51.8
func TestDoorWayOfAnotherPerson(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	_, table, invite := away.hosted()
	ada, eve := home.browser(), home.browser()
	visitor := home.visits(ada, away, table, invite, 2)
	set, err := home.cfg.Minter.Mint(home.cfg.Now())
	home.must(err)
	for nick, b := range map[string]*browser{"Ada": ada, "Eve": eve} {
		sent := b.submit("/go", url.Values{"link": {invite}, "nick": {nick}, "colour": {"#c0392b"}})
		u, err := url.Parse(sent.Header.Get("Location"))
		home.must(err)
		q := u.Query()
		q.Set("from", home.URL+"/t/"+table)
		q.Set("carry", set.String())
		page := visitor.get("/visit?" + q.Encode())
		got := strings.Join(page.Header.Values("Set-Cookie"), "\n")
		own := nick == "Ada"
		if page.StatusCode != http.StatusOK || strings.Contains(got, "holt_from_") != own ||
			strings.Contains(got, "holt_carry_") != own {
			t.Errorf("O51.8 the voucher of %s: %s %q", nick, page.Status, got)
		}
	}
}

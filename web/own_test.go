package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"holt/web"
)

// owns posts the form for an own table, and returns the table.
func (b *browser) owns(t *testing.T, fields url.Values) string {
	t.Helper()
	got := b.submit("/own", fields)
	table, ok := strings.CutPrefix(got.Header.Get("Location"), "/t/")
	if got.StatusCode != http.StatusSeeOther || !ok {
		t.Fatalf("%s to %q: %s", got.Status, got.Header.Get("Location"), says(got.body))
	}
	return table
}

// Clauses: O39.2, O39.6, O39.7, O39.9, O39.12
func TestOwnTable(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	_, _, invite := away.hosted()
	ada := home.browser()
	home.sends(ada, invite)
	lost := "?away=" + away.links.Self().String()

	if got := ada.get("/" + lost); got.StatusCode != http.StatusSeeOther ||
		got.Header.Get("Location") != "/own"+lost {
		t.Fatalf("O39.6 home again: %s to %q", got.Status, got.Header.Get("Location"))
	}
	page := ada.get("/own" + lost)
	if !strings.Contains(says(page.body), "The connection to Ben's was lost") ||
		!strings.Contains(says(page.body), "Go to my own table as Ada") {
		t.Errorf("O39.2 it does not say why: %s", says(page.body))
	}
	if strings.Contains(page.body, `name="nick"`) {
		t.Error("a known person is asked for their name")
	}
	tables := func() int {
		return strings.Count(ada.get("/").body, `<a href="/t/`)
	}
	if n := tables(); n != 0 {
		t.Fatalf("O39.12 a GET has made %d tables", n)
	}
	foreign := ada.submit("/own", url.Values{"gone": {"1"}},
		"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site")
	if foreign.StatusCode != http.StatusForbidden || tables() != 0 {
		t.Errorf("O39.12 another site makes a table: %s", foreign.Status)
	}

	own := ada.owns(t, url.Values{"away": {away.links.Self().String()}})
	var is struct {
		Info   struct{ Title string }
		Seats  []struct{ Nick, Role, Colour string }
		Pieces []any
	}
	ada.get("/api/v1/tables/"+own).json(t, &is)
	if len(is.Pieces) != 0 || len(is.Seats) != 1 || is.Seats[0].Nick != "Ada" ||
		is.Seats[0].Role != "host" || is.Seats[0].Colour != "#c0392b" ||
		is.Info.Title != "Ada’s own table" {
		t.Errorf("O39.6 the own table: %+v", is)
	}
	at := ada.get("/t/" + own)
	if !strings.Contains(at.body, `data-lost="away"`) ||
		!strings.Contains(at.body, `data-lost-name="Ben&#39;s"`) {
		t.Errorf("O39.9 the own table does not say why: %s", at.Status)
	}
	if strings.Contains(ada.get("/t/"+own).body, "data-lost") {
		t.Error("O39.9 it says so twice")
	}
	var bag struct{ Known bool }
	ada.get("/api/v1/tables/"+own+"/bag").json(t, &bag)
	if !bag.Known {
		t.Error("O39.9 the bag is not at hand")
	}

	for _, again := range []answer{
		ada.get("/own?gone=1"), ada.submit("/own", url.Values{"gone": {"1"}}),
	} {
		if again.StatusCode != http.StatusSeeOther ||
			again.Header.Get("Location") != "/t/"+own {
			t.Errorf("O39.7 %s to %q", again.Status, again.Header.Get("Location"))
		}
	}
	if !strings.Contains(ada.get("/t/"+own).body, `data-lost="gone"`) {
		t.Error("O39.9 it does not say that the table was deleted")
	}
	if n := tables(); n != 1 {
		t.Errorf("O39.7 there are %d tables", n)
	}
	home.at(ada, own, 1).throws()
	if next := ada.owns(t, nil); next == own {
		t.Error("O39.7 it leads to a deleted table")
	}

	dora := home.browser()
	if page := dora.get("/own?gone=1"); !strings.Contains(page.body, `name="nick"`) {
		t.Error("O39.6 a stranger is not asked for a name")
	}
	if got := dora.submit("/own",
		url.Values{"nick": {""}, "colour": {"#c0392b"}}); got.StatusCode !=
		http.StatusUnprocessableEntity {
		t.Errorf("an own table of nobody: %s", got.Status)
	}
	dora.owns(t, url.Values{"nick": {"Dora"}, "colour": {"#2a8a5f"}})
}

// Clauses: O39.13
func TestOwnTableOfTwoTabs(t *testing.T) {
	home := newLinked(t, "Ada's")
	ada := home.browser()
	if page := ada.get("/own?gone=1"); page.StatusCode != http.StatusOK {
		t.Fatalf("the form: %s", page.Status)
	}
	// The tabs send what the browser had when their forms were shown, so none has the cookies of
	// another one's table.
	fields := url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}}
	tabs := make([]answer, 4)
	at, err := url.Parse(ada.URL)
	home.must(err)
	var all sync.WaitGroup
	for i := range tabs {
		tab := home.browser()
		tab.jar.SetCookies(at, ada.jar.Cookies(at))
		all.Go(func() {
			tabs[i] = tab.submit("/own", fields)
			if there := tab.get(tabs[i].Header.Get("Location")); there.StatusCode != http.StatusOK {
				t.Errorf("tab %d does not come to the table: %s", i, there.Status)
			}
		})
	}
	all.Wait()
	for i, tab := range tabs {
		if to := tab.Header.Get("Location"); to != tabs[0].Header.Get("Location") ||
			!strings.HasPrefix(to, "/t/") {
			t.Errorf("tab %d comes to %q, the first one to %q", i, to,
				tabs[0].Header.Get("Location"))
		}
	}
	other := home.browser()
	other.get("/own?gone=1")
	if table := other.owns(t, fields); "/t/"+table == tabs[0].Header.Get("Location") {
		t.Error("another browser comes to the same table")
	}
}

// Clauses: O39.10, O39.11
func TestOwnTableAfterDeletion(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	host, table, invite := away.hosted()
	ada := home.browser()
	there := home.visits(ada, away, table, invite, 2)
	sent := home.sends(ada, invite)
	to := strings.TrimPrefix(sent.Header.Get("Location"), away.URL)
	away.at(host, table, 1).throws()
	want := `href="` + home.URL + `/?gone=1"`
	if page := there.get("/t/" + table); page.StatusCode != http.StatusGone ||
		!strings.Contains(page.body, want) {
		t.Errorf("O39.11 a visitor: %s %s", page.Status, page.body)
	}
	if page := away.browser().get(to); page.StatusCode != http.StatusGone ||
		!strings.Contains(page.body, want) {
		t.Errorf("O39.11 with a voucher to a deleted table: %s %s", page.Status, page.body)
	}
	if page := host.get("/t/" + table); !strings.Contains(page.body, `href="/?gone=1"`) {
		t.Errorf("O39.11 the host: %s", page.Status)
	}
	r := away.request(http.MethodGet, "/t/"+table, "", nil)
	r.AddCookie(&http.Cookie{Name: "holt_home_" + table, Value: "javascript:alert(1)//"})
	if page := away.do(r, nil); !strings.Contains(page.body, `href="/?gone=1"`) {
		t.Errorf("O39.11 with a home that is none: %s", page.body)
	}
}

// Clauses: O39.8
func TestOwnTableWhereNobodyMayMakeOne(t *testing.T) {
	closed := newStack(t, func(c *web.Config) { c.Creation = web.Creation{Nobody: true} })
	b := closed.browser()
	for _, path := range []string{"/?gone=1", "/own?gone=1"} {
		page := b.get(path)
		if page.StatusCode != http.StatusOK ||
			!strings.Contains(says(page.body), "It was deleted.") {
			t.Errorf("%s: %s %s", path, page.Status, says(page.body))
		}
	}
	if got := b.submit("/own", url.Values{"gone": {"1"}, "nick": {"Ada"},
		"colour": {"#c0392b"}}); got.Header.Get("Location") != "" ||
		!strings.Contains(says(got.body), "It was deleted.") {
		t.Errorf("%s: %s", got.Status, says(got.body))
	}
	open := newStack(t, func(c *web.Config) { c.Limits.Tables = web.Rate{PerSecond: 1e-9, Burst: 1} })
	open.browser().owns(t, url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}})
	got := open.browser().submit("/own",
		url.Values{"gone": {"1"}, "nick": {"Ben"}, "colour": {"#c0392b"}})
	if got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" ||
		!strings.Contains(says(got.body), "You cannot have a table of your own right now.") {
		t.Errorf("beyond the limit: %s: %s", got.Status, says(got.body))
	}
}

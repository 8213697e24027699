package web_test

import (
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"holt/server/play/game"
	"holt/static"
	"holt/web"
)

// newHouse starts a server that has the sample with two tables.
func newHouse(t *testing.T, limits web.Limits) *linked {
	t.Helper()
	shelf, err := game.LoadShelf(static.Files, os.DirFS("../docs/guides/samples"))
	if err != nil {
		t.Fatal(err)
	}
	return newLinkedWith(t, "Ben's", shelf, limits)
}

// doorAt returns a piece of a table that is a door, and where it leads.
func (a *at) doorAt() (piece uint64, title string) {
	a.server.Helper()
	for _, p := range a.sees().Pieces {
		if is := a.door(p.ID); is != nil {
			return p.ID, is.GetTitle()
		}
	}
	return 0, ""
}

// Clauses: G16.1, G16.2, G16.3
func TestSeveralTables(t *testing.T) {
	l := newHouse(t, web.Limits{})
	ben := l.browser()
	made := ben.submit("/tables",
		url.Values{"game": {"house"}, "nick": {"Ben"}, "colour": {"#2f72c4"}})
	hall := l.at(ben, strings.TrimPrefix(made.Header.Get("Location"), "/t/"), 1)
	stairs, title := hall.doorAt()
	if title != "Cellar" {
		t.Fatalf("G16.2 a door leads to %q", title)
	}
	to, got := hall.opens(stairs)
	if got.StatusCode != http.StatusOK || to.Token != "" {
		t.Fatalf("G16.2 the door opens: %s %s", got.Status, got.body)
	}
	cellar := l.at(ben, to.URL[strings.LastIndex(to.URL, "/")+1:], 2)
	up, title := cellar.doorAt()
	if title != "House" {
		t.Errorf("G16.2 the other door leads to %q", title)
	}
	if back, _ := cellar.opens(up); !strings.HasSuffix(back.URL, "/t/"+hall.table) {
		t.Errorf("G16.2 the other door opens to %q", back.URL)
	}
	if links := ben.get("/api/v1/tables/" + cellar.table + "/doors"); links.StatusCode !=
		http.StatusOK {
		t.Errorf("G16.1 Ben is not the host of the cellar: %s %s", links.Status, links.body)
	}
	if !l.refers(hall.table, cellar.table) || !l.refers(cellar.table, hall.table) {
		t.Error("G16.2 the tables do not refer to each other")
	}
	if n := len(cellar.sees().Pieces); n != 3 {
		t.Errorf("G16.1 %d pieces lie in the cellar", n)
	}

	var api struct {
		Table   string
		Further []struct{ Table, Title, Token, URL string }
	}
	l.post("/api/v1/tables", `{"game":"house","title":"Ours"}`).json(l, &api)
	if len(api.Further) != 1 || api.Further[0].Title != "Cellar" || api.Table == "" ||
		!strings.HasSuffix(api.Further[0].URL, api.Further[0].Table) {
		t.Fatalf("G16.3 the answer is %+v", api)
	}
	if got := l.get("/api/v1/tables/"+api.Further[0].Table, "Authorization",
		"Bearer "+api.Further[0].Token); got.StatusCode != http.StatusOK {
		t.Errorf("G16.3 the token of the cellar gets %s", got.Status)
	}
	var one struct{ Further []any }
	l.post("/api/v1/tables", `{"game":"chess"}`).json(l, &one)
	if one.Further != nil {
		t.Errorf("G16.3 chess has further tables: %v", one.Further)
	}
}

// Clauses: G16.4
func TestSeveralTablesOrNone(t *testing.T) {
	// One table is left when the last house needs two.
	l := newHouse(t, web.Limits{Tables: web.Rate{PerSecond: 1e-9, Burst: 6}})
	for i, c := range []struct {
		game   string
		refers int64 // the reference that fails
		want   int
	}{
		{"chess", 0, http.StatusCreated}, {"house", 0, http.StatusCreated},
		{"house", 2, http.StatusServiceUnavailable}, {"house", 0, http.StatusTooManyRequests},
	} {
		l.objects.refers.Store(c.refers)
		if got := l.post("/api/v1/tables", `{"game":"`+c.game+`"}`); got.StatusCode != c.want {
			t.Fatalf("request %d: %s %s", i, got.Status, got.body)
		}
	}
	list, err := l.db.Tables(l.Context())
	l.must(err)
	var titles []string
	for i := range list {
		titles = append(titles, list[i].Title)
	}
	slices.Sort(titles)
	if want := []string{"Cellar", "Chess", "House"}; !slices.Equal(titles, want) {
		t.Errorf("G16.4 the tables are %q, want %q", titles, want)
	}
}

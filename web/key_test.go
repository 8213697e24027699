package web_test

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/tables/room"
	"holt/storage"
)

// newBag registers a person at a server, and returns the browser that knows them.
func (l *linked) newBag(nick string) *browser {
	l.Helper()
	b := l.browser()
	if a := b.submit("/bag",
		url.Values{"nick": {nick}, "colour": {"#c0392b"}}); a.StatusCode != http.StatusSeeOther {
		l.Fatalf("%s %s", a.Status, says(a.body))
	}
	return b
}

var keyLink = regexp.MustCompile(`>(http[^<]+/bag/[A-Za-z0-9_-]{32})<`)

// newKey makes a link to a bag, and returns its path.
func (l *linked) newKey(of *browser) string {
	l.Helper()
	found := keyLink.FindStringSubmatch(of.submit("/bag", url.Values{"do": {"key"}}).body)
	if len(found) != 2 || !strings.HasPrefix(found[1], l.URL) {
		l.Fatalf("no link to this server: %q", found)
	}
	return strings.TrimPrefix(found[1], l.URL)
}

// whose returns the name of the person whose bag a browser has, or "".
func (l *linked) whose(b *browser) string {
	l.Helper()
	_, is, _ := strings.Cut(says(b.get("/bag").body), "You are ")
	is, _, _ = strings.Cut(is, " of ")
	return is
}

func TestBagKey(t *testing.T) {
	s := newLinked(t, "Ada's")
	ada, phone := s.newBag("Ada"), s.browser()
	path := s.newKey(ada)
	t.Run("O37.14, O37.17 viewing a link gives nothing, opening it gives the bag", func(t *testing.T) {
		for range 3 {
			if a := phone.get(path); a.StatusCode != http.StatusOK ||
				!strings.Contains(says(a.body), "Open the bag of Ada here") ||
				a.Header.Get("Cache-Control") != "no-store" {
				t.Fatalf("%s %s", a.Status, says(a.body))
			}
		}
		if is := s.whose(phone); is != "" {
			t.Fatalf("it is %q already", is)
		}
		if a := phone.submit(path, nil); a.StatusCode != http.StatusSeeOther ||
			a.Header.Get("Location") != "/bag" {
			t.Fatalf("%s %s", a.Status, says(a.body))
		}
		if is := s.whose(phone); is != "Ada" {
			t.Errorf("it is %q", is)
		}
		if is := s.whose(ada); is != "Ada" {
			t.Errorf("the first browser is %q", is)
		}
	})
	t.Run("O37.15 a link is valid once", func(t *testing.T) {
		for _, a := range []answer{s.browser().get(path), s.browser().submit(path, nil)} {
			if a.StatusCode != http.StatusForbidden ||
				!strings.Contains(says(a.body), "no longer works") {
				t.Errorf("%s %s", a.Status, says(a.body))
			}
		}
	})
	t.Run("O37 a link is valid for ten minutes, and only the newest", func(t *testing.T) {
		old := s.newKey(ada)
		path := s.newKey(ada)
		if a := s.browser().submit(old, nil); a.StatusCode != http.StatusForbidden {
			t.Errorf("the one before: %s", a.Status)
		}
		s.ahead.Store(int64(people.KeyLife))
		defer s.ahead.Store(0)
		if a := s.browser().submit(path, nil); a.StatusCode != http.StatusForbidden {
			t.Errorf("after ten minutes: %s", a.Status)
		}
	})
	t.Run("O37 who has another bag learns that it goes", func(t *testing.T) {
		ben := s.newBag("Ben")
		path := s.newKey(ada)
		if is := says(ben.get(path).body); !strings.Contains(is,
			"has the bag of Ben and will lose it") {
			t.Error(is)
		}
		ben.submit(path, nil)
		if is := s.whose(ben); is != "Ada" {
			t.Errorf("it is %q", is)
		}
	})
	t.Run("O37 a form of another site does nothing with links or bags", func(t *testing.T) {
		path := s.newKey(ada)
		foreign := []string{"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site"}
		for _, a := range []answer{
			ada.submit("/bag", url.Values{"do": {"key"}}, foreign...),
			ada.submit("/bag", url.Values{"do": {"forget"}}, foreign...),
			s.browser().submit(path, nil, foreign...),
		} {
			if a.StatusCode != http.StatusForbidden {
				t.Error(a.Status)
			}
		}
		if is := s.whose(phone); is != "Ada" {
			t.Errorf("the other browser is %q", is)
		}
	})
	t.Run("O37 who has lost a browser revokes its bag", func(t *testing.T) {
		path := s.newKey(ada)
		if a := ada.submit("/bag", url.Values{"do": {"forget"}}); a.StatusCode != http.StatusOK ||
			!strings.Contains(says(a.body), "No other browser has your bag") {
			t.Fatalf("%s %s", a.Status, says(a.body))
		}
		if is := s.whose(phone); is != "" {
			t.Errorf("the other browser is %q", is)
		}
		if is := s.whose(ada); is != "Ada" {
			t.Errorf("the own browser is %q", is)
		}
		if a := phone.submit(path, nil); a.StatusCode != http.StatusForbidden {
			t.Errorf("a link from before: %s", a.Status)
		}
	})
	t.Run("O37 nobody finds a link by guessing", func(t *testing.T) {
		for _, bad := range []string{"/bag/x", "/bag/" + strings.Repeat("A", 32),
			"/bag/" + strings.Repeat("A", 3000), "/bag/%00"} {
			if a := s.browser().get(bad); a.StatusCode != http.StatusForbidden {
				t.Errorf("%.20s: %s", bad, a.Status)
			}
		}
	})
}

// Clauses: O37.13
func TestManyBrowsers(t *testing.T) {
	ctx := t.Context()
	db, err := storage.Open(ctx, t.TempDir(), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ada := people.Person{OID: [16]byte{15: 1}, Nick: "Ada"}
	if err := db.AddPerson(ctx, ada, room.Hash{1}, 1); err != nil {
		t.Fatal(err)
	}
	for i := byte(2); i <= 33; i++ {
		if err := db.SetKey(ctx, ada.OID, room.Hash{i}, 1000); err != nil {
			t.Fatal(err)
		}
		if err := db.UseKey(ctx, room.Hash{i}, room.Hash{i}, id.Millis(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.PersonByToken(ctx, room.Hash{1}); !errors.Is(err, people.ErrNoPerson) {
		t.Errorf("O37 the oldest of more than %d browsers is still known: %v",
			people.MaxBrowsers, err)
	}
	if is, err := db.PersonByToken(ctx, room.Hash{2}); err != nil || is != ada {
		t.Errorf("%+v %v", is, err)
	}
}

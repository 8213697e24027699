package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	api "holt/server/client"
)

// ownData is what the test reads of the data of a seat.
type ownData struct {
	Format string
	At     int64
	Number int
	Title  string
	Seat   struct {
		ID                 int
		Nick, Colour, Role string
		Left               int
		Erased             bool
	}
	Profile    struct{ Nick, Pronoun string }
	Components []struct{ Name string }
	Saves      []struct{ Name string }
	Entries    []struct {
		By   int
		Op   string
		At   int64
		Chat *struct{ Text string }
		Seat *struct{ Nick string }
	}
	Before string
}

// ownDataOf reads the data of a seat to its end.
func (s *stack) ownDataOf(k seat) (d ownData, text string) {
	s.Helper()
	for query := ""; ; {
		a := s.get(k.api("/seats/me/data"+query), k.bearer()...)
		if a.StatusCode != http.StatusOK ||
			!strings.Contains(a.Header.Get("Content-Disposition"), "attachment") {
			s.Fatalf("data: %s %s", a.Status, a.body)
		}
		part := ownData{}
		if err := json.Unmarshal([]byte(a.body), &part); err != nil {
			s.Fatal(err)
		}
		text += a.body
		entries := slices.Concat(d.Entries, part.Entries)
		if query == "" {
			d = part
		}
		d.Entries = entries
		if part.Before == "" {
			return d, text
		}
		query = "?before=" + part.Before
	}
}

func (s *stack) eraseSeat(k seat, which, query string) answer {
	s.Helper()
	path := k.api("/seats/" + which + "/data" + query)
	return s.do(s.request(http.MethodDelete, path, "", k.bearer()), nil)
}

// Clauses: T79.1, T79.2, T79.3, T80.1, T80.3, T80.8
func TestOwnData(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Benedetta")
	var doc api.Document
	s.get(k.api(""), k.bearer()...).json(t, &doc)
	clients := map[string]string{
		k.Token: "q83vEjRWeJCrze8SNFZ4kA", ben.Token: "q83vEjRWeJCrze8SNFZ4kQ",
	}
	post := func(k seat, updates string) {
		t.Helper()
		a := s.post(k.api("/updates"), fmt.Sprintf(`{"client":%q,"epoch":%d,"updates":[%s]}`,
			clients[k.Token], doc.Epoch, updates), k.bearer()...)
		if a.StatusCode != http.StatusAccepted {
			t.Fatalf("%s %s", a.Status, a.body)
		}
	}
	post(k, `{"op":"say","seq":1,"text":"a word of Ada"},{"op":"say","seq":2,"text":"psst","seat":2}`)
	post(ben, `{"op":"say","seq":1,"text":"my own words"},`+
		`{"op":"say","seq":2,"text":"to Ada","seat":1},{"op":"add","seq":3,"kind":0,"x":0,"y":0}`)
	if a := s.post(k.api("/saves"), `{"name":"Ada saves","token":"x"}`, k.bearer()...); a.StatusCode !=
		http.StatusCreated {
		t.Fatalf("%s %s", a.Status, a.body)
	}

	t.Run("T79 somebody gets all that is kept of them, and nothing of others", func(t *testing.T) {
		d, text := s.ownDataOf(ben)
		var said, ops []string
		for _, e := range d.Entries {
			ops = append(ops, e.Op)
			if e.At == 0 {
				t.Errorf("T79.1 an entry has no time: %+v", e)
			}
			if e.Chat != nil {
				said = append(said, e.Chat.Text)
			}
		}
		if d.Format != "holt.seat/1" || d.Number != 2 || d.Seat.Nick != "Benedetta" ||
			d.Seat.Role != "player" || !strings.HasPrefix(d.Seat.Colour, "#") || d.At == 0 {
			t.Errorf("T79.1 it is %+v", d)
		}
		if fmt.Sprint(said) != "[to Ada my own words]" || ops[0] != "add" ||
			ops[len(ops)-1] != "seat" {
			t.Errorf("T79.1 the lines are %v, the operations %v", said, ops)
		}
		for _, other := range []string{"word of Ada", "psst", "Ada saves", ben.Token, k.Token} {
			if strings.Contains(text, other) {
				t.Errorf("T79.2 it has %q", other)
			}
		}
		host, _ := s.ownDataOf(k)
		if len(host.Saves) != 1 || host.Saves[0].Name != "Ada saves" {
			t.Errorf("T79.1 the save points are %v", host.Saves)
		}
	})
	t.Run("T79.3 parts follow each other", func(t *testing.T) {
		a := s.get(k.api("/seats/me/data?before=1.0"), k.bearer()...)
		if a.StatusCode != http.StatusOK || strings.Contains(a.body, `"seat"`) {
			t.Errorf("%s %s", a.Status, a.body)
		}
	})
	t.Run("T80 the seat ends, and a host erases it once more", func(t *testing.T) {
		for _, row := range []struct {
			k     seat
			which string
			want  int
		}{{ben, "1", 403}, {k, "2", 404}, {k, "me", 409}, {k, "17", 404}, {ben, "me", 204},
			{ben, "me", 401}, {k, "2", 204}, {k, "2", 204}} {
			if a := s.eraseSeat(row.k, row.which, ""); a.StatusCode != row.want {
				t.Errorf("T80.3 seat %d erases %s: %s %s", row.k.Seat, row.which, a.Status, a.body)
			}
		}
		if a := s.eraseSeat(k, "2", "?hand=away"); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("another hand: %s", a.Status)
		}
		d := s.logPage(t, k, "?limit=200")
		for _, e := range d.Entries {
			if e.Chat != nil && e.By == 2 && (e.Chat.Text != "" || !e.Chat.Deleted) {
				t.Errorf("T80.5 the log has %+v", e.Chat)
			}
		}
		var table struct {
			Seats []struct {
				Nick   string
				Left   int
				Erased bool
			}
		}
		s.get(k.api(""), k.bearer()...).json(t, &table)
		if got := table.Seats[1]; got.Nick != "Somebody" || got.Left != 2 || !got.Erased {
			t.Errorf("T80.2 the seat is %+v", got)
		}
		for end := time.Now().Add(time.Minute); ; { // entries follow soon
			a := s.get(k.api("/log?limit=200"), k.bearer()...)
			if !strings.Contains(a.body, "Benedetta") {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("T80.6 the log still has the name: %s", a.body)
			}
		}
	})
}

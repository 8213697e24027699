package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	api "holt/server/client"
)

// logPage reads a page of the log.
func (s *stack) logPage(t *testing.T, k seat, query string) (d api.LogDocument) {
	t.Helper()
	a := s.get(k.api("/log"+query), k.bearer()...)
	if a.StatusCode != http.StatusOK {
		t.Fatalf("log%s: %s %s", query, a.Status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// said returns the texts of a page, in order.
func said(d api.LogDocument) string {
	var all []string
	for _, e := range d.Entries {
		if e.Chat != nil {
			all = append(all, fmt.Sprintf("%d>%d %s", e.By, e.Chat.To, e.Chat.Text))
		}
	}
	return strings.Join(all, "|")
}

func TestLogAndChatByHTTP(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	ben := s.join(k, k.Invites.Player, "Ben")
	eve := s.join(k, k.Invites.Spectator, "Eve")
	var table api.Document
	a := s.get(k.api(""), k.bearer()...)
	a.json(t, &table)
	post := func(k seat, client, updates string) answer {
		return s.post(k.api("/updates"), fmt.Sprintf(
			`{"client":%q,"epoch":%d,"updates":[%s]}`, client, table.Epoch, updates), k.bearer()...)
	}
	clients := []string{"q83vEjRWeJCrze8SNFZ4kA", "q83vEjRWeJCrze8SNFZ4kQ"}
	must := func(a answer) {
		t.Helper()
		if a.StatusCode != http.StatusAccepted {
			t.Fatalf("%s %s", a.Status, a.body)
		}
	}
	must(post(k, clients[0], `{"op":"say","seq":1,"text":"zwölf \u003cb\u003e"}`))
	must(post(k, clients[0], `{"op":"say","seq":2,"text":"psst","seat":2}`))
	must(post(eve, clients[1], `{"op":"say","seq":1,"text":"nice"}`))

	t.Run("T65.1, T64.6 each seat reads what it was sent", func(t *testing.T) {
		for of, want := range map[*seat]string{
			&k: "1>0 zwölf <b>|1>2 psst|3>0 nice", &ben: "1>0 zwölf <b>|1>2 psst|3>0 nice",
			&eve: "1>0 zwölf <b>|3>0 nice",
		} {
			if got := said(s.logPage(t, *of, "")); got != want {
				t.Errorf("seat %d reads %q, want %q", of.Seat, got, want)
			}
		}
		if a := s.get(k.api("/log")); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("nobody reads %s", a.Status)
		}
	})
	t.Run("T65.4 a cursor leads to what comes before", func(t *testing.T) {
		whole := s.logPage(t, ben, "?limit=200")
		var parts []api.LogEntry
		for query := "?limit=1"; ; {
			page := s.logPage(t, ben, query)
			parts = append(page.Entries, parts...)
			if page.Before == "" {
				break
			}
			query = "?limit=1&before=" + page.Before
		}
		one, _ := json.Marshal(whole.Entries)
		other, _ := json.Marshal(parts)
		if len(whole.Entries) < 6 || !bytes.Equal(one, other) {
			t.Errorf("one page is %s\nand many are %s", one, other)
		}
	})
	t.Run("T65.3 what is asked for in a wrong way is refused", func(t *testing.T) {
		for query, code := range map[string]string{
			"?limit=0": "impossible-value", "?limit=201": "impossible-value", "?limit=x": "malformed",
			"?to=x": "malformed", "?to=9007199254740991": "impossible-value",
			"?before=": "malformed", "?before=12": "malformed", "?before=1.x": "malformed",
			"?before=0.1": "malformed", "?before=1.99999999": "malformed",
		} {
			status := http.StatusUnprocessableEntity
			if code == "malformed" {
				status = http.StatusBadRequest
			}
			wantProblem(t, query, s.get(k.api("/log"+query), k.bearer()...), status, code)
		}
	})
	t.Run("T64.9 a line is deleted by its number", func(t *testing.T) {
		page := s.logPage(t, k, "?limit=1")
		line := page.Entries[0].Chat.Line
		must(post(k, clients[0], fmt.Sprintf(`{"op":"unsay","seq":3,"line":%d}`, line)))
		page = s.logPage(t, ben, "?limit=2")
		if c := page.Entries[0].Chat; c.Line != line || !c.Deleted || c.Text != "" {
			t.Errorf("the line is %+v", c)
		}
		if e := page.Entries[1]; e.Op != "unsay" || e.By != 1 || e.Chat.By != 3 {
			t.Errorf("its deletion is %+v, %+v", e, e.Chat)
		}
	})
	t.Run("T64.12 a spectator's batch with more is refused", func(t *testing.T) {
		wantProblem(t, "a move", post(eve, clients[1],
			`{"op":"say","seq":2,"text":"a"},{"op":"pin","seq":3,"piece":1,"tag":0}`),
			http.StatusForbidden, "role")
	})
}

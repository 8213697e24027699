package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"holt/server/federation/behaviour"
	"holt/server/federation/people"
	"holt/server/id"
)

// redrawn are objects of which some have newer versions.
type redrawn struct {
	people.Objects
	newer   map[id.OID]bool
	unfit   bool
	adopted []id.OID
}

func (r *redrawn) About(context.Context, id.OID) (string, id.OID, error) {
	return "Deck", id.OID{}, nil
}

func (r *redrawn) Newer(_ context.Context, set id.OID) (bool, error) { return r.newer[set], nil }

func (r *redrawn) Decline(_ context.Context, set id.OID) error {
	if !r.newer[set] {
		return behaviour.ErrNoNewer
	}
	delete(r.newer, set)
	return nil
}

func (r *redrawn) Adopt(_ context.Context, set id.OID) error {
	switch {
	case r.unfit:
		return behaviour.ErrUnfit
	case !r.newer[set]:
		return behaviour.ErrNoNewer
	}
	delete(r.newer, set)
	r.adopted = append(r.adopted, set)
	return nil
}

func TestO30NewerInTheBag(t *testing.T) {
	home := newLinked(t, "Ada's")
	objects := &redrawn{Objects: home.world, newer: map[id.OID]bool{}}
	home.objects.Objects = objects
	ada, at, _ := home.hosted()
	ada.submit("/bag", url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}})
	set, other := home.carried(), home.carried()
	objects.newer[set] = true
	adopt := func(b *browser, set id.OID) answer {
		return b.submit("/bag", url.Values{"do": {"adopt"}, "set": {set.String()}})
	}
	api := func(body string) answer {
		r := ada.request(http.MethodPost, "/api/v1/tables/"+at+"/bag", body, nil)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", ada.URL)
		return ada.do(r, ada.jar)
	}
	t.Run("O30.19 the bag offers newer pictures, and says that the old ones may stay",
		func(t *testing.T) {
			if p := says(ada.get("/bag").body); strings.Count(p, "You can keep the old ones.") != 1 ||
				strings.Count(p, "Use the newer pictures") != 1 {
				t.Error(p)
			}
			if a := api(`{"do":"open"}`); strings.Count(a.body, `"newer":true`) != 1 {
				t.Errorf("%s %s", a.Status, a.body)
			}
		})
	t.Run("O30.23 the bag offers to keep the old pictures", func(t *testing.T) {
		if p := says(ada.get("/bag").body); strings.Count(p, "Keep the old pictures") != 1 {
			t.Error(p)
		}
		if a := api(`{"do":"keep","set":"` + set.String() + `"}`); a.StatusCode != http.StatusOK ||
			strings.Contains(a.body, `"newer"`) || len(objects.adopted) != 0 {
			t.Errorf("%s %s", a.Status, a.body)
		}
		objects.newer[set] = true
	})
	t.Run("O30.13 nobody else adopts, and nothing that is not newer", func(t *testing.T) {
		eve := home.browser()
		eve.submit("/bag", url.Values{"nick": {"Eve"}, "colour": {"#2f72c4"}})
		if a := adopt(eve, set); a.StatusCode != http.StatusConflict ||
			!strings.Contains(says(a.body), "not in your bag") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
		if a := adopt(ada, other); a.StatusCode != http.StatusConflict ||
			!strings.Contains(says(a.body), "no newer version") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
		if len(objects.adopted) != 0 {
			t.Errorf("%v", objects.adopted)
		}
	})
	t.Run("O30.15 what does not fit is refused with a reason", func(t *testing.T) {
		objects.unfit = true
		defer func() { objects.unfit = false }()
		if a := adopt(ada, set); a.StatusCode != http.StatusConflict ||
			!strings.Contains(says(a.body), "another game") {
			t.Errorf("%s %s", a.Status, says(a.body))
		}
	})
	t.Run("O30.13 its person adopts it", func(t *testing.T) {
		if a := adopt(ada, set); a.StatusCode != http.StatusSeeOther ||
			len(objects.adopted) != 1 || objects.adopted[0] != set {
			t.Fatalf("%s %v", a.Status, objects.adopted)
		}
		if p := says(ada.get("/bag").body); strings.Contains(p, "Use the newer pictures") {
			t.Error(p)
		}
		objects.newer[other] = true
		if a := api(`{"do":"adopt","set":"` + other.String() + `"}`); a.StatusCode != http.StatusOK ||
			strings.Contains(a.body, `"newer"`) || len(objects.adopted) != 2 {
			t.Errorf("%s %s", a.Status, a.body)
		}
	})
}

// TestO30NewerOfAVisitor adopts newer versions at a table of another server: of a set that is at
// home, of one that was left there, and of what belongs to somebody else.
func TestO30NewerOfAVisitor(t *testing.T) {
	home, away := newLinked(t, "Ada's"), newLinked(t, "Ben's")
	away.linkWith(home, everyRight, everyRight)
	at := map[*linked]*redrawn{}
	for _, l := range []*linked{home, away} {
		at[l] = &redrawn{Objects: l.world, newer: map[id.OID]bool{}}
		l.objects.Objects = at[l]
	}
	_, table, invite := away.hosted()
	ada, there := home.browser(), away.browser()
	sent := home.sends(ada, invite)
	q, err := url.Parse(sent.Header.Get("Location"))
	home.must(err)
	if a := there.submit("/visit", q.Query()); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s", a.Status, says(a.body))
	}
	rests, left := home.carried(), home.carried()
	home.must(home.world.Move(t.Context(), left, away.links.Self()))
	at[home].newer[rests], at[away].newer[left] = true, true
	bag := func(do string, set id.OID) answer {
		r := there.request(http.MethodPost, "/api/v1/tables/"+table+"/bag",
			`{"do":"`+do+`","set":"`+set.String()+`"}`, header{"Content-Type",
				"application/json", "Origin", away.URL, "Sec-Fetch-Site", "same-origin"})
		return there.do(r, there.jar)
	}
	t.Run("O30.19 a visitor's bag offers newer pictures", func(t *testing.T) {
		arrives(t, func() (bool, string) {
			a := bag("open", left)
			return strings.Count(a.body, `"newer":true`) == 2, a.Status + " " + a.body
		})
	})
	t.Run("O30.13 a visitor adopts at home, and what was left here", func(t *testing.T) {
		for l, set := range map[*linked]id.OID{home: rests, away: left} {
			if a := bag("adopt", set); a.StatusCode != http.StatusOK ||
				len(at[l].adopted) != 1 || at[l].adopted[0] != set {
				t.Errorf("%s %s: %v", a.Status, a.body, at[l].adopted)
			}
		}
	})
	t.Run("O30.13 nobody adopts for somebody else", func(t *testing.T) {
		others := rests
		others[15] ^= 0xff
		at[home].newer[others], at[away].newer[others] = true, true
		if a := bag("adopt", others); a.StatusCode != http.StatusForbidden ||
			!strings.Contains(a.body, "not in your bag") || len(at[away].adopted) != 1 {
			t.Errorf("%s %s", a.Status, a.body)
		}
	})
}

package web_test

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// packed is a person at a table of their own server, with sets in their bag.
type packed struct {
	*at
	person id.OID
	sets   []id.OID
}

// packs returns a person of a server with n sets.
func (l *linked) packs(n int) *packed {
	l.Helper()
	host, table, _ := l.hosted()
	host.submit("/bag", url.Values{"nick": {"Ada"}, "colour": {"#c0392b"}})
	p := &packed{at: l.at(host, table, 1)}
	persons, err := l.db.Persons(l.Context())
	if err != nil || len(persons) != 1 {
		l.Fatalf("%+v, %v", persons, err)
	}
	p.person = persons[0].OID
	for range n {
		p.sets = append(p.sets, l.carried())
	}
	if got := p.posts("/bag", map[string]any{"do": "open"}); got.StatusCode != http.StatusOK {
		l.Fatal(got.body)
	}
	return p
}

// asks has a page ask for something about a set.
func (p *packed) asks(do string, set int, with ...int) answer {
	p.server.Helper()
	q := map[string]any{"do": do, "set": p.sets[set].String()}
	if len(with) > 0 {
		q["with"] = p.sets[with[0]].String()
	}
	return p.posts("/bag", q)
}

// puts asks for something that is done.
func (p *packed) puts(do string, set int, with ...int) {
	p.server.Helper()
	if got := p.asks(do, set, with...); got.StatusCode != http.StatusOK {
		p.server.Fatalf("%s %d %v: %s %s", do, set, with, got.Status, got.body)
	}
}

// ties returns, for each set, which others belong with it and which of those were thrown away. It
// returns nil for a set that is not in the bag.
func (p *packed) ties() (with, thrown [][]int) {
	p.server.Helper()
	var b struct {
		Sets []struct {
			Set    string
			With   []string
			Thrown []struct{ Set, Name string }
		}
	}
	p.get("/api/v1/tables/"+p.table+"/bag").json(p.server, &b)
	index := func(text string) int {
		return slices.IndexFunc(p.sets, func(o id.OID) bool { return o.String() == text })
	}
	with, thrown = make([][]int, len(p.sets)), make([][]int, len(p.sets))
	for _, s := range b.Sets {
		n := index(s.Set)
		if n < 0 {
			p.server.Fatalf("the bag has %s, which is no set", s.Set)
		}
		with[n], thrown[n] = []int{}, []int{}
		for _, o := range s.With {
			with[n] = append(with[n], index(o))
		}
		for _, o := range s.Thrown {
			thrown[n] = append(thrown[n], index(o.Set))
			if o.Name != "Pawn" {
				p.server.Errorf("O53.11 what was thrown away is called %q", o.Name)
			}
		}
	}
	return with, thrown
}

// refs returns to what an object on a server refers.
func (l *linked) refs(oid id.OID) []id.OID {
	l.Helper()
	all, err := l.world.List(l.Context(), oid)
	l.must(err)
	return all
}

// keeps counts the values that a server stores in some spaces.
func (l *linked) keeps(spaces ...object.Space) (n int) {
	l.Helper()
	for _, space := range spaces {
		page, err := l.db.ObjectValues(l.Context(), space, id.OID{}, 10_000)
		l.must(err)
		n += len(page)
	}
	return n
}

func same(a [][]int, b ...[]int) bool { return slices.EqualFunc(a, b, slices.Equal) }

func TestBoxHere(t *testing.T) {
	l := newLinked(t, "Ada's")
	p := l.packs(3)
	boxes := func() []id.OID {
		all, err := l.world.Boxes(t.Context(), l.refs(p.person))
		l.must(err)
		return all
	}
	t.Run("O53.1, O53.2, O53.13 two sets belong together, and a third with both", func(t *testing.T) {
		p.puts("tie", 0, 1)
		p.puts("tie", 2, 0)
		p.puts("tie", 1, 2) // they do already
		with, thrown := p.ties()
		if !same(with, []int{1, 2}, []int{0, 2}, []int{0, 1}) ||
			!same(thrown, []int{}, []int{}, []int{}) {
			t.Errorf("%v %v", with, thrown)
		}
		if page := says(p.get("/bag").body); strings.Count(page, "Belongs with: Pawn and Pawn") != 3 {
			t.Error(page)
		}
		if b := boxes(); len(b) != 1 || !slices.Equal(l.refs(b[0]), p.sets) {
			t.Errorf("%v", b)
		}
	})
	t.Run("O53.14 a box cannot leave, come to a table, or belong with something", func(t *testing.T) {
		p := &packed{at: p.at, person: p.person, sets: append(boxes(), p.sets...)}
		for _, do := range []string{"home", "adopt", "throw", "tie"} {
			refused(t, do, p.asks(do, 0, 1), http.StatusForbidden, "not in your bag")
		}
		var refusal *room.Refusal
		seat := room.Session{Table: p.person, Seat: 1}
		if _, err := l.world.Hold(t.Context(), seat, p.sets[0]); !errors.As(err, &refusal) {
			t.Errorf("on a table: %v", err)
		}
	})
	t.Run("O53.11 what is thrown away can be taken back", func(t *testing.T) {
		p.puts("throw", 0)
		for range 4 {
			_, err := l.world.Collect(t.Context())
			l.must(err)
		}
		with, thrown := p.ties()
		if !same(with, nil, []int{2}, []int{1}) || !same(thrown, nil, []int{0}, []int{0}) {
			t.Errorf("%v %v", with, thrown)
		}
		p.puts("back", 0)
		if with, _ := p.ties(); !same(with, []int{1, 2}, []int{0, 2}, []int{0, 1}) {
			t.Errorf("%v", with)
		}
		refused(t, "what was never there", p.posts("/bag", map[string]any{
			"do": "back", "set": p.person.String(),
		}), http.StatusForbidden, "for good")
	})
	t.Run("O53.1 a set belongs with nothing any more; two that are left stay", func(t *testing.T) {
		p.puts("untie", 2)
		if with, _ := p.ties(); !same(with, []int{1}, []int{0}, []int{}) {
			t.Errorf("%v", with)
		}
		p.puts("untie", 1)
		if with, _ := p.ties(); !same(with, []int{}, []int{}, []int{}) || len(boxes()) != 0 {
			t.Errorf("%v, %d boxes", with, len(boxes()))
		}
	})
	t.Run("O53.7 what belongs with something else is refused", func(t *testing.T) {
		p.sets = append(p.sets, l.carried())
		p.puts("tie", 0, 1)
		p.puts("tie", 2, 3)
		refused(t, "two boxes", p.asks("tie", 1, 2), http.StatusForbidden, "something else already")
		if with, _ := p.ties(); !same(with, []int{1}, []int{0}, []int{3}, []int{2}) {
			t.Errorf("%v", with)
		}
		p.puts("untie", 2)
	})
	t.Run("O53.6 nine do not belong together", func(t *testing.T) {
		for len(p.sets) < behaviour.MaxBoxed+1 {
			p.sets = append(p.sets, l.carried())
		}
		for n := 2; n < behaviour.MaxBoxed; n++ {
			p.puts("tie", 0, n)
		}
		refused(t, "the ninth", p.asks("tie", 0, behaviour.MaxBoxed), http.StatusForbidden, "eight")
		if b := boxes(); len(b) != 1 || len(l.refs(b[0])) != behaviour.MaxBoxed {
			t.Errorf("%v", b)
		}
	})
	t.Run("O53.1 nobody else says what belongs together", func(t *testing.T) {
		eve := l.browser()
		eve.submit("/bag", url.Values{"nick": {"Eve"}, "colour": {"#2f72c4"}})
		table, _ := l.made(eve)
		other := &packed{at: l.at(eve, table, 2), sets: p.sets}
		for _, do := range []string{"tie", "throw"} {
			refused(t, do, other.asks(do, 0, 1), http.StatusForbidden, "not in your bag")
		}
		refused(t, "back", other.asks("back", 0), http.StatusForbidden, "for good")
		other.puts("untie", 0) // nothing of hers
		if b := boxes(); len(b) != 1 || len(l.refs(b[0])) != behaviour.MaxBoxed {
			t.Errorf("%v", b)
		}
	})
	t.Run("O53.12, O24.8 without its last set a box goes, too", func(t *testing.T) {
		for n := range p.sets {
			p.puts("throw", n)
		}
		if left := l.refs(p.person); len(left) != 0 {
			t.Errorf("the person refers to %v", left)
		}
		p.await("collection", func() bool {
			_, err := l.world.Collect(t.Context())
			l.must(err)
			return !slices.ContainsFunc(p.sets, func(o id.OID) bool { return l.has(o.String()) })
		})
	})
}

// TestBoxLoops lets people of one server say that sets belong together which lie on three servers,
// and throw them away. Nothing refers to these objects then but they themselves: they gather by
// pings and are deleted. What belongs with something in a bag stays.
// Clauses: O8.1, O24.8, O25.2, O25.3, O26.2, O27.6, O29.1, O53.2, O53.11, O53.12
func TestBoxLoops(t *testing.T) {
	home := newLinked(t, "Ada's")
	servers := []*linked{home, newLinked(t, "Ben's"), newLinked(t, "Cleo's")}
	for i, one := range servers {
		for _, other := range servers[:i] {
			one.linkWith(other, everyRight, everyRight)
		}
	}
	// Sets 0 to 2 belong together, and so do 3 to 5. Each server has one of each.
	p := home.packs(6)
	for n, set := range p.sets {
		if to := servers[n%3]; to != home {
			p.await("the set elsewhere", func() bool { // the servers connect meanwhile
				err := home.world.Move(t.Context(), set, to.links.Self())
				return err == nil || to.has(set.String())
			})
		}
	}
	for n := range p.sets {
		if n%3 > 0 {
			p.puts("tie", n-n%3, n)
		}
	}
	for n, set := range p.sets {
		if l := servers[n%3]; !l.has(set.String()) {
			t.Fatalf("O53.2 set %d is not on %s", n, l.URL)
		}
	}
	pings := 0
	collect := func() {
		for _, l := range servers {
			r, err := l.world.Collect(t.Context())
			l.must(err)
			pings += r.Pinged
			// What a round sends has arrived before the next one begins, a while later.
			p.await("moves", func() bool {
				return !slices.ContainsFunc(servers, func(l *linked) bool { return l.keeps(object.Moves) > 0 })
			})
			for _, l := range servers {
				l.ahead.Add(3000)
			}
		}
	}
	left := func(from, to int) (n int) {
		for _, set := range p.sets[from:to] {
			if slices.ContainsFunc(servers, func(l *linked) bool { return l.has(set.String()) }) {
				n++
			}
		}
		return n
	}
	for n := range 3 {
		p.puts("throw", n)
	}
	for n := range 2 {
		p.puts("throw", 3+n) // 5 stays, and with it the other two
	}
	rounds := 0
	for ; left(0, 3) > 0; rounds++ {
		if collect(); rounds > 60 {
			t.Fatalf("%d sets that nobody needs are left after %d rounds", left(0, 3), rounds)
		}
	}
	t.Logf("%d rounds, %d pings", rounds, pings)
	if pings == 0 {
		t.Error("O26.2 they were deleted without a ping")
	}
	for range 10 {
		collect()
	}
	if n := left(3, 6); n != 3 {
		t.Fatalf("O29.1 %d of 3 that belong with something in the bag are left", n)
	}
	_, thrown := p.ties()
	if !same(thrown[5:], []int{3, 4}) {
		t.Errorf("O53.11 with the last one belong %v", thrown[5:])
	}
	p.puts("back", 4)
	if with, _ := p.ties(); !same(with[4:], []int{5}, []int{4}) {
		t.Errorf("O53.11 %v", with)
	}
	p.puts("throw", 4)
	p.puts("throw", 5)
	for ; left(3, 6) > 0; rounds++ {
		if collect(); rounds > 140 {
			t.Fatalf("%d sets that nobody needs are left after %d rounds", left(3, 6), rounds)
		}
	}
	p.await("the rest", func() bool { // with what servers owe each other
		collect()
		n := 0
		for _, l := range servers {
			n += l.keeps(object.Helds, object.Forwards, object.Copies, object.Debts)
		}
		return n == 0
	})
	if n := home.keeps(object.Heads); n != 1 {
		t.Errorf("%d objects are left beside the person", n-1)
	}
}

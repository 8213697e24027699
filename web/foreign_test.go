package web_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
)

// foreign returns the setting of foreign components.
func foreign(timestamp uint32, allowed, shared bool) crdt.Op {
	return crdt.Op{Kind: crdt.Put, Component: schema.Foreign, Timestamp: timestamp,
		Data: schema.Encode(&componentpb.Foreign{Allowed: allowed, Shared: shared})}
}

// note returns a value of a foreign component.
func note(timestamp uint32, text string) crdt.Op {
	return crdt.Op{Kind: crdt.Put, Entity: schema.FirstForeign, Component: 7, Timestamp: timestamp,
		Data: []byte(text)}
}

// hasNote returns whether a value of a foreign component has arrived.
func (e *engine) hasNote(text string) func() bool {
	return func() bool {
		data, ok := e.replica.Get(schema.FirstForeign, 7)
		return ok == (text != "") && string(data) == text
	}
}

func (s *stack) foreignLink(k seat, form string) *engine {
	s.Helper()
	e := s.link(k, form)
	e.replica = crdt.New(crdt.Config{Sets: schema.Sets, Both: schema.Both})
	return e
}

func TestC21Foreign(t *testing.T) {
	s := newStack(t)
	for _, form := range []string{"flat", "protobuf"} {
		// Clauses: C21.1, C21.2, C21.5, C21.13, C21.14, C21.15, C21.16
		t.Run("C21 players meet by foreign components, and pages do not notice: "+form,
			func(t *testing.T) {
				ada := s.open("chess")
				bob := s.join(ada, ada.Invites.Player, "Bob")
				eve := s.join(ada, ada.Invites.Spectator, "Eve")
				s.operate(ada, foreign(1, true, false))
				page := s.stream(ada, clientID)
				one, two := s.foreignLink(ada, form), s.foreignLink(bob, form)
				watcher := s.foreignLink(eve, form)
				for _, e := range []*engine{one, two, watcher} {
					e.reads(func() bool { return e.replica.Timestamp(0, schema.Foreign) == 1 })
				}
				one.says(note(1, "secret"))
				two.reads(two.hasNote("secret"))
				two.says(note(2, "answer"))
				one.reads(one.hasNote("answer"))
				third := s.foreignLink(bob, form)
				third.reads(third.hasNote("answer"))
				late := s.foreignLink(eve, form)
				full := s.streamRaw(bob, otherClientID).frame().GetEvents()[0].GetFull()
				if full == nil || bytes.Contains(full.GetComponents(), []byte("answer")) {
					t.Errorf("C21.13 a stream begins with %q", full.GetComponents())
				}

				s.operate(ada, titled("Friday", 1))
				for _, e := range []*engine{watcher, late} {
					e.reads(e.has(0, schema.Title, 1, "Friday"))
					if n := e.replica.Timestamp(schema.FirstForeign, 7); n != 0 {
						t.Error("C21.13 a spectator gets a foreign component")
					}
				}
				var last uint64
				for done := false; !done; {
					f := page.frame()
					if f.GetMark() != 0 {
						last = f.GetMark()
					}
					for _, event := range f.GetEvents() {
						b := event.GetComponents()
						if bytes.Contains(b, []byte("secret")) || bytes.Contains(b, []byte("answer")) {
							t.Error("C21.13 a stream gets a foreign component")
						}
						done = done || bytes.Contains(b, []byte("Friday"))
					}
				}
				var state struct{ Mark uint64 }
				s.get(bob.api(""), bob.bearer()...).json(t, &state)
				if state.Mark != last {
					t.Errorf("C21.16 the version is %d, and on the stream %d", state.Mark, last)
				}
				reads := func(k seat) bool {
					return strings.Contains(s.get(k.api("/components"), k.bearer()...).body, "answer")
				}
				if !reads(ada) || reads(bob) || reads(eve) {
					t.Error("C21.14 others than the host read foreign components")
				}
				s.operate(ada, foreign(2, true, true))
				if code := watcher.closed(); code != 1013 {
					t.Errorf("C21.15 the bridge of a spectator is closed with %d", code)
				}
				watcher = s.foreignLink(eve, form)
				watcher.reads(watcher.hasNote("answer"))
				one.says(note(3, "shared"))
				watcher.reads(watcher.hasNote("shared"))
				if !strings.Contains(s.get(eve.api("/components"), eve.bearer()...).body, "shared") {
					t.Error("C21.14 a spectator does not read what is shared")
				}
				s.operate(ada, foreign(3, false, false))
				one.reads(func() bool { return one.replica.Timestamp(0, schema.Foreign) == 3 })
				one.says(note(4, "late"))
				one.reads(func() bool { return !one.hasNote("late")() })
			})
	}
	t.Run("C21.12 who uses a version deletes the lower ones", func(t *testing.T) {
		k := s.open("chess")
		s.operate(k, foreign(1, true, false))
		s.operate(k, note(1, "lower"))
		e := s.foreignLink(k, "flat")
		e.reads(e.hasNote("lower"))
		higher := note(1, "higher")
		higher.Entity += 2 << 16
		s.operate(k, higher)
		e.reads(func() bool { return e.replica.Deleted(schema.FirstForeign + 1<<16) })
		if e.replica.Timestamp(schema.FirstForeign, 7) != 0 {
			t.Error("the lower version is still there")
		}
		e.reads(func() bool { return e.replica.Timestamp(higher.Entity, 7) == 1 })
	})
	t.Run("C21.9 a table has 1 MiB of foreign data, whose keys count", func(t *testing.T) {
		k := s.open("chess")
		s.operate(k, foreign(1, true, false))
		address := s.components(k)
		operate := func(ops ...crdt.Op) {
			t.Helper()
			if a := s.post(address, wireMessage(ops...), append(k.bearer(), "Content-Type",
				"application/x-protobuf")...); a.StatusCode != http.StatusNoContent {
				t.Fatal(a.Status, a.body)
			}
		}
		for i := range crdt.Entity(4) {
			var ops []crdt.Op
			for n := range uint32(15) {
				op := note(1, strings.Repeat("x", 16_384))
				op.Entity, op.Component = op.Entity+i, 100+n
				ops = append(ops, op)
			}
			operate(ops...)
		}
		const left = 1<<20 - 60*(16_384+64)
		for left, n := left, 0; left > 64; n++ { // what is left, by keys and by bytes
			op := note(1, strings.Repeat("x", min(left-64, 16_000)))
			op.Component = 200 + uint32(n)
			operate(op)
			left -= 64 + len(op.Data)
		}
		one := note(1, "")
		one.Component = 300
		operate(one)
		all := s.get(k.api("/components"), k.bearer()...).body
		if n := strings.Count(all, "x"); n < 60*16_384 || n > 1<<20 {
			t.Errorf("there are %d bytes", n)
		}
		m, err := crdt.Decode([]byte(all))
		s.must(err)
		for op := range m.Ops() {
			if op.Component == 300 {
				t.Error("there is one key more")
			}
		}
		operate(crdt.Op{Kind: crdt.DeleteEntity, Entity: schema.FirstForeign + 3})
		operate(one)
		if !strings.Contains(s.get(k.api("/components"), k.bearer()...).body, wireMessage(one)) {
			t.Error("what was deleted counts")
		}
	})
}

// Clauses: C2.4, C2.5
func TestC2WhoeverLosesHears(t *testing.T) {
	s := newStack(t)
	k := s.open("chess")
	s.operate(k, titled("Friday", 3))
	post := func(query string, ops ...crdt.Op) answer {
		return s.post(s.components(k)+query, wireMessage(ops...),
			append(k.bearer(), "Content-Type", "application/x-protobuf")...)
	}
	t.Run("C2.5 who asks for corrections gets what has won, each key once", func(t *testing.T) {
		sheet := crdt.Op{Kind: crdt.Put, Entity: schema.TheSheet, Component: schema.Sheet,
			Timestamp: 1, Data: schema.Encode(&componentpb.Text{Text: "points"})}
		a := post("&corrections", titled("Monday", 1), titled("Tuesday", 2), titled("Aaa", 3), sheet)
		if a.StatusCode != http.StatusOK || a.body != wireMessage(titled("Friday", 3)) {
			t.Errorf("%s %q", a.Status, a.body)
		}
		if a := post("&corrections", titled("Friday", 3)); a.StatusCode != http.StatusOK ||
			a.body != "" {
			t.Errorf("the same again: %s %q", a.Status, a.body)
		}
	})
	t.Run("C2.5 who does not ask gets 204", func(t *testing.T) {
		if a := post("", titled("Monday", 1)); a.StatusCode != http.StatusNoContent {
			t.Errorf("%s %q", a.Status, a.body)
		}
	})
	t.Run("C2.4 a stream brings what has won before, and nothing for the loser", func(t *testing.T) {
		page := s.stream(k, clientID)
		post("&client="+clientID, titled("Monday", 1))
		s.operate(k, titled("Saturday", 4))
		for {
			for _, event := range page.frame().GetEvents() {
				if b := event.GetComponents(); b != nil {
					if string(b) != wireMessage(titled("Saturday", 4)) {
						t.Errorf("the stream brings %q", b)
					}
					return
				}
			}
		}
	})
}

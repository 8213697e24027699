package object

import (
	"testing"

	"holt/server/id"
)

// requests returns how many requests the hosts send during f.
func (w *world) requests(f func()) int {
	before := w.sent
	f()
	return (w.sent - before) / 2 // each has an answer
}

func TestFind(t *testing.T) {
	// Clauses: O6.1, O6.2, O6.3, O6.4, O6.7
	t.Run("O6 a known owner is asked directly, else the creator names it", func(t *testing.T) {
		w, set := apart(t)
		if n := w.requests(func() { w.does(2, set, "add", nil) }); n != 2 {
			t.Errorf("cold: %d requests", n)
		}
		if n := w.requests(func() { w.does(2, set, "add", nil) }); n != 1 {
			t.Errorf("warm: %d requests", n)
		}
		w.crash(2)
		if n := w.requests(func() { w.does(2, set, "add", nil) }); n != 1 {
			t.Errorf("warm after a restart: %d requests", n)
		}
		if f := w.boxes[0].host.forwards.get(set); f == nil || f.Owner != hostID(1) ||
			f.Term != 2 || f.Coming {
			t.Errorf("the creator knows %+v", f)
		}
		if e, ok := w.ask(2, 0, &Find{set}).(*Elsewhere); !ok ||
			e.Where != (whereabouts{Owner: hostID(1), Term: 2}) {
			t.Errorf("the creator answers %+v", e)
		}
	})
	t.Run("O6.3, O7.1, O7.2 the creator corrects a wrong cached answer, once", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "add", nil)
		w.moves(1, set, 0)
		if n := w.requests(func() { w.does(2, set, "add", nil) }); n != 2 {
			t.Errorf("from the old owner to the creator, which owns it: %d requests", n)
		}
		w.moves(0, set, 1)
		w.boxes[2].host.helds.get(set).Where = whereabouts{Owner: hostID(2), Term: 1}
		w.boxes[2].host.helds.get(set).Where.Owner = hostID(0)
		if n := w.requests(func() { w.does(2, set, "add", nil) }); n != 2 {
			t.Errorf("from the creator to the owner: %d requests", n)
		}
	})
	t.Run("O7.4 a statement with a lower term is not believed", func(t *testing.T) {
		w, set := apart(t)
		h := w.boxes[2].host
		h.helds.get(set).Where = whereabouts{Owner: hostID(1), Term: 7}
		if h.learn(set, whereabouts{Owner: hostID(0), Term: 6}) || h.known(set).Owner != hostID(1) {
			t.Error("it is believed")
		}
		if !h.learn(set, whereabouts{Owner: hostID(0), Term: 8}) || h.known(set).Owner != hostID(0) {
			t.Error("a higher one is not")
		}
	})
	t.Run("O7.6, O7.8, O16.4 a circle of forwards ends after three", func(t *testing.T) {
		w, set := apart(t)
		w.boxes[0].host.forwards.get(set).Owner = hostID(2) // 2 does not have it
		begun := w.now
		a := w.does(2, set, "add", nil)
		if a.Failure == nil || a.Failure.Reason != LostReason || w.now > begun+patience {
			t.Errorf("%+v after %d ms", a.Failure, w.now-begun)
		}
	})
	t.Run("O5.1, O5.2, O5.3 a table and a person stay where they were made", func(t *testing.T) {
		w := scene(t, 2, nil)
		for _, class := range []Class{Table, Person} {
			oid := w.create(0, class)
			w.settle()
			if a := w.moves(0, oid, 1); a.Refusal != Fixed || w.at(oid) != 0 {
				t.Errorf("class %d: %+v", class, a)
			}
			e := Envelope{OID: oid, Term: 2, Class: class}
			d := Deed{OID: oid, From: hostID(0), To: hostID(1), Term: 2}
			d.Signature = sum(hostID(0), d.Statement())
			if why := refusal(w.ask(0, 1, &Offer{Deed: d, Envelope: e.Append(nil)})); why != Fixed {
				t.Errorf("one that is offered: %d", why)
			}
		}
	})
	t.Run("O3 an object too large for an envelope is refused", func(t *testing.T) {
		w := scene(t, 1, nil)
		oid := id.OID{0: 0x10, 7: 1, 15: 99}
		for _, bad := range []func() error{
			func() error {
				_, err := w.boxes[0].host.Create(w.moment(0), oid, Set, nil,
					make([]byte, MaxEnvelope), nil)
				return err
			},
			func() error {
				_, err := w.boxes[0].host.Create(w.moment(0), oid, Set,
					make([]Kind, MaxKinds+1), nil, nil)
				return err
			},
			func() error {
				_, err := w.boxes[0].host.Create(w.moment(0), oid, Set, nil, nil, []id.OID{{1}})
				return err
			},
			func() error {
				_, err := w.boxes[0].host.Create(w.moment(0), id.OID{1}, Set, nil, nil, nil)
				return err
			},
			func() error {
				_, err := w.boxes[0].host.Create(w.moment(0), oid, 9, nil, nil, nil)
				return err
			},
		} {
			if bad() == nil {
				t.Error("it is made")
			}
		}
	})
}

package object

import (
	"testing"

	"holt/server/id"
)

// TestO46Claims: a linked server names terms and counts near the end of their range.
func TestO46Claims(t *testing.T) {
	// roams checks that a set that 0 has made and serves can be given, moved, called and taken home
	// any number of times.
	roams := func(t *testing.T, w *world, set id.OID) {
		t.Helper()
		w.take()
		w.moves(0, set, 2)
		if h := w.boxes[2].durable[set]; h == nil || h.State != here {
			t.Fatalf("it does not move: %+v", w.boxes[0].durable[set])
		}
		w.moves(2, set, 0)
		w.crash(0) // reads all of it again
		w.crash(2)
		w.settle()
		w.gives(0, set, 2, w.root(2))
		for _, i := range []int{0, 2} {
			if a := w.does(i, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
				t.Errorf("%d calls it: %+v", i, a)
			}
		}
		hd := w.boxes[0].durable[set]
		if hd == nil || hd.Term > maxBelieved+1<<24 || hd.Counter > maxBelieved+1<<24 {
			t.Errorf("it is %+v", hd)
		}
	}
	// surveyed is a world in which 0 is restored and 1 answers its survey with anything.
	surveyed := func(
		t *testing.T, lie func(set id.OID) (part uint8, x Surveyee),
	) (w *world, set id.OID, gone map[id.HostID]bool) {
		t.Helper()
		w, gone = givers(t, 3)
		set = w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.create(2, Table)
		w.settle()
		w.rebuild(0, copyOf(w.boxes[0].disk))
		h := w.boxes[0].host
		part, x := lie(set)
		s, err := h.input(w.moment(0), func() { h.learnOf(hostID(1), part, x, nil) })
		w.input(0, s, err)
		w.settle()
		return w, set, gone
	}
	// Clauses: O46.2, O46.3
	t.Run("O46 a claimed holder number near the end does not block a set", func(t *testing.T) {
		w, set, _ := surveyed(t, func(set id.OID) (uint8, Surveyee) {
			return surveyHelds, Surveyee{OID: set, Held: maxAccepted}
		})
		if a := w.askAs(7, 1, 0,
			&Call{OID: set, Number: 1, Held: maxAccepted, Method: "look"}); refusal(a) != 0 {
			t.Errorf("with its number it may not call: %+v", a)
		}
		roams(t, w, set)
	})
	t.Run("O46.3 a claimed term near the end does not block a given-up set", func(t *testing.T) {
		w, set, gone := surveyed(t, func(set id.OID) (uint8, Surveyee) {
			return surveyHeads, Surveyee{OID: set, Term: maxAccepted}
		})
		gone[hostID(1)], w.outcast[1] = true, true
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		roams(t, w, set)
	})
	// lent is a world in which 1 has a set that 0 has made.
	lent := func(t *testing.T) (w *world, set id.OID, gone map[id.HostID]bool) {
		t.Helper()
		w, gone = givers(t, 3)
		set = w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.create(2, Table)
		w.settle()
		w.moves(0, set, 1)
		return w, set, gone
	}
	t.Run("O46.6 nor a number with which a reference is passed", func(t *testing.T) {
		w, set, gone := lent(t)
		w.ask(1, 0, &Give{[]Passed{{set, maxNumber}}})
		gone[hostID(1)], w.outcast[1] = true, true
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		roams(t, w, set)
	})
	t.Run("O46.4 nor a term for which an owner swaps", func(t *testing.T) {
		w, set, gone := lent(t)
		d := Deed{OID: set, From: hostID(1), To: hostID(1), Term: maxAccepted}
		d.Signature = sum(hostID(1), d.Statement())
		w.ask(1, 0, &Swap{d})
		gone[hostID(1)], w.outcast[1] = true, true
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		roams(t, w, set)
	})
	t.Run("O46.5 nor a count with which a set comes home", func(t *testing.T) {
		w, set, _ := lent(t)
		h := w.boxes[1].host
		hd := h.heads.get(set)
		hd.Counter = maxAccepted - 2
		hd.holder(hostID(0)).Number = hd.Counter
		h.heads.put(set, hd)
		w.moves(1, set, 0)
		if w.at(set) != 0 {
			t.Fatalf("it does not come home: it is at %d", w.at(set))
		}
		roams(t, w, set)
	})
}

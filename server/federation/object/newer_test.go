package object

import (
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
)

func TestO30NewerKinds(t *testing.T) {
	w := newWorld(t, rand.New(rand.NewPCG(1, 30)), 2, nil)
	w.given = func(int, id.OID) {}
	set := w.create(0, Set)
	w.create(0, Table, set)
	w.settle()
	w.give(0, set, 1)
	w.settle()
	kinds := func() []Kind {
		var b body
		if err := decode(w.boxes[0].disk.values[Bodies][set], &b); err != nil {
			t.Fatal(err)
		}
		return b.Kinds
	}
	t.Run("O30.18 the call of another host does not change the kinds", func(t *testing.T) {
		before := w.seen.refusals
		w.call(1, set, "kinds", nil)
		w.settle()
		if w.seen.refusals != before+1 || len(kinds()) != 0 {
			t.Errorf("%d refused, kinds %v", w.seen.refusals-before, kinds())
		}
	})
	t.Run("O30.13, O30.16 the owner's call changes them, durably", func(t *testing.T) {
		w.call(0, set, "kinds", nil)
		w.settle()
		w.crash(0)
		w.settle()
		if !slices.Equal(kinds(), []Kind{{1}}) || w.problem != "" {
			t.Errorf("%v %s", kinds(), w.problem)
		}
	})
}

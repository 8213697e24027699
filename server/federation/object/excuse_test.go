package object

import (
	"testing"

	"holt/server/id"
)

// TestO10WhatIsExcused checks the model of the disasters: which losses it excuses, and which not.
func TestO10WhatIsExcused(t *testing.T) {
	// back is a world in which a set with one call has just come home to 2, which has not stored
	// that yet. 0, which had the set, goes back to a time before the call.
	back := func(t *testing.T) (w *world, set id.OID, count func() int) {
		t.Helper()
		w = withLinked(t, 3)
		w.disasters = newDisasters()
		set = w.create(2, Set)
		w.create(2, Table, set)
		w.settle()
		w.moves(2, set, 0)
		backup := copyOf(w.boxes[0].disk)
		w.does(2, set, "add", nil)
		w.move(0, set, hostID(2))
		w.flush(0, 1<<30)
		for len(w.net) > 0 {
			w.deliver(0)
		}
		if !w.liveBeside(set, 0) || w.durableBeside(set, 0) {
			t.Fatal("it has not come home, or is kept there")
		}
		w.cutOff(0)
		w.bereave(0, w.boxes[0].disk, backup)
		w.restore(0, backup)
		return w, set, func() int { return len(w.added[set]) }
	}
	t.Run("O10 a call is not excused when the next owner has kept it", func(t *testing.T) {
		w, set, count := back(t)
		if count() != 1 {
			t.Fatal("it is excused before anything is lost")
		}
		w.flush(2, 1<<30)
		w.move(2, set, hostID(1))
		w.flush(2, 1<<30)
		if w.liveBeside(set, -1) {
			t.Fatal("it is not on its way")
		}
		w.undo(1)
		if count() != 1 {
			t.Error("it is excused")
		}
	})
	t.Run("O10 a call forgotten in a crash is excused, a later one not", func(t *testing.T) {
		w, set, count := back(t)
		w.tickets += 5
		w.undo(2)
		if count() != 0 {
			t.Error("it is not excused")
		}
		if since := w.disasters.since[set]; since != w.tickets-5 {
			t.Errorf("what was asked up to %d is excused, and it went back at %d",
				since, w.tickets-5)
		}
	})
}

package object

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
)

var (
	cycles = flag.Int("cycles", 0,
		"how many dead cycles of each size are collected; 0: forty, fewer with -short")
	suspect = flag.Int("suspect", 0,
		"above which distance an object is suspect, in TestO24_O27DeadCycles; 0: the default")
)

// ring makes a world of k hosts at rest. Each has an object that refers to that of the next host. A
// table at the first host refers to the first of these objects, or to all.
func ring(t testing.TB, r *rand.Rand, k, threshold int,
	all bool) (w *world, table id.OID, parts []id.OID) {
	w = newWorld(t, r, k, func(c *Config) { c.Suspect = threshold })
	parts = make([]id.OID, k)
	for i := range parts {
		parts[i] = w.create(i, Set)
	}
	table = w.create(0, Table, parts[0])
	for i := range parts {
		next := (i + 1) % k
		w.settle()
		w.given = func(to int, oid id.OID) { w.call(to, parts[to], "lay", nil, oid) }
		w.give(next, parts[next], i)
		w.settle()
	}
	w.given = func(_ int, oid id.OID) { w.call(0, table, "lay", nil, oid) }
	for i := 1; all && i < k; i++ {
		w.give(i, parts[i], 0)
		w.settle()
	}
	w.given = nil
	for range 4 {
		w.collectAll()
	}
	for i, p := range parts {
		if h := w.boxes[i].durable[p]; h == nil || len(h.Refs) != 1 || len(h.Holders) == 0 {
			t.Fatalf("part %d of %d is %+v: %s", i, k, h, w.problem)
		}
	}
	return w, table, parts
}

// collectAll runs a round at each host, one after the other in random order.
func (w *world) collectAll() {
	for _, i := range w.r.Perm(len(w.boxes)) {
		w.collect(i)
	}
}

// collectTogether runs a round at each host, all at the same time.
func (w *world) collectTogether() {
	for i, b := range w.boxes {
		for first := true; first || b.host.Collecting() && w.problem == ""; first = false {
			s, err := b.host.Collect(w.moment(i))
			w.input(i, s, err)
		}
	}
	w.settle()
}

// rounds returns how many rounds it takes until a ring over k hosts that nobody needs any more is
// gone from all of them.
func rounds(t testing.TB, seed uint64, k, threshold int, together bool) int {
	w, table, _ := ring(t, rand.New(rand.NewPCG(seed, uint64(k))), k, threshold, true)
	s, err := w.boxes[0].host.Delete(w.moment(0), table)
	w.input(0, s, err)
	for n := 1; n <= 100; n++ {
		if together {
			w.collectTogether()
		} else {
			w.collectAll()
		}
		left := 0
		for _, b := range w.boxes {
			left += len(b.disk.values[Heads]) + len(b.disk.values[Forwards]) +
				len(b.disk.values[Helds])
		}
		if w.problem != "" {
			t.Fatalf("%d hosts, seed %d: %s", k, seed, w.problem)
		}
		if left == 0 {
			return n
		}
	}
	return 101
}

// TestO24_O27DeadCycles collects rings over several hosts that nobody needs.
func TestO24_O27DeadCycles(t *testing.T) {
	many := *cycles
	if many == 0 {
		if many = 40; testing.Short() {
			many = 4
		}
	}
	threshold := *suspect
	if threshold == 0 {
		threshold = defaultSuspect
	}
	first := firstSeed(*cycles)
	t.Logf("from seed %d; suspect above %d", first, threshold)
	late, all := 0, 0
	for i, k := range []int{2, 3, 4, 6, 8, 12, 16, 2, 3, 4, 6, 8, 12, 16} {
		together, how, soon := i >= 7, "one after the other", 15
		if together {
			// at the same time they pass parts on to each other more often
			how, soon = "at the same time", 20
		}
		title := fmt.Sprintf("O24, O26, O27 a dead cycle of %d hosts is collected %s", k, how)
		// Clauses: O24.8, O26.1, O26.2
		t.Run(title, func(t *testing.T) {
			var took []int
			for n := range many {
				took = append(took, rounds(t, first+uint64(n), k, threshold, together))
			}
			slices.Sort(took)
			for _, n := range took {
				if all++; n > soon {
					late++
				}
			}
			t.Logf("%2d hosts, %s: median %d, 99 %% %d, most %d", k, how, took[len(took)/2],
				took[len(took)*99/100], took[len(took)-1])
			if took[len(took)-1] > 60 {
				t.Errorf("seed %d: not after 60 rounds", first)
			}
		})
	}
	if late > 1+all/100 {
		t.Errorf("%d of %d took more than 15 rounds, or 20 in step", late, all)
	}
}

// TestO27SteadyState: an object that only a distant host needs stays in its place.
func TestO27SteadyState(t *testing.T) {
	// Clauses: O23.1, O27.1, O27.2, O27.3, O27.5
	t.Run("O27 an object needed far away is not moved by the collection", func(t *testing.T) {
		const k = 5
		w, _, parts := ring(t, rand.New(rand.NewPCG(1, 2)), k, defaultSuspect, false)
		before := w.seen
		for range 50 {
			w.collectAll()
		}
		if w.problem != "" || w.seen.moves != before.moves || w.seen.pinged != 0 {
			t.Errorf("after 50 rounds %d were moved, %d pinged: %s", w.seen.moves-before.moves,
				w.seen.pinged, w.problem)
		}
		for i, p := range parts {
			d, nimby := w.boxes[i].host.nimby[p]
			if i > 0 && (!nimby || int(d) != i) || i == 0 && nimby {
				t.Errorf("part %d is %v at distance %d", i, nimby, d)
			}
		}
	})
	t.Run("O26.2, O27.4 an object needed farther away stays and is not deleted", func(t *testing.T) {
		for _, k := range []int{8, 12} {
			w, _, parts := ring(t, rand.New(rand.NewPCG(3, uint64(k))), k, defaultSuspect, false)
			for range 60 {
				w.collectAll()
			}
			before := w.seen
			for range 50 {
				w.collectAll()
			}
			if w.problem != "" || w.seen.moves != before.moves || before.moves == 0 {
				t.Errorf("%d hosts: in 50 rounds of the steady state %d were moved, %d before: %s",
					k, w.seen.moves-before.moves, before.moves, w.problem)
			}
			for i, p := range parts {
				if w.at(p) == -1 {
					t.Errorf("part %d of %d is gone", i, k)
				}
			}
			if last := w.at(parts[k-1]); last != defaultSuspect+1 {
				t.Errorf("the last of %d is at %d", k, last)
			}
		}
	})
}

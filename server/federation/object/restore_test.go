package object

import (
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
)

// copyOf returns a backup of a disk.
func copyOf(m *memory) *memory {
	c := newMemory()
	for s := range m.values {
		c.values[s] = maps.Clone(m.values[s])
	}
	return c
}

// restore replaces the state of a host by a backup.
func (w *world) restore(i int, backup *memory) {
	b := w.boxes[i]
	b.disk, b.batches, b.durable = copyOf(backup), nil, map[id.OID]*head{}
	for oid, v := range b.disk.values[Heads] {
		b.durable[oid] = parseHead(v)
	}
	w.reread(i)
	b.life++
	old := w.config
	w.config = func(c *Config) { old(c); c.Restored = true }
	w.start(i)
	w.flush(i, 1<<30) // until this is durable it would have to start in this way again
	w.config = old
}

// withLinked is a world in which the hosts know with which hosts they are linked.
func withLinked(t *testing.T, n int) *world {
	return scene(t, n, func(i int, c *Config) {
		c.Linked = func() (hosts []id.HostID) {
			for j := range n {
				if j != i {
					hosts = append(hosts, hostID(j))
				}
			}
			return hosts
		}
	})
}

func TestRestore(t *testing.T) {
	// Clauses: O11.2, O11.10, O11.13
	t.Run("O11 objects given away since the backup are not served again", func(t *testing.T) {
		w := withLinked(t, 3)
		set, kept := w.create(0, Set), w.create(0, Set)
		table := w.create(0, Table, set, kept)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.moves(0, set, 1)
		w.does(0, set, "add", nil)
		w.part(0, 2, true)
		w.terms = map[id.OID]Term{}
		w.restore(0, backup)
		w.call(0, kept, "add", nil)
		w.settleFor(60_000)
		if _, ok := of[Settled](w.take()); ok ||
			w.boxes[0].host.unsettled(kept, w.boxes[0].host.heads.get(kept)) == false {
			t.Fatal("it serves though a linked host has not answered")
		}
		w.part(0, 2, false)
		w.settle()
		if _, ok := of[Settled](w.take()); !ok {
			t.Fatal("it does not settle")
		}
		if w.boxes[0].durable[set] != nil || w.at(set) != 1 {
			t.Errorf("the old copy is still there; it is at %d", w.at(set))
		}
		if a := w.does(0, kept, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("what it has: %+v", a)
		}
		if h := w.boxes[0].durable[kept]; h.Term < termLeap ||
			!slices.Contains(w.boxes[0].durable[table].Refs, set) {
			t.Errorf("in term %d", h.Term)
		}
	})
	// Clauses: O11.8, O11.9, O42.1
	t.Run("O11 later holders are known again, so nothing they need is deleted", func(t *testing.T) {
		w := withLinked(t, 2)
		set := w.create(0, Set)
		table := w.create(0, Table, set)
		there := w.create(1, Table)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.gives(0, set, 1, there)
		w.restore(0, backup)
		w.settle()
		w.does(0, table, "cut", []byte{0})
		w.collectTimes(4)
		if w.at(set) == -1 {
			t.Fatal("it is deleted")
		}
		if a := w.does(1, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("its holder calls it: %+v", a)
		}
	})
	// Clauses: O11.6, O11.7, O11.15
	t.Run("O11 foreign objects are asked of their creators, and losses reported", func(t *testing.T) {
		w := withLinked(t, 2)
		early, late := w.create(1, Set), w.create(1, Set)
		table := w.create(1, Table, early, late)
		w.settle()
		w.moves(1, early, 0)
		backup := copyOf(w.boxes[0].disk)
		w.moves(1, late, 0)
		w.does(1, early, "add", nil)
		w.moves(0, early, 1)
		w.moves(1, early, 0)
		w.take()
		w.restore(0, backup)
		w.settle()
		es := w.take()
		if l, ok := of[Lost](es); !ok || l.OID != late {
			t.Errorf("the loss is not reported: %+v", es)
		}
		a := w.does(1, early, "look", nil)
		if a.Failure != nil || a.Refusal != 0 || w.boxes[0].durable[early].Term < 4+termLeap {
			t.Errorf("it is not served again: %+v", a)
		}
		_ = table
	})
	t.Run("O11.14 an administrator may go on without a host, in a new term", func(t *testing.T) {
		w := withLinked(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.moves(0, set, 1)
		w.off(1, true)
		w.cut[1][0] = true
		w.restore(0, backup)
		w.boxes[1].durable, w.boxes[1].disk = map[id.OID]*head{}, newMemory() // for good
		w.settleFor(30_000)
		s, err := w.boxes[0].host.Trust(w.moment(0), hostID(1))
		w.input(0, s, err)
		if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 ||
			w.boxes[0].durable[set].Term < termLeap {
			t.Errorf("%+v in term %d", a, w.boxes[0].durable[set].Term)
		}
	})
}

var restores = flag.Int("restores", 0,
	"how many schedules with a restore are simulated; 0: a thousand, fewer with -short")

// restoresFailedOnce are the seeds of schedules with a restore that once found a fault.
var restoresFailedOnce = []uint64{3258835796842355676, 415331112005529959, 20261123304169}

func TestO42Named(t *testing.T) {
	// forgotten is a world in which 2 holds a set of 0's making with a number from a thaw that 0
	// has forgotten. 1 owns the set.
	forgotten := func(t *testing.T) (w *world, set id.OID) {
		t.Helper()
		w, gone := givers(t, 3)
		set = w.create(0, Set)
		w.create(0, Table, set)
		there := w.create(2, Table)
		w.settle()
		w.moves(0, set, 1)
		backup := copyOf(w.boxes[0].disk)
		gone[hostID(1)], w.outcast[1] = true, true
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		w.gives(0, set, 2, there)
		gone[hostID(1)], w.outcast[1] = false, false
		w.off(1, true)
		w.rebuild(0, backup)
		return w, set
	}
	t.Run("O42.5 a restored creator tells the owner who holds its object", func(t *testing.T) {
		w, set := forgotten(t)
		w.off(1, false)
		w.settle()
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Fatalf("its holder calls it: %+v", a)
		}
		if n := len(w.boxes[0].disk.values[Debts]); n > 0 {
			t.Errorf("%d debts are left", n)
		}
	})
	// Clauses: O18.5, O42.5
	t.Run("O18, O42 it does so when the owner is reachable, also after a crash", func(t *testing.T) {
		w, set := forgotten(t)
		w.settleFor(20_000)
		s, err := w.boxes[0].host.Trust(w.moment(0), hostID(1))
		w.input(0, s, err)
		w.outcast[1] = true
		w.settle()
		w.crash(0)
		w.settle()
		if n := len(w.boxes[0].disk.values[Debts]); n != 1 {
			t.Fatalf("%d debts", n)
		}
		w.off(1, false)
		w.settle()
		w.now += 6 * minute
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Fatalf("its holder calls it: %+v", a)
		}
	})
	t.Run("O42.5 a named host that is known keeps its number", func(t *testing.T) {
		w, _ := givers(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		there := w.create(2, Table)
		w.settle()
		w.gives(0, set, 2, there)
		backup := copyOf(w.boxes[0].disk)
		w.moves(0, set, 1)
		w.rebuild(0, backup)
		w.settle()
		if e := w.boxes[1].durable[set].holder(hostID(2)); e == nil || e.Number != e.Since {
			t.Errorf("%+v", e)
		}
		w.does(2, there, "cut", []byte{0})
		w.collectTimes(4)
		if e := w.boxes[1].durable[set].holder(hostID(2)); e != nil {
			t.Errorf("it is still a holder: %+v", e)
		}
	})
}

// TestO11Restores: several hosts play while one of them loses what it has done since its backup.
// Objects may be lost, but two hosts never serve the same one, and the world comes to rest.
// Clauses: O10.1, O11.3
func TestO11Restores(t *testing.T) {
	if *seed != 0 {
		if problem := restored(t, *seed, t.Logf); problem != "" {
			t.Fatal(problem)
		}
		return
	}
	count, first := *restores, firstSeed(*restores)
	if count == 0 {
		if count = 1000; testing.Short() {
			count = 50
		}
	}
	t.Logf("%d schedules from -seed %d", count, first)
	for _, s := range append(slices.Clone(restoresFailedOnce), upFrom(first, count)...) {
		if problem := restored(t, s, nil); problem != "" {
			t.Fatalf("-run TestO11Restores -seed %d: %s", s, problem)
		}
	}
}

func restored(t *testing.T, seed uint64, trace func(string, ...any)) string {
	r := rand.New(rand.NewPCG(seed, 11))
	n := 3 + r.IntN(3)
	w := newWorld(t, r, n, func(c *Config) {
		c.Linked = func() (hosts []id.HostID) {
			for j := range n {
				if hostID(j) != c.Self {
					hosts = append(hosts, hostID(j))
				}
			}
			return hosts
		}
	})
	w.lax = true
	w.shelves = func(i int, oid id.OID) {
		keep := w.boxes[i].host.Quarantined
		if w.full() {
			keep = w.boxes[i].host.Spared
		}
		s, err := keep(w.moment(i), oid)
		w.input(i, s, err)
	}
	if trace != nil {
		w.log = trace
	}
	w.loss, w.twice = r.IntN(3)*5, r.IntN(3)*5
	w.redraws = !slices.Contains(restoresFailedOnce, seed)
	for i := range w.boxes {
		w.create(i, Table, w.create(i, Set), w.create(i, Set))
	}
	w.settle()
	for i := range w.boxes {
		w.introduce(i)
	}
	chaos := func(steps int) {
		for range steps {
			if w.problem == "" {
				w.chaos()
			}
		}
	}
	chaos(r.IntN(300))
	victim := r.IntN(n)
	for len(w.boxes[victim].batches) > 0 {
		w.flush(victim, 1<<30)
	}
	backup := copyOf(w.boxes[victim].disk)
	chaos(r.IntN(300))
	// they took longer than messages live
	w.net = slices.DeleteFunc(w.net,
		func(p packet) bool { return p.from == victim || p.to == victim })
	// what was before is not known any more
	w.owners, w.terms = map[tenure]int{}, map[id.OID]Term{}
	w.restore(victim, backup)
	chaos(r.IntN(300))
	w.heal()
	w.now += 600_000 // requests that are repeated less and less often are sent once more
	for i := range w.boxes {
		for j := range i {
			w.up(i, j)
		}
	}
	w.settle()
	for i, b := range w.boxes {
		for oid, h := range b.durable {
			if h.State != here && w.problem == "" {
				w.fail("O9: %s is in state %d at %d", oid, h.State, i)
			}
		}
		if b.host.self.Survey {
			w.fail("O11: %d has not settled", i)
		}
	}
	return w.problem
}

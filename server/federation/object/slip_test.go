package object

import (
	"flag"
	"slices"
	"testing"

	"holt/server/id"
)

// hearing is how long hosts of these worlds hear each other when they start.
const hearing = 3000

var slipRuns = flag.Int("slips", 0, "how many schedules with folders put back; 0: the same few")

// slipsFailedOnce are the seeds of schedules with folders that go back that once found a fault.
var slipsFailedOnce = []uint64{3601, 9897}

// TestO47Schedules: several hosts play while their folders go back without a mark. Linked hosts
// report how far they had got. The same must never be as in TestO10_O42Disasters.
// Clauses: O47.11
func TestO47Schedules(t *testing.T) {
	if *seed != 0 {
		problem, seen := disastrousWith(t, *seed, true, t.Logf)
		if t.Logf("%+v", seen); problem != "" {
			t.Fatal(problem)
		}
		return
	}
	count, first := *slipRuns, firstSeed(*slipRuns)
	if count == 0 {
		if count = 200; testing.Short() {
			count = 40
		}
	}
	t.Logf("%d schedules from -seed %d", count, first)
	var all disasterCounts
	for _, s := range append(slices.Clone(slipsFailedOnce), upFrom(first, count)...) {
		problem, seen := disastrousWith(t, s, true, nil)
		if problem != "" {
			t.Errorf("-run TestO47Schedules -args -seed %d: %s", s, problem)
		}
		all.add(seen)
	}
	t.Logf("%+v", all)
	if all.noticed < count/20 || all.slips <= all.noticed {
		t.Errorf("too little happens: %+v", all)
	}
}

// watched returns whether all hosts are there, so that a host that knows of something lost can
// report it. Without one of them an object may be there twice: see "What may be lost".
func (w *world) watched() bool {
	for j := range w.boxes {
		if w.disasters.dead[j] || w.disasters.removed[j] || w.outcast[j] ||
			w.boxes[j].host.self.Survey {
			return false
		}
	}
	return true
}

// slip puts the folder of a host back, without a mark, and starts the host where it can reach all
// others.
func (w *world) slip(i int, backup *memory) {
	d := w.disasters
	d.happened.slips++
	w.log("the folder of %d is put back", i)
	loss, twice := w.loss, w.twice
	w.loss, w.twice = 0, 0
	for j := range w.boxes {
		w.cut[i][j], w.cut[j][i], w.paused[i][j], w.paused[j][i] = false, false, false, false
	}
	w.load(i, backup)
	w.start(i)
	for j := range w.boxes {
		if j != i {
			w.up(i, j)
		}
	}
	noticed := d.happened.noticed
	w.hear(i)
	if d.happened.noticed == noticed {
		w.forgetTenures() // nobody knows what is lost
	}
	w.loss, w.twice = loss, twice
}

// load gives a host another disk.
func (w *world) load(i int, disk *memory) {
	b := w.boxes[i]
	b.disk, b.batches, b.durable = copyOf(disk), nil, map[id.OID]*head{}
	for oid, v := range b.disk.values[Heads] {
		b.durable[oid] = parseHead(v)
	}
	w.reread(i)
}

// hear delivers the messages between a host and the others until it has heard them all.
func (w *world) hear(i int) {
	for n := 0; w.boxes[i].host.traces.hearing && w.problem == ""; n++ {
		for j := range w.boxes {
			for len(w.boxes[j].batches) > 0 && w.problem == "" {
				w.flush(j, 1<<30)
			}
		}
		if k := slices.IndexFunc(w.net,
			func(p packet) bool { return p.from == i || p.to == i }); k >= 0 {
			w.deliver(k)
		}
		if n > 10_000 {
			w.fail("O47: %d does not hear the others", i)
		}
	}
}

// noticed goes on with a host that has learnt that its folder went back.
func (w *world) noticed(i int) {
	b := w.boxes[i]
	if w.disasters != nil {
		w.disasters.happened.noticed++
	}
	w.cutOff(i)
	w.now += 1000 // this distinguishes the second time (O41)
	w.reread(i)
	w.start(i)
	w.flush(i, 1<<30)
	b.life = b.host.self.Life
}

// forgetTenures forgets all terms that no host has.
func (w *world) forgetTenures() {
	w.terms, w.owners = map[id.OID]Term{}, map[tenure]int{}
	for i, b := range w.boxes {
		for oid, h := range b.durable {
			if h.State == here && h.Life >= b.life {
				w.tenured(i, oid, h)
			}
		}
	}
}

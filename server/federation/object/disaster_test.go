package object

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
)

var disasterRuns = flag.Int(
	"disasters", 0,
	"how many schedules with restores, rollbacks, "+
		"dead disks and hosts that are given up are simulated; 0: a thousand, fewer with -short",
)

// disastersFailedOnce are the seeds of schedules with disasters that once found a fault.
var disastersFailedOnce = []uint64{
	104015, 301644, 1013, 1079, 5000, 1125, 20132, 1422, 5249, 1643, 5651, 20782, 21575, 6968,
	40452, 22304, 40850, 62293, 42508, 42554, 40215, 102846, 508258, 601128, 603331,
	35312524926534, 35312524927237, 35312524932563, 35312524941682, 35312524952253, 106561037139681,
	70023117427746, 70023117428253, 70023117429904,
	214181136839378, 184162947432284, 184162947443618, 199332933825366, 199332933824014,
	172271344280605, 5199140629501,
	12891185906862, 27272650325158, 54562064945627, 54562064956594, 54562064988454,
	54562065005638, 54562065020354, 107302937003712, 20261122310753, 20261122388080,
	20261122396017, 20261122406776, 20261122493495, 20261122551261, 20261123151989, 20261124078222,
	20261125035059,
	8517909458739207029,
}

// disasters are the events at the disks of a world, and what may be lost by them. Everything else
// must hold: an object that a root reaches and that has a copy left, at its owner or frozen, is
// there in the end. It can be called, and has all that was acknowledged before the oldest of the
// remaining copies.
type disasters struct {
	backups [16][]*memory
	dead    [16]bool        // the disk is gone for good
	exiled  [16]bool        // all had given it up, and it came back in the end
	removed [16]bool        // all others have removed the link to it
	mayLose map[id.OID]bool // no copy was left
	// references that a host had given up after its backup, with the number up to which
	loose   map[absentee]uint64
	shelved map[id.OID]bool // in some quarantine
	// there because its creator was given up while the object was between two owners
	stranded map[id.OID]bool
	since    map[id.OID]Ticket // what was asked before may be lost, even if the answer comes later
	// objects that only a host served that may forget them, when another one went back, with the
	// last ticket at that time
	unborn   map[id.OID]Ticket
	slips    bool // folders go back without a mark
	happened disasterCounts
}

func newDisasters() *disasters {
	return &disasters{
		mayLose: map[id.OID]bool{}, loose: map[absentee]uint64{}, shelved: map[id.OID]bool{},
		stranded: map[id.OID]bool{},
		since:    map[id.OID]Ticket{}, unborn: map[id.OID]Ticket{},
	}
}

// disasterCounts is how often each event happened.
type disasterCounts struct {
	restores, rollbacks, deaths, exiles, thaws, superseded, lost, slips, noticed int
}

func (c *disasterCounts) add(d disasterCounts) {
	c.restores += d.restores
	c.rollbacks += d.rollbacks
	c.deaths += d.deaths
	c.exiles += d.exiles
	c.thaws += d.thaws
	c.superseded += d.superseded
	c.lost += d.lost
	c.slips += d.slips
	c.noticed += d.noticed
}

// TestO10_O42Disasters: several hosts play while their disks go back in time or are gone for good,
// and hosts are given up and come back. No (object, term) has two owners at any time, terms only
// rise, and nothing is carried out twice in what is left.
// Clauses: O41.5
func TestO10_O42Disasters(t *testing.T) {
	if *seed != 0 {
		problem, seen := disastrous(t, *seed, t.Logf)
		if t.Logf("%+v", seen); problem != "" {
			t.Fatal(problem)
		}
		return
	}
	count, first := *disasterRuns, firstSeed(*disasterRuns)
	if count == 0 {
		if count = 1000; testing.Short() {
			count = 100
		}
	}
	t.Logf("%d schedules from -seed %d", count, first)
	var all disasterCounts
	failed := 0
	for _, s := range append(slices.Clone(disastersFailedOnce), upFrom(first, count)...) {
		problem, seen := disastrous(t, s, nil)
		if problem != "" {
			t.Errorf("-run TestO10_O42Disasters -args -seed %d: %s", s, problem)
			if failed++; failed == 100 {
				t.FailNow()
			}
		}
		all.add(seen)
	}
	t.Logf("%+v", all)
	if min(all.restores, all.rollbacks, all.deaths, all.exiles,
		all.thaws, all.superseded) < count/50 {
		t.Errorf("too little happens: %+v", all)
	}
}

// disastrous plays the world of one seed.
func disastrous(t testing.TB, seed uint64,
	log func(string, ...any)) (problem string, seen disasterCounts) {
	return disastrousWith(t, seed, false, log)
}

// disastrousWith is disastrous, and with slips folders go back without a mark.
func disastrousWith(t testing.TB, seed uint64, slips bool,
	log func(string, ...any)) (problem string, seen disasterCounts) {
	r := rand.New(rand.NewPCG(seed, 40))
	n := 3 + r.IntN(3)
	var w *world
	d := newDisasters()
	d.slips = slips
	w = newWorld(t, r, n, func(c *Config) {
		self := indexOf(c.Self)
		if slips {
			c.Hear = hearing
		}
		c.Link = func(h id.HostID) Link {
			j := indexOf(h)
			away := j != self && (d.removed[j] || d.removed[self])
			return Link{Open: !away && (w == nil || !w.paused[self][j]),
				Gone: away && !d.removed[self], Keep: true, Objects: 1000, Bytes: 1 << 30}
		}
		c.Linked = func() (hosts []id.HostID) {
			for j := range n {
				if j != self && !d.removed[j] {
					hosts = append(hosts, hostID(j))
				}
			}
			return hosts
		}
	})
	w.disasters, w.shelves = d, w.shelve
	if log != nil {
		w.log = log
	}
	defer func() {
		if p := recover(); p != nil && log == nil {
			problem = fmt.Sprint("panic: ", p)
		} else if p != nil {
			panic(p)
		}
	}()
	w.loss, w.twice = r.IntN(3)*5, r.IntN(3)*5
	w.redraws = !slices.Contains(slices.Concat(disastersFailedOnce, slipsFailedOnce), seed)
	for i := range w.boxes {
		w.create(i, Table, w.create(i, Set), w.create(i, Set))
	}
	w.settle()
	for i := range w.boxes {
		w.introduce(i)
	}
	for range 100 + r.IntN(500) {
		if w.problem == "" {
			w.disaster()
		}
	}
	w.recover()
	return w.problem, d.happened
}

// disaster makes one event happen, mostly an ordinary one.
func (w *world) disaster() {
	d, i := w.disasters, w.r.IntN(len(w.boxes))
	if d.dead[i] {
		return
	}
	switch n := w.r.IntN(1000); {
	case n < 15:
		w.backUp(i)
	case n < 21:
		w.goBack(i)
	case n < 23:
		w.die(i)
	case n < 26:
		w.exile(i)
	case n < 60:
		w.operate(i)
	default:
		w.chaos()
	}
}

// alive counts the hosts that were not given up.
func (d *disasters) alive(n int) (alive int) {
	for j := range n {
		if !d.dead[j] && !d.removed[j] {
			alive++
		}
	}
	return alive
}

// backUp keeps a copy of what is durable at a host.
func (w *world) backUp(i int) {
	for len(w.boxes[i].batches) > 0 {
		w.flush(i, 1<<30)
	}
	w.disasters.backups[i] = append(w.disasters.backups[i], copyOf(w.boxes[i].disk))
}

// goBack restores a host from one of its backups, or puts its folder back, which the host notices.
func (w *world) goBack(i int) {
	d := w.disasters
	if len(d.backups[i]) == 0 {
		return
	}
	if w.r.IntN(2) == 0 {
		d.happened.restores++
	} else {
		d.happened.rollbacks++
	}
	w.now += 1000 // this distinguishes the second restore (O41)
	backup := d.backups[i][w.r.IntN(len(d.backups[i]))]
	w.log("%d goes back", i)
	w.cutOff(i)
	before := w.boxes[i].disk
	w.bereave(i, before, backup)
	if d.slips && w.watched() {
		w.slip(i, backup)
		return
	}
	w.restore(i, backup)
	w.boxes[i].life = w.boxes[i].host.self.Life
}

// cutOff ends the process of a host, and loses what is not durable and all messages from and to it.
func (w *world) cutOff(i int) {
	w.undo(i)
	w.net = slices.DeleteFunc(w.net, func(p packet) bool { return p.from == i || p.to == i })
}

// die ends a host and its disk for good. Later everybody removes the link to it.
func (w *world) die(i int) {
	d := w.disasters
	if d.alive(len(w.boxes)) < 3 || d.removed[i] || slices.Contains(d.dead[:], true) {
		return
	}
	d.happened.deaths++
	w.log("%d dies", i)
	w.cutOff(i)
	w.bereave(i, w.boxes[i].disk, newMemory())
	d.dead[i] = true
	b := w.boxes[i]
	b.disk, b.durable = newMemory(), map[id.OID]*head{}
	for j := range w.boxes {
		w.cut[i][j], w.cut[j][i] = true, true
	}
}

// exile makes everybody give up a host, which works on by itself.
func (w *world) exile(i int) {
	d := w.disasters
	if d.alive(len(w.boxes)) < 3 || d.removed[i] || d.exiled[i] ||
		slices.Contains(d.exiled[:], true) {
		return
	}
	d.happened.exiles++
	w.log("%d is given up", i)
	for j := range w.boxes {
		for len(w.boxes[j].batches) > 0 && w.problem == "" {
			w.flush(j, 1<<30)
		}
	}
	d.exiled[i], d.removed[i], w.outcast[i] = true, true, true
	w.net = slices.DeleteFunc(w.net, func(p packet) bool { return p.from == i || p.to == i })
}

// operate does what an operator does after reading the host's reports.
func (w *world) operate(i int) {
	d, h := w.disasters, w.boxes[i].host
	for j := range w.boxes {
		if d.dead[j] && !d.removed[j] && w.r.IntN(3) == 0 {
			w.log("the links to %d are removed", j)
			d.removed[j] = true
		}
	}
	for _, host := range h.Waiting() {
		if j := indexOf(host); d.dead[j] || w.r.IntN(10) == 0 && !w.outcast[j] {
			w.trust(i, j)
		}
	}
	if oid := w.draw(slices.Collect(maps.Keys(w.boxes[i].disk.values[Copies]))); !oid.IsZero() {
		w.thawing(i, oid)
	}
}

// trust makes host i go on without host j. Objects that i has made may be there twice until j
// learns of it.
func (w *world) trust(i, j int) {
	w.log("%d goes on without %d", i, j)
	w.outcast[j] = true
	for oid := range w.boxes[i].disk.values[Heads] {
		if oid.Creator() == hostID(i) && w.boxes[j].disk.values[Heads][oid] != nil {
			w.keepOnly(oid, w.boxes[i].disk.values[Bodies][oid])
		}
	}
	s, err := w.boxes[i].host.Trust(w.moment(i), hostID(j))
	w.input(i, s, err)
}

// recover repairs what can be repaired, makes the operators accept what they are offered, and
// checks what must be there.
func (w *world) recover() {
	d := w.disasters
	// earlier messages are lost
	w.net = slices.DeleteFunc(w.net,
		func(p packet) bool { return d.exiled[p.from] || d.exiled[p.to] })
	for j := range w.boxes {
		d.removed[j] = d.dead[j]
	}
	w.heal()
	for range 3 {
		w.now += 8 * 24 * 3_600_000
		w.upAll()
		w.settle()
		for i := range w.boxes {
			w.thawLost(i)
		}
	}
	for i := range w.boxes {
		if !d.dead[i] && w.boxes[i].host.Collecting() {
			w.collect(i) // nobody gets any more what it has judged
		}
	}
	w.whole()
	for range 3 {
		for i := range w.boxes {
			if !d.dead[i] && w.problem == "" {
				w.collect(i)
			}
		}
		w.now += 24 * 3_600_000
	}
	w.whole()
}

// upAll tells all running hosts that all others are up.
func (w *world) upAll() {
	for i := range w.boxes {
		for j := range i {
			if !w.disasters.dead[i] && !w.disasters.dead[j] {
				w.up(i, j)
			}
		}
	}
}

// thawLost makes a host thaw its copies of all objects that no host has any more.
func (w *world) thawLost(i int) {
	for _, oid := range setOf(slices.Collect(maps.Keys(w.boxes[i].disk.values[Copies]))) {
		if w.problem != "" || w.disasters.dead[i] || w.liveBeside(oid, -1) {
			continue
		}
		w.call(i, oid, "look", nil) // the host has to learn that it is lost
		w.settle()
		if w.boxes[i].disk.values[Copies][oid] != nil && !w.liveBeside(oid, -1) &&
			!w.thawing(i, oid) && !w.exists(oid) {
			_, err := w.boxes[i].host.Thaw(w.moment(i), oid)
			w.fail("O41: %s is nowhere, and %d does not thaw it: %v", oid, i, err)
		}
		w.settle()
	}
}

// whole checks that every needed object is there, has all that it must have, and can be called by
// those that refer to it.
func (w *world) whole() {
	for i, b := range w.boxes {
		if !w.disasters.dead[i] && b.host.self.Survey && w.problem == "" {
			w.fail("O11: %d has not settled", i)
		}
		for oid, h := range b.durable {
			if h.State != here && w.problem == "" {
				w.fail("O9: %s is in state %d at %d", oid, h.State, i)
			}
		}
	}
	reachable := w.reachable()
	for i, b := range w.boxes {
		for _, oid := range setOf(slices.Collect(maps.Keys(b.durable))) {
			h := b.durable[oid]
			if h == nil || !reachable[oid] {
				continue
			}
			w.alone(i, oid, h)
			for _, ref := range h.Refs {
				w.callable(i, ref)
			}
		}
	}
	for oid, tags := range w.added {
		for i, b := range w.boxes {
			h := b.durable[oid]
			if h == nil || !reachable[oid] || w.pastOf(i, h.Term, w.terms[oid]) ||
				h.State != here || h.Life < b.life || w.problem != "" {
				// nothing, or an older copy, and nobody has asked about it since the restore
				continue
			}
			if v := b.disk.values[Bodies][oid]; v != nil && !w.thrownAway(oid) {
				w.complete(oid, v, tags)
			}
		}
	}
}

// alone checks that no other host serves an object that host i serves, after all have talked to
// each other (O41).
func (w *world) alone(i int, oid id.OID, h *head) {
	for j, b := range w.boxes {
		if w.disasters.dead[indexOf(oid.Creator())] {
			return // nobody can inform the host that has it in the older term
		}
		if o := b.durable[oid]; j > i && o != nil && b.serves(o) && w.boxes[i].serves(h) {
			w.fail("O41: %s is served by %d in term %d and by %d in term %d", oid, i,
				h.Term, j, o.Term)
		}
	}
}

func (w *world) thrownAway(oid id.OID) bool {
	h := w.boxes[indexOf(oid.Creator())].durable[oid]
	return h != nil && h.Deleted
}

// knows returns whether a host can call an object without asking its creator: the host serves it,
// or knows which host does.
func (w *world) knows(i int, oid id.OID) bool {
	b := w.boxes[i]
	if h := b.durable[oid]; h != nil {
		return b.serves(h)
	}
	r := &reference{}
	if v := b.disk.values[Helds][oid]; v == nil || decode(v, r) != nil {
		return false
	}
	j := indexOf(r.Where.Owner)
	return j >= 0 && w.boxes[j].durable[oid] != nil && w.boxes[j].serves(w.boxes[j].durable[oid])
}

// callable checks that whoever refers to an object can call it. The limits are those of "What may
// be lost" in object.md:
//   - The owner does not know a host that had given the reference up since its backup, and has no
//     newer one.
//   - An object without any copy is lost: no disk that had it is left, or its last copy went with
//     the last need for it at home.
//   - If only a host that was given up needed an object, the object is in the quarantine of another
//     host. So is an object that was between two owners when its creator was given up.
//   - Without its creator an object is found where it was known to be. A host that went back itself
//     does not serve it.
func (w *world) callable(i int, oid id.OID) {
	d, c := w.disasters, indexOf(oid.Creator())
	if w.problem != "" || w.isLoose(i, oid) || d.mayLose[oid] {
		return
	}
	if !w.exists(oid) {
		if d.shelved[oid] && d.exiled[i] || d.stranded[oid] {
			return
		}
		w.fail("O29: %s is needed by %d and nowhere", oid, i)
		return
	}
	if d.dead[c] && !w.knows(i, oid) {
		return
	}
	before := w.seen.answers
	if _, away := w.boxes[i].host.Unreachable(oid); away {
		w.now += 8 * 24 * 3_600_000
	}
	w.call(i, oid, "add", nil)
	if w.settle(); w.problem == "" && w.seen.answers == before {
		w.fail("O42: %s cannot be called by %d", oid, i)
	}
}

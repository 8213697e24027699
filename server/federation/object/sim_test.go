package object

import (
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
)

var (
	schedules = flag.Int("schedules", 0,
		"how many schedules are simulated; 0: ten thousand, fewer with -short")
	seed = flag.Uint64("seed", 0,
		"simulate only the schedule of this seed, and log it")
	from = flag.Uint64("from", 0,
		"the seed of the first schedule; 0: 1, or random with a given number")
)

// failedOnce are the seeds of schedules that once found a fault.
var failedOnce = []uint64{}

// TestO8_O29Schedules: several hosts play, crash and lose each other. After every step it checks
// what must never be, and in the end what must be.
// Clauses: O5.1, O8.16, O10.1, O10.2, O10.3, O14.4, O14.5, O14.8, O15.3, O15.4, O17.1, O21.5,
// O21.9, O21.12, O24.3, O24.4, O24.7, O25.5, O29.1, O30.13, O30.16, O30.18, O53.2
func TestO8_O29Schedules(t *testing.T) {
	if *seed != 0 {
		if problem, seen := schedule(t, *seed, nil, t.Logf); problem != "" {
			t.Fatal(problem)
		} else {
			t.Logf("%+v", seen)
		}
		return
	}
	count, first := *schedules, firstSeed(*schedules)
	if count == 0 {
		if count = 10_000; testing.Short() {
			count = 300
		}
	}
	t.Logf("%d schedules from -seed %d", count, first)
	var all counts
	for _, s := range append(slices.Clone(failedOnce), upFrom(first, count)...) {
		problem, seen := schedule(t, s, nil, nil)
		if problem != "" {
			t.Fatalf("-run TestO8_O29Schedules -seed %d: %s", s, problem)
		}
		all.add(seen)
	}
	all.census(t)
	if min(all.undone, all.halved, all.cuts, all.downs, all.pauses, all.back, all.dropped,
		all.doubled, all.overtaken, slices.Min(all.hosts[2:6])) < count/10 {
		t.Errorf("too little is done to the hosts: %+v", all.faults)
	}
	if all.redrawn < count || all.moves < count ||
		all.crashes < count || all.deleted < count || all.answers < 10*count ||
		count > 2000 && all.pinged == 0 || all.offences > count/10 ||
		all.deadTies < count/10 || all.liveTies < count/10 {
		t.Errorf("it covers little: %+v", all)
	}
}

// firstSeed returns the seed of the first random world: that of -from; or a random one if a flag
// asks for a number of worlds; or always the same one.
func firstSeed(asked int) uint64 {
	switch {
	case *from != 0:
		return *from
	case asked != 0:
		return rand.Uint64()>>1 + 1
	default:
		return 1
	}
}

func upFrom(first uint64, count int) (seeds []uint64) {
	for i := range uint64(count) {
		seeds = append(seeds, first+i)
	}
	return seeds
}

func (c *counts) add(d counts) {
	c.crashes += d.crashes
	c.moves += d.moves
	c.deleted += d.deleted
	c.answers += d.answers
	c.failures += d.failures
	c.refusals += d.refusals
	c.offences += d.offences
	c.pinged += d.pinged
	c.inputs += d.inputs
	c.redrawn += d.redrawn
	c.checked += d.checked
	c.deadTies += d.deadTies
	c.liveTies += d.liveTies
	for n := range c.hosts {
		c.hosts[n] += d.hosts[n]
	}
	c.undone += d.undone
	c.halved += d.halved
	c.cuts += d.cuts
	c.downs += d.downs
	c.pauses += d.pauses
	c.dropped += d.dropped
	c.doubled += d.doubled
	c.overtaken += d.overtaken
	c.back += d.back
}

// census logs how often each event happened in all schedules.
func (c *counts) census(t testing.TB) {
	t.Logf("hosts 3, 4, 5, 6: %v", c.hosts[2:6])
	t.Logf(
		"%d steps; %d crashes, which took %d batches back and cut %d in the middle of their messages",
		c.inputs, c.crashes, c.undone, c.halved,
	)
	t.Logf("%d lines cut, %d times noticed, %d links paused or resumed, %d clocks set back",
		c.cuts, c.downs, c.pauses, c.back)
	t.Logf("packets: %d lost, %d twice, %d before older ones", c.dropped, c.doubled, c.overtaken)
	t.Logf("sets and boxes on different hosts: %d that nobody needs, %d that somebody does",
		c.deadTies, c.liveTies)
	t.Logf("%d calls answered, %d failed, %d refused; %d moves, %d deleted, %d pinged, "+
		"%d holders asked, %d requests forbidden, %d newer versions", c.answers, c.failures, c.refusals,
		c.moves, c.deleted, c.pinged, c.checked, c.offences, c.redrawn)
}

// schedule plays the world of one seed. It returns what went wrong, or "".
func schedule(t testing.TB, seed uint64, config func(*Config),
	log func(string, ...any)) (problem string, seen counts) {
	r := rand.New(rand.NewPCG(seed, 4))
	w := newWorld(t, r, 3+r.IntN(4), config)
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
	w.loss, w.twice = r.IntN(4)*5, r.IntN(4)*5
	w.redraws = !slices.Contains(failedOnce, seed)
	w.ties = w.redraws
	for i := range w.boxes {
		w.create(i, Table)
		for range 1 + r.IntN(3) {
			w.create(i, Set, w.draw(w.some(i, 2)))
		}
	}
	// All hosts know the tables of all others, which were given away as an invitation gives a table
	// away.
	w.settle()
	for i := range w.boxes {
		w.introduce(i)
	}
	for range 100 + r.IntN(700) {
		w.chaos()
		if w.problem != "" {
			return w.problem, w.seen
		}
	}
	w.heal()
	if w.ties {
		w.throwTies()
	}
	w.end()
	return w.problem, w.seen
}

// some returns random objects that a host has, no more than most.
func (w *world) some(i, most int) (some []id.OID) {
	for range most {
		if o := w.pickAny(i); !o.IsZero() {
			some = append(some, o)
		}
	}
	return some
}

// introduce gives a host a table of another one, as an invitation does.
func (w *world) introduce(i int) {
	j := w.r.IntN(len(w.boxes))
	if table := w.pick(j, func(_ id.OID, h *head) bool { return h.root() }); i != j &&
		!table.IsZero() {
		w.give(j, table, i)
	}
}

func (w *world) give(i int, oid id.OID, to int) {
	w.tickets++
	s, err := w.boxes[i].host.Give(w.moment(i), w.tickets, oid, w.boxes[to].id)
	w.log("%d gives %s to %d", i, oid, to)
	w.input(i, s, err)
}

// chaos makes one event happen.
func (w *world) chaos() {
	i := w.r.IntN(len(w.boxes))
	if w.gone(i) {
		return
	}
	switch n := w.r.IntN(1000); {
	case n < 520:
		if len(w.net) > 0 {
			w.deliver(w.r.IntN(len(w.net)))
		}
	case n < 760:
		w.flush(i, 1<<30)
	case n < 850:
		w.play(i)
	case n < 910:
		w.pass(i)
	case n < 960:
		for range 1 + w.r.IntN(6) {
			s, err := w.boxes[i].host.Collect(w.moment(i))
			w.input(i, s, err)
		}
	case n < 972:
		w.crash(i)
	case n < 990:
		w.lose(i, w.r.IntN(len(w.boxes)), w.r.IntN(3) == 0)
	case n < 995:
		if j := w.r.IntN(len(w.boxes)); i != j {
			w.paused[i][j] = !w.paused[i][j]
			w.seen.pauses++
		}
	case w.disasters != nil: // the terms of two restores of one backup differ by their times
	default:
		skew := id.Millis(w.r.Int64N(4*24*3_600_000) - 2*24*3_600_000)
		if skew < w.boxes[i].skew {
			w.seen.back++
		}
		w.boxes[i].skew = skew
	}
}

// gone returns whether a host is gone for good.
func (w *world) gone(i int) bool { return w.disasters != nil && w.disasters.dead[i] }

// pass advances the time, mostly until a host has something to do.
func (w *world) pass(i int) {
	after, ok := w.boxes[i].host.Wake()
	switch {
	case !ok || w.r.IntN(4) == 0:
		after = id.Millis(w.r.IntN(2000))
	case w.r.IntN(20) == 0:
		after = id.Millis(w.r.IntN(3_600_000))
	}
	w.now += min(after, 3_600_000)
	s, err := w.boxes[i].host.Tick(w.moment(i))
	w.input(i, s, err)
}

// part cuts the line between two hosts, or repairs it.
func (w *world) part(i, j int, cut bool) {
	if i == j || w.gone(i) || w.gone(j) {
		return
	}
	was := w.cut[i][j]
	if cut && !was {
		w.seen.cuts++
	}
	w.cut[i][j], w.cut[j][i] = cut, cut
	if was && !cut {
		w.up(i, j)
	}
}

// lose cuts the line between two hosts, or replaces it. Either host may notice the break.
func (w *world) lose(i, j int, cut bool) {
	w.part(i, j, cut)
	for _, x := range [][2]int{{i, j}, {j, i}} {
		if i != j && w.r.IntN(2) == 0 && !w.gone(x[0]) {
			w.down(x[0], x[1])
		}
	}
	if i != j && !cut && !w.gone(i) && !w.gone(j) {
		w.up(i, j)
	}
}

func (w *world) down(i, j int) {
	w.seen.downs++
	s, err := w.boxes[i].host.Down(w.moment(i), w.boxes[j].id)
	w.input(i, s, err)
}

func (w *world) up(i, j int) {
	for _, x := range [][2]int{{i, j}, {j, i}} {
		s, err := w.boxes[x[0]].host.Up(w.moment(x[0]), w.boxes[x[1]].id)
		w.input(x[0], s, err)
	}
}

// play makes the program of a host do something.
func (w *world) play(i int) {
	b := w.boxes[i]
	if w.redraws && w.r.IntN(10) == 0 {
		w.redraw(i)
		return
	}
	if w.ties && w.r.IntN(10) == 0 {
		w.tie(i)
		return
	}
	some := w.pickAny(i)
	arg := []byte{byte(w.r.IntN(256))}
	switch w.r.IntN(18) {
	case 0:
		w.create(i, Bag, w.some(i, w.r.IntN(3))...)
	case 1:
		if oid := w.pick(i, func(_ id.OID, h *head) bool { return h.root() }); !oid.IsZero() &&
			w.r.IntN(4) == 0 {
			s, err := b.host.Delete(w.moment(i), oid)
			w.log("%d deletes %s", i, oid)
			w.input(i, s, err)
			w.create(i, Table, w.some(i, 2)...)
		}
	case 2, 3:
		if !some.IsZero() {
			w.call(i, some, "lay", nil, w.some(i, 2)...)
		}
	case 4, 5:
		if !some.IsZero() {
			w.call(i, some, "cut", arg)
		}
	case 6:
		if !some.IsZero() {
			w.call(i, some, "show", arg)
		}
	case 7:
		if !some.IsZero() {
			w.call(i, some, "pull", arg)
		}
	case 8, 9:
		if !some.IsZero() {
			for range 1 + w.r.IntN(3) {
				w.call(i, some, "add", nil)
			}
		}
	case 10, 11, 14, 15, 16:
		if oid := w.pick(i, func(oid id.OID, h *head) bool { return true }); !oid.IsZero() {
			w.move(i, oid, w.boxes[w.r.IntN(len(w.boxes))].id)
		}
	case 12, 17:
		if !some.IsZero() {
			w.tickets++
			s, err := b.host.Bring(w.moment(i), w.tickets, some)
			w.input(i, s, err)
		}
	default:
		if to := w.r.IntN(len(w.boxes)); !some.IsZero() && to != i {
			w.give(i, some, to)
		}
	}
}

// redraw gives an object newer versions of its kinds. One time in four the object may be another
// host's, which must refuse that.
func (w *world) redraw(i int) {
	oid := w.pick(i, func(id.OID, *head) bool { return true })
	if w.r.IntN(4) == 0 {
		oid = w.pickAny(i)
	}
	if !oid.IsZero() {
		w.call(i, oid, "kinds", []byte{})
	}
}

// tie lets sets that a host has belong together, as people do (O53): something there refers to a
// box, the box to the sets, and each of them to the box.
func (w *world) tie(i int) {
	sets := slices.DeleteFunc(
		setOf(w.some(i, 4)), func(o id.OID) bool { return w.class[o] != Set },
	)
	own := w.pick(i, func(_ id.OID, h *head) bool { return h.root() })
	if len(sets) == 0 || own.IsZero() {
		return
	}
	box := w.create(i, Bag, sets...)
	w.call(i, own, "lay", nil, box)
	for _, set := range sets {
		w.call(i, set, "lay", nil, box)
	}
}

// throwTies ties sets at each host, moves some of them to other hosts, and then lets nobody need
// about half of everything.
func (w *world) throwTies() {
	for i := range w.boxes {
		for range 2 {
			w.create(i, Set)
			w.tie(i)
		}
	}
	w.settle()
	each := func(do func(i int, oid id.OID, h *head)) {
		for i, b := range w.boxes {
			for _, oid := range setOf(slices.Collect(maps.Keys(b.durable))) {
				if w.r.IntN(2) == 0 {
					do(i, oid, b.durable[oid])
				}
			}
		}
		w.settle()
	}
	each(func(i int, oid id.OID, h *head) {
		if h.State == here && w.class[oid] == Set {
			w.move(i, oid, w.boxes[w.r.IntN(len(w.boxes))].id)
		}
	})
	each(func(i int, oid id.OID, h *head) {
		if h.root() {
			s, err := w.boxes[i].host.Delete(w.moment(i), oid)
			w.input(i, s, err)
		}
	})
	w.countTies()
}

// countTies counts the boxes and sets on different hosts that refer to each other.
func (w *world) countTies() {
	reachable := w.reachable()
	for i, b := range w.boxes {
		for box, h := range b.durable {
			if w.class[box] != Bag {
				continue
			}
			for _, set := range h.Refs {
				for j, other := range w.boxes {
					is := other.durable[set]
					if i == j || is == nil || w.class[set] != Set || !slices.Contains(is.Refs, box) {
						continue
					}
					if reachable[box] {
						w.seen.liveTies++
					} else {
						w.seen.deadTies++
					}
				}
			}
		}
	}
}

// heal repairs everything.
func (w *world) heal() {
	w.loss, w.twice = 0, 0
	for i := range w.boxes {
		if w.r.IntN(2) == 0 && !w.gone(i) {
			w.crash(i)
		}
		w.boxes[i].skew = 0
		w.paused[i] = [16]bool{}
	}
	for i := range w.boxes {
		for j := range i {
			if w.gone(i) || w.gone(j) {
				continue
			}
			w.cut[i][j], w.cut[j][i] = false, false
			w.up(i, j)
		}
	}
	w.settle()
}

// settle runs the world until nothing happens by itself any more.
func (w *world) settle() {
	for range 100_000 {
		if w.problem != "" {
			return
		}
		busy := false
		for i, b := range w.boxes {
			for len(b.batches) > 0 {
				busy = true
				w.flush(i, 1<<30)
			}
		}
		for len(w.net) > 0 {
			busy = true
			w.deliver(w.r.IntN(len(w.net)))
		}
		if busy {
			continue
		}
		next, some := id.Millis(1<<40), false
		for i, b := range w.boxes {
			if after, ok := b.host.Wake(); ok && !w.gone(i) {
				next, some = min(next, after), true
			}
		}
		if !some {
			return
		}
		w.now += next
		for i := range w.boxes {
			if w.gone(i) {
				continue
			}
			s, err := w.boxes[i].host.Tick(w.moment(i))
			w.input(i, s, err)
		}
	}
	w.fail("it does not settle")
}

// collect runs one round at a host.
func (w *world) collect(i int) {
	for {
		s, err := w.boxes[i].host.Collect(w.moment(i))
		w.input(i, s, err)
		w.settle()
		if w.problem != "" || !w.boxes[i].host.Collecting() {
			return
		}
	}
}

// end runs rounds until everything that is not needed is gone, and checks that nothing else is.
func (w *world) end() {
	const most = 60
	for n := range most {
		for _, i := range w.r.Perm(len(w.boxes)) {
			w.collect(i)
		}
		w.now += 24 * 3_600_000
		if w.problem != "" {
			return
		}
		left := w.leftovers()
		if left == "" {
			break
		}
		if n == most-1 {
			w.fail("O24: after %d rounds %s", most, left)
			return
		}
	}
	w.callAll()
}

// leftovers returns what the stores have that is not needed, or what is missing.
func (w *world) leftovers() string {
	reachable := w.reachable()
	for i, b := range w.boxes {
		for oid, h := range b.durable {
			if h.State != here {
				return fmt.Sprintf("%s is in state %d at %d", oid, h.State, i)
			}
			if !reachable[oid] {
				return fmt.Sprintf("%s is at %d: %+v", oid, i, *h)
			}
			for _, e := range h.Holders {
				if w.boxes[indexOf(e.Host)].disk.values[Helds][oid] == nil {
					return fmt.Sprintf("%s at %d has the false holder %s",
						oid, i, e.Host)
				}
			}
		}
		for _, s := range []Space{Forwards, Helds, Debts, Moves} {
			for oid := range b.disk.values[s] {
				if s == Debts || s == Moves || !reachable[oid] {
					return fmt.Sprintf("%s is in space %d of %d", oid, s, i)
				}
			}
		}
	}
	return ""
}

// callAll checks that everybody who has a needed object can call it, and that it has all that was
// done to it.
func (w *world) callAll() {
	for oid := range w.reachable() {
		if !w.exists(oid) {
			w.fail("O29: %s is needed and nowhere", oid)
			return
		}
	}
	for i, b := range w.boxes {
		var all []id.OID
		for oid := range b.durable {
			all = append(all, oid)
		}
		for oid := range b.disk.values[Helds] {
			all = append(all, oid)
		}
		for _, oid := range setOf(all) {
			before := w.seen.answers
			if f, away := b.host.Unreachable(oid); away {
				w.now += 8 * 24 * 3_600_000
				_ = f
			}
			w.call(i, oid, "add", nil)
			w.settle()
			if w.problem == "" && w.seen.answers == before {
				w.fail("%s cannot be called by %d", oid, i)
			}
			if w.problem != "" {
				return
			}
		}
	}
	for oid, newest := range w.redrawn {
		for _, b := range w.boxes {
			if v := b.disk.values[Bodies][oid]; v != nil && !w.thrown(oid) {
				w.newest(oid, v, newest)
			}
		}
	}
	for oid, tags := range w.added {
		for _, b := range w.boxes {
			if v := b.disk.values[Bodies][oid]; v != nil && !w.thrown(oid) {
				w.complete(oid, v, tags)
			}
		}
	}
}

func (w *world) thrown(oid id.OID) bool {
	h := w.boxes[indexOf(oid.Creator())].durable[oid]
	return h != nil && h.Deleted
}

// newest checks that an object has the newest versions of its kinds that it got, or newer ones of
// which nobody knows whether it got them.
func (w *world) newest(oid id.OID, v []byte, newest uint64) {
	b := &body{}
	if err := decode(v, b); err != nil {
		w.fail("%v", err)
		return
	}
	if len(b.Kinds) != 1 || binary.BigEndian.Uint64(b.Kinds[0][1:]) < newest {
		w.fail("O30: %s has the kinds %v, not %d", oid, b.Kinds, newest)
	}
}

// complete checks that an object has every call that was answered.
func (w *world) complete(oid id.OID, v []byte, tags map[uint64]bool) {
	b := &body{}
	if err := decode(v, b); err != nil {
		w.fail("%v", err)
		return
	}
	n := 0
	for c := b.Content; len(c) >= 8; c = c[8:] {
		if tags[binary.LittleEndian.Uint64(c)] {
			n++
		}
	}
	if n != len(tags) {
		w.fail("O10: %s has %d of %d calls that were answered", oid, n, len(tags))
	}
}

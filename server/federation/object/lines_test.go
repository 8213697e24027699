package object

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
)

var measured = flag.Int("measure", 0,
	"of how many seeds the measures of moves and collections are; 0: two, and few calls")

// seedsMeasured returns how many seeds are measured.
func seedsMeasured() int { return max(*measured, 2) }

// lines carries the messages of a world over lines that have a delay and a rate, each in the order
// in which they were sent.
type lines struct {
	*world
	delay   id.Millis            // one way
	rate    int                  // bytes a millisecond; 0: no bound
	free    [16][16]id.Millis    // when all that a line carries has left
	due     map[int]id.Millis    // when messages arrive, by their number
	started map[Ticket]id.Millis // calls without an answer
	took    func(Ticket, id.Millis)
}

func newLines(t testing.TB, seed uint64, hosts int, rtt id.Millis, lazy bool) *lines {
	w := newWorld(t, rand.New(rand.NewPCG(seed, 23)), hosts, nil)
	w.lax, w.accepts, w.declines = true, lazy, !lazy
	return &lines{
		world: w, delay: rtt / 2, due: map[int]id.Millis{}, started: map[Ticket]id.Millis{},
		took: func(Ticket, id.Millis) {},
	}
}

// calls makes a host call an object now.
func (l *lines) calls(i int, oid id.OID) Ticket {
	at := l.now
	t := l.call(i, oid, "look", nil)
	l.started[t] = at
	return t
}

// run runs the world until the time until, or until over is true.
func (l *lines) run(until id.Millis, over func() bool) {
	for l.problem == "" {
		for i, b := range l.boxes {
			for len(b.batches) > 0 {
				l.flush(i, 1<<30)
			}
		}
		l.answers()
		if over() {
			return
		}
		next := l.next()
		if l.batched() {
			continue
		}
		if next > until {
			l.tick(until)
			return
		}
		if next > l.now {
			l.tick(next)
			continue
		}
		l.arrive()
	}
}

// tick advances the time of all hosts.
func (l *lines) tick(now id.Millis) {
	l.now = now
	for i := range l.boxes {
		s, err := l.boxes[i].host.Tick(l.moment(i))
		l.input(i, s, err)
	}
}

func (l *lines) batched() bool {
	return slices.ContainsFunc(l.boxes, func(b *box) bool { return len(b.batches) > 0 })
}

// answers passes on how long the calls took that were answered.
func (l *lines) answers() {
	for t, at := range l.started {
		if _, waits := l.asked[t]; !waits {
			delete(l.started, t)
			l.took(t, l.now-at)
		}
	}
}

// next returns when something happens next.
func (l *lines) next() id.Millis {
	slices.SortFunc(l.net, func(a, b packet) int { return cmp.Compare(a.number, b.number) })
	next := id.Millis(math.MaxInt64)
	for _, p := range l.net {
		at, ok := l.due[p.number]
		if !ok {
			free := max(l.free[p.from][p.to], p.born)
			if l.rate > 0 {
				free += id.Millis(len(p.b) / l.rate)
			}
			l.free[p.from][p.to] = free
			at = free + l.delay
			l.due[p.number] = at
		}
		next = min(next, at)
	}
	for _, b := range l.boxes {
		if after, ok := b.host.Wake(); ok {
			next = min(next, l.now+after)
		}
	}
	return max(next, l.now)
}

// arrive delivers the message that is due first, or does what else is due.
func (l *lines) arrive() {
	first := -1
	for k, p := range l.net {
		if l.due[p.number] <= l.now && (first < 0 || l.due[p.number] < l.due[l.net[first].number]) {
			first = k
		}
	}
	if first >= 0 {
		delete(l.due, l.net[first].number)
		l.deliver(first)
		return
	}
	l.tick(l.now)
}

// sample is what was measured with each seed.
type sample []float64

// student is how many standard errors a 95 % confidence interval has to each side, for a sample of
// published seeds.
const (
	published = 20
	student   = 2.09
)

// String returns the mean, and for as many seeds as are published how far it is from both ends of
// its 95 % confidence interval.
func (s sample) String() string {
	mean, squares := 0.0, 0.0
	for _, x := range s {
		mean += x / float64(len(s))
	}
	for _, x := range s {
		squares += (x - mean) * (x - mean)
	}
	if len(s) != published {
		return fmt.Sprintf("%.3g", mean)
	}
	off := math.Sqrt(squares / float64(len(s)-1) / float64(len(s)))
	return fmt.Sprintf("%.3g ± %.2g", mean, student*off)
}

// An interval is printed only for the number of seeds that its factor is for.
func TestSample(t *testing.T) {
	s := make(sample, published)
	for i := range s {
		s[i] = float64(i % 2)
	}
	if got := s.String(); got != "0.5 ± 0.24" {
		t.Error(got)
	}
	if got := s[:2].String(); got != "0.5" {
		t.Error(got)
	}
}

// part returns the value below which that part of the values lies.
func part(values []id.Millis, of float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return float64(values[min(len(values)-1, int(of*float64(len(values))))])
}

// shared makes a set of host 0 that all other hosts hold.
func (l *lines) shared(content []byte) id.OID {
	b := l.boxes[0]
	b.minted++
	set := id.OID{}
	copy(set[:], b.id[:])
	set[15] = byte(b.minted)
	l.class[set] = Set
	s, err := b.host.Create(l.moment(0), set, Set, nil, content, nil)
	l.input(0, s, err)
	l.create(0, Table, set)
	for i := 1; i < len(l.boxes); i++ {
		l.create(i, Table)
		l.settle()
		l.give(0, set, i)
		l.settle()
	}
	for i := 1; i < len(l.boxes); i++ {
		if !l.boxes[i].host.has(set) {
			l.t.Fatalf("host %d does not hold the set: %s", i, l.problem)
		}
	}
	return set
}

// users says which host calls next.
type users struct {
	name string
	host func(r *rand.Rand, n int) int
}

var whoCalls = []users{
	{"one host", func(*rand.Rand, int) int { return 1 }},
	{"two by turns", func(_ *rand.Rand, n int) int { return 1 + n%2 }},
	{"two, four of five from one", func(r *rand.Rand, _ int) int {
		if r.IntN(5) == 0 {
			return 2
		}
		return 1
	}},
	{"two, 30 calls each by turns", func(_ *rand.Rand, n int) int { return 1 + n/30%2 }},
}

// TestO13LazyMoves measures calls of a set that moves to the host that uses it, and of one that
// stays. Lines have a round trip of 50 ms. A call follows the answer to the one before within 0 to
// 2 s.
func TestO13LazyMoves(t *testing.T) {
	count := 60
	if *measured > 0 {
		count = 600
	}
	for _, who := range whoCalls {
		mean := map[bool]float64{}
		for _, lazy := range []bool{false, true} {
			var p50, p99, each, moves sample
			for seed := range seedsMeasured() {
				took, sent, moved := callsOf(t, uint64(seed)+1, who, lazy, count)
				p50, p99 = append(p50, part(took, 0.5)), append(p99, part(took, 0.99))
				each = append(each, float64(sent)/float64(count))
				moves = append(moves, float64(moved))
				for _, ms := range took {
					mean[lazy] += float64(ms)
				}
			}
			t.Logf("%-27s moves %-5v p50 %v ms, p99 %v ms, %v messages a call, %v moves",
				who.name, lazy, p50, p99, each, moves)
		}
		switch {
		case who.name == "one host" && mean[true] > mean[false]/2:
			t.Errorf("O13: a set that one host uses is not faster if it moves there: %v", mean)
		case who.name == "two by turns" && mean[true] != mean[false]:
			t.Errorf("O13: a set that two hosts use by turns moves: %v", mean)
		}
	}
}

// callsOf calls a set count times.
func callsOf(
	t *testing.T, seed uint64, who users, lazy bool, count int,
) (took []id.Millis, sent, moves int) {
	l := newLines(t, seed, 3, 50, lazy)
	set := l.shared(nil)
	l.now += 2 * lazyRest
	before, moved := l.sent, l.seen.moves
	l.took = func(_ Ticket, d id.Millis) { took = append(took, d) }
	for n := range count {
		l.calls(who.host(l.r, n), set)
		l.run(l.now+600_000, func() bool { return len(took) > n })
		l.run(l.now+id.Millis(l.r.IntN(2000)), func() bool { return false })
	}
	if l.problem != "" || len(took) != count || l.seen.failures+l.seen.refusals > 0 {
		t.Fatalf("seed %d: %d of %d calls were answered, %d failed: %s", seed, len(took), count,
			l.seen.failures+l.seen.refusals, l.problem)
	}
	return took, l.sent - before, l.seen.moves - moved
}

// TestO8Pause measures how long calls wait while a set moves: from the host that made it, and from
// one to the other of two hosts that did not. Four calls of each of the two hosts wait for an
// answer at any time.
func TestO8Pause(t *testing.T) {
	for _, third := range []bool{false, true} {
		for _, size := range []int{300, 751 << 10} {
			for _, rtt := range []id.Millis{0, 50, 200} {
				var old, now, all sample
				for seed := range seedsMeasured() {
					a, b, c := pauseOf(t, uint64(seed)+1, rtt, size, third)
					old, now, all = append(old, a), append(now, b), append(all, c)
				}
				t.Logf("made elsewhere %-5v %4d KiB, %3d ms: longest call of the old owner %v ms, "+
					"of the new one %v ms; the move %v ms", third, size>>10, rtt, old, now, all)
				for i := range all {
					// The time between two tries doubles, so nobody waits much longer than twice.
					if most := 3*all[i] + 1000; old[i] > most || now[i] > most {
						t.Errorf("O8: with seed %d a call waits %v and %v ms, the move takes %v",
							i+1, old[i], now[i], all[i])
					}
				}
			}
		}
	}
}

// pauseOf moves a set once. It returns the longest calls of both hosts and the length of the move,
// in milliseconds.
func pauseOf(
	t *testing.T, seed uint64, rtt id.Millis, size int, third bool,
) (old, now, whole float64) {
	l := newLines(t, seed, 3, rtt, false)
	set := l.shared(make([]byte, size))
	from, to := 0, 1
	if third {
		l.move(0, set, l.boxes[2].id)
		l.settle()
		from, to = 2, 1
	}
	l.rate = 2500 // 20 Mbit/s
	l.now += 2 * lazyRest
	host, longest := map[Ticket]int{}, [3]id.Millis{}
	l.took = func(n Ticket, d id.Millis) {
		longest[host[n]] = max(longest[host[n]], d)
		next := l.calls(host[n], set)
		host[next] = host[n]
	}
	for range 4 {
		host[l.calls(from, set)] = from
		host[l.calls(to, set)] = to
	}
	return l.pause(t, set, from, to, &longest)
}

// pause moves a set after a while.
func (l *lines) pause(
	t *testing.T, set id.OID, from, to int, longest *[3]id.Millis,
) (old, now, whole float64) {
	l.step(l.now + 1000 + id.Millis(l.r.IntN(1000)))
	begun, moved := l.now, l.seen.moves
	*longest = [3]id.Millis{}
	l.move(from, set, l.boxes[to].id)
	l.run(begun+60_000, func() bool { return l.seen.moves > moved })
	whole = float64(l.now - begun)
	waiting := slices.Collect(maps.Keys(l.started))
	for end := l.now + 20_000; l.now < end && slices.ContainsFunc(waiting, func(n Ticket) bool {
		_, waits := l.started[n]
		return waits
	}); {
		l.step(l.now + 10)
	}
	if l.problem != "" || l.at(set) != to || l.seen.failures+l.seen.refusals > 0 {
		t.Fatalf("the set is at %d; %d failed: %s", l.at(set), l.seen.failures+l.seen.refusals,
			l.problem)
	}
	return float64(longest[from]), float64(longest[to]), whole
}

// step runs the world until a time. It makes a new call at most 10 ms after one is answered.
func (l *lines) step(until id.Millis) {
	took := l.took
	for l.now < until && l.problem == "" {
		var ended []Ticket
		var times []id.Millis
		l.took = func(n Ticket, d id.Millis) { ended, times = append(ended, n), append(times, d) }
		l.run(min(until, l.now+10), func() bool { return false })
		for i, n := range ended {
			took(n, times[i])
		}
	}
	l.took = took
}

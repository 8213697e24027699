package table_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

var (
	seedFlag  = flag.Uint64("seed", 0, "run only the random history of this seed")
	stepsFlag = flag.Int("steps", 0,
		"steps of all random histories together; 0: 300,000, fewer with -race or -short")
)

// stepsOfOne is the length of one random history.
const stepsOfOne = 5000

// failedOnce are the seeds of histories that once found a fault.
var failedOnce = []uint64{
	2894296750235159291, 4361963387853584276, 1312825938101839270, 5014171485964755130,
	6091702322421103214, 3740310872953656011, 441335307413439507,
}

// TestT8RandomHistories plays tables at random, with all kinds of pieces, links that delay, streams
// that break and servers that restart. It checks after every step what T8 promises. `-seed N` plays
// one history again.
// Clauses: T3.2, T5.2, T8.1, T8.2, T8.3, T8.4, T8.5, T8.6, T8.7, T10.9, T13.3, T13.4, T13.5, T21.1,
// T21.3, T21.6, T21.7, T21.8, T21.11, T22.1, T22.2, T28.3, T28.6, T29.4, T29.8, T32.2, T49.5
func TestT8RandomHistories(t *testing.T) {
	if *seedFlag != 0 {
		play(t, *seedFlag, stepsOfOne)
		return
	}
	var all variety
	for _, seed := range failedOnce {
		all.add(play(t, seed, stepsOfOne))
	}
	total := *stepsFlag
	if total == 0 {
		total = budget(t)
	}
	first := firstSeed("steps")
	t.Logf("%d steps, seeds from %d", total, first)
	for i := range uint64(max(1, total/stepsOfOne)) {
		all.add(play(t, first+i, stepsOfOne))
	}
	if total >= 300_000 {
		all.check(t)
	}
}

// firstSeed returns the first seed of a random test without a seed: 1, so that each run plays the
// same, or a random one if the flag that says how much to play is set.
func firstSeed(howMuch string) uint64 {
	first := uint64(1)
	flag.Visit(func(f *flag.Flag) {
		if f.Name == howMuch {
			first = rand.Uint64()>>1 + 1
		}
	})
	return first
}

// variety counts what has happened in histories: how often each operation was recorded, and each
// reason given.
type variety struct {
	ops     [256]int
	reasons [256]int
	// Undos: how often each obstacle stood in the way, and how often none needed consent.
	obstacles [8]int
	atOnce    int
}

func (v *variety) add(more variety) {
	for i := range v.ops {
		v.ops[i] += more.ops[i]
		v.reasons[i] += more.reasons[i]
	}
	for i := range v.obstacles {
		v.obstacles[i] += more.obstacles[i]
	}
	v.atOnce += more.atOnce
}

// check checks that everything happened at least once, so that the histories show something of it.
// A few steps are not enough for that.
func (v *variety) check(t *testing.T) {
	t.Helper()
	none := []table.Op{
		table.OpNone, table.OpSeat, table.OpFact, table.OpRenew, table.OpComponents, table.OpTake,
		table.OpPlace,
	}
	for op := range table.OpPivot + 1 {
		if op.String() != "unknown" && !slices.Contains(none, op) && v.ops[op] == 0 {
			t.Errorf("%s was never recorded", op)
		}
	}
	for reason := table.ReasonHeld; reason <= table.ReasonCooling; reason++ {
		if reason != table.ReasonTableFull && v.reasons[reason] == 0 {
			t.Errorf("nothing was rejected for %d", reason)
		}
	}
}

// budget is how many random steps a test may take.
func budget(t *testing.T) int {
	switch {
	case testing.Short():
		return 50_000
	case raceEnabled:
		return 100_000
	default:
		return 300_000 // the fewest in which everything happens; the soak takes many more
	}
}

func play(t *testing.T, seed uint64, steps int) variety {
	t.Helper()
	s := newRackWorld(t, seed)
	s.run = fmt.Sprintf("go test -run T8RandomHistories -seed %d", seed)
	return s.play(steps)
}

func (s *server) play(steps int) variety {
	s.t.Helper()
	for _, seat := range []id.Seat{1, 2, 3, 2} {
		s.join(seat)
	}
	watcher := s.join(4)
	for s.step = 1; s.step <= steps; s.step++ {
		s.random(watcher)
		if s.step%16 == 0 {
			s.inOrder()
		}
	}
	s.settle()
	return s.variety
}

// inOrder checks that the indexes of the table are right, and that every piece lies in the hand in
// which it belongs (T23).
func (s *server) inOrder() {
	s.t.Helper()
	if why := table.Amiss(s.table); why != "" {
		s.fatalf("%s", why)
	}
}

// random takes one step.
func (s *server) random(watcher *tab) {
	c := s.tabs[s.rnd.IntN(len(s.tabs))]
	switch n := s.rnd.IntN(1000); {
	case n < 340:
		if c != watcher && len(c.up) < 8 {
			c.randomAct()
		}
	case n < 650:
		if len(c.up) > 0 {
			s.overtake(c)
		}
	case n < 980:
		if len(c.down) > 0 {
			c.read()
		}
	case n < 988:
		c.cut(s.rnd.IntN(2) == 0)
	case n < 991:
		s.keep()
	case n < 992:
		s.restart()
	case n < 993:
		s.comeAndGo()
	case n < 994:
		s.settle()
	case n < 999 && len(s.guests.kinds) > 0 && s.rnd.IntN(2) == 0:
		s.host()
	case n < 995:
		c.tire()
	case n < 998:
		s.undo(id.Seat(1 + s.rnd.IntN(3)))
	default:
		if len(c.up) > 0 { // a batch that is sent twice (T10)
			c.up = slices.Insert(c.up, 1, c.up[0])
		}
	}
}

// tire gives a synchronised tab the versions that it would have after nearly as many rejects as
// there are versions for (T14).
func (c *tab) tire() {
	if !c.online || c.held || len(c.up)+len(c.down) > 0 || len(c.outstanding()) > 0 {
		return
	}
	now := c.server.table.VersionAt(c.seat, c.server.table.Gen())
	for name, k := range c.pieces {
		k.mark = max(k.mark, now+markRejects-1-id.Version(c.server.rnd.IntN(3)))
		c.server.table.Refused(c.id, c.seat, name, k.mark)
	}
}

// randomAct makes an update that a player could make, or sometimes one that cannot succeed.
func (c *tab) randomAct() {
	s := c.server
	r := s.rnd
	names := c.sorted()
	if len(names) == 0 {
		return
	}
	p := names[r.IntN(len(names))]
	k := c.pieces[p]
	if k.loose != nil {
		return // T17: the client holds ordinary updates back
	}
	shown := c.displayed(p)
	if shown.Gone {
		return
	}
	few := s.table.Pieces() < 2*len(world())
	more := few && !s.closed
	if r.IntN(3) > 0 && c.actKind(p, &shown, few) {
		return
	}
	xy := c.somewhere(names)
	switch n := r.IntN(100); {
	case n < 20 && shown.Holder == 0:
		c.act(table.OpGrab, p, c.maybeZ()...)
	case n < 40 && shown.Holder == c.seat:
		c.act(table.OpRelease, p, append(c.maybeZ(), xy)...)
		if r.IntN(2) == 0 {
			c.act(table.OpGrab, p, loose())
		}
	case n < 55:
		c.act(table.OpMove, p, append(c.maybeZ(), xy)...)
	case n < 60:
		if r.IntN(2) == 0 {
			c.act(table.OpPivot, p, xy, turned(int32(r.IntN(4))*9000))
		} else {
			c.act(table.OpRotate, p, turned(int32(r.IntN(4))*9000))
		}
	case n < 68:
		c.act(table.OpFlip, p, face(int32(r.IntN(int(facesOf(shown.Kind))))))
	case n < 72:
		c.act(table.OpRaise, p, c.maybeZ()...)
	case n < 76:
		c.act(table.OpLower, p, c.maybeZ()...)
	case n < 79:
		c.act(table.OpSetZ, p, z(c.randomZ()))
	case n < 82:
		c.act([]table.Op{table.OpPin, table.OpUnpin, table.OpUnpin}[r.IntN(3)], p)
	case n < 84:
		c.act([]table.Op{table.OpLock, table.OpUnlock, table.OpUnlock}[r.IntN(3)], p)
	case n < 87:
		c.act(table.OpWrest, p)
	case n < 88 && more:
		c.act(table.OpCopy, p, xy)
	case n < 90:
		if !s.closed && (!few || r.IntN(4) == 0) {
			c.act(table.OpDelete, p)
		}
	case n < 91 && more:
		with := []args{kind(uint32(r.IntN(int(kindCount)))), xy}
		if r.IntN(2) == 0 {
			box := c.any(names, func(k *table.Kind) bool { return k.Container.Holds })
			with = append(with, into(max(box, 1)))
		}
		c.act(table.OpAdd, 0, with...)
	case n < 93:
		c.actShuffle(names)
	case n < 97:
		c.act(table.OpGrab, p, loose())
	default:
		c.act(table.OpRelease, p)
	}
}

// facesOf is how many faces a client may ask for. Of a concealed card it knows the backs, and that
// the card has a front.
func facesOf(kind uint32) int32 {
	switch kind {
	case kindBack:
		return 1 + kinds[kind].Faces
	case kindBlueBack:
		// A back that is not a mask has only one; face 0 reveals a mask.
		return 1
	}
	return kinds[kind].Faces
}

func (c *tab) maybeZ() []args {
	if c.server.rnd.IntN(2) == 0 {
		return nil
	}
	return []args{z(c.randomZ())}
}

func (c *tab) randomZ() zlevel.Level {
	r := c.server.rnd
	// In a crowd; some are long, and some long enough for a respread.
	if r.IntN(3) == 0 {
		n := []int{61, 63, 64, 64, 64, 65, 100, 512, 513, 600, 700, 1024}[r.IntN(12)]
		digits := append(slices.Repeat([]byte("3"), 56+r.IntN(4)),
			slices.Repeat([]byte("1"), n)...)[:n]
		for i := 60; i < min(n, 66); i++ {
			digits[i] = byte('1' + r.IntN(9))
		}
		return level(c.server.t, "0."+string(digits))
	}
	return level(c.server.t, fmt.Sprintf("0.%d%d", r.IntN(100), 1+r.IntN(9)))
}

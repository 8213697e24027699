package sim

import (
	"cmp"
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/components/replica"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/stream"
	"holt/server/transport/depgraph"
	"holt/server/transport/framing"
)

var (
	datagramSeed = flag.Uint64("datagramseed", 0, "seed of the only run of TestDatagramOrder")
	datagramRuns = flag.Int("datagramruns", 8, "runs of TestDatagramOrder")
)

// datagrams is a line that cuts frames into messages, loses some of them at first, and lets them
// arrive in any order. It turns executed messages into the frames that arrive.
type datagrams struct {
	t     *testing.T
	begun time.Time

	mu sync.Mutex
	// Guarded by mu.
	rnd      *rand.Rand
	splitter *framing.Splitter
	sender   *depgraph.Sender
	receiver *depgraph.Receiver[[]byte]
	joiner   framing.Joiner
	flying   []flight // messages, and acknowledgements of them
	frames   [][]byte // that have arrived
	closed   bool
	stuck    bool
}

// flight is something on its way.
type flight struct {
	at           time.Time
	header       depgraph.Header
	bytes        []byte
	unguaranteed bool
	ack          bool // of the message of that number
}

const wholeWindow = 24 << 20

func newDatagrams(t *testing.T, rnd *rand.Rand) *datagrams {
	d := &datagrams{
		t: t, begun: time.Now(), rnd: rnd, splitter: framing.NewSplitter(),
		sender: depgraph.NewSender(wholeWindow),
	}
	d.receiver = depgraph.NewReceiver(wholeWindow,
		func(number uint64, msg []byte) { d.arrive(d.joiner.Message(number, msg)) },
		func(_ uint64, msg []byte) { d.arrive(d.joiner.Unguaranteed(msg)) })
	return d
}

func (d *datagrams) arrive(frame []byte, err error) {
	if err != nil {
		d.t.Error(err)
	}
	if frame != nil {
		d.frames = append(d.frames, frame)
	}
}

func (d *datagrams) now() depgraph.Instant { return depgraph.Instant(time.Since(d.begun)) }

func (d *datagrams) Write(_ context.Context, frames [][]byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return context.Canceled
	}
	for _, f := range frames {
		if err := d.splitter.Add(f); err != nil {
			return err
		}
	}
	return d.flush()
}

func (d *datagrams) flush() error {
	all, err := d.splitter.Flush(time.Since(d.begun), d)
	if !all && err == nil {
		d.t.Error("D3 the window is full")
	}
	return err
}

// Send sends a message: one in five is lost, once or more, and sent again.
func (d *datagrams) Send(
	_ time.Duration, msg []byte, deps []*depgraph.Handle, h *depgraph.Handle,
) error {
	d.sender.Begin()
	for _, dep := range deps {
		if err := d.sender.Depend(dep); err != nil {
			return err
		}
	}
	header, err := d.sender.End(h, len(msg))
	if err != nil {
		return err
	}
	late := time.Duration(d.rnd.Int64N(int64(latency)))
	for d.rnd.IntN(5) == 0 {
		late += latency
	}
	header.Deps = slices.Clone(header.Deps)
	d.fly(flight{at: time.Now().Add(late), header: header, bytes: msg})
	return nil
}

// SendUnguaranteed loses one message in five for good.
func (d *datagrams) SendUnguaranteed(
	_ time.Duration, _ uint32, msg []byte, deps []*depgraph.Handle,
) error {
	d.sender.Begin()
	for _, dep := range deps {
		if err := d.sender.Depend(dep); err != nil {
			return err
		}
	}
	header := depgraph.Header{Deps: slices.Clone(d.sender.EndUnguaranteed())}
	if d.rnd.IntN(5) > 0 {
		d.fly(flight{
			at: time.Now().Add(time.Duration(d.rnd.Int64N(int64(latency)))), header: header,
			bytes: msg, unguaranteed: true,
		})
	}
	return nil
}

func (d *datagrams) MaxUnguaranteed() int { return framing.MaxUnguaranteed }

func (d *datagrams) fly(f flight) {
	i, _ := slices.BinarySearchFunc(d.flying, f, func(a, b flight) int {
		return cmp.Or(a.at.Compare(b.at), -1)
	})
	d.flying = slices.Insert(d.flying, i, f)
}

func (d *datagrams) arrived() (frames [][]byte, up bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stuck {
		return nil, true
	}
	for now := time.Now(); len(d.flying) > 0 && !d.flying[0].at.After(now); {
		f := d.flying[0]
		d.flying = d.flying[1:]
		if err := d.land(&f); err != nil {
			d.t.Errorf("message %d: %v", f.header.Number, err)
		}
	}
	frames, d.frames = d.frames, nil
	return frames, !d.closed
}

// land processes what has arrived. It acknowledges a message.
func (d *datagrams) land(f *flight) error {
	switch {
	case f.ack:
		return cmp.Or(d.sender.Acknowledge(f.header.Number), d.flush())
	case f.unguaranteed:
		return d.receiver.AddUnguaranteed(d.now(), 0, f.header.Deps, f.bytes)
	default:
		d.fly(flight{
			at: time.Now().Add(time.Duration(d.rnd.Int64N(int64(latency)))), header: f.header,
			ack: true,
		})
		return cmp.Or(d.receiver.Add(d.now(), f.header, len(f.bytes), f.bytes),
			d.receiver.Expire(d.now()))
	}
}

// busy reports whether a message or an acknowledgement is on its way. A message that is lost
// several times comes later than the test waits for a quiet table.
func (d *datagrams) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.stuck && !d.closed && len(d.flying) > 0
}

func (d *datagrams) halfOpen() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stuck = true
}

func (d *datagrams) Close(stream.Code, string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
}

// TestDatagramOrder makes four clients play whose frames come as messages, in any order that the
// messages allow. Their streams break when they have more of them than they can say. In the end all
// show what the server shows.
func TestDatagramOrder(t *testing.T) {
	first, n := *datagramSeed, 1
	if first == 0 {
		if first, n = firstSeed("datagramruns"), *datagramRuns; testing.Short() {
			n = min(n, 2)
		}
	}
	// Clauses: D31.2, D31.3
	t.Run("D33, D35, T8 after any order of messages all clients show the same", func(t *testing.T) {
		t.Logf("%d runs; of the first: -run TestDatagramOrder -datagramseed %d", n, first)
		var all datagramCounts
		for i := range uint64(n) {
			seed, dir := first+i, t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				all.play(t, &host{t: t, dir: dir}, rand.New(rand.NewPCG(seed, 0)))
			})
			if t.Failed() {
				t.Fatalf("-run TestDatagramOrder -datagramseed %d", seed)
			}
		}
		t.Logf("%+v", all)
		if n >= 8 &&
			(all.known < n || all.resumed < 10*n || all.recorded < 100*n || all.written < 20*n) {
			t.Errorf("it covers little: %+v", all)
		}
	})
}

// datagramCounts counts what has happened.
type datagramCounts struct{ resumed, fulls, known, recorded, conflicts, written int }

func (c *datagramCounts) play(t *testing.T, h *host, rnd *rand.Rand) {
	h.start()
	defer func() { h.stop() }()
	guests := h.party(rnd)
	for i, g := range guests {
		g.cut()
		g.byDatagrams = i > 0 // the first stream of the host comes in order
		g.parts, g.ops = replica.New(), map[id.ClientSeq]table.Op{}
	}
	for range 2000 {
		g := guests[rnd.IntN(len(guests))]
		switch n := rnd.IntN(1000); {
		case n < 15:
			g.cut()
		case n < 60:
			g.carry()
		case n < 100:
			g.write(h)
		case n < 500:
			g.act()
		default:
			<-time.After(time.Duration(rnd.Int64N(int64(20 * time.Millisecond))))
		}
		synctest.Wait()
		for _, g := range guests {
			g.step(h.rooms)
		}
	}
	settle(t, h, guests)
	for _, g := range guests {
		compare(t, h, g)
		compareParts(t, h, g)
		c.resumed, c.fulls, c.known = c.resumed+g.resumed, c.fulls+g.fulls, c.known+g.repeated
		c.recorded, c.conflicts, c.written = c.recorded+g.recorded, c.conflicts+g.conflicts,
			c.written+g.written
	}
}

// TestNoFalseConflicts makes two clients move one piece in turn. Each moves as soon as it gets the
// other's move, even ahead of its version. A third one moves others all the time, and streams
// break. A repeated update is not a conflict.
func TestNoFalseConflicts(t *testing.T) {
	seed := *datagramSeed
	if seed == 0 {
		seed = 1
	}
	t.Run("D35, T12 a repeated event is not a conflict", func(t *testing.T) {
		t.Logf("-run TestNoFalseConflicts -datagramseed %d", seed)
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			takeTurns(t, &host{t: t, dir: dir}, rand.New(rand.NewPCG(seed, 1)))
		})
	})
}

func takeTurns(t *testing.T, h *host, rnd *rand.Rand) {
	h.start()
	defer func() { h.stop() }()
	const shared, others = cardFirst - 1, cardFirst - 3 // tokens
	guests := h.party(rnd)[1:]
	for _, g := range guests {
		g.cut()
		g.byDatagrams = true
	}
	pass := func() {
		<-time.After(time.Duration(rnd.Int64N(int64(20 * time.Millisecond))))
		synctest.Wait()
		for _, g := range guests {
			g.step(h.rooms)
		}
	}
	ahead, x := 0, int32(2000) // as the game says
	for turn := range 400 {
		g := guests[turn%2]
		for waited := 0; g.pieces[shared].GetX() != x || !g.synchronised ||
			len(g.pending) > 0; waited++ {
			if waited > 10_000 {
				t.Fatalf("seat %v never gets move %d", g.session.Seat, turn)
			}
			if rnd.IntN(4) == 0 {
				guests[2].move(others+id.Piece(rnd.IntN(2)), rnd.Int32N(1000))
			}
			pass()
		}
		if id.Version(g.pieces[shared].GetMark()) > g.version {
			ahead++
		}
		x = int32(turn + 1)
		g.move(shared, x)
		pass()
		if rnd.IntN(3) == 0 {
			g.cut()
		}
	}
	settle(t, h, guests)
	for _, g := range guests {
		compare(t, h, g)
	}
	known := guests[0].repeated + guests[1].repeated
	if n := guests[0].conflicts + guests[1].conflicts; n > 0 ||
		guests[0].recorded+guests[1].recorded != 400 {
		t.Errorf("%d conflicts, %d and %d moves recorded", n, guests[0].recorded,
			guests[1].recorded)
	}
	t.Logf("%d moves were made ahead of the version, %d updates repeated", ahead, known)
	if ahead == 0 || known == 0 {
		t.Errorf("it covers little: %d moves ahead of the version, %d updates repeated",
			ahead, known)
	}
}

// move moves a piece along x.
func (g *simClient) move(name id.Piece, x int32) {
	p := g.pieces[name]
	if p == nil || len(g.pending) > 20 {
		return
	}
	g.seq++
	u := table.Update{
		Seq: g.seq, Op: table.OpMove, Has: table.HasPiece | table.HasTag | table.HasXY, Piece: name,
		Tag: id.Version(p.GetMark()), X: x, Y: 1000,
	}
	g.pending = append(g.pending, pendingUpdate{Update: u, piece: name})
}

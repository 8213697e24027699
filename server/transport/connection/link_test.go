package connection

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"holt/server/transport/depgraph"
	"holt/server/transport/simline"
)

// link is two ends of a connection and the lines between them, in virtual time.
type link struct {
	t     testing.TB
	now   time.Duration
	ends  [2]*end
	lines [2]*simline.Line // lines[i] is the one on which end i sends
	buf   []byte
	stops bool          // the owners of the ends make no calls
	dark  time.Duration // until then nothing gets through
	// saw is called with every packet that is sent.
	saw func(from int, p []byte)
}

// end is one end, with what must be true of it.
type end struct {
	l    *link
	side int
	conn *Conn
	// What it sent: for each message under way the messages on which it depends, and its length.
	handles []*depgraph.Handle // of lanes: the last message in each
	lanes   []uint64           // the number of that message, plus 1
	sent    uint64
	told    [modelled]declared
	// What it executed of the other end's messages.
	executed     [modelled]uint64 // number plus 1
	floor        uint64           // of those numbers
	count        uint64
	unguaranteed uint64
	// When the last packets were sent, and how many there were.
	left    [100]time.Duration
	packets uint64

	onExecute      func(number uint64, msg []byte)
	onUnguaranteed func(key uint32, msg []byte)
}

// modelled is the number of messages about which a model knows everything. It is larger than a
// window.
const modelled = 1 << 14

// declared is a sent message: the numbers on which it depends, even if its header leaves them out,
// and its length.
type declared struct {
	deps []uint64
	size int
}

const (
	testMessage = 1 << 20
	testWindow  = 4 << 20
)

// newLink returns a link with its two ends. The lines draw random numbers from seed.
func newLink(t testing.TB, seed uint64, path Path, there, back simline.Config) *link {
	l := &link{t: t}
	limits := Limits{Message: testMessage, Window: testWindow}
	for side, c := range []simline.Config{there, back} {
		l.lines[side] = simline.New(c, rand.New(rand.NewPCG(seed, uint64(side))))
		e := &end{l: l, side: side, handles: make([]*depgraph.Handle, lanes),
			lanes: make([]uint64, lanes)}
		e.conn = NewConn(Config{
			Number: seed, Path: path, Takes: limits, PeerLimits: limits,
			Keepalive: 500 * time.Millisecond, RepeatOverdue: seed%2 == 0,
			Execute: e.execute, Unguaranteed: e.executeUnguaranteed,
		})
		l.ends[side] = e
	}
	return l
}

// lanes is the number of lanes of messages. A lane stands for the messages about one piece.
const lanes = 50

// pattern fills a message with bytes that follow from a number.
func pattern(msg []byte, number uint64) {
	for i := range msg {
		msg[i] = byte(number>>(8*(i%8))) ^ byte(i>>3)
	}
}

// send sends a message of size bytes that depends on the last messages of the lanes in. It returns
// false if the window is full. A lane that is given twice counts once.
func (e *end) send(size int, in ...int) bool {
	e.l.t.Helper()
	var deps []*depgraph.Handle
	slot := &e.told[e.sent%modelled]
	numbers := slot.deps[:0]
	for _, lane := range in {
		deps = append(deps, e.handles[lane])
		if e.lanes[lane] > 0 {
			numbers = append(numbers, e.lanes[lane]-1)
		} else {
			deps[len(deps)-1] = nil
		}
	}
	msg := make([]byte, size)
	pattern(msg, e.sent)
	h := new(depgraph.Handle)
	if err := e.conn.Send(e.l.now, msg, deps, h); err != nil {
		if !errors.Is(err, depgraph.ErrWindow) {
			e.l.t.Fatalf("message %d: %v", e.sent, err)
		}
		return false
	}
	*slot = declared{deps: numbers, size: size}
	for _, lane := range in {
		e.handles[lane], e.lanes[lane] = h, e.sent+1
	}
	e.sent++
	return true
}

// fill sends messages of size bytes until most of them are neither executed nor lost, or the window
// is full. It returns how many it sent.
func (e *end) fill(size int, most uint64) (n int) {
	other := e.l.ends[1-e.side]
	for e.sent-other.count < most && e.send(size, int(e.sent)%lanes) {
		n++
	}
	return n
}

// sendUnguaranteed sends an unguaranteed message. It depends on the last message of lane, unless
// lane is negative.
func (e *end) sendUnguaranteed(key uint32, lane int) {
	e.l.t.Helper()
	msg := make([]byte, 16)
	var deps []*depgraph.Handle
	if lane >= 0 && e.lanes[lane] > 0 {
		deps = append(deps, e.handles[lane])
		binary.BigEndian.PutUint64(msg, e.lanes[lane])
	}
	// this makes it recognisable
	binary.BigEndian.PutUint64(msg[8:], ^binary.BigEndian.Uint64(msg))
	if err := e.conn.SendUnguaranteed(e.l.now, key, msg, deps); err != nil {
		e.l.t.Fatal(err)
	}
}

// execute checks that a message comes once, unchanged, and after those on which it depends.
func (e *end) execute(number uint64, msg []byte) {
	other := e.l.ends[1-e.side]
	switch {
	case number >= other.sent:
		e.l.t.Fatalf("message %d was never sent", number)
	case e.has(number):
		e.l.t.Fatalf("message %d is executed twice", number)
	case number >= e.floor+modelled:
		e.l.t.Fatalf("message %d lies too far above %d", number, e.floor)
	}
	told := &other.told[number%modelled]
	if len(msg) != told.size {
		e.l.t.Fatalf("message %d has %d bytes, want %d", number, len(msg), told.size)
	}
	for i := range msg {
		if msg[i] != byte(number>>(8*(i%8)))^byte(i>>3) {
			e.l.t.Fatalf("message %d has another byte %d", number, i)
		}
	}
	for _, d := range told.deps {
		if !e.has(d) {
			e.l.t.Fatalf("message %d is executed before %d", number, d)
		}
	}
	e.executed[number%modelled] = number + 1
	for e.has(e.floor) {
		e.floor++
	}
	e.count++
	if e.onExecute != nil {
		e.onExecute(number, msg)
	}
}

// has reports whether a message was executed.
func (e *end) has(number uint64) bool {
	return number < e.floor || e.executed[number%modelled] == number+1
}

func (e *end) executeUnguaranteed(key uint32, msg []byte) {
	if e.onUnguaranteed != nil {
		e.onUnguaranteed(key, msg)
		return
	}
	after := binary.BigEndian.Uint64(msg)
	if len(msg) != 16 || binary.BigEndian.Uint64(msg[8:]) != ^after {
		e.l.t.Fatalf("an unguaranteed message has become %x", msg)
	}
	if after > 0 && !e.has(after-1) {
		e.l.t.Fatalf("an unguaranteed message is executed before %d", after-1)
	}
	e.unguaranteed++
}

// flush makes an end send what it may.
func (e *end) flush() {
	for !e.l.stops && e.freeAt() <= e.l.now {
		p, ok := e.conn.Next(e.l.now, e.l.buf[:0])
		if !ok {
			if at, ok := e.conn.Wake(); ok && at <= e.l.now {
				e.l.t.Fatalf("at %v an end that has nothing to send wants to wake at %v: %s",
					e.l.now, at, e.l)
			}
			return
		}
		if len(p) > e.conn.path.Largest {
			e.l.t.Fatalf("a packet of %d bytes, and the path takes %d", len(p), e.conn.path.Largest)
		}
		e.l.buf = p
		if e.l.saw != nil {
			e.l.saw(e.side, p)
		}
		e.left[e.packets%uint64(len(e.left))] = e.l.now
		e.packets++
		e.l.lines[e.side].Send(e.l.now, p)
	}
}

// freeAt returns when the path accepts packets. A path that reports that it is free is full here
// with a hundred packets under way.
func (e *end) freeAt() time.Duration {
	c := e.l.lines[e.side].Config()
	if !e.conn.path.Free || e.packets < uint64(len(e.left)) {
		return 0
	}
	return e.left[e.packets%uint64(len(e.left))] + c.Delay + c.Jitter
}

// next returns when the next event of the lines or ends is due.
func (l *link) next() (at time.Duration, ok bool) {
	earlier := func(t time.Duration, there bool) {
		if there && (!ok || t < at) {
			at, ok = t, true
		}
	}
	for side := range l.ends {
		if wake, ok := l.ends[side].conn.Wake(); !l.stops {
			earlier(max(wake, l.ends[side].freeAt()), ok)
		}
		earlier(l.lines[side].Arrival())
	}
	return max(at, l.now), ok
}

// step advances to the next event, or to until if that is earlier. It returns whether there was an
// event.
func (l *link) step(until time.Duration) bool {
	at, ok := l.next()
	if !ok || at > until {
		l.now = until
		return false
	}
	l.now = at
	for side, line := range l.lines {
		to := l.ends[1-side]
		for {
			p, ok := line.Receive(l.now, l.buf[:0])
			if !ok {
				break
			}
			l.buf = p
			if err := to.conn.Receive(l.now, p); err != nil && to.conn.Err() == nil {
				l.t.Fatalf("at %v: %v", l.now, err)
			}
			to.flush()
		}
	}
	l.ends[0].flush()
	l.ends[1].flush()
	return true
}

// run advances to a time.
func (l *link) run(until time.Duration) {
	for steps := 0; l.step(until); steps++ {
		if steps > 50_000_000 {
			l.t.Fatal("it does not come to rest")
		}
	}
}

// settle runs until everything that was sent has been executed and both ends know it. It fails if
// that takes longer than most.
func (l *link) settle(most time.Duration) {
	l.t.Helper()
	for end := l.now + most; !l.settled(); {
		if !l.step(end) {
			l.t.Fatalf("not settled after %v: %s", most, l)
		}
		for _, e := range l.ends {
			if err := e.conn.Err(); err != nil {
				l.t.Fatalf("at %v: end %d: %v", l.now, e.side, err)
			}
		}
	}
}

func (l *link) settled() bool {
	for side, e := range l.ends {
		if e.conn.Sender().Floor() != e.sent || l.ends[1-side].conn.Floor() != e.sent {
			return false
		}
	}
	return true
}

func (l *link) String() string {
	a, b := l.ends[0], l.ends[1]
	return fmt.Sprintf("sent %d and %d, executed %d and %d, floors known %d and %d, %+v %+v",
		a.sent, b.sent, b.count,
		a.count, a.conn.Sender().Floor(), b.conn.Sender().Floor(), a.conn.Stats(), b.conn.Stats())
}

// quarrel fails if an end has closed the connection.
func (l *link) quarrel() {
	l.t.Helper()
	for _, e := range l.ends {
		if err := e.conn.Err(); err != nil {
			l.t.Fatalf("at %v: end %d: %v", l.now, e.side, err)
		}
	}
}

// bounded fails if an end keeps more than it may.
func (l *link) bounded() {
	l.t.Helper()
	for _, e := range l.ends {
		c := e.conn
		switch {
		case len(c.out.ring) > depgraph.Window:
			l.t.Fatalf("end %d has room for %d messages", e.side, len(c.out.ring))
		case len(c.flight.ring) > 2*maxFlying:
			l.t.Fatalf("end %d has room for %d packets", e.side, len(c.flight.ring))
		case len(c.out.retries) > 4*maxFlying:
			l.t.Fatalf("end %d has %d parts to send again", e.side, len(c.out.retries))
		case c.graph.Waiting()+c.parts.cost > testWindow:
			l.t.Fatalf("at end %d %d bytes wait", e.side, c.graph.Waiting()+c.parts.cost)
		case len(c.unguaranteed.waiting) > maxUnguaranteed:
			l.t.Fatalf("end %d keeps %d unguaranteed messages", e.side, len(c.unguaranteed.waiting))
		}
	}
}

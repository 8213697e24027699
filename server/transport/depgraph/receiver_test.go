package depgraph

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// line is a receiver that records what it executes: guaranteed messages by number, unguaranteed
// ones by content.
type line struct {
	*Receiver[string]
	t   testing.TB
	log []string
}

func newLine(t testing.TB, window int) *line {
	l := &line{t: t}
	l.Receiver = NewReceiver(window,
		func(number uint64, m string) { l.log = append(l.log, fmt.Sprint(number)+m) },
		func(_ uint64, m string) { l.log = append(l.log, m) })
	return l
}

// add adds a message of one byte at a time in milliseconds, and fails the test if it is refused.
func (l *line) add(ms int, number uint64, deps ...uint64) {
	l.t.Helper()
	if err := l.Add(Instant(ms)*millisecond, Header{number, deps}, 1, ""); err != nil {
		l.t.Fatal(err)
	}
}

// loosely adds an unguaranteed message.
func (l *line) loosely(ms int, key uint64, m string, deps ...uint64) {
	l.t.Helper()
	if err := l.AddUnguaranteed(Instant(ms)*millisecond, key, deps, m); err != nil {
		l.t.Fatal(err)
	}
}

// want compares what was executed since the last call.
func (l *line) want(executed string, floor uint64) {
	l.t.Helper()
	if got := strings.Join(l.log, " "); got != executed || l.Floor() != floor {
		l.t.Fatalf("executed %q, floor %d; want %q, floor %d", got, l.Floor(), executed, floor)
	}
	l.log = nil
}

func TestOrder(t *testing.T) {
	t.Run("D4 a message without dependencies does not wait", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 2)
		l.want("2", 0)
		l.add(0, 0)
		l.want("0", 1)
		l.add(0, 1)
		l.want("1", 3)
	})
	t.Run("D4.2 a message waits for its dependencies only", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 5, 1, 3)
		l.add(0, 3)
		l.want("3", 0)
		l.add(0, 4)
		l.want("4", 0)
		l.add(0, 1)
		l.want("1 5", 0)
		l.add(0, 2)
		l.add(0, 0)
		l.want("2 0", 6)
	})
	t.Run("D4.3 of the ready messages the lowest goes first", func(t *testing.T) {
		l := newLine(t, 1000)
		for _, n := range []uint64{9, 4, 7, 2, 8, 3, 6, 5} {
			l.add(0, n, 0)
		}
		l.add(0, 1, 0)
		l.add(0, 0)
		l.want("0 1 2 3 4 5 6 7 8 9", 10)
	})
	t.Run("D4.3 a message that becomes ready goes before higher ones", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 1, 0)
		l.add(0, 2, 1)
		l.add(0, 5, 0)
		l.add(0, 4, 2)
		l.add(0, 3)
		l.want("3", 0)
		l.add(0, 0)
		l.want("0 1 2 4 5", 6)
	})
	t.Run("D4 a message added during execution is executed by the same loop", func(t *testing.T) {
		var log []uint64
		var r *Receiver[int]
		depth := 0
		r = NewReceiver(1000, func(number uint64, _ int) {
			if depth++; depth > 1 {
				t.Fatal("executing is recursive")
			}
			log = append(log, number)
			if number == 0 {
				for _, h := range []Header{{0, nil}, {3, []uint64{1}}, {2, []uint64{0}},
					{1, []uint64{0}}} {
					if err := r.Add(0, h, 1, 0); err != nil {
						t.Fatal(err)
					}
				}
				if r.Floor() != 0 {
					t.Fatalf("floor %d while 0 is being executed", r.Floor())
				}
			}
			depth--
		}, nil)
		if err := r.Add(0, Header{0, nil}, 1, 0); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(log, upTo(0, 4)) || r.Floor() != 4 {
			t.Fatalf("executed %v, floor %d", log, r.Floor())
		}
	})
	t.Run("D4.4 backward chains of a million in all need no stack", func(t *testing.T) {
		const windows = 123
		var g graph[int]
		next := uint64(0)
		stack := make([]uintptr, 1000)
		g.execute = func(number uint64, payload int) {
			if number%1000 == 0 {
				if depth := runtime.Callers(0, stack); depth > 20 {
					t.Fatalf("%d is executed under %d calls", number, depth)
				}
			}
			if number != next || payload != int(number) {
				t.Fatalf("%d with %d is executed, want %d", number, payload, next)
			}
			next++
		}
		for first := uint64(0); first < windows*Window; first += Window {
			for n := first + Window - 1; n > first; n-- {
				g.ensureNode(n)
				g.enter(n, arrived, int(n), []uint64{n - 1})
			}
			if next != first || g.floor != first {
				t.Fatal("executed before the first has arrived")
			}
			g.enter(first, arrived, int(first), nil)
			if next != first+Window || g.floor != next {
				t.Fatalf("executed %d, floor %d", next, g.floor)
			}
		}
		if g.nodes != nil || len(g.spare) > spareWaiters {
			t.Fatal("an empty graph keeps what a burst needed")
		}
	})
	t.Run("D5.1, D13.2 a message that has not arrived has a place and no ack", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 3, 2)
		if l.Arrived(2) || !l.Arrived(3) || l.Executed(3) {
			t.Fatal("the place of 2 counts as 2, or 3 as executed")
		}
		l.add(0, 2, 1)
		l.want("", 0)
		l.add(0, 1)
		l.want("1 2 3", 0)
		l.add(0, 0)
		l.want("0", 4)
	})
}

func TestFaultsOfTheSource(t *testing.T) {
	t.Run("D8.1 each dependency has its own place", func(t *testing.T) {
		// The source checks whether there is a node for the message, not for the dependency. With
		// that there would be no place for 0 and 1, and no edge from them.
		l := newLine(t, 1000)
		l.add(0, 2, 0, 1)
		l.want("", 0)
		l.add(0, 1)
		l.want("1", 0)
		l.add(0, 0)
		l.want("0 2", 3)
	})
	t.Run("D8.2 only the executed message is marked", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 1)
		l.add(0, 3, 1, 2)
		if !l.Executed(1) || l.Executed(0) || l.Executed(2) || l.Executed(3) {
			t.Fatal("another message is marked")
		}
		l.add(0, 1)
		l.want("1", 0)
	})
	t.Run("D5.2, D9.1 a message that has not arrived is not executed", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 2, 1)
		l.add(0, 3, 2)
		l.add(0, 0)
		l.want("0", 1)
		if l.Executed(1) || l.Executed(2) || l.Executed(3) {
			t.Fatal("a place is executed")
		}
		l.add(0, 1)
		l.want("1 2 3", 4)
	})
	t.Run("D5.2, D9.1 a place after another that has not arrived is not executed", func(t *testing.T) {
		// In the source the execution of 1 tries 2, whose only known predecessor was 1.
		l := newLine(t, 1000)
		l.add(0, 3, 2)
		l.add(0, 4, 1, 2)
		l.add(0, 1)
		l.want("1", 0)
		l.add(0, 2, 1)
		l.want("2 3 4", 0)
	})
	t.Run("D4.1, D9.1 a repeated message is not executed again", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 1)
		l.add(0, 1)
		l.add(0, 2, 1)
		l.add(0, 1, 0)
		l.add(0, 2)
		l.want("1 2", 0)
		l.add(0, 0)
		l.add(0, 0)
		l.add(0, 1)
		l.want("0", 3)
	})
	t.Run("D9 a waiting message that comes again is entered once", func(t *testing.T) {
		l := newLine(t, 1000)
		for range 3 {
			l.add(0, 2, 0, 1)
		}
		if want := (Header{2, []uint64{0, 1}}).Cost(1); l.Waiting() != want {
			t.Fatalf("%d bytes wait, want %d, those of one message", l.Waiting(), want)
		}
		l.add(0, 0)
		l.add(0, 1)
		l.want("0 1 2", 3)
	})
	t.Run("D9.2 a duplicate dependency makes one edge", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 3, 1, 0, 1, 1, 0)
		if edges := len(l.graph.at(3).waiter.next); edges != 2 {
			t.Fatalf("%d edges, want 2", edges)
		}
		l.add(0, 0)
		l.want("0", 1)
		l.add(0, 1)
		l.want("1 3", 2)
	})
	t.Run("D9.3 successors may be added during their iteration", func(t *testing.T) {
		var log []uint64
		var r *Receiver[int]
		r = NewReceiver(10_000, func(number uint64, _ int) {
			log = append(log, number)
			if number < 100 {
				for _, n := range []uint64{2*number + 100, 2*number + 101} {
					if err := r.Add(0, Header{n, []uint64{0, number}}, 1, 0); err != nil {
						t.Fatal(err)
					}
				}
			}
		}, nil)
		for n := uint64(99); n < 100; n-- {
			deps := upTo(0, min(n, 3))
			if err := r.Add(0, Header{n, deps}, 1, 0); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(log)
		if !slices.Equal(log, upTo(0, 300)) || r.Floor() != 300 {
			t.Fatalf("executed %v, floor %d", log, r.Floor())
		}
	})
	t.Run("D10.1 a late copy is not executed, however much came in between", func(t *testing.T) {
		l := newLine(t, 1000)
		for n := range uint64(20_000) {
			l.add(int(n), n)
		}
		l.log = nil
		for n := range uint64(20_000) {
			l.add(20_000_000, n)
			l.add(20_000_000, n, n/2)
		}
		l.want("", 20_000)
	})
	t.Run("D10.2 a dependency on a forgotten message is fulfilled", func(t *testing.T) {
		l := newLine(t, 1000)
		for n := range uint64(20_000) {
			l.add(0, n)
		}
		l.log = nil
		l.add(20_000_000, 20_000, 0, 7, 19_999)
		l.want("20000", 20_001)
	})
	t.Run("D10 the floor is below all messages not executed", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 1)
		l.add(0, 3, 2)
		if l.Floor() != 0 || !l.Arrived(1) || !l.Arrived(3) || l.Arrived(0) || l.Arrived(2) {
			t.Fatalf("floor %d", l.Floor())
		}
		l.add(0, 0)
		l.want("1 0", 2)
		l.add(0, 2)
		l.want("2 3", 4)
	})
}

func TestExpiry(t *testing.T) {
	expires := func(t *testing.T, l *line, ms int) {
		t.Helper()
		at := Instant(ms) * millisecond
		if err := l.Expire(at - 1); err != nil {
			t.Fatalf("a moment before: %v", err)
		}
		if deadline, ok := l.Deadline(); !ok || deadline != at {
			t.Fatalf("deadline %d, %t; want %d", deadline, ok, at)
		}
		if err := l.Expire(at); !errors.Is(err, ErrExpired) {
			t.Fatalf("at the time: %v", err)
		}
	}
	t.Run("D10.6 a dependency that does not come within 11 s", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(500, 0)
		l.add(1000, 2, 1)
		l.add(7000, 3, 1)
		expires(t, l, 12_000)
	})
	t.Run("D10.6 a gap for which nobody waits: it would stop the floor", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(1000, 1)
		l.add(9000, 2)
		expires(t, l, 12_000)
	})
	t.Run("D10.6 messages above the floor do not replace a missing one", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(1000, 3, 2)
		l.add(9000, 2, 1)
		l.add(11_000, 1)
		expires(t, l, 12_000)
	})
	t.Run("D10.6 the time restarts when the floor rises", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(1000, 1, 0)
		l.add(2000, 3, 2)
		l.add(3000, 0)
		expires(t, l, 14_000)
	})
	t.Run("D10.6 only a part of the missing message restarts the time", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 2)
		for _, p := range []struct{ ms, number int }{{10_000, 0}, {20_000, 0}, {30_000, 1},
			{30_500, 3}, {30_900, 2}} {
			if err := errors.Join(l.Expire(Instant(p.ms)*millisecond),
				l.Part(Instant(p.ms)*millisecond, uint64(p.number))); err != nil {
				t.Fatalf("at %d ms: %v", p.ms, err)
			}
		}
		expires(t, l, 31_000)
	})
	t.Run("D10.6 a part of the next message makes that one missing", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 0)
		if err := l.Part(5000*millisecond, 1); err != nil {
			t.Fatal(err)
		}
		expires(t, l, 16_000)
		if err := l.Part(0, 1+Window); !errors.Is(err, ErrProtocol) {
			t.Fatalf("a part of a message beyond the window: %v", err)
		}
	})
	t.Run("D10 a line with progress lives, and long waits are executed", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 361, 360)
		for n := range 361 {
			at := 10_000 * n
			if err := l.Expire(Instant(at) * millisecond); err != nil {
				t.Fatalf("at %d ms: %v", at, err)
			}
			l.add(at, uint64(n))
		}
		if !l.Executed(361) || l.Waiting() != 0 {
			t.Fatalf("floor %d, and %d bytes wait", l.Floor(), l.Waiting())
		}
		if at, ok := l.Deadline(); ok {
			t.Fatalf("deadline %d, and nothing is missing", at)
		}
		if err := l.Expire(math.MaxInt64 / 2); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("D10 a slowly rising floor keeps no memory beyond D14", func(t *testing.T) {
		const window = 400
		l := newLine(t, window)
		l.add(0, Window-1, Window-2) // the longest that can wait: all others come before
		refused := 0
		for n := range uint64(Window - 1) {
			at := Instant(10_000*n) * millisecond
			for above := range uint64(20) { // they would make more messages wait
				if err := l.Add(at, Header{n + 2 + above, []uint64{n + 1 + above}}, 10,
					""); errors.Is(err, ErrBounds) {
					refused++
				}
			}
			if l.Waiting() > window || len(l.graph.nodes) > Window {
				t.Fatalf("%d bytes wait at %d places", l.Waiting(), len(l.graph.nodes))
			}
			if err := l.Expire(at); err != nil {
				t.Fatalf("floor %d: %v", l.Floor(), err)
			}
			l.add(int(10_000*n), n)
		}
		if !l.Executed(Window-1) || refused == 0 {
			t.Fatalf("floor %d after %d rises, %d refused", l.Floor(), Window-1, refused)
		}
	})
}

func TestRefusals(t *testing.T) {
	for _, row := range []struct {
		name   string
		window int
		header Header
		size   int
		want   error
	}{
		{"D1.3, D7.1 a dependency on itself", 1000, Header{12, []uint64{11, 12}}, 1, ErrProtocol},
		{"D1.3, D7.1 a dependency on a later message", 1000, Header{12, []uint64{13}}, 1, ErrProtocol},
		{"D1.3, D7.1 a circle, by way of a place", 1000, Header{10, []uint64{15}}, 1, ErrProtocol},
		{"D6.4 the first number beyond the window", 1000, Header{10 + Window, nil}, 1, ErrProtocol},
		{"D6.4 the last number of the window", 1000, Header{9 + Window, nil}, 1, nil},
		{"D14 64 dependencies", 1000, Header{110, upTo(20, 84)}, 1, nil},
		{"D14.3 65 dependencies", 1000, Header{110, upTo(20, 85)}, 1, ErrBounds},
		{"D14.3 65 dependencies, all of them the same", 1000,
			Header{110, slices.Repeat([]uint64{14}, 65)}, 1, ErrBounds},
		{"D14.2, D14.4 as many bytes that wait as are allowed", 164, Header{13, []uint64{12}}, 11, nil},
		{"D14.2, D14.4 more bytes that wait", 164, Header{13, []uint64{12}}, 12, ErrBounds},
		{"D14.4 headers and dependencies count", 180, Header{13, []uint64{10, 11, 12}}, 8, ErrBounds},
		{"D14.4 that much", 181, Header{13, []uint64{10, 11, 12}}, 8, nil},
		{"D14 messages that do not wait do not count", 80, Header{13, []uint64{9}}, 10_000, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := newLine(t, row.window)
			for n := range uint64(10) {
				l.add(0, n)
			}
			l.add(0, 15, 10) // costs 1 + 4 + 64 + 8
			l.add(0, 17)
			l.log = nil
			waiting, known := l.Waiting(), l.Arrived(row.header.Number)
			err := l.Add(0, row.header, row.size, "")
			if !errors.Is(err, row.want) || (err == nil) != (row.want == nil) {
				t.Fatalf("error %v, want %v", err, row.want)
			}
			if err != nil && (len(l.log) > 0 || l.Waiting() != waiting ||
				l.Arrived(row.header.Number) != known) {
				t.Fatal("a refused message was entered")
			}
		})
	}
	t.Run("D7.2 the first to arrive counts", func(t *testing.T) {
		l := newLine(t, 1000)
		if err := l.Add(0, Header{2, []uint64{1}}, 1, " first"); err != nil {
			t.Fatal(err)
		}
		if err := l.Add(0, Header{2, []uint64{0, 3}}, 5000, " second"); err != nil {
			t.Fatal(err)
		}
		l.add(0, 1)
		l.want("1 2 first", 0)
	})
	t.Run("D14 memory of executed messages is freed while something waits", func(t *testing.T) {
		l := newLine(t, 1000)
		l.add(0, 1, 0)
		for n := uint64(0); n < 100_000; n += 2 { // one message waits at any time
			l.add(0, n+3, n+2)
			l.add(0, n)
		}
		if len(l.graph.nodes) > leastNodes || len(l.graph.spare) > 2 || l.Waiting() == 0 {
			t.Fatalf("%d places and %d more for %d bytes that wait", len(l.graph.nodes),
				len(l.graph.spare), l.Waiting())
		}
	})
	t.Run("D14 executed messages make room", func(t *testing.T) {
		l := newLine(t, 154)
		for n := uint64(1); n < 1000; n += 2 {
			l.add(0, n, n-1)
			if err := l.Add(0, Header{n + 2, []uint64{n + 1}}, 2, ""); !errors.Is(err, ErrBounds) {
				t.Fatalf("155 bytes wait: %v", err)
			}
			l.add(0, n-1)
		}
		if l.Waiting() != 0 {
			t.Fatalf("%d bytes wait", l.Waiting())
		}
	})
}

package main

import (
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"holt/scripts/bench/program"
	"holt/scripts/bench/virtual"
	"holt/server/transport/simline"
)

func line(t *testing.T, text string) *profile {
	t.Helper()
	p, err := parseProfile(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const awful = "awful: delay=20ms,jitter=30ms,loss=10%,late=5%,lateness=50ms,duplicate=5% / " +
	"delay=60ms,loss=10%,duplicate=5%"

// TestWays is the smoke of the comparison: each way carries a table over bad lines.
func TestWays(t *testing.T) {
	for i := range ways {
		w := &ways[i]
		t.Run("each message is executed once, in the order of its piece: "+w.id, func(t *testing.T) {
			for _, text := range append([]string{awful}, profiles...) {
				l := line(t, text)
				o, err := play(w, l, table{rate: 100, pieces: 20, size: 33, length: 4 * time.Second}, 3)
				if err != nil {
					t.Fatalf("%s: %v", l.name, err)
				}
				if o.violations > 0 || len(o.latency) < 300 {
					t.Errorf("%s: %d of %d are too early", l.name, o.violations, len(o.latency))
				}
				if o.latency[0] < l.there.Delay || o.overhead < header/2 || o.overhead > 500 {
					t.Errorf("%s: a message took %v, %.1f bytes beside a message", l.name,
						o.latency[0], o.overhead)
				}
			}
		})
		t.Run("what waits for everything comes too early by channels only: "+w.id,
			func(t *testing.T) {
				o, err := play(w, line(t, awful), table{rate: 200, pieces: 20, size: 33, fence: 0.05,
					length: 10 * time.Second}, 3)
				if err != nil {
					t.Fatal(err)
				}
				if w.strays != (o.violations > 0) {
					t.Errorf("%d of %d are too early", o.violations, len(o.latency))
				}
			})
		t.Run("a seed decides about everything: "+w.id, func(t *testing.T) {
			again := func(seed uint64) *outcome {
				o, err := play(w, line(t, awful),
					table{rate: 100, pieces: 20, size: 33, length: 2 * time.Second}, seed)
				if err != nil {
					t.Fatal(err)
				}
				return o
			}
			if a, b := again(5), again(5); !reflect.DeepEqual(a, b) {
				t.Error("the same seed has another outcome")
			}
			if a, b := again(5), again(6); reflect.DeepEqual(a, b) {
				t.Error("another seed has the same outcome")
			}
		})
	}
	t.Run("one channel holds up what the graph does not", func(t *testing.T) {
		l, tab := line(t, "x: delay=50ms,loss=5%"), table{rate: 200, pieces: 50, size: 33,
			length: 10 * time.Second}
		graph, err := play(&ways[0], l, tab, 1)
		if err != nil {
			t.Fatal(err)
		}
		one, err := play(&ways[1], l, tab, 1)
		if err != nil {
			t.Fatal(err)
		}
		a, b := program.Quantile(graph.latency, 0.9), program.Quantile(one.latency, 0.9)
		if a > 60*time.Millisecond ||
			b < 100*time.Millisecond {
			t.Errorf("p90 is %v with the graph and %v with one channel", a, b)
		}
	})
	t.Run("a channel does not pay for what its order implies", func(t *testing.T) {
		// Nothing is acknowledged before the next message is sent, so each names one, in two bytes.
		l, tab := line(t, "x: delay=500ms"), table{rate: 50, pieces: 1, size: 33,
			length: 10 * time.Second}
		var got [3]float64
		for i := range got {
			o, err := play(&ways[i], l, tab, 1)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = o.overhead
		}
		if d := got[0] - got[1]; d < 1.9 || d > 2.1 {
			t.Errorf("the graph costs %.2f bytes more than one channel, want 2", d)
		}
		if d := got[2] - got[1]; d < 0.99 || d > 1.01 {
			t.Errorf("eight channels cost %.2f bytes more than one, want 1", d)
		}
	})
}

// mute is an ENet-like end without another one.
type mute struct {
	*enetEnd
	sent []time.Duration
}

func (m *mute) Receive(now time.Duration, _ int, p []byte) error { return m.receive(now, p) }

func (m *mute) Next(now time.Duration, side int, to []byte) ([]byte, bool) {
	if side == 1 {
		return to, false
	}
	p, ok := m.next(now, to)
	if ok {
		m.sent = append(m.sent, now)
	}
	return p, ok
}

func (m *mute) Wake(side int) (time.Duration, bool) {
	if side == 1 || m.err != nil {
		return 0, false
	}
	return m.wake()
}

func TestENetLike(t *testing.T) {
	const ms = time.Millisecond
	t.Run("what is not acknowledged is sent again after a time that doubles", func(t *testing.T) {
		m := &mute{enetEnd: newENetEnd(func([]byte) {})}
		m.measure(enetEpoch, 100) // a variation of 50: the first timeout is 300 ms
		w := virtual.New(m, simline.NewPair(simline.Config{Down: true}, simline.Config{}, 1))
		m.send(3, make([]byte, 40))
		if err := w.Run(40 * time.Second); err != nil {
			t.Fatal(err)
		}
		want := []time.Duration{0, 300 * ms, 900 * ms, 2100 * ms, 4500 * ms, 9300 * ms}
		if !slices.Equal(m.sent, want) {
			t.Errorf("sent at %v, want %v", m.sent, want)
		}
		if !errors.Is(m.err, errGivenUp) {
			t.Errorf("after six times it ends with %v", m.err)
		}
	})
	t.Run("the sizes are ENet's", func(t *testing.T) {
		var got [][]byte
		a := newENetEnd(func([]byte) {})
		b := newENetEnd(func(p []byte) { got = append(got, slices.Clone(p)) })
		a.send(3, []byte("one"))
		a.send(4, []byte("two"))
		p, ok := a.next(0, nil)
		if want := 4 + 2*(6+3); !ok || len(p) != want {
			t.Fatalf("two messages make %d bytes, want %d", len(p), want)
		}
		for range 2 { // a copy is acknowledged, too
			if err := b.receive(10*ms, p); err != nil {
				t.Fatal(err)
			}
			back, ok := b.next(10*ms, nil)
			if want := 2 + 2*8; !ok || len(back) != want {
				t.Fatalf("two acknowledgements make %d bytes, want %d", len(back), want)
			}
			if err := a.receive(21*ms, back); err != nil {
				t.Fatal(err)
			}
		}
		if len(got) != 2 || string(got[0]) != "one" || string(got[1]) != "two" {
			t.Errorf("executed %q", got)
		}
		if len(a.flying) > 0 || a.inTransit != 0 || a.roundTrip != 21 {
			t.Errorf("%d fly, %d bytes, round trip %d", len(a.flying), a.inTransit, a.roundTrip)
		}
	})
	t.Run("the order is that of a channel", func(t *testing.T) {
		var got []string
		e := newENetEnd(func(p []byte) { got = append(got, string(p)) })
		for _, m := range []struct {
			channel  byte
			sequence uint16
			body     string
		}{{1, 2, "1b"}, {2, 1, "2a"}, {1, 2, "1b"}, {1, 1, "1a"}, {1, 1, "1a"}, {1, 3, "1c"}} {
			e.arrived(m.channel, m.sequence, []byte(m.body))
		}
		if want := []string{"2a", "1a", "1b", "1c"}; !slices.Equal(got, want) {
			t.Errorf("executed %v, want %v", got, want)
		}
	})
	t.Run("the throttle falls when the round-trip time rises", func(t *testing.T) {
		e := newENetEnd(func([]byte) {})
		for i := range uint32(200) {
			e.measure(enetEpoch+i*60, 50)
		}
		if e.throttle != enetThrottle {
			t.Fatalf("the throttle is %d at first", e.throttle)
		}
		for i := range uint32(10) {
			e.measure(enetEpoch+12_000+i, 400)
		}
		if e.throttle > enetThrottle-10 {
			t.Errorf("the throttle is %d after slow answers", e.throttle)
		}
	})
	for name, p := range map[string][]byte{
		"nothing": {}, "no time": {0x80, 0, 1}, "half a command": {0, 0, 1, 1, 0},
		"an unknown command":      {0, 0, 9, 0, 0, 0, 0, 0, 0, 0},
		"a short body":            {0, 0, 0x86, 1, 0, 1, 0, 9, 1},
		"a short acknowledgement": {0, 0, 1, 1, 0, 1, 0, 1, 0},
	} {
		t.Run("refused: "+name, func(t *testing.T) {
			if err := newENetEnd(func([]byte) {}).receive(0, p); !errors.Is(err, errENetFormat) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEstimates(t *testing.T) {
	t.Run("a mean and its interval", func(t *testing.T) {
		// The deviation is √2.5, and t for four degrees of freedom is 2.776.
		e := estimated([]float64{1, 2, 3, 4, 5})
		if half := 2.776 * math.Sqrt(2.5/5); e.mean != 3 || math.Abs(e.high-3-half) > 1e-9 ||
			math.Abs(3-e.low-half) > 1e-9 {
			t.Errorf("got %+v", e)
		}
	})
	t.Run("a ratio is that of each seed", func(t *testing.T) {
		e := ratioOf([]float64{2, 20, 200}, []float64{1, 10, 100})
		if math.Abs(e.mean-2) > 1e-9 || math.Abs(e.low-2) > 1e-9 || math.Abs(e.high-2) > 1e-9 {
			t.Errorf("got %+v", e)
		}
	})
	t.Run("a seed without a value does not count", func(t *testing.T) {
		e := ratioOf([]float64{2, math.NaN(), 2}, []float64{1, 1, 1})
		if math.Abs(e.mean-2) > 1e-9 || estimated([]float64{math.NaN(), 3, 5}).mean != 4 {
			t.Errorf("got %+v", e)
		}
	})
	t.Run("intervals become smaller with more values", func(t *testing.T) {
		for n := 2; n < 60; n++ {
			if a, b := student(n), student(n+1); a < b || b < 1.96 {
				t.Errorf("t is %v for %d values and %v for one more", a, n, b)
			}
		}
	})
}

func TestParse(t *testing.T) {
	t.Run("without arguments it is the comparison of the documentation", func(t *testing.T) {
		g, err := parse(nil, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.rates, []float64{30, 200, 1000}) || len(g.lines) != len(profiles) ||
			len(g.ways) != len(ways) || g.seeds != 20 {
			t.Errorf("%v, %d lines, %d ways, %d seeds", g.rates, len(g.lines), len(g.ways), g.seeds)
		}
	})
	t.Run("a line has two directions", func(t *testing.T) {
		p := line(t, "mine: delay=30ms,loss=3% / delay=90ms,rate=9000")
		want := profile{"mine", simline.Config{Delay: 30 * time.Millisecond, Loss: 0.03},
			simline.Config{Delay: 90 * time.Millisecond, Rate: 9000}}
		if *p != want {
			t.Errorf("got %+v", p)
		}
	})
	for _, args := range []string{
		"more", "-seeds 1", "-parallel 0", "-rates 0", "-rates x", "-ways none", "-pieces 0",
		"-pieces 300", "-size 3", "-fences 1", "-fences NaN", "-length 0s", "-line delay=3ms",
		"-line a:speed=3", "-line a:/delay=x", "-length 1h",
	} {
		t.Run("refused: "+args, func(t *testing.T) {
			if _, err := parse(strings.Fields(args), io.Discard); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestRun(t *testing.T) {
	t.Run("it writes its tables", func(t *testing.T) {
		var out strings.Builder
		args := []string{"-rates", "100", "-seeds", "2", "-length", "2s", "-warm", "1s", "-fences",
			"0.02", "-line", "lossy: delay=20ms,loss=5%", "-ways", "graph,ordered,enet"}
		if err := run(t.Context(), args, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"**100 messages a second**", "| lossy |",
			"divided by those of the graph", "ENet-like, a channel per piece", "too early"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("it does not say %q: %s", want, out.String())
			}
		}
	})
	t.Run("a way that gives up is reported", func(t *testing.T) {
		var out strings.Builder
		args := []string{"-rates", "100", "-seeds", "2", "-length", "60s", "-line",
			"deaf: delay=20ms / delay=20ms,loss=70%", "-ways", "graph,enet"}
		if err := run(t.Context(), args, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); !strings.Contains(s, "| gives up |") || strings.Contains(s, "NaN") {
			t.Errorf("it does not say so: %s", s)
		}
	})
	t.Run("it ends on a cancellation", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out strings.Builder
		if err := run(ctx, nil, &out, io.Discard); err == nil || out.Len() > 0 {
			t.Errorf("got %v, %q", err, out.String())
		}
	})
}

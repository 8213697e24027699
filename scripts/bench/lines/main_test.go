package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"holt/scripts/bench/lines/emulator"
	"holt/scripts/bench/lines/trace"
	"holt/scripts/bench/program"
	"holt/server/transport/simline"
)

func TestParse(t *testing.T) {
	t.Run("without arguments it is the grid of the documentation", func(t *testing.T) {
		g, err := parse(nil, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if len(g.lines) != 15 || len(g.ways) != 7 || len(g.trace) < 3900 || g.bouts != 1 {
			t.Errorf("%d lines, %d ways, %d messages, %d bouts", len(g.lines), len(g.ways),
				len(g.trace), g.bouts)
		}
		if l := g.lines[8]; l.Delay != 50*ms || l.Loss != 0.05 || l.Rate != 0 {
			t.Errorf("line 8 is %+v", l)
		}
	})
	t.Run("all arguments", func(t *testing.T) {
		g, err := parse(
			strings.Fields(
				"-trace drags -seconds 1.5 -loss 0,2.5 -delay 20 -burst 30ms "+
					"-rate 50000 -ways graph,websocket-bbr -bouts 3 -parallel 2 -seed 9",
			),
			io.Discard,
		)
		if err != nil {
			t.Fatal(err)
		}
		if want := (line{Loss: 0.025, Delay: 20 * ms, Burst: 30 * ms,
			Rate: 50_000, Queue: 10_000}); len(g.lines) != 2 || g.lines[1] != want {
			t.Errorf("lines %+v, want the second to be %+v", g.lines, want)
		}
		if g.ways[0].id != "graph" || g.ways[1].id != "websocket-bbr" || g.bouts != 3 ||
			g.parallel != 2 || g.seed != 9 {
			t.Errorf("got %+v", g)
		}
		if last := g.trace[len(g.trace)-1].At; last >= 1500*ms || last < 1400*ms {
			t.Errorf("the recording ends at %v", last)
		}
	})
	t.Run("each direction has its own properties", func(t *testing.T) {
		g, err := parse([]string{"-loss", "5", "-delay", "20", "-down",
			"jitter=9ms,disorder,late=2%,lateness=30ms,duplicate=1%", "-up", "delay=80ms,loss=0%"},
			io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		down, up, err := g.lines[0].configs()
		if want := (simline.Config{Delay: 20 * ms, Loss: 0.05, Jitter: 9 * ms, Late: 0.02,
			Lateness: 30 * ms, Duplicate: 0.01}); err != nil || down != want {
			t.Errorf("down %+v, %v", down, err)
		}
		if want := (simline.Config{Delay: 80 * ms, InOrder: true}); up != want {
			t.Errorf("up %+v", up)
		}
		if s := g.lines[0].String(); !strings.Contains(s, "jitter=9ms") || !strings.Contains(s, "80ms") {
			t.Errorf("the table says %q", s)
		}
	})
	for _, args := range []string{
		"-down speed=1", "-up loss=5",
		"more", "-bouts 0", "-parallel 0", "-seconds 0", "-seconds -1", "-loss 101", "-loss -1",
		"-loss NaN", "-loss 1,,2", "-delay x",
		"-ways none", "-rate -1", "-queue -1",
	} {
		t.Run("refused: "+args, func(t *testing.T) {
			if _, err := parse(strings.Fields(args), io.Discard); !errors.Is(err, program.ErrUsage) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("an unknown recording", func(t *testing.T) {
		if _, err := parse([]string{"-trace", "none"}, io.Discard); err == nil {
			t.Error("no error")
		}
	})
}

// TestWays: each way carries the beginning of a recording over a line that loses packets.
func TestWays(t *testing.T) {
	recording, err := trace.Open(trace.Table)
	if err != nil {
		t.Fatal(err)
	}
	var progress strings.Builder
	all := usual() // others need what not every kernel has
	g := &grid{
		trace: recording.Until(400 * ms), lines: []line{{Loss: 0.2, Delay: 5 * ms,
			Down: "jitter=4ms,disorder,duplicate=5%", Up: "delay=9ms"}}, ways: all,
		bouts: 2, seed: 4, parallel: len(all), progress: &progress,
	}
	results, err := g.run(t.Context())
	if errors.Is(err, emulator.ErrUnsupported) {
		t.Skip("network namespaces take Linux and root: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results[0] {
		t.Run("messages run after those that they wait for: "+all[i].id, func(t *testing.T) {
			if r.Way != all[i].name || r.Bouts != 2 || r.Messages != 2*len(g.trace) ||
				len(r.Latency) != r.Messages {
				t.Errorf("%s: %d bouts, %d messages, %d times", r.Way, r.Bouts,
					r.Messages, len(r.Latency))
			}
			if r.Latency[0] < 5*ms {
				t.Errorf("a message took %v on a line of 5 ms", r.Latency[0])
			}
			if strays := all[i].id == "quic-pieces" ||
				all[i].id == "pieces"; r.Violations > 0 && !strays {
				t.Errorf("%d violations", r.Violations)
			}
			if r.Lost == 0 || r.bytes() < 30 {
				t.Errorf("%d packets were lost, %.0f bytes a message", r.Lost, r.bytes())
			}
		})
	}
	if got := strings.Count(progress.String(), "\n"); got != 2*len(all) {
		t.Errorf("%d bouts are reported", got)
	}
}

func TestRun(t *testing.T) {
	t.Run("it ends on a cancellation", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out strings.Builder
		if err := run(ctx, nil, &out, io.Discard); err == nil || out.Len() > 0 {
			t.Errorf("got %v, %q", err, out.String())
		}
	})
}

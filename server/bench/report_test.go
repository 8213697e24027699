package bench

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// runOf returns a party of n players with the same counts, after a second of playing.
func runOf(n int, met func(*counts)) *run {
	p := &run{}
	for i := range n {
		pl := &player{index: i}
		met(&pl.counts)
		p.players = append(p.players, pl)
	}
	p.after.at = time.Second
	return p
}

func nothing(*counts) {}

// TestReport shows what a report counts and what makes a run fail, and that it says no more of the
// machine than needed.
func TestReport(t *testing.T) {
	t.Run("a forbidden finding is reported", func(t *testing.T) {
		if f := (&Report{}).Faults(); len(f) != 0 {
			t.Errorf("all is right, but reported is %v", f)
		}
		r := Report{
			Divergences: 1, Moves: Moves{Lost: 2, Doubled: 3}, Updates: Updates{Unsettled: 4},
		}
		r.Writes = &Writes{Lost: 5}
		if f := r.Faults(); len(f) != 5 {
			t.Errorf("%v", f)
		}
	})
	t.Run("a move without an outcome is lost", func(t *testing.T) {
		p := runOf(1, func(c *counts) { c.sent.Store(5); c.recorded.Store(3); c.moves.Store(1) })
		if r := p.report(); r.Moves.Lost != 1 {
			t.Errorf("%+v", r.Moves)
		}
	})
	t.Run("so is a recorded move that was not published", func(t *testing.T) {
		p := runOf(2, nothing)
		p.tracks = []*track{nil, {moves: []moved{{player: 0, recorded: true}}}}
		if r := p.report(); r.Moves.Lost != 1 || len(r.Faults()) != 1 {
			t.Errorf("%+v", r.Moves)
		}
	})
	t.Run("the size of a state is reported per piece", func(t *testing.T) {
		p := runOf(1, nothing)
		p.table, p.players[0].joinBytes = 60, 1800
		if j := p.report().Join; j.FullBytes != 1800 || j.PerPiece != 30 {
			t.Errorf("%+v", j)
		}
	})
	t.Run("S12 the cost of a drag is reported per second and receiver", func(t *testing.T) {
		drags := func(c *counts) {
			c.due.Store(200)
			c.points.Store(190)
			c.seen.Store(350)
			c.carried.Store(int64(8 * time.Second))
		}
		p := runOf(3, drags)
		p.cfg.Motion = true
		p.after.bytes = 9600
		p.pointFrames.add(10, 85)
		m := p.report().Motion
		if want := (Motion{
			Planned: 600, Sent: 570, Received: 1050, PerPoint: 8.5, PerDragSecond: 9600. / 24 / 2,
			DragSeconds: 24,
		}); *m != want {
			t.Errorf("%+v, want %+v", *m, want)
		}
	})
	t.Run("S5 resumes are reported by what they took", func(t *testing.T) {
		p := runOf(1, nothing)
		p.cfg.Reconnect = true
		p.resumed.add(2*time.Millisecond, 100)
		p.resumed.add(4*time.Millisecond, 300)
		p.renewed.add(8*time.Millisecond, 5000)
		r := p.report().Reconnect
		if r.Resumed.TimeMs.Count != 2 || r.Resumed.TimeMs.Max != 4 || r.Resumed.Bytes != 200 ||
			r.Full.TimeMs.Max != 8 || r.Full.Bytes != 5000 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("programs get the results, and little about the machine", func(t *testing.T) {
		r := Report{Config: Config{
			URL: "http://secret.example", Players: 3, Duration: 2 * time.Second, Motion: true,
		}}
		text, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"players":3`, `"seconds":2`, `"motion":true`} {
			if !bytes.Contains(text, []byte(want)) {
				t.Errorf("%s is missing in %s", want, text)
			}
		}
		for _, unwanted := range []string{"secret", `"reconnect":`} {
			if bytes.Contains(text, []byte(unwanted)) {
				t.Errorf("%s is in %s", unwanted, text)
			}
		}
	})
}

// TestTable shows which rows the printed report has for each kind of run.
func TestTable(t *testing.T) {
	came := Comeback{TimeMs: Quantiles{Count: 7, P50: 1.5}, Bytes: 340}
	for name, row := range map[string]struct {
		report         Report
		wanted, absent []string
	}{
		"of moves": {
			Report{
				Described: []string{"two: differ"}, Errors: map[string]int{"reset by peer": 2},
				Config: Config{Rate: 30},
			},
			[]string{
				"two: differ", "2 times: reset by peer", "latency to a receiver", "30 moves/s each",
				"bytes a move",
			},
			[]string{"points", "resumed", "of one CPU", "overtaken"},
		},
		"of motion": {
			Report{
				Config: Config{Motion: true},
				Motion: &Motion{Planned: 21, PerPoint: 8.25, PerDragSecond: 170, PerClient: 0.5},
				Server: &Usage{CPUSeconds: 3},
			},
			[]string{
				"drags by motion", "21 planned", "8.2 bytes a point, 170 for each second of a drag",
				"0.50 % of one CPU", "3.00 s of CPU",
			},
			[]string{"moves", "resumed"},
		},
		"of what was written": {
			Report{Writes: &Writes{Sent: 9, Overtaken: 2, Lost: 1}},
			[]string{"9 sent, 0 taken, 2 overtaken", "1 lost"},
			[]string{"points", "resumed"},
		},
		"of cuts": {
			Report{Config: Config{Reconnect: true}, Reconnect: &Reconnect{Resumed: came}},
			[]string{
				"7 times; p50 1.50, p90 0.00, p99 0.00, max 0.00 ms; 340 bytes", "full state again",
				"bytes a move",
			},
			[]string{"points"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := row.report.WriteTable(&out); err != nil {
				t.Fatal(err)
			}
			for _, want := range row.wanted {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q is missing in\n%s", want, out.String())
				}
			}
			for _, unwanted := range row.absent {
				if strings.Contains(out.String(), unwanted) {
					t.Errorf("%q is in\n%s", unwanted, out.String())
				}
			}
		})
	}
}

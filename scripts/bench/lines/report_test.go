package main

import (
	"strings"
	"testing"
	"time"

	"holt/scripts/bench/lines/emulator"
	"holt/scripts/bench/program"
	"holt/server/transport/simline"
)

func TestResult(t *testing.T) {
	t.Run("quantiles", func(t *testing.T) {
		var hundred []time.Duration
		for i := range 100 {
			hundred = append(hundred, time.Duration(i+1)*ms)
		}
		for q, want := range map[float64]time.Duration{0: ms, 0.001: ms, 0.5: 50 * ms, 0.9: 90 * ms,
			0.99: 99 * ms, 0.991: 100 * ms, 1: 100 * ms} {
			if got := program.Quantile(hundred, q); got != want {
				t.Errorf("%g of them do not exceed %v, want %v", q, got, want)
			}
		}
		if got := program.Quantile(nil, 0.5); got != 0 {
			t.Errorf("of none: %v", got)
		}
	})
	t.Run("the measurements of a bout", func(t *testing.T) {
		b := newBout(three())
		b.sent = []time.Duration{1 * ms, 2 * ms, 3 * ms}
		b.arrived = []time.Duration{11 * ms, 12 * ms, 13 * ms}
		b.executed = []time.Duration{30 * ms, 12 * ms, 18 * ms} // the last is not late enough
		b.violations = 2
		before := emulator.Counts{Down: simline.Counts{Bytes: 100, Sent: 1},
			Up: simline.Counts{Bytes: 10}, Late: []time.Duration{9 * ms}}
		after := emulator.Counts{
			Down: simline.Counts{Bytes: 700, Sent: 11, Lost: 2, Overflowed: 1},
			Up:   simline.Counts{Bytes: 310},
			Late: []time.Duration{9 * ms, 2 * ms, 1 * ms},
		}
		r := b.result(before, after)
		if r.Messages != 3 || r.Held != 1 || r.Violations != 2 || r.bytes() != 300 ||
			r.Packets != 10 || r.Lost != 3 {
			t.Errorf("got %+v", r)
		}
		if got := latency(&r); got != "15 / 29 / 29" {
			t.Errorf("took %s", got)
		}
		if got := quantiles(r.Late); got != "1.0 / 2.0 / 2.0" {
			t.Errorf("late by %s", got)
		}
		total := result{}
		total.add(&r)
		total.add(&r)
		if total.Messages != 6 || total.bytes() != 300 || total.held() != 1.0/3 ||
			len(total.Latency) != 6 || total.Latency[1] != 10*ms || total.Bouts != 2 {
			t.Errorf("two of them: %+v", total)
		}
	})
}

func TestReport(t *testing.T) {
	l := line{Loss: 0.05, Delay: 50 * ms}
	r := [][]result{{
		{Way: "A", Line: l, Bouts: 1, Messages: 4, Latency: []time.Duration{ms, 60 * ms,
			60*ms + 1, 70 * ms}, Held: 1, Violations: 7, DownBytes: 300, UpBytes: 101},
		{Way: "B", Line: l, Bouts: 1, Messages: 1, Latency: []time.Duration{ms / 2},
			Late: []time.Duration{ms / 4}},
	}}
	var b strings.Builder
	if err := report(&b, r); err != nil {
		t.Fatal(err)
	}
	const want = `**P50 / p90 / p99, in milliseconds, from sending to execution**

| loss, one way | A | B |
|---|---|---|
| 5 %, 50 ms | 60 / 70 / 70 | 0.5 / 0.5 / 0.5 |

**Messages that took more than the way and 10 ms**

| loss, one way | A | B |
|---|---|---|
| 5 %, 50 ms | 50.0 % | 0.0 % |

**Messages that were held back after they had arrived**

| loss, one way | A | B |
|---|---|---|
| 5 %, 50 ms | 25.0 % | 0.0 % |

**Messages executed before one for which they have to wait**

| loss, one way | A | B |
|---|---|---|
| 5 %, 50 ms | 7 | 0 |

**Bytes for each message, with headers, both directions**

| loss, one way | A | B |
|---|---|---|
| 5 %, 50 ms | 100 | 0 |

2 bouts, 5 messages; the emulator was late by 0.2 / 0.2 / 0.2 ms (p50 / p90 / p99).
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

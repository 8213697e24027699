package curve

import (
	"testing"

	"pgregory.net/rapid"

	"holt/server/id"
)

// TestK13ChessClock shows how presses and pauses change the side of a chess clock (K13).
func TestK13ChessClock(t *testing.T) {
	set := Side{Left: 60_000, Increment: 2_000}
	running := Side{Left: 60_000, Increment: 2_000, Running: true, Since: 1_000}
	for _, row := range []struct {
		name      string
		got, want Side
	}{
		{"K13.6 it starts", set.Start(1_000), running},
		{"K13.13 a running one goes on", running.Start(5_000), running},
		{
			"K13.6, K13.7 a move in time earns the increment", running.Press(11_000),
			Side{Left: 52_000, Increment: 2_000, Since: 11_000},
		},
		{
			"K13.7 in the last millisecond, too", running.Press(60_999),
			Side{Left: 2_001, Increment: 2_000, Since: 60_999},
		},
		{
			"K13.9 after the flag has fallen, nothing", running.Press(61_000),
			Side{Increment: 2_000, Since: 61_000},
		},
		{
			"K13.9 and later nothing either", running.Press(Forever),
			Side{Increment: 2_000, Since: Forever},
		},
		{
			"K13.14 pressed before its start", running.Press(0),
			Side{Left: 62_000, Increment: 2_000, Since: 1_000},
		},
		{"K13.11 a press of a stopped one", set.Press(9), set},
		{
			"K13.10 a pause adds nothing", running.Pause(11_000),
			Side{Left: 50_000, Increment: 2_000, Since: 11_000},
		},
		{"K13.12 a pause of a stopped one", set.Pause(9), set},
		{
			"K13 the increment ends at the bound",
			Side{Left: MaxValue, Increment: MaxValue, Running: true}.Press(5),
			Side{Left: MaxValue, Increment: MaxValue, Since: 5},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.got != row.want {
				t.Errorf("%+v, want %+v", row.got, row.want)
			}
		})
	}
	t.Run("K13 the flag falls at 0", func(t *testing.T) {
		if running.FlagFallen(60_999) || !running.FlagFallen(61_000) {
			t.Errorf("left %d, then %d", running.LeftAt(60_999), running.LeftAt(61_000))
		}
	})
	t.Run("K13.1 the sent value is the remaining time", rapid.MakeCheck(func(t *rapid.T) {
		s := Side{
			Left:    rapid.Int32Range(0, MaxValue).Draw(t, "left"),
			Running: rapid.Bool().Draw(t, "running"),
			Since:   id.Millis(rapid.Int64Range(0, int64(MaxTime)).Draw(t, "since")),
		}
		segment := s.Segment(Version{Tick: 1})
		if err := segment.Check(); err != nil {
			t.Fatal(err)
		}
		at := s.Since + id.Millis(rapid.Int64Range(0, 2*int64(MaxValue)).Draw(t, "later"))
		if got, want := segment.at(at), s.LeftAt(at); got != (Value{want}) {
			t.Fatalf("%v, want %d", got, want)
		}
	}))
}

// TestK13Timers shows what a countdown and a stopwatch show over time (K13).
func TestK13Timers(t *testing.T) {
	v := Version{Tick: 7}
	for _, row := range []struct {
		name    string
		segment Segment
		later   id.Millis
		want    int32
	}{
		{"K13.3 a countdown", Countdown(v, 1000, 500), 499, 1},
		{"K13.3 a countdown at its end", Countdown(v, 1000, 500), 5000, 0},
		{"K13 a countdown of nothing", Countdown(v, 1000, 0), 5, 0},
		{"K13.4 a stopwatch", Stopwatch(v, 1000, 500), 250, 750},
		{"K13.4 a stopwatch at its end", Stopwatch(v, 1000, MaxValue-1), 5, MaxValue},
		{"K13.5 one that is stopped", Stopped(v, 1000, 500), 250, 500},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, ok := of(row.segment).At(1000 + row.later); !ok || got != (Value{row.want}) {
				t.Errorf("%v %v, want %d", got, ok, row.want)
			}
		})
	}
}

package curve

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"holt/server/id"
)

var (
	aStep = Segment{
		Version: Version{5, 1}, From: 10, To: Forever, Kind: Step, Start: Value{1, 2, 3},
	}
	aLinear = Segment{
		Version: Version{5, 2}, From: 10, To: 20, Kind: Linear, Start: Value{0, 10, -3},
		End: Value{5, -10, 4},
	}
	aTimer = Segment{
		Version: Version{5, 3}, From: 10, To: Forever, Kind: Timer, Start: Value{100}, Rate: -1,
		Max: 100,
	}
)

// TestK4SegmentsAreChecked shows which segments are valid, and that Add refuses the others (K4).
func TestK4SegmentsAreChecked(t *testing.T) {
	for _, ok := range []Segment{aStep, aLinear, aTimer} {
		if err := ok.Check(); err != nil {
			t.Errorf("%+v: %v", ok, err)
		}
	}
	for _, row := range checks() {
		t.Run("K3.2, K4.1 "+row.Name, func(t *testing.T) {
			err := row.Segment.Check()
			if (err == nil) != row.OK || err != nil && !errors.Is(err, ErrSegment) {
				t.Errorf("Check of %+v: %v; want ok %v", row.Segment, err, row.OK)
			}
			var c Curve
			if err := c.Add(row.Segment); (err == nil) != row.OK || !row.OK && !c.Equal(&Curve{}) {
				t.Errorf("Add of %+v: %v, %s", row.Segment, err, &c)
			}
		})
	}
}

type checkVector struct {
	Name    string  `json:"name"`
	Segment Segment `json:"segment"`
	OK      bool    `json:"ok"`
}

// checks are segments on both sides of each bound of Check.
func checks() []checkVector {
	var rows []checkVector
	row := func(ok bool, name string, s Segment, change func(s *Segment)) {
		change(&s)
		rows = append(rows, checkVector{Name: name, Segment: s, OK: ok})
	}
	row(false, "tick 0", aStep, func(s *Segment) { s.Version.Tick = 0 })
	row(false, "negative tick", aStep, func(s *Segment) { s.Version.Tick = -1 })
	row(true, "last tick", aStep, func(s *Segment) { s.Version = Version{MaxTime, math.MaxUint32} })
	row(false, "tick too late", aStep, func(s *Segment) { s.Version.Tick = MaxTime + 1 })
	row(true, "first instant", aStep, func(s *Segment) { s.From, s.To = 0, 1 })
	row(false, "before time", aStep, func(s *Segment) { s.From = -1 })
	row(false, "empty", aStep, func(s *Segment) { s.To = s.From })
	row(false, "backwards", aStep, func(s *Segment) { s.To = s.From - 1 })
	row(true, "last closed end", aStep, func(s *Segment) { s.To = MaxTime })
	row(false, "end too late", aStep, func(s *Segment) { s.To = MaxTime + 1 })
	row(false, "end nearly open", aStep, func(s *Segment) { s.To = Forever - 1 })
	row(true, "last start", aStep, func(s *Segment) { s.From = MaxTime })
	row(false, "start too late", aStep, func(s *Segment) { s.From = MaxTime + 1 })
	row(true, "greatest values", aStep, func(s *Segment) {
		s.Start = Value{MaxValue, -MaxValue, MaxValue}
	})
	row(false, "value too great", aStep, func(s *Segment) { s.Start[2] = MaxValue + 1 })
	row(false, "value too small", aStep, func(s *Segment) { s.Start[0] = math.MinInt32 })
	row(false, "step with an end", aStep, func(s *Segment) { s.End[1] = 1 })
	row(false, "step with a rate", aStep, func(s *Segment) { s.Rate = 1 })
	row(false, "step with a bound", aStep, func(s *Segment) { s.Min = -1 })
	row(false, "kind 0", aStep, func(s *Segment) { s.Kind = 0 })
	row(false, "kind 4", aStep, func(s *Segment) { s.Kind = 4 })
	row(true, "longest linear", aLinear, func(s *Segment) { s.To = s.From + MaxSpan })
	row(false, "linear too long", aLinear, func(s *Segment) { s.To = s.From + MaxSpan + 1 })
	row(false, "open linear", aLinear, func(s *Segment) { s.To = Forever })
	row(false, "linear end too great", aLinear, func(s *Segment) { s.End[0] = MaxValue + 1 })
	row(false, "linear with a bound", aLinear, func(s *Segment) { s.Max = 1 })
	row(false, "linear with a rate", aLinear, func(s *Segment) { s.Rate = -1 })
	row(true, "timer at its bound", aTimer, func(s *Segment) { s.Min = 100 })
	row(false, "timer below its bound", aTimer, func(s *Segment) { s.Min, s.Max = 101, 102 })
	row(false, "timer above its bound", aTimer, func(s *Segment) { s.Max = 99 })
	row(false, "timer too fast", aTimer, func(s *Segment) { s.Rate = 2 })
	row(false, "timer too fast down", aTimer, func(s *Segment) { s.Rate = -2 })
	row(false, "timer bound too great", aTimer, func(s *Segment) { s.Max = MaxValue + 1 })
	// Clauses: K1.7
	row(false, "timer of two", aTimer, func(s *Segment) { s.Start[1] = 1 })
	row(false, "timer with an end", aTimer, func(s *Segment) { s.End[0] = 1 })
	return rows
}

// TestK1AndK5WithinTheBoundsNothingOverflows shows that the largest line and the longest timer are
// evaluated without an overflow (K1, K5).
func TestK1AndK5WithinTheBoundsNothingOverflows(t *testing.T) {
	s := Segment{Version: Version{1, 0}, From: MaxTime - MaxSpan, To: MaxTime, Kind: Linear}
	s.Start, s.End = Value{MaxValue, -MaxValue, 1}, Value{-MaxValue, MaxValue, -1}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name string
		at   id.Millis
		want Value
	}{
		{"K1 at the start", s.From, s.Start},
		{"K1 at the end", s.To, s.End},
		{"K5 in the middle", s.From + MaxSpan/2, Value{}},
		{"K5 nearly at the end", s.To - 1, Value{-MaxValue + 2048, MaxValue - 2048, -1}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := s.at(row.at); got != row.want {
				t.Errorf("at %d: %v, want %v", row.at, got, row.want)
			}
		})
	}
	timer := Segment{Version: Version{1, 0}, To: Forever, Kind: Timer, Rate: 1, Max: MaxValue}
	if got := timer.at(Forever); got != (Value{MaxValue}) {
		t.Errorf("K5 a timer at the end of time: %v", got)
	}
}

// TestK5Linear shows how a line is rounded (K5).
func TestK5Linear(t *testing.T) {
	t.Run("K5.2 halves round away from the start", func(t *testing.T) {
		s := Segment{From: 0, To: 4, Kind: Linear, Start: Value{0, 0, 10}, End: Value{2, -2, 12}}
		want := []Value{{0, 0, 10}, {1, -1, 11}, {1, -1, 11}, {2, -2, 12}, {2, -2, 12}}
		for i, w := range want {
			if got := s.at(id.Millis(i)); got != w {
				t.Errorf("at %d: %v, want %v", i, got, w)
			}
		}
	})
	t.Run("K5.1, K5.2 the nearest integer, by fractions", rapid.MakeCheck(func(t *rapid.T) {
		a, b := anyValue.Draw(t, "a"), anyValue.Draw(t, "b")
		whole := rapid.Int64Range(1, int64(MaxSpan)).Draw(t, "whole")
		part := rapid.Int64Range(0, whole).Draw(t, "part")
		exact := new(big.Rat).Mul(big.NewRat(int64(b)-int64(a), 1), big.NewRat(part, whole))
		got := between(a, b, part, whole)
		off := new(big.Rat).Sub(exact, big.NewRat(int64(got)-int64(a), 1))
		half := new(big.Rat).Abs(off).Cmp(big.NewRat(1, 2))
		// Of two integers that are equally near, the result is the one farther from a, so the error
		// points back to a.
		if half > 0 || half == 0 && off.Sign() == exact.Sign() {
			t.Fatalf("%d to %d, %d/%d: %d, off by %s", a, b, part, whole, got, off)
		}
	}))
}

var anyValue = rapid.Int32Range(-MaxValue, MaxValue)

// TestK5ATimerStopsAtItsBounds shows that a timer keeps the value of its bound once it has reached
// it (K5).
// Clauses: K5.3
func TestK5ATimerStopsAtItsBounds(t *testing.T) {
	down := Segment{
		From: 100, To: Forever, Kind: Timer, Start: Value{50}, Rate: -1, Min: 10, Max: 60,
	}
	up := down
	up.Rate = 1
	for _, row := range []struct {
		name     string
		segment  Segment
		at, want id.Millis
	}{
		{"K5 down, at the start", down, 100, 50},
		{"K5 down", down, 139, 11},
		{"K5 down, at the bound", down, 140, 10},
		{"K5 down, beyond", down, 9999, 10},
		{"K5 up", up, 109, 59},
		{"K5 up, beyond", up, 111, 60},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.segment.at(row.at); got != (Value{int32(row.want)}) {
				t.Errorf("at %d: %v, want %d", row.at, got, row.want)
			}
		})
	}
}

// TestK2SegmentsAreOrdered shows that segments are ordered by their versions and then by their
// other fields (K2).
// Clauses: K2.3, K2.4, K2.5
func TestK2SegmentsAreOrdered(t *testing.T) {
	ascending := []Segment{
		{Version: Version{1, 9}, From: 5, To: 6, Kind: Step},
		{Version: Version{2, 0}, From: 5, To: 6, Kind: Step},
		{Version: Version{2, 1}, From: 4, To: 9, Kind: Timer},
		{Version: Version{2, 1}, From: 5, To: 6, Kind: Timer},
		{Version: Version{2, 1}, From: 5, To: 7, Kind: Step},
		{Version: Version{2, 1}, From: 5, To: 7, Kind: Timer, Start: Value{-1}},
		{Version: Version{2, 1}, From: 5, To: 7, Kind: Timer, Start: Value{0, 0, 1}},
		{
			Version: Version{2, 1}, From: 5, To: 7, Kind: Timer, Start: Value{0, 0, 1},
			End: Value{0, 1},
		},
		{
			Version: Version{2, 1}, From: 5, To: 7, Kind: Timer, Start: Value{0, 0, 1},
			End: Value{1}, Rate: -1,
		},
		{
			Version: Version{2, 1}, From: 5, To: 7, Kind: Timer, Start: Value{0, 0, 1},
			End: Value{1}, Min: -1,
		},
		{
			Version: Version{2, 1}, From: 5, To: 7, Kind: Timer, Start: Value{0, 0, 1},
			End: Value{1}, Max: -1,
		},
		{Version: Version{2, 1}, From: 5, To: 7, Kind: Timer, Start: Value{0, 0, 1}, End: Value{1}},
	}
	for i := range ascending {
		for j := range ascending {
			want := map[bool]int{true: 1, false: -1}[i > j]
			if i == j {
				want = 0
			}
			if got := ascending[i].compare(&ascending[j]); got != want {
				t.Errorf("K2 compare of %d and %d: %d", i, j, got)
			}
		}
	}
}

// TestK3ASegmentHasDataFromItsStartToBeforeItsEnd shows at which instants a segment has data (K3).
// Clauses: K3.1
func TestK3ASegmentHasDataFromItsStartToBeforeItsEnd(t *testing.T) {
	for _, row := range []struct {
		name    string
		segment Segment
		at      id.Millis
		ok      bool
		want    Value
	}{
		{"K3 before a step", aStep, 9, false, Value{}},
		{"K3 a step", aStep, 10, true, Value{1, 2, 3}},
		{"K3 an open step, at the last instant", aStep, Forever - 1, true, Value{1, 2, 3}},
		{"K3 no instant reaches the open end", aStep, Forever, false, Value{}},
		{"K3 before a line", aLinear, 9, false, Value{}},
		{"K3 where a line starts", aLinear, 10, true, Value{0, 10, -3}},
		{"K3 the last instant of a line", aLinear, 19, true, Value{5, -8, 3}},
		{"K3 where a line ends", aLinear, 20, false, Value{}},
		{"K3 a timer", aTimer, 35, true, Value{75}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, ok := of(row.segment).At(row.at); ok != row.ok || got != row.want {
				t.Errorf("at %d: %v %v, want %v %v", row.at, got, ok, row.want, row.ok)
			}
		})
	}
}

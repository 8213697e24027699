package table_test

import (
	"maps"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/table"
)

// valuesAt returns what the curves show at an instant, by property. It evaluates them as curves of
// the package curve do.
func valuesAt(t *testing.T, c *table.Curves, at id.Millis) map[table.Property]int32 {
	t.Helper()
	all := map[table.Property]int32{}
	for of := range c.All() {
		var line curve.Curve
		if err := line.Add(of.Segment(c.From)); err != nil {
			t.Fatalf("K3.2 property %d: %v", of.Property, err)
		}
		v, ok := line.At(at)
		if !ok {
			t.Fatalf("property %d has no value at %d", of.Property, at)
		}
		all[of.Property] = v[0]
	}
	return all
}

// TestCurvesOfPieces shows what changes by itself of pieces, as views are shown it.
func TestCurvesOfPieces(t *testing.T) {
	want := func(t *testing.T, of *tab, p id.Piece, at id.Millis, want map[table.Property]int32) {
		t.Helper()
		s := of.displayed(p)
		if got := valuesAt(t, &s.Curves, at); !maps.Equal(got, want) {
			t.Errorf("%s shows %v at %d, want %v", of, got, at, want)
		}
	}
	type values = map[table.Property]int32
	const rests = int32(cooldown)
	t.Run("K13.3, K16.2, K16.4 the cool-down of a die", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		want(t, bob, worldDieOne, s.now, values{})
		ada.want(t, 0, table.OpRoll, worldDieOne)
		s.settle()
		rolled := s.state(worldDieOne).Rolled
		for _, c := range []*tab{ada, bob} {
			if c.displayed(worldDieOne).Curves.From != rolled {
				t.Errorf("%s has another beginning than %d", c, rolled)
			}
			for after, left := range map[id.Millis]int32{
				0: rests, 1: rests - 1, cooldown - 1: 1, cooldown: 0, 10 * cooldown: 0,
			} {
				want(t, c, worldDieOne, rolled+after, values{table.PropertyCooldown: left})
			}
		}
	})
	t.Run("K16.1 whoever comes later is shown what is left", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpRoll, worldDieOne)
		ada.act(table.OpPress, worldClock, side(1))
		s.settle()
		for seat := range id.Seat(3) {
			n := 0
			for _, p := range s.table.All(seat, id.Client{}) {
				switch before := p.Curves; p.Name {
				case s.called(worldDieOne):
					n++
					if valuesAt(t, &before, s.state(worldDieOne).Rolled+1)[1] != rests-1 {
						t.Errorf("the view of seat %d is shown %+v", seat, before)
					}
				case s.called(worldClock):
					n++
					if v := valuesAt(t, &before, before.From); v[table.PropertyTurn] != 2 {
						t.Errorf("the view of seat %d is shown %+v", seat, before)
					}
				}
			}
			if n != 2 {
				t.Errorf("the view of seat %d is shown %d of 2 pieces", seat, n)
			}
		}
	})
	t.Run("K16.3, K16.5 a die that comes into a hand or out of one has no cool-down",
		func(t *testing.T) {
			s, ada, bob, _ := sitAtWorld(t)
			ada.want(t, 0, table.OpRoll, worldDieOne)
			ada.do(table.OpMove, worldDieOne, at(0, handOneY))
			want(t, ada, worldDieOne, s.now, values{})
			ada.want(t, 0, table.OpRoll, worldDieOne)
			want(t, ada, worldDieOne, s.state(worldDieOne).Rolled,
				values{table.PropertyCooldown: rests})
			if bob.known(worldDieOne) != nil {
				t.Error("bob is shown the die in her hand")
			}
			ada.do(table.OpMove, worldDieOne, at(0, 0))
			want(t, bob, worldDieOne, s.now, values{})
			want(t, ada, worldDieOne, s.now, values{})
		})
	t.Run("K16.5 a die that comes out of a container has no cool-down", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpRoll, worldDieOne)
		ada.want(t, 0, table.OpStow, worldDieOne, into(worldBag))
		for range s.lying(worldBag) {
			ada.want(t, 0, table.OpDraw, worldBag, at(0, 3000))
		}
		if s.state(worldDieOne).In != 0 {
			t.Fatal("the die is in the bag")
		}
		want(t, ada, worldDieOne, s.now, values{})
		want(t, bob, worldDieOne, s.now, values{})
	})
	t.Run("K13.1, K13.5, K16.2, K16.4 the sides of a clock, and whose turn it is",
		func(t *testing.T) {
			s, ada, bob, _ := sitAtWorld(t)
			all := s.clock(worldClock).Initial
			want(t, bob, worldClock, s.now, values{2: all, 3: all, 4: 0})
			if from := bob.displayed(worldClock).Curves.From; from != 0 {
				t.Errorf("a clock that stands shows that it stands since %d", from)
			}
			s.at(5_000_000)
			ada.act(table.OpPress, worldClock, side(1))
			s.settle()
			want(t, bob, worldClock, 5_000_100, values{2: all, 3: all - 100, 4: 2})
			want(t, ada, worldClock, 5_000_100, values{2: all, 3: all - 100, 4: 2})
			want(t, ada, worldClock, 5_000_000+id.Millis(all)+1, values{2: all, 3: 0, 4: 2})
			s.at(5_000_500)
			bob.act(table.OpPause, worldClock)
			s.settle()
			want(t, ada, worldClock, 6_000_000, values{2: all, 3: all - 500, 4: 0})
		})
	t.Run("K16.2 the sand of an hourglass", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		want(t, bob, worldGlass, s.now, values{2: 0, 3: glassRuns})
		s.turnAt(t, ada, 7_000_000)
		want(t, bob, worldGlass, 7_000_000, values{2: 0, 3: glassRuns})
		want(t, bob, worldGlass, 7_000_400, values{2: 400, 3: glassRuns - 400})
		want(t, bob, worldGlass, 7_900_000, values{2: glassRuns, 3: 0})
		s.turnAt(t, bob, 7_000_400)
		want(t, ada, worldGlass, 7_000_500, values{2: 300, 3: glassRuns - 300})
	})
	t.Run("K13.4 a stopwatch counts up to its bound", func(t *testing.T) {
		var c table.Curves
		of := table.Curve{Property: table.PropertySide1, Start: 5, Rate: 1, Max: curve.MaxValue}
		c, ok := table.NewCurves(1000, []table.Curve{of})
		if !ok {
			t.Fatal("it is refused")
		}
		for at, shown := range map[id.Millis]int32{1000: 5, 1007: 12, 1 << 40: curve.MaxValue} {
			if got := valuesAt(t, &c, at)[table.PropertySide1]; got != shown {
				t.Errorf("it shows %d at %d, want %d", got, at, shown)
			}
		}
	})
	t.Run("K16.9 curves beyond the bounds are refused", func(t *testing.T) {
		good := table.Curve{Property: 1, Start: 5, Rate: -1, Max: 5}
		for name, list := range map[string][]table.Curve{
			"too many":           slices.Repeat([]table.Curve{good}, 4),
			"no property":        {{Start: 5, Rate: -1, Max: 5}},
			"above its max":      {{Property: 1, Start: 6, Rate: -1, Max: 5}},
			"too fast":           {{Property: 1, Start: 5, Rate: -2, Max: 5}},
			"below its min of 0": {{Property: 1, Start: -1, Rate: 1, Max: 5}},
		} {
			if c, ok := table.NewCurves(1, list); ok || c != (table.Curves{}) {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if _, ok := table.NewCurves(1, []table.Curve{good}); !ok {
			t.Error("a good one is refused")
		}
		if _, ok := table.NewCurves(curve.MaxTime+1, []table.Curve{good}); ok {
			t.Error("one that begins too late is accepted")
		}
	})
}

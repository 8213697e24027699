package curve

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"holt/server/id"
)

// horizon bounds the instants of the model. Drawn segments end there at the latest, or are open.
const horizon = 40

// drawSegment draws a segment that passes Check. Versions are few, so equal ones with different
// content occur.
func drawSegment(t *rapid.T) Segment {
	from := rapid.Int64Range(0, horizon-1).Draw(t, "from")
	s := Segment{
		Version: Version{
			Tick: id.Millis(rapid.Int64Range(1, horizon).Draw(t, "tick")),
			Seq:  rapid.Uint32Range(0, 2).Draw(t, "seq"),
		},
		From: id.Millis(from), To: id.Millis(rapid.Int64Range(from+1, horizon).Draw(t, "to")),
		Kind: rapid.SampledFrom([]Kind{Step, Linear, Timer}).Draw(t, "kind"),
	}
	if s.Kind != Linear && rapid.IntRange(0, 3).Draw(t, "open") == 0 {
		s.To = Forever
	}
	small := rapid.Int32Range(-9, 9)
	switch s.Kind {
	case Linear:
		s.Start, s.End = Value{small.Draw(t, "x"), small.Draw(t, "y")},
			Value{small.Draw(t, "x'"), small.Draw(t, "y'")}
	case Timer:
		s.Start, s.Min, s.Max = Value{small.Draw(t, "ms")}, -20, 20
		s.Rate = rapid.Int8Range(-1, 1).Draw(t, "rate")
	default:
		s.Start = Value{small.Draw(t, "x"), small.Draw(t, "y"), small.Draw(t, "angle")}
	}
	return s
}

var anySegments = rapid.Custom(func(t *rapid.T) []Segment {
	return rapid.SliceOfN(rapid.Custom(drawSegment), 0, 12).Draw(t, "segments")
})

// anyCurve draws a curve. Some are pruned, and some have got a recorded place.
var anyCurve = rapid.Custom(func(t *rapid.T) *Curve {
	c := of(anySegments.Draw(t, "segments")...)
	if rapid.Bool().Draw(t, "pruned") {
		c.Prune(id.Millis(rapid.Int64Range(0, horizon).Draw(t, "before")))
	}
	if rapid.Bool().Draw(t, "killed") {
		c.EndMotion(id.Millis(rapid.Int64Range(0, horizon).Draw(t, "recorded")))
	}
	return c
})

// of returns the curve of segments that pass Check.
func of(segments ...Segment) *Curve {
	c := new(Curve)
	for _, s := range segments {
		if err := c.Add(s); err != nil {
			panic(err) // the drawn segment is not valid
		}
	}
	return c
}

// merged returns the merge of two curves and changes neither.
func merged(a, b *Curve) *Curve {
	c := a.Clone()
	c.Merge(b)
	return c
}

// model is a curve by brute force: at each instant the highest of all given segments counts.
type model struct {
	given       []Segment
	floor, dead id.Millis
}

func (m *model) shown(t id.Millis) (best *Segment) {
	for i := range m.given {
		s := &m.given[i]
		if t >= m.floor && s.From <= t && t < s.To && s.Version.Tick > m.dead &&
			(best == nil || s.compare(best) > 0) {
			best = s
		}
	}
	return best
}

// same fails unless c is the same as m at every instant, and in normal form.
func (m *model) same(t *rapid.T, c *Curve) {
	t.Helper()
	for at := id.Millis(0); at <= horizon+1; at++ {
		want := m.shown(at)
		got, ok := c.At(at)
		if ok != (want != nil) || ok && got != want.at(at) {
			t.Fatalf("at %d: %v %v, want %+v; %s", at, got, ok, want, c)
		}
	}
	for i, p := range c.Stretches() {
		s := p.Segment
		if p.Start >= p.End || p.Start < s.From || p.End > s.To || p.Start < c.Floor() ||
			s.Version.Tick <= c.EndedAt() {
			t.Fatalf("piece %d: %s", i, c)
		}
		if i > 0 && (p.Start < c.pieces[i-1].End || p.Start == c.pieces[i-1].End &&
			s == c.pieces[i-1].Segment) {
			t.Fatalf("pieces %d and %d: %s", i-1, i, c)
		}
	}
}

// TestModel compares a curve with a model by brute force, over random operations (K6, K8, K10,
// K12).
func TestModel(t *testing.T) {
	// Clauses: K6.1, K6.2, K8.2, K10.1, K10.2, K10.3
	t.Run("K6, K8, K10 and K12 against brute force", rapid.MakeCheck(func(t *rapid.T) {
		m, c := &model{}, new(Curve)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			when := id.Millis(rapid.Int64Range(0, horizon).Draw(t, "when"))
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				c.Prune(when)
				m.floor = max(m.floor, when)
			case 1:
				c.EndMotion(when)
				m.floor, m.dead = max(m.floor, when+1), max(m.dead, when)
			case 2:
				more := anySegments.Draw(t, "more")
				c.Merge(of(more...))
				m.given = append(m.given, more...)
			default:
				s := drawSegment(t)
				if err := c.Add(s); err != nil {
					t.Fatal(err)
				}
				m.given = append(m.given, s)
			}
			m.same(t, c)
		}
	}))
}

// TestK7MergeLaws shows over random curves that merging is idempotent, commutative and associative
// (K7).
// Clauses: K8.1
func TestK7MergeLaws(t *testing.T) {
	law := func(name string, f func(t *rapid.T, a, b, c *Curve) (left, right *Curve)) {
		t.Run("K7 "+name, rapid.MakeCheck(func(t *rapid.T) {
			a, b, c := anyCurve.Draw(t, "a"), anyCurve.Draw(t, "b"), anyCurve.Draw(t, "c")
			left, right := f(t, a, b, c)
			if !left.Equal(right) || left.String() != right.String() {
				t.Fatalf("left  %s\nright %s", left, right)
			}
		}))
	}
	// Clauses: K7.1
	law("idempotent", func(_ *rapid.T, a, _, _ *Curve) (_, _ *Curve) { return merged(a, a), a })
	// Clauses: K7.2
	law("commutative", func(_ *rapid.T, a, b, _ *Curve) (_, _ *Curve) {
		return merged(a, b), merged(b, a)
	})
	// Clauses: K7.3
	law("associative", func(_ *rapid.T, a, b, c *Curve) (_, _ *Curve) {
		return merged(merged(a, b), c), merged(a, merged(b, c))
	})
	law("nothing changes nothing", func(_ *rapid.T, a, _, _ *Curve) (_, _ *Curve) {
		return merged(a, new(Curve)), a
	})
	// Clauses: K8.3
	law("K8 by adding segments", func(t *rapid.T, a, b, _ *Curve) (_, _ *Curve) {
		left := a.Clone()
		left.forget(b.floor, b.dead)
		for _, s := range b.Segments() {
			if err := left.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		return left, merged(a, b)
	})
	t.Run("K7.1, K7.2 any order, duplication, and loss with resend", rapid.MakeCheck(func(t *rapid.T) {
		segments := anySegments.Draw(t, "segments")
		arrived := rapid.Permutation(append(slices.Clone(segments), segments...)).Draw(t, "arrived")
		lost := rapid.IntRange(0, len(arrived)).Draw(t, "lost")
		got := of(append(arrived[lost:], arrived[:lost]...)...)
		if want := of(segments...); !got.Equal(want) {
			t.Fatalf("%s, want %s", got, want)
		}
	}))
}

// TestForgetting shows what pruning and recorded updates forget, and that merging commutes with
// both (K10, K12).
func TestForgetting(t *testing.T) {
	for name, forget := range map[string]func(c *Curve, t id.Millis){
		"K10.2, K10.4 pruning commutes with merging": (*Curve).Prune,
		"K12.5 killing commutes with merging":        (*Curve).EndMotion,
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			a, b := anyCurve.Draw(t, "a"), anyCurve.Draw(t, "b")
			when := id.Millis(rapid.Int64Range(-1, horizon).Draw(t, "when"))
			late := merged(a, b)
			forget(late, when)
			first := a.Clone()
			forget(first, when)
			if early := merged(first, b); !early.Equal(late) {
				t.Fatalf("early %s\nlate  %s", early, late)
			}
		}))
	}
	t.Run("K10.3 later values stay", rapid.MakeCheck(func(t *rapid.T) {
		c := anyCurve.Draw(t, "c")
		before := id.Millis(rapid.Int64Range(0, horizon).Draw(t, "before"))
		pruned := c.Clone()
		pruned.Prune(before)
		for at := before; at <= horizon; at++ {
			v, ok := c.At(at)
			if w, still := pruned.At(at); v != w || ok != still {
				t.Fatalf("at %d: %v %v, was %v %v", at, w, still, v, ok)
			}
		}
	}))
	// Clauses: K12.1, K12.2, K12.3, K12.4
	t.Run("K12 values beyond the update are dropped, later ones stay", func(t *testing.T) {
		open := Segment{
			Version: Version{100, 7}, From: 50, To: Forever, Kind: Step, Start: Value{1},
		}
		late := Segment{Version: Version{99, 0}, From: 120, To: 150, Kind: Step, Start: Value{2}}
		next := Segment{Version: Version{101, 0}, From: 90, To: 130, Kind: Step, Start: Value{3}}
		c := of(open)
		c.EndMotion(100)
		for _, s := range []Segment{open, late, next} {
			if err := c.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		if want := []Stretch{{Start: 101, End: 130, Segment: next}}; !slices.Equal(c.Stretches(), want) {
			t.Errorf("%s", c)
		}
		if v, ok := c.Hold(100); ok {
			t.Errorf("held at rest: %v", v)
		}
	})
	t.Run("K12 nothing is older than the first tick", func(t *testing.T) {
		c := of(aStep)
		c.EndMotion(-1)
		if !c.Equal(of(aStep)) {
			t.Errorf("%s", c)
		}
		c.EndMotion(Forever)
		if len(c.Stretches()) != 0 || c.EndedAt() != MaxTime {
			t.Errorf("%s", c)
		}
	})
}

// TestK9Hold shows which value a curve holds between and after its data (K9).
// Clauses: K9.1, K9.2
func TestK9Hold(t *testing.T) {
	c := of(
		Segment{
			Version: Version{1, 0}, From: 10, To: 20, Kind: Linear, Start: Value{100},
			End: Value{200},
		},
		Segment{
			Version: Version{1, 1}, From: 30, To: 40, Kind: Timer, Start: Value{50}, Rate: -1,
			Max: 50,
		},
	)
	for _, row := range []struct {
		name string
		at   id.Millis
		data bool
		held bool
		want int32
	}{
		{"K9.3 before the first data", 9, false, false, 0},
		{"K9 at the first", 10, true, true, 100},
		{"K9 on the way", 19, true, true, 190},
		{"K9 at the end", 20, false, true, 200},
		{"K9 in a gap", 29, false, true, 200},
		{"K9 data again", 30, true, true, 50},
		{"K9 where a timer led", 99, false, true, 40},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, ok := c.At(row.at); ok != row.data {
				t.Errorf("At(%d): %v", row.at, ok)
			}
			if v, ok := c.Hold(row.at); ok != row.held || v[0] != row.want {
				t.Errorf("Hold(%d): %v %v", row.at, v, ok)
			}
		})
	}
}

// points are a motion as it is sent: for each tick a line, and after it a step that holds the end
// of the line.
func points(n int) []Segment {
	var segments []Segment
	for i := range n {
		from, x := id.Millis(1000+50*i), int32(10*i)
		v := Version{Tick: from, Seq: 0}
		segments = append(segments, Segment{
			Version: v, From: from, To: from + 50, Kind: Linear, Start: Value{x},
			End: Value{x + 10},
		})
		v.Seq = 1
		segments = append(segments,
			Segment{Version: v, From: from + 50, To: Forever, Kind: Step, Start: Value{x + 10}})
	}
	return segments
}

// TestK11Bound shows that a curve forgets its oldest pieces at the bound (K11).
func TestK11Bound(t *testing.T) {
	t.Run("K10.5, K11.1, K11.2, K11.4 the oldest are forgotten", func(t *testing.T) {
		c, all := new(Curve), Recording()
		for _, s := range points(200) {
			if err := c.Add(s); err != nil {
				t.Fatal(err)
			}
			if err := all.Add(s); err != nil {
				t.Fatal(err)
			}
			if len(c.Stretches()) > MaxStretches {
				t.Fatalf("%d pieces", len(c.Stretches()))
			}
		}
		if len(c.Stretches()) != MaxStretches || len(all.Stretches()) != 201 || all.Floor() != 0 {
			t.Fatalf("%d pieces, and %d of the recording", len(c.Stretches()), len(all.Stretches()))
		}
		if _, ok := c.At(c.Floor() - 1); ok {
			t.Error("there is a value before the floor")
		}
		for at := c.Floor(); at < 12_000; at += 7 {
			v, ok := c.At(at)
			if w, recorded := all.At(at); v != w || ok != recorded {
				t.Fatalf("at %d: %v, recorded %v", at, v, w)
			}
		}
	})
	t.Run("K11.3 they agree where neither has forgotten", rapid.MakeCheck(func(t *rapid.T) {
		segments := points(90)
		for range rapid.IntRange(0, 20).Draw(t, "over") {
			from := id.Millis(rapid.Int64Range(1000, 6000).Draw(t, "from"))
			s := Segment{
				Version: Version{Tick: id.Millis(rapid.Int64Range(1, 6000).Draw(t, "tick"))},
				From:    from, To: from + 333, Kind: Step, Start: Value{-1},
			}
			segments = append(segments, s)
		}
		a, b := of(segments...), of(rapid.Permutation(segments).Draw(t, "other order")...)
		for at := max(a.Floor(), b.Floor()); at < 7000; at += 3 {
			v, _ := a.At(at)
			if w, _ := b.At(at); v != w {
				t.Fatalf("at %d: %v and %v", at, v, w)
			}
		}
	}))
}

// BenchmarkAdd measures Add on a motion as it is sent.
func BenchmarkAdd(b *testing.B) {
	segments := points(1000)
	c := new(Curve)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if i == len(segments) {
			i, c.floor, c.dead, c.pieces = 0, 0, 0, c.pieces[:0]
		}
		if err := c.Add(segments[i]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// BenchmarkAt measures At on a motion as it is sent.
func BenchmarkAt(b *testing.B) {
	c := of(points(200)...)
	at := c.Floor()
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := c.At(at); !ok {
			b.Fatal("no data")
		}
		if at++; at == 12_000 {
			at = c.Floor()
		}
	}
}

// TestAtDoesNotAllocate shows that reading a curve allocates no memory.
func TestAtDoesNotAllocate(t *testing.T) {
	c := of(points(200)...)
	if n := testing.AllocsPerRun(100, func() { c.Hold(11_111) }); n != 0 {
		t.Errorf("Hold allocates %v times", n)
	}
}

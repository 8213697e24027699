package zlevel

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// levels draws levels of all lengths. Many have long runs of nines and zeros, which are the hard
// ones.
func levels() *rapid.Generator[Level] {
	return rapid.Custom(func(t *rapid.T) Level {
		var b strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			b.WriteString(strings.Repeat(
				rapid.SampledFrom([]string{"0", "9", "1", "5"}).Draw(t, "digit"),
				rapid.IntRange(0, 30).Draw(t, "run"),
			))
			b.WriteString(rapid.StringMatching(`[0-9]{0,5}`).Draw(t, "digits"))
		}
		b.WriteString(rapid.SampledFrom([]string{"1", "2", "5", "8", "9"}).Draw(t, "last"))
		return Level(point + b.String())
	})
}

// ordered draws a gap: two levels, or an open end for one or both of them.
func ordered(t *rapid.T) (lo, hi Level) {
	ends := rapid.OneOf(levels(), rapid.Just(Level("")))
	lo, hi = ends.Draw(t, "lo"), ends.Draw(t, "hi")
	if lo != "" && hi != "" && lo > hi {
		lo, hi = hi, lo
	}
	if lo != "" && lo == hi {
		hi = ""
	}
	return lo, hi
}

// scaled returns l times 10^n as a rational number, by other means than the package.
func scaled(l Level, end int64, n int) *big.Rat {
	r := big.NewRat(end, 1)
	if l != "" {
		r.SetString(string(l))
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	return r.Mul(r, new(big.Rat).SetInt(power))
}

// inside returns the whole numbers strictly between two rational ones.
func inside(lo, hi *big.Rat) []*big.Int {
	var all []*big.Int
	k := new(big.Int).Quo(lo.Num(), lo.Denom())
	for {
		k = new(big.Int).Add(k, big.NewInt(1))
		if new(big.Rat).SetInt(k).Cmp(hi) >= 0 {
			return all
		}
		all = append(all, k)
	}
}

// TestBetween shows that the level between two others is the shortest, and then the nearest to the
// middle (T13).
func TestBetween(t *testing.T) {
	t.Run("T13 the level is canonical, strictly between, shortest, most central", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			lo, hi := ordered(t)
			z, err := Between(lo, hi)
			if err != nil {
				t.Fatalf("Between(%q, %q): %v", lo, hi, err)
			}
			if _, err := Parse(string(z)); err != nil {
				t.Fatalf("Between(%q, %q) = %q: %v", lo, hi, z, err)
			}
			if z <= lo || hi != "" && z >= hi {
				t.Fatalf("%q is not between %q and %q", z, lo, hi)
			}
			n := len(z) - len(point)
			if shorter := inside(scaled(lo, 0, n-1), scaled(hi, 1, n-1)); len(shorter) > 0 {
				t.Fatalf("%q: there is one with fewer digits, %v", z, shorter)
			}
			a, b, mine := scaled(lo, 0, n), scaled(hi, 1, n), scaled(z, 0, n)
			for _, other := range inside(a, b) {
				if d := distance(mine, a, b).Cmp(
					distance(new(big.Rat).SetInt(other), a, b),
				); d > 0 || d == 0 && other.Cmp(mine.Num()) < 0 {
					t.Fatalf("%q: %v is nearer to the middle of %q and %q, or as near and lower",
						z, other, lo, hi)
				}
			}
		})
	})
	t.Run("T13 there is no level between two outside", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			lo, hi := ordered(t)
			if hi == "" || lo == "" {
				hi, lo = "0.7", "0.3"
			}
			for _, pair := range [][2]Level{{hi, lo}, {lo, lo}} {
				if z, err := Between(pair[0], pair[1]); !errors.Is(err, ErrOrder) {
					t.Fatalf("Between(%q, %q) = %q, %v", pair[0], pair[1], z, err)
				}
			}
		})
	})
	longest := Level(point + strings.Repeat("9", MaxDigits))
	smallest := Level(point + strings.Repeat("0", MaxDigits-1) + "1")
	for _, c := range []struct {
		name   string
		lo, hi Level
		want   Level
		err    error
	}{
		{"the whole scale", "", "", "0.5", nil},
		{"one of two equally near is the lower", "0.1", "0.4", "0.2", nil},
		{"shorter than both", "0.4999", "0.50001", "0.5", nil},
		{"below a power of ten", "0.09", "0.1", "0.095", nil},
		{"over a run of nines", "0.1999", "0.2", "0.19995", nil},
		{"above the greatest", longest, "", "", ErrRoom},
		{"below the smallest", "", smallest, "", ErrRoom},
		{
			"neighbours of the longest", "0.5",
			Level("0.5" + strings.Repeat("0", MaxDigits-2) + "1"), "", ErrRoom,
		},
		{"out of form", "0.50", "0.6", "", ErrForm},
		{"not a number", "0.5", "NaN", "", ErrForm},
	} {
		t.Run(c.name, func(t *testing.T) {
			if z, err := Between(c.lo, c.hi); z != c.want || !errors.Is(err, c.err) {
				t.Fatalf("%q, %v; want %q, %v", z, err, c.want, c.err)
			}
		})
	}
}

// distance returns twice the distance of x from the middle of a and b.
func distance(x, a, b *big.Rat) *big.Rat {
	d := new(big.Rat).Add(x, x)
	return d.Abs(d.Sub(d, new(big.Rat).Add(a, b)))
}

// TestCounter shows that Above and Below give short levels on their side, up to the ends of the
// scale (T13).
func TestCounter(t *testing.T) {
	t.Run("T13 Above and Below are canonical and shorter than 2r+4 digits", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			l := levels().Draw(t, "level")
			for _, c := range []struct {
				f    func(Level) (Level, error)
				run  string
				side func(z Level) bool
			}{
				{Above, "9", func(z Level) bool { return z > l }},
				{Below, "0", func(z Level) bool { return z < l }},
			} {
				z, err := c.f(l)
				if err != nil {
					t.Fatalf("%q: %v", l, err)
				}
				if _, err := Parse(string(z)); err != nil || !c.side(z) {
					t.Fatalf("%q after %q: %v", z, l, err)
				}
				behind := string(l[len(point):])
				r := len(behind) - len(strings.TrimLeft(behind, c.run))
				if digits(z) > 2*r+4 {
					t.Fatalf("%q after %q has more than %d digits", z, l, 2*r+4)
				}
			}
		})
	})
	t.Run("T13 ten thousand to the front and to the bottom take 6 digits", func(t *testing.T) {
		for _, f := range []func(Level) (Level, error){Above, Below} {
			z, longest := Level(""), 0
			for range 10_000 {
				next, err := f(z)
				if err != nil {
					t.Fatalf("after %q: %v", z, err)
				}
				z, longest = next, max(longest, digits(next))
			}
			if longest != 6 {
				t.Errorf("%d digits, want 6; the last is %s", longest, z)
			}
		}
	})
	t.Run("T13 the ends of the scale", func(t *testing.T) {
		nines, zeros := strings.Repeat("9", MaxDigits-1), strings.Repeat("0", MaxDigits-1)
		for _, c := range []struct {
			f       func(Level) (Level, error)
			l, want Level
			err     error
		}{
			{Above, "", "0.5", nil},
			{Above, Level(point + nines + "8"), Level(point + nines + "9"), nil},
			{Above, Level(point + nines + "9"), "", ErrRoom},
			{Above, "1", "", ErrForm},
			{Below, "", "0.5", nil},
			{Below, Level(point + zeros + "2"), Level(point + zeros + "1"), nil},
			{Below, Level(point + zeros + "1"), "", ErrRoom},
			{Below, "0", "", ErrForm},
		} {
			if z, err := c.f(c.l); z != c.want || !errors.Is(err, c.err) {
				t.Errorf("%.12q: %.12q, %v; want %.12q, %v", c.l, z, err, c.want, c.err)
			}
		}
	})
}

// TestSpread shows that spread levels are canonical, ascending, evenly spaced and short (T13).
func TestSpread(t *testing.T) {
	t.Run("T13 levels are canonical, ascending, evenly spaced and short", func(t *testing.T) {
		for _, n := range []int{1, 2, 7, 8, 9, 32, 79, 80, 600, 7_999, 8_000, 10_000, 100_000} {
			levels := Spread(n)
			if len(levels) != n {
				t.Fatalf("Spread(%d) has %d", n, len(levels))
			}
			width := len(big.NewInt(int64(n/8)).String()) + 1
			if n < 8 {
				width = 1
			}
			last := Level("0.1")
			var least, most int64 = 1 << 62, 0
			for _, z := range append(levels, "0.9") {
				if _, err := Parse(string(z)); err != nil || z <= last || digits(z) > width {
					t.Fatalf("Spread(%d): %q after %q: %v", n, z, last, err)
				}
				gap := new(big.Rat).Sub(scaled(z, 0, width), scaled(last, 0, width)).Num().Int64()
				least, most, last = min(least, gap), max(most, gap), z
			}
			if most-least > 1 {
				t.Errorf("Spread(%d): gaps from %d to %d", n, least, most)
			}
		}
	})
	t.Run("none", func(t *testing.T) {
		if Spread(0) != nil || Spread(-1) != nil {
			t.Error("levels for no piece")
		}
	})
}

// TestParse shows which texts are levels (T13).
func TestParse(t *testing.T) {
	long := strings.Repeat("7", MaxDigits)
	for s, ok := range map[string]bool{
		"0.5": true, "0.05": true, "0." + long: true,
		"": false, "0": false, "0.": false, "0.0": false, "0.50": false, ".5": false, "00.5": false,
		"1": false, "1.5": false, "-0.5": false, "+0.5": false, "0,5": false, " 0.5": false,
		"0.5 ": false, "0.5\n": false, "0.5\x00": false, "5e-1": false, "0.5e1": false,
		"0.5E-1000000000": false, "NaN": false, "Inf": false, "0.٥": false, "0.5_5": false,
		"0x.8":            false,
		"0." + long + "7": false, "0." + strings.Repeat("0", 10_000_000) + "1": false,
	} {
		z, err := Parse(s)
		if ok && (err != nil || string(z) != s) || !ok && !errors.Is(err, ErrForm) {
			t.Errorf("T13 %.20q: %.20q, %v", s, z, err)
		}
	}
}

// FuzzParse shows that a level that Parse accepts has the form and keeps its text, and that the
// arithmetic works on it (T13).
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"0.5", "0.", "0.0001", "0.50", "1e-5", "NaN", "0.999999999999999999999999", "-0.1",
		"0.\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		z, err := Parse(s)
		if err != nil {
			if z != "" {
				t.Fatalf("%q with %v", z, err)
			}
			return
		}
		if string(z) != s || len(s) < len("0.1") || len(s) > len(point)+MaxDigits {
			t.Fatalf("%q became %q", s, z)
		}
		r, ok := new(big.Rat).SetString(s)
		if !ok || r.Sign() <= 0 || r.Cmp(big.NewRat(1, 1)) >= 0 {
			t.Fatalf("%q is not between 0 and 1", s)
		}
		if above, err := Above(z); err == nil && above <= z {
			t.Fatalf("%q is not above %q", above, z)
		}
		if between, err := Between(z, ""); err == nil && between <= z {
			t.Fatalf("%q is not above %q", between, z)
		}
	})
}

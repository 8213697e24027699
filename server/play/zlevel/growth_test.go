package zlevel

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// insertions are ways to put a piece between two others again and again. Each chooses whether the
// next level goes below or above the last one.
var insertions = []struct {
	name  string
	below func(i int) bool
}{
	{"always below", func(int) bool { return true }},
	{"always above", func(int) bool { return false }},
	{"alternating", func(i int) bool { return i%2 == 0 }},
	{"in pairs", func(i int) bool { return i%4 < 2 }},
	{"at random", coin(1)},
}

// coin returns the same throws for the same seed.
func coin(seed uint64) func(int) bool {
	r := rand.New(rand.NewPCG(seed, 0))
	return func(int) bool { return r.IntN(2) == 0 }
}

// TestGrowth shows that the bound that Between promises holds far beyond the real limit.
func TestGrowth(t *testing.T) {
	const n = 10_000
	for _, in := range insertions {
		t.Run("T13 growth under 10,000 insertions into one gap, "+in.name, func(t *testing.T) {
			lo, hi, reached := Level(""), Level(""), 0
			for i := range n {
				z, err := between(lo, hi, n)
				if err != nil {
					t.Fatalf("insertion %d between %.20q and %.20q: %v", i, lo, hi, err)
				}
				if bound := 1 + i/3; digits(z) > bound {
					t.Fatalf("insertion %d has %d digits, more than %d", i+1, digits(z), bound)
				}
				if reached == 0 && digits(z) > RespreadDigits {
					reached = i + 1
				}
				lo, hi = narrow(lo, hi, z, in.below(i))
			}
			t.Logf("%d digits after %d insertions; more than %d from insertion %d on",
				max(digits(lo), digits(hi)), n, RespreadDigits, reached)
		})
	}
	t.Run("T13 growth from any gap by any choice of sides", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			lo, hi := ordered(t)
			d := max(digits(lo), digits(hi))
			for i, below := range rapid.SliceOfN(rapid.Bool(), 1, 60).Draw(t, "below") {
				z, err := Between(lo, hi)
				if err != nil {
					t.Fatalf("insertion %d between %q and %q: %v", i, lo, hi, err)
				}
				if bound := d + 1 + i/3; digits(z) > bound {
					t.Fatalf("insertion %d, %q, has more than %d digits", i+1, z, bound)
				}
				lo, hi = narrow(lo, hi, z, below)
			}
		})
	})
}

// narrow returns the gap below or above z.
func narrow(lo, hi, z Level, below bool) (Level, Level) {
	if below {
		return lo, z
	}
	return z, hi
}

// digits returns how many digits l has after the point.
func digits(l Level) int { return max(0, len(l)-len(point)) }

// TestRespreadInTime plays the table's part. It shows that no level reaches MaxDigits, because the
// table gives short levels when one is longer than RespreadDigits.
func TestRespreadInTime(t *testing.T) {
	for _, in := range insertions {
		t.Run("T13 "+in.name, func(t *testing.T) {
			lo, hi, respreads := Level("0.3"), Level("0.31"), 0
			for i := range 10_000 {
				z, err := Between(lo, hi)
				if err != nil {
					t.Fatalf("insertion %d: %v", i, err)
				}
				lo, hi = narrow(lo, hi, z, in.below(i))
				if digits(z) > RespreadDigits {
					both := Spread(2)
					lo, hi, respreads = both[0], both[1], respreads+1
				}
			}
			if respreads > 10_000/1_500 {
				t.Errorf("%d respreads, more than one in 1,500 insertions", respreads)
			}
		})
	}
}

// BenchmarkBetween measures Between on levels of several lengths.
func BenchmarkBetween(b *testing.B) {
	for _, digits := range []int{4, 64, 512} {
		lo := Level(point + strings.Repeat("4", digits))
		hi := Level(point + strings.Repeat("4", digits-1) + "5")
		b.Run(fmt.Sprintf("digits=%d", digits), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Between(lo, hi); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAbove measures Above on a short level.
func BenchmarkAbove(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Above("0.906001"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse measures Parse on a level of twelve digits.
func BenchmarkParse(b *testing.B) {
	s := point + strings.Repeat("7", 12)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSpread measures Spread of 10,000 levels.
func BenchmarkSpread(b *testing.B) {
	for b.Loop() {
		Spread(10_000)
	}
}

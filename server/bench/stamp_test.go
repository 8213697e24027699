package bench

import (
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTrack shows that a receiver finds a move and its age by the place to which the move went.
func TestTrack(t *testing.T) {
	t.Run("a receiver knows each recent move and its time, at any place", func(t *testing.T) {
		var tr track
		type place struct{ x, y int32 }
		var went []place
		for n := range 3 * stamps {
			at := time.Duration(n) * time.Millisecond
			number, x, y := tr.stamp(moved{at: at}, rand.Int32N(8000), rand.Int32N(8000))
			if number != n {
				t.Fatalf("move %d has the number %d", n, number)
			}
			went = append(went, place{x, y})
			if found, ok := tr.find(x, y); !ok || found != n {
				t.Fatalf("move %d counts as %d (%v)", n, found, ok)
			}
		}
		now := time.Hour
		for n := len(went) - stamps; n < len(went); n++ {
			found, ok := tr.find(went[n].x, went[n].y)
			if age, measured := tr.age(found, now); !ok || found != n || !measured ||
				age != now-time.Duration(n)*time.Millisecond {
				t.Fatalf("move %d to %+v counts as %d (%v), %v old (%v)",
					n, went[n], found, ok, age, measured)
			}
		}
	})
	t.Run("a place without a move is not a move", func(t *testing.T) {
		var tr track
		if n, ok := tr.find(0, 0); ok {
			t.Errorf("before the first move it counts as %d", n)
		}
		_, x, y := tr.stamp(moved{}, 640, 640)
		for _, p := range [][2]int32{
			{x + 1, y}, {x, y + 1}, {x + stampMask + 1, y}, {x, y + stampMask + 1},
		} {
			if n, ok := tr.find(p[0], p[1]); ok {
				t.Errorf("%v counts as %d", p, n)
			}
		}
	})
	t.Run("a stamp moves a place by less than its own size", func(t *testing.T) {
		var tr track
		for range 2 * stamps {
			const x, y = 1234, 777
			if _, a, b := tr.stamp(moved{}, x, y); a/64 != x/64 || b/64 != y/64 {
				t.Fatalf("%d, %d became %d, %d", x, y, a, b)
			}
		}
	})
	t.Run("no place is stamped twice in a row, so each move differs", func(t *testing.T) {
		var tr track
		for n, last := 0, [2]int32{-1, -1}; n < 2*stamps; n++ {
			_, x, y := tr.stamp(moved{}, 500, 500)
			if last == [2]int32{x, y} {
				t.Fatalf("move %d goes nowhere", n)
			}
			last = [2]int32{x, y}
		}
	})
	t.Run("moves made before their player was back have no age", func(t *testing.T) {
		var tr track
		before, _, _ := tr.stamp(moved{at: 10}, 0, 0)
		tr.connect(never)
		during, _, _ := tr.stamp(moved{at: 20}, 0, 0)
		if _, ok := tr.age(before, 25); ok {
			t.Error("the player is cut off, and yet it is measured")
		}
		tr.connect(30)
		after, _, _ := tr.stamp(moved{at: 30}, 0, 0)
		for _, n := range []int{before, during} {
			if age, ok := tr.age(n, 40); ok {
				t.Errorf("move %d is %v old", n, age)
			}
		}
		if age, ok := tr.age(after, 40); !ok || age != 10 {
			t.Errorf("the first move on line is %v old (%v), want 10 ns", age, ok)
		}
	})
}

// TestNumbers compares a set of numbers with a map.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var got numbers
		want := map[int]bool{}
		for _, n := range rapid.SliceOf(rapid.IntRange(0, 300)).Draw(t, "numbers") {
			if isNew := got.add(n); isNew == want[n] {
				t.Fatalf("%d is new: %v", n, isNew)
			}
			want[n] = true
		}
		for n := range 400 {
			if got.has(n) != want[n] {
				t.Fatalf("%d is in it: %v", n, got.has(n))
			}
		}
	})
}

// TestWander shows that a wandering piece never leaves the table.
func TestWander(t *testing.T) {
	const seed = 5
	w := wander{rand: rand.New(rand.NewPCG(seed, 0)), width: 4000, height: 3000}
	var tr track
	w.start(4000, 3000) // a piece may lie on the edge itself
	for n := range 100_000 {
		x, y := w.next()
		if _, x, y = tr.stamp(moved{}, x, y); x < 0 || y < 0 || x > w.width || y > w.height {
			t.Fatalf("seed %d: move %d leaves the table: %d, %d", seed, n, x, y)
		}
	}
}

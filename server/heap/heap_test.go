package heap_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"holt/server/heap"
)

type number int

func (n number) Before(m number) bool { return n < m }

// TestHeap shows that a heap gives back what was put in, the lowest first.
func TestHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h heap.Heap[number]
		var left []number
		for _, n := range rapid.SliceOf(rapid.IntRange(-100, 100)).Draw(t, "numbers") {
			if n%3 == 0 && len(left) > 0 {
				want := slices.Min(left)
				if got := h.Pop(); got != want {
					t.Fatalf("%d comes first, want %d", got, want)
				}
				left = slices.Delete(left, slices.Index(left, want), slices.Index(left, want)+1)
			}
			h.Push(number(n))
			left = append(left, number(n))
		}
		slices.Sort(left)
		for _, want := range left {
			if got := h.Pop(); got != want {
				t.Fatalf("%d comes next, want %d", got, want)
			}
		}
		if len(h) != 0 {
			t.Fatalf("%v is left", h)
		}
	})
}

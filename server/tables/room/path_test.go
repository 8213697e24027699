package room

import (
	"testing"

	"pgregory.net/rapid"

	"holt/server/id"
)

func TestPath(t *testing.T) {
	t.Run("K6, S12.18 a path follows the hand, with uneven points", rapid.MakeCheck(func(t *rapid.T) {
		p := &path{}
		at, x := id.Millis(1_000_000), int32(0)
		for range rapid.IntRange(2, 40).Draw(t, "points") {
			at += id.Millis(rapid.IntRange(1, 150).Draw(t, "pause"))
			x += rapid.Int32Range(0, 200).Draw(t, "way")
			p.fresh = p.fresh && rapid.Bool().Draw(t, "same tick")
			p.to(at, id.Millis(rapid.IntRange(100, 400).Draw(t, "longest")), 0, 0, x, 0)
			last := int32(-1)
			for v := p.last.From; v <= p.last.From+p.last.Span; v++ {
				got, ok := p.curve.Hold(v)
				if !ok || got[0] < last {
					t.Fatalf("at %d it is at %v, %t, and was at %d", v, got, ok, last)
				}
				last = got[0]
			}
			if last != x {
				t.Fatalf("it leads to %d, not %d", last, x)
			}
		}
	}))
}

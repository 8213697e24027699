package table

import (
	mathrand "math/rand/v2"
	"testing"

	"holt/server/id"
)

// TestGenAt shows that the version of a frame leads back to the generation that the view had been
// shown, unless it was compacted (S5).
func TestGenAt(t *testing.T) {
	t.Run("S4.3, S5 the version of a frame restores what the view was shown", func(t *testing.T) {
		rnd := mathrand.New(mathrand.NewPCG(1, 2))
		v := newView(1)
		var shown []id.Generation
		const last = 500
		for g := id.Generation(1); g <= last; g++ {
			if rnd.IntN(3) > 0 {
				v.show(g)
				shown = append(shown, g)
			}
		}
		for g := shown[0]; g <= last; g++ {
			at, ok := v.at(v.mark(g))
			if !ok || v.mark(at) != v.mark(g) || at > g {
				t.Fatalf("generation %d has version %d, which is of %d, %v", g, v.mark(g), at, ok)
			}
		}
		for _, m := range []id.Version{0, v.now() + 1, v.now() + 1<<markShift, v.mark(shown[3]) + 7} {
			if g, ok := v.at(m); ok {
				t.Errorf("version %d, of no frame, is of generation %d", m, g)
			}
		}
	})
	t.Run("S5 compacted entries are not remembered", func(t *testing.T) {
		v := newView(1)
		for g := id.Generation(1); g <= 100; g += 2 {
			v.show(g)
		}
		early, late := v.mark(21), v.mark(61)
		v.compact(nil, 50)
		if g, ok := v.at(early); ok {
			t.Errorf("the version of 21 is now of %d", g)
		}
		if g, ok := v.at(late); !ok || g != 61 {
			t.Errorf("the version of 61 is of %d, %v", g, ok)
		}
	})
}

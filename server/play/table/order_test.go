package table

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// TestT13Order compares an order with a sorted list, over random histories in which levels are
// often equal.
func TestT13Order(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 3, blockLength, 20 * blockLength} {
		t.Run(fmt.Sprintf("T13 %d pieces", n), func(t *testing.T) {
			var o order
			var all []*piece
			for name := range id.Piece(n) {
				p := &piece{name: name, state: anyState(rnd)}
				o.insert(p)
				all = append(all, p)
			}
			checkOrder(t, &o, all)
			for range 10 {
				// Each is moved once on average. In some rounds all go to the same place.
				for range n {
					p := all[rnd.IntN(len(all))]
					o.remove(p)
					p.state = anyState(rnd)
					o.insert(p)
				}
				checkOrder(t, &o, all)
			}
			for _, i := range rnd.Perm(n) {
				o.remove(all[i])
			}
			if len(o.blocks) != 0 {
				t.Errorf("%d blocks are left", len(o.blocks))
			}
		})
	}
}

func anyState(rnd *rand.Rand) State {
	digits := []byte("0.")
	for range 1 + rnd.IntN(3) {
		digits = append(digits, byte('1'+rnd.IntN(9)))
	}
	return State{Z: zlevel.Level(digits), ZGen: id.Generation(rnd.IntN(5))}
}

// checkOrder checks that o holds all, sorted from every start, in blocks that are neither empty nor
// too long nor too many.
func checkOrder(t *testing.T, o *order, all []*piece) {
	t.Helper()
	want := slices.SortedFunc(slices.Values(all), func(a, b *piece) int {
		return cmp.Or(cmp.Compare(a.state.Z, b.state.Z), cmp.Compare(a.state.ZGen, b.state.ZGen),
			cmp.Compare(a.name, b.name))
	})
	reversed := slices.Clone(want)
	slices.Reverse(reversed)
	if got := slices.Collect(o.upwards(nil)); !slices.Equal(got, want) {
		t.Fatalf("upwards: %d pieces, want %d, or in another order", len(got), len(want))
	}
	if got := slices.Collect(o.downwards(nil)); !slices.Equal(got, reversed) {
		t.Fatalf("downwards: %d pieces, want %d, or in another order", len(got), len(want))
	}
	for i, p := range want {
		if i%7 != 0 && i != len(want)-1 {
			continue
		}
		if got := slices.Collect(o.upwards(p)); !slices.Equal(got, want[i+1:]) {
			t.Fatalf("upwards from the piece at %d of %d: %d pieces", i, len(want), len(got))
		}
		if got := slices.Collect(o.downwards(p)); !slices.Equal(got, reversed[len(want)-i:]) {
			t.Fatalf("downwards from the piece at %d of %d: %d pieces", i, len(want), len(got))
		}
	}
	if low, high := o.lowest(want[0]), o.highest(want[0]); len(want) > 1 &&
		(low != want[1].state.Z || high != want[len(want)-1].state.Z) {
		t.Errorf("except for the bottom piece, the levels go from %q to %q", low, high)
	}
	if low, high := o.lowest(nil), o.highest(want[len(want)-1]); low != want[0].state.Z ||
		len(want) > 1 && high != want[len(want)-2].state.Z {
		t.Errorf("except for the top piece, the levels go from %q to %q", low, high)
	}
	for i, block := range o.blocks {
		if len(block) == 0 || len(block) > blockLength || cap(block) > blockLength {
			t.Errorf("block %d has %d pieces, and room for %d", i, len(block), cap(block))
		}
		if i > 0 && len(block) < blockLow && len(o.blocks[i-1]) < blockLow {
			t.Errorf("blocks of %d and %d pieces lie side by side", len(o.blocks[i-1]), len(block))
		}
	}
}

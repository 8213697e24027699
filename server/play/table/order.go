package table

import (
	"iter"
	"slices"
	"sort"

	"holt/server/play/zlevel"
)

// order holds pieces in drawing order, the undermost first (T13). It finds a place by binary
// search, and an insertion moves at most one block of pieces.
type order struct {
	blocks [][]*piece // no block is empty
	n      int        // number of pieces in all blocks
}

// A full block is split. Two neighbours with fewer than blockLow pieces each are joined.
const (
	blockLength = 128
	blockLow    = blockLength / 4
	blockFirst  = 8 // capacity of the first block
)

// above reports whether a is drawn over b (T13).
func above(a, b *piece) bool {
	switch {
	case a.state.Z != b.state.Z:
		return a.state.Z > b.state.Z
	case a.state.ZGen != b.state.ZGen:
		return a.state.ZGen > b.state.ZGen
	default:
		return a.name > b.name
	}
}

// find returns the place of p, or the one where p would be inserted. That is behind the last block
// if p lies above all.
func (o *order) find(p *piece) (b, i int) {
	b = sort.Search(len(o.blocks), func(b int) bool {
		block := o.blocks[b]
		return !above(p, block[len(block)-1])
	})
	if b == len(o.blocks) {
		return b, 0
	}
	block := o.blocks[b]
	return b, sort.Search(len(block), func(i int) bool { return !above(p, block[i]) })
}

// insert adds p, which must not be in the order.
func (o *order) insert(p *piece) {
	o.n++
	b, i := o.find(p)
	if b == len(o.blocks) {
		switch {
		case b == 0: // most hands hold few pieces
			o.blocks = append(o.blocks, append(make([]*piece, 0, blockFirst), p))
			return
		case len(o.blocks[b-1]) == blockLength:
			o.blocks = append(o.blocks, append(make([]*piece, 0, blockLength), p))
			return
		}
		b, i = b-1, len(o.blocks[b-1])
	}
	if len(o.blocks[b]) == blockLength {
		const half = blockLength / 2
		upper := append(make([]*piece, 0, blockLength), o.blocks[b][half:]...)
		o.blocks[b] = slices.Delete(o.blocks[b], half, blockLength)
		o.blocks = slices.Insert(o.blocks, b+1, upper)
		if i > half {
			b, i = b+1, i-half
		}
	}
	// The block was made with blockFirst.
	if block := o.blocks[b]; len(block) == cap(block) {
		o.blocks[b] = append(make([]*piece, 0, blockLength), block...)
	}
	o.blocks[b] = slices.Insert(o.blocks[b], i, p)
}

// remove removes p, which must be in the order. Its level must still be the one with which it was
// inserted.
func (o *order) remove(p *piece) {
	o.n--
	b, i := o.find(p)
	o.blocks[b] = slices.Delete(o.blocks[b], i, i+1)
	if len(o.blocks[b]) == 0 {
		o.blocks = slices.Delete(o.blocks, b, b+1)
	} else {
		o.join(b)
	}
	o.join(b - 1)
}

// join joins the block at b and the next one, if both exist and have fewer than blockLow pieces
// each.
func (o *order) join(b int) {
	if b < 0 || b+1 >= len(o.blocks) || len(o.blocks[b]) >= blockLow ||
		len(o.blocks[b+1]) >= blockLow {
		return
	}
	o.blocks[b] = append(o.blocks[b], o.blocks[b+1]...)
	o.blocks = slices.Delete(o.blocks, b+1, b+2)
}

// upwards goes through the pieces above p, from the nearest on; through all if p is nil.
func (o *order) upwards(p *piece) iter.Seq[*piece] {
	return func(yield func(*piece) bool) {
		b, i := 0, 0
		if p != nil {
			b, i = o.find(p)
			i++
		}
		for ; b < len(o.blocks); b, i = b+1, 0 {
			for ; i < len(o.blocks[b]); i++ {
				if !yield(o.blocks[b][i]) {
					return
				}
			}
		}
	}
}

// upwardsFrom goes through the pieces that lie above like, which need not be in the order.
func (o *order) upwardsFrom(like *piece) iter.Seq[*piece] {
	b, i := o.find(like)
	return func(yield func(*piece) bool) {
		for ; b < len(o.blocks); b, i = b+1, 0 {
			for _, p := range o.blocks[b][i:] {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// downwards goes through the pieces below p, from the nearest on; through all if p is nil.
func (o *order) downwards(p *piece) iter.Seq[*piece] {
	return func(yield func(*piece) bool) {
		b, i := len(o.blocks), 0
		if p != nil {
			b, i = o.find(p)
		}
		for {
			for i--; i >= 0; i-- {
				if !yield(o.blocks[b][i]) {
					return
				}
			}
			if b--; b < 0 {
				return
			}
			i = len(o.blocks[b])
		}
	}
}

// lowest returns the level of the undermost piece other than but; "" if there is none. but need not
// be in the order.
func (o *order) lowest(but *piece) zlevel.Level {
	for p := range o.upwards(nil) {
		if p != but {
			return p.state.Z
		}
	}
	return ""
}

// at returns the piece that has n others below it; nil if there is none.
func (o *order) at(n int) *piece {
	if n < 0 {
		return nil
	}
	for _, block := range o.blocks {
		if n < len(block) {
			return block[n]
		}
		n -= len(block)
	}
	return nil
}

// gap returns the levels below and above which a piece with n others below it lies; "" at an end.
func (o *order) gap(n int) (below, above zlevel.Level) {
	if n > 0 {
		below = o.at(n - 1).state.Z
	}
	if p := o.at(n); p != nil {
		above = p.state.Z
	}
	return below, above
}

// all returns the pieces, the undermost first.
func (o *order) all() []*piece {
	all := make([]*piece, 0, o.n)
	for _, block := range o.blocks {
		all = append(all, block...)
	}
	return all
}

// refill replaces the contents by the same pieces with new levels, which ascend in the order of
// all.
func (o *order) refill(all []*piece) {
	const fill = blockLength * 3 / 4
	o.blocks = o.blocks[:0]
	for block := range slices.Chunk(all, fill) {
		o.blocks = append(o.blocks, append(make([]*piece, 0, blockLength), block...))
	}
}

// highest returns the level of the uppermost piece other than but; "" if there is none. but need
// not be in the order.
func (o *order) highest(but *piece) zlevel.Level {
	for p := range o.downwards(nil) {
		if p != but {
			return p.state.Z
		}
	}
	return ""
}

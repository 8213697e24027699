package connection

import "math/bits"

// blocks is a set of the blocks of one message (D25): those that came, or those that were
// acknowledged.
type blocks struct {
	words []uint64
	left  int // blocks that are not in the set
}

// newBlocks returns the empty set for a message of size bytes.
func newBlocks(size uint32) blocks {
	n := int((uint64(size) + blockSize - 1) / blockSize) //nolint:gosec // at most 2^28
	return blocks{words: make([]uint64, (n+63)/64), left: n}
}

// add puts the blocks of the bytes in [from, to) into the set, and reports whether one of them is
// new. from is the beginning of a block.
func (s *blocks) add(from, to uint32) bool {
	left := s.left
	for first, end := blocksOf(from, to); first < end; {
		word, mask := part(first, end)
		s.left -= bits.OnesCount64(mask &^ s.words[word])
		s.words[word] |= mask
		first = (word + 1) * 64
	}
	return s.left < left
}

// has reports whether all blocks of the bytes in [from, to) are in the set. from is the beginning
// of a block.
func (s *blocks) has(from, to uint32) bool {
	for first, end := blocksOf(from, to); first < end; {
		word, mask := part(first, end)
		if mask&^s.words[word] != 0 {
			return false
		}
		first = (word + 1) * 64
	}
	return true
}

func blocksOf(from, to uint32) (first, end int) {
	//nolint:gosec // at most 2^28
	return int(from / blockSize), int((uint64(to) + blockSize - 1) / blockSize)
}

// part returns the index of the word with the block first, and the bits of that word for the blocks
// in [first, end).
func part(first, end int) (word int, mask uint64) {
	word = first / 64
	mask = ^uint64(0) << (first % 64)
	if over := (word+1)*64 - end; over > 0 {
		mask &= ^uint64(0) >> over
	}
	return word, mask
}

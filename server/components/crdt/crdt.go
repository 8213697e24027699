// Package crdt has components: values that have no single owner and merge. Replicas that have
// merged the same operations, in any order, any grouping and any number of times, hold the same
// state (docs/protocol/component.md, C1 to C10 and C20). Values are last-writer-wins registers with
// Lamport timestamps, sets keep their greatest elements, and deleted entities stay deleted. The
// package also writes and reads both wire forms. In the browser static/js/parts/components/crdt.js
// does the same, with identical results (docs/protocol/vectors/crdt.json).
//
// The package has no clock and no names of entities or components, and does not know rights or
// schemas. What may be written, and by whom, is decided before an operation comes here.
package crdt

import "bytes"

// Config is what a group of replicas has agreed on.
type Config struct {
	// Compare orders the data of equal timestamps: negative, 0 or positive if a is smaller than,
	// equal to or greater than b. It is a total order, 0 for equal bytes only, and the same in the
	// whole group (C3). Nil stands for bytes.Compare.
	Compare func(a, b []byte) int
	// Sets reports whether a component is a set (C6), and how many elements it keeps, at least 1.
	// The answer for a component never changes. Nil means that there are no sets.
	Sets func(component uint32) (limit int, ok bool)
	// Both reports whether a component keeps a value and a set under the same key, each by itself
	// (C21), and how many elements the set keeps. It is asked for components that are not in Sets.
	// Nil means that there are none.
	Both func(component uint32) (limit int, ok bool)
}

// Replica keeps the components of many entities. Make one with New. It is not safe for concurrent
// use, and must not be changed while one of its sequences is read. Its memory is bounded by what it
// keeps: the winning value of each key, the elements of each set, a timestamp for each deleted key,
// and what type deleted keeps of deleted entities.
//
// It copies what goes in. What comes out belongs to the replica, is never changed by it, and must
// not be changed by the caller.
type Replica struct {
	// Set at construction.
	compare func(a, b []byte) int
	sets    func(component uint32) (limit int, ok bool)
	both    func(component uint32) (limit int, ok bool)

	entities map[Entity]*components
	// living lists, for each number of Versioned entities, the versions that have a bag.
	living map[uint16][]uint16
	counts [classes]int // of the bags
	bytes  int          // of the data in them
	deleted

	scratch []byte // the bytes that are hashed (C20)
}

// New returns an empty replica.
func New(c Config) *Replica {
	r := &Replica{
		compare:  c.Compare,
		sets:     c.Sets,
		both:     c.Both,
		entities: map[Entity]*components{},
		living:   map[uint16][]uint16{},
		deleted:  noneDeleted(),
	}
	if r.compare == nil {
		r.compare = bytes.Compare
	}
	if r.sets == nil {
		r.sets = func(uint32) (int, bool) { return 0, false }
	}
	if r.both == nil {
		r.both = func(uint32) (int, bool) { return 0, false }
	}
	return r
}

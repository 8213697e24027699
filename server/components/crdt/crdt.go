// Package crdt holds components: values that have no single owner and merge. A Replica that has merged the same
// operations as another, in any order, any grouping and any number of times, holds the same (rules C1 to C10 and
// C20, docs/protocol/component.md). Values are last-writer-wins registers under Lamport timestamps, sets keep
// their greatest elements, and entities are deleted for good. The package also writes and reads both wire forms.
// static/js/crdt.js does the same in the browser, with identical results (docs/protocol/vectors/crdt.json).
//
// The package knows no clock, no entity or component by name, no rights and no schema: what may be written, and
// by whom, is decided before an operation gets here.
package crdt

import "bytes"

// Config says what a group of replicas has agreed on.
type Config struct {
	// Compare orders the data of equal timestamps: negative, 0 or positive as a is smaller than b, the same or
	// greater. It is a total order, 0 for equal bytes only, and the same in the whole group (C3). nil is bytes.Compare.
	Compare func(a, b []byte) int
	// Sets reports whether a component is a set (C6), and how many elements it keeps, from 1. What it says of a
	// component never changes. nil: none is.
	Sets func(component uint32) (limit int, ok bool)
}

// Replica keeps the components of many entities. Make one with New. It is not safe for concurrent use, and must not be
// changed while one of its sequences is read. Its memory is bounded by what it keeps: the winning value of each
// key, the elements of each set, a timestamp for each deleted key, and what deleted.go says of deleted entities.
//
// What goes in is copied; what comes out belongs to the replica, is never changed by it, and must not be changed.
type Replica struct {
	// Set at construction.
	compare func(a, b []byte) int
	sets    func(component uint32) (limit int, ok bool)

	entities map[Entity]*bag
	// living lists the versions that have a bag, of each number of a Versioned entity.
	living map[uint16][]uint16
	counts [classes]int // of the bags
	bytes  int          // of the data in them
	deleted

	scratch []byte // what is hashed (C20)
}

// New returns a replica that keeps nothing yet.
func New(c Config) *Replica {
	r := &Replica{compare: c.Compare, sets: c.Sets, entities: map[Entity]*bag{}, living: map[uint16][]uint16{}, deleted: noneDeleted()}
	if r.compare == nil {
		r.compare = bytes.Compare
	}
	if r.sets == nil {
		r.sets = func(uint32) (int, bool) { return 0, false }
	}
	return r
}

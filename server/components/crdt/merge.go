package crdt

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

// Outcome is the result of merging an operation, in one word.
type Outcome uint8

// The outcomes of Merge.
const (
	Applied Outcome = iota + 1 // the replica has changed
	Same                       // the replica had it already: no answer (C3)
	Stale                      // the replica has something greater, the correction (C2)
	Ignored                    // for a deleted entity (C5), or of the wrong sort (C6): no answer
)

// Result is the result of merging an operation.
type Result struct {
	Outcome Outcome
	// Correction is the state of the key, for the sender of a Stale operation. It is the zero Op,
	// whose Kind is 0, if there is none: an element that is too small for its set is not corrected
	// (C6).
	Correction Op
}

// Merge merges an operation that has passed Check (C2 to C6). It copies what it keeps. An operation
// that changes nothing causes no allocation.
func (r *Replica) Merge(op Op) Result {
	if op.Kind == DeleteEntity {
		return r.deleteEntity(op.Entity)
	}
	if r.Deleted(op.Entity) {
		return Result{Outcome: Ignored}
	}
	limit, isSet := r.sets(op.Component)
	if !isSet {
		if both, ok := r.both(op.Component); ok && op.Kind == Append {
			limit, isSet = both, true
		}
	}
	switch {
	case op.Kind == Append && isSet && limit > 0:
		return r.add(&op, limit)
	case (op.Kind == Put || op.Kind == Delete) && !isSet:
		return r.assign(&op)
	default:
		return Result{Outcome: Ignored}
	}
}

// assign merges a Put or Delete.
func (r *Replica) assign(op *Op) Result {
	b := r.entities[op.Entity]
	if b == nil {
		b = r.componentsOf(op.Entity)
		b.first[0] = r.value(op)
		b.values = b.first[:]
		return Result{Outcome: Applied}
	}
	i, ok := b.find(op.Component)
	if !ok {
		b.values = slices.Insert(b.values, i, r.value(op))
		b.first[0] = value{} // its data is kept once
		return Result{Outcome: Applied}
	}
	switch c := r.compareStored(op, &b.values[i]); {
	case c == 0:
		return Result{Outcome: Same}
	case c < 0:
		return Result{Outcome: Stale, Correction: b.values[i].op(op.Entity)}
	}
	r.bytes -= len(b.values[i].data)
	b.values[i] = r.value(op)
	return Result{Outcome: Applied}
}

// compareStored compares a Put or Delete with what is stored under its key (C2, C3).
func (r *Replica) compareStored(op *Op, v *value) int {
	switch {
	case op.Timestamp != v.timestamp:
		return cmp.Compare(op.Timestamp, v.timestamp)
	case op.Kind == Delete && v.data == nil:
		return 0
	case op.Kind == Delete:
		return -1
	case v.data == nil:
		return 1
	default:
		return r.compare(op.Data, v.data)
	}
}

// value returns the value that op, a Put or Delete, stores under its key.
func (r *Replica) value(op *Op) value {
	v := value{component: op.Component, timestamp: op.Timestamp}
	if op.Kind == Put {
		v.data = r.kept(op.Data)
	}
	return v
}

// kept returns a copy of data, never nil, and counts its bytes.
func (r *Replica) kept(data []byte) []byte {
	r.bytes += len(data)
	if len(data) == 0 {
		return []byte{}
	}
	return bytes.Clone(data)
}

// add merges an Append to a set, of which at most limit elements are kept: the greatest (C6).
func (r *Replica) add(op *Op, limit int) Result {
	var elements []element
	b := r.entities[op.Entity]
	at, ok := 0, false
	if b != nil {
		if at, ok = b.findSet(op.Component); ok {
			elements = b.sets[at].elements
		}
	}
	i := sort.Search(len(elements), func(i int) bool { return r.order(op, &elements[i]) <= 0 })
	switch {
	case i < len(elements) && r.order(op, &elements[i]) == 0:
		return Result{Outcome: Same}
	case i == 0 && len(elements) >= limit:
		return Result{Outcome: Stale}
	}
	added := element{timestamp: op.Timestamp, data: r.kept(op.Data)}
	if !ok {
		if b == nil {
			b = r.componentsOf(op.Entity)
		}
		b.sets = slices.Insert(b.sets, at, set{component: op.Component, elements: []element{added}})
		return Result{Outcome: Applied}
	}
	if len(elements) < limit {
		b.sets[at].elements = slices.Insert(elements, i, added)
		return Result{Outcome: Applied}
	}
	r.bytes -= len(elements[0].data)
	copy(elements, elements[1:i]) // the least one is dropped
	elements[i-1] = added
	return Result{Outcome: Applied}
}

// order compares an Append with an element of its set: by timestamp, then by data.
func (r *Replica) order(op *Op, e *element) int {
	if op.Timestamp != e.timestamp {
		return cmp.Compare(op.Timestamp, e.timestamp)
	}
	return r.compare(op.Data, e.data)
}

// componentsOf makes the bag of an entity that has none.
func (r *Replica) componentsOf(e Entity) *components {
	b := new(components)
	r.entities[e] = b
	r.counts[e.Class()]++
	if e.Class() == Versioned {
		r.living[e.number()] = append(r.living[e.number()], e.version())
	}
	return b
}

// Forget drops what an entity has, and keeps no tombstone: later operations for it are merged as
// for a new one. It is for a caller that knows that none will come, because the entity itself is
// gone (C7, C15). It is not an operation.
func (r *Replica) Forget(e Entity) {
	b := r.entities[e]
	if b == nil {
		return
	}
	r.bytes -= b.bytes()
	delete(r.entities, e)
	r.counts[e.Class()]--
	if e.Class() != Versioned {
		return
	}
	n := e.number()
	left := slices.DeleteFunc(r.living[n], func(v uint16) bool { return v == e.version() })
	if r.living[n] = left; len(left) == 0 {
		delete(r.living, n)
	}
}

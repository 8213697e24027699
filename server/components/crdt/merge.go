package crdt

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

// Outcome says what came of merging an operation.
type Outcome uint8

// The outcomes of Merge.
const (
	Applied Outcome = iota + 1 // the replica has changed
	Same                       // the replica had it already: nothing to answer (C3)
	Stale                      // the replica has something greater, the correction (C2)
	Ignored                    // of a deleted entity (C5), or a set's for a value or the reverse (C6): nothing to answer
)

// Result is what came of merging an operation.
type Result struct {
	Outcome Outcome
	// Correction is the state of the key, for the sender of what is Stale. The zero Op, whose Kind is 0, if there is
	// none: an element that was too small for its set is not corrected (C6).
	Correction Op
}

// Merge merges an operation that has passed Check (C2 to C6). It copies what it keeps. What changes nothing is
// merged without an allocation.
func (r *Replica) Merge(op Op) Result {
	if op.Kind == DeleteEntity {
		return r.bury(op.Entity)
	}
	if r.Deleted(op.Entity) {
		return Result{Outcome: Ignored}
	}
	limit, isSet := r.sets(op.Component)
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
		r.bag(op.Entity).values = []value{r.value(op)}
		return Result{Outcome: Applied}
	}
	i, ok := b.find(op.Component)
	if !ok {
		b.values = slices.Insert(b.values, i, r.value(op))
		return Result{Outcome: Applied}
	}
	switch c := r.against(op, &b.values[i]); {
	case c == 0:
		return Result{Outcome: Same}
	case c < 0:
		return Result{Outcome: Stale, Correction: b.values[i].op(op.Entity)}
	}
	r.bytes -= len(b.values[i].data)
	b.values[i] = r.value(op)
	return Result{Outcome: Applied}
}

// against compares a Put or Delete with what lies under its key (C2, C3).
func (r *Replica) against(op *Op, v *value) int {
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

// value returns what op, a Put or Delete, puts under its key.
func (r *Replica) value(op *Op) value {
	v := value{component: op.Component, timestamp: op.Timestamp}
	if op.Kind == Put {
		v.data = r.kept(op.Data)
	}
	return v
}

// kept returns a copy of data that is not nil, and counts it.
func (r *Replica) kept(data []byte) []byte {
	r.bytes += len(data)
	if len(data) == 0 {
		return []byte{}
	}
	return bytes.Clone(data)
}

// add merges an Append to a set of at most limit elements, of which it keeps the greatest (C6).
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
			b = r.bag(op.Entity)
		}
		b.sets = slices.Insert(b.sets, at, set{component: op.Component, elements: []element{added}})
		return Result{Outcome: Applied}
	}
	if len(elements) < limit {
		b.sets[at].elements = slices.Insert(elements, i, added)
		return Result{Outcome: Applied}
	}
	r.bytes -= len(elements[0].data)
	copy(elements, elements[1:i]) // the least one goes
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

// bag makes the bag of an entity that has none.
func (r *Replica) bag(e Entity) *bag {
	b := new(bag)
	r.entities[e] = b
	r.counts[e.Class()]++
	if e.Class() == Versioned {
		r.living[e.number()] = append(r.living[e.number()], e.version())
	}
	return b
}

// Forget drops what an entity has and keeps no trace of it: what comes for it later is taken as new. It is for
// whoever knows that nothing will come, because the entity itself has gone (C7, C15). It is no operation.
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

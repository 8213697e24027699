package crdt

import "sort"

// components has the values and the sets of one entity, each ordered by component. A component is
// in one of the two lists only, as Config.Sets says, or in both, as Config.Both does.
type components struct {
	values []value
	sets   []set
	// first is the room for the first value, which is the only one of most entities: an entity with
	// one value is one piece of memory, and the garbage collector has half as much to look at.
	first [1]value
}

// value is what is stored under the key of a value (C1).
type value struct {
	component uint32
	timestamp uint32
	data      []byte // nil: deleted
	sum       uint64 // of the operation; 0 while it is not computed (C20)
}

// set is what has been appended under a key (C6).
type set struct {
	component uint32
	elements  []element // ascending
}

type element struct {
	timestamp uint32
	data      []byte // never nil
	sum       uint64 // of the operation; 0 while it is not computed (C20)
}

// find returns the index of the value of a component, or the index at which it belongs.
func (b *components) find(component uint32) (i int, ok bool) {
	i = sort.Search(len(b.values), func(i int) bool { return b.values[i].component >= component })
	return i, i < len(b.values) && b.values[i].component == component
}

// findSet returns the index of the set of a component, or the index at which it belongs.
func (b *components) findSet(component uint32) (i int, ok bool) {
	i = sort.Search(len(b.sets), func(i int) bool { return b.sets[i].component >= component })
	return i, i < len(b.sets) && b.sets[i].component == component
}

// op returns the operation that produces v.
func (v *value) op(e Entity) Op {
	if v.data == nil {
		return Op{Kind: Delete, Entity: e, Component: v.component, Timestamp: v.timestamp}
	}
	return Op{Kind: Put, Entity: e, Component: v.component, Timestamp: v.timestamp, Data: v.data}
}

// op returns the operation that appends element i of s.
func (s *set) op(e Entity, i int) Op {
	return Op{
		Kind: Append, Entity: e, Component: s.component,
		Timestamp: s.elements[i].timestamp, Data: s.elements[i].data,
	}
}

// bytes returns how many bytes of data b has.
func (b *components) bytes() int {
	n := 0
	for i := range b.values {
		n += len(b.values[i].data)
	}
	for i := range b.sets {
		for k := range b.sets[i].elements {
			n += len(b.sets[i].elements[k].data)
		}
	}
	return n
}

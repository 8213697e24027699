package crdt

import "sort"

// bag holds what one entity has: values and sets, each in the order of their components. A component is in one of
// them alone, as Config.Sets says.
type bag struct {
	values []value
	sets   []set
}

// value is what lies under a key (C1).
type value struct {
	component uint32
	timestamp uint32
	data      []byte // nil: deleted
	sum       uint64 // of the operation, 0 if it is not computed (C20)
}

// set is what has been appended under a key (C6).
type set struct {
	component uint32
	elements  []element // ascending
}

type element struct {
	timestamp uint32
	data      []byte // never nil
	sum       uint64 // of the operation, 0 if it is not computed (C20)
}

// find returns where the value of a component is, or where it belongs.
func (b *bag) find(component uint32) (i int, ok bool) {
	i = sort.Search(len(b.values), func(i int) bool { return b.values[i].component >= component })
	return i, i < len(b.values) && b.values[i].component == component
}

// findSet returns where the set of a component is, or where it belongs.
func (b *bag) findSet(component uint32) (i int, ok bool) {
	i = sort.Search(len(b.sets), func(i int) bool { return b.sets[i].component >= component })
	return i, i < len(b.sets) && b.sets[i].component == component
}

// op returns the operation that makes v what it is.
func (v *value) op(e Entity) Op {
	if v.data == nil {
		return Op{Kind: Delete, Entity: e, Component: v.component, Timestamp: v.timestamp}
	}
	return Op{Kind: Put, Entity: e, Component: v.component, Timestamp: v.timestamp, Data: v.data}
}

// op returns the operation that appends an element of s.
func (s *set) op(e Entity, i int) Op {
	return Op{Kind: Append, Entity: e, Component: s.component, Timestamp: s.elements[i].timestamp, Data: s.elements[i].data}
}

// bytes returns how many bytes of data b has.
func (b *bag) bytes() int {
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

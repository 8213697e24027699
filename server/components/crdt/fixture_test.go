package crdt

import (
	"fmt"
	"slices"
)

// The sets of the tests, named after how many elements they keep.
const (
	pair   uint32 = 10
	single uint32 = 11
)

func sets(component uint32) (int, bool) {
	switch component {
	case pair:
		return 2, true
	case single:
		return 1, true
	}
	return 0, false
}

// shorter is a comparator that compares lengths first.
func shorter(a, b []byte) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return slices.Compare(a, b)
}

// text returns an operation in readable form.
func text(op Op) string {
	switch op.Kind {
	case Put:
		return fmt.Sprintf("put %d/%d %d %q", op.Entity, op.Component, op.Timestamp, op.Data)
	case Delete:
		return fmt.Sprintf("delete %d/%d %d", op.Entity, op.Component, op.Timestamp)
	case Append:
		return fmt.Sprintf("append %d/%d %d %q", op.Entity, op.Component, op.Timestamp, op.Data)
	case DeleteEntity:
		return fmt.Sprintf("delete entity %d", op.Entity)
	}
	return ""
}

// state returns what a replica keeps, in its order. If the replica counts its bytes of data
// wrongly, that count comes last.
func state(r *Replica) []string {
	var all []string
	n := 0
	for op := range r.Ops() {
		all = append(all, text(op))
		n += len(op.Data)
	}
	if n != r.Bytes() {
		all = append(all, fmt.Sprintf("%d bytes, and says %d", n, r.Bytes()))
	}
	return all
}

// put, del, app and bury make operations on component 1, or on the set pair.
func put(e Entity, timestamp uint32, data string) Op {
	return Op{Kind: Put, Entity: e, Component: 1, Timestamp: timestamp, Data: []byte(data)}
}

func del(e Entity, timestamp uint32) Op {
	return Op{Kind: Delete, Entity: e, Component: 1, Timestamp: timestamp}
}

func app(e Entity, timestamp uint32, data string) Op {
	return Op{Kind: Append, Entity: e, Component: pair, Timestamp: timestamp, Data: []byte(data)}
}

func deleteEntity(e Entity) Op { return Op{Kind: DeleteEntity, Entity: e} }

// of returns a replica that has merged operations.
func of(ops ...Op) *Replica {
	r := New(Config{Sets: sets})
	for _, op := range ops {
		r.Merge(op)
	}
	return r
}

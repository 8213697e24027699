package crdt

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// few are entities of all classes. The deletion of some of them deletes others, too.
var few = []Entity{
	0, versioned(7, 0), versioned(7, 1), versioned(7, 2), versioned(8, 1), aPiece, other,
	FirstTimed + 1, FirstTimed + second + 1, FirstTimed + second + 2, FirstTimed + 2*second + 1,
}

// fewDeleted are the entities that random histories delete; some stand for a time.
var fewDeleted = []Entity{
	0, versioned(7, 0), versioned(7, 1), versioned(8, 3), aPiece,
	FirstTimed + second + 1, FirstTimed + second, FirstTimed + 2*second,
}

var fewData = []string{"", "a", "aa", "b", "\xff"}

// randomOp draws an operation from so few that most of them concern each other. draw returns a
// number of at least 0 and less than n.
func randomOp(draw func(n int) int) Op {
	op := Op{
		Kind: Put, Entity: few[draw(len(few))], Component: uint32(1 + draw(2)),
		Timestamp: uint32(1 + draw(4)),
	}
	switch k := draw(20); {
	case k == 0:
		return deleteEntity(fewDeleted[draw(len(fewDeleted))])
	case k < 5:
		op.Kind = Delete
		return op
	case k < 10:
		op.Kind, op.Component, op.Timestamp = Append, pair+uint32(draw(2)), uint32(draw(4))
	case k == 10: // a value for a set: invalid
		op.Component = pair
	}
	op.Data = []byte(fewData[draw(len(fewData))])
	return op
}

// expected computes from the rules what replicas hold after operations in any order: the greatest
// of each key, the greatest elements, and what deletions leave.
func expected(ops []Op) []string {
	deleted := expectedDeleted(ops)
	kept := map[[2]uint64][]Op{}
	for _, op := range ops {
		limit, isSet := sets(op.Component)
		gone := slices.ContainsFunc(deleted, func(d Entity) bool { return goesWith(op.Entity, d) })
		if op.Kind == DeleteEntity || isSet != (op.Kind == Append) || gone {
			continue
		}
		key := [2]uint64{uint64(op.Entity), uint64(op.Component)}
		all := append(slices.Clone(kept[key]), op)
		slices.SortFunc(all, lower)
		all = slices.CompactFunc(all, func(a, b Op) bool { return lower(a, b) == 0 })
		kept[key] = all[max(0, len(all)-max(limit, 1)):]
	}
	var rest []Op
	for _, all := range kept {
		rest = append(rest, all...)
	}
	slices.SortFunc(rest, func(a, b Op) int {
		return cmp.Or(cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Component, b.Component),
			lower(a, b))
	})
	var want []string
	for _, d := range deleted {
		want = append(want, text(deleteEntity(d)))
	}
	for _, op := range rest {
		want = append(want, text(op))
	}
	return want
}

// lower orders operations of one key: by timestamp, deletions first, then by data.
func lower(a, b Op) int {
	if c := cmp.Compare(a.Timestamp, b.Timestamp); c != 0 || a.Kind == b.Kind {
		return cmp.Or(c, bytes.Compare(a.Data, b.Data))
	}
	if a.Kind == Delete {
		return -1
	}
	return 1
}

// pour merges everything that one replica keeps into another.
func pour(from, into *Replica) {
	for op := range from.Ops() {
		into.Merge(op)
	}
}

// goesWith reports whether the deletion of d deletes e (C5).
func goesWith(e, d Entity) bool {
	switch {
	case d < 1<<32:
		return e < 1<<32 && e%65536 == d%65536 && e <= d
	case d >= 1<<52 && d%(1<<20) == 0:
		return e >= 1<<52 && e <= d
	}
	return e == d
}

// expectedDeleted returns the deleted entities that a replica keeps: those that no other deletion
// covers (C7).
func expectedDeleted(ops []Op) []Entity {
	var all []Entity
	for _, op := range ops {
		if op.Kind == DeleteEntity {
			all = append(all, op.Entity)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(e Entity) bool {
		return slices.ContainsFunc(all, func(d Entity) bool { return d != e && goesWith(e, d) })
	})
}

// TestC4AnyOrderGroupingAndDuplication shows that replicas hold the same after any order, grouping
// and repetition of the same operations (C4).
// Clauses: C4.1, C4.2, C4.3
func TestC4AnyOrderGroupingAndDuplication(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") }
		ops := make([]Op, rapid.IntRange(0, 60).Draw(t, "operations"))
		for i := range ops {
			ops[i] = randomOp(draw)
		}
		want := expected(ops)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		again := slices.Concat(ops, ops[:r.IntN(len(ops)+1)])
		r.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		one := of(again...)
		if got := state(one); !slices.Equal(got, want) {
			t.Fatalf("C4 %d operations\n got %q\nwant %q", len(ops), got, want)
		}
		groups := [3]*Replica{of(), of(), of()} // each learns of the others only what they keep
		for _, op := range again {
			groups[r.IntN(3)].Merge(op)
		}
		for range 2 {
			for _, i := range r.Perm(3) {
				pour(groups[i], groups[(i+1)%3])
				pour(groups[i], groups[(i+2)%3])
			}
		}
		for i := range groups {
			if got := state(groups[i]); !slices.Equal(got, want) {
				t.Fatalf("C4 in groups\n got %q\nwant %q", got, want)
			}
			if groups[i].Digest() != one.Digest() {
				t.Fatal("C20 digests of equal replicas differ")
			}
		}
	})
}

// TestC2OutcomesAreTrue shows that Merge returns the outcome and the correction that fit what it
// did.
func TestC2OutcomesAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := of()
		for range rapid.IntRange(0, 60).Draw(t, "operations") {
			op := randomOp(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") })
			before, digest := state(r), r.Digest()
			had, _ := r.State(op.Entity, op.Component)
			got := r.Merge(op)
			if changed := !slices.Equal(state(r), before); changed != (got.Outcome == Applied) ||
				changed == (r.Digest() == digest) {
				t.Fatalf("C2 %s: outcome %d, changed: %v", text(op), got.Outcome, changed)
			}
			corrected := got.Outcome == Stale && op.Kind != Append
			if text(got.Correction) != "" != corrected ||
				corrected && text(got.Correction) != text(had) {
				t.Fatalf("C2 %s: outcome %d, corrected with %q",
					text(op), got.Outcome, text(got.Correction))
			}
			if corrected { // a correction wins against what it corrects
				sender := of(op)
				if sender.Merge(got.Correction).Outcome != Applied {
					t.Fatalf("C2 the sender of %s is not corrected by %q",
						text(op), text(got.Correction))
				}
			}
			if got.Outcome != Ignored && r.Merge(op).Outcome == Applied {
				t.Fatalf("C4 %s twice", text(op))
			}
		}
	})
}

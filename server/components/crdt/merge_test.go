package crdt

import (
	"errors"
	"slices"
	"testing"
)

// TestC1LocalWrites shows the timestamps of local writes (C1).
func TestC1LocalWrites(t *testing.T) {
	wrote := func(op Op, err error) string {
		if err != nil {
			return err.Error()
		}
		return text(op)
	}
	r := of()
	for _, row := range []struct{ name, got, want string }{
		{"C1.2 the first write", wrote(r.Put(7, 1, []byte("a"))), `put 7/1 1 "a"`},
		{"C1.1 the next write", wrote(r.Put(7, 1, nil)), `put 7/1 2 ""`},
		{"C1.1 a deletion", wrote(r.Delete(7, 1)), `delete 7/1 3`},
		{"C1.1 after a deletion", wrote(r.Put(7, 1, []byte("a"))), `put 7/1 4 "a"`},
		{"C1.2 each key has its own timestamp", wrote(r.Put(7, 2, []byte("a"))), `put 7/2 1 "a"`},
		{"C1.4 the first element", wrote(r.Append(7, pair, []byte("a"))), `append 7/10 1 "a"`},
		{"C1.4 the next element", wrote(r.Append(7, pair, []byte("a"))), `append 7/10 2 "a"`},
		{"C1.4 the third of two", wrote(r.Append(7, pair, []byte("a"))), `append 7/10 3 "a"`},
		{"C5 an entity", wrote(r.DeleteEntity(8)), `delete entity 8`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.got != row.want {
				t.Errorf("got %s, want %s", row.got, row.want)
			}
		})
	}
	t.Run("C1 a write is kept locally, and merges elsewhere", func(t *testing.T) {
		want := []string{
			"delete entity 8", `put 7/1 4 "a"`, `put 7/2 1 "a"`, `append 7/10 2 "a"`,
			`append 7/10 3 "a"`,
		}
		if got := state(r); !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
		if got := state(of(slices.Collect(r.Ops())...)); !slices.Equal(got, want) {
			t.Errorf("elsewhere %q", got)
		}
	})
}

// TestC1LocalWritesThatAreNotMade shows which local writes are refused, with which errors.
func TestC1LocalWritesThatAreNotMade(t *testing.T) {
	r := of(deleteEntity(8), put(9, MaxTimestamp, "z"))
	before := state(r)
	for _, row := range []struct {
		name  string
		write func() (Op, error)
		want  error
	}{
		{"C5.2 to a deleted entity", func() (Op, error) { return r.Put(8, 1, nil) }, ErrDeleted},
		{
			"C5.2 an element of a deleted entity",
			func() (Op, error) { return r.Append(8, pair, nil) }, ErrDeleted,
		},
		{
			"C1.3 after the greatest timestamp",
			func() (Op, error) { return r.Put(9, 1, []byte("zz")) }, ErrSpent,
		},
		{"C6 a value where a set is", func() (Op, error) { return r.Put(7, pair, nil) }, ErrSet},
		{"C6 a deletion where a set is", func() (Op, error) { return r.Delete(7, pair) }, ErrSet},
		{
			"C6 an element where a value is", func() (Op, error) { return r.Append(7, 1, nil) },
			ErrSet,
		},
		{
			"C10.6 too much data", func() (Op, error) { return r.Put(7, 1, make([]byte, MaxData+1)) },
			ErrData,
		},
		{
			"C10.1 an invalid entity", func() (Op, error) { return r.Put(MaxEntity+1, 1, nil) },
			ErrEntity,
		},
		{
			"C10.1 the deletion of an invalid one",
			func() (Op, error) { return r.DeleteEntity(MaxEntity + 1) }, ErrEntity,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			op, err := row.write()
			if !errors.Is(err, row.want) || op.Kind != 0 {
				t.Errorf("got %s, %v", text(op), err)
			}
			if after := state(r); !slices.Equal(after, before) {
				t.Errorf("changed: %q", after)
			}
		})
	}
}

// TestC2_C3_TruthTable plays the truth table of component.md. A row says what a key holds, which
// operation comes, what the key holds then, and what the answer is. Timestamps are one higher than
// in the document, where 0 stands for any lower one.
func TestC2_C3_TruthTable(t *testing.T) {
	const e = 7
	add := func(timestamp uint32) Op { return put(e, timestamp, "a") }
	remove := func(timestamp uint32) Op { return del(e, timestamp) }
	for _, row := range []struct {
		name               string
		before, comes      Op
		after              Op
		outcome            Outcome
		correctedWithAfter bool
	}{
		{"C2.2, C2.3 A(a,1) R() add(a,0)", add(2), add(1), add(2), Stale, true},
		{"C3.7 A(a,1) R() add(a,1)", add(2), add(2), add(2), Same, false},
		{"C2.1 A(a,1) R() add(a,2)", add(2), add(3), add(3), Applied, false},
		{"C2.2, C2.3 A(a,1) R() remove(a,0)", add(2), remove(1), add(2), Stale, true},
		{"C3.4 A(a,1) R() remove(a,1)", add(2), remove(2), add(2), Stale, true},
		{"C2.1 A(a,1) R() remove(a,2)", add(2), remove(3), remove(3), Applied, false},
		{"C2.2, C2.3 A() R(a,1) add(a,0)", remove(2), add(1), remove(2), Stale, true},
		{"C3 A() R(a,1) add(a,1)", remove(2), add(2), add(2), Applied, false},
		{"C2.1 A() R(a,1) add(a,2)", remove(2), add(3), add(3), Applied, false},
		{"C2.2, C2.3 A() R(a,1) remove(a,0)", remove(2), remove(1), remove(2), Stale, true},
		{"C3.7 A() R(a,1) remove(a,1)", remove(2), remove(2), remove(2), Same, false},
		{"C2.1 A() R(a,1) remove(a,2)", remove(2), remove(3), remove(3), Applied, false},
		{
			"C3.1 of equal timestamps the greater data wins", put(e, 2, "a"), put(e, 2, "b"),
			put(e, 2, "b"), Applied, false,
		},
		{
			"C3.6 of equal timestamps the smaller data is corrected", put(e, 2, "b"), put(e, 2, "a"),
			put(e, 2, "b"), Stale, true,
		},
		{
			"C3.2 bytes are compared before lengths", put(e, 2, "b"), put(e, 2, "aa"), put(e, 2, "b"),
			Stale, true,
		},
		{"C3.3, C3.6 a prefix is smaller", put(e, 2, "aa"), put(e, 2, "a"), put(e, 2, "aa"), Stale, true},
		{
			"C3.2 bytes have no sign", put(e, 2, "\x7f"), put(e, 2, "\x80"), put(e, 2, "\x80"),
			Applied, false,
		},
		{"C3.5 empty data is not deleted", remove(2), put(e, 2, ""), put(e, 2, ""), Applied, false},
		{
			"C3.4 deleted is smaller than empty data", put(e, 2, ""), remove(2), put(e, 2, ""), Stale,
			true,
		},
		{
			"C3.7 empty data twice", put(e, 2, ""),
			Op{Kind: Put, Entity: e, Component: 1, Timestamp: 2}, put(e, 2, ""), Same, false,
		},
		{
			"C2.1 the greater timestamp wins, whatever the data", put(e, 2, "z"), put(e, 3, ""),
			put(e, 3, ""), Applied, false,
		},
		{
			"C2.2 the smaller timestamp loses, whatever the data", put(e, 3, ""), put(e, 2, "z"),
			put(e, 3, ""), Stale, true,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := of(row.before)
			got := r.Merge(row.comes)
			if got.Outcome != row.outcome {
				t.Errorf("outcome %d, want %d", got.Outcome, row.outcome)
			}
			want := ""
			if row.correctedWithAfter {
				want = text(row.after)
			}
			if text(got.Correction) != want {
				t.Errorf("corrected with %q, want %q", text(got.Correction), want)
			}
			if got := state(r); !slices.Equal(got, []string{text(row.after)}) {
				t.Errorf("holds %q, want %q", got, text(row.after))
			}
			if got := state(of(row.comes, row.before)); !slices.Equal(got,
				[]string{text(row.after)}) {
				t.Errorf("the other way round it holds %q", got)
			}
		})
	}
}

// TestC3Comparator shows that a component may have a comparator of its own (C3).
func TestC3Comparator(t *testing.T) {
	long, high := put(7, 1, "aa"), put(7, 1, "b")
	for _, row := range []struct {
		name    string
		compare func(a, b []byte) int
		want    Op
	}{
		{"C3.2 bytewise by default", nil, high},
		{"C3.8 by another comparator", shorter, long},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, ops := range [][]Op{{long, high}, {high, long}} {
				r := New(Config{Compare: row.compare})
				for _, op := range ops {
					r.Merge(op)
				}
				if got, _ := r.State(7, 1); text(got) != text(row.want) {
					t.Errorf("holds %s, want %s", text(got), text(row.want))
				}
			}
		})
	}
	t.Run("C3.4 deleted is smallest by another comparator, too", func(t *testing.T) {
		r := New(Config{Compare: func(a, b []byte) int { return shorter(b, a) }})
		r.Merge(put(7, 1, "long"))
		if got := r.Merge(del(7, 1)).Outcome; got != Stale {
			t.Errorf("outcome %d", got)
		}
	})
	t.Run("C3.8, C6.4 elements of a set are compared by it", func(t *testing.T) {
		r := New(Config{Compare: shorter, Sets: sets})
		for _, data := range []string{"z", "aa", "b"} {
			r.Merge(app(7, 1, data))
		}
		if got, want := state(r), []string{
			`append 7/10 1 "z"`, `append 7/10 1 "aa"`,
		}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestC6Sets shows which elements a set keeps, and with which outcomes (C6).
func TestC6Sets(t *testing.T) {
	full := []Op{app(7, 2, "b"), app(7, 3, "a")}
	for _, row := range []struct {
		name    string
		before  []Op
		comes   Op
		outcome Outcome
		after   []Op
	}{
		{"C6 the first element", nil, app(7, 2, "b"), Applied, full[:1]},
		{"C6 the second element", full[:1], app(7, 3, "a"), Applied, full},
		{"C6 the second element is the smaller one", full[1:], app(7, 2, "b"), Applied, full},
		{"C6.6 an existing element", full, app(7, 2, "b"), Same, full},
		{"C6.3, C6.4 a greater one than all", full, app(7, 4, ""), Applied, []Op{full[1], app(7, 4, "")}},
		{"C6.4 one in between", full, app(7, 2, "c"), Applied, []Op{app(7, 2, "c"), full[1]}},
		{"C6.5 a smaller one is not corrected", full, app(7, 2, "a"), Stale, full},
		{"C6, C10.5 a timestamp of 0", nil, app(7, 0, "a"), Applied, []Op{app(7, 0, "a")}},
		{
			"C6 no data", nil, Op{Kind: Append, Entity: 7, Component: pair, Timestamp: 1}, Applied,
			[]Op{app(7, 1, "")},
		},
		{
			"C6.1 a put for a set", full, Op{Kind: Put, Entity: 7, Component: pair, Timestamp: 9},
			Ignored, full,
		},
		{
			"C6.1 a delete for a set", full,
			Op{Kind: Delete, Entity: 7, Component: pair, Timestamp: 9}, Ignored, full,
		},
		{
			"C6.2 an append for a value", full,
			Op{Kind: Append, Entity: 7, Component: 1, Timestamp: 9}, Ignored, full,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := of(row.before...)
			got := r.Merge(row.comes)
			if got.Outcome != row.outcome || got.Correction.Kind != 0 {
				t.Errorf("got %d %q, want %d and no correction",
					got.Outcome, text(got.Correction), row.outcome)
			}
			var want []string
			for _, op := range row.after {
				want = append(want, text(op))
			}
			if got := state(r); !slices.Equal(got, want) {
				t.Errorf("holds %q, want %q", got, want)
			}
			if got := r.Len(7, pair); got != len(row.after) {
				t.Errorf("%d elements, want %d", got, len(row.after))
			}
		})
	}
	t.Run("C6 a set that keeps nothing", func(t *testing.T) {
		r := New(Config{Sets: func(uint32) (int, bool) { return 0, true }})
		if got := r.Merge(app(7, 1, "a")).Outcome; got != Ignored {
			t.Errorf("outcome %d", got)
		}
		if _, err := r.Append(7, pair, nil); !errors.Is(err, ErrSet) {
			t.Errorf("append: %v", err)
		}
	})
}

// TestReadingAKey shows what can be read of a key, and in which order.
func TestReadingAKey(t *testing.T) {
	r := of(put(7, 3, "a"), del(8, 4), app(7, 5, "b"), app(7, 6, "c"), put(1<<40, 1, ""))
	for _, row := range []struct {
		name      string
		e         Entity
		component uint32
		data      string
		ok        bool
		timestamp uint32
		state     string
	}{
		{"C1 a value", 7, 1, "a", true, 3, `put 7/1 3 "a"`},
		{"C3.5 empty data is a value", 1 << 40, 1, "", true, 1, `put 1099511627776/1 1 ""`},
		{"C1 a deleted key has a timestamp", 8, 1, "", false, 4, "delete 8/1 4"},
		{"C1 nothing", 9, 1, "", false, 0, ""},
		{"C1 another component", 8, 2, "", false, 0, ""},
		{"C6 a set is not a value", 7, pair, "", false, 6, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if data, ok := r.Get(row.e, row.component); string(data) != row.data || ok != row.ok {
				t.Errorf("Get: %q, %v", data, ok)
			}
			if got := r.Timestamp(row.e, row.component); got != row.timestamp {
				t.Errorf("Timestamp: %d", got)
			}
			if op, ok := r.State(row.e, row.component); text(op) != row.state ||
				ok != (row.state != "") {
				t.Errorf("State: %q, %v", text(op), ok)
			}
		})
	}
	t.Run("C6 elements ascend", func(t *testing.T) {
		var got []string
		for element := range r.Elements(7, pair) {
			got = append(got, string(element.Data))
		}
		if !slices.Equal(got, []string{"b", "c"}) {
			t.Errorf("got %q", got)
		}
		for range r.Elements(9, pair) {
			t.Error("elements of an unknown set")
		}
	})
	t.Run("C4 sequences end when they are left, and restart", func(t *testing.T) {
		for name, first := range map[string]func() int{
			"Ops":       func() int { return left(r.Ops()) },
			"OpsOf":     func() int { return left(r.OpsOf(7)) },
			"Elements":  func() int { return left(r.Elements(7, pair)) },
			"Entities":  func() int { return left(r.Entities(0, MaxEntity)) },
			"Differing": func() int { return left(r.Differing(new(Digest))) },
		} {
			for range 2 {
				if n := first(); n != 1 {
					t.Errorf("%s: %d", name, n)
				}
			}
		}
	})
	t.Run("C4 entities ascend, from one to another", func(t *testing.T) {
		if got := slices.Collect(r.Entities(8, 1<<40-1)); !slices.Equal(got, []Entity{8}) {
			t.Errorf("got %v", got)
		}
		if got := slices.Collect(r.Entities(0, MaxEntity)); !slices.Equal(got,
			[]Entity{7, 8, 1 << 40}) {
			t.Errorf("got %v", got)
		}
	})
}

// left stops a sequence after its first member, and returns how many members came.
func left[T any](seq func(func(T) bool)) (n int) {
	for range seq {
		n++
		break
	}
	return n
}

// TestC3NilIsEmptyAndNotDeleted shows that nil data is empty data (C3).
// Clauses: C3.5
func TestC3NilIsEmptyAndNotDeleted(t *testing.T) {
	r := of(Op{Kind: Put, Entity: 7, Component: 1, Timestamp: 1},
		Op{Kind: Append, Entity: 7, Component: pair, Timestamp: 1})
	if data, ok := r.Get(7, 1); !ok || data == nil {
		t.Errorf("C3 a put of nil: %v, %v", data, ok)
	}
	if got := state(r); !slices.Equal(got, []string{`put 7/1 1 ""`, `append 7/10 1 ""`}) {
		t.Errorf("C3 got %q", got)
	}
}

// TestC4WhatGoesInIsCopied shows that a replica does not share memory with the data that it was
// given or has returned.
func TestC4WhatGoesInIsCopied(t *testing.T) {
	data := []byte("abc")
	r := of()
	for _, op := range []Op{
		{Kind: Put, Entity: 7, Component: 1, Timestamp: 1, Data: data},
		{Kind: Append, Entity: 7, Component: pair, Timestamp: 1, Data: data},
	} {
		r.Merge(op)
	}
	before := r.Digest()
	was, _ := r.State(7, 1)
	copy(data, "xyz")
	if got := state(r); !slices.Equal(got, []string{`put 7/1 1 "abc"`, `append 7/10 1 "abc"`}) {
		t.Errorf("C4 the writer's bytes are kept: %q", got)
	}
	if r.Digest() != before {
		t.Error("C20 the digest follows the writer's bytes")
	}
	r.Merge(put(7, 2, "def"))
	if text(was) != `put 7/1 1 "abc"` {
		t.Errorf("C4 a returned value changes: %s", text(was))
	}
}

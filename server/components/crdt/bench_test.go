package crdt

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// benchEntities is how many pieces have a label in the benchmarks: as many as a table may have.
const benchEntities = 10_000

// labels returns an operation for each of n pieces, in an order that defeats caches.
func labels(n int, timestamp uint32) []Op {
	ops := make([]Op, n)
	for i := range ops {
		ops[i] = Op{
			Kind: Put, Entity: FirstNamed + Entity(i*7919%n), Component: 3020, Timestamp: timestamp,
			Data: fmt.Appendf(nil, "label %d", i),
		}
	}
	return ops
}

// filled returns a replica that has merged operations.
func filled(ops []Op) *Replica {
	r := New(Config{Sets: sets})
	for _, op := range ops {
		r.Merge(op)
	}
	return r
}

// BenchmarkMerge merges operations into a table of 10,000 labelled pieces.
func BenchmarkMerge(b *testing.B) {
	old, stored := labels(benchEntities, 4), labels(benchEntities, 5)
	buried := make([]Op, benchEntities)
	for i := range buried {
		buried[i] = deleteEntity(stored[i].Entity)
	}
	for _, row := range []struct {
		name  string
		ops   []Op
		first []Op
		want  Outcome
	}{
		{"stale", old, stored, Stale},
		{"same", stored, stored, Same},
		{"ignored", stored, buried, Ignored},
	} {
		b.Run(row.name, func(b *testing.B) {
			r := filled(row.first)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if got := r.Merge(row.ops[i]).Outcome; got != row.want {
					b.Fatalf("outcome %d", got)
				}
				if i++; i == benchEntities {
					i = 0
				}
			}
		})
	}
	b.Run("applied", func(b *testing.B) {
		r, ops, i := filled(stored), slices.Clone(stored), 0
		b.ReportAllocs()
		for b.Loop() {
			ops[i].Timestamp++
			if got := r.Merge(ops[i]).Outcome; got != Applied {
				b.Fatalf("outcome %d", got)
			}
			if i++; i == benchEntities {
				i = 0
			}
		}
	})
	b.Run("applied to a set", func(b *testing.B) {
		r, op := New(Config{Sets: func(uint32) (int, bool) { return 256, true }}),
			app(FirstTimed+1, 1, "twelve bytes")
		b.ReportAllocs()
		for b.Loop() {
			op.Timestamp++
			if got := r.Merge(op).Outcome; got != Applied {
				b.Fatalf("outcome %d", got)
			}
		}
	})
}

// BenchmarkLoad reads and merges a million operations on 10,000 or on a million pieces, from one
// message in memory.
func BenchmarkLoad(b *testing.B) {
	const all = 1_000_000
	for _, entities := range []int{benchEntities, all} {
		b.Run(fmt.Sprintf("entities=%d", entities), func(b *testing.B) {
			var message []byte
			for i := range all / entities {
				for _, op := range labels(entities, uint32(1+i)) {
					message = AppendOp(message, &op)
				}
			}
			b.SetBytes(int64(len(message)))
			for b.Loop() {
				m, err := Decode(message)
				if err != nil || m.Len != all {
					b.Fatal(m.Len, err)
				}
				r := New(Config{Sets: sets})
				for op := range m.Ops() {
					r.Merge(op)
				}
				if living, _ := r.Count(Named); living != entities {
					b.Fatal(living)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/all, "ns/operation")
		})
	}
}

// BenchmarkMemory measures the memory of a labelled piece, with its 12 bytes of text, and of a
// deleted piece.
func BenchmarkMemory(b *testing.B) {
	const entities = 100_000
	ops := labels(entities, 1)
	deletions := make([]Op, entities)
	for i := range deletions {
		deletions[i] = deleteEntity(FirstTimed + Entity(i+1)<<TimedBits + 1)
	}
	for name, ops := range map[string][]Op{"living": ops, "deleted": deletions} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				r := filled(ops)
				b.ReportMetric(float64(heap()-before)/entities, "B/entity")
				runtime.KeepAlive(r)
			}
		})
	}
}

// heap returns how many bytes are reachable.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkWire encodes and decodes a label of 12 bytes in both forms, and reports its size.
func BenchmarkWire(b *testing.B) {
	op := labels(1, 300)[0]
	op.Data = []byte("twelve bytes")
	flat := op
	flat.Entity = 4096
	none := func(Op) {}
	var buffer []byte
	b.Run("protobuf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buffer = AppendOp(buffer[:0], &op)
			m, err := Decode(buffer)
			if err != nil {
				b.Fatal(err)
			}
			for range m.Ops() {
			}
		}
		b.ReportMetric(float64(len(buffer)), "B/operation")
	})
	b.Run("flat", func(b *testing.B) {
		b.ReportAllocs()
		var d FlatDecoder
		for b.Loop() {
			buffer, _ = AppendFlat(buffer[:0], &flat)
			if err := d.Push(buffer, none); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(buffer)), "B/operation")
	})
}

// BenchmarkDigest computes the digest of 10,000 labels: from nothing, and after one change.
func BenchmarkDigest(b *testing.B) {
	ops := labels(benchEntities, 1)
	b.Run("one changed", func(b *testing.B) {
		r, op := filled(ops), ops[0]
		last := r.Digest()
		for b.Loop() {
			op.Timestamp++
			r.Merge(op)
			d := r.Digest()
			if d == last {
				b.Fatal("the same")
			}
			last = d
		}
	})
	b.Run("fresh", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			r := filled(ops)
			b.StartTimer()
			if r.Digest() == (Digest{}) {
				b.Fatal("empty")
			}
		}
	})
}

// TestC2RejectionsCostNothing shows that Merge allocates no memory for operations without effect.
func TestC2RejectionsCostNothing(t *testing.T) {
	r := of(put(7, 5, "abc"), app(7, 5, "a"), app(7, 6, "b"), deleteEntity(8))
	for name, op := range map[string]Op{
		"C2 stale": put(7, 4, "xyz"), "C3 stale": put(7, 5, "abb"), "C3 same": put(7, 5, "abc"),
		"C5 ignored": put(8, 5, "a"), "C5 same": deleteEntity(8),
		"C6 stale": app(7, 4, "a"), "C6 same": app(7, 6, "b"),
		"C6 ignored": {Kind: Put, Entity: 7, Component: pair, Timestamp: 9},
	} {
		t.Run(name, func(t *testing.T) {
			if allocs := testing.AllocsPerRun(100, func() { r.Merge(op) }); allocs > 0 {
				t.Errorf("%v allocations", allocs)
			}
		})
	}
}

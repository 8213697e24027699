package crdt

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// vector is a case of testdata: messages, and what a replica holds after them, sorted.
type vector struct {
	name  string
	ops   []Op
	state []string
}

// vectorMessage is a message of either version.
type vectorMessage struct {
	Key1, Key2  *uint32 // the older ones: component, entity
	Type        int     // the newer ones: 1 put, 2 delete entity
	ComponentID uint32  `json:"componentId"`
	EntityID    uint32  `json:"entityId"`
	Data        *string
	Timestamp   uint32
}

func (m *vectorMessage) op() (Op, error) {
	switch {
	case m.Key1 != nil && m.Key2 != nil && m.Data != nil:
		return Op{
			Kind: Put, Entity: Entity(*m.Key2), Component: *m.Key1, Timestamp: m.Timestamp,
			Data: []byte(*m.Data),
		}, nil
	case m.Type == 1 && m.Data != nil:
		return Op{
			Kind: Put, Entity: Entity(m.EntityID), Component: m.ComponentID, Timestamp: m.Timestamp,
			Data: []byte(*m.Data),
		}, nil
	case m.Type == 2:
		return Op{Kind: DeleteEntity, Entity: Entity(m.EntityID)}, nil
	}
	return Op{}, fmt.Errorf("no message: %+v", m)
}

// vectorState is a final state of the newer version.
type vectorState struct {
	Components      []vectorMessage
	DeletedEntities []struct{ EntityNumber, EntityVersion uint16 }
}

// TestC4_C5_ConformanceVectors replays each case in its order, backwards, and with messages twice;
// in all orders if it has at most six messages, and in 500 random ones otherwise.
func TestC4_C5_ConformanceVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.test"))
	if err != nil || len(files) != 6 {
		t.Fatalf("%d files of vectors, error %v", len(files), err)
	}
	cases := 0
	for _, file := range files {
		for _, v := range readVectors(t, file) {
			cases++
			t.Run(v.name, func(t *testing.T) { replay(t, &v) })
		}
	}
	if cases < 40 {
		t.Errorf("%d cases", cases)
	}
}

func replay(t *testing.T, v *vector) {
	t.Helper()
	check := func(order string, ops []Op) {
		r := New(Config{})
		for _, op := range ops {
			if err := op.Check(); err != nil {
				t.Fatal(err)
			}
			r.Merge(op)
		}
		if got := slices.Sorted(slices.Values(state(r))); !slices.Equal(got, v.state) {
			t.Fatalf("%s\n got %v\nwant %v", order, got, v.state)
		}
	}
	check("in order", v.ops)
	check("backwards", reversed(v.ops))
	check("twice", slices.Concat(v.ops, v.ops))
	check("each twice", slices.Concat(v.ops, reversed(v.ops)))
	if len(v.ops) <= 6 {
		permutations(slices.Clone(v.ops), len(v.ops), func(ops []Op) { check("permuted", ops) })
		return
	}
	const seed = 1
	r := rand.New(rand.NewPCG(seed, uint64(len(v.ops))))
	for i := range 500 {
		ops := slices.Concat(v.ops, v.ops[:r.IntN(len(v.ops))])
		r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
		check(fmt.Sprintf("shuffle %d of seed %d", i, seed), ops)
	}
}

// permutations visits every order of the first n of ops.
func permutations(ops []Op, n int, visit func([]Op)) {
	if n <= 1 {
		visit(ops)
		return
	}
	for i := range n {
		ops[i], ops[n-1] = ops[n-1], ops[i]
		permutations(ops, n-1, visit)
		ops[i], ops[n-1] = ops[n-1], ops[i]
	}
}

func reversed(ops []Op) []Op {
	ops = slices.Clone(ops)
	slices.Reverse(ops)
	return ops
}

// readVectors reads a file. testdata/README.md gives its grammar.
func readVectors(t *testing.T, file string) []vector {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"))
	var vectors []vector
	rest := strings.Split(strings.TrimSpace(string(text)), "\n")
	next := func(want string) string {
		if len(rest) == 0 || want != "" && rest[0] != want {
			t.Fatalf("%s: expected %q before %q", file, want, rest[:min(1, len(rest))])
		}
		line := rest[0]
		rest = rest[1:]
		return line
	}
	for len(rest) > 0 {
		v := vector{name: filepath.Base(filepath.Dir(file)) + ": " +
			strings.TrimPrefix(next(""), "# ")}
		next("# Messages sent over the wire")
		for rest[0] != "# End of messages" {
			var m vectorMessage
			unmarshal(t, next(""), &m)
			op, err := m.op()
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			v.ops = append(v.ops, op)
		}
		next("# End of messages")
		next("# Final CRDT State")
		v.state = readState(t, next(""))
		next("#")
		vectors = append(vectors, v)
	}
	return vectors
}

func readState(t *testing.T, line string) []string {
	t.Helper()
	var state vectorState
	if strings.HasPrefix(line, "[") {
		unmarshal(t, line, &state.Components)
	} else {
		unmarshal(t, line, &state)
	}
	var wanted []string
	for _, m := range state.Components {
		if m.Key1 == nil {
			m.Type = 1
		}
		op, err := m.op()
		if err != nil {
			t.Fatal(err)
		}
		wanted = append(wanted, text(op))
	}
	for _, d := range state.DeletedEntities {
		wanted = append(wanted,
			text(Op{Kind: DeleteEntity, Entity: versioned(d.EntityNumber, d.EntityVersion)}))
	}
	slices.Sort(wanted)
	return wanted
}

func unmarshal(t *testing.T, line string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), into); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
}

package crdt

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the vectors in docs/protocol/vectors")

// scripts are results on which the server and the page (static/js/parts/components) must agree.
type scripts struct {
	Sets     []setVector     `json:"sets"`
	Messages []messageVector `json:"messages"`
	Scripts  []script        `json:"scripts"`
}

type setVector struct {
	Component uint32 `json:"component"`
	Limit     int    `json:"limit"`
}

// opVector is an operation; its data is in hexadecimal digits.
type opVector struct {
	Kind      string `json:"kind"`
	Entity    Entity `json:"entity"`
	Component uint32 `json:"component"`
	Timestamp uint32 `json:"timestamp"`
	Data      string `json:"data"`
}

var kindNames = map[Kind]string{
	Put: "put", Delete: "delete", DeleteEntity: "deleteEntity", Append: "append",
}

func vectorOf(op Op) *opVector {
	if op.Kind == 0 {
		return nil
	}
	return &opVector{
		kindNames[op.Kind], op.Entity, op.Component, op.Timestamp, hex.EncodeToString(op.Data),
	}
}

// messageVector is a WireMessage and its operations and digest; nothing of them if it is refused.
type messageVector struct {
	Hex     string      `json:"hex"`
	Refused bool        `json:"refused"`
	Ops     []*opVector `json:"ops"`
	Digest  string      `json:"digest"`
	Asks    bool        `json:"asks"`
}

// script is a list of steps of a replica, and what the replica holds afterwards.
type script struct {
	Compare string `json:"compare"` // "bytes", or "length": the longer one is greater
	Steps   []step `json:"steps"`
	// The operations that make up the replica, as one message.
	State string `json:"state"`
	// The sums of the buckets that are not 0.
	Digest map[int]string `json:"digest"`
	// What differs from the digest that the replica had after Half steps, as one message.
	Half      int    `json:"half"`
	Differing string `json:"differing"`
}

// step is one step of a script.
type step struct {
	Merge      *opVector `json:"merge,omitempty"`
	Outcome    string    `json:"outcome,omitempty"`
	Correction *opVector `json:"correction,omitempty"` // missing: none

	Write *opVector `json:"write,omitempty"` // its timestamp means nothing
	Wrote *opVector `json:"wrote,omitempty"` // missing: nothing was written

	Forget *Entity `json:"forget,omitempty"`
}

var outcomeNames = map[Outcome]string{
	Applied: "applied", Same: "same", Stale: "stale", Ignored: "ignored",
}

// TestC4Scripts shows that the package computes what the vectors say, which the page must compute,
// too.
func TestC4Scripts(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "protocol", "vectors", "crdt.json")
	var got bytes.Buffer
	if err := json.NewEncoder(&got).Encode(computed()); err != nil {
		t.Fatal(err)
	}
	text := got.Bytes()
	for _, row := range []string{`{"hex"`, `{"compare"`, `{"merge"`, `{"write"`, `{"forget"`} {
		// One row a line, so that a change shows in a diff.
		text = bytes.ReplaceAll(text, []byte(","+row), []byte(",\n"+row))
	}
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Error("C4 the vectors have changed; if they should, run go test -update")
	}
}

func computed() scripts {
	s := scripts{Sets: []setVector{{pair, 2}, {single, 1}}}
	for _, message := range messages() {
		s.Messages = append(s.Messages, readMessage(message))
	}
	for seed := range uint64(60) {
		s.Scripts = append(s.Scripts, played(seed))
	}
	return s
}

// messages are those of the tests of C8 and C10, and damaged ones.
func messages() [][]byte {
	all := [][]byte{
		nil,
		[]byte("\x12\x03abc\x0a\x02\x08\x09\x1a\x00\x10\x07"),
		[]byte(
			"\x28\x01\x31abcdefgh\x35abcd\x2b\x08\x01\x2c\x0a\x08\x08\x01\x10\x07\x18\x01\x20\x05",
		),
		[]byte("\x0a\x12\x08\x02\x08\x01\x10\x01\x10\x07\x18\x01\x20\x05\x2a\x01a\x2a\x01b"),
		[]byte("\x0a\x0b\x08\x02\x10\x07\x18\x01\x20\x05\x2a\x01a"),
		[]byte("\x0a\x04\x08\x04\x18\x0a"),
		[]byte("\x0a\x0d\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x07"),
		[]byte("\x0a\x0d\x08\x03\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		[]byte("\x0a\x0a\x08\x09\x10\x80\x80\x80\x80\x80\x80\x80\x10"),
		[]byte("\x0a\x08\x08\x03\x18\x80\x80\x80\x80\x10"),
		[]byte("\x0a\x08\x08\x04\x20\x80\x80\x80\x80\x10"),
		[]byte("\x0a\x02\x08\x01"), []byte("\x0a\x02\x08\x02"), []byte("\x0a\x05\x08\x01\x2a\x01a"),
		[]byte("\x0a\x05\x08\x01\x2a\x05a"), []byte("\x0a\xff\xff\xff\xff\x0f"), []byte("\x02\x00"),
		[]byte("\x2b\x08\x01"), []byte("\x2c"), []byte("\x0f"),
		[]byte("\x7a\x00"), []byte("\x7a\x03\x0a\x01a"), []byte("\x7a\x02\x10\x01"),
	}
	var every []byte
	for _, op := range someOps {
		if len(op.Data) < 100 {
			every = AppendOp(every, &op)
			all = append(all, AppendOp(nil, &op))
		}
	}
	d := of(someOps[:7]...).Digest()
	all = append(all, every, AppendDigest(every, &d, true),
		AppendDigest(AppendDigest(nil, &Digest{}, true), &d, false),
		append(AppendDigest(nil, &d, false), "\x7a\x02\x10\x01"...))
	const seed = 8
	r := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		damaged := bytes.Clone(every[:r.IntN(len(every))])
		for range r.IntN(3) {
			damaged[r.IntN(len(damaged)+1)%max(len(damaged), 1)] = byte(r.Uint32())
		}
		all = append(all, damaged)
	}
	return all
}

func readMessage(b []byte) messageVector {
	v := messageVector{Hex: hex.EncodeToString(b), Ops: []*opVector{}}
	m, err := Decode(b)
	v.Refused = err != nil
	for op := range m.Ops() {
		v.Ops = append(v.Ops, vectorOf(op))
	}
	if m.Digest != nil {
		v.Digest, v.Asks = hex.EncodeToString(m.Digest.Bytes()), m.Asks
	}
	return v
}

// played plays a random script.
func played(seed uint64) script {
	r := rand.New(rand.NewPCG(seed, 1))
	s := script{Compare: "bytes", Digest: map[int]string{}}
	c := Config{Sets: sets}
	if seed%5 == 4 {
		s.Compare, c.Compare = "length", shorter
	}
	replica := New(c)
	steps := 1 + r.IntN(60)
	s.Half = steps / 2
	half := replica.Digest()
	for i := range steps {
		if i == s.Half {
			half = replica.Digest()
		}
		s.Steps = append(s.Steps, replica.step(r))
	}
	s.State = message(replica.Ops())
	s.Differing = message(replica.Differing(&half))
	for i, sum := range replica.Digest() {
		if sum != 0 {
			s.Digest[i] = fmt.Sprintf("%016x", sum)
		}
	}
	return s
}

// step does something at random.
func (r *Replica) step(random *rand.Rand) step {
	op := randomOp(random.IntN)
	switch k := random.IntN(30); {
	case k == 0:
		r.Forget(op.Entity)
		return step{Forget: &op.Entity}
	case k < 10:
		s := step{Write: vectorOf(op)}
		s.Wrote = vectorOf(r.wish(op))
		return s
	case k == 10 && op.Kind != DeleteEntity:
		op.Timestamp = MaxTimestamp - uint32(random.IntN(2))
	}
	got := r.Merge(op)
	return step{
		Merge: vectorOf(op), Outcome: outcomeNames[got.Outcome],
		Correction: vectorOf(got.Correction),
	}
}

// wish makes a local write of the kind, to the key and with the data of an operation. It returns
// the zero Op if nothing was written.
func (r *Replica) wish(op Op) (wrote Op) {
	switch op.Kind {
	case Put:
		wrote, _ = r.Put(op.Entity, op.Component, op.Data)
	case Delete:
		wrote, _ = r.Delete(op.Entity, op.Component)
	case Append:
		wrote, _ = r.Append(op.Entity, op.Component, op.Data)
	case DeleteEntity:
		wrote, _ = r.DeleteEntity(op.Entity)
	}
	return wrote
}

// message returns operations as one message, in hexadecimal digits.
func message(ops func(func(Op) bool)) string {
	var b []byte
	for op := range ops {
		b = AppendOp(b, &op)
	}
	return hex.EncodeToString(b)
}

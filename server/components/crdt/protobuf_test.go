package crdt

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"holt/server/proto/crdtpb"
)

// someOps are operations at the bounds of C10.
var someOps = []Op{
	put(0, 1, ""), put(7, 1, "a"), del(MaxEntity, MaxTimestamp), deleteEntity(0),
	deleteEntity(FirstTimed),
	app(aPiece, 0, ""), app(aStroke, 5, "\x00\xff"),
	{
		Kind: Put, Entity: MaxEntity, Component: math.MaxUint32, Timestamp: MaxTimestamp,
		Data: bytes.Repeat([]byte{7}, MaxData),
	},
	{Kind: Append, Entity: 0, Component: 0, Timestamp: 0, Data: []byte{}},
}

// encoded returns a message by the generated code.
func encoded(t testing.TB, m *crdtpb.WireMessage) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// generated returns an operation of the generated code.
func generated(op Op) *crdtpb.ComponentOperation {
	m := &crdtpb.ComponentOperation{
		MessageType: int32(op.Kind), EntityId: int64(op.Entity),
		ComponentNumber: int64(op.Component), Timestamp: int64(op.Timestamp),
	}
	if op.Kind == Put || op.Kind == Append {
		m.Data = append([]byte{}, op.Data...)
	}
	return m
}

// texts returns the operations of a message in readable form.
func texts(m *Message) []string {
	var all []string
	for op := range m.Ops() {
		all = append(all, text(op))
	}
	return all
}

// TestC8Encoding shows that messages are encoded as other protobuf libraries encode them (C8).
func TestC8Encoding(t *testing.T) {
	want := &crdtpb.WireMessage{}
	var got []byte
	var wanted []string
	for _, op := range someOps {
		want.Operations = append(want.Operations, generated(op))
		wanted = append(wanted, text(op))
		got = AppendOp(got, &op)
	}
	t.Run("C8.1 as other libraries write it", func(t *testing.T) {
		if !bytes.Equal(got, encoded(t, want)) {
			t.Errorf("got %x", got[:64])
		}
	})
	t.Run("C8.1 and as they read it", func(t *testing.T) {
		m, err := Decode(encoded(t, want))
		if err != nil || m.Len != len(someOps) || !slices.Equal(texts(&m), wanted) {
			t.Errorf("%v, %d operations", err, m.Len)
		}
	})
	t.Run("C20.10 a digest as other libraries write it", func(t *testing.T) {
		d := Digest{3: 9}
		for _, asks := range []bool{false, true} {
			want := &crdtpb.WireMessage{Digest: &crdtpb.Digest{Sums: d.Bytes(), Asks: asks}}
			if got := AppendDigest(nil, &d, asks); !bytes.Equal(got, encoded(t, want)) {
				t.Errorf("got %x", got[:16])
			}
		}
	})
	t.Run("C8 an operation in a few bytes", func(t *testing.T) {
		op := Op{
			Kind: Put, Entity: FirstNamed + 52, Component: 3020, Timestamp: 3,
			Data: []byte("tapped"),
		}
		if got, want := hex.EncodeToString(AppendOp(nil, &op)), "0a150801"+"10b480808010"+"18cc17"+
			"2003"+"2a06746170706564"; got != want {
			t.Errorf("got %s", got)
		}
	})
}

// TestC8Decoding shows how messages are read, with unknown fields, other orders and repeated fields
// (C8).
func TestC8Decoding(t *testing.T) {
	type wire = crdtpb.ComponentOperation
	read := func(t *testing.T, b []byte) []string {
		t.Helper()
		m, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(&m); len(got) == m.Len {
			return got
		}
		t.Fatalf("says that it has %d operations", m.Len)
		return nil
	}
	for _, row := range []struct {
		name string
		op   *wire
		want []string
	}{
		{
			"C8.1 a put",
			&wire{MessageType: 1, EntityId: 7, ComponentNumber: 1, Timestamp: 5, Data: []byte("a")},
			[]string{`put 7/1 5 "a"`},
		},
		{
			"C8 a put of empty data",
			&wire{MessageType: 1, EntityId: 7, ComponentNumber: 1, Timestamp: 5, Data: []byte{}},
			[]string{`put 7/1 5 ""`},
		},
		{
			"C8.4 a put without data",
			&wire{MessageType: 1, EntityId: 7, ComponentNumber: 1, Timestamp: 5},
			[]string{`delete 7/1 5`},
		},
		{
			"C8.1 a delete", &wire{MessageType: 2, EntityId: 7, ComponentNumber: 1, Timestamp: 5},
			[]string{`delete 7/1 5`},
		},
		{
			"C8.6 a delete with data",
			&wire{MessageType: 2, EntityId: 7, ComponentNumber: 1, Timestamp: 5, Data: []byte("a")},
			[]string{`delete 7/1 5`},
		},
		{
			"C8.1, C8.7 a delete entity with more than that",
			&wire{MessageType: 3, EntityId: 7, ComponentNumber: 1, Timestamp: 5, Data: []byte("a")},
			[]string{`delete entity 7`},
		},
		{"C8.1 an append", &wire{
			MessageType: 4, EntityId: 7, ComponentNumber: 10, Timestamp: 5, Data: []byte("a"),
		}, []string{`append 7/10 5 "a"`}},
		{
			"C8.5, C10.5 an append without data", &wire{MessageType: 4, EntityId: 7, ComponentNumber: 10},
			[]string{`append 7/10 0 ""`},
		},
		{
			"C8.2 no type", &wire{EntityId: 7, ComponentNumber: 1, Timestamp: 5, Data: []byte("a")},
			nil,
		},
		{"C8.2 a future type", &wire{MessageType: 5, EntityId: 7}, nil},
		{"C8.2 a negative type", &wire{MessageType: -1, EntityId: 7}, nil},
		{"C8 nothing", &wire{}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			message := &crdtpb.WireMessage{Operations: []*wire{
				generated(put(1, 1, "")), row.op, generated(deleteEntity(9)),
			}}
			want := slices.Concat([]string{`put 1/1 1 ""`}, row.want, []string{"delete entity 9"})
			if got := read(t, encoded(t, message)); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	one := AppendOp(nil, &someOps[1])
	for name, row := range map[string]struct {
		bytes []byte
		want  []string
	}{
		"C8 an empty message": {nil, nil},
		"C8.8 messages end to end": {
			slices.Concat(one, one), []string{text(someOps[1]), text(someOps[1])},
		},
		"C8.3 queries are ignored": {
			slices.Concat([]byte("\x12\x03abc"), one, []byte("\x1a\x00\x10\x07")),
			[]string{text(someOps[1])},
		},
		"C8 unknown fields of any type": {
			slices.Concat([]byte("\x28\x01\x31abcdefgh\x35abcd\x2b\x08\x01\x2c"), one),
			[]string{text(someOps[1])},
		},
		"C8 fields of another type": {
			slices.Concat([]byte("\x08\x01\x78\x01"), one), []string{text(someOps[1])},
		},
		"C8 the last of a field counts": {protowire.AppendBytes([]byte{0x0a},
			[]byte("\x08\x02\x08\x01\x10\x01\x10\x07\x18\x01\x20\x05\x2a\x01a\x2a\x01b")),
			[]string{`put 7/1 5 "b"`}},
		"C8 fields in any order": {protowire.AppendBytes(
			[]byte{0x0a}, []byte("\x2a\x01b\x20\x05\x18\x01\x10\x07\x08\x01"),
		), []string{`put 7/1 5 "b"`}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(t, row.bytes); !slices.Equal(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// TestC10WhatIsRefused shows which messages are refused, with which errors (C8, C10).
func TestC10WhatIsRefused(t *testing.T) {
	type wire = crdtpb.ComponentOperation
	operation := func(op *wire) []byte {
		return encoded(t, &crdtpb.WireMessage{Operations: []*wire{generated(put(1, 1, "")), op}})
	}
	digest := func(d *crdtpb.Digest) []byte { return encoded(t, &crdtpb.WireMessage{Digest: d}) }
	huge := make([]byte, MaxData+1)
	for _, row := range []struct {
		name  string
		bytes []byte
		want  error
	}{
		{
			"C10.1 an entity of 2^53",
			operation(&wire{MessageType: 1, EntityId: 1 << 53, Timestamp: 1}), ErrEntity,
		},
		{"C10.1 a negative entity", operation(&wire{MessageType: 3, EntityId: -1}), ErrEntity},
		{
			"C10.7 also in skipped fields", operation(&wire{MessageType: 9, EntityId: 1 << 53}),
			ErrEntity,
		},
		{
			"C10.7 a component in skipped fields", operation(&wire{ComponentNumber: 1 << 32}),
			ErrComponent,
		},
		{
			"C10.3 a component of 2^32",
			operation(&wire{MessageType: 2, ComponentNumber: 1 << 32, Timestamp: 1}), ErrComponent,
		},
		{
			"C10.3 a negative component", operation(&wire{MessageType: 3, ComponentNumber: -1}),
			ErrComponent,
		},
		{
			"C10.4 a timestamp of 2^32", operation(&wire{MessageType: 1, Timestamp: 1 << 32}),
			ErrTimestamp,
		},
		{"C10.5 a negative timestamp", operation(&wire{MessageType: 4, Timestamp: -1}), ErrTimestamp},
		{
			"C10.4 a put with the timestamp 0", operation(&wire{MessageType: 1, Data: []byte("a")}),
			ErrTimestamp,
		},
		{"C10.4 a delete with the timestamp 0", operation(&wire{MessageType: 2}), ErrTimestamp},
		{
			"C10.4 a put without data with the timestamp 0", operation(&wire{MessageType: 1}),
			ErrTimestamp,
		},
		{"C10.6 too much data", operation(&wire{MessageType: 1, Timestamp: 1, Data: huge}), ErrData},
		{
			"C10.6 too much data of a delete",
			operation(&wire{MessageType: 2, Timestamp: 1, Data: huge}), ErrData,
		},
		{
			"C20.12 a short digest",
			digest(&crdtpb.Digest{Sums: make([]byte, DigestSize-1), Asks: true}), ErrDigest,
		},
		{"C20.12 a long digest", digest(&crdtpb.Digest{Sums: make([]byte, DigestSize+1)}), ErrDigest},
		{"C20.12 a digest without sums", digest(&crdtpb.Digest{Asks: true}), ErrDigest},
		{
			"C8 a message that is cut off",
			operation(&wire{MessageType: 1, Timestamp: 1, Data: []byte("abc")})[:15], ErrMalformed,
		},
		{"C8 a length beyond the end", []byte("\x0a\xff\xff\xff\xff\x0f"), ErrMalformed},
		{
			"C8 a length of 2^63", []byte("\x0a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
			ErrMalformed,
		},
		{
			"C8 a length within an operation beyond its end",
			[]byte("\x0a\x04\x08\x01\x2a\x05abcde"), ErrMalformed,
		},
		{
			"C8 a number of more than 64 bits",
			[]byte("\x0a\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), ErrMalformed,
		},
		{"C8 a number without an end", []byte("\x10\xff\xff\xff"), ErrMalformed},
		{"C8 field 0", []byte("\x02\x00"), ErrMalformed},
		{"C8 a field beyond 2^29", []byte("\x80\x80\x80\x80\x20\x00"), ErrMalformed},
		{"C8 an unknown wire type", []byte("\x0f"), ErrMalformed},
		{"C8 a group without an end", []byte("\x2b\x08\x01"), ErrMalformed},
		{"C8 the end of no group", []byte("\x2c"), ErrMalformed},
		{"C8 a malformed digest", []byte("\x7a\x01\xff"), ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			m, err := Decode(row.bytes)
			if !errors.Is(err, row.want) || m.Len != 0 || m.Digest != nil || texts(&m) != nil {
				t.Errorf("%v, %d operations", err, m.Len)
			}
			if one := errors.Is(err, ErrMalformed) || errors.Is(err, ErrDigest); one ==
				errors.Is(err, ErrOp) {
				t.Errorf("%v is one of them, and of operations: %v", err, one)
			}
		})
	}
	t.Run("C10 kinds", func(t *testing.T) {
		for _, kind := range []Kind{0, 5, 255} {
			if op := (Op{Kind: kind, Timestamp: 1}); !errors.Is(op.Check(), ErrKind) {
				t.Errorf("kind %d passes", kind)
			}
		}
	})
}

// TestC10NoMemoryByClaims shows that a message costs no memory beyond its bytes, whatever lengths
// it claims.
// Clauses: C10.8
func TestC10NoMemoryByClaims(t *testing.T) {
	operations := bytes.Repeat([]byte("\x0a\x04\x08\x01\x20\x01"), 40_000)
	for name, message := range map[string][]byte{
		"C10 many operations": operations,
		"C10 many empty ones": bytes.Repeat([]byte("\x0a\x00"), 100_000),
		"C10 unknown groups": []byte(
			strings.Repeat("\x2b", 5000) + strings.Repeat("\x2c", 5000),
		),
		"C10 a claim of 4 GB":      []byte("\x0a\xff\xff\xff\xff\x0f"),
		"C10 a claim of 4 GB deep": []byte("\x0a\x06\x2a\xff\xff\xff\xff\x0f"),
	} {
		t.Run(name, func(t *testing.T) {
			seen := 0
			allocs := testing.AllocsPerRun(3, func() {
				m, err := Decode(message)
				if err != nil {
					return
				}
				for range m.Ops() {
					seen++
				}
			})
			if allocs > 0 {
				t.Errorf("%v allocations", allocs)
			}
			if name == "C10 many operations" && seen != 4*40_000 {
				t.Errorf("%d operations", seen)
			}
		})
	}
}

// FuzzC8Protobuf compares the decoder with the generated code: they refuse the same bytes, except
// for the bounds of C10, and find the same operations. The operations are encoded again, and
// merged.
func FuzzC8Protobuf(f *testing.F) {
	for _, op := range someOps[:7] {
		f.Add(AppendOp(nil, &op))
	}
	d := Digest{7: 1}
	f.Add(AppendDigest(AppendOp(nil, &someOps[0]), &d, true))
	f.Add([]byte("\x12\x03abc\x0a\x02\x08\x09\x2b\x08\x01\x2c"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var other crdtpb.WireMessage
		otherErr := proto.Unmarshal(b, &other)
		m, err := Decode(b)
		switch {
		case errors.Is(err, ErrMalformed):
			if otherErr == nil {
				t.Fatal("only this decoder finds it malformed")
			}
			return
		case err != nil:
			if !errors.Is(err, ErrOp) && !errors.Is(err, ErrDigest) {
				t.Fatal(err)
			}
			return
		case otherErr != nil:
			t.Fatalf("only the generated code refuses it: %v", otherErr)
		}
		var want, got []string
		for _, op := range other.Operations {
			if op.MessageType >= 1 && op.MessageType <= 4 {
				want = append(want, text(asOp(op)))
			}
		}
		r := New(Config{Sets: sets})
		var again []byte
		for op := range m.Ops() {
			if err := op.Check(); err != nil {
				t.Fatal(err)
			}
			got = append(got, text(op))
			again = AppendOp(again, &op)
			r.Merge(op)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		second, err := Decode(again)
		if err != nil || len(got) != m.Len || !slices.Equal(texts(&second), got) {
			t.Fatalf("written again: %v, %q", err, texts(&second))
		}
		if (m.Digest != nil) != (other.Digest != nil) ||
			m.Digest != nil && !bytes.Equal(m.Digest.Bytes(), other.Digest.Sums) ||
			m.Asks != other.Digest.GetAsks() {
			t.Fatal("the digests differ")
		}
	})
}

// asOp reads an operation of the generated code as C8 says.
func asOp(m *crdtpb.ComponentOperation) Op {
	op := Op{
		Kind: Kind(m.MessageType), Entity: Entity(m.EntityId), Component: uint32(m.ComponentNumber),
		Timestamp: uint32(m.Timestamp), Data: m.Data,
	}
	if op.Kind == Put && m.Data == nil {
		op.Kind = Delete
	}
	return op
}

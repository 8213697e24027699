package bridge

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// bench is a link of which the test plays the room. The view sees the pieces 5 and 6.
type bench struct {
	t *testing.T
	*Bridge
	form Form
	down crdt.FlatDecoder
	// The identities that a flat link has sent since the last look. Only flat links send them.
	identities []crdt.Op
}

func newBench(t *testing.T, form Form, stored ...crdt.Op) *bench {
	t.Helper()
	b := &bench{t: t, form: form, Bridge: New(Config{Form: form, Random: func() uint32 { return 77 }})}
	full := &holtpb.Full{Components: encoded(stored...), Pieces: []*holtpb.Piece{{Id: 5}, {Id: 6}}}
	b.wants(b.told(&holtpb.Event{Event: &holtpb.Event_Full{Full: full}}),
		b.outside(stored, piece, piece+1)...)
	return b
}

// outside returns operations as a new link sends them. Its view sees the given pieces, in the order
// in which they come.
func (b *bench) outside(ops []crdt.Op, pieces ...crdt.Entity) []crdt.Op {
	next := crdt.Entity(firstGiven)
	given := map[crdt.Entity]crdt.Entity{}
	for _, e := range pieces {
		given[e] = next
		next++
	}
	all := slices.Clone(ops)
	for i := range all {
		if e := all[i].Entity; b.form == Flat && e >= crdt.FirstNamed {
			if given[e] == 0 {
				given[e] = next
				next++
			}
			all[i].Entity = given[e]
		}
	}
	return all
}

func encoded(ops ...crdt.Op) []byte {
	var b []byte
	for i := range ops {
		b = crdt.AppendOp(b, &ops[i])
	}
	return b
}

// told returns what the link sends to the replica for a frame, without identities.
func (b *bench) told(events ...*holtpb.Event) []crdt.Op {
	b.t.Helper()
	out, err := b.FromView(&holtpb.Frame{Events: events})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.read(out)
}

func (b *bench) read(messages [][]byte) []crdt.Op {
	b.t.Helper()
	var all []crdt.Op
	for _, message := range messages {
		if b.form == Flat {
			err := b.down.Push(message, func(op crdt.Op) {
				op.Data = bytes.Clone(op.Data)
				if op.Component == schema.Identity {
					b.identities = append(b.identities, op)
				} else {
					all = append(all, op)
				}
			})
			if err != nil {
				b.t.Fatal(err)
			}
			continue
		}
		m, err := crdt.Decode(message)
		if err != nil {
			b.t.Fatal(err)
		}
		all = slices.AppendSeq(all, m.Ops())
	}
	return all
}

// says sends a message of the replica. It returns the operations for the room, and the answer.
func (b *bench) says(ops ...crdt.Op) (room, answer []crdt.Op) {
	b.t.Helper()
	taken, err := b.FromReplica(b.message(ops...), now)
	if err != nil {
		b.t.Fatal(err)
	}
	return taken.Ops, b.read(taken.Answer)
}

func (b *bench) message(ops ...crdt.Op) []byte {
	b.t.Helper()
	if b.form == Protobuf {
		return encoded(ops...)
	}
	var message []byte
	for i := range ops {
		var err error
		if message, err = crdt.AppendFlat(message, &ops[i]); err != nil {
			b.t.Fatal(err)
		}
	}
	return message
}

func (b *bench) wants(got []crdt.Op, want ...crdt.Op) {
	b.t.Helper()
	same := func(x, y crdt.Op) bool {
		return x.Kind == y.Kind && x.Entity == y.Entity && x.Component == y.Component &&
			x.Timestamp == y.Timestamp && bytes.Equal(x.Data, y.Data)
	}
	if !slices.EqualFunc(got, want, same) {
		b.t.Fatalf("form %d: got %+v, want %+v", b.form, got, want)
	}
}

func components(ops ...crdt.Op) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Components{Components: encoded(ops...)}}
}

// identity is what a flat link sends about a piece that has a number on the link.
func identity(e crdt.Entity, name uint32) crdt.Op {
	return crdt.Op{
		Kind: crdt.Put, Entity: e, Component: schema.Identity, Timestamp: 1,
		Data: schema.Encode(&componentpb.Identity{Piece: name}),
	}
}

// update is an update of a piece. If the piece gets another name, name is the one before.
func update(name uint32, change func(*holtpb.Piece)) *holtpb.Event {
	p := &holtpb.Piece{Id: name}
	change(p)
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: p}}}
}

func refusal(op crdt.Op) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Refused{Refused: &holtpb.Refused{
		Entity: uint64(op.Entity), Component: op.Component, Timestamp: op.Timestamp,
	}}}
}

func gone(name uint32) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Update{Update: &holtpb.Update{Piece: &holtpb.Piece{
		Id: name, Gone: new(true),
	}}}}
}

func textPut(e crdt.Entity, number, timestamp uint32, text string) crdt.Op {
	return crdt.Op{
		Kind: crdt.Put, Entity: e, Component: number, Timestamp: timestamp,
		Data: schema.Encode(&componentpb.Text{Text: text}),
	}
}

func title(timestamp uint32, text string) crdt.Op {
	return textPut(schema.TheTable, schema.Title, timestamp, text)
}

func label(e crdt.Entity, timestamp uint32, text string) crdt.Op {
	return textPut(e, schema.Label, timestamp, text)
}

func deleted(op crdt.Op) crdt.Op {
	op.Kind, op.Data = crdt.Delete, nil
	return op
}

func at(timestamp uint32, op crdt.Op) crdt.Op {
	op.Timestamp = timestamp
	return op
}

func burial(e crdt.Entity) crdt.Op { return crdt.Op{Kind: crdt.DeleteEntity, Entity: e} }

var piece = schema.EntityOfPiece(5)

// each runs a test on links of both forms.
func each(t *testing.T, name string, test func(t *testing.T, form Form)) {
	t.Run(name, func(t *testing.T) {
		test(t, Flat)
		test(t, Protobuf)
	})
}

// TestCorrections shows which operations of a replica are corrected, and with which timestamps
// (C19).
func TestCorrections(t *testing.T) {
	// Clauses: C19.11, C19.12, C19.13
	each(t, "C19 only the room gets the replica's operations", func(t *testing.T, form Form) {
		b := newBench(t, form, title(3, "a"), label(piece, 1, "x"))
		b.wants(b.told(components(title(4, "b"))), title(4, "b"))
		room, answer := b.says(title(5, "c"))
		b.wants(room, title(5, "c"))
		b.wants(answer)
		b.wants(b.told(components(title(5, "c"))))
		if !b.Settled() {
			t.Error("it is not settled")
		}
	})
	// Clauses: C19.17, C19.18
	each(t, "C2, C19 a losing write is corrected once, by the link", func(t *testing.T, form Form) {
		b := newBench(t, form, title(3, "b"))
		room, answer := b.says(title(2, "z"), title(3, "a"), title(3, "b"))
		b.wants(room)
		b.wants(answer, title(3, "b"))
	})
	// Clauses: C11.6, C19.20, C19.21, C19.22, C19.23
	each(t, "C19 a refused write is corrected from the store", func(t *testing.T, form Form) {
		b := newBench(t, form, title(3, "a"))
		mine := title(4, "mine")
		b.says(mine)
		b.wants(b.told(refusal(mine)), title(5, "a"))
		b.wants(b.told(components(title(4, "b"))), title(6, "b"))
		room, _ := b.says(title(7, "mine"))
		b.wants(room, title(5, "mine"))
		b.wants(b.told(refusal(title(5, "mine"))), title(8, "b"))
		room, answer := b.says(title(7, "late"))
		b.wants(room)
		b.wants(answer, title(8, "b"))
		other := newBench(t, form, title(4, "b"))
		// What one link has shifted does not concern another link.
		b.wants(other.told(components(title(5, "c"))), title(5, "c"))
	})
	// Clauses: C11.6, C19.20, C19.21, C19.22, C19.23
	each(t, "C19 it is corrected by a deletion if nothing is stored", func(t *testing.T, form Form) {
		b := newBench(t, form)
		far := title(1000, "for ever")
		b.says(far)
		b.wants(b.told(refusal(far)), deleted(at(1001, far)))
		// A deletion with the same timestamp loses against it (C3).
		room, answer := b.says(title(1001, "again"))
		b.wants(room)
		b.wants(answer, deleted(title(1002, "")))
		b.wants(b.told(components(title(1, "a"))), title(1003, "a"))
		room, _ = b.says(title(1004, "b"))
		b.wants(room, title(2, "b"))
	})
	// Clauses: C19.17
	each(t, "C11, C19 a correction is above two refused operations", func(t *testing.T, form Form) {
		b := newBench(t, form, title(1, "a"))
		b.says(title(2, "b"), title(3, "c"))
		b.wants(b.told(refusal(title(2, "b"))), title(4, "a"))
		if !b.Settled() {
			t.Error("it is not settled")
		}
	})
	each(t, "C19 a late operation is corrected again, or taken", func(t *testing.T, form Form) {
		b := newBench(t, form, title(1, "a"))
		b.says(title(2, "b"))
		b.says(title(3, "c"))
		b.wants(b.told(refusal(title(2, "b"))), title(3, "a"))
		b.wants(b.told(refusal(title(3, "c"))), title(4, "a"))
		b.says(title(5, "d"))
		b.says(title(6, "e"))
		b.wants(b.told(refusal(title(2, "d"))), title(6, "a"))
		b.wants(b.told(components(title(3, "e"))), title(8, "e"))
	})
	// Clauses: C19.24
	each(t, "C12, C14, C19 an invalid operation is corrected locally", func(t *testing.T, form Form) {
		b := newBench(t, form, title(1, "a"))
		invalid := title(2, "b")
		invalid.Data = []byte{0xff}
		odd := crdt.Op{
			Kind: crdt.Put, Entity: schema.TheTable, Component: 7, Timestamp: 9, Data: []byte("?"),
		}
		good := textPut(schema.TheSheet, schema.Sheet, 1, "sheet")
		room, answer := b.says(invalid, odd, good)
		b.wants(room, good)
		b.wants(answer, title(3, "a"), deleted(at(10, odd)))
	})
	each(t, "C19 the greatest timestamp, refused, ends the link", func(t *testing.T, form Form) {
		b := newBench(t, form)
		last := title(crdt.MaxTimestamp, "last")
		b.says(last)
		if _, err := b.FromView(&holtpb.Frame{
			Events: []*holtpb.Event{refusal(last)},
		}); !errors.Is(err, ErrSpent) {
			t.Errorf("it ends with %v", err)
		}
	})
	each(t, "C19 timestamps beyond the greatest end the link", func(t *testing.T, form Form) {
		b := newBench(t, form)
		far := title(crdt.MaxTimestamp-2, "far")
		b.says(far)
		b.wants(b.told(refusal(far)), deleted(title(crdt.MaxTimestamp-1, "")))
		b.wants(b.told(components(title(1, "a"))), title(crdt.MaxTimestamp, "a"))
		if _, err := b.FromView(&holtpb.Frame{
			Events: []*holtpb.Event{components(title(2, "b"))},
		}); !errors.Is(err, ErrSpent) {
			t.Errorf("it ends with %v", err)
		}
	})
	// Clauses: C19.19
	each(t, "C19 a spectator reads, and what it writes is corrected", func(t *testing.T, form Form) {
		b := newBench(t, form, title(1, "a"))
		b.readOnly = true
		room, answer := b.says(title(2, "b"), burial(schema.TheTable))
		b.wants(room)
		again := title(1, "a")
		again.Entity = 1 << versionBits
		b.wants(answer, again, at(3, again))
	})
}

// TestBounds shows which bounds and which messages end a link (C19).
func TestBounds(t *testing.T) {
	t.Run("C19 keys with timestamps of their own are bounded", func(t *testing.T) {
		b := newBench(t, Protobuf)
		var ops []crdt.Op
		for n := range uint32(MaxShifted + 1) {
			ops = append(ops, crdt.Op{Kind: crdt.Put, Component: 10_000 + n, Timestamp: 1})
		}
		if _, answer := b.says(ops[:MaxShifted]...); len(answer) != MaxShifted {
			t.Fatalf("%d are corrected", len(answer))
		}
		if _, err := b.FromReplica(encoded(ops[MaxShifted]), now); !errors.Is(err, ErrSpent) {
			t.Errorf("one more: %v", err)
		}
	})
	t.Run("C19 entities deleted only on it are bounded", func(t *testing.T) {
		b := newBench(t, Protobuf)
		for n := range crdt.Entity(MaxLives) {
			if _, err := b.FromReplica(encoded(burial(schema.EntityOfPiece(1)+n)), now); err != nil {
				t.Fatal(n, err)
			}
		}
		if _, err := b.FromReplica(
			encoded(burial(schema.TheTable)), now,
		); !errors.Is(err, ErrResetRequired) {
			t.Errorf("one more: %v", err)
		}
	})
	each(t, "C19 a second full state ends the link", func(t *testing.T, form Form) {
		b := newBench(t, form)
		full := &holtpb.Event{Event: &holtpb.Event_Full{Full: &holtpb.Full{}}}
		if _, err := b.FromView(&holtpb.Frame{
			Events: []*holtpb.Event{full},
		}); !errors.Is(err, ErrResetRequired) {
			t.Errorf("it ends with %v", err)
		}
	})
	each(t, "C8, C9, C19.7 a malformed message ends the link", func(t *testing.T, form Form) {
		b := newBench(t, form)
		if _, err := b.FromReplica([]byte{7, 0, 0, 0}, now); err == nil {
			t.Error("it is accepted")
		}
	})
	each(t, "C19 a large state goes in several messages", func(t *testing.T, form Form) {
		var ops []crdt.Op
		for n := range crdt.Entity(100) {
			ops = append(ops, textPut(schema.EntityOfPiece(1)+n, schema.Remark, 1,
				string(bytes.Repeat([]byte("x"), 1000))))
		}
		b := &bench{t: t, form: form, Bridge: New(Config{Form: form})}
		out, err := b.FromView(&holtpb.Frame{Events: []*holtpb.Event{
			{Event: &holtpb.Event_Full{Full: &holtpb.Full{Components: encoded(ops...)}}},
		}})
		if err != nil || len(out) != 2 || len(out[0]) > messageSize+1100 {
			t.Fatalf("%d messages, %v", len(out), err)
		}
		b.wants(b.read(out), b.outside(ops)...)
	})
}

// TestWholeOperations shows that each message can be read without the one before it.
// Clauses: C19.10
func TestWholeOperations(t *testing.T) {
	each(t, "C19.10 each message has whole operations", func(t *testing.T, form Form) {
		var ops []crdt.Op
		for n := range crdt.Entity(100) {
			ops = append(ops, textPut(schema.EntityOfPiece(1)+n, schema.Remark, 1,
				string(bytes.Repeat([]byte("x"), 1000+int(n)))))
		}
		b := New(Config{Form: form})
		out, err := b.FromView(&holtpb.Frame{Events: []*holtpb.Event{
			{Event: &holtpb.Event_Full{Full: &holtpb.Full{Components: encoded(ops...)}}},
		}})
		if err != nil || len(out) < 2 {
			t.Fatalf("%d messages, %v", len(out), err)
		}
		var read []crdt.Op
		for _, message := range out {
			alone := &bench{t: t, form: form} // with a decoder of its own
			before := len(read)
			if read = append(read, alone.read([][]byte{message})...); len(read) == before {
				t.Error("a message has no operation")
			}
		}
		same := &bench{t: t, form: form}
		same.wants(read, (&bench{form: form}).outside(ops)...)
	})
}

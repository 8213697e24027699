package client

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

const (
	sheet  = schema.TheSheet
	points = schema.Points
)

var (
	pieceOne = schema.EntityOfPiece(1)
	aStroke  = schema.EntityOfStroke(7, 7)
)

func textOf(s string) []byte { return schema.Encode(&componentpb.Text{Text: s}) }

// put is an operation as the server sends it.
func put(e crdt.Entity, number, timestamp uint32, s string) crdt.Op {
	return crdt.Op{
		Kind: crdt.Put, Entity: e, Component: number, Timestamp: timestamp, Data: textOf(s),
	}
}

func encoded(ops ...crdt.Op) []byte {
	var b []byte
	for i := range ops {
		b = crdt.AppendOp(b, &ops[i])
	}
	return b
}

func tells(ops ...crdt.Op) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Components{Components: encoded(ops...)}}
}

func refusedAs(op crdt.Op, why holtpb.Refusal) *holtpb.Event {
	return &holtpb.Event{Event: &holtpb.Event_Refused{Refused: &holtpb.Refused{
		Entity: uint64(op.Entity), Component: op.Component, Timestamp: op.Timestamp, Reason: why,
	}}}
}

// fullWith is a full state with the pieces 1 and 2, and with components.
func fullWith(ops ...crdt.Op) *holtpb.Event {
	e := full(epoch, at(1, 10, 0, 0), at(2, 20, 50, 50))
	e.GetFull().Components = encoded(ops...)
	return e
}

// known returns a replica that has received a full state with components.
func known(t *testing.T, ops ...crdt.Op) *viewState {
	t.Helper()
	r := &viewState{}
	kinds(t, r, frame(20, fullWith(ops...)), Synchronised)
	return r
}

// writes makes a write, which must be possible, and takes it for sent.
func writes(t *testing.T, r *viewState, op crdt.Op) crdt.Op {
	t.Helper()
	op, err := r.parts.write(op)
	if err != nil {
		t.Fatal(err)
	}
	r.parts.unsent()
	return op
}

func displays(t *testing.T, r *viewState, e crdt.Entity, number uint32, want string) {
	t.Helper()
	data, ok := r.parts.get(e, number)
	if ok != (want != "") || ok && !bytes.Equal(data, textOf(want)) {
		t.Fatalf("it displays %q (%v), want %q", data, ok, want)
	}
}

// TestWrites shows what becomes of a write to a component: it is displayed at once, and then
// confirmed, overtaken or refused (C17).
func TestWrites(t *testing.T) {
	title := crdt.Op{Kind: crdt.Put, Entity: sheet, Component: schema.Sheet, Data: textOf("mine")}
	t.Run("C1, C17.8 a write is shown at once, on top of the confirmed state", func(t *testing.T) {
		r := known(t, put(sheet, schema.Sheet, 3, "old"))
		displays(t, r, sheet, schema.Sheet, "old")
		if op := writes(t, r, title); op.Timestamp != 4 {
			t.Errorf("its timestamp is %d", op.Timestamp)
		}
		displays(t, r, sheet, schema.Sheet, "mine")
		writes(t, r, crdt.Op{Kind: crdt.Delete, Entity: sheet, Component: schema.Sheet})
		displays(t, r, sheet, schema.Sheet, "")
		if data, ok := r.parts.confirmed.Replica().Get(sheet, schema.Sheet); !ok ||
			!bytes.Equal(data, textOf("old")) {
			t.Errorf("the confirmed value is %q", data)
		}
	})
	t.Run("C17.6 it is kept until it comes back", func(t *testing.T) {
		r := known(t)
		op := writes(t, r, title)
		kinds(t, r, frame(30, tells(put(sheet, schema.FirstColumn, 1, "x"))), ComponentChanged)
		if len(r.parts.writes) != 1 {
			t.Fatal("it is not kept")
		}
		e := kinds(t, r, frame(31, tells(op)), ComponentChanged, WriteTaken)
		if e[1].Entity != sheet || e[1].Component != schema.Sheet || e[1].Timestamp != 1 {
			t.Errorf("it reports %+v", e[1])
		}
		displays(t, r, sheet, schema.Sheet, "mine")
	})
	t.Run("C2, C3, C17.6 a greater write replaces it, a smaller one does not", func(t *testing.T) {
		r := known(t)
		writes(t, r, title)
		kinds(t, r, frame(30, tells(put(sheet, schema.Sheet, 1, "aaaa"))), ComponentChanged)
		displays(t, r, sheet, schema.Sheet, "mine")
		kinds(t, r, frame(31, tells(put(sheet, schema.Sheet, 1, "your"))), ComponentChanged,
			WriteOvertaken)
		displays(t, r, sheet, schema.Sheet, "your")
	})
	t.Run("C11, C17.6 a refused write shows the confirmed state again", func(t *testing.T) {
		r := known(t, put(sheet, schema.Sheet, 3, "old"))
		op := writes(t, r, title)
		kinds(t, r,
			frame(30, refusedAs(put(sheet, schema.Sheet, 3, ""), holtpb.Refusal_REFUSAL_FULL)))
		e := kinds(t, r, frame(30, refusedAs(op, holtpb.Refusal_REFUSAL_FULL)), WriteRefused)
		if e[0].Refusal != schema.Full || e[0].Err != nil {
			t.Errorf("it reports %+v", e[0])
		}
		displays(t, r, sheet, schema.Sheet, "old")
	})
	t.Run("C11 one refusal is reported for all elements of a message", func(t *testing.T) {
		r := known(t,
			crdt.Op{Kind: crdt.Put, Entity: aStroke, Component: schema.Stroke, Timestamp: 1})
		element := crdt.Op{
			Kind: crdt.Append, Entity: aStroke, Component: points,
			Data: schema.Encode(&componentpb.Points{X: []int32{1}, Y: []int32{1}}),
		}
		var ops []crdt.Op
		for range 2 {
			op, err := r.parts.write(element)
			if err != nil {
				t.Fatal(err)
			}
			ops = append(ops, op)
		}
		if ops[0].Timestamp != 1 || ops[1].Timestamp != 2 || len(r.parts.unsent()) != 2 {
			t.Fatalf("it writes %+v", ops)
		}
		writes(t, r, element) // it goes in a message of its own
		kinds(t, r, frame(30, refusedAs(ops[0], holtpb.Refusal_REFUSAL_FULL)), WriteRefused,
			WriteRefused)
		if n := len(r.parts.writes); n != 1 {
			t.Errorf("%d are pending", n)
		}
	})
	t.Run("C17 the last write of a value waits; a replaced one has no timestamp", func(t *testing.T) {
		r := known(t)
		for range 300 { // the room refuses a jump of more than 256 (C12)
			if op, err := r.parts.write(title); err != nil || op.Timestamp != 1 {
				t.Fatalf("%+v, %v", op, err)
			}
		}
		if ops := r.parts.unsent(); len(ops) != 1 {
			t.Fatalf("it sends %+v", ops)
		}
		if op := writes(t, r, title); op.Timestamp != 2 || len(r.parts.writes) != 1 {
			t.Errorf("then it writes %+v", op)
		}
	})
	t.Run("C17.9 pending writes are sent again on the next stream", func(t *testing.T) {
		r := known(t)
		first := writes(t, r, title)
		r.lost()
		second, err := r.parts.write(crdt.Op{
			Kind: crdt.Put, Entity: pieceOne, Component: schema.Label, Data: textOf("x"),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, whole := range []*holtpb.Event{resumed(), fullWith()} {
			if _, err := r.frame(frame(30, whole), nil); err != nil {
				t.Fatal(err)
			}
			if got := r.parts.unsent(); len(got) != 2 || got[0].Entity != first.Entity ||
				got[1].Entity != second.Entity {
				t.Errorf("it sends %+v", got)
			}
		}
		kinds(t, r, frame(30, fullWith(first, second)), Synchronised, WriteTaken, WriteTaken)
	})
	t.Run("T19 nothing of another epoch is sent again", func(t *testing.T) {
		r := known(t)
		writes(t, r, title)
		kinds(t, r, frame(30, full(epoch+1)), WriteRefused, Synchronised)
	})
	t.Run("C12, C14 an inapplicable write is not made", func(t *testing.T) {
		r := known(t, crdt.Op{Kind: crdt.DeleteEntity, Entity: aStroke})
		var fault *schema.Fault
		for _, c := range []struct {
			op   crdt.Op
			want error
		}{
			{
				crdt.Op{Kind: crdt.Put, Entity: sheet, Component: schema.Title, Data: textOf("x")},
				ErrNoComponent,
			},
			{crdt.Op{
				Kind: crdt.Append, Entity: sheet, Component: schema.Sheet, Data: textOf("x"),
			}, ErrNoComponent},
			{crdt.Op{Kind: crdt.Put, Entity: aStroke, Component: schema.Stroke}, crdt.ErrDeleted},
		} {
			if _, err := r.parts.write(c.op); !errors.Is(err, c.want) {
				t.Errorf("%+v: %v", c.op, err)
			}
		}
		if _, err := r.parts.write(crdt.Op{
			Kind: crdt.Put, Entity: sheet, Component: schema.Sheet, Data: []byte{0xff},
		}); !errors.As(err, &fault) {
			t.Errorf("an invalid text: %v", err)
		}
		if _, err := (&viewState{}).parts.write(title); !errors.Is(err, ErrNotSynchronised) {
			t.Errorf("before the full state: %v", err)
		}
	})
	t.Run("C17 pending writes and messages are bounded", func(t *testing.T) {
		r := known(t,
			crdt.Op{Kind: crdt.Put, Entity: aStroke, Component: schema.Stroke, Timestamp: 1})
		element := crdt.Op{
			Kind: crdt.Append, Entity: aStroke, Component: points,
			Data: schema.Encode(&componentpb.Points{X: make([]int32, 200), Y: make([]int32, 200)}),
		}
		for range maxWrites {
			if _, err := r.parts.write(element); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.parts.write(element); !errors.Is(err, ErrTooManyWrite) {
			t.Errorf("one more: %v", err)
		}
		sent := 0
		for ops := r.parts.unsent(); len(ops) > 0; ops = r.parts.unsent() {
			if sent += len(ops); len(ops) > maxOps || len(encoded(ops...)) > maxOpBytes {
				t.Fatalf("%d operations in a message of %d bytes", len(ops), len(encoded(ops...)))
			}
		}
		if sent != maxWrites {
			t.Errorf("%d are sent", sent)
		}
	})
	t.Run("C16 clearing the layer removes its strokes at once, no later ones", func(t *testing.T) {
		young := schema.EntityOfStroke(8, 7)
		look := schema.Encode(&componentpb.Stroke{Width: 5})
		told := func(e crdt.Entity) crdt.Op {
			return crdt.Op{
				Kind: crdt.Put, Entity: e, Component: schema.Stroke, Timestamp: 1, Data: look,
			}
		}
		r := known(t, told(aStroke), told(young))
		writes(t, r, crdt.Op{Kind: crdt.DeleteEntity, Entity: schema.Clearing(8)})
		for e, shown := range map[crdt.Entity]bool{aStroke: false, young: true} {
			if _, ok := r.parts.get(e, schema.Stroke); ok != shown || r.parts.isDeleted(e) == shown {
				t.Errorf("stroke %d is displayed: %v, gone: %v", e, ok, r.parts.isDeleted(e))
			}
		}
		if _, err := r.parts.write(told(aStroke)); !errors.Is(err, crdt.ErrDeleted) {
			t.Errorf("a deleted one is written: %v", err)
		}
	})
	t.Run("C16 a deleted stroke goes at once, and writes to it are not sent", func(t *testing.T) {
		r := known(t,
			crdt.Op{Kind: crdt.Put, Entity: aStroke, Component: schema.Stroke, Timestamp: 1})
		element := crdt.Op{
			Kind: crdt.Append, Entity: aStroke, Component: points,
			Data: schema.Encode(&componentpb.Points{X: []int32{1}, Y: []int32{1}}),
		}
		if _, err := r.parts.write(element); err != nil {
			t.Fatal(err)
		}
		if op := writes(
			t, r, crdt.Op{Kind: crdt.DeleteEntity, Entity: aStroke},
		); op.Kind != crdt.DeleteEntity || len(r.parts.writes) != 1 || !r.parts.isDeleted(aStroke) {
			t.Errorf("pending is %+v", r.parts.writes)
		}
		kinds(t, r, frame(30, tells(crdt.Op{Kind: crdt.DeleteEntity, Entity: aStroke})),
			ComponentChanged, WriteTaken)
	})
}

// TestWritesOnPieces shows what becomes of pending writes when their piece is renamed, changes its
// owner or disappears (C15).
func TestWritesOnPieces(t *testing.T) {
	label := crdt.Op{
		Kind: crdt.Put, Entity: pieceOne, Component: schema.Label, Data: textOf("mine"),
	}
	for name, p := range map[string]*holtpb.Piece{
		"is gone":          {Id: 1, Mark: 30, Gone: new(true)},
		"has another name": {Id: 1, Mark: 30, Renamed: new(uint32(20_000))},
		"changes hands":    {Id: 1, Mark: 30, Owner: new(uint32(1))},
	} {
		// Clauses: C15.4, C15.5, C15.9, C15.10, C15.12
		t.Run("C15, C17 when a piece "+name+" its labels and pending writes go", func(t *testing.T) {
			r := known(t, put(pieceOne, schema.Remark, 5, "old"))
			writes(t, r, label)
			e := kinds(t, r, frame(30, update(1, holtpb.Op_OP_RELEASE, p)), ComponentChanged,
				WriteRefused, Updated)
			if e[0].Entity != pieceOne || e[0].Component != 0 || e[1].Refusal != schema.Gone {
				t.Errorf("it reports %+v", e)
			}
			displays(t, r, pieceOne, schema.Remark, "")
			displays(t, r, pieceOne, schema.Label, "")
		})
	}
	t.Run("C15.9 the same holds for the client's own updates", func(t *testing.T) {
		r := known(t, put(pieceOne, schema.Remark, 5, "old"))
		seq := do(t, r, moveTo(1, 5, 5))
		kinds(t, r,
			frame(30, ack(uint64(seq), &holtpb.Piece{Id: 1, Mark: 30, Owner: new(uint32(you))})),
			ComponentChanged, Acked)
		displays(t, r, pieceOne, schema.Remark, "")
	})
	t.Run("C15 a label on a hand stays when the hand is claimed", func(t *testing.T) {
		r := known(t, put(pieceOne, schema.Remark, 5, "old"))
		kinds(t, r, frame(30, update(
			1, holtpb.Op_OP_CLAIM, &holtpb.Piece{Id: 1, Mark: 30, Owner: new(uint32(1))},
		)), Updated)
		displays(t, r, pieceOne, schema.Remark, "old")
	})
	// Clauses: C15.13, C15.14
	t.Run("C15, S5 a full state without the piece ends its pending writes", func(t *testing.T) {
		for _, pieces := range [][]*holtpb.Piece{
			{at(2, 20, 50, 50)}, {{Id: 1, Mark: 40, Owner: new(uint32(1))}},
		} {
			r := known(t)
			writes(t, r, label)
			e := kinds(t, r, frame(30, full(epoch, pieces...)), Synchronised, WriteRefused)
			if e[1].Refusal != schema.Gone {
				t.Errorf("it reports %+v", e[1])
			}
		}
	})
}

// TestComponents shows what a complete client sends for writes to components, and what it does
// about the answers.
func TestComponents(t *testing.T) {
	ops := func(b *booth) []crdt.Op {
		m, err := crdt.Decode(<-b.writes)
		if err != nil {
			b.t.Fatal(err)
		}
		return slices.Collect(m.Ops())
	}
	in(t, "C17.17 writes are posted, and retried after a failure", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		v := b.visited()
		if err := c.Put(sheet, schema.Sheet, textOf("early")); !errors.Is(err, ErrNotSynchronised) {
			t.Errorf("before the full state: %v", err)
		}
		v.says(frame(20, fullWith(put(sheet, schema.Sheet, 1, "old"))))
		b.answers <- 503
		if err := c.Put(sheet, schema.Sheet, textOf("new")); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := ops(b); len(got) != 1 || got[0].Timestamp != 2 {
				t.Fatalf("it posts %+v", got)
			}
			if got, want := <-b.told, fmt.Sprint(epoch, " 20"); got != want {
				t.Errorf("C17 its message claims the version %s, want %s", got, want)
			}
			v.says(frame(21, tells(put(sheet, schema.FirstColumn, 1, "x"))))
		}
		c.Cut(time.Second)
		b.settled()
		if err := errors.Join(
			c.Put(pieceOne, schema.Label, textOf("off line")), c.Delete(pieceOne, schema.Label),
		); err != nil {
			t.Fatal(err)
		}
		v = b.visited()
		if data, ok := c.Component(sheet, schema.Sheet); !ok || !bytes.Equal(data, textOf("new")) {
			t.Errorf("without a stream it displays %q", data)
		}
		v.says(frame(20, resumed()))
		if got := ops(b); len(got) != 2 || got[1].Kind != crdt.Delete || got[1].Timestamp != 1 {
			t.Errorf("then it posts %+v", got)
		}
		if data, ok := c.Component(pieceOne, schema.Label); ok {
			t.Errorf("of the piece it displays %q", data)
		}
	})
	in(t, "C12, C17 a refused message leaves no pending write", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		b.visited().says(frame(20, fullWith()))
		b.answers <- 403
		if err := c.Put(sheet, schema.Sheet, textOf("new")); err != nil {
			t.Fatal(err)
		}
		ops(b)
		b.settled()
		if _, ok := c.Component(sheet, schema.Sheet); ok {
			t.Error("it still displays it")
		}
		if _, n := c.Digest(); n != 0 {
			t.Errorf("%d are pending", n)
		}
	})
	in(t, "C17 an unknown seat ends the client", func(t *testing.T, b *booth) {
		c, leave := b.running(t)
		b.visited().says(frame(20, fullWith()))
		b.answers <- 401
		if err := c.Append(
			schema.TheTable, schema.Ping, schema.Encode(&componentpb.Ping{Seat: you}),
		); err != nil {
			t.Fatal(err)
		}
		var p *Problem
		b.settled()
		if err := leave(); !errors.As(err, &p) || p.Status != 401 {
			t.Errorf("it ends with %v", err)
		}
	})
}

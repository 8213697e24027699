package wire

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// cutCases returns events, with how each travels and which pieces it is about.
func cutCases() []cutCase {
	update := func(p *holtpb.Piece) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Update{
			Update: &holtpb.Update{Piece: p, By: 3, Op: holtpb.Op_OP_MOVE},
		}}
	}
	ack := func(p *holtpb.Piece, made uint32) *holtpb.Event {
		return &holtpb.Event{
			Event: &holtpb.Event_Ack{Ack: &holtpb.Ack{Seq: 9, Piece: p, Made: made}},
		}
	}
	reject := func(p *holtpb.Piece) *holtpb.Event {
		return &holtpb.Event{Event: &holtpb.Event_Reject{
			Reject: &holtpb.Reject{Seq: 9, Reason: holtpb.Reason_REASON_HELD, Piece: p},
		}}
	}
	moved := &holtpb.Piece{
		Id: 7, Mark: 1 << 20, X: proto.Int32(-4), Z: proto.String("0.5"),
		ZMark: proto.Uint64(1 << 20),
	}
	written := crdt.AppendOp(nil, &crdt.Op{
		Kind: crdt.Put, Entity: schema.EntityOfPiece(7), Component: 3020, Timestamp: 1,
		Data: []byte("x"),
	})
	written = crdt.AppendOp(written, &crdt.Op{
		Kind: crdt.Delete, Entity: schema.EntityOfPiece(20_000), Component: 3021, Timestamp: 2,
	})
	drawn := crdt.AppendOp(nil, &crdt.Op{
		Kind: crdt.Put, Entity: schema.EntityOfStroke(5, 1), Component: schema.Author, Timestamp: 1,
		Data: []byte{8, 1},
	})
	return []cutCase{
		{"D33 a full state", Barrier, nil, &holtpb.Event{
			Event: &holtpb.Event_Full{Full: &holtpb.Full{Pieces: []*holtpb.Piece{moved}}},
		}},
		{"D33 resumed", Barrier, nil, ResumedEvent(nil, nil, nil)},
		{"D33 a seat", Barrier, nil, &holtpb.Event{
			Event: &holtpb.Event_Seat{Seat: &holtpb.Seat{Id: 7}},
		}},
		{"D33 the table", Barrier, nil, &holtpb.Event{
			Event: &holtpb.Event_Table{Table: &holtpb.TableInfo{Title: "x"}},
		}},
		{"D33 going", Fence, nil, GoingEvent(5, false)},
		{"D33 a shuffle", Fence, nil, ShuffledEvent(1, []id.Piece{7, 8})},
		{"D33 a notice", Fence, nil, &holtpb.Event{
			Event: &holtpb.Event_Notice{Notice: &holtpb.Notice{Piece: 7}},
		}},
		{"D33 faces", Fence, nil, &holtpb.Event{
			Event: &holtpb.Event_Faces{Faces: &holtpb.Faces{Piece: 7}},
		}},
		{"D33 randomness", Fence, nil, &holtpb.Event{
			Event: &holtpb.Event_Fair{Fair: &holtpb.Fair{Round: 1}},
		}},
		{"D33 only unknown events", Fence, nil, &holtpb.Event{}},
		{"D32.1 an update", Ordered, []id.Piece{7}, update(moved)},
		{"D33 an update that reports a piece gone", Fence, []id.Piece{7}, update(
			&holtpb.Piece{Id: 7, Gone: proto.Bool(true)})},
		{"D32.1, D33 one that renames it", Fence, []id.Piece{7, 30_000}, update(&holtpb.Piece{
			Id: 7, Renamed: proto.Uint32(30_000),
		})},
		{"D33 one that gives it to nobody", Fence, []id.Piece{7}, update(&holtpb.Piece{
			Id: 7, Owner: proto.Uint32(0),
		})},
		{"D33 one that gives it another team", Fence, []id.Piece{7}, update(&holtpb.Piece{
			Id: 7, Team: &holtpb.Team{},
		})},
		{"D33 one of a piece that was not seen before", Fence, []id.Piece{7}, update(&holtpb.Piece{
			Id: 7, Kind: proto.Uint32(0), ZMark: proto.Uint64(4),
		})},
		{"D32 one that turns a card face up", Ordered, []id.Piece{7}, update(&holtpb.Piece{
			Id: 7, Kind: proto.Uint32(3), Face: proto.Uint32(0),
		})},
		{"D33 an update of nothing", Fence, nil, update(nil)},
		{"D32.1 an ack", Ordered, []id.Piece{7}, ack(&holtpb.Piece{Id: 7, Mark: 4}, 0)},
		{"D32.1 an ack with the new piece", Ordered, []id.Piece{8, 7}, ack(
			&holtpb.Piece{Id: 7, Mark: 4}, 8)},
		{"D33 an ack without a piece", Fence, nil, ack(nil, 0)},
		{"D33 an ack that renames", Fence, []id.Piece{7, 30_000}, ack(
			&holtpb.Piece{Id: 7, Renamed: proto.Uint32(30_000)}, 0)},
		{"D32.1 a reject", Ordered, []id.Piece{7}, reject(
			FullPiece(&table.Shown{Name: 7, Version: 5, Kind: 2, Z: "0.5", ZVersion: 4}))},
		{"D32.1 a reject without a piece", Ordered, nil, reject(nil)},
		{"D33 a reject of a piece that is gone", Fence, []id.Piece{7}, reject(&holtpb.Piece{
			Id: 7, Gone: proto.Bool(true),
		})},
		{"D33 a reject of a piece that has an owner", Fence, []id.Piece{7}, reject(&holtpb.Piece{
			Id: 7, Owner: proto.Uint32(2),
		})},
		{"D32.1 a count", Ordered, []id.Piece{7}, HoldsEvent(&holtpb.Holds{
			Piece: 7, Kinds: []uint32{1}, Counts: []uint32{2},
		})},
		{
			"D32.1 operations on components of pieces", Ordered, []id.Piece{7, 20_000},
			ComponentsEvent(written),
		},
		{"D32.1 operations on other components", Ordered, nil, ComponentsEvent(drawn)},
		{"D33 no operations", Fence, nil, ComponentsEvent([]byte("000000000"))},
		{"D32.1 a refusal for a piece", Ordered, []id.Piece{7}, RefusedEvent(
			&crdt.Op{Entity: schema.EntityOfPiece(7)}, schema.Gone)},
		{"D32.1 a refusal for something else", Ordered, nil, RefusedEvent(
			&crdt.Op{Entity: schema.TheSheet}, schema.Full)},
		{"D34 motion", Unordered, nil, MotionsEvents(100, []Segment{
			{ID: 7, From: 50, Span: 50, X1: 1},
		})[0]},
		{"D34 cursors", Unordered, nil, CursorsEvents(100, []Segment{
			{ID: 7, From: 50, Span: 50, X1: 1},
		})[0]},
		{"D34 a pong", Unordered, nil, PongEvent(4)},
		{"D32 an answer to updates", Ordered, nil, AnswerEvent(4, 202, 0, "")},
	}
}

type cutCase struct {
	name   string
	travel Travel
	pieces []id.Piece
	event  *holtpb.Event
}

func TestCut(t *testing.T) {
	var c Cut
	for _, w := range cutCases() {
		t.Run(w.name, func(t *testing.T) {
			frame, err :=
				EncodeFrame(&holtpb.Frame{Time: 5, Mark: 6, Events: []*holtpb.Event{w.event}})
			if err == nil {
				err = c.Read(frame)
			}
			if err != nil || c.Time != 5 || c.Version != 6 || len(c.Parts) != 1 {
				t.Fatalf("%x is cut into %+v: %v", frame, c, err)
			}
			p := c.Parts[0]
			if p.Travel != w.travel || !slices.Equal(p.Pieces, w.pieces) {
				t.Errorf("it travels as %d in the lanes %v, want %d in %v", p.Travel, p.Pieces,
					w.travel, w.pieces)
			}
			if whole := w.event.GetFull() != nil || w.event.GetResumed() != nil; p.Synchronises != whole {
				t.Errorf("it synchronises: %v", p.Synchronises)
			}
			if !bytes.HasSuffix(frame, p.Event) || len(p.Event) != len(frame)-4 {
				t.Errorf("the event of %x is %x", frame, p.Event)
			}
		})
	}
	t.Run("D31 a frame put together from parts", func(t *testing.T) {
		u, err :=
			EncodeUpdate(&table.Entry{}, &table.Shown{Name: 7}, &table.Shown{Name: 7, ZVersion: 1})
		if err != nil {
			t.Fatal(err)
		}
		frame := u.Append(nil, 1<<20) // before the head
		frame = AppendHead(frame, 5, 6)
		frame = AppendHead(u.Append(frame, 1<<21), 8, 9)
		if err := c.Read(frame); err != nil || c.Time != 8 || c.Version != 9 || len(c.Parts) != 2 ||
			c.Parts[1].Pieces[0] != 7 || c.Parts[1].Travel != Ordered {
			t.Errorf("%x is cut into %+v: %v", frame, c, err)
		}
	})
	t.Run("D33 an event with two types is a barrier", func(t *testing.T) {
		event := protowire.AppendBytes(protowire.AppendTag(nil, eventHolds, protowire.BytesType),
			[]byte{0x08, 7})
		event = protowire.AppendBytes(protowire.AppendTag(event, eventPong, protowire.BytesType),
			nil)
		frame := protowire.AppendBytes(protowire.AppendTag(nil, frameEvents, protowire.BytesType),
			event)
		if err := c.Read(frame); err != nil || len(c.Parts) != 1 || c.Parts[0].Travel != Fence ||
			!slices.Equal(c.Parts[0].Pieces, []id.Piece{7}) {
			t.Errorf("%x is cut into %+v: %v", frame, c, err)
		}
	})
	t.Run("D31 an invalid frame has no parts", func(t *testing.T) {
		for _, w := range cutCases() {
			frame, err := EncodeFrame(&holtpb.Frame{Events: []*holtpb.Event{w.event}})
			if err != nil {
				t.Fatal(err)
			}
			for n := 1; n < len(frame); n++ {
				if err := c.Read(frame[:n]); !errors.Is(err, ErrFrame) || len(c.Parts) > 0 {
					t.Fatalf("%s: %d bytes of %x are cut into %+v: %v", w.name, n, frame, c, err)
				}
			}
		}
	})
}

// FuzzCut shows that every frame that decodes is cut into its events, and that other input does no
// harm.
func FuzzCut(f *testing.F) {
	for _, c := range cutCases() {
		frame, err :=
			EncodeFrame(&holtpb.Frame{Time: 5, Mark: 6, Events: []*holtpb.Event{c.event, c.event}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(frame)
	}
	for _, c := range oddEncodings() {
		f.Add(unhex(f, c.hex))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var c Cut
		err := c.Read(b)
		frame, undecodable := DecodeFrame(b)
		if undecodable != nil {
			return
		}
		if err != nil {
			t.Fatalf("D31 %x decodes and is not cut: %v", b, err)
		}
		joined := AppendHead(nil, c.Time, c.Version)
		for _, p := range c.Parts {
			joined = append(joined, p.Event...)
		}
		again, err := DecodeFrame(joined)
		if err != nil {
			t.Fatal(err)
		}
		frame.ProtoReflect().SetUnknown(nil)
		if !proto.Equal(frame, again) {
			t.Errorf("D31 %x is\n%v, in parts\n%v", b, frame, again)
		}
	})
}

// TestSplitPaths shows that paths that were cut say the same as before (D34).
func TestSplitPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.Uint32(), 1, 300, rapid.ID[uint32]).Draw(t, "names")
		place := rapid.Int32Range(-table.MaxCoordinate, table.MaxCoordinate)
		stretches := make([]Segment, len(names))
		for i, name := range names {
			stretches[i] = Segment{
				ID: name, From: 900, Span: 50, X0: place.Draw(t, "x0"), Y0: place.Draw(t, "y0"),
				X1: place.Draw(t, "x1"), Y1: place.Draw(t, "y1"),
			}
		}
		event := MotionsEvents(1000, slices.Clone(stretches))[0]
		if rapid.Bool().Draw(t, "of cursors") {
			event = CursorsEvents(1000, slices.Clone(stretches))[0]
		}
		whole, err := AppendEvent(nil, event)
		if err != nil {
			t.Fatal(err)
		}
		most := rapid.IntRange(1, 1500).Draw(t, "most")
		parts, err := SplitPaths(whole, most)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole) <= most && len(parts) != 1 {
			t.Fatalf("D34 %d bytes are cut into %d, of at most %d", len(whole), len(parts), most)
		}
		var got []Segment
		for _, p := range parts {
			f, err := DecodeFrame(p)
			if err != nil {
				t.Fatal(err)
			}
			e := f.GetEvents()[0]
			if (e.GetCursors() != nil) != (event.GetCursors() != nil) {
				t.Fatalf("D34 %v is cut out of %v", e, event)
			}
			paths := e.GetMotions()
			if e.GetCursors() != nil {
				paths = e.GetCursors()
			}
			if len(p) > most && len(paths.GetIds()) > 1 {
				t.Errorf("D34 a part of %d paths has %d bytes, more than %d", len(paths.GetIds()),
					len(p), most)
			}
			all, err := Segments(1000, paths)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, all...)
		}
		slices.SortFunc(stretches, func(a, b Segment) int { return int(int64(a.ID) - int64(b.ID)) })
		if !slices.Equal(got, stretches) {
			t.Errorf("D34 cut, it says\n%v, want\n%v", got, stretches)
		}
	})
	t.Run("D34 an event without paths is not cut", func(t *testing.T) {
		whole, err := AppendEvent(nil, PongEvent(1<<40))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := SplitPaths(whole, 2)
		if err != nil || len(parts) != 1 || !bytes.Equal(parts[0], whole) {
			t.Errorf("it is cut into %x: %v", parts, err)
		}
	})
	t.Run("D34 columns that do not fit are no motion", func(t *testing.T) {
		whole, err := AppendEvent(nil, &holtpb.Event{Event: &holtpb.Event_Motions{
			Motions: &holtpb.Paths{Ids: []uint32{1, 2}, X: []int32{5}, Span: 1},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if parts, err := SplitPaths(whole, 2); !errors.Is(err, ErrFrame) {
			t.Errorf("they are cut into %x: %v", parts, err)
		}
	})
}

// TestNewPieces shows that an update which reveals a piece can be distinguished from all others
// (D33).
func TestNewPieces(t *testing.T) {
	for _, kind := range []uint32{0, 5} {
		t.Run(fmt.Sprintf("D33 a piece of kind %d", kind), func(t *testing.T) {
			after := table.Shown{Name: 7, Version: 1 << 20, Kind: kind, Z: "0.5", ZVersion: 1 << 20}
			e := table.Entry{Op: table.OpRelease, Seat: 2}
			u, err := EncodeUpdate(&e, &table.Shown{}, &after)
			if err != nil {
				t.Fatal(err)
			}
			var c Cut
			if err := c.Read(u.Append(nil, 1<<20)); err != nil || c.Parts[0].Travel != Fence {
				t.Errorf("it is revealed as %+v: %v", c.Parts, err)
			}
			before := after
			before.X, before.Z = 4, "0.4"
			if u, err = EncodeUpdate(&e, &before, &after); err != nil {
				t.Fatal(err)
			}
			if err := c.Read(u.Append(nil, 1<<20)); err != nil || c.Parts[0].Travel != Ordered {
				t.Errorf("it is raised by %+v: %v", c.Parts, err)
			}
		})
	}
}

func BenchmarkCut(b *testing.B) {
	frame := AppendHead(nil, 1780000000000, 1<<30)
	u, err := EncodeUpdate(&table.Entry{Seat: 3, Op: table.OpMove}, &table.Shown{Name: 7},
		&table.Shown{Name: 7, X: 8000, Y: 5000})
	if err != nil {
		b.Fatal(err)
	}
	for range 5 {
		frame = u.Append(frame, 1<<30)
	}
	var c Cut
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Read(frame); err != nil {
			b.Fatal(err)
		}
	}
}

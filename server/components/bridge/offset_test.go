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

// engineBench returns a bridge for an engine of Decentraland. Its view sees the pieces 5 and 6, and
// the table allows foreign components.
func engineBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, form: Flat, Bridge: New(Config{
		Form: Flat, Length: true, Offset: MaxOffset, CRC: true, Random: func() uint32 { return 77 },
	})}
	b.down.Zero = true
	allowed := crdt.Op{Kind: crdt.Put, Component: schema.Foreign, Timestamp: 1,
		Data: schema.Encode(&componentpb.Foreign{Allowed: true})}
	full := &holtpb.Full{Components: encoded(allowed), Pieces: []*holtpb.Piece{{Id: 5}, {Id: 6}}}
	b.told(&holtpb.Event{Event: &holtpb.Event_Full{Full: full}})
	return b
}

// named returns an operation with the number that engines compute for its component.
func named(op crdt.Op) crdt.Op {
	op.Component = schema.SwapNumber(op.Component)
	return op
}

const wirePiece = firstGiven + MaxOffset // the number of piece 5

func TestOffsets(t *testing.T) {
	t.Run("C19.59 numbers from 512 on go round", func(t *testing.T) {
		for _, c := range []struct {
			offset     uint32
			inside, on crdt.Entity
		}{
			{32_768, 0, 0}, {32_768, 511, 511}, {32_768, 512, 33_280}, {32_768, 32_767, 65_535},
			{32_768, 32_768, 512}, {32_768, 65_535, 33_279}, {16_384, 49_152, 512},
			{16_384, 65_536 + 49_153, 65_536 + 513}, {1, 65_535, 512}, {0, 600, 600},
		} {
			x := edge{offset: c.offset}
			if got := x.outward(crdt.Op{Entity: c.inside}).Entity; got != c.on {
				t.Errorf("%d with the offset %d is %d, want %d", c.inside, c.offset, got, c.on)
			}
			if got := x.inward(crdt.Op{Entity: c.on}).Entity; got != c.inside {
				t.Errorf("%d with the offset %d means %d, want %d", c.on, c.offset, got, c.inside)
			}
		}
	})
	t.Run("C19.64 components have their numbers for engines, and no others", func(t *testing.T) {
		b := engineBench(t)
		sheet := textPut(schema.TheSheet+MaxOffset, schema.Sheet, 1, "points")
		room, answer := b.says(named(sheet))
		b.wants(room, textPut(schema.TheSheet, schema.Sheet, 1, "points"))
		b.wants(answer)
		room, answer = b.says(sheet)
		b.wants(room)
		b.wants(answer, deleted(at(2, sheet)))
		got := b.told(components(textPut(schema.TheSheet, schema.Sheet, 2, "more")))
		b.wants(got, named(at(2, textPut(schema.TheSheet+MaxOffset, schema.Sheet, 1, "more"))))
	})
	t.Run("C19.60, C19.61 a piece goes with its values, and its number is not used again",
		func(t *testing.T) {
			b := engineBench(t)
			label := textPut(piece, schema.Label, 3, "mine")
			got := b.told(components(label))
			onBridge := named(label)
			onBridge.Entity = wirePiece
			b.wants(got, onBridge)
			got = b.told(gone(5))
			for _, op := range got {
				if op.Kind == crdt.DeleteEntity {
					t.Errorf("C19.61 the entity %d is deleted", op.Entity)
				}
			}
			if !slices.ContainsFunc(got, func(op crdt.Op) bool {
				return op.Kind == crdt.Delete && op.Entity == wirePiece &&
					op.Component == onBridge.Component && op.Timestamp == 4
			}) {
				t.Errorf("C19.61 the label stays: %+v", got)
			}
			// The engine has a number of its own there, and ends it.
			b.says(b.edge.outward(burial(firstGiven + 2)))
			used := map[uint16]bool{firstGiven: true, firstGiven + 1: true, firstGiven + 2: true}
			for id := range uint32(3) {
				b.told(update(100+id, func(p *holtpb.Piece) { p.Kind = new(uint32(1)) }))
				b.told(components(textPut(piece-5+crdt.Entity(100+id), schema.Label, 1, "new")))
				wire, ok := b.numbers.has(piece - 5 + crdt.Entity(100+id))
				_, number := parts(wire) // in any version
				if !ok || used[number] {
					t.Errorf("C19.60 piece %d has the number %d, which was used before", 100+id, wire)
				}
				used[number] = true
			}
		})
	t.Run("C19.62 what is written to a number that has ended is deleted", func(t *testing.T) {
		b := engineBench(t)
		b.told(gone(5))
		late := named(textPut(wirePiece, schema.Label, 6, "late"))
		room, answer := b.says(late)
		b.wants(room)
		b.wants(answer, deleted(at(7, late)))
	})
	t.Run("C21.4, C21.12 an entity of the engine is the table's, stroke or not", func(t *testing.T) {
		b := engineBench(t)
		mine := crdt.Op{Kind: crdt.Put, Entity: 512, Component: 7, Timestamp: 1, Data: []byte("mine")}
		stroke := named(crdt.Op{Kind: crdt.Put, Entity: 512, Component: schema.Stroke, Timestamp: 1,
			Data: aStroke})
		room, answer := b.says(mine, stroke)
		b.wants(answer)
		if len(room) != 2 || room[0].Entity != schema.FirstForeign ||
			schema.ClassOf(room[1].Entity) != schema.ClassStroke {
			t.Fatalf("the room gets %+v", room)
		}
		b.wants(b.told(components(room...)))
		other := crdt.Op{Kind: crdt.DeleteEntity, Entity: schema.FirstForeign}
		got := b.told(components(other))
		b.wants(got, deleted(at(2, mine)))
	})
	t.Run("C19.61 a cleared stroke goes with its values, also if something of it was refused",
		func(t *testing.T) {
			b := engineBench(t)
			is := schema.EntityOfStroke(now-5, 5)
			got := b.told(components(stroke(is), author(is, otherSeat)))
			mine := got[1]
			mine.Timestamp, mine.Data = 5, schema.Encode(&componentpb.Seat{Seat: uint32(engineSeat)})
			b.says(mine)
			refused := b.told(refusal(crdt.Op{Entity: is, Component: schema.Author, Timestamp: 5}))
			if len(refused) != 1 || refused[0].Timestamp != 6 {
				t.Fatalf("the refused author is corrected by %+v", refused)
			}
			gone := b.told(components(burial(schema.Clearing(now))))
			b.wants(gone, deleted(at(2, got[0])), deleted(at(7, mine)))
			if len(b.offsets) != 0 || b.refusals != 0 {
				t.Errorf("%v is left, and %d refusals", b.offsets, b.refusals)
			}
		})
	t.Run("C5.4 nothing is kept of the lower versions of a deleted entity", func(t *testing.T) {
		b := engineBench(t)
		for version := range crdt.Entity(3) {
			op := crdt.Op{Kind: crdt.Put, Entity: schema.FirstForeign + version<<versionBits,
				Component: 7, Timestamp: 3, Data: []byte("x")}
			b.told(components(op))
			mine := b.edge.outward(at(9, op))
			mine.Data = bytes.Repeat([]byte{1}, schema.MaxForeignValue+1)
			b.says(mine)
			b.told(refusal(at(9, op)))
		}
		if len(b.tops) < 3 || len(b.offsets) != 3 || b.refusals != 3 {
			t.Fatalf("before: %v, %v, %d", b.tops, b.offsets, b.refusals)
		}
		b.told(components(burial(schema.FirstForeign + 1<<versionBits)))
		left := schema.FirstForeign + 2<<versionBits
		if len(b.offsets) != 1 || b.offsets[left] == nil || b.refusals != 1 ||
			b.tops[schema.FirstForeign] != nil || b.tops[left] == nil ||
			!slices.Equal(b.foreign[uint16(schema.FirstForeign)], []crdt.Entity{left}) {
			t.Errorf("left: %v, %v, %d, %v", b.tops, b.offsets, b.refusals, b.foreign)
		}
		b.told(components(burial(left)))
		if len(b.offsets) != 0 || b.refusals != 0 || len(b.foreign) != 0 {
			t.Errorf("at the end: %v, %d, %v", b.offsets, b.refusals, b.foreign)
		}
	})
	t.Run("C19.20 a value is corrected that was refused together with an element",
		func(t *testing.T) {
			b := engineBench(t)
			element := crdt.Op{Kind: crdt.Append, Entity: 5, Component: 7, Timestamp: 9,
				Data: []byte("element")}
			value := crdt.Op{Kind: crdt.Put, Entity: 5, Component: 7, Timestamp: 3,
				Data: []byte("value")}
			b.says(element, value)
			b.wants(b.told(refusal(element)), deleted(at(4, value)))
			if !b.Settled() {
				t.Error("it is not settled")
			}
		})
	t.Run("C21.17 a bridge ends when it may not delete a foreign entity that is there",
		func(t *testing.T) {
			b := engineBench(t)
			there := crdt.Op{Kind: crdt.Put, Entity: 5, Component: 7, Timestamp: 3, Data: []byte("x")}
			b.told(components(there))
			if room, _ := b.says(burial(5), burial(6)); len(room) != 2 {
				t.Fatalf("the room gets %+v", room)
			}
			b.wants(b.told(refusal(burial(6))))
			_, err := b.FromView(&holtpb.Frame{Events: []*holtpb.Event{refusal(burial(5))}})
			if !errors.Is(err, ErrResetRequired) {
				t.Errorf("the refusal leads to %v", err)
			}
		})
	for name, c := range map[string]struct {
		readOnly, allowed bool
	}{
		"a spectator": {true, true}, "while the table allows none": {false, false},
	} {
		t.Run("C21.17 or is refused at once: "+name, func(t *testing.T) {
			for _, e := range []crdt.Entity{
				5, schema.FirstForeign, schema.FirstForeign + 1<<versionBits,
			} {
				b := engineBench(t)
				b.readOnly = c.readOnly
				there := crdt.Op{Kind: crdt.Append, Entity: e, Component: 7, Timestamp: 3}
				setting := crdt.Op{Kind: crdt.Put, Component: schema.Foreign, Timestamp: 2,
					Data: schema.Encode(&componentpb.Foreign{Allowed: c.allowed})}
				b.told(components(there, setting))
				if room, _ := b.says(b.edge.outward(burial(e + 1))); len(room) != 0 {
					t.Errorf("for another one the room gets %+v", room)
				}
				_, err := b.FromReplica(b.message(b.edge.outward(burial(e))), now)
				if !errors.Is(err, ErrResetRequired) {
					t.Errorf("the deletion of %d leads to %v", e, err)
				}
			}
		})
	}
}

// TestZeroTimestamps shows what becomes of the timestamp 0.
func TestZeroTimestamps(t *testing.T) {
	each(t, "C10.9, C19.65, C19.66 it is older than all that follows", func(t *testing.T, form Form) {
		b := newBench(t, form)
		sheet := textPut(schema.TheSheet, schema.Sheet, 1, "zero")
		room, answer := b.says(at(0, sheet))
		b.wants(room, sheet)
		b.wants(answer)
		b.wants(b.told(components(sheet)))
		room, _ = b.says(sheet)
		b.wants(room, at(2, sheet))
	})
	each(t, "C19.65 it loses against what is there", func(t *testing.T, form Form) {
		stored := textPut(schema.TheSheet, schema.Sheet, 1, "stored")
		b := newBench(t, form, stored)
		room, answer := b.says(at(0, textPut(schema.TheSheet, schema.Sheet, 1, "zero")))
		b.wants(room)
		b.wants(answer, stored)
	})
	each(t, "C19.65 it has no effect behind something that is pending",
		func(t *testing.T, form Form) {
			sheet := func(timestamp uint32, s string) crdt.Op {
				return textPut(schema.TheSheet, schema.Sheet, timestamp, s)
			}
			b := newBench(t, form)
			room, _ := b.says(sheet(2, "pending"))
			b.wants(room, sheet(2, "pending"))
			room, answer := b.says(at(0, sheet(1, "zero")))
			b.wants(room)
			b.wants(answer)
			b.wants(b.told(components(sheet(2, "pending"))))
			b.wants(b.told(components(sheet(3, "other"))), sheet(3, "other"))
		})
	each(t, "C10.9 a refused one is deleted", func(t *testing.T, form Form) {
		b := newBench(t, form)
		odd := crdt.Op{Kind: crdt.Put, Entity: schema.TheSheet, Component: 7, Data: []byte("?")}
		room, answer := b.says(odd)
		b.wants(room)
		b.wants(answer, deleted(at(1, odd)))
	})
	each(t, "C19.67 elements get timestamps above all others", func(t *testing.T, form Form) {
		ping := func(timestamp uint32, x int32) crdt.Op {
			return crdt.Op{Kind: crdt.Append, Entity: schema.TheTable, Component: schema.Ping,
				Timestamp: timestamp, Data: schema.Encode(&componentpb.Ping{
					Seat: uint32(engineSeat), X: x,
				})}
		}
		b := newBench(t, form, ping(4, 1))
		room, answer := b.says(ping(0, 9), ping(0, 8))
		b.wants(room, ping(5, 9), ping(6, 8))
		b.wants(answer)
		room, _ = b.says(ping(0, 7))
		b.wants(room, ping(7, 7))
		b.wants(b.told(components(ping(5, 9), ping(6, 8), ping(7, 7))))
	})
}

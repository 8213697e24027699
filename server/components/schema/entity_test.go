package schema

import (
	"testing"

	"pgregory.net/rapid"

	"holt/server/components/crdt"
	"holt/server/id"
	"holt/server/play/table"
)

// TestEntities shows which numbers are entities, and of which class (C13).
func TestEntities(t *testing.T) {
	for _, c := range []struct {
		name   string
		entity crdt.Entity
		want   Class
	}{
		{"C13.1 the table", 0, ClassTable},
		{"C13.1 nothing after the table", 1, ClassNone},
		{"C13.1 nothing before the sheet", 511, ClassNone},
		{"C13.1 the sheet", 512, ClassSheet},
		{"C13.1 the first row", 513, ClassRow},
		{"C13.1 the last row", 768, ClassRow},
		{"C13.1 nothing after the rows", 769, ClassNone},
		{"C13.1 the seat of nobody", 1024, ClassNone},
		{"C13.1 the first seat", 1025, ClassSeat},
		{"C13.1 the last seat", 1024 + table.MaxSeats, ClassSeat},
		{"C13.1 nothing after the seats", 1025 + table.MaxSeats, ClassNone},
		{"C13.1 another version of the table", 65_536, ClassNone},
		{"C13.1 another version of a row", 65_536 + 513, ClassNone},
		{"C13.1 the last one below pieces", 1<<32 - 1, ClassNone},
		{"C13.1 the identifier of no piece", 1 << 32, ClassNone},
		{"C13.1 the first piece", 1<<32 + 1, ClassPiece},
		{"C13.1 the last identifier", 1<<32 + 1<<21 - 1, ClassPiece},
		{"C13.1 nothing after the identifiers", 1<<32 + 1<<21, ClassNone},
		{"C13.1 the last one below strokes", 1<<52 - 1, ClassNone},
		{"C13.1 the first clearing is not a stroke", 1 << 52, ClassNone},
		{"C13.1 the first stroke", 1<<52 + 1, ClassStroke},
		{"C13.1 the last stroke of its second", 1<<52 + 1<<20 - 1, ClassStroke},
		{"C13.1 the next clearing", 1<<52 + 1<<20, ClassNone},
		{"C13.1 the last stroke", 1<<53 - 1, ClassStroke},
		{"C13.1 nothing after the strokes", 1 << 53, ClassNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ClassOf(c.entity); got != c.want {
				t.Errorf("%d is a %s, want %s", c.entity, got, c.want)
			}
		})
	}
}

// TestC13NumbersLeadBack shows that the entity of a seat, piece, stroke or clearing leads back to
// it, and that a stroke lies between the clearings of its second and of the next one.
func TestC13NumbersLeadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seat := id.Seat(rapid.Uint32Range(1, table.MaxSeats).Draw(t, "seat"))
		if got, ok := SeatOf(EntityOfSeat(seat)); !ok || got != seat {
			t.Errorf("seat %d comes back as %d, %t", seat, got, ok)
		}
		piece := id.Piece(rapid.Uint32Range(1, uint32(table.MaxRandomName)).Draw(t, "piece"))
		if got, ok := PieceOf(EntityOfPiece(piece)); !ok || got != piece {
			t.Errorf("piece %d comes back as %d, %t", piece, got, ok)
		}
		second := Second(rapid.Uint32().Draw(t, "second"))
		stroke := EntityOfStroke(second, rapid.Uint32Range(1, 1<<20-1).Draw(t, "lot"))
		if got, ok := SecondOf(stroke); !ok || got != second {
			t.Errorf("a stroke of second %d comes back as of %d, %t", second, got, ok)
		}
		if got, ok := ClearsUntil(Clearing(second)); !ok || got != second {
			t.Errorf("clearing until %d comes back as %d, %t", second, got, ok)
		}
		if _, ok := ClearsUntil(stroke); ok || Clearing(second) >= stroke ||
			second < 1<<32-1 && Clearing(second+1) <= stroke {
			t.Errorf("stroke %d does not lie between the clearings of second %d and the next",
				stroke, second)
		}
	})
}

// TestC13EveryNumberIsOfOneThing shows that the ways back agree with the class of a number.
func TestC13EveryNumberIsOfOneThing(t *testing.T) {
	near := []crdt.Entity{
		0, 512, 769, 1024, 2048, 1 << 16, 1 << 32, 1<<32 + 1<<21, 1 << 52, 1<<52 + 1<<20, 1 << 53,
	}
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(near).Draw(t, "near") +
			crdt.Entity(rapid.Uint64Range(0, 600).Draw(t, "above"))
		_, isSeat := SeatOf(e)
		_, isPiece := PieceOf(e)
		_, isStroke := SecondOf(e)
		_, clears := ClearsUntil(e)
		class := ClassOf(e)
		if isSeat != (class == ClassSeat) || isPiece != (class == ClassPiece) ||
			isStroke != (class == ClassStroke) || clears && class != ClassNone {
			t.Errorf("%d is a %s; as a seat %t, a piece %t, a stroke %t, a clearing %t",
				e, class, isSeat, isPiece, isStroke, clears)
		}
	})
}

// TestSeconds shows how times become seconds of strokes (C13).
func TestSeconds(t *testing.T) {
	for _, c := range []struct {
		name string
		at   id.Millis
		want Second
	}{
		{"C13 2020-01-01T00:00:00Z is the first second", 1_577_836_800_000, 0},
		{"C13 a second has a thousand milliseconds", 1_577_836_801_999, 1},
		{"C13 an earlier time counts as the first", 0, 0},
		{"C13 2026-03-01T12:00:00Z", 1_772_366_400_000, 194_529_600},
		{"C13 a later time counts as the last", 1 << 60, 1<<32 - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := SecondAt(c.at); got != c.want {
				t.Errorf("it is second %d, want %d", got, c.want)
			}
		})
	}
}

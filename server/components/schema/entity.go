package schema

import (
	"holt/server/components/crdt"
	"holt/server/id"
	"holt/server/play/table"
)

// Class says what an entity is (C13).
type Class uint8

// The classes of entities.
const (
	ClassNone Class = iota // the number is not an entity
	ClassTable
	ClassSheet // the score sheet
	ClassRow   // of the score sheet
	ClassSeat
	ClassPiece
	ClassStroke
	ClassForeign // numbered by an engine (C21); only AnyClassOf returns it
)

var classNames = [...]string{
	ClassNone:    "nothing",
	ClassTable:   "table",
	ClassSheet:   "sheet",
	ClassRow:     "row",
	ClassSeat:    "seat",
	ClassPiece:   "piece",
	ClassStroke:  "stroke",
	ClassForeign: "foreign",
}

func (c Class) String() string { return classNames[c] }

// The numbers of entities (C13). Seats and pieces are numbered from 1.
const (
	TheTable crdt.Entity = 0
	TheSheet crdt.Entity = 512
	FirstRow crdt.Entity = 513
	LastRow  crdt.Entity = 768

	seats   crdt.Entity = 1 << 10
	pieces  crdt.Entity = crdt.FirstNamed
	strokes crdt.Entity = crdt.FirstTimed
)

// randomMask has the random bits of the number of a stroke. The bits above them count seconds.
const randomMask crdt.Entity = 1<<crdt.TimedBits - 1

// start is the time from which the seconds of strokes count: 2020-01-01 UTC.
const start id.Millis = 1_577_836_800_000

// EntityOfSeat returns the entity of a seat.
func EntityOfSeat(n id.Seat) crdt.Entity { return seats + crdt.Entity(n) }

// EntityOfPiece returns the entity of a piece, by its identifier in the view (T21).
func EntityOfPiece(n id.Piece) crdt.Entity { return pieces + crdt.Entity(n) }

// EntityOfStroke returns the entity of a stroke that is made in that second. lot is a random number
// from 1 to 2^20-1.
func EntityOfStroke(s Second, random uint32) crdt.Entity {
	return strokes + crdt.Entity(s)<<crdt.TimedBits + crdt.Entity(random)&randomMask
}

// Clearing returns the number whose deletion deletes all strokes from before that second (C16). It
// is not a stroke itself.
func Clearing(s Second) crdt.Entity { return EntityOfStroke(s, 0) }

// ClearsUntil returns the second before which all strokes are deleted when e is deleted. It returns
// false if deleting e clears nothing.
func ClearsUntil(e crdt.Entity) (Second, bool) {
	if e < strokes || e > crdt.MaxEntity || e&randomMask != 0 {
		return 0, false
	}
	return Second((e - strokes) >> crdt.TimedBits), true
}

// Second counts the seconds since 2020-01-01 UTC that are part of the numbers of strokes (C13,
// C16).
type Second uint32

// SecondAt returns the second of a time. It returns the first second for an earlier time, and the
// last one for a later time.
func SecondAt(t id.Millis) Second {
	return Second(min(max(t-start, 0)/1000, 1<<32-1))
}

// SeatOf returns the seat of an entity. It returns false if e is not a seat.
func SeatOf(e crdt.Entity) (id.Seat, bool) {
	if ClassOf(e) != ClassSeat {
		return 0, false
	}
	return id.Seat(e - seats), true //nolint:gosec // at most table.MaxSeats
}

// PieceOf returns the identifier of the piece of an entity. It returns false if e is not a piece.
func PieceOf(e crdt.Entity) (id.Piece, bool) {
	if ClassOf(e) != ClassPiece {
		return 0, false
	}
	return id.Piece(e - pieces), true //nolint:gosec // at most table.MaxRandomName
}

// SecondOf returns when a stroke was made, as its maker says. It returns false if e is not a
// stroke.
func SecondOf(e crdt.Entity) (Second, bool) {
	if ClassOf(e) != ClassStroke {
		return 0, false
	}
	return Second((e - strokes) >> crdt.TimedBits), true //nolint:gosec // 32 bits
}

// ClassOf returns what an entity is, by its number alone: it does not say whether it exists.
func ClassOf(e crdt.Entity) Class {
	switch {
	case e == TheTable:
		return ClassTable
	case e == TheSheet:
		return ClassSheet
	case e >= FirstRow && e <= LastRow:
		return ClassRow
	case e > seats && e <= seats+table.MaxSeats:
		return ClassSeat
	case e > pieces && e <= pieces+crdt.Entity(table.MaxRandomName):
		return ClassPiece
	case e >= strokes && e <= crdt.MaxEntity && e&randomMask != 0:
		return ClassStroke
	}
	return ClassNone
}

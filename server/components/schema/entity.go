package schema

import (
	"holt/server/components/crdt"
	"holt/server/id"
	"holt/server/play/table"
)

// Class says what an entity is (C13).
type Class uint8

// The classes.
const (
	ClassNone Class = iota // no entity has such a number
	ClassTable
	ClassSheet // the score sheet
	ClassRow   // of the score sheet
	ClassSeat
	ClassPiece
	ClassStroke
)

var classNames = [...]string{
	ClassNone: "nothing", ClassTable: "table", ClassSheet: "sheet", ClassRow: "row", ClassSeat: "seat", ClassPiece: "piece", ClassStroke: "stroke",
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

// lotMask has the bits of the number of a stroke that are drawn by lot; those above count seconds.
const lotMask crdt.Entity = 1<<crdt.TimedBits - 1

// start is the time from which the seconds of strokes count: 2020-01-01 UTC.
const start id.Millis = 1_577_836_800_000

// EntityOfSeat returns the entity of a seat.
func EntityOfSeat(n id.Seat) crdt.Entity { return seats + crdt.Entity(n) }

// EntityOfPiece returns the entity of a piece, by the name that it has in the view (T21).
func EntityOfPiece(n id.Piece) crdt.Entity { return pieces + crdt.Entity(n) }

// EntityOfStroke returns the entity of a stroke that is made in that second. lot is drawn by lot, from 1 to 2^20-1.
func EntityOfStroke(s Second, lot uint32) crdt.Entity {
	return strokes + crdt.Entity(s)<<crdt.TimedBits + crdt.Entity(lot)&lotMask
}

// Clearing returns the entity by whose deletion all strokes go that were made before that second (C16). It is no stroke itself.
func Clearing(s Second) crdt.Entity { return EntityOfStroke(s, 0) }

// ClearsUntil returns the second before which all strokes go when e is deleted. It reports false if that clears nothing.
func ClearsUntil(e crdt.Entity) (Second, bool) {
	if e < strokes || e > crdt.MaxEntity || e&lotMask != 0 {
		return 0, false
	}
	return Second((e - strokes) >> crdt.TimedBits), true
}

// Second counts the seconds since 2020-01-01 UTC, by which strokes are told apart (C13, C16).
type Second uint32

// SecondAt returns the second in which a time lies: the first one for a time before them, the last one for one after them.
func SecondAt(t id.Millis) Second {
	return Second(min(max(t-start, 0)/1000, 1<<32-1))
}

// SeatOf returns the seat whose entity e is. It reports false if it is none's.
func SeatOf(e crdt.Entity) (id.Seat, bool) {
	if ClassOf(e) != ClassSeat {
		return 0, false
	}
	return id.Seat(e - seats), true //nolint:gosec // at most table.MaxSeats
}

// PieceOf returns the name of the piece whose entity e is. It reports false if it is none's.
func PieceOf(e crdt.Entity) (id.Piece, bool) {
	if ClassOf(e) != ClassPiece {
		return 0, false
	}
	return id.Piece(e - pieces), true //nolint:gosec // at most table.MaxLot
}

// SecondOf returns when the stroke whose entity e is was made, as its maker said. It reports false if it is none's.
func SecondOf(e crdt.Entity) (Second, bool) {
	if ClassOf(e) != ClassStroke {
		return 0, false
	}
	return Second((e - strokes) >> crdt.TimedBits), true //nolint:gosec // 32 bits
}

// ClassOf returns what an entity is, by its number alone: not whether there is such a one.
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
	case e > pieces && e <= pieces+crdt.Entity(table.MaxLot):
		return ClassPiece
	case e >= strokes && e <= crdt.MaxEntity && e&lotMask != 0:
		return ClassStroke
	}
	return ClassNone
}

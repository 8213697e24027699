package client

import (
	"holt/server/id"
	"holt/server/table"
)

// EventKind says what an Event tells.
type EventKind uint8

// The events. Only the fields of Event that are named here mean something.
const (
	// Opened: a stream is open, and the full state under way.
	Opened EventKind = iota + 1
	// Received: a frame has come, of Bytes; what was in it follows.
	Received
	// Whole: the view is complete, for the first time or anew.
	Whole
	// Updated: somebody else, By, has changed Piece by Op; Piece is complete, as recorded, and may be Gone.
	Updated
	// Shuffled: somebody else, By, has shuffled Pieces, those of them that are shown (T26). What it has changed has
	// been told by Updated.
	Shuffled
	// SeatChanged: the seat By is new, or has changed.
	SeatChanged
	// Acked: the update Seq, an Op, is recorded and durable (T10). Made is the piece that it made, 0 if none.
	Acked
	// Rejected: the update Seq was inapplicable for Reason; By stands in the way (T14).
	Rejected
	// Conflict: somebody else was faster, the update Seq is discarded (T11).
	Conflict
	// Dropped: the update Seq was sent behind one that was rejected, and is discarded with it (T14).
	Dropped
	// Refused: the update Seq was in a batch that the server refused as a whole, with Err, a *Problem (T15).
	Refused
	// Retried: a batch could not be posted, with Err, and will be posted again.
	Retried
	// Lost: the stream has ended, with Err; another attempt follows by itself.
	Lost
)

var eventNames = [...]string{
	Opened: "opened", Received: "received", Whole: "whole", Updated: "updated", Shuffled: "shuffled", SeatChanged: "seat changed", Acked: "acked",
	Rejected: "rejected", Conflict: "conflict", Dropped: "dropped", Refused: "refused", Retried: "retried", Lost: "lost",
}

func (k EventKind) String() string {
	if int(k) < len(eventNames) && eventNames[k] != "" {
		return eventNames[k]
	}
	return "unknown"
}

// Event is something that has happened to a client. Each update that Do has taken ends in exactly one of Acked,
// Rejected, Conflict, Dropped and Refused, unless Run ends before.
type Event struct {
	Kind   EventKind
	Bytes  int // of the WebSocket message with its header
	Seq    id.ClientSeq
	Op     table.Op
	Piece  table.Shown
	By     id.Seat
	Pieces []id.Piece
	Made   id.Piece
	Reason table.Reason
	Err    error
}

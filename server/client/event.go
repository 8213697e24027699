package client

import (
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// EventKind says what an Event tells.
type EventKind uint8

// The events. Only the fields of Event that are named here mean something.
const (
	// Opening: a stream is about to be opened.
	Opening EventKind = iota + 1
	// Opened: a stream is open, by Transport, and what makes the client whole under way.
	Opened
	// Received: a frame has come, of Bytes; what was in it follows.
	Received
	// Whole: the view is complete, for the first time or anew. All motion is to be forgotten (S12).
	Whole
	// Resumed: the stream goes on where the last one ended; what was missed follows (S5). All motion is to be forgotten.
	Resumed
	// Updated: somebody else, By, has changed Piece by Op; Piece is complete, as recorded, and may be Gone. If it has another
	// name now (T21), Was is the one that it had.
	Updated
	// Shuffled: somebody else, By, has shuffled Pieces, those of them that are shown (T26). What it has changed has
	// been told by Updated.
	Shuffled
	// Noticed: By has done Op to Piece, which is only named, or 0; so many, Count, or to the seat To (T28).
	Noticed
	// Saw: By lets this client, alone, see Kinds, uppermost first, of Piece, which is only named, or 0 (T31).
	Saw
	// Counted: another number of pieces lies in Piece, a hand or a container, which is only named (T29).
	Counted
	// SeatChanged: the seat By is new, or has changed: its presence, too (S11).
	SeatChanged
	// Moved: others carry pieces along Stretches, whose ids are those of the pieces (S12). They are of the version (Time, 0).
	Moved
	// Pointed: others point along Stretches, whose ids are those of the seats (S13). They are of the version (Time, 0).
	Pointed
	// Acked: the update Seq, an Op, is recorded and durable (T10). Made is the piece that it made or drew, 0 if none that is seen.
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
	// ComponentChanged: Component of Entity is another; or all that Entity has is gone, if Component is 0 (C15).
	ComponentChanged
	// WriteTaken: what the client has written to Component of Entity, under Timestamp, has come back; Component is 0 if it has deleted
	// the entity.
	WriteTaken
	// WriteOvertaken: something greater was told in place of it (C2).
	WriteOvertaken
	// WriteRefused: it was refused, for Refusal (C11), or with Err, a *Problem, as part of a message; or it is Gone with its piece (C15).
	WriteRefused
	// TableChanged: the table's title, size, surface or catalogue is another.
	TableChanged
	// SetChanged: the set Set has come, is away, or is back; or it has gone, if the view has it no more (T37, T39).
	SetChanged
	// Saving: the server cannot save what is done, because of Trouble, or can again, if that is empty (S19).
	Saving
)

var eventNames = [...]string{
	Opening: "opening", Opened: "opened", Received: "received", Whole: "whole", Resumed: "resumed", Updated: "updated", Shuffled: "shuffled", Noticed: "noticed", Saw: "saw", Counted: "counted",
	SeatChanged: "seat changed", Moved: "moved", Pointed: "pointed", Acked: "acked", Rejected: "rejected", Conflict: "conflict", Dropped: "dropped", Refused: "refused", Retried: "retried", Lost: "lost",
	TableChanged: "table changed", SetChanged: "set changed", Saving: "saving", ComponentChanged: "component changed", WriteTaken: "write taken", WriteOvertaken: "write overtaken", WriteRefused: "write refused",
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
	Kind      EventKind
	Time      id.Millis // the server's, at which the frame was made that tells it; 0 if none does
	Transport Transport
	Bytes     int // of the message with its header
	Seq       id.ClientSeq
	Op        table.Op
	Piece     table.Shown
	By        id.Seat
	Was       id.Piece
	To        id.Seat
	Count     int
	Kinds     []uint32
	Pieces    []id.Piece
	Stretches []wire.Stretch
	Made      id.Piece
	Set       uint32 // by its number in the view
	Reason    table.Reason
	Entity    crdt.Entity
	Component uint32
	Timestamp uint32
	Refusal   schema.Refusal
	Trouble   string
	Err       error
}

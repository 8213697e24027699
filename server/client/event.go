package client

import (
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// EventKind says what kind of event an Event is.
type EventKind uint8

// The kinds of events. Of Event, only the fields that the comment names have a meaning.
const (
	// Opening: the client is about to open a stream.
	Opening EventKind = iota + 1
	// Opened: a stream is open, by Transport. The client is not synchronised yet.
	Opened
	// Received: a frame of Bytes bytes has come. The events in it follow.
	Received
	// Synchronised: the client has the full state. The view is complete, and replaces any earlier
	// one. All motion is outdated (S12).
	Synchronised
	// Resumed: the stream goes on where the last one ended. What the client missed follows (S5).
	// All motion is outdated.
	Resumed
	// Updated: another seat, By, has changed Piece by Op. Piece is complete, as recorded, and may
	// be Gone. If it was renamed (T21), Was is its old identifier.
	Updated
	// Shuffled: another seat, By, has shuffled Pieces. Pieces lists only those in the view (T26).
	// Updated events have already reported the changes.
	Shuffled
	// Noticed: By has done Op to Piece, of which only the name is set, or to no piece (0). Count
	// says how many, To to which seat (T28).
	Noticed
	// Saw: By shows Kinds to this client alone, uppermost first (T31). They lie in Piece, of which
	// only the name is set, or which is 0.
	Saw
	// Counted: the number of pieces in Piece has changed (T29). Piece is a hand or a container;
	// only its name is set.
	Counted
	// SeatChanged: the seat By is new, or it or its presence has changed (S11).
	SeatChanged
	// Moved: others drag pieces along Segments, whose ids are those of the pieces (S12). Their
	// version is (Time, 0).
	Moved
	// Pointed: others move their cursors along Segments, whose ids are those of the seats (S13).
	// Their version is (Time, 0).
	Pointed
	// Acked: the update Seq, an Op, is recorded and durable (T10). Made is the piece that it made
	// or drew, 0 if the view has none.
	Acked
	// Rejected: the update Seq was inapplicable for Reason (T14). By is the seat in the way.
	Rejected
	// Conflict: another seat was faster. The update Seq is discarded (T11).
	Conflict
	// Dropped: the update Seq was sent after a rejected one, and is discarded with it (T14).
	Dropped
	// Refused: the server refused the whole batch of the update Seq with Err, a *Problem (T15).
	Refused
	// Retried: posting a batch failed with Err. The client will retry.
	Retried
	// Lost: the stream has ended with Err. The client retries by itself.
	Lost
	// ComponentChanged: Component of Entity has changed. If Component is 0, all components of
	// Entity are gone (C15).
	ComponentChanged
	// WriteTaken: the server returned the client's own write to Component of Entity, with
	// Timestamp. If Component is 0, the write deleted the entity.
	WriteTaken
	// WriteOvertaken: a greater operation took the place of the write (C2).
	WriteOvertaken
	// WriteRefused: the server refused the write for Refusal (C11), or its whole message with Err,
	// a *Problem; or the write is Gone with its piece (C15).
	WriteRefused
	// TableChanged: the table's title, size, surface or catalogue has changed.
	TableChanged
	// SetChanged: the guest set Set is new, or its owner is unreachable or reachable again; or the
	// set has left the view (T37, T39).
	SetChanged
	// Saving: the server cannot save because of Trouble. If Trouble is empty, it can save again
	// (S19).
	Saving
	// Said: By has written Line of the chat at the time At, for everybody, or for To and this
	// client alone (T64). Text is empty if the line was deleted since.
	Said
	// Unsaid: By has deleted Line of the chat.
	Unsaid
	// Asked: By asks whether it may take back a gesture, an Op that changed Pieces, or that
	// question has ended (T63). Question says how it stands.
	Asked
	// Vacant: those who play may choose a host, or may not any more (T66). Succession says which.
	Vacant
	// InRound: By has begun a round in which seats choose something, somebody is ready, or it is over
	// (T76). Round says how it stands.
	InRound
)

var eventNames = [...]string{
	Opening: "opening", Opened: "opened", Received: "received", Synchronised: "whole",
	Resumed: "resumed",
	Updated: "updated", Shuffled: "shuffled", Noticed: "noticed", Saw: "saw", Counted: "counted",
	SeatChanged: "seat changed", Moved: "moved", Pointed: "pointed", Acked: "acked",
	Rejected: "rejected", Conflict: "conflict", Dropped: "dropped", Refused: "refused",
	Retried: "retried", Lost: "lost",
	TableChanged: "table changed", SetChanged: "set changed", Saving: "saving",
	Asked:            "asked",
	Vacant:           "vacant",
	InRound:          "in a round",
	ComponentChanged: "component changed", WriteTaken: "write taken",
	WriteOvertaken: "write overtaken", WriteRefused: "write refused",
	Said: "said", Unsaid: "unsaid",
}

func (k EventKind) String() string {
	if int(k) < len(eventNames) && eventNames[k] != "" {
		return eventNames[k]
	}
	return "unknown"
}

// Event is something that has happened to a client. Each update that Do accepted ends in exactly
// one of Acked, Rejected, Conflict, Dropped and Refused, unless Run ends before.
type Event struct {
	Kind      EventKind
	Time      id.Millis // the server's time of the frame; 0 if the event is not from a frame
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
	Segments  []wire.Segment
	Made      id.Piece
	Set       uint32 // its number in the view
	Reason    table.Reason
	Entity    crdt.Entity
	Component uint32
	Timestamp uint32
	Refusal   schema.Refusal
	Trouble   string
	Line      id.ChatLine
	At        id.Millis
	Text      string
	Question  *holtpb.Question
	Round     *holtpb.Round

	Succession *holtpb.Succession
	Err        error
}

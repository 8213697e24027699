package schema

import (
	"holt/server/components/crdt"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// Bounds of what writers may send (C12, C16).
const (
	MaxAhead         = 256      // how far a timestamp may lie above the stored one
	MaxHostTimestamp = 1 << 31  // the greatest timestamp from a host, who may import (C17)
	MaxStrokes       = 2000     // of a table
	MaxErased        = 65_536   // strokes deleted one by one since the layer was cleared
	MaxPublicBytes   = 4 << 20  // bytes of data of all public components of a table
	MaxHiddenBytes   = 64 << 10 // bytes of data of the hidden components that one seat wrote last
	maxEarly         = 3600     // seconds by which the clock of the maker of a stroke may be fast
)

// Refusal says why an operation is not merged (C11). The numbers are those of the wire
// (holt.proto).
type Refusal uint8

// The refusals, in the order in which Judge looks for them: an operation gets the first that
// applies.
const (
	Allowed        Refusal = 0
	Unknown        Refusal = 5 // no such entity or component; or a set, not a value, or the reverse
	Gone           Refusal = 2 // no such seat, piece or stroke, or the writer does not see it
	NotAllowed     Refusal = 1 // the writer may not write this
	TimestampAhead Refusal = 3 // too far ahead (C12), or the second of a stroke is (C16)
	Full           Refusal = 4 // the table has as many as it may, or as much (C16)
)

var refusalNames = [...]string{
	Allowed:        "allowed",
	NotAllowed:     "not-allowed",
	Gone:           "gone",
	TimestampAhead: "timestamp",
	Full:           "full",
	Unknown:        "unknown",
}

func (r Refusal) String() string { return refusalNames[r] }

// Writer is the sender of an operation.
type Writer struct {
	Seat id.Seat
	Role table.Role
}

// plays reports whether the writer is a player in the sense of C14.
func (w Writer) plays() bool { return w.Role.Plays() }

// Found is the state of the table that a judgement depends on.
type Found struct {
	// Visible is set if the entity exists for the writer: the piece is visible in the writer's
	// view, or the seat exists. It is used for pieces and seats only.
	Visible bool
	// Author is the maker of the stroke, or 0 if there is no such stroke.
	Author id.Seat
	// Stored is the timestamp under the key, for a set the greatest one; 0 if nothing is stored.
	Stored uint32
	// Now is the server's time.
	Now Second
	// Strokes and Erased count strokes of the table: those that exist, and those that were deleted
	// one by one since the layer was cleared.
	Strokes, Erased int
	// Bytes is the size of the data of all public components. If Hidden is set, it is the size of
	// the data of all hidden components that the writer wrote last.
	Bytes int
	// Hidden is set if the entity or its component is hidden.
	Hidden bool
	// Foreign is set if the table allows foreign components. Bytes is then, for such an operation,
	// what counts for their bound (C21), without the key of the operation; Counted is what that key
	// counts now.
	Foreign bool
	Counted int
}

// FoundIn returns what a replica says of an operation's key. The caller sets Visible, Now, Bytes
// and Hidden.
func FoundIn(r *crdt.Replica, op *crdt.Op) Found {
	f := Found{Stored: r.Timestamp(op.Entity, op.Component)}
	if op.Kind == crdt.Append {
		f.Stored = r.SetTimestamp(op.Entity, op.Component)
	}
	f.Foreign, _ = ForeignAllowed(r)
	if ClassOf(op.Entity) == ClassStroke {
		f.Author = AuthorOf(r, op.Entity)
	}
	f.Strokes, f.Erased = r.Count(crdt.Timed)
	return f
}

// AuthorOf returns the seat that has made a stroke, or 0 if there is no such stroke.
func AuthorOf(r *crdt.Replica, stroke crdt.Entity) id.Seat {
	data, ok := r.Get(stroke, Author)
	if !ok {
		return 0
	}
	m, err := Decode[componentpb.Seat](data)
	if err != nil { // it cannot happen: the server has written the data
		return 0
	}
	return id.Seat(m.GetSeat())
}

// CheckOp returns a *Fault if the data of an operation is invalid: then the whole message is
// refused (C12).
func CheckOp(op *crdt.Op) error {
	if op.Kind != crdt.Put && op.Kind != crdt.Append {
		return nil
	}
	return Check(op.Component, op.Data)
}

// Judge returns whether an operation that has passed CheckOp may be merged, and if not why (C11).
// Merging then decides whether it wins. Judge changes nothing and depends on its arguments only.
func Judge(op *crdt.Op, w Writer, at Found) Refusal {
	if op.Kind == crdt.DeleteEntity {
		return judgeDeletion(op.Entity, w, at)
	}
	class := AnyClassOf(op.Entity)
	s, ok := Find(class, op.Component)
	switch {
	case !ok, !s.Takes(op.Kind), s.Foreign && !at.Foreign:
		return Unknown
	case !exists(class, at, op):
		return Gone
	case !mayWrite(w, s, op, at), s.Permanent && op.Kind == crdt.Delete:
		return NotAllowed
	case ahead(w, op, at):
		return TimestampAhead
	case overfull(op, at):
		return Full
	}
	return Allowed
}

// exists reports whether the entity exists for the writer. A put of its Stroke makes a stroke
// exist.
func exists(class Class, at Found, op *crdt.Op) bool {
	switch class {
	case ClassSeat, ClassPiece:
		return at.Visible
	case ClassStroke:
		return at.Author != 0 || op.Component == Stroke && op.Kind == crdt.Put
	default:
		return true
	}
}

// mayWrite reports whether the writer may write a component (C14).
func mayWrite(w Writer, s Spec, op *crdt.Op, at Found) bool {
	switch s.Who {
	case ByHost:
		return w.Role.Hosts()
	case ByPlayer:
		return w.plays() && (op.Component != Ping || ofSender(op.Data, w.Seat))
	case BySelf:
		return w.plays() && op.Entity == EntityOfSeat(w.Seat)
	case ByAuthor:
		return w.plays() && (at.Author == w.Seat || at.Author == 0)
	default:
		return false
	}
}

// ofSender reports whether a ping names that seat as its sender.
func ofSender(ping []byte, seat id.Seat) bool {
	m, err := Decode[componentpb.Ping](ping)
	return err == nil && id.Seat(m.GetSeat()) == seat
}

// ahead reports whether the timestamp of an operation, or the second of a new stroke, is too far
// ahead (C12, C16). Otherwise its writer would have the last word for ever.
func ahead(w Writer, op *crdt.Op, at Found) bool {
	most := uint64(at.Stored) + MaxAhead
	if ForeignOp(op) {
		most = uint64(at.Stored) + MaxForeignAhead
	}
	if w.Role.Hosts() {
		most = max(most, MaxHostTimestamp)
	}
	if uint64(op.Timestamp) > most {
		return true
	}
	made, ok := SecondOf(op.Entity)
	return ok && at.Author == 0 && early(made, at.Now)
}

func early(made, now Second) bool { return uint64(made) > uint64(now)+maxEarly }

// overfull reports whether an operation would exceed the bounds of C16. A deletion never does. The
// result depends only on what the writer can see, so nobody can measure what others have written in
// hidden components.
func overfull(op *crdt.Op, at Found) bool {
	if ForeignOp(op) {
		return foreignOverfull(op, at)
	}
	if op.Kind == crdt.Delete {
		return false
	}
	most := MaxPublicBytes
	if at.Hidden {
		most = MaxHiddenBytes
	}
	newStroke := ClassOf(op.Entity) == ClassStroke && at.Author == 0
	return newStroke && at.Strokes >= MaxStrokes || at.Bytes+len(op.Data) > most
}

// foreignOverfull is overfull for foreign components. A value replaces the one before. A key that
// was deleted counts, too.
func foreignOverfull(op *crdt.Op, at Found) bool {
	after := at.Counted
	if op.Kind != crdt.Append {
		after = ForeignKey
	}
	after = max(after, ForeignKey) + len(op.Data)
	return len(op.Data) > MaxForeignValue || after > at.Counted && at.Bytes+after > MaxForeignBytes
}

// judgeDeletion judges the deletion of a stroke, by its author or a host, or of all strokes before
// a second, by a host (C16). Nobody but the server deletes other entities.
func judgeDeletion(e crdt.Entity, w Writer, at Found) Refusal {
	until, clears := ClearsUntil(e)
	class := AnyClassOf(e)
	switch {
	case !clears && class == ClassNone, class == ClassForeign && !at.Foreign:
		return Unknown
	case class == ClassForeign && w.plays():
		return Allowed
	case class == ClassForeign:
		return NotAllowed
	case class == ClassStroke && at.Author == 0,
		(class == ClassSeat || class == ClassPiece) && !at.Visible:
		return Gone
	case !w.Role.Hosts() && (class != ClassStroke || !w.plays() || at.Author != w.Seat),
		!clears && class != ClassStroke:
		return NotAllowed
	case clears && early(until, at.Now):
		return TimestampAhead
	case !clears && at.Erased >= MaxErased:
		return Full
	}
	return Allowed
}

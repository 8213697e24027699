package schema

import (
	"holt/server/components/crdt"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
)

// Bounds of what is taken from those who write (C12, C16).
const (
	MaxAhead   = 256      // how far a timestamp may lie above the stored one
	MaxHosts   = 1 << 31  // the greatest timestamp that is taken from a host, who may import (C17)
	MaxStrokes = 2000     // of a table
	MaxErased  = 65_536   // strokes deleted one by one since the layer was cleared
	MaxBytes   = 4 << 20  // of data, of all components of a table that everybody sees
	MaxHidden  = 64 << 10 // of data, of all others that one seat has written
	maxEarly   = 3600     // seconds that the clock of whoever makes a stroke may go fast
)

// Refusal says why an operation came to nothing other than by losing (C11). The numbers are those of the wire (holt.proto).
type Refusal uint8

// The refusals, in the order in which they are looked for: an operation has the first that there is.
const (
	Allowed        Refusal = 0
	Unknown        Refusal = 5 // such an entity has no such component, or it is a set and not a value, or the reverse
	Gone           Refusal = 2 // there is no such seat, piece or stroke, or the writer's view does not see it
	NotAllowed     Refusal = 1 // who sent it may not write this
	TimestampAhead Refusal = 3 // too far above the stored one (C12), or of a stroke that is yet to be made (C16)
	Full           Refusal = 4 // the table has as many as it may, or as much (C16)
)

var refusalNames = [...]string{
	Allowed: "allowed", NotAllowed: "not-allowed", Gone: "gone", TimestampAhead: "timestamp", Full: "full", Unknown: "unknown",
}

func (r Refusal) String() string { return refusalNames[r] }

// Writer is who has sent an operation.
type Writer struct {
	Seat id.Seat
	Role table.Role
}

// plays reports whether somebody is a player in the sense of C14.
func (w Writer) plays() bool { return w.Role == table.RoleHost || w.Role == table.RolePlayer }

// Found is what the writer's operation finds at the table, as far as a judgement depends on it.
type Found struct {
	// Here is set if the entity is there for the writer: the piece is seen in the writer's view, there is a seat of that
	// number. Of other entities it is not asked.
	Here bool
	// Author is who has made the stroke, 0 if there is no such stroke.
	Author id.Seat
	// Stored is the timestamp under the key, of a set the greatest one; 0: nothing lies there.
	Stored uint32
	// Now is the server's time.
	Now Second
	// Strokes and Erased count those of the table: the ones that are there, and those deleted one by one since the layer was
	// cleared.
	Strokes, Erased int
	// Bytes counts the data of all components that everybody sees; if Hidden is set, of all others that the writer has written.
	Bytes int
	// Hidden is set if not everybody sees the entity, or its component.
	Hidden bool
}

// FoundIn returns what an operation finds in a replica. Here, Now, Bytes and Hidden are left to the caller.
func FoundIn(r *crdt.Replica, op *crdt.Op) Found {
	f := Found{Stored: r.Timestamp(op.Entity, op.Component)}
	if ClassOf(op.Entity) == ClassStroke {
		f.Author = AuthorOf(r, op.Entity)
	}
	f.Strokes, f.Erased = r.Count(crdt.Timed)
	return f
}

// AuthorOf returns the seat that has made a stroke, 0 if there is no such stroke.
func AuthorOf(r *crdt.Replica, stroke crdt.Entity) id.Seat {
	data, ok := r.Get(stroke, Author)
	if !ok {
		return 0
	}
	m, err := Decode[componentpb.Seat](data)
	if err != nil { // not so: the server has written it
		return 0
	}
	return id.Seat(m.GetSeat())
}

// CheckOp returns a *Fault if an operation could not have been meant: then the whole message is refused (C12).
func CheckOp(op *crdt.Op) error {
	if op.Kind != crdt.Put && op.Kind != crdt.Append {
		return nil
	}
	return Check(op.Component, op.Data)
}

// Judge says whether an operation that has passed CheckOp may be merged, and if not why (C11). Merging then decides whether it
// wins. It changes nothing, and depends on its arguments alone.
func Judge(op *crdt.Op, w Writer, at Found) Refusal {
	if op.Kind == crdt.DeleteEntity {
		return judgeDeletion(op.Entity, w, at)
	}
	class := ClassOf(op.Entity)
	s, ok := Find(class, op.Component)
	switch {
	case !ok, (s.Set > 0) != (op.Kind == crdt.Append):
		return Unknown
	case !there(class, at, op):
		return Gone
	case !may(w, s, op, at), s.Lasts && op.Kind == crdt.Delete:
		return NotAllowed
	case ahead(w, op, at):
		return TimestampAhead
	case overfull(op, at):
		return Full
	}
	return Allowed
}

// there reports whether the writer has the entity at all. A stroke comes into being by its Stroke.
func there(class Class, at Found, op *crdt.Op) bool {
	switch class {
	case ClassSeat, ClassPiece:
		return at.Here
	case ClassStroke:
		return at.Author != 0 || op.Component == Stroke && op.Kind == crdt.Put
	default:
		return true
	}
}

// may reports whether somebody may write a component (C14).
func may(w Writer, s Spec, op *crdt.Op, at Found) bool {
	switch s.Who {
	case ByHost:
		return w.Role == table.RoleHost
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

// ofSender reports whether a ping says that it is that seat's.
func ofSender(ping []byte, seat id.Seat) bool {
	m, err := Decode[componentpb.Ping](ping)
	return err == nil && id.Seat(m.GetSeat()) == seat
}

// ahead reports whether an operation comes from a future that nobody has reached (C12, C16): who could write it would have the
// last word for ever.
func ahead(w Writer, op *crdt.Op, at Found) bool {
	most := uint64(at.Stored) + MaxAhead
	if w.Role == table.RoleHost {
		most = max(most, MaxHosts)
	}
	if uint64(op.Timestamp) > most {
		return true
	}
	made, ok := SecondOf(op.Entity)
	return ok && at.Author == 0 && early(made, at.Now)
}

func early(made, now Second) bool { return uint64(made) > uint64(now)+maxEarly }

// overfull reports whether an operation would bring more than there is room for (C16). Deleting always goes. The answer follows
// from what the writer sees: so nobody can measure what others have written where it is hidden.
func overfull(op *crdt.Op, at Found) bool {
	if op.Kind == crdt.Delete {
		return false
	}
	most := MaxBytes
	if at.Hidden {
		most = MaxHidden
	}
	newStroke := ClassOf(op.Entity) == ClassStroke && at.Author == 0
	return newStroke && at.Strokes >= MaxStrokes || at.Bytes+len(op.Data) > most
}

// judgeDeletion judges the deletion of a stroke, by its author or a host, or of all strokes up to a second, by a host (C16).
// Other entities are deleted by the server.
func judgeDeletion(e crdt.Entity, w Writer, at Found) Refusal {
	until, clears := ClearsUntil(e)
	class := ClassOf(e)
	switch {
	case !clears && class == ClassNone:
		return Unknown
	case class == ClassStroke && at.Author == 0, (class == ClassSeat || class == ClassPiece) && !at.Here:
		return Gone
	case w.Role != table.RoleHost && (class != ClassStroke || !w.plays() || at.Author != w.Seat), !clears && class != ClassStroke:
		return NotAllowed
	case clears && early(until, at.Now):
		return TimestampAhead
	case !clears && at.Erased >= MaxErased:
		return Full
	}
	return Allowed
}

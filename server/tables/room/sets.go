package room

import (
	"context"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/play/table"
)

// SetOwners are the owners of guest sets, whose pieces lie on tables (docs/protocol/table.md, T37
// to T41). A table asks them what only they know. It makes the calls about one set one after the
// other, in the order in which they have to be carried out, and calls about different sets at the
// same time. A method returns when what it did is durable, or an error: *Unreachable if the owner
// cannot be reached, *Refusal if it refuses. Any other error counts as Unreachable. Safe for
// concurrent use.
type SetOwners interface {
	// Hold gives a set of the person of s to the table: from then on it lies there and nowhere
	// else. The answer does not say what its secret parts are. A call for a set that the table
	// already holds gives the same answer again.
	Hold(ctx context.Context, s Session, set id.OID) (Guest, error)
	// Release takes back a set that has left the table. Parts are in the order in which they lie
	// now; Kind is not set. It is repeated until it succeeds, and it succeeds if the table does not
	// hold the set.
	Release(ctx context.Context, table, set id.OID, parts []Part) error
	// DeleteTable ends all holds of a deleted table (T42), after Release has succeeded for every
	// set that the table knew of. Sets that were given to the table without its knowledge go back.
	// Afterwards the owner keeps nothing for the table. The room repeats the call until it
	// succeeds, and may repeat it after that.
	DeleteTable(ctx context.Context, table id.OID) error
	// Guests returns the sets that are believed to lie on the table: those that Hold may have given
	// to it and Release has not taken back.
	Guests(ctx context.Context, table id.OID) ([]id.OID, error)
	// Make makes a set of what has left the table, for the person of s. It is repeated until it
	// succeeds, and also after that.
	Make(ctx context.Context, s Session, set id.OID, c Contents) error

	// Reveal says what parts are. It returns as many, in the same order, and the number of the last
	// shuffle.
	Reveal(ctx context.Context, table, set id.OID, parts []uint32) (Revealed, error)
	// Shuffle deals the kinds of parts among those of them that have the same mask. The result
	// depends on random and on bytes of the owner's own. It returns the number of the shuffle,
	// which is above that of all before it.
	Shuffle(
		ctx context.Context, r Request, parts []uint32, random [32]byte,
	) (shuffles uint64, err error)
	// Roll returns the face that a part has rolled, which is decided as in Shuffle.
	Roll(ctx context.Context, r Request, part uint32, random [32]byte) (face int32, err error)
	// Count adds n to the value of a part and returns it. If that is out of bounds, it is a Refusal
	// with table.ReasonRange.
	Count(ctx context.Context, r Request, part uint32, n int32) (value int32, err error)
	// Write writes on a part.
	Write(ctx context.Context, r Request, part uint32, text string) error
}

// Request names a call that changes something, for ever. The owner carries the same request out
// once, and answers it alike when it comes again.
type Request struct {
	Table, Set id.OID
	Client     id.Client
	Seq        id.ClientSeq
}

// Part is a part of a set. Kind is the version of its kind (game.Version). When a set comes to a
// table, Kind of a secret part is the version of the mask.
type Part struct {
	Number      uint32
	Kind        Hash
	Secret      bool
	Face, Value int32
	Text        string
}

// Contents are what a set consists of. Kinds are the versions of the kinds of all its parts, and of
// the kinds to which these refer.
type Contents struct {
	Kinds [][]byte
	Art   []Blob // of all faces
	Parts []Part // in order: the container first, then from the bottom up
}

// Guest is a set as a table gets it, and the number of its last shuffle.
type Guest struct {
	Contents
	Shuffles uint64
}

// Revealed says what parts are.
type Revealed struct {
	Shuffles uint64
	Parts    []Part
}

// Unreachable is why an owner cannot be reached, and until when it is not asked again; 0: until it
// says that it is back.
type Unreachable struct {
	Reason table.Away
	Until  id.Millis
	Host   id.HostID // the host that does not answer; zero: that is not known
}

func (a *Unreachable) Error() string {
	return fmt.Sprintf("the owner cannot be reached: reason %d", a.Reason)
}

// Refusal is why an owner refuses what it is asked for.
type Refusal struct{ Reason table.Reason }

func (r *Refusal) Error() string { return fmt.Sprintf("the owner refuses: reason %d", r.Reason) }

// SetEvent says that the owner of a set that lies on a table cannot be reached, or can be again.
// That a set has moved to another owner is not an event: the table goes on asking.
type SetEvent struct {
	Table, Set  id.OID
	Unreachable *Unreachable // nil: it can be reached again
}

// SetChanged gives a table a SetEvent. If the owner is back, a table that nobody uses is loaded
// until it has done its errands for the set (T40).
func (rs *Rooms) SetChanged(ctx context.Context, e SetEvent) error {
	_, err := inRoom(ctx, rs, e.Table, func(r *room) (none, error) {
		r.onSetEvent(e)
		return none{}, nil
	})
	if errors.Is(err, ErrGone) && e.Unreachable == nil {
		rs.Sweep() // the set can be given back
		return nil
	}
	return err
}

// onSetEvent processes a SetEvent.
func (r *room) onSetEvent(e SetEvent) {
	if e.Unreachable != nil {
		r.markUnreachable(e.Set, e.Unreachable)
		return
	}
	r.markReachable(e.Set)
	if s, ok := r.table.Set(e.Set); ok && s.Stage != table.StageHere {
		r.errand(e.Set)
	}
}

package room

import (
	"context"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/play/table"
)

// Sets are the owners of sets, of which pieces lie on tables as guests (docs/protocol/table.md, T37 to T41). A table asks them
// what only they know, in the order in which it wants it carried out for one set; of different sets it asks at the same time.
// Methods return when what they did is durable, or an error: *Absent if the owner cannot be reached, *Refusal if it does not do
// it. Any other error counts as Absent. Safe for concurrent use.
type Sets interface {
	// Hold gives a set of the person of s to the table: from then on it lies there and nowhere else. What its secret parts are is
	// not in the answer. To hold what the table holds already gives the same answer again.
	Hold(ctx context.Context, s Session, set id.OID) (Guest, error)
	// LetGo takes back a set that has left the table. Parts are in the order in which they lie now; Kind is not set. It is repeated
	// until it has succeeded, and succeeds if the table does not hold the set.
	LetGo(ctx context.Context, table, set id.OID, parts []Part) error
	// Discard ends what there is of a table that was thrown away (T42), for which LetGo has succeeded for every set that it knew of: what
	// the table was given and never learnt of goes back, and nothing is kept for the sake of the table any more. It is repeated until it
	// has succeeded, also if it has before.
	Discard(ctx context.Context, table id.OID) error
	// Guests returns the sets that are believed to lie on the table: those that Hold may have given it and LetGo has not taken back.
	Guests(ctx context.Context, table id.OID) ([]id.OID, error)
	// Make makes a set of what has left the table, for the person of s. It is repeated until it has succeeded, also if it has
	// before.
	Make(ctx context.Context, s Session, set id.OID, c Contents) error

	// Reveal says what parts are: it returns as many, in the same order, and the number of the last shuffle.
	Reveal(ctx context.Context, table, set id.OID, parts []uint32) (Revealed, error)
	// Shuffle deals the kinds of parts out anew among those of them that have the same mask, by a lot that depends on random and on
	// bytes of the owner's own. It returns the number of the shuffle, which is above that of all before it.
	Shuffle(ctx context.Context, r Request, parts []uint32, random [32]byte) (shuffles uint64, err error)
	// Roll returns the face that a part has rolled, by a lot as in Shuffle.
	Roll(ctx context.Context, r Request, part uint32, random [32]byte) (face int32, err error)
	// Count adds n to the value of a part and returns it. Out of its bounds is a Refusal for table.ReasonRange.
	Count(ctx context.Context, r Request, part uint32, n int32) (value int32, err error)
	// Write writes on a part.
	Write(ctx context.Context, r Request, part uint32, text string) error
}

// Request names a call that changes something, for ever: the same one is carried out once, and answered alike when it comes again.
type Request struct {
	Table, Set id.OID
	Client     id.Client
	Seq        id.ClientSeq
}

// Part is a part of a set. Kind is the version of its kind (game.Version); where it is told to a table on which it comes to lie,
// that of the mask if it is secret.
type Part struct {
	Number      uint32
	Kind        Hash
	Secret      bool
	Face, Value int32
	Text        string
}

// Contents are what a set is made of. Kinds are the versions of all that its parts are, and of what these refer to.
type Contents struct {
	Kinds [][]byte
	Art   []Blob // of all faces
	Parts []Part // in order: the container first, then the undermost
}

// Guest is a set as a table gets it, and the number of its last shuffle.
type Guest struct {
	Contents
	Shuffles uint64
}

// Revealed is what parts are.
type Revealed struct {
	Shuffles uint64
	Parts    []Part
}

// Absent is why an owner cannot be reached, and until when it is not asked again; 0: until it says that it is back.
type Absent struct {
	Away  table.Away
	Until id.Millis
	Host  id.GWID // who is waited for; zero: that is not known
}

func (a *Absent) Error() string { return fmt.Sprintf("the owner cannot be reached: reason %d", a.Away) }

// Refusal is why an owner does not do what it is asked for.
type Refusal struct{ Reason table.Reason }

func (r *Refusal) Error() string { return fmt.Sprintf("the owner refuses: reason %d", r.Reason) }

// SetEvent says that the owner of a set that lies on a table cannot be reached, or can be again. That a set has moved to another
// owner is no event: the table asks on.
type SetEvent struct {
	Table, Set id.OID
	Absent     *Absent // nil: it can be reached again
}

// Tell tells a table of a set. If that is back, a table that is not in use is used for as long as it takes to do what it owes
// the owner (T40).
func (rs *Rooms) Tell(ctx context.Context, e SetEvent) error {
	r, release, err := rs.acquire(ctx, e.Table)
	if errors.Is(err, ErrGone) && e.Absent == nil {
		rs.Sweep() // what lay there can be given back
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	answer := make(chan error, 1) // the room answers once
	err = r.do(ctx, func() {
		r.hear(e)
		r.next.answers = append(r.next.answers, answer)
	})
	if err != nil {
		return err
	}
	return r.await(ctx, answer)
}

// hear takes what an owner says of itself.
func (r *room) hear(e SetEvent) {
	if e.Absent != nil {
		r.absent(e.Set, e.Absent)
		return
	}
	r.present(e.Set)
	if s, ok := r.table.Set(e.Set); ok && s.Stage != table.StageHere {
		r.errand(e.Set)
	}
}

package room

import (
	"context"
	"errors"

	"holt/server/id"
)

// Position counts the entries in the log of one table. The first entry has position 1.
type Position uint64

// Hash is a SHA-256.
type Hash [32]byte

// Store keeps tables durably. A method that changes something returns only when the change survives
// a power failure, or it returns an error, and then nobody sees anything of the change while the
// process lives. (When a disk fails while it flushes, the change may or may not exist after the
// next start. If it exists it is complete, and what an Append holds is recognised when it is sent
// again, T10.) Safe for concurrent use.
type Store interface {
	// Writable returns nil while storing works, as far as is known, else a *Trouble. It costs next
	// to nothing.
	Writable() error
	// CreateTable stores a new table, its first entries, seats and invites, and its blobs, all or
	// nothing.
	CreateTable(ctx context.Context, t NewTable) error
	// Table returns what is known of a table outside its log. ErrNoTable if there is no such table.
	Table(ctx context.Context, table id.OID) (TableRow, error)
	// Load returns the latest sound snapshot and the entries after it. If below is not 0, it takes
	// the latest sound snapshot before that position. ErrDamaged if the table cannot be rebuilt
	// from what is stored.
	Load(ctx context.Context, table id.OID, below Position) (Loaded, error)
	// Append adds entries to the log, and the other changes in a, all or nothing. ErrFenced if the
	// log is not as long as the writer believed: somebody else has written to it.
	Append(ctx context.Context, a Append) error
	// Entries calls each with the entries of the log after a position, in order and at most limit
	// of them, until each returns an error. It returns how many those were: fewer than limit only
	// at the end of the log. The bytes are valid only during the call. ErrNoTable if there is no
	// such table, ErrDropped if the log does not go back to that position, ErrDamaged if one of the
	// entries is damaged.
	Entries(
		ctx context.Context, table id.OID, after Position, limit int, each func(body []byte) error,
	) (int, error)
	// Motion calls each with the chunks of recorded motion of a table that have frames later than a
	// time, in order, until each returns an error, which Motion returns. The bytes are valid only
	// during the call. ErrNoTable if there is no such table, ErrDamaged behind the last sound chunk
	// before a damaged one.
	Motion(ctx context.Context, table id.OID, after id.Millis, each func(body []byte) error) error
	// SaveSnapshot stores the state after the entry at position, and that the log has logged bytes
	// up to there. It deletes all older snapshots but one, and but that with which the log begins.
	SaveSnapshot(
		ctx context.Context, table id.OID, at Position, snapshot []byte, logged int64,
	) error

	// SavedPosition returns the body of a save point. ErrNoSave if there is none, ErrDamaged if it is
	// not what was written.
	SavedPosition(ctx context.Context, table id.OID, number uint32) ([]byte, error)

	// Said returns the texts of lines of the chat that are still stored, by the positions of their
	// entries, ascending. What is damaged is returned as lost.
	Said(ctx context.Context, table id.OID, positions []Position) ([]ChatText, error)
	// SaidAt returns the position of the entry of a line of which the text is still stored; 0 if
	// there is none. The position may be wrong if what is stored is damaged.
	SaidAt(ctx context.Context, table id.OID, line id.ChatLine) (Position, error)

	// SnapshotAt returns the snapshot of the state after the entry at a position; nil if there is
	// none, or if it is damaged. That with which a log begins (T48) stays as long as it does.
	SnapshotAt(ctx context.Context, table id.OID, at Position) ([]byte, error)

	// DropHistory stores a snapshot of the state after an entry, and makes the log begin after it,
	// all or nothing (T48). It deletes the recorded motion (K17) and the texts of the chat before
	// it, too. ErrFenced if the log is not as long as the caller believes.
	DropHistory(ctx context.Context, d Dropping) error
	// Dropped returns the tables whose dropped entries are still to be deleted.
	Dropped(ctx context.Context) ([]id.OID, error)
	// SweepHistory deletes some of the dropped entries of a table, and reports whether there are
	// more.
	SweepHistory(ctx context.Context, table id.OID) (more bool, err error)

	// Erasures returns the seats that are still to be erased from entries and snapshots (T80).
	Erasures(ctx context.Context) ([]Erasure, error)
	// SweepErasure rewrites some of the entries and snapshots of a table that may have the name of
	// a seat, and reports whether there are more.
	SweepErasure(ctx context.Context, e Erasure, rewrite Rewriter) (more bool, err error)

	// Lineage returns what the log of a table says of a server life.
	Lineage(ctx context.Context, table id.OID, life ServerLife) (Lineage, error)
	// Renew gives a table another epoch (T19).
	Renew(ctx context.Context, table id.OID, epoch id.Epoch) error

	// SeatByToken returns the seat of table with that token. ErrNoSeat if there is none, or no such
	// table.
	SeatByToken(ctx context.Context, table id.OID, token Hash) (SeatRow, error)
	// InviteByToken returns where the invite leads. ErrNoInvite if it leads nowhere; ErrRenewed if it
	// was one of the last invites of a table that were renewed.
	InviteByToken(ctx context.Context, token Hash) (InviteRow, error)
	// Blob returns art or a catalogue. ErrNoBlob if it is not stored.
	Blob(ctx context.Context, hash Hash) (Blob, error)
	// BlobSize returns how many bytes a blob has. ErrNoBlob if it is not stored.
	BlobSize(ctx context.Context, hash Hash) (int64, error)

	// Touch stores that a table was in use at a time.
	Touch(ctx context.Context, table id.OID, at id.Millis) error
	// Unused returns the tables that were last in use before a time. A table of which that is not
	// known counts as in use now.
	Unused(ctx context.Context, before, now id.Millis) ([]id.OID, error)

	// Deletion deletes a table, all or nothing (T42). From then on all methods above answer ErrGone
	// for the table and its invites. ErrFenced if the log is not as long as the caller believes.
	// ErrDamaged if the table is damaged and d does not say so, or if nobody can tell what belongs
	// to the table: then nothing is changed.
	DeleteTable(ctx context.Context, d Deletion) error
	// DeletedTables returns the tables that were deleted and for which FinishDeletion was not
	// called, in the order in which they were made.
	DeletedTables(ctx context.Context) ([]DeletedTable, error)
	// SweepTable deletes some of the data of a deleted table, and reports whether there is more.
	SweepTable(ctx context.Context, table id.OID) (more bool, err error)
	// SetReturned stores that a guest set of a deleted table was given back.
	SetReturned(ctx context.Context, table, set id.OID) error
	// FinishDeletion ends the deletion of a table. It is an error if data of the table is left, or
	// a set has not been given back.
	FinishDeletion(ctx context.Context, table id.OID) error
}

// Errors of a Store. Others mean that the storage has failed.
var (
	ErrNoTable  = errors.New("no such table")
	ErrNoSeat   = errors.New("no such seat")
	ErrNoInvite = errors.New("no such invite")
	// ErrRenewed is an ErrNoInvite, too.
	ErrRenewed error = renewedError{}
	ErrNoBlob        = errors.New("no such blob")
	ErrFenced        = errors.New("the log has been written by somebody else")
	ErrDropped       = errors.New("the log does not go back so far")
	// Also of the table to which an invite led (T42).
	ErrGone = errors.New("the table was thrown away")
	// ErrDamaged says that what the disk has of a table, or of anything else, is not what was
	// written to it.
	ErrDamaged = errors.New("what is stored is damaged")
)

// renewedError is the type of ErrRenewed.
type renewedError struct{}

func (renewedError) Error() string { return "a host has made a new link" }

// Is reports that whoever knows ErrNoInvite alone may take the error for it.
func (renewedError) Is(target error) bool { return target == ErrNoInvite }

// Trouble is the error of a Store that cannot store anything at the moment. Reading may work.
type Trouble struct {
	// Reason says to people what is wrong, without paths: "its disk is full".
	Reason string
	Err    error
}

func (t *Trouble) Error() string {
	return "nothing can be saved, because " + t.Reason + ": " + t.Err.Error()
}

// Unwrap returns ErrStorage and the cause.
func (t *Trouble) Unwrap() []error { return []error{ErrStorage, t.Err} }

// TableRow is what is known of a table outside its log.
type TableRow struct {
	Table id.OID
	Epoch id.Epoch
	Game  string // id on the shelf, or the identity (G2) in hexadecimal
	Settings
	Catalog       Hash
	Supplement    Hash // what the game has beside its catalogue (G12); zero: nothing
	Created       id.Millis
	InviteVersion uint32 // inviteVersions
	// Password is the hash of the password of the table (T68), "" if it has none.
	Password string
	Base     Position  // the log begins after it (T48)
	Used     id.Millis // when the table was last in use, to about touchEvery
}

// Settings are what the hosts of a table choose. They follow from its log; here they can be read
// without it.
type Settings struct {
	Title         string
	Width, Height int32  // of the table, in table units of 0.1 mm
	Surface       string // "felt", "wood", "slate" or "paper"
}

// NewTable is a table to be stored.
type NewTable struct {
	Row     TableRow
	Entries [][]byte
	Seats   []SeatRow
	Invites []InviteRow
	Blobs   []Blob
	Saves   []NewSave
}

// SeatRow joins a token, of which only the hash is known, to a seat.
type SeatRow struct {
	Token Hash
	Seat  id.Seat
}

// InviteRow joins an invite, of which only the hash is known, to a table and a role.
type InviteRow struct {
	Token Hash
	Table id.OID
	Role  uint8 // table.Role; never 0
}

// Blob is content that is known by its hash.
type Blob struct {
	Hash Hash
	Type string // media type
	Data []byte
}

// ServerLife names one start of the server: 8 random bytes, and 8 that show that this host has
// drawn them.
type ServerLife [16]byte

// bytes returns what clients get of l: nothing if it is zero.
func (l ServerLife) bytes() []byte {
	if l == (ServerLife{}) {
		return nil
	}
	return l[:]
}

// Lineage is what the log of a table says of a server life.
type Lineage struct {
	Forged bool // this host has never had such a life
	// The life is in the folder. If it is neither there nor forged, the folder was put back to an
	// older state.
	Known bool
	// The position of the last entry written in that life or before it; beyond the log if nothing
	// was written since.
	Last Position
}

// Loaded is a table as it was stored.
type Loaded struct {
	Life       ServerLife // of this start; zero if it could not be stored
	EpochIsNew bool       // the epoch was drawn in this life: since then nothing can have gone back
	Row        TableRow
	Snapshot   []byte     // nil if there is none
	At         Position   // of the snapshot; 0 if there is none
	Logged     int64      // bytes of the log up to At, with EntryCost for each entry
	Entries    [][]byte   // those at positions At+1, At+2, …
	Skipped    []Position // positions of later snapshots that are damaged
	Saves      []SaveRow  // the sound save points, ascending
	Open       []OpenItem // what is open
	Faults     []string   // what is damaged of its seats and invites, in words
}

// Append is a piece of log. Entries go to positions Expect+1, Expect+2, ….
type Append struct {
	Table   id.OID
	Expect  Position
	Entries [][]byte
	// Seats of which the tokens and the people's data are deleted, before Seats are added.
	Voided   []id.Seat
	Seats    []SeatRow
	Invites  *NewInvites // the only ones from now on; nil: they stay
	Settings *Settings   // from now on; nil: they stay
	// Catalog is the new catalogue, in which all kinds of the one before keep their numbers (T37);
	// nil: it stays. Blobs are that catalogue, the art of what is new in it, and the supplement.
	Catalog *Hash
	// Supplement is what the table has beside its catalogue from now on (G27); nil: it stays.
	Supplement *Hash
	Blobs      []Blob
	Password   *string // the hash of another password, "" for none; nil: it stays
	// Said are the texts of lines of the chat in Entries, whose bounds the store keeps. The texts
	// at the positions of Unsaid, and those from before SaidBefore, are deleted (T64).
	Said       []ChatText
	Unsaid     []Position
	SaidBefore id.Millis
	// Erasing are the seats of which the texts are deleted, also those in Said, and which are then to
	// be erased from all entries up to the last of Entries, and from snapshots (T80).
	Erasing []Erasing
	// Saves are save points to be kept (T70); those with the numbers of Unsaved are deleted.
	Saves   []NewSave
	Unsaved []uint32
	// Open is what has changed of what is open; what has no body is not open any more.
	Open []OpenItem
	// Epoch is the epoch from now on (T71); nil: it stays.
	Epoch *id.Epoch
	// Motion is added to what is recorded of motion (K17), whose bounds the store keeps; nil: none.
	Motion *RecordedMotion
}

// Erasing is a seat that is to be erased, and the number of the name that it has then.
type Erasing struct {
	Seat   id.Seat
	Number uint32
}

// Erasure is what is left of that at a table.
type Erasure struct {
	Table id.OID
	Erasing
}

// Rewriter returns what is to stand instead of the body of an entry or a snapshot; nil if it stays.
type Rewriter func(body []byte, snapshot bool) ([]byte, error)

// OpenItem is something that is open at a table until somebody ends it. It is stored beside the
// log, and replaced as a whole.
type OpenItem struct {
	Kind OpenKind
	Body []byte // only this package understands it
}

// OpenKind says what is open. The numbers are those of the store.
type OpenKind uint8

// What may be open. A table has one of each at most.
const (
	OpenQuestion OpenKind = 1 // about an undo (T63)
	OpenRound    OpenKind = 2 // in which everybody chooses something (T76)
)

// RecordedMotion is a chunk of recorded motion, as DecodeRecording of package wire reads it.
type RecordedMotion struct {
	At   id.Millis // of its last frame
	Body []byte
}

// Dropping is the history of a table that is to be dropped.
type Dropping struct {
	Table    id.OID
	Expect   Position // the length of its log
	Base     Position // the position of the last entry to be dropped
	Snapshot []byte   // the state after it
}

// NewInvites are the invites of a table, and the version from which they are derived.
type NewInvites struct {
	Version uint32
	Rows    []InviteRow
}

// Deletion is a table to be deleted.
type Deletion struct {
	Table   id.OID
	Damaged bool     // delete the table however damaged it is; Expect is ignored
	Expect  Position // the length of its log
	At      id.Millis
	Owed    []Owed
}

// Owed is a set that lay on a table when the table was deleted, and has to be given back.
type Owed struct {
	Set id.OID
	Doc []byte // how its parts lay; only this package understands it
}

// DeletedTable is a table that was deleted, and the sets that have not been given back.
type DeletedTable struct {
	Table id.OID
	At    id.Millis
	Owed  []Owed
}

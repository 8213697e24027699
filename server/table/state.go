package table

import (
	"holt/server/id"
	"holt/server/zlevel"
)

// Bounds that are part of the protocol (T13, T14, T24, T26).
const (
	MaxPieces     = 10_000
	MaxCoordinate = 1_000_000 // table units of 0.1 mm, either side of the middle
	FullTurn      = 36_000    // hundredths of a degree
	MinShuffle    = 2
	MaxShuffle    = 500
)

// Role is what a seat may do. The numbers are those of the wire.
type Role uint8

// The roles.
const (
	RoleHost      Role = 1 // plays, and has the keys of the table
	RolePlayer    Role = 2
	RoleSpectator Role = 3 // watches
)

var roleNames = [...]string{RoleHost: "host", RolePlayer: "player", RoleSpectator: "spectator"}

func (r Role) String() string {
	if int(r) < len(roleNames) && roleNames[r] != "" {
		return roleNames[r]
	}
	return "unknown"
}

// Kind is what the table needs to know of a kind of piece.
type Kind struct {
	Width, Height int32
	Faces         int32
	Secret        bool   // face 0 is the front, shown only as T22 says
	Mask          uint32 // kind shown in place of a concealed one; it has the same size and weight
	Heavy         bool   // lies below everything light (T25)
	Hand          bool   // what lies in it belongs to its owner (T23)
	Clock         ClockKind
}

// State is the complete state of a piece (T3). It is comparable.
type State struct {
	Kind   uint32
	X, Y   int32 // centre, table units of 0.1 mm
	Angle  int32 // hundredths of a degree, clockwise, 0 to FullTurn-1
	Face   int32
	Z      zlevel.Level
	ZGen   id.Generation // of the entry that set Z last (T13)
	Pinned bool
	Locked bool
	Gone   bool    // deleted
	Holder id.Seat // 0: nobody
	Owner  id.Seat // of a hand: whose it is; of a secret piece: in whose hand it lies (T23)
	Clock  Clock   // of a clock (T27)
}

// SeatInfo is a seat at the table.
type SeatInfo struct {
	Seat   id.Seat
	Nick   string
	Colour uint32 // 0xRRGGBB
	Role   Role
}

// Entry is one recorded fact of a table's history: an update of a piece, or a change of a seat. Undo,
// replay, audit and resumption read entries; nothing in them is rendered.
type Entry struct {
	Gen id.Generation
	At  id.Millis
	Op  Op
	// Seat is whose doing it is, 0 for the server's own. Of OpRenew it is the only view that is shown the entry.
	Seat id.Seat
	// Client, Seq and Digest name the update that this entry acknowledges (T10); zero if none.
	Client id.Client
	Seq    id.ClientSeq
	Digest uint64
	// Server says that the entry is a server update to every client, also to the one it acknowledges (T4, T17, T20).
	Server bool

	// Piece is the piece that changed, from Before to After, and Name its name on the wire; zero if Who is set.
	Piece         id.OID
	Name          id.Piece
	Before, After State
	// Made is set if the entry brought the piece to the table.
	Made bool

	// Who is the seat as it is from now on; nil if a piece changed.
	Who *SeatInfo
}

// author returns who made the update in the sense of T5: the zero client for a server update.
func (e *Entry) author() id.Client {
	if e.Server {
		return id.Client{}
	}
	return e.Client
}

package table

import (
	"strconv"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// Bounds that are part of the protocol (T13, T14, T21, T23, T24, T26, T30, T33 to T35).
const (
	MaxPieces     = 10_000
	MaxCoordinate = 1_000_000 // table units of 0.1 mm, either side of the middle
	FullTurn      = 36_000    // hundredths of a degree
	MinShuffle    = 2
	MaxShuffle    = 500
	MaxTeam       = 7       // seats with which a hand is shared
	MaxDraw       = 100     // pieces that one draw takes, or one deal gives to each
	MaxValue      = 1 << 30 // of a counter, either side of 0, or of currency
	MaxText       = 2000    // bytes

	// Names drawn by lot (T21). They have the same length on the wire.
	MinLot id.Piece = 1 << 14
	MaxLot id.Piece = 1<<21 - 1
)

// Role is what a seat may do. The numbers are those of the wire.
type Role uint8

// The roles.
const (
	RoleHost      Role = 1 // plays, and has the keys of the table
	RolePlayer    Role = 2
	RoleSpectator Role = 3 // watches
	RoleCohost    Role = 4 // reserved: no seat has it yet
	RoleReferee   Role = 5 // reserved: no seat has it yet
)

var roleNames = [...]string{
	RoleHost: "host", RolePlayer: "player", RoleSpectator: "spectator", RoleCohost: "co-host", RoleReferee: "referee",
}

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
	Private       bool   // hidden in hands (T23), as secret ones are in any case
	Mask          uint32 // kind shown in place of a concealed one; it has the same size and weight
	Unknown       bool   // of a secret kind: stands for those with the same mask of which it is not known which one it is (T38)
	Heavy         bool   // lies below everything light (T25)
	Hand          bool   // what lies in it belongs to its owner (T23)
	Uncounted     bool   // of a hand or a container: nobody is told how many lie in it (T29)
	Peek          Right  // of a secret kind or a container: who may look (T31)
	Container     ContainerKind
	Clock         ClockKind
	Die           DieKind
	Counter       CounterKind
	Currency      int32 // what a new heap is worth, 1 to MaxValue (T34); 0: no currency
	Text          bool  // a note or a label (T35)
	Written       string
	Seat          SeatKind
}

// Right says who may do something.
type Right uint8

// The rights.
const (
	RightNobody Right = iota
	RightHost
	RightPlayers // and hosts
)

// has reports whether a role has the right.
func (r Right) has(role Role) bool {
	return r == RightPlayers && role != RoleSpectator || r == RightHost && role == RoleHost
}

// ContainerKind says what the containers of a kind are like (T29). The zero value is of a kind that holds nothing.
type ContainerKind struct {
	Holds  bool   // it is a container
	Random bool   // it draws by lot, not from the top
	Masked bool   // it takes secret pieces only, ...
	Takes  uint32 // ... of this mask
}

// DieKind says what the dice of a kind are like (T32).
type DieKind struct {
	Rolls    bool
	Cooldown id.Millis
}

// CounterKind says what the counters of a kind are like (T33), within MaxValue.
type CounterKind struct {
	Counts            bool
	Min, Max, Initial int32
}

// SeatKind says how a piece belongs to a seat (T35).
type SeatKind uint8

// The ways.
const (
	SeatNone SeatKind = iota
	SeatLabel
	SeatTurn
)

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
	Gone   bool     // deleted
	Holder id.Seat  // 0: nobody
	Owner  id.Seat  // of a hand: whose it is; of a private piece: in whose hand it lies (T23); of a label or marker: whose (T35)
	Team   Team     // of a hand: with whom it is shared; of what lies in one: the same
	In     id.Piece // the container in which it lies (T29), 0: none
	Home   id.Piece // the container to which a recall brings it back (T30), 0: none
	Value  int32    // of a counter or of currency (T33, T34)
	Text   string   // of a note or label (T35)
	// Native says that the piece was set up in the container that is its home (F12).
	Native bool
	// Since is the first round of randomness that could tell where the piece lies or what it is, while that is hidden from
	// somebody (F12): 0 for none, HiddenEver for all.
	Since  uint32
	Rolled id.Millis // when a die was rolled last (T32)
	Clock  Clock     // of a clock (T27)
	Set    id.OID    // the set that is a guest here and of which it is a part (T37); zero: it is the table's own
	Part   uint32    // which part
}

// SeatInfo is a seat at the table.
type SeatInfo struct {
	Seat   id.Seat
	Nick   string
	Colour uint32 // 0xRRGGBB
	Role   Role
	Home   string // the name of the server that vouches for a visitor (O37); empty: they have come by themselves
	// Number tells seats apart whose names look the same (T53): 0 for the first, then 2, 3, 4. The table chooses it.
	Number uint32
	// Left is the seat that ended this one (T51, T52): its own if its person left, else that of a host. 0: it is in use.
	Left id.Seat
	// Tokens counts how often the token of the seat was replaced or withdrawn. A session made before that is void.
	Tokens uint32
	// Link is the newest link that a host made for this seat of somebody else, or the operator (T55);
	// zero: there was none.
	Link SeatLink
	// Fresh says that nothing in the history refers to the seat but that it was taken, and got or lost an empty hand (T56). The table
	// keeps it.
	Fresh bool
}

// SeatLink says who made a link by which a seat goes to another device, and when it was made and used.
type SeatLink struct {
	By   id.Seat // 0: the operator of the server
	At   id.Millis
	Used id.Millis // 0: not yet
}

// Plays reports whether somebody plays at the seat: it is in use, and not by a spectator.
func (s *SeatInfo) Plays() bool {
	return s.Left == 0 && (s.Role == RoleHost || s.Role == RolePlayer || s.Role == RoleCohost)
}

// HomeSign stands between the nick of a visitor and the name of their server. No nick has it, so that nobody can be taken for
// somebody else (O37).
const HomeSign = '\u2302'

// Name returns the nick as others are shown it: with the number of a name that is there twice, and the server of a visitor.
func (s *SeatInfo) Name() string {
	name := s.Nick
	if s.Number > 0 {
		name += " (" + strconv.FormatUint(uint64(s.Number), 10) + ")"
	}
	if s.Home == "" {
		return name
	}
	return name + " " + string(HomeSign) + " " + s.Home
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
	// NewName is what the piece is called from now on, because it has gone out of somebody's sight (T21); 0: as before.
	NewName id.Piece

	// Notice is set if the entry is told as a notice (T28): that so many things were done to the piece, which is as
	// before. Faces are the kinds that To was shown (T31), and To who was shown something, 0 for nobody.
	Notice bool
	Count  int32
	Faces  []uint32
	To     id.Seat
	// Brought is the piece that the update acknowledged here has made or drawn, 0 if none (T10).
	Brought id.Piece

	// Order is set if what lies in the container has come into another order (T31): Order[i] is how many lay below the piece
	// that has i others below it now. Owed is the round to which all of them owe their places (F12), 0: as before.
	Order []uint32
	Owed  uint32

	// Left and Entered say how many lie in the hands or containers that the piece has left and entered (T29). They
	// follow from the history, and are not stored.
	Left, Entered Tally

	// Who is the seat as it is from now on; nil if a piece changed.
	Who *SeatInfo

	// Set is a set as it is from now on (T37); nil if anything else changed.
	Set *SetInfo

	// Fact is about the randomness of the table (docs/fairness.md), which the table keeps in its history and does not read;
	// nil if a piece or a seat changed. If To is set, it is for that seat alone.
	Fact []byte

	// Ops are operations on components (docs/protocol/component.md), which the table keeps and does not read; nil if it is
	// anything else. If Piece is set they are of that piece, and Before and After are as it lay then, which follows from the history
	// and is not stored. Else, if To is set, they are for that seat alone.
	Ops []byte
}

// OfPiece reports whether e is about a piece.
func (e *Entry) OfPiece() bool { return e.Who == nil && e.Set == nil && e.Fact == nil && e.Ops == nil }

// author returns who made the update in the sense of T5: the zero client for a server update.
func (e *Entry) author() id.Client {
	if e.Server {
		return id.Client{}
	}
	return e.Client
}

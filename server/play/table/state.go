package table

import (
	"strconv"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// Bounds that are part of the protocol (T13, T14, T21, T24). Those of single kinds are in their
// files.
const (
	MaxPieces     = 10_000
	MaxCoordinate = 1_000_000 // table units of 0.1 mm, either side of the middle
	FullTurn      = 36_000    // hundredths of a degree

	// Random names lie between MinRandomName and MaxRandomName (T21). All have the same length on
	// the wire.
	MinRandomName id.Piece = 1 << 14
	MaxRandomName id.Piece = 1<<21 - 1
)

// Role says what a seat may do. The numbers are those of the wire.
type Role uint8

// The roles.
const (
	RoleHost      Role = 1 // plays, and manages the table
	RolePlayer    Role = 2
	RoleSpectator Role = 3 // sees the table and changes nothing
	RoleCohost    Role = 4 // plays, and does nearly all that a host does (T66)
	RoleReferee   Role = 5 // sees all hands and fronts, and changes nothing (T74)
)

var roleNames = [...]string{
	RoleHost: "host", RolePlayer: "player", RoleSpectator: "spectator", RoleCohost: "co-host",
	RoleReferee: "referee",
}

// Hosts reports whether a role may do what hosts do. What co-hosts may not is said by T66.
func (r Role) Hosts() bool { return r == RoleHost || r == RoleCohost }

// Plays reports whether a role plays.
func (r Role) Plays() bool { return r.Hosts() || r == RolePlayer }

func (r Role) String() string {
	if int(r) < len(roleNames) && roleNames[r] != "" {
		return roleNames[r]
	}
	return "unknown"
}

// State is the complete state of a piece (T3). It is comparable.
type State struct {
	Kind   uint32
	X, Y   int32 // centre, in table units of 0.1 mm
	Angle  int32 // hundredths of a degree, clockwise, 0 to FullTurn-1
	Face   int32
	Z      zlevel.Level
	ZGen   id.Generation // of the entry that set Z last (T13)
	Pinned bool
	Locked bool
	Gone   bool    // deleted
	Holder id.Seat // 0: nobody
	// Owner is the owner of a hand, of the hand in which a private piece lies (T23), or of a label
	// or marker (T35). 0: nobody.
	Owner id.Seat
	// Team is the team of a hand, or of the hand in which a private piece lies.
	Team Team
	// In is the container or the hand in which it lies (T23, T29). 0: none.
	In    id.Piece
	Home  id.Piece // the container to which a recall brings it (T30); 0: none
	Value int32    // of a counter or of currency (T33, T34)
	Text  string   // of a note or label (T35)
	// Native says that the piece was set up in the container that is its home (F12).
	Native bool
	// Since is the first round of randomness that could reveal where the piece lies or what it is,
	// while that is hidden from somebody (F12): 0 for none, HiddenEver for all.
	Since  uint32
	Rolled id.Millis // when a die was rolled, or a button pressed, last (T32, T84)
	Clock  Clock     // of a clock (T27)
	Set    id.OID    // the guest set of which it is a part (T37); zero: it is the table's own
	Part   uint32    // its number in the set
}

// own returns a state with what a copy takes over wherever it comes to lie: kind, face, and what
// only some kinds have. Whoever adds a field for a kind adds it here and in forgetOwn.
func (s *State) own() State {
	return State{Kind: s.Kind, Face: s.Face, Value: s.Value, Text: s.Text, Clock: s.Clock}
}

// forgetOwn clears what only some kinds have.
func (s *State) forgetOwn() { s.Value, s.Text, s.Clock = 0, "", Clock{} }

// SeatInfo is a seat at the table.
type SeatInfo struct {
	Seat   id.Seat
	Nick   string
	Colour uint32 // 0xRRGGBB
	Role   Role
	Home   string // name of the server that vouches for a visitor (O37); empty: not a visitor
	// Number tells seats apart whose names look the same (T53): 0 for the first, then 2, 3, 4. The
	// table chooses it.
	Number uint32
	// Left is the seat that ended this one (T51, T52): the seat itself if its person left,
	// otherwise a host's. 0: the seat is in use.
	Left id.Seat
	// Tokens counts how often the token of the seat was replaced or withdrawn. Sessions from before
	// that are void.
	Tokens uint32
	// Link is the newest link for this seat that a host made for somebody else, or the operator
	// made (T55). It is zero if there was none.
	Link SeatLink
	// Fresh says that nothing in the history refers to the seat, except that it was taken, and that
	// it got or lost an empty hand (T56). The table sets it.
	Fresh bool
	// Side is the seat of the game that it has (T61), from 1; 0: none. The table chooses it.
	Side uint32
	// PlacedBy is the host who gave it that side (T98); 0: nobody did. The table sets it.
	PlacedBy id.Seat
	// EditsBy is the host who has let its person edit the game (T99); 0: nobody has. The table sets
	// it.
	EditsBy id.Seat
	// Erased says that its person has erased what was kept of them (T80). Such a seat has ended.
	Erased bool
	// Played says of a spectator that it has played, and so has a view of its own (T75).
	Played bool
	// Referee is about referees (T74). The table chooses it.
	Referee Referee
	// Opened is until when its person lets everybody watch the past with the hands of this seat
	// (T73); 0: not at all.
	Opened id.Millis
}

// SeatLink says who made a link by which a seat moves to another device, and when it was made and
// used.
type SeatLink struct {
	By   id.Seat // 0: the operator of the server
	At   id.Millis
	Used id.Millis // 0: not yet
}

// Plays reports whether somebody plays at the seat: it is in use, and not by somebody who
// watches.
func (s *SeatInfo) Plays() bool {
	return s.Left == 0 && s.Role.Plays()
}

// HomeSign stands between the nick of a visitor and the name of their server. No nick contains it,
// so nobody can be taken for somebody else (O37).
const HomeSign = '\u2302'

// Name returns the nick as others see it: with the number if the name exists twice, and with the
// server of a visitor.
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

// Entry is one recorded entry of a table's history, such as an update of a piece or a change of a
// seat. Undo, replay, audit and resumption read entries. Entries contain no text made for display.
type Entry struct {
	Gen id.Generation
	At  id.Millis
	Op  Op
	// Seat is the seat that did it, 0 for the server. For OpRenew it is the only view that is shown
	// the entry.
	Seat id.Seat
	// Client, Seq and Digest name the update that this entry acknowledges (T10). They are zero if
	// there is none.
	Client id.Client
	Seq    id.ClientSeq
	Digest uint64
	// Server says that the entry is a server update to every client, even to the one that it
	// acknowledges (T4, T17, T20).
	Server bool
	// Step says that the entry is of a step of the press that was recorded before it (T84).
	Step bool

	// Piece is the piece that changed, from Before to After. Name is its name on the wire. They are
	// zero if the entry is about no piece. An entry with Ops may have them, too.
	Piece         id.OID
	Name          id.Piece
	Before, After State
	// Made is set if the entry brought the piece to the table.
	Made bool
	// NewName is the new name of a piece that has gone out of sight of a view (T21). 0: the piece
	// keeps its name.
	NewName id.Piece

	// Notice is set if the entry is published as a notice (T28): something was done Count times or
	// with Count pieces, and the piece is as before. Faces are the kinds that the seat To was shown
	// (T31). If To is 0, nobody was shown anything.
	Notice bool
	Count  int32
	Faces  []uint32
	To     id.Seat
	// Whole is set if the notice is of a recall that left nothing in any hand (T30.30). Entries of
	// hosts from before this field existed lack it.
	Whole bool
	// Brought is the piece that the acknowledged update has made or drawn, 0 if none (T10).
	Brought id.Piece

	// Order is set if what lies in the container has come into another order (T31). Order[i] is the
	// number of pieces that lay below the piece that now has i others below it. Owed is the round
	// on which the places of all depend from now on (F12). 0: as before.
	Order []uint32
	Owed  uint32

	// Left and Entered say how many pieces lie in the hands or containers that the piece has left
	// and entered (T29). They follow from the history, and are not stored.
	Left, Entered Tally

	// Who is the new state of a seat; nil if the entry is about anything else.
	Who *SeatInfo

	// Chat is a line of the chat that was written or deleted (T64); nil if the entry is about
	// anything else.
	Chat *Chat

	// Rewound is the mark of a rewind (T71), behind its entries about pieces; nil if the entry is
	// about anything else.
	Rewound *Rewound

	// Set is the new state of a set (T37); nil if the entry is about anything else.
	Set *SetInfo

	// Fact is a fact about the randomness of the table (docs/fairness.md); nil if the entry is
	// about anything else. The table keeps it and does not read it. If To is set, it is for that
	// seat alone.
	Fact []byte

	// Ops are operations on components (docs/protocol/component.md); nil if the entry is about
	// anything else. The table keeps them and does not read them. If Piece is set, they are about
	// that piece, and Before and After are its state then, which follows from the history and is
	// not stored. Otherwise, if To is set, they are for that seat alone.
	Ops []byte
}

// OfPiece reports whether e is about a piece.
func (e *Entry) OfPiece() bool {
	return e.Who == nil && e.Set == nil && e.Fact == nil && e.Ops == nil && e.Chat == nil &&
		e.Rewound == nil
}

// author returns the client that made the update in the sense of T5: the zero client for a server
// update.
func (e *Entry) author() id.Client {
	if e.Server {
		return id.Client{}
	}
	return e.Client
}

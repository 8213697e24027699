package table

import (
	"holt/server/id"
	"holt/server/zlevel"
)

// Op says what an update does. The numbers are those of the wire (holt.proto).
type Op uint8

// The operations of clients (T24), and those of the server.
const (
	OpNone Op = iota
	OpGrab
	OpWrest
	OpRelease
	OpMove
	OpRotate
	OpFlip
	OpRaise
	OpLower
	OpSetZ
	OpPin
	OpUnpin
	OpLock
	OpUnlock
	OpCopy
	OpDelete
	OpAdd
	OpShuffle
	OpStart // of clocks (T27), up to OpReset
	OpPause
	OpPress
	OpSet
	OpReset
	opEnd

	OpReveal   Op = 32 // a card's hand changed, or it was turned up there (T23)
	OpRespread Op = 33 // new Z levels in the same order (T13)
	OpSettle   Op = 34 // a Z level put right (T25)
	OpClaim    Op = 35 // a hand was given to a seat
	OpSeat     Op = 36 // a seat was taken or changed
	OpRenew    Op = 37 // nothing, for one view, in which a client's rejects had used up the marks (T14)
)

var opNames = [...]string{
	OpGrab: "grab", OpWrest: "wrest", OpRelease: "release", OpMove: "move", OpRotate: "rotate", OpFlip: "flip",
	OpRaise: "raise", OpLower: "lower", OpSetZ: "setz", OpPin: "pin", OpUnpin: "unpin", OpLock: "lock",
	OpUnlock: "unlock", OpCopy: "copy", OpDelete: "delete", OpAdd: "add", OpShuffle: "shuffle",
	OpStart: "start", OpPause: "pause", OpPress: "press", OpSet: "set", OpReset: "reset",
	OpReveal: "reveal", OpRespread: "respread", OpSettle: "settle", OpClaim: "claim", OpSeat: "seat",
	OpRenew: "renew",
}

func (o Op) String() string {
	if int(o) < len(opNames) && opNames[o] != "" {
		return opNames[o]
	}
	return "unknown"
}

// ParseOp returns the client operation of that name.
func ParseOp(name string) (Op, bool) {
	for o := OpGrab; o < opEnd; o++ {
		if opNames[o] == name {
			return o, true
		}
	}
	return OpNone, false
}

// Fields is the set of arguments that an update has.
type Fields uint16

// The arguments of updates (T24).
const (
	HasPiece Fields = 1 << iota
	HasTag
	HasXY
	HasAngle
	HasFace
	HasZ
	HasKind
	HasPieces
	HasLoose
	HasSide
	HasMs
	HasIncrement
)

// shapes says which arguments each operation needs, and which it may have besides (T24).
var shapes = [opEnd]struct{ needs, may Fields }{
	OpGrab:    {HasPiece | HasTag, HasZ | HasLoose},
	OpWrest:   {HasPiece | HasTag, HasZ},
	OpRelease: {HasPiece | HasTag, HasXY | HasAngle | HasZ},
	OpMove:    {HasPiece | HasTag | HasXY, HasZ},
	OpRotate:  {HasPiece | HasTag | HasAngle, 0},
	OpFlip:    {HasPiece | HasTag | HasFace, 0},
	OpRaise:   {HasPiece | HasTag, HasZ},
	OpLower:   {HasPiece | HasTag, HasZ},
	OpSetZ:    {HasPiece | HasTag | HasZ, 0},
	OpPin:     {HasPiece | HasTag, 0},
	OpUnpin:   {HasPiece | HasTag, 0},
	OpLock:    {HasPiece | HasTag, 0},
	OpUnlock:  {HasPiece | HasTag, 0},
	OpCopy:    {HasPiece | HasTag | HasXY, HasZ},
	OpDelete:  {HasPiece | HasTag, 0},
	OpAdd:     {HasKind | HasXY, HasAngle | HasFace | HasZ},
	OpShuffle: {HasPieces, 0},
	OpStart:   {HasPiece | HasTag, HasSide},
	OpPause:   {HasPiece | HasTag, 0},
	OpPress:   {HasPiece | HasTag | HasSide, 0},
	OpSet:     {HasPiece | HasTag | HasMs, HasIncrement},
	OpReset:   {HasPiece | HasTag, 0},
}

// Update is what a client wants to do to a piece. Only the arguments in Has mean something.
type Update struct {
	Seq    id.ClientSeq
	Op     Op
	Has    Fields
	Piece  id.Piece
	Tag    id.Mark
	X, Y   int32 // table units of 0.1 mm
	Angle  int32 // hundredths of a degree, clockwise
	Face   int32
	Z      zlevel.Level // as zlevel.Parse returns it
	Kind   uint32
	Pieces []id.Piece // of a shuffle
	// Of clocks (T27): a side, 1 or 2, and milliseconds.
	Side          uint8
	Ms, Increment int32
}

// Loose reports whether u is a Loose grab (T17).
func (u *Update) Loose() bool { return u.Has&HasLoose != 0 }

// digest condenses what u asks for, so that a repeated sequence with other content is noticed (T10).
// It protects a client from its own faults, not from its malice (FNV-1a).
func (u *Update) digest() uint64 {
	h := uint64(14695981039346656037)
	add := func(v uint64) {
		for range 8 {
			h = (h ^ v&0xff) * 1099511628211
			v >>= 8
		}
	}
	add(uint64(u.Op)<<32 | uint64(u.Has))
	add(uint64(u.Piece)<<32 | uint64(u.Kind))
	add(uint64(u.Tag))
	add(uint64(uint32(u.X))<<32 | uint64(uint32(u.Y)))        //nolint:gosec // bits, not numbers
	add(uint64(uint32(u.Angle))<<32 | uint64(uint32(u.Face))) //nolint:gosec // bits, not numbers
	for i := range len(u.Z) {
		h = (h ^ uint64(u.Z[i])) * 1099511628211
	}
	for _, p := range u.Pieces {
		add(uint64(p))
	}
	if u.Has&(HasSide|HasMs|HasIncrement) != 0 { // the digests of other updates are in logs that are older than clocks
		add(uint64(u.Side))
		add(uint64(uint32(u.Ms))<<32 | uint64(uint32(u.Increment))) //nolint:gosec // bits, not numbers
	}
	return h
}

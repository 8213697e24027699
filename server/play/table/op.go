package table

import (
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
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

	OpComponents Op = 31 // operations on components (docs/protocol/component.md)

	OpReveal   Op = 32 // a card's hand changed, or it was turned up there (T23)
	OpRespread Op = 33 // new Z levels in the same order (T13)
	OpSettle   Op = 34 // a Z level put right (T25)
	OpClaim    Op = 35 // a hand was given to a seat; also an operation of clients (T23)
	OpSeat     Op = 36 // a seat was taken or changed
	OpRenew    Op = 37 // nothing, for one view, in which a client's rejects had used up the marks (T14)
	OpMerge    Op = 38 // a heap of currency took in another (T34)
	OpFact     Op = 39 // something about randomness (docs/fairness.md)

	OpGuest  Op = 62 // a set lies on the table from now on, or no longer, or it is away, or back (T37)
	OpErrand Op = 63 // what the server has to do for a set, or has done; nobody is told (T40)
)

// Further operations of clients: of hands (T23), of containers (T30, T31), and of kinds that do something (T32 to T35).
const (
	OpDraw Op = iota + 40
	OpDeal
	OpRecall
	OpCut
	OpPeek
	OpStow
	OpShow
	OpLeave
	OpGive
	OpShare
	OpUnshare
	OpRoll
	OpCount
	OpSplit
	OpWrite
	OpAssign
	OpPass
	OpTake  // T40
	OpPlace // T41
	opEnd
)

var opNames = [...]string{
	OpGrab: "grab", OpWrest: "wrest", OpRelease: "release", OpMove: "move", OpRotate: "rotate", OpFlip: "flip",
	OpRaise: "raise", OpLower: "lower", OpSetZ: "setz", OpPin: "pin", OpUnpin: "unpin", OpLock: "lock",
	OpUnlock: "unlock", OpCopy: "copy", OpDelete: "delete", OpAdd: "add", OpShuffle: "shuffle",
	OpStart: "start", OpPause: "pause", OpPress: "press", OpSet: "set", OpReset: "reset",
	OpReveal: "reveal", OpRespread: "respread", OpSettle: "settle", OpClaim: "claim", OpSeat: "seat",
	OpRenew: "renew", OpMerge: "merge", OpFact: "fact", OpComponents: "components",
	OpDraw: "draw", OpDeal: "deal", OpRecall: "recall", OpCut: "cut", OpPeek: "peek", OpStow: "stow", OpShow: "show",
	OpLeave: "leave", OpGive: "give", OpShare: "share", OpUnshare: "unshare",
	OpRoll: "roll", OpCount: "count", OpSplit: "split", OpWrite: "write", OpAssign: "assign", OpPass: "pass",
	OpTake: "take", OpPlace: "place", OpGuest: "guest", OpErrand: "errand",
}

func (o Op) String() string {
	if int(o) < len(opNames) && opNames[o] != "" {
		return opNames[o]
	}
	return "unknown"
}

// Blind reports whether an operation takes no tag, though it names a piece (T28).
func (o Op) Blind() bool {
	return o.ofClients() && slices.ContainsFunc(shapes[o], func(s shape) bool { return s.needs&(HasPiece|HasTag) == HasPiece })
}

// ParseOp returns the client operation of that name.
func ParseOp(name string) (Op, bool) {
	for o := OpGrab; o < opEnd; o++ {
		if opNames[o] == name && o.ofClients() {
			return o, true
		}
	}
	return OpNone, false
}

// ofClients reports whether clients may ask for an operation.
func (o Op) ofClients() bool { return o < opEnd && len(shapes[o]) > 0 }

// blind reports whether an operation on a piece has no tag (T28).
func (o Op) blind() bool {
	return o.ofClients() && shapes[o][0].needs&(HasPiece|HasTag) == HasPiece
}

// Fields is the set of arguments that an update has.
type Fields uint32

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
	HasN
	HasAt
	HasHold
	HasInto
	HasSeat
	HasText
	HasSet
)

// shape is the arguments that an operation needs, and those that it may have besides.
type shape struct{ needs, may Fields }

// shapes says which arguments each operation of clients takes (T24). Of an operation with several shapes an update has the
// first whose needs it meets.
var shapes = [opEnd][]shape{
	OpGrab:    {{HasPiece | HasTag, HasZ | HasLoose}},
	OpWrest:   {{HasPiece | HasTag, HasZ}},
	OpRelease: {{HasPiece | HasTag, HasXY | HasAngle | HasZ}},
	OpMove:    {{HasPiece | HasTag | HasXY, HasZ}},
	OpRotate:  {{HasPiece | HasTag | HasAngle, 0}},
	OpFlip:    {{HasPiece | HasTag | HasFace, 0}},
	OpRaise:   {{HasPiece | HasTag, HasZ}},
	OpLower:   {{HasPiece | HasTag, HasZ}},
	OpSetZ:    {{HasPiece | HasTag | HasZ, 0}},
	OpPin:     {{HasPiece | HasTag, 0}},
	OpUnpin:   {{HasPiece | HasTag, 0}},
	OpLock:    {{HasPiece | HasTag, 0}},
	OpUnlock:  {{HasPiece | HasTag, 0}},
	OpCopy:    {{HasPiece | HasTag | HasXY, HasZ}},
	OpDelete:  {{HasPiece | HasTag, 0}},
	OpAdd:     {{HasKind | HasXY, HasAngle | HasFace | HasZ}},
	OpShuffle: {{HasPieces, 0}, {HasPiece, 0}},
	OpStart:   {{HasPiece | HasTag, HasSide}},
	OpPause:   {{HasPiece | HasTag, 0}},
	OpPress:   {{HasPiece | HasTag | HasSide, 0}},
	OpSet:     {{HasPiece | HasTag | HasMs, HasIncrement}},
	OpReset:   {{HasPiece | HasTag, 0}},

	OpClaim:   {{HasPiece, 0}},
	OpLeave:   {{HasPiece, 0}},
	OpGive:    {{HasPiece | HasSeat, 0}},
	OpShare:   {{HasPiece | HasSeat, 0}},
	OpUnshare: {{HasPiece | HasSeat, 0}},
	OpDraw:    {{HasPiece, HasN | HasAt | HasKind | HasXY | HasZ | HasFace | HasHold}},
	OpDeal:    {{HasPiece, HasN}},
	OpRecall:  {{HasPiece, 0}},
	OpCut:     {{HasPiece, HasN}},
	OpPeek:    {{HasPiece, HasN}},
	OpStow:    {{HasPiece | HasTag | HasInto, HasAt}},
	OpShow:    {{HasPiece | HasSeat, 0}},
	OpRoll:    {{HasPiece, 0}},
	OpCount:   {{HasPiece | HasN, 0}},
	OpSplit:   {{HasPiece | HasN | HasXY, HasZ | HasHold}},
	OpWrite:   {{HasPiece | HasTag | HasText, 0}},
	OpAssign:  {{HasPiece | HasTag | HasSeat, 0}},
	OpPass:    {{HasPiece, 0}},
	OpTake:    {{HasPiece, 0}},
	OpPlace:   {{HasSet | HasXY, 0}},
}

// shape returns the arguments that u can take.
func (u *Update) shape() shape {
	all := shapes[u.Op]
	for _, s := range all {
		if u.Has&s.needs == s.needs {
			return s
		}
	}
	return all[0]
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
	// Of containers, values, hands and notes (T23, T28 to T35). N may be negative for a count.
	N, At int32
	Into  id.Piece
	Seat  id.Seat
	Text  string
	Set   id.OID // of place (T41)
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
	if u.Has >= HasN { // of others, see above
		add(uint64(uint32(u.N))<<32 | uint64(uint32(u.At))) //nolint:gosec // bits, not numbers
		add(uint64(u.Into)<<32 | uint64(u.Seat))
		for i := range len(u.Text) {
			h = (h ^ uint64(u.Text[i])) * 1099511628211
		}
	}
	if u.Has&HasSet != 0 {
		for _, b := range u.Set {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h
}

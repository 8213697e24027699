package table

import (
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

// names of the operations of the server alone; those of clients are in operations.
var serverOps = [...]string{
	OpComponents: "components", OpReveal: "reveal", OpRespread: "respread", OpSettle: "settle", OpSeat: "seat", OpRenew: "renew",
	OpMerge: "merge", OpFact: "fact", OpGuest: "guest", OpErrand: "errand",
}

func (o Op) String() string {
	switch {
	case o.ofClients():
		return operations[o].Name
	case int(o) < len(serverOps) && serverOps[o] != "":
		return serverOps[o]
	}
	return "unknown"
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

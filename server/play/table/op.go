package table

import (
	"math/bits"

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
	OpStart // from here to OpReset: operations of clocks (T27)
	OpPause
	OpPress
	OpSet
	OpReset

	OpComponents Op = 31 // operations on components (docs/protocol/component.md)

	OpReveal   Op = 32 // a card came into or out of a hand, or its kind became known (T23, T38)
	OpRespread Op = 33 // a new Z level that keeps the order (T13)
	OpSettle   Op = 34 // a corrected Z level (T25), a place in a zone (T86), or what is attached (T97)
	OpClaim    Op = 35 // a hand was given to a seat; clients use it, too (T23)
	OpSeat     Op = 36 // a seat was taken or changed
	OpRenew    Op = 37 // no change: the versions for rejects are used up in one view (T14)
	OpMerge    Op = 38 // a heap of currency was merged into another one (T34)
	OpFact     Op = 39 // a fact about randomness (docs/fairness.md)

	OpGuest Op = 62 // a set has come to the table or left it, or its owner is away or back (T37)
	// A task for a set that the server has to do, or has done. It is not published (T40).
	OpErrand Op = 63
)

// Further operations of clients: on hands (T23), on containers (T30, T31), and those of some kinds
// (T32 to T35).
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
)

// The number of an operation of one kind may also stand in the file of the kind. holt.proto lists
// all of them. opEnd is above all numbers of operations of clients.
const opEnd Op = 128

// serverOps has the names of the server's own operations. Those of clients are in operations.
var serverOps = [...]string{
	OpComponents: "components", OpReveal: "reveal", OpRespread: "respread", OpSettle: "settle",
	OpSeat: "seat", OpRenew: "renew", OpMerge: "merge", OpFact: "fact", OpGuest: "guest",
	OpErrand: "errand", OpUndo: "undo", OpRewind: "rewind",
	OpChoice: "choice",
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

// Update is a change of a piece that a client asks for. Only the arguments in Has count.
type Update struct {
	Seq    id.ClientSeq
	Op     Op
	Has    Fields
	Piece  id.Piece
	Tag    id.Version
	X, Y   int32 // table units of 0.1 mm
	Angle  int32 // hundredths of a degree, clockwise
	Face   int32
	Z      zlevel.Level // as zlevel.Parse returns it
	Kind   uint32
	Pieces []id.Piece // of a shuffle
	// For clocks (T27): a side, 1 or 2, and milliseconds.
	Side          uint8
	Ms, Increment int32
	// For containers, values, hands and notes (T23, T28 to T35). N may be negative for a count.
	N, At int32
	Into  id.Piece
	Seat  id.Seat
	Text  string
	Set   id.OID      // for place (T41)
	Line  id.ChatLine // for unsay (T64)
	// Answers are those to the questions of a button, in their order (T95): a number, the place of a
	// choice from 0, a seat, or the name of a piece.
	Answers []int32
}

// Loose reports whether u is a Loose grab (T17).
func (u *Update) Loose() bool { return u.Has&HasLoose != 0 }

// fnvPrime is the prime of FNV-1a with 64 bits. fnvPrimes has its powers.
const fnvPrime uint64 = 1099511628211

var fnvPrimes = func() (powers [9]uint64) {
	powers[0] = 1
	for i := range 8 {
		powers[i+1] = powers[i] * fnvPrime
	}
	return powers
}()

// digest returns a hash of what u asks for, so that a repeated sequence with other content is
// noticed (T10). It protects a client from its own faults, not from malice (FNV-1a).
func (u *Update) digest() uint64 {
	h := uint64(14695981039346656037)
	add := func(v uint64) { // its eight bytes, the least one first; zeros at the end in one step
		zeros := bits.LeadingZeros64(v) / 8
		for ; v != 0; v >>= 8 {
			h = (h ^ v&0xff) * fnvPrime
		}
		h *= fnvPrimes[zeros]
	}
	add(uint64(u.Op)<<32 | uint64(u.Has))
	add(uint64(u.Piece)<<32 | uint64(u.Kind))
	add(uint64(u.Tag))
	add(uint64(uint32(u.X))<<32 | uint64(uint32(u.Y)))        //nolint:gosec // bits, not numbers
	add(uint64(uint32(u.Angle))<<32 | uint64(uint32(u.Face))) //nolint:gosec // bits, not numbers
	for i := range len(u.Z) {
		h = (h ^ uint64(u.Z[i])) * fnvPrime
	}
	for _, p := range u.Pieces {
		add(uint64(p))
	}
	// Logs from before there were clocks have digests of other updates, without these fields.
	if u.Has&(HasSide|HasMs|HasIncrement) != 0 {
		add(uint64(u.Side))
		add(uint64(uint32(u.Ms))<<32 | uint64(uint32(u.Increment))) //nolint:gosec // only bits
	}
	// As above, for the arguments that were added later.
	if u.Has >= HasN {
		add(uint64(uint32(u.N))<<32 | uint64(uint32(u.At))) //nolint:gosec // bits, not numbers
		add(uint64(u.Into)<<32 | uint64(u.Seat))
		text := u.Text
		if u.Op == OpSay { // the log has the digest, which must not reveal a deleted line (T64)
			text = ""
		}
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * fnvPrime
		}
	}
	if u.Has&HasSet != 0 {
		for _, b := range u.Set {
			h = (h ^ uint64(b)) * fnvPrime
		}
	}
	if u.Has&HasLine != 0 {
		add(uint64(u.Line))
	}
	for _, a := range u.Answers {
		add(uint64(uint32(a))) //nolint:gosec // bits, not a number
	}
	return h
}

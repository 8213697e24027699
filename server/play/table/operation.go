package table

import "iter"

// Operation is all there is to say of an operation of clients (T24): how it is written, and what keeps it away. What
// it does is in effect.go, blind.go and contain.go. From this table follow the checks and encodings of the server,
// static/js/sync/operations.js of the client, and the reference in docs/protocol/table.md (scripts/operations).
type Operation struct {
	Name string
	// Forms are the arguments it takes. Of several an update has the first of which it has all that is needed.
	Forms []Form
	// LowN and HighN bound the argument n, LowAt and HighAt the argument at. Both zero: 1 and MaxDraw.
	LowN, HighN, LowAt, HighAt int32
	Traits                     Traits
}

// Form is a set of arguments: those that an operation needs, and those it may have besides.
type Form struct{ Needs, May Fields }

// Traits is a set of properties of an operation.
type Traits uint16

// The properties of operations.
const (
	NeedsFree     Traits = 1 << iota // somebody else's hold keeps it away (held)
	NeedsUnpinned                    // a pin keeps it away (pinned)
	DespiteLock                      // a lock does not keep it away (locked)
	ByHost                           // only hosts may do it (not-allowed)
	OnAnyHand                        // it may be done to a hand that is somebody else's (not-allowed)
	KeepsSets                        // it cannot be done to a piece of a guest set, which stays whole (not-allowed)
	MakesPiece                       // it may make a piece or a set
	OfClock                          // it operates a clock (T27)
	ShownLater                       // a client does not show it before the server has done it
)

// What most forms have.
const (
	tagged = HasPiece | HasTag // of a piece as its sender has last seen it
	blind  = HasPiece          // of a piece, whatever has become of it (T28)
)

// operations has the operations of clients by their numbers. Where there is no name there is none.
var operations = [opEnd]Operation{
	OpGrab:    {Name: "grab", Forms: []Form{{tagged, HasZ | HasLoose}}, Traits: NeedsFree | NeedsUnpinned},
	OpWrest:   {Name: "wrest", Forms: []Form{{tagged, HasZ}}},
	OpRelease: {Name: "release", Forms: []Form{{tagged, HasXY | HasAngle | HasZ}}, Traits: DespiteLock | OnAnyHand},
	OpMove:    {Name: "move", Forms: []Form{{tagged | HasXY, HasZ}}, Traits: NeedsFree | NeedsUnpinned},
	OpRotate:  {Name: "rotate", Forms: []Form{{tagged | HasAngle, 0}}, Traits: NeedsFree | NeedsUnpinned},
	OpFlip:    {Name: "flip", Forms: []Form{{tagged | HasFace, 0}}, Traits: NeedsFree | NeedsUnpinned},
	OpRaise:   {Name: "raise", Forms: []Form{{tagged, HasZ}}, Traits: NeedsFree},
	OpLower:   {Name: "lower", Forms: []Form{{tagged, HasZ}}, Traits: NeedsFree},
	OpSetZ:    {Name: "setz", Forms: []Form{{tagged | HasZ, 0}}, Traits: NeedsFree},
	OpPin:     {Name: "pin", Forms: []Form{{tagged, 0}}, Traits: NeedsFree},
	OpUnpin:   {Name: "unpin", Forms: []Form{{tagged, 0}}, Traits: NeedsFree},
	OpLock:    {Name: "lock", Forms: []Form{{tagged, 0}}, Traits: DespiteLock | ByHost},
	OpUnlock:  {Name: "unlock", Forms: []Form{{tagged, 0}}, Traits: DespiteLock | ByHost},
	OpCopy:    {Name: "copy", Forms: []Form{{tagged | HasXY, HasZ}}, Traits: DespiteLock | OnAnyHand | MakesPiece | ShownLater},
	OpDelete:  {Name: "delete", Forms: []Form{{tagged, 0}}, Traits: NeedsFree | NeedsUnpinned | KeepsSets | ShownLater},
	OpAdd:     {Name: "add", Forms: []Form{{HasKind | HasXY, HasAngle | HasFace | HasZ}}, Traits: MakesPiece | ShownLater},
	OpShuffle: {Name: "shuffle", Forms: []Form{{HasPieces, 0}, {blind, 0}}, Traits: ShownLater},

	OpStart: {Name: "start", Forms: []Form{{tagged, HasSide}}, Traits: OfClock},
	OpPause: {Name: "pause", Forms: []Form{{tagged, 0}}, Traits: OfClock},
	OpPress: {Name: "press", Forms: []Form{{tagged | HasSide, 0}}, Traits: OfClock},
	OpSet:   {Name: "set", Forms: []Form{{tagged | HasMs, HasIncrement}}, Traits: OfClock},
	OpReset: {Name: "reset", Forms: []Form{{tagged, 0}}, Traits: OfClock},

	OpClaim:   {Name: "claim", Forms: []Form{{blind, 0}}, Traits: OnAnyHand},
	OpLeave:   {Name: "leave", Forms: []Form{{blind, 0}}},
	OpGive:    {Name: "give", Forms: []Form{{blind | HasSeat, 0}}},
	OpShare:   {Name: "share", Forms: []Form{{blind | HasSeat, 0}}},
	OpUnshare: {Name: "unshare", Forms: []Form{{blind | HasSeat, 0}}},

	OpDraw: {
		Name: "draw", Forms: []Form{{blind, HasN | HasAt | HasKind | HasXY | HasZ | HasFace | HasHold}},
		LowAt: -MaxPieces, HighAt: MaxPieces,
	},
	OpDeal:   {Name: "deal", Forms: []Form{{blind, HasN}}},
	OpRecall: {Name: "recall", Forms: []Form{{blind, 0}}},
	OpCut:    {Name: "cut", Forms: []Form{{blind, HasN}}, LowN: 1, HighN: MaxPieces},
	OpPeek:   {Name: "peek", Forms: []Form{{blind, HasN}}, LowN: 1, HighN: MaxShuffle},
	OpStow:   {Name: "stow", Forms: []Form{{tagged | HasInto, HasAt}}, LowAt: -1, HighAt: 1, Traits: NeedsFree | NeedsUnpinned},
	OpShow:   {Name: "show", Forms: []Form{{blind | HasSeat, 0}}},

	OpRoll:   {Name: "roll", Forms: []Form{{blind, 0}}, Traits: NeedsFree},
	OpCount:  {Name: "count", Forms: []Form{{blind | HasN, 0}}, LowN: -MaxValue, HighN: MaxValue},
	OpSplit:  {Name: "split", Forms: []Form{{blind | HasN | HasXY, HasZ | HasHold}}, LowN: 1, HighN: MaxValue, Traits: KeepsSets | MakesPiece},
	OpWrite:  {Name: "write", Forms: []Form{{tagged | HasText, 0}}},
	OpAssign: {Name: "assign", Forms: []Form{{tagged | HasSeat, 0}}},
	OpPass:   {Name: "pass", Forms: []Form{{blind, 0}}},

	OpTake:  {Name: "take", Forms: []Form{{blind, 0}}, Traits: NeedsFree | NeedsUnpinned | MakesPiece},
	OpPlace: {Name: "place", Forms: []Form{{HasSet | HasXY, 0}}, Traits: ShownLater},
}

// Operations returns the operations of clients, in the order of their numbers.
func Operations() iter.Seq2[Op, Operation] {
	return func(yield func(Op, Operation) bool) {
		for o := range opEnd {
			if o.ofClients() && !yield(o, operations[o]) {
				return
			}
		}
	}
}

// ParseOp returns the client operation of that name.
func ParseOp(name string) (Op, bool) {
	for o := OpGrab; o < opEnd; o++ {
		if operations[o].Name == name && name != "" {
			return o, true
		}
	}
	return OpNone, false
}

// ofClients reports whether clients may ask for an operation.
func (o Op) ofClients() bool { return o < opEnd && operations[o].Name != "" }

// has reports whether an operation of clients has a property.
func (o Op) has(t Traits) bool { return o < opEnd && operations[o].Traits&t != 0 }

// Blind reports whether an operation may take no tag, though it names a piece (T28).
func (o Op) Blind() bool {
	if !o.ofClients() {
		return false
	}
	for _, f := range operations[o].Forms {
		if f.Needs&tagged == blind {
			return true
		}
	}
	return false
}

// blind reports whether an operation on a piece has no tag in its first form (T28).
func (o Op) blind() bool { return o.ofClients() && operations[o].Forms[0].Needs&tagged == blind }

// form returns the arguments that u can take.
func (u *Update) form() Form {
	all := operations[u.Op].Forms
	for _, f := range all {
		if u.Has&f.Needs == f.Needs {
			return f
		}
	}
	return all[0]
}

// boundsN returns the bounds of the argument n.
func (o *Operation) boundsN() (low, high int32) {
	if o.LowN == 0 && o.HighN == 0 {
		return 1, MaxDraw
	}
	return o.LowN, o.HighN
}

package table

import "iter"

// Operation describes an operation of clients (T24): how it is written, and what stands in its way.
// Its effect is in effect.go, blind.go and contain.go. The checks and encodings of the server,
// static/js/sync/operations.js of the client, and the reference in docs/protocol/table.md
// (scripts/operations) follow from this table.
type Operation struct {
	Name string
	// Forms are the sets of arguments that it takes. An update has the first form whose required
	// arguments it has.
	Forms []Form
	// LowN and HighN bound the argument n, LowAt and HighAt the argument at. If LowN and HighN are
	// both zero, the bounds of n are 1 and MaxDraw.
	LowN, HighN, LowAt, HighAt int32
	Traits                     Traits
}

// Form is one way to write an operation, with what the reference says of it.
type Form struct {
	Required, Optional Fields
	Condition          string // what is needed beside the traits
	// Ack says what an ack has of the piece beside its name and version. "name" means nothing else,
	// "made" the name of a piece that was made or drawn, and "none" means that the ack names no
	// piece.
	Ack string
	// Rejects are the possible reasons for a reject, beside those that every operation has (T14).
	Rejects []Reason
}

// Traits is a set of properties of an operation.
type Traits uint16

// The properties of operations.
const (
	NeedsFree     Traits = 1 << iota // rejected if somebody else holds the piece (held)
	NeedsUnpinned                    // rejected if the piece is pinned (pinned)
	DespiteLock                      // allowed on a locked piece; others are rejected (locked)
	ByHost                           // for hosts only (not-allowed)
	OnAnyHand                        // allowed on another seat's hand, others are not (not-allowed)
	KeepsSets                        // rejected for a part of a set (not-allowed)
	MakesPiece                       // may make a piece or a set
	OfClock                          // operates a clock (T27)
	ShownLater                       // a client does not display it before the server has done it
)

// What most forms require.
const (
	tagged = HasPiece | HasTag // the piece as its sender has last seen it
	blind  = HasPiece          // the piece in whatever state it is (T28)
)

// operations has the operations of clients by their numbers. An entry without a name is not an
// operation.
var operations = [opEnd]Operation{
	OpGrab: {Name: "grab", Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
		Required: tagged, Optional: HasZ | HasLoose,
		Ack:     "`z`, `z_mark`",
		Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonStaleLoose},
	}}},
	OpWrest: {Name: "wrest", Forms: []Form{{
		Required: tagged, Optional: HasZ,
		Ack:     "`z`, `z_mark`",
		Rejects: []Reason{ReasonLocked},
	}}},
	OpRelease: {Name: "release", Traits: DespiteLock | OnAnyHand, Forms: []Form{{
		Required: tagged, Optional: HasXY | HasAngle | HasZ,
		Condition: "held by this seat",
		Ack:       "`kind`, `angle`, `face`, `z`, `z_mark`, `owner`, `team`, `renamed`",
		Rejects:   []Reason{ReasonNotHeld, ReasonOffTable},
	}}},
	OpMove: {Name: "move", Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
		Required: tagged | HasXY, Optional: HasZ,
		Ack:     "`kind`, `angle`, `face`, `z`, `z_mark`, `owner`, `team`, `renamed`",
		Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonOffTable},
	}}},
	OpRotate: {Name: "rotate", Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
		Required: tagged | HasAngle,
		Ack:      "`angle`",
		Rejects:  []Reason{ReasonHeld, ReasonPinned, ReasonLocked},
	}}},
	OpFlip: {Name: "flip", Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
		Required: tagged | HasFace,
		Ack:      "`kind`, `face`",
		Rejects:  []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed, ReasonAway},
	}}},
	OpRaise: {Name: "raise", Traits: NeedsFree, Forms: []Form{{
		Required: tagged, Optional: HasZ,
		Ack:     "`z`, `z_mark`",
		Rejects: []Reason{ReasonHeld, ReasonLocked},
	}}},
	OpLower: {Name: "lower", Traits: NeedsFree, Forms: []Form{{
		Required: tagged, Optional: HasZ,
		Ack:     "`z`, `z_mark`",
		Rejects: []Reason{ReasonHeld, ReasonLocked},
	}}},
	OpSetZ: {Name: "setz", Traits: NeedsFree, Forms: []Form{{
		Required: tagged | HasZ,
		Ack:      "`z`, `z_mark`",
		Rejects:  []Reason{ReasonHeld, ReasonLocked},
	}}},
	OpPin: {Name: "pin", Traits: NeedsFree, Forms: []Form{{
		Required: tagged,
		Ack:      "name",
		Rejects:  []Reason{ReasonHeld, ReasonLocked},
	}}},
	OpUnpin: {Name: "unpin", Traits: NeedsFree, Forms: []Form{{
		Required: tagged,
		Ack:      "name",
		Rejects:  []Reason{ReasonHeld, ReasonLocked},
	}}},
	OpLock: {Name: "lock", Traits: DespiteLock | ByHost, Forms: []Form{{
		Required: tagged,
		Ack:      "name",
		Rejects:  []Reason{ReasonNotAllowed},
	}}},
	OpUnlock: {Name: "unlock", Traits: DespiteLock | ByHost, Forms: []Form{{
		Required: tagged,
		Ack:      "name",
		Rejects:  []Reason{ReasonNotAllowed},
	}}},
	OpCopy: {Name: "copy", Traits: DespiteLock | OnAnyHand | MakesPiece | ShownLater,
		Forms: []Form{{
			Required: tagged | HasXY, Optional: HasZ,
			Condition: "not concealed from the seat, not an unknown kind (T38)",
			Ack:       "name of the copy, made",
			Rejects:   []Reason{ReasonHidden, ReasonTableFull, ReasonOffTable},
		}}},
	OpDelete: {Name: "delete", Traits: NeedsFree | NeedsUnpinned | KeepsSets | ShownLater,
		Forms: []Form{{
			Required: tagged,
			Ack:      "name",
			Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed,
				ReasonNotEmpty},
		}}},
	OpAdd: {Name: "add", Traits: MakesPiece | ShownLater, Forms: []Form{{
		Required: HasKind | HasXY, Optional: HasAngle | HasFace | HasZ,
		Condition: "not an unknown kind",
		Ack:       "name of the new piece, made",
		Rejects:   []Reason{ReasonTableFull, ReasonNotAllowed, ReasonOffTable},
	}}},
	OpShuffle: {Name: "shuffle", Traits: ShownLater, Forms: []Form{{
		Required:  HasPieces,
		Condition: "every listed piece F P L, secret, of one mask and one set",
		Ack:       "name of the last one listed",
		Rejects: []Reason{ReasonGone, ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed,
			ReasonAway},
	}, {
		Required:  blind,
		Condition: "a container that draws from the top",
		Ack:       "none",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonAway},
	}}},
	OpStart: {Name: "start", Traits: OfClock, Forms: []Form{{
		Required: tagged, Optional: HasSide,
		Condition: "a clock",
		Ack:       "`clock`",
		Rejects:   []Reason{ReasonLocked, ReasonClock},
	}}},
	OpPause: {Name: "pause", Traits: OfClock, Forms: []Form{{
		Required:  tagged,
		Condition: "a clock",
		Ack:       "`clock`",
		Rejects:   []Reason{ReasonLocked, ReasonClock},
	}}},
	OpPress: {Name: "press", Traits: OfClock, Forms: []Form{{
		Required:  tagged | HasSide,
		Condition: "a clock with two sides",
		Ack:       "`clock`",
		Rejects:   []Reason{ReasonLocked, ReasonClock},
	}}},
	OpSet: {Name: "set", Traits: OfClock, Forms: []Form{{
		Required: tagged | HasMs, Optional: HasIncrement,
		Condition: "a clock",
		Ack:       "`clock`",
		Rejects:   []Reason{ReasonLocked},
	}}},
	OpReset: {Name: "reset", Traits: OfClock, Forms: []Form{{
		Required:  tagged,
		Condition: "a clock",
		Ack:       "`clock`",
		Rejects:   []Reason{ReasonLocked},
	}}},
	OpClaim: {Name: "claim", Traits: OnAnyHand, Forms: []Form{{
		Required:  blind,
		Condition: "a hand that is nobody's",
		Ack:       "`owner`",
		Rejects:   []Reason{ReasonLocked, ReasonOwned, ReasonNotAllowed},
	}}},
	OpLeave: {Name: "leave", Forms: []Form{{
		Required:  blind,
		Condition: "a hand, see T23",
		Ack:       "`owner`, `team`",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
	}}},
	OpGive: {Name: "give", Forms: []Form{{
		Required:  blind | HasSeat,
		Condition: "a hand, see T23",
		Ack:       "`owner`, `team`",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
	}}},
	OpShare: {Name: "share", Forms: []Form{{
		Required:  blind | HasSeat,
		Condition: "a hand, see T23",
		Ack:       "`team`",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
	}}},
	OpUnshare: {Name: "unshare", Forms: []Form{{
		Required:  blind | HasSeat,
		Condition: "a hand, see T23",
		Ack:       "`team`",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
	}}},
	OpDraw: {Name: "draw", LowAt: -MaxPieces, HighAt: MaxPieces, Forms: []Form{{
		Required: blind, Optional: HasN | HasAt | HasKind | HasXY | HasZ | HasFace | HasHold,
		Condition: "a container; the right to peek for `kind` and `at` but 1 and −1",
		Ack:       "none, made",
		Rejects: []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty, ReasonOffTable,
			ReasonAway},
	}}},
	OpDeal: {Name: "deal", Forms: []Form{{
		Required: blind, Optional: HasN,
		Condition: "a container with private pieces only",
		Ack:       "none",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty, ReasonAway},
	}}},
	OpRecall: {Name: "recall", Forms: []Form{{
		Required:  blind,
		Condition: "a container",
		Ack:       "none",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
	}}},
	OpCut: {Name: "cut", LowN: 1, HighN: MaxPieces, Forms: []Form{{
		Required: blind, Optional: HasN,
		Condition: "a container that draws from the top",
		Ack:       "none",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty},
	}}},
	OpPeek: {Name: "peek", LowN: 1, HighN: MaxShuffle, Forms: []Form{{
		Required: blind, Optional: HasN,
		Condition: "the right to peek (T31)",
		Ack:       "none",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty, ReasonAway},
	}}},
	OpStow: {Name: "stow", LowAt: -1, HighAt: 1, Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
		Required: tagged | HasInto, Optional: HasAt,
		Condition: "a container that takes the piece",
		Ack:       "name",
		Rejects:   []Reason{ReasonGone, ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed},
	}}},
	OpShow: {Name: "show", Forms: []Form{{
		Required:  blind | HasSeat,
		Condition: "a front that the sender sees; another seat, which plays",
		Ack:       "none",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonAway},
	}}},
	OpRoll: {Name: "roll", Traits: NeedsFree, Forms: []Form{{
		Required:  blind,
		Condition: "a die",
		Ack:       "`face`",
		Rejects:   []Reason{ReasonHeld, ReasonLocked, ReasonNotAllowed, ReasonCooling, ReasonAway},
	}}},
	OpCount: {Name: "count", LowN: -MaxValue, HighN: MaxValue, Forms: []Form{{
		Required:  blind | HasN,
		Condition: "a counter",
		Ack:       "`value`",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonRange, ReasonAway},
	}}},
	OpSplit: {Name: "split", LowN: 1, HighN: MaxValue, Traits: KeepsSets | MakesPiece,
		Forms: []Form{{
			Required: blind | HasN | HasXY, Optional: HasZ | HasHold,
			Condition: "currency",
			Ack:       "`value`, made",
			Rejects: []Reason{ReasonLocked, ReasonNotAllowed, ReasonTableFull, ReasonRange,
				ReasonOffTable},
		}}},
	OpWrite: {Name: "write", Forms: []Form{{
		Required:  tagged | HasText,
		Condition: "a note or a label",
		Ack:       "name: `text` is not repeated",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonAway},
	}}},
	OpAssign: {Name: "assign", Forms: []Form{{
		Required:  tagged | HasSeat,
		Condition: "a player label or a turn marker; a seat that has not ended",
		Ack:       "`owner`",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
	}}},
	OpPass: {Name: "pass", Forms: []Form{{
		Required:  blind,
		Condition: "a turn marker",
		Ack:       "`owner`",
		Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
	}}},
	OpTake: {Name: "take", Traits: NeedsFree | NeedsUnpinned | MakesPiece, Forms: []Form{{
		Required:  blind,
		Condition: "who may, see T40",
		Ack:       "name of the container, or of the piece",
		Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed, ReasonHidden,
			ReasonScattered, ReasonTableFull},
	}}},
	OpPlace: {Name: "place", Traits: ShownLater, Forms: []Form{{
		Required:  HasSet | HasXY,
		Condition: "a set of the sender's",
		Ack:       "name of the container, or of the piece, made",
		Rejects:   []Reason{ReasonNotAllowed, ReasonAway, ReasonTableFull, ReasonOffTable},
	}}},
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

// ParseOp returns the client operation of that name. It reports false if there is none.
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

// Blind reports whether an operation has a form that names a piece and takes no tag (T28).
func (o Op) Blind() bool {
	if !o.ofClients() {
		return false
	}
	for _, f := range operations[o].Forms {
		if f.Required&tagged == blind {
			return true
		}
	}
	return false
}

// blind reports whether the first form of an operation names a piece and takes no tag (T28).
func (o Op) blind() bool { return o.ofClients() && operations[o].Forms[0].Required&tagged == blind }

// form returns the form that u has, or the first form if u has none.
func (u *Update) form() Form {
	all := operations[u.Op].Forms
	for _, f := range all {
		if u.Has&f.Required == f.Required {
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

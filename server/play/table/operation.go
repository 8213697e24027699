package table

import (
	"iter"

	"holt/server/id"
)

// Operation describes an operation of clients (T24): how it is written, what stands in its way,
// what it does, and what it costs. Its row is in the file of the kind of piece that it is for, with
// the functions that the row names. The checks and encodings of the server,
// static/js/sync/operations.js of the client, and the reference in docs/protocol/table.md
// (scripts/operations) follow from the rows.
type Operation struct {
	Name string
	// Forms are the sets of arguments that it takes. An update has the first form whose required
	// arguments it has.
	Forms []Form
	// LowN and HighN bound the argument n, LowAt and HighAt the argument at. If LowN and HighN are
	// both zero, the bounds of n are 1 and MaxDraw.
	LowN, HighN, LowAt, HighAt int32
	Traits                     Traits

	// check finds what is invalid in the arguments by themselves. checkPiece finds what is invalid
	// for the piece, as the seat sees it. Both return "" if nothing is. Nil: nothing is invalid
	// beyond the form and the bounds.
	check      func(u *Update) (code, detail string)
	checkPiece func(t *Table, p *piece, seat id.Seat, u *Update) (code, detail string)
	// forbids returns a reason that comes before locks and pins (T14). Nil: there is none.
	forbids func(j *judging) Reason
	// An operation has either change or run. change changes judging.after, which is then recorded
	// as the new state of the piece, or returns the reason why that is impossible. run does what is
	// more than the change of one piece, and ends the update.
	change func(j *judging) Reason
	run    func(j *judging) Outcome
	// weigh counts what the update may cost beside its own entry. Nil: nothing.
	weigh func(w *weighing, u *Update, p *piece)
	// drawFor says who may know the random draw that it makes.
	drawFor audience
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
	NeedsHold                        // rejected unless this seat holds the piece (not-held)
	NeedsRoom                        // rejected if the table is full (table-full)
	ToNobody                         // seat may be 0: nobody
	PutsDown                         // puts the piece down, where a hand may take it (T23)
	LastCounts                       // of several in a row the last one says it all (S10)
	Fence                            // changes pieces that it does not name, or names many (D39)
)

// What most forms require.
const (
	tagged = HasPiece | HasTag // the piece as its sender has last seen it
	blind  = HasPiece          // the piece in whatever state it is (T28)
)

// audience says who may know a random draw (docs/fairness.md).
type audience uint8

const (
	forAll      audience = iota
	forWatchers          // those who see into the hand in which it happens
	forSender
)

// operations has the operations of clients by their numbers. An entry without a name is not an
// operation. The files of the kinds fill it, by define.
var operations [opEnd]Operation

// rows are the operations that one file defines, by their numbers.
type rows map[Op]Operation

// define adds operations when the program starts. A variable with an initial value could not hold
// them: their functions reach the variable again, and Go forbids that.
func define(more rows) {
	for op, o := range more {
		if operations[op].Name != "" || (o.change == nil) == (o.run == nil) {
			panic("table: operation " + o.Name + " is defined twice, or has not one effect")
		}
		operations[op] = o
	}
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

// LastCounts reports whether, of several such updates of a piece by one client, the last one says
// it all (S10.5, S10.6).
func (o Op) LastCounts() bool { return o.has(LastCounts) }

// Fence reports whether such updates change pieces that they do not name, or name many (D39.5).
func (o Op) Fence() bool { return o.has(Fence) }

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
func (u *Update) form() *Form {
	all := operations[u.Op].Forms
	for i := range all {
		if f := &all[i]; u.Has&f.Required == f.Required {
			return f
		}
	}
	return &all[0]
}

// boundsN returns the bounds of the argument n.
func (o *Operation) boundsN() (low, high int32) {
	if o.LowN == 0 && o.HighN == 0 {
		return 1, MaxDraw
	}
	return o.LowN, o.HighN
}

package table

import "holt/server/id"

// Kind is what the table needs to know of a kind of piece.
type Kind struct {
	Width, Height int32
	Faces         int32
	Secret        bool   // T22 hides its fronts; see face.go for which these are
	Private       bool   // hidden in hands (T23); secret kinds are so in any case
	Mask          uint32 // stands for a concealed piece; has the same size and weight
	// Unknown marks a secret kind that stands for all kinds with the same mask, while it is not
	// known which of them a piece is (T38).
	Unknown     bool
	Heavy       bool   // lies below everything light (T25)
	Hand        bool   // what lies in it belongs to its owner (T23)
	Rack        bool   // of a hand: everybody sees the backs of what lies in it (T96)
	Cells       []Cell // of a rack: where the server lays what is drawn (T96.12)
	Uncounted   bool   // of a hand or a container: nobody learns how many pieces lie in it (T29)
	Peek        Right  // of a secret kind or a container: who may peek (T31)
	Container   ContainerKind
	Clock       ClockKind
	Die         DieKind
	Counter     CounterKind
	Currency    int32 // the value of a new heap, 1 to MaxValue (T34); 0: not currency
	Text        bool  // a note or a label (T35)
	InitialText string
	Seat        SeatKind
	Hourglass   HourglassKind
	Button      ButtonKind
	Zone        ZoneKind
	Supply      SupplyKind
}

// Cell is the middle of a cell of a rack, from the middle of the unturned rack.
type Cell struct{ X, Y int32 }

// Right says who may do something.
type Right uint8

// The rights.
const (
	RightNobody Right = iota
	RightHost
	RightPlayers // players and hosts
)

// has reports whether a role has the right.
func (r Right) has(role Role) bool {
	return r == RightPlayers && role.Plays() || r == RightHost && role.Hosts()
}

// ability is what the pieces of some kinds can do beyond what all pieces can: they are dice, say.
// Each ability has a file of its own, with its configuration in Kind, its operations, and those of
// these methods in which it differs from a piece without an ability (see plain).
//
// States are passed by value: a pointer would move the caller's state to the heap.
type ability interface {
	// begin returns the state of a new piece with what pieces of the kind start with.
	begin(k *Kind, s State, now id.Millis) State
	// copied returns the state of a copy, given the state of the piece that is copied.
	copied(k *Kind, s State, now id.Millis) State
	// moved returns the state of a piece that comes into a hand or out of one, without what would
	// reveal what was done with it where others did not see it.
	moved(s State) State
	// stowed is like moved, for a piece that goes into a container.
	stowed(s State) State

	// follow records what follows from a recorded update of p.
	follow(t *Table, p *piece, d done)
	// weighRelease counts what may follow when p is released at a place.
	weighRelease(w *weighing, p *piece, x, y int32)

	// fits reports whether a piece of the kind can be such a part of a guest set (T41).
	fits(k *Kind, part *SetPart) bool
	// part returns the state of a new part of a guest set with what its owner has said of it.
	part(s State, part *SetPart) State
	// isChangedByOwner reports whether the owner of a guest set may change a part without the table
	// (T38). learn returns the state with what the owner has said then.
	isChangedByOwner() bool
	learn(k *Kind, s State, part *SetPart) State
	// answer returns the state after the owner of a guest set has done what it was asked for (T39).
	// It reports false if the answer is impossible.
	answer(k *Kind, s State, a *Answer, now id.Millis) (State, bool)
}

// ability returns what pieces of the kind can do. A kind has at most one ability.
func (k *Kind) ability() ability {
	switch {
	case k.Hand:
		return hands{}
	case k.Clock.Sides != 0:
		return clocks{}
	case k.Die.Rolls:
		return dice{}
	case k.Counter.Counts:
		return counters{}
	case k.Currency != 0:
		return currency{}
	case k.Text:
		return notes{}
	case k.Hourglass.Duration != 0:
		return hourglasses{}
	case k.Button.Presses:
		return buttons{}
	case k.isZone():
		return zones{}
	case k.Supply.Gives:
		return supplies{}
	default:
		return plain{}
	}
}

// hasClock reports whether State.Clock means something for pieces of the kind.
func (k *Kind) hasClock() bool { return k.Clock.Sides != 0 || k.Hourglass.Duration != 0 }

// equip gives a new piece what its kind starts with.
func (k *Kind) equip(s *State, now id.Millis) {
	s.forgetOwn()
	*s = k.ability().begin(k, *s, now)
}

// done is an update of a piece that was recorded, from which others may follow.
type done struct {
	op  Op
	has Fields
	was State // the piece before it
	by  id.Seat
	now id.Millis
}

// plain is the ability of pieces that have none. Other abilities embed it.
type plain struct{}

func (plain) begin(_ *Kind, s State, _ id.Millis) State  { return s }
func (plain) copied(_ *Kind, s State, _ id.Millis) State { return s }
func (plain) moved(s State) State                        { return s }
func (plain) stowed(s State) State                       { return s }

func (plain) follow(*Table, *piece, done)                  {}
func (plain) weighRelease(*weighing, *piece, int32, int32) {}

func (plain) fits(*Kind, *SetPart) bool                                     { return true }
func (plain) part(s State, _ *SetPart) State                                { return s }
func (plain) isChangedByOwner() bool                                        { return false }
func (plain) learn(_ *Kind, s State, _ *SetPart) State                      { return s }
func (plain) answer(_ *Kind, s State, _ *Answer, _ id.Millis) (State, bool) { return s, true }

package schema

import (
	"iter"
	"slices"

	"holt/server/components/crdt"
)

// Who says who may write a component (C14). The server may write all, a spectator none.
type Who uint8

// The writers.
const (
	ByHost   Who = iota + 1
	ByPlayer     // every seat that plays, hosts included
	BySelf       // the player whose seat it is
	ByAuthor     // the player who has made the stroke
	ByServer     // nobody else
)

var whoNames = [...]string{
	ByHost: "host", ByPlayer: "player", BySelf: "self", ByAuthor: "author", ByServer: "server",
}

func (w Who) String() string { return whoNames[w] }

// Spec is the registry's entry of a component, or of a run of components that differ by number
// only.
type Spec struct {
	Number uint32
	Last   uint32 // of a run, otherwise 0
	Name   string
	Of     Class
	Who    Who
	Size   int // greatest size of the data, or of each element of a set, in bytes
	Set    int // how many elements the set keeps (C6); 0 for a value
	// Answer is the number of the component with the server's answer, or 0 if the component is not
	// a question (C18).
	Answer uint32
	// Permanent is set if the component cannot be deleted, only written again: a table always has a
	// title, a surface and a size.
	Permanent bool
	// Private is set if only the seat of the entity receives it (C18).
	Private bool
	// Derived is set if only bridges have the component, computed from what the view shows (C23).
	Derived bool
	// Foreign is set for components that are not in the registry (C21). They are values and sets.
	Foreign bool

	schema schema
}

var registry = []Spec{
	{
		Number: Title, Name: "Title", Of: ClassTable, Who: ByHost,
		Size: 384, Permanent: true, schema: line(1, MaxTitle),
	},
	{
		Number: Surface, Name: "Surface", Of: ClassTable, Who: ByHost,
		Size: 64, Permanent: true, schema: checkSurface,
	},
	{
		Number: Size, Name: "Size", Of: ClassTable, Who: ByHost,
		Size: 16, Permanent: true, schema: checkSize,
	},
	{
		Number: Grid, Name: "Grid", Of: ClassTable, Who: ByHost,
		Size: 32, schema: checkGrid,
	},
	{
		Number: Links, Name: "Links", Of: ClassTable, Who: ByHost,
		Size: 4096, schema: checkLinks,
	},
	{
		Number: Foreign, Name: "Foreign", Of: ClassTable, Who: ByHost,
		Size: 8, schema: checkForeign,
	},
	{
		Number: About, Name: "About", Of: ClassTable, Who: ByServer,
		Size: 448, Derived: true, schema: checkAbout,
	},
	{
		Number: Recall, Name: "Recall", Of: ClassTable, Who: ByHost,
		Size: 8, schema: checkRecall,
	},
	{
		Number: Recording, Name: "Recording", Of: ClassTable, Who: ByHost,
		Size: 8, schema: checkRecording,
	},
	{
		Number: Profile, Name: "Profile", Of: ClassSeat, Who: BySelf,
		Size: 288, schema: checkProfile,
	},
	{
		Number: Person, Name: "Person", Of: ClassSeat, Who: ByServer,
		Size: 640, Derived: true, schema: checkPerson,
	},
	{
		Number: Undo, Name: "Undo", Of: ClassTable, Who: ByHost,
		Size: 8, schema: checkUndo,
	}, {
		Number: Chat, Name: "Chat", Of: ClassTable, Who: ByHost,
		Size: 8, schema: checkChat,
	},
	{
		Number: Identity, Name: "Identity", Of: ClassPiece, Who: ByServer,
		Size: 8, schema: checkIdentity,
	},
	{
		Number: Kind, Name: "Kind", Of: ClassPiece, Who: ByServer,
		Size: 512, Derived: true, schema: checkKind,
	},
	{
		Number: Place, Name: "Place", Of: ClassPiece, Who: ByServer,
		Size: 1280, Derived: true, schema: checkPlaceOf,
	},
	{
		Number: Face, Name: "Face", Of: ClassPiece, Who: ByServer,
		Size: 2560, Derived: true, schema: checkFace,
	},
	{
		Number: Holder, Name: "Holder", Of: ClassPiece, Who: ByServer,
		Size: 8, Derived: true, schema: checkHolder,
	},
	{
		Number: Label, Name: "Label", Of: ClassPiece, Who: ByPlayer,
		Size: 192, schema: line(0, MaxLine),
	},
	{
		Number: Tint, Name: "Tint", Of: ClassPiece, Who: ByPlayer,
		Size: 8, schema: checkTint,
	},
	{
		Number: Remark, Name: "Remark", Of: ClassPiece, Who: ByPlayer,
		Size: 4096, schema: checkRemark,
	},
	{
		Number: Contents, Name: "Contents", Of: ClassPiece, Who: ByServer,
		Size: 8, Derived: true, schema: checkContents,
	},
	{
		Number: Clock, Name: "Clock", Of: ClassPiece, Who: ByServer,
		Size: 40, Derived: true, schema: checkClock,
	},
	{
		Number: Access, Name: "Access", Of: ClassTable, Who: ByHost,
		Size: 8, schema: checkAccess,
	},
	{
		Number: Voice, Name: "Voice", Of: ClassTable, Who: ByHost,
		Size: 512, schema: checkVoice,
	},
	{
		Number: Wins, Name: "Wins", Of: ClassSeat, Who: ByHost,
		Size: 8, schema: checkWins,
	},
	{
		Number: Sheet, Name: "Sheet", Of: ClassSheet, Who: ByPlayer,
		Size: 384, schema: line(0, MaxSheet),
	},
	{
		Number: Row, Name: "Row", Of: ClassRow, Who: ByPlayer,
		Size: 192, schema: line(0, MaxLine),
	},
	{
		Number: Stroke, Name: "Stroke", Of: ClassStroke, Who: ByAuthor,
		Size: 32, schema: checkStroke,
	},
	{
		Number: Points, Name: "Points", Of: ClassStroke, Who: ByAuthor,
		Size: 1024, Set: 256, schema: checkPoints,
	},
	{
		Number: Author, Name: "Author", Of: ClassStroke, Who: ByServer,
		Size: 8, schema: checkAuthor,
	},
	{
		Number: Ping, Name: "Ping", Of: ClassTable, Who: ByPlayer,
		Size: 128, Set: 32, schema: checkPing,
	},
	{
		Number: Roll, Name: "Roll", Of: ClassPiece, Who: ByPlayer,
		Size: 32, Answer: RollResult, schema: checkRoll,
	},
	{
		Number: RollResult, Name: "RollResult", Of: ClassPiece, Who: ByServer,
		Size: 32, schema: checkRollResult,
	},
	{
		Number: Shuffle, Name: "Shuffle", Of: ClassPiece, Who: ByPlayer,
		Size: 32, Answer: ShuffleResult, schema: checkShuffle,
	},
	{
		Number: ShuffleResult, Name: "ShuffleResult", Of: ClassPiece, Who: ByServer,
		Size: 32, schema: checkShuffleResult,
	},
	{
		Number: HitTest, Name: "HitTest", Of: ClassSeat, Who: BySelf,
		Size: 64, Answer: HitTestResult, Private: true, schema: checkHitTest,
	},
	{
		Number: HitTestResult, Name: "HitTestResult", Of: ClassSeat, Who: ByServer,
		Size: 4096, Private: true, schema: checkHitTestResult,
	},
	{
		Number: Measure, Name: "Measure", Of: ClassSeat, Who: BySelf,
		Size: 64, Answer: MeasureResult, Private: true, schema: checkMeasure,
	},
	{
		Number: MeasureResult, Name: "MeasureResult", Of: ClassSeat, Who: ByServer,
		Size: 64, Private: true, schema: checkMeasureResult,
	},
	{
		Number: Door, Name: "Door", Of: ClassPiece, Who: ByServer,
		Size: 1344, schema: checkDoor,
	},
	{
		Number: FirstColumn, Last: LastColumn, Name: "Column", Of: ClassSheet, Who: ByPlayer,
		Size: 192, schema: line(0, MaxLine),
	},
	{
		Number: FirstColumn, Last: LastColumn, Name: "Cell", Of: ClassRow, Who: ByPlayer,
		Size: 192, schema: line(0, MaxLine),
	},
}

// Registry returns the entries of all components.
func Registry() iter.Seq[Spec] { return slices.Values(registry) }

// Find returns the entry of a component for entities of a class. It returns false if they have no
// such component.
func Find(of Class, component uint32) (Spec, bool) {
	for i := range registry {
		if s := &registry[i]; s.Of == of && s.has(component) {
			return *s, true
		}
	}
	if IsForeign(component) && (of == ClassForeign || of == ClassTable) {
		return foreignSpec, true
	}
	return Spec{}, false
}

// Sets says which components are sets, and how many elements they keep (C6). It is for crdt.Config.
func Sets(component uint32) (limit int, ok bool) {
	s := byNumber(component)
	return s.Set, s.Set > 0
}

// byNumber returns the entry of a component whatever class it is of, or the zero Spec. Entries of
// the same number hold the same.
func byNumber(component uint32) Spec {
	for i := range registry {
		if s := &registry[i]; s.has(component) {
			return *s
		}
	}
	return Spec{}
}

// Takes reports whether operations of a kind are for the component: puts and deletes are for
// values, appends for sets.
func (s *Spec) Takes(kind crdt.Kind) bool {
	return s.Foreign || (s.Set > 0) == (kind == crdt.Append)
}

// Message returns the name in schema.proto of the message that the component holds.
func (s *Spec) Message() string { return s.schema.message }

// has reports whether a number is the component's, or in its run.
func (s *Spec) has(component uint32) bool {
	return component >= s.Number && component <= max(s.Number, s.Last)
}

// Derived reports whether only bridges have the component, which nobody may write (C23).
func Derived(component uint32) bool { return byNumber(component).Derived }

// Private reports whether only the seat of the entity receives the component (C18).
func Private(component uint32) bool { return byNumber(component).Private }

// Answer returns the component with the server's answer to a question, or 0 if component is not a
// question (C18).
func Answer(component uint32) uint32 { return byNumber(component).Answer }

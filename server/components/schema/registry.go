package schema

import (
	"iter"
	"slices"
)

// Who says who may write a component (C14): the server all of them, a spectator none.
type Who uint8

// The writers.
const (
	ByHost   Who = iota + 1
	ByPlayer     // every seat that plays: hosts too
	BySelf       // the player whose seat it is
	ByAuthor     // the player who has made the stroke
	ByServer     // nobody else
)

var whoNames = [...]string{ByHost: "host", ByPlayer: "player", BySelf: "self", ByAuthor: "author", ByServer: "server"}

func (w Who) String() string { return whoNames[w] }

// Spec is what the registry says of a component, or of a run of them that differ by their numbers only.
type Spec struct {
	Number uint32
	Last   uint32 // of a run; else 0
	Name   string
	Of     Class
	Who    Who
	Size   int // bytes of the data, of a set those of each element, at most
	Set    int // how many elements the set keeps (C6); 0: it is a value
	// Answer is the number of the component in which the server answers, 0 if it is no question (C18).
	Answer uint32
	// Lasts is set if it is not deleted, only written again: a table always has a title, a surface and a size.
	Lasts bool
	// Private is set if nobody is told but the seat whose entity it is (C18).
	Private bool

	schema schema
}

var registry = []Spec{
	{Number: Title, Name: "Title", Of: ClassTable, Who: ByHost, Size: 384, Lasts: true, schema: line(1, MaxTitle)},
	{Number: Surface, Name: "Surface", Of: ClassTable, Who: ByHost, Size: 64, Lasts: true, schema: checkSurface},
	{Number: Size, Name: "Size", Of: ClassTable, Who: ByHost, Size: 16, Lasts: true, schema: checkSize},
	{Number: Grid, Name: "Grid", Of: ClassTable, Who: ByHost, Size: 32, schema: checkGrid},
	{Number: Links, Name: "Links", Of: ClassTable, Who: ByHost, Size: 4096, schema: checkLinks},
	{Number: Profile, Name: "Profile", Of: ClassSeat, Who: BySelf, Size: 288, schema: checkProfile},
	{Number: Identity, Name: "Identity", Of: ClassPiece, Who: ByServer, Size: 8, schema: checkIdentity},
	{Number: Label, Name: "Label", Of: ClassPiece, Who: ByPlayer, Size: 192, schema: line(0, MaxLine)},
	{Number: Tint, Name: "Tint", Of: ClassPiece, Who: ByPlayer, Size: 8, schema: checkTint},
	{Number: Remark, Name: "Remark", Of: ClassPiece, Who: ByPlayer, Size: 4096, schema: checkRemark},
	{Number: Sheet, Name: "Sheet", Of: ClassSheet, Who: ByPlayer, Size: 384, schema: line(0, MaxSheet)},
	{Number: Row, Name: "Row", Of: ClassRow, Who: ByPlayer, Size: 192, schema: line(0, MaxLine)},
	{Number: Stroke, Name: "Stroke", Of: ClassStroke, Who: ByAuthor, Size: 32, schema: checkStroke},
	{Number: Points, Name: "Points", Of: ClassStroke, Who: ByAuthor, Size: 1024, Set: 256, schema: checkPoints},
	{Number: Author, Name: "Author", Of: ClassStroke, Who: ByServer, Size: 8, schema: checkAuthor},
	{Number: Ping, Name: "Ping", Of: ClassTable, Who: ByPlayer, Size: 32, Set: 32, schema: checkPing},
	{Number: Roll, Name: "Roll", Of: ClassPiece, Who: ByPlayer, Size: 32, Answer: RollResult, schema: checkRoll},
	{Number: RollResult, Name: "RollResult", Of: ClassPiece, Who: ByServer, Size: 32, schema: checkRollResult},
	{Number: Shuffle, Name: "Shuffle", Of: ClassPiece, Who: ByPlayer, Size: 32, Answer: ShuffleResult, schema: checkShuffle},
	{Number: ShuffleResult, Name: "ShuffleResult", Of: ClassPiece, Who: ByServer, Size: 32, schema: checkShuffleResult},
	{Number: HitTest, Name: "HitTest", Of: ClassSeat, Who: BySelf, Size: 64, Answer: HitTestResult, Private: true, schema: checkHitTest},
	{Number: HitTestResult, Name: "HitTestResult", Of: ClassSeat, Who: ByServer, Size: 4096, Private: true, schema: checkHitTestResult},
	{Number: Measure, Name: "Measure", Of: ClassSeat, Who: BySelf, Size: 64, Answer: MeasureResult, Private: true, schema: checkMeasure},
	{Number: MeasureResult, Name: "MeasureResult", Of: ClassSeat, Who: ByServer, Size: 64, Private: true, schema: checkMeasureResult},
	{Number: FirstColumn, Last: LastColumn, Name: "Column", Of: ClassSheet, Who: ByPlayer, Size: 192, schema: line(0, MaxLine)},
	{Number: FirstColumn, Last: LastColumn, Name: "Cell", Of: ClassRow, Who: ByPlayer, Size: 192, schema: line(0, MaxLine)},
}

// Registry returns what there is to be known of all components.
func Registry() iter.Seq[Spec] { return slices.Values(registry) }

// Find returns what the registry says of a component of an entity. It reports false if such entities have none of that number.
func Find(of Class, component uint32) (Spec, bool) {
	for i := range registry {
		if s := &registry[i]; s.Of == of && s.has(component) {
			return *s, true
		}
	}
	return Spec{}, false
}

// Sets says which components are sets and how many elements these keep (C6), as crdt.Config asks.
func Sets(component uint32) (limit int, ok bool) {
	s := byNumber(component)
	return s.Set, s.Set > 0
}

// byNumber returns what the registry says of a component whatever it is of; the zero Spec if there is none. Those of one number
// hold the same.
func byNumber(component uint32) Spec {
	for i := range registry {
		if s := &registry[i]; s.has(component) {
			return *s
		}
	}
	return Spec{}
}

// Message returns the name that the message it holds has in schema.proto.
func (s *Spec) Message() string { return s.schema.message }

// has reports whether a number is that of the component, or in its run.
func (s *Spec) has(component uint32) bool {
	return component >= s.Number && component <= max(s.Number, s.Last)
}

// Private reports whether a component is told to nobody but the seat whose entity it is of (C18).
func Private(component uint32) bool { return byNumber(component).Private }

// Answer returns the component in which the server answers a question, 0 if a component is none (C18).
func Answer(component uint32) uint32 { return byNumber(component).Answer }

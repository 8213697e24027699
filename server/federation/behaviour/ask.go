package behaviour

import (
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
)

// The methods of a set for the host of a table (O4). All but Hold are for the table that has the
// set.
const (
	// Gives the set to a table. The answer has the first parts; a secret part has the kind of its
	// mask.
	Hold     = "hold"
	More     = "more"    // answers with the parts from index N on, like Hold
	Reveal   = "reveal"  // answers what Parts are
	Shuffle  = "shuffle" // permutes the kinds of Parts
	Roll     = "roll"    // rolls a part
	Count    = "count"   // adds N to the value of a part
	Write    = "write"   // writes Text on a part
	SetTexts = "mend"    // takes over the texts of Now
	Return   = "back"    // takes the set from the table, with its parts in the order of Now
)

// Look is the method of a set by which its owner alone learns on which table it lies and which
// kinds it has.
const Look = "look"

// Recall is the method of a set by which its owner alone takes it off the table that has it,
// because that table may be gone for good.
const Recall = "recall"

// ReadLook reads the answer to Look: the table on which the set lies, zero for none, its kinds, and
// the index of the kind of its first part: of the container, or of the single piece.
func ReadLook(b []byte) (on id.OID, kinds []object.Kind, first int, err error) {
	r := &reader{b: b}
	on = r.oid()
	said, err := ReadAnswer(r.b)
	if err != nil || r.bad || len(said.Parts) != 1 {
		return id.OID{}, nil, 0, errForm
	}
	return on, said.Kinds, said.Parts[0].Kind, nil
}

// Arguments is the argument of a method of a set.
type Arguments struct {
	Table  id.OID
	Client id.Client // with Seq it names a request that changes something
	Seq    id.ClientSeq
	Parts  []uint32
	Random [32]byte
	N      int32
	Text   string
	Now    []Part // Kind is not used
}

// Append appends the form of the argument to b.
func (a *Arguments) Append(b []byte) []byte {
	b = append(b, a.Table[:]...)
	b = append(b, a.Client[:]...)
	b = appendNumber(b, uint64(a.Seq))
	b = appendNumber(b, uint64(len(a.Parts)))
	for _, p := range a.Parts {
		b = appendNumber(b, uint64(p))
	}
	b = append(b, a.Random[:]...)
	b = appendSigned(b, a.N)
	b = appendText(b, a.Text)
	return appendParts(b, a.Now)
}

func readArguments(b []byte) (*Arguments, error) {
	r := &reader{b: b}
	a := &Arguments{
		Table: r.oid(), Client: id.Client(r.take(len(id.Client{}))),
		Seq: id.ClientSeq(r.number(maxCount)),
	}
	for range r.count(table.MaxParts) {
		a.Parts = append(a.Parts, uint32(r.number(1<<32-1))) //nolint:gosec // 32 bits
	}
	a.Random = [32]byte(r.take(32))
	a.N, a.Text, a.Now = r.signed(), r.text(table.MaxText), r.parts(1)
	return a, r.end()
}

// Answer is the answer of a set.
type Answer struct {
	Shuffles uint64
	Number   int64         // the face of Roll, the value of Count
	Kinds    []object.Kind // of Hold and More: all of the set; of Reveal: of the parts
	Parts    []Part        // Kind is an index in Kinds
	// Of Hold and More: the index of the first part that is not in the answer; 0: no parts are
	// left.
	Next int
}

// Append appends the form of the answer to b.
func (s *Answer) Append(b []byte) []byte {
	b = appendNumber(b, s.Shuffles)
	b = appendNumber(b, uint64(s.Number+table.MaxValue)) //nolint:gosec // not below -MaxValue
	b = appendNumber(b, uint64(len(s.Kinds)))
	for i := range s.Kinds {
		b = append(b, s.Kinds[i][:]...)
	}
	b = appendParts(b, s.Parts)
	return appendNumber(b, uint64(s.Next)) //nolint:gosec // an index
}

// ReadAnswer reads an answer.
func ReadAnswer(b []byte) (*Answer, error) {
	r := &reader{b: b}
	s := &Answer{
		Shuffles: r.number(maxCount),
		Number:   int64(r.number(maxCount)) - table.MaxValue, //nolint:gosec // up to 2^53
	}
	for range r.count(object.MaxKinds) {
		s.Kinds = append(s.Kinds, object.Kind(r.take(len(object.Kind{}))))
	}
	s.Parts, s.Next = r.parts(len(s.Kinds)), r.place(table.MaxParts)
	return s, r.end()
}

package behaviour

import (
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

const (
	setVersion = 1 // of the form of a set's content
	// answersKept is how many answers a set remembers, so that a repeated request is not carried
	// out again.
	answersKept = 256
	maxCount    = 1<<53 - 1
)

// SetContent is the content of a set: its parts and what they can do. It fits into an envelope,
// because the documents of its kinds are not in it.
type SetContent struct {
	On       id.OID // the table that has it; zero: none
	Shuffles uint64 // the number of the last shuffle
	Kinds    []Kind // a shuffle begins with this order
	Parts    []Part // in order: the container first, then from the bottom up
	answers  []answer
}

// Kind is what a set knows of a kind of its parts, apart from the kind's document.
type Kind struct {
	Hash     object.Kind // its version
	Secret   bool
	Mask     int // of a secret kind: the index of its mask in Kinds
	Faces    int // of a die: how many; 0: it does not roll
	Counts   bool
	Min, Max int32
	Written  bool
}

// Part is a part of a set. Kind is an index in Kinds.
type Part struct {
	Number uint32
	Kind   int
	// Only in an answer: the part is secret. In a content the kind of the part says so.
	Secret      bool
	Face, Value int32
	Text        string
}

// answer is the answer to a request that has changed something.
type answer struct {
	client id.Client
	seq    id.ClientSeq
	number int64
	why    table.Reason // 0: it was carried out
}

// NewSet returns the content of a set of parts. The kinds of the parts are versions of the kinds of
// a game.
func NewSet(kinds []game.Kind, parts []Part) *SetContent {
	s := &SetContent{Parts: parts}
	for i, v := range game.Versions(kinds) {
		k := &kinds[i]
		kind := Kind{
			Hash: v.Hash, Secret: k.Secret, Counts: k.Counter.Counts, Written: k.Text.Written,
		}
		if k.Secret {
			kind.Mask = k.Mask
		}
		if k.Die.Rolls {
			kind.Faces = len(k.Faces)
		}
		if kind.Counts {
			kind.Min, kind.Max = k.Counter.Min, k.Counter.Max
		}
		s.Kinds = append(s.Kinds, kind)
	}
	return s
}

// Append appends the form of the content to b.
func (s *SetContent) Append(b []byte) []byte {
	b = append(b, setVersion)
	b = append(b, s.On[:]...)
	b = appendNumber(b, s.Shuffles)
	b = appendNumber(b, uint64(len(s.Kinds)))
	for i := range s.Kinds {
		k := &s.Kinds[i]
		b = append(b, k.Hash[:]...)
		b = appendFlag(b, k.Secret)
		b = appendNumber(b, uint64(k.Mask))  //nolint:gosec // an index
		b = appendNumber(b, uint64(k.Faces)) //nolint:gosec // a count
		b = appendFlag(b, k.Counts)
		b = appendSigned(b, k.Min)
		b = appendSigned(b, k.Max)
		b = appendFlag(b, k.Written)
	}
	b = appendParts(b, s.Parts)
	b = appendNumber(b, uint64(len(s.answers)))
	for i := range s.answers {
		a := &s.answers[i]
		b = append(b, a.client[:]...)
		b = appendNumber(b, uint64(a.seq))
		b = appendNumber(b, uint64(a.number+table.MaxValue)) //nolint:gosec // not below -MaxValue
		b = append(b, byte(a.why))
	}
	return b
}

// ReadSet reads a content. It refuses one that is invalid in any part.
func ReadSet(b []byte) (*SetContent, error) {
	r := &reader{b: b}
	s := &SetContent{}
	if r.take(1)[0] != setVersion {
		return nil, errForm
	}
	s.On, s.Shuffles = r.oid(), r.number(maxCount)
	kinds := r.count(object.MaxKinds)
	s.Kinds = make([]Kind, 0, kinds)
	for range kinds {
		k := Kind{Hash: object.Kind(r.take(len(object.Kind{}))), Secret: r.flag()}
		k.Mask, k.Faces = r.place(kinds), r.place(game.MaxFaces+1)
		k.Counts, k.Min, k.Max, k.Written = r.flag(), r.signed(), r.signed(), r.flag()
		s.Kinds = append(s.Kinds, k)
	}
	s.Parts = r.parts(kinds)
	answers := r.count(answersKept)
	s.answers = make([]answer, 0, answers)
	for range answers {
		s.answers = append(s.answers, answer{
			client: id.Client(r.take(len(id.Client{}))), seq: id.ClientSeq(r.number(maxCount)),
			number: int64(r.number(maxCount)) - table.MaxValue, //nolint:gosec // up to 2^53
			why:    table.Reason(r.take(1)[0]),
		})
	}
	if err := r.end(); err != nil || len(s.Parts) == 0 || !s.isUnique() {
		return nil, errForm
	}
	return s, nil
}

// place reads a number below n.
func (r *reader) place(n int) int {
	if n <= 0 {
		r.bad = true
		return 0
	}
	return int(r.number(uint64(n - 1))) //nolint:gosec // below n
}

func appendParts(b []byte, parts []Part) []byte {
	b = appendNumber(b, uint64(len(parts)))
	for i := range parts {
		p := &parts[i]
		b = appendNumber(b, uint64(p.Number))
		b = appendNumber(b, uint64(p.Kind)) //nolint:gosec // an index
		b = appendFlag(b, p.Secret)
		b = appendSigned(b, p.Face)
		b = appendSigned(b, p.Value)
		b = appendText(b, p.Text)
	}
	return b
}

func (r *reader) parts(kinds int) (parts []Part) {
	n := r.count(table.MaxParts)
	parts = make([]Part, 0, n)
	for range n {
		parts = append(parts, Part{
			Number: uint32(r.number(1<<32 - 1)), //nolint:gosec // 32 bits
			Kind:   r.place(kinds), Secret: r.flag(), Face: r.signed(), Value: r.signed(),
			Text: r.text(table.MaxText),
		})
	}
	return parts
}

// isUnique reports whether no part number and no kind occurs twice, and no part is marked as
// secret.
func (s *SetContent) isUnique() bool {
	numbers, kinds := make(map[uint32]struct{}, len(s.Parts)),
		make(map[object.Kind]struct{}, len(s.Kinds))
	for i := range s.Parts {
		if s.Parts[i].Secret {
			return false
		}
		numbers[s.Parts[i].Number] = struct{}{}
	}
	for i := range s.Kinds {
		kinds[s.Kinds[i].Hash] = struct{}{}
	}
	return len(numbers) == len(s.Parts) && len(kinds) == len(s.Kinds)
}

// Hashes returns the versions of the kinds.
func (s *SetContent) Hashes() []object.Kind {
	all := make([]object.Kind, len(s.Kinds))
	for i := range s.Kinds {
		all[i] = s.Kinds[i].Hash
	}
	return all
}

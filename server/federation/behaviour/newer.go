package behaviour

import (
	"errors"

	"holt/server/federation/object"
	"holt/server/play/table"
)

// Adopt is the method of a set by which its owner alone gives it newer versions of its kinds (O30).
// The set lies on no table then. Everything else about the set stays as it is.
const Adopt = "adopt"

// ErrNoNewer says that there are no newer versions of the kinds of a set. ErrUnfit says that they
// are those of another set.
var (
	ErrNoNewer = errors.New("the set has the newest versions")
	ErrUnfit   = errors.New("the newer versions do not fit")
)

// Newer is a version of a kind, and the version that takes its place.
type Newer struct{ Was, Is object.Kind }

// AppendNewer appends the form of the argument of Adopt to b.
func AppendNewer(b []byte, all []Newer) []byte {
	b = appendNumber(b, uint64(len(all)))
	for i := range all {
		b = append(b, all[i].Was[:]...)
		b = append(b, all[i].Is[:]...)
	}
	return b
}

func readNewer(b []byte) (all []Newer, err error) {
	r := &reader{b: b}
	for range r.count(object.MaxKinds) {
		all = append(all, Newer{
			Was: object.Kind(r.take(len(object.Kind{}))),
			Is:  object.Kind(r.take(len(object.Kind{}))),
		})
	}
	return all, r.end()
}

// adopt gives the set newer versions of its kinds, all or none. Each keeps the place of the version
// before it, so the order of the kinds says nothing about the parts. A repeated call changes
// nothing more.
func (s *SetContent) adopt(i *object.Invocation) object.Result {
	all, err := readNewer(i.Args)
	if err != nil || !s.On.IsZero() {
		return refuse(table.ReasonNotAllowed)
	}
	places := make(map[object.Kind]int, len(s.Kinds))
	for at := range s.Kinds {
		places[s.Kinds[at].Hash] = at
	}
	changed := false
	for _, n := range all {
		at, ok := places[n.Was]
		if _, there := places[n.Is]; !ok && !there {
			return refuse(table.ReasonNotAllowed) // the set has other kinds by now
		}
		if ok && n.Was != n.Is {
			s.Kinds[at].Hash, changed = n.Is, true
		}
	}
	switch {
	case !s.isUnique():
		return refuse(table.ReasonNotAllowed)
	case !changed:
		return object.Result{}
	}
	return object.Result{Changed: true, Content: s.Append(nil), Refs: i.Refs, Kinds: s.Hashes()}
}

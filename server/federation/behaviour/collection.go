package behaviour

import (
	"slices"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
)

// The methods of persons, tables and bags.
const (
	Put  = "put"  // adds the passed references
	Take = "take" // removes the passed references
	// Returns the references behind the object in the argument, at most object.MaxPassed.
	List = "list"
)

// MaxBoxed is how many sets a box may refer to: those that belong together (O53). A box is an
// object of class bag.
const MaxBoxed = 8

// maxLabel bounds the content of a collection, which is its name, in bytes.
const maxLabel = 200

// collection is the Behaviour of persons, tables and bags: it has references to other objects, and
// does nothing else. The content is the name of the collection. Only the host that made it may call
// it: other hosts may hold a reference to it, and must not learn to what it refers.
type collection struct {
	most int // how many references it may have
}

// Invoke carries a method out.
func (k collection) Invoke(i object.Invocation) object.Result {
	if i.Caller != i.OID.Creator() {
		return refuse(table.ReasonNotAllowed)
	}
	switch i.Method {
	case Put:
		refs := distinct(append(slices.Clone(i.Refs), i.Passed...))
		if len(refs) > k.most {
			return refuse(table.ReasonTableFull)
		}
		return object.Result{Changed: true, Content: i.Content, Refs: refs}
	case Take:
		refs := slices.DeleteFunc(
			slices.Clone(i.Refs), func(o id.OID) bool { return slices.Contains(i.Passed, o) },
		)
		return object.Result{Changed: true, Content: i.Content, Refs: refs}
	case List:
		r := &reader{b: i.Args}
		behind := r.oid()
		if r.end() != nil {
			return refuse(table.ReasonNotAllowed)
		}
		at, found := slices.BinarySearchFunc(
			i.Refs, behind, func(a, b id.OID) int { return slices.Compare(a[:], b[:]) },
		)
		if found {
			at++
		}
		return object.Result{Passed: i.Refs[at:min(len(i.Refs), at+object.MaxPassed)]}
	default:
		return refuse(table.ReasonNotAllowed)
	}
}

// distinct sorts references, and removes those that occur again.
func distinct(refs []id.OID) []id.OID {
	slices.SortFunc(refs, func(a, b id.OID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(refs)
}

func checkCollection(content []byte) error {
	if len(content) > maxLabel || !table.Plain(string(content)) {
		return errForm
	}
	return nil
}

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

// maxLabel bounds the content of a collection, which is its name, in bytes.
const maxLabel = 200

// collection is the Behaviour of persons, tables and bags: it has references to other objects, and
// does nothing else. The content is the name of the collection.
type collection struct {
	only *id.HostID // the only host that may call it; nil: every holder may
}

// Invoke carries a method out.
func (k collection) Invoke(i object.Invocation) object.Result {
	if k.only != nil && i.Caller != *k.only {
		return refuse(table.ReasonNotAllowed)
	}
	switch i.Method {
	case Put:
		refs := append(slices.Clone(i.Refs), i.Passed...)
		if len(refs) > object.MaxRefs {
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

func checkCollection(content []byte) error {
	if len(content) > maxLabel || !table.Plain(string(content)) {
		return errForm
	}
	return nil
}

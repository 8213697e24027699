// Package behaviour decides what objects of each class do when they are called
// (docs/protocol/object.md, O3 and O4). A set knows what its parts are. No table knows that of a
// secret part before somebody may see it. Persons, bags and tables have references to other
// objects. All of it is pure: an object.Host calls it, and may call it again with the same result.
//
// The package does not know who sits where, and carries no art.
package behaviour

import (
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
)

// Of returns the Behaviour of a class on the host self. It returns nil if there is no such class.
func Of(c object.Class, self id.HostID) object.Behaviour {
	switch c {
	case object.Set:
		return setClass{self}
	case object.Bag:
		return collection{most: MaxBoxed}
	case object.Table, object.Person:
		return collection{most: object.MaxRefs}
	default:
		return nil
	}
}

// Check returns an error if a content does not have the form of its class.
func Check(c object.Class, content []byte) error {
	switch c {
	case object.Set:
		_, err := ReadSet(content)
		return err
	default:
		return checkCollection(content)
	}
}

// refuse returns a result that changes nothing and names a reason.
func refuse(why table.Reason) object.Result {
	return object.Result{Refused: true, Answer: []byte{byte(why)}}
}

// Why returns the reason in the answer of a refused call.
func Why(answer []byte) table.Reason {
	if len(answer) != 1 {
		return table.ReasonNotAllowed
	}
	return table.Reason(answer[0])
}

// Package behaviour says what objects of each class do when they are called (docs/protocol/object.md, O3 and O4): a set knows what
// its parts are, which no table knows before somebody may see it; persons, bags and tables refer to what is theirs.
// All of it is pure: an object.Host calls it, and may call it again with the same answer.
//
// It knows nothing of who sits where, and carries no art.
package behaviour

import (
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
)

// Of returns what objects of a class do on a host; nil if there are none.
func Of(c object.Class, self id.GWID) object.Behaviour {
	switch c {
	case object.Set:
		return setClass{self}
	case object.Bag:
		return collection{}
	case object.Table, object.Person:
		return collection{only: &self}
	default:
		return nil
	}
}

// Check reports whether what came from elsewhere is an object of its class.
func Check(c object.Class, content []byte) error {
	switch c {
	case object.Set:
		_, err := ReadSet(content)
		return err
	default:
		return checkCollection(content)
	}
}

// refuse answers that nothing was done, and why.
func refuse(why table.Reason) object.Result {
	return object.Result{Refused: true, Answer: []byte{byte(why)}}
}

// Why returns why an object has refused a call.
func Why(answer []byte) table.Reason {
	if len(answer) != 1 {
		return table.ReasonNotAllowed
	}
	return table.Reason(answer[0])
}

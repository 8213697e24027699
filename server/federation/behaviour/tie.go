package behaviour

import (
	"slices"

	"holt/server/federation/object"
	"holt/server/play/table"
)

// Tie is the method of a set by which its creator alone, which has the bag with the set, lets it
// refer to the box that is passed, and to nothing if none is passed (O53). A set is in one box at
// most. The box refers to the set, so the two keep each other.
const Tie = "tie"

// tie lets a set refer to what was passed instead of what it refers to now. A repeated call changes
// nothing more.
func tie(i *object.Invocation) object.Result {
	switch {
	case len(i.Passed) > 1 || slices.Contains(i.Passed, i.OID):
		return refuse(table.ReasonNotAllowed)
	case slices.Equal(i.Refs, i.Passed):
		return object.Result{}
	}
	return object.Result{Changed: true, Content: i.Content, Refs: i.Passed}
}

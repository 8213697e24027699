package peer

import (
	"fmt"
	"strings"
)

// Rights are what a linked host may do here (O34). A right that was not stated is not given.
type Rights uint8

// The rights.
const (
	Visit  Rights = 1 << iota // its people may sit down here
	Bring                     // their sets may lie on tables here
	Keep                      // objects may move here, up to a quota
	Linkup                    // cards of third hosts are accepted from it
	allRights
)

var rightNames = [...]string{"visit", "bring", "keep", "linkup"}

// Has reports whether all of r are given.
func (s Rights) Has(r Rights) bool { return s&r == r }

// String returns the rights in the form that ParseRights reads, "none" if there are none.
func (s Rights) String() string {
	var names []string
	for i, name := range rightNames {
		if s.Has(1 << i) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}

// ParseRights reads rights that are separated by commas. "" and "none" are no rights. The error
// names a word that is not a right.
func ParseRights(text string) (Rights, error) {
	var s Rights
	if text == "" || text == "none" {
		return 0, nil
	}
next:
	for part := range strings.SplitSeq(text, ",") {
		for i, name := range rightNames {
			if strings.TrimSpace(part) == name {
				s |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf(
			"%q is not a right: there are %s, and none", part, strings.Join(rightNames[:], ", "),
		)
	}
	return s, nil
}

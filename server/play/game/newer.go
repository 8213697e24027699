package game

import (
	"bytes"
	"fmt"
)

// CheckNewer returns an error unless a set of the given kinds can have the newer ones in their
// places (O30). Both lists have the same order, and refer only to themselves, as ReadVersions
// returns them. Pictures, names of faces, sizes, shapes, displays, grids, snap points, how far they
// turn at once and whether they are upright, readable or pointed may differ. The names of the
// kinds, the number of their faces, what they refer to and what their pieces do must be the same,
// because the parts of the set go on as they are.
func CheckNewer(kinds, newer []Kind) error {
	if len(kinds) != len(newer) {
		return fmt.Errorf("%d kinds take the place of %d", len(newer), len(kinds))
	}
	for i := range kinds {
		was, is := functionOf(&kinds[i]), functionOf(&newer[i])
		if !bytes.Equal(was, is) {
			return fmt.Errorf("the newer %q is not a %q with other pictures",
				newer[i].Name, kinds[i].Name)
		}
	}
	return nil
}

// functionOf returns in one form what pieces of a kind are and do, apart from how they look.
func functionOf(k *Kind) []byte {
	c := catalogOf(k)
	c.Width, c.Height, c.Shape, c.Display, c.Offers = 0, 0, "", nil, nil
	c.Upright, c.Readable, c.Pointed, c.Grid, c.Snaps = false, false, false, nil, nil
	c.Turn = 0
	c.Faces = make([]catalogFace, len(c.Faces))
	if c.Clock != nil {
		clock := *c.Clock
		clock.Displays = make([]Display, len(clock.Displays))
		c.Clock = &clock
	}
	return encoded(c)
}

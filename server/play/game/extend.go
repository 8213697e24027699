package game

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
)

// UnknownArt is the front of the unknown kinds (T38). It is understood in every language.
const UnknownArt = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60" ` +
	`preserveAspectRatio="none"><path fill="#e9e6df" d="M0 0h60v60H0z"/>` +
	`<path fill="none" stroke="#8a8578" stroke-width="2" stroke-dasharray="4 3" d="M4 4h52v52H4z"/>` +
	`<path fill="none" stroke="#6f6a5e" stroke-width="5" stroke-linecap="round" ` +
	`d="M22 24a8 8 0 1 1 11 7c-3 2-3 3-3 6"/><circle cx="30" cy="45" r="3" fill="#6f6a5e"/></svg>`

// unknownName is the name of an unknown kind, and of its front.
const unknownName = "not known yet"

// roomForRest is what a catalogue has beside kinds, at most.
const roomForRest = 64 << 10

// ErrTooMany says that a table has no room for more kinds.
var ErrTooMany = errors.New("the table has too many kinds")

// ErrTaken says that another kind of the table has the name of a new one.
var ErrTaken = errors.New("another kind of the table has that name")

// Extend adds the kinds of a guest set to those of a table as Add does, and for each of their masks
// an unknown kind, if there is none. Names may repeat.
func Extend(kinds, more []Kind) (all []Kind, at []int, err error) {
	all, at = extended(kinds, more)
	for i := range more {
		if k := more[i]; k.Secret {
			all = withUnknown(all, at[k.Mask])
		}
	}
	return fitting(kinds, all, at)
}

// Add adds kinds to those of a table, behind them: those of more that the table does not have. It
// does not change existing kinds, except that it may give them offers if they had none. at[i] is
// the index in all of more[i]. Kinds in more may refer only to each other. Errors: an ErrTaken if a
// kind that the table has not has the name of one that it has; ErrTooMany if there would be too
// many kinds or too large a catalogue. Then nothing has changed.
func Add(kinds, more []Kind) (all []Kind, at []int, err error) {
	all, at = extended(kinds, more)
	named := map[string]bool{}
	for i := range kinds {
		named[kinds[i].Name] = true
	}
	for i := range more {
		if at[i] >= len(kinds) && named[more[i].Name] {
			return nil, nil, fmt.Errorf("%q: %w", more[i].Name, ErrTaken)
		}
	}
	return fitting(kinds, all, at)
}

// extended returns the kinds of a table and those of more that it does not have, and where they
// are.
func extended(kinds, more []Kind) (all []Kind, at []int) {
	all = slices.Clone(kinds)
	known := map[[sha256.Size]byte]int{}
	for i, v := range Versions(kinds) {
		if _, twice := known[v.Hash]; !twice && !kinds[i].Unknown {
			known[v.Hash] = i
		}
	}
	at = make([]int, len(more))
	versions := Versions(more)
	for _, masked := range []bool{false, true} { // first those that others refer to
		for i := range more {
			if (refersTo(&more[i]) != NoMask) != masked {
				continue
			}
			n, ok := known[versions[i].Hash]
			if !ok {
				n = len(all)
				all, known[versions[i].Hash] = append(all, moved(more[i], at)), n
			}
			at[i] = n
		}
	}
	return all, at
}

// fitting gives offers to new kinds, and checks that all fit into a catalogue.
func fitting(kinds, all []Kind, at []int) ([]Kind, []int, error) {
	offerMore(all, len(kinds))
	if len(all) > MaxKinds || len(encodeCatalog(all, &CatalogRest{})) > MaxDocument-roomForRest {
		return nil, nil, ErrTooMany
	}
	return all, at, nil
}

// moved returns a kind whose references are changed by at, and which has no offers.
func moved(k Kind, at []int) Kind {
	if k.Secret {
		k.Mask = at[k.Mask]
	}
	if k.Container.Holds() && k.Container.Takes != AnyLight {
		k.Container.Takes = at[k.Container.Takes]
	}
	k.Offers = nil
	return k
}

// withUnknown adds the unknown kind of a mask, if there is none.
func withUnknown(all []Kind, mask int) []Kind {
	if slices.ContainsFunc(all, func(k Kind) bool { return k.Unknown && k.Mask == mask }) {
		return all
	}
	m := &all[mask]
	return append(all, Kind{
		Name: unknownName, Width: m.Width, Height: m.Height, Shape: m.Shape, Weight: m.Weight,
		Secret: true, Mask: mask, Unknown: true,
		Faces: append([]Face{{Name: unknownName, Art: sha256.Sum256([]byte(UnknownArt))}},
			m.Faces...),
	})
}

// offerMore gives offers to the kinds from index from on. If none had offers and some need them
// now, it gives them to all.
func offerMore(all []Kind, from int) {
	old := slices.ContainsFunc(all[:from], func(k Kind) bool { return len(k.Offers) > 0 })
	if !old && !slices.ContainsFunc(all, func(k Kind) bool { return k.needsOffers() }) {
		return
	}
	if !old {
		from = 0
	}
	for i := from; i < len(all); i++ {
		all[i].Offers = offersOf(&all[i], all)
	}
}

// EncodeCatalog returns a catalogue and its hash. Equal ones give equal bytes.
func EncodeCatalog(kinds []Kind, rest *CatalogRest) (doc []byte, hash [sha256.Size]byte) {
	doc = encodeCatalog(kinds, rest)
	return doc, sha256.Sum256(doc)
}

// readUnknown reads whether a kind is an unknown one.
func readUnknown(kind object, k Kind) bool {
	unknown := kind.boolean("unknown")
	if unknown && !k.Secret {
		kind.fail(kind.get("unknown"), "only a secret kind can be unknown")
	}
	return unknown
}

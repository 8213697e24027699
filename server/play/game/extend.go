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

// Extend adds the kinds of a guest set to those of a table as Change does, and for each of their
// masks an unknown kind, if there is none. Names may repeat.
func Extend(kinds, more []Kind) (all []Kind, at []int, err error) {
	all, at = extended(kinds, more)
	for i := range more {
		if k := more[i]; k.Secret {
			all = withUnknown(all, at[k.Mask])
		}
	}
	return fitting(kinds, all, at)
}

// ErrUnlike says that a kind of a table cannot be given the definition that somebody wants.
var ErrUnlike = errors.New("that would be another sort of piece")

// Change adds kinds to those of a table, behind them: those of more that the table does not have
// (T100). The first kinds of more take the place of those whose indices in kinds change has, and
// have their names or new ones (T104). Other kinds stay, except that they may get offers if they
// had none. at[i] is the index in all of more[i]. Kinds in more may refer only to each other.
// Errors: an ErrTaken if a new or changed kind has the name of another one; an ErrUnlike if pieces
// of a kind could not be what they are any more; ErrTooMany if there would be too many kinds or too
// large a catalogue. Then nothing has changed.
func Change(kinds, more []Kind, change []int) (all []Kind, at []int, err error) {
	all, at = merged(kinds, more, change)
	for i, to := range change {
		if err := alike(&kinds[to], &more[i]); err != nil {
			return nil, nil, fmt.Errorf("%q: %w: %w", kinds[to].Name, ErrUnlike, err)
		}
		if r := refersTo(&kinds[to]); r != refersTo(&all[to]) {
			return nil, nil, fmt.Errorf("%q: %w: it refers to another kind", kinds[to].Name, ErrUnlike)
		}
	}
	named := map[string]int{} // how many kinds have a name
	for i := range all {
		if !all[i].Unknown {
			named[all[i].Name]++
		}
	}
	isNew := func(i int) bool { return i >= len(kinds) || slices.Contains(change, i) }
	for i := range all {
		if name := all[i].Name; isNew(i) && named[name] > 1 {
			return nil, nil, fmt.Errorf("%q: %w", name, ErrTaken)
		}
	}
	for _, to := range change {
		rename(all, kinds[to].Name, all[to].Name)
	}
	if err := followMasks(kinds, all); err != nil {
		return nil, nil, err
	}
	if len(change) > 0 && slices.ContainsFunc(all, func(k Kind) bool { return k.needsOffers() }) {
		for i := range kinds {
			all[i].Offers = offersOf(&all[i], all)
		}
	}
	return fitting(kinds, all, at)
}

// alike returns why pieces of a kind could not stay what they are if it were defined like to; nil
// if they can. What somebody may see, and how much, stays as it is (T99.5).
func alike(k, to *Kind) error {
	switch {
	case k.Unknown || k.Secret != to.Secret || k.Private != to.Private:
		return errors.New("it would be hidden in another way")
	case k.Weight != to.Weight:
		return errors.New("it would have another weight")
	case k.Ability() != to.Ability() || k.Rack != to.Rack || k.Currency != to.Currency ||
		k.Seat != to.Seat || k.Clock.Sides() != to.Clock.Sides() ||
		k.Container.Draws != to.Container.Draws:
		return errors.New("its pieces would do something else")
	case k.Peek != to.Peek || k.Uncounted != to.Uncounted:
		return errors.New("other people could see into it")
	case len(to.Faces) < len(k.Faces):
		return fmt.Errorf("it would have fewer than %d sides", len(k.Faces))
	}
	return nil
}

// rename lets the buttons, zones and supplies of kinds mean by another name what they meant by one.
func rename(all []Kind, from, to string) {
	if from == to {
		return
	}
	now := func(name *string) {
		if *name == from {
			*name = to
		}
	}
	for i := range all {
		k := &all[i]
		k.Button.Steps = renamed(k.Button.Steps, now)
		k.Zone.Takes = slices.Clone(k.Zone.Takes)
		for n := range k.Zone.Takes {
			now(&k.Zone.Takes[n])
		}
		now(&k.Supply)
	}
}

// renamed returns steps in which the names of kinds are changed by now.
func renamed(steps []Step, now func(name *string)) []Step {
	steps = slices.Clone(steps)
	for i := range steps {
		s := &steps[i]
		for _, name := range []*string{&s.Kind, &s.To, &s.Ask.Kind, &s.If.Kind, &s.If.In} {
			now(name)
		}
		s.Then, s.Else = renamed(s.Then, now), renamed(s.Else, now)
	}
	return steps
}

// followMasks gives the unknown kinds of masks the looks that those have in all, and returns an
// error if a secret kind does not fit its mask: a viewer could tell it from others.
func followMasks(kinds, all []Kind) error {
	for i := range all {
		k := &all[i]
		if !k.Secret {
			continue
		}
		mask := &all[k.Mask]
		if k.Unknown {
			*k = unknownOf(mask, k.Mask)
			continue
		}
		isOld := k.Mask < len(kinds)
		switch {
		case mask.Width != k.Width || mask.Height != k.Height || mask.Shape != k.Shape ||
			mask.Weight != k.Weight:
			return fmt.Errorf("%q: %w: it would not have the size of %q any more", k.Name, ErrUnlike,
				mask.Name)
		case isOld && len(mask.Faces) != len(kinds[k.Mask].Faces):
			return fmt.Errorf("%q: %w: a back has always as many sides", mask.Name, ErrUnlike)
		}
	}
	return nil
}

// extended returns the kinds of a table and those of more that it does not have, and where they
// are.
func extended(kinds, more []Kind) (all []Kind, at []int) { return merged(kinds, more, nil) }

// merged is extended, but the first kinds of more take the places that change names.
func merged(kinds, more []Kind, change []int) (all []Kind, at []int) {
	all = slices.Clone(kinds)
	known := map[[sha256.Size]byte]int{}
	for i, v := range Versions(kinds) {
		_, twice := known[v.Hash]
		if !twice && !kinds[i].Unknown && !slices.Contains(change, i) {
			known[v.Hash] = i
		}
	}
	at = make([]int, len(more))
	copy(at, change)
	versions := Versions(more)
	for _, masked := range []bool{false, true} { // first those that others refer to
		for i := range more {
			if (refersTo(&more[i]) != NoMask) != masked {
				continue
			}
			if i < len(change) {
				all[at[i]] = moved(more[i], at)
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
	referTo(&k, func(to int) int { return at[to] })
	k.Offers = nil
	return k
}

// withUnknown adds the unknown kind of a mask, if there is none.
func withUnknown(all []Kind, mask int) []Kind {
	if slices.ContainsFunc(all, func(k Kind) bool { return k.Unknown && k.Mask == mask }) {
		return all
	}
	return append(all, unknownOf(&all[mask], mask))
}

// unknownOf returns the unknown kind of a mask.
func unknownOf(m *Kind, mask int) Kind {
	return Kind{
		Name: unknownName, Width: m.Width, Height: m.Height, Shape: m.Shape, Weight: m.Weight,
		Secret: true, Mask: mask, Unknown: true,
		Faces: append([]Face{{Name: unknownName, Art: sha256.Sum256([]byte(UnknownArt))}},
			m.Faces...),
	}
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

package game

import "slices"

// checkEffectless fails if a field of a kind of a game has no effect. Catalogues are not checked:
// those of existing tables stay valid.
func checkEffectless(kinds []Kind, objects []object) {
	hands := slices.ContainsFunc(kinds, func(k Kind) bool { return k.Hand })
	hides := slices.ContainsFunc(kinds, func(k Kind) bool { return k.Secret || k.Private })
	light := slices.ContainsFunc(kinds, func(k Kind) bool { return k.Weight == "light" })
	for i, o := range objects {
		k := &kinds[i]
		switch {
		// It belongs to its seat, and so to no hand (T35).
		case k.Private && k.Seat != "":
			o.fail(o.get("private"), "private: the label of a seat lies open in a hand, too")
		case k.Private && !hands:
			o.fail(o.get("private"), "private: the game has no hand in which it could be hidden")
		case k.Hand && !hides:
			o.fail(o.get("hand"),
				"hand: no kind is secret or private, so everything in it would lie open")
		case k.Container.Holds() && !light:
			o.fail(o.get("container"), "container: no kind is light, so nothing goes into it")
		case k.Private && slices.ContainsFunc(kinds, func(s Kind) bool {
			return s.Secret && s.Mask == i
		}):
			o.fail(o.get("private"),
				"private: it is the mask of secret kinds, which are so in any case")
		}
	}
}

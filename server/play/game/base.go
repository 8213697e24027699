package game

import (
	"crypto/sha256"
	"slices"
)

// Base is to what kinds that come to a table may refer beside each other: by name (T103), and
// pictures by their SHA-256 (T108).
type Base struct {
	Kinds  []Kind   // of the table
	SetUps []string // the names of its set-ups
	// Art returns a picture that the file lacks, or ErrLacking. Nil: there are none.
	Art func(hash [sha256.Size]byte) ([]byte, error)
}

// withBase adds the kinds of a table behind those of a file, and their numbers to byName: all whose
// names the file does not have, but no unknown ones, and of several with one name the first one.
func withBase(own, base []Kind, byName map[string]int) []Kind {
	kinds := own
	for i := range base {
		if _, taken := byName[base[i].Name]; !taken && isNamed(base, i) {
			byName[base[i].Name] = len(kinds)
			kinds = append(kinds, base[i])
		}
	}
	for i := range kinds[len(own):] {
		k := &kinds[len(own)+i]
		k.Offers = nil
		referTo(k, func(to int) int { return byName[base[to].Name] })
	}
	return kinds
}

// isNamed reports whether the name of a kind of a table means that kind, and so do the names of
// those to which it refers.
func isNamed(base []Kind, i int) bool {
	to := refersTo(&base[i])
	return !base[i].Unknown && named(base, base[i].Name) == i && (to == NoMask || isNamed(base, to))
}

// ownAndReferred returns the first n kinds, and behind them those of the rest to which they refer.
func ownAndReferred(kinds []Kind, n int) []Kind {
	kept, number := slices.Clone(kinds[:n]), map[int]int{}
	for i := 0; i < len(kept); i++ { // kept grows
		to := refersTo(&kept[i])
		if to == NoMask || to < n {
			continue
		}
		if _, known := number[to]; !known {
			number[to] = len(kept)
			kept = append(kept, kinds[to])
		}
		referTo(&kept[i], func(int) int { return number[to] })
	}
	return kept
}

// referTo lets a kind refer to what at returns for the kind to which it refers now.
func referTo(k *Kind, at func(i int) int) {
	switch {
	case k.Secret:
		k.Mask = at(k.Mask)
	case k.Container.Holds() && k.Container.Takes != AnyLight:
		k.Container.Takes = at(k.Container.Takes)
	}
}

package game

import "slices"

// ability is something that the pieces of a kind do: they are dice, say. Each has a file of its
// own, with its configuration in Kind. A kind has at most one.
type ability struct {
	field  string // in game files and catalogues
	called string // what such pieces are called in errors
	has    func(k *Kind) bool
	// read reads the configuration, if the field is there, from game files and catalogues alike.
	read func(o object, k *Kind)
	// offers returns what the pieces offer beside the operations of all pieces and of clocks (T36).
	// Nil: nothing.
	offers func(k *Kind, all []Kind) []Offer
	// written says that something is written on the pieces, so that the kind needs a display.
	written bool
	// old says that there were such pieces before there were offers.
	old bool
}

// abilities are all abilities, in the order in which their fields are read.
var abilities = [...]*ability{
	&hands, &containers, &clocks, &dice, &counters, &currency, &notes, &labels,
}

// abilities returns what the pieces of a kind do. A valid kind has at most one ability.
func (k *Kind) abilities() (all []*ability) {
	for _, a := range abilities {
		if a.has(k) {
			all = append(all, a)
		}
	}
	return all
}

// is reports whether the kind has an ability with some property.
func (k *Kind) is(property func(a *ability) bool) bool {
	return slices.ContainsFunc(k.abilities(), property)
}

// abilityFields returns the fields of all abilities.
func abilityFields() []string {
	fields := make([]string, len(abilities))
	for i, a := range abilities {
		fields[i] = a.field
	}
	return fields
}

// readAbilities reads what the pieces of a kind do.
func readAbilities(o object, k *Kind) {
	for _, a := range abilities {
		a.read(o, k)
	}
	k.Peek = readPeek(o, *k)
	k.Uncounted = readUncounted(o, *k)
	k.Display = readDisplay(o, *k)
	all := k.abilities()
	for i, a := range all {
		if k.Secret {
			o.fail(o.get(a.field), "%s cannot be secret", a.called)
		}
		if i > 0 {
			o.fail(o.get(a.field), "%s cannot be %s", all[0].called, a.called)
		}
	}
}

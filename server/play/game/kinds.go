package game

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// fieldsOf2 are the fields of kinds that files of format holt.game/1 do not have.
var fieldsOf2 = []string{"grid", "snaps", "upright", "readable", "pointed", "turn", "rack"}

// moreFields returns what kinds in catalogues and versions have beside what all have.
func moreFields(more ...string) []string { return append(more, fieldsOf2...) }

// readKind reads what a kind has in game files and catalogues alike: everything except the kinds to
// which it refers. art returns the hash for the field art of a face or a layer. more are further
// allowed fields.
func readKind(
	r *reader, v value, where string, art func(o object) [sha256.Size]byte, more ...string,
) (object, Kind) {
	o := r.object(v, where, kindFields(more)...)
	k := Kind{
		Name:    o.text("name", MaxName),
		Width:   o.integer("width", MinSize, MaxSize),
		Height:  o.integer("height", MinSize, MaxSize),
		Shape:   o.choice("shape", shapes...),
		Weight:  o.choice("weight", weights...),
		Secret:  o.boolean("secret"),
		Mask:    NoMask,
		Private: o.boolean("private"),
	}
	for i, v := range o.list("faces", 1, MaxFaces) {
		k.Faces = append(k.Faces, readFace(r, v, fmt.Sprintf("%s: face %d", where, i), art))
	}
	readAbilities(o, &k)
	k.Grid, k.Snaps, k.Upright = readGrid(o, k), readSnaps(o, k), readUpright(o, k)
	k.Readable = readReadable(o, k)
	k.Pointed = readPointed(o, k)
	k.Turn = readTurn(o)
	checkKind(o, k)
	return o, k
}

// kindFields returns the fields that kinds may have. more are further ones.
func kindFields(more []string) []string {
	return slices.Concat(abilityFields(), []string{"name", "width", "height", "shape", "weight",
		"secret", "mask", "private", "peek", "counted", "display", "faces"}, more)
}

// checkKind fails if fields of a kind contradict each other.
func checkKind(o object, k Kind) {
	switch {
	case k.Secret && !o.has("mask"):
		o.fail(o.get("secret"), "a secret kind needs a mask")
	case o.has("mask") && !k.Secret:
		o.fail(o.get("mask"), "only a secret kind has a mask")
	case k.Secret && len(k.Faces) < 2:
		o.fail(o.get("faces"), "a secret kind has two faces or more, a front and a back, not one")
	case k.Private && k.Secret:
		o.fail(o.get("private"), "a secret kind is private in any case")
	case k.Private && k.Weight != "light":
		o.fail(o.get("private"), "only a light kind can be private")
	case k.Hand && k.Weight != "heavy":
		o.fail(o.get("weight"), "a hand is heavy")
	case k.Shape == "round" && k.Width != k.Height:
		o.fail(o.get("height"), "a round kind is as high as it is wide")
	}
}

// refer sets the kinds to which others refer: masks, and what containers take. index reads the
// reference in a field. If there is no such kind, index fails and returns -1.
func refer(kinds []Kind, objects []object, index func(o object, field string) int) {
	for i, o := range objects {
		if !kinds[i].Secret {
			continue
		}
		mask := index(o, "mask")
		if mask < 0 {
			return
		}
		kinds[i].Mask = mask
		checkMask(o, kinds[i], kinds[mask])
	}
	for i, o := range objects {
		if !kinds[i].Container.Holds() {
			continue
		}
		c := containerOf(o)
		if !c.has("takes") {
			continue
		}
		takes := index(c, "takes")
		if takes < 0 {
			return
		}
		kinds[i].Container.Takes = takes
		checkTakes(c, kinds, takes)
	}
}

// checkMask fails unless mask can stand for k. A viewer of the mask must not be able to tell the
// kinds behind it apart by size, shape or place in the drawing order (T22).
func checkMask(o object, k, mask Kind) {
	v := o.get("mask")
	switch {
	case mask.Secret:
		o.fail(v, "the mask %q is itself secret", mask.Name)
	case len(mask.abilities()) > 0:
		o.fail(v, "the mask %q is %s", mask.Name, mask.abilities()[0].called)
	case len(mask.Faces) >= len(k.Faces):
		o.fail(o.get("faces"), "a front and the backs of the mask %q are %d faces or more, not %d",
			mask.Name, len(mask.Faces)+1, len(k.Faces))
	case mask.Width != k.Width || mask.Height != k.Height || mask.Shape != k.Shape ||
		mask.Weight != k.Weight:
		o.fail(v, "the mask %q differs in size, shape or weight", mask.Name)
	}
}

// readGameKinds reads the kinds of a game file, which names other kinds and art by their names. It
// gives g what is kept of them and not interpreted.
func readGameKinds(root object, lib *library, g *Game) []Kind {
	r := root.r
	var more []string
	isOld := root.get("format").text == format1
	if !isOld {
		more = moreFields("foreign")
	}
	least := 1
	if root.has("decks") {
		least = 0
	}
	list := slices.Clone(root.list("kinds", least, MaxKinds))
	written := len(list)
	decks, made := readDecks(root, kindFields(more))
	if list = append(list, made...); len(list) > MaxKinds {
		root.fail(root.get("decks"), "with those of decks there are %d kinds, more than %d", len(list),
			MaxKinds)
	}
	g.decks = decks
	var kinds []Kind
	var objects []object
	byName := map[string]int{}
	for i, v := range list {
		if r.err != nil {
			return nil
		}
		where := fmt.Sprintf("kind %d", i)
		if i >= written {
			where = fmt.Sprintf("the kind %q of a deck", v.members["name"].text)
		}
		o, k := readKind(r, v, where, func(o object) [sha256.Size]byte {
			return lib.art(o, "art")
		}, more...)
		for _, field := range []string{"button", "zone", "supply"} {
			if isOld && o.has(field) {
				r.fail(o.get(field).key, where, "unknown field %q", field)
			}
		}
		if isOld && k.Secret && len(k.Faces) != 2 {
			o.fail(o.get("faces"), "a secret kind of %s has two faces, front and back, not %d",
				format1, len(k.Faces))
		}
		g.Foreign.Kinds = put(g.Foreign.Kinds, i, o.kept("foreign", MaxForeign))
		if first, twice := byName[k.Name]; twice {
			o.fail(o.get("name"), "%q is the name of kind %d", k.Name, first)
		}
		if r.err != nil {
			return nil
		}
		byName[k.Name] = i
		kinds, objects = append(kinds, k), append(objects, o)
	}
	kinds = withBase(kinds, lib.base.Kinds, byName)
	refer(kinds, objects, func(o object, field string) int {
		name := o.text(field, MaxName)
		i, ok := byName[name]
		switch {
		case !ok:
			o.fail(o.get(field), "%s: no kind %q", field, name)
			return -1
		case i >= len(objects) && field == "mask" && kinds[i].Private:
			o.fail(o.get(field), "mask: %q is private", name)
			return -1
		}
		return i
	})
	checkEffectless(kinds, objects)
	if root.r.err == nil {
		checkButtons(kinds, objects)
		checkZones(kinds, objects)
		checkSupplies(kinds, objects)
	}
	if len(lib.base.Kinds) > 0 {
		kinds = ownAndReferred(kinds, len(objects))
	}
	g.Borrowed = len(kinds) - len(objects)
	offerAll(kinds)
	return kinds
}

// hashOf reads the art of a face of a catalogue: 64 lower-case hexadecimal digits.
func hashOf(face object) [sha256.Size]byte { return *hashText(face, "art") }

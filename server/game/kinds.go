package game

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// readKind reads what a kind has in game files and catalogues alike: everything but its mask. art makes
// a hash of what stands in the field art of a face.
func readKind(r *reader, v value, where string, art func(face object) [sha256.Size]byte) (object, Kind) {
	o := r.object(v, where, "name", "width", "height", "shape", "weight", "secret", "mask", "hand", "clock", "faces")
	k := Kind{
		Name:   o.text("name", MaxName),
		Width:  o.integer("width", MinSize, MaxSize),
		Height: o.integer("height", MinSize, MaxSize),
		Shape:  o.choice("shape", shapes...),
		Weight: o.choice("weight", weights...),
		Secret: o.boolean("secret"),
		Hand:   o.boolean("hand"),
		Mask:   NoMask,
	}
	for i, v := range o.list("faces", 1, MaxFaces) {
		f := r.object(v, fmt.Sprintf("%s: face %d", where, i), "name", "art")
		name := f.text("name", MaxName)
		if r.err != nil { // art may be costly: not for a document that is refused anyhow
			break
		}
		k.Faces = append(k.Faces, Face{Name: name, Art: art(f)})
	}
	k.Clock = readClock(o, k)
	switch {
	case k.Hand && k.Secret:
		o.fail(o.get("secret"), "a hand cannot be secret")
	case k.Secret && !o.has("mask"):
		o.fail(o.get("secret"), "a secret kind needs a mask")
	case o.has("mask") && !k.Secret:
		o.fail(o.get("mask"), "only a secret kind has a mask")
	case k.Secret && len(k.Faces) != 2:
		o.fail(o.get("faces"), "a secret kind has two faces, front and back, not %d", len(k.Faces))
	case k.Hand && k.Weight != "heavy":
		o.fail(o.get("weight"), "a hand is heavy")
	case k.Shape == "round" && k.Width != k.Height:
		o.fail(o.get("height"), "a round kind is as high as it is wide")
	}
	return o, k
}

// checkMask fails unless mask can be shown in place of k. Whoever sees the mask must not be able to tell
// what is behind it by its size, its shape or its place in the drawing order (T22).
func checkMask(o object, k, mask Kind) {
	v := o.get("mask")
	switch {
	case mask.Secret:
		o.fail(v, "the mask %q is itself secret", mask.Name)
	case mask.Hand:
		o.fail(v, "the mask %q is a hand", mask.Name)
	case mask.Clock.Sides() > 0:
		o.fail(v, "the mask %q is a clock", mask.Name)
	case len(mask.Faces) != 1:
		o.fail(v, "the mask %q has %d faces, not one", mask.Name, len(mask.Faces))
	case mask.Width != k.Width || mask.Height != k.Height || mask.Shape != k.Shape || mask.Weight != k.Weight:
		o.fail(v, "the mask %q differs in size, shape or weight", mask.Name)
	}
}

// readGameKinds reads the kinds of a game file: a mask is named, and so is art.
func readGameKinds(root object, pictures *album) []Kind {
	r := root.r
	var kinds []Kind
	var objects []object
	byName := map[string]int{}
	for i, v := range root.list("kinds", 1, MaxKinds) {
		o, k := readKind(r, v, fmt.Sprintf("kind %d", i), func(face object) [sha256.Size]byte {
			return pictures.add(face)
		})
		if first, twice := byName[k.Name]; twice {
			o.fail(o.get("name"), "%q is the name of kind %d", k.Name, first)
		}
		if r.err != nil {
			return nil
		}
		byName[k.Name] = i
		kinds, objects = append(kinds, k), append(objects, o)
	}
	for i, o := range objects {
		if !kinds[i].Secret {
			continue
		}
		name := o.text("mask", MaxName)
		mask, ok := byName[name]
		if !ok {
			o.fail(o.get("mask"), "mask: no kind %q", name)
			return nil
		}
		kinds[i].Mask = mask
		checkMask(o, kinds[i], kinds[mask])
	}
	return kinds
}

// album collects the art of a game. Art that several faces share is read and checked once.
type album struct {
	read   func(name string) ([]byte, error)
	byName map[string][sha256.Size]byte
	byHash map[[sha256.Size]byte]Art
	total  int // bytes of all distinct art
}

// add returns the hash of the art that a face names.
func (a *album) add(face object) [sha256.Size]byte {
	name := face.text("art", 200)
	if hash, ok := a.byName[name]; ok || face.r.err != nil {
		return hash
	}
	data, err := a.read(name)
	if err != nil {
		face.fail(face.get("art"), "art: %v", err)
		return [sha256.Size]byte{}
	}
	art, err := CheckArt(data)
	if err != nil {
		face.fail(face.get("art"), "art %q: %v", name, err)
		return [sha256.Size]byte{}
	}
	hash := sha256.Sum256(data)
	if _, ok := a.byHash[hash]; !ok {
		a.total += len(data)
	}
	if a.total > MaxArtTotal {
		face.fail(face.get("art"), "the art up to here has more than %d bytes", MaxArtTotal)
	}
	a.byName[name], a.byHash[hash] = hash, art
	return hash
}

// hashOf reads the art of a face of a catalogue: 64 small hexadecimal digits.
func hashOf(face object) (hash [sha256.Size]byte) {
	v, ok := face.want("art", aText)
	if !ok {
		return hash
	}
	n, err := hex.Decode(hash[:], []byte(v.text[:min(len(v.text), 2*len(hash))]))
	if err != nil || n != len(hash) || hex.EncodeToString(hash[:]) != v.text {
		face.fail(v, "art: %q is not 64 small hexadecimal digits", v.text)
	}
	return hash
}

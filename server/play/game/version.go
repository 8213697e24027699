package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

const versionFormat = "holt.kind/1"

// MaxSetKinds is the most kinds that a set may have.
const MaxSetKinds = 256

// Version is a kind in the form in which it travels between tables, and which never changes (T37).
// Doc is its canonical JSON, which names art and other kinds by their SHA-256. Hash is the SHA-256
// of Doc. Equal kinds have equal versions. Offers are not part of a version: they follow from the
// other kinds at a table.
type Version struct {
	Hash [sha256.Size]byte
	Doc  []byte
}

// versionDoc is the written form of a version. References to other kinds are here; the rest is as
// in a catalogue. The bytes have a hash, so the order of the fields must never change.
type (
	versionDoc struct {
		Format string `json:"format"`
		catalogKind
		Mask      string            `json:"mask,omitempty"`
		Container *versionContainer `json:"container,omitempty"`
		Unknown   *struct{}         `json:"unknown,omitempty"`
		Offers    *struct{}         `json:"offers,omitempty"`
	}
	versionContainer struct {
		Draws string `json:"draws"`
		Takes string `json:"takes,omitempty"`
	}
)

// Versions returns the versions of the kinds of a table, in their order.
func Versions(kinds []Kind) []Version {
	all := make([]Version, len(kinds))
	for i := range kinds {
		if refersTo(&kinds[i]) == NoMask {
			all[i] = versionOf(&kinds[i], "")
		}
	}
	for i := range kinds { // a mask refers to nothing
		if to := refersTo(&kinds[i]); to != NoMask {
			all[i] = versionOf(&kinds[i], hex.EncodeToString(all[to].Hash[:]))
		}
	}
	return all
}

// refersTo returns the kind to which another one refers, NoMask if it refers to none. No kind
// refers to two.
func refersTo(k *Kind) int {
	if k.Container.Holds() {
		return k.Container.Takes // AnyLight is NoMask
	}
	return k.Mask
}

func versionOf(k *Kind, to string) Version {
	doc := versionDoc{Format: versionFormat, catalogKind: catalogOf(k)}
	if c := k.Container; c.Holds() {
		doc.Container = &versionContainer{Draws: c.Draws, Takes: to}
	} else {
		doc.Mask = to
	}
	b := encoded(doc)
	return Version{Hash: sha256.Sum256(b), Doc: b}
}

// ReadVersions reads kinds that refer only to each other. It is as strict as ParseCatalog. It
// refuses documents that are not in canonical form, or that repeat another one. The references in
// its result are indices into the result.
func ReadVersions(docs [][]byte) ([]Kind, error) {
	if len(docs) == 0 || len(docs) > MaxSetKinds {
		return nil, fmt.Errorf("%d kinds, not 1 to %d", len(docs), MaxSetKinds)
	}
	var kinds []Kind
	var objects []object
	at := map[string]int{}
	for i, doc := range docs {
		r, root := readDocument(doc)
		o, k := readKind(r, root, fmt.Sprintf("kind %d", i), hashOf, moreFields("format")...)
		o.choice("format", versionFormat)
		if r.err != nil {
			return nil, r.err
		}
		sum := sha256.Sum256(doc)
		hash := hex.EncodeToString(sum[:])
		if _, twice := at[hash]; twice {
			return nil, fmt.Errorf("kind %d is there twice", i)
		}
		at[hash] = i
		kinds, objects = append(kinds, k), append(objects, o)
	}
	refer(kinds, objects, func(o object, field string) int {
		v, _ := o.want(field, aText)
		i, ok := at[v.text]
		if !ok {
			o.fail(v, "%s: no kind %q", field, v.text)
			return -1
		}
		return i
	})
	for _, o := range objects {
		if o.r.err != nil {
			return nil, o.r.err
		}
	}
	versions := Versions(kinds)
	for i, doc := range docs {
		if !bytes.Equal(versions[i].Doc, doc) {
			return nil, fmt.Errorf("kind %d is not in canonical form", i)
		}
	}
	return kinds, nil
}

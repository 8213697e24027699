package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

const versionFormat = "holt.kind/1"

// MaxSetKinds is how many kinds a set may have.
const MaxSetKinds = 256

// Version is a kind as it travels from table to table and never changes (T37): its canonical bytes, which name art and other
// kinds by their SHA-256, and their own. Equal kinds have equal versions. Offers are no part of it: they follow from what else
// there is at a table.
type Version struct {
	Hash [sha256.Size]byte
	Doc  []byte
}

// versionDoc is a version as it is written. What refers to other kinds stands here; the rest is as in a catalogue. Its bytes
// have a hash: the order of the fields must never change.
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

// refersTo returns the kind to which another one refers, NoMask if it refers to none: no kind refers to two.
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
	b, err := json.Marshal(doc)
	if err != nil { // texts, whole numbers and booleans can always be written
		panic(err)
	}
	return Version{Hash: sha256.Sum256(b), Doc: b}
}

// ReadVersions reads kinds that refer to nothing but each other. It is as strict as ParseCatalog, and refuses what is not in
// canonical form, or is there twice. The kinds it returns refer to each other by their places among them.
func ReadVersions(docs [][]byte) ([]Kind, error) {
	if len(docs) == 0 || len(docs) > MaxSetKinds {
		return nil, fmt.Errorf("%d kinds, not 1 to %d", len(docs), MaxSetKinds)
	}
	var kinds []Kind
	var objects []object
	at := map[string]int{}
	for i, doc := range docs {
		r, root := readDocument(doc)
		o, k := readKind(r, root, fmt.Sprintf("kind %d", i), hashOf, "format")
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
	for i, v := range Versions(kinds) {
		if !bytes.Equal(v.Doc, docs[i]) {
			return nil, fmt.Errorf("kind %d is not in canonical form", i)
		}
	}
	return kinds, nil
}

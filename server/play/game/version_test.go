package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// deckKinds are the kinds of a game: a deck, its card's back, and the named cards.
func deckKinds(names ...string) []Kind {
	art := func(name string) [sha256.Size]byte { return sha256.Sum256([]byte(name)) }
	kinds := []Kind{
		{
			Name: "Deck", Width: 700, Height: 950, Shape: "card", Weight: "heavy", Mask: NoMask,
			Container: Container{Draws: "top", Takes: 1}, Faces: []Face{{Name: "Deck", Art: art("deck")}},
		},
		{
			Name: "Back", Width: 635, Height: 889, Shape: "card", Weight: "light", Mask: NoMask,
			Container: Container{}, Faces: []Face{{Name: "Back", Art: art("back")}},
		},
	}
	for _, n := range names {
		kinds = append(kinds, Kind{
			Name: n, Width: 635, Height: 889, Shape: "card", Weight: "light", Secret: true, Mask: 1,
			Faces: []Face{{Name: n, Art: art(n)}, {Name: "Back", Art: art("back")}},
		})
	}
	offerAll(kinds)
	return kinds
}

func docsOf(kinds []Kind) [][]byte {
	var docs [][]byte
	for _, v := range Versions(kinds) {
		docs = append(docs, v.Doc)
	}
	return docs
}

// TestVersions shows that a kind has the same version in every catalogue, and which versions are
// refused (T37).
func TestVersions(t *testing.T) {
	t.Run("O2.2, O30.1 kinds, and the art in them, are named by SHA-256", func(t *testing.T) {
		kinds := deckKinds("Ace")
		was := Versions(kinds)
		for i, v := range was {
			if v.Hash != sha256.Sum256(v.Doc) {
				t.Errorf("%s has the name %x", kinds[i].Name, v.Hash)
			}
			var doc struct{ Faces []struct{ Art string } }
			if err := json.Unmarshal(v.Doc, &doc); err != nil {
				t.Fatal(err)
			}
			for f, face := range kinds[i].Faces {
				if doc.Faces[f].Art != hex.EncodeToString(face.Art[:]) {
					t.Errorf("a face of %s has the art %s", kinds[i].Name, doc.Faces[f].Art)
				}
			}
		}
		kinds[2].Faces[0].Art = sha256.Sum256([]byte("another ace"))
		for i, v := range Versions(kinds) {
			if same := v.Hash == was[i].Hash; same != (i != 2) {
				t.Errorf("with another picture %s has the same name: %v", kinds[i].Name, same)
			}
		}
	})
	t.Run("T37 a kind has the same version anywhere in a catalogue", func(t *testing.T) {
		kinds := deckKinds("Ace", "King")
		other := []Kind{kinds[2], kinds[1], kinds[0]}
		other[2].Container.Takes = 1
		a, b := Versions(kinds), Versions(other)
		if a[2].Hash != b[0].Hash || a[1].Hash != b[1].Hash || a[0].Hash != b[2].Hash {
			t.Errorf("the versions are %x and %x", a[0].Hash, b[2].Hash)
		}
		if a[2].Hash == a[3].Hash {
			t.Error("two kinds have one version")
		}
	})
	t.Run("T37 a parsed kind keeps its version", func(t *testing.T) {
		kinds := deckKinds("Ace", "King")
		read, err := ReadVersions(docsOf(kinds))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range Versions(read) {
			if v.Hash != Versions(kinds)[i].Hash {
				t.Errorf("kind %d has another version", i)
			}
		}
	})
	docs := docsOf(deckKinds("Ace"))
	for name, bad := range map[string][][]byte{
		"none": nil,
		"one that refers to nothing": {
			docs[1], docs[2],
			[]byte(strings.Replace(string(docs[0]), `"takes":"`, `"takes":"0`, 1)),
		},
		"one without its mask": {docs[2]},
		"one twice":            {docs[0], docs[1], docs[2], docs[1]},
		"one in another order": {docs[0], []byte(strings.Replace(
			string(docs[1]), `"width":635,"height":889`, `"height":889,"width":635`, 1,
		)), docs[2]},
		"one with offers": {[]byte(strings.TrimSuffix(string(docs[1]), "}") +
			`,"offers":[]}`)},
		"another format": {[]byte(strings.Replace(
			string(docs[1]), versionFormat, "holt.kind/2", 1,
		))},
		"more than a set may have": slices.Repeat([][]byte{docs[1]}, MaxSetKinds+1),
		"no JSON":                  {[]byte("{")},
		"a kind that claims to be known": {[]byte(strings.TrimSuffix(string(docs[1]), "}") +
			`,"unknown":false}`)},
	} {
		// Clauses: T41.5
		t.Run("T37 refused is "+name, func(t *testing.T) {
			if _, err := ReadVersions(bad); err == nil {
				t.Error("it was read")
			}
		})
	}
}

// TestExtend shows how kinds of a guest set are added to a catalogue (T37, T38).
func TestExtend(t *testing.T) {
	t.Run("T37.8, T37.9 a catalogue only grows", func(t *testing.T) {
		old := deckKinds("Ace")
		all, at, err := Extend(old, deckKinds("King", "Ace"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range old {
			if a, b := catalogOf(&old[i]), catalogOf(&all[i]); !same(t, a, b) {
				t.Errorf("kind %d was %v and is %v", i, a, b)
			}
		}
		// Deck, back and ace exist already. The king is added, and so is the unknown kind.
		if len(all) != len(old)+2 || !slices.Equal(at, []int{0, 1, 3, 2}) || !all[4].Unknown ||
			all[3].Mask != 1 {
			t.Errorf("there are %d kinds, at %v", len(all), at)
		}
	})
	t.Run("T37 a repeated kind adds nothing", func(t *testing.T) {
		all, first, _ := Extend(deckKinds("Ace"), deckKinds("King"))
		again, second, err := Extend(all, deckKinds("King"))
		if err != nil || len(again) != len(all) || !slices.Equal(first, second) {
			t.Errorf("there are %d kinds, then %d; %v", len(all), len(again), err)
		}
	})
	t.Run("T38 an unknown kind has its mask's size, back and usual offers", func(t *testing.T) {
		all, _, err := Extend(nil, deckKinds("Ace"))
		if err != nil {
			t.Fatal(err)
		}
		u, ace := all[len(all)-1], all[2]
		if !u.Unknown || u.Mask != ace.Mask || u.Width != ace.Width || u.Shape != ace.Shape ||
			!same(t, u.Faces[1], ace.Faces[1]) || len(u.Offers) != len(ace.Offers) {
			t.Errorf("it is %v beside %v", u, ace)
		}
		if art, err := CheckArt([]byte(UnknownArt)); err != nil ||
			sha256.Sum256(art.Data) != u.Faces[0].Art {
			t.Errorf("its front is not there: %v", err)
		}
		doc, _ := EncodeCatalog(all, &CatalogRest{})
		back, err := ParseCatalog(doc)
		if err != nil || !back[len(back)-1].Unknown || back[2].Unknown {
			t.Errorf("read again it is %v, %v", back, err)
		}
	})
	t.Run("T37 a table's kinds are bounded as a catalogue's", func(t *testing.T) {
		full := make([]Kind, MaxKinds)
		for i := range full {
			full[i] = Kind{
				Name: string(rune('a' + i%26)), Width: 100 + int32(i), Height: 100, Shape: "rect",
				Weight: "light", Mask: NoMask, Faces: []Face{{Name: "x"}},
			}
		}
		if _, _, err := Extend(full, deckKinds("Ace")); !errors.Is(err, ErrTooMany) {
			t.Errorf("the error is %v", err)
		}
		if _, _, err := Extend(full, full[:3]); err != nil {
			t.Errorf("an existing one is refused: %v", err)
		}
	})
}

func same[T any](t *testing.T, a, b T) bool {
	t.Helper()
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// FuzzReadVersions shows that kinds that were accepted can be added to a catalogue, which can then
// be read.
func FuzzReadVersions(f *testing.F) {
	for _, d := range docsOf(deckKinds("Ace")) {
		f.Add(d, docsOf(deckKinds("Ace"))[1])
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		kinds, err := ReadVersions([][]byte{a, b})
		if err != nil {
			return
		}
		all, at, err := Extend(deckKinds("King"), kinds)
		if err != nil || len(at) != 2 {
			t.Fatalf("a parsed one cannot be added: %v", err)
		}
		doc, _ := EncodeCatalog(all, &CatalogRest{})
		if _, err := ParseCatalog(doc); err != nil {
			t.Fatalf("the catalogue cannot be read: %v", err)
		}
	})
}

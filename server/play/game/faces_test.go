package game

import (
	"reflect"
	"strings"
	"testing"
)

// levelled is a game in which a card has two backs, and one of two kinds has two fronts.
var levelled = strings.NewReplacer(
	`"name": "Back", "art": "b.svg"}`,
	`"name": "Back", "art": "b.svg"}, {"name": "Red", "art": "a.svg"}`,
	`"holt.game/1"`, `"holt.game/2"`,
).Replace(strings.Replace(sample,
	`{"name": "Back", "art": "b.svg"}]`,
	`{"name": "Back", "art": "b.svg"}, {"name": "Level 2", "art": "a.svg"}]`, 1))

// TestSeveralFacesOfSecretKinds shows that a secret kind has a front, the backs of its mask, and
// perhaps further fronts, that catalogues keep them, and that the unknown kind of a set has the
// same backs.
// Clauses: T94.8
func TestSeveralFacesOfSecretKinds(t *testing.T) {
	g, err := Parse([]byte(levelled), pictures)
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(t, schema(t), levelled); err != nil {
		t.Errorf("the schema refuses it: %v", err)
	}
	for i, want := range []int{4, 3, 2} {
		if got := len(g.Kinds[i].Faces); got != want {
			t.Fatalf("%q has %d faces, want %d", g.Kinds[i].Name, got, want)
		}
	}
	again, err := ParseCatalog(g.Catalog)
	if err != nil || !reflect.DeepEqual(again[0].Faces, g.Kinds[0].Faces) {
		t.Errorf("the catalogue has %+v, %v", again, err)
	}
	all, _, err := Extend(nil, g.Kinds[:3])
	if err != nil {
		t.Fatal(err)
	}
	if u := all[len(all)-1]; !u.Unknown || !reflect.DeepEqual(u.Faces[1:], g.Kinds[2].Faces) {
		t.Errorf("the unknown kind has the faces %+v", u.Faces)
	}
	fewer := strings.Replace(levelled, `, {"name": "Red", "art": "a.svg"}`, ``, 1)
	fewer = strings.Replace(fewer, `, {"name": "Level 2", "art": "a.svg"}`, ``, 1)
	for doc, want := range map[string]string{
		fewer: `line 5, column 128: kind 0: a front and the backs of the mask "Back" are 3 faces or ` +
			`more, not 2`,
		strings.Replace(levelled, "holt.game/2", "holt.game/1", 1): `line 5, column 128: kind 0: a ` +
			`secret kind of holt.game/1 has two faces, front and back, not 4`,
	} {
		if _, err := Parse([]byte(doc), pictures); err == nil || err.Error() != want {
			t.Errorf("T94.8: the error is %v, want %s", err, want)
		}
	}
}

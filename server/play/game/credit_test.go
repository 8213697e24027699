package game

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// credited is a game with two pictures and what is said of them.
const credited = `{
  "format": "holt.game/2", "id": "credited", "name": "Credited", "summary": "A test.",
  "table": {"width": 4000, "height": 4000, "surface": "felt"},
  "kinds": [{"name": "Tile", "width": 400, "height": 400, "shape": "rect", "weight": "light",
    "faces": [{"name": "Front", "art": "a.svg"}, {"name": "Back", "layers": [{"art": "b.svg"}]}]}],
  "pieces": [],
  "credits": [
    {"art": ["a.svg"], "author": "Ada", "licence": "CC0-1.0", "source": "https://example.org"},
    {"art": ["b.svg"], "source": "Ben’s drawer"}]
}`

// TestG27Credits shows what a game says of its pictures, and that each way to write it keeps that.
// Clauses: G27.1, G27.3
func TestG27Credits(t *testing.T) {
	p, err := readFull(credited)
	if err != nil {
		t.Fatal(err)
	}
	faces := p.Game.Kinds[0].Faces
	want := Credits{
		faces[0].Art:           {"Ada", "CC0-1.0", "https://example.org"},
		faces[1].Layers[0].Art: {Source: "Ben’s drawer"},
	}
	same := func(how string, is Credits) {
		t.Helper()
		if !reflect.DeepEqual(is, want) {
			t.Errorf("%s: the credits are %v, want %v", how, is, want)
		}
	}
	same("loose", p.Game.Credits)
	data, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	packed, err := ReadPacked(data)
	if err != nil {
		t.Fatal(err)
	}
	same("packed", packed.Game.Credits)
	loose := packed.Loose()
	again, err := ReadLoose(loose[0].Data, Files{Art: func(name string) ([]byte, error) {
		for _, f := range loose {
			if f.Name == artFolder+name {
				return f.Data, nil
			}
		}
		return nil, fmt.Errorf("%s is missing", name)
	}, Beside: noFile})
	if err != nil || again.ID != p.ID {
		t.Fatalf("unpacked it is another game: %v, %s", err, loose[0].Data)
	}
	same("composed", composed(t, p.Game).Game.Credits)
	doc, _ := p.Game.Supplement()
	s, err := ReadSupplement(doc)
	if err != nil {
		t.Fatal(err)
	}
	same("at a table", s.Credits)
	more := Credits{faces[0].Art: {Author: "Cora"}, sha256.Sum256(nil): {Licence: "MIT"}}
	if both := want.With(more); len(both) != 3 || both[faces[0].Art].Author != "Cora" {
		t.Errorf("G27.2 together they are %v", both)
	}
	if is := want.With(more).Of(p.Game.Kinds); len(is) != 2 {
		t.Errorf("those of the kinds are %v", is)
	}
}

// TestG27Refused shows what a game cannot say of its pictures. The schema refuses the same, as far
// as it can.
// Clauses: G27.1
func TestG27Refused(t *testing.T) {
	s := schema(t)
	if err := valid(t, s, credited); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, to, want string
		inSchema      bool
	}{
		{`["b.svg"], "source": "Ben’s drawer"`, `["b.svg"]`, "neither author nor licence", true},
		{`["b.svg"], "source"`, `["a.svg"], "source"`, `"a.svg" has a credit already`, false},
		{`["b.svg"], "source"`, `["c.svg"], "source"`, `no face has the picture "c.svg"`, false},
		{`["b.svg"], "source"`, `[], "source"`, "art has 0 entries", true},
		{`["b.svg"], "source"`, `[1], "source"`, "art: want a text, not a number", true},
		{`"author": "Ada"`, `"author": " Ada"`, "spaces around it", true},
		{`"author": "Ada"`, `"author": "` + strings.Repeat("a", 101) + `"`, "101 characters", true},
		{`"credits": [`, `"credits": [` + strings.Repeat(`{"art": ["a.svg"], "author": "A"},`, 1000),
			"credits has 1002 entries", true},
		{`"author": "Ada"`, `"by": "Ada"`, `unknown field "by"`, true},
		{`holt.game/2`, `holt.game/1`, `unknown field "credits"`, true},
	} {
		doc := strings.Replace(credited, c.old, c.to, 1)
		if doc == credited {
			t.Fatalf("%s is not there", c.old)
		}
		if _, err := readFull(doc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.to, err, c.want)
		}
		if (valid(t, s, doc) != nil) != c.inSchema {
			t.Errorf("%s: the schema says %v", c.to, valid(t, s, doc))
		}
	}
}

package game

import (
	"strings"
	"testing"
)

// TestFieldsFromWhichNothingFollowsAreRefused shows that a field without any effect is an error.
func TestFieldsFromWhichNothingFollowsAreRefused(t *testing.T) {
	without := func(all ...string) string {
		doc := acting
		for _, part := range all {
			doc = strings.ReplaceAll(doc, part, "")
		}
		return doc
	}
	replaced := func(doc string, pairs ...string) string {
		return strings.NewReplacer(pairs...).Replace(doc)
	}
	for _, c := range []struct{ doc, want string }{
		{
			replaced(acting, `"seat": "label"`, `"private": true, "seat": "label"`),
			`line 14: kind 9: private: the label of a seat lies open in a hand, too`,
		},
		{
			replaced(acting, `"seat": "turn"`, `"private": true, "seat": "turn"`),
			`line 15: kind 10: private: the label of a seat lies open in a hand, too`,
		},
		{
			without(`"hand": true, "counted": false, `),
			`line 10: kind 5: private: the game has no hand in which it could be hidden`,
		},
		{
			replaced(
				without(`"private": true, `, `"secret": true, "mask": "Back", "peek": "host", `,
					`, "takes": "Back"`),
				`"Deck", "x": -2000, "y": 30, "angle": 9000, "pinned": true, "holds": ["King", "King"], `+
					`"shuffled": true`,
				`"Deck", "x": 0, "y": 0`,
			),
			`line 9: kind 4: hand: no kind is secret or private, so everything in it would lie open`,
		},
		{
			replaced(acting,
				`"Back", "width": 600, "height": 900, "shape": "card", "weight": "light"`,
				`"Back", "width": 600, "height": 900, "shape": "card", "weight": "light", "private": true`),
			`line 6: kind 1: private: it is the mask of secret kinds, which are so in any case`,
		},
		{
			replaced(
				without(`"private": true, `, `"secret": true, "mask": "Back", "peek": "host", `,
					`, "takes": "Back"`, `"hand": true, "counted": false, `),
				`"weight": "light"`, `"weight": "heavy"`, `, "holds": ["King", "Disc", "Die"]`, ``,
				`, "holds": ["King", "King"], "shuffled": true`, ``,
			),
			`line 7: kind 2: container: no kind is light, so nothing goes into it`,
		},
		{
			replaced(acting, `"holds": ["King", "Disc", "Die"]`,
				`"holds": ["Disc", "Disc"], "shuffled": true`),
			`line 21: piece 1: shuffled: "Bag" draws at random, so what it holds has no order`,
		},
	} {
		t.Run(c.want, func(t *testing.T) {
			if g, err := Parse([]byte(c.doc), pictures); err == nil || withoutColumn(err) != c.want ||
				g != nil {
				t.Errorf("got game %v, error\n%v", g != nil, err)
			}
		})
	}
}

// TestCataloguesOfTablesThatAreThereAreReadWhateverFollowsFromThem shows that fields without effect
// are accepted in catalogues, which existing tables may have.
func TestCataloguesOfTablesThatAreThereAreReadWhateverFollowsFromThem(t *testing.T) {
	g := actingGame(t)
	for _, old := range []string{`"hand":true,"counted":false,`, `"private":true,`} {
		doc := strings.ReplaceAll(string(g.Catalog), old, "")
		if old == `"private":true,` {
			doc = strings.Replace(string(g.Catalog), `"seat":"label"`,
				`"private":true,"seat":"label"`, 1)
		}
		if kinds, err := ParseCatalog([]byte(doc)); err != nil || len(kinds) != len(g.Kinds) ||
			doc == string(g.Catalog) {
			t.Errorf("%d kinds, error %v", len(kinds), err)
		}
	}
}

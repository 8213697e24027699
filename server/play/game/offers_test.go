package game

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// opsOf returns what a kind offers: the operations with their keys, followed by what is fixed or
// asked for.
func opsOf(k *Kind) []string {
	var ops []string
	for _, o := range k.Offers {
		op := o.Op
		if o.Key != "" {
			op += " " + o.Key
		}
		for name := range o.With {
			op += " " + name + "!"
		}
		for _, a := range o.Asks {
			op += " " + a.Name + "?"
		}
		ops = append(ops, op)
	}
	return ops
}

// TestOffers shows what each kind of acting offers (T36).
func TestOffers(t *testing.T) {
	g := actingGame(t)
	offered := map[int]string{
		theKing:  "show v seat?, peek k, stow q into?, stow at! into?, stow at! into?",
		theBack:  "stow q into?", // into the bag only
		theDeck:  "draw d, deal e n?, shuffle s, recall a, peek k n?, cut t, draw n?, draw at!",
		theBag:   "draw d, deal e n?, recall a, draw n?",
		theHand:  "claim m, leave v, give y seat?, share seat?, unshare seat?",
		theDie:   "roll o, stow q into?",
		theScore: "count k n!, count j n!, count m n?, stow q into?",
		theGold:  "split v n?, stow q into?",
		theNote:  "write m text?, stow q into?",
		theLabel: "assign y seat?, assign seat!, stow q into?",
		theTurn:  "pass o, assign y seat?, assign seat!, stow q into?",
		theDisc:  "stow q into?",
		theGlass: "turn o, stow q into?",
	}
	t.Run("T36.1 what each kind offers", func(t *testing.T) {
		for i := range g.Kinds {
			if got := strings.Join(opsOf(&g.Kinds[i]), ", "); got != offered[i] {
				t.Errorf("%q offers %s,\nwant %s", g.Kinds[i].Name, got, offered[i])
			}
		}
	})
}

// TestOffersFollowTheKind shows how offers change with the fields of a kind (T36).
func TestOffersFollowTheKind(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		kind           int
		want           string
	}{
		{"a coin is tossed", `"die": {"cooldown": 1200}`, `"die": {}`, theDie, "Toss"},
		{
			"a die is rolled", `{"name": "Die, 2", "art": "b.svg"}`,
			`{"name": "2", "art": "b.svg"}, {"name": "3", "art": "a.svg"}`, theDie, "Roll",
		},
		{
			"nobody peeks where nobody may see", `"peek": "players", `, ``, theDeck,
			"Draw, Deal, Shuffle, Call all back, Cut, Draw several, Draw from the bottom",
		},
		{
			"face-up cards in a hand are not dealt",
			`"secret": true, "mask": "Back", "peek": "host"`, `"private": false`, theBag, "",
		},
	} {
		t.Run("T36 "+c.name, func(t *testing.T) {
			doc := strings.Replace(acting, c.old, c.new, 1)
			if c.want == "" { // remove everything that could hide
				doc = strings.ReplaceAll(strings.Replace(doc, `, "takes": "Back"`, ``, 1),
					`"private": true, `, ``)
				doc = strings.Replace(doc, `, "holds": ["King", "King"], "shuffled": true`, ``, 1)
				doc = strings.Replace(doc, `"hand": true, "counted": false, `, ``, 1)
			}
			g, err := Parse([]byte(doc), pictures)
			if err != nil || doc == acting {
				t.Fatal(err)
			}
			var labels []string
			for _, o := range g.Kinds[c.kind].Offers {
				labels = append(labels, o.Label)
			}
			got := strings.Join(labels, ", ")
			if c.want == "" && slices.Contains(labels, "Deal") || !strings.HasPrefix(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestKeysOfOffersAreFree shows that no key of an offer is used for something else.
func TestKeysOfOffersAreFree(t *testing.T) {
	const (
		ofAll    = "fupl" + "cwrx" + "gnih" // what the page does to any piece, or to the table
		ofPiles  = "steab"                  // to several light pieces
		ofClocks = "jkmoz"
	)
	for _, g := range append(shipped(t).Games(), actingGame(t)) {
		for _, k := range g.Kinds {
			taken := ofAll
			if k.Weight == "light" {
				// These put light pieces below others; below a container there are only boards.
				taken += ofPiles + "d"
			}
			if k.Clock.Sides() > 0 {
				taken += ofClocks
			}
			for _, o := range k.Offers {
				if o.Key != "" && strings.Contains(taken, o.Key) {
					t.Errorf("%s: the key %s, to %s of %q, is another's", g.ID, o.Key, o.Op, k.Name)
				}
				taken += o.Key
			}
		}
	}
}

// TestAGameWithNothingNewOffersNothing shows that kinds without functions have no offers, so the
// hashes of their catalogues stay.
func TestAGameWithNothingNewOffersNothing(t *testing.T) {
	games := []*Game{sampleGame(t)}
	for _, id := range []string{"chess", "draughts"} {
		games = append(games, shippedGame(t, id))
	}
	for _, g := range games {
		for _, k := range g.Kinds {
			if k.Offers != nil {
				t.Errorf("%s: %q offers %v: the hash of the catalogue has changed",
					g.ID, k.Name, opsOf(&k))
			}
		}
	}
}

// TestOffersAreReadBackWhateverTheyAre shows that offers of unknown operations are read, too.
func TestOffersAreReadBackWhateverTheyAre(t *testing.T) {
	g := sampleGame(t)
	g.Kinds[3].Offers = []Offer{
		{Op: "sing", Label: "Sing", With: map[string]int32{"n": -MaxValue, "at": 0}},
		{
			Op: "hum", Key: "z", Label: "Hum",
			Asks: []Ask{{Name: "volume", Label: "How loud?", Min: -3, Max: 11, Initial: 11}},
		},
		{Op: "tell", Label: "Tell", Asks: []Ask{
			{Name: "text", Label: "What?", Max: 20}, {Name: "seat", Label: "Whom?"},
			{Name: "into", Label: "Where?"},
		}},
	}
	kinds, err := ParseCatalog(encodeCatalog(g.Kinds, &CatalogRest{Seats: g.Seats}))
	if err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
		t.Errorf("error %v, kinds %+v", err, kinds)
	}
}

// TestParseCatalogIsStrictWithWhatPiecesDo shows which functions and offers in a catalogue are
// refused, with which errors.
func TestParseCatalogIsStrictWithWhatPiecesDo(t *testing.T) {
	good := string(actingGame(t).Catalog)
	for _, c := range []struct{ old, new, want string }{
		{`"takes":1`, `"takes":13`, `line 1: kind 2: container: takes: no kind 13`},
		{
			`"takes":1`, `"takes":0`,
			`line 1: kind 2: container: takes: "King" is the mask of no kind`,
		},
		{
			`"takes":1`, `"takes":"Back"`,
			`line 1: kind 2: container: takes: want a number, not a text`,
		},
		{
			`"counted":false`, `"counted":null`,
			`line 1: kind 3: counted: want true or false, not null`,
		},
		{
			`"offers":[{"op":"show"`, `"offers":[],"more":[{"op":"show"`,
			`line 1: kind 0: unknown field "more"`,
		},
		{
			`"op":"show"`, `"op":"Show"`,
			`line 1: kind 0: offer 0: op: "Show" may have small letters, digits and hyphens only`,
		},
		{`"op":"show",`, ``, `line 1: kind 0: offer 0: op is missing`},
		{
			`"op":"show","key":"v"`, `"op":"show","key":"vv"`,
			`line 1: kind 0: offer 0: key: "vv" is not a small letter`,
		},
		{
			`"op":"show","key":"v"`, `"op":"show","key":"7"`,
			`line 1: kind 0: offer 0: key: "7" is not a small letter`,
		},
		{
			`"op":"show","key":"v"`, `"op":"show","key":"k"`,
			`line 1: kind 0: offer 1: another one has the key "k"`,
		},
		{
			`"name":"seat","label":"To whom?"`, `"name":"seat","label":"To whom?","max":3`,
			`line 1: kind 0: offer 0: ask 0: unknown field "max"`,
		},
		{
			`"name":"seat","label":"To whom?"`, `"name":"who","label":"To whom?"`,
			`line 1: kind 0: offer 0: ask 0: min is missing`,
		},
		{
			`"with":{"at":-1}`, `"with":{}`,
			`line 1: kind 0: offer 3: with has 0 arguments, not 1 to 16`,
		},
		{
			`"with":{"at":-1}`, `"with":[]`,
			`line 1: kind 0: offer 3: with: want an object, not an array`,
		},
		{
			`"with":{"at":-1}`, `"with":{"At":-1}`,
			`line 1: kind 0: offer 3: with: "At" is not an argument`,
		},
		{
			`"with":{"at":-1}`, `"with":{"at":true}`,
			`line 1: kind 0: offer 3: with: at: want a number, not true`,
		},
		{
			`"with":{"at":-1}`, `"with":{"into":1}`,
			`line 1: kind 0: offer 3: ask 0: "into" stands here a second time`,
		},
		{
			`"asks":[{"name":"into"`, `"asks":[{"name":"into","label":"Where?"},{"name":"into"`,
			`line 1: kind 0: offer 2: ask 1: "into" stands here a second time`,
		},
		{
			`"min":1,"max":100,"initial":1`, `"min":1,"max":0,"initial":1`,
			`line 1: kind 2: offer 1: ask 0: max: 0 is not a whole number from 1 to 1073741824`,
		},
		{
			`"min":1,"max":100,"initial":1`, `"min":1,"max":100,"initial":101`,
			`line 1: kind 2: offer 1: ask 0: initial: 101 is not a whole number from 1 to 100`,
		},
		{
			`"max":2000`, `"max":0`,
			`line 1: kind 8: offer 0: ask 0: max: 0 is not a whole number from 1 to 1073741824`,
		},
	} {
		t.Run(c.want, func(t *testing.T) {
			doc := strings.Replace(good, c.old, c.new, 1)
			kinds, err := ParseCatalog([]byte(doc))
			if err == nil || withoutColumn(err) != c.want || kinds != nil || doc == good {
				t.Errorf("got %d kinds and error\n%v, want\n%s", len(kinds), err, c.want)
			}
		})
	}
}

// TestAPeekIntoABagAsksForNoPlace shows that a peek into a bag asks only for a number, since a bag
// has no order (T36).
func TestAPeekIntoABagAsksForNoPlace(t *testing.T) {
	doc := strings.Replace(acting, `"counted": false, "container"`, `"peek": "host", "container"`,
		1)
	g, err := Parse([]byte(doc), pictures)
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[int]string{
		theDeck: "At how many, from the top?", theBag: "At how many?",
	} {
		offers := g.Kinds[kind].Offers
		i := slices.IndexFunc(offers, func(o Offer) bool { return o.Op == "peek" })
		if i < 0 || offers[i].Asks[0].Label != want {
			t.Errorf("T36 %q offers %+v", g.Kinds[kind].Name, offers)
		}
	}
}

package game

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// kindsOf returns the kinds of a game file, which may refer to those of base.
func kindsOf(t *testing.T, base Base, kinds ...string) (own []Kind, borrowed int, err error) {
	t.Helper()
	doc := fmt.Sprintf(`{"format":"holt.game/2","id":"k","kinds":[%s],"name":"K","pieces":[],`+
		`"summary":"K","table":{"height":1000,"surface":"felt","width":1000}}`,
		strings.Join(kinds, ","))
	lib := newLibrary(Files{Art: noFile, Beside: noFile}, false)
	lib.base = base
	g, _, err := parse([]byte(doc), lib)
	if err != nil {
		return nil, 0, err
	}
	return g.Kinds, g.Borrowed, nil
}

// Parts of kinds.
const (
	cardBox = `"width":600,"height":800,"shape":"card","weight":"light"`
	front   = `{"name":"Front","layers":[{"colour":"#112233"}]}`
	back    = `{"name":"Back","layers":[{"colour":"#445566"}]}`
	green   = `{"name":"Green","layers":[{"colour":"#00ff00"}]}`
)

// cards are a back, two cards, a hand, a deck, a die, and a button that deals.
func cards(t *testing.T) []Kind {
	t.Helper()
	kinds, borrowed, err := kindsOf(t, Base{},
		`{"name":"Back",`+cardBox+`,"faces":[`+back+`]}`,
		`{"name":"Ace",`+cardBox+`,"secret":true,"mask":"Back","faces":[`+front+`,`+back+`]}`,
		`{"name":"King",`+cardBox+`,"secret":true,"mask":"Back","faces":[`+front+`,`+back+`]}`,
		`{"name":"Hand","width":3000,"height":900,"shape":"rect","weight":"heavy","hand":true,`+
			`"faces":[`+front+`]}`,
		`{"name":"Deck","width":700,"height":900,"shape":"rect","weight":"heavy",`+
			`"container":{"draws":"top","takes":"Back"},"faces":[`+front+`]}`,
		`{"name":"Die","width":200,"height":200,"shape":"rect","weight":"light",`+
			`"die":{"cooldown":500},"faces":[`+front+`,`+green+`]}`,
		`{"name":"Deal","width":300,"height":300,"shape":"rect","weight":"heavy",`+
			`"button":{"steps":[{"do":"if","of":"holds","kind":"Deck","is":">","n":1,"then":[`+
			`{"do":"deal","kind":"Deck","n":1}]}]},"faces":[`+front+`]}`)
	if err != nil || borrowed != 0 {
		t.Fatal(borrowed, err)
	}
	return kinds
}

// Clauses: T103.1, T103.2, T103.3
func TestT103References(t *testing.T) {
	base := Base{Kinds: cards(t), SetUps: []string{"Two"}}
	for _, c := range []struct {
		name, kind string
		borrowed   int
		want       string // a part of the error; "": it is read
	}{
		{"a mask", `{"name":"Queen",` + cardBox + `,"secret":true,"mask":"Back","faces":[` + front +
			`,` + back + `]}`, 1, ""},
		{"what a container takes", `{"name":"Box","width":700,"height":900,"shape":"rect",` +
			`"weight":"heavy","container":{"draws":"random","takes":"Back"},"faces":[` + front + `]}`,
			1, ""},
		{"a hand", `{"name":"Rack","width":700,"height":900,"shape":"rect",` +
			`"weight":"heavy","hand":true,"faces":[` + front + `]}`, 0, ""},
		{"a supply", `{"name":"Dice","width":700,"height":900,"shape":"rect","weight":"heavy",` +
			`"supply":{"of":"Die"},"faces":[` + front + `]}`, 0, ""},
		{"a step", button(`{"do":"roll","kind":"Die"}`), 0, ""},
		{"a set-up", button(`{"do":"set up","name":"Two"}`), 0, ""},
		{"no mask", `{"name":"Queen",` + cardBox + `,"secret":true,"mask":"Rear","faces":[` + front +
			`,` + back + `]}`, 0, `mask: no kind "Rear"`},
		{"a mask of another size", `{"name":"Queen","width":500,"height":800,"shape":"card",` +
			`"weight":"light","secret":true,"mask":"Back","faces":[` + front + `,` + back + `]}`, 0,
			"differs in size"},
		{"no kind", button(`{"do":"roll","kind":"Dice"}`), 0, `no kind "Dice"`},
		{"a secret kind", button(`{"do":"rotate","kind":"Ace","by":9000}`), 0, `"Ace" is secret`},
		{"no set-up", button(`{"do":"set up","name":"Three"}`), 0, `no set-up is called "Three"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			own, borrowed, err := kindsOf(t, base, c.kind)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("T103.3 the error is %v, want %q", err, c.want)
				}
				return
			}
			if err != nil || borrowed != c.borrowed || len(own) != 1+borrowed {
				t.Fatalf("T103.1 %d kinds, %d borrowed: %v", len(own), borrowed, err)
			}
			all, at, err := Change(base.Kinds, own, nil)
			if err != nil || len(all) != len(base.Kinds)+1 || at[0] != len(base.Kinds) {
				t.Fatalf("T103.1 there are %d kinds, and the new one is %v: %v", len(all), at, err)
			}
			if to := refersTo(&all[at[0]]); c.borrowed > 0 && to != 0 {
				t.Errorf("T103.1 it refers to kind %d, and not to the back", to)
			}
		})
	}
}

// button returns a button with a step.
func button(step string) string {
	return `{"name":"Press","width":300,"height":300,"shape":"rect","weight":"heavy",` +
		`"button":{"who":"host","steps":[` + step + `]},"faces":[` + front + `]}`
}

// Clauses: T104.1, T104.3, T104.4, T104.7
func TestT104Change(t *testing.T) {
	kinds := cards(t)
	base := Base{Kinds: kinds}
	ace := func(fields string) string {
		return `{` + fields + `,"faces":[` + green + `,` + back + `]}`
	}
	secret := `"name":"Ace",` + cardBox + `,"secret":true,"mask":"Back"`
	large := `"width":700,"height":900,"shape":"card","weight":"light"`
	largeCards := []string{
		`{"name":"Back",` + large + `,"faces":[` + back + `]}`,
		`{"name":"Ace",` + large + `,"secret":true,"mask":"Back","faces":[` + front + `,` + back + `]}`,
		`{"name":"King",` + large + `,"secret":true,"mask":"Back","faces":[` + front + `,` + back +
			`]}`,
	}
	deck := func(name, draws string) string {
		return `{"name":"` + name + `","width":900,"height":900,"shape":"rect","weight":"heavy",` +
			`"container":{"draws":"` + draws + `","takes":"Back"},"faces":[` + green + `]}`
	}
	for _, c := range []struct {
		name   string
		kinds  []string
		change []int
		want   error
	}{
		{"another front", []string{ace(secret)}, []int{1}, nil},
		{"all cards larger", largeCards, []int{0, 1, 2}, nil},
		{"another deck", []string{deck("Deck", "top")}, []int{4}, nil},
		{"a deck with another name", []string{deck("Stack", "top")}, []int{4}, nil},
		{"one card larger", largeCards[:2], []int{0, 1}, ErrUnlike},
		{"the back alone", largeCards[:1], []int{0}, ErrUnlike},
		{"a deck that draws at random", []string{deck("Deck", "random")}, []int{4}, ErrUnlike},
		{"a deck that hosts look into", []string{strings.Replace(deck("Deck", "top"), `"faces"`,
			`"peek":"host","faces"`, 1)}, []int{4}, ErrUnlike},
		{"a card that lies open", []string{ace(`"name":"Ace",` + cardBox)}, []int{1}, ErrUnlike},
		{"a die that is a token", []string{`{"name":"Die",` + cardBox + `,"faces":[` + front + `,` +
			green + `]}`}, []int{5}, ErrUnlike},
		{"a die that hands hide", []string{`{"name":"Die",` + cardBox + `,"private":true,` +
			`"die":{"cooldown":500},"faces":[` + front + `,` + green + `]}`}, []int{5}, ErrUnlike},
		{"a die of one side", []string{`{"name":"Die",` + cardBox + `,"die":{"cooldown":500},` +
			`"faces":[` + front + `]}`}, []int{5}, ErrUnlike},
		{"a heavy die", []string{`{"name":"Die","width":200,"height":200,"shape":"rect",` +
			`"weight":"heavy","die":{"cooldown":500},"faces":[` + front + `,` + green + `]}`}, []int{5},
			ErrUnlike},
		{"a back with two sides", []string{`{"name":"Back",` + cardBox + `,"faces":[` + back + `,` +
			green + `]}`}, []int{0}, ErrUnlike},
		{"the name of another one", []string{deck("Die", "top")}, []int{4}, ErrTaken},
		{"a new one with the name of another one", []string{deck("Deck", "top"), `{"name":"Die",` +
			cardBox + `,"faces":[` + green + `]}`}, []int{4}, ErrTaken},
	} {
		t.Run(c.name, func(t *testing.T) {
			own, _, err := kindsOf(t, base, c.kinds...)
			if err == nil {
				var all []Kind
				var at []int
				all, at, err = Change(kinds, own, c.change)
				for i, to := range c.change {
					if err == nil && (at[i] != to || all[to].Faces[0].Name != own[i].Faces[0].Name) {
						t.Errorf("T104.1 kind %d is %+v, want number %d", at[i], all[at[i]], to)
					}
				}
				if err == nil && len(all) != len(kinds) {
					t.Errorf("T104.1 there are %d kinds", len(all))
				}
			} else if c.want == nil {
				t.Fatal(err)
			}
			if c.want == nil && err != nil || c.want != nil && err == nil ||
				errors.Is(c.want, ErrTaken) && !errors.Is(err, ErrTaken) {
				t.Errorf("T104.3 the error is %v, want %v", err, c.want)
			}
		})
	}
	own, _, err := kindsOf(t, base, deck("Stack", "top"))
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := Change(kinds, own, []int{4})
	if err != nil {
		t.Fatal(err)
	}
	if s := all[6].Button.Steps[0]; s.If.Kind != "Stack" || s.Then[0].Kind != "Stack" {
		t.Errorf("T104.4 the button means %+v", s)
	}
	if s := kinds[6].Button.Steps[0]; s.If.Kind != "Deck" || s.Then[0].Kind != "Deck" {
		t.Errorf("T104.7 the kinds of the table have changed: %+v", s)
	}
}

package game

import (
	"reflect"
	"strings"
	"testing"

	"holt/server/play/curve"
)

// clocked is a clock with two sides, for the board of the sample.
const clocked = `"clock": {"counts": "down", "initial": 300000, "increment": 2000, "displays": [` +
	`{"x": 100, "y": 200, "width": 800, "height": 300}, ` +
	`{"x": 1100, "y": 200, "width": 800, "height": 300}]}, `

func withClock(t testing.TB, clock string) string {
	t.Helper()
	doc := strings.Replace(sample, `"faces": [{"name": "Board"`, clock+`"faces": [{"name": "Board"`,
		1)
	if doc == sample {
		t.Fatal("the sample has no board")
	}
	return doc
}

// TestClocksAreRead shows how the clocks of kinds are read, and their bounds.
func TestClocksAreRead(t *testing.T) {
	one := []Display{{100, 200, 800, 300}}
	two := []Display{{100, 200, 800, 300}, {1100, 200, 800, 300}}
	for name, c := range map[string]struct {
		doc  string
		want Clock
	}{
		"a chess clock": {clocked, Clock{Initial: 300_000, Increment: 2000, Displays: two}},
		"a stopwatch": {
			`"clock": {"counts": "up", "initial": 0, ` +
				`"displays": [{"x": 100, "y": 200, "width": 800, "height": 300}]}, `,
			Clock{CountsUp: true, Displays: one},
		},
		"the maximum, up to the edge": {
			`"clock": {"counts": "down", "initial": 1073741824, "increment": 0, ` +
				`"displays": [{"x": 0, "y": 0, "width": 2000, "height": 2000}]}, `,
			Clock{Initial: MaxClock, Displays: []Display{{0, 0, 2000, 2000}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := Parse([]byte(withClock(t, c.doc)), pictures)
			if err != nil {
				t.Fatal(err)
			}
			if got := g.Kinds[3].Clock; !reflect.DeepEqual(got, c.want) {
				t.Errorf("the clock is %+v, want %+v", got, c.want)
			}
			if g.Kinds[0].Clock.Sides() != 0 || g.Kinds[3].Clock.Sides() != len(c.want.Displays) {
				t.Errorf("the king has %d sides, the clock %d",
					g.Kinds[0].Clock.Sides(), g.Kinds[3].Clock.Sides())
			}
			kinds, err := ParseCatalog(g.Catalog)
			if err != nil || !reflect.DeepEqual(kinds, g.Kinds) {
				t.Errorf("the catalogue reads as %+v with error %v", kinds, err)
			}
		})
	}
	t.Run("T27 the greatest time is that of a curve", func(t *testing.T) {
		if MaxClock != curve.MaxValue {
			t.Errorf("%d, a curve goes up to %d", MaxClock, curve.MaxValue)
		}
	})
	t.Run("as the catalogue has it", func(t *testing.T) {
		g, err := Parse([]byte(withClock(t, clocked)), pictures)
		if err != nil {
			t.Fatal(err)
		}
		const want = `"secret":false,"clock":{"counts":"down","initial":300000,"increment":2000,` +
			`"displays":[{"x":100,"y":200,"width":800,"height":300},` +
			`{"x":1100,"y":200,"width":800,"height":300}]},"faces":`
		if !strings.Contains(string(g.Catalog), want) {
			t.Errorf("%s is not in\n%s", want, g.Catalog)
		}
	})
}

// TestWhatIsWrongWithAClockIsSaid shows the line and the error of each fault in a clock.
func TestWhatIsWrongWithAClockIsSaid(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{
			`"counts": "down"`, `"counts": "sideways"`,
			`line 8: kind 3: clock: counts: "sideways" is not down or up`,
		},
		{`"counts": "down", `, ``, `line 8: kind 3: clock: counts is missing`},
		{`"initial": 300000, `, ``, `line 8: kind 3: clock: initial is missing`},
		{
			`"initial": 300000`, `"initial": 1073741825`,
			`line 8: kind 3: clock: initial: 1073741825 is not a whole number from 0 to 1073741824`,
		},
		{
			`"increment": 2000`, `"increment": -1`,
			`line 8: kind 3: clock: increment: -1 is not a whole number from 0 to 1073741824`,
		},
		{`"increment": 2000`, `"bonus": 2000`, `line 8: kind 3: clock: unknown field "bonus"`},
		{
			`"counts": "down"`, `"counts": "up"`,
			`line 8: kind 3: clock: only a clock with two sides that counts down has an increment`,
		},
		{`, {"x": 1100, "y": 200, "width": 800, "height": 300}]`, `]`,
			`line 8: kind 3: clock: only a clock with two sides that counts down has an increment`},
		{
			`"displays": [`, `"displays": [{"x": 0, "y": 0, "width": 10, "height": 10}, `,
			`line 8: kind 3: clock: displays has 3 entries, not 1 to 2`,
		},
		{`{"x": 100, "y"`, `{"x": 301, "y"`, `line 8: kind 3: clock: the displays overlap`},
		{
			`{"x": 1100, "y"`, `{"x": 1201, "y"`,
			`line 8: kind 3: clock: display 1: it reaches beyond the piece`,
		},
		{
			`{"x": 1100, "y": 200`, `{"x": 1100, "y": 1701`,
			`line 8: kind 3: clock: display 1: it reaches beyond the piece`,
		},
		{`{"x": 1100, `, `{`, `line 8: kind 3: clock: display 1: x is missing`},
		{`"clock": {`, `"clock": true, "more": {`, `line 8: kind 3: unknown field "more"`},
		{
			`"heavy", "clock"`, `"heavy", "hand": true, "clock"`,
			`line 8: kind 3: a hand cannot be a clock`,
		},
		{
			`"heavy", "clock"`, `"heavy", "secret": true, "mask": "Back", "clock"`,
			`line 8: kind 3: a clock cannot be secret`,
		},
		{`{"name": "Board", "art": "a.svg"}`, `{"name": "Board", "art": "a.svg"}, ` +
			`{"name": "Board", "art": "b.svg"}`,
			`line 8: kind 3: a clock has one face, not 2`},
		{`"weight": "light", "faces": [{"name": "Back"`, `"weight": "light", ` + clocked1 +
			`"faces": [{"name": "Back"`,
			`line 5: kind 0: the mask "Back" is a clock`},
	} {
		t.Run(c.want, func(t *testing.T) {
			doc := withClock(t, clocked)
			wrong := strings.Replace(doc, c.old, c.new, 1)
			if wrong == doc {
				t.Fatalf("%q is not in the sample", c.old)
			}
			if g, err := Parse([]byte(wrong), pictures); err == nil || withoutColumn(err) != c.want ||
				g != nil {
				t.Errorf("got game %v, error\n%v, want\n%s", g != nil, err, c.want)
			}
		})
	}
}

// clocked1 is a clock with one side, for any kind.
const clocked1 = `"clock": {"counts": "up", "initial": 0, ` +
	`"displays": [{"x": 0, "y": 0, "width": 100, "height": 100}]}, `

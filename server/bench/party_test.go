package bench

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"holt/server/client"
	"holt/server/game"
	"holt/server/table"
)

func TestWhatIsRefused(t *testing.T) {
	good := Config{URL: "http://127.0.0.1:8080", Players: 2, Pieces: 10, Rate: 30, Duration: time.Second}
	for name, change := range map[string]func(*Config){
		"no players":         func(c *Config) { c.Players = 0 },
		"too many players":   func(c *Config) { c.Players = 2001 },
		"too many pieces":    func(c *Config) { c.Pieces = 10_001 },
		"no rate":            func(c *Config) { c.Rate = 0 },
		"a rate of NaN":      func(c *Config) { c.Rate = math.NaN() },
		"too high a rate":    func(c *Config) { c.Rate = 1001 },
		"no time":            func(c *Config) { c.Duration = 0 },
		"too long":           func(c *Config) { c.Duration = 601 * time.Second },
		"a conflict above 1": func(c *Config) { c.Conflict = 1.5 },
		"another machine":    func(c *Config) { c.URL = "http://table.example/" },
		"another address":    func(c *Config) { c.URL = "http://192.0.2.1/" },
		"no address":         func(c *Config) { c.URL = "" },
		"a broken address":   func(c *Config) { c.URL = "http://[/" },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			change(&c)
			var wrong ConfigError
			if _, err := Run(t.Context(), c); !errors.As(err, &wrong) {
				t.Errorf("%v, want a ConfigError", err)
			}
		})
	}
	t.Run("this machine, or one's own server, is fine", func(t *testing.T) {
		for url, foreign := range map[string]bool{"http://localhost:1": false, "http://[::1]:1": false, "https://table.example": true} {
			c := good
			c.URL, c.Foreign = url, foreign
			if err := c.check(); err != nil {
				t.Errorf("%s: %v", url, err)
			}
		}
	})
}

// partyOf returns a party whose players have met what is given.
func partyOf(counts ...func(*counts)) *party {
	p := &party{}
	for _, c := range counts {
		pl := &player{}
		pl.counts.wholes.Store(1)
		c(&pl.counts)
		p.players = append(p.players, pl)
	}
	return p
}

func met(recorded, received uint64) func(*counts) {
	return func(c *counts) {
		c.recorded.Store(recorded)
		c.received.Store(received)
	}
}

func together(recorded, received, folded uint64) func(*counts) {
	return func(c *counts) {
		met(recorded, received)(c)
		c.folded.Store(folded)
	}
}

func TestDeliveries(t *testing.T) {
	again := func(c *counts) {
		met(1, 2)(c)
		c.wholes.Store(2)
	}
	for name, row := range map[string]struct {
		party                             *party
		missing, doubled, folded, covered uint64
	}{
		"everybody got the moves of the others": {party: partyOf(met(5, 7), met(7, 5))},
		"a move did not come":                   {party: partyOf(met(5, 6), met(7, 5)), missing: 1},
		"a move came twice":                     {party: partyOf(met(5, 7), met(7, 6)), doubled: 1},
		"one does not make good for another":    {party: partyOf(met(5, 8), met(7, 4)), missing: 1, doubled: 1},
		"two came with a later one":             {party: partyOf(together(5, 5, 2), met(7, 5)), folded: 2},
		"one of those that came with none":      {party: partyOf(together(5, 4, 2), met(7, 5)), folded: 2, missing: 1},
		"some of those were refused":            {party: partyOf(together(5, 6, 9), met(7, 5)), folded: 1},
		"a second full state took their place":  {party: partyOf(met(5, 1), again), covered: 3},
	} {
		t.Run(name, func(t *testing.T) {
			missing, doubled, folded, covered := row.party.deliveries()
			if missing != row.missing || doubled != row.doubled || folded != row.folded || covered != row.covered {
				t.Errorf("%d missing, %d doubled, %d folded, %d covered; want %d, %d, %d, %d", missing, doubled, folded, covered, row.missing, row.doubled, row.folded, row.covered)
			}
		})
	}
}

// deck is a catalogue of a board, a back, and a card that is secret behind it.
var deck = []game.Kind{
	{Name: "Board", Weight: "heavy", Mask: game.NoMask},
	{Name: "Card", Weight: "light", Mask: game.NoMask},
	{Name: "Ace", Weight: "light", Secret: true, Mask: 1},
	{Name: "Chip", Weight: "light", Mask: game.NoMask},
}

func TestCompare(t *testing.T) {
	p := &party{kinds: deck}
	mine := client.View{Pieces: []table.Shown{
		{Name: 1, Mark: 256, Kind: 2, Face: 0, X: 5, Z: "0.5", ZMark: 256, Owner: 1},
		{Name: 2, Mark: 512, Kind: 3, X: 6, Z: "0.4", ZMark: 512},
	}}
	theirs := client.View{Pieces: []table.Shown{
		{Name: 8, Mark: 1024, Kind: 3, X: 6, Z: "0.4", ZMark: 1024},
		{Name: 9, Mark: 768, Kind: 1, Face: 0, X: 5, Z: "0.5", ZMark: 768, Owner: 1},
	}}
	t.Run("T21 and T22: names, marks and concealed fronts may differ between views", func(t *testing.T) {
		p.differ("two", p.common(&mine), p.common(&theirs))
		if p.differing != 0 {
			t.Fatalf("%v", p.divergences)
		}
	})
	t.Run("nothing else may", func(t *testing.T) {
		for name, change := range map[string]func(*table.Shown){
			"x": func(s *table.Shown) { s.X++ }, "angle": func(s *table.Shown) { s.Angle++ }, "face": func(s *table.Shown) { s.Face++ },
			"kind": func(s *table.Shown) { s.Kind = 1 }, "holder": func(s *table.Shown) { s.Holder++ }, "order": func(s *table.Shown) { s.Z = "0.6" },
			"pinned": func(s *table.Shown) { s.Pinned = true }, "locked": func(s *table.Shown) { s.Locked = true }, "owner": func(s *table.Shown) { s.Owner++ },
		} {
			p := &party{kinds: deck}
			other := client.View{Pieces: append([]table.Shown(nil), theirs.Pieces...)}
			change(&other.Pieces[0])
			p.differ("two", p.common(&mine), p.common(&other))
			if p.differing == 0 {
				t.Errorf("another %s was not seen", name)
			}
		}
	})
	t.Run("a piece too few or too many is seen", func(t *testing.T) {
		p := &party{}
		p.differ("two", mine.Pieces, mine.Pieces[:1])
		p.differ("two", nil, mine.Pieces)
		if p.differing != 3 {
			t.Errorf("%d divergences, want 3", p.differing)
		}
	})
}

func TestPiecesToDrag(t *testing.T) {
	p := &party{kinds: deck}
	v := client.View{Pieces: []table.Shown{
		{Name: 1, Kind: 0, X: 1},               // heavy
		{Name: 2, Kind: 3, X: 9},               //
		{Name: 3, Kind: 3, X: 2, Pinned: true}, //
		{Name: 4, Kind: 3, X: 3, Locked: true}, //
		{Name: 5, Kind: 1, X: 4, Owner: 2},     // in a hand
		{Name: 6, Kind: 1, X: 5, Z: "0.6"},     // a stack, in its order
		{Name: 7, Kind: 1, X: 5, Z: "0.5"},     //
	}}
	got := movable(&v, p.light)
	if len(got) != 3 || got[0] != 7 || got[1] != 6 || got[2] != 2 {
		t.Errorf("%v, want 7, 6, 2: the order of places", got)
	}
}

func TestAdditions(t *testing.T) {
	p := &party{kinds: deck, info: client.Info{Width: 4000, Height: 3000}}
	us, err := p.additions(3000)
	if err != nil || len(us) != 3000 {
		t.Fatal(len(us), err)
	}
	places := map[[2]int32]bool{}
	for _, u := range us {
		places[[2]int32{u.X, u.Y}] = true
		if k := p.kinds[u.Kind]; k.Weight != "light" || k.Secret || u.X < -2000 || u.X > 2000 || u.Y < -1500 || u.Y > 1500 {
			t.Fatalf("%+v", u)
		}
	}
	if len(places) != len(us) {
		t.Errorf("%d pieces lie at %d places", len(us), len(places))
	}
	p.kinds = deck[:1]
	if _, err := p.additions(1); !errors.Is(err, errNoKind) {
		t.Errorf("%v, want errNoKind", err)
	}
}

func TestReport(t *testing.T) {
	t.Run("what no run may find is said", func(t *testing.T) {
		if f := (&Report{}).Faults(); len(f) != 0 {
			t.Errorf("nothing is wrong, and yet: %v", f)
		}
		r := Report{Divergences: 1, Moves: Moves{Lost: 2, Doubled: 3}, Updates: Updates{Unsettled: 4}}
		if f := r.Faults(); len(f) != 4 {
			t.Errorf("%v", f)
		}
	})
	t.Run("a move without an outcome is lost", func(t *testing.T) {
		p := partyOf(func(c *counts) { c.sent.Store(5); c.recorded.Store(3); c.moves.Store(1) })
		p.latency.add(time.Millisecond)
		p.after.at = time.Second
		if r := p.report(); r.Moves.Lost != 1 {
			t.Errorf("%+v", r.Moves)
		}
	})
	t.Run("people see the faults too", func(t *testing.T) {
		var out bytes.Buffer
		r := Report{Described: []string{"two: differ"}, Errors: map[string]int{"reset by peer": 2}}
		if err := r.WriteTable(&out); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"two: differ", "2 times: reset by peer", "latency to a receiver"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is missing in\n%s", want, out.String())
			}
		}
	})
}

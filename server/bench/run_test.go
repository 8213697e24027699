package bench

import (
	"errors"
	"math"
	"testing"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
)

// TestWhatIsRefused shows which configurations are refused, and that another machine is refused
// unless Foreign is set.
func TestWhatIsRefused(t *testing.T) {
	good := Config{
		URL: "http://127.0.0.1:8080", Players: 2, Pieces: 10, Rate: 30, Duration: time.Second,
	}
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
		"writers above 1":    func(c *Config) { c.Writers = 1.1 },
		"writers of NaN":     func(c *Config) { c.Writers = math.NaN() },
		"motion and cuts":    func(c *Config) { c.Motion, c.Reconnect = true, true },
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
	t.Run("motion alone, or cuts alone, are fine", func(t *testing.T) {
		motion, cuts := good, good
		motion.Motion, cuts.Reconnect = true, true
		if err := errors.Join(motion.check(), cuts.check()); err != nil {
			t.Error(err)
		}
	})
	t.Run("this machine and one's own server are fine", func(t *testing.T) {
		for url, foreign := range map[string]bool{
			"http://localhost:1": false, "http://[::1]:1": false, "https://table.example": true,
		} {
			c := good
			c.URL, c.Foreign = url, foreign
			if err := c.check(); err != nil {
				t.Errorf("%s: %v", url, err)
			}
		}
	})
}

// deck is a catalogue with a board, a card's back, a secret card behind it, chips, and coins that
// hands conceal.
var deck = []game.Kind{
	{Name: "Board", Weight: "heavy", Mask: game.NoMask},
	{Name: "Card", Weight: "light", Mask: game.NoMask},
	{Name: "Ace", Weight: "light", Secret: true, Mask: 1},
	{Name: "Chip", Weight: "light", Mask: game.NoMask},
	{Name: "Coins", Weight: "light", Mask: game.NoMask, Private: true},
}

func unlabelled(id.Piece) string { return "" }

// TestCompare shows which differences between two views are allowed, and that all others are
// divergences.
func TestCompare(t *testing.T) {
	p := &run{kinds: deck}
	mine := client.View{Pieces: []table.Shown{
		{Name: 1, Version: 256, Kind: 2, Face: 0, X: 5, Z: "0.5", ZVersion: 256},
		{Name: 2, Version: 512, Kind: 3, X: 6, Z: "0.4", ZVersion: 512},
		{Name: 3, Version: 768, Kind: 2, X: 7, Z: "0.45", ZVersion: 768, Owner: 1},
		{Name: 4, Version: 768, Kind: 4, X: 8, Z: "0.45", ZVersion: 768, Owner: 1},
	}}
	theirs := client.View{Pieces: []table.Shown{
		{Name: 8, Version: 1024, Kind: 3, X: 6, Z: "0.4", ZVersion: 1024},
		{Name: 9, Version: 768, Kind: 1, Face: 0, X: 5, Z: "0.5", ZVersion: 768},
	}}
	t.Run("T21 hidden fields may differ between views", func(t *testing.T) {
		p.differ("two", p.common(&mine, unlabelled), p.common(&theirs, unlabelled))
		if p.differing != 0 {
			t.Fatalf("%v", p.divergences)
		}
	})
	t.Run("no others may", func(t *testing.T) {
		for name, change := range map[string]func(*table.Shown){
			"x": func(s *table.Shown) { s.X++ }, "angle": func(s *table.Shown) { s.Angle++ },
			"face":   func(s *table.Shown) { s.Face++ },
			"kind":   func(s *table.Shown) { s.Kind = 1 },
			"holder": func(s *table.Shown) { s.Holder++ },
			"order":  func(s *table.Shown) { s.Z = "0.6" },
			"pinned": func(s *table.Shown) { s.Pinned = true },
			"locked": func(s *table.Shown) { s.Locked = true },
			"owner":  func(s *table.Shown) { s.Owner++ },
		} {
			p := &run{kinds: deck}
			other := client.View{Pieces: append([]table.Shown(nil), theirs.Pieces...)}
			change(&other.Pieces[0])
			p.differ("two", p.common(&mine, unlabelled), p.common(&other, unlabelled))
			if p.differing == 0 {
				t.Errorf("another %s was not seen", name)
			}
		}
	})
	t.Run("nor may labels of a piece", func(t *testing.T) {
		p := &run{kinds: deck}
		p.differ("two", p.common(&mine, unlabelled), p.common(&theirs, func(name id.Piece) string {
			return map[id.Piece]string{8: "mine"}[name]
		}))
		if p.differing != 1 {
			t.Errorf("%d divergences, want 1: %v", p.differing, p.divergences)
		}
	})
	t.Run("a missing or an extra piece is found", func(t *testing.T) {
		p := &run{}
		p.differ("two", mine.Pieces, mine.Pieces[:1])
		p.differ("two", nil, mine.Pieces)
		if p.differing != 7 {
			t.Errorf("%d divergences, want 7", p.differing)
		}
	})
}

// TestPiecesToDrag shows that only free light pieces are dragged, in the order of their places.
func TestPiecesToDrag(t *testing.T) {
	p := &run{kinds: deck}
	v := client.View{Pieces: []table.Shown{
		{Name: 1, Kind: 0, X: 1}, // heavy
		{Name: 2, Kind: 3, X: 9},
		{Name: 3, Kind: 3, X: 2, Pinned: true},
		{Name: 4, Kind: 3, X: 3, Locked: true},
		{Name: 5, Kind: 1, X: 4, Owner: 2}, // in a hand
		{Name: 6, Kind: 1, X: 5, Z: "0.6"}, // a stack of two: the lower one comes first
		{Name: 7, Kind: 1, X: 5, Z: "0.5"},
	}}
	got := movable(&v, p.light)
	if len(got) != 3 || got[0] != 7 || got[1] != 6 || got[2] != 2 {
		t.Errorf("%v, want 7, 6, 2: the order of places", got)
	}
}

// TestAdditions shows that added pieces are light and not secret, and lie on the table at different
// places.
func TestAdditions(t *testing.T) {
	p := &run{kinds: deck, info: client.Info{Width: 4000, Height: 3000}}
	us, err := p.additions(3000)
	if err != nil || len(us) != 3000 {
		t.Fatal(len(us), err)
	}
	places := map[[2]int32]bool{}
	for _, u := range us {
		places[[2]int32{u.X, u.Y}] = true
		if k := p.kinds[u.Kind]; k.Weight != "light" || k.Secret || u.X < -2000 || u.X > 2000 ||
			u.Y < -1500 || u.Y > 1500 {
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

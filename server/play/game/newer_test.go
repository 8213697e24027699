package game_test

import (
	"testing"

	"holt/server/play/game"
)

func TestO30CheckNewer(t *testing.T) {
	kinds := func(change func(all []game.Kind)) []game.Kind {
		face := func(names ...string) (all []game.Face) {
			for i, n := range names {
				all = append(all, game.Face{Name: n, Art: [32]byte{byte(i)}})
			}
			return all
		}
		all := []game.Kind{
			{Name: "Back", Width: 100, Height: 100, Shape: "card", Weight: "light",
				Mask: game.NoMask, Faces: face("Back")},
			{Name: "Ace", Width: 100, Height: 100, Shape: "card", Weight: "light", Secret: true,
				Mask: 0, Faces: face("Ace", "Back")},
			{Name: "Die", Width: 100, Height: 100, Shape: "rect", Weight: "light",
				Mask: game.NoMask, Die: game.Die{Rolls: true}, Faces: face("1", "2")},
			{Name: "Counter", Width: 100, Height: 100, Shape: "rect", Weight: "light",
				Mask: game.NoMask, Faces: face("Counter"),
				Counter: game.Counter{Counts: true, Max: 9},
				Display: game.Display{X: 1, Y: 2, Width: 30, Height: 40}},
		}
		change(all)
		return all
	}
	for name, change := range map[string]func(all []game.Kind){
		"nothing":                func([]game.Kind) {},
		"a picture":              func(all []game.Kind) { all[1].Faces[0].Art[31] = 1 },
		"the name of a face":     func(all []game.Kind) { all[1].Faces[0].Name = "Ace of spades" },
		"the size":               func(all []game.Kind) { all[0].Width, all[1].Width = 90, 90 },
		"the shape":              func(all []game.Kind) { all[2].Shape = "round" },
		"a display":              func(all []game.Kind) { all[3].Display.X = 7 },
		"whether it is upright":  func(all []game.Kind) { all[2].Upright = true },
		"whether it is readable": func(all []game.Kind) { all[2].Readable = true },
		"whether it is pointed":  func(all []game.Kind) { all[2].Pointed = true },
		"how far it turns":       func(all []game.Kind) { all[2].Turn = 90 },
		"a grid": func(all []game.Kind) {
			all[3].Grid = game.Grid{StepX: 10, StepY: 10, Columns: 1, Rows: 1}
		},
	} {
		t.Run("O30.15 may change: "+name, func(t *testing.T) {
			if err := game.CheckNewer(kinds(func([]game.Kind) {}), kinds(change)); err != nil {
				t.Error(err)
			}
		})
	}
	for name, change := range map[string]func(all []game.Kind){
		"the name":              func(all []game.Kind) { all[2].Name = "Coin" },
		"how many faces":        func(all []game.Kind) { all[2].Faces = all[2].Faces[:1] },
		"the mask":              func(all []game.Kind) { all[1].Mask = 2 },
		"that it is secret":     func(all []game.Kind) { all[1].Secret = false },
		"the weight":            func(all []game.Kind) { all[2].Weight = "heavy" },
		"what it does":          func(all []game.Kind) { all[2].Die.Rolls = false },
		"how far it counts":     func(all []game.Kind) { all[3].Counter.Max = 10 },
		"who may look at it":    func(all []game.Kind) { all[1].Peek = "players" },
		"whether it is private": func(all []game.Kind) { all[2].Private = true },
	} {
		t.Run("O30.15 must not change: "+name, func(t *testing.T) {
			if game.CheckNewer(kinds(func([]game.Kind) {}), kinds(change)) == nil {
				t.Error("it is accepted")
			}
		})
	}
	t.Run("O30.15 no kind goes or comes", func(t *testing.T) {
		all := kinds(func([]game.Kind) {})
		if game.CheckNewer(all, all[:3]) == nil || game.CheckNewer(all[:3], all) == nil {
			t.Error("it is accepted")
		}
	})
}

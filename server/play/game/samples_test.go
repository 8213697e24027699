package game

import "testing"

// TestSamples shows that the samples of the guide are correct, packed and unpacked again are the
// same, and can be drawn in each set-up.
// Clauses: G2.4, G8.1
func TestSamples(t *testing.T) {
	for name, p := range samples(t) {
		data, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadPacked(data)
		if err != nil || again.ID != p.ID {
			t.Errorf("%s: packed it has the identity %x, not %x; %v", name, again.ID, p.ID, err)
		}
		if p.Game.ID != name {
			t.Errorf("%s has the id %s", name, p.Game.ID)
		}
		for setup := range 1 + len(p.Game.Setups) {
			if err := checkDrawing(p.Game, p.Game.Drawing(setup)); err != nil {
				t.Errorf("%s: set-up %d: %v", name, setup, err)
			}
		}
	}
}

package game

import (
	"fmt"
	"slices"
)

// MaxPicture is the most pieces that a game file may show on the picture of the game.
const MaxPicture = 80

// Picture is what the picture of a game on the shelf shows: pieces that need not lie there in any
// set-up, the lowest first, around the middle of the table. The zero Picture stands for none: then
// it shows the first set-up.
type Picture struct {
	Width  int32 // of the part of the table that is seen
	Pieces []Placement
}

// readPicture reads what the picture of a game shows. g must have its kinds.
func readPicture(root object, g *Game) (p Picture) {
	if !root.has("picture") {
		return p
	}
	o := root.r.object(root.get("picture"), "picture", "width", "pieces")
	p.Width = o.integer("width", MinTable, MaxTable)
	for i, v := range o.list("pieces", 1, MaxPicture) {
		of := root.r.object(v, fmt.Sprintf("picture: piece %d", i), "kind", "x", "y", "angle", "face")
		if root.r.err != nil {
			return Picture{}
		}
		name := of.text("kind", MaxName)
		kind := slices.IndexFunc(g.Kinds, func(k Kind) bool { return k.Name == name })
		if kind < 0 {
			of.fail(of.get("kind"), "no kind %q", name)
			return Picture{}
		}
		p.Pieces = append(p.Pieces, Placement{
			Kind: kind, In: NotIn,
			X: of.integer("x", -p.Width, p.Width), Y: of.integer("y", -p.Width, p.Width),
			Angle: of.optional("angle", 0, FullTurn-1),
			//nolint:gosec // bounded by MaxFaces
			Face: int(of.optional("face", 0, int32(len(g.Kinds[kind].Faces)-1))),
		})
	}
	return p
}

package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// The kinds that authors add to those of the tests (T100): a tile with a mask of its own, what it
// lies in, a supply of what looks like it, and a zone for it.
const (
	kindTileBack = kindCount + iota
	kindTile
	kindTileBox
	kindTileStock
	kindTileRow
)

var addedKinds = []table.Kind{
	{Width: 500, Height: 500, Faces: 1},
	{Width: 500, Height: 500, Faces: 2, Secret: true, Mask: kindTileBack},
	{Width: 600, Height: 600, Faces: 1, Heavy: true, Peek: table.RightPlayers,
		Container: table.ContainerKind{Holds: true, Masked: true, Takes: kindTileBack}},
	{Width: 600, Height: 600, Faces: 1, Heavy: true,
		Supply: table.SupplyKind{Gives: true, Known: true, Of: kindTileBack}},
	{Width: 3000, Height: 800, Faces: 1, Heavy: true, Zone: table.ZoneKind{
		Lay: table.LayRow, Gap: 600, Chooses: true, Takes: []uint32{kindTileBack},
	}},
}

// withAddedKinds lets the tests know the kinds that authors add. Tables do not have them at first.
func withAddedKinds(t *testing.T) {
	t.Helper()
	was := kinds
	kinds = slices.Concat(was, addedKinds)
	t.Cleanup(func() { kinds = was })
}

// addKinds adds the further kinds to those of the table, if it does not have them.
func (s *server) addKinds() {
	if len(s.config.Kinds) < len(kinds) {
		s.table.SetKinds(kinds)
		s.config.Kinds = kinds
	}
}

// editAct does what authors do: they let others edit, add kinds and pieces, and pieces into
// containers, several at once or one by one. Most often it does what everybody does.
func (c *tab) editAct() {
	s := c.server
	r := s.rnd
	switch n := r.IntN(24); {
	case n < 16:
		c.randomAct()
	case n == 16:
		s.table.LetEdit(id.Seat(1+r.IntN(3)), r.IntN(4) > 0, 1, s.now)
		s.publish(nil)
	case n == 17:
		s.addKinds()
	case s.table.Pieces() > 3*len(world()):
	case n == 18 && len(s.config.Kinds) > int(kindCount):
		c.act(table.OpAdd, 0, kind(kindTileBack+uint32(r.IntN(len(addedKinds)))),
			at(r.Int32N(16_000)-8000, r.Int32N(16_000)-8000))
	default:
		c.addInto()
	}
}

// addInto adds pieces into a container, most often what it takes.
func (c *tab) addInto() {
	s := c.server
	r := s.rnd
	box := c.any(c.sorted(), func(k *table.Kind) bool { return k.Container.Holds })
	if box == 0 {
		return
	}
	k := &kinds[c.pieces[box].is.Kind]
	var takes []uint32
	for i := range s.config.Kinds {
		of := &kinds[i]
		if !of.Heavy && !of.Unknown &&
			(!k.Container.Masked || of.Secret && of.Mask == k.Container.Takes) {
			takes = append(takes, uint32(i))
		}
	}
	of := takes[r.IntN(len(takes))]
	if r.IntN(8) == 0 {
		of = uint32(r.IntN(len(s.config.Kinds)))
	}
	for range 1 + r.IntN(4)*r.IntN(2) {
		c.act(table.OpAdd, 0, kind(of), at(0, 0), into(box))
	}
	s.still = r.IntN(2) == 0
	s.deliver()
	s.still = false
}

// TestT101UndoRestores shows over random gestures of several authors that an undo brings the table
// back to how it was before what they added, as TestT63UndoRestores does.
// Clauses: T63.1, T63.11, T63.12, T101.1
func TestT101UndoRestores(t *testing.T) {
	withAddedKinds(t)
	if *seedFlag != 0 {
		undoAll(t, *seedFlag, map[table.Op]int{}, (*tab).editAct)
		return
	}
	undone, first, runs := map[table.Op]int{}, firstSeed("steps"), uint64(budget(t)/10_000)
	for i := range runs {
		undoAll(t, first+i, undone, (*tab).editAct)
	}
	if n := undone[table.OpAdd]; n < int(4*runs) {
		t.Errorf("in %d games %d additions were undone: too few (%v)", runs, n, undone)
	}
	t.Logf("undone was %v", undone)
}

package room

import (
	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/play/game"
	"holt/server/proto/componentpb"
)

// gridOf returns what writes the grid of a game on a new table (G17). Hosts can change it
// afterwards.
func gridOf(g *game.TableGrid) []crdt.Op {
	form := map[string]componentpb.Grid_Form{
		game.GridSquares:  componentpb.Grid_FORM_SQUARES,
		game.GridHexagons: componentpb.Grid_FORM_HEXAGONS,
	}[g.Form]
	if form == componentpb.Grid_FORM_NONE {
		return nil
	}
	return []crdt.Op{{
		Kind: crdt.Put, Entity: schema.TheTable, Component: schema.Grid, Timestamp: 1,
		Data: schema.Encode(&componentpb.Grid{
			Form: form, Pitch: uint32(g.Pitch), X: g.X, Y: g.Y, Snap: g.Snap, //nolint:gosec // positive
		}),
	}}
}

// sheetOf returns what writes the score sheet of a game on a new table (G15). Everybody who plays
// can change it afterwards.
func sheetOf(s *game.Sheet) (ops []crdt.Op) {
	put := func(e crdt.Entity, component uint32, text string) {
		ops = append(ops, crdt.Op{
			Kind: crdt.Put, Entity: e, Component: component, Timestamp: 1,
			Data: schema.Encode(&componentpb.Text{Text: text}),
		})
	}
	if s.Title != "" {
		put(schema.TheSheet, schema.Sheet, s.Title)
	}
	for i, heading := range s.Columns {
		put(schema.TheSheet, schema.FirstColumn+uint32(i), heading)
	}
	for i, name := range s.Rows {
		put(schema.FirstRow+crdt.Entity(i), schema.Row, name)
	}
	return ops
}

package room

import (
	"context"
	"fmt"

	"holt/server/id"
	"holt/server/play/game"
)

// Supplement returns what a table has of its game beside the catalogue.
func (rs *Rooms) Supplement(ctx context.Context, t id.OID) (game.Supplement, error) {
	row, err := rs.About(ctx, t)
	if err != nil || row.Supplement == (Hash{}) {
		return game.Supplement{}, err
	}
	return rs.supplementOf(ctx, row.Supplement)
}

func (rs *Rooms) supplementOf(ctx context.Context, hash Hash) (game.Supplement, error) {
	doc, err := rs.Blob(ctx, hash)
	if err != nil {
		return game.Supplement{}, err
	}
	s, err := game.ReadSupplement(doc.Data)
	if err != nil {
		return s, fmt.Errorf("%w: supplement %x: %w", ErrDamaged, hash, err)
	}
	return s, nil
}

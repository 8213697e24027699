package node

import (
	"context"
	"encoding/json"

	"holt/server/id"
	"holt/server/tables/room"
)

// About returns the name of a set that is here, and the table on which it lies. The name is empty
// if it is not known; on is zero if the set lies on no table. The error says that the set is
// elsewhere, or could not be asked.
func (w *Objects) About(ctx context.Context, set id.OID) (name string, on id.OID, err error) {
	on, kinds, first, err := w.look(ctx, set)
	if err != nil {
		return "", on, err
	}
	blob, err := w.cfg.Store.Blob(ctx, room.Hash(kinds[first]))
	if err != nil {
		return "", on, nil //nolint:nilerr // the set has no name until its kind is here
	}
	var is struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(blob.Data, &is) // it was checked when it came
	return is.Name, on, nil
}

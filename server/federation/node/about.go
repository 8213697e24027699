package node

import (
	"context"
	"encoding/json"
	"errors"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// About returns the name of a set that is here, and the table on which it lies. The name is empty
// if it is not known; on is zero if the set lies on no table. The error says that the set is
// elsewhere, or could not be asked.
func (w *Objects) About(ctx context.Context, set id.OID) (name string, on id.OID, err error) {
	a, err := w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		if v, err := w.store.Get(object.Heads, set); v == nil {
			return object.Step{}, errors.Join(errElsewhere, err) // nobody there would ask the set
		}
		return w.host.Call(m, t, set, behaviour.Look, nil, nil)
	})
	if err == nil {
		err = errorOf(&a)
	}
	if err != nil {
		return "", on, err
	}
	on, _, err = behaviour.ReadLook(a.Answer)
	if err != nil {
		return "", on, err
	}
	kind, err := behaviour.ReadFirst(a.Answer)
	if err != nil {
		return "", on, err
	}
	blob, err := w.cfg.Store.Blob(ctx, room.Hash(kind))
	if err != nil {
		return "", on, nil //nolint:nilerr // the set has no name until its kind is here
	}
	var is struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(blob.Data, &is) // it was checked when it came
	return is.Name, on, nil
}

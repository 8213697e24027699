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

// About returns what a set that is here is called, empty if that is not known, and on which table it lies, zero for none.
func (w *World) About(ctx context.Context, set id.OID) (name string, on id.OID, err error) {
	a, err := w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		if v, err := w.store.Get(object.Heads, set); v == nil {
			return object.Step{}, errors.Join(errElsewhere, err) // nobody there would say it
		}
		return w.host.Call(m, t, set, behaviour.Look, nil, nil)
	})
	if err == nil {
		err = failed(&a)
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
		return "", on, nil //nolint:nilerr // it has no name until its kind has been brought
	}
	var is struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(blob.Data, &is) // it was checked when it came
	return is.Name, on, nil
}

package people

import (
	"context"
	"errors"
	"slices"

	"holt/server/federation/behaviour"
	"holt/server/id"
	"holt/server/tables/room"
)

// Newer versions of what is in a bag (O30).

// doAdopt asks a visitor's own host to give a set the newest versions of its kinds, and doKeep to
// remember that the set keeps those that it has.
const (
	doAdopt = "adopt"
	doKeep  = "keep"
)

// Adopt gives a set of a person, which lies on no table, the newest versions of its kinds. The set
// is at the person's own host, or was left here. The error is a Refused if that cannot be done.
func (v *Visits) Adopt(ctx context.Context, person, set id.OID) error {
	return v.decide(ctx, person, set, doAdopt)
}

// Keep lets a set of a person keep the kinds that it has. The newer versions that the person was
// offered are not offered again. The set and the error are as those of Adopt.
func (v *Visits) Keep(ctx context.Context, person, set id.OID) error {
	return v.decide(ctx, person, set, doKeep)
}

// decide carries out doAdopt or doKeep where the set is.
func (v *Visits) decide(ctx context.Context, person, set id.OID, what string) error {
	if person.Creator() == v.Self() {
		return v.do(ctx, person, set, what)
	}
	items, err := v.Bag(ctx, person)
	if err != nil {
		return err
	}
	// The home server decides only about the sets that it made, as in Bag.
	if set.Creator() == person.Creator() && slices.ContainsFunc(items, func(i Item) bool {
		return i.Set == set && i.Place == Elsewhere && i.Host == v.Self()
	}) {
		return v.decideHere(ctx, set, what)
	}
	return v.do(ctx, person, set, what)
}

// decideHere is decide for a set that is here.
func (v *Visits) decideHere(ctx context.Context, set id.OID, what string) error {
	var err error
	if what == doKeep {
		err = v.cfg.Objects.Decline(ctx, set)
	} else {
		err = v.cfg.Objects.Adopt(ctx, set)
	}
	var refusal *room.Refusal
	switch {
	case errors.Is(err, behaviour.ErrNoNewer) && what == doKeep:
		return Refused("That version is not offered any more. Look again.")
	case errors.Is(err, behaviour.ErrNoNewer):
		return Refused("There is no newer version of it, or its own server does not answer.")
	case errors.Is(err, behaviour.ErrUnfit):
		v.cfg.Log.Warn("newer kinds of a set do not fit", "set", set, "error", err)
		return Refused("The newer version is another game: it does not fit these pieces.")
	case errors.As(err, &refusal):
		return Refused("It lies on a table. Take it off there first.")
	}
	return err
}

// isNewer reports whether there are newer versions of a set that is here and lies on no table. If
// that cannot be found out, there are none.
func (v *Visits) isNewer(ctx context.Context, set id.OID) bool {
	newer, err := v.cfg.Objects.Newer(ctx, set)
	return err == nil && newer
}

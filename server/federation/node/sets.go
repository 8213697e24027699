package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/room"
)

var _ room.SetOwners = (*Objects)(nil)

// mendBytes is about how many bytes of texts one call has: less than an argument may have (O14).
const mendBytes = 48 << 10

// errorOf returns the error of a request in the form that rooms know, or nil if the request has
// succeeded.
func errorOf(a *object.Answered) error {
	switch {
	case a.Failure != nil:
		return &room.Unreachable{
			Reason: table.Away(a.Failure.Reason), Until: a.Failure.Until, Host: a.Failure.Host,
		}
	case a.Refusal == object.Unknown:
		return &room.Unreachable{Reason: table.AwayLost}
	case a.Refusal == object.Forbidden, a.Refusal == object.Large,
		a.Refusal == object.Lapsed, a.Refusal == object.Forgotten:
		return &room.Refusal{Reason: table.ReasonNotAllowed}
	case a.Refusal != 0:
		return fmt.Errorf("ask for object %s: %s", a.OID, a.Refusal.String())
	case a.Refused:
		return &room.Refusal{Reason: behaviour.Why(a.Answer)}
	}
	return nil
}

// call calls an object, here or elsewhere.
func (w *Objects) call(
	ctx context.Context, oid id.OID, method string, args []byte, passed ...id.OID,
) (object.Answered, error) {
	return w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Call(m, t, oid, method, args, passed)
	})
}

// callSet calls a set for a table.
func (w *Objects) callSet(
	ctx context.Context, set id.OID, method string, a *behaviour.Arguments,
) (*behaviour.Answer, error) {
	answered, err := w.call(ctx, set, method, a.Append(nil))
	if err != nil {
		return nil, err
	}
	if len(answered.Answer) == 0 {
		return &behaviour.Answer{}, nil
	}
	return behaviour.ReadAnswer(answered.Answer)
}

// Make makes a set of pieces that have left a table of this host, for the bag of the person who
// took them.
func (w *Objects) Make(ctx context.Context, s room.Session, set id.OID, c room.Contents) error {
	kinds, err := game.ReadVersions(c.Kinds)
	if err != nil {
		return fmt.Errorf("make set %s: %w", set, err)
	}
	places := map[room.Hash]int{}
	blobs := slices.Clone(c.Art)
	for i, v := range game.Versions(kinds) {
		places[v.Hash] = i
		blobs = append(blobs, room.Blob{Hash: v.Hash, Type: "application/json", Data: v.Doc})
	}
	parts := make([]behaviour.Part, len(c.Parts))
	for i, p := range c.Parts {
		at, ok := places[p.Kind]
		if !ok {
			return fmt.Errorf("make set %s: part %d is of no kind", set, p.Number)
		}
		parts[i] = behaviour.Part{
			Number: p.Number, Kind: at, Face: p.Face, Value: p.Value, Text: p.Text,
		}
	}
	is := behaviour.NewSet(kinds, parts)
	content := is.Append(nil)
	if _, err := behaviour.ReadSet(content); err != nil {
		return fmt.Errorf("make set %s: %w", set, err)
	}
	err = w.do(ctx, func() error {
		err := w.work(func(m object.Moment) (object.Step, error) {
			return w.host.Create(m, set, object.Set, is.Hashes(), content, nil)
		})
		if err == nil {
			w.next.blobs = append(w.next.blobs, blobs...)
		}
		if errors.Is(err, object.ErrExists) {
			err = nil // it was made before
		}
		return err
	})
	if err != nil {
		return err
	}
	// The table on which the set was made keeps it until it is in a person's bag.
	owner, as := s.Table, object.Table
	if w.cfg.Person != nil {
		if person := w.cfg.Person(ctx, s); !person.IsZero() && person.Creator() == w.self {
			owner, as = person, object.Person
		}
	}
	if err := w.found(ctx, owner, as); err != nil {
		return err
	}
	_, err = w.call(ctx, owner, behaviour.Put, nil, set)
	var refusal *room.Refusal
	if errors.As(err, &refusal) && refusal.Reason == table.ReasonNotAllowed {
		return nil // it was made before, and is elsewhere by now
	}
	return err
}

// found makes the object of a table or person of this host, if it does not exist yet.
func (w *Objects) found(ctx context.Context, oid id.OID, c object.Class) error {
	return w.do(ctx, func() error {
		err := w.work(func(m object.Moment) (object.Step, error) {
			return w.host.Create(m, oid, c, nil, nil, nil)
		})
		if errors.Is(err, object.ErrExists) {
			return nil
		}
		return err
	})
}

// Hold gives a set to a table of this host.
func (w *Objects) Hold(ctx context.Context, s room.Session, set id.OID) (room.Guest, error) {
	if err := w.mayPlace(ctx, s, set); err != nil {
		return room.Guest{}, err
	}
	if err := w.found(ctx, s.Table, object.Table); err != nil {
		return room.Guest{}, err
	}
	before := false
	err := w.do(ctx, func() error {
		on, ok := w.guest(set)
		if before = ok; ok && on != s.Table {
			return &room.Refusal{Reason: table.ReasonNotAllowed}
		}
		if !ok {
			w.write(object.Write{Space: guestSpace, OID: set, Value: s.Table[:]})
		}
		return nil
	})
	if err != nil {
		return room.Guest{}, err
	}
	g, err := w.holdFor(ctx, s.Table, set)
	var refusal *room.Refusal
	// After any other error it is not known whether the table got the set.
	if !before && errors.As(err, &refusal) {
		err = errors.Join(err, w.leave(context.WithoutCancel(ctx), s.Table, set))
	}
	if err == nil {
		w.askAhead(set)
	}
	return g, err
}

// Guests returns the sets that are believed to lie on a table of this host.
func (w *Objects) Guests(ctx context.Context, on id.OID) (all []id.OID, err error) {
	err = w.each(ctx, guestSpace, func(set id.OID, value []byte) error {
		if len(value) == len(on) && id.OID(value) == on {
			all = append(all, set)
		}
		return nil
	})
	return all, err
}

// mayPlace refuses to put a set on a table unless it belongs to the person at the seat (T41). It
// does if it is in that person's bag here, or if the person's own host made it and gave it to this
// one: that host vouches for the person. If a host gives a set that another host made, that says
// nothing about whose it is.
func (w *Objects) mayPlace(ctx context.Context, s room.Session, set id.OID) error {
	if w.cfg.Person == nil {
		return nil
	}
	person := s.Person // of a set that comes through a door
	if person.IsZero() {
		person = w.cfg.Person(ctx, s)
	}
	if !person.IsZero() && person.Creator() != w.self {
		given := false
		err := w.do(ctx, func() error {
			on, guest := w.guest(set)
			given = set.Creator() == person.Creator() &&
				(w.given[set] == person.Creator() || guest && on == s.Table)
			return nil
		})
		if err != nil || given {
			return err
		}
		return &room.Refusal{Reason: table.ReasonNotAllowed}
	}
	if !person.IsZero() {
		has, err := w.Has(ctx, person, set)
		if err != nil || has {
			return err
		}
	}
	return &room.Refusal{Reason: table.ReasonNotAllowed}
}

// Has reports whether a person of this host, or a bag, refers to an object.
func (w *Objects) Has(ctx context.Context, owner, oid id.OID) (bool, error) {
	all, err := w.List(ctx, owner)
	return slices.Contains(all, oid), err
}

// List returns what a person of this host, or a bag, refers to.
func (w *Objects) List(ctx context.Context, owner id.OID) (all []id.OID, err error) {
	for behind := (id.OID{}); ; behind = all[len(all)-1] {
		a, err := w.call(ctx, owner, behaviour.List, behind[:])
		if err != nil {
			return nil, err
		}
		all = append(all, a.Passed...)
		if len(a.Passed) < object.MaxPassed {
			return all, nil
		}
	}
}

// holdFor asks the owner for a set, and fetches its kinds and art.
func (w *Objects) holdFor(ctx context.Context, on, set id.OID) (g room.Guest, err error) {
	if _, err := w.call(ctx, on, behaviour.Put, nil, set); err != nil {
		return g, err
	}
	said, err := w.callSet(ctx, set, behaviour.Hold, &behaviour.Arguments{Table: on})
	if err != nil {
		return g, err
	}
	g.Shuffles = said.Shuffles
	kinds := said.Kinds
	for {
		for _, p := range said.Parts {
			g.Parts = append(g.Parts, partOf(said, p))
		}
		if said.Next == 0 {
			break
		}
		said, err = w.callSet(ctx, set, behaviour.More, &behaviour.Arguments{
			Table: on, N: int32(said.Next), //nolint:gosec // a place
		})
		if err != nil {
			return g, err
		}
	}
	var from id.HostID
	// If the giver is not known, the creator is asked.
	_ = w.do(ctx, func() error { from = w.given[set]; return nil })
	if g.Kinds, g.Art, err = w.versions(ctx, kinds, w.sources(set, from)); err != nil {
		return g, &room.Unreachable{Reason: table.AwayOwner}
	}
	return g, nil
}

// partOf returns a part as rooms know it.
func partOf(said *behaviour.Answer, p behaviour.Part) room.Part {
	return room.Part{
		Number: p.Number, Kind: room.Hash(said.Kinds[p.Kind]), Secret: p.Secret, Face: p.Face,
		Value: p.Value, Text: p.Text,
	}
}

// Release takes a set back that has left a table. The set then moves home, to its creator.
func (w *Objects) Release(ctx context.Context, from, set id.OID, parts []room.Part) error {
	lies := false
	err := w.do(ctx, func() error {
		on, ok := w.guest(set)
		lies = ok && on == from
		return nil
	})
	if err != nil || !lies {
		return err
	}
	if err := w.ignoreGoneCreator(ctx, set, w.giveBack(ctx, from, set, parts)); err != nil {
		return err
	}
	if err := w.leave(ctx, from, set); err != nil {
		return err
	}
	if set.Creator() != w.self {
		w.errand(func(ctx context.Context) { w.sendHome(ctx, set) })
	}
	return nil
}

// giveBack sends to a set what was written on it on a table, then how it lies there now and that it
// has left the table.
func (w *Objects) giveBack(ctx context.Context, from, set id.OID, parts []room.Part) error {
	var texts, now []behaviour.Part
	size := 0
	mend := func() error {
		if len(texts) == 0 {
			return nil
		}
		_, err := w.callSet(ctx, set, behaviour.SetTexts, &behaviour.Arguments{Table: from, Now: texts})
		texts, size = nil, 0
		return w.ignoreLost(err)
	}
	for _, p := range parts {
		now = append(now, behaviour.Part{Number: p.Number, Face: p.Face, Value: p.Value})
		if p.Text == "" {
			continue
		}
		texts = append(texts, behaviour.Part{Number: p.Number, Text: p.Text})
		if size += 16 + len(p.Text); size > mendBytes {
			if err := mend(); err != nil {
				return err
			}
		}
	}
	if err := mend(); err != nil {
		return err
	}
	_, err := w.callSet(ctx, set, behaviour.Return, &behaviour.Arguments{Table: from, Now: now})
	return w.ignoreLost(err)
}

// ignoreLost checks the error of a set that is given back. It returns nil if the owner refused,
// because then the table does not have the set, as it should be. It also returns nil if the owner
// has lost the set, because nobody can get it back.
func (w *Objects) ignoreLost(err error) error {
	var refusal *room.Refusal
	var absent *room.Unreachable
	if errors.As(err, &refusal) ||
		errors.As(err, &absent) && absent.Reason == table.AwayLost && absent.Until == 0 {
		return nil
	}
	return err
}

// leave forgets that a set lies on a table.
func (w *Objects) leave(ctx context.Context, from, set id.OID) error {
	_, err := w.call(ctx, from, behaviour.Take, nil, set)
	if err := w.ignoreLost(err); err != nil {
		return err
	}
	return w.do(ctx, func() error {
		w.forgetGuest(set)
		return nil
	})
}

// sendHome moves a set that no longer lies on a table here to its creator. It does nothing if the
// set is not here.
func (w *Objects) sendHome(ctx context.Context, set id.OID) {
	a, err := w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Move(m, t, set, set.Creator())
	})
	if err != nil && a.Refusal != object.Unknown {
		w.cfg.Log.Debug(
			"a set stays here for now", "set", set, "refusal", a.Refusal.String(),
			"error", err,
		)
	}
}

// Reveal returns what parts are.
func (w *Objects) Reveal(
	ctx context.Context, from, set id.OID, parts []uint32,
) (room.Revealed, error) {
	for try := 0; ; try++ {
		said, err := w.revealAll(ctx, from, set, parts)
		if err == nil || !errors.Is(err, errShuffled) || try >= 3 {
			return said, err
		}
	}
}

// errShuffled says that a set was shuffled while its parts were read in pages.
var errShuffled = errors.New("the set was shuffled meanwhile")

func (w *Objects) revealAll(
	ctx context.Context, from, set id.OID, parts []uint32,
) (all room.Revealed, err error) {
	for first := true; len(parts) > 0; first = false {
		said, err := w.callSet(ctx, set, behaviour.Reveal, &behaviour.Arguments{
			Table: from, Parts: parts,
		})
		switch {
		case err != nil:
			return room.Revealed{}, err
		case len(said.Parts) == 0 || len(said.Parts) > len(parts):
			return room.Revealed{}, &room.Unreachable{Reason: table.AwayLost}
		case !first && said.Shuffles != all.Shuffles:
			return room.Revealed{}, errShuffled
		}
		all.Shuffles = said.Shuffles
		for _, p := range said.Parts {
			all.Parts = append(all.Parts, partOf(said, p))
		}
		parts = parts[len(said.Parts):]
	}
	return all, nil
}

// Shuffle permutes the kinds of parts by random bytes of both hosts, and returns the number of the
// shuffle.
func (w *Objects) Shuffle(
	ctx context.Context, r room.Request, parts []uint32, random [32]byte,
) (uint64, error) {
	said, err := w.callSet(ctx, r.Set, behaviour.Shuffle, &behaviour.Arguments{
		Table: r.Table, Client: r.Client, Seq: r.Seq, Parts: parts, Random: random,
	})
	if err != nil {
		return 0, err
	}
	return said.Shuffles, nil
}

// Roll rolls a part, and returns the face.
func (w *Objects) Roll(
	ctx context.Context, r room.Request, part uint32, random [32]byte,
) (int32, error) {
	return w.number(ctx, r, behaviour.Roll, behaviour.Arguments{Parts: []uint32{part}, Random: random})
}

// Count adds n to the value of a part, and returns the value.
func (w *Objects) Count(ctx context.Context, r room.Request, part uint32, n int32) (int32, error) {
	return w.number(ctx, r, behaviour.Count, behaviour.Arguments{Parts: []uint32{part}, N: n})
}

// Write writes a text on a part.
func (w *Objects) Write(ctx context.Context, r room.Request, part uint32, text string) error {
	_, err := w.number(ctx, r, behaviour.Write, behaviour.Arguments{Parts: []uint32{part}, Text: text})
	return err
}

func (w *Objects) number(
	ctx context.Context, r room.Request, method string, a behaviour.Arguments,
) (int32, error) {
	a.Table, a.Client, a.Seq = r.Table, r.Client, r.Seq
	said, err := w.callSet(ctx, r.Set, method, &a)
	if err != nil {
		return 0, err
	}
	return int32(said.Number), nil //nolint:gosec // a face or a value
}

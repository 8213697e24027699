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

var _ room.Sets = (*World)(nil)

// mendBytes is about how many bytes of texts are in one call: less than an argument may have (O14).
const mendBytes = 48 << 10

// failed returns the error of a request as rooms know it, nil if it has succeeded.
func failed(a *object.Answered) error {
	switch {
	case a.Failure != nil:
		return &room.Absent{Away: table.Away(a.Failure.Reason), Until: a.Failure.Until, Host: a.Failure.Host}
	case a.Refusal == object.Unknown:
		return &room.Absent{Away: table.AwayLost}
	case a.Refusal == object.Forbidden, a.Refusal == object.Large, a.Refusal == object.Lapsed, a.Refusal == object.Forgotten:
		return &room.Refusal{Reason: table.ReasonNotAllowed}
	case a.Refusal != 0:
		return fmt.Errorf("ask for object %s: %s", a.OID, a.Refusal.String())
	case a.Refused:
		return &room.Refusal{Reason: behaviour.Why(a.Answer)}
	}
	return nil
}

// call calls an object, here or elsewhere.
func (w *World) call(ctx context.Context, oid id.OID, method string, args []byte, passed ...id.OID) (object.Answered, error) {
	a, err := w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Call(m, t, oid, method, args, passed)
	})
	if err == nil {
		err = failed(&a)
	}
	return a, err
}

// callSet calls a set for a table.
func (w *World) callSet(ctx context.Context, set id.OID, method string, a *behaviour.Ask) (*behaviour.Said, error) {
	answered, err := w.call(ctx, set, method, a.Append(nil))
	if err != nil {
		return nil, err
	}
	if len(answered.Answer) == 0 {
		return &behaviour.Said{}, nil
	}
	return behaviour.ReadSaid(answered.Answer)
}

// Make makes a set of what has left a table of this host, for the bag of who has taken it.
func (w *World) Make(ctx context.Context, s room.Session, set id.OID, c room.Contents) error {
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
		parts[i] = behaviour.Part{Number: p.Number, Kind: at, Face: p.Face, Value: p.Value, Text: p.Text}
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
	owner, as := s.Table, object.Table // until it is in somebody's bag the table on which it was made keeps it
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

// found makes sure that there is the object of a table or person of this host.
func (w *World) found(ctx context.Context, oid id.OID, c object.Class) error {
	return w.do(ctx, func() error {
		err := w.work(func(m object.Moment) (object.Step, error) { return w.host.Create(m, oid, c, nil, nil, nil) })
		if errors.Is(err, object.ErrExists) {
			return nil
		}
		return err
	})
}

// Hold gives a set to a table of this host.
func (w *World) Hold(ctx context.Context, s room.Session, set id.OID) (room.Guest, error) {
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
	if !before && errors.As(err, &refusal) { // of any other error it is not known whether it was given
		err = errors.Join(err, w.leave(context.WithoutCancel(ctx), s.Table, set))
	}
	return g, err
}

// Guests returns the sets that are believed to lie on a table of this host.
func (w *World) Guests(ctx context.Context, on id.OID) (all []id.OID, err error) {
	err = w.each(ctx, guestSpace, func(set id.OID, value []byte) error {
		if len(value) == len(on) && id.OID(value) == on {
			all = append(all, set)
		}
		return nil
	})
	return all, err
}

// mayPlace reports whether a set is of who wants to put it on a table (T41): in their bag here, or made and given by their own host,
// which vouches for them. What a host gives that others have made says nothing of whose it is.
func (w *World) mayPlace(ctx context.Context, s room.Session, set id.OID) error {
	if w.cfg.Person == nil {
		return nil
	}
	person := w.cfg.Person(ctx, s)
	if !person.IsZero() && person.Creator() != w.self {
		given := false
		err := w.do(ctx, func() error {
			on, guest := w.guest(set)
			given = set.Creator() == person.Creator() && (w.given[set] == person.Creator() || guest && on == s.Table)
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
func (w *World) Has(ctx context.Context, owner, oid id.OID) (bool, error) {
	all, err := w.List(ctx, owner)
	return slices.Contains(all, oid), err
}

// List returns what a person of this host, or a bag, refers to.
func (w *World) List(ctx context.Context, owner id.OID) (all []id.OID, err error) {
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

// holdFor asks the owner for a set, and brings what it needs.
func (w *World) holdFor(ctx context.Context, on, set id.OID) (g room.Guest, err error) {
	if _, err := w.call(ctx, on, behaviour.Put, nil, set); err != nil {
		return g, err
	}
	said, err := w.callSet(ctx, set, behaviour.Hold, &behaviour.Ask{Table: on})
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
		said, err = w.callSet(ctx, set, behaviour.More, &behaviour.Ask{Table: on, N: int32(said.Next)}) //nolint:gosec // a place
		if err != nil {
			return g, err
		}
	}
	var from id.GWID
	_ = w.do(ctx, func() error { from = w.given[set]; return nil }) // else its creator is asked
	if g.Kinds, g.Art, err = w.versions(ctx, kinds, w.sources(set, from)); err != nil {
		return g, &room.Absent{Away: table.AwayOwner}
	}
	return g, nil
}

func partOf(said *behaviour.Said, p behaviour.Part) room.Part {
	return room.Part{Number: p.Number, Kind: room.Hash(said.Kinds[p.Kind]), Secret: p.Secret, Face: p.Face, Value: p.Value, Text: p.Text}
}

// LetGo takes back a set that has left a table. It goes home: to who has made it.
func (w *World) LetGo(ctx context.Context, from, set id.OID, parts []room.Part) error {
	lies := false
	err := w.do(ctx, func() error {
		on, ok := w.guest(set)
		lies = ok && on == from
		return nil
	})
	if err != nil || !lies {
		return err
	}
	if err := w.abandoned(ctx, set, w.giveBack(ctx, from, set, parts)); err != nil {
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

// giveBack tells a set that it has left a table, what was written on it, and how it lies.
func (w *World) giveBack(ctx context.Context, from, set id.OID, parts []room.Part) error {
	var texts, now []behaviour.Part
	size := 0
	mend := func() error {
		_, err := w.callSet(ctx, set, behaviour.Mend, &behaviour.Ask{Table: from, Now: texts})
		texts, size = nil, 0
		return err
	}
	for _, p := range parts {
		now = append(now, behaviour.Part{Number: p.Number, Face: p.Face, Value: p.Value})
		if p.Text == "" {
			continue
		}
		texts = append(texts, behaviour.Part{Number: p.Number, Text: p.Text})
		if size += 16 + len(p.Text); size > mendBytes {
			if err := w.gone(mend()); err != nil {
				return err
			}
		}
	}
	if len(texts) > 0 {
		if err := w.gone(mend()); err != nil {
			return err
		}
	}
	_, err := w.callSet(ctx, set, behaviour.Back, &behaviour.Ask{Table: from, Now: now})
	return w.gone(err)
}

// gone takes an error of a set that is given back: if it is refused the table does not have it, as it should be, and one that its owner
// has lost nobody gets back.
func (w *World) gone(err error) error {
	var refusal *room.Refusal
	var absent *room.Absent
	if errors.As(err, &refusal) || errors.As(err, &absent) && absent.Away == table.AwayLost && absent.Until == 0 {
		return nil
	}
	return err
}

// leave forgets that a set lies on a table.
func (w *World) leave(ctx context.Context, from, set id.OID) error {
	_, err := w.call(ctx, from, behaviour.Take, nil, set)
	if err := w.gone(err); err != nil {
		return err
	}
	return w.do(ctx, func() error {
		w.forgetGuest(set)
		return nil
	})
}

// sendHome moves a set that lies on no table here any more to who has made it. If it is not here there is nothing to do.
func (w *World) sendHome(ctx context.Context, set id.OID) {
	a, err := w.ask(ctx, func(m object.Moment, t object.Ticket) (object.Step, error) {
		return w.host.Move(m, t, set, set.Creator())
	})
	if err != nil || a.Failure != nil || a.Refusal != 0 && a.Refusal != object.Unknown {
		w.cfg.Log.Debug("a set stays here for now", "set", set.String(), "refusal", a.Refusal.String(), "error", err)
	}
}

// Reveal says what parts are.
func (w *World) Reveal(ctx context.Context, from, set id.OID, parts []uint32) (room.Revealed, error) {
	for try := 0; ; try++ {
		said, err := w.revealAll(ctx, from, set, parts)
		if err == nil || !errors.Is(err, errShuffled) || try >= 3 {
			return said, err
		}
	}
}

// errShuffled says that a set was shuffled while its parts were read in pages.
var errShuffled = errors.New("the set was shuffled meanwhile")

func (w *World) revealAll(ctx context.Context, from, set id.OID, parts []uint32) (all room.Revealed, err error) {
	for first := true; len(parts) > 0; first = false {
		said, err := w.callSet(ctx, set, behaviour.Reveal, &behaviour.Ask{Table: from, Parts: parts})
		switch {
		case err != nil:
			return room.Revealed{}, err
		case len(said.Parts) == 0 || len(said.Parts) > len(parts):
			return room.Revealed{}, &room.Absent{Away: table.AwayLost}
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

// Shuffle deals the kinds of parts out anew, by a lot of both sides.
func (w *World) Shuffle(ctx context.Context, r room.Request, parts []uint32, random [32]byte) (uint64, error) {
	said, err := w.callSet(ctx, r.Set, behaviour.Shuffle, &behaviour.Ask{Table: r.Table, Client: r.Client, Seq: r.Seq, Parts: parts, Random: random})
	if err != nil {
		return 0, err
	}
	return said.Shuffles, nil
}

// Roll rolls a part.
func (w *World) Roll(ctx context.Context, r room.Request, part uint32, random [32]byte) (int32, error) {
	return w.number(ctx, r, behaviour.Roll, behaviour.Ask{Parts: []uint32{part}, Random: random})
}

// Count adds to the value of a part.
func (w *World) Count(ctx context.Context, r room.Request, part uint32, n int32) (int32, error) {
	return w.number(ctx, r, behaviour.Count, behaviour.Ask{Parts: []uint32{part}, N: n})
}

// Write writes on a part.
func (w *World) Write(ctx context.Context, r room.Request, part uint32, text string) error {
	_, err := w.number(ctx, r, behaviour.Write, behaviour.Ask{Parts: []uint32{part}, Text: text})
	return err
}

func (w *World) number(ctx context.Context, r room.Request, method string, a behaviour.Ask) (int32, error) {
	a.Table, a.Client, a.Seq = r.Table, r.Client, r.Seq
	said, err := w.callSet(ctx, r.Set, method, &a)
	if err != nil {
		return 0, err
	}
	return int32(said.Number), nil //nolint:gosec // a face or a value
}

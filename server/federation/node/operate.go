package node

import (
	"context"
	"fmt"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
)

// What operators ask about objects (holt objects).

// Overview counts the objects that are here, that were made here and are elsewhere, and that are
// unreachable.
type Overview struct {
	// Here counts objects that are here, by creator and class.
	Here []Count
	// There counts objects that were made here and are elsewhere, by owner.
	There []Count
	// Held counts references to objects of other owners, by owner as far as it is known.
	Held []Count
	// Away lists objects that cannot be reached (O16), at most MaxAway of them, by object.
	Away []object.Failure
	// Copies are the frozen copies of objects that are elsewhere (O40).
	Copies Copies
	// Waiting are linked hosts that have not said yet what they know since this one was restored
	// (O43).
	Waiting []id.HostID
	// WentBack is when it was last noticed that the data folder went back (O47), 0 for never.
	// Witness is the host that noticed it.
	WentBack id.Millis
	Witness  id.HostID
	// Unread counts stored values that cannot be read.
	Unread int
	// LastRound is when the last round of the collection ended or began.
	LastRound id.Millis
}

// MaxAway is how many unreachable objects an Overview lists.
const MaxAway = 1000

// Count is how many objects there are of a sort.
type Count struct {
	Host  id.HostID
	Class object.Class // 0: not said
	N     int
	// Moving is how many of them are between two owners.
	Moving int
}

// Overview reads what is stored. Other work goes on meanwhile, so an object that moves may be
// counted twice or not at all.
func (w *Objects) Overview(ctx context.Context) (o Overview, err error) {
	here, there, held := counts{}, counts{}, counts{}
	list := func(s object.Space, add func(oid id.OID, value []byte) error) {
		if err == nil {
			err = w.each(ctx, s, func(oid id.OID, value []byte) error {
				if add(oid, value) != nil {
					o.Unread++ // the others are listed
				}
				return nil
			})
		}
	}
	list(object.Heads, func(oid id.OID, value []byte) error {
		class, moving, err := object.ReadHead(value)
		if err == nil {
			here.add(oid.Creator(), class, moving)
		}
		return err
	})
	list(object.Forwards, func(_ id.OID, value []byte) error {
		owner, err := object.ReadForward(value)
		if err == nil {
			there.add(owner, 0, false)
		}
		return err
	})
	list(object.Helds, func(_ id.OID, value []byte) error {
		owner, err := object.ReadHeld(value)
		if err == nil {
			held.add(owner, 0, false)
		}
		return err
	})
	list(object.Aways, func(oid id.OID, value []byte) error {
		f, err := object.ReadAway(oid, value)
		if err == nil && len(o.Away) < MaxAway {
			o.Away = append(o.Away, f)
		}
		return err
	})
	if err == nil {
		o.Copies, err = w.copies(ctx)
	}
	if err == nil {
		err = w.do(ctx, func() error {
			if o.LastRound = w.last; w.host != nil {
				o.Waiting = w.host.Waiting()
				o.WentBack, o.Witness = w.host.WentBack()
			}
			return nil
		})
	}
	o.Here, o.There, o.Held = here.sorted(), there.sorted(), held.sorted()
	return o, err
}

// WentBack returns when it was last noticed that the data folder went back (O47), 0 for never.
func (w *Objects) WentBack() id.Millis { return id.Millis(w.wentBack.Load()) }

// each calls take with all durable values of a space, until take returns an error.
func (w *Objects) each(
	ctx context.Context, s object.Space, take func(oid id.OID, value []byte) error,
) error {
	for behind := (id.OID{}); ; {
		page, err := w.cfg.Store.ObjectValues(ctx, s, behind, lastPage)
		if err != nil {
			return err
		}
		for i := range page {
			if err := take(page[i].OID, page[i].Value); err != nil {
				return fmt.Errorf("read object %s: %w", page[i].OID, err)
			}
			behind = page[i].OID
		}
		if len(page) < lastPage {
			return nil
		}
	}
}

// Trust continues after a restore without a host that does not answer (O11). Objects that this host
// has had since the backup may then be served here in an older state.
func (w *Objects) Trust(ctx context.Context, host id.HostID) error {
	return w.do(ctx, func() error {
		return w.work(with(w.host.Trust, host))
	})
}

// Restore makes an object of a file in the quarantine (O28). It gets a new identifier from mint,
// because the old one may belong to somebody else by now. found is the person who has everything
// that was restored, and now also the new object, which lies on no table. The new object refers to
// nothing: what it belonged with is somebody else's (O53).
func (w *Objects) Restore(
	ctx context.Context, path string, mint func() (id.OID, error),
) (oid, found id.OID, err error) {
	e, err := w.readQuarantine(path)
	if err != nil {
		return oid, found, fmt.Errorf("read %s: %w", path, err)
	}
	content := e.Content()
	if e.Class == object.Set {
		s, err := behaviour.ReadSet(content)
		if err != nil {
			return oid, found, err
		}
		s.On = id.OID{}
		content = s.Append(nil)
	}
	found = w.foundPerson()
	if err := w.found(ctx, found, object.Person); err != nil {
		return oid, found, err
	}
	if oid, err = mint(); err != nil {
		return oid, found, err
	}
	err = w.do(ctx, func() error {
		return w.work(func(m object.Moment) (object.Step, error) {
			return w.host.Create(m, oid, e.Class, e.Kinds(), content, nil)
		})
	})
	if err == nil {
		err = w.Put(ctx, found, oid)
	}
	return oid, found, err
}

// foundPerson returns the person who has everything that was restored. No minted identifier equals
// this one, because its time is 0.
func (w *Objects) foundPerson() (p id.OID) {
	copy(p[:], w.self[:])
	p[len(p)-1] = 1
	return p
}

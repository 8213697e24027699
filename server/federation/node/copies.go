package node

import (
	"context"
	"errors"

	"holt/server/federation/behaviour"
	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// Frozen copies of objects that were made here and are elsewhere (O40, O41).

// CopyOf is the frozen copy of an object whose owner was given up.
type CopyOf struct {
	OID  id.OID
	At   id.Millis // when the object was so
	Host id.HostID // the host that has had the object since
}

// Copies counts the frozen copies.
type Copies struct {
	N     int
	Bytes int64
	// Offered are the copies of objects whose owner was given up, at most MaxAway of them, by
	// object.
	Offered []CopyOf
}

// copyPage is how many copies are read at once. Each may have a megabyte.
const copyPage = 16

// copies reads which frozen copies there are.
func (w *Objects) copies(ctx context.Context) (c Copies, err error) {
	for behind := (id.OID{}); ; {
		page, err := w.cfg.Store.ObjectValues(ctx, object.Copies, behind, copyPage)
		if err != nil {
			return c, err
		}
		err = w.do(ctx, func() error {
			for i := range page {
				c.N++
				c.Bytes += int64(len(page[i].Value))
				x, ok := w.copyOf(page[i].OID)
				if ok && x.Offered && len(c.Offered) < MaxAway {
					c.Offered = append(c.Offered, CopyOf{OID: page[i].OID, At: x.At, Host: x.Owner})
				}
			}
			return nil
		})
		if err != nil || len(page) < copyPage {
			return c, err
		}
		behind = page[len(page)-1].OID
	}
}

// copyOf returns what is known of a frozen copy. Only run calls it.
func (w *Objects) copyOf(oid id.OID) (object.Copy, bool) {
	if w.host == nil {
		return object.Copy{}, false
	}
	return w.host.Copy(oid)
}

// Copy returns the time of the frozen copy of an object, if the copy can be thawed because the
// owner was given up. Otherwise it returns 0.
func (w *Objects) Copy(ctx context.Context, oid id.OID) (at id.Millis, err error) {
	err = w.do(ctx, func() error {
		if c, ok := w.copyOf(oid); ok && c.Offered {
			at = c.At
		}
		return nil
	})
	return at, err
}

// Thaw uses the frozen copy of an object again, because its owner was given up. A set lies on no
// table then. The error is object.ErrNoCopy, object.ErrInUse or object.ErrUnready if the copy
// cannot be thawed.
func (w *Objects) Thaw(ctx context.Context, oid id.OID) error {
	err := w.do(ctx, func() error {
		return w.work(with(w.host.Thaw, oid))
	})
	if err != nil {
		return err
	}
	_, err = w.call(ctx, oid, behaviour.Recall, nil)
	var refusal *room.Refusal
	if errors.As(err, &refusal) {
		return nil // the object is not a set
	}
	return err
}

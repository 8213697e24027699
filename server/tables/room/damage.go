package room

import (
	"context"
	"errors"
	"slices"
	"time"

	"holt/server/id"
)

// A table whose log is damaged cannot be opened; all others can. To find out that a table is
// damaged costs as much as to open it. So that happens again only after a while, however often
// somebody asks for the table.

// damageFor is how long a table counts as damaged before it is read again.
const damageFor = time.Minute

// damaged is a table that could not be opened.
type damaged struct {
	err   error
	until time.Time
}

// damageOf returns why a table cannot be opened; nil if no damage is known. rs.mu is held.
func (rs *Rooms) damageOf(t id.OID) error {
	d, ok := rs.damaged[t]
	if !ok || time.Now().After(d.until) {
		return nil
	}
	return d.err
}

// noteDamage notes whether a table could be opened. rs.mu is held.
func (rs *Rooms) noteDamage(t id.OID, err error) {
	_, known := rs.damaged[t]
	switch {
	case errors.Is(err, ErrDamaged):
		rs.damaged[t] = damaged{err, time.Now().Add(damageFor)}
		if !known {
			rs.cfg.Log.Error("a table is damaged and cannot be opened: holt check says more",
				"table", t.String(), "error", err)
		}
	case known && (err == nil || errors.Is(err, ErrGone)):
		delete(rs.damaged, t)
	}
}

// Sound returns ErrDamaged if a table cannot be opened because it is damaged. It opens the table:
// its caller is about to use it.
func (rs *Rooms) Sound(ctx context.Context, t id.OID) error {
	_, release, err := rs.acquire(ctx, t)
	if err == nil {
		release()
	}
	if errors.Is(err, ErrDamaged) {
		return err
	}
	return nil
}

// Damaged returns the tables that could not be opened when somebody last asked for them, because
// they are damaged.
func (rs *Rooms) Damaged() []id.OID {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	all := make([]id.OID, 0, len(rs.damaged))
	for t := range rs.damaged {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b id.OID) int { return slices.Compare(a[:], b[:]) })
	return all
}

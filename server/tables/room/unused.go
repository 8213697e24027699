package room

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"holt/server/id"
)

// Tables that nobody uses are deleted after a time that the operator sets (T50). A table is in use
// while somebody has a stream to it, or when something is recorded at it. The time of the last use
// is stored now and then, so a move costs nothing more.

const (
	// touchEvery is how much time passes until it is stored again that a table is in use.
	touchEvery = 12 * time.Hour
	// maxJump is how far the machine's clock may differ from the time that has passed.
	maxJump = time.Hour
)

// errInUse says that a table is in use.
var errInUse = errors.New("the table is in use")

// ErrClock says that the machine's clock was set, so that nobody knows how long a table was not
// used.
var ErrClock = errors.New("the clock of this machine has jumped")

// touch stores that the table is in use, unless that was stored within touchEvery.
func (r *room) touch() {
	now := r.now()
	if !r.used || now-r.row.Used < id.Millis(touchEvery.Milliseconds()) {
		return
	}
	r.used, r.row.Used = len(r.clients) > 0, now
	r.callsRunning.Go(func() {
		ctx, cancel := storeContext()
		defer cancel()
		if err := r.cfg.Store.Touch(ctx, r.row.Table, now); err != nil && !errors.Is(err, ErrGone) {
			r.log.Warn("it could not be noted that the table is in use", "error", err)
		}
	})
}

// clockCheck notices that somebody sets the machine's clock.
type clockCheck struct {
	mu sync.Mutex
	// Guarded by mu.
	last   time.Time // when it last read the clock
	wall   id.Millis // what the clock said then
	jumped bool      // stays true while the process lives
}

// hasJumped reads the clock, and reports whether it has ever jumped since it was first read.
func (c *clockCheck) hasJumped(wall id.Millis) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !c.last.IsZero() {
		off := time.Duration(wall-c.wall)*time.Millisecond - now.Sub(c.last)
		c.jumped = c.jumped || off.Abs() > maxJump
	}
	c.last, c.wall = now, wall
	return c.jumped
}

// Unused returns the tables that were not in use for so long. ErrClock if nobody can know.
func (rs *Rooms) Unused(ctx context.Context, unused time.Duration) ([]id.OID, error) {
	now := rs.cfg.Now()
	if rs.clockCheck.hasJumped(now) {
		return nil, ErrClock
	}
	all, err := rs.cfg.Store.Unused(ctx, now-id.Millis(unused.Milliseconds()), now)
	if err != nil {
		return nil, storeError(err)
	}
	return all, nil
}

// DeleteUnused deletes the tables that were not in use for so long (T50), and returns how many it
// deleted. ErrClock if nobody can know.
func (rs *Rooms) DeleteUnused(ctx context.Context, unused time.Duration) (n int, err error) {
	all, err := rs.Unused(ctx, unused)
	if err != nil {
		return 0, err
	}
	for _, t := range all {
		failed := rs.deleteIf(ctx, t, 0, func(r *room) error {
			if r.used || len(r.clients) > 0 ||
				r.now()-r.row.Used < id.Millis(unused.Milliseconds()) {
				return errInUse
			}
			return nil
		})
		switch {
		case failed == nil:
			n++
		case errors.Is(failed, errInUse), errors.Is(failed, ErrGone), errors.Is(failed, ErrNoTable):
		default:
			err = errors.Join(err,
				fmt.Errorf("throw table %s away, which nobody uses: %w", t, failed))
		}
	}
	return n, err
}

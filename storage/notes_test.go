package storage

import (
	"sync"
	"testing"
	"time"

	"holt/server/tables/room"
)

// setClock is a clock with one timer. It stands still until the test sets it.
type setClock struct {
	mu  sync.Mutex
	at  time.Time
	due time.Time // zero: the timer is stopped
	c   chan time.Time
}

func newSetClock() *setClock {
	return &setClock{at: time.Unix(1_800_000_000, 0), c: make(chan time.Time)}
}

func (c *setClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *setClock) newTimer(d time.Duration) timer {
	c.Reset(d)
	return c
}

func (c *setClock) fired() <-chan time.Time { return c.c }

func (c *setClock) Reset(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = c.at.Add(d)
	return true
}

func (c *setClock) Stop() bool { return true }

// on advances the clock. If the timer fires, on waits until the writer has handled it, and returns
// true.
func (c *setClock) on(d time.Duration) (fired bool) {
	c.mu.Lock()
	c.at = c.at.Add(d)
	now := c.at
	if fired = !c.due.IsZero() && !c.due.After(now); fired {
		c.due = time.Time{}
	}
	c.mu.Unlock()
	if fired {
		c.c <- now
	}
	return fired
}

// A timer writes the notes that no commit writes, recordEvery after the last notes.
// Clauses: T58.5
func TestNotesOfTimer(t *testing.T) {
	if recordEvery > 100*time.Millisecond {
		t.Errorf("the lengths are stored %v after the last entries", recordEvery)
	}
	clock := newSetClock()
	db, err := Open(t.Context(), t.TempDir(), Options{clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	// noted checks what a job finds: if the writer had to set the timer, it has done so by then.
	noted := func(want room.Position) {
		t.Helper()
		var got room.Position
		if err := db.write(t.Context(), 0, func(tx *tx) (err error) {
			got, err = recordedLength(tx.ctx, tx.conn, 1)
			return err
		}); err != nil || got != want {
			t.Fatalf("the log is noted to have %d entries, want %d, %v", got, want, err)
		}
	}
	fires := func(d time.Duration, want bool) {
		t.Helper()
		if clock.on(d) != want {
			t.Fatalf("after %v the timer has fired: %v", d, !want)
		}
	}
	mustCreate(t, db, 1, "a") // the first commit writes its notes
	noted(1)
	if err := appendTo(t, db, 1, 1, "b"); err != nil {
		t.Fatal(err)
	}
	noted(1)
	fires(recordEvery-1, false)
	noted(1)
	fires(1, true)
	noted(2)
	t.Run("several appends are noted at once", func(t *testing.T) {
		if err := appendTo(t, db, 1, 2, "c"); err != nil {
			t.Fatal(err)
		}
		noted(2)
		fires(recordEvery/2, false)
		if err := appendTo(t, db, 1, 3, "d"); err != nil {
			t.Fatal(err)
		}
		noted(2)
		fires(recordEvery/2, true)
		noted(4)
	})
	t.Run("the timer rests when nothing is to be noted", func(t *testing.T) {
		fires(10*recordEvery, false)
		noted(4)
	})
	t.Run("a due commit brings them without the timer", func(t *testing.T) {
		if err := appendTo(t, db, 1, 4, "e"); err != nil {
			t.Fatal(err)
		}
		noted(5)
		fires(recordEvery, false)
	})
}

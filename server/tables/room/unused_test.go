package room_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/tables/room"
)

func TestForget(t *testing.T) {
	const day = 24 * time.Hour
	forget := func(t *testing.T, r *rig) int {
		t.Helper()
		n, err := r.rooms.DeleteUnused(t.Context(), 30*day)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	in(t).Run("T50.1 an unused table is deleted", func(t *testing.T, r *rig) {
		r.open(r.host.Session).cut()
		<-time.After(29 * day)
		if n := forget(t, r); n != 0 {
			t.Errorf("after 29 days %d are deleted", n)
		}
		<-time.After(2 * day)
		if n := forget(t, r); n != 1 {
			t.Errorf("after 31 days %d are deleted", n)
		}
		r.wantGone()
		r.wantNothingLeft()
	})
	// Clauses: T50.2
	in(t).Run("T50 a table with a stream is in use, though nobody moves", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		<-time.After(100 * day)
		if n := forget(t, r); n != 0 {
			t.Error("it is deleted with somebody present")
		}
		ada.cut()
		<-time.After(29 * day)
		if n := forget(t, r); n != 0 {
			t.Error("it is deleted 29 days after they left")
		}
	})
	in(t).Run("T50.2, T50.4 the last use is stored twice a day", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		for range 100 {
			ada.frames()
			ada.mustSend(ada.move(tokenOne, 1, 1))
			<-time.After(10 * time.Minute)
		}
		if n := read(r.store, func() int { return r.store.touches }); n < 1 || n > 3 {
			t.Errorf("%d writes within 17 hours", n)
		}
		ada.cut()
		<-time.After(20 * day)
		again := r.open(r.host.Session)
		again.frames()
		r.stop() // at once
		r.start()
		<-time.After(20 * day)
		if n := forget(t, r); n != 0 {
			t.Error("it is deleted 20 days after a visit")
		}
		synctest.Wait()
		<-time.After(11 * day)
		if n := forget(t, r); n != 1 {
			t.Error("it is still there")
		}
	})
	in(t).Run("T50.3 asking for an invite or a page does not count", func(t *testing.T, r *rig) {
		for range 40 {
			<-time.After(day)
			if _, err := r.rooms.Invite(t.Context(), r.invites.Player); err != nil {
				t.Fatal(err)
			}
		}
		if n := forget(t, r); n != 1 {
			t.Error("it is still there")
		}
	})
	in(t).Run("T50.7 nothing is deleted after a jump of the clock", func(t *testing.T, r *rig) {
		if n := forget(t, r); n != 0 {
			t.Error("a new table is deleted")
		}
		r.clock.back(-365 * day)
		for range 3 {
			if n, err := r.rooms.DeleteUnused(t.Context(), 30*day); n != 0 ||
				!errors.Is(err, room.ErrClock) {
				t.Errorf("%d are deleted, %v", n, err)
			}
			<-time.After(time.Hour)
		}
	})
}

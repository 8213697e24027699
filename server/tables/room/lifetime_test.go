package room_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/tables/room"
	"holt/server/tables/stream"
)

func (m *memory) loaded() int { return read(m, func() int { return m.loads }) }

func TestLifetime(t *testing.T) {
	in(t).Run("an unused table is unloaded, and loaded on demand", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		<-time.After(10 * time.Minute)
		if n := r.store.loaded(); n != 1 {
			t.Errorf("a table with a stream was loaded %d times", n)
		}
		ada.leave()
		<-time.After(2 * time.Minute)
		if n := read(r.store, func() int { return len(r.store.snapshots) }); n != 1 {
			t.Errorf("%d snapshots, want one at unloading", n)
		}
		ada.reopen(1)
		if events := ada.events(); events[0].GetFull().GetPieces()[tokenOne-1].GetX() != 1 ||
			len(acks(events)) != 1 {
			t.Errorf("after unloading: %v", events)
		}
		if n := r.store.loaded(); n != 2 {
			t.Errorf("loaded %d times, want 2", n)
		}
	})
	in(t).Run("a check for a seat does not load the table", func(t *testing.T, r *rig) {
		loads := r.store.loaded()
		if row, err := r.rooms.Seated(t.Context(), r.host.Table, r.host.Token); err != nil ||
			row.Title != "Test" || row.Table != r.host.Table {
			t.Errorf("%+v, %v", row, err)
		}
		if _, err := r.rooms.Seated(
			t.Context(), r.host.Table, "guessed",
		); !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("a guessed token: %v", err)
		}
		if _, err := r.rooms.Seated(
			t.Context(), id.OID{1}, r.host.Token,
		); !errors.Is(err, room.ErrNoTable) {
			t.Errorf("no table: %v", err)
		}
		if n := r.store.loaded(); n != loads {
			t.Errorf("loaded %d times, %d before", n, loads)
		}
	})
	in(t).Run("concurrent requests load a table once", func(t *testing.T, r *rig) {
		hold := make(chan struct{})
		r.store.holdLoad = hold
		results := make(chan error, 20)
		for range 20 {
			go func() { _, err := r.rooms.Read(t.Context(), r.host.Session); results <- err }()
		}
		hasty, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { _, err := r.rooms.Read(hasty, r.host.Session); gone <- err }()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		close(hold)
		for range 20 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if n := r.store.loaded(); n != 1 {
			t.Errorf("loaded %d times", n)
		}
	})
	in(t).Run("S2 a server that stops says so, and loses nothing", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		bob.line.stall() // it takes nothing, and is cut off
		release := r.store.block()
		answer := ada.post(ada.move(tokenOne, 1, 1))
		stopped := make(chan error, 1)
		go func() { stopped <- r.rooms.Shutdown(t.Context()) }()
		synctest.Wait()
		unanswered(t, answer)
		release()
		if err := errors.Join(<-answer, <-stopped); err != nil {
			t.Error(err)
		}
		events := ada.events()
		going := events[len(events)-1].GetGoing()
		if len(acks(events)) != 1 || going == nil || going.GetFinal() || going.GetAfterMs() == 0 ||
			going.GetAfterMs() > 5000 {
			t.Errorf("ada gets %v", events)
		}
		for _, p := range []*player{ada, bob} {
			if p.line.code != stream.CodeGoingAway {
				t.Errorf("a stream was closed with %d", p.line.code)
			}
		}
		if err := ada.send(ada.move(tokenOne, 2, 2)); !errors.Is(err, room.ErrStopping) {
			t.Errorf("error %v", err)
		}
		if err := r.rooms.Shutdown(t.Context()); err != nil {
			t.Errorf("a second shutdown: %v", err)
		}
		r.start()
		if x := r.open(r.host.Session).events()[0].GetFull().GetPieces()[tokenOne-1].GetX(); x != 1 {
			t.Errorf("after it x is %d", x)
		}
	})
	in(t).Run("a shutdown without time reports it, and can be repeated", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		release := r.store.block()
		answer := ada.post(ada.move(tokenOne, 1, 1))
		hasty, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.rooms.Shutdown(hasty); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		release()
		if err := <-answer; err != nil {
			t.Error(err)
		}
	})
}

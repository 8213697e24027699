package room_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/tables/room"
)

// inboxLength is the published bound of a room's inbox (docs/ARCHITECTURE.md).
const inboxLength = 256

// fill stops the room's clock, so that the room stands still, and fills its inbox. The answers come
// when release is called.
func (r *rig) fill() (answers chan error, release func()) {
	r.t.Helper()
	answers = make(chan error, inboxLength+1)
	release = r.clock.stop()
	for i := range inboxLength + 1 { // the room has taken one, and works on it
		go func() { _, err := r.rooms.Read(r.t.Context(), r.host.Session); answers <- err }()
		if i == 0 {
			synctest.Wait()
		}
	}
	synctest.Wait()
	if len(answers) != 0 {
		r.t.Fatalf("%d answers of a blocked room", len(answers))
	}
	return answers, release
}

func TestBusy(t *testing.T) {
	// Clauses: T15.2
	in(t).Run("a table that makes no progress refuses after two seconds", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		answers, release := r.fill()
		defer release()
		began := time.Now()
		u := ada.move(tokenOne, 1, 1)
		if err := ada.send(u); !errors.Is(err, room.ErrBusy) {
			t.Errorf("error %v", err)
		}
		if waited := time.Since(began); waited != 2*time.Second {
			t.Errorf("it waits %v, want two seconds", waited)
		}
		if _, err := r.rooms.Read(t.Context(), r.host.Session); !errors.Is(err, room.ErrBusy) {
			t.Errorf("error %v", err)
		}
		if _, err := r.rooms.TakeSeat(
			t.Context(), r.invites.Player, room.Person{Nick: "Bob"},
		); !errors.Is(err, room.ErrBusy) {
			t.Errorf("error %v", err)
		}
		release()
		for range inboxLength + 1 {
			if err := <-answers; err != nil {
				t.Errorf("an update taken before is answered by %v", err)
			}
		}
		if told := ada.events(); len(told) != 0 {
			t.Errorf("T15 after a refusal something is stored: %v", told)
		}
		ada.mustSend(u)
		if got := acks(ada.events()); !slices.Equal(got, []uint64{uint64(u.Seq)}) {
			t.Errorf("T10 the retry is acknowledged as %v", got)
		}
	})
	in(t).Run("a client that waits for a busy table is let in, or leaves", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		answers, release := r.fill()
		defer release()
		hasty, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() { _, err := r.rooms.Read(hasty, r.host.Session); gone <- err }()
		patient := ada.post(ada.move(tokenOne, 1, 1))
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		<-time.After(1900 * time.Millisecond) // in virtual time
		unanswered(t, patient)
		release()
		if err := <-patient; err != nil {
			t.Errorf("error %v", err)
		}
		for range inboxLength + 1 {
			if err := <-answers; err != nil {
				t.Errorf("error %v", err)
			}
		}
	})
	in(t).Run("S2 waiting clients are informed of a server stop", func(t *testing.T, r *rig) {
		answers, release := r.fill()
		late := make(chan error, 1)
		go func() { _, err := r.rooms.Read(t.Context(), r.host.Session); late <- err }()
		synctest.Wait()
		stopped := make(chan error, 1)
		go func() { stopped <- r.rooms.Shutdown(t.Context()) }()
		synctest.Wait()
		release()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		if err := <-late; !errors.Is(err, room.ErrStopping) && err != nil {
			t.Errorf("a waiting client gets %v", err)
		}
		for range inboxLength + 1 {
			if err := <-answers; !errors.Is(err, room.ErrStopping) && err != nil {
				t.Errorf("an admitted client gets %v", err)
			}
		}
	})
}

package room_test

import (
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/tables/room"
)

// TestFindingR9ThoseWhoPlayDoNotWait makes one seat flood a room that stands still. Then somebody
// else plays and does not have to wait for the flood.
func TestFindingR9ThoseWhoPlayDoNotWait(t *testing.T) {
	in(t).Run("the batches of one seat do not fill the inbox", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		release := r.clock.stop()
		// The room works on it, and stands still.
		go func() { _, _ = r.rooms.Read(t.Context(), r.host.Session) }()
		synctest.Wait()
		flood := make(chan error, 2*inboxLength)
		first := ada.move(tokenOne, 1, 1)
		for range cap(flood) {
			go func() { flood <- ada.send(first) }()
		}
		synctest.Wait()
		answer := bob.post(bob.move(tokenTwo, 5, 5))
		// In virtual time. A caller that finds the inbox full gives up after two seconds.
		<-time.After(3 * time.Second)
		release()
		if err := <-answer; err != nil {
			t.Errorf("a player gets %v", err)
		}
		for range cap(flood) {
			<-flood
		}
	})
	in(t).Run("a storm of streams does not fill the inbox", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		eve := r.seat(r.invites.Spectator, "Eve").Session
		release := r.clock.stop()
		// The room works on it, and stands still.
		go func() { _, _ = r.rooms.Read(t.Context(), r.host.Session) }()
		synctest.Wait()
		joined := make(chan error, 2*inboxLength)
		for i := range cap(joined) {
			go func() {
				_, err := r.rooms.Open(t.Context(), eve,
					room.Hello{Client: id.Client{1, byte(i), byte(i >> 8)}},
					&memoryCarrier{closed: make(chan struct{})})
				joined <- err
			}()
		}
		synctest.Wait()
		answer := ada.post(ada.move(tokenOne, 1, 1))
		// In virtual time. A caller that finds the inbox full gives up after two seconds.
		<-time.After(3 * time.Second)
		release()
		if err := <-answer; err != nil {
			t.Errorf("a player gets %v", err)
		}
		for range cap(joined) {
			if err := <-joined; err != nil {
				t.Errorf("a new client gets %v", err)
			}
		}
	})
}

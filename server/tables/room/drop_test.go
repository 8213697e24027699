package room_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/play/fairness"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// droppedBy returns the seats that have dropped history, by events.
func droppedBy(events []*holtpb.Event) (all []uint32) {
	for _, e := range events {
		if s := e.GetSpace(); s.GetDropped() != 0 {
			all = append(all, s.GetDropped())
		}
	}
	return all
}

// exported returns the export of the table, verified.
func (r *rig) exported() (*fairness.Export, string) {
	r.t.Helper()
	e, version, err := r.rooms.Fairness(r.t.Context(), r.host.Session)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := fairness.Verify(e); err != nil {
		r.t.Errorf("the export differs: %v", err)
	}
	return e, version
}

func TestDropHistory(t *testing.T) {
	limited := quotaOf(t, room.Quota{Table: 40_000})
	// Clauses: T48.1, T48.3, T48.4, T48.5, T48.7
	limited.Run("T48 a full table goes on when its history is dropped", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		ada, friend := r.open(r.host.Session), r.open(bob.Session)
		ada.fill(3)
		before := ada.reopenForFull()
		friend.frames()
		if err := r.rooms.DropHistory(t.Context(), bob.Session); !errors.Is(err, room.ErrRole) {
			t.Errorf("a player may drop it: %v", err)
		}
		if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		if got := friend.events(); fmt.Sprint(droppedBy(got)) != "[1]" ||
			fmt.Sprint(levels(got)) != "[0]" {
			t.Errorf("Bob gets %v", got)
		}
		if got := r.store.bytes(r.host.Table); got > 2000 {
			t.Errorf("%d bytes are left", got)
		}
		if got := ada.reason(ada.copyOf(tokenTwo)); got != 0 {
			t.Errorf("a copy is refused: %v", got)
		}
		synctest.Wait()
		if all, _ := r.store.Dropped(t.Context()); len(all) != 0 {
			t.Error("dropped entries are not deleted")
		}
		for range 2 {
			r.stop()
			r.start()
			again := r.open(r.host.Session)
			full := again.events()[0].GetFull()
			if len(full.GetPieces()) != len(before.GetPieces())+1 || len(full.GetSeats()) != 2 ||
				full.GetEpoch() != before.GetEpoch() {
				t.Errorf("after a restart the table is %v", full)
			}
			again.mustSend(again.move(tokenOne, 3, 3))
		}
		if got, want := r.store.logged(r.host.Table), r.store.bytes(r.host.Table); got != want {
			t.Errorf("%d bytes are counted of %d", got, want)
		}
	})
	in(t).Run("T48.5, T48.6 streams go on and pending updates count", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		one := ada.move(tokenOne, 1, 1)
		epoch, version := ada.epoch, ada.version
		ada.cut()
		if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		ada.mustSend(one)
		if events := ada.comeBack(
			room.Hello{Epoch: epoch, Version: version, Seq: one.Seq},
		); events[0].GetResumed() == nil {
			t.Errorf("a stream does not go on: %v", events)
		}
		ada.mustSend(one) // its outcome is remembered
		if got := ada.events(); fmt.Sprint(acks(got)) != fmt.Sprint([]uint64{uint64(one.Seq)}) ||
			len(rejected(got)) != 0 {
			t.Errorf("a retry is answered by %v", got)
		}
	})
	in(t).Run("F14, T48.2, T48.8 an export begins later, and says so", func(t *testing.T, r *rig) {
		r.seat(r.invites.Player, "Bob")
		for range 2 {
			if _, err := r.rooms.OpenRound(t.Context(), r.host.Session); err != nil {
				t.Fatal(err)
			}
		}
		whole, version := r.exported()
		if len(whole.Rounds) != 3 || whole.Dropped != 0 {
			t.Fatalf("there are %d rounds", len(whole.Rounds))
		}
		if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		for _, when := range []string{"at once", "after a restart"} {
			e, now := r.exported()
			if len(e.Rounds) != 1 || e.Dropped != 3 || e.Rounds[0].Round != 4 || now == version ||
				e.Seats[2] != "Bob" {
				t.Errorf("%s the export has %d rounds after %d, and seats %v", when, len(e.Rounds),
					e.Dropped, e.Seats)
			}
			r.stop()
			r.start()
		}
		r.exported()
		<-time.After(2 * time.Second)
		if _, err := r.rooms.OpenRound(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		<-time.After(2 * time.Second)
		if e, _ := r.exported(); len(e.Rounds) != 2 || e.Rounds[0].Seed == nil {
			t.Errorf("the next round is not revealed: %v", e.Rounds)
		}
	})
	in(t).Run("T48 a refused drop leaves the table unchanged", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		r.store.failNext("drop", errDisk)
		if err := r.rooms.DropHistory(
			t.Context(), r.host.Session,
		); !errors.Is(err, room.ErrStorage) {
			t.Errorf("it was dropped: %v", err)
		}
		ada.mustSend(ada.move(tokenOne, 1, 1))
		if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
			t.Errorf("it is not dropped the next time: %v", err)
		}
	})
	rounds := quotaOf(t, room.Quota{Rounds: 5})
	rounds.Run("T48.3 a drop counts as a round", func(t *testing.T, r *rig) {
		var soon *room.TooSoon
		for range 5 {
			if err := r.rooms.DropHistory(t.Context(), r.host.Session); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.rooms.DropHistory(t.Context(), r.host.Session); !errors.As(err, &soon) {
			t.Errorf("the sixth is answered with %v", err)
		}
	})
}

func TestSweepHistories(t *testing.T) {
	in(t).Run("T48 an undeletable history delays no other drop", func(t *testing.T, r *rig) {
		other, _, err := r.rooms.Create(t.Context(), room.NewTableRequest{
			Game: "test", Host: room.Person{Nick: "Eve"},
		})
		if err != nil {
			t.Fatal(err)
		}
		both := []room.Session{other.Session, r.host.Session}
		for _, s := range both {
			r.store.mu.Lock()
			r.store.tables[s.Table].unsweepable = true
			r.store.mu.Unlock()
			if err := r.rooms.DropHistory(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		for i, s := range both { // the other table comes later
			r.store.mu.Lock()
			r.store.tables[s.Table].unsweepable = false
			r.store.mu.Unlock()
			r.rooms.Sweep()
			synctest.Wait()
			if left, _ := r.store.Dropped(t.Context()); len(left) != 1-i ||
				i == 0 && left[0] != r.host.Table {
				t.Errorf("history of %v is left", left)
			}
		}
	})
	in(t).Run("T42 an undeletable history delays no deleted table", func(t *testing.T, r *rig) {
		other, _, err := r.rooms.Create(t.Context(), room.NewTableRequest{
			Game: "test", Host: room.Person{Nick: "Eve"},
		})
		if err != nil {
			t.Fatal(err)
		}
		r.store.mu.Lock()
		r.store.tables[other.Table].unsweepable = true
		r.store.mu.Unlock()
		if err := r.rooms.DropHistory(t.Context(), other.Session); err != nil {
			t.Fatal(err)
		}
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		r.wantNothingLeft()
	})
}

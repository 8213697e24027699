package room_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
)

// TestSaving shows that a store that cannot save anything does not end the streams of people who
// only look on.
func TestSaving(t *testing.T) {
	// Clauses: S19.1, S19.2, S19.3, S19.4, S19.5, S19.11
	in(t).Run("S19 an unsaved table refuses, and keeps streams", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenOne))
		ada.events()
		bob.events()
		r.halt(&room.Trouble{Reason: "its disk is full", Err: errDisk})
		ada.cut() // a holder goes: otherwise the room would release what they hold
		for range 3 {
			for name, err := range map[string]error{
				"a move": bob.send(bob.move(tokenTwo, 2, 2)), "a seat": r.trySeat("Cid"),
				"a table": r.tryTable(),
			} {
				var trouble *room.Trouble
				if !errors.Is(err, room.ErrStorage) || !errors.As(err, &trouble) {
					t.Errorf("%s: error %v", name, err)
				}
			}
			<-time.After(time.Minute)
		}
		if got := saved(bob.events()); len(got) != 1 || got[0] != "its disk is full" {
			t.Errorf("bob gets %q", got)
		}
		if bob.line.code != 0 {
			t.Errorf("his stream was closed with %d", bob.line.code)
		}
		cid := r.open(r.host.Session)
		events := cid.events()
		if got := saved(events); events[0].GetFull() == nil || len(got) != 1 {
			t.Errorf("a new client gets %v", events)
		}
		r.halt(nil)
		if got := saved(bob.events()); len(got) != 1 || got[0] != "" {
			t.Errorf("bob gets %q when it can be saved again", got)
		}
		bob.mustSend(bob.move(tokenTwo, 2, 2))
		<-time.After(2 * time.Second)
		if s := r.open(r.host.Session).events()[0].GetFull().GetPieces()[tokenOne-1]; s.GetHolder() != 0 {
			t.Error("an abandoned piece was not released")
		}
	})
	in(t).Run("S19 a table is loaded while nothing can be saved", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.move(tokenOne, 5, 5))
		r.stop()
		r.store.haltWith(&room.Trouble{Reason: "its disk is full", Err: errDisk})
		r.start()
		again := r.open(r.host.Session)
		if x := again.events()[0].GetFull().GetPieces()[tokenOne-1].GetX(); x != 5 {
			t.Errorf("x is %d", x)
		}
		r.halt(nil)
		again.mustSend(again.move(tokenOne, 6, 6))
	})
	in(t).Run("S19.8, S19.9 the first failed commit ends the streams", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		r.store.failWith(&room.Trouble{Reason: "its disk is full", Err: errDisk})
		if err := ada.send(ada.move(tokenOne, 1, 1)); !errors.Is(err, room.ErrStorage) {
			t.Errorf("error %v", err)
		}
		for _, p := range []*player{ada, bob} {
			told := p.events()
			if got := saved(told); len(got) != 1 || got[0] != "its disk is full" ||
				told[len(told)-1].GetGoing() == nil {
				t.Errorf("the last events are %v", told)
			}
			if len(acks(told))+len(updates(told)) != 0 || p.line.code != stream.CodeInternal {
				t.Errorf("got %v, closed with %d", told, p.line.code)
			}
		}
	})
	in(t).Run("S19.5 a client that resumes is informed, too", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		version := ada.version
		r.halt(&room.Trouble{Reason: "its disk is full", Err: errDisk})
		events := ada.comeBack(room.Hello{Epoch: ada.epoch, Version: version})
		if got := saved(events); events[0].GetResumed() == nil || len(got) != 1 {
			t.Errorf("she gets %v", events)
		}
	})
}

// halt makes the store refuse everything, or accept it again if err is nil, and informs the rooms.
func (r *rig) halt(err error) {
	r.store.haltWith(err)
	r.rooms.SavingChanged(err)
	synctest.Wait()
}

func (r *rig) trySeat(nick string) error {
	_, err := r.rooms.TakeSeat(r.t.Context(), r.invites.Player, room.Person{Nick: nick})
	return err
}

func (r *rig) tryTable() error {
	_, _, err := r.rooms.Create(r.t.Context(), room.NewTableRequest{
		Game: "test", Host: room.Person{Nick: "Dan"},
	})
	return err
}

// saved returns what events say about saving.
func saved(events []*holtpb.Event) (told []string) {
	for _, e := range events {
		if s := e.GetSaving(); s != nil {
			told = append(told, s.GetTrouble())
		}
	}
	return told
}

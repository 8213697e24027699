package room_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// profile returns the operation by which a seat gets a name.
func profile(seat id.Seat, nick string) crdt.Op {
	return put(schema.EntityOfSeat(seat), schema.Profile, 1,
		&componentpb.Profile{Nick: nick, Colour: 0x123456})
}

// texts returns what the log says was written, and the names in it.
func (p *player) texts() (lines, names string) {
	p.t.Helper()
	page, err := p.rooms.Log(p.t.Context(), p.session, room.LogQuery{Limit: room.MaxLogPage})
	if err != nil {
		p.t.Fatal(err)
	}
	var said, called []string
	for i := range page.Lines {
		switch l := &page.Lines[i]; {
		case l.Chat != nil && l.Deleted:
			said = append(said, "(deleted)")
		case l.Chat != nil:
			said = append(said, l.Chat.Text)
		case l.Who != nil:
			called = append(called, l.Who.Name())
		}
	}
	return strings.Join(said, "|"), strings.Join(called, "|")
}

// Clauses: T80.1, T80.2, T80.3, T80.4, T80.5, T80.6, T80.7, T80.8, T80.9
func TestErase(t *testing.T) {
	in(t).Run("T80 a seat ends, and its name and lines are gone everywhere",
		func(t *testing.T, r *rig) {
			ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Robertina").Session)
			ada.events()
			bob.events()
			bob.operate(profile(2, "Wilhelmina"))
			bob.mustSend(bob.say("my own words", 0))
			bob.mustSend(bob.say("a whispered word", 1))
			ada.mustSend(ada.say("a word of ada", 0))
			bob.mustSend(bob.move(tokenOne, 100, 0))
			ada.events()
			// A snapshot has the names, too.
			r.stop()
			r.start()
			ada, bob = r.open(r.host.Session), r.open(bob.session)
			ada.events()
			bob.events()
			for _, name := range []string{"Robertina", "Wilhelmina", "my own words"} {
				if !r.store.holds(t, name) {
					t.Fatalf("%q is not stored before: the test shows nothing", name)
				}
			}
			if err := r.rooms.Erase(t.Context(), bob.session, 2, room.HandsOnLeaving{}); err != nil {
				t.Fatal(err)
			}
			seat := lastSeatEvent(ada.events(), 2)
			if seat.GetNick() != table.ErasedNick || seat.GetNumber() != 2 || !seat.GetErased() ||
				seat.GetLeft() != 2 || seat.GetColour() != table.ErasedColour {
				t.Errorf("T80.2 ada gets %v", seat)
			}
			if why, _ := farewell(bob); why != holtpb.Farewell_FAREWELL_LEFT {
				t.Errorf("T80.1 bob's stream ends with %v", why)
			}
			if err := bob.send(bob.move(tokenOne, 5, 5)); !errors.Is(err, room.ErrNoSeat) {
				t.Errorf("T80.1 bob goes on: %v", err)
			}
			for _, name := range []string{"Robertina", "Wilhelmina", "my own words", "whispered"} {
				if r.store.holds(t, name) {
					t.Errorf("T80.6 %q is still stored", name)
				}
			}
			lines, names := ada.texts()
			if lines != "(deleted)|(deleted)|a word of ada" {
				t.Errorf("T80.5 the log has %q", lines)
			}
			if strings.Contains(names, "ina") || strings.Count(names, "Somebody (2)") != strings.Count(
				names, "Somebody") || names == "" {
				t.Errorf("T80.2 the log names %q", names)
			}
			all, err := r.rooms.Components(t.Context(), ada.session)
			if err != nil || strings.Contains(string(all), "Wilhelmina") {
				t.Errorf("T80.4 the components are %q, %v", all, err)
			}
			if e, _ := r.exported(); strings.Contains(fmt.Sprint(e.Seats), "ina") ||
				!strings.Contains(fmt.Sprint(e.Seats), "Somebody (2)") {
				t.Errorf("T80.2 the export of rounds names %v", e.Seats)
			}
			// The chain of rounds has names until the history is dropped.
			if !r.store.hasBytes(t, "Robertina", true) {
				t.Error("T80.9 the chain of rounds was changed")
			}
			if err := r.rooms.DropHistory(t.Context(), ada.session); err != nil {
				t.Fatal(err)
			}
			<-time.After(time.Second)
			for _, name := range []string{"Robertina", "Wilhelmina", "my own words"} {
				if r.store.hasBytes(t, name, true) {
					t.Errorf("T80.9 %q is stored after the history was dropped", name)
				}
			}
		})
	in(t).Run("T80.5 a line that nobody was sent yet is gone, too", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Robertina").Session)
		r.crowd()
		ada.events()
		bob.events()
		seen := ada.version
		ada.cut()
		bob.mustSend(bob.move(tokenOne, 1, 1)) // so that the next tick is awaited
		bob.mustSend(bob.say("my own words", 0), bob.say("whispered", 1))
		none := room.HandsOnLeaving{}
		if err := r.rooms.Erase(t.Context(), bob.session, 2, none); err != nil {
			t.Fatal(err)
		}
		<-time.After(tick)
		ada.come(room.Hello{Client: ada.id, Epoch: ada.epoch, Version: seen})
		got := ada.events()
		if lines := texts(saidIn(got)); got[0].GetResumed() == nil || lines != "2>0 |2>1 " {
			t.Errorf("T80.5 who comes back gets %q", lines)
		}
	})
	in(t).Run("T80.3 a host erases who has left, and the last host cannot go",
		func(t *testing.T, r *rig) {
			ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Robertina").Session)
			ada.events()
			bob.events()
			bob.mustSend(bob.say("my own words", 0))
			none := room.HandsOnLeaving{}
			erase := func(p *player, seat id.Seat, want error) {
				t.Helper()
				if err := r.rooms.Erase(t.Context(), p.session, seat, none); !errors.Is(err, want) {
					t.Errorf("T80.3 erase %d: %v, want %v", seat, err, want)
				}
			}
			erase(bob, 1, room.ErrRole)
			erase(ada, 2, room.ErrOver) // he is still here
			erase(ada, 1, room.ErrLastHost)
			erase(ada, 9, room.ErrOver)
			if err := r.rooms.Leave(t.Context(), bob.session, none); err != nil {
				t.Fatal(err)
			}
			erase(ada, 2, nil)
			entries := r.store.entriesLogged()
			erase(ada, 2, nil)
			if n := r.store.entriesLogged(); n != entries {
				t.Errorf("T80.8 the repetition records %d entries", n-entries)
			}
			if seat := lastSeatEvent(ada.events(), 2); seat.GetNick() != table.ErasedNick {
				t.Errorf("T80.2 ada gets %v", seat)
			}
			<-time.After(time.Second)
			if r.store.holds(t, "Robertina") || r.store.holds(t, "my own words") {
				t.Error("T80.6 something is still stored")
			}
		})
	in(t).Run("T80.7 what was left when the server ended is done later",
		func(t *testing.T, r *rig) {
			bob := r.open(r.seat(r.invites.Player, "Robertina").Session)
			bob.events()
			r.store.failNext("SweepErasure", errDisk)
			if err := r.rooms.Erase(t.Context(), bob.session, 2, room.HandsOnLeaving{}); err != nil {
				t.Fatal(err)
			}
			if !r.store.holds(t, "Robertina") {
				t.Fatal("nothing is left to be done: the test shows nothing")
			}
			r.stop()
			r.start()
			r.rooms.Sweep()
			<-time.After(time.Second)
			if r.store.holds(t, "Robertina") {
				t.Error("T80.7 the name is still stored")
			}
		})
	in(t).Run("T80.2 names of others stay as they were when the log is replayed",
		func(t *testing.T, r *rig) {
			r.open(r.host.Session)
			bob := r.open(r.seat(r.invites.Player, "Robertina").Session)
			r.open(r.seat(r.invites.Player, table.ErasedNick).Session)
			if err := r.rooms.Erase(t.Context(), bob.session, 2, room.HandsOnLeaving{}); err != nil {
				t.Fatal(err)
			}
			r.seat(r.invites.Player, table.ErasedNick)
			want := []string{"Ada", "Somebody (2)", "Somebody", "Somebody (3)"}
			for range 2 {
				ada := r.open(r.host.Session)
				var got []string
				for _, s := range ada.reopenForFull().GetSeats() {
					name := s.GetNick()
					if s.GetNumber() > 0 {
						name = fmt.Sprintf("%s (%d)", name, s.GetNumber())
					}
					got = append(got, name)
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("T80.2 the names are %v, want %v", got, want)
				}
				r.store.forgetSnapshots()
				r.stop()
				r.store.forgetSnapshots() // the log is replayed from its beginning
				r.start()
			}
		})
}

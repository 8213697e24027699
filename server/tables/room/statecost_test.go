package room_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// TestT49StatesOfStreams asks for full states of a large table in every way. A seat that has no
// units left has to wait, and others do not.
func TestT49StatesOfStreams(t *testing.T) {
	// Clauses: T49.8, T49.12
	atFullDeck(t, 9900, "T49 rejoining streams are refused", func(t *testing.T, r *rig, ada *player) {
		eve := r.seat(r.invites.Spectator, "Eve").Session
		var err error
		opened := 0
		for ; err == nil && opened < 100; opened++ {
			var p *player
			if p, err = r.joins(eve); err == nil {
				p.cut()
			}
		}
		if opened < 10 || opened == 100 {
			t.Errorf("%d streams were opened", opened)
		}
		r.open(ada.session) // somebody else
		rest(t, err)
		if _, err := r.joins(eve); err != nil {
			t.Errorf("after the wait: %v", err)
		}
	})
	// Clauses: T49.10
	atFullDeck(t, 9900, "T49 a stream needs no budget", func(t *testing.T, r *rig, ada *player) {
		drain(r, ada.session)
		if _, err := r.joins(ada.session); !errors.As(err, new(room.TooFast)) {
			t.Fatalf("a full state: %v", err)
		}
		ada.cut()
		ada.come(room.Hello{Client: ada.id, Epoch: ada.epoch, Version: ada.version})
		if e := ada.events(); len(e) == 0 || e[0].GetResumed() == nil {
			t.Errorf("the stream was not resumed: %v", e)
		}
	})
	// Clauses: T49.9
	atFullDeck(t, 9900, "T49 a state waits for budget", func(t *testing.T, r *rig, ada *player) {
		drain(r, ada.session)
		start := time.Now()
		ask, err := wire.EncodeUp(wire.ResyncUp())
		if err != nil {
			t.Fatal(err)
		}
		if err := ada.stream.Receive(ask); err != nil {
			t.Fatal(err)
		}
		if e := ada.now(); len(e) != 0 {
			t.Fatalf("an empty budget pays for a state: %d frames", len(e))
		}
		for len(ada.now()) == 0 && time.Since(start) < time.Minute {
			<-time.After(10 * time.Millisecond)
		}
		if took := time.Since(start); took < 100*time.Millisecond || took > 5*time.Second {
			t.Errorf("the state came after %v", took)
		}
	})
	// Clauses: T49.11
	atFullDeck(t, 9900, "T49 putting out waits for budget", func(t *testing.T, r *rig, ada *player) {
		bob := r.seat(r.invites.Player, "Bob")
		u := ada.blind(table.OpDraw, deck)
		u.Has |= table.HasN
		u.N = 100
		for range 8 { // Bob gets many cards in his hand
			if err := r.rooms.Update(t.Context(), bob.Session, wire.Batch{
				Client: id.Client{77}, Epoch: ada.epoch, Updates: []table.Update{u},
			}); err != nil {
				t.Fatal(err)
			}
			u.Seq++
			<-time.After(10 * time.Second)
		}
		drain(r, ada.session)
		before := r.store.size()
		_, err := r.rooms.PutOut(t.Context(), r.host.Session, bob.Seat, room.HandsOnLeaving{
			Hands: table.HandsBack,
		})
		if r.store.size() != before {
			t.Error("something of a refused request was recorded")
		}
		rest(t, err)
		r.putOut(bob.Seat, room.HandsOnLeaving{Hands: table.HandsBack})
	})
}

// joins opens a stream of a new client, which gets the full state.
func (r *rig) joins(s room.Session) (*player, error) {
	r.clients++
	p := &player{
		rig: r, session: s, id: id.Client{15: r.clients, 14: 1}, versions: map[id.Piece]id.Version{},
		renamed: map[id.Piece]id.Piece{},
	}
	p.line = &memoryCarrier{closed: make(chan struct{})}
	c, err := r.rooms.Open(r.t.Context(), s, room.Hello{Client: p.id}, p.line)
	p.stream = c
	synctest.Wait()
	return p, err
}

// drain empties the budget of a seat.
func drain(r *rig, s room.Session) {
	r.t.Helper()
	for n := 0; ; n++ {
		if _, err := r.rooms.Read(r.t.Context(), s); err != nil {
			return
		}
		if n == 100 {
			r.t.Fatal("a hundred reads of a large table at once")
		}
	}
}

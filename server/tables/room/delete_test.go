package room_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/server/tables/stream"
)

// deletedBy returns the seat that deleted the table, as a player's stream says; -1 if it does not
// say that.
func deletedBy(p *player) int {
	by := -1
	for _, e := range p.events() {
		if g := e.GetGoing(); g.GetFinal() {
			by = int(g.GetBy())
		}
	}
	return by
}

// wantGone checks that the table no longer exists, for every kind of request.
func (r *rig) wantGone() {
	r.t.Helper()
	ctx, s := r.t.Context(), r.host.Session
	_, read := r.rooms.Read(ctx, s)
	_, authenticated := r.rooms.Authenticate(ctx, s.Table, r.host.Token)
	_, seated := r.rooms.Seated(ctx, s.Table, r.host.Token)
	_, about := r.rooms.About(ctx, s.Table)
	_, invited := r.rooms.Invite(ctx, r.invites.Player)
	_, taken := r.rooms.TakeSeat(ctx, r.invites.Spectator, room.Person{Nick: "Eve"})
	_, opened :=
		r.rooms.Open(ctx, s, room.Hello{Client: id.Client{1}}, &memoryCarrier{
			closed: make(chan struct{}),
		})
	_, _, exported := r.rooms.Fairness(ctx, s)
	for what, err := range map[string]error{
		"read": read, "authenticated": authenticated, "seated": seated, "looked up": about,
		"invited": invited, "joined": taken, "opened": opened,
		"exported": exported, "deleted": r.rooms.Delete(ctx, s),
	} {
		if !errors.Is(err, room.ErrGone) {
			r.t.Errorf("it is %s: %v", what, err)
		}
	}
}

// wantNothingLeft waits until nothing is left to do for deleted tables.
func (r *rig) wantNothingLeft() {
	r.t.Helper()
	synctest.Wait()
	if n := r.store.leftovers(); n != 0 {
		r.t.Errorf("something is left of %d tables", n)
	}
}

func TestDiscard(t *testing.T) {
	// Clauses: S16.4, S16.5, S16.6, T42.1, T42.6, T42.7
	in(t).Run("T42 a host deletes the table for good", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		watcher := r.seat(r.invites.Spectator, "Eve")
		ada, friend, eve := r.open(r.host.Session), r.open(bob.Session), r.open(watcher.Session)
		friend.frames()
		friend.mustSend(friend.move(tokenOne, 500, 500))
		for name, s := range map[string]room.Session{
			"a player": bob.Session, "a spectator": watcher.Session,
		} {
			if err := r.rooms.Delete(t.Context(), s); !errors.Is(err, room.ErrRole) {
				t.Errorf("%s may delete it: %v", name, err)
			}
		}
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for name, p := range map[string]*player{"Ada": ada, "Bob": friend, "Eve": eve} {
			if by := deletedBy(p); by != int(r.host.Seat) || p.line.code != stream.CodeTableClosed {
				t.Errorf("%s gets reason %d, and the stream closed with %d", name, by, p.line.code)
			}
		}
		r.wantGone()
		r.wantNothingLeft()
		r.stop()
		r.start()
		r.wantGone()
	})
	in(t).Run("T42.2 the operator deletes a table that nobody uses", func(t *testing.T, r *rig) {
		r.stop()
		r.start()
		if _, err := r.rooms.DeleteTable(t.Context(), r.host.Table); err != nil {
			t.Fatal(err)
		}
		r.wantGone()
		r.wantNothingLeft()
		if _, err := r.rooms.DeleteTable(
			t.Context(), id.OID{9},
		); !errors.Is(err, room.ErrNoTable) {
			t.Errorf("an unknown table is deleted: %v", err)
		}
	})
	in(t).Run("T42.3 an unstored deletion has not happened", func(t *testing.T, r *rig) {
		p := r.open(r.host.Session)
		p.frames()
		r.store.failNext("discard", errDisk)
		if err := r.rooms.Delete(t.Context(), r.host.Session); !errors.Is(err, room.ErrStorage) {
			t.Errorf("it is deleted: %v", err)
		}
		p.mustSend(p.move(tokenOne, 500, 500))
		if got := acks(p.events()); len(got) != 1 || p.line.code != 0 {
			t.Errorf("after that %v is acknowledged, and the stream closed with %d", got,
				p.line.code)
		}
	})
	in(t).Run("T42.5 a concurrent update is durable before, or refused", func(t *testing.T, r *rig) {
		p := r.open(r.host.Session)
		p.frames()
		release := r.store.block()
		first := p.post(p.move(tokenOne, 500, 500))
		done := make(chan error, 1)
		go func() { done <- r.rooms.Delete(t.Context(), r.host.Session) }()
		synctest.Wait()
		late := p.post(p.move(tokenTwo, 500, 500))
		synctest.Wait()
		release()
		if err := <-first; err != nil {
			t.Errorf("the first one is refused: %v", err)
		}
		if err := <-late; err != nil && !errors.Is(err, room.ErrGone) {
			t.Errorf("the late one is refused: %v", err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		r.wantGone()
	})
	in(t).Run("T42.12 a failed deletion is retried, also after a restart", func(t *testing.T, r *rig) {
		for _, what := range []string{"discarded", "sweep", "forget"} {
			r.store.failNext(what, errDisk)
		}
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r.store.leftovers() != 1 {
			t.Error("nothing has failed")
		}
		r.stop()
		r.start()
		r.rooms.Sweep()
		<-time.After(time.Minute) // in virtual time: another attempt follows each failure
		r.wantNothingLeft()
	})
}

func TestDiscardGuests(t *testing.T) {
	atCards(t).Run("T42.9 guest sets go home as they lie", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob)
		p.bob.mustSend(p.bob.draw(2))
		p.bob.frames()
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		r.wantNothingLeft()
		c, on, ok := r.owner.Contents(set)
		if !ok || !on.IsZero() || len(c.Parts) != royals+plains+1 || c.Parts[0].Number != 0 {
			t.Fatalf("the set has %d parts on %v", len(c.Parts), on)
		}
		if got := r.store.deletedTables.settled[r.host.Table]; len(got) != 1 || got[0] != set {
			t.Errorf("given back: %v", got)
		}
	})
	atCards(t).Run("T42.11 an unreachable owner is informed later", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob)
		r.owner.SetUnreachable(set, &room.Unreachable{Reason: table.AwayOwner})
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		r.wantGone()
		if _, on, _ := r.owner.Contents(set); on != r.host.Table || r.store.leftovers() != 1 {
			t.Errorf("the set is on %v, and something is left of %d tables", on,
				r.store.leftovers())
		}
		r.stop()
		r.start()
		r.rooms.Sweep()
		synctest.Wait()
		r.owner.SetUnreachable(set, nil)
		if err := r.rooms.SetChanged(
			t.Context(), room.SetEvent{Table: r.host.Table, Set: set},
		); err != nil {
			t.Fatal(err)
		}
		r.wantNothingLeft()
		if _, on, _ := r.owner.Contents(set); !on.IsZero() {
			t.Errorf("the set is still on %v", on)
		}
	})
	// Clauses: T42.9
	atCards(t).Run("T42 a set that is being put on the table is not lost", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.ada.events()
		set := r.only()
		release := r.line.stop()
		defer release()
		sent := p.ada.post(p.ada.place(set, 0, 0))
		synctest.Wait()
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		if err := <-sent; err != nil {
			t.Errorf("the update is answered %v", err)
		}
		release()
		r.wantNothingLeft()
		if _, on, ok := r.owner.Contents(set); !ok || !on.IsZero() {
			t.Errorf("the set is on %v", on)
		}
	})
	atCards(t).Run("T42.4 deletion waits for a set that is being made", func(t *testing.T, r *rig) {
		p := r.party()
		release := r.line.stop()
		p.ada.mustSend(p.ada.take(deck))
		synctest.Wait()
		if err := r.rooms.Delete(t.Context(), r.host.Session); !errors.Is(err, room.ErrBusy) {
			t.Errorf("it is deleted while a set is being made: %v", err)
		}
		release()
		synctest.Wait()
		if err := r.rooms.Delete(t.Context(), r.host.Session); err != nil {
			t.Error(err)
		}
		if _, on, ok := r.owner.Contents(r.only()); !ok || !on.IsZero() {
			t.Errorf("the set is on %v", on)
		}
	})
}

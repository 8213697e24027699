package room_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
)

// putOut makes the host put a seat out, and returns the new invites.
func (r *rig) putOut(seat id.Seat, p room.HandsOnLeaving) room.Invites {
	r.t.Helper()
	inv, err := r.rooms.PutOut(r.t.Context(), r.host.Session, seat, p)
	if err != nil {
		r.t.Fatal(err)
	}
	return inv
}

// seatCalls calls everything that needs a seat, and returns the errors.
func (r *rig) seatCalls(s room.Session, token string, p *player) map[string]error {
	ctx := r.t.Context()
	_, authenticated := r.rooms.Authenticate(ctx, s.Table, token)
	_, seated := r.rooms.Seated(ctx, s.Table, token)
	_, read := r.rooms.Read(ctx, s)
	_, components := r.rooms.Components(ctx, s)
	_, opened := r.rooms.Open(ctx, s, room.Hello{Client: id.Client{0xee}}, &memoryCarrier{
		closed: make(chan struct{}),
	})
	_, again := r.rooms.Open(ctx, s, room.Hello{
		Client: p.id, Epoch: p.epoch, Version: p.version,
	}, &memoryCarrier{
		closed: make(chan struct{}),
	})
	_, handover := r.rooms.Open(ctx, s, room.Hello{Client: p.id, Handover: true}, &memoryCarrier{
		closed: make(chan struct{}),
	})
	return map[string]error{
		"Authenticate": authenticated, "Seated": seated, "Read": read, "Components": components,
		"Open": opened, "Open again": again,
		"Open by handover": handover, "Update": p.send(p.move(tokenOne, 5, 5)),
		"Operate": r.rooms.Operate(ctx, s, room.Operations{Epoch: p.epoch}),
		"LogOut":  r.rooms.LogOut(ctx, s), "Leave": r.rooms.Leave(ctx, s, room.HandsOnLeaving{}),
	}
}

// playerCalls calls what spectators may not do.
func (r *rig) playerCalls(s room.Session) map[string]error {
	_, invites := r.rooms.Invites(r.t.Context(), s)
	return map[string]error{"Invites": invites}
}

// hostCalls calls what only hosts may do.
func (r *rig) hostCalls(s room.Session) map[string]error {
	ctx := r.t.Context()
	_, renewed := r.rooms.RenewInvites(ctx, s)
	_, round := r.rooms.OpenRound(ctx, s)
	_, putOut := r.rooms.PutOut(ctx, s, s.Seat+1, room.HandsOnLeaving{})
	return map[string]error{
		"RenewInvites": renewed, "OpenRound": round, "PutOut": putOut,
		"Discard": r.rooms.Delete(ctx, s), "DropHistory": r.rooms.DropHistory(ctx, s),
	}
}

func wantNoSeat(t *testing.T, doors ...map[string]error) {
	t.Helper()
	for _, all := range doors {
		for door, err := range all {
			if !errors.Is(err, room.ErrNoSeat) {
				t.Errorf("%s: %v", door, err)
			}
		}
	}
}

// farewell returns why a player's stream ended for good, and who did that.
func farewell(p *player) (why holtpb.Farewell, by id.Seat) {
	for _, e := range p.events() {
		if g := e.GetGoing(); g.GetFinal() {
			return g.GetSeat(), id.Seat(g.GetBy())
		}
	}
	return 0, 0
}

func TestFindingS7SeatsAreTakenBack(t *testing.T) {
	// Clauses: S20.1, S20.2, S20.3, S20.4, T51.2, T51.3
	in(t).Run("T51 a seat that is put out is refused everywhere", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		for range 2 { // so the session is kept
			if _, err := r.rooms.Authenticate(t.Context(), bob.Table, bob.Token); err != nil {
				t.Fatal(err)
			}
		}
		p, other := r.open(bob.Session), r.open(bob.Session)
		p.frames()
		r.putOut(bob.Seat, room.HandsOnLeaving{})
		wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p), r.playerCalls(bob.Session))
		for _, p := range []*player{p, other} {
			if why, by := farewell(p); why != holtpb.Farewell_FAREWELL_PUT_OUT ||
				by != r.host.Seat || p.line.code != stream.CodeNoSeat {
				t.Errorf("got %v by %d, closed with %d", why, by, p.line.code)
			}
		}
		r.stop()
		r.start()
		wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p), r.playerCalls(bob.Session))
	})
	in(t).Run("T51 a void session of a host has no keys", func(t *testing.T, r *rig) {
		p := r.open(r.host.Session)
		p.frames()
		if err := r.rooms.LogOut(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		wantNoSeat(t, r.seatCalls(r.host.Session, r.host.Token, p), r.playerCalls(r.host.Session),
			r.hostCalls(r.host.Session))
	})
	in(t).Run("S20.8, T51.2, T51.5 everybody learns who left and by whom", func(t *testing.T, r *rig) {
		bob, ada := r.seat(r.invites.Player, "Bob"), r.open(r.host.Session)
		ada.frames()
		renewed := r.putOut(bob.Seat, room.HandsOnLeaving{})
		var left id.Seat
		for _, e := range ada.events() {
			if s := e.GetSeat(); s.GetId() == uint32(bob.Seat) {
				left = id.Seat(s.GetLeft())
			}
		}
		if left != r.host.Seat {
			t.Errorf("seat %d was announced to have ended it", left)
		}
		for _, old := range []string{r.invites.Player, r.invites.Spectator} {
			if _, err := r.rooms.TakeSeat(
				t.Context(), old, room.Person{Nick: "Bob"},
			); !errors.Is(err, room.ErrNoInvite) {
				t.Errorf("an old link: %v", err)
			}
		}
		shown, err := r.rooms.Invites(t.Context(), r.host.Session)
		if err != nil || shown != renewed {
			t.Errorf("sent was %+v, %v, want %+v", shown, err, renewed)
		}
		inv, err := r.rooms.Invite(t.Context(), renewed.Player)
		if err != nil || slices.ContainsFunc(inv.Seated, func(p room.Person) bool {
			return p.Nick == "Bob"
		}) {
			t.Errorf("seated are %v, %v", inv.Seated, err)
		}
		r.seat(renewed.Player, "Bob")
		r.stop()
		r.start()
		if shown, err := r.rooms.Invites(t.Context(), r.host.Session); err != nil ||
			shown != renewed {
			t.Errorf("after a restart sent was %+v, %v, want %+v", shown, err, renewed)
		}
	})
	in(t).Run("T51.4 a concurrent update is durable before, or refused", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		p := r.open(bob.Session)
		p.frames()
		release := r.store.block()
		first := p.post(p.move(tokenOne, 500, 500))
		ended := make(chan error, 1)
		go func() {
			_, err := r.rooms.PutOut(t.Context(), r.host.Session, bob.Seat, room.HandsOnLeaving{})
			ended <- err
		}()
		synctest.Wait()
		late := p.post(p.move(tokenTwo, 500, 500))
		release()
		if err := errors.Join(<-first, <-ended); err != nil {
			t.Error(err)
		}
		if err := <-late; !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("the late one: %v", err)
		}
		for _, q := range r.open(r.host.Session).events()[0].GetFull().GetPieces() {
			if want := map[uint32]int32{
				uint32(tokenOne): 500, uint32(tokenTwo): 1000,
			}[q.GetId()]; want != 0 &&
				q.GetX() != want {
				t.Errorf("piece %d lies at %d", q.GetId(), q.GetX())
			}
		}
	})
	in(t).Run("T51.2 an unstored end of a seat has not happened", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		r.store.failWith(errDisk)
		if _, err := r.rooms.PutOut(
			t.Context(), r.host.Session, bob.Seat, room.HandsOnLeaving{},
		); !errors.Is(err, room.ErrStorage) {
			t.Errorf("put out: %v", err)
		}
		r.store.failWith(nil)
		synctest.Wait()
		if s, err := r.rooms.Authenticate(t.Context(), bob.Table, bob.Token); err != nil ||
			s != bob.Session {
			t.Errorf("session %+v, %v", s, err)
		}
		if inv, err := r.rooms.Invites(t.Context(), bob.Session); err != nil || inv != r.invites {
			t.Errorf("invites %+v, %v", inv, err)
		}
	})
	in(t).Run("T51.1 only a host puts out, only others, and only once", func(t *testing.T, r *rig) {
		bob, eve := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Eve")
		for _, row := range []struct {
			name string
			by   room.Session
			seat id.Seat
			p    room.HandsOnLeaving
			want error
		}{
			{"a player", bob.Session, eve.Seat, room.HandsOnLeaving{}, room.ErrRole},
			{"a spectator", eve.Session, bob.Seat, room.HandsOnLeaving{}, room.ErrRole},
			{"oneself", r.host.Session, r.host.Seat, room.HandsOnLeaving{}, room.ErrRole},
			{"nobody", r.host.Session, 99, room.HandsOnLeaving{}, room.ErrOver},
			{"the hand to a spectator", r.host.Session, bob.Seat, room.HandsOnLeaving{
				Hands: table.HandsGiven, To: eve.Seat,
			}, room.ErrHands},
			{"the hand to themself", r.host.Session, bob.Seat, room.HandsOnLeaving{
				Hands: table.HandsGiven, To: bob.Seat,
			}, room.ErrHands},
			{"somebody", r.host.Session, bob.Seat, room.HandsOnLeaving{
				Hands: table.HandsGiven, To: r.host.Seat,
			}, nil},
			{"the same again", r.host.Session, bob.Seat, room.HandsOnLeaving{}, room.ErrOver},
		} {
			if _, err := r.rooms.PutOut(
				t.Context(), row.by, row.seat, row.p,
			); !errors.Is(err, row.want) {
				t.Errorf("%s: %v, want %v", row.name, err, row.want)
			}
		}
	})
	// Clauses: T51.6
	in(t).Run("S12 what they hold is put down where it was last seen", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		p, ada := r.open(bob.Session), r.open(r.host.Session)
		p.frames()
		p.mustSend(p.make(table.OpGrab, tokenOne))
		p.frames()
		p.carries(millis(), 700, 300, tokenOne)
		r.putOut(bob.Seat, room.HandsOnLeaving{})
		for _, q := range ada.reopenForFull().GetPieces() {
			if q.GetId() == uint32(tokenOne) &&
				(q.GetHolder() != 0 || q.GetX() != 700 || q.GetY() != 300) {
				t.Errorf("the token is %v", q)
			}
		}
	})
	in(t).Run("S20.5 a client that does not read is cut off after 2 s", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		p, ada := r.open(bob.Session), r.open(r.host.Session)
		p.frames()
		ada.frames()
		defer p.line.stall()()
		ada.mustSend(ada.move(tokenOne, 1, 1))
		r.putOut(bob.Seat, room.HandsOnLeaving{})
		<-time.After(3 * time.Second)
		if p.line.mu.Lock(); p.line.code != stream.CodeNoSeat {
			t.Errorf("the connection is closed with %d", p.line.code)
		}
		p.line.mu.Unlock()
	})
}

func TestLeaving(t *testing.T) {
	// Clauses: S20.1, S20.2, S20.3, S20.4, T52.1, T52.2
	in(t).Run("T52 a player leaves for good", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		p := r.open(bob.Session)
		p.frames()
		if err := r.rooms.Leave(
			t.Context(), bob.Session, room.HandsOnLeaving{Hands: table.HandsStay},
		); err != nil {
			t.Fatal(err)
		}
		wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p), r.playerCalls(bob.Session))
		if why, by := farewell(p); why != holtpb.Farewell_FAREWELL_LEFT || by != bob.Seat ||
			p.line.code != stream.CodeNoSeat {
			t.Errorf("got %v by %d, closed with %d", why, by, p.line.code)
		}
		if inv, err := r.rooms.Invites(t.Context(), r.host.Session); err != nil ||
			inv != r.invites {
			t.Errorf("the links have changed: %+v, %v", inv, err)
		}
	})
	in(t).Run("T52.3 the last host cannot leave", func(t *testing.T, r *rig) {
		r.seat(r.invites.Player, "Bob")
		if err := r.rooms.Leave(
			t.Context(), r.host.Session, room.HandsOnLeaving{},
		); !errors.Is(err, room.ErrLastHost) {
			t.Errorf("left: %v", err)
		}
	})
	// Clauses: T52.4, T52.5
	in(t).Run("T52 a logout keeps seat, hand and name, not the token", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		p, ada := r.open(bob.Session), r.open(r.host.Session)
		p.frames()
		if err := r.rooms.LogOut(t.Context(), bob.Session); err != nil {
			t.Fatal(err)
		}
		wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p), r.playerCalls(bob.Session))
		if why, _ := farewell(p); why != holtpb.Farewell_FAREWELL_LOGGED_OUT ||
			p.line.code != stream.CodeNoSeat {
			t.Errorf("got %v, closed with %d", why, p.line.code)
		}
		for _, s := range ada.reopenForFull().GetSeats() {
			if s.GetId() == uint32(bob.Seat) &&
				(s.GetLeft() != 0 || s.GetPresence() != holtpb.Presence_PRESENCE_GONE) {
				t.Errorf("the seat is %v", s)
			}
		}
	})
}

func TestGuestsOfAnEndedSeat(t *testing.T) {
	// Clauses: T51.11, T51.13, T51.14
	atCards(t).Run("T39, T51 a waiting update is undone or dropped", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.ada.events()
		set := r.only()
		release := r.line.stop()
		p.bob.mustSend(p.bob.place(set, deckX, 0))
		synctest.Wait()
		r.putOut(p.bob.session.Seat, room.HandsOnLeaving{})
		release()
		<-time.After(time.Minute)
		if _, on, ok := r.owner.Contents(set); !ok || !on.IsZero() {
			t.Errorf("the owner places the set on %v", on)
		}
		p.ada.mustSend(p.ada.place(set, deckX, 0))
		p.ada.renamed[deck] = made(t, p.ada.events())
		p.dan.frames()
		p.dan.renamed[deck] = p.ada.renamed[deck]
		release = r.line.stop()
		p.dan.mustSend(p.dan.blind(table.OpShuffle, deck), p.dan.blind(table.OpShuffle, deck))
		synctest.Wait()
		shuffles := r.line.count("shuffle")
		r.putOut(p.dan.session.Seat, room.HandsOnLeaving{})
		release()
		<-time.After(time.Minute)
		if n := r.line.count("shuffle"); n != shuffles || n != 1 {
			t.Errorf("the owner was asked for %d shuffles, %d of them before", n, shuffles)
		}
		p.ada.mustSend(p.ada.take(deck)) // nothing is under way any more
		if got := acks(p.ada.events()); len(got) == 0 {
			t.Error("the set cannot be taken off the table")
		}
	})
	atCards(t).Run("T40, T51.16 nobody is put out while getting a set", func(t *testing.T, r *rig) {
		p := r.party()
		release := r.line.stop()
		p.ada.mustSend(p.ada.take(deck))
		synctest.Wait()
		if err := r.rooms.LogOut(t.Context(), r.host.Session); !errors.Is(err, room.ErrBusy) {
			t.Errorf("logged out: %v", err)
		}
		release()
		<-time.After(time.Minute)
		if err := r.rooms.LogOut(t.Context(), r.host.Session); err != nil {
			t.Errorf("logged out: %v", err)
		}
	})
}

// TestLoggedOut shows that nobody uses a seat whose person has logged out.
func TestLoggedOut(t *testing.T) {
	in(t).Run("T52.6 without a new link nobody uses the seat", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		p := r.open(bob.Session)
		p.frames()
		if err := r.rooms.LogOut(t.Context(), bob.Session); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p), r.playerCalls(bob.Session))
			if other := r.seat(r.invites.Player, "Bob"); other.Seat == bob.Seat {
				t.Error("somebody else gets the seat by an invite")
			}
			r.stop()
			<-time.After(24 * time.Hour)
			r.start()
		}
		back, err := r.rooms.UseLink(t.Context(), r.link(r.host.Session, bob.Seat))
		if err != nil || back.Seat != bob.Seat {
			t.Fatalf("by the link: %+v, %v", back, err)
		}
		again := r.open(back.Session)
		again.events()
		again.mustSend(again.move(tokenOne, 5, 5))
		wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p))
	})
	in(t).Run("T52.6 a host puts out a seat whose person has logged out", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		if err := r.rooms.LogOut(t.Context(), bob.Session); err != nil {
			t.Fatal(err)
		}
		r.putOut(bob.Seat, room.HandsOnLeaving{})
		for _, s := range r.open(r.host.Session).reopenForFull().GetSeats() {
			if s.GetId() == uint32(bob.Seat) && s.GetLeft() == 0 {
				t.Errorf("the seat is %v", s)
			}
		}
	})
}

package room_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// later calls f in a goroutine and waits until nothing moves. The answer comes through the channel.
func later(f func() error) <-chan error {
	answer := make(chan error, 1)
	go func() { answer <- f() }()
	synctest.Wait()
	return answer
}

// Requests that are under way while a host, or who sent them, changes who may do what.

func TestUnderWayRoles(t *testing.T) {
	// Clauses: T64.12, T75.1
	in(t).Run("T75 who has got up moves nothing by a stream from before", func(t *testing.T, r *rig) {
		ctx := t.Context()
		bob := r.seat(r.invites.Player, "Bob")
		ada, ben := r.open(r.host.Session), r.open(bob.Session)
		ben.events()
		if err := r.rooms.StandUp(ctx, bob.Session, room.HandsOnLeaving{}); err != nil {
			t.Fatal(err)
		}
		ben.events()
		ada.events()
		// As a stream by datagrams does, it goes on with the session with which it was opened.
		for what, u := range map[string]table.Update{
			"moves":  ben.move(tokenOne, 7, 7),
			"grabs":  ben.make(table.OpGrab, tokenOne),
			"writes": ben.say("hello", 0),
		} {
			err, want := ben.send(u), room.ErrRole
			if what == "writes" {
				want = nil
			}
			if !errors.Is(err, want) {
				t.Errorf("T64.12 a seat that got up %s: %v", what, err)
			}
		}
		if got := updates(ada.events()); len(got) != 0 {
			t.Errorf("T75.1 others are shown %v", got)
		}
		err := r.rooms.Operate(ctx, bob.Session, room.Operations{Epoch: ben.epoch})
		if !errors.Is(err, room.ErrRole) {
			t.Errorf("T75.1 a seat that got up writes components: %v", err)
		}
		// The other way round it plays with a session from when it watched.
		ben.session = r.again(bob)
		if err := r.rooms.SitDown(ctx, ben.session, ""); err != nil {
			t.Fatal(err)
		}
		ben.events()
		ben.mustSend(ben.move(tokenOne, 8, 8))
		if got := acks(ben.events()); len(got) != 1 {
			t.Errorf("T75 who sat down moves a piece: acks %v", got)
		}
		err = r.rooms.Operate(ctx, ben.session, room.Operations{Epoch: ben.epoch})
		if err != nil {
			t.Errorf("T75 who sat down writes components: %v", err)
		}
	})
	// Clauses: T71.3
	in(t).Run("T71.3 who is no co-host any more does not go back", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		if err := r.give(r.host.Session, bob.Seat, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		ada, ben := r.open(r.host.Session), r.open(r.again(bob))
		ada.events()
		ben.events()
		point := ada.save("before", "t")
		release := r.store.block()
		moved := ada.post(ada.move(tokenOne, 100, 0))
		rewound := later(func() error {
			_, err := ben.rewind(point, "go")
			return err
		})
		taken := later(func() error { return r.give(r.host.Session, bob.Seat, table.RolePlayer) })
		release()
		if err := errors.Join(<-moved, <-taken); err != nil {
			t.Fatal(err)
		}
		if err := <-rewound; !errors.Is(err, room.ErrBusy) {
			t.Errorf("T71.3 a request from before: %v", err)
		}
		ben.session = r.again(bob)
		if _, err := ben.rewind(point, "go"); !errors.Is(err, room.ErrRole) {
			t.Errorf("T71.3 the same request again: %v", err)
		}
		r.wantX("T71.3 then", 100)
	})
	// Clauses: T63.9
	atCards(t).Run("T63.9 nobody waits for the answer of who got up", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.ada.mustSend(p.ada.draw(1))
		p.readAll()
		q := p.ada.asks("one")
		if err := p.bob.agree(q, true); err != nil {
			t.Fatal(err)
		}
		if err := r.rooms.StandUp(t.Context(), p.dan.session, room.HandsOnLeaving{}); err != nil {
			t.Fatal(err)
		}
		p.dan.session.Role = table.RoleSpectator
		if err := p.dan.agree(q, false); !errors.Is(err, room.ErrNoQuestion) {
			t.Errorf("T63.9 who got up refuses: %v", err)
		}
		p.ada.wantState("ada", holtpb.QuestionState_QUESTION_STATE_AGREED)
	})
}

func TestUnderWayTokens(t *testing.T) {
	// gone checks that a token leads nowhere.
	gone := func(t *testing.T, r *rig, what string, of room.Taken) {
		t.Helper()
		s, err := r.rooms.Authenticate(t.Context(), of.Table, of.Token)
		if !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("%s: it gives %+v, %v", what, s, err)
		}
		if _, err := r.rooms.Read(t.Context(), s); err == nil {
			t.Errorf("%s: the table can be read with it", what)
		}
	}
	for name, withdraw := range map[string]func(*rig, room.Taken) error{
		"T52.5 logging out": func(r *rig, of room.Taken) error {
			return r.rooms.LogOut(r.t.Context(), of.Session)
		},
		"T54.7 a link": func(r *rig, of room.Taken) error {
			_, err := r.rooms.UseLink(r.t.Context(), r.link(of.Session, of.Seat))
			return err
		},
		"T51.3 putting out": func(r *rig, of room.Taken) error {
			_, err := r.rooms.PutOut(r.t.Context(), r.host.Session, of.Seat, room.HandsOnLeaving{})
			return err
		},
	} {
		in(t).Run(name+" ends a token that is shown meanwhile", func(t *testing.T, r *rig) {
			bob := r.seat(r.invites.Player, "Bob")
			release := r.store.block()
			withdrawn := later(func() error { return withdraw(r, bob) })
			shown := later(func() error {
				_, err := r.rooms.Authenticate(t.Context(), bob.Table, bob.Token)
				return err
			})
			release()
			if err := <-withdrawn; err != nil {
				t.Fatal(err)
			}
			if err := <-shown; !errors.Is(err, room.ErrNoSeat) {
				t.Errorf("the token is shown before it is durable: %v", err)
			}
			gone(t, r, "afterwards", bob)
		})
		in(t).Run(name+" ends a token that was just looked up", func(t *testing.T, r *rig) {
			bob := r.seat(r.invites.Player, "Bob")
			r.store.mu.Lock()
			r.store.seatFound = func() {
				if err := withdraw(r, bob); err != nil {
					t.Error(err)
				}
			}
			r.store.mu.Unlock()
			gone(t, r, "at once", bob)
			gone(t, r, "afterwards", bob)
		})
	}
	// Clauses: T51.5, T75.9
	in(t).Run("T75.9 a link gives no seat that was replaced meanwhile", func(t *testing.T, r *rig) {
		ctx := t.Context()
		eve := r.seat(r.invites.Spectator, "Eve")
		release := r.store.block()
		renewed := later(func() error {
			_, err := r.rooms.RenewInvites(ctx, r.host.Session, table.RolePlayer)
			return err
		})
		come := func(link string) <-chan error {
			return later(func() error {
				_, err := r.rooms.TakeSeat(ctx, link, room.Person{Nick: "Mallory"})
				return err
			})
		}
		played, watched := come(r.invites.Player), come(r.invites.Spectator)
		sat := later(func() error { return r.rooms.SitDown(ctx, eve.Session, r.invites.Player) })
		release()
		if err := errors.Join(<-renewed, <-watched); err != nil {
			t.Fatal(err)
		}
		if err := <-played; !errors.Is(err, room.ErrRenewed) {
			t.Errorf("T75.9 a seat: %v", err)
		}
		if err := <-sat; !errors.Is(err, room.ErrRenewed) {
			t.Errorf("T75.9 a spectator sits down: %v", err)
		}
	})
}

// A link that a host made for somebody else is worth what its maker may do when it is used.
func TestUnderWayLinks(t *testing.T) {
	// Clauses: T54.5, T66.5
	in(t).Run("T54.5 a link ends with the rights of its maker", func(t *testing.T, r *rig) {
		bob, cid := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Player, "Cid")
		if err := r.give(r.host.Session, bob.Seat, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		link := r.link(r.again(bob), cid.Seat)
		if _, err := r.rooms.FindLink(t.Context(), link); err != nil {
			t.Fatal(err)
		}
		if err := r.give(r.host.Session, bob.Seat, table.RolePlayer); err != nil {
			t.Fatal(err)
		}
		r.wantNoLink("made by a co-host who is a player", link)
		if err := r.give(r.host.Session, bob.Seat, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		own := r.link(cid.Session, cid.Seat)
		r.putOut(bob.Seat, room.HandsOnLeaving{})
		r.wantNoLink("made by a co-host who was put out", link)
		if _, err := r.rooms.UseLink(t.Context(), own); err != nil {
			t.Errorf("T54.1 a link of one's own: %v", err)
		}
	})
	in(t).Run("T66.5 a co-host has no link for who has become the host", func(t *testing.T, r *rig) {
		bob, cid := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Player, "Cid")
		if err := r.give(r.host.Session, bob.Seat, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		link := r.link(r.again(bob), cid.Seat)
		if err := r.give(r.host.Session, cid.Seat, table.RoleHost); err != nil {
			t.Fatal(err)
		}
		r.wantNoLink("T66.5 for the host", link)
	})
	in(t).Run("T74.11 nobody has a link for who is to be a referee", func(t *testing.T, r *rig) {
		bob, eve := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Eve")
		link := r.link(r.host.Session, eve.Seat)
		n := r.propose(r.host.Session, eve.Seat)
		r.wantNoLink("T74.11 for who is proposed", link)
		if err := r.answer(bob.Session, n, true); err != nil {
			t.Fatal(err)
		}
		if s := r.again(eve); s.Role != table.RoleReferee {
			t.Fatalf("Eve is %v", s.Role)
		}
		r.wantNoLink("T74.11 for a referee", link)
		<-time.After(time.Minute)
		if _, err := r.rooms.UseLink(t.Context(), r.link(r.again(eve), eve.Seat)); err != nil {
			t.Errorf("T74.11 a referee changes the device: %v", err)
		}
	})
}

package room_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// give gives a seat a role.
func (r *rig) give(by room.Session, seat id.Seat, role table.Role) error {
	return r.rooms.GiveRole(r.t.Context(), by, seat, role)
}

// again returns the session of a seat as it is now.
func (r *rig) again(taken room.Taken) room.Session {
	r.t.Helper()
	s, err := r.rooms.Authenticate(r.t.Context(), taken.Table, taken.Token)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// roles returns the roles that events announce, by seats.
func roles(events []*holtpb.Event) (all string) {
	for _, e := range events {
		if s := e.GetSeat(); s != nil {
			all += fmt.Sprintf("%d %v ", s.GetId(), s.GetRole())
		}
	}
	return all
}

// vote votes for a seat to become the host.
func (p *player) vote(seat id.Seat) (bool, error) {
	return p.rooms.VoteHost(p.t.Context(), p.session, seat)
}

// vacant returns the last Succession in events; nil if there is none.
func vacant(events []*holtpb.Event) (last *holtpb.Succession) {
	for _, e := range events {
		if s := e.GetSuccession(); s != nil {
			last = s
		}
	}
	return last
}

// Clauses: T66.1, T66.2, T66.3, T66.4, T66.5, T66.6
func TestT66Roles(t *testing.T) {
	in(t).Run("T66 the host hands the role over", func(t *testing.T, r *rig) {
		bob, eve := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Eve")
		ada, ben := r.open(r.host.Session), r.open(bob.Session)
		ada.events()
		ben.events()
		for name, err := range map[string]error{
			"T66.1 by a player":        r.give(bob.Session, r.host.Seat, table.RolePlayer),
			"T66.1 to oneself":         r.give(r.host.Session, r.host.Seat, table.RolePlayer),
			"T66.1 a role of watchers": r.give(r.host.Session, bob.Seat, table.RoleSpectator),
		} {
			if !errors.Is(err, room.ErrRole) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := r.give(r.host.Session, eve.Seat, table.RoleHost); !errors.Is(err, room.ErrOver) {
			t.Errorf("T66.1 a spectator becomes host: %v", err)
		}
		if err := r.give(r.host.Session, bob.Seat, table.RoleHost); err != nil {
			t.Fatal(err)
		}
		if got := roles(ben.events()); got != "2 ROLE_HOST 1 ROLE_PLAYER " {
			t.Errorf("T66.2 Bob gets %q", got)
		}
		// A session from before has the old role: who asks again gets the new one.
		if _, err := r.rooms.RenewInvites(t.Context(), r.host.Session); !errors.Is(err, room.ErrBusy) {
			t.Errorf("T66.2 with an old session: %v", err)
		}
		if _, err := r.rooms.RenewInvites(t.Context(), r.again(r.host)); !errors.Is(err, room.ErrRole) {
			t.Errorf("T66.2 the former host renews the links: %v", err)
		}
		if _, err := r.rooms.RenewInvites(t.Context(), r.again(bob)); err != nil {
			t.Errorf("T66.2 the new host renews the links: %v", err)
		}
		// Streams go on, with the new rights.
		ben.mustSend(ben.make(table.OpLock, tokenOne))
		if got := acks(ben.events()); len(got) != 1 {
			t.Errorf("T66.2 the new host locks a piece: acks %v", got)
		}
		ada.mustSend(ada.make(table.OpUnlock, tokenOne))
		if got := acks(ada.events()); len(got) != 0 {
			t.Errorf("T66.2 the former host unlocks it: acks %v", got)
		}
		r.stop()
		r.start()
		if s := r.again(bob); s.Role != table.RoleHost || r.again(r.host).Role != table.RolePlayer {
			t.Errorf("T66.2 after a restart Bob is %v", s.Role)
		}
		if err := r.rooms.Leave(t.Context(), r.again(r.host), room.HandsOnLeaving{}); err != nil {
			t.Errorf("T66.2 the former host leaves: %v", err)
		}
	})
	in(t).Run("T66 co-hosts", func(t *testing.T, r *rig) {
		bob, cid := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Player, "Cid")
		ben := r.open(bob.Session)
		ben.events()
		if err := r.give(r.host.Session, bob.Seat, table.RoleCohost); err != nil {
			t.Fatal(err)
		}
		if got := roles(ben.events()); got != "2 ROLE_COHOST " {
			t.Errorf("T66.3 Bob gets %q", got)
		}
		co := r.again(bob)
		ctx := t.Context()
		_, _, link := r.rooms.MakeLink(ctx, co, r.host.Seat)
		_, out := r.rooms.PutOut(ctx, co, r.host.Seat, room.HandsOnLeaving{})
		for name, err := range map[string]error{
			"T66.3 to make a co-host":         r.give(co, cid.Seat, table.RoleCohost),
			"T66.5 to hand over":              r.give(co, cid.Seat, table.RoleHost),
			"T66.5 to put out the host":       out,
			"T66.5 a link for the host":       link,
			"T66.5 to delete the table":       r.rooms.Delete(ctx, co),
			"T66.5 to drop the history":       r.rooms.DropHistory(ctx, co),
			"T66.5 to take the host's role":   r.give(co, r.host.Seat, table.RolePlayer),
			"T66.5 to become host by himself": r.give(co, bob.Seat, table.RoleHost),
		} {
			if !errors.Is(err, room.ErrRole) {
				t.Errorf("%s: %v", name, err)
			}
		}
		ben.session = co
		ben.mustSend(ben.make(table.OpLock, tokenOne))
		if got := acks(ben.events()); len(got) != 1 {
			t.Errorf("T66.4 a co-host locks a piece: acks %v", got)
		}
		ben.operate(put(schema.TheTable, schema.Recall, 1, &componentpb.Recall{Players: true}))
		for _, e := range ben.events() {
			if e.GetRefused() != nil {
				t.Error("T66.4 a setting of a co-host is refused")
			}
		}
		_, _, own := r.rooms.MakeLink(ctx, co, cid.Seat)
		_, round := r.rooms.OpenRound(ctx, co)
		_, renewed := r.rooms.RenewInvites(ctx, co)
		_, put := r.rooms.PutOut(ctx, co, cid.Seat, room.HandsOnLeaving{})
		if err := errors.Join(own, round, renewed, put); err != nil {
			t.Errorf("T66.4 %v", err)
		}
		if err := r.give(r.host.Session, bob.Seat, table.RolePlayer); err != nil {
			t.Errorf("T66.3 to a player again: %v", err)
		}
		if err := r.give(r.host.Session, cid.Seat, table.RoleCohost); !errors.Is(err, room.ErrOver) {
			t.Errorf("T66.1 a seat that has ended gets a role: %v", err)
		}
	})
	in(t).Run("T66.6 visitors", func(t *testing.T, r *rig) {
		vic, err := r.rooms.TakeSeat(t.Context(), r.invites.Player,
			room.Person{Nick: "Vic", Colour: 1, Home: "elsewhere"})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.give(r.host.Session, vic.Seat, table.RoleHost); !errors.Is(err, room.ErrVisitor) {
			t.Errorf("T66.6 a visitor becomes the host: %v", err)
		}
		if err := r.give(r.host.Session, vic.Seat, table.RoleCohost); err != nil {
			t.Errorf("T66.6 a visitor becomes a co-host: %v", err)
		}
	})
}

// Clauses: T66.7, T66.8, T66.9, T66.10, T66.11, T66.12
func TestT66Succession(t *testing.T) {
	in(t).Run("T66 one player takes over", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		if _, err := bob.vote(bob.session.Seat); !errors.Is(err, room.ErrHostHere) {
			t.Errorf("T66.7 with the host there: %v", err)
		}
		ada.cut()
		<-time.After(5*time.Minute - time.Second)
		if got := vacant(bob.events()); got != nil {
			t.Errorf("T66.7 before five minutes: %v", got)
		}
		if _, err := bob.vote(bob.session.Seat); !errors.Is(err, room.ErrHostHere) {
			t.Errorf("T66.7 before five minutes: %v", err)
		}
		<-time.After(2 * time.Second)
		if got := vacant(bob.events()); !got.GetOpen() || len(got.GetVotes()) != 0 {
			t.Errorf("T66.9 after five minutes: %v", got)
		}
		for name, again := range map[string]func(){
			"a full state": func() { bob.reopen(0) },
			"a resumption": func() {
				bob.come(room.Hello{Client: bob.id, Epoch: bob.epoch, Version: bob.version})
			},
		} {
			bob.cut()
			again()
			events := bob.events()
			if got := vacant(events); !got.GetOpen() {
				t.Errorf("T66.9 behind %s: %v", name, got)
			}
			if resumes := events[0].GetResumed() != nil; resumes != (name == "a resumption") {
				t.Errorf("%s begins with %v", name, events[0])
			}
		}
		if _, err := bob.vote(r.host.Seat); !errors.Is(err, room.ErrRole) {
			t.Errorf("T66.8 for somebody who is not there: %v", err)
		}
		elected, err := bob.vote(bob.session.Seat)
		if err != nil || !elected {
			t.Fatalf("T66.10 %v, %v", elected, err)
		}
		events := bob.events()
		if got := roles(events); got != "1 ROLE_PLAYER 2 ROLE_HOST " {
			t.Errorf("T66.10 Bob gets %q", got)
		}
		if got := vacant(events); got == nil || got.GetOpen() {
			t.Errorf("T66.9 with a new host: %v", got)
		}
		back := r.open(r.again(r.host))
		if _, err := r.rooms.RenewInvites(t.Context(), back.session); !errors.Is(err, room.ErrRole) {
			t.Errorf("T66.10 the former host renews the links: %v", err)
		}
	})
	in(t).Run("T66 a majority", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		cid, dan := r.open(r.seat(r.invites.Player, "Cid").Session),
			r.open(r.seat(r.invites.Player, "Dan").Session)
		eve := r.open(r.seat(r.invites.Spectator, "Eve").Session)
		ada.cut()
		<-time.After(5*time.Minute + time.Second)
		bob.events()
		if _, err := eve.vote(bob.session.Seat); !errors.Is(err, room.ErrRole) {
			t.Errorf("T66.8 a spectator votes: %v", err)
		}
		if _, err := bob.vote(eve.session.Seat); !errors.Is(err, room.ErrRole) {
			t.Errorf("T66.8 for a spectator: %v", err)
		}
		count := func(by *player, seat id.Seat) int {
			t.Helper()
			if elected, err := by.vote(seat); err != nil || elected {
				t.Fatalf("T66.10 %v, %v", elected, err)
			}
			return len(vacant(bob.events()).GetVotes())
		}
		if n := count(bob, bob.session.Seat); n != 1 {
			t.Errorf("T66.9 %d votes are published", n)
		}
		if n := count(cid, dan.session.Seat); n != 2 {
			t.Errorf("T66.9 %d votes are published", n)
		}
		if n := count(cid, 0); n != 1 {
			t.Errorf("T66.8 %d votes are left when one is withdrawn", n)
		}
		back := r.open(r.host.Session)
		if got := vacant(bob.events()); got == nil || got.GetOpen() {
			t.Errorf("T66.11 the host is back: %v", got)
		}
		back.cut()
		<-time.After(5*time.Minute + time.Second)
		if got := vacant(bob.events()); !got.GetOpen() || len(got.GetVotes()) != 0 {
			t.Errorf("T66.11 the votes from before count: %v", got)
		}
		if n := count(dan, bob.session.Seat); n != 1 {
			t.Errorf("T66.9 %d votes are published", n)
		}
		dan.cut()
		if got := vacant(bob.events()); len(got.GetVotes()) != 0 {
			t.Errorf("T66.8 votes of somebody who is gone: %v", got)
		}
		if n := count(bob, bob.session.Seat); n != 1 {
			t.Errorf("T66.10 one of two is enough: %d votes", n)
		}
		if elected, err := cid.vote(bob.session.Seat); err != nil || !elected {
			t.Errorf("T66.10 two of two: %v, %v", elected, err)
		}
	})
	in(t).Run("T66.12 after a restart", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		<-time.After(10 * time.Minute)
		r.stop()
		r.start()
		ben := r.open(bob.Session)
		if _, err := ben.vote(bob.Seat); !errors.Is(err, room.ErrHostHere) {
			t.Errorf("T66.12 just after the start: %v", err)
		}
		<-time.After(5*time.Minute + time.Second)
		if elected, err := ben.vote(bob.Seat); err != nil || !elected {
			t.Errorf("T66.12 five minutes later: %v, %v", elected, err)
		}
	})
}

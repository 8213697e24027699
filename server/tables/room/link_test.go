package room_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
)

// link makes a session make a link for a seat.
func (r *rig) link(by room.Session, seat id.Seat) string {
	r.t.Helper()
	link, _, err := r.rooms.MakeLink(r.t.Context(), by, seat)
	if err != nil {
		r.t.Fatal(err)
	}
	return link
}

// wantNoLink checks that a link leads nowhere.
func (r *rig) wantNoLink(what, link string) {
	r.t.Helper()
	_, found := r.rooms.FindLink(r.t.Context(), link)
	_, used := r.rooms.UseLink(r.t.Context(), link)
	if !errors.Is(found, room.ErrNoLink) || !errors.Is(used, room.ErrNoLink) {
		r.t.Errorf("%s: found %v, used %v", what, found, used)
	}
}

// linked returns the last seat with a link that the events have for a number; nil if none.
func linked(events []*holtpb.Event, seat id.Seat) (told *holtpb.Seat) {
	for _, e := range events {
		if s := e.GetSeat(); s.GetId() == uint32(seat) && s.GetLinkBy() != 0 {
			told = s
		}
	}
	return told
}

func TestT54Links(t *testing.T) {
	// Clauses: S20.1, S20.2, S20.3, S20.4, T54.1, T54.5, T54.6, T54.7, T54.8
	in(t).Run("T54 a link moves a seat to another device", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		p := r.open(bob.Session)
		p.frames()
		link := r.link(bob.Session, bob.Seat)
		if l, err := r.rooms.FindLink(t.Context(), link); err != nil || l.Name != "Bob" ||
			l.By != "" {
			t.Errorf("found %+v, %v", l, err)
		}
		moved, err := r.rooms.UseLink(t.Context(), link)
		if err != nil || moved.Seat != bob.Seat || moved.Role != table.RolePlayer {
			t.Fatalf("moved to %+v, %v", moved, err)
		}
		wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p), r.playerCalls(bob.Session))
		if why, by := farewell(p); why != holtpb.Farewell_FAREWELL_MOVED || by != bob.Seat ||
			p.line.code != stream.CodeNoSeat {
			t.Errorf("got %v by %d, closed with %d", why, by, p.line.code)
		}
		r.wantNoLink("a second time", link)
		r.stop()
		r.start()
		r.wantNoLink("a second time after a restart", link)
		wantNoSeat(t, r.seatCalls(bob.Session, bob.Token, p))
		if s, err := r.rooms.Authenticate(t.Context(), moved.Table, moved.Token); err != nil ||
			s != moved.Session {
			t.Errorf("the new device has %+v, %v, want %+v", s, err, moved.Session)
		}
		again := r.open(moved.Session)
		again.reopenForFull()
		again.mustSend(again.move(tokenOne, 700, 700))
	})
	// Clauses: T54.2, T54.8
	in(t).Run("T54 a player who logged out comes back with hand and name", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		if err := r.rooms.LogOut(t.Context(), bob.Session); err != nil {
			t.Fatal(err)
		}
		back, err := r.rooms.UseLink(t.Context(), r.link(r.host.Session, bob.Seat))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.open(back.Session).reopenForFull().GetSeats() {
			if s.GetId() == uint32(bob.Seat) && (s.GetNick() != "Bob" || s.GetLeft() != 0) {
				t.Errorf("the seat is %v", s)
			}
		}
	})
	in(t).Run("T54.5 a link survives a restart, for 15 minutes", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		first, second := r.link(bob.Session, bob.Seat), r.link(bob.Session, bob.Seat)
		<-time.After(14 * time.Minute)
		r.stop()
		r.start()
		moved, err := r.rooms.UseLink(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		r.wantNoLink("another one from before", second)
		late := r.link(moved.Session, bob.Seat)
		<-time.After(15 * time.Minute)
		r.wantNoLink("too late", late)
	})
	in(t).Run("T54.5 a link ends with its seat and on logout", func(t *testing.T, r *rig) {
		bob, cid := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Player, "Cid")
		bobs, cids := r.link(bob.Session, bob.Seat), r.link(cid.Session, cid.Seat)
		if err := r.rooms.LogOut(t.Context(), cid.Session); err != nil {
			t.Fatal(err)
		}
		r.putOut(bob.Seat, room.HandsOnLeaving{})
		r.wantNoLink("put out", bobs)
		r.wantNoLink("logged out", cids)
	})
	in(t).Run("T54.1, T54.2, T54.3 only hosts make links for others", func(t *testing.T, r *rig) {
		bob, eve := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Eve")
		visitor, err :=
			r.rooms.TakeSeat(t.Context(), r.invites.Player, room.Person{Nick: "Vic", Home: "Vic's"})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			name string
			by   room.Session
			seat id.Seat
			want error
		}{
			{"a player for another", bob.Session, eve.Seat, room.ErrRole},
			{"a spectator for another", eve.Session, bob.Seat, room.ErrRole},
			{"a player for the host", bob.Session, r.host.Seat, room.ErrRole},
			{"a host for nobody", r.host.Session, 99, room.ErrOver},
			{"a host for a visitor", r.host.Session, visitor.Seat, room.ErrVisitor},
			{"a visitor for themself", visitor.Session, visitor.Seat, nil},
			{"a spectator for themself", eve.Session, eve.Seat, nil},
			{"a host for themself", r.host.Session, r.host.Seat, nil},
		} {
			if _, _, err := r.rooms.MakeLink(
				t.Context(), row.by, row.seat,
			); !errors.Is(err, row.want) {
				t.Errorf("%s: %v, want %v", row.name, err, row.want)
			}
		}
	})
	in(t).Run("T54 nobody can forge or change a link", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		link := r.link(bob.Session, bob.Seat)
		r.wantNoLink("nothing", "")
		r.wantNoLink("an invite", r.invites.Player)
		r.wantNoLink("a longer one", link+"AAAA")
		for i := range link {
			other := byte('A')
			if link[i] == other {
				other = 'B'
			}
			r.wantNoLink("one that was changed", link[:i]+string(other)+link[i+1:])
		}
		if _, err := r.rooms.UseLink(t.Context(), link); err != nil {
			t.Errorf("the link itself: %v", err)
		}
	})
	in(t).Run("T54.7 a move that cannot be stored has not happened", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		link := r.link(bob.Session, bob.Seat)
		r.store.failWith(errDisk)
		if _, err := r.rooms.UseLink(t.Context(), link); !errors.Is(err, room.ErrStorage) {
			t.Errorf("used: %v", err)
		}
		synctest.Wait() // wait until the failed room has ended
		r.store.failWith(nil)
		if s, err := r.rooms.Authenticate(t.Context(), bob.Table, bob.Token); err != nil ||
			s != bob.Session {
			t.Errorf("the old device has %+v, %v", s, err)
		}
		if _, err := r.rooms.UseLink(t.Context(), link); err != nil {
			t.Errorf("used again: %v", err)
		}
	})
}

func TestT55LinksOfHosts(t *testing.T) {
	// Clauses: T55.1, T55.2, T55.4
	in(t).Run("T55 everybody is notified of a host's link", func(t *testing.T, r *rig) {
		bob, cid := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Cid")
		p, q := r.open(bob.Session), r.open(cid.Session)
		p.frames()
		q.frames()
		link := r.link(r.host.Session, bob.Seat)
		for _, events := range [][]*holtpb.Event{p.events(), q.events()} {
			if l := linked(events, bob.Seat); l.GetLinkBy() != uint32(r.host.Seat) ||
				l.GetLinkAt() == 0 || l.GetLinkUsed() != 0 {
				t.Errorf("when it was made, sent was %v", l)
			}
		}
		if l, err := r.rooms.FindLink(t.Context(), link); err != nil || l.By != "Ada" {
			t.Errorf("found %+v, %v", l, err)
		}
		moved, err := r.rooms.UseLink(t.Context(), link)
		if err != nil {
			t.Fatal(err)
		}
		if why, by := farewell(p); why != holtpb.Farewell_FAREWELL_MOVED || by != r.host.Seat {
			t.Errorf("the former device gets %v by %d", why, by)
		}
		l := linked(q.events(), bob.Seat)
		if l.GetLinkUsed() == 0 {
			t.Errorf("when it was used, sent was %v", l)
		}
		// The player's own link leaves no trace; that of the host's stays.
		own, err := r.rooms.UseLink(t.Context(), r.link(moved.Session, bob.Seat))
		if err != nil {
			t.Fatal(err)
		}
		r.stop()
		r.start()
		for _, s := range r.open(own.Session).reopenForFull().GetSeats() {
			if s.GetId() == uint32(bob.Seat) &&
				(s.GetLinkBy() != uint32(r.host.Seat) || s.GetLinkUsed() != l.GetLinkUsed()) {
				t.Errorf("after a restart the seat is %v", s)
			}
		}
	})
	in(t).Run("T55.1 the host gets the link once its notice is durable", func(t *testing.T, r *rig) {
		bob := r.seat(r.invites.Player, "Bob")
		r.store.failWith(errDisk)
		if link, _, err := r.rooms.MakeLink(t.Context(), r.host.Session, bob.Seat); !errors.Is(err,
			room.ErrStorage) ||
			link != "" {
			t.Errorf("made %q, %v", link, err)
		}
		r.store.failWith(nil)
	})
	in(t).Run("T55.5 nobody is notified of a link for one's own seat", func(t *testing.T, r *rig) {
		bob, ada := r.seat(r.invites.Player, "Bob"), r.open(r.host.Session)
		ada.frames()
		r.link(bob.Session, bob.Seat)
		if events := ada.events(); len(events) > 0 {
			t.Errorf("sent was %v", events)
		}
	})
}

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
	"holt/server/tables/wire"
)

// hostLink makes the operator make a link for the host.
func (r *rig) hostLink() room.HostLink {
	r.t.Helper()
	made, err := r.rooms.MakeHostLink(r.t.Context(), r.host.Table)
	if err != nil {
		r.t.Fatal(err)
	}
	return made
}

func TestOperatorsLinkForTheHost(t *testing.T) {
	in(t).Run("T54.4 the operator's link returns a seat to its host", func(t *testing.T, r *rig) {
		p := r.open(r.host.Session)
		p.frames()
		made := r.hostLink()
		if l, err := r.rooms.FindLink(t.Context(), made.Link); err != nil || l.Name != "Ada" ||
			l.By != "" || !l.Operator {
			t.Errorf("found %+v, %v", l, err)
		}
		r.stop()
		r.start()
		moved, err := r.rooms.UseLink(t.Context(), made.Link)
		if err != nil || moved.Seat != r.host.Seat || moved.Role != r.host.Role {
			t.Fatalf("moved to %+v, %v", moved, err)
		}
		wantNoSeat(t, r.seatCalls(r.host.Session, r.host.Token, p), r.hostCalls(r.host.Session))
		r.wantNoLink("a second time", made.Link)
		if s, err := r.rooms.Authenticate(t.Context(), moved.Table, moved.Token); err != nil ||
			s != moved.Session {
			t.Errorf("the new device has %+v, %v, want %+v", s, err, moved.Session)
		}
		if _, err := r.rooms.RenewInvites(t.Context(), moved.Session); err != nil {
			t.Errorf("the host renews the invites: %v", err)
		}
		for _, want := range []string{
			"the operator made a link for a host", "the operator's link for a host was used",
		} {
			if n := r.log.count(want); n != 1 || r.log.count(made.Link) > 0 {
				t.Errorf("the log says %q %d times, the link %d times", want, n,
					r.log.count(made.Link))
			}
		}
	})
	in(t).Run("T54.5 the operator's link is valid for 15 minutes, once", func(t *testing.T, r *rig) {
		first, second := r.hostLink(), r.hostLink()
		<-time.After(14 * time.Minute)
		if _, err := r.rooms.UseLink(t.Context(), second.Link); err != nil {
			t.Fatal(err)
		}
		r.wantNoLink("the other one", first.Link)
		late := r.hostLink()
		<-time.After(15 * time.Minute)
		r.wantNoLink("too late", late.Link)
	})
	in(t).Run("T54 the operator makes no link without a table or a host", func(t *testing.T, r *rig) {
		if _, err := r.rooms.MakeHostLink(
			t.Context(), id.OID{9},
		); !errors.Is(err, room.ErrNoTable) {
			t.Errorf("no table: %v", err)
		}
		r.changeStored(func(s *stored) { // no server writes this
			who := table.SeatInfo{
				Seat: r.host.Seat, Nick: "Ada", Role: table.RoleHost, Left: r.host.Seat, Tokens: 1,
			}
			gen := id.Generation(len(s.log) + 1)
			entry, err := wire.EncodeEntry(&table.Entry{
				Gen: gen, At: r.clock.now(), Op: table.OpSeat, Who: &who,
			})
			if err != nil {
				t.Fatal(err)
			}
			s.log = append(s.log, entry)
		})
		made, err := r.rooms.MakeHostLink(t.Context(), r.host.Table)
		if !errors.Is(err, room.ErrNoHost) || made.Link != "" {
			t.Errorf("no host: %+v, %v", made, err)
		}
	})
	in(t).Run("T55.3 everybody is notified of the operator's link", func(t *testing.T, r *rig) {
		cid := r.seat(r.invites.Spectator, "Cid")
		q := r.open(cid.Session)
		q.frames()
		made := r.hostLink()
		if l := lastSeatEvent(q.events(), r.host.Seat); l.GetLinkBy() != 0 || l.GetLinkAt() == 0 ||
			l.GetLinkUsed() != 0 {
			t.Errorf("when it was made, sent was %v", l)
		}
		if _, err := r.rooms.UseLink(t.Context(), made.Link); err != nil {
			t.Fatal(err)
		}
		used := lastSeatEvent(q.events(), r.host.Seat)
		if used.GetLinkBy() != 0 || used.GetLinkAt() == 0 || used.GetLinkUsed() == 0 {
			t.Errorf("when it was used, sent was %v", used)
		}
		r.stop()
		r.start()
		for _, s := range r.open(cid.Session).reopenForFull().GetSeats() {
			if s.GetId() == uint32(r.host.Seat) &&
				(s.GetLinkAt() != used.GetLinkAt() || s.GetLinkUsed() != used.GetLinkUsed()) {
				t.Errorf("after a restart the seat is %v", s)
			}
		}
	})
	in(t).Run("T55.2 use of a link is published, also after a restore", func(t *testing.T, r *rig) {
		bob, cid := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Cid")
		var before stored
		r.changeStored(func(s *stored) { before = *s })
		hosts, operators := r.link(r.host.Session, bob.Seat), r.hostLink().Link
		r.changeStored(func(s *stored) { *s = before })
		q := r.open(cid.Session)
		q.frames()
		for _, link := range []string{hosts, operators} {
			moved, err := r.rooms.UseLink(t.Context(), link)
			if err != nil {
				t.Fatal(err)
			}
			if l := lastSeatEvent(q.events(), moved.Seat); l.GetLinkAt() == 0 || l.GetLinkUsed() == 0 {
				t.Errorf("sent was %v", l)
			}
		}
	})
	// Clauses: T55.3
	in(t).Run("T55 the operator gets the link once its notice is durable", func(t *testing.T, r *rig) {
		r.store.failWith(errDisk)
		if made, err := r.rooms.MakeHostLink(t.Context(), r.host.Table); !errors.Is(err,
			room.ErrStorage) ||
			made.Link != "" {
			t.Errorf("made %+v, %v", made, err)
		}
		synctest.Wait() // wait until the failed room has ended
		r.store.failWith(nil)
		r.hostLink()
	})
}

// lastSeatEvent returns the last seat that the events have for a number; nil if none.
func lastSeatEvent(events []*holtpb.Event, seat id.Seat) (told *holtpb.Seat) {
	for _, e := range events {
		if s := e.GetSeat(); s.GetId() == uint32(seat) {
			told = s
		}
	}
	return told
}

package room_test

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// fillSeats takes seats until all are taken, and returns those that it took.
func (r *rig) fillSeats(invite string) (all []room.Taken) {
	r.t.Helper()
	for {
		taken, err := r.rooms.TakeSeat(r.t.Context(), invite, room.Person{
			Nick: fmt.Sprintf("Eve %d", len(all)),
		})
		if errors.Is(err, room.ErrFull) {
			return all
		}
		if err != nil {
			r.t.Fatal(err)
		}
		all = append(all, taken)
	}
}

func TestT56SeatsAreFreed(t *testing.T) {
	const most = table.MaxInUse
	// Clauses: T56.1, T56.3, T56.6, T56.9, T56.10
	in(t).Run("T56 a seat flood does not keep others out", func(t *testing.T, r *rig) {
		all := r.fillSeats(r.invites.Player)
		if len(all) != most-1 {
			t.Fatalf("%d seats were taken", len(all))
		}
		<-time.After(9 * time.Minute)
		if _, err := r.rooms.TakeSeat(
			t.Context(), r.invites.Player, room.Person{Nick: "Bob"},
		); !errors.Is(err, room.ErrFull) {
			t.Errorf("before ten minutes: %v", err)
		}
		<-time.After(time.Minute)
		bob, cid := r.seat(r.invites.Player, "Bob"), r.seat(r.invites.Spectator, "Cid")
		if bob.Seat != all[0].Seat || cid.Seat != all[1].Seat {
			t.Errorf("taken were seats %d and %d", bob.Seat, cid.Seat)
		}
		for restarted := range 2 {
			for _, old := range all[:2] {
				if _, err := r.rooms.Authenticate(
					t.Context(), old.Table, old.Token,
				); !errors.Is(err, room.ErrNoSeat) {
					t.Errorf("restarted %d times: the token from before: %v", restarted, err)
				}
				if _, err := r.rooms.Read(
					t.Context(), old.Session,
				); !errors.Is(err, room.ErrNoSeat) {
					t.Errorf("restarted %d times: the session from before: %v", restarted, err)
				}
			}
			for _, s := range []room.Taken{bob, cid} {
				if is, err := r.rooms.Authenticate(t.Context(), s.Table, s.Token); err != nil ||
					is != s.Session {
					t.Errorf("restarted %d times: %+v, %v, want %+v", restarted, is, err, s.Session)
				}
			}
			p := r.open(bob.Session)
			p.reopenForFull()
			p.mustSend(p.move(tokenOne, int32(restarted), 3))
			r.stop()
			r.start()
		}
	})
	// Clauses: T56.4, T56.5, T56.8
	in(t).Run("T56 a seat in use or referred to is never freed", func(t *testing.T, r *rig) {
		moved, promised, present := r.seat(r.invites.Player, "Moved"),
			r.seat(r.invites.Player, "Promised"), r.seat(r.invites.Spectator, "Present")
		p := r.open(moved.Session)
		p.reopenForFull()
		p.mustSend(p.move(tokenOne, 1, 1))
		p.stream.Closed(io.EOF)
		q := &witness{player: r.open(promised.Session)}
		q.reopenForFull()
		q.contribute(1, 1, 7)
		q.stream.Closed(io.EOF)
		r.open(present.Session).reopenForFull()
		rest := r.fillSeats(r.invites.Spectator)
		<-time.After(10 * time.Minute)
		freed := map[id.Seat]bool{}
		for range rest { // each newcomer gets another one
			freed[r.seat(r.invites.Spectator, "Bob").Seat] = true
		}
		if len(freed) != len(rest) || freed[moved.Seat] || freed[promised.Seat] ||
			freed[present.Seat] || freed[r.host.Seat] {
			t.Errorf("%d of %d seats were freed", len(freed), len(rest))
		}
		if _, err := r.rooms.TakeSeat(
			t.Context(), r.invites.Spectator, room.Person{Nick: "Bob"},
		); !errors.Is(err, room.ErrFull) {
			t.Errorf("one more: %v", err)
		}
	})
	in(t).Run("T56.7 a server that has just started frees no seats", func(t *testing.T, r *rig) {
		r.fillSeats(r.invites.Spectator)
		<-time.After(time.Hour)
		r.stop()
		r.start()
		if _, err := r.rooms.TakeSeat(
			t.Context(), r.invites.Player, room.Person{Nick: "Bob"},
		); !errors.Is(err, room.ErrFull) {
			t.Errorf("too early: %v", err)
		}
		<-time.After(11 * time.Minute)
		r.seat(r.invites.Player, "Bob")
	})
}

// mustPutOut makes the host put a seat out, as soon as that is allowed.
func (r *rig) mustPutOut(seat id.Seat) room.Invites {
	r.t.Helper()
	for {
		invites, err := r.rooms.PutOut(r.t.Context(), r.host.Session, seat, room.HandsOnLeaving{})
		if wait := (room.TooFast{}); errors.As(err, &wait) {
			<-time.After(wait.After)
			continue
		}
		if err != nil {
			r.t.Fatal(err)
		}
		return invites
	}
}

func TestT56PlacesComeBack(t *testing.T) {
	// Clauses: T56.2, T56.11
	in(t).Run("T56 a host who puts attackers out frees their seats", func(t *testing.T, r *rig) {
		attackers := r.fillSeats(r.invites.Player)
		for i, a := range attackers {
			p := &player{
				rig: r, session: a.Session, id: id.Client{13: 1, 14: byte(i >> 8), 15: byte(i)},
			}
			p.versions, p.renamed = map[id.Piece]id.Version{}, map[id.Piece]id.Piece{}
			p.reopen(0)
			p.reopenForFull()
			p.mustSend(p.move(tokenOne, int32(i), 1)) // so its number is never used again
			p.stream.Closed(io.EOF)
		}
		<-time.After(time.Minute)
		bob := room.Person{Nick: "Bob"}
		if _, err := r.rooms.TakeSeat(
			t.Context(), r.invites.Player, bob,
		); !errors.Is(err, room.ErrFull) {
			t.Fatalf("before: %v", err)
		}
		invites := r.invites
		for _, a := range attackers {
			invites = r.mustPutOut(a.Seat)
		}
		r.stop()
		r.start()
		taken := map[id.Seat]bool{}
		for range attackers {
			taken[r.seat(invites.Player, "Bob").Seat] = true
		}
		for _, a := range attackers {
			if taken[a.Seat] {
				t.Errorf("number %d is used again", a.Seat)
			}
			if _, err := r.rooms.Authenticate(
				t.Context(), a.Table, a.Token,
			); !errors.Is(err, room.ErrNoSeat) {
				t.Errorf("the token of seat %d: %v", a.Seat, err)
			}
		}
		if len(taken) != len(attackers) {
			t.Errorf("%d places came back, of %d", len(taken), len(attackers))
		}
		if _, err := r.rooms.TakeSeat(
			t.Context(), invites.Player, bob,
		); !errors.Is(err, room.ErrFull) {
			t.Errorf("one more: %v", err)
		}
	})
}

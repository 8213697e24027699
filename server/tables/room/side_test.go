package room_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"holt/server/play/game"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// withSides returns the same tests at a table whose game has two sides.
func (b bubble) withSides() bubble {
	const seats = `"seats":[{"name":"White","side":"south","colour":"#ffffff","hand":0},` +
		`{"name":"Black","side":"north","colour":"#000000"}],`
	b.game = strings.Replace(b.game, "{", "{"+seats, 1)
	b.game = strings.Replace(b.game, "holt.game/1", "holt.game/2", 1)
	return b
}

// sides returns the sides of the seats of a full state.
func sides(full *holtpb.Full) string {
	var all []uint32
	for _, s := range full.GetSeats() {
		all = append(all, s.GetSide())
	}
	return fmt.Sprint(all)
}

func TestT61SidesStay(t *testing.T) {
	// Clauses: T61.1, T61.2, T61.3, T61.6
	in(t).withSides().Run("T61 sides are known at once and survive restarts",
		func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			bob := r.seat(r.invites.Player, "Bob")
			ada.frames()
			if err := r.rooms.TakeSide(t.Context(), bob.Session, 1); err != nil {
				t.Fatal(err)
			}
			told := map[uint32]uint32{}
			for _, e := range ada.events() {
				if s := e.GetSeat(); s != nil {
					told[s.GetId()] = s.GetSide()
				}
			}
			if told[1] != 2 || told[2] != 1 {
				t.Errorf("everybody gets %v", told)
			}
			for restarted := range 3 {
				if got := sides(r.open(r.host.Session).reopenForFull()); got != "[2 1]" {
					t.Errorf("restarted %d times: %s", restarted, got)
				}
				r.stop()
				r.start()
			}
			eve := r.seat(r.invites.Spectator, "Eve")
			if err := r.rooms.TakeSide(t.Context(), eve.Session, 1); !errors.Is(err, room.ErrRole) {
				t.Errorf("a spectator: %v", err)
			}
		})
	// Clauses: T98.4
	in(t).withSides().Run("T98.4 a host gives places to visitors, too",
		func(t *testing.T, r *rig) {
			bob := r.seat(r.invites.Player, "Bob")
			visit := func(nick string) room.Taken {
				taken, err := r.rooms.TakeSeat(t.Context(), r.invites.Player,
					room.Person{Nick: nick, Colour: 1, Home: "elsewhere"})
				if err != nil {
					t.Fatal(err)
				}
				return taken
			}
			vic, wyn := visit("Vic"), visit("Wyn")
			ada := r.open(r.host.Session)
			want := func(what, want string) {
				t.Helper()
				if got := sides(ada.reopenForFull()); got != want {
					t.Errorf("%s: the sides are %s, want %s", what, got, want)
				}
			}
			stand := func(s room.Session) {
				t.Helper()
				if err := r.rooms.StandUp(t.Context(), s, room.HandsOnLeaving{}); err != nil {
					t.Fatal(err)
				}
			}
			want("without free places", "[1 2 0 0]")
			stand(bob.Session)
			if err := r.rooms.GiveSide(t.Context(), r.host.Session, vic.Seat, 2); err != nil {
				t.Errorf("the host gives a place: %v", err)
			}
			want("a host gives a visitor a place", "[1 0 2 0]")
			stand(vic.Session)
			if err := r.rooms.TakeSide(t.Context(), wyn.Session, 2); err != nil {
				t.Errorf("a visitor takes a free place: %v", err)
			}
			want("a visitor takes a place", "[1 0 0 2]")
		})
	swapped := in(t).withSides()
	swapped.game = strings.Replace(swapped.game, `"hand":0`, `"hand":1`, 1)
	swapped.game = strings.Replace(swapped.game, `"pieces":[`,
		`"pieces":[{"kind":"Hand","x":0,"y":4000},`, 1)
	swapped.Run("T61.6 a side has the hand that the game names, after a restart, too",
		func(t *testing.T, r *rig) {
			r.stop()
			r.start()
			r.seat(r.invites.Player, "Bob")
			owners := map[uint32]uint32{}
			for _, p := range r.open(r.host.Session).reopenForFull().GetPieces() {
				owners[p.GetId()] = p.GetOwner()
			}
			if owners[1] != 2 || owners[2] != 1 {
				t.Errorf("the hands are of %v", owners)
			}
		})
	atCards(t).withSides().Run("T61 a catalogue that grows keeps the sides",
		func(t *testing.T, r *rig) {
			p := r.party()
			p.ada.mustSend(p.ada.take(deck))
			p.ada.frames()
			before := r.store.tables[r.host.Table].row.Catalog
			p.ada.mustSend(p.ada.place(r.only(), deckX, 0))
			p.ada.frames()
			grown := r.store.tables[r.host.Table].row.Catalog
			doc, err := r.store.Blob(t.Context(), grown)
			if err != nil || grown == before {
				t.Fatalf("the catalogue did not grow: %v", err)
			}
			_, rest, err := game.ReadCatalog(doc.Data)
			seats := rest.Seats
			if err != nil || len(seats) != 2 || seats[0].Hand != 0 || seats[1].Angle != 18_000 {
				t.Errorf("it has the sides %+v, %v", seats, err)
			}
		})
	quotaOf(t, room.Quota{Seat: 4_000}).withSides().Run("T46.7 changes of sides count for the quota",
		func(t *testing.T, r *rig) {
			bob := r.seat(r.invites.Player, "Bob")
			var err error
			n := 0
			for ; n < 1000 && err == nil; n++ {
				err = r.rooms.TakeSide(t.Context(), bob.Session, uint32(1+n%2))
			}
			var soon *room.TooSoon
			if !errors.As(err, &soon) || soon.After <= 0 || n < 5 {
				t.Errorf("%d changes, then %v", n, err)
			}
		})
}

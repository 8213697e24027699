package room_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// save makes a save point.
func (p *player) save(name, token string) uint32 {
	p.t.Helper()
	number, err := p.rooms.Save(p.t.Context(), p.session, name, token)
	if err != nil {
		p.t.Fatalf("T70 save %q: %v", name, err)
	}
	return number
}

// saves returns the save points in words, and the list.
func (p *player) saves() (words []string, list room.SaveList) {
	p.t.Helper()
	list, err := p.rooms.Saves(p.t.Context(), p.session)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, s := range list.All {
		words = append(words, fmt.Sprintf("%d:%d %s +%d", s.ID, s.Kind, s.Name, s.Since))
	}
	return words, list
}

// rewind brings the table back, in the epoch that the player knows.
func (p *player) rewind(save uint32, token string) (uint32, error) {
	return p.rooms.Rewind(p.t.Context(), p.session,
		room.Rewind{Save: save, Token: token, Epoch: p.epoch})
}

// wantX checks where the token lies.
func (r *rig) wantX(what string, want int32) *holtpb.Full {
	r.t.Helper()
	full := r.open(r.host.Session).reopenForFull()
	i := slices.IndexFunc(full.GetPieces(), func(p *holtpb.Piece) bool {
		return p.GetId() == uint32(tokenOne)
	})
	if i < 0 || full.GetPieces()[i].GetX() != want {
		r.t.Errorf("%s the token lies at %v, want %d", what, full.GetPieces()[i], want)
	}
	return full
}

// Clauses: T70.1, T70.2, T70.3, T70.4, T70.6, T71.3, T71.4, T71.5, T71.8, T71.9, T71.11
func TestRewind(t *testing.T) {
	in(t).Run("T71 a rewind is taken back by another one", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		ada.mustSend(ada.move(tokenOne, 100, 0))
		point := ada.save("Before the end game", "one")
		if again := ada.save("Before the end game", "one"); again != point {
			t.Errorf("T70 the repeated request makes %d, and the first one made %d", again, point)
		}
		<-time.After(time.Second)
		bob.events()
		bob.mustSend(bob.move(tokenOne, 300, 0))
		if got, _ := bob.saves(); fmt.Sprint(got) != "[1:2  +2 2:1 Before the end game +1]" {
			t.Errorf("T70 the list is %v", got)
		}
		stale := bob.move(tokenTwo, 7, 7)
		if _, err := r.rooms.Save(t.Context(), bob.session, "mine", "x"); !errors.Is(err, room.ErrRole) {
			t.Errorf("T70 a player who saves gets %v", err)
		}
		if _, err := bob.rewind(point, "x"); !errors.Is(err, room.ErrRole) {
			t.Errorf("T71 a player who goes back gets %v", err)
		}
		if _, err := ada.rewind(77, "x"); !errors.Is(err, room.ErrNoSave) {
			t.Errorf("T71 without a save point: %v", err)
		}
		back, err := ada.rewind(point, "go")
		if err != nil || back == 0 {
			t.Fatalf("T71: %d, %v", back, err)
		}
		if again, err := ada.rewind(point, "go"); err != nil || again != back {
			t.Errorf("T71 the repeated request gets %d, %v", again, err)
		}
		if _, err := ada.rewind(point, "other"); !errors.Is(err, room.ErrEpoch) {
			t.Errorf("T71.3 a request of the old epoch gets %v", err)
		}
		if err := bob.send(stale); !errors.Is(err, room.ErrEpoch) {
			t.Errorf("T19.6 an update of the old epoch gets %v", err)
		}
		full := r.wantX("T71 after the rewind", 100)
		if w := full.GetRewound(); w.GetBy() != 1 || w.GetBack() != back ||
			w.GetTo().GetName() != "Before the end game" {
			t.Errorf("T71 everybody gets %v", w)
		}
		if id.Epoch(full.GetEpoch()) == ada.epoch {
			t.Error("T71 the epoch is the same")
		}
		ada = r.open(r.host.Session)
		ada.reopenForFull()
		if _, err := ada.rewind(back, "no"); err != nil {
			t.Errorf("T71 taken back: %v", err)
		}
		r.wantX("T71 taken back", 300)
		r.stop()
		r.start()
		full = r.wantX("T71 after a restart", 300)
		if len(full.GetSeats()) != 2 {
			t.Errorf("T71 people do not stay: %v", full.GetSeats())
		}
	})
	in(t).Run("T71.9 what is not durable has not happened", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		point := ada.save("Start", "one")
		ada.mustSend(ada.move(tokenOne, 300, 0))
		epoch := ada.epoch
		r.store.failWith(errDisk)
		if _, err := ada.rewind(point, "go"); !errors.Is(err, room.ErrStorage) {
			t.Errorf("while the disk is full: %v", err)
		}
		r.store.failWith(nil)
		<-time.After(5 * time.Second) // the room has ended
		full := r.wantX("T71.9", 300)
		if id.Epoch(full.GetEpoch()) != epoch || full.GetRewound() != nil {
			t.Errorf("T71.9 the epoch is %d, was %d; %v", full.GetEpoch(), epoch, full.GetRewound())
		}
		if got, _ := r.open(r.host.Session).saves(); len(got) != 2 {
			t.Errorf("T71.9 there are the save points %v", got)
		}
	})
	in(t).Run("T70 the server makes some by itself, and drops the oldest",
		func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			ada.events()
			for i := range int32(64 * 8) {
				<-time.After(time.Second)
				ada.mustSend(ada.move(tokenOne, i+1, 0))
				ada.events()
			}
			_, list := ada.saves()
			var auto []uint64
			for _, s := range list.All {
				if s.Kind == table.SaveAuto {
					auto = append(auto, s.Since)
				}
			}
			if fmt.Sprint(auto) != "[320 256 192 128 64 0]" {
				t.Errorf("T70 so many moves ago: %v", auto)
			}
			if list.All[0].Kind != table.SaveSetUp {
				t.Errorf("T70 the first one is %v", list.All[0])
			}
			if err := r.rooms.DeleteSave(t.Context(), ada.session, 1); !errors.Is(err, room.ErrSaveStays) {
				t.Errorf("T70 the set-up is deleted: %v", err)
			}
			last := list.All[1].ID
			if err := r.rooms.DeleteSave(t.Context(), ada.session, last); err != nil {
				t.Errorf("T70 delete: %v", err)
			}
			if err := r.rooms.DeleteSave(t.Context(), ada.session, last); !errors.Is(err, room.ErrNoSave) {
				t.Errorf("T70 delete again: %v", err)
			}
			r.stop()
			r.start()
			ada = r.open(r.host.Session)
			ada.reopenForFull()
			if _, list := ada.saves(); len(list.All) != 6 || list.All[0].Since != 512 {
				t.Errorf("T70 after a restart: %+v", list.All)
			}
		})
	in(t).Run("T70.2 hosts make sixteen of them", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		for i := range 16 {
			<-time.After(time.Second)
			ada.save(fmt.Sprint("point ", i), fmt.Sprint(i))
		}
		if _, err := r.rooms.Save(t.Context(), ada.session, "more", "m"); !errors.Is(err,
			room.ErrSavesFull) {
			t.Errorf("T70 one more: %v", err)
		}
	})
}

// Clauses: T71.6, T71.7, F18.1
func TestRewindHidden(t *testing.T) {
	atCards(t).Run("T71 decks are shuffled, and no seed tells what a state before hides",
		func(t *testing.T, r *rig) {
			p := r.partyWithoutPouch()
			point := p.ada.save("Start", "one")
			lay := p.bob.inDeck()
			p.readAll()
			p.bob.mustSend(p.bob.draw(3))
			<-time.After(5 * time.Second)
			p.readAll()
			back, err := p.ada.rewind(point, "go")
			if err != nil {
				t.Fatal(err)
			}
			bob := r.open(p.bob.session)
			full := bob.reopenForFull()
			for _, piece := range full.GetPieces() {
				if isCard(piece.GetKind()) && piece.GetOwner() != 0 {
					t.Errorf("T71 bob still has %v", piece)
				}
			}
			if now := bob.inDeck(); now != lay {
				t.Errorf("T71 there are %d cards in the deck, and there were %d", now, lay)
			}
			<-time.After(10 * time.Second)
			e, _ := r.exported()
			rewound, shuffled := 0, 0
			for _, of := range e.Rounds {
				if of.Round == 1 && of.Seed != nil {
					t.Error("T71.7 the seed of what bob had is published")
				}
				for _, f := range of.Facts {
					switch f := f.Fact.(type) {
					case fairness.Rewound:
						rewound++
						if f.Of != 1 || f.Round != 2 || f.Seat != 1 {
							t.Errorf("F18 it is marked as %+v", f)
						}
					case fairness.Drawn:
						if of.Round == 2 {
							shuffled++
						}
					}
				}
			}
			if rewound != 1 || shuffled == 0 || len(e.Rounds) != 2 {
				t.Errorf("T71.6, F18 %d rounds, %d rewinds, %d shuffles", len(e.Rounds), rewound, shuffled)
			}
			if _, err := fairness.Verify(e); err != nil {
				t.Errorf("F18 the export does not verify: %v", err)
			}
			ada := r.open(r.host.Session)
			ada.reopenForFull()
			if _, err := ada.rewind(back, "no"); err != nil {
				t.Fatal(err)
			}
			bob = r.open(p.bob.session)
			bob.reopenForFull()
			if n := len(bob.hand(isCard)); n != 3 {
				t.Errorf("T71 taken back, bob has %d cards", n)
			}
		})
}

// goes lets the player get up, or leave the table.
func (p *player) goes(leaves bool, hands room.HandsOnLeaving) {
	p.t.Helper()
	end := p.rooms.StandUp
	if leaves {
		end = p.rooms.Leave
	}
	if err := end(p.t.Context(), p.session, hands); err != nil {
		p.t.Fatal(err)
	}
}

// TestRewindWithoutThem goes back to a save point from when Bob played, had cards in his hand, and
// saw into Ada's.
// Clauses: T71.1, T71.12, T71.13
func TestRewindWithoutThem(t *testing.T) {
	const adas, bobs, dans id.Seat = 1, 2, 3
	for _, test := range []struct {
		name     string
		hands    room.HandsOnLeaving
		taken    bool // somebody else takes the hand, which is free
		owner    id.Seat
		of, deck uint32 // how many cards the hand and the deck have then
	}{
		{"back", room.HandsOnLeaving{Hands: table.HandsBack}, false, 0, 0, 22},
		{"back, and taken", room.HandsOnLeaving{Hands: table.HandsBack}, true, dans, 3, 19},
		{"given", room.HandsOnLeaving{Hands: table.HandsGiven, To: adas}, false, adas, 3, 19},
		{"stay", room.HandsOnLeaving{Hands: table.HandsStay}, false, bobs, 3, 19},
	} {
		for _, leaves := range []bool{false, true} {
			name := fmt.Sprintf("T71.12, T71.13 %s, leaves: %v", test.name, leaves)
			atCards(t).Run(name, func(t *testing.T, r *rig) {
				p := r.partyWithoutPouch()
				p.bob.mustSend(p.bob.draw(3))
				p.ada.mustSend(p.ada.draw(2), p.ada.share(table.OpShare, bobs))
				p.readAll()
				point := p.ada.save("They play", "one")
				p.bob.goes(leaves, test.hands)
				p.readAll()
				if test.taken {
					p.dan.mustSend(p.dan.blind(table.OpClaim, handSouth))
					p.readAll()
				}
				if _, err := p.ada.rewind(point, "go"); err != nil {
					t.Fatal(err)
				}
				ada := r.open(p.ada.session)
				holds := []*holtpb.Holds{
					cardsIn(handNorth, 2), cardsIn(handSouth, test.of), cardsIn(deck, test.deck),
				}
				if test.of == 0 {
					holds = slices.Delete(holds, 1, 2)
				}
				full := ada.reopenForFull()
				wantHolds(t, "T71.12 ada", full.GetHolds(), holds...)
				for _, h := range full.GetPieces() {
					switch id.Piece(h.GetId()) {
					case handNorth:
						if id.Seat(h.GetOwner()) != adas || len(h.GetTeam().GetSeats()) > 0 {
							t.Errorf("T71.13 ada's hand is %v", h)
						}
					case handSouth:
						if id.Seat(h.GetOwner()) != test.owner {
							t.Errorf("T71.12 bob's hand is %v", h)
						}
					}
				}
				says := describe(ada.page(room.LogQuery{}).Lines)
				if !strings.HasSuffix(says, "|1 rewind|1 shuffle notice 4") ||
					strings.Contains(says, "|1 leave 2|") {
					t.Errorf("T71.1, T71.12 all of it is the rewind, but the log says %s", says)
				}
				if leaves {
					return
				}
				watching := p.bob.session
				watching.Role = table.RoleSpectator
				want := 0
				if test.owner == bobs {
					want = 3
				}
				bob := r.open(watching)
				bob.reopenForFull()
				sees := bob.sight.all(func(q *holtpb.Piece) bool {
					return isRoyal(q.GetKind()) || isPlain(q.GetKind())
				})
				if len(sees) != want {
					t.Errorf("T71.12, T71.13, T75.3 who watches sees %v", sees)
				}
			})
		}
	}
}

// Clauses: T70.7, T71.10
func TestSavesGuests(t *testing.T) {
	atCards(t).Run("T71.10 the table does not go back while somebody's set lies there",
		func(t *testing.T, r *rig) {
			p := r.partyWithoutPouch()
			point := p.ada.save("Start", "one")
			told := 0
			for _, e := range p.bob.events() {
				if made := e.GetSaves().GetMade(); made.GetName() == "Start" && made.GetBy() == 1 {
					told++
				}
			}
			if told != 1 {
				t.Errorf("T70.7 bob gets it %d times", told)
			}
			r.makeGuestSet(p.ada, p.bob)
			if _, err := p.ada.rewind(point, "go"); !errors.Is(err, room.ErrGuests) {
				t.Errorf("T71.10 back: %v", err)
			}
			_, err := r.rooms.Save(t.Context(), p.ada.session, "more", "two")
			if !errors.Is(err, room.ErrGuests) {
				t.Errorf("T71.10 save: %v", err)
			}
		})
}

// Clauses: T77.1
func TestWinsAreKept(t *testing.T) {
	in(t).Run("T77.1 games won are kept over a rematch and a restart", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		won := func(games, timestamp uint32) crdt.Op {
			return put(schema.EntityOfSeat(2), schema.Wins, timestamp, &componentpb.Wins{Games: games})
		}
		ada.operate(won(3, 1))
		bob.mayNot(holtpb.Refusal_REFUSAL_NOT_ALLOWED, won(9, 2))
		if _, err := r.rooms.Rewind(t.Context(), ada.session,
			room.Rewind{Rematch: true, Token: "again", Epoch: ada.epoch}); err != nil {
			t.Fatal(err)
		}
		r.stop()
		r.start()
		bob = r.open(bob.session)
		want := string(schema.Encode(&componentpb.Wins{Games: 3}))
		found := false
		for _, op := range opsOf(t, bob.reopenForFull().GetComponents()) {
			if op.Entity == schema.EntityOfSeat(2) && op.Component == schema.Wins {
				found = string(op.Data) == want
			}
		}
		if !found {
			t.Error("T77.1 the count is lost")
		}
	})
}

// Clauses: T78.1, T78.2, T78.3
func TestSetups(t *testing.T) {
	file := strings.Replace(gameFile, `"pieces":`,
		`"setups":[{"name":"Bare","without":["Token","Ace"]},
		 {"name":"No card","without":["Ace"]}],"pieces":`, 1)
	file = strings.Replace(file, "holt.game/1", "holt.game/2", 1)
	bubble{t: t, game: file, random: rand.Reader}.Run("T78 a rematch with another set-up",
		func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			ada.events()
			list, err := r.rooms.Saves(t.Context(), ada.session)
			if err != nil || len(list.All) != 3 || list.All[1].Name != "Bare" ||
				list.All[2].Kind != table.SaveSetUp {
				t.Fatalf("T78.1 the list is %+v, %v", list.All, err)
			}
			if err := r.rooms.DeleteSave(t.Context(), ada.session, 2); !errors.Is(err,
				room.ErrSaveStays) {
				t.Errorf("T78.1 deleted: %v", err)
			}
			own := ada.save("mine", "x")
			if _, err := r.rooms.Rewind(t.Context(), ada.session, room.Rewind{
				Rematch: true, Save: own, Token: "own", Epoch: ada.epoch,
			}); !errors.Is(err, room.ErrNoSave) {
				t.Errorf("T78.2 a rematch with another save point: %v", err)
			}
			for i, c := range []struct {
				save   uint32
				pieces int
			}{{2, 1}, {3, 3}, {0, 4}} {
				if _, err := r.rooms.Rewind(t.Context(), ada.session, room.Rewind{
					Rematch: true, Save: c.save, Token: fmt.Sprint(i), Epoch: ada.epoch,
				}); err != nil {
					t.Fatal(err)
				}
				ada = r.open(ada.session)
				if n := len(ada.reopenForFull().GetPieces()); n != c.pieces {
					t.Errorf("T78.3 with save point %d there are %d pieces, want %d", c.save, n, c.pieces)
				}
			}
		})
}

// placesFile is a game of two sides. Its other set-up lacks what belongs to the second one.
const placesFile = `{"format":"holt.game/2","id":"test","name":"Test","summary":"A test.","order":1,
 "table":{"width":10000,"height":10000,"surface":"felt"},
 "seats":[{"name":"South","side":"south","colour":"#112233","hand":0},
  {"name":"North","side":"north","colour":"#445566","hand":1,"pieces":[2]}],
 "setups":[{"name":"Alone","without":["Far hand","Mat"]}],
 "kinds":[
  {"name":"Hand","width":4000,"height":1000,"shape":"rect","weight":"heavy","hand":true,
   "faces":[{"name":"Hand","art":"a.svg"}]},
  {"name":"Far hand","width":4000,"height":1000,"shape":"rect","weight":"heavy","hand":true,
   "faces":[{"name":"Hand","art":"a.svg"}]},
  {"name":"Note","width":400,"height":400,"shape":"rect","weight":"light",
   "private":true,"faces":[{"name":"Note","art":"a.svg"}]},
  {"name":"Mat","width":1000,"height":1000,"shape":"rect","weight":"heavy",
   "faces":[{"name":"Mat","art":"a.svg"}]}],
 "pieces":[{"kind":"Hand","x":0,"y":4000},{"kind":"Far hand","x":0,"y":-4000},
  {"kind":"Mat","x":0,"y":-2000}]}`

// TestSetupsForFewerPlayers shows that a set-up may lack a hand and what else belongs to a side,
// and that all of that comes back under its names.
// Clauses: T78.3, T92.8
func TestSetupsForFewerPlayers(t *testing.T) {
	bubble{t: t, game: placesFile, random: rand.Reader}.Run("T78 a set-up lacks a place",
		func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			ada.events()
			owners := func(save uint32) map[uint32]uint32 {
				t.Helper()
				if _, err := r.rooms.Rewind(t.Context(), ada.session, room.Rewind{
					Rematch: true, Save: save, Token: fmt.Sprint(save), Epoch: ada.epoch,
				}); err != nil {
					t.Fatal(err)
				}
				ada = r.open(ada.session)
				found := map[uint32]uint32{}
				for _, p := range ada.reopenForFull().GetPieces() {
					found[p.GetId()] = p.GetOwner()
				}
				return found
			}
			if got := owners(2); !maps.Equal(got, map[uint32]uint32{1: 1}) {
				t.Errorf("T78.3 a table for one has the pieces %v, by their owners", got)
			}
			r.seat(r.invites.Player, "Bob")
			if got := owners(1); !maps.Equal(got, map[uint32]uint32{1: 1, 2: 2, 3: 0}) {
				t.Errorf("T78.3, T92.8 a table for two has the pieces %v, by their owners", got)
			}
		})
}

// Clauses: T72.1
func TestRematch(t *testing.T) {
	atCards(t).Run("T72.1 the table is set up again, and hands stay whose they are",
		func(t *testing.T, r *rig) {
			p := r.partyWithoutPouch()
			whole := p.bob.inDeck()
			p.bob.mustSend(p.bob.draw(3))
			p.readAll()
			_, err := r.rooms.Rewind(t.Context(), p.ada.session,
				room.Rewind{Rematch: true, Token: "again", Epoch: p.ada.epoch})
			if err != nil {
				t.Fatal(err)
			}
			bob := r.open(p.bob.session)
			full := bob.reopenForFull()
			owned := 0
			for _, piece := range full.GetPieces() {
				if piece.GetOwner() == 2 {
					owned++
				}
			}
			if n := len(bob.hand(isCard)); n != 0 || bob.inDeck() != whole || owned != 1 {
				t.Errorf("T72.1 bob has %d cards and %d hands, the deck %d", n, owned, bob.inDeck())
			}
		})
}

// Clauses: T83.1
func TestSetUpOfAnOldTable(t *testing.T) {
	old := func(r *rig) { // as before there were save points
		r.stop()
		r.store.forgetSaves()
		r.start()
	}
	in(t).Run("T83.1 a table without a save point of its set-up gets one when it is loaded",
		func(t *testing.T, r *rig) {
			ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
			ada.events()
			bob.events()
			ada.mustSend(ada.move(tokenOne, 100, 0))
			bob.mustSend(bob.move(tokenTwo, 300, 0))
			for range 2 { // with a snapshot, and made once
				old(r)
				ada = r.open(r.host.Session)
				ada.events()
				if got, _ := ada.saves(); fmt.Sprint(got) != "[1:2  +2]" {
					t.Errorf("T83.1 the list is %v", got)
				}
				r.stop()
				r.start()
				ada = r.open(r.host.Session)
				ada.events()
				if got, _ := ada.saves(); fmt.Sprint(got) != "[1:2  +2]" {
					t.Errorf("T83.1 after a restart the list is %v", got)
				}
			}
			if _, err := r.rooms.Rewind(t.Context(), ada.session,
				room.Rewind{Rematch: true, Token: "again", Epoch: ada.epoch}); err != nil {
				t.Fatal(err)
			}
			r.wantX("T83.1 after a rematch", 0)
		})
	atCards(t).Run("T83.1 the decks are as they were", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		whole := p.bob.inDeck()
		p.bob.mustSend(p.bob.draw(3))
		p.readAll()
		old(r)
		ada := r.open(p.ada.session)
		ada.events()
		if _, err := r.rooms.Rewind(t.Context(), ada.session,
			room.Rewind{Rematch: true, Token: "again", Epoch: ada.epoch}); err != nil {
			t.Fatal(err)
		}
		bob := r.open(p.bob.session)
		bob.reopenForFull()
		if n := bob.inDeck(); n != whole {
			t.Errorf("T83.1 %d cards lie in the deck, want %d", n, whole)
		}
		e, _ := r.exported()
		if _, err := fairness.Verify(e); err != nil {
			t.Errorf("T83.1 the export does not verify: %v", err)
		}
	})
	in(t).Run("T83.1 a log that begins later has none", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.mustSend(ada.move(tokenOne, 100, 0))
		if err := r.rooms.DropHistory(t.Context(), ada.session); err != nil {
			t.Fatal(err)
		}
		old(r)
		ada = r.open(r.host.Session)
		ada.events()
		if got, _ := ada.saves(); len(got) != 0 {
			t.Errorf("T83.1 the list is %v", got)
		}
		if _, err := r.rooms.Rewind(t.Context(), ada.session,
			room.Rewind{Rematch: true, Token: "again", Epoch: ada.epoch}); !errors.Is(err, room.ErrNoSave) {
			t.Errorf("T83.1 a rematch: %v", err)
		}
	})
}

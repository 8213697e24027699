package room_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// copy makes the host copy the table.
func (r *rig) copy() room.Taken {
	r.t.Helper()
	taken, _, host, err := r.rooms.Copy(r.t.Context(), r.host.Session)
	if err != nil {
		r.t.Fatal(err)
	}
	if host.Nick != "Ada" {
		r.t.Errorf("the host of the copy is %q", host.Nick)
	}
	return taken
}

// order returns the kinds in the deck of a table, from the log.
func (r *rig) order(of id.OID) (kinds []uint32) {
	r.t.Helper()
	l, err := r.store.Load(r.t.Context(), of, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, body := range l.Entries {
		e, err := wire.DecodeEntry(body)
		if err != nil {
			r.t.Fatal(err)
		}
		if e.Made && e.After.In == deck {
			kinds = append(kinds, e.After.Kind)
		}
	}
	return kinds
}

func TestT57Copies(t *testing.T) {
	// Clauses: T57.2, T57.3, T57.6, T57.8
	atCards(t).Run("T57 the copy has pieces and labels, no seats", func(t *testing.T, r *rig) {
		p := r.party()
		if err := r.rooms.LogOut(t.Context(), p.dan.session); err != nil {
			t.Fatal(err)
		}
		p.ada.mustSend(p.ada.blind(table.OpLeave, pouch))
		p.ada.operate(
			put(schema.TheTable, schema.Title, 1, text("Evening")),
			put(schema.EntityOfPiece(tokenLeft), schema.Label, 1, text("left")),
			put(schema.EntityOfStroke(7, 7), schema.Stroke, 1, &componentpb.Stroke{
				Colour: 1, Width: 30,
			}),
			put(schema.EntityOfSeat(r.host.Seat), schema.Profile, 1, &componentpb.Profile{
				Nick: "Ada", Colour: 5,
			}),
		)
		p.bob.mustSend(p.bob.move(tokenRight, 800, 900))
		before := r.open(r.host.Session).reopenForFull()
		c := r.copy()
		after := r.open(r.host.Session).reopenForFull()
		if len(after.GetPieces()) != len(before.GetPieces()) ||
			after.GetEpoch() != before.GetEpoch() {
			t.Error("the first table has changed")
		}
		for restarted := range 2 {
			full := r.open(c.Session).reopenForFull()
			if len(full.GetSeats()) != 1 || full.GetSeats()[0].GetNick() != "Ada" ||
				full.GetSeats()[0].GetRole() != holtpb.Role_ROLE_HOST {
				t.Errorf("restarted %d times: the seats are %v", restarted, full.GetSeats())
			}
			if full.GetTable().GetTitle() != "Evening" ||
				len(full.GetPieces()) != len(before.GetPieces()) {
				t.Errorf("restarted %d times: %v with %d pieces", restarted, full.GetTable(),
					len(full.GetPieces()))
			}
			moved := slices.ContainsFunc(full.GetPieces(), func(q *holtpb.Piece) bool {
				return q.GetKind() == cardsToken && q.GetX() == 800 && q.GetY() == 900
			})
			if !moved || full.GetHolds()[0].GetCounts()[0] != royals+plains {
				t.Errorf("restarted %d times: a token was moved: %t, held is %v", restarted, moved,
					full.GetHolds())
			}
			for _, written := range []string{"Evening", "left"} {
				if !strings.Contains(string(full.GetComponents()), written) {
					t.Errorf("restarted %d times: the label %q is missing", restarted, written)
				}
			}
			e, _, err := r.rooms.Fairness(t.Context(), c.Session)
			if err == nil {
				_, err = fairness.Verify(e)
			}
			if err != nil {
				t.Errorf("restarted %d times: the export: %v", restarted, err)
			}
			r.stop()
			r.start()
		}
		if _, err := r.rooms.Read(t.Context(), room.Session{
			Table: c.Table, Seat: p.bob.session.Seat, Role: table.RolePlayer,
		}); !errors.Is(err, room.ErrNoSeat) {
			t.Errorf("a seat at the first table: %v", err)
		}
	})
	// Clauses: T57.1, T57.10, T57.11, T57.12
	atCards(t).Run("T57 only hosts copy, and nothing that is hidden", func(t *testing.T, r *rig) {
		bob := r.open(r.seat(r.invites.Player, "Bob").Session)
		bob.reopenForFull()
		if _, _, _, err := r.rooms.Copy(t.Context(), bob.session); !errors.Is(err, room.ErrRole) {
			t.Errorf("a player: %v", err)
		}
		ada := r.open(r.host.Session)
		ada.reopenForFull()
		bob.mustSend(bob.draw(1))
		if _, _, _, err := r.rooms.Copy(
			t.Context(), r.host.Session,
		); !errors.Is(err, room.ErrCards) {
			t.Errorf("with a card in a hand: %v", err)
		}
		bob.mustSend(bob.blind(table.OpRecall, deck))
		r.copy()
		bob.mustSend(bob.stow(tokenLeft, bag, 0))
		if _, _, _, err := r.rooms.Copy(
			t.Context(), r.host.Session,
		); !errors.Is(err, room.ErrDecks) {
			t.Errorf("with a token in the bag: %v", err)
		}
		bob.mustSend(bob.blind(table.OpRecall, bag))
		ada.mustSend(ada.take(deck))
		ada.events()
		ada.mustSend(ada.place(r.only(), deckX, 0))
		<-time.After(time.Second)
		if _, _, _, err := r.rooms.Copy(
			t.Context(), r.host.Session,
		); !errors.Is(err, room.ErrGuests) {
			t.Errorf("with a guest's deck: %v", err)
		}
	})
	atCards(t).Run("T57 a copy that cannot be stored does not exist", func(t *testing.T, r *rig) {
		tables := len(r.store.tables)
		r.store.failWith(errDisk)
		if _, _, _, err := r.rooms.Copy(
			t.Context(), r.host.Session,
		); !errors.Is(err, room.ErrStorage) {
			t.Errorf("copied: %v", err)
		}
		synctest.Wait() // wait until the failed room has ended
		r.store.failWith(nil)
		if len(r.store.tables) != tables {
			t.Errorf("there are %d tables", len(r.store.tables))
		}
		ada := r.open(r.host.Session)
		ada.reopenForFull()
		ada.mustSend(ada.move(tokenLeft, 1, 1))
		r.copy()
	})
}

func TestT57CopyIsNoOracle(t *testing.T) {
	// Clauses: T57.9, T57.14
	atCards(t).seeded(11).Run("T57 copies reveal nothing of the deck", func(t *testing.T, r *rig) {
		p := r.open(r.host.Session)
		p.reopenForFull()
		p.mustSend(p.blind(table.OpShuffle, deck))
		const copies = 30
		top := map[uint32]int{}
		var last []uint32
		for range copies {
			c := r.copy()
			now := r.order(c.Table)
			if len(now) != royals+plains || slices.Equal(now, last) {
				t.Fatalf("the deck of a copy is %v, that of the previous one %v", now, last)
			}
			last = now
			top[now[len(now)-1]]++
		}
		for kind, n := range top {
			if n > copies/4 {
				t.Errorf("card %d is on top in %d of %d copies", kind, n, copies)
			}
		}
	})
}

// TestT57WhatIsNewInACopy shows what a copy takes along of what was written, and what it makes new.
func TestT57WhatIsNewInACopy(t *testing.T) {
	atCards(t).Run("T57.4 the score sheet and the drawings are copied", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.reopenForFull()
		written := []crdt.Op{
			put(schema.TheSheet, schema.FirstColumn, 1, text("Ada's points")),
			put(schema.FirstRow, schema.FirstColumn, 1, text("17")),
			put(schema.EntityOfStroke(7, 7), schema.Stroke, 1, &componentpb.Stroke{
				Colour: 1, Width: 30,
			}),
		}
		ada.operate(written...)
		if got := refusals(ada.events()); len(got) != 0 {
			t.Fatalf("refused is %v", got)
		}
		copied := opsOf(t, r.open(r.copy().Session).reopenForFull().GetComponents())
		for _, op := range written {
			if !slices.ContainsFunc(copied, func(c crdt.Op) bool {
				return c.Entity == op.Entity && c.Component == op.Component &&
					slices.Equal(c.Data, op.Data)
			}) {
				t.Errorf("%v is not in the copy", op)
			}
		}
	})
	// Clauses: T57.7
	atCards(t).Run("T57.7 heavy pieces keep their names", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.reopenForFull()
		ada.mustSend(ada.make(table.OpRaise, bag))
		ada.mustSend(ada.make(table.OpDelete, handSouth))
		kinds := func(p *player) map[uint32]uint32 {
			all := map[uint32]uint32{}
			for _, q := range p.reopenForFull().GetPieces() {
				if q.GetKind() < cardsToken { // the heavy ones
					all[q.GetId()] = q.GetKind()
				}
			}
			return all
		}
		was := kinds(ada)
		if is := kinds(r.open(r.copy().Session)); !maps.Equal(is, was) || len(is) != 4 {
			t.Errorf("in the copy they are %v, want %v", is, was)
		}
	})
	atCards(t).Run("K17.11 a copy does not record motion", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.record(true, 1)
		ada = r.open(r.copy().Session)
		ada.events()
		ada.mustSend(ada.make(table.OpGrab, tokenLeft))
		ada.events()
		ada.carries(0, 30, 0, tokenLeft)
		<-time.After(time.Minute)
		if all, _ := r.recordings(); len(all) != 0 {
			t.Errorf("recorded is %+v", all)
		}
	})
	atCards(t).Run("T57.7 history, rounds, links and names are new", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.reopenForFull()
		added := ada.make(table.OpAdd, 0)
		added.Has, added.Kind, added.X = table.HasKind|table.HasXY, cardsToken, 700
		ada.mustSend(added)
		name := made(t, ada.events())
		if name < table.MinRandomName {
			t.Fatalf("the new token is called %d", name)
		}
		if _, err := r.rooms.OpenRound(t.Context(), r.host.Session); err != nil {
			t.Fatal(err)
		}
		before := ada.reopenForFull()
		oids := func(of id.OID) map[id.OID]bool {
			all := map[id.OID]bool{}
			for _, b := range r.store.tables[of].log {
				if e := decoded(t, b); e.OfPiece() {
					all[e.Piece] = true
				}
			}
			return all
		}
		taken, links, _, err := r.rooms.Copy(t.Context(), r.host.Session)
		if err != nil {
			t.Fatal(err)
		}
		full := r.open(taken.Session).reopenForFull()
		for _, p := range full.GetPieces() {
			if id.Piece(p.GetId()) >= table.MinRandomName {
				t.Errorf("a piece of the copy is called %d", p.GetId())
			}
		}
		if len(full.GetPieces()) != len(before.GetPieces()) {
			t.Errorf("the copy has %d pieces, want %d", len(full.GetPieces()), len(before.GetPieces()))
		}
		if taken.Table == r.host.Table || full.GetEpoch() == before.GetEpoch() ||
			links.Player == r.invites.Player || links.Spectator == r.invites.Spectator {
			t.Errorf("the copy is table %v of epoch %d with the links %+v", taken.Table,
				full.GetEpoch(), links)
		}
		if one, two := before.GetRandomness().GetRound(), full.GetRandomness().GetRound(); one != 2 ||
			two != 1 || slices.Equal(before.GetRandomness().GetCommitment(),
			full.GetRandomness().GetCommitment()) {
			t.Errorf("the first table is in round %d, the copy in round %d", one, two)
		}
		first, copied := oids(r.host.Table), oids(taken.Table)
		for oid := range copied {
			if first[oid] {
				t.Errorf("a piece of the copy has the identifier %v of the first table", oid)
			}
		}
		if len(copied) < len(full.GetPieces()) {
			t.Errorf("the copy has %d identifiers", len(copied))
		}
	})
}

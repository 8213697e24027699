package room_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// take returns an update that takes a piece, or the set to which it belongs, off the table.
func (p *player) take(piece id.Piece) table.Update { return p.blind(table.OpTake, piece) }

// place returns an update that puts a set on the table.
func (p *player) place(set id.OID, x, y int32) table.Update {
	u := p.make(table.OpPlace, 0)
	u.Has, u.Tag, u.Set, u.X, u.Y = table.HasSet|table.HasXY, 0, set, x, y
	return u
}

// only returns the only set that the owner has.
func (r *rig) only() id.OID {
	r.t.Helper()
	all := r.owner.Sets()
	if len(all) != 1 {
		r.t.Fatalf("there are %d sets", len(all))
	}
	return all[0]
}

// made returns the piece that an update has made, as its ack names it.
func made(t *testing.T, events []*holtpb.Event) id.Piece {
	t.Helper()
	for _, e := range events {
		if a := e.GetAck(); a.GetMade() != 0 {
			return id.Piece(a.GetMade())
		}
	}
	t.Fatalf("no set was made: %v", events)
	return 0
}

// makeGuestSet turns the deck into a set and puts that where the deck lay. From then on the deck is
// a guest; the players still find it as deck.
func (r *rig) makeGuestSet(host *player, all ...*player) id.OID {
	r.t.Helper()
	host.mustSend(host.take(deck))
	host.events()
	set := r.only()
	host.mustSend(host.place(set, deckX, 0))
	name := made(r.t, host.events())
	for _, p := range append(all, host) {
		p.frames()
		p.renamed[deck] = name
	}
	return set
}

// rejected returns why updates were rejected.
func rejected(events []*holtpb.Event) (all []holtpb.Reason) {
	for _, e := range events {
		if r := e.GetReject(); r != nil {
			all = append(all, r.GetReason())
		}
	}
	return all
}

func wantRejected(t *testing.T, p *player, want holtpb.Reason, u table.Update) {
	t.Helper()
	p.frames()
	p.mustSend(u)
	if got := rejected(p.events()); !slices.Equal(got, []holtpb.Reason{want}) {
		t.Errorf("%v is rejected with %v, want %v", u.Op, got, want)
	}
}

// kindsIn returns the kinds of cards that a player sees in their hand.
func (p *player) kindsIn() (kinds []uint32) {
	for _, q := range p.sight.all(func(q *holtpb.Piece) bool {
		return q.GetOwner() == uint32(p.session.Seat) && q.GetX() > -2600
	}) {
		if k := q.GetKind(); k != cardsHand && k != cardsPouch {
			kinds = append(kinds, k)
		}
	}
	slices.Sort(kinds)
	return kinds
}

func TestGuests(t *testing.T) {
	atCards(t).Run("T40.3 pieces taken off become a set, and vanish", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		for name, who := range p.all() {
			gone := false
			for _, e := range who.events() {
				gone = gone ||
					e.GetUpdate().GetPiece().GetId() == uint32(deck) &&
						e.GetUpdate().GetPiece().GetGone()
			}
			if !gone {
				t.Errorf("%s still sees the deck", name)
			}
		}
		c, on, ok := r.owner.Contents(r.only())
		if !ok || !on.IsZero() || len(c.Parts) != royals+plains+1 || c.Parts[0].Secret ||
			!c.Parts[1].Secret {
			t.Errorf("the set is %+v on %v", c.Parts, on)
		}
	})
	// Clauses: S18.6, T37.1, T37.2, T41.1, T41.4
	atCards(t).Run("T41 a set put on the table hides its cards", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.tab, p.bob, p.dan, p.eve)
		if _, on, _ := r.owner.Contents(set); on != r.host.Table {
			t.Errorf("its owner places it on %v", on)
		}
		full := p.bob.reopenForFull()
		guests := full.GetSets()
		if len(guests) != 1 || guests[0].GetBy() != uint32(p.ada.session.Seat) {
			t.Fatalf("the guests are %v", guests)
		}
		for _, q := range full.GetPieces() {
			if q.GetId() == uint32(p.bob.name(deck)) && q.GetSet() != guests[0].GetId() {
				t.Errorf("the deck is of set %d", q.GetSet())
			}
		}
		log := r.store.tables[r.host.Table].log
		for _, b := range log[len(log)-royals-plains:] {
			e := decoded(t, b)
			if e.Made && e.After.In != 0 && (isRoyal(e.After.Kind) || isPlain(e.After.Kind)) {
				t.Errorf("the log knows that a card is %d", e.After.Kind)
			}
		}
	})
	atCards(t).Run("O2.3, O2.5 a new set begins with the container", func(t *testing.T, r *rig) {
		p := r.party()
		p.ada.mustSend(p.ada.take(deck))
		p.ada.frames()
		first := r.only()
		p.ada.mustSend(p.ada.take(tokenLeft))
		p.ada.frames()
		pieces := map[id.OID]bool{}
		for _, b := range r.store.tables[r.host.Table].log {
			pieces[decoded(t, b).Piece] = true
		}
		sets := r.owner.Sets()
		if len(sets) != 2 || sets[0] == sets[1] {
			t.Fatalf("the sets are %v", sets)
		}
		for _, set := range sets {
			if pieces[set] || set.IsZero() || set == r.host.Table {
				t.Errorf("the set has the identifier of a piece: %v", set)
			}
			c, _, _ := r.owner.Contents(set)
			want := 1
			if set == first {
				want = royals + plains + 1
			}
			if len(c.Parts) != want {
				t.Errorf("it has %d parts, want %d", len(c.Parts), want)
			}
			for i, part := range c.Parts {
				if part.Number != uint32(i) {
					t.Errorf("part %d has the number %d", i, part.Number)
				}
			}
			if c.Parts[0].Secret {
				t.Error("part 0 is a card")
			}
		}
	})
	// Clauses: T38.1, T38.2
	atCards(t).Run("T38 a piece in a hand is revealed to its viewers", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.tab, p.bob, p.dan, p.eve)
		p.bob.mustSend(p.bob.draw(2))
		p.readAll()
		if got := p.bob.kindsIn(); !slices.Equal(got, []uint32{second, first}) &&
			!slices.Equal(got, []uint32{first, second}) {
			t.Errorf("bob sees %v, want %v", got, []uint32{first, second})
		}
		for _, who := range []*player{p.dan, p.eve} {
			for _, e := range who.reopenForFull().GetPieces() {
				if isRoyal(e.GetKind()) || isPlain(e.GetKind()) {
					t.Errorf("somebody else sees %v", e)
				}
			}
		}
	})
	// Clauses: T38.7
	atCards(t).Run("T38 after a shuffle nobody can tell the cards apart", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		p.ada.mustSend(p.ada.draw(20))
		p.ada.frames()
		p.ada.mustSend(p.ada.blind(table.OpRecall, deck), p.ada.blind(table.OpShuffle, deck))
		if got := acks(p.ada.events()); len(got) != 2 {
			t.Errorf("acks %v", got)
		}
		log := r.store.tables[r.host.Table].log
		last := map[id.OID]table.State{}
		for _, b := range log {
			if e := decoded(t, b); e.After.In != 0 {
				last[e.Piece] = e.After
			}
		}
		for _, s := range last {
			if !s.Set.IsZero() && (isRoyal(s.Kind) || isPlain(s.Kind)) {
				t.Errorf("the table knows that part %d is %d", s.Part, s.Kind)
			}
		}
		p.ada.mustSend(p.ada.draw(24))
		p.ada.frames()
		got := p.ada.kindsIn()
		for k := cardsRoyal; k < cardsDie; k++ {
			if len(got) != royals+plains || !slices.Contains(got, k) {
				t.Fatalf("the cards are %v", got)
			}
		}
	})
	atCards(t).Run("T38, T31 a peek at a guest deck asks its owner", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		u := p.bob.blind(table.OpPeek, deck)
		u.Has, u.N = u.Has|table.HasN, 2
		p.bob.mustSend(u)
		found := false
		for _, e := range p.bob.events() {
			if f := e.GetFaces(); f != nil {
				found = slices.Equal(f.GetKinds(), []uint32{first, second})
			}
		}
		if !found {
			t.Error("bob does not see the top card")
		}
		u = p.bob.blind(table.OpDraw, deck)
		u.Has, u.Kind = u.Has|table.HasKind, second
		p.bob.mustSend(u)
		p.bob.frames()
		if got := p.bob.kindsIn(); !slices.Equal(got, []uint32{second}) {
			t.Errorf("bob has drawn %v, want %d", got, second)
		}
	})
	// Clauses: T14.13, T40.1, T40.4, T40.8
	atCards(t).Run("T14 a set leaves the table completely or not at all", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob, p.dan)
		p.bob.mustSend(p.bob.draw(1))
		wantRejected(t, p.ada, holtpb.Reason_REASON_SCATTERED, p.ada.take(deck))
		wantRejected(t, p.dan, holtpb.Reason_REASON_NOT_ALLOWED, p.dan.take(deck))
		p.bob.frames()
		card := names(p.bob.hand(anyCard))[0]
		p.bob.mustSend(p.bob.make(table.OpGrab, card), p.bob.put(card, 0, 0))
		p.ada.frames()
		p.ada.mustSend(p.ada.take(deck))
		if got := rejected(p.ada.events()); got != nil {
			t.Errorf("it is rejected with %v", got)
		}
		if _, on, _ := r.owner.Contents(set); !on.IsZero() {
			t.Error("its owner does not know that it is back")
		}
		if full := p.bob.reopenForFull(); len(full.GetSets()) != 0 || len(full.GetPieces()) == 0 ||
			slices.ContainsFunc(full.GetPieces(), func(q *holtpb.Piece) bool {
				return q.GetSet() != 0
			}) {
			t.Errorf("something of it is still there: %v", full)
		}
	})
	// Clauses: T40.4, T40.5, T40.7
	atCards(t).Run("T41 who may put sets on the table and take them off", func(t *testing.T, r *rig) {
		p := r.party()
		wantRejected(t, p.bob, holtpb.Reason_REASON_NOT_ALLOWED, p.bob.take(deck))
		wantRejected(t, p.ada, holtpb.Reason_REASON_NOT_ALLOWED, p.ada.take(handSouth))
		p.ada.mustSend(p.ada.take(deck))
		p.ada.events()
		wantRejected(t, p.ada, holtpb.Reason_REASON_AWAY, p.ada.place(id.OID{1}, 0, 0))
		wantRejected(t, p.ada, holtpb.Reason_REASON_OFF_TABLE, p.ada.place(r.only(), 90_000, 0))
		p.bob.mustSend(p.bob.place(r.only(), 0, 0))
		name := made(t, p.bob.events())
		wantRejected(t, p.ada, holtpb.Reason_REASON_NOT_ALLOWED, p.ada.place(r.only(), 0, 0))
		p.ada.frames()
		wantRejected(t, p.dan, holtpb.Reason_REASON_NOT_ALLOWED, p.dan.blind(table.OpTake, name))
		p.bob.mustSend(p.bob.blind(table.OpTake, name))
		if got := rejected(p.bob.events()); got != nil {
			t.Errorf("the player who brought it is refused: %v", got)
		}
	})
	atCards(t).Run("O2.7, T37.4, T37.5 the pieces of a set stay together", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		wantRejected(t, p.ada, holtpb.Reason_REASON_NOT_ALLOWED, p.ada.make(table.OpDelete, deck))
		u := p.ada.blind(table.OpDraw, deck)
		u.Has, u.X, u.Y = u.Has|table.HasXY|table.HasFace, 0, 0
		p.ada.mustSend(u)
		card := made(t, p.ada.events())
		wantRejected(t, p.ada, holtpb.Reason_REASON_NOT_ALLOWED, p.ada.stow(card, bag, 1))
		p.ada.mustSend(p.ada.stow(card, deck, 1))
		if got := rejected(p.ada.events()); got != nil {
			t.Errorf("it does not go home: %v", got)
		}
	})
}

func TestAway(t *testing.T) {
	// Clauses: O4.1, O20.4, O20.8, T14.13, T39.11, T39.12, T39.13, T39.14
	atCards(t).Run("T39 and O20 only what needs the owner is rejected", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob, p.eve)
		p.bob.mustSend(p.bob.draw(1))
		p.bob.frames()
		r.owner.SetUnreachable(set, &room.Unreachable{
			Reason: table.AwayOwner, Until: r.clock.now() + 300_000,
		})
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.blind(table.OpShuffle, deck))
		told := false
		for _, e := range p.eve.events() {
			s := e.GetSet()
			told = told ||
				s.GetAway() == holtpb.Absence_ABSENCE_OWNER && s.GetUntil() > uint64(r.clock.now())
		}
		if !told {
			t.Error("nobody learns that it is unreachable")
		}
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.draw(1))
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.blind(table.OpDeal, deck))
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.blind(table.OpPeek, deck))
		u := p.bob.blind(table.OpDraw, deck)
		u.Has, u.X, u.Y = u.Has|table.HasXY, 0, 0
		p.bob.mustSend(u, p.bob.move(deck, 100, 100))
		events := p.bob.events()
		if got := rejected(events); got != nil {
			t.Errorf("the table's own piece is rejected: %v", got)
		}
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.flip(made(t, events), 0))
	})
	atCards(t).Run("O20.5, O20.6 pieces of an unreachable set move", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob)
		r.owner.SetUnreachable(set, &room.Unreachable{
			Reason: table.AwayOwner, Until: r.clock.now() + 300_000,
		})
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.blind(table.OpShuffle, deck))
		draw := p.bob.blind(table.OpDraw, deck)
		draw.Has, draw.X, draw.Y = draw.Has|table.HasXY, 0, 0
		p.bob.mustSend(draw)
		card := made(t, p.bob.events())
		p.bob.mustSend(p.bob.turn(card, 900))
		if got := rejected(p.bob.events()); got != nil {
			t.Errorf("it is not turned: %v", got)
		}
		p.ada.frames()
		if turned := p.ada.sight.all(func(q *holtpb.Piece) bool {
			return q.GetAngle() == 900 && q.GetSet() != 0
		}); len(turned) != 1 {
			t.Errorf("another player sees %v turned", turned)
		}
		p.bob.mustSend(p.bob.move(card, 0, southY))
		if got := rejected(p.bob.events()); got != nil {
			t.Errorf("it is not put into the hand: %v", got)
		}
		if got := p.bob.kindsIn(); len(got) != 1 || isPlain(got[0]) {
			t.Errorf("the hand has %v", got)
		}
	})
	// Clauses: O20.9, T39.12, T39.15, T39.16
	atCards(t).Run("O20, T39 a successful request ends unreachability", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob)
		r.owner.SetUnreachable(set, &room.Unreachable{
			Reason: table.AwayOwner, Until: r.clock.now() + 300_000,
		})
		p.bob.mustSend(p.bob.draw(1)) // nobody knows yet that the owner is unreachable
		p.bob.frames()
		if got := p.bob.kindsIn(); len(got) != 1 || isPlain(got[0]) {
			t.Fatalf("bob sees %v", got)
		}
		r.owner.SetUnreachable(set, nil)
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.draw(1))
		<-time.After(5 * time.Minute)
		p.bob.mustSend(p.bob.blind(table.OpPeek, deck))
		p.bob.frames()
		if got := p.bob.kindsIn(); !slices.Equal(got, []uint32{first}) {
			t.Errorf("bob sees %v, want %d", got, first)
		}
		if full := p.bob.reopenForFull(); full.GetSets()[0].GetAway() != 0 {
			t.Errorf("it is still unreachable: %v", full.GetSets())
		}
	})
	// Clauses: O20.10, T39.15, T39.16
	atCards(t).Run("O20 the owner is reachable again when it says so", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob)
		away := &room.Unreachable{Reason: table.AwayFrozen}
		r.owner.SetUnreachable(set, away)
		tell := func(a *room.Unreachable) {
			if err := r.rooms.SetChanged(
				t.Context(), room.SetEvent{Table: r.host.Table, Set: set, Unreachable: a},
			); err != nil {
				t.Fatal(err)
			}
		}
		tell(away)
		<-time.After(time.Hour)
		wantRejected(t, p.bob, holtpb.Reason_REASON_AWAY, p.bob.draw(1))
		r.owner.SetUnreachable(set, nil)
		tell(nil)
		p.bob.mustSend(p.bob.draw(1))
		p.bob.frames()
		if got := p.bob.kindsIn(); !slices.Equal(got, []uint32{first}) {
			t.Errorf("bob sees %v", got)
		}
	})
	atCards(t).Run("O20.7, T40.14 a set is taken off without its owner", func(t *testing.T, r *rig) {
		p := r.party()
		set := r.makeGuestSet(p.ada, p.bob)
		r.owner.SetUnreachable(set, &room.Unreachable{
			Reason: table.AwayOwner, Until: r.clock.now() + 10_000,
		})
		p.ada.mustSend(p.ada.take(deck))
		p.ada.frames()
		if full := p.bob.reopenForFull(); len(full.GetSets()) != 0 {
			t.Errorf("it is still there: %v", full.GetSets())
		}
		r.stop() // the errand is not forgotten
		r.start()
		r.owner.SetUnreachable(set, nil)
		r.open(r.host.Session)
		<-time.After(time.Minute)
		synctest.Wait()
		if _, on, _ := r.owner.Contents(set); !on.IsZero() {
			t.Error("its owner does not know that it is back")
		}
	})
	atCards(t).Run("T40.14 a set is made after a restart, if need be", func(t *testing.T, r *rig) {
		p := r.party()
		release := r.store.block()
		answer := p.ada.post(p.ada.take(deck))
		if len(r.owner.Sets()) != 0 {
			t.Error("a set was made of pieces that may still be on the table")
		}
		release()
		if err := <-answer; err != nil {
			t.Fatal(err)
		}
		p.ada.frames()
		r.only()
	})
}

func TestGrowing(t *testing.T) {
	// Clauses: S18.2, S18.3, S18.4, S18.6, T37.8, T37.9, T37.10
	atCards(t).Run("T37, S18 a catalogue comes before its use", func(t *testing.T, r *rig) {
		p := r.party()
		p.bob.frames()
		p.bob.cut()
		before := r.store.tables[r.host.Table].row.Catalog
		p.ada.mustSend(p.ada.take(deck))
		p.ada.frames()
		p.ada.mustSend(p.ada.place(r.only(), deckX, 0))
		p.ada.frames()
		row := r.store.tables[r.host.Table].row
		told := false
		for _, e := range p.eve.events() {
			told = told ||
				e.GetTable() != nil && room.Hash(e.GetTable().GetCatalog()) == row.Catalog
			if e.GetUpdate().GetPiece().GetSet() != 0 && !told {
				t.Error("a piece came before its catalogue")
			}
		}
		if !told || row.Catalog == before {
			t.Errorf("the catalogue is %x, was %x, sent: %v", row.Catalog, before, told)
		}
		old, grown := kindsAt(t, r, before), kindsAt(t, r, row.Catalog)
		for i := range old {
			if old[i].Name != grown[i].Name {
				t.Errorf("kind %d was %q and is %q", i, old[i].Name, grown[i].Name)
			}
		}
		if len(grown) != len(old)+1 || !grown[len(old)].Unknown {
			t.Errorf("there were %d kinds and are %d", len(old), len(grown))
		}
		if _, err := r.store.Blob(t.Context(), grown[len(old)].Faces[0].Art); err != nil {
			t.Errorf("its art is not there: %v", err)
		}
		p.bob.come(room.Hello{Client: p.bob.id, Epoch: p.bob.epoch, Version: p.bob.version})
		resumed := p.bob.events()[0].GetResumed()
		if room.Hash(resumed.GetCatalog()) != row.Catalog || len(resumed.GetSets()) != 1 {
			t.Errorf("a client that resumes gets %v", resumed)
		}
	})
	atCards(t).Run("T3.1 a table with guests is the same after a restart", func(t *testing.T, r *rig) {
		p := r.party()
		r.makeGuestSet(p.ada, p.bob)
		p.bob.mustSend(p.bob.draw(3))
		p.bob.frames()
		want := p.bob.reopenForFull()
		r.stop()
		r.start()
		p.bob.reopen(0)
		got := p.bob.events()[0].GetFull()
		if len(got.GetPieces()) != len(want.GetPieces()) || len(got.GetSets()) != 1 {
			t.Fatalf("there are %d pieces and %d sets", len(got.GetPieces()), len(got.GetSets()))
		}
		for i, q := range got.GetPieces() {
			if w := want.GetPieces()[i]; q.GetId() != w.GetId() || q.GetKind() != w.GetKind() ||
				q.GetSet() != w.GetSet() {
				t.Errorf("piece %v was %v", q, w)
			}
		}
		p.bob.mustSend(p.bob.draw(1))
		p.bob.frames()
		if len(p.bob.kindsIn()) != 4 {
			t.Errorf("bob sees %v", p.bob.kindsIn())
		}
	})
}

func decoded(t *testing.T, b []byte) table.Entry {
	t.Helper()
	e, err := wire.DecodeEntry(b)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// kindsAt returns the kinds of a stored catalogue.
func kindsAt(t *testing.T, r *rig, catalog room.Hash) []game.Kind {
	t.Helper()
	doc, err := r.store.Blob(t.Context(), catalog)
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := game.ParseCatalog(doc.Data)
	if err != nil {
		t.Fatal(err)
	}
	return kinds
}

func TestIdentitiesOfTables(t *testing.T) {
	atCards(t).Run("O2.1 tables and their pieces have OIDs, each its own", func(t *testing.T, r *rig) {
		p := r.party()
		add := p.ada.make(table.OpAdd, 0)
		add.Has, add.Kind, add.X, add.Y = table.HasKind|table.HasXY, cardsToken, 100, 100
		duplicate := p.ada.make(table.OpCopy, tokenLeft)
		duplicate.X, duplicate.Y, duplicate.Has = 200, 200, duplicate.Has|table.HasXY
		p.ada.mustSend(add, duplicate)
		p.readAll()
		host := id.HostID{1} // of the rig
		owned := func(o id.OID) bool { return !o.IsZero() && o.Creator() == host }
		if !owned(r.host.Table) {
			t.Errorf("the table has the OID %v", r.host.Table)
		}
		other, _, err := r.rooms.Create(t.Context(), room.NewTableRequest{
			Game: "test", Host: room.Person{Nick: "Ada"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if other.Table == r.host.Table || !owned(other.Table) {
			t.Errorf("another table has the OID %v", other.Table)
		}
		seen, pieces := map[id.OID]bool{r.host.Table: true, other.Table: true}, 0
		for _, on := range []id.OID{r.host.Table, other.Table} {
			for _, b := range r.store.tables[on].log {
				e := decoded(t, b)
				if !e.OfPiece() || !e.Made {
					continue
				}
				pieces++
				if !owned(e.Piece) || seen[e.Piece] {
					t.Errorf("piece %d has the OID %v", e.Name, e.Piece)
				}
				seen[e.Piece] = true
			}
		}
		if want := 2*(royals+plains+int(dealer)) + 2; pieces != want {
			t.Errorf("%d pieces were made, want %d", pieces, want)
		}
	})
}

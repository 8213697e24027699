package table_test

import (
	"reflect"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT99LetEdit shows whom a host lets edit the game, and when that ends.
// Clauses: T99.1, T99.2, T99.3, T99.4
func TestT99LetEdit(t *testing.T) {
	tab := table.New(configured(1))
	tab.SetUp(world(), 1)
	sit := func(role table.Role) id.Seat {
		seat, _ := tab.Sit(table.SeatInfo{Nick: "Ada", Role: role}, 1)
		return seat
	}
	ada, ben, cara, dan := sit(table.RoleHost), sit(table.RolePlayer), sit(table.RoleSpectator),
		sit(table.RolePlayer)
	tab.Take()
	want := func(what string, seat, by id.Seat) {
		t.Helper()
		if who, _ := tab.Seat(seat); who.EditsBy != by || tab.Edits(seat) != (by != 0) {
			t.Errorf("%s: by %d", what, who.EditsBy)
		}
	}
	if tab.LetEdit(cara, true, ada, 2) || tab.LetEdit(9, true, ada, 2) || len(tab.Take()) > 0 {
		t.Error("T99.2 somebody edits who does not play")
	}
	if !tab.LetEdit(ben, true, ada, 2) {
		t.Fatal("T99.1 Ben does not edit")
	}
	if all := tab.Take(); len(all) != 1 || all[0].Who == nil || all[0].Who.EditsBy != ada {
		t.Errorf("T99.3 the entries are %+v", all)
	}
	if !tab.LetEdit(ben, true, dan, 3) || len(tab.Take()) > 0 {
		t.Error("Ben is let edit again")
	}
	want("T99.3 Ben edits", ben, ada)
	want("Ada does not", ada, 0)
	if !tab.LetEdit(ben, false, ben, 4) {
		t.Error("T99.1 Ben cannot end it")
	}
	want("T99.1 Ben has ended it", ben, 0)
	tab.LetEdit(ben, true, ada, 5)
	tab.StandUp(ben, table.Ending{By: ben}, 6)
	want("T99.4 Ben watches", ben, 0)
	tab.SitDown(ben, ben, 7)
	want("T99.4 Ben plays again", ben, 0)
	tab.LetEdit(dan, true, ada, 8)
	tab.Unseat(dan, table.Ending{By: ada}, 9)
	want("T99.4 the seat of Dan has ended", dan, 0)
}

// TestT99EditorsSeeNoMore shows that somebody who edits sees the same as before.
// Clauses: T99.5
func TestT99EditorsSeeNoMore(t *testing.T) {
	for seed := range uint64(3) {
		s := newWorld(t, seed)
		for _, seat := range []id.Seat{1, 2, 3} {
			s.join(seat)
		}
		for range 300 {
			s.random(nil)
		}
		s.settle()
		was := s.table.All(2, id.Client{})
		if len(was) == 0 || !s.table.LetEdit(2, true, 1, s.now) {
			t.Fatal("seat 2 does not edit")
		}
		if now := s.table.All(2, id.Client{}); !reflect.DeepEqual(now, was) {
			t.Errorf("seat 2 sees %v, and saw %v", now, was)
		}
	}
}

// TestT101AddInto shows how somebody who edits adds a piece into a container.
func TestT101AddInto(t *testing.T) {
	edited := func(t *testing.T) (s *server, ada, bob *tab) {
		t.Helper()
		s, ada, bob, _ = sitAtWorld(t)
		if !s.table.LetEdit(1, true, 1, s.now) {
			t.Fatal("Ada does not edit")
		}
		s.publish(nil)
		s.settle()
		return s, ada, bob
	}
	// Clauses: T101.1
	t.Run("a new card goes on top of the deck, and belongs there", func(t *testing.T) {
		s, ada, bob := edited(t)
		was := s.lying(worldDeck)
		ada.do(table.OpAdd, 0, kind(kindKing), at(0, 0), into(worldDeck))
		now := s.lying(worldDeck)
		if len(now) != len(was)+1 || now[1] != was[0] {
			t.Fatalf("in it lie %v, before %v", now, was)
		}
		if is := s.state(now[0]); is.Kind != kindKing || is.Home != worldDeck || is.Face != 1 ||
			!is.Native || is.In != worldDeck || is.X != 0 || is.Y != 0 {
			t.Errorf("it is %+v", is)
		}
		for _, c := range []*tab{ada, bob} {
			if n := c.holds[counting{worldDeck, kindBack + 1}]; n != inDeck+1 || c.known(now[0]) != nil {
				t.Errorf("%s counts %d in the deck, and shows %v", c, n, c.known(now[0]))
			}
		}
		ada.want(t, 0, table.OpDraw, worldDeck, at(0, 0), face(0))
		ada.want(t, 0, table.OpRecall, worldDeck)
		if got := len(s.lying(worldDeck)); got != len(now) {
			t.Errorf("a recall leaves %d pieces, not %d", got, len(now))
		}
	})
	// Clauses: T63.1
	t.Run("an undo takes it out again", func(t *testing.T) {
		s, ada, _ := edited(t)
		was := s.lying(worldDeck)
		for range 3 {
			ada.act(table.OpAdd, 0, kind(kindKing), at(0, 0), into(worldDeck))
		}
		for range 3 {
			s.receive(ada)
		}
		s.settle()
		if got := len(s.lying(worldDeck)); got != len(was)+3 {
			t.Fatalf("in the deck lie %d", got)
		}
		for range 3 {
			s.undo(1)
		}
		s.settle()
		if got := len(s.lying(worldDeck)); got != len(was) {
			t.Errorf("after the undos lie %d in the deck, not %d", got, len(was))
		}
	})
	// Clauses: T101.2, T101.3
	t.Run("what does not take it refuses it, and who does not edit may not", func(t *testing.T) {
		s, ada, bob := edited(t)
		pieces := s.table.Pieces()
		for what, p := range map[string]id.Piece{
			"no container": worldBoard, "a hand": worldHandOne, "another deck": worldBox,
		} {
			t.Log(what)
			ada.want(t, table.ReasonNotAllowed, table.OpAdd, 0, kind(kindKing), at(0, 0), into(p))
		}
		ada.want(t, table.ReasonNotAllowed, table.OpAdd, 0, kind(kindBoard), at(0, 0), into(worldBag))
		bob.want(t, table.ReasonNotAllowed, table.OpAdd, 0, kind(kindKing), at(0, 0), into(worldDeck))
		ada.want(t, 0, table.OpDelete, worldToken)
		ada.want(t, table.ReasonGone, table.OpAdd, 0, kind(kindKing), at(0, 0), into(worldToken))
		if got := s.table.Pieces(); got != pieces-1 {
			t.Errorf("there are %d pieces, not %d", got, pieces-1)
		}
	})
	// Clauses: T101.4
	t.Run("its place in the deck is known until a shuffle", func(t *testing.T) {
		tab := table.New(configured(1))
		tab.SetUp(world(), 1)
		ada, _ := tab.Sit(table.SeatInfo{Nick: "Ada", Role: table.RoleHost}, 1)
		tab.LetEdit(ada, true, ada, 1)
		asSetUp := func() bool {
			for _, p := range tab.Image().Pieces {
				if p.Name == worldDeck {
					return p.AsSetUp
				}
			}
			return false
		}
		if !asSetUp() {
			t.Error("the deck of the set-up counts as touched")
		}
		u := table.Update{Seq: 1, Op: table.OpAdd, Has: table.HasKind | table.HasXY | table.HasInto,
			Kind: kindKing, Into: worldDeck}
		out := tab.Apply(table.By{Client: id.Client{1}, Seat: ada, Role: table.RoleHost}, &u,
			table.Inputs{Now: 2, OID: oid(999), Unproved: seeded(1)})
		if out.Verdict != table.Recorded || asSetUp() {
			t.Errorf("after %+v the deck counts as untouched", out)
		}
	})
}

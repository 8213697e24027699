package node_test

import (
	"errors"
	"slices"
	"testing"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
)

// story is a deck of Ada's, in her bag, that lies on a table of Ben's server.
type story struct {
	*place
	ada, ben    *server
	person, set id.OID
	at          *guest
	blobs       []room.Hash // stored at Ben's for the table
}

func newStory(t *testing.T) *story {
	t.Helper()
	p := newPlace(t, "Ada", "Ben")
	s := &story{place: p, ada: p.servers[0], ben: p.servers[1]}
	for i, one := range p.servers {
		one.stop()
		one.game = []string{gameFile, otherGame}[i]
		one.start()
	}
	p.together(s.ada, s.ben)
	home := s.ada.sit()
	home.does(table.Update{Op: table.OpTake, Has: table.HasPiece,
		Piece: id.Piece(home.piece(func(*holtpb.Piece) bool { return true }).GetId())})
	s.set = s.ada.onlySet()
	var err error
	s.person, err = s.ada.minter.Mint(s.ada.now())
	p.must(err)
	p.must(s.ada.world.Found(t.Context(), s.person, object.Person))
	p.await("the deck to be in the bag",
		func() bool { return s.ada.world.Put(t.Context(), s.person, s.set) == nil })
	// A set that was taken off the table stays in the bag.
	p.must(s.ada.rooms.Delete(t.Context(), home.session))
	p.must(s.ada.world.Give(t.Context(), s.set, s.ben.self()))
	s.at = s.ben.sit()
	s.at.does(table.Update{Op: table.OpPlace, Has: table.HasSet | table.HasXY,
		Set: s.set, X: 100, Y: 100})
	inSet := func(p *holtpb.Piece) bool { return p.GetSet() != 0 }
	p.await("the deck on the table", func() bool { return s.at.piece(inSet) != nil })
	s.at.does(table.Update{Op: table.OpDraw, Has: table.HasPiece | table.HasXY,
		Piece: id.Piece(s.at.piece(inSet).GetId()), X: 2000, Y: 100})
	row, err := s.ben.rooms.About(t.Context(), s.at.session.Table)
	p.must(err)
	s.blobs = append(s.blobs, row.Catalog)
	for _, name := range []string{"a", "b", "c", "d"} {
		s.blobs = append(s.blobs, picture(name).Hash)
	}
	return s
}

// rounds runs enough rounds of the collection at both servers to collect objects that were just in
// use.
func (s *story) rounds() {
	s.Helper()
	for range 4 {
		for _, one := range s.servers {
			_, err := one.world.Collect(s.Context())
			s.must(err)
		}
	}
	for _, one := range s.servers {
		_, err := one.world.SweepBlobs(s.Context())
		s.must(err)
	}
}

// wantHome checks that the deck is in Ada's bag and on no table, with all that it needs, and that
// Ben's server has nothing of it or of the table.
func (s *story) wantHome() {
	s.Helper()
	ctx := s.Context()
	s.await("the deck to lie on no table", func() bool {
		_, on, err := s.ada.world.About(ctx, s.set)
		return err == nil && on.IsZero()
	})
	s.await("nothing owed", func() bool {
		all, err := s.ben.db.DeletedTables(ctx)
		return err == nil && len(all) == 0
	})
	s.rounds()
	if all, err := s.ada.world.List(ctx, s.person); err != nil ||
		!slices.Equal(all, []id.OID{s.set}) {
		s.Errorf("in the bag are %v, %v", all, err)
	}
	if name, _, err := s.ada.world.About(ctx, s.set); err != nil || name != "Deck" {
		s.Errorf("it is %q, %v", name, err)
	}
	for _, name := range []string{"a", "b", "c"} {
		if _, err := s.ada.db.Blob(ctx, picture(name).Hash); err != nil {
			s.Errorf("picture %s of the deck: %v", name, err)
		}
	}
	for _, h := range s.blobs {
		if _, err := s.ben.db.Blob(ctx, h); !errors.Is(err, room.ErrNoBlob) {
			s.Errorf("blob %x is still there: %v", h, err)
		}
	}
	for _, space := range []object.Space{object.Heads, object.Bodies, object.Moves, object.Helds,
		object.Forwards, object.Debts, 128} {
		if n := s.ben.keeps(space); n != 0 {
			s.Errorf("%d values are left in space %d", n, space)
		}
	}
	if n := s.ada.keeps(object.Heads); n != 2 {
		s.Errorf("%d objects are at home, beside the deck and its person", n-2)
	}
	if all, err := s.ben.db.Tables(ctx); err != nil || len(all) != 0 {
		s.Errorf("tables are %v, %v", all, err)
	}
}

func TestDiscard(t *testing.T) {
	// Clauses: O24.13, O24.14, O30.7, T42.9
	t.Run("O24 deleting a table sends a visiting deck home without a trace", func(t *testing.T) {
		s := newStory(t)
		s.must(s.ben.rooms.Delete(t.Context(), s.at.session))
		s.wantHome()
	})
	// Clauses: T42.11
	t.Run("O16, O18 a deck gets home from a deleted table, even after a restart", func(t *testing.T) {
		s := newStory(t)
		s.ada.stop()
		s.await("the connection to end", func() bool { return !s.ben.reaches(s.ada) })
		s.must(s.ben.rooms.Delete(t.Context(), s.at.session))
		if all, err := s.ben.db.DeletedTables(t.Context()); err != nil || len(all) != 1 {
			t.Errorf("owed is %v, %v", all, err)
		}
		s.ben.stop()
		s.ben.start()
		s.ben.rooms.Sweep()
		s.ada.start()
		s.together(s.ada, s.ben)
		s.wantHome()
	})
}

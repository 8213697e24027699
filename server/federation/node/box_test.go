package node_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
	"holt/storage"
)

// boxes puts sets of a person of a server into a new box.
func (s *server) boxes(person id.OID, sets ...id.OID) (box id.OID) {
	s.Helper()
	box = s.mint()
	s.must(s.world.Found(s.Context(), box, object.Bag))
	s.must(s.world.Put(s.Context(), person, box))
	for _, set := range sets {
		s.must(s.world.Tie(s.Context(), set, box))
		s.must(s.world.Put(s.Context(), box, set))
	}
	return box
}

// holds returns whether a server has a reference to an object elsewhere.
func (s *server) holds(oid id.OID) bool {
	s.Helper()
	v, err := s.db.ObjectValue(s.Context(), object.Helds, oid)
	s.must(err)
	return v != nil
}

func TestBoxes(t *testing.T) {
	// Clauses: O53.2, O53.5
	t.Run("O53.14 whoever has one set gets neither the others nor their names", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, _ := ada.owned()
		_, other, _ := ada.owned()
		box := ada.boxes(person, set, other)
		p.move(set, ada, ben)
		if !ben.holds(box) || ben.holds(other) {
			t.Errorf("Ben's server refers to the box: %v, to the other set: %v", ben.holds(box),
				ben.holds(other))
		}
		var refusal *room.Refusal
		if all, err := ben.world.List(t.Context(), box); !errors.As(err, &refusal) {
			t.Errorf("Ben's server reads %v, %v", all, err)
		}
		if err := ben.world.Tie(t.Context(), set, id.OID{}); !errors.As(err, &refusal) {
			t.Errorf("Ben's server takes the set out of its box: %v", err)
		}
		if err := ben.world.Bring(t.Context(), box); err == nil {
			t.Error("Ben's server gets the box")
		}
		for range 3 {
			p.collect(1)
		}
		if !ada.owns(box) || ben.owns(box) || ben.holds(other) {
			t.Error("the box has left its server, or told of what is in it")
		}
	})
	// Clauses: O53.2, O53.4
	t.Run("O53.2 what belongs together survives restarts, moves and play", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, _ := ada.owned()
		_, other, _ := ada.owned()
		box := ada.boxes(person, set, other)
		on, _ := ada.visit(ben, set)
		p.move(set, ada, ben)
		for _, s := range p.servers {
			s.stop()
			s.start()
		}
		p.together(ada, ben)
		p.must(ben.world.Release(t.Context(), on, set, nil))
		p.await("the set to come home", func() bool { return ada.owns(set) && !ben.owns(set) })
		// Nothing else refers to the sets now.
		p.must(ada.world.Take(t.Context(), person, set, other))
		p.collect(4)
		all, err := ada.world.List(t.Context(), box)
		if err != nil || !slices.Equal(all, []id.OID{set, other}) || !ada.owns(set) || !ada.owns(other) {
			t.Errorf("in the box are %v, %v", all, err)
		}
		if boxes, err := ada.world.Boxes(t.Context(), []id.OID{set, box, person}); err != nil ||
			!slices.Equal(boxes, []id.OID{box}) {
			t.Errorf("%v, %v", boxes, err)
		}
	})
	t.Run("O53.16 a set comes home whose box was lost by a restore", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, _ := ada.owned()
		p.move(set, ada, ben)
		backup := filepath.Join(t.TempDir(), "backup.db")
		p.must(ada.db.Backup(t.Context(), backup))
		box := ada.boxes(person, set)
		ada.stop()
		p.must(sound(storage.Restore(t.Context(), ada.dir, backup, "before.db")))
		ada.start()
		p.together(ada, ben)
		if !ben.holds(box) || ada.owns(box) {
			t.Fatal("the box is not lost")
		}
		p.must(ada.world.Tie(t.Context(), set, id.OID{}))
		p.await("the set to come home", func() bool {
			_ = ada.world.Bring(t.Context(), set) // again, until it is there
			return ada.owns(set) && !ben.owns(set)
		})
	})
	t.Run("O53.15 what is restored from the quarantine is in no box", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, _ := ada.owned()
		_, other, _ := ada.owned()
		box := ada.boxes(person, set, other)
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		p.must(ben.world.Put(t.Context(), ben.person(), set))
		p.must(ada.world.Take(t.Context(), person, set, box))
		p.must(ada.world.Take(t.Context(), box, set))
		p.must(ada.world.Tie(t.Context(), other, id.OID{})) // only the set refers to the box now
		p.must(ada.links.Remove(t.Context(), ben.self()))
		p.await("the connection to end", func() bool { return !ada.reaches(ben) })
		p.await("the orphan to go", func() bool { ada.collects(); return !ada.owns(set) })
		file := filepath.Join(ada.dir, "quarantine", set.String()+".holtobject")
		again, found, err := ada.world.Restore(t.Context(), file, ada.minting())
		p.must(err)
		all, err := ada.world.List(t.Context(), found)
		if err != nil || !slices.Equal(all, []id.OID{again}) {
			t.Errorf("%v, %v", all, err)
		}
		p.collect(4)
		if !ada.owns(again) || ada.owns(box) {
			t.Errorf("the set is there: %v; its box, too: %v", ada.owns(again), ada.owns(box))
		}
	})
}

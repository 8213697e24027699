package node_test

import (
	"errors"
	"slices"
	"testing"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
)

func TestTwoServers(t *testing.T) {
	// Clauses: O4.2, O4.3, O4.7, O30.2, T41.3
	t.Run("O4 a table learns a guest's cards only by asking", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		_, set, c := ada.owned()
		on, g := ada.visit(ben, set)
		if len(g.Parts) != len(c.Parts) || len(g.Kinds) != len(c.Kinds) ||
			len(g.Art) != len(c.Art) {
			t.Fatalf("%d parts, %d kinds, %d pictures", len(g.Parts), len(g.Kinds), len(g.Art))
		}
		back := g.Parts[1].Kind
		for _, x := range g.Parts[1 : cards+1] {
			if x.Kind != back || !x.Secret {
				t.Fatalf("%+v is known", x)
			}
		}
		said, err := ben.world.Reveal(t.Context(), on, set, []uint32{5, 3})
		if err != nil || len(said.Parts) != 2 || said.Parts[0].Kind != c.Parts[5].Kind ||
			said.Parts[1].Kind != c.Parts[3].Kind || said.Shuffles != 0 {
			t.Fatalf("%+v, %v", said, err)
		}
		again, err := ben.world.Hold(t.Context(), room.Session{Table: on, Seat: 1}, set)
		if err != nil || len(again.Parts) != len(g.Parts) {
			t.Errorf("to hold it again: %d parts, %v", len(again.Parts), err)
		}
		var refusal *room.Refusal
		if _, err := ben.world.Hold(t.Context(),
			room.Session{Table: ben.mint(), Seat: 1}, set); !errors.As(err, &refusal) {
			t.Errorf("on a second table: %v", err)
		}
		if _, err := ada.world.Hold(t.Context(),
			room.Session{Table: ada.mint(), Seat: 1}, set); !errors.As(err, &refusal) {
			t.Errorf("on a table at home while it is unreachable: %v", err)
		}
	})
	// Clauses: O2.6, O4.8, O4.10, O4.12, O12.1, O13.3, O13.9, O14.7, O14.9, T39.7
	t.Run("O13 O14 a used set moves to the table's server; its calls count once", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, c := ada.owned()
		on, _ := ada.visit(ben, set)
		r := room.Request{Table: on, Set: set, Client: id.Client{1}, Seq: 1}
		first, err := ben.world.Roll(t.Context(), r, die, [32]byte{1})
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			if again, err := ben.world.Roll(t.Context(), r, die, [32]byte{1}); again != first ||
				err != nil {
				t.Fatalf("the same request: %d after %d, %v", again, first, err)
			}
		}
		p.await("the set to move", func() bool { return ben.owns(set) && !ada.owns(set) })
		if again, err := ben.world.Roll(t.Context(), r, die, [32]byte{1}); again != first ||
			err != nil {
			t.Fatalf("the same request after it has moved: %d after %d, %v", again, first, err)
		}
		r.Seq++
		if n, err := ben.world.Shuffle(t.Context(), r, numbers(), [32]byte{2}); n != 1 ||
			err != nil {
			t.Fatalf("shuffle %d, %v", n, err)
		}
		if here, there := ben.world.Kept(ada.self()); here != 1 || there != 0 {
			t.Errorf("%d of Ada's with Ben, %d of Ben's with Ada", here, there)
		}
		if here, there := ada.world.Kept(ben.self()); here != 0 || there != 1 {
			t.Errorf("%d of Ben's with Ada, %d of Ada's with Ben", here, there)
		}
		var now []room.Part
		for _, part := range slices.Backward(c.Parts[1:]) {
			now = append(now, room.Part{Number: part.Number, Face: part.Face})
		}
		now = append([]room.Part{{}}, now...)
		for range 2 { // repeated until it has succeeded
			if err := ben.world.Release(t.Context(), on, set, now); err != nil {
				t.Fatal(err)
			}
		}
		p.await("the set to come home", func() bool { return ada.owns(set) && !ben.owns(set) })
		if has, err := ada.world.Has(t.Context(), person, set); !has || err != nil {
			t.Errorf("it is not in the bag: %v", err)
		}
		at := ada.mint()
		g, err := ada.world.Hold(t.Context(), room.Session{Table: at, Seat: 1}, set)
		if err != nil || g.Shuffles != 1 || g.Parts[1].Number != die || g.Parts[2].Number != cards {
			t.Errorf("%+v, %v", g.Parts[:3], err)
		}
	})
	t.Run("O30.2 a set is usable while its creator is off", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben", "Cem")
		ada, ben, cem := p.servers[0], p.servers[1], p.servers[2]
		_, set, c := ada.owned()
		bens := ben.person()
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		p.must(ben.world.Put(t.Context(), bens, set))
		p.must(ada.world.Move(t.Context(), set, ben.self()))
		p.await("the set to move", func() bool { return ben.owns(set) && !ada.owns(set) })
		p.await("its pictures", func() bool {
			_, err := ben.db.Blob(t.Context(), c.Art[len(c.Art)-1].Hash)
			return err == nil
		})
		ada.stop()
		on, g := ben.visit(cem, set)
		if len(g.Art) != len(c.Art) {
			t.Fatalf("%d pictures", len(g.Art))
		}
		said, err := cem.world.Reveal(t.Context(), on, set, []uint32{7})
		if err != nil || said.Parts[0].Kind != c.Parts[7].Kind {
			t.Errorf("%+v, %v", said, err)
		}
	})
	// Clauses: O16.1, O18.3, O20.10
	t.Run("O16, O18, O20 a set is unreachable with its owner, and back with it", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		_, set, c := ada.owned()
		on, _ := ada.visit(ben, set)
		ada.stop()
		p.await("the connection to end", func() bool { return !ben.reaches(ada) })
		var absent *room.Unreachable
		if _, err := ben.world.Reveal(t.Context(), on, set, []uint32{1}); !errors.As(
			err, &absent) || absent.Reason != table.AwayOwner || absent.Until < ben.now()+4*60_000 {
			t.Fatalf("%+v, %v", absent, err)
		}
		ada.start()
		p.await("the table to learn it", func() bool {
			ben.mu.Lock()
			defer ben.mu.Unlock()
			return slices.Contains(ben.told, room.SetEvent{Table: on, Set: set})
		})
		if said, err := ben.world.Reveal(t.Context(), on, set, []uint32{1}); err != nil ||
			said.Parts[0].Kind != c.Parts[1].Kind {
			t.Errorf("%+v, %v", said, err)
		}
	})
	t.Run("O24.8, O24.13, O24.14 a deleted table leaves nothing on any disk", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, _ := ada.owned()
		on, _ := ada.visit(ben, set)
		p.must(ada.world.Move(t.Context(), set, ben.self()))
		p.await("the set to move", func() bool { return ben.owns(set) && !ada.owns(set) })
		p.must(ben.world.Delete(t.Context(), on))
		p.collect(3)
		if !ben.owns(set) {
			t.Fatal("it was deleted while it was in a bag")
		}
		p.must(ada.world.Take(t.Context(), person, set))
		for range 12 {
			p.collect(1)
		}
		p.await("everything to be gone", func() bool {
			p.collect(1)
			for _, space := range []object.Space{object.Heads, object.Bodies, object.Moves,
				object.Forwards, object.Helds, object.Debts} {
				persons := 0
				if space == object.Heads || space == object.Bodies {
					persons = 1 // Ada's person exists
				}
				if ben.keeps(space) != 0 || ada.keeps(space) != persons {
					return false
				}
			}
			return true
		})
	})
}

func numbers() (all []uint32) {
	for i := range uint32(cards) {
		all = append(all, i+1)
	}
	return all
}

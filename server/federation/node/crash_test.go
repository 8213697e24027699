package node_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
	"holt/storage"
)

func TestCrash(t *testing.T) {
	batches := 6
	if testing.Short() {
		batches = 2
	}
	for who := range 2 {
		for after := range batches {
			// Clauses: O9.8, O9.9, O9.13, O9.14, O10.3
			name := fmt.Sprintf("O9 O10 a crash in a move: one set at server %d, batch %d", who, after)
			t.Run(name, func(t *testing.T) {
				p := newPlace(t, "Ada", "Ben")
				ada, ben := p.servers[0], p.servers[1]
				_, set, c := ada.owned()
				on, _ := ada.visit(ben, set)
				victim := p.servers[who]
				victim.stop()
				victim.dies = &cord{left: 1 << 30}
				victim.start()
				p.together(ada, ben)
				if _, err := ben.world.Reveal(t.Context(), on, set, []uint32{1}); err != nil {
					t.Fatal(err)
				}
				victim.dies.mu.Lock()
				victim.dies.left = after
				victim.dies.mu.Unlock()
				moved := make(chan error, 1)
				go func() { moved <- ada.world.Move(t.Context(), set, ben.self()) }()
				p.await("the end of the move, or of the server", func() bool {
					select {
					case err := <-moved:
						moved <- err
						return true
					default:
						return victim.dies.isDead()
					}
				})
				victim.stop()
				victim.dies = nil
				victim.start()
				p.together(ada, ben)
				p.await("the set to be in one place", func() bool {
					return ada.owns(set) != ben.owns(set) &&
						ada.keeps(object.Moves)+ben.keeps(object.Moves) == 0
				})
				said, err := ben.world.Reveal(t.Context(), on, set, []uint32{4})
				if err != nil || said.Parts[0].Kind != c.Parts[4].Kind {
					t.Errorf("%+v, %v", said, err)
				}
			})
		}
	}
	// Clauses: O14.6
	t.Run("O14 a call that cannot be stored is not answered, and changes nothing", func(t *testing.T) {
		p := newPlace(t, "Ada")
		ada := p.servers[0]
		ada.stop()
		ada.dies = &cord{left: 1 << 30}
		ada.start()
		_, set, _ := ada.owned()
		on := ada.mint()
		if _, err := ada.world.Hold(t.Context(),
			room.Session{Table: on, Seat: 1}, set); err != nil {
			t.Fatal(err)
		}
		ada.dies.mu.Lock()
		ada.dies.left = 0
		ada.dies.mu.Unlock()
		r := room.Request{Table: on, Set: set, Client: id.Client{1}, Seq: 1}
		if n, err := ada.world.Shuffle(t.Context(), r, numbers(), [32]byte{1}); err == nil {
			t.Fatalf("shuffle %d was answered, and is not stored", n)
		}
		ada.dies.mu.Lock()
		ada.dies.left, ada.dies.dead = 1<<30, false
		ada.dies.mu.Unlock()
		p.await("the objects to be read again", func() bool {
			n, err := ada.world.Shuffle(t.Context(), r, numbers(), [32]byte{1})
			return err == nil && n == 1
		})
	})
}

func TestRestored(t *testing.T) {
	t.Run("O11 a restored server does not serve what it gave away since", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		_, set, c := ada.owned()
		on, _ := ada.visit(ben, set)
		backup := filepath.Join(t.TempDir(), "backup.db")
		p.must(ada.db.Backup(t.Context(), backup))
		p.move(set, ada, ben)
		ada.stop()
		p.must(sound(storage.Restore(t.Context(), ada.dir, backup, "before.db")))
		ada.start()
		p.together(ada, ben)
		p.await("the older copy to go", func() bool { return !ada.owns(set) && ben.owns(set) })
		if owner, err := ada.world.Where(t.Context(), set); owner != ben.self() || err != nil {
			t.Errorf("%s, %v", owner, err)
		}
		said, err := ben.world.Reveal(t.Context(), on, set, []uint32{4})
		if err != nil || said.Parts[0].Kind != c.Parts[4].Kind {
			t.Errorf("%+v, %v", said, err)
		}
	})
	// Clauses: O11.11, O11.14
	t.Run("O11 a restored server collects once all peers have answered", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		_, set, _ := ada.owned()
		backup := filepath.Join(t.TempDir(), "backup.db")
		p.must(ada.db.Backup(t.Context(), backup))
		ada.stop()
		ben.stop()
		p.must(sound(storage.Restore(t.Context(), ada.dir, backup, "before.db")))
		ada.start()
		if _, err := ada.world.Collect(t.Context()); err == nil {
			t.Error("it was collected")
		}
		p.must(ada.world.Trust(t.Context(), ben.self()))
		p.await("a round", func() bool { // a server that starts hears the others first
			r, err := ada.world.Collect(t.Context())
			return err == nil && r.Objects > 0
		})
		on := ada.mint()
		if _, err := ada.world.Hold(t.Context(),
			room.Session{Table: on, Seat: 1}, set); err != nil {
			t.Error(err)
		}
	})
	t.Run("O24.2, O28.1, O28.4 a removed peer has left for good", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, _ := ada.owned()
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		p.must(ben.world.Put(t.Context(), ben.person(), set))
		p.must(ada.world.Take(t.Context(), person, set))
		for range 3 { // an object that was just in use stays in any case
			_, err := ada.world.Collect(t.Context())
			p.must(err)
		}
		if !ada.owns(set) {
			t.Fatal("an object held by a linked host was deleted")
		}
		p.must(ada.links.Remove(t.Context(), ben.self()))
		p.await("the orphan to go", func() bool {
			_, err := ada.world.Collect(t.Context())
			p.must(err)
			return !ada.owns(set)
		})
		if _, err := os.Stat(filepath.Join(ada.dir, "quarantine",
			set.String()+".holtobject")); err != nil {
			t.Error(err)
		}
	})
	// Clauses: O28.14
	t.Run("O28.8, O28.11, O28.13, O28.15 an orphan goes into quarantine and back", func(t *testing.T) {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		person, set, c := ada.owned()
		p.must(ada.world.Give(t.Context(), set, ben.self()))
		bens := ben.person()
		p.must(ben.world.Put(t.Context(), bens, set))
		p.must(ada.world.Take(t.Context(), person, set))
		ben.stop()
		p.await("the connection to end", func() bool { return !ada.reaches(ben) })
		ada.stop()
		ada.ahead.Store(100 * 24 * 60 * 60_000)
		ada.start()
		file := filepath.Join(ada.dir, "quarantine", set.String()+".holtobject")
		p.await("the orphan to go", func() bool {
			_, err := ada.world.Collect(t.Context())
			return err == nil && !ada.owns(set)
		})
		again, keeper, err := ada.world.Restore(t.Context(), file, ada.minting())
		p.must(err)
		if all, err := ada.world.List(t.Context(), keeper); err != nil || len(all) != 1 ||
			all[0] != again {
			t.Errorf("%v, %v", all, err)
		}
		if again == set {
			t.Error("it has its old identifier")
		}
		on := ada.mint()
		if _, err := ada.world.Hold(t.Context(),
			room.Session{Table: on, Seat: 1}, again); err != nil {
			t.Fatal(err)
		}
		said, err := ada.world.Reveal(t.Context(), on, again, []uint32{2})
		if err != nil || said.Parts[0].Kind != c.Parts[2].Kind {
			t.Errorf("%+v, %v", said, err)
		}
		if o, err := ada.world.Overview(t.Context()); err != nil || len(o.Here) == 0 {
			t.Errorf("%+v, %v", o, err)
		}
	})
}

func (s *server) minting() func() (id.OID, error) {
	return func() (id.OID, error) { return s.minter.Mint(s.now()) }
}

// sound returns an error if a copy could not be made or is damaged.
func sound(r storage.Report, err error) error {
	if err == nil && len(r.Damage) > 0 {
		err = fmt.Errorf("damaged: %v", r.Damage)
	}
	return err
}

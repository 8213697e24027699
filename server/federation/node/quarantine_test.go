package node_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// abandoned returns a set of Ada's that only Ben's server needs, whose operator has removed the
// link.
func abandoned(t *testing.T) (ada *server, set id.OID, file string) {
	t.Helper()
	p := newPlace(t, "Ada", "Ben")
	ada, ben := p.servers[0], p.servers[1]
	person, set, _ := ada.owned()
	p.must(ada.world.Give(t.Context(), set, ben.self()))
	p.must(ben.world.Put(t.Context(), ben.person(), set))
	p.must(ada.world.Take(t.Context(), person, set))
	for range 3 {
		_, err := ada.world.Collect(t.Context())
		p.must(err)
	}
	if !ada.owns(set) {
		t.Fatal("what a linked server needs is not there")
	}
	p.must(ada.links.Remove(t.Context(), ben.self()))
	p.await("the connection to end", func() bool { return !ada.reaches(ben) })
	return ada, set, filepath.Join(ada.dir, "quarantine", set.String()+".holtobject")
}

func (s *server) collects() {
	s.Helper()
	_, err := s.world.Collect(s.Context())
	s.must(err)
}

func TestO28Quarantine(t *testing.T) {
	t.Run("O28.8, O28.10 an orphan is deleted only after its file is complete", func(t *testing.T) {
		ada, set, file := abandoned(t)
		folder := filepath.Dir(file)
		ada.must(os.WriteFile(folder, []byte("no folder"), 0o600))
		ada.collects()
		ada.await("the failure to be logged", func() bool {
			return bytes.Contains([]byte(ada.log.String()), []byte("is not put into quarantine"))
		})
		if !ada.owns(set) {
			t.Fatal("it is deleted, and is nowhere")
		}
		ada.must(os.Remove(folder))
		ada.must(os.MkdirAll(folder, 0o700))
		ada.must(os.WriteFile(file+".new",
			[]byte("half of a file of a process that was killed"), 0o600))
		ada.await("the orphan to go", func() bool { ada.collects(); return !ada.owns(set) })
		if _, _, err := ada.world.Restore(t.Context(), file, ada.minting()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(file + ".new"); err == nil {
			t.Error("half of a file is left")
		}
	})
	t.Run("O28.8 a power loss at any batch leaves the object, its file, or both", func(t *testing.T) {
		for n := range 4 {
			ada, set, file := abandoned(t)
			ada.stop()
			ada.dies = &cord{left: n}
			ada.start()
			for range 5 { // until the power is cut
				_, _ = ada.world.Collect(t.Context())
			}
			_, errFile := os.Stat(file)
			ada.stop()
			ada.dies = nil
			ada.start()
			if errFile != nil && !ada.owns(set) {
				t.Fatalf("after %d batches it is nowhere", n)
			}
			ada.await("the orphan to go", func() bool { ada.collects(); return !ada.owns(set) })
			again, _, err := ada.world.Restore(t.Context(), file, ada.minting())
			if err != nil || !ada.owns(again) {
				t.Errorf("after %d batches: %v", n, err)
			}
		}
	})
	t.Run("O28 a damaged or foreign file is refused completely", func(t *testing.T) {
		ada, set, file := abandoned(t)
		ada.await("the orphan to go", func() bool { ada.collects(); return !ada.owns(set) })
		good, err := os.ReadFile(file)
		ada.must(err)
		wrong := filepath.Join(t.TempDir(), "wrong")
		refused := func(what string, b []byte) {
			t.Helper()
			ada.must(os.WriteFile(wrong, b, 0o600))
			if oid, _, err := ada.world.Restore(t.Context(), wrong, ada.minting()); err == nil {
				t.Errorf("a file that is %s is restored as %s", what, oid)
			}
		}
		for n := 0; n < len(good); n += 1 + n/8 {
			refused("cut off", good[:n])
		}
		for n := 0; n < len(good); n += 1 + n/8 {
			b := bytes.Clone(good)
			b[n] ^= 1
			refused("changed", b)
		}
		refused("longer", append(bytes.Clone(good), 0))
		refused("far too long", append(bytes.Clone(good), make([]byte, 2<<20)...))
		ada.must(os.WriteFile(wrong, good, 0o600))
		other := newPlace(t, "Eve").servers[0]
		if _, _, err := other.world.Restore(t.Context(), wrong, other.minting()); err == nil {
			t.Error("a file of another server is restored")
		}
		if o, err := ada.world.Overview(t.Context()); err != nil || len(o.Here) > 2 {
			t.Errorf("%+v, %v", o, err)
		}
		if _, _, err := ada.world.Restore(t.Context(), file, ada.minting()); err != nil {
			t.Error(err)
		}
	})
}

// Clauses: O28.12, O28.13, O28.15
func TestFindingR2UsedSetsLeaveTheQuarantine(t *testing.T) {
	for n := range 3 {
		p := newPlace(t, "Ada", "Ben")
		ada, ben := p.servers[0], p.servers[1]
		_, set, _ := ada.owned()
		on, _ := ada.visit(ben, set)
		r := room.Request{Table: on, Set: set, Client: id.Client{1}}
		for range 10 + n { // eight of them in a row move it here
			r.Seq++
			if _, err := ben.world.Shuffle(t.Context(), r, numbers(), [32]byte{1}); err != nil {
				t.Fatal(err)
			}
		}
		p.await("the set to move", func() bool { return ben.owns(set) && !ada.owns(set) })
		r.Seq++
		if _, err := ben.world.Shuffle(t.Context(), r, numbers(), [32]byte{1}); err != nil {
			t.Fatal(err)
		}
		p.must(ben.links.Remove(t.Context(), ada.self()))
		p.must(ben.world.Delete(t.Context(), on))
		p.await("the orphan to go", func() bool { ben.collects(); return !ben.owns(set) })
		file := filepath.Join(ben.dir, "quarantine", set.String()+".holtobject")
		again, found, err := ben.world.Restore(t.Context(), file, ben.minting())
		if err != nil {
			t.Fatalf("O28 a set that was used %d times does not come back: %v", 11+n, err)
		}
		if has, err := ben.world.Has(t.Context(), found, again); !has || err != nil {
			t.Errorf("it is in no bag: %v", err)
		}
		g, err := ben.world.Hold(t.Context(), room.Session{Table: ben.mint(), Seat: 1}, again)
		if err != nil || g.Shuffles != uint64(11+n) {
			t.Errorf("it comes back with %d of %d shuffles, %v", g.Shuffles, 11+n, err)
		}
	}
}

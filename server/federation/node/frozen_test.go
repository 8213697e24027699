package node_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/room"
	"holt/storage"
)

// used returns a deck of Ada's on a table of Ben's server. It was shuffled the given number of
// times, and moved there. backup was made before that.
func used(t *testing.T, shuffles int) (ada, ben *server, person, set, on id.OID, backup string) {
	t.Helper()
	p := newPlace(t, "Ada", "Ben")
	ada, ben = p.servers[0], p.servers[1]
	person, set, _ = ada.owned()
	backup = filepath.Join(t.TempDir(), "backup.db")
	p.must(sound(storage.Backup(t.Context(), ada.dir, backup)))
	on, _ = ada.visit(ben, set)
	r := room.Request{Table: on, Set: set, Client: id.Client{1}}
	for range shuffles {
		r.Seq++
		if _, err := ben.world.Shuffle(t.Context(), r, numbers(), [32]byte{1}); err != nil {
			t.Fatal(err)
		}
	}
	p.await("the set to move", func() bool { return ben.owns(set) && !ada.owns(set) })
	return ada, ben, person, set, on, backup
}

func TestFindingR1BagAfterRestore(t *testing.T) {
	// Clauses: O38.1, O42.2, O42.4, O42.7
	t.Run("O38, O42 a restored server's bag has the sets that moved since", func(t *testing.T) {
		ada, ben, person, set, on, backup := used(t, 14)
		ada.stop()
		ada.must(sound(storage.Restore(t.Context(), ada.dir, backup, "before.db")))
		ada.start()
		ada.together(ada, ben)
		ada.await("the answer of Ben's server", func() bool {
			return strings.Contains(ada.log.String(), "served again after the restore")
		})
		all, err := ada.world.List(t.Context(), person)
		if err != nil || len(all) != 1 || all[0] != set {
			t.Fatalf("in the bag: %v, %v", all, err)
		}
		if owner, err := ada.world.Where(t.Context(), set); err != nil || owner != ben.self() {
			t.Errorf("it is at %s, %v", owner, err)
		}
		if err := ada.world.Give(t.Context(), set, ben.self()); err != nil {
			t.Errorf("it is given once more: %v", err)
		}
		ada.must(ben.world.Release(t.Context(), on, set, nil))
		ada.await("the set to come home", func() bool { return ada.owns(set) && !ben.owns(set) })
		if g, err := ada.world.Hold(t.Context(),
			room.Session{Table: ada.mint(), Seat: 1}, set); err != nil || g.Shuffles != 14 {
			t.Errorf("%d shuffles, %v", g.Shuffles, err)
		}
		if strings.Contains(ada.log.String(), "level=ERROR") {
			t.Error("an error is logged")
		}
	})
	t.Run("O16.4, O41.2, O42.9 a lost set is reported once, and hides no other", func(t *testing.T) {
		ada, ben, person, set, on, _ := used(t, 9)
		backup := filepath.Join(t.TempDir(), "late.db")
		ada.must(sound(storage.Backup(t.Context(), ada.dir, backup)))
		ada.must(ben.world.Release(t.Context(), on, set, nil))
		ada.await("the set to come home", func() bool { return ada.owns(set) && !ben.owns(set) })
		ada.stop()
		ada.must(sound(storage.Restore(t.Context(), ada.dir, backup, "before.db")))
		ada.start()
		ada.together(ada, ben)
		for range 3 {
			if all, err := ada.world.List(t.Context(), person); err != nil || len(all) != 1 {
				t.Fatalf("in the bag: %v, %v", all, err)
			}
			var absent *room.Unreachable
			if _, err := ada.world.Where(t.Context(), set); !errors.As(err, &absent) ||
				absent.Reason != table.AwayLost {
				t.Fatalf("%v", err)
			}
		}
		if n := strings.Count(ada.log.String(), "level=ERROR"); n > 1 {
			t.Errorf("%d errors are logged", n)
		}
		if at, err := ada.world.Copy(t.Context(), set); at == 0 || err != nil {
			t.Errorf("the copy from its departure is not offered: %v", err)
		}
		ada.must(ada.world.Thaw(t.Context(), set))
		if g, err := ada.world.Hold(t.Context(),
			room.Session{Table: ada.mint(), Seat: 1}, set); err != nil || len(g.Parts) != cards+2 {
			t.Errorf("%d parts, %v", len(g.Parts), err)
		}
	})
}

func TestFindingR3TheOtherDiskDies(t *testing.T) {
	t.Run("O40, O41.1, O41.4 the frozen copy is used when the peer is given up", func(t *testing.T) {
		ada, ben, person, set, _, _ := used(t, 14)
		ben.stop() // for good
		if err := ada.world.Thaw(t.Context(), set); !errors.Is(err, object.ErrInUse) {
			t.Fatalf("while it may come back: %v", err)
		}
		ada.must(ada.links.Remove(t.Context(), ben.self()))
		ada.collects()
		if _, err := ada.world.SweepBlobs(t.Context()); err != nil {
			t.Fatal(err)
		}
		o, err := ada.world.Overview(t.Context())
		if err != nil || o.Copies.N != 1 || len(o.Copies.Offered) != 1 ||
			o.Copies.Offered[0].OID != set || o.Copies.Offered[0].Host != ben.self() {
			t.Fatalf("%+v, %v", o.Copies, err)
		}
		ada.must(ada.world.Thaw(t.Context(), set))
		ada.stop()
		ada.start()
		if has, err := ada.world.Has(t.Context(), person, set); !has || err != nil {
			t.Errorf("it is in no bag: %v", err)
		}
		g, err := ada.world.Hold(t.Context(), room.Session{Table: ada.mint(), Seat: 1}, set)
		if err != nil || g.Shuffles == 0 || g.Shuffles > 14 || len(g.Art) == 0 {
			t.Errorf("%d shuffles, %d pictures, %v", g.Shuffles, len(g.Art), err)
		}
		if o, err := ada.world.Overview(t.Context()); err != nil || o.Copies.N != 0 {
			t.Errorf("%+v, %v", o.Copies, err)
		}
	})
	t.Run("O41.13 a peer linked again after being given up quarantines its copy", func(t *testing.T) {
		ada, ben, _, set, _, _ := used(t, 14)
		ada.must(ada.links.Remove(t.Context(), ben.self()))
		ada.must(ada.world.Thaw(t.Context(), set))
		ada.must(ben.links.Remove(t.Context(), ada.self()))
		ada.link(ada, ben, everything)
		ada.await("Ben's copy to go", func() bool { return !ben.owns(set) })
		file := filepath.Join(ben.dir, "quarantine", set.String()+".holtobject")
		again, _, err := ben.world.Restore(t.Context(), file, ben.minting())
		if err != nil {
			t.Fatal(err)
		}
		if g, err := ben.world.Hold(t.Context(),
			room.Session{Table: ben.mint(), Seat: 1}, again); err != nil || g.Shuffles != 14 {
			t.Errorf("%d shuffles, %v", g.Shuffles, err)
		}
		if !ada.owns(set) {
			t.Error("Ada's server does not have it")
		}
	})
}

func TestFindingR6WhatTheLogSays(t *testing.T) {
	t.Run("O43 a restored server logs once for whom it waits, and until when", func(t *testing.T) {
		ada, ben, person, _, _, backup := used(t, 9)
		ada.stop()
		ben.stop()
		ada.must(sound(storage.Restore(t.Context(), ada.dir, backup, "before.db")))
		begun := time.Now().Truncate(time.Millisecond)
		ada.start()
		var said []string
		lines := func() []string {
			said = nil
			for line := range strings.Lines(ada.log.String()) {
				if strings.Contains(line, "linked servers are waited for") {
					said = append(said, line)
				}
			}
			return said
		}
		if len(lines()) > 0 {
			t.Errorf("at once: %s", said)
		}
		ada.await("the log line of the awaited server", func() bool {
			ada.ahead.Add(5000)
			_, _ = ada.world.List(t.Context(), person) // an input makes the host look at its clock
			return len(lines()) > 0
		})
		for range 5 {
			ada.ahead.Add(15_000)
			_, _ = ada.world.List(t.Context(), person)
		}
		if len(lines()) != 1 {
			t.Fatalf("it is reported %d times: %s", len(said), said)
		}
		if !strings.Contains(said[0], `servers="Ben `+ben.self().String()) ||
			!strings.Contains(said[0], "holt objects --trust SERVER") {
			t.Error(said[0])
		}
		_, since, _ := strings.Cut(said[0], " since=")
		at, err := time.Parse(time.RFC3339Nano, strings.Fields(since + " ")[0])
		if err != nil || at.Before(begun) || at.After(time.Now()) {
			t.Errorf("since %s (%v), restored after %s", at, err, begun)
		}
	})
}

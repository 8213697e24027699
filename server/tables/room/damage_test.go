package room_test

import (
	"bytes"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/tables/room"
)

// changeStored changes what is stored of the table while the server is stopped.
func (r *rig) changeStored(change func(s *stored)) {
	r.t.Helper()
	r.stop()
	r.store.mu.Lock()
	change(r.store.tables[r.host.Table])
	r.store.mu.Unlock()
	r.start()
}

func (r *rig) loads() int { return read(r.store, func() int { return r.store.loads }) }

func TestFindingR10Damage(t *testing.T) {
	cut := func(b []byte) []byte { return bytes.Clone(b[:len(b)/2]) }
	in(t).Run("T58.2 an unreadable snapshot is not needed", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		x := ada.moveOften(300)
		r.stop()
		if at, length := r.stored(); at == 0 || at != length {
			t.Fatalf("the snapshot is at %d of %d", at, length)
		}
		r.start()
		r.changeStored(func(s *stored) { s.snapshot = cut(s.snapshot) })
		if got := r.open(r.host.Session).events()[0].GetFull().GetPieces()[tokenOne-1].GetX(); got != x {
			t.Errorf("x is %d, want %d", got, x)
		}
		if n := r.log.count("a snapshot is damaged"); n != 1 {
			t.Errorf("%d warnings to the operator", n)
		}
		r.wantRestart(x)
		if n := r.log.count("a snapshot is damaged"); n != 1 {
			t.Error("there is no good snapshot in its place")
		}
	})
	in(t).Run("S22.3, S22.5 a damaged entry makes one table damaged", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		ada.moveOften(10)
		other, _, err := r.rooms.Create(t.Context(), room.NewTableRequest{
			Game: "test", Host: room.Person{Nick: "Eve"},
		})
		if err != nil {
			t.Fatal(err)
		}
		r.changeStored(func(s *stored) {
			s.snapshot, s.at = nil, 0
			s.log[len(s.log)-3] = cut(s.log[len(s.log)-3])
		})
		before := r.loads()
		for range 5 {
			if _, err := r.rooms.Read(
				t.Context(), r.host.Session,
			); !errors.Is(err, room.ErrDamaged) {
				t.Errorf("S22 the answer is %v", err)
			}
			<-time.After(time.Second)
		}
		if err := r.rooms.Sound(t.Context(), r.host.Table); !errors.Is(err, room.ErrDamaged) {
			t.Errorf("it counts as undamaged: %v", err)
		}
		if n := r.loads() - before; n != 1 {
			t.Errorf("S22 it was loaded %d times", n)
		}
		if all := r.rooms.Damaged(); len(all) != 1 || all[0] != r.host.Table {
			t.Errorf("%v are damaged", all)
		}
		if _, err := r.rooms.Read(t.Context(), other.Session); err != nil {
			t.Errorf("S22 the other table: %v", err)
		}
		<-time.After(2 * time.Minute)
		if _, err := r.rooms.Read(t.Context(), r.host.Session); !errors.Is(err, room.ErrDamaged) {
			t.Errorf("later: %v", err)
		}
		if n := r.loads() - before; n < 2 {
			t.Error("it is never checked again")
		}
		if n := r.log.count("a table is damaged and cannot be opened"); n != 1 {
			t.Errorf("%d warnings to the operator", n)
		}
	})
}

func TestFindingR10DiscardDamaged(t *testing.T) {
	damage := map[string]func(s *stored){
		"an entry":    func(s *stored) { s.snapshot, s.at, s.log[1] = nil, 0, s.log[1][:1] },
		"a catalogue": func(s *stored) { s.row.Catalog[0] ^= 1 },
		"each of them": func(s *stored) {
			s.snapshot, s.at, s.log, s.row.Catalog = nil, 0, nil, room.Hash{}
		},
	}
	for name, change := range damage {
		atCards(t).Run("T42.15 the operator deletes a damaged table: "+name, func(t *testing.T, r *rig) {
			p := r.party()
			set := r.makeGuestSet(p.ada, p.bob)
			other, _, err := r.rooms.Create(t.Context(), room.NewTableRequest{
				Game: "test", Host: room.Person{Nick: "Eve"},
			})
			if err != nil {
				t.Fatal(err)
			}
			r.changeStored(change)
			if _, err := r.rooms.Read(
				t.Context(), r.host.Session,
			); !errors.Is(err, room.ErrDamaged) {
				t.Fatalf("it is not damaged: %v", err)
			}
			r.store.failNext("sweep", errDisk)
			if damaged, err := r.rooms.DeleteTable(t.Context(), r.host.Table); !damaged ||
				err != nil {
				t.Fatalf("damaged: %t, %v", damaged, err)
			}
			synctest.Wait()
			if _, on, ok := r.owner.Contents(set); !ok || !on.IsZero() {
				t.Errorf("with a log that cannot be deleted the set is on %v", on)
			}
			if len(r.rooms.Damaged()) != 0 {
				t.Error("it still counts as damaged")
			}
			r.wantGone()
			<-time.After(time.Minute)
			r.wantNothingLeft()
			if _, err := r.rooms.Read(t.Context(), other.Session); err != nil {
				t.Errorf("the other table: %v", err)
			}
		})
	}
	in(t).Run("S16.5, T42 a row damaged while in use deletes its table", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.frames()
		r.store.failNext("discard", room.ErrDamaged)
		if _, err := r.rooms.DeleteTable(t.Context(), r.host.Table); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if by := deletedBy(ada); by != 0 {
			t.Errorf("Ada gets reason %d", by)
		}
		r.wantGone()
		r.wantNothingLeft()
	})
}

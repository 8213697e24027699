package room_test

import (
	"testing"
	"testing/synctest"

	"holt/server/play/table"
	"holt/server/tables/room"
)

// moveOften moves the first token so many times, each time to another place, and returns where it
// then lies.
func (p *player) moveOften(times int) int32 {
	p.t.Helper()
	for times > 0 {
		var batch []table.Update
		for range min(times, 250) {
			batch = append(batch, p.move(tokenOne, int32(p.seq%1000), 0))
		}
		p.mustSend(batch...)
		p.events()
		times -= len(batch)
	}
	return int32((p.seq - 1) % 1000)
}

// wantRestart starts the server again and checks where the first token lies.
func (r *rig) wantRestart(x int32) {
	r.t.Helper()
	r.stop()
	r.start()
	again := r.open(r.host.Session)
	if got := again.events()[0].GetFull().GetPieces()[tokenOne-1].GetX(); got != x {
		r.t.Errorf("T19 after a restart x is %d, want %d", got, x)
	}
}

func (r *rig) saves() int { return read(r.store, func() int { return r.store.saves }) }

// stored returns where the snapshot of the table is, and how long the log is.
func (r *rig) stored() (at, length room.Position) {
	s := read(r.store, func() *stored { return r.store.tables[r.host.Table] })
	return s.at, room.Position(len(s.log))
}

func TestSnapshots(t *testing.T) {
	in(t).Run("T3 a snapshot that cannot be stored costs no data", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		r.store.failSave = errDisk
		ada.moveOften(1250)
		if r.saves() != 1 || r.log.count("snapshot not stored") != 1 ||
			r.log.count(errDisk.Error()) != 1 {
			t.Errorf("%d attempts, the log is %s", r.saves(), r.log.text.String())
		}
		ada.moveOften(500) // it goes on, and does not try again with every commit
		if r.saves() != 1 {
			t.Errorf("%d attempts after 1,750 entries, want 1", r.saves())
		}
		x := ada.moveOften(500)
		if r.saves() != 2 || r.log.count("snapshot not stored") != 2 {
			t.Errorf("%d attempts after 2,250 entries, want 2", r.saves())
		}
		if at, length := r.stored(); at != 0 || length < 2250 {
			t.Errorf("the snapshot is at %d of %d", at, length)
		}
		ada.cut()
		r.wantRestart(x)
	})
	in(t).Run("T3 a failed snapshot is retried later", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		r.store.failSave = errDisk
		ada.moveOften(1000)
		r.store.failSave = nil
		x := ada.moveOften(1000)
		if at, _ := r.stored(); r.saves() != 2 || at < 1900 {
			t.Errorf("after %d attempts the snapshot is at %d", r.saves(), at)
		}
		ada.cut()
		r.wantRestart(x)
	})
	in(t).Run("T3 an ending room retries a failed snapshot", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		r.store.failSave = errDisk
		x := ada.moveOften(1000)
		if r.saves() != 1 {
			t.Fatalf("%d attempts", r.saves())
		}
		r.store.failSave = nil
		ada.cut()
		r.stop()
		if at, length := r.stored(); at != length {
			t.Errorf("the last snapshot is at %d of %d", at, length)
		}
		r.wantRestart(x)
	})
	in(t).Run("T10 nobody waits for a snapshot", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		hold := make(chan struct{})
		r.store.holdSave = hold
		x := ada.moveOften(2500) // mustSend returns, so every batch is answered
		synctest.Wait()
		if r.saves() != 1 {
			t.Errorf("%d snapshots under way, want one at a time", r.saves())
		}
		stopped := make(chan struct{})
		go func() { r.stop(); close(stopped) }()
		synctest.Wait()
		select {
		case <-stopped:
			t.Error("the room has ended while a snapshot was under way")
		default:
		}
		close(hold)
		<-stopped
		if at, length := r.stored(); at != length {
			t.Errorf("the last snapshot is at %d of %d", at, length)
		}
		r.wantRestart(x)
	})
}

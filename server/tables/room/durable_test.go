package room_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/stream"
)

func TestDurable(t *testing.T) {
	// Clauses: T10.7, T19.7
	in(t).Run("T10 nothing is acknowledged or shown before it is durable", func(t *testing.T, r *rig) {
		ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
		ada.events()
		bob.events()
		release := r.store.block()
		answer := ada.post(ada.move(tokenOne, 1, 1))
		joined := make(chan error, 1)
		go func() {
			_, err := r.rooms.TakeSeat(t.Context(), r.invites.Player, room.Person{Nick: "Cid"})
			joined <- err
		}()
		late := r.open(r.host.Session)
		read := make(chan *holtpb.Frame, 1)
		go func() {
			f, _ := r.rooms.Read(t.Context(), r.host.Session)
			read <- f
		}()
		synctest.Wait()
		unanswered(t, answer)
		for who, p := range map[string]*player{"her": ada, "him": bob, "a late one": late} {
			if told := p.events(); len(told) != 0 {
				t.Errorf("%s gets %v", who, told)
			}
		}
		if len(joined)+len(read) != 0 {
			t.Error("a seat or a state was given before it was durable")
		}
		release()
		if err := errors.Join(<-answer, <-joined); err != nil {
			t.Error(err)
		}
		if got := acks(ada.events()); !slices.Equal(got, []uint64{1}) {
			t.Errorf("acks %v", got)
		}
		if got := updates(bob.events()); !slices.Equal(got, []uint32{uint32(tokenOne)}) {
			t.Errorf("bob gets %v", got)
		}
		for _, f := range []*holtpb.Frame{<-read, late.frames()[0]} {
			if x := f.GetEvents()[0].GetFull().GetPieces()[tokenOne-1].GetX(); x != 1 {
				t.Errorf("a full state shows x %d", x)
			}
		}
	})
	// Clauses: T10.7, T10.17
	in(t).Run("T10 a retry before the commit is acknowledged after it", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		release := r.store.block()
		u := ada.move(tokenOne, 1, 1)
		first := ada.post(u)
		second := ada.post(u)
		unanswered(t, second)
		release()
		if err := errors.Join(<-first, <-second); err != nil {
			t.Error(err)
		}
		if got := acks(ada.events()); !slices.Equal(got, []uint64{1, 1}) {
			t.Errorf("acks %v", got)
		}
	})
	in(t).Run("what waits during a commit shares the next one", func(t *testing.T, r *rig) {
		players := []*player{r.open(r.host.Session)}
		for range 9 {
			players = append(players, r.open(r.host.Session))
		}
		for _, p := range players {
			p.events()
		}
		before := read(r.store, func() int { return len(r.store.commits) })
		release := r.store.block()
		var answers []<-chan error
		for _, p := range players {
			u := p.make(table.OpAdd, 0)
			u.Has, u.Kind = table.HasKind|table.HasXY, 1
			answers = append(answers, p.post(u))
		}
		release()
		for _, a := range answers {
			if err := <-a; err != nil {
				t.Error(err)
			}
		}
		if commits := read(r.store, func() []int {
			return r.store.commits[before:]
		}); !slices.Equal(commits, []int{1, 9}) {
			t.Errorf("commits of %v entries, want 1 and 9", commits)
		}
	})
	for name, c := range map[string]struct {
		fail func(r *rig)
		want error
	}{
		"a full disk": {func(r *rig) { r.store.failWith(errDisk) }, errDisk},
		"a second writer": {func(r *rig) {
			r.store.tables[r.host.Table].log = append(r.store.tables[r.host.Table].log, nil)
		}, room.ErrFenced},
		"a store that does not answer": {func(r *rig) { r.store.block() }, room.ErrStorage},
	} {
		in(t).Run("the table stops without false acks: "+name, func(t *testing.T, r *rig) {
			testFailure(t, r, c.fail, c.want)
		})
	}
	in(t).Run("T10, T19 after a failure retries are recognised and nothing is lost or doubled",
		testRecovery)
	in(t).Run("a snapshot follows every thousand entries, and the end", func(t *testing.T, r *rig) {
		ada := r.open(r.host.Session)
		ada.events()
		for range 5 {
			var batch []table.Update
			for range 250 {
				batch = append(batch, ada.move(tokenOne, int32(ada.seq%1000), 0))
			}
			ada.mustSend(batch...)
			ada.events()
		}
		at := read(r.store, func() []room.Position { return slices.Clone(r.store.snapshots) })
		if len(at) != 1 || at[0] < 1000 || at[0] > 1250 {
			t.Errorf("snapshots at %v", at)
		}
		r.stop()
		if got := read(r.store, func() room.Position {
			return r.store.tables[r.host.Table].at
		}); got != room.Position(len(r.store.tables[r.host.Table].log)) {
			t.Errorf("the last snapshot is at %d of %d", got, len(r.store.tables[r.host.Table].log))
		}
		r.start()
		again := r.open(r.host.Session)
		if x := again.events()[0].GetFull().GetPieces()[tokenOne-1].GetX(); x != int32(
			(ada.seq-1)%1000) {
			t.Errorf("after a restart x is %d", x)
		}
	})
}

// testFailure makes the store fail and checks what callers and streams get.
func testFailure(t *testing.T, r *rig, fail func(*rig), want error) {
	ada, bob := r.open(r.host.Session), r.open(r.seat(r.invites.Player, "Bob").Session)
	ada.events()
	bob.events()
	fail(r)
	first := ada.post(ada.move(tokenOne, 1, 1))
	second := bob.post(bob.move(tokenTwo, 2, 2))
	<-time.After(time.Minute) // in virtual time: longer than any bound on the store
	for _, answer := range []<-chan error{first, second} {
		// What a second writer has written may not be a valid log of ours.
		if err := <-answer; !errors.Is(err, room.ErrStorage) && !errors.Is(err, room.ErrDamaged) {
			t.Errorf("a caller gets %v, want %v", err, room.ErrStorage)
		} else if answer == first && !errors.Is(err, want) {
			t.Errorf("the cause is lost: %v", err)
		}
	}
	for _, p := range []*player{ada, bob} {
		if told := p.events(); len(acks(told))+len(updates(told)) != 0 {
			t.Errorf("got %v of an update that was not stored", told)
		}
		if p.line.code != stream.CodeInternal {
			t.Errorf("the stream was closed with %d", p.line.code)
		}
	}
	r.store.mu.Lock()
	r.store.hold = nil
	r.store.mu.Unlock()
}

func testRecovery(t *testing.T, r *rig) {
	ada := r.open(r.host.Session)
	ada.events()
	kept := ada.move(tokenOne, 1, 1)
	ada.mustSend(kept)
	ada.events()
	r.store.failWith(errDisk)
	lost := ada.move(tokenOne, 2, 2)
	if err := ada.send(lost); !errors.Is(err, room.ErrStorage) {
		t.Fatalf("error %v", err)
	}
	synctest.Wait()
	r.store.failWith(nil)
	ada.reopen(kept.Seq)
	events := ada.events()
	if x := events[0].GetFull().GetPieces()[tokenOne-1].GetX(); x != 1 {
		t.Errorf("after the failure x is %d, want the durable one", x)
	}
	if got := acks(events); !slices.Equal(got, []uint64{uint64(kept.Seq)}) {
		t.Errorf("acks %v", got)
	}
	length := len(r.store.tables[r.host.Table].log)
	ada.mustSend(kept, lost)
	if got := acks(ada.events()); !slices.Equal(got, []uint64{uint64(kept.Seq), uint64(lost.Seq)}) {
		t.Errorf("acks of the retry %v", got)
	}
	if n := len(r.store.tables[r.host.Table].log) - length; n != 1 {
		t.Errorf("%d entries more, want one", n)
	}
	other := kept
	other.X++
	var invalid *table.Invalid
	if err := ada.send(other); !errors.As(err, &invalid) || invalid.Code != table.CodeReusedSeq {
		t.Errorf("error %v", err)
	}
}

package room_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/tables/room"
)

// readOf returns how many entries of the log an export has read, and its version.
func (d *dealing) readOf() (entries int, version string) {
	d.t.Helper()
	before := d.store.given()
	_, version, err := d.rooms.Fairness(d.t.Context(), d.eve.session)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.store.given() - before, version
}

func TestExports(t *testing.T) {
	// Clauses: F14.3, F14.4
	deal(t, "F14 an export reads only the entries since the last one", func(t *testing.T, d *dealing) {
		all, first := d.readOf()
		if all == 0 {
			t.Error("nothing was read")
		}
		if n, version := d.readOf(); n != 0 || version != first {
			t.Errorf("%d entries were read again; version %s, then %s", n, first, version)
		}
		d.ada.mustSend(d.ada.move(tokenLeft, 10, 3000))
		if n, version := d.readOf(); n != 1 || version != first {
			t.Errorf("%d entries of a move; version %s, then %s", n, first, version)
		}
		d.roll(openDie)
		n, rolled := d.readOf()
		if n != 2 || rolled == first {
			t.Errorf("%d entries of a roll, version %s", n, rolled)
		}
		d.seat(d.invites.Player, "Cid")
		if _, version := d.readOf(); version == rolled {
			t.Error("a new seat does not change the version")
		}
	})
	// Clauses: F14.4
	deal(t, "F14 and T21 export versions reveal nothing of hands", func(t *testing.T, d *dealing) {
		d.ada.mustSend(d.ada.blind(table.OpClaim, pouch))
		_, before := d.readOf()
		d.roll(pouchDie)
		n, version := d.readOf()
		if n != 2 || version != before {
			t.Errorf("%d entries, version %s, then %s", n, before, version)
		}
		d.openRound()
		<-time.After(2 * time.Second)
		if _, told := d.readOf(); told == before {
			t.Errorf("version %s when a round was opened", told)
		}
	})
	deal(t, "F14 a restart does not change the version", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		one, _ := d.export()
		_, version := d.readOf()
		d.stop()
		d.rig.start()
		two, _ := d.export()
		if _, again := d.readOf(); again != version || !reflect.DeepEqual(one, two) {
			t.Errorf("version %s, then %s", version, again)
		}
		read(d.store, func() error { d.store.tables[d.host.Table].row.Epoch++; return nil })
		if all, again := d.readOf(); again == version || all == 0 {
			t.Errorf("T19 in another epoch it has version %s, of %d entries", again, all)
		}
	})
	deal(t, "F14 an export stays unchanged when more is read", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		early, _, err := d.rooms.Fairness(t.Context(), d.eve.session)
		if err != nil {
			t.Fatal(err)
		}
		draws, nicks := len(early.Rounds[0].Facts), len(early.Seats)
		d.roll(openDie)
		d.openRound()
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		d.seat(d.invites.Player, "Cid")
		<-time.After(2 * time.Second)
		if _, report := d.export(); !report.Rounds[0].Revealed {
			t.Errorf("%+v", report.Rounds)
		}
		if r := early.Rounds[0]; len(early.Rounds) != 1 || len(r.Facts) != draws || r.Seed != nil ||
			len(early.Seats) != nicks {
			t.Errorf("%+v", early)
		}
	})
}

// answer is the result of an export.
type answer struct {
	export *fairness.Export
	err    error
}

// ask asks for an export in the background.
func (d *dealing) ask(ctx context.Context, s room.Session) <-chan answer {
	c := make(chan answer, 1) // read by the test, if at all
	go func() {
		e, _, err := d.rooms.Fairness(ctx, s)
		c <- answer{e, err}
	}()
	synctest.Wait()
	return c
}

// drawnIn returns how many draws a round of an export has.
func drawnIn(r *fairness.ExportedRound) (n int) {
	for i := range r.Facts {
		if r.Facts[i].Fact.Kind() == fairness.KindDrawn {
			n++
		}
	}
	return n
}

func TestExportsWait(t *testing.T) {
	deal(t, "F14 a table goes on while its log is read", func(t *testing.T, d *dealing) {
		release := d.store.holdReaders()
		asked := d.ask(t.Context(), d.eve.session)
		d.roll(openDie)
		d.wantFacts("drawn")
		release()
		if a := <-asked; a.err != nil || drawnIn(&a.export.Rounds[0]) != 1 {
			t.Errorf("%+v", a)
		}
	})
	deal(t, "F14 reads of a log take turns; a long wait is refused", func(t *testing.T, d *dealing) {
		release := d.store.holdReaders()
		first := d.ask(t.Context(), d.eve.session)
		second := d.ask(t.Context(), d.bob.session)
		if n := d.store.reading(); n != 1 {
			t.Errorf("%d read at once", n)
		}
		<-time.After(3 * time.Second)
		if a := <-second; !errors.Is(a.err, room.ErrBusy) {
			t.Errorf("the second gets %v", a.err)
		}
		third := d.ask(t.Context(), d.bob.session)
		release()
		for _, c := range []<-chan answer{first, third} {
			if a := <-c; a.err != nil {
				t.Error(a.err)
			}
		}
		if n, _ := d.readOf(); n != 0 {
			t.Errorf("%d entries were read again", n)
		}
	})
	deal(t, "F14 two logs are read at once, over all tables", func(t *testing.T, d *dealing) {
		var all []<-chan answer
		release := d.store.holdReaders()
		for range 4 {
			taken, _, err := d.rooms.Create(t.Context(), room.NewTableRequest{
				Game: "test", Host: room.Person{Nick: "Ada"},
			})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, d.ask(t.Context(), taken.Session))
		}
		if n := d.store.reading(); n != 2 {
			t.Errorf("%d read at once", n)
		}
		release()
		for _, c := range all {
			if a := <-c; a.err != nil || len(a.export.Rounds) != 1 {
				t.Errorf("%+v", a)
			}
		}
	})
	deal(t, "F14 a reader that goes away lets the others in", func(t *testing.T, d *dealing) {
		release := d.store.holdReaders()
		defer release()
		ctx, cancel := context.WithCancel(t.Context())
		gone := d.ask(ctx, d.eve.session)
		waits := d.ask(ctx, d.bob.session)
		cancel()
		for _, c := range []<-chan answer{gone, waits} {
			if a := <-c; !errors.Is(a.err, context.Canceled) {
				t.Errorf("a reader that left gets %v", a.err)
			}
		}
		release()
		d.export()
	})
}

package room_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/components/schema"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/componentpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// rename gives a player another name.
func (p *player) rename(nick string) {
	p.t.Helper()
	p.operate(put(schema.EntityOfSeat(p.session.Seat), schema.Profile, 1, &componentpb.Profile{
		Nick: nick, Colour: 0x102030,
	}))
	synctest.Wait()
}

// faultOf returns what is wrong with an export after a change.
func (d *dealing) faultOf(change func(e *fairness.Export)) fairness.Fault {
	d.t.Helper()
	e, _ := d.export()
	change(e)
	var difference *fairness.Difference
	if _, err := fairness.Verify(e); errors.As(err, &difference) {
		return difference.Fault
	}
	return ""
}

// namedIn returns the names that facts of a round bind, in order.
func namedIn(r *fairness.ExportedRound) (names []string) {
	for i := range r.Facts {
		if f, is := r.Facts[i].Fact.(fairness.SeatNamed); is {
			names = append(names, f.Name)
		}
	}
	return names
}

func TestF16Names(t *testing.T) {
	// Clauses: F16.1, F16.5, F16.6, F16.7
	deal(t, "F16 a round binds present, new and renamed seats", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.bob.rename("Bert")
		d.roll(openDie)
		d.stop()
		d.rig.start()
		d.seat(d.invites.Player, "Cid")
		d.openRound()
		d.stop()
		d.rig.start()
		e, _ := d.export()
		if got := namedIn(
			&e.Rounds[0],
		); !slices.Equal(got, []string{"Ada", "Bob", "Eve", "Bert", "Cid"}) {
			t.Errorf("round 1 names %q", got)
		}
		want := []fairness.Seat{
			{Seat: 1, Name: "Ada"}, {Seat: 2, Name: "Bert"}, {Seat: 3, Name: "Eve"},
			{Seat: 4, Name: "Cid"},
		}
		if got := e.Rounds[1].Bound.Seats; !slices.Equal(got, want) {
			t.Errorf("round 2 has %+v", got)
		}
		if kinds, seats := e.Unbound(); kinds+seats > 0 || len(e.Kinds) == 0 || len(e.Seats) != 4 {
			t.Errorf("%d of %d kinds and %d of %d seats are not bound", kinds, len(e.Kinds), seats,
				len(e.Seats))
		}
		for what, change := range map[fairness.Fault]func(e *fairness.Export){
			fairness.FaultName: func(e *fairness.Export) { e.Seats[2] = "Mallory" },
			fairness.FaultLine: func(e *fairness.Export) { e.Rounds[0].Bound.Catalog[0]++ },
		} {
			if got := d.faultOf(change); got != what {
				t.Errorf("%q, want %q", got, what)
			}
		}
		if got := d.faultOf(func(e *fairness.Export) {
			e.Kinds[1] = "Joker"
		}); got != fairness.FaultName {
			t.Errorf("another name of a kind is %q", got)
		}
	})
	deal(t, "F16 names cost no event, and another colour no fact", func(t *testing.T, d *dealing) {
		at := d.store.length(d.host.Table)
		d.bob.rename("Bert")
		renamed := d.store.length(d.host.Table) - at
		if got := d.eve.fairs(); len(got) != 0 {
			t.Errorf("eve gets %v", got)
		}
		at += renamed
		d.bob.operate(put(schema.EntityOfSeat(2), schema.Profile, 2, &componentpb.Profile{
			Nick: "Bert", Colour: 7,
		}))
		synctest.Wait()
		if got := d.store.length(d.host.Table) - at; got != renamed-1 {
			t.Errorf("%d entries for another colour, %d for another name", got, renamed)
		}
	})
	t.Run("F16.8 a round binds kinds that come with a guest set", func(t *testing.T) {
		playGame(t, 3, false, true, func(g *twin) {
			g.bob.mustSend(g.bob.blind(table.OpRoll, openDie))
			g.openRound()
			e, _ := g.rig.exported()
			grown := 0
			for _, f := range e.Rounds[0].Facts {
				if f.Fact.Kind() == fairness.KindCatalogChanged {
					grown++
				}
			}
			if kinds, seats := e.Unbound(); grown == 0 || kinds+seats > 0 ||
				e.Rounds[1].Bound.Kinds <= e.Rounds[0].Bound.Kinds {
				t.Errorf("%d facts, %d names of kinds and %d of seats are not bound", grown, kinds,
					seats)
			}
		})
	})
}

// asOld turns the log of the table into one that an earlier version of the server would have
// recorded: its rounds are of version 1.
func (r *rig) asOld() {
	r.t.Helper()
	stored := r.store.tables[r.host.Table]
	m := hmac.New(sha256.New, make([]byte, 32))
	m.Write([]byte("holt.fair/1 table"))
	m.Write(stored.row.Table[:])
	seed := fairness.SeedOf((*fairness.Secret)(m.Sum(nil)), stored.row.Table, stored.row.Epoch, 1)
	state := fairness.NewState(stored.row.Table)
	var log [][]byte
	for _, b := range stored.log {
		e, err := wire.DecodeEntry(b)
		if err != nil {
			r.t.Fatal(err)
		}
		if e.Fact == nil {
			log = append(log, b)
			continue
		}
		f, err := fairness.DecodeFact(e.Fact)
		if err != nil {
			r.t.Fatal(err)
		}
		switch was := f.(type) {
		case fairness.SeatNamed:
			continue
		case fairness.Opened:
			was.Bound = nil
			f = was
		case fairness.Drawn:
			d := &was.Record
			if f, err = state.Rand(&seed, d.Audience).Record(
				e.At, d.Kind, d.Seat, d.Pieces, d.Inputs, d.Outputs,
			); err != nil {
				r.t.Fatal(err)
			}
		}
		if err := state.Apply(e.At, f); err != nil {
			r.t.Fatal(err)
		}
		e.Fact = fairness.EncodeFact(f)
		if b, err = wire.EncodeEntry(&e); err != nil {
			r.t.Fatal(err)
		}
		log = append(log, b)
	}
	stored.log, stored.snapshot, stored.at = log, nil, 0
}

func TestF16OldTables(t *testing.T) {
	// Clauses: F16.1, F16.2
	deal(t, "F16 version 2 follows a round of version 1", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		d.stop()
		d.asOld()
		for range 2 { // from the log, then from a snapshot
			d.rig.start()
			d.seat(d.invites.Spectator, "Cid")
			d.stop()
		}
		d.rig.start()
		e, _ := d.export()
		if e.Rounds[0].Bound != nil || len(namedIn(&e.Rounds[0])) != 0 {
			t.Errorf("round 1 binds %+v", e.Rounds[0].Bound)
		}
		d.ada.come(room.Hello{Client: d.ada.id, Epoch: d.ada.epoch, Version: d.ada.version, Seq: 1})
		for range 2 {
			d.openRound()
			d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		}
		<-time.After(2 * time.Second)
		e, report := d.export()
		if len(e.Rounds) != 3 || e.Rounds[1].Bound == nil || len(e.Rounds[1].Bound.Seats) != 5 {
			t.Errorf("%d rounds, the second binds %+v", len(e.Rounds), e.Rounds[1].Bound)
		}
		if !report.Rounds[0].Revealed || !report.Rounds[1].Revealed || report.Rounds[0].Bound ||
			!report.Rounds[1].Bound {
			t.Errorf("%+v", report.Rounds)
		}
	})
}

// publicEnds returns what an observer, who knows everything but the seed, can compute of how a
// round ended.
func publicEnds(
	e *fairness.Export, r *fairness.ExportedRound, line fairness.Digest,
) map[string]fairness.Digest {
	pool := fairness.Digest(sha256.Sum256(append([]byte("holt.fair/1 pool"), r.Commitment[:]...)))
	number, seal := uint32(0), fairness.Digest{}
	for _, d := range r.Facts {
		switch f := d.Fact.(type) {
		case fairness.Mixed:
			pool = f.Pool
		case fairness.Drawn:
			number, seal = uint32(f.Record.Number), f.Seal
		}
	}
	of := func(label string, more ...[]byte) []byte {
		b := append([]byte(label), e.Table[:]...)
		b = append(binary.BigEndian.AppendUint32(b, uint32(r.Round)), pool[:]...)
		b = append(b, slices.Concat(more...)...)
		b = binary.BigEndian.AppendUint32(b, 1) // there are only draws for everybody
		b = binary.BigEndian.AppendUint32(b, 0)
		return append(binary.BigEndian.AppendUint32(b, number), seal[:]...)
	}
	sum := fairness.Digest(sha256.Sum256(of("holt.fair/2 sum", line[:])))
	under := func(key []byte) fairness.Digest {
		m := hmac.New(sha256.New, key)
		m.Write(append([]byte("holt.fair/2 end"), sum[:]...))
		return fairness.Digest(m.Sum(nil))
	}
	return map[string]fairness.Digest{
		"a hash": sha256.Sum256(of("holt.fair/1 end")), "the sum": sum, "no key": under(nil),
		"the commitment as a key": under(r.Commitment[:]),
	}
}

// TestF10HiddenDraw plays two games that differ only in a roll in ada's hand. When the next round
// is opened, nobody else can tell which game is which.
// Clauses: F10.5
func TestF10HiddenDraw(t *testing.T) {
	var all [2]*played
	var exports [2]string
	for i := range all {
		all[i] = playGame(t, 11, false, false, func(g *twin) {
			g.bob.mustSend(g.bob.blind(table.OpRoll, openDie))
			<-time.After(time.Second)
			if i == 1 {
				g.ada.mustSend(g.ada.blind(table.OpRoll, pouchDie))
			}
			<-time.After(time.Second)
			g.openRound()
			g.bob.mustSend(g.bob.blind(table.OpRoll, openDie))
			exports[i] = g.exported()
			e, _, err := g.rooms.Fairness(t.Context(), g.eve.session)
			if err != nil {
				t.Fatal(err)
			}
			r := &e.Rounds[0]
			line := r.Line
			for _, d := range r.Facts {
				if d.Line != (fairness.Digest{}) {
					line = d.Line
				}
			}
			for what, end := range publicEnds(e, r, line) {
				if end == e.Rounds[1].Before {
					t.Errorf("F10 %s shows whether there was a hidden draw", what)
				}
			}
		})
	}
	for _, who := range []string{"dan", "eve", "eva", "bob"} {
		t.Run("F10, S4 the next round reveals no hidden draw, as sent to "+who,
			func(t *testing.T) { twinned(t, who, all[0], all[1], 4) })
	}
	if exports[0] != exports[1] {
		t.Errorf("F14 with a hidden draw the export is\n%s, and without\n%s", exports[1],
			exports[0])
	}
}

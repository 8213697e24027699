package room_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/room"
	"holt/server/tables/wire"
)

// witness is a player who contributes entropy.
type witness struct {
	*player
	entropy fairness.Entropy
}

// contribute commits to entropy for a mix.
func (w *witness) contribute(round fairness.Round, mix fairness.Mix, first byte) {
	w.t.Helper()
	w.entropy = fairness.Entropy{first, byte(w.session.Seat)}
	hash := w.entropy.Commitment(w.session.Table, round, mix, w.session.Seat)
	w.up(&holtpb.Up{Up: &holtpb.Up_Commit{
		Commit: &holtpb.Commit{Round: uint32(round), Mix: uint32(mix), Hash: hash[:]},
	}})
}

// reveal reveals it.
func (w *witness) reveal(round fairness.Round, mix fairness.Mix) {
	w.t.Helper()
	w.up(&holtpb.Up{Up: &holtpb.Up_Reveal{
		Reveal: &holtpb.Reveal{Round: uint32(round), Mix: uint32(mix), Entropy: w.entropy[:]},
	}})
}

// fairs returns the names of the facts that have come since the last call, in order.
func (p *player) fairs() (names []string) {
	p.t.Helper()
	for _, e := range p.events() {
		if f := e.GetFair(); f != nil {
			names = append(names, nameOf(f))
		}
	}
	return names
}

// nameOf returns the name of a fact.
func nameOf(f *holtpb.Fair) string {
	switch f.GetFact().(type) {
	case *holtpb.Fair_Opened:
		return "opened"
	case *holtpb.Fair_Committed:
		return "committed"
	case *holtpb.Fair_Closed:
		return "closed"
	case *holtpb.Fair_Revealed:
		return "revealed"
	case *holtpb.Fair_Mixed:
		return "mixed"
	case *holtpb.Fair_Drawn:
		return "drawn"
	case *holtpb.Fair_Told:
		return "told"
	default:
		return "unknown"
	}
}

// dealing is a table with cards and dice. Ada, who is host, and bob play there, and eve is a
// spectator.
type dealing struct {
	*rig
	ada, bob *witness
	eve      *player
}

// deal runs a test at such a table, in virtual time.
func deal(t *testing.T, name string, f func(t *testing.T, d *dealing)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var order []uint32
			for k := cardsRoyal; k < cardsDie; k++ {
				order = append(order, k)
			}
			r := &rig{t: t, store: newMemory(), random: rand.Reader, game: cardsGame(t, order)}
			r.start()
			defer r.stop()
			r.create()
			d := &dealing{rig: r, ada: &witness{player: r.open(r.host.Session)}}
			d.bob = &witness{player: r.open(r.seat(r.invites.Player, "Bob").Session)}
			d.eve = r.open(r.seat(r.invites.Spectator, "Eve").Session)
			d.listen()
			f(t, d)
		})
	})
}

// listen makes everybody read what has come.
func (d *dealing) listen() {
	d.t.Helper()
	for _, p := range []*player{d.ada.player, d.bob.player, d.eve} {
		p.frames()
	}
}

// roll makes ada roll a die.
func (d *dealing) roll(die id.Piece) {
	d.t.Helper()
	<-time.After(time.Second) // it rests after a roll
	d.ada.mustSend(d.ada.blind(table.OpRoll, die))
}

// openRound makes ada open a round.
func (d *dealing) openRound() fairness.Round {
	d.t.Helper()
	round, err := d.rooms.OpenRound(d.t.Context(), d.ada.session)
	if err != nil {
		d.t.Fatal(err)
	}
	return round
}

// export returns the export and the report of its verification. The export must verify after it was
// written and read again.
func (d *dealing) export() (*fairness.Export, fairness.Report) {
	d.t.Helper()
	e, _, err := d.rooms.Fairness(d.t.Context(), d.eve.session)
	if err != nil {
		d.t.Fatal(err)
	}
	var file bytes.Buffer
	if err := e.Write(&file); err != nil {
		d.t.Fatal(err)
	}
	again, err := fairness.ReadExport(&file)
	if err != nil {
		d.t.Fatal(err)
	}
	report, err := fairness.Verify(again)
	if err != nil {
		d.t.Fatal(err)
	}
	return again, report
}

// wantFacts checks which facts everybody got.
func (d *dealing) wantFacts(want ...string) {
	d.t.Helper()
	for who, p := range map[string]*player{"ada": d.ada.player, "bob": d.bob.player, "eve": d.eve} {
		if got := p.fairs(); !slices.Equal(got, want) {
			d.t.Errorf("%s gets %v, want %v", who, got, want)
		}
	}
}

func TestMixing(t *testing.T) {
	// Clauses: F2.1, F4.1, F5.1, S17.2
	deal(t, "F4, F5 and S17 a mix closes after a second", func(t *testing.T, d *dealing) {
		d.ada.contribute(1, 1, 1)
		<-time.After(500 * time.Millisecond)
		d.bob.contribute(1, 1, 2)
		d.wantFacts("committed", "committed")
		<-time.After(300 * time.Millisecond)
		d.wantFacts()
		<-time.After(100 * time.Millisecond)
		d.wantFacts("closed")
		d.ada.reveal(1, 1)
		d.wantFacts("revealed")
		d.bob.reveal(1, 1)
		d.wantFacts("revealed", "mixed")
		if _, report := d.export(); report.Rounds[0].Shares != 2 || report.Rounds[0].Withheld != 0 {
			t.Errorf("%+v", report.Rounds)
		}
	})
	// Clauses: F3.9, F15.3
	deal(t, "F15 many streams of a seat do not block another's share", func(t *testing.T, d *dealing) {
		for i := range 20 {
			w := &witness{player: d.rig.open(d.bob.session)}
			w.contribute(1, 1, byte(i+1))
		}
		d.ada.contribute(1, 1, 100)
		<-time.After(time.Second)
		e, _ := d.export()
		of := map[id.Seat]int{}
		for _, f := range e.Rounds[0].Facts {
			if c, ok := f.Fact.(fairness.Committed); ok {
				of[c.Seat]++
			}
		}
		if of[d.bob.session.Seat] != fairness.SeatShares || of[d.ada.session.Seat] != 1 {
			t.Errorf("shares of each seat: %v", of)
		}
	})
	// Clauses: F5.2, F5.3
	deal(t, "F5 a silent seat is left out after five seconds", func(t *testing.T, d *dealing) {
		d.ada.contribute(1, 1, 1)
		d.bob.contribute(1, 1, 2)
		<-time.After(time.Second)
		d.wantFacts("committed", "committed", "closed")
		d.bob.reveal(1, 1)
		<-time.After(4800 * time.Millisecond)
		d.wantFacts("revealed")
		<-time.After(200 * time.Millisecond)
		d.wantFacts("mixed")
		d.ada.reveal(1, 1)
		d.wantFacts()
		e, report := d.export()
		if report.Rounds[0].Shares != 1 || report.Rounds[0].Withheld != 1 || e.Seats[1] != "Ada" {
			t.Errorf("%+v", report.Rounds)
		}
	})
	// Clauses: F3.3, F3.4, F4.4, S17.5
	deal(t, "S17 late, repeated or foreign facts are ignored", func(t *testing.T, d *dealing) {
		eve := &witness{player: d.eve}
		eve.contribute(1, 1, 3)
		d.ada.contribute(1, 2, 1)
		d.ada.contribute(2, 1, 1)
		d.ada.reveal(1, 1)
		d.wantFacts()
		d.ada.contribute(1, 1, 1)
		d.ada.contribute(1, 1, 9)
		d.wantFacts("committed")
		d.ada.entropy = fairness.Entropy{1, byte(d.ada.session.Seat)}
		<-time.After(time.Second)
		d.bob.contribute(1, 1, 2)
		d.wantFacts("closed")
		d.bob.reveal(1, 1)
		eve.reveal(1, 1)
		d.ada.reveal(1, 2)
		d.wantFacts()
		d.ada.reveal(1, 1)
		d.ada.reveal(1, 1)
		d.wantFacts("revealed", "mixed")
		d.bob.contribute(1, 2, 2)
		d.wantFacts("committed")
	})
	// Clauses: F4.11, F4.12, S17.6
	deal(t, "F3 and F4 a reloaded page reveals its seat's share", func(t *testing.T, d *dealing) {
		d.ada.contribute(1, 1, 1)
		d.listen()
		again := &witness{player: d.open(d.ada.session), entropy: d.ada.entropy}
		again.frames()
		again.contribute(1, 1, 1)
		d.wantFacts() // the commitment is there already
		<-time.After(time.Second)
		d.wantFacts("closed")
		d.bob.entropy = d.ada.entropy
		d.bob.reveal(1, 1)
		d.wantFacts()
		again.reveal(1, 1)
		d.wantFacts("revealed", "mixed")
		d.ada.reveal(1, 1)
		d.wantFacts()
		if _, report := d.export(); report.Rounds[0].Shares != 1 || report.Rounds[0].Withheld != 0 {
			t.Errorf("%+v", report.Rounds)
		}
	})
	deal(t, "F5.5, F5.6 draws use the last pool, then the new one", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.ada.contribute(1, 1, 1)
		d.roll(openDie)
		<-time.After(time.Second)
		d.ada.reveal(1, 1)
		d.roll(openDie)
		d.openRound()
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck)) // its home is complete
		d.roll(openDie)
		<-time.After(2 * time.Second)
		e, report := d.export()
		if r := report.Rounds[0]; !r.Revealed || r.Draws != 3 || r.Alone != 2 {
			t.Errorf("%+v of %+v", r, e.Rounds[0])
		}
	})
}

func TestS17Resumed(t *testing.T) {
	// Clauses: S5.5, S17.3
	deal(t, "S5 and S17 a client that resumes gets what it missed", func(t *testing.T, d *dealing) {
		d.ada.mustSend(d.ada.move(tokenLeft, 10, 3000))
		d.ada.contribute(1, 1, 1)
		d.roll(openDie)
		<-time.After(time.Second)
		d.listen()
		d.bob.cut()
		d.ada.reveal(1, 1)
		d.ada.frames()
		d.bob.come(room.Hello{Client: d.bob.id, Epoch: d.bob.epoch, Version: d.bob.version, Seq: 1})
		events := d.bob.now()[0].GetEvents()
		if events[0].GetResumed() == nil {
			t.Fatalf("bob begins with %v", events[0])
		}
		var told []string
		for _, e := range events {
			if f := e.GetFair(); f != nil {
				told = append(told, nameOf(f))
			}
		}
		if want := []string{"revealed", "mixed"}; !slices.Equal(told, want) {
			t.Errorf("bob gets %v, want %v", told, want)
		}
	})
}

func TestRounds(t *testing.T) {
	// Clauses: F12.1
	deal(t, "F10, F11 a seed of a round without secrets is revealed", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck), d.ada.blind(table.OpDraw, deck))
		d.listen()
		if round := d.openRound(); round != 2 {
			t.Errorf("round %d, want 2", round)
		}
		d.wantFacts("opened")
		d.roll(openDie)
		<-time.After(3 * time.Second)
		d.wantFacts("drawn")
		d.ada.mustSend(d.ada.blind(table.OpRecall, deck))
		<-time.After(3 * time.Second)
		d.wantFacts() // who knew the shuffle would know the order of the deck
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		<-time.After(time.Second)
		d.wantFacts("drawn", "told")
		e, report := d.export()
		if !report.Rounds[0].Revealed || report.Rounds[1].Revealed || e.Rounds[0].Seed == nil {
			t.Errorf("%+v", report.Rounds)
		}
	})
	// Clauses: F12.30
	deal(t, "F12 the later of two quick updates reveals, too", func(t *testing.T, d *dealing) {
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		d.openRound()
		d.roll(openDie)
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		<-time.After(1100 * time.Millisecond)
		if got := d.bob.fairs(); len(got) == 0 || got[len(got)-1] != "told" {
			t.Errorf("bob gets %v", got)
		}
	})
	// Clauses: F10.1, F15.8
	deal(t, "F10, F15 only hosts open rounds, and F15 not too many", func(t *testing.T, d *dealing) {
		if _, err := d.rooms.OpenRound(t.Context(), d.bob.session); !errors.Is(err, room.ErrRole) {
			t.Errorf("bob: %v", err)
		}
		if _, err := d.rooms.OpenRound(t.Context(), d.eve.session); !errors.Is(err, room.ErrRole) {
			t.Errorf("eve: %v", err)
		}
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		for range fairness.MaxSealed {
			d.openRound()
		}
		if _, err := d.rooms.OpenRound(
			t.Context(), d.ada.session,
		); !errors.Is(err, room.ErrRounds) {
			t.Errorf("one more: %v", err)
		}
	})
	// Clauses: F6.2, F6.3, F6.6, F6.7, F14.12, S17.4
	deal(t, "F6 a roll in a hand goes to its owner only", func(t *testing.T, d *dealing) {
		d.ada.mustSend(d.ada.blind(table.OpClaim, pouch))
		d.listen()
		d.roll(pouchDie)
		d.ada.events()
		if got := d.bob.fairs(); len(got) != 0 {
			t.Errorf("bob gets %v", got)
		}
		d.roll(openDie)
		d.wantFacts("drawn")
		e, report := d.export()
		if report.Rounds[0].Draws != 1 {
			t.Errorf("while it is sealed the export has %d draws: %+v", report.Rounds[0].Draws,
				e.Rounds[0].Facts)
		}
	})
	deal(t, "F2, F13.1 rounds, mixes and seals go on after a restart", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.ada.contribute(1, 1, 1)
		d.listen()
		d.stop()
		d.rig.start()
		for _, p := range []*player{d.ada.player, d.bob.player, d.eve} {
			p.now()
			p.come(room.Hello{Client: p.id, Epoch: p.epoch, Version: p.version, Seq: 1})
			if got := p.fairs(); len(got) != 0 {
				t.Errorf("S5 earlier events are sent again: %v", got)
			}
		}
		<-time.After(5 * time.Second)
		d.wantFacts("closed")
		d.ada.reveal(1, 1)
		d.wantFacts("revealed", "mixed")
		d.roll(openDie)
		d.openRound()
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck))
		d.roll(openDie)
		<-time.After(2 * time.Second)
		if _, report := d.export(); !report.Rounds[0].Revealed || report.Rounds[0].Draws != 2 ||
			report.Rounds[0].Shares != 1 {
			t.Errorf("%+v", report.Rounds)
		}
	})
	// Clauses: F2.6
	deal(t, "F2 and T19 another epoch opens another round at once", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.listen()
		d.stop()
		read(d.store, func() error { d.store.tables[d.host.Table].row.Epoch++; return nil })
		d.rig.start()
		again := d.rig.open(d.host.Session)
		if r := again.events()[0].GetFull().GetRandomness(); r.GetRound() != 2 || r.GetMix() != 1 {
			t.Errorf("%+v", r)
		}
	})
}

func TestOldTables(t *testing.T) {
	// Clauses: F2.7
	deal(t, "F2 an old table opens its first round in use", func(t *testing.T, d *dealing) {
		d.stop()
		read(d.store, func() error {
			s := d.store.tables[d.host.Table]
			s.snapshot, s.at = nil, 0
			s.log = slices.DeleteFunc(s.log, func(body []byte) bool {
				e, err := wire.DecodeEntry(body)
				if err != nil {
					t.Fatal(err)
				}
				return e.Fact != nil
			})
			return nil
		})
		d.rig.start()
		d.ada = &witness{player: d.rig.open(d.host.Session)}
		if r := d.ada.events()[0].GetFull().GetRandomness(); r.GetRound() != 1 {
			t.Errorf("%+v", r)
		}
		d.roll(openDie)
		if _, report := d.export(); len(report.Rounds) != 1 || report.Rounds[0].Draws != 1 {
			t.Errorf("%+v", report.Rounds)
		}
	})
}

// TestRandomGames plays at random, and verifies the export at the end.
func TestRandomGames(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3, 4} {
		// Clauses: F16.9
		deal(t, "F8, F9 and F14 exports of random games verify", func(t *testing.T, d *dealing) {
			t.Logf("seed %d", seed)
			rnd := mathrand.New(mathrand.NewPCG(seed, 1))
			d.ada.mustSend(d.ada.blind(table.OpClaim, pouch))
			d.ada.events()
			for range 150 {
				d.happen(rnd)
			}
			d.ada.mustSend(d.ada.blind(table.OpRecall, deck))
			d.ada.events()
			_, report := d.export()
			drawn := 0
			for _, r := range report.Rounds {
				drawn += r.Draws
			}
			if len(report.Rounds) < 3 || drawn < 20 {
				t.Errorf("%d draws in %d rounds: too few", drawn,
					len(report.Rounds))
			}
		})
	}
}

// happen makes one thing happen, often one that needs randomness.
func (d *dealing) happen(rnd *mathrand.Rand) {
	d.t.Helper()
	w := []*witness{d.ada, d.bob}[rnd.IntN(2)]
	w.events()
	u := w.blind([]table.Op{
		table.OpDraw, table.OpDraw, table.OpCut, table.OpShuffle, table.OpRecall,
	}[rnd.IntN(5)], deck)
	switch n := rnd.IntN(12); {
	case n < 3:
		u = w.blind(table.OpRoll, openDie)
	case n < 4:
		u = d.ada.blind(table.OpRoll, pouchDie)
		w = d.ada
	case n < 7:
		if cards := w.hand(anyCard); len(cards) > 0 {
			u = w.stow(id.Piece(cards[0].GetId()), []id.Piece{deck, bag}[rnd.IntN(2)], 0)
		}
	case n < 8:
		u = w.blind(table.OpDraw, bag)
	case n < 9:
		if cards := w.hand(anyCard); len(cards) > 1 {
			u = w.shuffleOf(names(cards))
		}
	case n < 10:
		d.openRound()
		_, _ = d.export()
		return
	case n < 11:
		round, mix := d.standing()
		w.contribute(round, mix, byte(rnd.Uint32()))
		<-time.After(time.Second + tick)
		if rnd.IntN(3) > 0 {
			w.reveal(round, mix)
		}
		return
	}
	w.mustSend(u)
	<-time.After(time.Duration(rnd.IntN(300)) * time.Millisecond)
}

// standing returns the open round and the mix under way.
func (d *dealing) standing() (fairness.Round, fairness.Mix) {
	d.t.Helper()
	f, err := d.rooms.Read(d.t.Context(), d.eve.session)
	if err != nil {
		d.t.Fatal(err)
	}
	r := f.GetEvents()[0].GetFull().GetRandomness()
	return fairness.Round(r.GetRound()), fairness.Mix(r.GetMix())
}

// TestWhenSeedsArePublished shows at which moments the server publishes what F12 allows.
// Clauses: F12.29, T48.9
func TestWhenSeedsArePublished(t *testing.T) {
	deal(t, "F12.29 a seed that F12.1 allows follows the next round", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.listen()
		d.openRound()
		// A whole second has not passed since the roll: F12.31 would publish it later.
		d.wantFacts("opened", "told")
	})
	deal(t, "T48.9 a sealed seed outlives the drop of the history", func(t *testing.T, d *dealing) {
		d.roll(openDie)
		d.ada.mustSend(d.ada.blind(table.OpShuffle, deck), d.ada.blind(table.OpDraw, deck))
		d.openRound()
		d.listen()
		if err := d.rooms.DropHistory(t.Context(), d.ada.session); err != nil {
			t.Fatal(err)
		}
		<-time.After(3 * time.Second)
		for _, name := range d.bob.fairs() {
			if name == "told" {
				t.Error("a seed is published while a card of its round is hidden")
			}
		}
		d.ada.mustSend(d.ada.blind(table.OpRecall, deck), d.ada.blind(table.OpShuffle, deck))
		<-time.After(2 * time.Second)
		told := 0
		for _, name := range d.bob.fairs() {
			if name == "told" {
				told++
			}
		}
		if told != 2 {
			t.Errorf("%d seeds are published, want those of two rounds", told)
		}
	})
	for _, shuffled := range []bool{false, true} {
		b := atCards(t)
		if shuffled {
			b.game = strings.Replace(b.game, `"holds":[`, `"shuffled":true,"holds":[`, 1)
		}
		b.Run("F12.7 a stack shuffled at the start was dealt in round one", func(t *testing.T, r *rig) {
			ada := r.open(r.host.Session)
			ada.frames()
			told := func() (told bool) {
				for _, name := range ada.fairs() {
					told = told || name == "told"
				}
				return told
			}
			if _, err := r.rooms.OpenRound(t.Context(), r.host.Session); err != nil {
				t.Fatal(err)
			}
			<-time.After(3 * time.Second)
			if told() == shuffled {
				t.Errorf("shuffled: %t, and the seed of the first round is published: %t",
					shuffled, !shuffled)
			}
			ada.mustSend(ada.blind(table.OpShuffle, deck))
			<-time.After(3 * time.Second)
			if told() != shuffled {
				t.Errorf("shuffled: %t, and after a shuffle in the second round the seed is published: %t",
					shuffled, !shuffled)
			}
		})
	}
}

// TestFactsAreDurable shows that nobody learns of a fact before it is durable.
// Clauses: F13.7
func TestFactsAreDurable(t *testing.T) {
	for what, do := range map[string]func(d *dealing){
		"a commitment": func(d *dealing) { d.ada.contribute(1, 1, 1) },
		"a draw":       func(d *dealing) { d.ada.post(d.ada.blind(table.OpRoll, openDie)) },
		"a round": func(d *dealing) {
			go func() { _, _ = d.rooms.OpenRound(d.t.Context(), d.ada.session) }()
		},
	} {
		deal(t, "F13.7 "+what+" is published when durable, not before", func(t *testing.T, d *dealing) {
			release := d.store.block()
			do(d)
			<-time.After(time.Second)
			d.wantFacts()
			release()
			<-time.After(time.Second)
			for who, p := range map[string]*player{"ada": d.ada.player, "bob": d.bob.player, "eve": d.eve} {
				if got := p.fairs(); len(got) == 0 {
					t.Errorf("%s gets no fact after it is durable", who)
				}
			}
		})
	}
}

package sim

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
)

var (
	revealGames = flag.Int("revealgames", 1000, "random games of TestF12Revealed")
	revealSeed  = flag.Uint64("revealseed", 0, "seed of TestF12Revealed")
)

// The kinds and the set-up of the games of TestF12Revealed.
const (
	revealHand uint32 = iota
	revealDeck
	revealBag
	revealBack
	revealAce
	revealKing
	revealQueen
	revealJack
	revealDie
)

const revealSides = 3

var revealKinds = []table.Kind{
	revealHand: {Width: 6000, Height: 1000, Faces: 1, Heavy: true, Hand: true},
	revealDeck: {
		Width: 700, Height: 950, Faces: 1, Heavy: true,
		Container: table.ContainerKind{Holds: true, Masked: true, Takes: revealBack},
	},
	revealBag: {Width: 700, Height: 950, Faces: 1, Heavy: true, Container: table.ContainerKind{
		Holds: true, Random: true,
	}},
	revealBack:  {Width: 635, Height: 889, Faces: 1},
	revealAce:   {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: revealBack},
	revealKing:  {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: revealBack},
	revealQueen: {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: revealBack},
	revealJack:  {Width: 635, Height: 889, Faces: 2, Secret: true, Mask: revealBack},
	revealDie: {Width: 160, Height: 160, Faces: revealSides, Private: true, Die: table.DieKind{
		Rolls: true, Cooldown: 1,
	}},
}

// made is a step of a game, as the adversary has seen it.
type made struct {
	change change
	round  fairness.Round
	known  drawing            // what was drawn, which the seed reveals
	seen   func(w world) bool // whether a world shows what the adversary sees afterwards
}

// revealGame is a game of cards. Ada (seat 1) is host and has a die and cards in her hand; eve
// (seat 2) is the adversary.
type revealGame struct {
	t        *testing.T
	rnd      *rand.Rand
	table    *table.Table
	state    *fairness.State
	seed     fairness.Seed
	seq      map[id.Seat]id.ClientSeq
	now      id.Millis
	oids     uint64
	bag      bool // the first container is a bag
	names    map[site]id.Piece
	first    world
	made     []made
	ws       worlds // that are possible for somebody who reads no seed
	spots    map[id.Piece]site
	of       map[id.OID]id.Piece
	revealed fairness.Round // the last round whose seed was revealed
	reveals  int
}

func (g *revealGame) oid() id.OID {
	g.oids++
	return id.OID{0: byte(g.oids >> 8), 1: byte(g.oids)}
}

// setUpRevealGame sets a game up: one deck, or two with the same back, or a bag.
func setUpRevealGame(t *testing.T, rnd *rand.Rand) *revealGame {
	g := &revealGame{
		t: t, rnd: rnd, state: fairness.NewState(id.OID{9}), seq: map[id.Seat]id.ClientSeq{},
		bag: rnd.IntN(5) == 0, spots: map[id.Piece]site{},
		of: map[id.OID]id.Piece{}, names: map[site]id.Piece{otherHand: 1, deckA: 3},
	}
	g.table = table.New(table.Config{
		Kinds: revealKinds, Width: 20_000, Height: 20_000, RandomNames: rnd,
	})
	first := revealDeck
	if g.bag {
		first = revealBag
	}
	type put struct {
		kind uint32
		x, y int32
		in   int
	}
	puts := []put{
		{revealHand, 0, -5000, 0}, {revealHand, 0, 5000, 0}, {first, -3000, 0, 0},
		{revealAce, 0, 0, 3}, {revealKing, 0, 0, 3}, {revealQueen, 0, 0, 3}, {revealDie, 0, -5000, 0},
	}
	cards := []card{
		cardOf(revealAce, deckA, deckA, 0), cardOf(revealKing, deckA, deckA, 1),
		cardOf(revealQueen, deckA, deckA, 2),
	}
	if g.bag {
		cards = laid(cards, deckA, true)
	}
	if rnd.IntN(2) == 0 {
		g.names[deckB] = 4
		puts = append(puts, put{revealDeck, 3000, 0, 0}, put{revealKing, 0, 0, 8}, put{
			revealJack, 0, 0, 8,
		})
		cards = append(cards, cardOf(revealKing, deckB, deckB, 0), cardOf(revealJack, deckB, deckB, 1))
	}
	var places []table.Place
	for _, p := range puts {
		places = append(places, table.Place{
			OID: g.oid(), In: p.in, State: table.State{Kind: p.kind, X: p.x, Y: p.y},
		})
	}
	g.table.SetUp(places, 1)
	g.table.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
	g.table.Sit(table.SeatInfo{Role: table.RolePlayer}, 1)
	start := worlds{}
	start.add(cards, 0)
	for w := range start {
		g.first = w
	}
	g.ws = start
	g.open()
	g.look()
	return g
}

// open opens the next round.
func (g *revealGame) open() {
	round, _ := g.state.Round()
	last := g.seed
	g.seed = fairness.SeedOf(&fairness.Secret{1}, id.OID{9}, 1, round+1)
	if err := g.state.Apply(g.now, g.state.Open(&g.seed, &last, 1, &fairness.Bound{})); err != nil {
		g.t.Fatal(err)
	}
}

// sees returns what a seat sees, except for hands and containers.
func (g *revealGame) sees(seat id.Seat) (all []table.Shown) {
	for _, p := range g.table.All(seat, id.Client{byte(seat)}) {
		if p.Kind >= revealBack && p.Kind != revealDie {
			all = append(all, p)
		}
	}
	return all
}

// look gives every piece that eve sees for the first time a spot, and forgets those that are gone.
func (g *revealGame) look() (fresh []site) {
	now := map[id.Piece]site{}
	next := firstSpot
	for _, at := range g.spots {
		next = max(next, at+1)
	}
	for _, p := range g.sees(2) {
		at, known := g.spots[p.Name]
		if !known {
			at, next = next, next+1
			fresh = append(fresh, at)
		}
		now[p.Name] = at
	}
	g.spots = now
	return fresh
}

// sight returns a test whether a world looks as the table does to eve.
func (g *revealGame) sight() func(world) bool {
	fronts := map[site]uint32{}
	for _, p := range g.sees(2) {
		fronts[g.spots[p.Name]] = p.Kind
	}
	counts := map[site]int{}
	for _, tally := range g.table.Counts() {
		for at, name := range g.names {
			if name == tally.Piece && tally.Sort != 0 {
				counts[at] += tally.Count
			}
		}
	}
	return func(w world) bool {
		n := map[site]int{}
		for _, c := range w.cards {
			if c == 0 {
				continue
			}
			if c.at() < firstSpot {
				n[c.at()]++
			} else if front, ok := fronts[c.at()]; !ok || front != revealBack && front != c.kind() {
				return false
			} else {
				n[c.at()]++
			}
		}
		for at := range fronts {
			if n[at] != 1 {
				return false
			}
		}
		for at := deckA; at <= otherHand; at++ {
			if n[at] != counts[at] {
				return false
			}
		}
		return true
	}
}

// do makes a seat do something. It reports whether the table has recorded it.
func (g *revealGame) do(
	seat id.Seat, op table.Op, has table.Fields, u table.Update,
) (table.Chance, bool) {
	g.seq[seat]++
	g.now += 1000
	u.Op, u.Has, u.Seq = op, has, g.seq[seat]
	if has&table.HasTag != 0 {
		u.Tag = g.table.VersionAt(seat, g.table.Gen())
	}
	by := table.By{Client: id.Client{byte(seat)}, Seat: seat, Role: table.RolePlayer}
	if seat == 1 {
		by.Role = table.RoleHost
	}
	if invalid := g.table.Check(by.Client, seat, []table.Update{u}); invalid != nil {
		g.t.Fatal(invalid)
	}
	round, _ := g.state.Round()
	watcher := g.table.Audience(&u, seat)
	random := g.state.Rand(&g.seed, fairness.Audience(watcher))
	out := g.table.Apply(by, &u, table.Inputs{
		Now: g.now, OID: g.oid(), Rand: random, Unproved: g.rnd, Round: uint32(round),
	})
	if c := out.Chance; c.What != 0 {
		f, err := random.Record(g.now, fairness.DrawKind(c.What), seat, c.Pieces, c.Inputs, c.Outputs)
		if err == nil {
			err = g.state.Apply(g.now, f)
		}
		if err != nil {
			g.t.Fatal(err)
		}
	}
	for _, e := range g.table.Take() {
		if name := e.NewName; !e.Piece.IsZero() {
			g.of[e.Piece] = e.Name
			if name != 0 {
				g.of[e.Piece] = name
			}
		}
	}
	return out.Chance, out.Verdict == table.Recorded
}

// then makes the adversary follow what has happened, and whatever is revealed after it.
func (g *revealGame) then(s change, known drawing) {
	round, _ := g.state.Round()
	m := made{change: s, round: round, known: known, seen: g.sight()}
	g.made = append(g.made, m)
	g.ws = after(g.ws, m, false)
	if len(g.ws) == 0 {
		g.t.Fatal("the adversary cannot explain what it sees")
	}
	g.reveal()
}

// after returns the worlds after a step, for somebody who knows what was drawn or not.
func after(ws worlds, m made, known bool) worlds {
	var of drawing
	if known {
		of = m.known
	}
	next := worlds{}
	for w := range ws {
		m.change(w, of, next)
	}
	maps.DeleteFunc(next, func(w world, _ bool) bool { return !m.seen(w) })
	return next
}

// reveal reveals the seeds that F12 allows. A reader of the seeds works everything out again, and
// must end with the same worlds.
func (g *revealGame) reveal() {
	hidden := fairness.Round(1<<32 - 1)
	if oldest, found := g.table.OldestHidden(); found {
		hidden = fairness.Round(oldest)
	}
	due := slices.Clone(g.state.Due(hidden))
	if len(due) == 0 {
		return
	}
	for _, s := range due {
		if err := g.state.Apply(g.now, fairness.Published{
			Round: s.Round, Seed: fairness.SeedOf(&fairness.Secret{1}, id.OID{9}, s.Epoch, s.Round),
		}); err != nil {
			g.t.Fatal(err)
		}
		g.revealed, g.reveals = s.Round, g.reveals+1
	}
	read := worlds{g.first: true}
	for _, m := range g.made {
		read = after(read, m, m.round <= g.revealed)
	}
	read, guessed := read.withoutOrigins(g.ws), g.ws.withoutOrigins(g.ws)
	if !maps.Equal(read, guessed) {
		g.t.Errorf("with seeds to %d there are %d deals, else %d", g.revealed, len(read), len(guessed))
		for w := range guessed {
			g.t.Logf("without them:%s, with them: %v", w.text(), read[w])
		}
	}
}

// text says how cards lie, for people.
func (w world) text() (text string) {
	for _, c := range w.cards {
		if c != 0 {
			text += fmt.Sprintf(" [kind %d of %d at %d, %d below]", c.kind(), c.home(), c.at(),
				c.up())
		}
	}
	return text + fmt.Sprintf(" die %d", w.die)
}

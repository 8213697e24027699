package played

import (
	"fmt"
	"testing"

	"holt/server/play/table"
)

// kalah is what the players of kalah know of their game. The pits and stores are numbered against
// the clock: 0 to 5 are the pits of South, 6 is their store, 7 to 12 are those of North and 13 is
// their store. South is player 0.
type kalah struct {
	*evening
	zones [14]table.Shown
	seeds [14]int
}

func newKalah(e *evening, seeds int) *kalah {
	k := &kalah{evening: e}
	for player, who := range []string{"South", "North"} {
		for pit := range 6 {
			i := player*7 + pit
			k.zones[i] = e.players[0].one(fmt.Sprintf("%s’s pit %d", who, pit+1))
			k.seeds[i] = seeds
		}
		k.zones[player*7+6] = e.players[0].one(who + "’s store")
	}
	return k
}

// drop lets a player drag a seed into a pit or a store, somewhere near its middle.
func (k *kalah) drop(p *player, seed table.Shown, into int) {
	k.t.Helper()
	zone := k.zones[into]
	kind := &k.game.Kinds[zone.Kind]
	across, down := kind.Width/4, kind.Height/4
	p.drag(seed.Name, zone.X+k.rnd.Int32N(2*across)-across, zone.Y+k.rnd.Int32N(2*down)-down)
	k.seeds[into]++
}

// empty lets a player drag all seeds of a pit into a store.
func (k *kalah) empty(p *player, pit, store int) {
	k.t.Helper()
	for _, seed := range p.on(k.zones[pit]) {
		k.drop(p, seed, store)
	}
	k.seeds[pit] = 0
}

// turn lets a player sow, and reports whether they have another turn.
func (k *kalah) turn(player int) (again bool) {
	k.t.Helper()
	p := k.players[player]
	var pits []int
	for pit := player * 7; pit < player*7+6; pit++ {
		if k.seeds[pit] > 0 {
			pits = append(pits, pit)
		}
	}
	store, other := player*7+6, 13-player*7
	at := pick(k.evening, pits)
	seeds := p.on(k.zones[at])
	k.seeds[at] = 0
	for _, seed := range seeds {
		if at = (at + 1) % 14; at == other {
			at = (at + 1) % 14
		}
		k.drop(p, seed, at)
	}
	own := at/7 == player && at != store
	if opposite := 12 - at; own && k.seeds[at] == 1 && k.seeds[opposite] > 0 {
		k.empty(p, at, store)
		k.empty(p, opposite, store)
	}
	k.agree()
	k.compareSeeds()
	return at == store
}

// compareSeeds checks that each pit and each store has its seeds.
func (k *kalah) compareSeeds() {
	k.t.Helper()
	p := k.players[1]
	var shown [14]int
	for i := range k.zones {
		shown[i] = len(p.on(k.zones[i]))
	}
	if shown != k.seeds {
		k.t.Fatalf("the pits and stores have %v seeds, not %v", shown, k.seeds)
	}
}

// over reports whether all pits of a player are empty.
func (k *kalah) over() bool {
	for player := range 2 {
		seeds := 0
		for _, n := range k.seeds[player*7 : player*7+6] {
			seeds += n
		}
		if seeds == 0 {
			return true
		}
	}
	return false
}

// TestMancala plays kalah until all pits of one player are empty.
func TestMancala(t *testing.T) {
	k := newKalah(open(t, "mancala", 0, "Ada", "Ben"), 4)
	k.compareSeeds()
	for player := 0; !k.over(); {
		if !k.turn(player) {
			player = 1 - player
		}
		if k.turns > 500 {
			t.Fatal("the game does not end")
		}
	}
	for player := range 2 { // one of them has no seeds left to put into the store
		for pit := player * 7; pit < player*7+6; pit++ {
			k.empty(k.players[player], pit, player*7+6)
		}
	}
	k.agree()
	k.compareSeeds()
	south, north := k.seeds[6], k.seeds[13]
	if south+north != 48 || len(k.players[0].light()) != 48 {
		t.Errorf("the stores have %d and %d of 48 seeds, the table has %d", south, north,
			len(k.players[0].light()))
	}
	t.Logf("South %d, North %d, %d positions compared", south, north, k.turns)
}

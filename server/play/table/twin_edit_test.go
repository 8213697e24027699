package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// In games of twins that edit, a host lets players edit the game, and who edits adds cards to the
// containers from which they come. The sly player may edit, too.

// twinsEditOnce are the seeds of twins that edit that once found a fault.
var twinsEditOnce = []uint64{3459704973118653654}

// editing makes twins edit.
func (tw *twins) editing() *twins {
	tw.edits = true
	for _, seat := range tw.chairs {
		tw.letEdit(seat, true)
	}
	return tw
}

// letEdit lets somebody edit, or not any more.
func (tw *twins) letEdit(seat id.Seat, edits bool) {
	tw.t.Helper()
	tw.both(fmt.Sprintf("seat %d edits: %v", seat, edits), func(s *server) bool {
		return s.table.LetEdit(seat, edits, tw.chairs[0], s.now)
	})
}

// actEdit makes somebody edit, or be let edit.
func (tw *twins) actEdit() {
	tw.t.Helper()
	r, seat := tw.rnd, tw.somebody()
	if r.IntN(8) == 0 {
		tw.letEdit(seat, r.IntN(3) > 0)
		return
	}
	if tw.at[0].table.Pieces() > 90 {
		return
	}
	of := []uint32{kindAce, kindKing, kindQueen, kindJack, kindJoker}[r.IntN(5)]
	box := homes[of]
	switch n := r.IntN(10); {
	case n == 0: // what does not lie open
		pick := r.Uint64()
		tw.compare(seat, func(i int, c *tab) table.Update {
			return tw.update(i, c, table.OpAdd, 0, kind(of), at(0, 0), into(tw.at[i].unseen(seat, pick)))
		})
	case n == 1: // perhaps no container
		p, ok := tw.open(func(*table.Kind) bool { return true })
		if box, is := homes[tw.state(p, 0).Kind]; ok && (!is || box != p[0]) &&
			!kinds[tw.state(p, 0).Kind].Container.Holds {
			tw.compare(seat, func(i int, c *tab) table.Update {
				return tw.update(i, c, table.OpAdd, 0, kind(of), at(0, 0), into(p[i]))
			})
		}
	case n < 4:
		tw.do(seat, table.OpAdd, same(0),
			kind([]uint32{kindToken, kindDie, kindCoin}[r.IntN(3)]), at(0, 0), into(worldBag))
	default:
		for range 1 + r.IntN(3) { // those of one request are one gesture
			tw.do(seat, table.OpAdd, same(0), kind(of), at(0, 0), into(box))
		}
	}
}

// compareSaved compares how the pieces would be saved if all that comes from containers went home.
func (tw *twins) compareSaved() {
	tw.t.Helper()
	var all [2][]table.Laid
	var known [2]bool
	for i, s := range tw.at {
		all[i], known[i] = s.table.Layout(true)
		for k := range all[i] {
			all[i][k].Name = min(all[i][k].Name, table.MinRandomName)
		}
	}
	if !tw.deleted && (known[0] != known[1] || !slices.Equal(all[0], all[1])) {
		tw.fatalf("T102: saved with what comes from containers in these, the pieces lie differently: "+
			"%v %v\n%+v\n%+v", known[0], known[1], all[0], all[1])
	}
	if known[0] {
		tw.saved++
	}
}

// TestT102Twins shows over random games that who edits receives the same from both twins, and saves
// the same.
// Clauses: T99.5, T101.2, T101.3, T102.3, T102.4, T102.5
func TestT102Twins(t *testing.T) {
	if *seedFlag != 0 {
		playEditing(t, *seedFlag)
		return
	}
	for _, seed := range twinsEditOnce {
		playEditing(t, seed)
	}
	first, games := firstSeed("games"), *gamesFlag
	if games == 0 {
		games = budget(t) / 10_000
	}
	t.Logf("%d games, seeds from %d", games, first)
	saved, undone := 0, 0
	for i := range uint64(games) {
		tw := playEditing(t, first+i)
		saved += tw.saved
		undone += tw.undone
	}
	t.Logf("%d times it was saved, %d undos", saved, undone)
	if saved < games || undone < games {
		t.Errorf("in %d games it was saved %d times, and %d undos were made: too few",
			games, saved, undone)
	}
}

// playEditing plays a game of twins that edit. In one of four nothing else is wide.
func playEditing(t *testing.T, seed uint64) *twins {
	tw := newTwins(t, seed)
	tw.name = fmt.Sprintf("go test -run T102Twins -seed %d", seed)
	if seed%4 != 0 {
		tw = tw.widened().parting(seed)
	}
	tw.editing()
	tw.undos = seed%2 == 0
	tw.play(stepsOfTwins)
	return tw
}

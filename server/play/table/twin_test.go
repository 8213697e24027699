package table_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// twins are two tables at which the same is done, as far as everybody knows, with the same random
// numbers. They differ in what is hidden: the order of the cards in the deck, and the outcome of
// its shuffles; the places of cards that look alike in the hand of one player, the sly one; what
// that player does to them there; and what players see who look at cards. Views that may not know
// of it receive the same from both, value by value: what is shown and what is not, in which order,
// with which versions. Random names are compared by the order in which a view received them (T21).
type twins struct {
	t    *testing.T
	name string
	rnd  *rand.Rand
	step int
	wide bool // they do what twin_wide_test.go has, too
	at   [2]*server
	tabs [2]map[id.Seat]*tab // of the players
	// The players, the host first.
	chairs [3]id.Seat
	// The player whose hand is not as it seems, and with whom they share it. Neither of them is
	// compared.
	sly, partner id.Seat
	aside        *tab             // of the sly player, at the second table
	former       map[id.Seat]bool // former sly players, who have left
	undos        bool             // they undo what they have done
	apart        bool             // after an undo a hand differs in more than twins may: they end
	parts, full  bool             // they do what twin_part_test.go has, too; at a full table
	freed        int              // seats freed at the full table
	// The sly player has deleted something behind a screen. A later copy or rewind may show it
	// (security.md).
	deleted bool
	edits   bool // they do what twin_edit_test.go has, too
	saved   int  // how often the pieces could be saved
	names   [2]map[id.Seat]*naming
	shown   int // how many comparisons were made
	undone  int // how many undos were made, at both tables
	passed  int // how often another card came out of a hand at the second table
}

// naming numbers the random names that a view receives, in order.
type naming struct {
	numbers map[id.Piece]int
	of      []id.Piece
}

func (n *naming) number(p id.Piece) id.Piece {
	if p < table.MinRandomName {
		return p
	}
	i, ok := n.numbers[p]
	if !ok {
		i = len(n.of)
		n.numbers[p], n.of = i, append(n.of, p)
	}
	return table.MinRandomName + id.Piece(i)
}

// name is the inverse of number.
func (n *naming) name(number id.Piece) id.Piece {
	if number < table.MinRandomName {
		return number
	}
	return n.of[number-table.MinRandomName]
}

// homes are the containers in which the cards of twins lie at first. A recall separates cards that
// look alike and have different homes, so twins have none.
var homes = map[uint32]id.Piece{
	kindAce: worldDeck, kindKing: worldDeck, kindQueen: worldDeck, kindJack: worldDeck,
	kindJoker: worldBox,
}

// newTwins returns twins of world. They have no cards except those in the deck and the box, and the
// cards in the deck of the second one are in another order.
func newTwins(t *testing.T, seed uint64) *twins {
	tw := &twins{
		t: t, name: fmt.Sprintf("go test -run Twin -seed %d", seed), rnd: seeded(seed),
		chairs: [3]id.Seat{1, 2, 3}, former: map[id.Seat]bool{},
	}
	tw.sly = 1 + id.Seat(tw.rnd.IntN(3))
	if tw.rnd.IntN(2) == 0 {
		tw.partner = 1 + tw.sly%3
	}
	for i := range tw.at {
		places := slices.DeleteFunc(world(), func(p table.Place) bool {
			return kinds[p.State.Kind].Secret && p.In != int(homes[p.State.Kind])
		})
		if i == 1 {
			deck := slices.IndexFunc(places, func(p table.Place) bool {
				return p.In == int(worldDeck)
			})
			tw.rnd.Shuffle(inDeck, func(i, k int) {
				a, b := &places[deck+i], &places[deck+k]
				a.State.Kind, b.State.Kind = b.State.Kind, a.State.Kind
			})
		}
		s := serve(t, seed, places)
		s.run = fmt.Sprintf("%s, table %d", tw.name, i+1)
		tw.at[i], tw.names[i], tw.tabs[i] = s, map[id.Seat]*naming{}, map[id.Seat]*tab{}
		for _, seat := range []id.Seat{1, 2, 3} {
			tw.tabs[i][seat] = tw.join(i, seat)
		}
		for seat := range id.Seat(4) {
			tw.names[i][seat] = &naming{numbers: map[id.Piece]int{}}
		}
	}
	tw.aside = tw.join(1, tw.sly)
	return tw
}

// join returns a tab that reads nothing.
func (tw *twins) join(i int, seat id.Seat) *tab {
	c := tw.at[i].join(seat)
	c.online, c.pieces = false, map[id.Piece]*known{}
	return c
}

// compared reports whether a view must receive the same from both.
func (tw *twins) compared(seat id.Seat) bool { return seat != tw.sly && seat != tw.partner }

// blank returns what is compared of a piece. Seats that look into a hand know the fronts of the
// cards there, which may differ.
func (n *naming) blank(s table.Shown) table.Shown {
	s.Name, s.Renamed = n.number(s.Name), n.numberOf(s.Renamed)
	if kinds[s.Kind].Secret && s.Owner != 0 {
		s.Kind, s.Face = kinds[s.Kind].Mask, 0
	}
	return s
}

func (n *naming) numberOf(p id.Piece) id.Piece {
	if p == 0 {
		return 0
	}
	return n.number(p)
}

// told returns what the view of a seat receives for entries at one of the tables.
func (tw *twins) told(i int, seat id.Seat, entries []table.Entry) (all []string) {
	s, n := tw.at[i], tw.names[i][seat]
	// Sent once, at the end, as streams do (S10).
	counts := map[counting]int{}
	defer func() {
		for _, c := range slices.SortedFunc(maps.Keys(counts), func(a, b counting) int {
			return cmp.Or(cmp.Compare(a.in, b.in), cmp.Compare(a.sort, b.sort))
		}) {
			all = append(all, fmt.Sprintf("%d of sort %d lie in %d", counts[c], c.sort, c.in))
		}
	}()
	for k := range entries {
		e := &entries[k]
		if e.Who != nil {
			all = append(all, fmt.Sprintf("seat %+v", *e.Who))
			continue
		}
		if before, after, ok := s.table.Shows(e, seat); ok {
			if before.Name != 0 {
				before = n.blank(before)
			}
			all = append(all,
				fmt.Sprintf("%s by %d: %+v becomes %+v", e.Op, e.Seat, before, n.blank(after)))
		}
		for _, tally := range []table.Tally{e.Left, e.Entered} {
			if tally.Piece != 0 {
				counts[counting{n.number(tally.Piece), tally.Sort}] = tally.Count
			}
		}
		if e.Notice {
			piece, count, faces := s.table.Notice(e, seat)
			all = append(all, fmt.Sprintf("%s by %d to %d: %d times %d, %v of %d",
				e.Op, e.Seat, e.To, n.numberOf(piece), count, faces, len(e.Faces)))
		}
	}
	return all
}

// answer returns what else a client receives about its own update.
func (tw *twins) answer(
	i int, c *tab, u *table.Update, out table.Outcome, bogus *table.Invalid, entries []table.Entry,
) string {
	n := tw.names[i][c.seat]
	if bogus != nil {
		return "bogus: " + bogus.Code
	}
	r := out.Reject
	if r.Piece.Name == u.Piece && r.Piece.Gone { // the name that the client itself has used
		r.Piece.Name = 0
	} else if r.Piece.Name != 0 {
		r.Piece = n.blank(r.Piece)
	}
	text := fmt.Sprintf("verdict %d, reject %+v", out.Verdict, r)
	for k := range entries {
		if e := &entries[k]; e.Client == c.id {
			text += fmt.Sprintf(", server %v, made %d, version %d",
				e.Server, n.numberOf(e.Brought), tw.at[i].table.VersionAt(c.seat, e.Gen))
		}
	}
	return text
}

// apply does something at one of the tables and returns what all views receive.
func (tw *twins) apply(
	i int, c *tab, u table.Update, lots *rand.Rand,
) (told map[id.Seat][]string, answer string) {
	s := tw.at[i]
	s.step, s.now, s.rnd = tw.step, 1_000_000+id.Millis(tw.step)*400, lots
	before := len(s.log)
	out, bogus := s.apply(c, u)
	entries := s.log[before:]
	told = map[id.Seat][]string{}
	for seat := range tw.names[i] {
		told[seat] = tw.told(i, seat, entries)
	}
	s.checkHands()
	return told, tw.answer(i, c, &u, out, bogus, entries)
}

// compare makes an update at both tables, each with its own names, and compares what is sent.
func (tw *twins) compare(seat id.Seat, update func(i int, c *tab) table.Update) {
	tw.t.Helper()
	lots := tw.rnd.Uint64()
	var told [2]map[id.Seat][]string
	var answer [2]string
	var u table.Update
	for i := range tw.at {
		c := tw.tabs[i][seat]
		u = update(i, c)
		own := lots
		if tw.secretLot(&u) {
			own += uint64(i)
		}
		told[i], answer[i] = tw.apply(i, c, u, seeded(own))
	}
	tw.compareTold(fmt.Sprintf("%+v by seat %d", u, seat), told)
	if tw.compared(seat) && answer[0] != answer[1] {
		tw.fatalf("T14, T15: seat %d gets %+v at one table\n%s, at the other\n%s",
			seat, u, answer[0], answer[1])
	}
	if tw.step%20 == 0 {
		tw.compareStates()
	}
}

// compareTold compares what the views receive about something.
func (tw *twins) compareTold(what string, told [2]map[id.Seat][]string) {
	tw.t.Helper()
	for _, viewer := range slices.Sorted(maps.Keys(tw.names[0])) {
		if one, two := told[0][viewer], told[1][viewer]; tw.compared(viewer) &&
			!slices.Equal(one, two) {
			n := 0
			for n < min(len(one), len(two)) && one[n] == two[n] {
				n++
			}
			tw.fatalf(
				"T21: after %s the view of seat %d gets at one table\n%q, at the other\n%q",
				what, viewer, one[n:], two[n:],
			)
		}
		tw.shown += len(told[0][viewer])
	}
}

// secretLot reports whether the random numbers of an update must stay secret.
func (tw *twins) secretLot(u *table.Update) bool {
	switch u.Op {
	case table.OpShuffle, table.OpCut:
		return true
	case table.OpStow:
		return u.Into == worldDeck
	default:
		return false
	}
}

// compareCopies compares the copies of both, or the reasons why there is none (T57).
func (tw *twins) compareCopies() {
	tw.t.Helper()
	one, way := tw.at[0].table.Copy(tw.at[0].now)
	two, other := tw.at[1].table.Copy(tw.at[1].now)
	if way != other && (!tw.deleted || max(way, other) != table.ContainerInTheWay ||
		min(way, other) != table.NothingInTheWay) {
		tw.fatalf("T57: a copy is blocked at one table by %d, at the other by %d", way, other)
	}
	if one != nil && two != nil && !reflect.DeepEqual(one.Places, two.Places) {
		tw.fatalf("T57: copies differ:\n%+v\n%+v", one.Places, two.Places)
	}
}

// compareLayouts compares how the pieces would be saved (T102).
func (tw *twins) compareLayouts() {
	tw.t.Helper()
	var all [2][]table.Laid
	var known [2]bool
	for i, s := range tw.at {
		all[i], known[i] = s.table.Layout(false)
		for k := range all[i] {
			if all[i][k].Name >= table.MinRandomName {
				all[i][k].Name = table.MinRandomName
			}
		}
	}
	if !tw.deleted && (known[0] != known[1] || !slices.Equal(all[0], all[1])) {
		tw.fatalf("T102: saved, the pieces lie differently: %v %v\n%+v\n%+v",
			tw.at[0].table.Image().Blurred, tw.at[1].table.Image().Blurred, all[0], all[1])
	}
}

// compareStates compares full states.
func (tw *twins) compareStates() {
	tw.t.Helper()
	tw.compareCopies()
	tw.compareLayouts()
	if tw.edits {
		tw.compareSaved()
	}
	tw.compareUnused()
	for seat := range tw.names[0] {
		if !tw.compared(seat) {
			continue
		}
		var all [2][]string
		for i, s := range tw.at {
			shown := s.table.All(seat, id.Client{})
			for k := range shown {
				shown[k] = tw.names[i][seat].blank(shown[k])
			}
			slices.SortFunc(shown, func(a, b table.Shown) int {
				return cmp.Compare(a.Name, b.Name)
			})
			for _, p := range shown {
				all[i] = append(all[i], fmt.Sprintf("%+v", p))
			}
			holds := s.table.Counts()
			for k := range holds {
				holds[k].Piece = tw.names[i][seat].number(holds[k].Piece)
			}
			slices.SortFunc(holds, func(a, b table.Tally) int {
				return cmp.Or(cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Sort, b.Sort))
			})
			all[i] = append(all[i], fmt.Sprintf("%+v", holds))
		}
		for k := range max(len(all[0]), len(all[1])) {
			if one, two := all[0][min(k, len(all[0])-1)],
				all[1][min(k, len(all[1])-1)]; one != two || len(all[0]) != len(all[1]) {
				tw.fatalf("T21: a full state of seat %d is at one table\n%s, at the other\n%s",
					seat, one, two)
			}
		}
	}
}

func (tw *twins) fatalf(format string, args ...any) {
	tw.t.Helper()
	tw.t.Fatalf("%s, step %d: %s", tw.name, tw.step, fmt.Sprintf(format, args...))
}

// twinsOnce are the seeds of twins that once found a fault.
var twinsOnce = []uint64{
	6403711139223279907, 1962132980728942778, 14320571388518, 31305987868985, 4178577804541913427,
	4196116776438811574, 5344357518504674028,
}

// gamesFlag is how many random games TestT21Twins and TestT71Twins play.
var gamesFlag = flag.Int("games", 0,
	"games of TestT21Twins; 0: a hundred, fewer with -race or -short")

// stepsOfTwins is the length of a random game. The seeds that are kept may need more. stepsOfShort
// is that of a game with undos alone.
const (
	stepsOfTwins = 300
	stepsOfShort = 60
)

// passing lets twins undo, and pass a card through a hand at the end.
func (tw *twins) passing() *twins {
	tw.undos = true
	return tw
}

// TestT21Twins shows over random games that a view receives the same from both twins, so it learns
// nothing hidden.
// Clauses: T15.7, T21.2, T21.10, T23.9, T56.4, T57.9, T63.23
func TestT21Twins(t *testing.T) {
	const steps = 600
	if *seedFlag != 0 {
		newTwins(t, *seedFlag).play(steps)
		newTwins(t, *seedFlag).widened().play(steps)
		newTwins(t, *seedFlag).widened().parting(*seedFlag).play(steps)
		tw := newTwins(t, *seedFlag).widened().parting(*seedFlag)
		tw.undos = true
		tw.play(stepsOfTwins)
		newTwins(t, *seedFlag).passing().play(stepsOfShort)
		return
	}
	for _, seed := range twinsOnce {
		newTwins(t, seed).play(steps)
	}
	for _, seed := range twinsWideOnce {
		newTwins(t, seed).widened().play(steps)
	}
	for _, seed := range twinsPartOnce {
		newTwins(t, seed).widened().parting(seed).play(stepsOfTwins)
	}
	first, shown, undone, passed, games := firstSeed("games"), 0, 0, 0, *gamesFlag
	if games == 0 {
		games = budget(t) / 10_000
	}
	t.Logf("%d games, seeds from %d", games, first)
	for i := range uint64(games) {
		tw := newTwins(t, first+i).widened().parting(first + i)
		tw.undos = i%2 == 0
		shown += tw.play(stepsOfTwins)
		undone += tw.undone
		short := newTwins(t, first+i).passing()
		shown += short.play(stepsOfShort)
		passed += short.passed
	}
	if undone < 4*games {
		t.Errorf("in %d games there were %d undos: too few", games, undone)
	}
	if passed < games/8 {
		t.Errorf("in %d games another card came out of a hand %d times: too few", games, passed)
	}
	if shown < games*stepsOfTwins {
		t.Errorf("in %d steps %d events were sent: too few", games*stepsOfTwins, shown)
	}
}

// twinsWideOnce are the seeds of wide twins that once found a fault.
var twinsWideOnce = []uint64{3455660537161099731, 6684783545138103132, 3118307108052281081}

// widened makes twins do more.
func (tw *twins) widened() *twins {
	tw.wide = true
	return tw
}

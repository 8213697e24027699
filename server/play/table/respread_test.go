package table_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// drawn returns the pieces of some states from the bottom to the top (T13, T25).
func drawn(states map[id.Piece]table.State) []id.Piece {
	return slices.SortedFunc(maps.Keys(states), func(a, b id.Piece) int {
		p, q := states[a], states[b]
		weight := func(s table.State) int {
			return map[bool]int{true: 0, false: 1}[kinds[s.Kind].Heavy]
		}
		return cmp.Or(cmp.Compare(weight(p), weight(q)), cmp.Compare(p.Z, q.Z),
			cmp.Compare(p.ZGen, q.ZGen), cmp.Compare(a, b))
	})
}

// states returns all pieces as the log has them, by their names: those in one hand or container, or
// on the table itself if in is 0.
func (s *server) states(in id.Piece) map[id.Piece]table.State {
	all := map[id.Piece]table.State{}
	for oid, line := range s.history {
		if last := line[len(line)-1].entry; !last.After.Gone && last.After.In == in {
			all[s.names[oid]] = last.After
		}
	}
	return all
}

// checkRespread checks the respread with which entries begin (T13). It touches a run of pieces in
// drawing order, one of which is too long. All have short levels afterwards, and the order is the
// same. A touched piece that had a short level has more than 58 digits, and shares 58 of them with
// the long one.
func (s *server) checkRespread(entries []table.Entry) {
	s.t.Helper()
	before := s.states(entries[0].Before.In)
	maps.DeleteFunc(before, func(_ id.Piece, is table.State) bool {
		return is.In != 0 &&
			(is.Owner != entries[0].Before.Owner || is.Team != entries[0].Before.Team)
	})
	after := maps.Clone(before)
	var touched []id.Piece
	var cause zlevel.Level
	for i := 0; i < len(entries) && entries[i].Op == table.OpRespread; i++ {
		e := &entries[i]
		if want := e.Before; !e.Server || e.Client != (id.Client{}) {
			s.fatalf("T13: not by the server: %+v", e)
		} else if want.Z, want.ZGen = e.After.Z, e.Gen; want != e.After {
			s.fatalf("T13: a respread changes more than the level: %+v", e)
		}
		if e.After.Z.Digits() > zlevel.ShortDigits {
			s.fatalf("T13: piece %d gets the level %s", e.Name, e.After.Z)
		}
		if e.Before.Z.Digits() > zlevel.RespreadDigits {
			cause = e.Before.Z
		}
		touched, after[e.Name] = append(touched, e.Name), e.After
	}
	order := drawn(before)
	if got := drawn(after); !slices.Equal(got, order) {
		s.fatalf("T13: the order was %v, and after a respread it is %v", order, got)
	}
	if from := slices.Index(order, touched[0]); cause == "" ||
		!slices.Equal(order[from:from+len(touched)], touched) {
		s.fatalf("T13: a respread for %q touches %v, in the order %v", cause, touched, order)
	}
	for _, p := range touched {
		if z := before[p].Z; z.Digits() <= 58 || z.Digits() <= zlevel.ShortDigits &&
			z[:60] != cause[:60] {
			s.fatalf("T13: piece %d at %s is touched for one at %s", p, z, cause)
		}
	}
}

// long returns a level of n digits that begins like start and ends with a one.
func long(t testing.TB, start string, n int) zlevel.Level {
	t.Helper()
	return level(t, start+strings.Repeat("0", n-len(start)+1)+"1")
}

// respread plays one update and returns the pieces to which the server then gives new levels.
func (c *tab) respread(op table.Op, p id.Piece, with ...args) []id.Piece {
	s := c.server
	s.t.Helper()
	before := len(s.log)
	c.do(op, p, with...)
	var touched []id.Piece
	for _, e := range s.log[before:] {
		if e.Op == table.OpRespread {
			touched = append(touched, e.Name)
		}
	}
	return touched
}

// TestRespread shows which pieces get new levels when a level is too long (T13).
func TestRespread(t *testing.T) {
	const toLong = 513 // digits: one more than the rule allows
	t.Run("T13.8, T13.10, T13.11, T13.14 of one piece", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		if got := ada.respread(table.OpSetZ, tokenOne, z(long(t, "0.91", toLong-1))); got != nil {
			t.Errorf("%d digits make the server change %v", toLong-1, got)
		}
		order := bob.order()
		before := len(s.log)
		if got := ada.respread(
			table.OpSetZ, tokenOne, z(long(t, "0.91", toLong)),
		); !slices.Equal(got, []id.Piece{tokenOne}) {
			t.Errorf("%d digits make the server change %v", toLong, got)
		}
		if n := len(s.log) - before; n != 2 {
			t.Errorf("%d entries, want the update and its respread", n)
		}
		if got := bob.order(); !slices.Equal(got, order) {
			t.Errorf("the order is %v, was %v", got, order)
		}
		if len(ada.conflicts)+len(ada.rejects) != 0 {
			t.Errorf("conflicts %v, rejects %v", ada.conflicts, ada.rejects)
		}
	})
	rows := []struct {
		name   string
		levels map[id.Piece]zlevel.Level // set first, the highest name before the others
		piece  id.Piece                  // set last, to a level that is too long
		last   zlevel.Level
		want   []id.Piece // the touched pieces, from the bottom to the top
	}{
		{
			"T13.9 its neighbours with long levels as well",
			map[id.Piece]zlevel.Level{
				tokenTwo: long(t, "0.951", 100), tokenThree: long(t, "0.953", 65), cardOne: "0.954",
				cardTwo: long(t, "0.955", 300),
			},
			tokenOne, long(t, "0.952", toLong), []id.Piece{tokenTwo, tokenOne, tokenThree},
		},
		{
			"T13.9 none with a long level elsewhere",
			map[id.Piece]zlevel.Level{
				tokenTwo: long(t, "0.951", 100), tokenThree: "0.9511",
				cardTwo: long(t, "0.955", 300), cardOne: "0.954",
			},
			tokenOne, long(t, "0.952", toLong), []id.Piece{tokenOne},
		},
		{
			"T13 ties of level are broken by the Z generation",
			map[id.Piece]zlevel.Level{
				cardThree: long(t, "0.95", 512), cardOne: long(t, "0.95", 512),
				tokenTwo: long(t, "0.95", 512),
			},
			tokenOne, long(t, "0.95", toLong), []id.Piece{tokenOne, cardThree, cardOne, tokenTwo},
		},
		{
			"T13.10 between bounds shared by several pieces",
			map[id.Piece]zlevel.Level{
				tokenTwo: "0.95", tokenThree: "0.95", cardOne: "0.951", cardTwo: "0.951",
				cardThree: long(t, "0.95", 512),
			},
			tokenOne, long(t, "0.9501", toLong), []id.Piece{cardThree, tokenOne},
		},
		{
			"T13 at the very top",
			map[id.Piece]zlevel.Level{tokenTwo: zlevel.Level("0." + strings.Repeat("9", 500))},
			tokenOne, zlevel.Level("0." + strings.Repeat("9", zlevel.MaxDigits)),
			[]id.Piece{tokenTwo, tokenOne},
		},
		{
			"T13 at the very bottom",
			map[id.Piece]zlevel.Level{handOne: long(t, "0.0", 500)},
			board, long(t, "0.0", zlevel.MaxDigits), []id.Piece{board, handOne},
		},
		{
			"T13.10, T25 where the weights meet",
			map[id.Piece]zlevel.Level{
				handOne: long(t, "0.31", 500), handTwo: long(t, "0.32", 500),
				tokenTwo: long(t, "0.33", 500), cardOne: long(t, "0.34", 500),
			},
			tokenOne, long(t, "0.325", toLong),
			[]id.Piece{handOne, handTwo, tokenOne, tokenTwo, cardOne},
		},
		{
			"T13.12 between two adjacent levels: spreading makes room",
			map[id.Piece]zlevel.Level{tokenTwo: long(t, "0.95", 64), tokenThree: level(t, "0.95"+
				strings.Repeat("0", 61)+"2"), cardOne: "0.950000000001"},
			tokenOne, long(t, "0.95"+strings.Repeat("0", 61)+"1", toLong),
			[]id.Piece{tokenTwo, tokenOne, tokenThree},
		},
		{
			"T13 on top of one at the last short level",
			map[id.Piece]zlevel.Level{tokenTwo: zlevel.Level("0." + strings.Repeat("9", 64))},
			tokenOne, zlevel.Level("0." + strings.Repeat("9", toLong)),
			[]id.Piece{tokenTwo, tokenOne},
		},
		{
			"T13 below one at the first short level",
			map[id.Piece]zlevel.Level{board: long(t, "0.", 64)},
			handOne, long(t, "0.", toLong), []id.Piece{handOne, board},
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, _ := sit(t)
			// Heavy pieces need room below the light ones.
			if row.levels[handTwo] != "" || row.levels[handOne] != "" || row.piece == handOne {
				ada.lift()
			}
			for _, p := range slices.Backward(slices.Sorted(maps.Keys(row.levels))) {
				if got := ada.respread(table.OpSetZ, p, z(row.levels[p])); got != nil {
					t.Fatalf("setting up, pieces %v are touched", got)
				}
			}
			if got := ada.respread(
				table.OpSetZ, row.piece, z(row.last),
			); !slices.Equal(got, row.want) {
				t.Errorf("pieces %v are touched, want %v", got, row.want)
			}
			ada.checkWeights(t)
			if of, have := drawn(s.states(0)), bob.order(); !slices.Equal(of, have) {
				t.Errorf("bob draws %v, the order is %v", have, of)
			}
			if len(ada.conflicts)+len(ada.rejects)+len(bob.conflicts) != 0 {
				t.Errorf("conflicts %v, %v, rejects %v", ada.conflicts, bob.conflicts, ada.rejects)
			}
			s.restart()
			s.settle()
		})
	}
	t.Run("T13 of cards in hands", testRespreadHidden)
	t.Run("T13.8 of a full table", testRespreadFull)
	t.Run("T13.14, T16 others are not changed", testRespreadAttack)
	t.Run("T13.13 a crowd pays for its respreads", testRespreadCrowd)
}

// lift puts all light pieces above 0.33 and all heavy ones below 0.3, each in the order that they
// have.
func (c *tab) lift() {
	for i, p := range slices.Backward(c.order()) {
		if !kinds[c.displayed(p).Kind].Heavy {
			c.do(table.OpSetZ, p, z(level(c.server.t, fmt.Sprintf("0.9%03d1", i))))
		}
	}
	for i, p := range c.order() {
		if kinds[c.displayed(p).Kind].Heavy {
			c.do(table.OpSetZ, p, z(level(c.server.t, fmt.Sprintf("0.2%03d1", i))))
		}
	}
}

// testRespreadHidden respreads cards in a hand, which have an order of their own. It shows that no
// piece elsewhere is touched, though its level is as long and as near, and that only those who see
// the hand receive updates.
func testRespreadHidden(t *testing.T) {
	s, ada, bob, cid := sit(t)
	ada.do(table.OpMove, cardOne, at(0, handOneY))
	ada.do(table.OpMove, cardTwo, at(700, handOneY))
	bob.do(table.OpMove, cardThree, at(0, handTwoY))
	for i, p := range []id.Piece{cardTwo, cardThree, cardFour} {
		[]*tab{ada, bob, cid}[i].do(table.OpSetZ, p, z(long(t, "0.94", 500-i)))
	}
	before := map[id.Seat][]table.Shown{}
	for seat := range id.Seat(5) {
		before[seat] = s.table.All(seat, id.Client{})
	}
	want := []id.Piece{s.called(cardOne), s.called(cardTwo)}
	if got := ada.respread(
		table.OpSetZ, cardOne, z(long(t, "0.93", 600)),
	); !slices.Equal(got, want) {
		t.Errorf("pieces %v are touched, want %v", got, want)
	}
	for seat := range id.Seat(5) {
		for i, after := range s.table.All(seat, id.Client{}) {
			was := before[seat][i]
			if slices.Contains(want, was.Name) {
				if was.Version == after.Version || after.Z.Digits() > zlevel.ShortDigits {
					t.Errorf("seat %d has\n%+v, was shown\n%+v", seat, after, was)
				}
				was.Version, was.Z, was.ZVersion = after.Version, after.Z, after.ZVersion
			}
			if was != after {
				t.Errorf("seat %d was shown\n%+v, is\n%+v", seat, was, after)
			}
		}
	}
	for _, c := range []*tab{ada, bob, cid} {
		if len(c.conflicts) != 0 {
			t.Errorf("%s has conflicts on %v", c, c.conflicts)
		}
	}
}

// fill brings the table to n pieces, at given levels, and returns the new ones.
func (s *server) fill(t *testing.T, c *tab, n int, at0 func(i int) zlevel.Level) (made []id.Piece) {
	t.Helper()
	for i := s.table.Pieces(); i < n; i++ {
		s.must(t, c, c.make(table.OpAdd, 0, kind(kindToken), at(0, 0), z(at0(i))), table.Recorded)
		made = append(made, s.log[len(s.log)-1].Name)
	}
	return made
}

// testRespreadFull counts the touched pieces on a table with as many pieces as it can have: when
// all levels are short, when all are long, and when all are one crowd.
func testRespreadFull(t *testing.T) {
	rows := []struct {
		name  string
		level func(i int) zlevel.Level
		last  zlevel.Level
		want  int
	}{
		{
			"T13 all short",
			func(i int) zlevel.Level { return level(t, fmt.Sprintf("0.95%04d1", i)) },
			long(t, "0.955", 600), 1,
		},
		{
			"T13 all long",
			func(i int) zlevel.Level { return long(t, fmt.Sprintf("0.95%04d", i), 70) },
			long(t, "0.955", 600), table.MaxPieces - pieceCount + 1,
		},
		{"T13 one crowd", func(i int) zlevel.Level { // nine of ten possible levels
			return level(t, "0.95"+strings.Repeat("3", 57)+fmt.Sprintf("%05d", i/9*10+i%9+1))
		}, long(t, "0.95"+strings.Repeat("3", 57)+"05001", 600), table.MaxPieces - pieceCount + 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, _, _ := sit(t)
			s.fill(t, ada, table.MaxPieces, row.level)
			before := len(s.log)
			s.must(t, ada, ada.make(table.OpSetZ, tokenOne, z(row.last)), table.Recorded)
			touched := 0
			for _, e := range s.log[before:] {
				if e.Op == table.OpRespread {
					touched++
				}
			}
			if touched != row.want {
				t.Errorf("%d pieces are touched, want %d", touched, row.want)
			}
		})
	}
}

// nextTo returns a level of n digits, more than l has, as close to l as possible, above or below
// it.
func nextTo(t testing.TB, l zlevel.Level, n int, below bool) zlevel.Level {
	t.Helper()
	if !below {
		return long(t, string(l), n)
	}
	last := len(l) - 1
	return level(t, string(l[:last])+string(l[last]-1)+strings.Repeat("9", n-l.Digits()))
}

// testRespreadAttack shows that the server never changes a piece of anybody but the attacker. The
// attacker sets levels as close as possible to the pieces of others, who play on: the longest
// levels, and the longest short ones, so that there is no room between.
func testRespreadAttack(t *testing.T) {
	s, ada, bob, mallory := sit(t)
	made := s.fill(t, ada, 3+pieceCount+200, func(i int) zlevel.Level {
		return level(t, fmt.Sprintf("0.9%03d1", i))
	})
	for _, c := range s.tabs {
		c.renew()
	}
	own := made[:3]
	others := func(n int) id.Piece { return made[3+n%200] }
	changed := map[id.Piece]int{}
	respreads, seen := 0, len(s.log)
	for s.step = range 3000 {
		near := s.state(others(s.step / 30)).Z
		digits := []int{
			zlevel.ShortDigits, zlevel.RespreadDigits + 1, zlevel.RespreadDigits, zlevel.MaxDigits,
		}[s.rnd.IntN(4)]
		mallory.act(table.OpSetZ, own[s.step%3], z(nextTo(t, near, digits, s.step/30%2 == 0)))
		honest := []*tab{ada, bob}[s.step%2]
		// In flight meanwhile.
		honest.act(table.OpMove, others(s.rnd.IntN(200)), at(int32(s.step%100), 0))
		s.receive(mallory)
		wantVerdict(t, s.receive(honest), table.Recorded)
		for _, c := range s.tabs {
			c.drain()
		}
		for _, e := range s.log[seen:] {
			if e.Op == table.OpRespread || e.Op == table.OpSettle {
				respreads++
				changed[e.Name]++
			}
		}
		seen = len(s.log)
	}
	s.settle()
	for _, p := range own {
		delete(changed, p)
	}
	if len(changed) != 0 || respreads < 1000 {
		t.Errorf("of %d updates by the server these were of others' pieces: %v", respreads, changed)
	}
	if len(ada.conflicts)+len(bob.conflicts) != 0 {
		t.Errorf("conflicts on %v and %v", ada.conflicts, bob.conflicts)
	}
}

// testRespreadCrowd plays the worst case and shows that a respread costs a few pieces an update,
// however many lie there. The levels of hundreds of pieces differ only in the last short digits, as
// if all had been put on top of a level full of nines, and an attacker uses up the room between
// them.
func testRespreadCrowd(t *testing.T) {
	s, ada, _, mallory := sit(t)
	const crowd, attackers = 300, 8
	made := s.fill(t, ada, pieceCount+attackers+crowd, func(i int) zlevel.Level {
		return level(t, "0.95"+strings.Repeat("9", 56)+fmt.Sprintf("%05d1", i))
	})
	touched, updates := 0, 2000
	for s.step = range updates {
		victim := s.state(made[attackers+s.step/40%crowd]).Z
		digits := zlevel.ShortDigits
		if s.step%2 == 1 || victim.Digits() >= digits {
			digits = zlevel.RespreadDigits + 1
		}
		u := mallory.make(table.OpSetZ, made[s.step%attackers],
			z(nextTo(t, victim, digits, s.step/40%2 == 0)))
		u.Tag = s.table.VersionAt(mallory.seat, s.table.Gen())
		before := len(s.log)
		s.must(t, mallory, u, table.Recorded)
		touched += len(s.log) - before - 1
	}
	t.Logf("%d pieces were touched in %d updates", touched, updates)
	// Without small crowds every other update would touch all of them.
	if touched < updates/2 || touched > 10*updates {
		t.Errorf("%d pieces were touched in %d updates", touched, updates)
	}
}

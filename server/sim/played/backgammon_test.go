package played

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// backgammonMen has the names of the checkers of both players.
var backgammonMen = []string{"Light checker", "Dark checker"}

// backgammonSide is where the checkers of a player are, by how far they still have to go: 1 to 24
// are points, 25 is the bar, 0 is the tray. Point n of Light is point 25-n of Dark.
type backgammonSide [26]int

// backgammonStep moves a checker by the points of a die.
type backgammonStep struct{ from, die int }

// backgammon is what the players of backgammon know of their game: 0 is Light, 1 is Dark.
type backgammon struct {
	*evening
	sides  [2]backgammonSide
	points [2][26][]spot // where the checkers on a point lie; none for the tray
	trays  [2]id.Piece
	cube   int    // what the game counts
	owner  int    // who alone may double; -1: both
	dice   [2]int // what they show
	hits   int
}

func newBackgammon(e *evening) *backgammon {
	b := &backgammon{evening: e, cube: 1, owner: -1}
	p := e.players[0]
	b.trays = [2]id.Piece{p.one("Light’s tray").Name, p.one("Dark’s tray").Name}
	board := p.one("Board")
	cells := e.cells(board)
	for i, point := range e.game.Kinds[board.Kind].Snaps.Points {
		// A name is like "24, 2nd" or "bar L2".
		name, _, _ := strings.Cut(point.Name, ",")
		var n int
		switch _, err := fmt.Sscan(name, &n); {
		case err == nil:
			b.points[0][n] = append(b.points[0][n], cells[i])
			b.points[1][25-n] = append(b.points[1][25-n], cells[i])
		case strings.HasPrefix(name, "bar L"):
			b.points[0][25] = append(b.points[0][25], cells[i])
		case strings.HasPrefix(name, "bar D"):
			b.points[1][25] = append(b.points[1][25], cells[i])
		default:
			e.t.Fatalf("the board has a point called %q", point.Name)
		}
	}
	for side := range b.sides {
		b.sides[side] = backgammonSide{24: 2, 13: 5, 8: 3, 6: 5}
	}
	return b
}

// may reports whether a side may take a step.
func (b *backgammon) may(sides *[2]backgammonSide, side int, step backgammonStep) bool {
	own, other := &sides[side], &sides[1-side]
	to := step.from - step.die
	furthest := 25
	for own[furthest] == 0 {
		furthest--
	}
	switch {
	case own[step.from] == 0, furthest == 25 && step.from != 25:
		return false
	case to > 0:
		return other[25-to] < 2
	default: // it is borne off
		return furthest <= 6 && (to == 0 || step.from == furthest)
	}
}

// step takes a step, and reports whether it hits.
func (*backgammon) step(sides *[2]backgammonSide, side int, step backgammonStep) (hits bool) {
	own, other := &sides[side], &sides[1-side]
	to := max(0, step.from-step.die)
	own[step.from]--
	own[to]++
	if to > 0 && other[25-to] == 1 {
		other[25-to], other[25] = 0, other[25]+1
		return true
	}
	return false
}

// most returns how many of the dice a side can use, in the best order, and the first steps by which
// it can.
func (b *backgammon) most(sides [2]backgammonSide, side int, dice []int) (n int,
	steps []backgammonStep) {
	for i, die := range dice {
		if slices.Contains(dice[:i], die) {
			continue
		}
		for from := 1; from < 26 && sides[side][0] < 15; from++ {
			step := backgammonStep{from, die}
			if !b.may(&sides, side, step) {
				continue
			}
			after := sides
			b.step(&after, side, step)
			uses, _ := b.most(after, side, slices.Concat(dice[:i], dice[i+1:]))
			if uses++; uses > n {
				n, steps = uses, nil
			}
			if uses == n {
				steps = append(steps, step)
			}
		}
	}
	return n, steps
}

// play lets a player use the dice.
func (b *backgammon) play(side int, dice []int) {
	b.t.Helper()
	p := b.players[side]
	for len(dice) > 0 {
		n, steps := b.most(b.sides, side, dice)
		if n == 0 {
			break
		}
		if n == 1 && len(dice) == 2 { // of two different dice, the higher one must be used
			high := slices.Max(dice)
			if higher := slices.DeleteFunc(slices.Clone(steps), func(s backgammonStep) bool {
				return s.die != high
			}); len(higher) > 0 {
				steps = higher
			}
		}
		step := pick(b.evening, steps)
		b.move(p, side, step)
		at := slices.Index(dice, step.die)
		dice = slices.Delete(slices.Clone(dice), at, at+1)
	}
	b.agree()
	b.compareCheckers()
}

// lie returns the checkers of a side on a point, as a player sees them.
func (b *backgammon) lie(p *player, side, point int) (all []table.Shown) {
	for _, there := range p.lying(b.points[side][point]) {
		for _, s := range there {
			if b.nameOf(s) == backgammonMen[side] {
				all = append(all, s)
			}
		}
	}
	return all
}

// room returns where on a point a checker is put down: where nothing lies, or else on top of
// another one.
func (b *backgammon) room(p *player, side, point int) spot {
	spots := b.points[side][point]
	for i, there := range p.lying(spots) {
		if len(there) == 0 {
			return spots[i]
		}
	}
	return pick(b.evening, spots)
}

// move lets a player drag a checker, and before that the blot that it hits.
func (b *backgammon) move(p *player, side int, step backgammonStep) {
	b.t.Helper()
	to := max(0, step.from-step.die)
	checker := pick(b.evening, b.lie(p, side, step.from))
	if b.step(&b.sides, side, step) {
		bar := b.room(p, 1-side, 25)
		p.drag(b.lie(p, 1-side, 25-to)[0].Name, bar.x, bar.y)
		b.hits++
	}
	var at spot
	if to > 0 {
		at = b.room(p, side, to)
	} else {
		tray, _ := p.Piece(b.trays[side])
		reach := b.game.Kinds[tray.Kind].Height / 3
		at = spot{tray.X, tray.Y + b.rnd.Int32N(2*reach) - reach}
	}
	p.drag(checker.Name, at.x, at.y)
}

// compareCheckers checks that each point, the bar and the trays have the checkers that they should
// have, and that the dice show what somebody has moved by.
func (b *backgammon) compareCheckers() {
	b.t.Helper()
	for _, p := range b.players {
		if dice := b.look(p); dice != b.dice {
			b.t.Fatalf("%s sees the dice %v, not %v", p.nick, dice, b.dice)
		}
	}
	p := b.players[1]
	var shown [2]backgammonSide
	for side := range shown {
		for point := 1; point < 26; point++ {
			shown[side][point] = len(b.lie(p, side, point))
		}
		tray, _ := p.Piece(b.trays[side])
		places := map[spot]bool{}
		for _, s := range p.on(tray) {
			if b.nameOf(s) == backgammonMen[side] {
				shown[side][0]++
			}
			places[spot{s.X, s.Y}] = true
		}
		if len(places) != shown[side][0] {
			b.t.Fatalf("%d checkers lie at %d places in a tray", shown[side][0], len(places))
		}
	}
	if shown != b.sides {
		b.t.Fatalf("the checkers lie as in %v, not %v", shown, b.sides)
	}
}

// roll lets a player roll the dice by a button, and returns what they show.
func (b *backgammon) roll(p *player) (left, right int) {
	b.t.Helper()
	p.press("Roll")
	b.dice = b.look(p)
	return b.dice[0], b.dice[1]
}

// look returns what a player sees on the dice, the left one first as Light sees them.
func (b *backgammon) look(p *player) [2]int {
	b.t.Helper()
	dice := p.of("Die")
	if len(dice) != 2 {
		b.t.Fatalf("%s sees %d dice", p.nick, len(dice))
	}
	if dice[0].X > dice[1].X {
		dice[0], dice[1] = dice[1], dice[0]
	}
	return [2]int{int(dice[0].Face) + 1, int(dice[1].Face) + 1}
}

// double sometimes lets a player offer to double. The other one always accepts, so that the game is
// played to its end. The last face of the cube that is used is 32.
func (b *backgammon) double(side int) {
	b.t.Helper()
	if b.cube == 32 || b.owner == 1-side || b.rnd.IntN(20) > 0 {
		return
	}
	p := b.players[1-side]
	cube := p.one("Doubling cube")
	p.flip(cube.Name, cube.Face+1)
	board := p.one("Board")
	down := b.game.Kinds[board.Kind].Height/2 - b.game.Kinds[cube.Kind].Height
	if side == 0 { // Dark sits in the north
		down = -down
	}
	p.drag(cube.Name, cube.X, board.Y+down)
	b.cube, b.owner = 2*b.cube, 1-side
	cube = b.players[side].one("Doubling cube")
	if name := b.nameOf(cube); !strings.HasSuffix(name, fmt.Sprint(" ", b.cube)) {
		b.t.Fatalf("the game counts %d, and the cube is called %q", b.cube, name)
	}
}

// begin lets a player roll until the dice differ. It returns who begins, and the first dice.
func (b *backgammon) begin() (side int, dice []int) {
	b.t.Helper()
	for {
		left, right := b.roll(b.players[0])
		switch {
		case left > right:
			return 0, []int{left, right}
		case left < right:
			return 1, []int{left, right}
		}
	}
}

// result returns what a won game counts, without the cube.
func (b *backgammon) result(winner int) int {
	loser := &b.sides[1-winner]
	if loser[0] > 0 {
		return 1
	}
	for point := 19; point < 26; point++ { // the bar, and the home of the winner
		if loser[point] > 0 {
			return 3
		}
	}
	return 2
}

// TestBackgammon plays a game with the doubling cube until somebody has borne off all checkers.
func TestBackgammon(t *testing.T) {
	b := newBackgammon(open(t, "backgammon", 0, "Ada", "Ben"))
	b.dice = b.look(b.players[0])
	b.compareCheckers()
	side, dice := b.begin()
	for b.play(side, dice); b.sides[side][0] < 15; b.play(side, dice) {
		side = 1 - side
		b.double(side)
		left, right := b.roll(b.players[side])
		dice = []int{left, right}
		if left == right {
			dice = []int{left, left, left, left}
		}
		if b.turns > 1000 {
			t.Fatal("the game does not end")
		}
	}
	if n := len(b.players[0].light()); n != 33 { // and two dice and the cube
		t.Errorf("there are %d checkers, not 30", n-3)
	}
	t.Logf("%s wins %d times %d, %d hits, %d positions compared", backgammonMen[side],
		b.result(side), b.cube, b.hits, b.turns)
}

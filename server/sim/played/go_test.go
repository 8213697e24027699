package played

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/play/table"
)

// goStones has the names of the stones, by their colour.
var goStones = []string{"", "Black stone", "White stone"}

// goGame is what the players of go know of their game: 1 is black, 2 is white, 0 is free.
type goGame struct {
	*evening
	size      int
	points    []spot
	board     []int    // row by row
	after     [3][]int // the board after the last turn of a colour
	seen      map[string]bool
	bowls     [3]table.Shown
	lids      [3]table.Shown
	halves    [3]uint8 // of the clock
	prisoners [3]int   // that a colour has taken
	stones    int      // all that were taken out of a bowl
}

func newGo(e *evening) *goGame {
	p := e.players[0]
	board := p.one("Board of 9 lines")
	g := &goGame{evening: e, size: 9, points: e.cells(board), seen: map[string]bool{}}
	if len(g.points) != g.size*g.size {
		e.t.Fatalf("the board has %d crossings", len(g.points))
	}
	g.board = make([]int, len(g.points))
	g.bowls = [3]table.Shown{{}, p.one("Black stones"), p.one("White stones")}
	g.lids = [3]table.Shown{{}, p.one("Lid of Black"), p.one("Lid of White")}
	clock := p.one("Clock")
	displays := e.game.Kinds[clock.Kind].Clock.Displays
	g.halves = [3]uint8{0, 1, 2} // Black sits in the south
	if e.place(clock, displays[0].X, displays[0].Y).y < e.place(clock, displays[1].X,
		displays[1].Y).y {
		g.halves = [3]uint8{0, 2, 1}
	}
	return g
}

// beside returns the crossings next to a crossing.
func (g *goGame) beside(at int) (all []int) {
	if at%g.size > 0 {
		all = append(all, at-1)
	}
	if at%g.size < g.size-1 {
		all = append(all, at+1)
	}
	if at >= g.size {
		all = append(all, at-g.size)
	}
	if at < len(g.board)-g.size {
		all = append(all, at+g.size)
	}
	return all
}

// group returns the crossings that are connected with one and have the same on them, and what lies
// on those around them: free crossings, black stones and white stones.
func (g *goGame) group(board []int, at int) (all []int, around [3]int) {
	all = []int{at}
	seen := map[int]bool{at: true}
	for i := 0; i < len(all); i++ {
		for _, next := range g.beside(all[i]) {
			if seen[next] {
				continue
			}
			seen[next] = true
			if board[next] == board[at] {
				all = append(all, next)
			} else {
				around[board[next]]++
			}
		}
	}
	return all, around
}

// play returns the board after a colour has put a stone on a crossing, and the stones that it
// captures. It reports false if the rules forbid that.
func (g *goGame) play(colour, at int) (after, captured []int, may bool) {
	if g.board[at] != 0 {
		return nil, nil, false
	}
	after = slices.Clone(g.board)
	after[at] = colour
	for _, next := range g.beside(at) {
		if after[next] != 3-colour {
			continue
		}
		if group, around := g.group(after, next); around[0] == 0 {
			captured = append(captured, group...)
			for _, stone := range group {
				after[stone] = 0
			}
		}
	}
	_, around := g.group(after, at)
	return after, captured, around[0] > 0 && !slices.Equal(after, g.after[colour])
}

// moves returns where a colour may put a stone. Random games could last for ever: so players do not
// fill an area of one crossing that is their own, and do not bring back what was on the board at
// any time.
func (g *goGame) moves(colour int) (all []int) {
	for at := range g.board {
		after, _, may := g.play(colour, at)
		if may && !g.fills(colour, at) && !g.seen[fmt.Sprint(after)] {
			all = append(all, at)
		}
	}
	return all
}

// fills reports whether a stone would fill an area of one crossing that belongs to its own colour.
func (g *goGame) fills(colour, at int) bool {
	area, around := g.group(g.board, at)
	return len(area) == 1 && around[colour] > 0 && around[3-colour] == 0
}

// turn lets a player put a stone on the board. It reports false if they pass.
func (g *goGame) turn(p *player, colour int) bool {
	g.t.Helper()
	moves := g.moves(colour)
	passes := len(moves) == 0
	if !passes {
		g.put(p, colour, pick(g.evening, moves))
	}
	g.after[colour] = slices.Clone(g.board)
	g.seen[fmt.Sprint(g.board)] = true
	g.press(p, colour)
	g.agree()
	g.compareStones()
	return !passes
}

// put puts a stone on the board and takes what it captures.
func (g *goGame) put(p *player, colour, at int) {
	g.t.Helper()
	after, captured, _ := g.play(colour, at)
	p.take(g.bowls[colour].Name, g.points[at].x, g.points[at].y)
	g.stones++
	lie := p.lying(g.points)
	for _, stone := range captured {
		lid := g.lids[colour]
		reach := g.game.Kinds[lid.Kind].Width / 3
		p.drag(lie[stone][0].Name, lid.X+g.rnd.Int32N(2*reach)-reach, lid.Y)
		g.prisoners[colour]++
	}
	g.board = after
}

// press ends the turn of a player on the clock.
func (g *goGame) press(p *player, colour int) {
	g.t.Helper()
	p.do(table.Update{
		Op: table.OpPress, Has: table.HasPiece | table.HasSide, Piece: p.one("Clock").Name,
		Side: g.halves[colour],
	})
	if clock := p.one("Clock").Clock; clock.Running != g.halves[3-colour] {
		g.t.Fatalf("half %d of the clock runs after the turn of %s", clock.Running,
			goStones[colour])
	}
}

// compareStones checks that the stones lie on the board and in the lids as they should.
func (g *goGame) compareStones() {
	g.t.Helper()
	want := make([]string, len(g.board))
	for i, colour := range g.board {
		want[i] = goStones[colour]
	}
	g.compare(g.points, want)
	p := g.players[1]
	for colour := 1; colour < 3; colour++ {
		prisoners := p.on(g.lids[colour])
		for _, s := range prisoners {
			if g.nameOf(s) != goStones[3-colour] {
				g.t.Fatalf("the lid of %s has a %s", goStones[colour], g.nameOf(s))
			}
		}
		if len(prisoners) != g.prisoners[colour] {
			g.t.Fatalf("the lid of %s has %d stones, not %d", goStones[colour], len(prisoners),
				g.prisoners[colour])
		}
	}
}

// territory counts the points of each colour on the board, and those that belong to nobody.
func (g *goGame) territory() (points [3]int) {
	counted := map[int]bool{}
	for at, there := range g.board {
		if there != 0 || counted[at] {
			continue
		}
		area, around := g.group(g.board, at)
		for _, crossing := range area {
			counted[crossing] = true
		}
		owner := 0
		for colour := 1; colour < 3; colour++ {
			if around[colour] > 0 && around[3-colour] == 0 {
				owner = colour
			}
		}
		points[owner] += len(area)
	}
	return points
}

// tidy lets the players give all stones back to the bowls.
func (g *goGame) tidy() {
	g.t.Helper()
	for colour := 1; colour < 3; colour++ {
		p := g.players[colour-1]
		for _, s := range p.of(goStones[colour]) {
			p.drag(s.Name, g.bowls[colour].X, g.bowls[colour].Y)
		}
	}
	g.agree()
	for _, p := range g.players {
		if n := len(p.of(goStones[1])) + len(p.of(goStones[2])); n != 0 {
			g.t.Errorf("%s sees %d stones after all were given back", p.nick, n)
		}
	}
}

// TestGo plays on nine lines until both pass. They play on until nothing is left to do, and agree
// that no stone on the board is dead. Short: 20 turns.
func TestGo(t *testing.T) {
	g := newGo(open(t, "go", 2, "Ada", "Ben"))
	clock := g.players[0].one("Clock").Name
	turns, colour := 0, 1
	for passes := 0; passes < 2 && (turns < 20 || !testing.Short()); colour = 3 - colour {
		if passes++; g.turn(g.players[colour-1], colour) {
			passes = 0
		}
		if turns++; turns > 1000 {
			t.Fatal("the game does not end")
		}
	}
	g.players[0].do(table.Update{Op: table.OpPause, Has: table.HasPiece, Piece: clock})
	g.agree()
	count := [3]int{}
	for _, there := range g.board {
		count[there]++
	}
	points := g.territory()
	prisoners := g.prisoners[1] + g.prisoners[2]
	if n := count[1] + count[2] + prisoners; n != g.stones {
		t.Errorf("%d stones were taken, and there are %d", g.stones, n)
	}
	if points[0]+points[1]+points[2] != count[0] {
		t.Errorf("territory %v does not add up to %d free crossings", points, count[0])
	}
	// Twice the points, because the komi has half a point.
	black := 2 * (points[1] + g.prisoners[1])
	white := 2*(points[2]+g.prisoners[2]) + 13
	if black == white {
		t.Errorf("a draw in spite of the komi: %d", black)
	}
	g.tidy()
	t.Logf("black %d, white %d half points, %d prisoners, %d turns", black, white, prisoners,
		turns)
}

package played

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/play/table"
)

// The colours of ludo in their order round the table. Colour c starts on square 1 + 13·c.
var ludoColours = []string{"Red", "Blue", "Yellow", "Green"}

const (
	ludoRound = 52 // squares of the cross
	ludoTurns = 50 // steps from the start to the square before the way of the own colour
	ludoHome  = 56 // steps from the start to the middle
	ludoYard  = -1 // a pawn that has not started yet
)

// ludo is what the players of ludo know of their game: how many steps each pawn has gone from its
// start.
type ludo struct {
	*evening
	squares  []spot   // of the cross
	ways     [][]spot // of a colour: five squares and the middle
	yards    [][]spot // of a colour
	pawns    [][4]int // of a colour
	die      int      // what the die that was rolled last shows
	rolled   string   // its kind
	finished []string
	hits     int // how many pawns were sent back
}

func newLudo(e *evening) *ludo {
	l := &ludo{evening: e, pawns: make([][4]int, len(e.players))}
	board := e.players[0].one("Board")
	cells := e.cells(board)
	for square := range ludoRound {
		l.squares = append(l.squares, cells[e.cell(board, fmt.Sprint(square+1))])
	}
	for colour := range e.players {
		var way, yard []spot
		for step := range 5 {
			name := fmt.Sprintf("%s %d", ludoColours[colour], step+1)
			way = append(way, cells[e.cell(board, name)])
		}
		// Home is behind the last square.
		way = append(way, spot{2*way[4].x - way[3].x, 2*way[4].y - way[3].y})
		pawns := e.players[0].of(ludoColours[colour] + " pawn")
		if len(pawns) != 4 {
			e.t.Fatalf("%s has %d pawns", ludoColours[colour], len(pawns))
		}
		for _, s := range pawns {
			yard = append(yard, spot{s.X, s.Y})
		}
		l.ways, l.yards = append(l.ways, way), append(l.yards, yard)
		l.pawns[colour] = [4]int{ludoYard, ludoYard, ludoYard, ludoYard}
	}
	return l
}

// square returns on which square of the cross a pawn stands after so many steps. It reports false
// if it stands elsewhere.
func (*ludo) square(colour, steps int) (number int, on bool) {
	return (13*colour + steps) % ludoRound, steps >= 0 && steps <= ludoTurns
}

// at returns where a pawn lies that has gone so many steps.
func (l *ludo) at(colour, steps int) spot {
	if number, on := l.square(colour, steps); on {
		return l.squares[number]
	}
	return l.ways[colour][steps-ludoTurns-1]
}

// moves returns the pawns that a colour can move, each with the steps that it then has gone. Of the
// pawns in the yard there is one at most, because they are all the same.
func (l *ludo) moves(colour, die int) (all [][2]int) {
	yard := false
	for i, steps := range l.pawns[colour] {
		to := steps + die
		if steps == ludoYard {
			if die != 6 || yard {
				continue
			}
			to, yard = 0, true
		}
		if to < ludoHome && slices.Contains(l.pawns[colour][:], to) || to > ludoHome {
			continue
		}
		all = append(all, [2]int{i, to})
	}
	return all
}

// roll lets a player roll the die of their colour.
func (l *ludo) roll(p *player) int {
	l.t.Helper()
	colour := slices.Index(l.players, p)
	l.rolled = ludoColours[colour] + " die"
	l.die = int(p.roll(p.one(l.rolled).Name)) + 1
	return l.die
}

// start returns the colour that rolls the highest number.
func (l *ludo) start() int {
	l.t.Helper()
	playing := l.players
	for len(playing) > 1 {
		var best []*player
		most := 0
		for _, p := range playing {
			n := l.roll(p)
			if n > most {
				best, most = nil, n
			}
			if n == most {
				best = append(best, p)
			}
		}
		playing = best
	}
	return slices.Index(l.players, playing[0])
}

// turn lets a player roll and move until their turn ends.
func (l *ludo) turn(colour int) {
	l.t.Helper()
	p := l.players[colour]
	for rolls, sixes := 1, 0; ; rolls++ {
		waiting := !slices.ContainsFunc(l.pawns[colour][:], func(steps int) bool {
			return steps != ludoYard && steps != ludoHome
		})
		die := l.roll(p)
		if die != 6 {
			l.move(p, colour, die)
			if waiting && rolls < 3 && sixes == 0 {
				continue
			}
			return
		}
		if sixes++; sixes == 3 || !l.move(p, colour, die) || l.done(colour) {
			return
		}
	}
}

// move lets a player move a pawn, at random. It reports false if none can move.
func (l *ludo) move(p *player, colour, die int) bool {
	l.t.Helper()
	moves := l.moves(colour, die)
	if len(moves) == 0 {
		return false
	}
	move := pick(l.evening, moves)
	pawn, to := move[0], move[1]
	if number, on := l.square(colour, to); on {
		l.hit(p, colour, number)
	}
	at := l.at(colour, to)
	p.drag(l.pawn(p, colour, l.pawns[colour][pawn]).Name, at.x, at.y)
	l.pawns[colour][pawn] = to
	return true
}

// pawn returns a pawn of a colour that has gone so many steps, as the player sees it.
func (l *ludo) pawn(p *player, colour, steps int) table.Shown {
	l.t.Helper()
	spots := l.yards[colour]
	if steps != ludoYard {
		spots = []spot{l.at(colour, steps)}
	}
	kind := l.kind(ludoColours[colour] + " pawn")
	for _, there := range p.lying(spots) {
		for _, s := range there {
			if s.Kind == kind {
				return s
			}
		}
	}
	l.t.Fatalf("no %s pawn has gone %d steps", ludoColours[colour], steps)
	return table.Shown{}
}

// hit sends a pawn of another colour that stands on a square back to its yard.
func (l *ludo) hit(p *player, colour, square int) {
	l.t.Helper()
	for other := range l.pawns {
		for i, steps := range l.pawns[other] {
			number, on := l.square(other, steps)
			if other == colour || !on || number != square {
				continue
			}
			for place, there := range p.lying(l.yards[other]) {
				if len(there) == 0 {
					at := l.yards[other][place]
					p.drag(l.pawn(p, other, steps).Name, at.x, at.y)
					break
				}
			}
			l.pawns[other][i] = ludoYard
			l.hits++
		}
	}
}

// done reports whether all pawns of a colour are at home.
func (l *ludo) done(colour int) bool {
	return l.pawns[colour] == [4]int{ludoHome, ludoHome, ludoHome, ludoHome}
}

// comparePawns checks that the pawns stand where they should, and that the die shows what somebody
// has moved by.
func (l *ludo) comparePawns() {
	l.t.Helper()
	if die := int(l.players[0].one(l.rolled).Face) + 1; die != l.die {
		l.t.Fatalf("the die shows %d, not %d", die, l.die)
	}
	spots := slices.Concat(append(l.ways, l.squares)...)
	want := make([]string, len(spots))
	for colour, pawns := range l.pawns {
		name := l.game.Kinds[l.kind(ludoColours[colour]+" pawn")].Faces[0].Name
		waiting := 0
		for _, steps := range pawns {
			if steps == ludoYard {
				waiting++
				continue
			}
			want[slices.Index(spots, l.at(colour, steps))] += name
		}
		for _, there := range l.players[0].lying(l.yards[colour]) {
			if len(there) > 1 || len(there) == 1 && l.nameOf(there[0]) != name {
				l.t.Fatalf("the yard of %s has %v", ludoColours[colour], there)
			}
			waiting -= len(there)
		}
		if waiting != 0 {
			l.t.Fatalf("the yard of %s lacks %d pawns", ludoColours[colour], waiting)
		}
	}
	l.compare(spots, want)
}

// over reports whether all players but one have their pawns at home. A short game is over when one
// pawn is at home.
func (l *ludo) over() bool {
	if testing.Short() {
		return slices.ContainsFunc(l.pawns, func(pawns [4]int) bool {
			return slices.Contains(pawns[:], ludoHome)
		})
	}
	return len(l.finished) == len(l.players)-1
}

// TestLudo plays until all players but one have their pawns at home.
func TestLudo(t *testing.T) {
	l := newLudo(open(t, "ludo", 0, "Ada", "Ben", "Cleo", "Dan"))
	for colour := l.start(); !l.over(); colour = (colour + 1) % len(l.players) {
		if l.done(colour) {
			continue
		}
		l.turn(colour)
		l.agree()
		l.comparePawns()
		if l.done(colour) {
			l.finished = append(l.finished, ludoColours[colour])
		}
		if l.turns > 3000 {
			t.Fatal("the game does not end")
		}
	}
	if pawns := len(l.players[0].light()); pawns != 20 { // and four dice
		t.Errorf("there are %d pawns, not 16", pawns-4)
	}
	t.Logf("%v, %d hits, %d positions compared", l.finished, l.hits, l.turns)
}

package played

import (
	"testing"

	"holt/server/play/table"
)

// reversi is what the players of reversi know of their game: 1 is dark, 2 is light, 0 is free.
type reversi struct {
	*evening
	board [8][8]int // by row and column
}

// square returns the middle of a square of the board, which lies in the middle of the table.
func (*reversi) square(row, column int) (x, y int32) {
	return int32(column)*500 - 1750, int32(row)*500 - 1750
}

// enclosed returns the squares whose discs a new disc encloses.
func (r *reversi) enclosed(colour, row, column int) (all [][2]int) {
	if r.board[row][column] != 0 {
		return nil
	}
	for way := range 9 {
		down, right := way/3-1, way%3-1
		var line [][2]int
		for y, x := row+down, column+right; (down != 0 || right != 0) && y >= 0 && y < 8 && x >= 0 &&
			x < 8 && r.board[y][x] != 0; y, x = y+down, x+right {
			if r.board[y][x] == colour {
				all = append(all, line...)
				break
			}
			line = append(line, [2]int{y, x})
		}
	}
	return all
}

// turn lets a player lay a disc. It reports false if they have to pass.
func (r *reversi) turn(p *player, colour int) bool {
	r.t.Helper()
	var moves [][2]int
	for row := range 8 {
		for column := range 8 {
			if len(r.enclosed(colour, row, column)) > 0 {
				moves = append(moves, [2]int{row, column})
			}
		}
	}
	if len(moves) == 0 {
		return false
	}
	move := moves[r.rnd.IntN(len(moves))]
	turned := r.enclosed(colour, move[0], move[1])
	x, y := r.square(move[0], move[1])
	p.take(p.one([]string{"", "Dark discs", "Light discs"}[colour]).Name, x, y)
	r.board[move[0]][move[1]] = colour
	for _, at := range turned {
		x, y := r.square(at[0], at[1])
		disc := p.at(x, y, 50)[0]
		p.flip(disc.Name, 1-disc.Face)
		r.board[at[0]][at[1]] = colour
	}
	r.agree()
	r.compare()
	return true
}

// compare checks that the board on the table is that of the game.
func (r *reversi) compare() {
	r.t.Helper()
	for row := range r.board {
		for column, colour := range r.board[row] {
			x, y := r.square(row, column)
			var shown []string
			for _, s := range r.players[0].at(x, y, 50) {
				shown = append(shown, r.nameOf(s))
			}
			want := []string{"", "Dark", "Light"}[colour]
			if colour == 0 && len(shown) == 0 || len(shown) == 1 && shown[0] == want {
				continue
			}
			r.t.Fatalf("row %d, column %d has %q, not %q", row+1, column+1, shown, want)
		}
	}
}

// TestReversi plays a game until nobody can enclose anything.
func TestReversi(t *testing.T) {
	r := &reversi{evening: open(t, "reversi", 0, "Ada", "Ben")}
	r.board[3][3], r.board[4][4], r.board[3][4], r.board[4][3] = 2, 2, 1, 1
	r.compare()
	for colour, passes := 1, 0; passes < 2; colour = 3 - colour {
		if passes++; r.turn(r.players[colour-1], colour) {
			passes = 0
		}
	}
	var count [3]int
	for row := range r.board {
		for _, colour := range r.board[row] {
			count[colour]++
		}
	}
	discs := len(r.players[1].all(func(s table.Shown) bool {
		return r.game.Kinds[s.Kind].Weight == "light"
	}))
	if discs != count[1]+count[2] || discs < 20 {
		t.Errorf("%d discs lie on the table, dark has %d, light has %d", discs, count[1], count[2])
	}
	t.Logf("dark %d, light %d, %d positions compared", count[1], count[2], r.turns)
}

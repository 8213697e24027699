package played

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
)

// morrisMen has the names of the men, by their colour.
var morrisMen = []string{"", "Light man", "Dark man"}

// morris is what the players of nine men's morris know of their game: 1 is light, 2 is dark, 0 is
// free.
type morris struct {
	*evening
	points []spot
	lines  [][3]int // of points: where a mill may be
	board  []int    // by point
	trays  [3]id.Piece
	unused [3]int // men that are not on the board yet
	men    [3]int // all men of a colour but those that were taken
	seen   map[string]int
}

// morrisMove moves a man from a point, or from the tray if it is less than 0.
type morrisMove struct{ from, to int }

// newMorris looks at the board: where its lines are, and whose men lie in which tray.
func newMorris(e *evening) *morris {
	m := &morris{evening: e, seen: map[string]int{}}
	ada := e.players[0]
	m.points = e.cells(ada.one("Board for nine men"))
	m.board = make([]int, len(m.points))
	for _, swap := range []bool{false, true} {
		m.findLines(swap)
	}
	for _, tray := range ada.of("Tray") {
		men := ada.on(tray)
		if len(men) == 0 {
			e.t.Fatal("a tray has no men")
		}
		colour := slices.Index(morrisMen, e.nameOf(men[0]))
		m.trays[colour] = tray.Name
		m.unused[colour], m.men[colour] = len(men), len(men)
	}
	return m
}

// findLines adds the lines that lead to the right, or with swap down. In the middle the two lines
// on either side of the inner square do not meet: each three points are a line.
func (m *morris) findLines(swap bool) {
	along := func(i int) (across, along int32) {
		if swap {
			return m.points[i].x, m.points[i].y
		}
		return m.points[i].y, m.points[i].x
	}
	order := make([]int, len(m.points))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, x := along(i)
		b, y := along(j)
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(x, y))
	})
	for line := range slices.Chunk(order, 3) {
		m.lines = append(m.lines, [3]int(line))
	}
}

// milled reports whether a point is part of a mill.
func (m *morris) milled(point int) bool {
	return slices.ContainsFunc(m.lines, func(l [3]int) bool {
		return slices.Contains(l[:], point) && m.board[l[0]] == m.board[point] &&
			m.board[l[1]] == m.board[point] && m.board[l[2]] == m.board[point]
	})
}

// adjoin reports whether a line leads from a point to the next one.
func (m *morris) adjoin(a, b int) bool {
	return slices.ContainsFunc(m.lines, func(l [3]int) bool {
		i, j := slices.Index(l[:], a), slices.Index(l[:], b)
		return i >= 0 && j >= 0 && (i-j == 1 || j-i == 1)
	})
}

// moves returns what a colour may do.
func (m *morris) moves(colour int) (all []morrisMove) {
	for to, there := range m.board {
		if there != 0 {
			continue
		}
		if m.unused[colour] > 0 {
			all = append(all, morrisMove{-1, to})
			continue
		}
		for from, man := range m.board {
			if man == colour && (m.men[colour] == 3 || m.adjoin(from, to)) {
				all = append(all, morrisMove{from, to})
			}
		}
	}
	return all
}

// play changes the board of the game, and reports whether the move closes a mill.
func (m *morris) play(colour int, move morrisMove) (closes bool) {
	if move.from >= 0 {
		m.board[move.from] = 0
	}
	m.board[move.to] = colour
	return m.milled(move.to)
}

// choose chooses a move: one that closes a mill, if there is one, so that the game ends.
func (m *morris) choose(colour int, moves []morrisMove) morrisMove {
	var closing []morrisMove
	for _, move := range moves {
		was := slices.Clone(m.board)
		if m.play(colour, move) {
			closing = append(closing, move)
		}
		m.board = was
	}
	if len(closing) > 0 {
		moves = closing
	}
	return pick(m.evening, moves)
}

// turn lets a player put or move a man. It reports false if they cannot.
func (m *morris) turn(p *player, colour int) bool {
	m.t.Helper()
	moves := m.moves(colour)
	if len(moves) == 0 {
		return false
	}
	move := m.choose(colour, moves)
	at := m.points[move.to]
	if move.from < 0 {
		tray, _ := p.Piece(m.trays[colour])
		for _, s := range p.on(tray) {
			if m.nameOf(s) == morrisMen[colour] {
				p.drag(s.Name, at.x, at.y)
				break
			}
		}
		m.unused[colour]--
	} else {
		p.drag(p.lying(m.points)[move.from][0].Name, at.x, at.y)
	}
	if m.play(colour, move) {
		m.take(p, colour)
	}
	m.agree()
	m.compareMen()
	return true
}

// take lets a player take a man of the other colour into their own tray.
func (m *morris) take(p *player, colour int) {
	m.t.Helper()
	var all, free []int
	for point, man := range m.board {
		if man != 3-colour {
			continue
		}
		all = append(all, point)
		if !m.milled(point) {
			free = append(free, point)
		}
	}
	if len(free) == 0 {
		free = all
	}
	point := pick(m.evening, free)
	tray, _ := p.Piece(m.trays[colour])
	cells := m.cells(tray)
	empty := -1
	for i, there := range p.lying(cells) {
		if len(there) == 0 {
			empty = i
			break
		}
	}
	if empty < 0 {
		m.t.Fatal("the tray has no room for a man that was taken")
	}
	p.drag(p.lying(m.points)[point][0].Name, cells[empty].x, cells[empty].y)
	m.board[point] = 0
	m.men[3-colour]--
}

// compareMen checks that the board and the trays have the men that they should have.
func (m *morris) compareMen() {
	m.t.Helper()
	want := make([]string, len(m.board))
	for i, man := range m.board {
		want[i] = morrisMen[man]
	}
	m.compare(m.points, want)
	p := m.players[1]
	for colour := 1; colour < 3; colour++ {
		tray, _ := p.Piece(m.trays[colour])
		count := map[string]int{}
		for _, s := range p.on(tray) {
			count[m.nameOf(s)]++
		}
		own, taken := count[morrisMen[colour]], count[morrisMen[3-colour]]
		if own != m.unused[colour] || taken != 9-m.men[3-colour] {
			m.t.Fatalf("the tray of %s has %d men of its own, not %d, and %d others, not %d",
				morrisMen[colour], own, m.unused[colour], taken, 9-m.men[3-colour])
		}
	}
}

// repeats reports whether a position has come for the third time. While men are put on the board,
// none comes twice.
func (m *morris) repeats(colour int) bool {
	key := fmt.Sprint(colour, m.board, m.unused)
	m.seen[key]++
	return m.seen[key] == 3
}

// TestMorris plays nine men's morris until one colour has two men left or cannot move, or the same
// position has come for the third time.
func TestMorris(t *testing.T) {
	m := newMorris(open(t, "morris", 0, "Ada", "Ben"))
	if len(m.lines) != 16 || m.men != [3]int{0, 9, 9} {
		t.Fatalf("the board has %d lines, and men %v", len(m.lines), m.men)
	}
	result := ""
	colour := 1
	for ; result == ""; colour = 3 - colour {
		switch {
		case m.men[colour] == 2:
			result = "two men left"
		case m.repeats(colour):
			result = "a draw"
		case !m.turn(m.players[colour-1], colour):
			result = "no move left"
		case m.turns > 1000:
			t.Fatal("the game does not end")
		}
	}
	loser := 3 - colour
	if result == "two men left" && (m.men[loser] != 2 || m.men[3-loser] < 3) {
		t.Errorf("men at the end: %v", m.men)
	}
	if men := len(m.players[0].light()); men != 18 {
		t.Errorf("there are %d men, not 18", men)
	}
	t.Logf("%s: %s, %d positions compared", morrisMen[loser], result, m.turns)
}

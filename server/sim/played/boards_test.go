package played

import (
	"math"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"

	"holt/server/play/table"
)

// spot is a place on the table.
type spot struct{ x, y int32 }

// near reports whether something lies at a spot, as exactly as pages put it down.
func (s spot) near(of table.Shown) bool {
	return max(s.x-of.X, of.X-s.x, s.y-of.Y, of.Y-s.y) <= 20
}

// place returns where a point of a piece is on the table. The point is measured from the upper left
// corner of the unturned piece.
func (e *evening) place(of table.Shown, x, y int32) spot {
	k := &e.game.Kinds[of.Kind]
	right, down := float64(x-k.Width/2), float64(y-k.Height/2)
	sin, cos := math.Sincos(float64(of.Angle) * math.Pi / 18000)
	return spot{
		x: of.X + int32(math.Round(right*cos-down*sin)),
		y: of.Y + int32(math.Round(right*sin+down*cos)),
	}
}

// cells returns the middles of the cells of a board: of its grid, row by row, or of its snap points
// in their order.
func (e *evening) cells(board table.Shown) (all []spot) {
	k := &e.game.Kinds[board.Kind]
	for _, p := range k.Snaps.Points {
		all = append(all, e.place(board, p.X, p.Y))
	}
	g := &k.Grid
	for i := range g.Columns * g.Rows {
		all = append(all, e.place(board, g.X+i%g.Columns*g.StepX, g.Y+i/g.Columns*g.StepY))
	}
	return all
}

// cell returns the number of the snap point of a board with a name.
func (e *evening) cell(board table.Shown, name string) int {
	e.t.Helper()
	for i, p := range e.game.Kinds[board.Kind].Snaps.Points {
		if p.Name == name {
			return i
		}
	}
	e.t.Fatalf("the board has no %s", name)
	return 0
}

// light returns all light pieces that lie openly.
func (p *player) light() []table.Shown {
	return p.all(func(s table.Shown) bool {
		return p.e.game.Kinds[s.Kind].Weight == "light" && s.Owner == 0
	})
}

// covers reports whether the middle of a piece lies on a heavy one, such as a zone or a hand.
func (e *evening) covers(board, s table.Shown) bool {
	k := &e.game.Kinds[board.Kind]
	sin, cos := math.Sincos(float64(board.Angle) * math.Pi / 18000)
	x, y := float64(s.X-board.X), float64(s.Y-board.Y)
	right, down := x*cos+y*sin, y*cos-x*sin
	const exact = 0.5 // of a unit
	return math.Abs(right) <= float64(k.Width)/2+exact && math.Abs(down) <= float64(k.Height)/2+exact
}

// on returns the light pieces whose middle lies on a heavy one, by their names.
func (p *player) on(board table.Shown) (all []table.Shown) {
	for _, s := range p.light() {
		if p.e.covers(board, s) {
			all = append(all, s)
		}
	}
	return all
}

// lying returns what a player sees on each of the spots.
func (p *player) lying(spots []spot) [][]table.Shown {
	lie := make([][]table.Shown, len(spots))
	for _, s := range p.light() {
		if i := slices.IndexFunc(spots, func(at spot) bool { return at.near(s) }); i >= 0 {
			lie[i] = append(lie[i], s)
		}
	}
	return lie
}

// compare checks that everything of a game lies as its players think: on each of the spots the
// piece with this name, or nothing if the name is empty.
func (e *evening) compare(spots []spot, want []string) {
	e.t.Helper()
	shown := make([]string, len(spots))
	for i, there := range e.players[0].lying(spots) {
		for _, s := range there {
			shown[i] += e.nameOf(s)
		}
	}
	if diff := gocmp.Diff(want, shown); diff != "" {
		e.t.Fatalf("the board on the table is not that of the game: %s", diff)
	}
}

// pick returns one of several at random.
func pick[T any](e *evening, of []T) T { return of[e.rnd.IntN(len(of))] }

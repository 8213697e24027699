package game

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
)

// Bounds of games of several tables.
const (
	MaxTables = 8  // of a game, with the first one
	MaxDoors  = 64 // of one table
)

// Door is a piece of a table that leads to another table of the game.
type Door struct {
	// Piece is the name that the piece gets on the table: the first heavy piece is 1.
	Piece int
	To    int // 0: the first table; n: Game.Further[n-1]
}

// readTables reads the further tables of a game file, and the doors of all. places has, for each
// entry of pieces, the index of its first piece in Game.Pieces. g must have its kinds and pieces.
func readTables(root object, g *Game, places []int) {
	tables := []object{root}
	entries := [][]int{places}
	names := []string{g.Name}
	if root.has("tables") {
		for i, v := range root.list("tables", 1, MaxTables-1) {
			o := root.r.object(v, fmt.Sprintf("table %d", i), "name", "table", "pieces", "doors")
			further := &Game{
				ID: g.ID, Name: o.text("name", MaxName), Summary: g.Summary, Order: g.Order,
				Kinds: g.Kinds, decks: g.decks,
			}
			if n := slices.Index(names, further.Name); n >= 0 {
				o.fail(o.get("name"), "%q is the name of another table, or of the game", further.Name)
			}
			further.readSize(o, false)
			placed := further.place(o, true)
			if root.r.err != nil {
				return
			}
			g.Further = append(g.Further, further)
			tables, entries, names = append(tables, o), append(entries, placed),
				append(names, further.Name)
		}
	}
	for i, o := range tables {
		of := g
		if i > 0 {
			of = g.Further[i-1]
		}
		if o.has("doors") {
			of.Doors = readDoors(o, of, entries[i], names, i)
		}
	}
}

// readDoors reads the doors of a table of a game. names are those of all its tables, among which it
// is the one with the index at.
func readDoors(
	table object, g *Game, places []int, names []string, at int,
) (doors []Door) {
	for i, v := range table.list("doors", 1, MaxDoors) {
		o := table.r.object(v, fmt.Sprintf("door %d", i), "piece", "to")
		n := int(o.integer("piece", 0, MaxPieces-1))
		to := slices.Index(names, o.text("to", MaxName))
		if o.r.err != nil {
			return nil
		}
		d := Door{To: to}
		lacks := func(of Setup) bool {
			return slices.Contains(of.Without, g.Pieces[places[n]].Kind) ||
				of.Pieces != nil && !slices.Contains(of.Same, places[n])
		}
		switch {
		case n >= len(places):
			o.fail(o.get("piece"), "piece: no piece %d", n)
		case g.Kinds[g.Pieces[places[n]].Kind].Weight != "heavy":
			o.fail(o.get("piece"), "piece: piece %d is light: only heavy pieces can be doors", n)
		case slices.ContainsFunc(g.AllSetups(), lacks):
			o.fail(o.get("piece"), "piece: a set-up lacks piece %d, so it cannot be a door", n)
		case to < 0:
			o.fail(o.get("to"), "to: no table of the game has the name %s",
				strconv.Quote(o.get("to").text))
		case to == at:
			o.fail(o.get("to"), "to: the door leads to the table on which it is")
		default:
			d.Piece = heavyName(g, places[n])
		}
		if slices.ContainsFunc(doors, func(other Door) bool { return other.Piece == d.Piece }) {
			o.fail(o.get("piece"), "piece: piece %d is a door already", n)
		}
		doors = append(doors, d)
	}
	return doors
}

// heavyName returns the name that a heavy piece of a game gets on the table.
func heavyName(g *Game, piece int) int {
	name := 1
	for _, p := range g.Pieces[:piece] {
		if g.Kinds[p.Kind].Weight == "heavy" {
			name++
		}
	}
	return name
}

// TableGrid is the grid with which a table begins (G17). The zero TableGrid stands for none.
type TableGrid struct {
	Form  string // "squares" or "hexagons"
	Pitch int32  // of cells, from one to the next
	X, Y  int32  // a corner of a square, or the middle of a hexagon
	Snap  bool   // whether pieces snap to the cells
}

// The forms of cells.
const (
	GridSquares  = "squares"
	GridHexagons = "hexagons"
)

// readTableGrid reads the grid of a table.
func readTableGrid(t object) (g TableGrid) {
	if !t.has("grid") {
		return g
	}
	o := t.r.object(t.get("grid"), t.where+": grid", "form", "pitch", "x", "y", "snap")
	g = TableGrid{
		Form:  o.choice("form", GridSquares, GridHexagons),
		Pitch: o.integer("pitch", MinSize, MaxSize), Snap: o.boolean("snap"),
	}
	if o.has("x") {
		g.X = o.integer("x", -MaxTable/2, MaxTable/2)
	}
	if o.has("y") {
		g.Y = o.integer("y", -MaxTable/2, MaxTable/2)
	}
	return g
}

// readSize reads the size and the surface of a table, and its grid, which files of the first format
// do not have.
func (g *Game) readSize(o object, first bool) {
	fields := []string{"width", "height", "surface"}
	if !first {
		fields = append(fields, "grid")
	}
	t := o.r.object(o.get("table"), "table", fields...)
	g.Width = t.integer("width", MinTable, MaxTable)
	g.Height = t.integer("height", MinTable, MaxTable)
	g.Surface = t.choice("surface", surfaces...)
	g.Grid = readTableGrid(t)
}

// place reads the pieces of a table. It returns, for each entry of pieces, the index of its first
// piece in g.Pieces; nil after an error.
func (g *Game) place(o object, second bool) []int {
	if second {
		return g.placeIn(o, ofSecond)
	}
	return g.placeIn(o, ofFirst)
}

// placeIn reads the pieces that stand in a place of a game file as place does.
func (g *Game) placeIn(o object, of placeOf) []int {
	placed, entries := readPlacements(o, g, of)
	if o.r.err != nil {
		return nil
	}
	var now []int
	g.Pieces, now = inDrawingOrder(placed, g.Kinds)
	for i, first := range entries {
		entries[i] = now[first]
	}
	g.nameAttached(now)
	foreign := g.Foreign.Pieces
	g.Foreign.Pieces = nil
	for i, kept := range foreign {
		g.Foreign.Pieces = put(g.Foreign.Pieces, now[i], kept)
	}
	return entries
}

// Detached returns the game without what is said of pieces being attached.
func (g *Game) Detached() *Game {
	of := *g
	of.Attached, of.Further = nil, nil
	of.finish()
	return &of
}

// finish gives a game its catalogue, and its further tables what they have from it.
func (g *Game) finish() {
	g.Catalog = encodeCatalog(g.Kinds, &CatalogRest{
		Seats: g.Seats, Attached: g.Attached, Sheet: g.Sheet,
	})
	g.CatalogHash = sha256.Sum256(g.Catalog)
	for _, f := range g.Further {
		f.About, f.Languages, f.Art, f.Credits = g.About, g.Languages, g.Art, g.Credits
		f.finish()
	}
}

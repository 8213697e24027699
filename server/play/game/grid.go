package game

import "fmt"

// Bounds of the cells of a kind (docs/guides/games.md).
const (
	MaxLines     = 100 // columns or rows of a grid
	MaxRackCells = 100 // cells of a rack, because the server looks for a free one
	maxCellName  = 8   // characters of the name of a cell, a column or a row
)

// Grid is a grid of cells on the pieces of a kind: the squares of a board, or the crossings of its
// lines. It moves and turns with the piece. Pages put what is dropped near a cell into its middle.
// The zero Grid stands for no grid.
type Grid struct {
	// X and Y are the middle of the first cell, in units from the upper left corner of the unturned
	// piece. StepX and StepY lead from there to the next column and the next row.
	X, Y, StepX, StepY int32
	Columns, Rows      int32 // 1 to MaxLines
	// ColumnNames and RowNames have a name for each column and row, or nothing: "e" and "4".
	ColumnNames, RowNames []string
	// CellNames has a name for each cell, row by row, or nothing. A place without a name is not a
	// cell then.
	CellNames []string
	// Captures says that whoever puts a piece on an occupied cell captures what lies there. Tray
	// says that captured pieces go to the free cells of these pieces.
	Captures, Tray bool
}

// catalogGrid is the form of a grid in game files and catalogues (docs/protocol/http.md).
type catalogGrid struct {
	X           int32    `json:"x"`
	Y           int32    `json:"y"`
	StepX       int32    `json:"stepX"`
	StepY       int32    `json:"stepY"`
	Columns     int32    `json:"columns"`
	Rows        int32    `json:"rows"`
	ColumnNames []string `json:"columnNames,omitempty"`
	RowNames    []string `json:"rowNames,omitempty"`
	CellNames   []string `json:"cellNames,omitempty"`
	Captures    bool     `json:"captures,omitempty"`
	Tray        bool     `json:"tray,omitempty"`
}

// catalog returns the form of the grid in a catalogue, nil if there is none.
func (g *Grid) catalog() *catalogGrid {
	if g.Columns == 0 {
		return nil
	}
	return &catalogGrid{
		X: g.X, Y: g.Y, StepX: g.StepX, StepY: g.StepY, Columns: g.Columns, Rows: g.Rows,
		ColumnNames: g.ColumnNames, RowNames: g.RowNames, CellNames: g.CellNames,
		Captures: g.Captures, Tray: g.Tray,
	}
}

// readGrid reads the grid of a kind, in game files and catalogues alike.
func readGrid(kind object, k Kind) Grid {
	if !kind.has("grid") {
		return Grid{}
	}
	o := kind.r.object(kind.get("grid"), kind.where+": grid", "x", "y", "stepX", "stepY", "columns",
		"rows", "columnNames", "rowNames", "cellNames", "captures", "tray")
	g := Grid{
		X: o.integer("x", 0, MaxSize), Y: o.integer("y", 0, MaxSize),
		StepX: o.integer("stepX", MinSize, MaxSize), StepY: o.integer("stepY", MinSize, MaxSize),
		Columns: o.integer("columns", 1, MaxLines), Rows: o.integer("rows", 1, MaxLines),
		Captures: o.boolean("captures"), Tray: o.boolean("tray"),
	}
	g.ColumnNames = readCellNames(o, "columnNames", int(g.Columns), 1)
	g.RowNames = readCellNames(o, "rowNames", int(g.Rows), 1)
	g.CellNames = readCellNames(o, "cellNames", int(g.Columns*g.Rows), 0)
	switch {
	case k.Weight != "heavy":
		kind.fail(kind.get("grid"), "only a heavy kind has a grid")
	case k.Secret || k.Hand && !k.Rack || k.Container.Holds():
		kind.fail(kind.get("grid"), "a secret kind, a hand that is no rack, or a container has no grid")
	case k.Rack && (g.Captures || g.Tray):
		kind.fail(kind.get("grid"), "nothing is captured on a rack, and it is no tray")
	case k.Rack && g.Columns*g.Rows > MaxRackCells:
		kind.fail(kind.get("grid"), "a rack has at most %d cells", MaxRackCells)
	case g.Captures && g.Tray:
		o.fail(o.get("tray"), "pieces are captured on one grid and go to the tray of another")
	case g.X+(g.Columns-1)*g.StepX > k.Width || g.Y+(g.Rows-1)*g.StepY > k.Height:
		kind.fail(kind.get("grid"), "the grid reaches beyond the piece")
	case (g.ColumnNames == nil) != (g.RowNames == nil):
		o.fail(o.get("columns"), "columns and rows have names, or neither")
	case g.CellNames != nil && g.ColumnNames != nil:
		o.fail(o.get("cellNames"), "either cells have names, or columns and rows")
	}
	return g
}

// Cells returns the middles of the cells of a rack, row by row, from the middle of the unturned
// piece. A kind that is no rack has none: there pages alone know cells.
func (k *Kind) Cells() (all []SnapPoint) {
	if !k.Rack {
		return nil
	}
	for _, p := range k.Snaps.Points {
		all = append(all, SnapPoint{X: p.X - k.Width/2, Y: p.Y - k.Height/2, Name: p.Name})
	}
	g := &k.Grid
	for i := range g.Columns * g.Rows {
		if len(g.CellNames) > 0 && g.CellNames[i] == "" {
			continue
		}
		column, row := i%g.Columns, i/g.Columns
		all = append(all, SnapPoint{
			X: g.X + column*g.StepX - k.Width/2, Y: g.Y + row*g.StepY - k.Height/2,
		})
	}
	return all
}

// readCellNames reads n different names, if there are any. With least 0, names may be empty.
func readCellNames(grid object, field string, n, least int) []string {
	if !grid.has(field) || grid.r.err != nil {
		return nil
	}
	names := make([]string, 0, n)
	known := map[string]bool{}
	for i, v := range grid.list(field, n, n) {
		if v.kind != aText {
			grid.fail(v, "%s: entry %d: want %s, not %s", field, i, aText, v.kind)
			return nil
		}
		err := CheckName(v.text, least, maxCellName)
		if err == nil && known[v.text] {
			err = fmt.Errorf("%q stands there twice", v.text)
		}
		if err != nil {
			grid.fail(v, "%s: entry %d: %w", field, i, err)
			return nil
		}
		known[v.text] = v.text != ""
		names = append(names, v.text)
	}
	return names
}

// readUpright reads whether the pieces of a kind stand upright for whoever looks.
func readUpright(kind object, k Kind) bool {
	upright := kind.boolean("upright")
	switch {
	case upright && k.Width != k.Height:
		kind.fail(kind.get("upright"), "an upright kind is as high as it is wide")
	case upright && (k.Weight == "heavy" || k.Secret):
		kind.fail(kind.get("upright"), "only a light kind that is not secret is upright")
	}
	return upright
}

// DrawnAt returns the angle at which somebody at the lower edge of the table sees the pictures of a
// piece that lies at an angle, in hundredths of a degree from 0 to FullTurn. They differ by half a
// turn for a readable kind that would be upside down (G20).
func (k *Kind) DrawnAt(angle int32) int32 {
	if k.Readable && angle > FullTurn/4 && angle < FullTurn*3/4 {
		return (angle + FullTurn/2) % FullTurn
	}
	return angle
}

// readReadable reads whether there is text on the pictures of a kind (G20).
func readReadable(kind object, k Kind) bool {
	readable := kind.boolean("readable")
	switch {
	case readable && k.Upright:
		kind.fail(kind.get("readable"), "an upright kind is readable in any case")
	case readable && (k.Secret || k.Clock.Sides() > 0):
		kind.fail(kind.get("readable"), "neither secret kinds nor clocks are readable")
	case readable && (kind.has("grid") || kind.has("snaps")):
		kind.fail(kind.get("readable"), "what has a grid or snap points is not readable")
	}
	return readable
}

// readPointed reads whether a piece of a kind belongs to the seat from whose side it lies upright
// (G21).
func readPointed(kind object, k Kind) bool {
	pointed := kind.boolean("pointed")
	if pointed && (k.Weight == "heavy" || k.Secret || k.Upright || k.Readable) {
		kind.fail(kind.get("pointed"),
			"only a light kind that is neither secret, upright nor readable is pointed")
	}
	return pointed
}

// readTurn reads how far pages turn a piece of a kind at once, in degrees; 0 if it does not say
// (G22).
func readTurn(kind object) int32 {
	const full, half = FullTurn / 100, FullTurn / 200
	turn := kind.optional("turn", 1, half)
	if turn > 0 && full%turn != 0 {
		kind.fail(kind.get("turn"), "turn: %d degrees do not divide a full turn", turn)
	}
	return turn
}

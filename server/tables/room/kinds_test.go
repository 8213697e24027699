package room

import (
	"slices"
	"testing"

	"holt/server/play/game"
	"holt/server/play/table"
)

// TestCellsOfKinds shows that the table knows the cells of racks, and those of nothing else.
// Clauses: T96.12
func TestCellsOfKinds(t *testing.T) {
	k := game.Kind{
		Width: 1000, Height: 400, Weight: "heavy", Hand: true, Rack: true,
		Grid: game.Grid{X: 100, Y: 200, StepX: 300, StepY: 10, Columns: 2, Rows: 1},
	}
	if got := kind(&k).Cells; !slices.Equal(got, []table.Cell{{X: -400}, {X: -100}}) {
		t.Errorf("a rack has the cells %v", got)
	}
	k.Hand, k.Rack = false, false
	if got := kind(&k).Cells; got != nil {
		t.Errorf("a board has the cells %v", got)
	}
}

package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// lying returns the first piece of a kind that lies on the table; 0 if there is none.
func (c *chances) lying(kind uint32) id.Piece {
	for _, p := range c.table.All(c.by.Seat, c.by.Client) {
		if p.Kind == kind && p.Owner == 0 {
			return p.Name
		}
	}
	return 0
}

// TestF12HoldsItsOwn shows more of when a container has exactly what was set up in it.
func TestF12HoldsItsOwn(t *testing.T) {
	chip := table.Update{Piece: oneBag, X: 9000, Y: 9000}
	for _, row := range []struct {
		name  string
		split bool
		want  uint32
	}{
		{"F12.15 chips that come home are those that were set up in the bag", false, 0},
		{"F12.26 a chip that was split off was set up nowhere", true, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := sitAtChances(t)
			c.do(table.OpDraw, blindly|table.HasXY, chip)
			if row.split {
				c.do(table.OpSplit, blindly|table.HasN|table.HasXY,
					table.Update{Piece: c.lying(kindChip), N: 30, X: 9000, Y: -9000})
			}
			c.recall(oneBag)
			if c.lying(kindChip) != 0 {
				t.Fatal("a chip did not come home")
			}
			c.hidden(row.want, "after the recall")
		})
	}
	for _, row := range []struct {
		name   string
		others []uint32 // in another deck with the same back
		want   uint32
	}{
		{"F12.22 a card that was put back is one of its own if no other one looks like it", nil, 2},
		{"F12.21 it may be another one if others look like it", []uint32{kindJack}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := sitAtChances(t, row.others...)
			c.stow(c.take(oneDeck), oneDeck)
			c.round = 2
			c.shuffle(oneDeck)
			c.hidden(row.want, "after a card was put back and the deck shuffled")
			c.recall(oneDeck)
			c.shuffle(oneDeck)
			c.hidden(2, "after a recall and another shuffle")
		})
	}
	t.Run("F12.21 a player's recall may leave something in the hands of others",
		func(t *testing.T) {
			c := sitAtChances(t, kindJack)
			c.stow(c.take(oneDeck), oneDeck)
			c.round = 2
			c.shuffle(oneDeck)
			host := c.by
			seat, _ := c.table.Sit(table.SeatInfo{Role: table.RolePlayer}, 1)
			c.by = table.By{Client: clientID(2), Seat: seat, Role: table.RolePlayer}
			c.recall(oneDeck)
			c.shuffle(oneDeck)
			c.hidden(1, "after a player's recall")
			c.by = host
			c.recall(oneDeck)
			c.shuffle(oneDeck)
			c.hidden(2, "after a host's")
		})
}

package table_test

import (
	"testing"

	"holt/server/play/table"
)

// TestSetupSteps shows that steps of a set-up are done like those of a press, as far as its bounds
// go, and are nobody's gesture.
// Clauses: T88.3
func TestSetupSteps(t *testing.T) {
	s, ada, _, _ := sitAtWorld(t)
	for range table.MaxActs {
		ada.act(table.OpAdd, 0, kind(kindDie), at(8000, 8000))
		s.deliver()
	}
	in := table.Inputs{Now: s.now, Rand: s.rnd, Round: 1}
	s.table.BeginSteps(table.By{Seat: 1, Role: table.RoleHost}, []table.Step{
		{Do: table.DoFlip, Kind: kindCoin}, {Do: table.DoRoll, Kind: kindDie},
		{Do: table.DoDeal, Kind: kindDeck, N: 1}, {Do: table.DoRotate, Kind: kindToken, By: 9000},
	}, in)
	draws := 0
	for s.table.Pressing() {
		if s.table.PressOn(in).Chance.What != 0 {
			draws++
		}
	}
	s.publish(nil)
	s.settle()
	if draws != 0 {
		t.Errorf("%d dice are rolled, of too many", draws)
	}
	if coin, token := s.state(worldCoin), s.state(worldToken); coin.Face != 0 || token.Angle != 9000 {
		t.Errorf("the coin is %+v, the token %+v", coin, token)
	}
	if n := len(s.lying(worldHandTwo)); n != 1 {
		t.Errorf("%d cards lie in a hand", n)
	}
	if u, no := s.table.Undoable(1); no == nil && u.Op == table.OpRun {
		t.Errorf("the undo is %+v", u)
	}
}

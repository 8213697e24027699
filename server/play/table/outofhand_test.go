package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestOutOfHands shows that what comes out of a hand says nothing about what happened to it there.
func TestOutOfHands(t *testing.T) {
	behindScreen := func(t *testing.T, rolls int) (s *server, cid, bob *tab) {
		s, _, bob, cid = sitAtWorld(t)
		cid.do(table.OpMove, worldDieOne, at(screenX, 0))
		for range rolls {
			cid.do(table.OpRoll, worldDieOne)
			s.now += cooldown
		}
		return s, cid, bob
	}
	t.Run("T29.5 a recalled die does not show its roll behind a screen", func(t *testing.T) {
		for rolls := range 5 {
			s, cid, bob := behindScreen(t, rolls)
			cid.do(table.OpStow, worldDieOne, into(worldBag))
			if is := s.state(worldDieOne); is.Face != 0 || is.Rolled != 0 {
				t.Errorf("after %d rolls it lies in the bag as %+v", rolls, is)
			}
			bob.want(t, 0, table.OpDraw, worldBag)
		}
	})
	t.Run("T32.4 the cool-down behind a screen ends when the die is played", func(t *testing.T) {
		s, cid, bob := behindScreen(t, 0)
		cid.do(table.OpRoll, worldDieOne)
		cid.want(t, table.ReasonCooling, table.OpRoll, worldDieOne)
		cid.do(table.OpMove, worldDieOne, at(0, 0))
		bob.want(t, 0, table.OpRoll, worldDieOne)
		bob.want(t, table.ReasonCooling, table.OpRoll, worldDieOne)
		s.settle()
	})
	t.Run("T43.4 a copy of a piece in a hand has a level of the table", func(t *testing.T) {
		levels := map[string]bool{}
		for raises := range 3 {
			s, cid, _ := behindScreen(t, 0)
			for range raises {
				cid.do(table.OpSetZ, worldDieOne, z("0.93"))
			}
			cid.do(table.OpCopy, worldDieOne, at(0, 0))
			levels[string(s.state(cid.made[0]).Z)] = true
		}
		if len(levels) != 1 {
			t.Errorf("its level is one of %v", levels)
		}
	})
	// held makes bob hold a piece in his hand, which ada then gives to cid.
	held := func(t *testing.T, p id.Piece, does func(bob *tab)) (s *server, bob, cid *tab) {
		s, ada, bob, cid := sitAtWorld(t)
		bob.do(table.OpMove, p, at(0, handTwoY))
		does(bob)
		bob.do(table.OpGrab, p)
		ada.do(table.OpGive, worldHandTwo, whom(3))
		s.settle()
		return s, bob, cid
	}
	t.Run("T23.2 a card dropped in a hand that changed owner stays hidden", func(t *testing.T) {
		for side := range int32(2) {
			s, _, _ := held(t, worldCard, func(bob *tab) {
				bob.do(table.OpFlip, worldCard, face(side))
				bob.do(table.OpRotate, worldCard, turned(4500*side))
			})
			s.table.Drop(s.called(worldCard), 0, handTwoY, s.now)
			told := s.publish(nil)
			if is := s.state(worldCard); len(told) != 1 || is.Owner != 3 || is.Face != 0 ||
				is.Angle != 0 {
				t.Errorf("turned to %d: of %d entries it is %+v", side, len(told), is)
			}
		}
	})
	t.Run("T23.2, T23.4 a card released there is turned face up", func(t *testing.T) {
		s, bob, _ := held(t, worldCard, func(bob *tab) { bob.do(table.OpFlip, worldCard, face(1)) })
		bob.do(table.OpRelease, worldCard)
		if is := s.state(worldCard); is.Owner != 3 || is.Face != 0 {
			t.Errorf("it is %+v", is)
		}
	})
	t.Run("T32.4 the cool-down of a die ends when it is released there", func(t *testing.T) {
		_, bob, cid := held(t, worldDieOne, func(bob *tab) { bob.do(table.OpRoll, worldDieOne) })
		bob.do(table.OpRelease, worldDieOne)
		cid.want(t, 0, table.OpRoll, worldDieOne)
	})
	// Clauses: T34.9
	t.Run("T34 a heap released into a foreign hand does not reveal others there", func(t *testing.T) {
		told := map[int]bool{}
		for _, x := range []int32{0, 400} { // where cid's heap lies
			s, ada, _, cid := sitAtWorld(t)
			cid.do(table.OpClaim, worldHandThree)
			cid.do(table.OpMove, worldChips, at(screenX+x, 0))
			ada.do(table.OpGrab, worldChipsTwo)
			ada.do(table.OpRelease, worldChipsTwo, at(screenX, 0))
			told[s.table.Pieces()] = true
			cid.do(table.OpGrab, worldChipsTwo)
			cid.do(table.OpRelease, worldChipsTwo, at(screenX+x, 0))
			if n := len(s.states(worldHandThree)); n != 1 {
				t.Errorf("cid, who sees both, has %d heaps", n)
			}
		}
		if len(told) != 1 {
			t.Error("heaps are merged at one place, and not at the other")
		}
	})
	t.Run("T34.8 heaps in a bag are not merged", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		before := len(s.states(worldBag))
		for _, p := range []id.Piece{worldChips, worldChipsTwo} {
			ada.do(table.OpGrab, p)
			ada.do(table.OpRelease, p, at(worldBagX, 0))
		}
		if n := len(s.states(worldBag)); n != before+2 {
			t.Errorf("%d pieces lie in the bag, want %d", n, before+2)
		}
	})
}

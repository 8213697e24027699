package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT60Pivots shows what a pivot does to the pieces of a group, and what it does not do.
func TestT60Pivots(t *testing.T) {
	t.Run("T60.1 place and angle are one update", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		before := len(s.log)
		seen := bob.displayed(tokenOne)
		ada.do(table.OpPivot, tokenOne, at(300, -400), turned(1500))
		if n := len(s.log) - before; n != 1 {
			t.Errorf("%d entries are recorded, want 1", n)
		}
		seen.X, seen.Y, seen.Angle = 300, -400, 1500
		seen.Version = bob.displayed(tokenOne).Version
		if got := bob.displayed(tokenOne); got != seen {
			t.Errorf("bob sees %+v, want %+v", got, seen)
		}
	})
	t.Run("T60.1 a pivot without a place or an angle is malformed", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		for _, with := range []args{at(1, 1), turned(1500)} {
			u := ada.make(table.OpPivot, tokenOne, with)
			if no := s.table.Check(ada.id, ada.seat, []table.Update{u}); no == nil ||
				no.Code != table.CodeMalformed {
				t.Errorf("%+v is %+v", u, no)
			}
		}
	})
	t.Run("T60.1 a stale pivot changes neither place nor angle", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.act(table.OpMove, tokenOne, at(7, 7))
		ada.act(table.OpPivot, tokenOne, at(300, -400), turned(1500))
		wantVerdict(t, s.receive(bob), table.Recorded)
		wantVerdict(t, s.receive(ada), table.Discarded)
		s.settle()
		if is := s.state(tokenOne); is.X != 7 || is.Y != 7 || is.Angle != 0 {
			t.Errorf("it is %+v", is)
		}
	})
	t.Run("T60.2 a card that comes into a hand belongs to it", func(t *testing.T) {
		s, ada, bob, cid := sitAtWorld(t)
		ada.do(table.OpPivot, worldCard, at(0, handTwoY), turned(9000))
		if is := s.state(worldCard); is.In != worldHandTwo || is.Owner != 2 || is.Face != 0 {
			t.Errorf("it is %+v", is)
		}
		if ada.known(worldCard) != nil || cid.known(worldCard) != nil ||
			bob.displayed(worldCard).Kind != kindAce {
			t.Error("others see it, or bob does not")
		}
		bob.do(table.OpPivot, worldCard, at(0, 0), turned(0))
		if is := s.state(worldCard); is.In != 0 || is.Owner != 0 {
			t.Errorf("out of the hand it is %+v", is)
		}
	})
	t.Run("T60.2 a pivot does not put a piece into a container", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		for p, x := range map[id.Piece]int32{worldCardTwo: worldDeckX, worldToken: worldBagX} {
			ada.do(table.OpPivot, p, at(x, 0), turned(4500))
			if is := s.state(p); is.In != 0 || is.X != x || is.Angle != 4500 {
				t.Errorf("piece %d is %+v", p, is)
			}
		}
	})
	t.Run("T60.2 what lies in a hand that pivots follows", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpMove, worldCard, at(0, handOneY))
		ada.do(table.OpPivot, worldHandOne, at(-9000, -9000), turned(9000))
		if is := s.state(worldCard); is.In != 0 || is.Face != 1 || is.Y != handOneY {
			t.Errorf("what the hand left is %+v", is)
		}
		if got := bob.displayed(s.called(worldCard)).Kind; got != kindBack {
			t.Errorf("bob sees it as kind %d", got)
		}
	})
	t.Run("T60.3 pieces that cannot turn do not keep the others", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.do(table.OpGrab, tokenTwo)
		before := s.state(tokenTwo)
		ada.act(table.OpPivot, tokenOne, at(100, 100), turned(1500))
		ada.act(table.OpPivot, tokenTwo, at(200, 200), turned(1500))
		ada.act(table.OpPivot, tokenThree, at(300, 300), turned(1500))
		wantVerdict(t, s.receive(ada), table.Recorded)
		out := s.receive(ada)
		wantVerdict(t, out, table.Rejected)
		if out.Reject.Reason != table.ReasonHeld || out.Reject.By != 2 {
			t.Errorf("the reject is %+v", out.Reject)
		}
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
		if is := s.state(tokenTwo); is != before {
			t.Errorf("what bob holds is %+v, was %+v", is, before)
		}
		if one, three := s.state(tokenOne), s.state(tokenThree); one.X != 100 || one.Angle != 1500 ||
			three.Y != 300 || three.Angle != 1500 {
			t.Errorf("the others are %+v, %+v", one, three)
		}
	})
	t.Run("T60.3, T14 a pivot off the table is rejected whole", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		before := s.state(tokenOne)
		ada.act(table.OpPivot, tokenOne, at(table.MaxCoordinate, 0), turned(1500))
		out := s.receive(ada)
		wantVerdict(t, out, table.Rejected)
		if out.Reject.Reason != table.ReasonOffTable {
			t.Errorf("the reason is %d", out.Reject.Reason)
		}
		s.settle()
		if is := s.state(tokenOne); is != before {
			t.Errorf("it is %+v, was %+v", is, before)
		}
	})
}

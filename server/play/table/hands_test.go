package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT24HandsOfOthers tries every operation on a hand, by its owner, by a host and by another
// player.
// Clauses: T24.7, T24.10
func TestT24HandsOfOthers(t *testing.T) {
	const no = table.Reason(0)
	foreign := map[table.Op]table.Reason{table.OpCopy: no, table.OpRelease: table.ReasonNotHeld}
	rows := []struct {
		name    string
		prepare func(s *server, host, bob *tab)
		by      int // the seat that does it; the hand belongs to seat 2
		want    func(table.Op) table.Reason
	}{
		{
			name: "T24 its owner", by: 2,
			want: func(op table.Op) table.Reason {
				return map[table.Op]table.Reason{
					table.OpRelease: table.ReasonNotHeld, table.OpLock: table.ReasonNotAllowed,
					table.OpUnlock: table.ReasonNotAllowed,
				}[op]
			},
		},
		{
			name: "T24 a host", by: 1,
			want: func(op table.Op) table.Reason {
				return map[table.Op]table.Reason{table.OpRelease: table.ReasonNotHeld}[op]
			},
		},
		{
			name: "T24.10 another player", by: 3,
			want: func(op table.Op) table.Reason { return others(foreign, op) },
		},
		{
			name: "T14.14, T24 without the right comes before pinned, locked and held", by: 3,
			prepare: func(s *server, host, bob *tab) {
				bob.do(table.OpGrab, handTwo)
				bob.do(table.OpPin, handTwo)
				host.do(table.OpLock, handTwo)
			},
			want: func(op table.Op) table.Reason { return others(foreign, op) },
		},
		{
			name: "T14, T24 pinned for its owner, too", by: 2,
			prepare: func(_ *server, host, _ *tab) { host.do(table.OpPin, handTwo) },
			want: func(op table.Op) table.Reason {
				switch op {
				case table.OpGrab, table.OpMove, table.OpRotate, table.OpPivot, table.OpFlip,
					table.OpDelete:
					return table.ReasonPinned
				case table.OpLock, table.OpUnlock:
					return table.ReasonNotAllowed
				case table.OpRelease:
					return table.ReasonNotHeld
				default:
					return no
				}
			},
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for op, with := range pieceOps {
				s, host, bob, cid := sit(t)
				if row.prepare != nil {
					row.prepare(s, host, bob)
				}
				c := []*tab{host, bob, cid}[row.by-1]
				before := s.state(handTwo)
				out := s.must(t, c, c.make(op, handTwo, with...), map[bool]table.Verdict{
					true: table.Recorded, false: table.Rejected,
				}[row.want(op) == no])
				if out.Reject.Reason != row.want(op) {
					t.Errorf("%s: reason %d, want %d", op, out.Reject.Reason, row.want(op))
				}
				if out.Verdict == table.Rejected && s.state(handTwo) != before {
					t.Errorf("%s is rejected and changes the hand to %+v", op, s.state(handTwo))
				}
			}
		})
	}
}

// others is the reason for which op on a hand is rejected for everybody except its owner and the
// hosts.
func others(but map[table.Op]table.Reason, op table.Op) table.Reason {
	if r, ok := but[op]; ok {
		return r
	}
	return table.ReasonNotAllowed
}

// TestOwnersOfHands shows who owns new, free and given hands, and what that means for the pieces in
// them (T23).
func TestOwnersOfHands(t *testing.T) {
	// Clauses: T23.15, T24.12
	t.Run("T23, T24 a hand that is added or copied has no owner and is free", func(t *testing.T) {
		s, _, bob, cid := sit(t)
		bob.act(table.OpAdd, 0, kind(kindHand), at(0, 3000))
		bob.act(table.OpCopy, handTwo, at(0, -3000))
		cid.act(table.OpCopy, handTwo, at(0, 0))
		s.settle()
		made := slices.Concat(bob.made, cid.made)
		if len(made) != 3 {
			t.Fatalf("made %v", made)
		}
		for _, hand := range made {
			if owner := s.state(hand).Owner; owner != 0 {
				t.Errorf("hand %d is of seat %d", hand, owner)
			}
			cid.do(table.OpMove, hand, at(10, 10))
			bob.do(table.OpRotate, hand, turned(9000))
			cid.do(table.OpDelete, hand)
		}
		if owner := s.state(handTwo).Owner; owner != 2 {
			t.Errorf("the hand that was copied is of seat %d", owner)
		}
		if len(bob.rejects)+len(cid.rejects) != 0 {
			t.Errorf("rejects %v and %v", bob.rejects, cid.rejects)
		}
	})
	t.Run("T23.14 a new player gets the oldest free hand", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpAdd, 0, kind(kindHand), at(0, 3000), z("0.11"))
		ada.act(table.OpAdd, 0, kind(kindHand), at(0, -3000), z("0.1"))
		s.settle()
		for _, want := range ada.made {
			seat, _ := s.table.Sit(table.SeatInfo{Nick: "Dan", Role: table.RolePlayer}, s.now)
			s.publish(nil)
			if owner := s.state(want).Owner; owner != seat {
				t.Errorf("hand %d is of seat %d, want %d", want, owner, seat)
			}
		}
	})
	t.Run("T24.11 the holder of a hand that is given away may only release it", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpAdd, 0, kind(kindHand), at(0, 3000))
		hand := ada.made[0]
		bob.do(table.OpGrab, hand)
		seat, _ := s.table.Sit(table.SeatInfo{Nick: "Dan", Role: table.RolePlayer}, s.now)
		s.publish(nil)
		s.settle()
		dan := s.join(seat)
		bob.do(table.OpMove, hand, at(1, 1))
		bob.do(table.OpRelease, hand, at(2, 2))
		bob.do(table.OpGrab, hand)
		dan.wantAt(t, hand, 2, 2)
		if len(bob.rejects) != 2 || bob.rejects[0].Reason != table.ReasonNotAllowed ||
			bob.rejects[1].Reason != table.ReasonNotAllowed {
			t.Errorf("rejects %+v, want one of the move and one of the grab", bob.rejects)
		}
		dan.do(table.OpMove, hand, at(3, 3))
		bob.wantAt(t, hand, 3, 3)
	})
	t.Run("T24.10 moving a hand does not give its cards", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpMove, cardOne, at(0, handOneY))
		for _, op := range []table.Op{table.OpMove, table.OpDelete, table.OpGrab, table.OpRotate} {
			bob.act(op, handOne, pieceOps[op]...)
			wantVerdict(t, s.receive(bob), table.Rejected)
			s.settle()
		}
		s.wantSights(t, front, unseen, unseen, unseen)
		if owner := s.state(cardOne).Owner; owner != id.Seat(1) {
			t.Errorf("the card is of seat %d", owner)
		}
	})
}

package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT23OwnHands shows who may change the owner and the team of a hand, and what changes.
// Clauses: T23.16, T24.6
func TestT23OwnHands(t *testing.T) {
	const host, owner, other = 1, 2, 3 // the hand belongs to the second
	type by map[int]table.Reason
	free := func(_ *server, _, bob, _ *tab) { bob.do(table.OpLeave, worldHandTwo) }
	rows := []struct {
		name    string
		prepare func(s *server, ada, bob, cid *tab)
		op      table.Op
		with    []args
		want    by
		after   func(is *table.State, seat id.Seat) bool // the recorded state
	}{
		{
			name: "T14.13, T23 claim a hand with an owner", op: table.OpClaim,
			want: by{host: table.ReasonOwned, owner: table.ReasonOwned, other: table.ReasonOwned},
		},
		{
			name: "T23.16 claim a hand without an owner", op: table.OpClaim, prepare: free,
			want: by{host: 0, owner: 0, other: 0},
			after: func(is *table.State, seat id.Seat) bool {
				return is.Owner == seat && is.Team == ""
			},
		},
		{
			name: "T23 claim a locked hand", op: table.OpClaim,
			want: by{host: table.ReasonLocked, other: table.ReasonLocked},
			prepare: func(s *server, ada, bob, cid *tab) {
				free(s, ada, bob, cid)
				ada.do(table.OpLock, worldHandTwo)
			},
		},
		{
			name: "T23.16 leave", op: table.OpLeave,
			want: by{host: 0, owner: 0, other: table.ReasonNotAllowed},
			prepare: func(_ *server, _, bob, _ *tab) {
				bob.do(table.OpShare, worldHandTwo, whom(3))
			},
			after: func(is *table.State, _ id.Seat) bool {
				return is.Owner == 0 && is.Team == ""
			},
		},
		{
			name: "T23 leave a hand without an owner", op: table.OpLeave, prepare: free,
			want: by{
				host: table.ReasonNotAllowed, owner: table.ReasonNotAllowed,
				other: table.ReasonNotAllowed,
			},
		},
		{
			name: "T23.16 give", op: table.OpGive, with: []args{whom(3)},
			want: by{host: 0, owner: 0, other: table.ReasonNotAllowed},
			prepare: func(_ *server, _, bob, _ *tab) {
				bob.do(table.OpShare, worldHandTwo, whom(1))
			},
			after: func(is *table.State, _ id.Seat) bool {
				return is.Owner == 3 && is.Team == ""
			},
		},
		{
			name: "T23 give to a spectator", op: table.OpGive, with: []args{whom(4)},
			want: by{
				host: table.ReasonNotAllowed, owner: table.ReasonNotAllowed,
				other: table.ReasonNotAllowed,
			},
		},
		{
			name: "T23 give to the owner", op: table.OpGive, with: []args{whom(2)},
			want: by{host: table.ReasonNotAllowed, owner: table.ReasonNotAllowed},
		},
		{
			name: "T23.16 share", op: table.OpShare, with: []args{whom(3)},
			want: by{host: 0, owner: 0, other: table.ReasonNotAllowed},
			after: func(is *table.State, _ id.Seat) bool {
				return is.Owner == 2 && is.Team.Has(3) && is.Team.Len() == 1
			},
		},
		{
			name: "T23 share with a spectator", op: table.OpShare, with: []args{whom(4)},
			want: by{owner: table.ReasonNotAllowed},
		},
		{
			name: "T23 share with the owner", op: table.OpShare, with: []args{whom(2)},
			want: by{owner: table.ReasonNotAllowed},
		},
		{
			name: "T23 unshare", op: table.OpUnshare, with: []args{whom(3)},
			want: by{host: 0, owner: 0, other: table.ReasonNotAllowed},
			prepare: func(_ *server, _, bob, _ *tab) {
				bob.do(table.OpShare, worldHandTwo, whom(3))
			},
			after: func(is *table.State, _ id.Seat) bool {
				return is.Owner == 2 && is.Team == ""
			},
		},
		{
			name: "T23 a piece that is not a hand", op: table.OpClaim,
			want:    by{host: table.ReasonNotAllowed},
			prepare: func(_ *server, ada, bob, _ *tab) { bob.do(table.OpDelete, worldHandTwo) },
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for seat, reason := range row.want {
				s, ada, bob, cid := sitAtWorld(t)
				if row.prepare != nil {
					row.prepare(s, ada, bob, cid)
				}
				p := worldHandTwo
				if s.state(p).Gone {
					p = worldToken
				}
				before := s.state(p)
				[]*tab{ada, bob, cid}[seat-1].want(t, reason, row.op, p, row.with...)
				is := s.state(p)
				if reason != 0 && is != before || reason == 0 && !row.after(&is, id.Seat(seat)) {
					t.Errorf("by seat %d it is %+v", seat, is)
				}
			}
		})
	}
	t.Run("T15, T23, T24.2 an unknown seat", func(t *testing.T) {
		s, _, bob, _ := sitAtWorld(t)
		for _, op := range []table.Op{table.OpGive, table.OpShare, table.OpUnshare} {
			for _, nobody := range []id.Seat{0, 5, 1 << 20} {
				_, bogus := s.apply(bob, bob.make(op, worldHandTwo, whom(nobody)))
				wantBogus(t, bogus, table.CodeImpossible)
			}
			_, bogus := s.apply(bob, bob.make(op, worldHandTwo))
			wantBogus(t, bogus, table.CodeMalformed)
		}
	})
	t.Run("T14.9, T23 of two concurrent claims one succeeds", func(t *testing.T) {
		s, ada, bob, cid := sitAtWorld(t)
		bob.do(table.OpLeave, worldHandTwo)
		cid.act(table.OpClaim, worldHandTwo)
		ada.act(table.OpClaim, worldHandTwo)
		wantVerdict(t, s.receive(cid), table.Recorded)
		if out := s.receive(ada); out.Reject.Reason != table.ReasonOwned ||
			out.Reject.Piece.Name != 0 {
			t.Errorf("T28: the reject is %+v", out.Reject)
		}
		s.settle()
		if owner := s.state(worldHandTwo).Owner; owner != 3 {
			t.Errorf("it is of seat %d", owner)
		}
	})
	t.Run("T23 a team has seven seats at most", func(t *testing.T) {
		s, _, bob, _ := sitAtWorld(t)
		for range table.MaxTeam {
			seat, _ := s.table.Sit(table.SeatInfo{Role: table.RolePlayer}, s.now)
			s.publish(nil)
			bob.want(t, 0, table.OpShare, worldHandTwo, whom(seat))
			bob.want(t, 0, table.OpShare, worldHandTwo, whom(seat))
		}
		bob.want(t, table.ReasonNotAllowed, table.OpShare, worldHandTwo, whom(1))
		bob.want(t, 0, table.OpUnshare, worldHandTwo, whom(6))
		bob.want(t, 0, table.OpShare, worldHandTwo, whom(1))
		if team := s.state(worldHandTwo).Team; !slices.Equal(
			slices.Collect(team.Seats()), []id.Seat{1, 5, 7, 8, 9, 10, 11},
		) {
			t.Errorf("the team is %v", slices.Collect(team.Seats()))
		}
	})
}

// TestT23WhatLiesInHands shows what becomes of pieces in a hand, and of those held out of it, when
// the hand changes its owner or place.
func TestT23WhatLiesInHands(t *testing.T) {
	filled := func(t *testing.T) (s *server, ada, bob, cid *tab) {
		s, ada, bob, cid = sitAtWorld(t)
		bob.do(table.OpMove, worldCard, at(0, handTwoY))
		bob.do(table.OpMove, worldDieOne, at(500, handTwoY))
		bob.do(table.OpMove, worldCardTwo, at(1000, handTwoY))
		bob.do(table.OpGrab, worldCardTwo)
		return s, ada, bob, cid
	}
	sees := func(c *tab, p id.Piece) uint32 {
		if c.known(p) == nil {
			return 0
		}
		return c.displayed(p).Kind
	}
	rows := []struct {
		name string
		do   func(ada, bob *tab)
		// What ada, cid and bob see of the card, the die and the card that bob holds; 0: nothing.
		ada   [3]uint32
		cid   [3]uint32
		bob   [3]uint32
		owner id.Seat // of the card
	}{
		{
			"T23.1, T23.9 it lies there", func(_, _ *tab) {},
			[3]uint32{}, [3]uint32{}, [3]uint32{kindAce, kindDie, kindKing}, 2,
		},
		{
			"T23.5, T23.12 it is given", func(_, bob *tab) { bob.do(table.OpGive, worldHandTwo, whom(3)) },
			[3]uint32{}, [3]uint32{kindAce, kindDie, 0}, [3]uint32{0, 0, kindKing}, 3,
		},
		{
			"T23.8 it is shared", func(_, bob *tab) { bob.do(table.OpShare, worldHandTwo, whom(3)) },
			[3]uint32{}, [3]uint32{kindAce, kindDie, 0}, [3]uint32{kindAce, kindDie, kindKing}, 2,
		},
		{
			"T23.13 it is left", func(_, bob *tab) { bob.do(table.OpLeave, worldHandTwo) },
			[3]uint32{kindBack, kindDie, 0}, [3]uint32{kindBack, kindDie, 0},
			[3]uint32{kindBack, kindDie, kindKing}, 0,
		},
		{
			"T23 it is moved away",
			func(_, bob *tab) { bob.do(table.OpMove, worldHandTwo, at(-6000, handTwoY)) },
			[3]uint32{kindBack, kindDie, 0}, [3]uint32{kindBack, kindDie, 0},
			[3]uint32{kindBack, kindDie, kindKing}, 0,
		},
		{
			"T23 it is deleted", func(ada, _ *tab) { ada.do(table.OpDelete, worldHandTwo) },
			[3]uint32{kindBack, kindDie, 0}, [3]uint32{kindBack, kindDie, 0},
			[3]uint32{kindBack, kindDie, kindKing}, 0,
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, cid := filled(t)
			row.do(ada, bob)
			for i, p := range []id.Piece{worldCard, worldDieOne, worldCardTwo} {
				if got, want := [3]uint32{sees(ada, p), sees(cid, p), sees(bob, p)}, [3]uint32{
					row.ada[i], row.cid[i], row.bob[i],
				}; got != want {
					t.Errorf("of piece %d they see %v, want %v", p, got, want)
				}
			}
			if owner := s.state(worldCard).Owner; owner != row.owner {
				t.Errorf("the card is of seat %d, want %d", owner, row.owner)
			}
			s.keep()
			s.restart()
			s.settle()
			bob.do(table.OpRelease, worldCardTwo) // a held card follows when it is put down
			if owner := s.state(worldCardTwo).Owner; owner != row.owner {
				t.Errorf("what was held is of seat %d, want %d", owner, row.owner)
			}
		})
	}
	t.Run("T21.8, T23 who no longer shares sees nothing, under any identifier", func(t *testing.T) {
		s, _, bob, cid := filled(t)
		bob.do(table.OpShare, worldHandTwo, whom(3))
		name := s.called(worldCard)
		cid.do(table.OpFlip, worldCard, face(1)) // the team may do what the owner may
		bob.do(table.OpUnshare, worldHandTwo, whom(3))
		if cid.known(worldCard) != nil || s.called(worldCard) == name ||
			bob.known(worldCard) == nil {
			t.Errorf("it is called %d, was %d", s.called(worldCard), name)
		}
		for _, named := range []id.Piece{name, s.called(worldCard)} {
			u := cid.make(table.OpFlip, worldToken, face(0))
			u.Piece = named
			if r := s.must(t, cid, u, table.Rejected).Reject; r.Reason != table.ReasonGone ||
				r.Piece.Kind != 0 {
				t.Errorf("the reject is %+v", r)
			}
		}
	})
	t.Run("T21.9 an update with the old identifier counts for the new one", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.act(table.OpGrab, worldCard)
		ada.act(table.OpRelease, worldCard, at(0, handOneY)) // front down: a reveal follows
		ada.act(table.OpMove, worldToken, at(5, 5))
		for len(ada.up) > 0 {
			wantVerdict(t, s.receive(ada), table.Recorded)
		}
		s.settle()
		name := s.called(worldCard)
		out := ada.make(table.OpFlip, worldCard, face(1))
		out.Piece = worldCard // its name before
		s.must(t, ada, out, table.Recorded)
		if is := s.state(worldCard); is.Face != 1 || s.called(worldCard) != name {
			t.Errorf("it is %+v, called %d", is, s.called(worldCard))
		}
	})
	t.Run("T21.9 a few of the old identifiers are valid", func(t *testing.T) {
		const kept = 4
		s, ada, _, _ := sitAtWorld(t)
		var names []id.Piece
		for range kept + 2 {
			names = append(names, s.called(worldCard))
			ada.do(table.OpMove, worldCard, at(0, handOneY))
			ada.do(table.OpMove, worldCard, at(0, 3000))
		}
		for i, name := range names {
			u := ada.make(table.OpRotate, worldCard, turned(9000))
			u.Piece = name
			want := table.Recorded
			if i < len(names)-kept {
				want = table.Rejected
			}
			if out := s.must(t, ada, u, want); want == table.Rejected &&
				out.Reject.Reason != table.ReasonGone {
				t.Errorf("name %d: reason %d", i, out.Reject.Reason)
			}
			ada.renew()
		}
		s.keep()
		s.restart()
		s.settle()
	})
}

// TestT15Forged makes a player name pieces that they do not see, in every operation. It shows that
// the answer is the one for a name that no piece has.
// Clauses: T15.5, T15.7
func TestT15Forged(t *testing.T) {
	s, ada, bob, cid := sitAtWorld(t)
	ada.do(table.OpMove, worldCard, at(0, handOneY))
	ada.do(table.OpMove, worldChips, at(1000, handOneY))
	ada.do(table.OpMove, worldDieOne, at(2000, handOneY))
	unseen := map[string]id.Piece{
		"a card in another's hand": s.called(worldCard),
		"chips in another's hand":  s.called(worldChips),
		"a die in another's hand":  s.called(worldDieOne),
		"its identifier before":    worldCard, "a piece in a deck": s.lying(worldDeck)[0],
		"a piece in a bag": s.lying(worldBag)[0],
	}
	free := table.MaxRandomName
	for _, taken := s.bearers[free]; taken; _, taken = s.bearers[free] {
		free--
	}
	more := map[table.Op][]args{
		table.OpStow: {into(worldDeck)}, table.OpWrite: {text("x")}, table.OpAssign: {whom(3)},
		table.OpShow: {whom(1)}, table.OpCount: {amount(1)}, table.OpSplit: {amount(1), at(0, 0)},
		table.OpGive: {whom(1)}, table.OpShare: {whom(1)}, table.OpUnshare: {whom(1)},
		table.OpStart: nil, table.OpPress: {side(1)}, table.OpPeek: nil, table.OpDraw: nil,
		table.OpDeal: nil, table.OpRecall: nil, table.OpCut: nil, table.OpShuffle: nil,
		table.OpClaim: nil, table.OpLeave: nil, table.OpRoll: nil, table.OpPass: nil,
		table.OpTurn: nil, table.OpRun: nil,
	}
	for op, with := range pieceOps {
		more[op] = with
	}
	for op, with := range more {
		answer := func(name id.Piece) (table.Outcome, table.Reject) {
			u := cid.make(op, 0, with...)
			u.Piece, u.Has = name, u.Has|table.HasPiece
			if !blind(op) {
				u.Has, u.Tag = u.Has|table.HasTag, s.table.VersionAt(3, s.table.Gen())
			}
			out, bogus := s.apply(cid, u)
			if bogus != nil {
				t.Fatalf("%s: %v", op, bogus)
			}
			r := out.Reject
			r.Seq = 0
			if r.Piece.Name == name {
				r.Piece.Name = 1
			}
			return out, r
		}
		entries := len(s.log)
		out, want := answer(free)
		if out.Verdict != table.Rejected || want.Reason != table.ReasonGone {
			t.Errorf("T15: %s of an unknown identifier: %+v", op, out)
		}
		for what, name := range unseen {
			if out, got := answer(name); out.Verdict != table.Rejected || got != want ||
				out.Chance.What != 0 {
				t.Errorf("T15: %s of %s: %+v, of an unknown identifier %+v", op, what, out, want)
			}
		}
		if len(s.log) != entries {
			t.Errorf("T15: a forged %s is recorded: %+v", op, s.log[entries:])
		}
	}
	for what, name := range unseen { // as the container, and in a list
		for _, u := range []table.Update{
			cid.make(table.OpStow, worldCardTwo, into(free)),
			cid.make(table.OpShuffle, 0, pieces(worldCardTwo, worldCardThree, free)),
		} {
			u.Seq = cid.seq + 1
			cid.seq++
			if u.Op == table.OpStow {
				u.Into = name
			} else {
				u.Pieces[2] = name
			}
			if r := s.must(t, cid, u, table.Rejected).Reject; r.Reason != table.ReasonGone {
				t.Errorf("T15: %s with %s: reason %d", u.Op, what, r.Reason)
			}
			cid.renew()
		}
	}
	if len(bob.conflicts)+len(ada.conflicts) != 0 {
		t.Error("T16: it is a conflict")
	}
	_, bogus := s.apply(
		cid,
		func() table.Update {
			u := cid.make(table.OpRoll, 0)
			u.Piece, u.Has = 5000, table.HasPiece
			return u
		}(),
	)
	wantBogus(t, bogus, table.CodeUnknownPiece)
}

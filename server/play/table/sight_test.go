package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// drawing is randomness that gives certain numbers, one after the other.
type drawing struct{ next []int }

func (d *drawing) IntN(int) int {
	n := d.next[0]
	d.next = d.next[1:]
	return n
}

// TestNamesAgain shows when a random name is given to a second piece.
func TestNamesAgain(t *testing.T) {
	t.Run("T21.12 a name may be used again only when no piece has it", func(t *testing.T) {
		cfg := config
		cfg.RandomNames = &drawing{next: []int{5, 5, 6, 5}}
		tab := table.New(cfg)
		tab.SetUp([]table.Place{{OID: oid(1), State: table.State{Kind: kindToken}}}, 1)
		seat, _ := tab.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
		c := &chances{
			t: t, table: tab, by: table.By{Client: clientID(1), Seat: seat, Role: table.RoleHost},
		}
		add := func() id.Piece {
			p, _ := c.do(table.OpAdd, table.HasKind|table.HasXY, table.Update{Kind: kindToken})
			return p
		}
		first, second := add(), add()
		if first != table.MinRandomName+5 || second != table.MinRandomName+6 {
			t.Errorf("the names are %d and %d", first, second)
		}
		c.do(table.OpDelete, tagged, table.Update{Piece: first})
		third := add()
		if third != first {
			t.Errorf("the third name is %d, want %d", third, first)
		}
		c.do(table.OpMove, tagged|table.HasXY, table.Update{Piece: third, X: 7})
		if is := look(t, tab, third); is.X != 7 {
			t.Errorf("the piece of that name is %+v", is)
		}
	})
}

// TestWorkForUnseen shows that the server does the same work for a name that the sender does not
// see, whatever the name means to others. How long an answer takes follows from that work.
// Clauses: T15.7, T15.8
func TestWorkForUnseen(t *testing.T) {
	s, ada, _, cid := sitAtWorld(t)
	ada.do(table.OpMove, worldCard, at(0, handOneY))
	ada.do(table.OpMove, worldDieOne, at(2000, handOneY))
	free := table.MaxRandomName
	for _, taken := s.bearers[free]; taken; _, taken = s.bearers[free] {
		free--
	}
	type work struct {
		weight table.Weight
		looks  uint64
		reason table.Reason
	}
	more := map[table.Op][]args{
		table.OpStow: {into(worldDeck)}, table.OpDraw: nil, table.OpDeal: nil, table.OpRecall: nil,
		table.OpCut: nil, table.OpPeek: nil, table.OpShuffle: nil, table.OpTake: nil,
		table.OpGive: {whom(1)}, table.OpRoll: nil, table.OpTurn: nil,
		table.OpRun: nil,
	}
	for op, with := range pieceOps {
		more[op] = with
	}
	for op, with := range more {
		do := func(name id.Piece) work {
			u := cid.make(op, 0, with...)
			u.Piece, u.Has = name, u.Has|table.HasPiece
			if !blind(op) {
				u.Has, u.Tag = u.Has|table.HasTag, s.table.VersionAt(3, s.table.Gen())
			}
			w := work{weight: s.table.Weigh(cid.seat, []table.Update{u}, unbounded)}
			before := s.table.Looks()
			out := s.must(t, cid, u, table.Rejected)
			w.looks, w.reason = s.table.Looks()-before, out.Reject.Reason
			return w
		}
		want := do(free)
		for what, name := range map[string]id.Piece{
			"a card in another's hand": s.called(worldCard), "what it was called before": worldCard,
			"a die in another's hand": s.called(worldDieOne),
			"what lies in a deck":     s.lying(worldDeck)[0], "what lies in a bag": s.lying(worldBag)[0],
		} {
			if got := do(name); got != want {
				t.Errorf("%s of %s: %+v, of a name that nobody has: %+v", op, what, got, want)
			}
		}
	}
}

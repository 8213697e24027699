package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// looks is what a view is shown of an entry, without the versions.
type looks struct {
	before, after table.Shown
	shown         bool
	notice        notice
	faces         bool
}

func (s *server) looks(e *table.Entry, seat id.Seat) looks {
	var l looks
	l.before, l.after, l.shown = s.table.Shows(e, seat)
	if e.Notice {
		l.notice.piece, l.notice.count, l.faces = s.table.Notice(e, seat)
	}
	l.before.Version, l.before.ZVersion, l.after.Version, l.after.ZVersion = 0, 0, 0, 0
	return l
}

// TestApart shows that Apart names every seat that is shown something else of an entry than
// spectators are.
func TestApart(t *testing.T) {
	s, ada, bob, cid := sit(t)
	rnd := seeded(7)
	for range 2000 {
		c := []*tab{ada, bob, cid}[rnd.IntN(3)]
		p := cardOne + id.Piece(rnd.IntN(4))
		switch to := at(
			rnd.Int32N(4000)-2000, []int32{handOneY, 0, handTwoY}[rnd.IntN(3)],
		); rnd.IntN(6) {
		case 0:
			c.do(table.OpFlip, p, face(rnd.Int32N(2)))
		case 1:
			c.do(table.OpMove, handOne+id.Piece(rnd.IntN(2)), to)
		case 2:
			c.do(table.OpMove, tokenOne, to)
		default:
			c.do(table.OpMove, p, to)
		}
	}
	alike, apart := 0, 0
	for i := range s.log {
		e := &s.log[i]
		others := s.table.Apart(e)
		all := s.looks(e, 0)
		for _, who := range s.table.Seats() {
			switch l := s.looks(e, who.Seat); {
			case l == all:
				alike++
			case slices.Contains(others, who.Seat):
				apart++
			default:
				t.Fatalf("T22 seat %d is shown %+v of %v, spectators %+v", who.Seat, l, e.Op, all)
			}
		}
	}
	if alike < 1000 || apart < 100 {
		t.Errorf("%d looks alike, %d apart: this covers little", alike, apart)
	}
}

package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// picture is a table as it looks, but for names, versions, levels as such, clocks and cool-downs:
// its pieces in drawing order, and what lies in each container, in no order.
type picture struct {
	entries int           // of the log
	drawn   []table.State // heavy pieces, then light ones, then those in hands, hand by hand
	boxes   []table.State
	// Somebody holds something in a hand. It stays when the rest goes with the hand, and lies below
	// it then.
	heldInHand bool
}

// look returns the picture of the table.
func (s *server) look() (p picture) {
	im := s.table.Image()
	p.entries = len(s.log)
	order := func(a, b table.PieceImage) int {
		x, y := &a.State, &b.State
		switch {
		case x.In != y.In:
			return int(x.In) - int(y.In)
		case kinds[x.Kind].Heavy != kinds[y.Kind].Heavy:
			if kinds[x.Kind].Heavy {
				return -1
			}
			return 1
		case x.Z != y.Z && x.Z < y.Z, x.Z == y.Z && x.ZGen < y.ZGen:
			return -1
		default:
			return 1
		}
	}
	slices.SortFunc(im.Pieces, order)
	for _, piece := range im.Pieces {
		is := piece.State
		inBox := is.In != 0 && is.Owner == 0
		p.heldInHand = p.heldInHand || is.In != 0 && is.Holder != 0
		is.Z, is.ZGen, is.Since, is.Rolled, is.Clock = "", 0, 0, 0, table.Clock{}
		if inBox {
			p.boxes = append(p.boxes, is)
		} else {
			p.drawn = append(p.drawn, is)
		}
	}
	return p
}

// unheld returns a picture without who holds what.
func (p picture) unheld() picture {
	p.drawn = slices.Clone(p.drawn)
	for i := range p.drawn {
		p.drawn[i].Holder = 0
	}
	return p
}

// owners returns whose the hands are, in the order in which they are drawn.
func (p picture) owners() (all []string) {
	for _, is := range p.drawn {
		if kinds[is.Kind].Hand {
			all = append(all, fmt.Sprintf("%d %s", is.Owner, is.Team))
		}
	}
	return all
}

// lying returns the pieces of a picture without how they lie in hands.
func (p picture) lying() []table.State {
	all := slices.Clone(p.drawn)
	for i := range all {
		if is := &all[i]; is.In != 0 {
			is.X, is.Y, is.Angle = 0, 0, 0
		}
	}
	return all
}

// texts returns states as texts.
func texts(all []table.State) []string {
	made := make([]string, 0, len(all))
	for _, is := range all {
		made = append(made, fmt.Sprintf("%+v", is))
	}
	return made
}

// sorted returns states as texts in the order of the texts.
func sorted(all []table.State) []string {
	made := texts(all)
	slices.Sort(made)
	return made
}

// differs returns how two pictures differ. Without order it is enough that the same pieces are
// there, and lie at the same places of the table.
func (p picture) differs(o picture, order bool) string {
	// Texts take time, and most pictures are equal.
	if slices.Equal(p.drawn, o.drawn) && slices.Equal(p.boxes, o.boxes) {
		return ""
	}
	drawn := [2][]string{texts(p.drawn), texts(o.drawn)}
	if !order {
		drawn = [2][]string{sorted(p.lying()), sorted(o.lying())}
	}
	for k, lists := range [][2][]string{drawn, {sorted(p.boxes), sorted(o.boxes)}} {
		for i := range max(len(lists[0]), len(lists[1])) {
			var a, b string
			if i < len(lists[0]) {
				a = lists[0][i]
			}
			if i < len(lists[1]) {
				b = lists[1][i]
			}
			if a != b {
				return fmt.Sprintf("list %d, place %d:\n-%s\n+%s", k, i, a, b)
			}
		}
	}
	return ""
}

// onlyTouched reports whether somebody has grabbed a piece and let go of it where it lay. Since
// then it lies above others, and an undo leaves it there.
func onlyTouched(log []table.Entry) bool {
	grabbed := map[id.OID]table.State{}
	for _, e := range log {
		if e.Op == table.OpGrab && !e.Made && e.Before.Z != e.After.Z {
			grabbed[e.Piece] = e.Before
		}
		if was, ok := grabbed[e.Piece]; ok && (e.After.Gone || e.After.X != was.X ||
			e.After.Y != was.Y || e.After.In != was.In) {
			delete(grabbed, e.Piece)
		}
	}
	return len(grabbed) > 0
}

// TestT63UndoRestores shows over random gestures that an undo brings the table back to how it was
// before the gesture: pieces, places, faces, orders, hands and containers.
// Clauses: T63.1, T63.11, T63.12, T63.13
func TestT63UndoRestores(t *testing.T) {
	if *seedFlag != 0 {
		undoAll(t, *seedFlag, map[table.Op]int{}, (*tab).randomAct)
		return
	}
	undone := map[table.Op]int{}
	required := []table.Op{
		table.OpMove, table.OpFlip, table.OpRotate, table.OpRaise, table.OpPin, table.OpCount,
		table.OpWrite, table.OpSplit, table.OpDraw, table.OpDeal, table.OpStow, table.OpRecall,
		table.OpDelete, table.OpAdd, table.OpCopy, table.OpShare, table.OpLeave, table.OpRoll,
		table.OpAssign, table.OpRun,
	}
	isMissing := func(op table.Op) bool { return undone[op] == 0 }
	first, runs := firstSeed("steps"), uint64(budget(t)/10_000)
	// Some operations are rare. If one is missing, more runs follow.
	for i := uint64(0); i < runs || i < 4*runs && slices.ContainsFunc(required, isMissing); i++ {
		undoAll(t, first+i, undone, (*tab).randomAct)
	}
	for _, op := range required {
		if isMissing(op) {
			t.Errorf("no %s was undone: this shows little (%v)", op, undone)
		}
	}
}

// undoAll plays a game in which people do what act does, and undo it.
func undoAll(t *testing.T, seed uint64, undone map[table.Op]int, act func(*tab)) {
	t.Helper()
	s := newRackWorld(t, seed)
	s.run = fmt.Sprintf("go test -run '%s' -seed %d", t.Name(), seed)
	for _, seat := range []id.Seat{1, 2, 3} {
		s.join(seat)
	}
	for s.step = 1; s.step <= 300; s.step++ {
		c := s.tabs[s.rnd.IntN(3)]
		before, first := map[id.Generation]picture{}, table.NewestGesture(s.table, c.seat)
		was, began := s.look(), len(s.log)
		// One act may be several updates, of which each may begin a gesture.
		s.onUpdate = func() {
			if n := table.NewestGesture(s.table, c.seat); n > first {
				before[n], first = was, n
			}
			was = s.look()
		}
		for range 1 + s.rnd.IntN(8) {
			act(c)
			s.deliver()
			s.now += 3
		}
		s.onUpdate()
		s.onUpdate = nil
		redealt := false // a hand was somebody else's, so that its order is another one since
		touched := onlyTouched(s.log[began:])
		for range s.rnd.IntN(6) {
			u, no := s.table.Undoable(c.seat)
			if no != nil {
				break
			}
			want, known := before[u.Gesture]
			newest := table.NewestGesture(s.table, c.seat)
			if !known || !s.undo(c.seat) {
				break
			}
			s.deliver()
			s.inOrder()
			undone[u.Op]++
			if u.Op == table.OpShuffle || u.Op == table.OpCut {
				break // what was shuffled again is not as it was before earlier gestures, either
			}
			if slices.ContainsFunc(s.log[began:], func(e table.Entry) bool {
				return e.Op == table.OpRoll && e.After.In != 0
			}) {
				break // a roll in a hand stays (T63.16), whatever it belongs to
			}
			inOrder, is := u.Gesture == newest && !want.heldInHand && !redealt && !touched, s.look()
			redealt = redealt || !slices.Equal(was.owners(), is.owners())
			was = is
			// Nobody gets back what was taken out of their hand (T63.11).
			if slices.ContainsFunc(s.log[want.entries:], func(e table.Entry) bool {
				return e.Op == table.OpWrest && e.Seat == c.seat
			}) {
				want, is = want.unheld(), is.unheld()
			}
			if diff := want.differs(is, inOrder); diff != "" {
				s.fatalf("T63: after the undo of %s by seat %d (-before +after) %s", u.Op, c.seat, diff)
			}
		}
	}
	s.settle()
}

package table_test

import (
	"fmt"
	"maps"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
)

// In games of twins that part, seats are put out, leave, log out, and come back by links. Somebody
// else takes the place of a seat that has ended. The table may be full; then a seat is freed first.

// twinsPartOnce are the seeds of twins that part that once found a fault.
var twinsPartOnce = []uint64{
	3940437809856870881, 6558256932598190807, 5194382828457459169, 2648318470795095948,
	5276525710162483356, 5037925539670552817, 2943943521039664900,
}

// parting makes twins part. One game of eight is played at a full table.
func (tw *twins) parting(seed uint64) *twins {
	tw.parts = true
	if seed%8 != 0 {
		return tw
	}
	tw.full = true
	for _, s := range tw.at {
		for n := len(s.table.Seats()); n < table.MaxInUse; n++ {
			s.table.Sit(table.SeatInfo{Nick: fmt.Sprint("watcher ", n), Role: table.RoleSpectator},
				s.now)
		}
		s.publish(nil)
	}
	return tw
}

// somebody returns the seat of one of the players.
func (tw *twins) somebody() id.Seat { return tw.chairs[tw.rnd.IntN(len(tw.chairs))] }

// next returns the player after a seat.
func (tw *twins) next(seat id.Seat) id.Seat {
	return tw.chairs[(slices.Index(tw.chairs[:], seat)+1)%len(tw.chairs)]
}

// actPart makes somebody leave, or come back by a link.
func (tw *twins) actPart() {
	tw.t.Helper()
	seat := tw.somebody()
	switch n := tw.rnd.IntN(10); {
	case n < 4:
		tw.end(seat)
	case n < 6:
		host := tw.chairs[0]
		tw.both("a host's link", func(s *server) bool {
			return s.table.NoteLink(seat, host, s.now) && s.table.Move(seat, host, s.now)
		})
	case n < 7:
		tw.both("a link", func(s *server) bool { return s.table.Move(seat, seat, s.now) })
	case n < 8:
		tw.both("a log-out", func(s *server) bool { return s.table.VoidToken(seat, s.now) })
	default:
		tw.giveLeft()
	}
}

// end ends a seat. Somebody else takes its place.
func (tw *twins) end(seat id.Seat) {
	tw.t.Helper()
	e := table.Ending{
		By: []id.Seat{seat, tw.chairs[0]}[tw.rnd.IntN(2)], Hands: table.HandsTo(tw.rnd.IntN(3)),
		To: tw.somebody(),
	}
	if !tw.mayEnd(seat, e) {
		return
	}
	tw.both(fmt.Sprintf("the end of seat %d by %+v", seat, e), func(s *server) bool {
		return s.table.Unseat(seat, e, s.now)
	})
	for i := range tw.names {
		delete(tw.names[i], seat)
		delete(tw.tabs[i], seat)
	}
	if tw.partner == seat {
		tw.partner = 0
	}
	tw.sit(seat)
}

// mayEnd reports whether a seat can end in that way without showing a compared view more at one of
// the tables.
func (tw *twins) mayEnd(seat id.Seat, e table.Ending) bool {
	if e.Hands == table.HandsGiven && (e.To == seat || seat == tw.sly) {
		return false
	}
	return e.Hands != table.HandsBack || !slices.ContainsFunc(tw.inHand(seat), func(p target) bool {
		return !tw.alike(p, true) || tw.state(p, 0).Home != tw.state(p, 1).Home
	})
}

// sit seats somebody in the place of a seat that has ended. The successor of the sly player is the
// sly player. At a full table the seat of a spectator is freed first.
func (tw *twins) sit(left id.Seat) {
	tw.t.Helper()
	if tw.full {
		tw.freed++
		free := id.Seat(table.MaxInUse - tw.freed)
		tw.both(fmt.Sprintf("seat %d is freed", free), func(s *server) bool {
			return s.table.Unused(free) && s.table.Unseat(free, table.Ending{By: free}, s.now)
		})
	}
	chair := slices.Index(tw.chairs[:], left)
	who := table.SeatInfo{Nick: fmt.Sprint("late ", tw.step), Role: table.RolePlayer}
	if chair == 0 {
		who.Role = table.RoleHost
	}
	seats := tw.at[0].table.Seats()
	seat := id.Seat(len(seats) + 1)
	if tw.full {
		seat = seats[slices.IndexFunc(seats, func(s table.SeatInfo) bool {
			return s.Left != 0 && s.Fresh
		})].Seat
	}
	for i := range tw.names { // a new seat knows at first what everybody knows
		tw.names[i][seat] = &naming{
			numbers: maps.Clone(tw.names[i][0].numbers), of: slices.Clone(tw.names[i][0].of),
		}
	}
	tw.chairs[chair] = seat
	if left == tw.sly {
		tw.sly = seat
		tw.former[left] = true
	}
	tw.both(fmt.Sprintf("seat %d is taken", seat), func(s *server) bool {
		got, ok := s.table.Sit(who, s.now)
		return ok && got == seat
	})
	for i := range tw.at {
		tw.tabs[i][seat] = tw.join(i, seat)
		if aside := tw.join(i, seat); left != 0 && tw.sly == seat {
			tw.aside = aside // at the end this is the one at the second table
		}
	}
}

// giveLeft makes the host give somebody a hand of a seat that has ended. The hand of a former sly
// player goes only to the next one.
func (tw *twins) giveLeft() {
	tw.t.Helper()
	p, ok := tw.open(func(k *table.Kind) bool { return k.Hand })
	if !ok {
		return
	}
	owner := tw.state(p, 0).Owner
	if who, _ := tw.at[0].table.Seat(owner); who.Left == 0 {
		return
	}
	to := tw.somebody()
	if tw.former[owner] {
		to = tw.sly
	}
	tw.do(tw.chairs[0], table.OpGive, p, whom(to))
}

// both does something at both tables, and compares what is published. It must succeed.
func (tw *twins) both(what string, do func(s *server) bool) {
	tw.t.Helper()
	var told [2]map[id.Seat][]string
	for i, s := range tw.at {
		s.step, s.now = tw.step, 1_000_000+id.Millis(tw.step)*400
		if !do(s) {
			tw.fatalf("%s: not done at table %d", what, i+1)
		}
		entries := s.publish(nil)
		told[i] = map[id.Seat][]string{}
		for seat := range tw.names[i] {
			told[i][seat] = tw.told(i, seat, entries)
		}
		s.checkHands()
	}
	tw.compareTold(what, told)
	tw.compareStates()
}

// compareUnused compares which seats can be freed, since a newcomer learns from a full table that
// none can (T56).
func (tw *twins) compareUnused() {
	tw.t.Helper()
	for _, who := range tw.at[0].table.Seats() {
		if one, other := tw.at[0].table.Unused(who.Seat),
			tw.at[1].table.Unused(who.Seat); one != other {
			tw.fatalf("T56: seat %d can be freed: at one table %t, at the other %t",
				who.Seat, one, other)
		}
	}
}

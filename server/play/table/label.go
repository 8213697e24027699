package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Player labels and turn markers, which belong to a seat (T35).

// SeatKind says how a piece belongs to a seat (T35).
type SeatKind uint8

// Not at all, as a player label, or as a turn marker.
const (
	SeatNone SeatKind = iota
	SeatLabel
	SeatTurn
)

func init() {
	define(rows{
		OpAssign: {Name: "assign", Traits: ToNobody, Forms: []Form{{
			Required:  tagged | HasSeat,
			Condition: "a player label or a turn marker; a seat that has not ended",
			Ack:       "`owner`",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).assign},
		OpPass: {Name: "pass", Forms: []Form{{
			Required:  blind,
			Condition: "a turn marker that T82 lets the sender pass on",
			Ack:       "`owner`",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed},
		}}, change: (*judging).pass, weigh: (*weighing).pass},
	})
}

// belongsToSeat reports whether pieces of the kind belong to a seat. Such a piece lies open in
// every hand.
func (k *Kind) belongsToSeat() bool { return k.Seat != SeatNone }

// assign gives a label or a marker to a seat, or to nobody.
func (j *judging) assign() Reason {
	who, _ := j.t.Seat(j.u.Seat)
	if !j.t.kinds[j.after.Kind].belongsToSeat() || who.Left != 0 {
		return ReasonNotAllowed
	}
	j.after.Owner = j.u.Seat
	return reasonNone
}

// giveLabel gives a seat the player label that is nobody's and lies nearest to its hand, of several
// the oldest.
func (t *Table) giveLabel(hand *piece, seat id.Seat, now id.Millis) {
	if !slices.ContainsFunc(t.kinds, func(k Kind) bool { return k.Seat == SeatLabel }) {
		return
	}
	var nearest *piece
	var least int64
	for _, p := range t.pieces {
		t.looks++
		s := &p.state
		if t.kinds[s.Kind].Seat != SeatLabel || s.Owner != 0 || s.Holder != 0 || s.Locked ||
			!t.open(s) {
			continue
		}
		dx, dy := int64(s.X)-int64(hand.state.X), int64(s.Y)-int64(hand.state.Y)
		far := dx*dx + dy*dy
		if nearest == nil || cmp.Or(cmp.Compare(far, least), byAge(p, nearest)) < 0 {
			nearest, least = p, far
		}
	}
	if nearest == nil {
		return
	}
	s := nearest.state
	s.Owner = seat
	t.serve(nearest, OpAssign, seat, now, s)
}

// pass gives a turn marker to the next seat, or to the one before, which only buttons do (T87).
func (j *judging) pass() Reason {
	if j.t.kinds[j.after.Kind].Seat != SeatTurn || !j.mayPass() {
		return ReasonNotAllowed
	}
	if j.u.Has&HasN != 0 && j.u.N < 0 {
		j.after.Owner = j.t.previous(j.after.Owner)
		return reasonNone
	}
	j.after.Owner = j.t.next(j.after.Owner)
	return reasonNone
}

// mayPass reports whether the sender may pass the turn on (T82): it is theirs, they are a host, or
// it is the turn of nobody who plays.
func (j *judging) mayPass() bool {
	who, _ := j.t.Seat(j.after.Owner)
	return j.after.Owner == j.by.Seat || j.by.Role.Hosts() || !who.Plays()
}

// next returns the next seat after seat that plays, the first one after the last. It returns 0 if
// nobody plays.
func (t *Table) next(seat id.Seat) id.Seat {
	n := len(t.seats)
	for i := range n {
		if who := t.seats[(int(seat)+i)%n]; who.Plays() {
			return who.Seat
		}
	}
	return 0
}

// previous returns the seat before seat that plays, the last one before the first. It returns 0 if
// nobody plays.
func (t *Table) previous(seat id.Seat) id.Seat {
	n := len(t.seats)
	for i := range n {
		if who := t.seats[(2*n+int(max(seat, 1))-2-i)%n]; who.Plays() {
			return who.Seat
		}
	}
	return 0
}

// pass weighs the passing of a turn.
func (w *weighing) pass(*Update, *piece) { w.Looks += len(w.t.seats) }

// ToMove returns the seats whose turn it is, as turn markers that lie open say: none if nobody owns
// one.
func (t *Table) ToMove() (seats []id.Seat) {
	if !slices.ContainsFunc(t.kinds, func(k Kind) bool { return k.Seat == SeatTurn }) {
		return nil
	}
	for _, p := range t.pieces {
		s := &p.state
		if s.Owner != 0 && t.kinds[s.Kind].Seat == SeatTurn && t.open(s) &&
			!slices.Contains(seats, s.Owner) {
			seats = append(seats, s.Owner)
		}
	}
	slices.Sort(seats)
	return seats
}

// isTurnOf reports whether a piece in that state says that it is the turn of a seat.
func (t *Table) isTurnOf(seat id.Seat, s *State) bool {
	return s.Owner == seat && t.kinds[s.Kind].Seat == SeatTurn
}

// passOn passes on the turn of a seat that ends.
func (t *Table) passOn(p *piece, seat, by id.Seat, now id.Millis) {
	s := p.state
	s.Owner = t.next(seat)
	t.serve(p, OpPass, by, now, s)
}

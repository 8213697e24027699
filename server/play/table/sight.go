package table

import (
	"slices"

	"holt/server/id"
)

// private reports whether pieces of a kind belong to the hand in which they lie (T23). A piece that
// itself belongs to a seat (T35) belongs to no hand.
func (t *Table) private(kind uint32) bool {
	k := &t.kinds[kind]
	return k.Secret || k.Private && !k.belongsToSeat()
}

// inHand reports whether a piece in that state lies in a hand, where only its owner and the team
// see it (T23).
func (t *Table) inHand(s *State) bool { return s.In != 0 && s.Owner != 0 && t.private(s.Kind) }

// isOnRack reports whether a piece in that state is secret and lies on a rack: everybody sees
// that it is there, and only the owner and the team of the rack see its front (T96).
func (t *Table) isOnRack(s *State) bool {
	return s.In == 0 && s.Owner != 0 && !s.Gone && t.kinds[s.Kind].Secret
}

// handles reports whether a seat may do something with a piece in that state: what lies on a rack
// is for those alone who see its front as owner or team (T96).
func (t *Table) handles(s *State, seat id.Seat) bool {
	return !t.isOnRack(s) || s.Owner == seat || s.Team.Has(seat)
}

// inContainer reports whether a piece in that state lies in a container, where nobody sees it
// (T29).
func (t *Table) inContainer(s *State) bool { return s.In != 0 && !t.inHand(s) }

// open reports whether everybody sees a piece in that state.
func (t *Table) open(s *State) bool { return s.In == 0 && !t.inHand(s) && !s.Gone }

// sees reports whether a view sees a piece in that state at all (T21). A view is named by its seat.
func (t *Table) sees(s *State, view id.Seat) bool {
	switch {
	case t.open(s):
		return true
	case s.Gone || t.inContainer(s):
		return false
	default:
		return s.Owner == view || s.Team.Has(view) || t.isOpened(view, s.Owner)
	}
}

// watchers returns the seats whose views see a piece that lies in a hand. It returns none for any
// other piece.
func (t *Table) watchers(s *State) []id.Seat { return t.appendWatchers(nil, s) }

func (t *Table) appendWatchers(seats []id.Seat, s *State) []id.Seat {
	if s.Gone || !t.inHand(s) {
		return seats
	}
	return t.appendKnowers(seats, s)
}

// appendKnowers appends the seats that see a piece in a hand, or the front of one on a rack.
func (t *Table) appendKnowers(seats []id.Seat, s *State) []id.Seat {
	if s.Gone || !t.inHand(s) && !t.isOnRack(s) {
		return seats
	}
	return slices.AppendSeq(append(seats, s.Owner), s.Team.Seats())
}

// hides reports whether a piece goes out of the sight of some view that saw it (T21). It is false
// for a deletion: a deleted piece has no name any more that could reveal something.
func (t *Table) hides(before, after *State) bool {
	switch {
	case after.Gone || t.open(after) || t.inContainer(before):
		return false
	case t.open(before):
		return true
	default:
		return slices.ContainsFunc(t.watchers(before), func(v id.Seat) bool {
			return !t.sees(after, v)
		})
	}
}

// shows reports whether a piece comes into the sight of some view that did not see it.
func (t *Table) shows(before, after *State) bool {
	switch {
	case t.open(before) || after.Gone || t.inContainer(after):
		return false
	case t.open(after):
		return true
	default:
		return slices.ContainsFunc(t.watchers(after), func(v id.Seat) bool {
			return !t.sees(before, v)
		})
	}
}

// formersKept is the most former names that a piece keeps. Few of them have an update in flight.
const formersKept = 4

// rename gives p, in its new state, the name that it has from now on. A former name still counts
// only for views that have seen the piece without interruption since (T21).
func (t *Table) rename(p *piece, was *State, name id.Piece) {
	kept := slices.DeleteFunc(t.watchers(&p.state), func(v id.Seat) bool { return !t.sees(was, v) })
	formers := make([]FormerImage, 0, len(p.formers)+1)
	for i, f := range append(p.formers[:len(p.formers):len(p.formers)],
		FormerImage{Name: p.name, Views: kept}) {
		blind := func(v id.Seat) bool { return !t.sees(&p.state, v) }
		if slices.ContainsFunc(f.Views, blind) {
			f.Views = slices.DeleteFunc(slices.Clone(f.Views), blind)
		}
		if len(f.Views) == 0 || i < len(p.formers)+1-formersKept {
			delete(t.names, f.Name)
			continue
		}
		formers = append(formers, f)
	}
	p.name, t.names[name], t.listed, p.formers = name, p, nil, formers
}

// find returns the piece that a name means to a view, nil if it means none (T15, T21).
func (t *Table) find(name id.Piece, view id.Seat) *piece {
	p := t.names[name]
	if p == nil || !t.sees(&p.state, view) {
		return nil
	}
	if p.name == name || slices.ContainsFunc(p.formers, func(f FormerImage) bool {
		return f.Name == name && slices.Contains(f.Views, view)
	}) {
		return p
	}
	return nil
}

// randomName returns a random name that no piece has (T21).
func (t *Table) randomName() id.Piece {
	for {
		//nolint:gosec // 21 bits
		name := MinRandomName + id.Piece(t.lots.IntN(int(MaxRandomName-MinRandomName)+1))
		// A held piece may still lie in a hand that is gone.
		if t.names[name] == nil && t.holds[name] == nil {
			return name
		}
	}
}

// given reports whether a name may have been given to any piece.
func (t *Table) given(name id.Piece) bool { return name != 0 && name <= t.lastName || drawn(name) }

// drawn reports whether a name may have been drawn at random.
func drawn(name id.Piece) bool { return name >= MinRandomName && name <= MaxRandomName }

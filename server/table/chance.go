package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Chance is what the lot decided in an update, for whoever has to show that it was fair (docs/fairness.md). The zero value
// is of an update in which it decided nothing.
type Chance struct {
	What            ChanceOf
	Pieces          []id.OID // the container or the die; of a shuffle outside containers those to which the outputs were dealt, ascending
	Inputs, Outputs []uint32
}

// ChanceOf says what was decided. The numbers are those of docs/fairness.md.
type ChanceOf uint8

// What the lot decides: inputs and outputs.
const (
	ChanceShuffle ChanceOf = 1 // the kinds of all, ascending: in their new order, the undermost first
	ChanceCut     ChanceOf = 2 // how many there are: how many are brought below
	ChanceDraw    ChanceOf = 3 // the kinds of all, ascending: those taken, in order
	ChanceRoll    ChanceOf = 4 // how many sides there are: the one that is up
	ChancePlace   ChanceOf = 5 // how many places there are: which one
)

// chance notes what the lot has decided.
func (j *judging) chance(what ChanceOf, inputs, outputs []uint32) {
	j.lot = Chance{What: what, Pieces: []id.OID{j.p.oid}, Inputs: inputs, Outputs: outputs}
}

// Audience returns the only seat that may know of what the lot decides in u: the owner of the hand in which it happens, or
// whoever stows a piece, since others are not told at which place (T30). It returns 0 if everybody may know.
func (t *Table) Audience(u *Update, seat id.Seat) id.Seat {
	switch u.Op {
	case OpStow:
		return seat
	case OpRoll, OpShuffle:
	default:
		return 0
	}
	names := u.Pieces
	if u.Has&HasPiece != 0 {
		names = []id.Piece{u.Piece}
	}
	var owner id.Seat
	for _, name := range names {
		p := t.find(name, t.ViewOf(seat))
		if p == nil || !t.inHand(&p.state) {
			return 0
		}
		owner = p.state.Owner
	}
	return owner
}

// shuffled deals things out anew. Their order before does not matter for what comes out: else whoever can foresee the lot
// could choose one.
func (j *judging) shuffled(things []*piece) {
	slices.SortStableFunc(things, func(a, b *piece) int { return cmp.Compare(a.state.Kind, b.state.Kind) })
	for i := len(things) - 1; i > 0; i-- {
		k := j.in.Rand.IntN(i + 1)
		things[i], things[k] = things[k], things[i]
	}
}

// kindsOf returns the kinds of pieces, in their order.
func kindsOf(pieces []*piece) []uint32 {
	kinds := make([]uint32, len(pieces))
	for i, p := range pieces {
		kinds[i] = p.state.Kind
	}
	return kinds
}

// since notes in the state of a piece, whose place or kind the lot has decided, that it owes it to the round that is open, or
// still to the one to which it owed it before, as long as nobody has seen what it is. all says that everything that belongs
// together was mixed, so that what was before does not matter any more.
func (j *judging) since(s *State, all bool) {
	if all || s.Since == 0 {
		s.Since = j.in.Round
	}
}

// hiddenSince returns the Since of a piece after an entry: none when everybody sees what it is; the round that is open when it
// is hidden from now on, or at another place than before, as what was drawn into a hand is, unless it has one (F12). What lies
// as the game file put it has none.
func (t *Table) hiddenSince(e *Entry) uint32 {
	switch after := &e.After; {
	case t.bare(after), t.kinds[after.Kind].Unknown: // what that is no draw has decided (T38)
		return 0
	case after.Since == 0 && (e.Made || t.bare(&e.Before) || e.Before.In != after.In):
		return t.round
	default:
		return after.Since
	}
}

// OldestHidden returns the first round to which something that is hidden from somebody owes its place or its kind (F12);
// false if there is nothing of the kind.
func (t *Table) OldestHidden() (round uint32, found bool) {
	var whole map[id.Piece]bool // of the bags that were looked at
	for _, p := range t.pieces {
		s := &p.state
		if s.Since == 0 || found && s.Since >= round {
			continue
		}
		if c := t.bagOf(s); c != nil {
			is, known := whole[c.name]
			if !known {
				if whole == nil {
					whole = map[id.Piece]bool{}
				}
				is = t.whole(c)
				whole[c.name] = is
			}
			if is {
				continue
			}
		}
		round, found = s.Since, true
	}
	return round, found
}

// bagOf returns the container that draws by lot in which a piece lies, nil if it lies in none.
func (t *Table) bagOf(s *State) *piece {
	if !t.inContainer(s) {
		return nil
	}
	if c := t.names[s.In]; t.kinds[c.state.Kind].Container.Random {
		return c
	}
	return nil
}

// whole reports whether what lies in a container is exactly what is at home there. In one that draws by lot nothing is hidden
// then: there is no order, and what it is everybody knows as well as they knew it at the beginning (F12).
func (t *Table) whole(c *piece) bool {
	home := t.homes[c.name].all()
	return len(home) == t.contents(c).n && !slices.ContainsFunc(home, func(p *piece) bool { return p.state.In != c.name })
}

// bare reports whether everybody sees what a piece in that state is.
func (t *Table) bare(s *State) bool {
	return s.Gone || t.open(s) && (!t.kinds[s.Kind].Secret || s.Face == 0)
}
